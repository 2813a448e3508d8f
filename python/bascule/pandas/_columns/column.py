"""Columns, of which frames are made, and their conversion from and to pandas' arrays."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import chain
from typing import Any

import numpy as np
import pandas
import pyarrow
from pandas._libs.lib import memory_usage_of_objects
from pandas._libs.tslibs import ints_to_pydatetime, ints_to_pytimedelta
from pandas.core.arrays import DatetimeArray
from pandas.core.dtypes.missing import array_equivalent

from ... import _core
from ..._array.conversion import host_view
from ..._array.ufuncs import rows as _ufuncs
from .._fallback import in_pandas, refuse_on_gpu
from .time_limits import cast

ndarray = _core.ndarray
Core = _core.Column
_select = _ufuncs["where"]["ufunc"]

_core.set_pandas_scalars(
    pandas.Timestamp,
    pandas.Timedelta,
    pandas.NaT,
    pandas.Timestamp._from_value_and_reso,
    pandas.Timedelta._from_value_and_reso,
)
STR = pandas.StringDtype(na_value=np.nan)  # pandas' default type of strings
_INT64 = np.dtype(np.int64)
_MASKED = (pandas.core.dtypes.dtypes.BaseMaskedDtype,)
UNITS = ("s", "ms", "us", "ns")  # from the longest to the shortest
_RESOLUTIONS = {"s": 7, "ms": 8, "us": 9, "ns": 10}  # pandas' numbers of them
_BATCH = 4096  # rows that iteration converts to objects at a time


def adopt(x: np.ndarray, device: str | None = None) -> ndarray:
    """An array over the memory of a NumPy array that is never written to: shared on the CPU, where operations may defer."""
    where = device or _core.get_default_device()
    if where.startswith("cuda"):
        return _core.from_numpy(x, where)
    a = _core.from_numpy(x, where, True)
    _core.set_writeable(a, False)
    _core.end_export(a)
    return a


class _Held(np.ndarray):
    """Memory of pandas, with a reference to the pandas object, so that pandas copies before it writes."""

    owner: Any = None


def _held(x: np.ndarray, owner: Any) -> np.ndarray:
    if owner is None:
        return x
    there = x.view(_Held)
    there.owner = owner
    return there


def is_numeric(c: AnyColumn) -> bool:
    """Whether numeric_only keeps a column."""
    dtype = c.dtype
    return dtype.kind in "biufc" if isinstance(dtype, np.dtype) else bool(getattr(dtype, "_is_numeric", False))


def whole(c: Column, dtype: str) -> ndarray:
    """The elements of a column as an array of a type; ValueError where some are masked."""
    if c.is_masked and c.has_missing():
        raise ValueError(
            f"cannot convert to '{dtype}'-dtype NumPy array with missing values. Specify an appropriate 'na_value' for this dtype."
        )
    return c.values


def from_pandas_object(x: pandas.Series | pandas.Index, owner: Any = None) -> AnyColumn:
    """The column of a series or index, over its memory; an `owner` of the memory is kept alive as long as the column."""
    return from_pandas_array(x.array if not isinstance(x.dtype, np.dtype) else x.to_numpy(), owner=owner)


def has_own_form(dtype: Any) -> bool:
    """Whether columns of a dtype are stored in bascule's arrays; the others are kept as pandas' arrays."""
    if isinstance(dtype, np.dtype):
        return (
            dtype.kind in "biuf"
            and dtype.itemsize <= 8
            or (dtype.kind in "mM" and np.datetime_data(dtype) in [(u, 1) for u in UNITS])
        )
    return isinstance(dtype, (pandas.StringDtype, *_MASKED))


class Column:
    """Values of one type in bascule's memory.

    Attributes
    ----------
    core : Column of the C++ library
    dtype : numpy.dtype or pandas' StringDtype, Int64Dtype, ...
        Type as pandas names it. In NumPy's types, NaN and NaT are missing; in the others, `core.valid` marks missing values.
    """

    __slots__ = ("__weakref__", "_elements", "core", "dtype")

    def __init__(self, core: Any, dtype: Any):
        self.core, self.dtype = core, dtype

    def __len__(self) -> int:
        return len(self.core)

    @property
    def values(self) -> ndarray:
        """The elements as an array; for strings, the bytes or the codes."""
        return self.core.values

    @property
    def is_text(self) -> bool:
        return self.core.is_text

    @property
    def is_masked(self) -> bool:
        """Whether missing rows are NA rather than NaN or NaT."""
        return isinstance(self.dtype, _MASKED) or (self.is_text and self.dtype.na_value is pandas.NA)

    @property
    def device(self) -> str:
        return self.core.device

    def take(self, positions: ndarray, holes: bool = False) -> AnyColumn:
        """Rows at int64 positions; with `holes`, negative ones are missing rows."""
        here = self.core
        if holes and not self.is_text and self.dtype.kind in "biu":
            holes = len(positions) > 0 and int(positions.min()) < 0  # the type changes only if a row is missing
        if holes and self.is_masked and not self.is_text and here.valid is None:  # missing rows are NA, not NaN
            here = Core.plain(here.values, ~here.missing())
        core = here.take(positions, holes)
        if not holes or self.is_text or self.dtype.kind not in "biu" or self.is_masked:
            return Column(core, self.dtype)
        if self.dtype.kind == "b":
            if not core.has_missing():
                return Column(Core.plain(core.values), self.dtype)
            return bools_and_nothing(core)
        return Column(core, core.values.dtype)

    def filter(self, mask: ndarray) -> Column:
        """Rows where a boolean array is true."""
        return Column(self.core.filter(mask), self.dtype)

    def slice(self, start: int, step: int, count: int) -> Column:
        return Column(self.core.slice(start, step, count), self.dtype)

    def missing(self) -> ndarray:
        """Boolean array: which rows are missing."""
        return self.core.missing()

    def has_missing(self) -> bool:
        return self.core.has_missing()

    def with_values(self, values: ndarray) -> Column:
        """A column of other values with the same missing rows."""
        return Column(
            Core.plain(values, self.core.valid), self.dtype if values.dtype == self.values.dtype else values.dtype
        )

    def to_numpy(self) -> np.ndarray:
        """The values in a NumPy array of their own; strings, and integers with missing values, as objects."""
        if self.is_text:
            return self._objects().into(np.empty(len(self), dtype=object))
        if self.is_masked:
            return self.to_pandas_array().to_numpy()
        return _core.to_numpy(self.values)

    def to_pandas_array(self) -> Any:
        """A copy as pandas stores it, with the values that pandas keeps under its mask, since its operations may read them."""
        if self.is_text:
            return self.dtype.__from_arrow__(self.to_arrow())
        values = _core.to_numpy(self.values)
        if not self.is_masked:
            return values
        mask = ~_core.to_numpy(self.core.valid) if self.core.valid is not None else np.zeros(len(values), bool)
        if self.core.valid is not None:
            values[mask] = {"b": False, "f": np.nan}.get(values.dtype.kind, 1)
        return self.dtype.construct_array_type()(values, mask)

    def to_arrow(self) -> pyarrow.Array:
        """The column as an Arrow array; strings share their memory."""
        if not self.is_text:
            return pyarrow.array(self.to_pandas_array(), from_pandas=True)
        core = self.core.decoded()
        valid = None if core.valid is None else _packed(_core.to_numpy(core.valid))
        buffers = [
            valid,
            pyarrow.py_buffer(np.ascontiguousarray(_on_host(core.offsets))),
            pyarrow.py_buffer(_on_host(core.values)),
        ]
        return pyarrow.Array.from_buffers(pyarrow.large_string(), len(core), buffers)

    def _objects(self) -> Any:
        """The converter of values to Python objects, made once. Values on another device are copied to the host before."""
        core = self.core if self.device == "cpu" else moved_core(self.core, "cpu")
        made = _core.Elements(core, None if isinstance(self.dtype, np.dtype) else self.dtype.na_value)
        self._elements = made
        return made

    def item(self, i: int) -> Any:
        """One value as pandas returns it: a NumPy scalar, Timestamp, Timedelta, str, NaN, NaT or NA."""
        made = getattr(self, "_elements", None)
        if made is None:
            if self.device != "cpu":
                return Column(moved_core(self.core.slice(i, 1, 1), "cpu"), self.dtype).item(0)
            made = self._objects()
        return made.item(i)

    def objects(self, start: int = 0, stop: int | None = None, scalars: bool = False) -> list[Any]:
        """Some of the values as Python's objects and pandas' scalars; with `scalars`, masked numbers are NumPy's."""
        stop = len(self) if stop is None else stop
        if not self.is_text and isinstance(self.dtype, np.dtype) and self.dtype.kind in "mM":
            there = _core.to_numpy(self.core.slice(start, 1, stop - start).values)
            if self.dtype.kind == "m":
                return ints_to_pytimedelta(there, box=True).tolist()
            unit = _RESOLUTIONS[np.datetime_data(self.dtype)[0]]
            return ints_to_pydatetime(there.view(_INT64), None, "timestamp", unit).tolist()
        made = getattr(self, "_elements", None)
        return (self._objects() if made is None else made).batch(start, stop, scalars and self.is_masked)


