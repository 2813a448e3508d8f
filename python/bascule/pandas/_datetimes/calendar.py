"""Fields and rounding of timestamps and durations, as in pandas' `.dt`, as lazy arrays.

All fields are integer arithmetic on the int64 values, so a field and further operations on it are fused into one pass.
"""

from __future__ import annotations

import re
from collections.abc import Callable

import numpy as np

from ... import _core
from ..._array.conversion import ndarray
from ..._array.ufuncs import by_name, rows
from .._columns import arrow_bits
from .._columns.column import Column, Core, text_from_arrow, text_of
from .._fallback.counted import in_pandas
from .._theirs import is_loaded, pandas, pc, pyarrow
from .offsets import to_offset

_int64, _int32 = np.dtype(np.int64), np.dtype(np.int32)
_float64, _bool = np.dtype(np.float64), np.dtype(np.bool_)
_NAT, _LAST = int(np.iinfo(np.int64).min), int(np.iinfo(np.int64).max)
_WORTH_CODES = 1000  # rows from which encoding each string costs less than the strings
_FEW_TIMES = 20_000  # that Python formats sooner than Arrow is imported
_NANOSECONDS = {"D": 86400 * 10**9, "s": 10**9, "ms": 10**6, "us": 10**3, "ns": 1}
_isnat, _nextafter = by_name["isnat"], by_name["nextafter"]
_select, _clip = rows["where"]["ufunc"], rows["clip"]["ufunc"]
_year, _month, _day = (rows[f"civil_{n}"]["ufunc"] for n in ("year", "month", "day"))
_day_of_year, _days_in_month = rows["day_of_year"]["ufunc"], rows["days_in_month"]["ufunc"]
_day_of_week, _in_leap_year = rows["day_of_week"]["ufunc"], rows["in_leap_year"]["ufunc"]


def _unit(a: ndarray) -> int:
    """Nanoseconds in the unit of an array of timestamps or durations."""
    unit, count = np.datetime_data(a.dtype)
    if unit not in _NANOSECONDS or count != 1:
        raise TypeError(f"[dt] expected datetime64 or timedelta64 in D, s, ms, us or ns, got {a.dtype}")
    return _NANOSECONDS[unit]


def _split(bits: ndarray, unit: int, nanoseconds: int) -> ndarray:
    """Whole periods of so many nanoseconds, rounded down before the epoch too."""
    return bits if nanoseconds <= unit else bits // (nanoseconds // unit)


def _days(a: ndarray) -> ndarray:
    return _split(a.view(_int64), _unit(a), _NANOSECONDS["D"])


def _zeros(a: ndarray) -> ndarray:
    return _core.full(a.shape, 0, _int32, a.device)


