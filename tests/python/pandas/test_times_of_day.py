"""`at_time` and `between_time` of rows, and the index's own methods, for every unit, zone and form of a time of day."""

from __future__ import annotations

import datetime
import itertools

import numpy as np
import pandas
import pytest
from call_outcomes import difference
from frames import both, ours

WALL = ["00:00:00", "00:00:00.000000001", "09:00:00", "09:00:00.000000500", "09:00:00.000001", "09:00:00.000000999", "21:30:00", "23:59:59.999999999", "12:00:00.5"]  # fmt: skip
TIMES = [
    datetime.time(9), "9:00", "09:00:00", "0900", "9:00AM", "0900AM", "9:30PM", "21:30", "2130", "213000", "9", "nine", "24:00", "9:5", "12:00AM", " 9:00", 9, None,
    datetime.time(0, 0, 0, 1), datetime.time(23, 59, 59, 999999), datetime.time(9, tzinfo=datetime.UTC), datetime.time(9, 0, 0, 1),
]  # fmt: skip


def index_of(unit: str, zone: str | None, missing: bool = False, year: int = 2020) -> pandas.DatetimeIndex:
    strings = [f"{year}-06-{day:02} {t}" for day, t in enumerate(WALL, 1)]
    made = pandas.DatetimeIndex(np.array([t.replace(" ", "T") for t in strings], "M8[ns]")).as_unit(unit)
    made = made.insert(3, pandas.NaT) if missing else made
    return made if zone is None else made.tz_localize(zone)


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("zone", [None, "UTC", "Europe/Berlin"])
@pytest.mark.parametrize("unit", ["s", "ms", "us", "ns"])
@pytest.mark.parametrize("missing", [False, True])
def test_times_of_day(unit, zone, missing):
    index = index_of(unit, zone, missing, 1950 if missing else 2020)
    s = pandas.Series(range(len(index)), index, name="v")
    for t in TIMES:
        for x in (s, s.to_frame()):
            assert not (wrong := difference(lambda x, t=t: x.at_time(t), ours(x), x)), (t, wrong)
        assert not (wrong := difference(lambda i, t=t: i.indexer_at_time(t), ours(index), index)), (t, wrong)
        call = lambda i, t=t: i.indexer_between_time("9:00", t, include_end=False)
        assert not (wrong := difference(call, ours(index), index)), (t, wrong)
    for start, end in itertools.product(
        (TIMES[0], "2130", "12:00AM", TIMES[-4]), (TIMES[1], "9:30PM", TIMES[-1], "nine")
    ):
        for inclusive in ("both", "left", "right", "neither", "none"):
            call = lambda x, a=start, b=end, inclusive=inclusive: x.between_time(a, b, inclusive=inclusive)
            assert not (wrong := difference(call, ours(s), s)), (start, end, wrong)


@pytest.mark.parametrize("unit", ["s", "ms", "us", "ns"])
def test_times_of_day_are_native(unit):
    for zone in (None, "UTC", "Europe/Berlin"):
        s = pandas.Series(range(len(WALL)), index_of(unit, zone))
        for call in (
            lambda x: x.at_time("9:00"),
            lambda x: x.at_time(datetime.time(9)),
            lambda x: x.between_time("0900", "9:30PM"),
            lambda x: x.to_frame().between_time("22:00", "3:00", inclusive="left"),
            lambda x: x.at_time("9:00", axis=0),
        ):
            both(call, s)


def test_labels_keep_their_frequency_as_after_take():
    s = pandas.Series(range(48), pandas.date_range("2020-01-01", periods=48, freq="h"))
    for call in (lambda x: x.at_time("9:00"), lambda x: x.between_time("9:00", "11:00"), lambda x: x[:12].between_time("9:00", "11:00")):  # fmt: skip
        assert call(ours(s)).index.to_pandas().freq == call(s).index.freq


def test_what_is_no_row_of_dates():
    s = pandas.Series([1, 2])
    for call in (lambda x: x.at_time("9:00"), lambda x: x.between_time("9:00", "10:00"), lambda x: x.to_frame().at_time("9:00", axis=1), lambda x: x.at_time("9:00", axis=2)):  # fmt: skip
        both(call, s, fallback="silent")
    dated = pandas.Series([1, 2], pandas.date_range("2020", periods=2))
    both(lambda x: x.at_time("9:00", asof=True), dated, fallback="silent")
    both(lambda x: x.to_frame("2020").T.between_time("9:00", "10:00", axis=1), dated, fallback="silent")
