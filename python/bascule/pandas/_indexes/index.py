"""Indexes: the labels of rows. Index, RangeIndex and MultiIndex."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from ... import _core
from ...interop.dlpack import arrow_c_stream
from .. import _classes, _fallback
from .._columns.column import AnyColumn, Column, from_pandas_object, ndarray, plain
from .._columns.concatenation import concat
from .._columns.infer import from_values
from .._fallback.as_pandas import IndexAsPandas, LevelsAsPandas, registered_with_pandas
from .._fallback.native import NotNative
from .._pickle import IndexTravel
from .._questions import is_integer
from .._stand_ins import LabelsOfRows, Names
from .._theirs import UNSET, is_loaded, own, pandas, unset
from .arguments import rows_given
from .arithmetic import IndexArithmetic
from .compare import IndexComparison
from .from_labels import are_levels, labels, typed_labels
from .levels import LevelsMade
from .lookup import IndexLookup
from .multi import MultiMethods, joined_orders, orders_of_theirs, stated_orders
from .names import IndexNames
from .ordering import IndexOrder
from .properties import IndexFacts
from .ranges import RangeMethods, joined_ranges
from .rows import IndexRows
from .search import IndexSearch
from .sets import IndexSets
from .unique import IndexDistinct

Labels = _core.Labels
_NO_POSITIONS = "only integers, slices (`:`) and integer or boolean arrays are valid indices"


def _ordered_labels(index: Any) -> Any:
    """The labels, by the numbers that order them where only pandas has their type; None where these do not order all."""
    if index._own is not None or index.nlevels > 1:
        return index._own
    found = index._columns[0].key()
    return None if found is None or found.has_missing() else _core.Labels([found.core])


@_classes.entered
class Index(
    IndexAsPandas, IndexNames, IndexDistinct, IndexArithmetic, IndexComparison, IndexLookup, IndexSearch, IndexRows, IndexOrder, IndexSets, IndexFacts,
    IndexTravel,
):  # fmt: skip
    """The labels of the rows of a frame or series; immutable, duplicates allowed.

    Parameters
    ----------
    data : array-like
        One-dimensional.
    dtype : dtype, optional
    copy : bool, optional
        As pandas': arrays of NumPy are copied unless it is False.
    name : hashable, optional
    """

    __module__ = "bascule.pandas"
    __pandas_priority__ = 2000
    __array_priority__ = 1000

    def __new__(
        cls, data: Any = None, dtype: Any = None, copy: bool | None = None, name: Any = None, tupleize_cols: bool = True
    ) -> Index:
        if isinstance(data, Index) and dtype is None:
            return data._view() if name is None else data.rename(name)
        if hasattr(data, "_column") and dtype is None:
            return from_column(data._column, data.name if name is None else name)
        if type(data) is ndarray and dtype is None and data.ndim == 1:
            return from_column(from_values(data), name)
        if isinstance(data, pandas.Index) and dtype is None:
            return from_pandas(data if name is None else data.rename(name))
        own = labels(data) if dtype is None else typed_labels(data, dtype)
        if own is not None:
            return own if name is None else own.rename(name)
        options = dict(dtype=dtype, copy=copy, name=name, tupleize_cols=tupleize_cols)
        return _fallback.run("Index", "labels of other kinds, or dtype=", pandas.Index, data, **options)

    # ---- how it lies in memory: labels of the core, or columns some of which only pandas has a type for
    _accessors: set[str] = set()  # registered ones
    _columns: list[AnyColumn]
    _names: list[Any]
    _own: Any  # core labels; None where a column is pandas'

    @classmethod
    def _make(cls, columns: Sequence[AnyColumn], names: Sequence[Any], own: Any = None) -> Any:
        self = object.__new__(cls)
        self._columns, self._names = list(columns), list(names)
        if own is None and all(c.has_core for c in columns):
            own = Labels([c.core for c in columns])
        self._own = own
        self._pandas_copy = None
        return self

    @staticmethod
    def _ensured(x: Any) -> Index:
        """Labels given by a user, as an index."""
        return ensure(x)

    @staticmethod
    def _of_columns(columns: Sequence[AnyColumn], names: Sequence[Any]) -> Index:
        """The index of one column, or of several as levels."""
        return from_column(columns[0], names[0]) if len(columns) == 1 else MultiIndex._make(columns, names)

    @staticmethod
    def _from_pandas(x: pandas.Index) -> Index:
        return from_pandas(x)

    def _device(self) -> str:
        return self._columns[0].device if self._columns else "cpu"

    def __bascule_to_pandas__(self) -> pandas.Index:
        return self.to_pandas()

    def to_pandas(self) -> pandas.Index:
        """The same labels as pandas' index; the converted parts are cached."""
        return self._there().view()

    def _there(self) -> pandas.Index:
        """The same labels as pandas' index, for reading only."""
        if self._pandas_copy is None:
            self._pandas_copy = self._to_pandas()
        return self._pandas_copy

    def _to_pandas(self) -> pandas.Index:
        c = self._columns[0]
        return pandas.Index(c.to_pandas_array(), dtype=own(c.dtype), name=self._names[0], copy=False)

    # ---- what it is
    @property
    def _column(self) -> AnyColumn:
        return self._columns[0]

    @property
    def dtype(self) -> Any:
        """The type of the labels; object for several levels."""
        return self._columns[0].dtype

    @property
    def nlevels(self) -> int:
        """The number of levels."""
        return len(self._columns)

    @property
    def shape(self) -> tuple[int]:
        """A tuple with the number of labels."""
        return (len(self),)

    @property
    def size(self) -> int:
        """The number of labels."""
        return len(self)

    @property
    def empty(self) -> bool:
        """Whether there are no labels."""
        return len(self) == 0

    ndim = property(lambda self: 1, doc="One: the number of axes.")
    hasnans = property(lambda self: self._columns[0].has_missing(), doc="Whether a label is missing.")

    def __len__(self) -> int:
        return len(self._own) if self._own is not None else len(self._columns[0])

    def __bool__(self) -> bool:
        raise ValueError(
            f"The truth value of a {type(self).__name__} is ambiguous. Use a.empty, a.item(), a.any() or a.all()."
        )

    def _asked(self, name: str, *args: Any) -> Any:
        """The answer of pandas for labels that only pandas has a type for."""
        with _fallback.in_pandas(f"{type(self).__name__}.{name}", f"labels of type {self.dtype}", self._device()):
            found = getattr(self._there(), name)
            return found(*args) if args else found

    @property
    def is_unique(self) -> bool:
        """Whether no label occurs more than once."""
        return self._own.is_unique() if self._own is not None else self._asked("is_unique")

    @property
    def is_monotonic_increasing(self) -> bool:
        """Whether no label is less than the one before it."""
        own = _ordered_labels(self)
        return own.is_increasing() if own is not None else self._asked("is_monotonic_increasing")

    @property
    def is_monotonic_decreasing(self) -> bool:
        """Whether no label is greater than the one before it."""
        own = _ordered_labels(self)
        return own.is_decreasing() if own is not None else self._asked("is_monotonic_decreasing")

    @property
    def has_duplicates(self) -> bool:
        """Whether a label occurs more than once."""
        return not self.is_unique

    @property
    def values(self) -> Any:
        """The labels as an array: bascule's where it has the type, else pandas' or NumPy's."""
        try:
            return self._columns[0].plain_values()
        except NotNative:
            return self._there().values

    __arrow_c_stream__ = arrow_c_stream

    def __arrow_array__(self, type: Any = None) -> Any:
        """The labels as an Arrow array, missing ones as null."""
        made = self._columns[0].to_arrow()
        return made if type is None else made.cast(type)

    def tolist(self) -> list:
        """The labels as Python objects."""
        return self._columns[0].objects()

    to_list = tolist

    def __iter__(self) -> Iterator[Any]:
        return self._columns[0].iterated()

    def _own_text(self) -> str | None:
        """The text of the labels by our own formatter, which enters itself here; None where pandas has to format."""
        return None

    def __repr__(self) -> str:
        own = None if is_loaded() else self._own_text()
        return repr(self._there()) if own is None else own

    def __hash__(self) -> int:
        raise TypeError(f"unhashable type: '{type(self).__name__}'")

    # ---- rows
    def _with(self, columns: Sequence[AnyColumn], own: Any = None) -> Any:
        """An index of other rows with the same names."""
        kind = MultiIndex if self.nlevels > 1 or isinstance(self, MultiIndex) else class_for(columns[0])
        made = kind._make(columns, self._names, own)
        return made._ordered(stated_orders(self)) if kind is MultiIndex else made

    def _of_rows(self, columns: Sequence[AnyColumn]) -> Any:
        """An index of some of the rows."""
        return self._with(columns)

    def _take(self, positions: ndarray) -> Index:
        return self._of_rows([c.take(positions) for c in self._columns])

    def _filter(self, mask: ndarray) -> Index:
        return self._of_rows([c.filter(mask) for c in self._columns])

    def _slice(self, start: int, step: int, count: int) -> Index:
        return self._of_rows([c.slice(start, step, count) for c in self._columns])

    def _private(self, name: str) -> Any:
        """A private attribute of pandas' index, for programs that use pandas' internals."""
        if not callable(getattr(getattr(pandas, type(self).__name__), name)):
            return _fallback.from_pandas(self._asked(name))
        return lambda *args, **kwargs: _fallback.call(self, name, args, kwargs, "a private member")

    def __dir__(self) -> list[str]:
        return sorted({*object.__dir__(self), *registered_with_pandas(pandas.Index)})

    def __setitem__(self, key: Any, value: Any) -> None:
        raise TypeError("Index does not support mutable operations")

    def __getitem__(self, key: Any) -> Any:
        if isinstance(key, slice):
            start, stop, step = key.indices(len(self))
            return self._slice(start, step, len(range(start, stop, step)))
        if key is ...:
            return self._view()
        if isinstance(key, np.ndarray) and not key.ndim:
            key = key[()]
        if is_integer(key):
            n = len(self)
            if not -n <= key < n:
                raise IndexError(f"index {key} is out of bounds for axis 0 with size {n}")
            return self._item(int(key) % n)
        try:
            a = rows_given(key, len(self))
        except NotNative:
            raise IndexError(_NO_POSITIONS) from None
        if a.dtype == bool:
            if not len(a) and len(self):
                raise ValueError(
                    "The length of the boolean indexer cannot be 0 when the Index has length greater than 0."
                )
            if len(a) != len(self):
                sizes = f"size of axis is {len(self)} but size of corresponding boolean axis is {len(a)}"
                raise IndexError(f"boolean index did not match indexed array along axis 0; {sizes}")
            return self._filter(a)
        return self._take(a)

    def _item(self, i: int) -> Any:
        return self._columns[0].item(i)

    # ---- against other indexes
    def equals(self, other: Any) -> bool:
        """Whether the other has the same labels in the same order."""
        if self is other:
            return True
        if type(self) is type(other) and self._own is not None and self._own is other._own:
            return True
        if not isinstance(other, (Index, pandas.Index)):
            return False
        if isinstance(other, pandas.Index):
            other = from_pandas(other)
        times = any(c.times() is not None and c.dtype != d.dtype for c, d in zip(self._columns, other._columns))
        if self._own is None or other._own is None or times:
            if len(self) != len(other):
                return False
            with _fallback.in_pandas(f"{type(self).__name__}.equals", "labels of a type of pandas', or of two units"):
                return self._there().equals(other._there())
        try:
            return self._own.equals(other._own)
        except TypeError:  # values that are never equal
            return False

    def identical(self, other: Any) -> bool:
        """Whether the other is equal in labels, names and type."""
        return self.equals(other) and list(self._names) == list(other.names) and self.dtype == other.dtype

    def append(self, other: Any) -> Index:
        """Append the labels of another index, or of others."""
        others = list(other) if isinstance(other, (list, tuple)) else [other]
        if self.nlevels == 1 and not all(isinstance(o, (Index, pandas.Index)) for o in others):
            raise TypeError("all inputs must be Index")
        others = [from_pandas(o) if isinstance(o, pandas.Index) else o for o in others]
        everyone = [self, *others]
        if self.nlevels > 1 and all(isinstance(o, Index) and o.nlevels == self.nlevels for o in others):
            levels = [concat([i._columns[k] for i in everyone]) for k in range(self.nlevels)]
            names = [n if all(o._names[k] == n for o in others) else None for k, n in enumerate(self._names)]
            return MultiIndex._make(levels, names)._ordered(joined_orders(everyone))
        if self.nlevels > 1 or any(o.nlevels > 1 or isinstance(o, MultiIndex) for o in others):
            return _fallback.call(self, "append", (others,), {}, "several levels")
        name = self.name if all(o.name == self.name for o in others) else None
        if all(isinstance(i, RangeIndex) for i in everyone):
            even = joined_ranges([i for i in everyone if len(i)] or everyone[:1])
            if even is not None:
                return RangeIndex._of(*even, name)
        together = concat([i._column for i in everyone])
        kinds = {isinstance(i, RangeIndex) for i in everyone}
        if isinstance(self, RangeIndex) and len(kinds) > 1 and together.dtype == np.int64:
            return self._evenly(together)
        return from_column(together, name)

    def get_level_values(self, level: Any) -> Index:
        """The labels of one level as an index."""
        i = self._level_number(level)
        return self if self.nlevels == 1 else self._one_level(i)  # type: ignore[attr-defined]

    def _level_number(self, level: Any) -> int:
        if level in self._names:
            return self._names.index(level)
        if is_integer(level):
            if not -self.nlevels <= level < self.nlevels:
                raise IndexError(
                    f"Too many levels: Index has only {self.nlevels} level{'s' if self.nlevels > 1 else ''}, not {level + 1}"
                )
            return int(level) % self.nlevels
        if self.nlevels == 1:
            raise KeyError(f"Requested level ({level}) does not match index name ({self.name})")
        raise KeyError(f"Level {level} not found")

    def isna(self) -> Any:
        """Boolean array: which labels are missing."""
        return self._columns[0].missing()

    isnull = isna

    def to_series(self, index: Any = None, name: Any = None) -> Any:
        """The labels as values of a series with the same labels."""
        labels = self if index is None else ensure(index)
        made = _classes.Series._new(self._as_values(), labels._view(), self.name if name is None else name)
        if index is not None and isinstance(index, Index):
            made._show(index)
        return made

    def to_frame(self, index: bool = True, name: Any = UNSET) -> Any:
        """The labels as the column of a frame."""
        if not unset(name):
            return self._framed(pandas.Index([name]), index)
        return self._framed(pandas.core.indexes.api.ensure_index(range(1) if self.name is None else [self.name]), index)

    def _framed(self, names: pandas.Index, index: bool) -> Any:
        """The levels as columns of these names; with `index`, the labels are those of the frame too."""
        rows = self._view() if index else default(len(self))
        made = _classes.DataFrame._new(list(self._columns), names, rows)
        if index:
            made._show(self)
        return made

    def _become(self, other: Index) -> None:
        self._set_names(list(other._names))


