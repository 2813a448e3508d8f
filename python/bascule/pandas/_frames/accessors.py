"""The accessors `.dt`, `.str` and `.cat` of a series: datetime, string and categorical methods."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import numpy as np
import pandas
from pandas.core.indexes import accessors
from pandas.core.indexes.accessors import DatetimeProperties

import bascule as bc

from ... import _core
from .. import _classes, _fallback, _indexes
from .._columns.astype import converted
from .._columns.column import AnyColumn, Column, HostColumn, by_table, from_pandas_array, from_pandas_object, plain
from .._columns.numbered import Numbered, categories, codes_of, in_zone, is_zoned, moments
from .._datetimes.calendar import (
    DATE_FIELDS,
    DURATION_FIELDS,
    ceil,
    dates_by,
    day_name,
    field,
    floor,
    from_civil,
    iso_dates,
    iso_dates_of,
    isocalendar,
    month_name,
    normalize,
    round_to,
    strftime,
    total_seconds,
)
from .._datetimes.zones import at_wall_times, converted_zone, localized, wall_times
from .._fallback import deprecations
from .._fallback.carried import unnoted
from .._fallback.native import NotNative
from .._indexes.times import FIXED
from .._strings.lists import Lists
from .._strings.methods import Accessor, LabelTexts, TextMethods


class TimeProperties(Accessor):
    """Fields of dates and durations."""

    name = "dt"
    fields = DATE_FIELDS | DURATION_FIELDS

    def __getattribute__(self, name: str) -> Any:
        """A member of the accessor; AttributeError for members that pandas has for other types only."""
        if name in _OF_SOME:
            kind = {"M": "DatetimeProperties", "m": "TimedeltaProperties"}
            theirs = kind.get(self._series._column.dtype.kind, "PeriodProperties")
            if not hasattr(getattr(accessors, theirs), name):
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
        c = self._shown() if name in DATE_FIELDS else self._series._column
        own = isinstance(c, Column) and not c.is_text and c.dtype.kind in "mM"
        if own and name in (DATE_FIELDS if c.dtype.kind == "M" else DURATION_FIELDS):
            deprecations.of_field("Series.dt", DatetimeProperties, name)
            return self._series._like(plain(field(c.values, name, c.has_missing())))
        return super().__getattr__(name)

    def _rounded(self, how: Callable[..., Any], name: str, freq: Any, ambiguous: Any, nonexistent: Any) -> Any:
        c = self._shown()
        try:
            options = (ambiguous, nonexistent)
            if not all(isinstance(o, str) and o == "raise" for o in options) or not isinstance(c, Column):
                raise NotNative("ambiguous= or nonexistent=")
            return self._in_its_zone(how(c.values, freq))
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

    def normalize(self) -> Any:
        """Midnight of the day of each timestamp."""
        c = self._shown()
        try:
            if not isinstance(c, Column):
                raise NotNative("datetimes with a time zone that only pandas supports")
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
        if is_zoned(c) and unit in ("s", "ms", "us", "ns"):
            return self._series._like(in_zone(converted(moments(c), np.dtype(f"M8[{unit}]")).values, c.dtype.tz))
        if not isinstance(c, Column) or unit not in ("s", "ms", "us", "ns"):
            return self._in_pandas("as_unit", "a unit that is none")(unit)
        return self._series._like(converted(c, np.dtype(f"{c.dtype.kind}8[{unit}]")))

    def total_seconds(self) -> Any:
        """Durations in seconds, as float64."""
        c = self._series._column
        if not isinstance(c, Column) or c.dtype.kind != "m":
            return self._in_pandas("total_seconds")()
        return self._series._like(plain(total_seconds(c.values)))

    def _as_text(self, how: Callable[..., Any], name: str, *args: Any) -> Any:
        c = self._shown()
        if not isinstance(c, Column) or c.dtype.kind != "M":
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
        if not isinstance(c, Column):
            return self._in_pandas("isocalendar")()
        valid = ~c.missing() if c.has_missing() else None
        types = (pandas.Int32Dtype(), pandas.UInt32Dtype(), pandas.UInt32Dtype())
        parts = zip(isocalendar(c.values), types)
        columns = [Column(_core.Column.plain(part.astype(t.numpy_dtype), valid), t) for part, t in parts]
        return _classes.DataFrame._new(columns, pandas.Index(["year", "week", "day"]), self._series._index)


# members that pandas has for some of these types only
_OF_SOME = frozenset(
    name
    for name in vars(TimeProperties)
    if not name.startswith("_")
    and {hasattr(getattr(accessors, f"{k}Properties"), name) for k in ("Datetime", "Timedelta", "Period")}
    == {True, False}
)


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
            codes = codes_of(column)
            counts = _core.to_numpy(bc.bincount(codes[codes >= 0], minlength=len(kinds)))
            used = np.flatnonzero(counts)
        found = getattr(pandas.Categorical.from_codes(used, dtype=column.dtype), name)(*args, **kwargs)
        numbers = np.full(len(kinds) + 1, -1, dtype=np.int64)  # the last entry is for missing values
        numbers[used] = found.codes
        return unnoted(self._series._like(categories(by_table(codes_of(column), numbers), found.dtype)))

    method.__name__, method.__qualname__ = name, f"CategoryMethods.{name}"
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


def _is_time(c: AnyColumn) -> bool:
    return isinstance(c.dtype, np.dtype) and c.dtype.kind in "mM"


def _has_texts(c: AnyColumn) -> bool:
    """Whether pandas' `.str` takes the values: strings, objects with strings among them, or categories of those."""
    if c.is_text or isinstance(c, Lists) or isinstance(c, Column):
        return c.is_text or isinstance(c, Lists)
    values = c.dtype.categories if isinstance(c.dtype, pandas.CategoricalDtype) else c.array
    kind = pandas.api.types.infer_dtype(values, skipna=True)
    if kind not in ("string", "empty", "bytes", "mixed", "mixed-integer"):
        raise AttributeError(f"Can only use .str accessor with string values, not {kind}")
    return True


