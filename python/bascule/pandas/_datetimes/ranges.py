"""Ranges of timestamps: at fixed intervals, and of business days."""

from __future__ import annotations

from typing import Any

import numpy as np

from ... import _core
from ...lib import creation
from .. import _classes, _fallback
from .._columns.column import UNITS, in_zone, plain
from .._fallback.native import NotNative
from .._questions import is_integer
from .._theirs import follow_scalars, pandas, seen
from .offsets import to_offset
from .zones import at_wall_times, zone_of

_FINEST = {"ms": 1, "us": 2, "ns": 3}  # units of the frequencies that are finer than seconds
_PER_SECOND = (1, 10**3, 10**6, 10**9)
_CLOSED = ("both", "left", "right", "neither")
_TICKS: tuple[type, ...] = ()  # classes of frequencies, once pandas is imported
_CALENDAR: tuple[type, ...] = ()  # of weeks, months, quarters and years
_KNOWN: tuple[type, ...] = ()


@follow_scalars
def _with_pandas() -> None:
    global _TICKS, _CALENDAR, _KNOWN
    from_hours = ("Hour", "Minute", "Second", "Milli", "Micro", "Nano")
    _TICKS = tuple(getattr(pandas.offsets, name) for name in from_hours)
    spans = ("Month", "BMonth", "Quarter", "BQuarter", "Year", "BYear", "SemiMonth")
    ends = [getattr(pandas.offsets, f"{span}{end}") for span in spans for end in ("Begin", "End")]
    _CALENDAR = (*ends, pandas.offsets.Week)
    _KNOWN = (*_TICKS, pandas.offsets.Day, pandas.offsets.BusinessDay, *_CALENDAR)


def date_range(
    start: Any = None, end: Any = None, periods: Any = None, freq: Any = None, tz: Any = None, normalize: bool = False, name: Any = None,
    inclusive: str = "both", *, unit: str | None = None, **kwargs: Any,
) -> Any:  # fmt: skip
    """Dates at a frequency.

    Parameters
    ----------
    start, end : date-like, optional
        The first timestamp, and the last possible one.
    periods : int, optional
        Number of timestamps; two of start, end and periods are given.
    freq : str or offset, optional
        "D" by default.
    tz, normalize, name, inclusive, unit, **kwargs
        As pandas'.

    Returns
    -------
    DatetimeIndex

    Examples
    --------
    >>> import bascule.pandas as pd
    >>> pd.date_range("2020-01-30", periods=3).day.tolist()
    [30, 31, 1]
    """
    plainly = inclusive in _CLOSED and isinstance(normalize, bool) and not kwargs
    try:
        made = _even(start, end, periods, freq, tz, name, normalize, inclusive, unit) if plainly else None
    except NotNative:
        made = None
    if made is not None:
        return made
    options = dict(start=start, end=end, periods=periods, freq=freq, tz=tz, normalize=normalize, name=name, inclusive=inclusive, unit=unit)  # fmt: skip
    reason = "another frequency or zone, or options"
    return _fallback.run("pandas.date_range", reason, pandas.date_range, **options, **kwargs)


def bdate_range(
    start: Any = None, end: Any = None, periods: Any = None, freq: Any = "B", tz: Any = None, normalize: bool = True, name: Any = None,
    weekmask: Any = None, holidays: Any = None, inclusive: str = "both", **kwargs: Any,
) -> Any:  # fmt: skip
    """Dates of business days.

    Parameters
    ----------
    start, end, periods, freq, tz, normalize, name, inclusive
        As of `date_range`.
    weekmask, holidays, **kwargs
        As pandas'.

    Returns
    -------
    DatetimeIndex

    Examples
    --------
    >>> import bascule.pandas as pd
    >>> pd.bdate_range("2020-01-31", periods=3).day.tolist()
    [31, 3, 4]
    """
    if freq is not None and not weekmask and not holidays and not (isinstance(freq, str) and freq.startswith("C")):
        return date_range(start, end, periods, freq, tz, normalize, name, inclusive, **kwargs)
    plainly = periods is None and tz is None and inclusive == "both" and normalize is True and not kwargs
    if plainly and isinstance(freq, str) and freq == "C" and start is not None and end is not None:
        made = _custom_days(start, end, name, weekmask, holidays)
        if made is not None:
            return made
    options = dict(start=start, end=end, periods=periods, freq=freq, tz=tz, normalize=normalize, name=name, weekmask=weekmask, holidays=holidays, inclusive=inclusive)  # fmt: skip
    return _fallback.run("pandas.bdate_range", "other business days", pandas.bdate_range, **options, **kwargs)


