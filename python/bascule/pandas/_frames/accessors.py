"""The accessors of a series: datetime, string, categorical and nested values."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import numpy as np

import bascule as bc

from ... import _core
from .. import _classes, _fallback, _indexes
from .._columns.column import (
    UNITS,
    AnyColumn,
    Column,
    HostColumn,
    by_table,
    categories,
    from_pandas_array,
    ndarray,
    plain,
)
from .._columns.kinds.periods import Periods
from .._columns.selected import repeated
from .._datetimes.calendar import (
    DATE_FIELDS,
    DURATION_FIELDS,
    ceil,
    day_name,
    field,
    floor,
    isocalendar,
    meaning,
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
from .._fallback.native import NotNative, native, native_function
from .._pending import objects as pending
from .._questions import is_list_like
from .._strings.methods import Accessor, LabelStrings, TextMethods
from .._theirs import follow, pandas, pyarrow
from .nested import ListMethods, StructMethods

_PYTHONS = frozenset(("date", "time"))  # fields that are Python's objects


_NO_WALL_TIMES = "datetimes with a time zone that only pandas supports"


class TimeProperties(Accessor):
    """Fields of dates and durations."""

    name = "dt"
    fields = DATE_FIELDS | DURATION_FIELDS

    def __getattribute__(self, name: str) -> Any:
        """A member of the accessor; AttributeError for members that pandas has for other types only."""
        if name in _OF_SOME:
            theirs = self._series._column.dt_class
            if theirs is not None and theirs not in _OF_SOME[name]:
                raise AttributeError(f"'{theirs}' object has no attribute '{name}'")
        return super().__getattribute__(name)

    def _shown(self) -> Any:
        """The wall times of the values, in their time zone if they have one; pandas' array where only pandas knows the zone."""
        c = self._series._column
        try:
            return wall_times(c)
        except NotNative:
            return c

    def __getattr__(self, name: str) -> Any:
        if name not in _PYTHONS and name not in self.fields:
            return super().__getattr__(name)
        later = pending.field(self._series, name) if "_plan" in self._series.__dict__ else None
        if later is not None:
            return later
        if name not in _PYTHONS and repeated(self._series._column) is not None:
            return self._series._before_repeating(lambda s: getattr(type(self)(s), name))
        c = self._series._column if name in DURATION_FIELDS else self._shown()
        try:
            values = c.plain_values("m" if name in DURATION_FIELDS else "M")
        except NotNative as why:
            return self._in_pandas(name, why.reason)
        if name in _PYTHONS:
            some = not len(c) or not bool(c.missing().all())  # only missing ones are timestamps again, as in pandas
            return self._series._like(HostColumn(c.boxed(_core.to_numpy(values), name)) if some else c.as_unit("s"))
        deprecations.of_field("Series.dt", "core.indexes.accessors.DatetimeProperties", name)
        return self._series._like(plain(field(values, name, c.has_missing())))

    def _rounded(self, how: Callable[..., Any], freq: Any, *options: Any) -> Any:
        if not all(isinstance(o, str) and o == "raise" for o in options):
            raise NotNative("ambiguous= or nonexistent=")
        return self._in_its_zone(how(self._shown().own(_NO_WALL_TIMES).values, freq))

    def _in_its_zone(self, values: Any) -> Any:
        """Naive wall times, in the series' time zone if it has one."""
        return self._series._like(at_wall_times(values, self._series._column.zone))

    @native
    def tz_localize(self, tz: Any, ambiguous: Any = "raise", nonexistent: Any = "raise") -> Any:
        """Localize naive timestamps to a time zone; None makes timezone-aware timestamps naive."""
        return self._series._like(localized(self._series._column, tz, ambiguous, nonexistent))

    @native
    def tz_convert(self, tz: Any) -> Any:
        """Convert timezone-aware timestamps to another time zone; None converts them to naive UTC."""
        return self._series._like(converted_zone(self._series._column, tz))

    @native
    def floor(self, freq: Any, ambiguous: Any = "raise", nonexistent: Any = "raise") -> Any:
        """Round times down to a multiple of a fixed frequency."""
        return self._rounded(floor, freq, ambiguous, nonexistent)

    @native
    def ceil(self, freq: Any, ambiguous: Any = "raise", nonexistent: Any = "raise") -> Any:
        """Round times up to a multiple of a fixed frequency."""
        return self._rounded(ceil, freq, ambiguous, nonexistent)

    @native
    def round(self, freq: Any, ambiguous: Any = "raise", nonexistent: Any = "raise") -> Any:
        """Round times to the nearest multiple of a fixed frequency, ties to even."""
        return self._rounded(round_to, freq, ambiguous, nonexistent)

    @native
    def to_period(self, freq: Any = None) -> Any:
        """The period of a frequency that each timestamp lies in."""
        c, why = self._series._column, "a frequency that is inferred, or times in a zone"
        values = c.plain_values("" if freq is None or c.device != "cpu" else "M", why)
        return self._series._like(Periods.of(values, freq))

    @native
    def normalize(self) -> Any:
        """Midnight of the day of each timestamp."""
        return self._in_its_zone(normalize(self._shown().own(_NO_WALL_TIMES).values))

    @property
    def tz(self) -> Any:
        """The time zone of timezone-aware timestamps, or None."""
        return self._fact("tz", "zone")

    @property
    def unit(self) -> str:
        """The unit of the data type, such as "ns"."""
        return self._fact("unit", "unit")

    def _fact(self, name: str, of_column: str) -> Any:
        """A fact about times that columns know, of Arrow's types by pandas."""
        c = self._series._column
        return self._in_pandas(name, "values of a type of Arrow's") if c.dt_class is None else getattr(c, of_column)

    @native(unit=UNITS)
    def as_unit(self, unit: str) -> Any:
        """Convert to another unit."""
        return self._series._like(self._series._column.as_unit(unit))

    @native
    def total_seconds(self) -> Any:
        """Durations in seconds, as float64."""
        return self._series._like(plain(total_seconds(self._series._column.plain_values("m"))))

    def _as_strings(self, how: Callable[..., Any], *args: Any) -> Any:
        return self._series._like(how(self._shown().plain_values("M"), *args))

    @native(locale=None)
    def month_name(self, locale: str | None = None) -> Any:
        """Names of the months."""
        return self._as_strings(month_name)

    @native(locale=None)
    def day_name(self, locale: str | None = None) -> Any:
        """Names of the days of the week."""
        return self._as_strings(day_name)

    @native
    def strftime(self, date_format: str) -> Any:
        """Format timestamps as strings."""
        if date_format is None:
            raise NotNative("no format")
        if self._series._column.zone is not None and re.search("%[zZ:sc]", date_format):
            raise NotNative("directives of zones")
        return self._as_strings(strftime, date_format)

    @native
    def isocalendar(self) -> Any:
        """Year, week and day of ISO 8601, as Int32 and UInt32 columns of a frame."""
        c = self._shown()
        values = c.plain_values()
        valid = ~c.missing() if c.has_missing() else None
        types = (pandas.Int32Dtype(), pandas.UInt32Dtype(), pandas.UInt32Dtype())
        parts = zip(isocalendar(values), types)
        columns = [Column(_core.Column.plain(part.astype(t.numpy_dtype), valid), t) for part, t in parts]
        return _classes.DataFrame._new(columns, pandas.Index(["year", "week", "day"]), self._series._index)


