"""read_csv: comments, spaces, rows of too many fields, words of booleans, formats of dates, rows in chunks."""

from __future__ import annotations

import io
import warnings
from typing import Any

import bascule as bc
import bascule.pandas as pd
import numpy as np
import pandas
import pytest
from frames import assert_same


def read(module: Any, text: str, options: dict[str, Any]) -> Any:
    with warnings.catch_warnings(record=True, action="always") as said:
        try:
            made = module.read_csv(io.StringIO(text), **options)
        except Exception as e:
            return type(e), None
    return made, [str(w.message) for w in said if w.category is pandas.errors.ParserWarning]


def check(text: str, native: bool = False, **options: Any) -> None:
    expected, warned = read(pandas, text, options)
    with bc.config.set(fallback="error" if native else "silent"):
        found, reported = read(pd, text, options)
    if isinstance(expected, type):
        assert found is expected
        return
    assert_same(found, expected)
    assert reported == warned


COMMENTS = [
    "a,b\n# one\n1,2 # two\n3,4\n", "# first\na,b\n1,x#y\n#\n2,\"q#r\"\n", "a,b\n  # spaces\n1,2\n", "a,b\n1,#\n#x\n\n2,3", "#\n#\n", "a,b\r\n1,2#c\r\n#d\r\n3,4\r\n",
    'a,b\n"x"#y,1\n', "a#,b\n1,2\n", "i,a,b\n#\n1,2,3\n",
]  # fmt: skip


@pytest.mark.parametrize("text", COMMENTS, ids=repr)
def test_comments(text):
    for options in ({}, {"index_col": 0}, {"header": None}, {"names": ["p", "q"]}, {"nrows": 1}, {"skip_blank_lines": False}, {"skiprows": 1}, {"usecols": [0]}):  # fmt: skip
        check(text, comment="#", **options)


SPACES = [
    "a b   c\n 1 2  3 \n4\t5 6\n", "a b\n1 2\n\n  \n3 4\n", "  a b\n1 2", 'a b\n"x y" 2\n"p  ""q" 3\n', "a b\r\n1  2\r\n", "a b\n1 2 3\n4 5 6\n", "a\n1\n", "", "   ",
]  # fmt: skip


@pytest.mark.parametrize("text", SPACES, ids=repr)
def test_fields_between_spaces(text):
    for options in ({}, {"header": None}, {"comment": "#"}, {"index_col": 0}, {"dtype": str}, {"names": ["p", "q"]}):
        check(text, sep=r"\s+", **options)


@pytest.mark.parametrize(
    "text",
    ['a, b\n1,  x\n2, "y, z"\n', "a,b\n 1,2\n\t3,\t4\n", "a; b\n1; 2\n", ' "a", b\n1, 2 \n', "a,b\n   \n1, 2\n"],
    ids=repr,
)
def test_spaces_in_front_of_fields(text):
    for options in ({}, {"sep": ";"}, {"sep": "\t"}, {"comment": "#"}, {"header": None}):
        check(text, skipinitialspace=True, **options)


LONG = [
    "a,b\n1,2\n1,2,3\n3,4\n", "a,b\n1,2\n3\n4,5,6,7\n", "a,b\n1,2,3\n1,2\n", 'a,b\n1,"x,y"\n1,"x,y",3\n', "a,b\n\n1,2\n1,2,3\n", "a,b\n1,2,\n3,4\n", "a\n1,2\n1\n",
]  # fmt: skip


@pytest.mark.parametrize("text", LONG, ids=repr)
@pytest.mark.parametrize("bad", ["skip", "warn", "error", "drop"])
def test_rows_of_too_many_fields(text, bad):
    for options in ({}, {"header": None}, {"usecols": ["a"]}, {"comment": "#"}, {"index_col": 0}):
        check(text, on_bad_lines=bad, **options)


WORDS = [
    "a,b\nyes,1\nno,2\n", "a,b\nyes,1\n,2\n", "a,b\nyes,1\nTrue,2\n", "a,b\nYes,1\nno,2\n", "a,b\n1,yes\n0,no\n", "a,b\nmaybe,1\nno,2\n", "a,b\nyes,\nyes,\n",
]  # fmt: skip


