"""Timestamps written into rows: as strings, in other units, with time zones."""

from __future__ import annotations

import datetime

import bascule as bc
import bascule.pandas as bpd
import numpy as np
import pandas
import pytest
from frames import both

STRINGS = ["2020-02-03", "2020-02-04"]
NATIVE = {
    "text": "2020-02-03", "texts": STRINGS, "array": np.array(STRINGS, dtype=object), "categories": pandas.Categorical(STRINGS),
    "labels": pandas.Index(STRINGS), "NaT": pandas.NaT, "None": None,
}  # fmt: skip
ZONED = {
    "moment": pandas.Timestamp("2020-02-03 05:00", tz="US/Eastern"), "utc": datetime.datetime(2020, 1, 1, tzinfo=datetime.UTC),
    "moments": pandas.date_range("2021", periods=2, tz="US/Eastern"),
}  # fmt: skip
PLAIN = {"time": pandas.Timestamp("2020-02-03"), "times": pandas.date_range("2021", periods=2), "coarse": pandas.Series(pandas.date_range("2021", periods=2)).dt.as_unit("s").array}  # fmt: skip
OTHER = {
    "number": 5, "word": "foo", "NA": pandas.NA, "fine": pandas.DatetimeIndex(["2020-01-01 00:00:00.000000001", "2021"]), "one word": ["2020-02-03", "x"],
    "numbers": [1, 2], "one missing": ["2020-01-01", None], "plain": pandas.Timestamp("2020-02-03"), "zoned": ZONED["moment"],
}  # fmt: skip


def _put(series, how, key, value):
    target = series if how == "item" else getattr(series, how)
    target[key] = value
    return series


@pytest.mark.parametrize("tz", [None, "UTC", "US/Eastern", "UTC-02:15"], ids=str)
@pytest.mark.parametrize("how", ["item", "loc", "iloc"])
def test_times_in_rows(tz, how):
    series = pandas.Series(pandas.date_range("2020", periods=3, tz=tz))
    rows = slice(0, 1) if how == "loc" else slice(0, 2)
    native = NATIVE | (PLAIN if tz is None else ZONED)
    for value in native.values():
        for key in (rows, [0, 1], np.array([True, True, False])):
            both(lambda s: _put(s.copy(), how, key, value), series)
    for value in OTHER.values():
        for key in (rows, [0, 1], 1):
            both(lambda s: _put(s.copy(), how, key, value), series, fallback="silent")


def test_a_column_of_a_zone_in_a_frame():
    frame = pandas.DataFrame({"a": [1, 2, 3], "d": pandas.date_range("2020", periods=3, tz="Europe/Berlin")})
    for value in ("2020-02-03 04:00", pandas.NaT, ZONED["moment"]):
        both(lambda f: _put_cell(f.copy(), value), frame)


def _put_cell(frame, value):
    frame.loc[1, "d"] = value
    return frame


def test_strings_that_mean_the_present_are_it_in_every_zone():
    before = pandas.Timestamp.now(tz="UTC")
    with bc.config.set(fallback="silent"):
        series = bpd.Series(pandas.date_range("2020", periods=2, tz="US/Eastern"))
        series.iloc[0] = "now"
        found = series.iloc[0]
    assert before <= found <= pandas.Timestamp.now(tz="UTC")


@pytest.mark.parametrize("kind", ["int64", "Int64"])
def test_slices_of_other_than_whole_numbers_are_refused_in_writing_too(kind):
    series = pandas.Series([1, 2, 3], index=pandas.Index([1, 2, 3], dtype=kind))
    both(lambda s: _put(s, "item", slice(1.0, 2.0), 9), series)
    both(lambda s: s[1.0:2.0], series)


def test_values_at_listed_dates_that_come_at_a_frequency():
    s = pandas.Series(range(5), pandas.date_range("2024", periods=5))

    def written(x, listed):
        x = x.copy()
        x.loc[listed(x.index)] = 9
        return x

    for listed in (lambda i: [i[1], i[3]], lambda i: i[1:3], lambda i: i[::-2], lambda i: list(i)[3:]):
        both(lambda x: written(x, listed), s)
        both(lambda x: written(x, listed), s.to_frame("v"))
        both(lambda x: str(x.loc[listed(x.index)].index.freq), s)