def _part(nanoseconds: int, count: int) -> Callable[[ndarray], ndarray]:
    """The field that counts periods of so many nanoseconds from 0 to count - 1."""

    def of(a: ndarray) -> ndarray:
        unit, bits = _unit(a), a.view(_int64)
        if unit >= nanoseconds * count:
            return _zeros(a)
        if unit > nanoseconds:
            step = unit // nanoseconds
            return bits % (count // step) * step
        return _split(bits, unit, nanoseconds) % count

    return of


def _is_quarter_start(a: ndarray) -> ndarray:
    days = _days(a)
    return (_day(days) == 1) & (_month(days) % 3 == 1)


def _is_quarter_end(a: ndarray) -> ndarray:
    days = _days(a)
    return (_day(days) == _days_in_month(days)) & (_month(days) % 3 == 0)


def _is_month_end(a: ndarray) -> ndarray:
    days = _days(a)
    return _day(days) == _days_in_month(days)


_DATE_FIELDS: dict[str, Callable[[ndarray], ndarray]] = {
    "year": lambda a: _year(_days(a)),
    "month": lambda a: _month(_days(a)),
    "day": lambda a: _day(_days(a)),
    "hour": _part(3600 * 10**9, 24),
    "minute": _part(60 * 10**9, 60),
    "second": _part(10**9, 60),
    "microsecond": _part(10**3, 10**6),
    "nanosecond": _part(1, 10**3),
    "day_of_week": lambda a: _day_of_week(_days(a) % 7 if _is_far(a) else _days(a)),
    "day_of_year": lambda a: _day_of_year(_days(a)),
    "quarter": lambda a: (_month(_days(a)) + 2) // 3,
    "days_in_month": lambda a: _days_in_month(_days(a)),
    "is_month_start": lambda a: _day(_days(a)) == 1,
    "is_month_end": _is_month_end,
    "is_quarter_start": _is_quarter_start,
    "is_quarter_end": _is_quarter_end,
    "is_year_start": lambda a: _day_of_year(_days(a)) == 1,
    "is_year_end": lambda a: _day_of_year(_days(a) + 1) == 1,
    "is_leap_year": lambda a: _in_leap_year(_days(a)),
}
_OTHER_NAMES = {
    "weekday": "day_of_week",
    "dayofweek": "day_of_week",
    "dayofyear": "day_of_year",
    "daysinmonth": "days_in_month",
}
_DURATION_FIELDS: dict[str, Callable[[ndarray], ndarray]] = {
    "days": _days,
    "seconds": _part(10**9, 86400),
    "microseconds": _part(10**3, 10**6),
    "nanoseconds": _part(1, 10**3),
}
_FIRST_OR_LAST = {f"is_{of}_{end}": f"Whether each date is the {which} day of a {of}." for of in ("month", "quarter", "year") for end, which in (("start", "first"), ("end", "last"))}  # fmt: skip
_MEANINGS = _FIRST_OR_LAST | {
    "year": "The year of each date.",
    "month": "The month of each date, 1 to 12.",
    "day": "The day of the month of each date, from 1.",
    "hour": "The hour of each time, 0 to 23.",
    "minute": "The minute of each time, 0 to 59.",
    "second": "The second of each time, 0 to 59.",
    "microsecond": "The microseconds of each time behind its whole seconds, 0 to 999,999.",
    "nanosecond": "The nanoseconds of each time behind its whole microseconds, 0 to 999.",
    "day_of_week": "The day of the week of each date, Monday 0 to Sunday 6.",
    "day_of_year": "The day of the year of each date, from 1.",
    "quarter": "The quarter of each date, 1 to 4.",
    "days_in_month": "The number of days in the month of each date.",
    "is_leap_year": "Whether each date is in a leap year.",
    "days": "The whole days of each duration.",
    "seconds": "The whole seconds of each duration behind its days, 0 to 86,399.",
    "microseconds": "The microseconds of each duration behind its whole seconds, 0 to 999,999.",
    "nanoseconds": "The nanoseconds of each duration behind its whole microseconds, 0 to 999.",
}


def meaning(name: str) -> str:
    """The docstring of a field."""
    return _MEANINGS[_OTHER_NAMES.get(name, name)]


DATE_FIELDS = frozenset(_DATE_FIELDS) | frozenset(_OTHER_NAMES)
DURATION_FIELDS = frozenset(_DURATION_FIELDS)


def has_nat(a: ndarray) -> bool:
    """Whether an array of dates or durations holds a NaT: one pass, worth keeping with a column.

    Parameters
    ----------
    a : ndarray of datetime64 or timedelta64

    Returns
    -------
    bool

    Examples
    --------
    >>> import bascule as bc
    >>> has_nat(bc.asarray(np.array(["2020-02-29", "NaT"], "M8[s]")))
    True
    """
    return a.size > 0 and int(a.view(_int64).min()) == _NAT


def _is_far(a: ndarray) -> bool:
    """Whether the years of dates may not be int32: of those that pandas holds, only seconds count so far."""
    return np.datetime_data(a.dtype)[0] == "s"


def _check_years(a: ndarray) -> None:
    """ValueError for the first date whose year is no int32."""
    bits = a.view(_int64)
    far = (abs(bits) > 2**31 * 31_540_000) & (bits != _NAT)
    for year in _core.to_numpy(a[far]).astype("M8[Y]").view(np.int64) + 1970 if a.size and bool(far.any()) else ():
        if abs(year) > 2**31 - 1:
            asked = "get the year of the individual entries with Timestamp.year instead"
            raise ValueError(f"year {year} is out of range for the int32 result; {asked}")


def field(a: ndarray, name: str, nat: bool | None = None) -> ndarray:
    """Field of dates (`year`, `is_month_end`, ...) or durations (`days`, ...), as under pandas' `.dt`.

    Parameters
    ----------
    a : ndarray of datetime64 or timedelta64, in D, s, ms, us or ns
    name : str
        One of `DATE_FIELDS` or `DURATION_FIELDS`.
    nat : bool, optional
        The result of `has_nat(a)`, where it is known already.

    Returns
    -------
    ndarray, shape of a
        int32 (`days`: int64); float64 with NaN for NaT where there is one; bool, False for NaT, of the `is_...` fields.

    Raises
    ------
    AttributeError
        There is no such field.
    TypeError
        The unit is none of those above.

    Examples
    --------
    >>> import bascule as bc
    >>> field(bc.asarray(np.array(["2020-02-29", "1969-12-31"], "M8[s]")), "day_of_year").tolist()
    [60, 365]
    """
    if a.dtype.kind == "M":
        make = _DATE_FIELDS.get(_OTHER_NAMES.get(name, name))
    else:
        make = _DURATION_FIELDS.get(name)
    if make is None:
        raise AttributeError(f"[dt] {a.dtype} has no field '{name}'")
    if name == "year" and _is_far(a):
        _check_years(a)
    value = make(a)
    nulls = has_nat(a) if nat is None else nat
    if value.dtype == _bool:
        return _select(_isnat(a), False, value) if nulls else value
    if nulls:
        return _select(_isnat(a), np.nan, value.astype(_float64))
    return value if name == "days" else value.astype(_int32, copy=False)


def from_civil(year: ndarray, month: ndarray, day: ndarray) -> ndarray | None:
    """Dates from years, months and days; None where one of them is not a date of the years 1 to 9999.

    Parameters
    ----------
    year, month, day : ndarray of int64, shape (n,)

    Returns
    -------
    ndarray of datetime64[us], shape (n,), or None

    Examples
    --------
    >>> import bascule as bc
    >>> from_civil(*(bc.asarray([x]) for x in (2020, 2, 29))).tolist()
    [datetime.datetime(2020, 2, 29, 0, 0)]
    >>> from_civil(*(bc.asarray([x]) for x in (2021, 2, 29)))
    """
    # Years begin in March, so that the leap day is the last; 400 of them have 146,097 days, and 719,468 lie before 1970.
    y = year - (month <= 2)
    days_before = 365 * y + y // 4 - y // 100 + y // 400 + (153 * ((month + 9) % 12) + 2) // 5 - 719_469
    days = days_before + day
    within = (year >= 1) & (year <= 9999) & (month >= 1) & (month <= 12)
    if not bool((within & (day >= 1) & (day <= _days_in_month(days_before + 1))).all()):
        return None
    return (days * (_NANOSECONDS["D"] // 1000)).view(np.dtype("M8[us]"))


def isocalendar(a: ndarray) -> tuple[ndarray, ndarray, ndarray]:
    """Year, week and day of dates by ISO 8601; undefined for NaT.

    Parameters
    ----------
    a : ndarray of datetime64, in D, s, ms, us or ns

    Returns
    -------
    tuple of three ndarrays of uint32, shape of a
        Year, week (1 to 53) and day (Monday 1 to Sunday 7).

    Examples
    --------
    >>> import bascule as bc
    >>> [x.tolist() for x in isocalendar(bc.asarray(np.array(["2021-01-03"], "M8[s]")))]
    [[2020], [53], [7]]
    """
    days = _days(a)
    weekday = _day_of_week(days)
    thursday = days - weekday + 3  # its year is the week's
    week = (_day_of_year(thursday) + 6) // 7
    return tuple(x.astype(np.dtype(np.uint32)) for x in (_year(thursday), week, weekday + 1))


_MONTHS = "January February March April May June July August September October November December".split()
_WEEKDAYS = "Monday Tuesday Wednesday Thursday Friday Saturday Sunday".split()


def _picked(words: list[str | None], positions: ndarray) -> Column:
    """Strings at positions; a negative position gives a missing row."""
    named = text_of(words)
    if positions.size >= _WORTH_CODES:
        return Column(Core.recoded(positions.astype(_int32), named.core), named.dtype)
    return named.take(positions, True)


def month_name(a: ndarray) -> Column:
    """English names of the months of dates; missing for NaT.

    Parameters
    ----------
    a : ndarray of datetime64, shape (n,), in D, s, ms, us or ns

    Returns
    -------
    Column of n strings

    Examples
    --------
    >>> import bascule as bc
    >>> month_name(bc.asarray(np.array(["2020-02-29", "NaT"], "M8[s]"))).to_numpy().tolist()
    ['February', nan]
    """
    return _picked(_MONTHS, _select(_isnat(a), -1, _month(_days(a)).astype(_int64) - 1))


def day_name(a: ndarray) -> Column:
    """English names of the days of the week of dates; see `month_name`.

    Examples
    --------
    >>> import bascule as bc
    >>> day_name(bc.asarray(np.array(["2020-02-29", "NaT"], "M8[s]"))).to_numpy().tolist()
    ['Saturday', nan]
    """
    return _picked(_WEEKDAYS, _select(_isnat(a), -1, _day_of_week(_days(a)).astype(_int64)))


_DAY_DIRECTIVES = frozenset("YmdjyBbAaUWwuVGDFxehCntg%")
_HOUR_DIRECTIVES = _DAY_DIRECTIVES | frozenset("HIpkl")
_TIME_DIRECTIVES = frozenset("HMSIp%")

_ARROWS_DIRECTIVES = frozenset("YmdHMSyjBbAaIp%")


def _common_years(a: ndarray) -> bool:
    """Whether all dates are missing or in the years 1678 to 2261, which nanoseconds can represent."""
    years = _year(_days(a))
    return bool((((years >= 1678) & (years <= 2261)) | _isnat(a)).all())


def _formatted_one_by_one(a: ndarray, used: set[str], date_format: str) -> Column | None:
    """Dates as Python formats them, where few of them differ: for those the import of Arrow takes longer."""
    a = _floored(a, "D" if used <= _DAY_DIRECTIVES else "h" if used <= _HOUR_DIRECTIVES else "s")
    if used <= _TIME_DIRECTIVES:
        a = (a - _floored(a, "D")).view(a.dtype)  # the same time of every day is written once
    codes, first, _ = _core.factorize_columns([Core.plain(a)], False, False)
    if first.size > _FEW_TIMES:
        return None
    times = _core.to_numpy(a[first]).astype("M8[s]").tolist()
    words = [None if t is None else t.strftime(date_format) for t in times]
    return _picked(words, codes.view(_int32).astype(_int64))


def strftime(a: ndarray, date_format: str) -> Column:
    """Format timestamps as strings, by pandas; each day or hour once, where the format shows nothing finer.

    Parameters
    ----------
    a : ndarray of datetime64, shape (n,), in s, ms, us or ns
    date_format : str
        As of `datetime.datetime.strftime`.

    Returns
    -------
    Column of n strings
        Missing for NaT.

    Examples
    --------
    >>> import bascule as bc
    >>> strftime(bc.asarray(np.array(["2020-02-29T13:45", "NaT"], "M8[s]")), "%d/%m/%Y").to_numpy().tolist()
    ['29/02/2020', nan]
    """
    used = set(re.findall(r"%([\s\S]|$)", date_format))
    if used <= _ARROWS_DIRECTIVES and a.size and _common_years(a):
        made = None if is_loaded("pyarrow") else _formatted_one_by_one(a, used, date_format)
        if made is not None:
            return made
        seconds = arrow_bits.seconds(_core.to_numpy(_floored(a, "s")).astype("M8[s]"))
        return text_from_arrow(pc.strftime(seconds, format=date_format).cast(pyarrow.large_string()))
    if not used <= _HOUR_DIRECTIVES:  # nearly every row has a value of its own
        with in_pandas("Series.dt.strftime", "directives of Python alone, or other years than 1678 to 2261"):
            named = pandas.Series(_core.to_numpy(a)).dt.strftime(date_format).tolist()
        return text_of(named)
    a = _floored(a, "D" if used <= _DAY_DIRECTIVES else "h")
    codes, first, _ = _core.factorize_columns([Core.plain(a)], False, False)
    with in_pandas("Series.dt.strftime", "directives of Python alone, or other years than 1678 to 2261"):
        words = pandas.Series(_core.to_numpy(a[first])).dt.strftime(date_format).tolist()
    return _picked(words, codes.view(_int32).astype(_int64))


def total_seconds(a: ndarray) -> ndarray:
    """Durations in seconds.

    Parameters
    ----------
    a : ndarray of timedelta64, in D, s, ms, us or ns

    Returns
    -------
    ndarray of float64, shape of a
        NaN for NaT.

    Examples
    --------
    >>> import bascule as bc
    >>> total_seconds(bc.asarray(np.array([1500, "NaT"], "m8[ms]"))).tolist()
    [1.5, nan]
    """
    unit, bits = _unit(a), a.view(_int64)
    if unit >= _NANOSECONDS["s"]:
        return _select(_isnat(a), np.nan, (bits * (unit // _NANOSECONDS["s"])).astype(_float64))
    count = _NANOSECONDS["s"] // unit
    whole, rest = (bits // count).astype(_float64), bits % count
    # Above 2**53 units a sum may round to a whole second that the duration does not reach; pandas avoids that.
    inside = _clip(whole + rest / count, _nextafter(whole, np.inf), _nextafter(whole + 1.0, -np.inf))
    between = (rest != 0) & (by_name["absolute"](whole) < 2.0**52)
    return _select(_isnat(a), np.nan, _select(between, inside, whole + rest / count))


def _step(a: ndarray, freq: object) -> int:
    """A fixed frequency in units of the array; 1 or less means that no value changes."""
    unit, offset = _unit(a), to_offset(freq)
    nanoseconds = offset.nanos
    if nanoseconds < 0:
        raise NotImplementedError(f"[dt] rounding to a negative frequency, {freq!r}")
    if nanoseconds and nanoseconds % unit and unit % nanoseconds:
        text = f"freq={offset} is incompatible with unit={np.datetime_data(a.dtype)[0]}. "
        raise ValueError(text + "Use a lower freq or a higher unit instead.")
    return nanoseconds // unit


def _refuse_outside(bits: ndarray, least: int, most: int) -> None:
    far = [bits > most] if most < _LAST else []
    if least > _NAT + 1:
        far.append((bits < least) & (bits != _NAT))
    if far and bits.size and bool((far[0] | far[-1]).any()):
        raise OverflowError("value too large")


def _rounded(a: ndarray, bits: ndarray) -> ndarray:
    return _select(_isnat(a), _NAT, bits).view(a.dtype)


def floor(a: ndarray, freq: object) -> ndarray:
    """Dates or durations moved down to a multiple of a fixed frequency.

    Parameters
    ----------
    a : ndarray of datetime64 or timedelta64, in D, s, ms, us or ns
    freq : str or pandas offset
        Of fixed length, such as "D", "h", "15min", "s".

    Returns
    -------
    ndarray, shape and dtype of a
        NaT stays.

    Raises
    ------
    ValueError
        The frequency is unknown, has no fixed length, or is no multiple of the unit.
    OverflowError
        A result lies outside the range of the unit.
    NotImplementedError
        The frequency is negative.

    Examples
    --------
    >>> import bascule as bc
    >>> floor(bc.asarray(np.array(["1969-12-31T13:45"], "M8[s]")), "h").tolist()
    [datetime.datetime(1969, 12, 31, 13, 0)]
    """
    step, bits = _step(a, freq), a.view(_int64)
    if step <= 1:
        return a
    _refuse_outside(bits, -(_LAST // step) * step, _LAST)
    return _rounded(a, bits - bits % step)


def _floored(a: ndarray, freq: str) -> ndarray:
    """The values rounded down to the frequency that the format shows; unchanged at the very limits of nanoseconds."""
    try:
        return floor(a, freq)
    except OverflowError:
        return a


def ceil(a: ndarray, freq: object) -> ndarray:
    """Dates or durations moved up to a multiple of a fixed frequency; see `floor`.

    Examples
    --------
    >>> import bascule as bc
    >>> ceil(bc.asarray(np.array(["1969-12-31T13:45"], "M8[s]")), "h").tolist()
    [datetime.datetime(1969, 12, 31, 14, 0)]
    """
    step, bits = _step(a, freq), a.view(_int64)
    if step <= 1:
        return a
    _refuse_outside(bits, _NAT, _LAST // step * step)
    return _rounded(a, bits + -bits % step)


def round_to(a: ndarray, freq: object) -> ndarray:
    """Dates or durations moved to the nearest multiple of a fixed frequency, ties to even; see `floor`.

    Examples
    --------
    >>> import bascule as bc
    >>> round_to(bc.asarray(np.array([90, 150], "m8[s]")), "min").view("i8").tolist()
    [120, 120]
    """
    step, bits = _step(a, freq), a.view(_int64)
    if step <= 1:
        return a
    last = _LAST // step  # where it is odd, a tie would round up to a multiple out of range
    reach = last * step + (step - last % 2) // 2
    _refuse_outside(bits, -reach, reach)
    rest = bits % (2 * step)  # above an even multiple, so that ties need no second division
    twice = 2 * rest
    up = _select(twice > step, step, 0) + _select(twice >= 3 * step, step, 0)
    return _rounded(a, bits - rest + up)


def normalize(a: ndarray) -> ndarray:
    """Midnight of the days of dates.

    Parameters
    ----------
    a : ndarray of datetime64, in D, s, ms, us or ns

    Returns
    -------
    ndarray, shape and dtype of a

    Raises
    ------
    ValueError
        A midnight lies outside the range of the unit.

    Examples
    --------
    >>> import bascule as bc
    >>> normalize(bc.asarray(np.array(["2020-02-29T13:45"], "M8[s]"))).tolist()
    [datetime.datetime(2020, 2, 29, 0, 0)]
    """
    try:
        return floor(a, "D")
    except OverflowError:
        raise ValueError("Cannot normalize Timestamp without integer overflow") from None
