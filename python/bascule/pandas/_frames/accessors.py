"""The accessors `.dt`, `.str` and `.cat` of a series: datetime, string and categorical methods."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import numpy as np

import bascule as bc

from ... import _core
from .. import _classes, _fallback, _indexes
from .._columns.astype import converted
from .._columns.column import (
    AnyColumn,
    Column,
    HostColumn,
    Numbered,
    by_table,
    categories,
    from_pandas_array,
    is_categories,
    is_zoned,
    ndarray,
    plain,
)
from .._columns.kinds.pandas_types import Periods
from .._datetimes.calendar import (
    DATE_FIELDS,
    DURATION_FIELDS,
    ceil,
    day_name,
    field,
    floor,
    isocalendar,
    month_name,
    normalize,
    round_to,
    strftime,
    total_seconds,
)
from .._datetimes.durations import NAMES, durations, integers
from .._datetimes.zones import at_wall_times, converted_zone, localized, wall_times
from .._fallback import deprecations
from .._fallback.carried import unnoted
from .._fallback.native import NotNative, native_function
from .._questions import is_list_like
from .._strings.lists import Lists
from .._strings.methods import Accessor, LabelTexts, TextMethods
from .._theirs import follow, pandas

_PYTHONS = frozenset(("date", "time"))  # fields that are Python's objects


class TimeProperties(Accessor):
    """Fields of dates and durations."""

    name = "dt"
    fields = DATE_FIELDS | DURATION_FIELDS

    def __getattribute__(self, name: str) -> Any:
        """A member of the accessor; AttributeError for members that pandas has for other types only."""
        if name in _OF_SOME:
            kind = self._series._column.dtype.kind
            kind = kind if kind in "Mm" else "P"
            if kind not in _OF_SOME[name]:
                theirs = {"M": "DatetimeProperties", "m": "TimedeltaProperties", "P": "PeriodProperties"}[kind]
                raise AttributeError(f"'{theirs}' object has no attribute '{name}'")
        return super().__getattribute__(name)

    def _shown(self) -> Any:
        """The wall times of the values, in their time zone if they have one; pandas' array where only pandas knows the zone."""
        c = self._series._column
        try:
            return wall_times(c) if is_zoned(c) else c
        except NotNative:
            return c

    def __getattr__(self, name: str) -> Any:
        c = self._shown() if name in DATE_FIELDS or name in _PYTHONS else self._series._column
        if name in _PYTHONS and c.is_plain("M"):
            some = not len(c) or not bool(c.missing().all())  # only missing ones are timestamps again, as in pandas
            return self._series._like(
                HostColumn(c.boxed(_core.to_numpy(c.values), name)) if some else converted(c, np.dtype("M8[s]"))
            )
        if name in {"M": DATE_FIELDS, "m": DURATION_FIELDS}.get(c.plain, ()):
            deprecations.of_field("Series.dt", "core.indexes.accessors.DatetimeProperties", name)
            return self._series._like(plain(field(c.values, name, c.has_missing())))
        return super().__getattr__(name)

    def _rounded(self, how: Callable[..., Any], name: str, freq: Any, ambiguous: Any, nonexistent: Any) -> Any:
        c = self._shown()
        try:
            options = (ambiguous, nonexistent)
            if not all(isinstance(o, str) and o == "raise" for o in options):
                raise NotNative("ambiguous= or nonexistent=")
            return self._in_its_zone(how(c.own("datetimes with a time zone that only pandas supports").values, freq))
        except NotNative as why:
            return self._in_pandas(name, why.reason)(freq, ambiguous=ambiguous, nonexistent=nonexistent)

    def _in_its_zone(self, values: Any) -> Any:
        """Naive wall times, in the series' time zone if it has one."""
        series = self._series
        return series._like(at_wall_times(values, series.dtype.tz) if is_zoned(series._column) else plain(values))

    def tz_localize(self, tz: Any, ambiguous: Any = "raise", nonexistent: Any = "raise") -> Any:
        """Localize naive timestamps to a time zone; None makes timezone-aware timestamps naive."""
        c = self._series._column
        try:
            return self._series._like(localized(c, tz, ambiguous, nonexistent))
        except NotNative as why:
            return self._in_pandas("tz_localize", why.reason)(tz, ambiguous=ambiguous, nonexistent=nonexistent)

    def tz_convert(self, tz: Any) -> Any:
        """Convert timezone-aware timestamps to another time zone; None converts them to naive UTC."""
        try:
            return self._series._like(converted_zone(self._series._column, tz))
        except NotNative as why:
            return self._in_pandas("tz_convert", why.reason)(tz)

    def floor(self, freq: Any, ambiguous: Any = "raise", nonexistent: Any = "raise") -> Any:
        """Round times down to a multiple of a fixed frequency."""
        return self._rounded(floor, "floor", freq, ambiguous, nonexistent)

    def ceil(self, freq: Any, ambiguous: Any = "raise", nonexistent: Any = "raise") -> Any:
        """Round times up to a multiple of a fixed frequency."""
        return self._rounded(ceil, "ceil", freq, ambiguous, nonexistent)

    def round(self, freq: Any, ambiguous: Any = "raise", nonexistent: Any = "raise") -> Any:
        """Round times to the nearest multiple of a fixed frequency, ties to even."""
        return self._rounded(round_to, "round", freq, ambiguous, nonexistent)

    def to_period(self, freq: Any = None) -> Any:
        """The period of a frequency that each timestamp lies in."""
        c = self._series._column
        if freq is None or not c.is_plain("M") or c.device != "cpu":
            return self._in_pandas("to_period", "a frequency that is inferred, or times in a zone")(freq)
        return self._series._like(Periods.of(c.values, freq))

    def normalize(self) -> Any:
        """Midnight of the day of each timestamp."""
        c = self._shown()
        try:
            c.own("datetimes with a time zone that only pandas supports")
            return self._in_its_zone(normalize(c.values))
        except NotNative as why:
            return self._in_pandas("normalize", why.reason)()

    @property
    def tz(self) -> Any:
        """The time zone of timezone-aware timestamps, or None."""
        dtype = self._series.dtype
        if self._series._column.dtype.kind != "M":
            return self._in_pandas("tz")
        return getattr(dtype, "tz", None)

    @property
    def unit(self) -> str:
        """The unit of the data type, such as "ns"."""
        dtype = self._series.dtype
        return np.datetime_data(dtype)[0] if isinstance(dtype, np.dtype) else dtype.unit

    def as_unit(self, unit: str) -> Any:
        """Convert to another unit."""
        c = self._series._column
        if c.letter not in "mMZ" or unit not in ("s", "ms", "us", "ns"):
            return self._in_pandas("as_unit", "a unit that is none")(unit)
        times = c.key()
        return self._series._like(c.of_key(converted(times, np.dtype(f"{times.letter}8[{unit}]"))))

    def total_seconds(self) -> Any:
        """Durations in seconds, as float64."""
        c = self._series._column
        if not c.is_plain("m"):
            return self._in_pandas("total_seconds")()
        return self._series._like(plain(total_seconds(c.values)))

    def _as_text(self, how: Callable[..., Any], name: str, *args: Any) -> Any:
        c = self._shown()
        if not c.is_plain("M"):
            return self._in_pandas(name)(*args)
        return self._series._like(how(c.values, *args))

    def month_name(self, locale: str | None = None) -> Any:
        """Names of the months."""
        return (
            self._as_text(month_name, "month_name")
            if locale is None
            else self._in_pandas("month_name", "locale=")(locale)
        )

    def day_name(self, locale: str | None = None) -> Any:
        """Names of the days of the week."""
        return self._as_text(day_name, "day_name") if locale is None else self._in_pandas("day_name", "locale=")(locale)

    def strftime(self, date_format: str) -> Any:
        """Format timestamps as strings."""
        if date_format is None:
            return self._in_pandas("strftime", "no format")(date_format)
        if is_zoned(self._series._column) and re.search("%[zZ:sc]", date_format):
            return self._in_pandas("strftime", "directives of zones")(date_format)
        return self._as_text(strftime, "strftime", date_format)

    def isocalendar(self) -> Any:
        """Year, week and day of ISO 8601, as Int32 and UInt32 columns of a frame."""

        c = self._shown()
        if not c.is_plain():
            return self._in_pandas("isocalendar")()
        valid = ~c.missing() if c.has_missing() else None
        types = (pandas.Int32Dtype(), pandas.UInt32Dtype(), pandas.UInt32Dtype())
        parts = zip(isocalendar(c.values), types)
        columns = [Column(_core.Column.plain(part.astype(t.numpy_dtype), valid), t) for part, t in parts]
        return _classes.DataFrame._new(columns, pandas.Index(["year", "week", "day"]), self._series._index)