_OF_DATES, _OF_LENGTHS, _OF_PERIODS = "DatetimeProperties", "TimedeltaProperties", "PeriodProperties"
_OF_SOME = {  # members that pandas has for some of these classes only
    **dict.fromkeys(("as_unit", "ceil", "floor", "round", "unit"), {_OF_DATES, _OF_LENGTHS}),
    "strftime": {_OF_DATES, _OF_PERIODS},
    "total_seconds": {_OF_LENGTHS},
    **dict.fromkeys(
        "day_name isocalendar month_name normalize to_period tz tz_convert tz_localize".split(), {_OF_DATES}
    ),
}


class CategoryMethods(Accessor):
    """Methods of categories."""

    name = "cat"

    @property
    def categories(self) -> Any:
        """The categories of the data type, as an index."""
        return _indexes.from_pandas(self._series._column.categories)

    @property
    def ordered(self) -> bool:
        """Whether the categories have an order."""
        return self._series._column.dtype.ordered

    @property
    def codes(self) -> Any:
        """The integer codes of the values' categories, -1 for missing values."""
        return _classes.Series._new(self._series._column.stored_codes(), self._series._index)


def _category_method(name: str) -> Any:
    """A method of categories: it is applied to each category once, and the rows follow by their codes."""

    def method(self: Any, *args: Any, **kwargs: Any) -> Any:
        column = self._series._column
        kinds = column.categories
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