def moved_core(core: Any, device: str) -> Any:
    """A column of the C++ library, copied to the memory of a device."""
    if core.is_text:
        core = core.decoded()
    parts = (core.values, core.offsets, core.valid) if core.is_text else (core.values, core.valid)
    there = [None if a is None else _core.from_numpy(_core.to_numpy(a), device) for a in parts]
    return Core.text(*there) if core.is_text else Core.plain(*there)


def iterated(c: AnyColumn, scalars: bool = True) -> Iterator[Any]:
    """The values one by one, as pandas' iteration returns them; masked numbers are NumPy's with `scalars`."""
    if isinstance(c, HostColumn):
        if not scalars and isinstance(c.array, pandas.Categorical) and c.dtype.categories.dtype.kind in "iufb":
            return iter(np.asarray(c.array).tolist())  # integers become floats where values are missing
        known = isinstance(c.array, (np.ndarray, pandas.Categorical))
        return iter(c.objects(scalars=True)) if known else iter(c.array)
    n = len(c)
    if n <= _BATCH:
        return iter(c.objects(scalars=scalars))
    return chain.from_iterable(c.objects(i, min(i + _BATCH, n), scalars) for i in range(0, n, _BATCH))


class HostColumn:
    """Values that only pandas has a type for (objects, categories, time zones, ...), kept as its array.

    pandas moves and selects the rows; operations that compute with the values fall back to pandas.
    """

    __slots__ = ("array",)

    def __init__(self, array: Any):
        self.array = array

    def __len__(self) -> int:
        return len(self.array)

    dtype = property(lambda self: self.array.dtype)
    is_text = is_masked = False
    device = "cpu"

    def take(self, positions: ndarray, holes: bool = False) -> HostColumn:
        if positions.device.startswith("cuda"):
            return in_places(self, positions)
        p = _core.to_numpy(positions)
        if isinstance(self.array, pandas.api.extensions.ExtensionArray):
            return HostColumn(self.array.take(p, allow_fill=holes))
        return HostColumn(pandas.api.extensions.take(self.array, p, allow_fill=holes))

    def equals(self, other: HostColumn) -> bool:
        """Whether a column of the same type has equal values; missing values are equal to each other."""
        return (
            bool(array_equivalent(self.array, other.array, dtype_equal=True))
            if self.dtype == object
            else self.array.equals(other.array)
        )

    def filter(self, mask: ndarray) -> HostColumn:
        if mask.device.startswith("cuda"):
            return self.take(_core.nonzero(mask)[0])
        return HostColumn(self.array[_core.to_numpy(mask)])

    def slice(self, start: int, step: int, count: int) -> HostColumn:
        stop = start + step * count
        return HostColumn(self.array[slice(start, None if stop < 0 else stop, step)])

    def missing(self) -> ndarray:
        return _core.from_numpy(np.asarray(pandas.isna(self.array)))

    def has_missing(self) -> bool:
        return bool(pandas.isna(self.array).any())

    def to_numpy(self) -> np.ndarray:
        return np.array(self.array)

    def to_pandas_array(self) -> Any:
        return self.array.copy()

    def to_arrow(self) -> pyarrow.Array:
        return pyarrow.array(self.array, from_pandas=True)

    def item(self, i: int) -> Any:
        return self.array[i]

    def memory(self, deep: bool) -> int:
        """Bytes of the values; with `deep`, Python's objects are included."""
        if hasattr(self.array, "memory_usage"):
            return self.array.memory_usage(deep=deep)
        return self.array.nbytes + (memory_usage_of_objects(self.array) if deep and self.dtype == object else 0)

    def objects(self, start: int = 0, stop: int | None = None, scalars: bool = False) -> list[Any]:
        """Some of the values as Python's objects and pandas' scalars."""
        there = self.array[start:stop]
        if isinstance(there, pandas.Categorical) and there.dtype.categories.dtype.kind == "O":
            kinds = [*there.dtype.categories.tolist(), np.nan]  # a missing one has the code -1
            return [kinds[i] for i in there.codes.tolist()]
        return list(there) if scalars and not isinstance(there, np.ndarray) else there.tolist()