# Members that pandas has for some of these types only: M are times, m durations, P periods.
_OF_SOME = dict.fromkeys(("as_unit", "ceil", "floor", "round", "unit"), "Mm") | {"strftime": "MP", "total_seconds": "m"}
_OF_SOME |= dict.fromkeys("day_name isocalendar month_name normalize to_period tz tz_convert tz_localize".split(), "M")


class CategoryMethods(Accessor):
    """Methods of categories."""

    name = "cat"

    @property
    def categories(self) -> Any:
        """The categories of the data type, as an index."""
        return _indexes.from_pandas(self._series._column.dtype.categories)

    @property
    def ordered(self) -> bool:
        """Whether the categories have an order."""
        return self._series._column.dtype.ordered

    @property
    def codes(self) -> Any:
        """The integer codes of the values' categories, -1 for missing values."""

        series = self._series
        c = series._column
        if isinstance(c, Numbered):
            few = np.min_scalar_type(-len(c.dtype.categories) - 2)
            return _classes.Series._new(plain(c.numbers.astype(few)), series._index)
        return _classes.Series._new(from_pandas_array(c.array.codes), series._index)


def _category_method(name: str) -> Any:
    """A method of categories: it is applied to each category once, and the rows follow by their codes."""

    def method(self: Any, *args: Any, **kwargs: Any) -> Any:
        column = self._series._column
        kinds = column.dtype.categories
        used = np.arange(len(kinds))
        if name == "remove_unused_categories":
            codes = column.codes
            counts = _core.to_numpy(bc.bincount(codes[codes >= 0], minlength=len(kinds)))
            used = np.flatnonzero(counts)
        found = getattr(pandas.Categorical.from_codes(used, dtype=column.dtype), name)(*args, **kwargs)
        numbers = np.full(len(kinds) + 1, -1, dtype=np.int64)  # the last entry is for missing values
        numbers[used] = found.codes
        return unnoted(self._series._like(categories(by_table(column.codes, numbers), found.dtype)))

    method.__name__, method.__qualname__ = name, f"CategoryMethods.{name}"

    @follow
    def documented() -> None:
        method.__doc__ = getattr(pandas.Categorical, name).__doc__.strip().partition("\n")[0]

    return method


