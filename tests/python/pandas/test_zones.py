"""Times of zones: their fields, rounding and ways between zones are pandas', at changes of clocks too, and need no pandas."""

from __future__ import annotations

import datetime
import itertools
import zoneinfo

import bascule as bc
import bascule.pandas as pd
import dateutil.tz
import numpy as np
import pandas
import pytest
from frames import assert_same, both

pytestmark = pytest.mark.filterwarnings("ignore")
ZONES = [
    "UTC",
    "Europe/Berlin",
    "US/Eastern",
    "Asia/Kolkata",
    "+09:00",
    "dateutil/US/Pacific",
    zoneinfo.ZoneInfo("America/New_York"),
]
TIMESTAMPS = ["2020-03-29 00:30", "2020-06-01 13:45:10.5", None, "1969-12-31 23:59", "2020-10-25 00:30", "1890-01-01"]
FIELDS = "year month day hour minute second microsecond nanosecond day_of_week quarter is_month_end days_in_month tz unit date".split()
CALLS = [
    ("normalize",), ("floor", "D"), ("ceil", "h"), ("round", "15min"), ("month_name",), ("day_name",), ("strftime", "%Y-%m-%d %H:%M"),
    ("strftime", "%z %Z"), ("isocalendar",), ("tz_localize", None), ("tz_convert", None), ("tz_convert", "Asia/Tokyo"),
    ("tz_localize", "UTC"), ("as_unit", "ns"), ("tz_convert", "nowhere"), ("floor", "ME"),
]  # fmt: skip
SHOWN = (["2020-01-01", "2020-07-01 12:00", None], ["2020-03-29 02:30"], ["2020-10-25 02:30"], [])
ENDS = [
    dict(start="2020-03-27", periods=5), dict(start="2020-03-27 10:00", end="2020-03-31 09:00"), dict(end="2020-10-27", periods=6),
    dict(start="2020-03-29 02:30", periods=2), dict(start=pandas.Timestamp("2020-01-01", tz="UTC"), periods=2),
]  # fmt: skip
STRINGS = [
    ["2020-01-01"], ["2020-01-01", "2020-02-30"], ["2020-01-01 10:00", "2020-01-01T10:00"], ["2020-01-01 10:00:01.5"] * 2, ["2020-01-01", None],
    [None, "2020-01-01"], ["2020-01-01", "x"], ["1500-01-01"], ["2020-01-01 10:00:00.123456789"], ["2020-01-01", ""], ["2020-01-01T10:00Z"],
]  # fmt: skip


def outcome(f):
    try:
        with bc.config.set(fallback="silent"):
            return f()
    except Exception as error:  # compared by its class
        return error


def compare(here, there):
    if isinstance(there, Exception):
        assert type(here) is type(there)
    elif isinstance(there, np.ndarray):
        assert np.asarray(here).tolist() == there.tolist()
    elif hasattr(there, "index") or isinstance(there, pandas.Index):
        assert_same(here, there)
        assert getattr(here, "freq", None) == getattr(there, "freq", None)
    else:
        assert here == there


def zoned(m, zone, unit):
    return m.Series(pandas.DatetimeIndex(TIMESTAMPS).as_unit(unit).tz_localize("UTC").tz_convert(zone), name="t")


@pytest.mark.parametrize("zone", ZONES, ids=str)
@pytest.mark.parametrize("unit", ["us", "ns", "s"])
def test_series(zone, unit):
    here, there = zoned(pd, zone, unit), zoned(pandas, zone, unit)
    for name in FIELDS:
        compare(outcome(lambda: getattr(here.dt, name)), outcome(lambda: getattr(there.dt, name)))
    for name, *args in CALLS:
        compare(outcome(lambda: getattr(here.dt, name)(*args)), outcome(lambda: getattr(there.dt, name)(*args)))
    for shown in SHOWN:
        times = pandas.DatetimeIndex(shown).as_unit(unit)
        compare(*(outcome(lambda m=m: m.Series(times).dt.tz_localize(zone)) for m in (pd, pandas)))


@pytest.mark.parametrize("zone", [*ZONES, None], ids=str)
def test_indexes(zone):
    made = (
        lambda m: m.DatetimeIndex(["2020-01-01", "2020-07-01 12:30"], name="k"),
        lambda m: m.date_range("2020", periods=3),
        lambda m: m.date_range("2020", periods=3, freq="h", tz="US/Eastern"),
    )
    for make in made:
        compare(*(outcome(lambda m=m: make(m).tz_localize(zone)) for m in (pd, pandas)))
        compare(*(outcome(lambda m=m: make(m).tz_convert(zone)) for m in (pd, pandas)))
        for name in ("hour", "is_month_end", "unit", "time"):
            compare(
                *(outcome(lambda m=m: getattr(make(m).tz_localize(None).tz_localize(zone), name)) for m in (pd, pandas))
            )


