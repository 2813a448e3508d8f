"""DatetimeIndex and TimedeltaIndex of what a user gives for times, with each zone, type and frequency: pandas' own labels."""

from __future__ import annotations

import datetime
import itertools
from typing import Any

import bascule
import bascule.pandas as pd
import numpy as np
import pandas
import pytest

pytestmark = pytest.mark.filterwarnings("ignore")
T, D = pandas.Timestamp, pandas.Timedelta
DATES: dict[str, Any] = {
    "integers": np.array([0, 86400, 2 * 86400]),
    "list of integers": [0, 5, 10],
    "floats": [0.0, 5.0],
    "texts": ["2020-01-01", "2020-01-02", "2020-01-03"],
    "texts and NaT": ["2020-01-01", "NaT", None, "2020-01-03"],
    "missing first": [None, "2020-01-01 10:00"],
    "fractions": ["2020-01-01 10:00:00.5"],
    "other texts": ["1/2/2020"],
    "timestamps": [T("2020"), pandas.NaT, T("2021")],
    "of two units": [T("2020"), T("2021").as_unit("ns"), pandas.NaT],
    "with a zone": [T("2020", tz="CET"), T("2021", tz="CET")],
    "datetimes": [datetime.datetime(2020, 1, 1), datetime.datetime(2020, 1, 2)],
    "array": np.array(["2020-01-01", "2020-01-02"], "M8[s]"),
    "days": np.array(["2020-01-01", "2020-01-02"], "M8[D]"),
    "far": np.array(["9999-01-01"], "M8[s]"),
    "index": pandas.date_range("2020", periods=3, name="x"),
    "falling": pandas.date_range("2020", periods=3, freq="-1D"),
    "zoned index": pandas.date_range("2020", periods=3, tz="CET"),
    "series": pandas.Series(pandas.date_range("2020", periods=3, freq="h"), name="y"),
    "column of texts": pandas.Series(["2020-01-01", "2020-01-02"], name="y"),
    "skipped hour": ["2020-03-29 02:30"],
    "nothing": [],
    "bools": [True, False],
}
LENGTHS: dict[str, Any] = {
    "integers": np.array([0, 3600 * 10**9]),
    "list": [D("1h"), D("2h")],
    "of two units": [D("1h"), D("2h").as_unit("s")],
    "array": np.array([1, 2, 3], "m8[s]"),
    "hours": np.array([1, 2, 3], "m8[h]"),
    "texts": ["1h", "2h"],
    "index": pandas.timedelta_range("1h", periods=3, name="x"),
    "floats": [1.0, 2.0],
    "dates": [T("2020")],
}
ZONES = [{}, {"tz": "UTC"}, {"tz": "CET"}, {"tz": datetime.timezone(datetime.timedelta(hours=2))}]
TYPES = [{}, {"dtype": "datetime64[ns]"}, {"dtype": "datetime64[s]"}, {"dtype": "datetime64[us, CET]"}]
FREQS = [{}, {"freq": "D"}, {"freq": "24h"}, {"freq": None}]


def seen(kind: str, data: Any, given: dict, lib: Any) -> Any:
    data = pd.from_pandas(data) if lib is pd and isinstance(data, (pandas.Index, pandas.Series)) else data
    try:
        made = getattr(lib, kind)(data, **given)
    except (ValueError, TypeError, OverflowError, pandas.errors.OutOfBoundsDatetime) as e:
        return type(e).__name__
    return str(made.dtype), list(made), made.freq, made.name


@pytest.mark.parametrize("what", DATES)
def test_dates(what):
    wrong = {}
    for zone, dtype, freq in itertools.product(ZONES, TYPES, FREQS):
        if len(zone) + len(dtype) + len(freq) > 2:
            continue
        given = {**zone, **dtype, **freq}
        found, expected = (seen("DatetimeIndex", DATES[what], given, lib) for lib in (pd, pandas))
        if found != expected and str(found) != str(expected):
            wrong[str(given)] = found, expected
    assert not wrong


@pytest.mark.parametrize("what", LENGTHS)
def test_lengths(what):
    wrong = {}
    for dtype, freq in itertools.product([{}, {"dtype": "m8[ns]"}, {"dtype": "m8[s]"}], FREQS):
        found, expected = (seen("TimedeltaIndex", LENGTHS[what], {**dtype, **freq}, lib) for lib in (pd, pandas))
        if str(found) != str(expected):
            wrong[str({**dtype, **freq})] = found, expected
    assert not wrong


def test_are_native():
    with bascule.config.set(fallback="error"):
        pd.DatetimeIndex(["2020-01-01", None, "2020-01-03"], tz="CET")
        pd.DatetimeIndex(["2020-01-01", "2020-01-02"], freq="D", dtype="datetime64[ns]")
        pd.DatetimeIndex(np.arange(3), tz="UTC")
        pd.TimedeltaIndex(np.array([1, 2]), dtype="m8[s]")


def test_are_copies():
    given = np.array(["2020-01-01", "2020-01-02"], "M8[s]")
    made = pd.DatetimeIndex(given, tz="UTC"), pd.DatetimeIndex(given.view("i8"))
    before = list(made[0]), list(made[1])
    given[:] = "1999"
    assert (list(made[0]), list(made[1])) == before