AnyColumn = Column | HostColumn


class OnDevice(HostColumn):
    """A column of one of pandas' types, as integers on a device; values are only gathered on the host on request."""

    __slots__ = ("_dtype", "numbers")
    _with: Callable[[ndarray], Any]  # a column of the same class over other rows

    def __init__(self, numbers: ndarray, dtype: Any):
        self.numbers, self._dtype = numbers, dtype

    def __len__(self) -> int:
        return len(self.numbers)

    dtype = property(lambda self: self._dtype)
    device = property(lambda self: self.numbers.device)  # type: ignore[assignment]

    @property
    def array(self) -> Any:  # type: ignore[override]
        refuse_on_gpu(f"values of type {self.dtype}", "they are looked at one by one", self.device)
        return self.to_pandas_array()

    def filter(self, mask: ndarray) -> Any:
        return self._with(Core.plain(self.numbers).filter(mask).values)

    def slice(self, start: int, step: int, count: int) -> Any:
        return self._with(Core.plain(self.numbers).slice(start, step, count).values)

    def has_missing(self) -> bool:
        return bool(self.missing().any())

    def memory(self, deep: bool) -> int:
        return self.numbers.nbytes

    def to_numpy(self) -> np.ndarray:
        return np.array(self.to_pandas_array())

    def to_arrow(self) -> pyarrow.Array:
        return pyarrow.array(self.to_pandas_array(), from_pandas=True)

    def item(self, i: int) -> Any:
        return self.slice(i, 1, 1).to_pandas_array()[0]