def _custom_days(start: Any, end: Any, name: Any, weekmask: Any, holidays: Any) -> Any:
    """The days of a week that are no holidays; None where pandas has to find them, or raises."""
    days = _even(start, end, None, "D", None, name, True, "both", None)
    if days is None:
        return None
    try:
        step = pandas.offsets.CustomBusinessDay(weekmask=weekmask or "Mon Tue Wed Thu Fri", holidays=holidays)
    except (TypeError, ValueError):
        return None
    values = _core.to_numpy(days._columns[0].values)
    there = np.is_busday(values.astype("M8[D]"), busdaycal=step.calendar)
    return _classes.Index._of_columns([plain(_core.from_numpy(values[there]))], [name])._at(step)


def evenly_dated(first: Any, last: Any, freq: Any, unit: str, name: Any) -> Any:
    """The dates at a frequency from one timestamp to another, in a unit; None where pandas has to find them."""
    return _even(first, last, None, freq, None, name, False, "both", unit)


def _even(
    start: Any, end: Any, periods: Any, freq: Any, tz: Any, name: Any, normalize: bool, inclusive: str, unit: str | None
) -> Any:
    """Timestamps at a fixed interval, of business days, or of weeks, months and years; None for others."""
    if sum(x is not None for x in (start, end, periods)) != 2 or not isinstance(freq, (str, type(None), *_KNOWN)):
        return None
    if periods is not None and (not is_integer(periods) or periods < 0):
        return None
    try:
        step = to_offset("D" if freq is None else freq)
        ends = [None if x is None else pandas.Timestamp(x) for x in (start, end)]
    except (ValueError, TypeError):
        return None  # pandas raises the error
    given = [x for x in ends if x is not None]
    if type(step) not in _KNOWN or any(x is seen.NaT or x.tz is not None for x in given):
        return None
    fineness = max(_FINEST.get(step.rule_code, 0), *(UNITS.index(x.unit) for x in given))
    if unit is not None:
        if unit not in UNITS or UNITS.index(unit) < fineness and any(x.as_unit(unit) != x for x in given):
            return None
        if UNITS.index(unit) < _FINEST.get(step.rule_code, 0):
            return None
        fineness = UNITS.index(unit)
    try:
        first, last = (None if x is None else int(x.as_unit(UNITS[fineness])._value) for x in ends)
    except pandas.errors.OutOfBoundsDatetime:
        return None
    day = 86400 * _PER_SECOND[fineness]
    dtype = np.dtype(f"M8[{UNITS[fineness]}]")
    if normalize:
        first, last = (None if x is None else x // day * day for x in (first, last))
    count = None if periods is None else int(periods)
    if tz is not None:
        shown = [None if x is None else _timestamp(x, dtype, tz) for x in (first, last)]  # refuses skipped wall times
        first, last = shown if isinstance(step, _TICKS) else (first, last)
    if isinstance(step, _CALENDAR):
        bits = _by_calendar([None if x is None else np.int64(x).view(dtype) for x in (first, last)], count, step)
    elif isinstance(step, pandas.offsets.BusinessDay):
        bits = _business_days(first, last, count, step, day)
    else:
        bits = _at_intervals(first, last, count, step, day)
    if bits is None:
        return None
    n = len(bits)
    skip = int(n > 0 and inclusive in ("right", "neither") and (first is None or int(bits[0]) == first))
    stop = n - int(n > skip and inclusive in ("left", "neither") and (last is None or int(bits[-1]) == last))
    values = bits[skip:stop].view(dtype)
    _core.evaluate(values)
    if tz is None:
        return _classes.Index._of_columns([plain(values)], [name])._at(step)
    made = in_zone(values, zone_of(tz)) if isinstance(step, _TICKS) else at_wall_times(values, tz)
    return _classes.Index._of_columns([made], [name])._at(step)


def _timestamp(x: int, dtype: np.dtype, tz: Any) -> int:
    """The UTC time, as an integer, at which the clocks of a zone show a wall time."""
    found = at_wall_times(_core.from_numpy(np.array([x], np.int64).view(dtype)), tz).utc()
    return int(found.values.view(np.dtype(np.int64))[0])


def _at_intervals(first: int | None, last: int | None, count: int | None, step: Any, day: int) -> Any:
    """Times as integers, with `day` units in a day, at a fixed interval."""
    each = step.n * day if isinstance(step, pandas.offsets.Day) else step.nanos * day // (86400 * 10**9)
    if each == 0:
        return None
    count = max((last - first) // each + 1, 0) if count is None else count  # type: ignore[operator]
    first = last - (count - 1) * each if first is None else first  # type: ignore[operator]
    if max(abs(first), abs(first + count * each)) >= 2**63 - 1:
        return None
    return creation.arange(count, dtype=np.int64) * each + first


def _by_calendar(ends: list[Any], count: int | None, step: Any) -> Any:
    """Times as integers, of each of which the offset makes the next one; None where pandas has to find them."""
    first, last = (None if x is None else pandas.Timestamp(x) for x in ends)
    on, off = (step.rollforward, step.rollback) if step.n > 0 else (step.rollback, step.rollforward)
    try:
        if first is None:
            last = off(last)
            first = last if count == 1 else last - (count - 1) * step  # type: ignore[operator]
        else:
            first = on(first)
            if count is not None:
                last = first if count == 1 else first + (count - 1) * step
        if count == 0 or (first > last if step.n > 0 else first < last):
            return _core.from_numpy(np.empty(0, np.int64))
        made, at = [], first
        while at <= last if step.n > 0 else at >= last:
            made.append(at._value)
            at = at + step
    except (OverflowError, ValueError):  # beyond the times that the unit represents
        return None
    return _core.from_numpy(np.array(made, np.int64))


def _business_days(first: int | None, last: int | None, count: int | None, step: Any, day: int) -> Any:
    """Times as integers, with `day` units in a day, separated by a number of business days."""
    if count == 0:
        return _core.from_numpy(np.empty(0, np.int64))
    if step.n < 1 or step.offset or max(abs(first or 0), abs(last or 0)) > 2**62:
        return None

    def number(x: int, forward: bool) -> tuple[int, int]:
        """Business days since a Monday, of the day or else of the next or the last one, and the time of day."""
        days, time = divmod(x, day)
        weeks, weekday = divmod(days + 3, 7)  # the first of January 1970 was a Thursday
        at = weekday if weekday < 5 else 5 if forward else 4
        return weeks * 5 + at, time

    begin = None if first is None else number(first, True)
    close = None if last is None else number(last, False)
    if begin is None:
        begin = close[0] - (count - 1) * step.n, close[1]  # type: ignore[index,operator]
    elif count is None:
        count = max((close[0] - begin[0] - (begin[1] > close[1])) // step.n + 1, 0)  # type: ignore[index]
    numbers = creation.arange(count, dtype=np.int64) * step.n + begin[0]
    return (numbers // 5 * 7 + numbers % 5 - 3) * day + begin[1]
