"""Methods of indexes of timestamps and durations."""

from __future__ import annotations

import datetime
from typing import Any

import numpy as np

import bascule as bc

from ... import _core
from .. import _classes, _fallback
from .._columns.column import Column, Core, ndarray, plain
from .._datetimes.offsets import to_offset
from .._datetimes.zones import converted_zone, localized, wall_times
from .._fallback.native import NotNative, native
from .._questions import is_integer
from .._theirs import UNSET, pandas, seen, unset
from .arguments import FLOAT64, INT64, own_column, positions_given
from .rows import IndexRows

_PER_DAY = {"s": 86400, "ms": 86400 * 10**3, "us": 86400 * 10**6, "ns": 86400 * 10**9}
_TIMES_OF_DAY = (
    "%H:%M",
    "%H%M",
    "%I:%M%p",
    "%I%M%p",
    "%H:%M:%S",
    "%H%M%S",
    "%I:%M:%S%p",
    "%I%M%S%p",
)  # in pandas' order
_DAYS = ("MON", "TUE", "WED", "THU", "FRI", "SAT", "SUN")


def _units(freq: Any, unit: str) -> int | None:
    """A frequency of fixed length in units; None for others, and for those that are no whole number of units."""
    if not isinstance(freq, (pandas.offsets.Tick, pandas.offsets.Day)):
        return None
    nanoseconds = freq.n * 86400 * 10**9 if isinstance(freq, pandas.offsets.Day) else freq.nanos
    each = 86400 * 10**9 // _PER_DAY[unit]
    return nanoseconds // each if nanoseconds % each == 0 else None