class Numbered(OnDevice):
    """Values by their position in an array on the host: categories, or the objects that rows were selected from.

    Attributes
    ----------
    numbers : ndarray of int64
        -1 is missing.
    kinds : array of NumPy or pandas
    """

    __slots__ = ("kinds",)

    def __init__(self, numbers: ndarray, kinds: Any, dtype: Any):
        super().__init__(numbers, dtype)
        self.kinds = kinds

    def _with(self, numbers: ndarray) -> Numbered:
        return Numbered(numbers, self.kinds, self._dtype)

    def take(self, positions: ndarray, holes: bool = False) -> Numbered:
        if holes:  # a missing row takes the code -1 that is appended
            longer = _core.concat_columns([Core.plain(self.numbers), Core.plain(_one(-1, self.device))])
            positions = _select(positions < 0, len(self), positions)
            return self._with(longer.take(positions, False).values)
        return self._with(Core.plain(self.numbers).take(positions, False).values)

    def missing(self) -> ndarray:
        if isinstance(self._dtype, pandas.CategoricalDtype):
            return self.numbers < 0
        return by_table(self.numbers, np.append(np.asarray(pandas.isna(self.kinds)), True))

    def to_pandas_array(self) -> Any:
        numbers = _core.to_numpy(self.numbers)
        if isinstance(self._dtype, pandas.CategoricalDtype):
            return pandas.Categorical.from_codes(numbers, dtype=self._dtype)
        return pandas.api.extensions.take(self.kinds, numbers, allow_fill=True)


class Moments(OnDevice):
    """Timezone-aware timestamps, stored as timestamps in UTC."""

    __slots__ = ()

    def _with(self, numbers: ndarray) -> Moments:
        return Moments(numbers, self._dtype)

    def take(self, positions: ndarray, holes: bool = False) -> Moments:
        return self._with(Core.plain(self.numbers).take(positions, holes).values)

    def missing(self) -> ndarray:
        return Core.plain(self.numbers).missing()

    def to_pandas_array(self) -> Any:
        return DatetimeArray._simple_new(_core.to_numpy(self.numbers), dtype=self._dtype)