@_classes.entered
class RangeIndex(RangeMethods, Index):
    """Evenly spaced integer labels, stored as start, step and count."""

    __module__ = "bascule.pandas"

    def __new__(
        cls, start: Any = None, stop: Any = None, step: Any = None, dtype: Any = None, copy: bool = False, name: Any = None
    ) -> RangeIndex:  # fmt: skip
        if isinstance(start, RangeIndex):
            return start._view() if name is None else start.rename(name)
        ends = (0, start) if stop is None else (0 if start is None else start, stop)
        given, named = (*ends, 1 if step is None else step), name is None or type(name) is str
        if all(type(x) is int for x in given) and given[2] and dtype is None and named:
            even = range(*given)
            return cls._of(even.start, even.step, len(even), name)._ending(even.stop)
        return from_pandas(pandas.RangeIndex(start, stop, step, dtype=dtype, name=name))

    @classmethod
    def _of(cls, start: int, step: int, count: int, name: Any = None) -> RangeIndex:
        self = object.__new__(cls)
        self._names, self._own, self._pandas_copy = [name], Labels.range(start, step, count), None
        self._made = None
        return self

    @property
    def _columns(self) -> list[AnyColumn]:
        if self._made is None:
            self._made = [Column(self._own.level(0), np.dtype(np.int64))]
        return self._made

    @classmethod
    def _make(cls, columns: Any, names: Sequence[Any], own: Any = None) -> Any:
        if own is not None and own.as_range is not None:
            return cls._of(*own.as_range, names[0])
        return Index._make(columns, names, own)

    def _device(self) -> str:
        return "cpu"

    dtype = property(lambda self: np.dtype(np.int64))
    nlevels = property(lambda self: 1)
    hasnans = property(lambda self: False, doc="Whether a label is missing: none is.")

    def _to_pandas(self) -> pandas.Index:
        return pandas.RangeIndex(self.start, self.stop, self.step, name=self.name)

    def _item(self, i: int) -> int:
        return self.start + self.step * i

    def _slice(self, start: int, step: int, count: int) -> Index:
        return RangeIndex._of(self.start + self.step * start, self.step * step, count, self.name)

    def _take(self, positions: ndarray) -> Index:
        start, step, _ = self._own.as_range
        return self._evenly(plain(positions if start == 0 and step == 1 else positions * step + start))

    def _filter(self, mask: ndarray) -> Index:
        return self._take(_core.nonzero(mask)[0])

    def _evenly(self, c: Column) -> Index:
        even = _core.range_of(c.core)
        if even is not None and even[2] == 0:
            return RangeIndex._of(0, 1, 0, self.name)
        return from_column(c, self.name) if even is None else RangeIndex._of(*even, self.name)

    def __iter__(self) -> Iterator[int]:
        return iter(range(self.start, self.stop, self.step))

    def tolist(self) -> list[int]:
        """The labels as Python's integers."""
        return list(range(self.start, self.stop, self.step))

    to_list = tolist


