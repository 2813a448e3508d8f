"""Rows by a part of a date: up to the last tick of the year, month, day or second that the text names."""

from __future__ import annotations

import numpy as np
import pandas
import pytest
from frame_samples import native_or_same
from pandas import DatetimeIndex, Series

TICKS = {"s": 1, "ms": 10**3, "us": 10**6, "ns": 10**9}
STRINGS = ["2019", "2019-12", "2019-12-31", "2019-12-31 23", "2019-12-31 23:59", "2019-12-31 23:59:59", "2020", "2018"]


def last_ticks(unit: str, tz: str | None) -> Series:
    """Values about the turn of a year, whose labels are as close to it as the unit can say."""
    turn = np.datetime64("2020-01-01", unit)
    first = np.datetime64("2019-01-01", unit)
    second = np.timedelta64(TICKS[unit], unit)
    one = np.timedelta64(1, unit)
    times = [first - one, first, turn - second - one, turn - second, turn - one, turn, turn + one]
    index = DatetimeIndex(np.array(times)).unique()
    return Series(np.arange(len(index)), index if tz is None else index.tz_localize(tz))


@pytest.mark.parametrize("tz", [None, "Asia/Tokyo"])
@pytest.mark.parametrize("unit", TICKS)
@pytest.mark.parametrize("text", STRINGS)
def test_rows(text, unit, tz):
    s = last_ticks(unit, tz)
    for rows in (s, s[::-1]):
        native_or_same(lambda x: x[text], rows)
        native_or_same(lambda x: x.loc[text], rows)
        native_or_same(lambda x: x.to_frame("a").loc[text], rows)
    native_or_same(lambda x: x.loc[text:], s)
    native_or_same(lambda x: x.loc[:text], s)
    native_or_same(lambda x: x.truncate(after=pandas.Timestamp(text, tz=tz)), s)
    native_or_same(lambda x: x.index.slice_indexer(text, text), s)


@pytest.mark.parametrize("unit", TICKS)
def test_setting(unit):
    def changed(s):
        s = s.copy()
        s.loc["2019"] = -1
        return s

    native_or_same(changed, last_ticks(unit, None))
