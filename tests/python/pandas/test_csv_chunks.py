"""read_csv in chunks: rows of other lengths, quotes and line ends within fields, sources of every kind, little memory."""

from __future__ import annotations

import gzip
import io
import itertools
import tracemalloc
import warnings
from typing import Any

import bascule as bc
import bascule.pandas as pd
import numpy as np
import pandas
import pytest
from frames import assert_same

STRINGS = {
    "plain": "a,b\n1,x\n2,y\n3,z\n4,\n",
    "longer later": "a,b\n1,2\n3,4,5\n6,7\n",
    "longer at the start of a chunk": "a,b\n1,2\n3,4\n5,6,7\n8,9\n",
    "longer first": "a,b\n1,2,3\n4,5,6\n",
    "shorter": "a,b\n1,2\n3\n4,5\n",
    "shorter first": "a,b\n1\n2,3\n4,5\n",
    "empty field at the end": "a,b\n1,2\n3,4,\n5,6\n",
    "separator in the header": '"a,x",b\n1,2\n3,4\n',
    "line end in the header": '"a\nx",b\n1,2\n3,4\n5,6\n',
    "quoted line ends": 'a,b\n1,"x\ny"\n2,"p\n\nq"\n3,z\n',
    "doubled quotes": 'a,b\n1,"x""y"\n2,"""\n"""\n3,""\n',
    "quotes within fields": 'a,b\n1,x"y\n2,"p"q"r"\n3,z"\n',
    "quotes within fields, later": 'a,b\n1,x\n2,y\n3,5"\n4,"a\nb"\n',
    "open quotes": 'a,b\n1,x\n2,"y\n3,z\n',
    "blank lines": "\n\na,b\n\n1,x\n\n\n2,y\n3,z\n\n",
    "lines of spaces": "a,b\n1,x\n  \n2,y\n3,z\n",
    "other line ends": "a,b\r\n1,x\r\n\r\n2,y\r\n3,z",
    "old line ends": "a,b\r1,x\r2,y\r3,z\r",
    "mixed line ends": "a,b\n1,x\r\n2,y\r3,z\n",
    "mark of the encoding": "\ufeffa,b\n1,x\n2,y\n",
    "types by chunk": "a,b\n1,x\n2,y\nz,1\n4,2\n",
    "no rows": "a,b\n",
    "nothing": "",
    "one column": "a\n1\n\n2\n3\n",
    "letters": "a,b\n1,\u00fc\u2028x\n2,\U0001f600\n3,\x85\n",
}  # fmt: skip
OPTIONS: list[dict[str, Any]] = [
    {}, {"header": None}, {"names": ["p", "q"]}, {"names": ["p", "q"], "header": 0}, {"index_col": 0}, {"index_col": False}, {"nrows": 3}, {"nrows": 0}, {"header": 1},
    {"usecols": [0]}, {"dtype": str}, {"encoding": "utf-8"}, {"encoding": "latin-1"}, {"comment": "#"}, {"skipinitialspace": True}, {"on_bad_lines": "skip"}, {"names": ["p", "q", "r"]},
]  # fmt: skip


def read(module: Any, source: Any, options: dict[str, Any], calls: Any) -> list[Any]:
    """The chunks, and at last the class and words of the error; an error at the call stands for one at the first chunk."""
    made: list[Any] = []
    with warnings.catch_warnings(), bc.config.set(fallback="silent"):
        warnings.simplefilter("ignore")
        try:
            with module.read_csv(source, **options) as reader:
                for size in calls:
                    made.append(
                        next(reader) if size is None else reader.read() if size == -1 else reader.get_chunk(size)
                    )
        except StopIteration:
            made.append("the end")
        except Exception as e:  # pandas may raise any error
            made.append((type(e), str(e)))
    return made


def compare(found: list[Any], expected: list[Any], what: Any) -> None:
    assert len(found) == len(expected), (what, found, expected)
    for a, b in zip(found, expected):
        if isinstance(b, pandas.DataFrame):
            assert isinstance(a, pd.DataFrame), (what, a, b)
            try:
                assert_same(a, b)
            except AssertionError as e:
                raise AssertionError(f"{what}: {e}") from None
        else:
            assert a == b, (what, a, b)