def _holds(c: AnyColumn, *names: str) -> bool:
    """Whether the values are of one of Arrow's types with these names."""
    return any(getattr(pyarrow.types, f"is_{name}")(c.dtype.pyarrow_dtype) for name in names)


def _accessor(kind: type[Accessor], fits: Callable[[AnyColumn], bool]) -> property:
    def read(self: Any) -> Any:
        if not fits(pending.of_no_rows(self)._column):
            getattr(self.head(0).to_pandas(), kind.name)  # raises pandas' own AttributeError
        return kind(self)

    del read.__annotations__["return"]  # completers take it as the type, and read an accessor without
    return property(read, doc=kind.__doc__)


class SeriesAccessors:
    """The accessors of series."""

    dt = _accessor(TimeProperties, lambda c: c.dt_class is not None)
    str = _accessor(TextMethods, lambda c: c.has_strings())
    cat = _accessor(CategoryMethods, lambda c: c.has_categories)
    list = _accessor(ListMethods, lambda c: c.is_arrows and _holds(c, "list", "large_list", "fixed_size_list"))
    struct = _accessor(StructMethods, lambda c: c.is_arrows and _holds(c, "struct"))


def _strings_of_labels(index: Any) -> LabelStrings:
    """`.str` of an index, which exists only where the labels are strings."""
    if index.nlevels > 1:
        raise AttributeError("Can only use .str accessor with Index, not MultiIndex")
    if not index._column.has_strings():
        raise AttributeError(f"Can only use .str accessor with string values, not {index.inferred_type}")
    return LabelStrings(index)


_indexes.Index.str = property(_strings_of_labels, doc="Methods of strings, for each label.")


def _label_field(name: str) -> property:
    def read(self: Any) -> Any:
        c = TimeProperties(self)._shown()
        reported_by_freq = name.endswith(("_start", "_end")) and not isinstance(
            self._freq, (type(None), pandas.offsets.Tick, pandas.offsets.Day)
        )
        try:
            if reported_by_freq:  # a year of business days, or one from April on
                raise NotNative("a frequency that says where years begin")
            values = c.plain_values(why="values of a type of pandas'")
        except NotNative as why:
            return _fallback.run(f"{type(self).__name__}.{name}", why.reason, getattr, self, name)
        deprecations.of_field(type(self).__name__, "DatetimeIndex", name)
        values = field(values, name, c.has_missing())
        return values if values.dtype == bool else _indexes.from_column(plain(values), self.name)

    return property(read, doc=meaning(name))


for _kind, _fields in ((_indexes.DatetimeIndex, DATE_FIELDS), (_indexes.TimedeltaIndex, DURATION_FIELDS)):
    for _name in _fields:
        setattr(_kind, _name, _label_field(_name))


def _numbers_of(arg: Any) -> np.ndarray:
    """The numbers or durations to convert; NotNative for others."""
    if hasattr(arg, "_column") and getattr(arg, "nlevels", 1) == 1:
        c = arg._column
        return _core.to_numpy(c.plain_values("biufmM" if c.device == "cpu" else ""))
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


@native_function("to_timedelta", errors=("raise", "coerce"))
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
    if not is_list_like(arg):
        raise NotNative("one value of another type")
    known = "ns" if unit is None else NAMES.get(unit)
    if known is None:
        raise NotNative("a unit by another name")
    if isinstance(arg, (pandas.Series, pandas.Index)) and getattr(arg, "nlevels", 1) == 1:
        arg = (_classes.Series if isinstance(arg, pandas.Series) else _classes.Index)._from_pandas(arg)
    made = from_pandas_array(durations(_numbers_of(arg), known))
    if isinstance(arg, _classes.Series):
        return unnoted(arg._like(made))
    return _indexes.from_column(made, getattr(arg, "name", None))
