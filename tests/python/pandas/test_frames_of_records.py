"""Frames of lists of dicts, tuples and arrays, and of iterators, against pandas, natively."""

from __future__ import annotations

from collections import Counter, OrderedDict, defaultdict, namedtuple

import bascule as bc
import bascule.pandas as pd
import numpy as np
import pandas
import pytest
from frames import assert_same

pytestmark = pytest.mark.filterwarnings("ignore")  # of fallbacks
Point = namedtuple("Point", ["x", "y"])

DATA = {
    "dicts": [{"a": 1, "b": "x"}, {"b": "y", "c": 2.5}],
    "counters": [Counter("aab"), Counter("bcc")],
    "ordered dicts": [OrderedDict(a=1, b=2), OrderedDict(b=3, c=4)],
    "dicts with defaults": [defaultdict(int, {"a": 1}), defaultdict(int, {"b": 2})],
    "dicts of several classes": [{"a": 1}, Counter("ab")],
    "named tuples": [Point(1, "a"), Point(2, "b")],
    "named and other tuples": [Point(1, "a"), (2, "b")],
    "tuples": [(1, 2.5, "a"), (2, np.float64(3), "b")],
    "NumPy's numbers": [(np.int32(1), np.float32(0.5), True), (2, 1, np.bool_(False))],
    "arrays": [np.array([1, 2]), np.array([3, 4])],
    "arrays of two types": [np.array([1, 2]), np.array([0.5, 1.5])],
    "arrays of bools": [np.array([True, False]), np.array([False, False])],
    "small arrays": [np.array([1, 2], "f4"), np.array([3, 4], "f4")],
    "arrays of two lengths": [np.array([1, 2]), np.array([3])],
    "tuples of arrays": [(1, np.arange(2)), (2, np.arange(3))],
    "large numbers": [(2**63, 1), (2**64 - 1, 2)],
    "larger numbers": [(2**70, 1), (1, 2)],
    "missing": [(1, None), (None, "a")],
    "times and numbers": [(pandas.Timestamp("2020-01-01"), 1), (2.5, pandas.NaT)],
    "no dicts": [{}, {}],
}
OPTIONS = [
    {},
    {"columns": ["b", "a"]},
    {"columns": ["x", "q"], "index": [5, 6]},
    {"index": ["r", "s"]},
    {"columns": ["a"]},
]
MAY_FALL_BACK = ("arrays of two types", "arrays of two lengths", "no dicts", "larger numbers", "times and numbers")


def outcome(call):
    try:
        return call()
    except Exception as e:
        return type(e)


@pytest.mark.parametrize("name", DATA)
def test_frames_of_rows(name):
    for options in OPTIONS:
        for given in (lambda: DATA[name], lambda: iter(DATA[name]), lambda: (r for r in DATA[name])):
            expected = outcome(lambda: pandas.DataFrame(given(), **options))
            bc.fallbacks(reset=True)
            found = outcome(lambda: pd.DataFrame(given(), **options))
            if isinstance(expected, type):
                assert found is expected
            else:
                assert_same(found, expected)
                assert not bc.fallbacks() or name in MAY_FALL_BACK or options


@pytest.mark.parametrize("unit", ["s", "ms", "us", "ns"])
def test_dates_and_times_of_day(unit):
    times = pandas.Series(
        pandas.to_datetime(["2020-02-29 23:59:59", None, "1969-12-31 01:02:03"]), name="t"
    ).dt.as_unit(unit)
    for s in (times, times.dt.tz_localize("Europe/Berlin"), times.iloc[:0], times.iloc[1:2]):
        for name in ("date", "time"):
            with bc.config.set(fallback="error"):
                found = getattr(pd.from_pandas(s).dt, name)
            assert_same(found, getattr(s.dt, name))
            assert [type(v) for v in found.tolist()] == [type(v) for v in getattr(s.dt, name).tolist()]
    with pytest.raises(AttributeError):
        pd.Series(pandas.to_timedelta(["1h"])).dt.date