@_classes.entered
class MultiIndex(MultiMethods, LevelsMade, LevelsAsPandas, Index):
    """Labels of several levels."""

    _tuples: list[tuple] | None = None  # once they are used

    __module__ = "bascule.pandas"

    dtype = property(lambda self: np.dtype(object))

    @property
    def values(self) -> Any:
        return self._there().values

    def _item(self, i: int) -> tuple:
        return tuple(c.item(i) for c in self._columns)

    def __iter__(self) -> Iterator[tuple]:
        return zip(*(c.iterated(scalars=False) for c in self._columns))

    def tolist(self) -> list[tuple]:
        """The labels as tuples."""
        if self._tuples is None:
            self._tuples = list(self)
        return self._tuples.copy()

    to_list = tolist

    def _label(self, key: Any) -> list[Any]:
        if not isinstance(key, tuple) or len(key) != self.nlevels:
            raise KeyError(key)
        return [from_column(c)._label(k)[0] for c, k in zip(self._columns, key)]

    def _contains(self, key: Any) -> bool:
        hash(key)
        try:
            self.get_loc(key)
        except (LookupError, TypeError, ValueError):
            return False
        return True

    def __arrow_array__(self, type: Any = None) -> Any:
        raise TypeError("[MultiIndex] Arrow has no arrays of labels of several levels: use .to_frame()")

    def isna(self) -> Any:
        """Not defined for several levels, as in pandas: `isna` of a level is."""
        raise NotImplementedError("isna is not defined for MultiIndex")

    isnull = isna
    hasnans = property(isna)