def _one(value: int, device: str) -> ndarray:
    return _core.full((1,), value, _INT64, device)


def host_column(a: Any) -> HostColumn:
    """The column of an array of one of pandas' types, with its integers on the default device."""
    where = _core.get_default_device()
    if not where.startswith("cuda"):
        return HostColumn(a)
    if isinstance(a.dtype, pandas.CategoricalDtype):
        return categories(_core.from_numpy(np.asarray(a.codes, _INT64), where), a.dtype)
    if isinstance(a.dtype, pandas.DatetimeTZDtype):
        return Moments(_core.from_numpy(np.ascontiguousarray(a._ndarray), where), a.dtype)
    return HostColumn(a)


def categories(numbers: ndarray, dtype: Any) -> HostColumn:
    """The categories of a type by their codes, -1 where missing, on the device of the codes."""
    if numbers.device.startswith("cuda"):
        return Numbered(numbers, dtype.categories.array, dtype)
    return HostColumn(pandas.Categorical.from_codes(_core.to_numpy(numbers), dtype=dtype))


def in_places(c: HostColumn, positions: ndarray) -> Numbered:
    """Rows of an array on the host, selected on a device; rows at -1 are missing."""
    return Numbered(positions, c.array, c.dtype)


def by_table(numbers: ndarray, table: np.ndarray) -> ndarray:
    """The entry of a table for each row's number; its last entry is for -1, which is missing."""
    there = _core.from_numpy(np.ascontiguousarray(table), numbers.device)
    return _core.take(there, _select(numbers < 0, len(table) - 1, numbers), 0)


def codes_of(c: AnyColumn) -> ndarray:
    """The codes of the categories of a column, as int64."""
    return c.numbers if isinstance(c, Numbered) else _core.from_numpy(np.asarray(c.array.codes, _INT64))


def moments(c: HostColumn) -> Column:
    """The timestamps of a timezone-aware column, in UTC."""
    return plain(c.numbers if isinstance(c, Moments) else _core.from_numpy(np.ascontiguousarray(c.array._ndarray)))


def in_zone(values: ndarray, tz: Any) -> HostColumn:
    """Timestamps in UTC as timestamps of a time zone."""
    dtype = pandas.DatetimeTZDtype(np.datetime_data(values.dtype)[0], tz)
    if values.device.startswith("cuda"):
        return Moments(values, dtype)
    return HostColumn(DatetimeArray._simple_new(_core.to_numpy(values), dtype=dtype))


def bools_and_nothing(core: Any) -> HostColumn:
    """Booleans with missing values: objects, as in pandas."""
    if core.device.startswith("cuda"):
        numbers = _select(core.valid, core.values.astype(np.int64), -1)
        return Numbered(numbers, np.array([False, True], object), np.dtype(object))
    found = host_view(core.values).astype(object)
    found[~host_view(core.valid)] = np.nan
    return HostColumn(found)


def _on_host(a: ndarray) -> np.ndarray:
    """The elements of an array, without a copy if they are on the host."""
    return _core.to_numpy(a) if a.device.startswith("cuda") else host_view(a)


def _packed(valid: np.ndarray) -> pyarrow.Buffer:
    return pyarrow.py_buffer(np.packbits(valid, bitorder="little"))


def plain(values: ndarray) -> Column:
    """A column of the elements of a one-dimensional array."""
    return Column(Core.plain(values), values.dtype)


def text_from_arrow(a: Any, dtype: Any = STR, device: str | None = None) -> Column:
    """A column over the memory of Arrow strings, or of a copy of it on a device with memory of its own."""
    if isinstance(a, pyarrow.ChunkedArray):
        a = a.combine_chunks() if a.num_chunks != 1 else a.chunk(0)
    if not pyarrow.types.is_large_string(a.type):
        a = a.cast(pyarrow.large_string())
    if isinstance(a, pyarrow.ChunkedArray):
        a = a.combine_chunks()
    _, offsets, data = a.buffers()
    n = len(a)
    o = (
        np.frombuffer(offsets, np.int64, n + 1, 8 * a.offset)
        if offsets is not None and offsets.size
        else np.zeros(1, np.int64)
    )
    d = np.frombuffer(data, np.uint8) if data is not None and data.size else np.zeros(0, np.uint8)
    valid = _core.from_numpy(np.asarray(a.is_valid()), device) if a.null_count else None
    return Column(Core.text(adopt(d, device), adopt(o, device), valid), dtype)


