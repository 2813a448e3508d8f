"""`.str`, `.dt` and to_datetime against pandas."""

from __future__ import annotations

import bascule as bc
import bascule.pandas as pd
import numpy as np
import pandas
import pytest
from frames import both

WORDS = ["JFK", "lga", None, "Straße", "", "a b  c", "12", "  pad ", "JFK", "ÄÖ", "x-1-y"]
FEW = pandas.Series(WORDS * 3, index=range(10, 10 + 3 * len(WORDS)), name="w")
FULL = FEW.dropna()
LONG = pandas.Series(WORDS * 200)
MANY = pandas.Series([f"N{i * 7919 % 10007}X" for i in range(6000)] + [None])
CALLS = {
    "upper": (), "lower": (), "title": (), "capitalize": (), "swapcase": (), "len": (), "strip": (), "lstrip": ("x",), "rstrip": (), "isdigit": (), "isalpha": (), "isspace": (),
    "contains": ("a",), "startswith": ("J",), "endswith": ("c",), "match": ("[A-Z]+",), "fullmatch": ("[A-Z]+",), "replace": ("a", "é"), "slice": (1, 3), "get": (0,), "find": ("a",),
    "count": ("a",), "zfill": (6,), "pad": (6, "both", "*"), "center": (9,), "split": ("-",), "removeprefix": ("J",),
}  # fmt: skip


@pytest.mark.parametrize("name", CALLS)
@pytest.mark.parametrize("series", [FEW, FULL, MANY, LONG, FEW.head(0)], ids=["few", "full", "many", "long", "empty"])
def test_text_methods(name, series):
    both(lambda s: getattr(s.str, name)(*CALLS[name]), series)


def test_text_methods_with_arguments():
    both(lambda s: s.str.contains("A", case=False), FEW)
    both(lambda s: s.str.contains("[0-9]", regex=True, na=True), FEW)
    both(lambda s: s.str.replace(r"(\d)", r"<\1>", regex=True), FEW)
    both(lambda s: s.str.extract(r"(\w)(\w)"), FEW)
    both(lambda s: s.str.split("-", expand=True), FEW)
    both(lambda s: s.str[0], FEW)
    both(lambda s: s.str[-2:], FEW)
    both(lambda s: s.str.cat(sep="|"), FULL, fallback="silent")
    both(lambda s: s.str.nothing(), FEW)
    both(lambda s: s.str, pandas.Series([1, 2]))


TIMES = pandas.Series(
    pandas.to_datetime(
        ["2013-01-31 23:59:59.123456", None, "1969-12-31", "2024-02-29 12:00", "0001-01-01"], format="ISO8601"
    ),
    name="t",
)
SPANS = pandas.Series(pandas.to_timedelta(["1 days 02:03:04.5", None, "-1 s"]))


@pytest.mark.parametrize(
    "name",
    [
        "year",
        "month",
        "day",
        "hour",
        "minute",
        "second",
        "dayofweek",
        "weekday",
        "dayofyear",
        "quarter",
        "is_month_end",
        "is_leap_year",
    ],
)
def test_fields_of_times(name):
    both(lambda s: getattr(s.dt, name), TIMES)
    both(lambda s: getattr(s.dt, name), TIMES.dropna())
    both(
        lambda s: getattr(pd.DatetimeIndex(s) if isinstance(s, pd.Series) else pandas.DatetimeIndex(s), name),
        TIMES.dropna(),
    )


def test_methods_of_times():
    both(lambda s: s.dt.floor("D"), TIMES)
    both(lambda s: s.dt.round("h"), TIMES)
    both(lambda s: s.dt.normalize(), TIMES)
    both(lambda s: s.dt.isocalendar(), TIMES)
    both(lambda s: s.dt.total_seconds(), SPANS)
    both(lambda s: s.dt.days, SPANS)
    both(lambda s: s.dt.strftime("%Y"), TIMES, fallback="silent")
    both(lambda s: s.dt.nothing, TIMES)
    both(lambda s: s.dt, pandas.Series([1, 2]))


def test_to_datetime():
    def call(s, **kwargs):
        return (pd if isinstance(s, pd.Series) else pandas).to_datetime(s, **kwargs)

    both(call, pandas.Series(["2020-01-01", None, "2021-05-06"] * 5))
    both(call, pandas.Series(["Jan 13 2020", "Jun 05 2021"]), fallback="silent")
    both(lambda s: call(s, format="%d/%m/%Y"), pandas.Series(["13/01/2020", "05/06/2021"] * 3))
    both(lambda s: call(s, errors="coerce"), pandas.Series(["2020-01-01", "nonsense"]), fallback="silent")
    both(call, pandas.Series(["2020-01-01", "nonsense"]), fallback="silent")
    both(call, pandas.Series(["2020-02-30", "2020-01-01"]), fallback="silent")
    both(call, pandas.Series(["2020-01-01", "2020-01-01 10:00"]), fallback="silent")
    both(call, pandas.Series(["2020-01-01T10:00:00.123", None, "2020-01-02T10:00:00.000"]))
    both(lambda s: call(s, format="%Y-%m-%d %H:%M"), pandas.Series(["2020-01-01 9:05", None]))
    both(lambda s: call(s, format="%Y%m%d"), pandas.Series(["20200131", "2020013"]), fallback="silent")
    both(lambda s: call(s, unit="s"), pandas.Series([1, 2]), fallback="silent")
    both(call, TIMES)
    many = pandas.Series(np.datetime_as_string(np.arange(5000).astype("M8[D]")))
    both(call, many)


DATES = pandas.date_range("1900-02-28", "2100-03-01", periods=3000, unit="us").to_series(index=range(3000))