_KINDS: dict[Any, type] = {}


def register(dtype: type, cls: type) -> None:
    """Register a class of indexes for a class of types."""
    _KINDS[dtype] = cls


def class_for(column: AnyColumn) -> type:
    """The class of an index over a column."""
    return _KINDS.get(type(column.dtype), Index)


def from_column(column: AnyColumn, name: Any = None) -> Index:
    """The index whose labels are the values of a column."""
    return class_for(column)._make([column], [name])


def evenly(index: Index) -> Index:
    """The same labels, as a range where they are evenly spaced integers."""
    even = index._column.as_range() if index.nlevels == 1 and index.dtype == np.int64 else None
    return index if even is None else RangeIndex._of(*even, index.name)


def default(n: int, name: Any = None) -> RangeIndex:
    """0, 1, ..., n - 1."""
    return RangeIndex._of(0, 1, n, name)


def from_pandas(x: pandas.Index) -> Index:
    """The same labels, memory shared where the types allow."""
    if type(x) is Names:
        made = labels(x.labels)
        return made if x.name is None else made._named([x.name], False)
    if type(x) is LabelsOfRows:
        return x.index._view()
    x = own(x)
    if isinstance(x, pandas.RangeIndex):
        return RangeIndex._of(x.start, x.step, len(x), x.name)._ending(x.stop)
    if isinstance(x, pandas.MultiIndex):
        by_position = x.set_names([None] * x.nlevels)  # a name that is an integer would be taken for the level
        levels = [by_position.get_level_values(i) for i in range(x.nlevels)]
        made = MultiIndex._make([from_pandas_object(i) for i in levels], list(x.names))
        return made._ordered(orders_of_theirs(x))
    made = from_column(from_pandas_object(x), x.name)
    return made._at(x.freq) if isinstance(x, (pandas.DatetimeIndex, pandas.TimedeltaIndex)) else made


def ensure(x: Any) -> Index:
    """Labels of an axis given by a user, as an index: tuples in a list stay tuples, arrays in a list are levels."""
    if isinstance(x, Index):
        return x._view()
    if isinstance(x, pandas.Index):
        return from_pandas(x)
    if isinstance(x, Iterator):
        x = list(x)
    if not isinstance(x, list):
        return Index(x)
    return MultiIndex.from_arrays(x) if are_levels(x) else Index(x, tupleize_cols=False)
