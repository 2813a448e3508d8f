"""Ranges and bins at every usual frequency, of every position of the ends, are pandas'."""

import bascule as bc
import bascule.pandas as pd
import numpy as np
import pandas
import pytest
from pandas.testing import assert_index_equal, assert_series_equal

SPANS = "MS ME QS QE YS YE W W-WED BMS BME BQS BQE BYS BYE SMS SME 2MS 3ME 2W QE-FEB QS-NOV YE-JUN D 3D 7h B 90min"
BACKWARDS = "-1ME -2MS -1W"
STARTS = ("2019-12-31", "2020-02-29 10:30", "2020-03-01", "2021-01-03 00:00:01")
TICKS = ("D", "3D", "7h", "90min")
RANGES = [
    {"start": "first", "periods": 5},
    {"end": "first", "periods": 4},
    {"start": "first", "end": "2021-05-31"},
    {"start": "2021-05-31", "end": "first"},
    {"start": "first", "periods": 0},
    {"start": "first", "periods": 1},
    {"end": "first", "periods": 1},
    {"start": "first", "periods": 3, "inclusive": "right"},
    {"start": "first", "end": "2020-12-31", "inclusive": "neither"},
    {"start": "first", "periods": 3, "normalize": True, "name": "x"},
    {"start": "first", "periods": 3, "tz": "Europe/Berlin"},
    {"start": "first", "periods": 3, "unit": "ns"},
]
SIDES = [{}, {"closed": "right"}, {"closed": "left"}, {"label": "right"}, {"label": "left", "closed": "right"}]
ORIGINS = [{"origin": "epoch"}, {"origin": "start"}]


def outcome(make):
    """The result, or the class and text of the error."""
    try:
        return make()
    except ValueError as error:
        return type(error).__name__, str(error)


@pytest.mark.parametrize("freq", f"{SPANS} {BACKWARDS}".split())
@pytest.mark.parametrize("first", STARTS)
def test_ranges(first, freq):
    for given in RANGES:
        given = {k: first if v == "first" else v for k, v in given.items()}
        wanted = outcome(lambda: pandas.date_range(freq=freq, **given))
        found = outcome(lambda: pd.date_range(freq=freq, **given))
        if isinstance(wanted, tuple):
            assert found == wanted
            continue
        assert_index_equal(found.to_pandas(), wanted)
        assert found.freq == wanted.freq


@pytest.mark.parametrize("freq", SPANS.split())
@pytest.mark.parametrize("hours", [72, 9600, 20, 3000])
def test_bins(hours, freq):
    rng = np.random.default_rng(hours)
    steps = np.sort(rng.integers(0, hours * 3600, 30)).astype("m8[s]")
    at = np.datetime64("2020-01-31T22:30:00", "s") + steps
    at[-1] = at[-1].astype("M8[D]")  # an edge, for most frequencies
    at.sort()
    for unit in ("s", "us", "ns"):
        for given in [*SIDES, *(ORIGINS if freq in TICKS else [])]:
            theirs = pandas.Series(np.arange(30.0), pandas.DatetimeIndex(at.astype(f"M8[{unit}]"), name="t"))
            wanted = theirs.resample(freq, **given).sum()
            found = pd.from_pandas(theirs).resample(freq, **given).sum()
            assert_series_equal(found.to_pandas(), wanted)
            assert found.index.freq == wanted.index.freq


def test_bins_and_ranges_are_native():
    before = bc.fallbacks()
    days = pd.date_range("2020-01-31", periods=40, freq="W")
    pd.Series(range(40), days).resample("QE").agg(["sum", "max"])
    frame = pd.DataFrame({"v": range(40), "k": ["a", "b"] * 20}, index=days)
    found = frame.resample("ME").agg({"v": ["mean", "max"], "k": "count"})
    assert bc.fallbacks() == before
    wanted = frame.to_pandas().resample("ME").agg({"v": ["mean", "max"], "k": "count"})
    pandas.testing.assert_frame_equal(found.to_pandas(), wanted)