def found_freq(index: Any) -> Any:
    """The frequency inferred from the labels, as pandas' offset, or None.

    Raises
    ------
    NotNative
        When it may be one of months, quarters, years or business days.
    """
    c = own_column(index)
    n = len(c)
    if n < 3 or c.has_missing() or not (index.is_monotonic_increasing or index.is_monotonic_decreasing):
        return None
    if not index.is_unique:
        return None
    steps = bc.unique(bc.diff(c.values.view(INT64)))
    first, day = int(steps[0]), _PER_DAY[index.unit]
    if len(steps) > 1:
        if not index._of_dates or len(steps) > 64:
            return None
        days = [s / day for s in steps.tolist()]
        hours = {round(d * 24, 6) for d in days}
        if hours <= {1.0, 17.0, 65.0} or (all(d == int(d) for d in days) and (min(map(abs, days)) >= 28 or set(days) <= {1.0, 3.0})):  # fmt: skip
            raise NotNative("a frequency of months, business days or hours, it may be")
        return None
    if first % day == 0 and index._of_dates:
        days = first // day
        if abs(days) >= 28:
            raise NotNative("a frequency of months, it may be")
        if days % 7 == 0:
            weekday = int(index[:1].day_of_week[0])
            return to_offset(f"{days // 7 if days != 7 else ''}W-{_DAYS[weekday]}")
        return pandas.offsets.Day(days)
    if first % day == 0:
        return pandas.offsets.Day(first // day)
    return to_offset(pandas.Timedelta(first, unit=index.unit))


def joined_freq(left: Any, right: Any, made: Any, how: str) -> Any:
    """The frequency that pandas gives the join of two indexes."""
    ascend = left.is_monotonic_increasing and right.is_monotonic_increasing
    unique = left.is_unique and right.is_unique
    if ascend and left.equals(right):
        return (right if how == "right" else left)._freq
    side: Any = {"left": left, "right": right}.get(how)
    if not len(left) or not len(right):
        other, empty = (left, right) if len(left) else (right, left)
        side = side if side is not None else empty if how == "inner" else other
    elif not unique or not len(made):
        return None
    if side is not None:
        forth = side._freq is None or len(made) < 2 or (made[0] < made[1]) == (side[0] < side[1])
        return side._freq if forth else -side._freq
    if not ascend:
        return found_freq(made)
    if left._freq is None or left._freq != right._freq:
        return None
    first, last = sorted((left, right), key=lambda i: i[0])
    return left._freq if last[0] in first or last[0] == first[-1] + left._freq else None


class TimeMethods:
    """Methods of indexes of timestamps and durations."""

    _freq: Any
    unit: str

    def _own_times(self: Any) -> Column:
        return own_column(self)

    def _from_series(self: Any, name: str, *args: Any) -> Any:
        """An index of the result of a `.dt` method."""
        made = getattr(self.to_series().dt, name)
        return _classes.Index(made(*args) if callable(made) else made)

    def _objects(self: Any, name: str, dtype: str) -> np.ndarray:
        """The labels as objects of Python's datetime, date, time or timedelta; NaT where missing."""
        c = self._columns[0]
        try:
            made = _core.to_numpy(c.plain_values()).astype(dtype).astype(object)
        except NotNative:
            made = np.array([0], object)
        if any(isinstance(x, int) for x in made):  # of a zone, or of years that Python does not have
            with _fallback.in_pandas(
                f"{type(self).__name__}.{name}", "times of a zone, or of years that Python has not"
            ):
                found = getattr(self._there(), name)
                return found if isinstance(found, np.ndarray) else found()
        if "time" in name[:4]:
            made = np.array([x if x is None else x.time() for x in made], dtype=object)
        if c.has_missing():
            made[_core.to_numpy(c.missing())] = pandas.NaT
        return made

    @property
    def asi8(self: Any) -> np.ndarray:
        """The labels as int64 counts of units."""
        return _core.to_numpy(self._columns[0].times().view(INT64))

    # ---- rounding
    def _rounded(self: Any, name: str, freq: Any, ambiguous: Any, nonexistent: Any) -> Any:
        if ambiguous != "raise" or nonexistent != "raise":
            raise NotNative("ambiguous= or nonexistent=")
        return self._from_series(name, freq)

    @native
    def floor(self: Any, freq: Any, ambiguous: Any = "raise", nonexistent: Any = "raise") -> Any:
        """Round times down to a multiple of a fixed frequency."""
        return self._rounded("floor", freq, ambiguous, nonexistent)

    @native
    def ceil(self: Any, freq: Any, ambiguous: Any = "raise", nonexistent: Any = "raise") -> Any:
        """Round times up to a multiple of a fixed frequency."""
        return self._rounded("ceil", freq, ambiguous, nonexistent)

    @native
    def round(self: Any, freq: Any, ambiguous: Any = "raise", nonexistent: Any = "raise") -> Any:
        """Round times to the nearest multiple of a fixed frequency, ties to even."""
        return self._rounded("round", freq, ambiguous, nonexistent)

    @native
    def as_unit(self: Any, unit: str) -> Any:
        """Convert to another unit."""
        c = self._own_times()
        if unit not in _PER_DAY:
            raise ValueError("Supported units are 's', 'ms', 'us', 'ns'")
        if unit == self.unit:
            return self._view()
        return self._with([c.as_unit(unit)])._at(self._freq)

    # ---- statistics
    @native(axis=(0, None))
    def mean(self: Any, *, skipna: bool = True, axis: Any = 0) -> Any:
        """The mean of the labels."""
        self._own_times()
        if not len(self):
            raise NotNative("no labels")
        return self.to_series().mean(skipna=skipna)

    def _of_lengths(self: Any, name: str, options: dict) -> Any:
        if any(v is not None and v is not False for v in options.values()) or not len(self):
            raise NotNative("options, or no labels")
        c = self._own_times()
        lengths = Column(Core.plain(c.values.view(np.dtype(f"m8[{self.unit}]"))), np.dtype(f"m8[{self.unit}]"))
        return getattr(_classes.Series._new(lengths, _classes.RangeIndex._of(0, 1, len(self))), name)

    def _deviation(self: Any, axis: Any, dtype: Any, out: Any, ddof: int, keepdims: bool, skipna: bool) -> Any:
        how = self._of_lengths("std", dict(axis=axis, dtype=dtype, out=out, keepdims=keepdims))
        return how(ddof=ddof, skipna=skipna)

    # ---- moving
    @native(periods=is_integer)
    def shift(self: Any, periods: int = 1, freq: Any = None) -> Any:
        """Shift the labels by a number of periods."""
        c = self._own_times()
        by = self._freq
        if freq is not None:
            freq = to_offset(freq) if isinstance(freq, str) else freq
            by = freq
        elif periods == 0 or not len(self):
            return self._view()
        elif by is None:
            raise pandas.errors.NullFrequencyError("Cannot shift with no freq")
        step = _units(by, self.unit)
        if step is None or not len(self) or c.has_missing():
            raise NotNative("a frequency without a fixed length, or finer than the unit")
        far = int(periods) * step
        if max(abs(int(c.values.view(INT64).min()) + far), abs(int(c.values.view(INT64).max()) + far)) >= 2**63 - 1:
            raise NotNative("datetimes outside the range of the unit")
        made = (c.values.view(INT64) + far).view(c.dtype)
        kept = freq is None or freq == self._freq or isinstance(self._freq, (pandas.offsets.Tick, pandas.offsets.Day))
        return self._with([plain(made)])._at(self._freq if kept else None)

    # ---- rows
    @native
    def insert(self: Any, loc: int, item: Any) -> Any:
        """Insert a label at a position; the frequency is kept where the label continues it."""
        self._own_times()
        if isinstance(item, str):
            raise NotNative("strings in place of datetimes")
        freq, n = None, len(self)
        if self._freq is not None and item is not seen.NaT and self._is_time(item):
            if not n:
                freq = self._freq
                if not isinstance(freq, pandas.offsets.Tick):
                    raise NotNative("a first label of a frequency")
            elif (loc in (0, -n) and item + self._freq == self[0]) or (loc == n and item - self._freq == self[n - 1]):
                freq = self._freq
        made = IndexRows.insert.__wrapped__(self, loc, item)  # type: ignore[attr-defined]
        return made._at(freq) if isinstance(made, TimeMethods) else made  # type: ignore[attr-defined]

    @native
    def delete(self: Any, loc: Any) -> Any:
        """Delete the labels at some positions; the frequency is kept where they are at an end."""
        made, n = IndexRows.delete(self, loc), len(self)
        freq = None if n else self._freq
        if self._freq is not None and n:
            if is_integer(loc):
                freq = self._freq if int(loc) % n in (0, n - 1) else None
            elif isinstance(loc, slice):
                freq = self._freq if loc.step in (1, None) and (loc.start in (0, None) or loc.stop in (n, None)) else None  # fmt: skip
            else:
                at = np.asarray(loc)
                at = at.astype(np.int64)
                run = not len(at) or (at[0] >= 0 and bool((np.diff(at) == 1).all()))
                freq = self._freq if run and (not len(at) or at[0] == 0 or at[-1] == n - 1) else None
        return made._at(freq)

    @native
    def take(
        self: Any, indices: Any, axis: Any = 0, allow_fill: Any = UNSET, fill_value: Any = UNSET, **kwargs: Any
    ) -> Any:
        """The labels at some positions; see Index.take."""
        options = {k: v for k, v in (("allow_fill", allow_fill), ("fill_value", fill_value)) if not unset(v)}
        made = IndexRows.take(self, indices, axis, **options, **kwargs)
        if self._freq is not None and isinstance(made, TimeMethods) and not options:
            at = positions_given(indices, len(self), -len(self))
            even = _core.range_of(Core.plain(at)) if len(at) > 1 and int(at[0]) >= 0 and int(at[-1]) >= 0 else None
            step = 1 if not len(at) or (len(at) == 1 and int(at[0]) >= 0) else even[1] if even is not None else 0
            made = made._view()._at(self._freq * step if step not in (0, 1) else self._freq if step else None)
        return made

    # ---- sets
    def _check_sets(self: Any, other: Any) -> None:
        if self._freq is not None or getattr(other, "_freq", None) is not None:
            raise NotNative("times at a frequency")

    def _finished(self: Any, other: Any, made: Any, how: str, sort: Any) -> Any:
        if how in ("union", "intersection"):
            return made._at(found_freq(made))
        return made if how == "difference" else made._at(None)


class DateMethods:
    """Methods of indexes of timestamps."""

    _of_dates = True

    @native
    def std(
        self: Any, axis: Any = None, dtype: Any = None, out: Any = None, ddof: int = 1, keepdims: bool = False, skipna: bool = True
    ) -> Any:  # fmt: skip
        """The standard deviation of the labels, as a duration."""
        return self._deviation(axis, dtype, out, ddof, keepdims, skipna)

    @native
    def normalize(self: Any) -> Any:
        """Midnight of the day of each label."""
        made = self._from_series("normalize")
        return made._at(found_freq(made))

    @native
    def tz_localize(self: Any, tz: Any, ambiguous: Any = "raise", nonexistent: Any = "raise") -> Any:
        """Localize naive timestamps to a time zone; None makes timezone-aware timestamps naive."""
        c = self._columns[0]
        made = self._with([localized(c, tz, ambiguous, nonexistent)])
        if self._freq is None:
            return made
        zone, gaps = made._columns[0].zone, made._columns[0].has_missing()
        keeps = zone is c.zone is None or zone is datetime.UTC or getattr(zone, "key", "") == "UTC"
        if keeps or (len(self) == 1 and not gaps):
            return made._at(self._freq)
        if not (isinstance(self._freq, pandas.offsets.Tick) or gaps or nonexistent not in ("raise", "NaT")):
            raise NotNative("times at a frequency")  # which pandas keeps since 3.1
        return made._at(None)

    @native
    def tz_convert(self: Any, tz: Any) -> Any:
        """Convert timezone-aware timestamps to another time zone; None converts them to naive UTC."""
        if self._freq is not None:
            raise NotNative("times at a frequency")
        return self._with([converted_zone(self._columns[0], tz)])

    @native
    def strftime(self: Any, date_format: str) -> Any:
        """Format timestamps as strings."""
        return self._from_series("strftime", date_format)

    @native(locale=None)
    def day_name(self: Any, locale: Any = None) -> Any:
        """Names of the days of the week."""
        return self._from_series("day_name")

    @native(locale=None)
    def month_name(self: Any, locale: Any = None) -> Any:
        """Names of the months."""
        return self._from_series("month_name")

    @native
    def isocalendar(self: Any) -> Any:
        """Year, week and day by ISO 8601, as a frame."""
        self._own_times()
        return self.to_series().dt.isocalendar()

    @property
    def is_normalized(self: Any) -> bool:
        """Whether all labels are midnights."""
        c = self._columns[0]
        if c.zone is not None:
            return self._asked("is_normalized")
        rest = c.values.view(INT64) % _PER_DAY[self.unit]
        return not bool((rest != 0).any())  # a missing label is no midnight

    @property
    def resolution(self: Any) -> str:
        """The coarsest unit in which all labels are whole."""
        c = self._columns[0]
        if c.zone is not None:
            return self._asked("resolution")
        bits = c.values.view(INT64)[~c.missing()] if c.has_missing() else c.values.view(INT64)
        day = _PER_DAY[self.unit]
        found = (("day", 1), ("hour", 24), ("minute", 1440), ("second", 86400), ("millisecond", 86400 * 10**3), ("microsecond", 86400 * 10**6))  # fmt: skip
        for name, parts in found:
            if parts >= day or not bool((bits % (day // parts) != 0).any()):
                return name
        return "nanosecond"

    def to_pydatetime(self: Any) -> np.ndarray:
        """The labels as objects of Python's datetime."""
        return self._objects("to_pydatetime", "M8[us]")

    @property
    def date(self: Any) -> np.ndarray:
        """The days as objects of Python's date."""
        return self._objects("date", "M8[D]")

    @property
    def time(self: Any) -> np.ndarray:
        """The times of the days as objects of Python's time."""
        return self._objects("time", "M8[us]")

    @property
    def timetz(self: Any) -> np.ndarray:
        """The times of the days as objects of Python's time, with their time zone."""
        return self._objects("timetz", "M8[us]")

    def _micros(self: Any) -> ndarray:
        """Microseconds since midnight, -1 for missing labels."""
        c = self._own_times() if self.tz is None else wall_times(self._columns[0])
        rest, day = c.values.view(INT64) % _PER_DAY[self.unit], _PER_DAY[self.unit]
        here = 86400 * 10**6
        made = rest // (day // here) if day >= here else rest * (here // day)
        return bc.where(c.missing(), -1, made) if c.has_missing() else made

    @native
    def indexer_at_time(self: Any, time: Any, asof: bool = False) -> ndarray:
        """The positions of the labels at a time of day."""
        return self._rows_at_time(time, asof)

    def _rows_at_time(self: Any, time: Any, asof: bool) -> ndarray:
        if asof:
            raise NotImplementedError("'asof' argument is not supported")  # pandas lacks it too
        if isinstance(time, str) and ":" not in time:
            raise NotNative("a time of day in a format that pandas reads in two ways")
        of_day = _time_of_day(time)
        if of_day.tzinfo is not None:
            raise NotNative("a time of day with a time zone")
        return _core.nonzero(self._micros() == _microseconds(of_day))[0]

    @native
    def indexer_between_time(
        self: Any, start_time: Any, end_time: Any, include_start: bool = True, include_end: bool = True
    ) -> ndarray:
        """The positions of the labels between two times of day, across midnight where the first is later."""
        return self._rows_between_times(start_time, end_time, include_start, include_end)

    def _rows_between_times(self: Any, start_time: Any, end_time: Any, with_start: bool, with_end: bool) -> ndarray:
        start, end = _time_of_day(start_time), _time_of_day(end_time)
        micros = self._micros()
        low, high = _microseconds(start), _microseconds(end)
        above = micros >= low if with_start else micros > low
        below = micros <= high if with_end else micros < high
        return _core.nonzero(above & below if start <= end else above | below)[0]

    @native
    def to_julian_date(self: Any) -> Any:
        """The labels as Julian dates, in days since noon of 4713-01-01 BC."""
        self._own_times()
        year, month, day = (f._columns[0].values.astype(FLOAT64) for f in (self.year, self.month, self.day))
        early = bc.where(month < 3, 1, 0)
        year, month = year - early, month + 12 * early
        parts = [getattr(self, n)._columns[0].values for n in ("hour", "minute", "second", "microsecond", "nanosecond")]
        hours = parts[0] + parts[1] / 60 + parts[2] / 3600 + parts[3] / 3600 / 10**6 + parts[4] / 3600 / 10**9
        made = day + bc.trunc((153 * month - 457) / 5) + 365 * year
        made = made + bc.floor(year / 4) - bc.floor(year / 100) + bc.floor(year / 400) + 1_721_118.5 + hours / 24
        return self._of_columns([plain(made)], self._names)


class LengthMethods:
    """Methods of indexes of durations."""

    _timedeltas = (np.timedelta64,)

    @native
    def total_seconds(self: Any) -> Any:
        """The labels in seconds, as float64."""
        return self._from_series("total_seconds")

    @native
    def std(
        self: Any, *, axis: Any = None, dtype: Any = None, out: Any = None, ddof: int = 1, keepdims: bool = False, skipna: bool = True
    ) -> Any:  # fmt: skip
        """The standard deviation of the labels."""
        return self._deviation(axis, dtype, out, ddof, keepdims, skipna)

    @native
    def sum(
        self: Any, *, axis: Any = None, dtype: Any = None, out: Any = None, keepdims: bool = False, initial: Any = None, skipna: bool = True, min_count: int = 0
    ) -> Any:  # fmt: skip
        """The sum of the labels."""
        how = self._of_lengths("sum", dict(axis=axis, dtype=dtype, out=out, keepdims=keepdims, initial=initial))
        return how(skipna=skipna, min_count=min_count)

    @native
    def median(self: Any, *, axis: Any = None, skipna: bool = True, **kwargs: Any) -> Any:
        """The median of the labels."""
        return self._of_lengths("median", dict(axis=axis, **kwargs))(skipna=skipna)

    @property
    def components(self: Any) -> Any:
        """Days, hours, minutes and finer parts of the labels, as a frame."""
        c = self._columns[0]
        if c.has_missing():
            return _fallback.from_pandas(self._asked("components"))
        day, bits = _PER_DAY[self.unit], c.values.view(INT64)
        columns = [plain(bits // day)]
        rest, done = bits % day, 1
        for parts in (24, 60, 60, 1000, 1000, 1000):
            done *= parts
            each = day // done
            columns.append(plain(rest // each % parts if each else bc.zeros(len(c), dtype=np.int64)))
        names = ["days", "hours", "minutes", "seconds", "milliseconds", "microseconds", "nanoseconds"]
        return _classes.DataFrame._new(columns, pandas.Index(names), _classes.RangeIndex._of(0, 1, len(c)))

    def to_pytimedelta(self: Any) -> np.ndarray:
        """The labels as objects of Python's timedelta."""
        return self._objects("to_pytimedelta", "m8[us]")

    @property
    def resolution(self: Any) -> str:
        """The coarsest unit in which all labels are whole."""
        return DateMethods.resolution.fget(self)  # type: ignore[attr-defined]


def _time_of_day(x: Any) -> datetime.time:
    """A time of day; NotNative for values that pandas has to parse."""
    if isinstance(x, datetime.time):
        return x
    for form in _TIMES_OF_DAY if isinstance(x, str) else ():
        try:
            return datetime.datetime.strptime(x, form).time()
        except ValueError:
            continue
    raise NotNative("a time of day in another format")


def _microseconds(time: datetime.time) -> int:
    return (time.hour * 3600 + time.minute * 60 + time.second) * 10**6 + time.microsecond