for _name in (
    "add_categories as_ordered as_unordered remove_categories remove_unused_categories rename_categories "
    "reorder_categories set_categories"
).split():
    setattr(CategoryMethods, _name, _category_method(_name))


def _accessor(kind: type[Accessor], fits: Callable[[AnyColumn], bool]) -> property:
    def read(self: Any) -> Any:
        if not fits(self._column):
            getattr(self.head(0).to_pandas(), kind.name)  # raises pandas' own AttributeError
        return kind(self)

    return property(read, doc=kind.__doc__)


def _has_texts(c: AnyColumn) -> bool:
    """Whether pandas' `.str` takes the values: strings, objects with strings among them, or categories of those."""
    if c.letter not in "CZO" or isinstance(c, Lists):
        return c.is_text or isinstance(c, Lists)
    values = c.dtype.categories if is_categories(c) else c.array
    kind = pandas.api.types.infer_dtype(values, skipna=True)
    if kind not in ("string", "empty", "bytes", "mixed", "mixed-integer"):
        raise AttributeError(f"Can only use .str accessor with string values, not {kind}")
    return True


class SeriesAccessors:
    """The accessors of series."""

    dt = _accessor(TimeProperties, lambda c: c.is_plain("mM") or hasattr(type(c), "in_utc"))
    str = _accessor(TextMethods, _has_texts)
    cat = _accessor(CategoryMethods, is_categories)


