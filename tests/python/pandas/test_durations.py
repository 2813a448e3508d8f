"""`to_timedelta` of numbers, and sums and differences of labels that are times, against pandas."""

from __future__ import annotations

import datetime

import bascule as bc
import bascule.pandas as pd
import numpy as np
import pandas
import pytest
from frames import assert_same, ours

DATA = {
    "integers": np.array([1, -2, 0]),
    "small integers": np.array([1, -2, 100], "i1"),
    "unsigned": np.array([1, 2], "u8"),
    "beyond": np.array([2**63 + 1], "u8"),
    "large": np.array([2**62, -(2**61)]),
    "least": np.array([-(2**63), 1]),
    "whole floats": np.array([1.0, np.nan, -3.0]),
    "floats": np.array([1.5, np.nan, -0.1, 1e-7, 3.1234567891]),
    "small floats": np.array([1.5, np.nan, 0.1], "f4"),
    "large floats": np.array([1e300, 1.0]),
    "infinite": np.array([np.inf, 1.0]),
    "bools": np.array([True]),
    "durations": np.array([1, 2], "m8[ms]"),
    "days": np.array([1, 2], "m8[D]"),
    "dates": np.array([1, 2], "M8[s]"),
    "complex": np.array([1j]),
    "texts": np.array(["1s"]),
    "a list": [1, 2],
    "a list of floats": [1.5, 2],
    "a list of texts": ["1s", "2h"],
    "a tuple": (1, 2),
    "a range": range(3),
    "nothing": np.array([], "i8"),
    "no list": [],
    "a series": pandas.Series([1, 2], name="n", index=["a", "b"]),
    "a series of floats": pandas.Series([1.5, None]),
    "a series of texts": pandas.Series(["1s", None]),
    "masked": pandas.Series([1, None], dtype="Int64"),
    "an index": pandas.Index([1, 2], name="n"),
    "a matrix": np.ones((2, 2)),
    "a number": 3,
    "a text": "3h",
    "NumPy's number": np.int64(3),
    "none": None,
    "a frame": pandas.DataFrame({"a": [1]}),
}
UNITS = (None, "s", "D", "ns", "us", "h", "min", "W", "ms", "days", "Minutes", "T", "Y", "q")
NATIVE = ("integers", "small integers", "whole floats", "floats", "durations", "a list", "a series", "an index")


def outcome(call):
    try:
        return call()
    except Exception as e:
        return type(e)


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("errors", ["raise", "coerce"])
@pytest.mark.parametrize("name", DATA)
def test_durations_of_numbers(name, errors):
    x = DATA[name]
    for unit in UNITS:
        expected = outcome(lambda: pandas.to_timedelta(x, unit=unit, errors=errors))
        bc.fallbacks(reset=True)
        found = outcome(lambda: pd.to_timedelta(ours(x), unit=unit, errors=errors))
        if isinstance(expected, type):
            assert found is expected, (unit, found)
        else:
            assert_same(found, expected)
        if name in NATIVE and unit in (None, "s", "D", "ns", "h", "min", "days"):
            assert not bc.fallbacks(), unit


TIMES = {
    "dates": pandas.DatetimeIndex(["2020-01-01", None, "2021-05-05 01:02:03"], name="n"),
    "dates in seconds": pandas.DatetimeIndex(np.array(["2020-01-01", "NaT"], "M8[s]")),
    "durations": pandas.TimedeltaIndex(["1s", None, "2h"], name="d"),
    "durations in nanoseconds": pandas.to_timedelta(np.array([1.5, 2.25, -1]), unit="s"),
    "even dates": pandas.date_range("2020", periods=3),
    "even durations": pandas.timedelta_range("1h", periods=3),
    "of a zone": pandas.DatetimeIndex(["2020-01-01", "2021-01-01", None], tz="Europe/Berlin"),
    "numbers": pandas.Index([1, 2, 3]),
}
OTHERS = {
    **TIMES,
    "a timestamp": pandas.Timestamp("2020-01-02 03:04"),
    "a timestamp in nanoseconds": pandas.Timestamp("2020-01-02 03:04:05.000000001"),
    "a timestamp of a zone": pandas.Timestamp("2020-03-29 00:30", tz="Europe/Berlin"),
    "in UTC": pandas.to_datetime("2020-03-29", utc=True),
    "a datetime": datetime.datetime(2020, 1, 2, 3),
    "a datetime of a zone": datetime.datetime(2020, 1, 2, 3, tzinfo=datetime.UTC),
    "a date": datetime.date(2020, 1, 2),
    "a duration": pandas.Timedelta("90min"),
    "a timedelta": datetime.timedelta(seconds=1),
    "NumPy's date": np.datetime64("2020-01-01"),
    "NumPy's duration": np.timedelta64(3, "h"),
    "an offset": pandas.offsets.Hour(2),
    "nothing": pandas.NaT,
    "far away": pandas.Timestamp("2250-01-01").as_unit("ns"),
    "one": 1,
    "text": "1h",
}
NATIVE_PAIRS = [
    ("durations", "a timestamp"), ("durations", "in UTC"), ("dates", "a duration"), ("dates", "durations"),
    ("durations in nanoseconds", "a timestamp"), ("dates", "a timedelta"), ("durations", "a timestamp of a zone"),
]  # fmt: skip


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("name", TIMES)
def test_sums_and_differences_of_times(name):
    for other, y in OTHERS.items():
        for how, f in {"+": lambda a, b: a + b, "-": lambda a, b: a - b}.items():
            for x, z in ((TIMES[name], y), (y, TIMES[name])):
                expected = outcome(lambda: f(x, z))
                found = outcome(lambda: f(ours(x), ours(z)))
                if isinstance(expected, type):
                    assert found is expected, (other, how, found)
                    continue
                assert_same(found, expected)
                assert getattr(found, "freq", None) == getattr(expected, "freq", None), (other, how)


@pytest.mark.parametrize(("name", "other"), NATIVE_PAIRS)
def test_sums_of_times_run_natively(name, other):
    x, y = ours(TIMES[name]), ours(OTHERS[other])
    with bc.config.set(fallback="error"):
        assert_same(y + x, OTHERS[other] + TIMES[name])
        assert_same(x + y, TIMES[name] + OTHERS[other])