def from_pandas_array(a: Any, copy: bool = False, owner: Any = None) -> AnyColumn:
    """The column of an array of NumPy or pandas; memory is shared, and `owner` kept alive, unless `copy`."""
    dtype = a.dtype
    if not has_own_form(dtype):
        return host_column(a.copy() if copy else a)
    if isinstance(dtype, pandas.StringDtype):
        return text_from_arrow(pyarrow.array(a, type=pyarrow.large_string(), from_pandas=True), dtype)
    if isinstance(dtype, _MASKED):
        mask = a._mask
        data = a._data
        # without a mask NaN would be missing; where values may be NA, NaN is a value
        odd = not mask.any() and data.dtype.kind == "f" and bool(np.isnan(data).any())
        valid = _core.from_numpy(~mask) if odd or mask.any() else None
        if data.dtype != dtype.numpy_dtype:  # pandas' reindex with a fill value leaves objects there
            data = np.where(mask, 0, data).astype(dtype.numpy_dtype)
        return Column(Core.plain(_core.from_numpy(data) if copy else adopt(_held(data, owner)), valid), dtype)
    values = np.asarray(a)
    return plain(_core.from_numpy(values) if copy else adopt(_held(values, owner)))


def to_extension_array(c: AnyColumn) -> Any:
    """The values of a column as pandas' extension array."""
    values = c.to_pandas_array()
    return pandas.array(values) if isinstance(values, np.ndarray) else values


def _same_categories(one: Any, other: Any) -> bool:
    """Whether codes mean the same in both types."""
    return one == other and one.categories.equals(other.categories)


def _joined_categories(parts: Sequence[AnyColumn]) -> AnyColumn:
    """Columns of one set of categories, joined by their codes."""
    codes = _core.concat_columns([Core.plain(codes_of(p)) for p in parts]).values
    return categories(codes, parts[0].dtype)


def _joined_moments(parts: Sequence[AnyColumn]) -> AnyColumn:
    """Join columns of timezone-aware timestamps of one zone and unit."""
    return in_zone(_core.concat_columns([moments(p).core for p in parts]).values, parts[0].dtype.tz)


def concat(parts: Sequence[AnyColumn]) -> AnyColumn:
    """Concatenate columns, with the type that pandas gives the result."""
    first = parts[0]
    if len(parts) == 1:
        return first
    own = all(isinstance(p, Column) for p in parts)
    if own and all(p.dtype == first.dtype for p in parts):
        return Column(_core.concat_columns([p.core for p in parts]), first.dtype)
    kinds = {p.dtype.kind for p in parts if isinstance(p.dtype, np.dtype)}
    if own and not any(p.is_masked or p.is_text for p in parts) and (kinds <= set("iuf") or len(kinds) == 1):
        dtype = np.result_type(*(p.dtype for p in parts))
        if dtype.kind in "mM":
            return Column(_core.concat_columns([Core.plain(cast(p.values, dtype)) for p in parts]), dtype)
        if kinds <= set("iuf"):
            return Column(_core.concat_columns([Core.plain(p.values.astype(dtype, copy=False)) for p in parts]), dtype)
    if isinstance(first.dtype, pandas.CategoricalDtype) and all(_same_categories(p.dtype, first.dtype) for p in parts):
        return _joined_categories(parts)
    if isinstance(first.dtype, pandas.DatetimeTZDtype) and all(p.dtype == first.dtype for p in parts):
        return _joined_moments(parts)
    where = next((p.device for p in parts if p.device != "cpu"), "cpu")
    with in_pandas("pandas.concat", "columns of types that only pandas puts together", where):
        joined = pandas.concat([pandas.Series(p.to_pandas_array(), dtype=p.dtype) for p in parts], ignore_index=True)
        return from_pandas_object(joined)
