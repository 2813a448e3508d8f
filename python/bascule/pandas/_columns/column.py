"""Columns, of which frames are made, and their conversion from and to pandas' arrays."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import chain
from typing import Any

import numpy as np

from ... import _core
from ..._array.conversion import host_view
from ..._array.ufuncs import rows as _ufuncs
from .._fallback import refuse_on_gpu
from .._stand_ins import STR, CategoryType
from .._theirs import follow_scalars, is_loaded, pandas, pyarrow
from .any_kind import AnyKind, is_missing_scalar
from .arrow_bits import are_valid
from .dtypes import is_of_booleans, is_of_pandas

ndarray = _core.ndarray
Core = _core.Column
_select = _ufuncs["where"]["ufunc"]


@follow_scalars
def _set_scalars() -> None:
    stamp, length = pandas.Timestamp, pandas.Timedelta
    _core.set_pandas_scalars(stamp, length, pandas.NaT, stamp._from_value_and_reso, length._from_value_and_reso)


_INT64 = np.dtype(np.int64)
UNITS = ("s", "ms", "us", "ns")  # from the longest to the shortest
RESOLUTIONS = {"s": 7, "ms": 8, "us": 9, "ns": 10}  # pandas' numbers of them
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


def from_pandas_object(x: pandas.Series | pandas.Index, owner: Any = None) -> AnyColumn:
    """The column of a series or index, over its memory; an `owner` of the memory is kept alive as long as the column."""
    return from_pandas_array(x.array if is_of_pandas(x.dtype) else x.to_numpy(), owner=owner)


def has_own_form(dtype: Any) -> bool:
    """Whether columns of a dtype are stored in bascule's arrays; the others are kept as pandas' arrays."""
    kind = Column.kinds.get(type(dtype)) or Column.kinds.get(type(dtype).__name__)
    return kind is not None and kind.stores(dtype)  # type: ignore[attr-defined]


class Column(AnyKind):
    """Values of one type in bascule's memory. An instance is of the subclass of its kind, by its dtype.

    Attributes
    ----------
    core : Column of the C++ library
    dtype : numpy.dtype or pandas' StringDtype, Int64Dtype, ...
        Type as pandas names it. In NumPy's types, NaN and NaT are missing; in the others, `core.valid` marks missing values.
    """

    __slots__ = ("__weakref__", "_elements", "core", "dtype")
    kinds: dict[type | str, type] = {}  # the class by that of the dtype; kinds.numpys and kinds.pandas_types enter them

    def __init__(self, core: Any, dtype: Any):
        self.core, self.dtype = core, dtype
        self.__class__ = self._classes[type(dtype)]

    def __len__(self) -> int:
        return len(self.core)

    @staticmethod
    def stores(dtype: Any) -> bool:
        """Whether the memory is bascule's for a type of the kind."""
        return True

    @staticmethod
    def of_array(a: Any, copy: bool, owner: Any) -> Column:
        """The column of an array of NumPy or pandas, over its memory unless `copy`."""
        values = np.asarray(a)
        return plain(_core.from_numpy(values) if copy else adopt(_held(values, owner)))

    @property
    def values(self) -> ndarray:
        """The elements as an array; for strings, the bytes or the codes."""
        return self.core.values

    @property
    def device(self) -> str:
        return self.core.device

    @property
    def nbytes(self) -> int:
        """Bytes of the values, as pandas counts them."""
        return len(self) * self.values.dtype.itemsize

    @property
    def moved_bytes(self) -> int | None:
        return None if self.core.valid is not None else self.values.itemsize

    def memory(self, deep: bool) -> int:
        """Bytes that pandas keeps for the values."""
        return self.nbytes

    def take(self, positions: ndarray, nulls: bool = False) -> AnyColumn:
        """Rows at int64 positions; with `holes`, negative ones are missing rows."""
        return Column(self.core.take(positions, nulls), self.dtype)

    def filter(self, mask: ndarray) -> Column:
        """Rows where a boolean array is true."""
        return Column(self.core.filter(mask), self.dtype)

    def slice(self, start: int, step: int, count: int) -> Column:
        return Column(self.core.slice(start, step, count), self.dtype)

    def equals(self, other: Column) -> bool:
        """Whether a column of the same type has equal values; missing values are equal to each other."""
        if len(self) == 0:
            return True
        equal = self._equal_rows(other)
        lack, lacks = self.missing(), other.missing()
        return bool(((equal & ~lack & ~lacks) | (lack & lacks)).all())

    def _equal_rows(self, other: Column) -> ndarray:
        return self.values == other.values

    def missing(self) -> ndarray:
        """Boolean array: which rows are missing."""
        return self.core.missing()

    def has_missing(self) -> bool:
        return self.core.has_missing()

    def own(self, why: str = "") -> Column:
        return self

    arrays = property(lambda self: [self.values])  # type: ignore[assignment]

    def whole(self, dtype: str) -> ndarray:
        return self.values

    def boxed_values(self) -> list[Any]:
        return self.objects()

    def as_range(self) -> tuple[int, int, int] | None:
        return _core.range_of(self.core)

    def key(self) -> Column:
        return self

    def missing_rows(self, count: int) -> ndarray | None:
        return None

    def nullable(self) -> Column:
        return self

    def or_missing(self, mask: ndarray) -> Column:
        """Rows where a boolean array is true; the others are missing."""
        values, nothing = self.with_room()
        return plain(_select(mask, values, nothing))

    def or_scalar(self, mask: ndarray, value: Any) -> Column:
        """Rows where a boolean array is true; the others have a value that fits."""
        return plain(_select(mask, self.values, value))

    def or_rows(self, mask: ndarray, other: Column) -> Column:
        """Rows where a boolean array is true, and those of another column of the type where it is false."""
        return plain(_select(mask, self.values, other.values))

    def put(self, rows: Any, x: Any) -> Column:
        if is_missing_scalar(x):
            self.refuse_missing(x)
            return self.put_missing(rows)
        return self._put_value(rows, self.fitting(self.parsed(x) if isinstance(x, str) else x))

    def put_missing(self, rows: Any) -> Column:
        """The column with some rows missing."""
        values, nothing = self.with_room()
        return plain(values)._put_value(rows, nothing)

    def _put_value(self, rows: Any, value: Any) -> Column:
        if rows.at.dtype == bool:
            return Column(Core.plain(_select(rows.at, value, self.values)), self.dtype)
        made = self.values.copy()
        made[rows.at] = value
        return Column(Core.plain(made), self.dtype)

    def put_rows(self, rows: Any, given: AnyColumn) -> Column:
        there = given.uncategorized().own()
        return self._put_values(rows, there if there.dtype == self.dtype else self.in_type(there))

    def _put_values(self, rows: Any, values: Column) -> Column:
        made = self.values.copy()
        made[rows.positions] = values.values
        return Column(Core.plain(made, self.core.valid), self.dtype)

    def one(self, value: Any) -> Column:
        """A column of one value that fits."""
        made = np.asarray([value], dtype=self.values.dtype)
        return Column(Core.plain(_core.from_numpy(made, self.device)), self.dtype)

    def of_core(self, core: Any) -> Column:
        """A column of other values of the kind."""
        return Column(core, core.values.dtype)

    def sought_in(self, c: AnyColumn) -> Column | None:
        return self if self.dtype == c.dtype else c.sought(self)

    def equal_to_each(self, sought: Column) -> list[ndarray]:
        """For each of a few values, which rows are equal to it."""
        return [self.values == x for x in _core.to_numpy(sought.values)]

    def with_values(self, values: ndarray) -> Column:
        """A column of other values with the same missing rows."""
        return Column(
            Core.plain(values, self.core.valid), self.dtype if values.dtype == self.values.dtype else values.dtype
        )

    def to_numpy(self) -> np.ndarray:
        """The values in a NumPy array of their own; strings, and integers with missing values, as objects."""
        return _core.to_numpy(self.values)

    def to_pandas_array(self) -> Any:
        """A copy as pandas stores it, with the values that pandas keeps under its mask, since its operations may read them."""
        return _core.to_numpy(self.values)

    def to_arrow(self) -> pyarrow.Array:
        """The column as an Arrow array, which shares the memory of strings and of NumPy's types: no write changes it."""
        shares = self.is_plain() and self.device == "cpu"
        return pyarrow.array(host_view(self.values) if shares else self.to_pandas_array(), from_pandas=True)

    _na: Any = None  # the value of missing rows among objects; None where the elements have their own

    def _objects(self) -> Any:
        """The converter of values to Python objects, made once. Values on another device are copied to the host before."""
        core = self.core if self.device == "cpu" else moved_core(self.core, "cpu")
        made = _core.Elements(core, self._na)
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

    def iterated(self, scalars: bool = True) -> Iterator[Any]:
        """The values one by one, as pandas' iteration returns them; masked numbers are NumPy's with `scalars`."""
        n = len(self)
        if n <= _BATCH:
            return iter(self.objects(scalars=scalars))
        return chain.from_iterable(self.objects(i, min(i + _BATCH, n), scalars) for i in range(0, n, _BATCH))

    def objects(self, start: int = 0, stop: int | None = None, scalars: bool = False) -> list[Any]:
        """Some of the values as Python's objects and pandas' scalars; with `scalars`, masked numbers are NumPy's."""
        made = getattr(self, "_elements", None)
        stop = len(self) if stop is None else stop
        return (self._objects() if made is None else made).batch(start, stop, scalars and self.is_masked)


