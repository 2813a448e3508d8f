"""read_csv with `thousands`, `decimal`, `true_values` and an encoding: what they mean for typed columns, dates and labels."""

from __future__ import annotations

import io
import itertools
import warnings
from typing import Any

import bascule as bc
import bascule.pandas as pd
import numpy as np
import pandas
import pytest
from frames import assert_same

COLUMNS = {
    "points and commas": ["1.000,5", "3,5"], "points": ["1.000", "2.000.000"], "commas": ["3,5", "4,25"], "whole": ["7", "8"], "dates": ["01.02.2020", "13.02.2020"],
    "commas in dates": ["2020,01,02", "2020,01,03"], "words": ["x", "1,5"], "booleans": ["True", "False"], "yes": ["yes", "no"], "missing": ["1.000,5", ""], "nothing": ["", ""],
}  # fmt: skip
TYPES = (str, "category", object, float, int, "Int64", "float32", bool, "datetime64[ns]")


def outcome(module: Any, source: Any, options: dict[str, Any]) -> Any:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            return module.read_csv(source, **options)
        except Exception as e:  # pandas may raise any error
            return type(e)


def check(text: str, native: bool = False, **options: Any) -> None:
    expected = outcome(pandas, io.StringIO(text), options)
    with bc.config.set(fallback="error" if native else "silent"):
        found = outcome(pd, io.StringIO(text), options)
    if isinstance(expected, type):
        assert isinstance(found, type) and (issubclass(expected, found) or issubclass(found, expected)), (
            text,
            options,
            expected,
            found,
        )
    else:
        assert isinstance(found, pd.DataFrame), (text, options, found)
        try:
            assert_same(found, expected)
        except AssertionError as e:
            raise AssertionError(f"{text!r} {options} {e}") from None


def table(first: list[str], second: list[str], implicit: bool = False) -> str:
    header = "a;b" if not implicit else "b"
    return "\n".join([header, *(f"{x};{y}" for x, y in zip(first, second))]) + "\n"


@pytest.mark.parametrize("kind", COLUMNS)
def test_types_of_columns(kind):
    text = table(COLUMNS[kind], ["1.000", "2,5"])
    for dtype, spelt in itertools.product(
        TYPES, ({"decimal": ","}, {"thousands": "."}, {"decimal": ",", "thousands": "."})
    ):
        for asked in ({"a": dtype}, dtype):
            check(text, sep=";", dtype=asked, **spelt)
        check(text, sep=";", dtype={"a": dtype}, index_col="a", **spelt)
        check(text, sep=";", dtype={"a": dtype}, true_values=["yes", "1.000"], false_values=["no"], **spelt)


@pytest.mark.parametrize("kind", COLUMNS)
@pytest.mark.parametrize("spelt", [{"decimal": ","}, {"thousands": "."}, {"decimal": ",", "thousands": "."}], ids=str)
def test_dates_and_labels(kind, spelt):
    text = table(COLUMNS[kind], ["1.000", "2,5"])
    for options in (
        {},
        {"index_col": "a"},
        {"dayfirst": True},
        {"date_format": "%d.%m.%Y"},
        {"date_format": "%Y,%m,%d"},
    ):
        check(text, sep=";", parse_dates=["a"], **spelt, **options)
        check(text, sep=";", **spelt, **options)
        check(text, sep=";", usecols=["a"], parse_dates=[0], **spelt, **options)


@pytest.mark.parametrize("kind", COLUMNS)
def test_labels_in_a_column_without_a_name(kind):
    for second in COLUMNS.values():
        text = table(COLUMNS[kind], second, implicit=True)
        for options in ({"decimal": ","}, {"decimal": ",", "thousands": "."}, {"true_values": ["yes"], "false_values": ["no"]}, {}):  # fmt: skip
            check(text, sep=";", **options)
        check("\n".join(f"q;{line}" if line != "b" else line for line in text.splitlines()), sep=";", decimal=",")


def test_common_ways_are_native():
    text = "a;b;d;t\n1.000,5;3,5;01.02.2020;x\n3,5;4,5;02.02.2020;1,5\n"
    check(text, native=True, sep=";", decimal=",", thousands=".", dtype={"t": str}, parse_dates=["d"], dayfirst=True)
    check(text, native=True, sep=";", decimal=",", thousands=".", dtype={"t": "category"})
    check(table(["1,5", "2,5"], ["x", "y"], implicit=True), native=True, sep=";", decimal=",")
    check(table(["yes", "no"], ["x", "y"], implicit=True), native=True, sep=";", true_values=["yes"], false_values=["no"])  # fmt: skip


CHOSEN = [["b", "a"], [1, 0], [1], ["b"], [2, 1], ["c", "b"], [0, 2], lambda n: n != "a", None]


@pytest.mark.parametrize("chosen", CHOSEN, ids=lambda x: "function" if callable(x) else str(x))
def test_dates_by_number_among_chosen_columns(chosen):
    text = "a,b,c\n2020-01-01,2020-02-02,3\n2020-01-03,2020-02-04,4\n"
    for dates in ([0], [1], [2], ["b"], [-1], [0, 1], [np.int64(0)], ["a", 1], True):
        for options in ({}, {"index_col": 0}, {"index_col": "b"}, {"date_format": "%Y-%m-%d"}):
            check(text, usecols=chosen, parse_dates=dates, **options)
            check(text, usecols=chosen, parse_dates=dates, names=["a", "b", "c"], skiprows=1, **options)
    check("b,c\n" + text.partition("\n")[2], parse_dates=[0], usecols=None if chosen is None else [0])


class Text:
    """An object that gives text and says nothing of an encoding."""

    def __init__(self, text):
        self.read, self.__iter__ = io.StringIO(text).read, io.StringIO(text).__iter__


ENCODED = "n,t\n1,Größe\n2,naïve\n"


@pytest.mark.parametrize("encoding", ["latin-1", "utf-16", "cp1252", "utf-8", "utf-8-sig", "ascii", "nonsense", None])
@pytest.mark.parametrize("errors", ["strict", "replace", "ignore"])
def test_encodings_with_and_without_pandas(encoding, errors, tmp_path):
    written = "utf-8" if encoding in ("nonsense", "ascii", None) else encoding
    path = tmp_path / "text.csv"
    path.write_text(ENCODED, encoding=written)
    sources = {
        "path": lambda: path, "bytes": lambda: io.BytesIO(path.read_bytes()), "text": lambda: io.StringIO(ENCODED),
        "file": lambda: open(path, encoding=written), "file of bytes": lambda: open(path, "rb"),
    }  # fmt: skip
    for make, options in itertools.product(sources.values(), ({}, {"skipfooter": 0, "dtype": {"n": "Int64"}}, {"na_values": {"n": ["1"]}}, {"comment": "#"}, {"chunksize": 1})):  # fmt: skip
        both = []
        for module in (pandas, pd):
            source = make()
            with bc.config.set(fallback="silent"):
                found = outcome(module, source, {"encoding": encoding, "encoding_errors": errors, **options})
                if "chunksize" in options and not isinstance(found, type):
                    found = outcome(Joined, found, {})
            both.append(found)
            if hasattr(source, "close"):
                source.close()
        expected, found = both
        if isinstance(expected, type):
            assert isinstance(found, type), (options, expected, found)
        else:
            assert_same(found, expected)


class Joined:
    """Chunks, read to the end."""

    @staticmethod
    def read_csv(chunks):
        with chunks:
            return list(chunks)