def _texts_of_labels(index: Any) -> LabelTexts:
    """`.str` of an index, which exists only where the labels are strings."""
    if index.nlevels > 1:
        raise AttributeError("Can only use .str accessor with Index, not MultiIndex")
    if not _has_texts(index._column):
        raise AttributeError(f"Can only use .str accessor with string values, not {index.inferred_type}")
    return LabelTexts(index)


_indexes.Index.str = property(_texts_of_labels, doc="Methods of texts.")


def _label_field(name: str) -> property:
    def read(self: Any) -> Any:
        c = TimeProperties(self)._shown()
        told_by_freq = name.endswith(("_start", "_end")) and not isinstance(
            self._freq, (type(None), pandas.offsets.Tick, pandas.offsets.Day)
        )
        if not c.is_plain() or told_by_freq:  # a year of business days, or one from April on
            reason = "a frequency that says where years begin" if told_by_freq else "values of a type of pandas'"
            return _fallback.run(f"{type(self).__name__}.{name}", reason, getattr, self, name)
        deprecations.of_field(type(self).__name__, "DatetimeIndex", name)
        values = field(c.values, name, c.has_missing())
        return values if values.dtype == bool else _indexes.from_column(plain(values), self.name)

    return property(read)


for _kind, _fields in ((_indexes.DatetimeIndex, DATE_FIELDS), (_indexes.TimedeltaIndex, DURATION_FIELDS)):
    for _name in _fields:
        setattr(_kind, _name, _label_field(_name))


def _numbers_of(arg: Any) -> np.ndarray:
    """The numbers or durations to convert; NotNative for others."""
    if hasattr(arg, "_column") and getattr(arg, "nlevels", 1) == 1:
        c = arg._column
        if not isinstance(c, Column) or c.is_text or c.is_masked or c.device != "cpu":
            raise NotNative(f"values of type {c.dtype}")
        return _core.to_numpy(c.values)
    if type(arg) in (list, tuple, range) and len(arg) and set(map(type, arg)) == {int}:
        return integers(arg)
    if type(arg) is ndarray and arg.device == "cpu":
        arg = _core.to_numpy(arg)
    if type(arg) is not np.ndarray or arg.ndim != 1 or not arg.dtype.isnative:
        raise NotNative(f"data of type {type(arg).__name__}")
    return arg


def _one_duration(arg: Any, unit: Any, errors: Any) -> Any:
    """One value as pandas' scalar, which is its own result and no fallback."""
    return pandas.to_timedelta(arg, unit=unit, errors=errors)


@native_function("to_timedelta")
def to_timedelta(arg: Any, unit: str | None = None, errors: str = "raise") -> Any:
    """Convert numbers to durations; strings and other objects are converted by pandas.

    Parameters
    ----------
    arg : Series, Index, scalar or array-like
    unit : str, optional
        Unit of the numbers; nanoseconds by default.
    errors : {"raise", "coerce"}
        As pandas'.

    Returns
    -------
    Series, TimedeltaIndex or Timedelta, as pandas'

    Examples
    --------
    >>> import bascule.pandas as pd
    >>> pd.to_timedelta([1, 2], unit="h").tolist()
    [Timedelta('0 days 01:00:00'), Timedelta('0 days 02:00:00')]
    """
    if isinstance(arg, (str, int, float, np.generic)):
        return _one_duration(arg, unit, errors)
    if errors not in ("raise", "coerce") or not is_list_like(arg):
        raise NotNative("one value of another type, or unknown options")
    known = "ns" if unit is None else NAMES.get(unit)
    if known is None:
        raise NotNative("a unit by another name")
    if isinstance(arg, (pandas.Series, pandas.Index)) and getattr(arg, "nlevels", 1) == 1:
        arg = (_classes.Series if isinstance(arg, pandas.Series) else _classes.Index)._from_pandas(arg)
    made = from_pandas_array(durations(_numbers_of(arg), known))
    if isinstance(arg, _classes.Series):
        return unnoted(arg._like(made))
    return _indexes.from_column(made, getattr(arg, "name", None))