def moved_core(core: Any, device: str) -> Any:
    """A column of the C++ library, copied to the memory of a device."""
    if core.is_text:
        core = core.decoded()
    parts = (core.values, core.offsets, core.valid) if core.is_text else (core.values, core.valid)
    there = [None if a is None else _core.from_numpy(_core.to_numpy(a), device) for a in parts]
    return Core.text(*there, known=True) if core.is_text else Core.plain(*there)


class HostColumn(AnyKind):
    """Values that only pandas has a type for (objects, categories, time zones, ...), kept as its array.

    pandas moves and selects the rows; operations that compute with the values fall back to pandas.
    """

    __slots__ = ("array",)
    labels_kept, has_core, written_as = "in pandas", False, "by_pandas"
    kinds: dict[type | str, type] = {}

    @property
    def selects_rows(self) -> bool:  # type: ignore[override]
        return is_of_booleans(self.dtype)

    def booleans(self) -> ndarray | None:
        return _core.from_numpy(self.array.to_numpy(bool, na_value=False)) if self.selects_rows else None

    def __init__(self, array: Any):
        self.array = array
        self.__class__ = self._classes[type(array.dtype)]

    @classmethod
    def of_array(cls, a: Any, copy: bool, owner: Any) -> HostColumn:
        """The column of an array of one of pandas' types, with its integers on the default device."""
        return cls._placed(a.copy() if copy else a, _core.get_default_device())

    @staticmethod
    def _placed(a: Any, device: str) -> HostColumn:
        return HostColumn(a)

    def __len__(self) -> int:
        return len(self.array)

    dtype = property(lambda self: self.array.dtype)
    device = "cpu"
    nbytes = property(lambda self: self.array.nbytes)

    def take(self, positions: ndarray, nulls: bool = False) -> HostColumn:
        if positions.device.startswith("cuda"):
            return in_positions(self, positions)
        p = _core.to_numpy(positions)
        if isinstance(self.array, pandas.api.extensions.ExtensionArray):
            return HostColumn(self.array.take(p, allow_fill=nulls))
        if self.array.dtype == object:
            if not nulls:
                return HostColumn(self.array[p])
            taken, there = np.full(len(p), np.nan, object), p >= 0
            taken[there] = self.array[p[there]]
            return HostColumn(taken)
        return HostColumn(pandas.api.extensions.take(self.array, p, allow_fill=nulls))

    def equals(self, other: HostColumn) -> bool:
        """Whether a column of the same type has equal values; missing values are equal to each other."""
        return (
            bool(pandas.core.dtypes.missing.array_equivalent(self.array, other.array, dtype_equal=True))
            if isinstance(self.array, np.ndarray)
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

    def stored(self) -> Any:
        """pandas' array of the values, which is created where they are integers on a device."""
        return self.array

    def item(self, i: int) -> Any:
        return self.array[i]

    def memory(self, deep: bool) -> int:
        """Bytes of the values; with `deep`, Python's objects are included."""
        return self.array.memory_usage(deep=deep) if hasattr(self.array, "memory_usage") else self.array.nbytes

    def iterated(self, scalars: bool = True) -> Iterator[Any]:
        return iter(self.array.tolist() if isinstance(self.array, np.ndarray) else self.array)

    def objects(self, start: int = 0, stop: int | None = None, scalars: bool = False) -> list[Any]:
        """Some of the values as Python's objects and pandas' scalars."""
        there = self.array[start:stop]
        return list(there) if scalars and not isinstance(there, np.ndarray) else there.tolist()


AnyColumn = Column | HostColumn


def class_of(dtype: Any) -> type:
    """The class of the columns of a type."""
    return (Column if has_own_form(dtype) else HostColumn)._classes[type(dtype)]


class OnDevice(HostColumn):
    """A column of one of pandas' types, as integers on a device; values are only gathered on the host on request."""

    __slots__ = ("_dtype", "numbers")
    _with: Callable[[ndarray], Any]  # a column of the same class over other rows

    def __init__(self, numbers: ndarray, dtype: Any):
        self.numbers, self._dtype = numbers, dtype
        self.__class__ = self._classes[type(dtype)]

    def __len__(self) -> int:
        return len(self.numbers)

    dtype = property(lambda self: self._dtype)
    device = property(lambda self: self.numbers.device)  # type: ignore[assignment]
    nbytes = property(lambda self: self.numbers.nbytes)
    arrays = property(lambda self: [self.numbers])  # type: ignore[assignment]

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

    def stored(self) -> Any:
        return self.to_pandas_array()

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
    entries : array of NumPy or pandas
    """

    __slots__ = ("entries",)

    def __init__(self, numbers: ndarray, entries: Any, dtype: Any):
        super().__init__(numbers, dtype)
        self.entries = entries

    def _with(self, numbers: ndarray) -> Numbered:
        return Numbered(numbers, self.entries, self._dtype)

    def take(self, positions: ndarray, nulls: bool = False) -> Numbered:
        if nulls:  # a missing row takes the code -1 that is appended
            longer = _core.concat_columns([Core.plain(self.numbers), Core.plain(_one(-1, self.device))])
            positions = _select(positions < 0, len(self), positions)
            return self._with(longer.take(positions, False).values)
        return self._with(Core.plain(self.numbers).take(positions, False).values)

    def missing(self) -> ndarray:
        return by_table(self.numbers, np.append(np.asarray(pandas.isna(self.entries)), True))

    def to_pandas_array(self) -> Any:
        return pandas.api.extensions.take(self.entries, _core.to_numpy(self.numbers), allow_fill=True)


class Timestamps(OnDevice):
    """Timezone-aware timestamps, stored as timestamps in UTC."""

    __slots__ = ()

    def _with(self, numbers: ndarray) -> Timestamps:
        return Timestamps(numbers, self._dtype)

    def take(self, positions: ndarray, nulls: bool = False) -> Timestamps:
        return self._with(Core.plain(self.numbers).take(positions, nulls).values)

    def missing(self) -> ndarray:
        return Core.plain(self.numbers).missing()

    def to_pandas_array(self) -> Any:
        return pandas.core.arrays.DatetimeArray._simple_new(_core.to_numpy(self.numbers), dtype=self._dtype)


def _one(value: int, device: str) -> ndarray:
    return _core.full((1,), value, _INT64, device)


def categories(numbers: ndarray, dtype: Any) -> HostColumn:
    """The categories of a type by their codes, -1 where missing, on the device of the codes."""
    if numbers.device.startswith("cuda"):
        return Numbered(numbers, dtype.categories.array, dtype)
    if type(dtype) is CategoryType:
        return Numbered(numbers, None, dtype)
    return HostColumn(pandas.Categorical.from_codes(_core.to_numpy(numbers), dtype=dtype))


def in_positions(c: HostColumn, positions: ndarray) -> Numbered:
    """Rows of an array on the host, selected on a device; rows at -1 are missing."""
    return Numbered(positions, c.array, c.dtype)


def by_table(numbers: ndarray, table: np.ndarray) -> ndarray:
    """The entry of a table for each row's number; its last entry is for -1, which is missing."""
    there = _core.from_numpy(np.ascontiguousarray(table), numbers.device)
    return _core.take(there, _select(numbers < 0, len(table) - 1, numbers), 0)


def in_zone(values: ndarray, tz: Any) -> HostColumn:
    """Timestamps in UTC as timestamps of a time zone."""
    dtype = pandas.DatetimeTZDtype(np.datetime_data(values.dtype)[0], tz)
    if values.device.startswith("cuda") or not is_loaded():
        return Timestamps(values, dtype)
    return HostColumn(pandas.core.arrays.DatetimeArray._simple_new(_core.to_numpy(values), dtype=dtype))


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


def positions(n: int, device: str) -> ndarray:
    """0, 1, ..., n - 1."""
    return _core.arange(0, 1, n, _INT64, device)


def plain(values: ndarray) -> Column:
    """A column of the elements of a one-dimensional array."""
    return Column(Core.plain(values), values.dtype)


def text_of(values: Any, dtype: Any = STR, device: str | None = None) -> Column:
    """A column of strings and missing values; TypeError for others, UnicodeEncodeError where they are not Unicode."""
    return Column(Core.text(*_core.encoded_text(values, device)), dtype)


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
    there = offsets is not None and offsets.size
    o = np.frombuffer(offsets, np.int64, n + 1, 8 * a.offset) if there else np.zeros(1, np.int64)
    d = np.frombuffer(data, np.uint8) if data is not None and data.size else np.zeros(0, np.uint8)
    valid = _core.from_numpy(are_valid(a), device) if a.null_count else None
    to = device or _core.get_default_device()
    known = to.startswith("cuda") and o[0] >= 0 and o[-1] <= len(d) and bool((o[1:] >= o[:-1]).all())
    return Column(Core.text(adopt(d, device), adopt(o, device), valid, known), dtype)


def from_pandas_array(a: Any, copy: bool = False, owner: Any = None) -> AnyColumn:
    """The column of an array of NumPy or pandas; memory is shared, and `owner` kept alive, unless `copy`."""
    return class_of(a.dtype).of_array(a, copy, owner)  # type: ignore[attr-defined]


def to_extension_array(c: AnyColumn) -> Any:
    """The values of a column as pandas' extension array."""
    values = c.to_pandas_array()
    return pandas.array(values) if isinstance(values, np.ndarray) else values
