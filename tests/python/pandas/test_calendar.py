"""Fields and rounding of dates and durations, with pandas as the oracle."""

import warnings

import bascule as bc
import numpy as np
import pandas as pd
import pytest
from bascule.pandas._columns.column import Column
from bascule.pandas._datetimes import calendar

UNITS = ("s", "ms", "us", "ns")
PER_SECOND = {"s": 1, "ms": 10**3, "us": 10**6, "ns": 10**9}
LARGEST = np.iinfo(np.int64).max
SIZES = (5, 20_000)  # computed at the call, and by a plan


def limits(unit: str) -> tuple[int, int]:
    """The years 1 to 9999, of nanoseconds all that 64 bits hold less a few days."""
    if unit == "ns":
        return -LARGEST + 3 * 86400 * 10**9, LARGEST - 3 * 86400 * 10**9
    ends = np.array(["0001-01-03", "9999-12-29"], f"M8[{unit}]").view(np.int64)
    return int(ends[0]), int(ends[1])


def random_dates(unit: str, n: int, nat: bool, seed: int = 0) -> np.ndarray:
    rng = np.random.default_rng(seed)
    low, high = limits(unit)
    x = rng.integers(low, high, n).view(f"M8[{unit}]")
    x[: n // 4] = x[: n // 4].astype("M8[M]").astype(x.dtype)  # starts of months, and the last units of months
    x[n // 8 : n // 4] -= np.timedelta64(1, unit)
    if nat:
        x[rng.integers(0, n, n // 5 + 1)] = "NaT"
    return x


def random_durations(unit: str, n: int, nat: bool) -> np.ndarray:
    rng = np.random.default_rng(1)
    x = rng.integers(-(10**5) * PER_SECOND[unit], 10**5 * PER_SECOND[unit], n)
    x[::3] = rng.integers(-(10**9) * PER_SECOND[unit], 10**9 * PER_SECOND[unit], len(x[::3]))
    x[: n // 5] //= PER_SECOND[unit] * 43200 or 1
    x[: n // 5] *= PER_SECOND[unit] * 43200
    x = x.view(f"m8[{unit}]")
    if nat:
        x[rng.integers(0, n, n // 5 + 1)] = "NaT"
    return x


def of_pandas(x: np.ndarray, name: str) -> np.ndarray:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # old names of fields
        return getattr(pd.Series(x).dt, name).to_numpy()


def check(ours: bc.ndarray, wanted: np.ndarray) -> None:
    assert type(ours) is bc.ndarray
    assert ours.dtype == wanted.dtype
    np.testing.assert_array_equal(np.asarray(ours.get()), wanted)


@pytest.mark.parametrize("nat", [False, True])
@pytest.mark.parametrize("unit", UNITS)
@pytest.mark.parametrize("name", sorted(calendar.DATE_FIELDS))
def test_date_fields_are_those_of_pandas(name, unit, nat):
    for n in SIZES:
        x = random_dates(unit, n, nat)
        check(calendar.field(bc.asarray(x), name), of_pandas(x, name))


@pytest.mark.parametrize("nat", [False, True])
@pytest.mark.parametrize("name", sorted(calendar.DATE_FIELDS))
def test_fields_of_whole_days(name, nat):
    """pandas keeps days in seconds."""
    for n in SIZES:
        x = random_dates("s", n, nat).astype("M8[D]")
        check(calendar.field(bc.asarray(x), name), of_pandas(x.astype("M8[s]"), name))


@pytest.mark.parametrize("name", ["year", "month", "day", "day_of_year", "day_of_week", "is_leap_year"])
def test_every_day_around_the_ends_of_years(name):
    years = np.array([f"{y:04}-01-01" for y in (*range(1, 10000, 7), 1582, 1600, 1900, 2000, 2100, 9999)], "M8[D]")
    x = (years[:, None] + np.arange(-5, 70)).ravel()
    x = x[(x >= np.datetime64("0001-01-01")) & (x <= np.datetime64("9999-12-31"))]
    check(calendar.field(bc.asarray(x), name), of_pandas(x.astype("M8[s]"), name))


def test_years_beyond_those_of_pandas_are_numpys():
    x = np.random.default_rng(2).integers(-(2**40), 2**40, 20_000).view("M8[D]")
    years = x.astype("M8[Y]").view(np.int64) + 1970
    ours = calendar._year(bc.asarray(x).view(np.int64))
    np.testing.assert_array_equal(ours.get(), years)
    months = x.astype("M8[M]").view(np.int64) % 12 + 1
    check(calendar.field(bc.asarray(x), "month"), months.astype(np.int32))


@pytest.mark.parametrize("nat", [False, True])
@pytest.mark.parametrize("unit", UNITS)
def test_duration_fields_are_those_of_pandas(unit, nat):
    for n in SIZES:
        x = random_durations(unit, n, nat)
        for name in calendar.DURATION_FIELDS:
            check(calendar.field(bc.asarray(x), name), of_pandas(x, name))
        check(calendar.total_seconds(bc.asarray(x)), pd.Series(x).dt.total_seconds().to_numpy())


@pytest.mark.parametrize("unit", UNITS)
def test_seconds_of_long_durations(unit):
    rng = np.random.default_rng(3)
    whole = rng.integers(2, LARGEST // PER_SECOND[unit], 20_000) // rng.integers(1, 1000, 20_000) * PER_SECOND[unit]
    x = np.concatenate([whole, whole - 1, whole + 1, -whole, 1 - whole, -1 - whole, [LARGEST, -LARGEST]])
    x = x.view(f"m8[{unit}]")
    check(calendar.total_seconds(bc.asarray(x)), pd.Series(x).dt.total_seconds().to_numpy())


def test_durations_of_days():
    x = np.array([0, -3, 12345, "NaT"], "m8[D]")
    s = pd.Series(x.astype("m8[s]"))
    for name in calendar.DURATION_FIELDS:
        check(calendar.field(bc.asarray(x), name), getattr(s.dt, name).to_numpy())
    check(calendar.total_seconds(bc.asarray(x)), s.dt.total_seconds().to_numpy())


@pytest.mark.parametrize("freq", ["D", "h", "min", "s", "ms", "us", "ns", "2D", "7h", "15min", "0D"])
@pytest.mark.parametrize("unit", UNITS)
@pytest.mark.parametrize("how", ["floor", "ceil", "round"])
def test_rounding_is_pandas(how, unit, freq):
    ours = calendar.round_to if how == "round" else getattr(calendar, how)
    for n in SIZES:
        for x in (random_dates(unit, n, True), random_durations(unit, n, False)):
            if x.dtype.kind == "M":
                x = x.copy()
                x[n // 2 :] = x[n // 2 :].astype("M8[h]").astype(x.dtype)  # whole hours, so that ties occur
            check(ours(bc.asarray(x), freq), getattr(pd.Series(x).dt, how)(freq).to_numpy())


@pytest.mark.parametrize("unit", UNITS)
def test_normalize_is_pandas(unit):
    x = random_dates(unit, 10_000, True)
    check(calendar.normalize(bc.asarray(x)), pd.Series(x).dt.normalize().to_numpy())


@pytest.mark.parametrize("freq", ["W", "B", "ME", "nonsense", "H", "1500us", "999us", "700us"])
@pytest.mark.parametrize("how", ["floor", "ceil", "round"])
def test_bad_frequencies_raise_as_in_pandas(how, freq):
    x = np.array(["2020-02-29T12:34:56.789"], "M8[ms]")
    with pytest.raises(ValueError) as theirs:
        getattr(pd.Series(x).dt, how)(freq)
    with pytest.raises(ValueError) as ours:
        (calendar.round_to if how == "round" else getattr(calendar, how))(bc.asarray(x), freq)
    assert str(ours.value) == str(theirs.value)


@pytest.mark.parametrize("freq", ["D", "2D", "7h", "h"])
@pytest.mark.parametrize("how", ["floor", "ceil", "round"])
def test_results_out_of_range_raise_as_in_pandas(how, freq):
    step = pd.tseries.frequencies.to_offset(freq).nanos
    last = LARGEST // step * step
    for v in (LARGEST - 5, last, last + 1, last - 1, last + step // 2, last + step // 2 - 1, last - step):
        for value in (v, -v):
            if abs(value) > LARGEST:
                continue
            x = np.array([value], np.int64).view("M8[ns]")
            try:
                wanted = getattr(pd.Series(x).dt, how)(freq).to_numpy()
            except OverflowError:
                wanted = None
            act = calendar.round_to if how == "round" else getattr(calendar, how)
            if wanted is not None:
                check(act(bc.asarray(x), freq), wanted)
            else:
                with pytest.raises(OverflowError, match="value too large"):
                    act(bc.asarray(x), freq)


def test_normalize_refuses_a_midnight_out_of_range():
    x = bc.asarray(np.array([-LARGEST + 1], np.int64).view("M8[ns]"))
    with pytest.raises(ValueError, match="Cannot normalize Timestamp without integer overflow"):
        calendar.normalize(x)


@pytest.mark.parametrize("unit", UNITS)
def test_isocalendar_is_pandas(unit):
    x = random_dates(unit, 20_000, False)
    wanted = pd.Series(x).dt.isocalendar()
    for ours, name in zip(calendar.isocalendar(bc.asarray(x)), ("year", "week", "day")):
        check(ours, wanted[name].to_numpy(np.uint32))


FORMATS = (
    "%Y-%m-%d",
    "%d/%m/%y %H",
    "%j %B %a %p %I:%M",
    "%Y-%m-%dT%H:%M:%S",
    "%H:%M:%S.%f",
    "%F %T %c",
    "né %%d %-d %",
)


@pytest.mark.filterwarnings("ignore::bascule.FallbackWarning")
@pytest.mark.parametrize("unit", UNITS)
def test_strings_are_those_of_pandas(unit):
    for n in SIZES[:1] + (3000,):
        x = random_dates(unit, n, True)
        x[n // 2 :] = x[n // 2]  # many rows of one day
        x[n // 2 :] += (np.arange(len(x) - n // 2) * PER_SECOND[unit] // 7).view(f"m8[{unit}]")
        a, s = bc.asarray(x), pd.Series(x)
        for f in FORMATS:
            same_text(calendar.strftime(a, f), s.dt.strftime(f))
        same_text(calendar.month_name(a), s.dt.month_name())
        same_text(calendar.day_name(a), s.dt.day_name())


@pytest.mark.filterwarnings("ignore::bascule.FallbackWarning")
def test_strings_at_the_edge_and_of_nothing():
    for x in (
        np.array([-LARGEST + 1, LARGEST], np.int64).view("M8[ns]"),
        np.empty(0, "M8[s]"),
        np.array(["NaT"], "M8[s]"),
    ):
        a, s = bc.asarray(x), pd.Series(x)
        same_text(calendar.strftime(a, "%Y-%m-%d"), s.dt.strftime("%Y-%m-%d"))
        same_text(calendar.month_name(a), s.dt.month_name())


def same_text(ours: Column, wanted: pd.Series) -> None:
    assert ours.dtype == wanted.dtype
    pd.testing.assert_series_equal(pd.Series(ours.to_pandas_array()), wanted)


def test_no_rows_and_unknown_names():
    none = bc.asarray(np.empty(0, "M8[us]"))
    assert not calendar.has_nat(none)
    assert calendar.field(none, "year").dtype == np.int32
    assert calendar.floor(none, "D").shape == (0,)
    with pytest.raises(AttributeError, match="no field 'century'"):
        calendar.field(none, "century")
    with pytest.raises(AttributeError, match="no field 'days'"):
        calendar.field(none, "days")
    with pytest.raises(TypeError, match="datetime64\\[W\\]"):
        calendar.field(bc.asarray(np.array(["2020-01-02"], "M8[W]")), "year")
    with pytest.raises(NotImplementedError, match="negative"):
        calendar.floor(none, "-1D")


def test_a_known_nat_costs_no_pass():
    x = bc.asarray(random_dates("us", 100, False))
    assert calendar.field(x, "month", nat=True).dtype == np.float64
    assert calendar.field(x, "month", nat=False).dtype == np.int32