@pytest.mark.parametrize("name", STRINGS)
@pytest.mark.parametrize("size", [1, 2, 100])
def test_chunks(name, size):
    for options in OPTIONS:
        asked = {**options, "chunksize": size}
        calls = [None] * 8
        expected = read(pandas, io.StringIO(STRINGS[name]), asked, calls)
        compare(read(pd, io.StringIO(STRINGS[name]), asked, calls), expected, (STRINGS[name], asked))


@pytest.mark.parametrize(
    "calls", [[2, None, -1], [-1, None], [None, 1, None, None, None], [1, 100, 1], [0, None]], ids=str
)
def test_parts_of_any_size(calls):
    for name, options in itertools.product(("plain", "blank lines", "longer later", "quoted line ends"), ({"chunksize": 2}, {"iterator": True}, {"chunksize": 2, "nrows": 3})):  # fmt: skip
        expected = read(pandas, io.StringIO(STRINGS[name]), options, calls)
        compare(read(pd, io.StringIO(STRINGS[name]), options, calls), expected, (name, options))


@pytest.mark.parametrize("name", ["plain", "longer at the start of a chunk", "quotes within fields, later", "letters"])
@pytest.mark.parametrize("encoding", [None, "utf-16", "utf-8-sig"])
def test_sources(name, encoding, tmp_path):
    path, packed = tmp_path / "text.csv", tmp_path / "text.csv.gz"
    path.write_bytes(STRINGS[name].encode(encoding or "utf-8"))
    packed.write_bytes(gzip.compress(path.read_bytes()))
    sources = [
        lambda: path, lambda: str(packed), lambda: io.BytesIO(path.read_bytes()), lambda: open(path, "rb"), lambda: open(path, encoding=encoding or "utf-8", newline=""),
        lambda: NotSought(path.read_bytes()),
    ]  # fmt: skip
    for i, make in enumerate(sources):
        made = []
        for module in (pandas, pd):
            source = make()
            made.append(read(module, source, {"chunksize": 2, "encoding": encoding}, [None] * 4))
            if hasattr(source, "close"):
                source.close()
        compare(made[1], made[0], (name, encoding, i))


class NotSought(io.RawIOBase):
    """A stream that can be read once only."""

    def __init__(self, text):
        self._there = io.BytesIO(text)

    def readable(self):
        return True

    def readinto(self, memory):
        return self._there.readinto(memory)


def test_common_ways_are_native(tmp_path):
    names = ("plain", "separator in the header", "line end in the header", "quoted line ends", "doubled quotes", "blank lines", "other line ends", "one column", "shorter")  # fmt: skip
    for name in names:
        path = tmp_path / "text.csv"
        path.write_bytes(STRINGS[name].encode())
        with bc.config.set(fallback="error"):
            assert sum(map(len, pd.read_csv(path, chunksize=2))) == len(pandas.read_csv(path))


def test_some_rows_are_held_at_a_time(tmp_path):
    path, line = tmp_path / "long.csv", "1234567,abcdefgh,1.5\n"
    path.write_text("a,b,c\n" + line * 1_500_000)  # 30 MB
    with bc.config.set(fallback="error"):
        next(pd.read_csv(path, chunksize=10))
        tracemalloc.start()
        try:
            rows = sum(len(chunk) for chunk in pd.read_csv(path, chunksize=50_000))
            _, most = tracemalloc.get_traced_memory()
        finally:
            tracemalloc.stop()
    assert rows == 1_500_000
    assert most < 20 * 2**20, most


def test_random_rows():
    rng = np.random.default_rng(5)
    pieces = ["1", "x", ",", ",", "\n", "\n", '"', '""', '"a,b"', '"p\nq"', "\r\n", " ", "2.5"]
    for _ in range(150):
        text = "a,b\n" + "".join(rng.choice(pieces, rng.integers(0, 14)))
        options = {"chunksize": int(rng.integers(1, 4)), **OPTIONS[rng.integers(0, 4)]}
        expected = read(pandas, io.StringIO(text), options, [None] * 8)
        compare(read(pd, io.StringIO(text), options, [None] * 8), expected, (text, options))