class SeriesAccessors:
    """The accessors of series."""

    dt = _accessor(TimeProperties, _is_time)
    str = _accessor(TextMethods, _has_texts)
    cat = _accessor(
        CategoryMethods, lambda c: isinstance(c, HostColumn) and isinstance(c.dtype, pandas.CategoricalDtype)
    )


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
        told_by_freq = name.endswith(("_start", "_end")) and not isinstance(self._freq, (type(None), *FIXED))
        if not isinstance(c, Column) or told_by_freq:  # a year of business days, or one from April on
            reason = "a frequency that says where years begin" if told_by_freq else "values of a type of pandas'"
            return _fallback.run(f"{type(self).__name__}.{name}", reason, getattr, self, name)
        deprecations.of_field(type(self).__name__, pandas.DatetimeIndex, name)
        values = field(c.values, name, c.has_missing())
        return values if values.dtype == bool else _indexes.from_column(plain(values), self.name)

    return property(read)


for _kind, _fields in ((_indexes.DatetimeIndex, DATE_FIELDS), (_indexes.TimedeltaIndex, DURATION_FIELDS)):
    for _name in _fields:
        setattr(_kind, _name, _label_field(_name))


def to_datetime(
    arg: Any, errors: str = "raise", dayfirst: bool = False, yearfirst: bool = False, utc: bool = False, format: str | None = None, exact: Any = pandas.api.extensions.no_default,
    unit: str | None = None, origin: Any = "unix", cache: bool = True,
) -> Any:  # fmt: skip
    """Convert strings, numbers or columns of year, month and day to datetimes.

    Parameters
    ----------
    arg : Series, Index, DataFrame, scalar or array-like
    errors, dayfirst, yearfirst, utc, format, exact, unit, origin, cache
        As pandas'. Each distinct string is parsed once.

    Returns
    -------
    Series, DatetimeIndex or Timestamp, as pandas'
    """

    asked = dict(
        errors=errors,
        dayfirst=dayfirst,
        yearfirst=yearfirst,
        utc=utc,
        format=format,
        unit=unit,
        origin=origin,
        cache=cache,
    )
    if exact is not pandas.api.extensions.no_default:
        asked["exact"] = exact
    if isinstance(arg, _classes.Series):
        c = arg._column
        if _is_time(c) and c.dtype.kind == "M" and not utc:
            return arg.copy()
        if c.is_text:
            plainly = errors == "raise" and not (dayfirst or yearfirst or utc) and unit is None and origin == "unix"
            made = None if not plainly or "exact" in asked else iso_dates(c) if format is None else dates_by(c, format)
            if made is not None:
                return arg._like(made)
            core = c.core.encoded()
            if core is None:
                return _in_pandas_to_datetime(arg, asked, "strings that are not ISO 8601 dates")
            # the first string decides the format: it has to be that of the first row
            first = c.item(0) if len(c) else None
            if format is None and len(c) and (first is None or pandas.isna(first)):
                return _in_pandas_to_datetime(arg, asked, "a first row without a format")
            with _fallback.in_pandas("pandas.to_datetime", "strings that are not ISO 8601 dates", arg._device()):
                texts = pandas.Series(Column(core.dictionary, c.dtype).to_pandas_array(), copy=False)
                if format is None and first is not None:
                    order = np.r_[texts.searchsorted(first), np.arange(len(texts))]
                    found = pandas.to_datetime(texts.iloc[order], **asked).iloc[1:]
                else:
                    found = pandas.to_datetime(texts, **asked)
            if isinstance(found.dtype, np.dtype) and found.dtype.kind == "M":
                return arg._like(
                    from_pandas_object(found).take(
                        _core.astype(core.values, np.dtype(np.int64), False, "K"), core.has_missing()
                    )
                )
    if (
        type(arg) is list
        and errors == "raise"
        and not (dayfirst or yearfirst or utc)
        and format is None
        and unit is None
    ):
        made = iso_dates_of(arg) if origin == "unix" and "exact" not in asked else None
        if made is not None:
            return _indexes.from_column(made)
    if isinstance(arg, (str, int, float, np.generic)):  # one value, as pandas' scalar
        return _one_time(arg, asked)
    made = _from_parts(arg) if errors == "raise" and not utc and format is None else None
    if made is not None:
        return made
    return _in_pandas_to_datetime(arg, asked, "not implemented natively")


def _from_parts(frame: Any) -> Any:
    """Timestamps of a frame's columns year, month and day; None if the columns are others or not of integers."""

    if not isinstance(frame, _classes.DataFrame) or sorted(map(str, frame._names)) != ["day", "month", "year"]:
        return None
    parts = [frame[name]._column for name in ("year", "month", "day")]
    if any(not isinstance(c, Column) or c.dtype not in (np.int64, np.int32) for c in parts):
        return None
    values = from_civil(*(c.values.astype(np.dtype(np.int64), copy=False) for c in parts))
    return None if values is None else frame[frame._names[0]]._like(plain(values)).rename(None)


def _one_time(arg: Any, asked: dict) -> Any:
    return pandas.to_datetime(arg, **asked)


def _in_pandas_to_datetime(arg: Any, asked: dict, reason: str) -> Any:
    return _fallback.run("pandas.to_datetime", reason, pandas.to_datetime, arg, **asked)