@pytest.mark.parametrize("zone", ZONES, ids=str)
def test_ranges(zone):
    for ends, freq, inclusive in itertools.product(ENDS, ("D", "B", "6h", "W", "30min"), ("both", "right")):
        options = dict(ends, freq=freq, tz=zone, inclusive=inclusive)
        compare(*(outcome(lambda m=m: m.date_range(**options)) for m in (pd, pandas)))


@pytest.mark.parametrize("strings", STRINGS, ids=range(len(STRINGS)))
def test_strings_as_dates(strings):
    for make in (lambda m: m.DatetimeIndex(strings, name="n"), lambda m: m.to_datetime(strings)):
        compare(*(outcome(lambda m=m: make(m)) for m in (pd, pandas)))


def test_they_need_no_pandas():
    with bc.config.set(fallback="error"):
        dates = pd.date_range("2020-03-28", periods=3, tz="Europe/Berlin")
        times = pd.Series(dates).dt
        assert times.hour.tolist() == [0, 0, 0] and times.tz_convert("UTC").dt.hour.tolist() == [23, 23, 22]
        assert times.normalize().dt.strftime("%d").tolist() == ["28", "29", "30"]
        assert times.tz_localize(None).dt.tz is None and dates.day.tolist() == [28, 29, 30]
        assert pd.DatetimeIndex(["2020-01-01"]).tz_localize("US/Eastern").tz_convert("UTC").hour.tolist() == [5]
        assert pd.to_datetime(["2020-01-01"]).year.tolist() == [2020]


@pytest.mark.parametrize("zone", ["Europe/Berlin", "America/New_York", "Australia/Sydney"])
def test_summer_time_goes_on_after_the_tables_of_zones_end(zone):
    s = pandas.Series(pandas.to_datetime(["2036-07-01", "2038-07-01", None, "2050-01-01", "2100-07-01"]))
    ours = pd.Series(s)
    assert_same(ours.dt.tz_localize(zone), s.dt.tz_localize(zone))
    assert_same(
        ours.dt.tz_localize("UTC").dt.tz_convert(zone).dt.hour, s.dt.tz_localize("UTC").dt.tz_convert(zone).dt.hour
    )
    made = pd.date_range("2050-07-01", periods=3, freq="h", tz=zone)
    assert list(made) == list(pandas.date_range("2050-07-01", periods=3, freq="h", tz=zone))


def test_a_zone_without_a_name_is_pandas_own(tmp_path):
    import importlib.resources

    with importlib.resources.files("tzdata").joinpath("zoneinfo", "Europe", "Berlin").open("rb") as file:
        zone = zoneinfo.ZoneInfo.from_file(file)
    s = pandas.Series(pandas.to_datetime(["2020-01-01", "2020-07-01"]).tz_localize("UTC").tz_convert(zone))
    assert pd.Series(s).dt.hour.tolist() == s.dt.hour.tolist() == [1, 2]


FIXED = [
    "UTC-02:15", "+01:15", datetime.timezone(datetime.timedelta(hours=1)), datetime.timezone(datetime.timedelta(seconds=30), "foo"),
    dateutil.tz.tzutc(), dateutil.tz.tzoffset(None, 3600), dateutil.tz.gettz("Asia/Singapore"), "dateutil/US/Pacific",
]  # fmt: skip


@pytest.mark.parametrize("tz", FIXED, ids=range(8))
def test_fixed_offsets_and_zones_of_dateutil(tz):
    def made(library, freq):
        return library.date_range("2016-11-05", periods=5, freq=freq, tz=tz)

    for freq in ("D", "h", "30min", "B"):
        with bc.config.set(fallback="error"):
            found = made(pd, freq)
        pandas.testing.assert_index_equal(found.to_pandas(), made(pandas, freq))
        assert found.freq == made(pandas, freq).freq
    timestamps = pandas.Series(pandas.to_datetime(["2016-11-05 00:30:00", None, "1999-07-01 12:00:01"]))
    both(lambda s: s.dt.tz_localize(tz), timestamps)
    both(lambda s: s.dt.tz_localize("UTC").dt.tz_convert(tz), timestamps)
    zoned = timestamps.dt.tz_localize("UTC").dt.tz_convert(tz)
    both(lambda s: s.dt.hour, zoned)
    both(lambda s: s.dt.tz_localize(None), zoned)
    both(lambda s: s.dt.strftime("%Y-%m-%d %H:%M:%S"), zoned)
    both(lambda s: s.dt.floor("D"), zoned)