@pytest.mark.parametrize("text", WORDS, ids=repr)
def test_words_of_booleans(text):
    for options in ({}, {"dtype": str}, {"dtype": {"a": bool}}, {"dtype": {"b": str}}, {"index_col": "a"}, {"na_filter": False}):  # fmt: skip
        check(text, true_values=["yes"], false_values=["no"], **options)
        check(text, true_values=["1", "yes"], **options)
        check(text, true_values=["yes", "False"], false_values=["no"], **options)


DATES = [
    "a,b\n01/02/2020,1\n02/02/2020,2\n", "a,b\n2020-01-02,1\n2020-02-03,2\n", "a,b\n01/02/2020,1\nxx,2\n", "a,b\n13.02.2020 10:00,1\n,2\n", "a,b\n2020-01-02 03:04:05,1\n",
    "a,b\n1,1\n2,2\n", "a,b\n2020-01-02T03:04:05Z,1\n",
]  # fmt: skip


@pytest.mark.parametrize("text", DATES, ids=repr)
def test_formats_of_dates(text):
    for asked in (["a"], [0], True, ["a", "b"], ["c"], False):
        for options in ({}, {"dayfirst": True}, {"date_format": "%d/%m/%Y"}, {"date_format": {"a": "%d/%m/%Y"}}, {"index_col": "a"}, {"index_col": 0}):  # fmt: skip
            check(text, parse_dates=asked, **options)


def test_columns_by_a_function():
    text = "a,b,c\n1,2,3\n4,5,6\n"
    for f in (lambda c: c != "b", lambda c: c == "c", lambda c: False, lambda c: True, str.isupper):
        check(text, usecols=f)
        check(text, usecols=f, index_col=0)


def test_common_ways_are_native():
    check("a b\n1 2\n3 4\n", native=True, sep=r"\s+")
    check("a,b\n# x\n1,2\n", native=True, comment="#", on_bad_lines="skip")
    check("a, b\n1, x\n", native=True, skipinitialspace=True)
    check("a,b\nyes,1\nno,0\n", native=True, true_values=["yes"], false_values=["no"])
    check("a,b\n01/02/2020,1\n", native=True, parse_dates=["a"], dayfirst=True)
    check("a,b\n01/02/2020,1\n", native=True, parse_dates=["a"], date_format="%m/%d/%Y")
    check("a,b,c\n1,2,3\n", native=True, usecols=lambda c: c != "b")


@pytest.mark.parametrize("size", [1, 2, 3, 100])
def test_chunks(size):
    rows = [f"{i},{'x' if i % 3 else i},{i / 2}\n" for i in range(8)]
    text = "a,b,c\n" + "".join(rows) + "\n9,q,1\n"
    for options in ({}, {"index_col": "a"}, {"nrows": 5}, {"header": None}, {"names": ["p", "q", "r"]}, {"usecols": ["a", "c"]}, {"dtype": {"a": "f8"}}, {"comment": "#"}, {"skiprows": 2}, {"sep": r"\s*,"}):  # fmt: skip
        with warnings.catch_warnings(), bc.config.set(fallback="silent"):
            warnings.simplefilter("ignore")
            expected = list(pandas.read_csv(io.StringIO(text), chunksize=size, **options))
            assert_same(list(pd.read_csv(io.StringIO(text), chunksize=size, **options)), expected)


def test_chunks_are_native_and_end():
    text = "a,b\n1,2\n3,x\n5,6\n"
    with bc.config.set(fallback="error"), pd.read_csv(io.StringIO(text), chunksize=2) as chunks:
        first = chunks.get_chunk(1)
        assert first["b"].dtype == np.int64 and len(first) == 1
        assert next(chunks).index.tolist() == [1, 2]
        with pytest.raises(StopIteration):
            next(chunks)
    with bc.config.set(fallback="error"):
        assert len(pd.read_csv(io.StringIO(text), iterator=True).read()) == 3


def test_random_text():
    rng = np.random.default_rng(11)
    letters = list('a1 ,,\n\n"#\t') + ["\r\n"]
    for _ in range(600):
        text = "a,b\n" + "".join(rng.choice(letters, rng.integers(0, 14)))
        check(text, comment="#")
        check(text.replace(",", " "), sep=r"\s+")
        check(text, skipinitialspace=True)
        check(text, on_bad_lines="skip")