@pytest.mark.parametrize("rows", [10, 3000])
@pytest.mark.parametrize("nulls", [False, True])
def test_dates_as_text(rows, nulls):
    dates = DATES.head(rows).where(DATES.index[:rows] % 7 != 3) if nulls else DATES.head(rows)
    for how in (lambda x: x.dt.month_name(), lambda x: x.dt.day_name(), lambda x: x.dt.strftime("%d.%m.%y")):
        both(how, dates)


def test_names_in_another_language_and_of_durations_are_pandas():
    both(lambda x: x.dt.month_name(locale="C"), DATES.head(3), fallback="silent")
    both(lambda x: x.dt.month_name(), DATES.diff().head(3))


@pytest.mark.parametrize(
    "text, format",
    [
        ("2020-02-31", "%Y-%m-%d"), ("20-01-01", "%Y-%m-%d"), (" 2020-01-01", "%Y-%m-%d"), ("2020-01-01 ", "%Y-%m-%d"),
        ("2020- 1-01", "%Y-%m-%d"), ("2020-01-01", "%Y-%m-%d"), ("2020-1-1", "%Y-%m-%d"), ("0001-1-1", "%Y-%m-%d"),
        ("2021-02-29", "%Y-%m-%d"), ("2020-02-29", "%Y-%m-%d"), ("2020-04-31", "%Y-%d-%m"), ("31.4.2020", "%d.%m.%Y"),
        ("30x4x2020", "%d.%m.%Y"), ("20200431", "%Y%m%d"), ("20200430", "%Y%m%d"), ("2020111", "%Y%m%d"),
        ("20200430 1200", "%Y%m%d %H%M"), ("20200430 120", "%Y%m%d %H%M"), ("2020-01-01 24:00", "%Y-%m-%d %H:%M"),
        ("2020-01-01 10:11:60", "%Y-%m-%d %H:%M:%S"), ("2020-01-01  10", "%Y-%m-%d %H"), ("12:61", "%H:%M"), ("5", "%d"),
        ("12:30", "%H:%M"), ("2020", "%Y"), ("020", "%Y"), ("2020\n", "%Y"), ("2020-00-10", "%Y-%m-%d"), ("2020", "2020"),
        ("2020-11-00", "%Y-%m-%d"), ("2020 2020", "%Y %Y"), ("%2020", "%%%Y"), ("\u0662020-11-10", "%Y-%m-%d"),
    ],
)  # fmt: skip
def test_to_datetime_by_a_format_takes_what_pandas_takes(text, format):
    def f(s):
        return (pd if isinstance(s, pd.Series) else pandas).to_datetime(s, format=format)

    for rows in ([text], [None, text], [text] * 3):
        both(f, pandas.Series(rows, dtype="str"), fallback="silent")


@pytest.mark.parametrize("order", [["year", "month", "day"], ["day", "year", "month"]])
def test_to_datetime_of_parts(order):
    parts = pandas.DataFrame({"year": DATES.dt.year, "month": DATES.dt.month, "day": DATES.dt.day})[order]
    both(lambda x: pd.to_datetime(x) if isinstance(x, pd.DataFrame) else pandas.to_datetime(x), parts)
    both(
        lambda x: pd.to_datetime(x) if isinstance(x, pd.DataFrame) else pandas.to_datetime(x),
        parts.astype("int64")[::-3],
    )


@pytest.mark.parametrize(
    "wrong", [(2013, 2, 29), (2013, 0, 1), (2013, 13, 1), (2013, 1, 0), (2013, 4, 31), (-1, 1, 1), (10000, 1, 1)]
)
def test_to_datetime_of_parts_that_are_no_date(wrong):
    parts = pandas.DataFrame([(2012, 2, 29), wrong], columns=["year", "month", "day"])
    both(lambda x: (pd if isinstance(x, pd.DataFrame) else pandas).to_datetime(x), parts, fallback="silent")
    both(
        lambda x: (pd if isinstance(x, pd.DataFrame) else pandas).to_datetime(x, errors="coerce"),
        parts,
        fallback="silent",
    )


def test_to_datetime_of_other_frames_is_pandas():
    parts = pandas.DataFrame({"year": [2012], "month": [2], "day": [29], "hour": [3]})
    for frame in (parts, parts[["year", "day"]], parts[["year", "month", "day"]].astype("float64")):
        both(lambda x: (pd if isinstance(x, pd.DataFrame) else pandas).to_datetime(x), frame, fallback="silent")


@pytest.mark.parametrize("values", [["b", "a", None, "b"], [3, 1, 2, None], []])
@pytest.mark.parametrize("ordered", [True, False])
def test_categories_are_read_here(values, ordered):
    series = pandas.Series(pandas.Categorical(values, ordered=ordered), name="c", index=range(5, 5 + len(values)))
    both(lambda s: s.cat.codes, series)
    both(lambda s: s.cat.categories, series)
    both(lambda s: s.cat.ordered, series)


def test_only_sparse_data_have_the_accessor_of_sparse_data():
    """Libraries ask frames of all kinds for it; the answer needs no pandas."""
    for x in (pandas.DataFrame({"a": [1.0, 2.0], "b": ["x", "y"]}), pandas.Series([1, 2])):
        with pytest.raises(AttributeError) as other:
            x.sparse
        with bc.config.set(fallback="error"), pytest.raises(AttributeError) as mine:
            pd.from_pandas(x).sparse
        assert str(mine.value) == str(other.value)
    held = pandas.DataFrame({"a": pandas.arrays.SparseArray([0, 0, 1])})
    with bc.config.set(fallback="silent"):
        assert pd.from_pandas(held).sparse.density == held.sparse.density
        assert pd.from_pandas(held)["a"].sparse.npoints == 1