@pytest.mark.parametrize(
    "tz", [dateutil.tz.tzlocal(), "nosuch/zone", "dateutil/no/such", "dateutil/US/Pacific"], ids=range(4)
)
def test_other_zones_are_left_to_pandas(tz):
    for times in (["2016-11-06 01:30"], ["2016-03-13 02:30"]):  # shown twice, and never
        both(lambda s: s.dt.tz_localize(tz), pandas.Series(pandas.to_datetime(times)), fallback="silent")


@pytest.mark.parametrize(
    "tz", ["America/Sao_Paulo", "Asia/Kathmandu", "Australia/Lord_Howe", "Europe/Dublin", "Africa/Casablanca"]
)
def test_wall_times_of_every_span_and_unit(tz):
    rng = np.random.default_rng(5)
    for first, end in ((1850, 1950), (1975, 1985), (2019, 2021), (2033, 2037), (1900, 2037)):
        ends = (int(np.datetime64(str(year), "s").view(np.int64)) for year in (first, end))
        seconds = rng.integers(*ends, 200).astype("M8[s]")
        for unit in ("s", "ms", "us", "ns"):
            zoned = pandas.Series(seconds.astype(f"M8[{unit}]")).dt.tz_localize("UTC").dt.tz_convert(tz)
            zoned[7] = pandas.NaT
            both(lambda s: s.dt.tz_localize(None), zoned)
            both(lambda s: s.dt.floor("D"), zoned, fallback="silent")  # some days have no midnight


OPTIONS = [
    *({"nonexistent": how} for how in ("raise", "NaT", "shift_forward", "shift_backward", "nonsense", datetime.timedelta(hours=1), pandas.Timedelta("-1h"))),
    *({"ambiguous": how} for how in ("raise", "NaT", "infer", True, False, "nonsense", [True, False, True], [True] * 7, np.arange(7) % 2 == 0)),
    {"ambiguous": "NaT", "nonexistent": "NaT"}, {"ambiguous": True, "nonexistent": "shift_forward"},
]  # fmt: skip
WALLS = {
    "spring": pandas.date_range("2023-03-26 01:00", periods=7, freq="30min"),
    "autumn": pandas.date_range("2023-10-29 01:30", periods=7, freq="30min"),
    "twice": pandas.DatetimeIndex(["2023-10-29 02:00", "2023-10-29 02:30", "2023-10-29 02:00", None, "2023-10-29 03:00"] + ["2023-11-01"] * 2),
    "one": pandas.date_range("2023-06-01", periods=1, freq="D"),
    "days": pandas.date_range("2023-03-20", periods=7),
}  # fmt: skip


@pytest.mark.parametrize("walls", WALLS)
@pytest.mark.parametrize("options", OPTIONS, ids=str)
def test_wall_times_that_are_twice_or_not_there(walls, options):
    for unit, zone in itertools.product(("s", "us", "ns"), ("Europe/Berlin", "UTC", None, "US/Eastern")):
        theirs = WALLS[walls].as_unit(unit)
        own = pd.from_pandas(theirs)
        wanted, found = (outcome(lambda x=x: x.tz_localize(zone, **options)) for x in (theirs, own))
        compare(found, wanted)
        if isinstance(wanted, pandas.DatetimeIndex):
            assert (
                found.freq == wanted.freq and found.tz_convert("UTC").freq == wanted.tz_convert("UTC").freq
                if zone
                else True
            )
        series = [m.Series(x) for m, x in ((pandas, theirs), (pd, own))]
        compare(*(outcome(lambda s=s: s.dt.tz_localize(zone, **options)) for s in reversed(series)))


@pytest.mark.parametrize(
    "bounds",
    [
        ("2023-03-25", "2023-03-27"),
        ("2023-03", None),
        (None, "2023-03-26 02"),
        ("2023-10-29", "2023-10-29"),
        ("2022", "2024"),
        ("2023-03-26 02:30", None),
    ],
)
def test_slices_of_labels_with_a_zone(bounds):
    for start in ("2023-03-24", "2023-10-27"):
        theirs = pandas.Series(range(150), index=pandas.date_range(start, periods=150, freq="h", tz="Europe/Berlin"))
        compare(*(outcome(lambda s=s: s.loc[slice(*bounds)]) for s in (pd.from_pandas(theirs), theirs)))


def test_options_of_zones_need_no_pandas():
    with bc.config.set(fallback="error"):
        walls = pd.date_range("2023-03-26 01:30", periods=3, freq="30min")
        assert walls.tz_localize("Europe/Berlin", nonexistent="shift_forward").hour.tolist() == [1, 3, 3]
        s = pd.Series(range(72), index=pd.date_range("2023-03-25", periods=72, freq="h", tz="Europe/Berlin"))
        assert len(s.loc["2023-03-26":"2023-03-26"]) == 23
