"""Ranges of dates at fixed lengths of time and of business days are pandas', with their frequencies."""

from __future__ import annotations

import itertools

import bascule as bc
import bascule.pandas as pd
import numpy as np
import pandas
import pytest
from frames import assert_same

ENDS = [
    dict(start="2020-01-31", periods=7), dict(start="2020-02-01 10:30", periods=4), dict(end="2020-02-02 08:00", periods=6),
    dict(start="1969-12-20", end="1970-01-12"), dict(start="2020-02-01 10:00", end="2020-02-07 09:00"), dict(start="2020-02-03", end="2020-02-07"),
    dict(start="2020-02-01", end="2020-02-02"), dict(start="2020-02-05", end="2020-01-01"), dict(start="2020", periods=0),
    dict(start=pandas.Timestamp("2020-01-01 00:00:00.000000001"), periods=3),
]  # fmt: skip


def outcome(m, name, options):
    try:
        with bc.config.set(fallback="silent"):
            return getattr(m, name)(**options)
    except (ValueError, TypeError, OverflowError) as error:
        return type(error)


def check(name, options):
    here, there = (outcome(m, name, options) for m in (pd, pandas))
    if isinstance(there, type):
        assert here is there, options
        return
    assert_same(here, there)
    assert here.freq == there.freq and here.unit == there.unit and here.name == there.name, options


@pytest.mark.parametrize("freq", ["B", "2B", "5B", "D", "3D", "6h", "90min", "ms", "-1B", None])
def test_date_range(freq):
    for ends, inclusive, normalize in itertools.product(ENDS, ("both", "left", "right", "neither"), (False, True)):
        if not (freq == "ms" and "end" in ends and "start" in ends):
            check("date_range", ends | dict(freq=freq, inclusive=inclusive, normalize=normalize, name="n"))


@pytest.mark.parametrize("unit", ["s", "ms", "us", "ns", "h"])
def test_unit(unit):
    for ends, freq in itertools.product(ENDS, ("B", "D", "h", "ms")):
        if not (freq == "ms" and "end" in ends and "start" in ends):
            check("date_range", ends | dict(freq=freq, unit=unit))


@pytest.mark.parametrize("ends", ENDS, ids=range(len(ENDS)))
def test_bdate_range(ends):
    for options in (
        {},
        dict(freq="2B"),
        dict(normalize=False),
        dict(freq="D"),
        dict(inclusive="left"),
        dict(freq=None),
    ):
        check("bdate_range", ends | options)
    check("bdate_range", ends | dict(freq="C", holidays=["2020-02-03"]))


def test_they_need_no_pandas():
    with bc.config.set(fallback="error"):
        assert pd.bdate_range("2020-01-31", periods=3).day.tolist() == [31, 3, 4]
        assert pd.date_range("2020", periods=3, unit="ns", inclusive="left").unit == "ns"


HOLIDAYS = {
    "none": None, "texts": ["2020-02-03", "2020-12-25"], "timestamps": [pandas.Timestamp("2020-02-03")],
    "dates": [np.datetime64("2020-02-03")], "on a weekend": ["2020-02-01"],
}  # fmt: skip


@pytest.mark.parametrize("holidays", HOLIDAYS)
@pytest.mark.parametrize("weekmask", [None, "Mon Wed Fri", "Sun Mon Tue Wed Thu", "1111100"])
@pytest.mark.parametrize(
    "ends", [("2020-01-31", "2020-03-02"), ("2020-02-01 10:00", "2020-02-10"), ("2020-03-02", "2020-01-31")]
)
def test_custom_business_days(holidays, weekmask, ends):
    options = dict(start=ends[0], end=ends[1], freq="C", holidays=HOLIDAYS[holidays], weekmask=weekmask, name="day")
    wanted = pandas.bdate_range(**options)
    with bc.config.set(fallback="error"):
        found = pd.bdate_range(**options)
    pandas.testing.assert_index_equal(found.to_pandas(), wanted)
    assert found.freq == wanted.freq and repr(found) == repr(wanted) and found[1:3].tolist() == wanted[1:3].tolist()


def test_custom_business_days_that_pandas_finds():
    for options in (dict(periods=3), dict(end="2020-03-01", inclusive="left"), dict(end="2020-03-01", tz="UTC")):
        check("bdate_range", dict(start="2020-01-31", freq="C", holidays=["2020-02-03"], **options))
