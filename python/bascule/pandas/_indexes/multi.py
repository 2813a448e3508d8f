"""Several levels: their labels and codes, and methods that put levels in another order."""

from __future__ import annotations

from collections.abc import Generator
from typing import Any

import numpy as np

import bascule as bc

from ... import _core
from .. import _classes, _fallback
from .._columns.column import AnyColumn, Column, HostColumn, from_pandas_object, ndarray
from .._columns.grouping import key_codes
from .._columns.infer import column
from .._columns.unique import distinct, factorized
from .._columns.where import is_missing_scalar
from .._fallback.native import NotNative, native
from .._labels import keys_of
from .._questions import is_integer
from .._theirs import UNSET, pandas, unset
from .align import positions_in
from .arguments import one_label, with_listed_values
from .kept import Kept, KeptByPandas, joined_labels, kept_of
from .parts import row_among_objects


class Steps(Column):
    """The labels of a level that is a range."""

    __slots__ = ()

    def as_range(self) -> range:
        """The labels as Python's range."""
        start, step, count = _core.range_of(self.core) if len(self) else (0, 1, 0)
        return range(start, start + step * count, step)


class Even(Column):
    """The labels of a level of times that come at a frequency, in order."""

    __slots__ = ("freq",)

    def __init__(self, core: Any, dtype: Any, freq: Any):
        super().__init__(core, dtype)
        self.freq = freq

    def of(self, labels: Column) -> Column:
        """Some of the labels, as those of a level."""
        freq = self.freq_of(labels)
        return labels if freq is None else Even(labels.core, labels.dtype, freq)

    def freq_of(self, labels: Column) -> Any:
        """The frequency at which some of the labels come; None where they are not taken in steps."""
        index = _classes.Index._of_columns
        found = positions_in(index([Column(self.core, self.dtype)], [None]), index([labels], [None]))
        at = np.empty(0, np.int64) if found is None else _core.to_numpy(found)
        steps = np.diff(at)
        if not len(at) or at[0] < 0 or (steps != steps[:1]).any() or not steps[:1].all():
            return None
        return self.freq * int(steps[0]) if len(steps) else self.freq


def even_order(index: Any) -> Even | None:
    """The labels of an index of times that come at a frequency, ascending; None of others."""
    freq = getattr(index, "_freq", None)
    if freq is None or not index._columns[0].has_core:
        return None
    down = freq.n < 0
    column = (index[::-1] if down else index)._columns[0]
    return Even(column.core, column.dtype, -freq if down else freq)


def range_order(x: Any) -> Steps | Even | None:
    """The labels of a level that is made of a range, or of times at a frequency, ascending; None for other arrays."""
    if isinstance(x, (pandas.DatetimeIndex, pandas.TimedeltaIndex)) and x.freq is not None:
        x = _classes.Index._ensured(x)
    if getattr(x, "_freq", None) is not None:
        return even_order(x)
    if not isinstance(x, (range, pandas.RangeIndex, _classes.RangeIndex)):
        return None
    steps = range(x.start, x.stop, x.step)
    steps = steps[::-1] if steps.step < 0 else steps
    return Steps(_core.Labels.range(steps.start, steps.step, len(steps)).level(0), np.dtype(np.int64))


def order_of_one(index: Any) -> Column:
    """The labels of an index of one level as the order of a level's."""
    even = even_order(index)
    if even is not None:
        return even
    column = index._columns[0]
    return Steps(column.core, column.dtype) if isinstance(index, _classes.RangeIndex) else column


def orders_of_theirs(index: pandas.MultiIndex) -> list[Any]:
    """The order of the labels of each level of pandas' index, None where they are the sorted labels of its rows."""
    made: list[Any] = []
    for level, codes in zip(index.levels, index.codes):
        even = isinstance(level, pandas.RangeIndex) or getattr(level, "_freq", None) is not None
        unused = bool((np.bincount(codes + 1, minlength=len(level) + 1)[1:] == 0).any())
        unused = unused and not isinstance(level.dtype, pandas.CategoricalDtype)  # the type has the categories
        known = even or unused or not level.is_monotonic_increasing
        made.append(order_of_one(_classes.Index._from_pandas(level)) if known else None)
    return made


def stated_orders(index: Any) -> list[Any]:
    """The order of the labels of each level, None where these are only known to be those of other rows, sorted."""
    orders = getattr(index, "_orders", None) or [None] * index.nlevels
    return [None if isinstance(o, (Kept, KeptByPandas)) else o for o in orders]


def sorted_orders(index: Any) -> list[Any]:
    """The order of the labels of each level when they have been sorted."""
    made = []
    for o in orders_of(index):
        as_they_are = o is None or isinstance(o, (Kept, Steps, Even))
        made.append(o if as_they_are else o.ascending() if isinstance(o, KeptByPandas) else kept_of(o))
    return made


def orders_of(index: Any, of_one: bool = False) -> list[Any]:
    """The order of the labels of each level; that of the one level of others is where they stand, if `of_one` asks for it."""
    if index.nlevels > 1:
        return [None] * index.nlevels if index._orders is None else list(index._orders)
    return [order_of_one(index) if of_one else None]


def joined_orders(indexes: list[Any]) -> list[Any]:
    """The order of the labels of each level of indexes that are put one behind another: that of all, else they are sorted."""
    return [_joined_order(indexes, level) for level in range(indexes[0].nlevels)]


def _joined_order(indexes: list[Any], level: int) -> Any:
    columns = [i._columns[level] for i in indexes]
    orders = [orders_of(i)[level] for i in indexes]
    if all(o is None for o in orders) or any(c.dtype != columns[0].dtype for c in columns):
        return None
    if any(not c.has_core for c in columns):
        found = [i._by_pandas(level) or kept_of(c) for i, c in zip(indexes, columns)]
        return found[0].with_those_of(found[1:]) if all(isinstance(f, KeptByPandas) for f in found) else None
    if all(o is None or isinstance(o, Kept) for o in orders):
        kept = [Kept([c]) if o is None else o for c, o in zip(columns, orders)]
        return kept[0].with_those_of(kept[1:])
    return joined_labels([i._labels_of(level)[1] for i in indexes])


def common_orders(indexes: list[Any]) -> list[Any]:
    """The order of the labels of each level of indexes that are put one behind another under keys."""
    first = indexes[0]
    if all(i is first or i.equals(first) for i in indexes[1:]):
        return orders_of(first, of_one=True)
    return joined_orders(indexes) if first.nlevels > 1 else [None]


def _missing_as_nan(c: AnyColumn) -> AnyColumn:
    """The labels of a level, of which missing objects are NaN."""
    if c.dtype != object:
        return c
    missing = pandas.isna(c.array)
    if not missing.any():
        return c
    values = np.array(c.array, dtype=object)
    values[missing] = np.nan
    return HostColumn(values)


class MultiMethods:
    """Methods of labels of several levels."""

    _columns: list
    _names: list
    nlevels: int
    _coded: Any = None
    _constructor = property(lambda self: type(self).from_tuples)
    _name: Any = None
    # Of each level None, where its labels are those of the rows, sorted, or a column whose distinct values are its labels,
    # in that order, or what rows that were taken from others keep of theirs: what `unstack` makes of labels comes in the
    # order of the levels. May be absent altogether.
    _orders: Any = None
    _kept: list[Any] | None = None  # the orders of rows that are taken from these

    @classmethod
    def _make(cls, columns: Any, names: Any, own: Any = None) -> Any:
        return super()._make([_missing_as_nan(c) for c in columns], names, own)  # type: ignore[misc]

    @property
    def name(self: Any) -> Any:
        """The name of the labels as a whole, which pandas lets be set; levels have names of their own."""
        return self._name

    @name.setter
    def name(self: Any, value: Any) -> None:
        hash(value)
        self._name = value

    def _ordered(self: Any, orders: list[Any]) -> Any:
        """This new index, with the order of its levels' labels."""
        if any(o is not None for o in orders):
            self._orders = list(orders)
        return self

    def _of_rows(self: Any, columns: Any) -> Any:
        made = type(self)._make(columns, self._names)
        if self._kept is None:
            known = [None] * self.nlevels if self._coded is None else [labels for _, labels in self._coded]
            orders = zip(orders_of(self), self._columns, known)
            self._kept = [kept_of(c, labels) if o is None else o for o, c, labels in orders]
        made._orders = self._kept
        return made

    def _order_of(self: Any, level: int) -> Any:
        order = None if self._orders is None else self._orders[level]
        if isinstance(order, KeptByPandas):
            return from_pandas_object(order.labels())
        return order.labels() if isinstance(order, Kept) else order

    def _by_pandas(self: Any, level: int) -> KeptByPandas | None:
        """The labels of a level of a type that only pandas has; None of others, of categories, and of labels of no own order."""
        order = orders_of(self)[level]
        if isinstance(order, KeptByPandas):
            return order
        return KeptByPandas.as_they_are(order) if getattr(order, "labels_kept", "") == "in pandas" else None

    def _numbered(self: Any, level: int) -> tuple[ndarray, Column] | None:
        """The number of each row's label in a level whose labels have an order of their own, -1 where missing, and those."""
        order, c = self._order_of(level), self._columns[level]
        if order is None or not c.has_core or order.dtype != c.dtype:
            return None
        known = isinstance(order, (Steps, Even)) or isinstance(self._orders[level], Kept)
        labels = order if known else distinct(order)
        found = positions_in(self._of_columns([labels], [None]), self._of_columns([c], [None]))
        if found is None or bool(((found < 0) & ~c.missing()).any()):
            return None  # the labels are others by now
        return found, labels

    def _to_pandas(self: Any) -> pandas.Index:
        if self._orders is not None and self._own is not None:
            levels = [
                pandas.RangeIndex(c.as_range())
                if isinstance(c, Steps)
                else pandas.Index(c.to_pandas_array(), dtype=c.dtype)
                for _, c in self._own_levels()
            ]
            for level, (_, c) in zip(levels, self._own_levels()):
                if isinstance(c, Even):
                    level._freq = c.freq
            codes = [_core.to_numpy(c) for c, _ in self._own_levels()]
            return pandas.MultiIndex(levels, codes, names=self._names, verify_integrity=False)
        rows = [pandas.Index(c.to_pandas_array(), dtype=c.dtype) for c in self._columns]
        made = pandas.MultiIndex.from_arrays(rows, names=self._names)
        if self._orders is None:
            return made
        found = [self._in_pandas(i, r) for i, r in enumerate(rows)]
        levels = [level if f is None else f[0] for f, level in zip(found, made.levels)]
        codes = [numbers if f is None else f[1] for f, numbers in zip(found, made.codes)]
        return pandas.MultiIndex(levels, codes, names=self._names, verify_integrity=False)

    def _in_pandas(self: Any, i: int, rows: pandas.Index) -> tuple[pandas.Index, np.ndarray] | None:
        """The labels of a level of an order of its own as pandas' index, and the number of each row's label."""
        order = self._orders[i]
        if isinstance(order, Steps):
            steps = order.as_range()
            return (pandas.RangeIndex(steps), (np.asarray(rows) - steps.start) // steps.step) if len(steps) else None
        theirs = self._by_pandas(i)
        if theirs is not None:
            numbers = theirs.numbers(self._columns[i])
            return None if (numbers < -1).any() else (theirs.labels(), numbers)
        found = self._numbered(i)
        if found is None:
            return None
        return pandas.Index(found[1].to_pandas_array(), dtype=found[1].dtype), _core.to_numpy(found[0])

    def copy(self: Any, names: Any = None, deep: bool = False, name: Any = None) -> Any:
        """The same labels; they cannot be changed, so nothing is copied."""
        if names is None and name is None:
            return self._view()
        return self._named(list(self[:0]._there().copy(names=names, name=name).names), False)

    def rename(self: Any, names: Any, *, level: Any = None, inplace: bool = False) -> Any:
        """The same labels under other names of levels."""
        return self.set_names(names, level=level, inplace=inplace)

    def to_frame(self: Any, index: bool = True, name: Any = UNSET, allow_duplicates: bool = False) -> Any:
        """The levels as columns of a frame."""
        if not unset(name):
            if not pandas.api.types.is_list_like(name):
                raise TypeError("'name' must be a list / sequence of column names.")
            if len(name) != self.nlevels:
                raise ValueError("'name' should have same length as number of levels on index.")
        given = self._names if unset(name) else list(name)
        names = [i if n is None and unset(name) else n for i, n in enumerate(given)]
        if not allow_duplicates and len(set(names)) != len(names):
            raise ValueError("Cannot create duplicate column labels if allow_duplicates is False")
        return self._framed(keys_of(names) if unset(name) else pandas.core.indexes.api.ensure_index(names), index)

    def _own_levels(self: Any) -> list[tuple[ndarray, Column]]:
        """Of each level the number of each row's label, -1 where missing, and the labels in order."""
        if self._coded is None:
            if self._own is None:
                raise NotNative("labels of a pandas extension dtype")
            self._coded = [self._labels_of(i) for i in range(self.nlevels)]
        return self._coded

    def _labels_of(self: Any, level: int) -> tuple[ndarray, Column]:
        return self._numbered(level) or factorized(self._columns[level], True, True)

    @property
    def levels(self: Any) -> Any:
        """The distinct labels of each level, in order."""
        if self._own is None:
            return _fallback.from_pandas(self._asked("levels"))
        made = [
            _classes.Index._ensured(c.as_range())._named([n], False) if isinstance(c, Steps) else self._level_of(c, n)
            for (_, c), n in zip(self._own_levels(), self._names)
        ]
        return pandas.core.indexes.frozen.FrozenList(made)

    def _level_of(self: Any, labels: Column, name: Any) -> Any:
        made = self._of_columns([labels], [name])
        return made._at(labels.freq) if isinstance(labels, Even) else made

    def _one_level(self: Any, i: int) -> Any:
        """The labels of one level as an index, which keeps a frequency of the level where they are taken in steps."""
        made = self._of_columns([self._columns[i]], [self._names[i]])
        if made._columns[0].times() is None:  # only times have a frequency
            return made
        order = self._order_of(i)
        return made._at(order.freq_of(self._columns[i])) if isinstance(order, Even) else made

    @property
    def codes(self: Any) -> Any:
        """The number of each row's label in its level, -1 for missing ones."""
        if self._own is None:
            return self._asked("codes")
        made = []
        for codes, labels in self._own_levels():
            n = len(labels)
            kind = np.int8 if n < 128 else np.int16 if n < 32768 else np.int32 if n < 2**31 else np.int64
            typed = _core.astype(codes, np.dtype(kind), True, "K")
            made.append(_core.to_numpy(typed) if typed.device == "cpu" else typed)
        return pandas.core.indexes.frozen.FrozenList(made)

    @property
    def levshape(self: Any) -> tuple:
        """How many labels each level has."""
        return tuple(len(i) for i in self.levels)

    @property
    def dtypes(self: Any) -> Any:
        """The type of each level, as a series of pandas."""
        names = [f"level_{i}" if n is None else n for i, n in enumerate(self._names)]
        return _fallback.from_pandas(pandas.Series([i.dtype for i in self.levels], index=pandas.Index(names)))

    def _levels_at(self: Any, order: list[int]) -> Any:
        made = type(self)._make([self._columns[i] for i in order], [self._names[i] for i in order])
        orders = orders_of(self)
        return made._ordered([orders[i] for i in order])

    def swaplevel(self: Any, i: Any = -2, j: Any = -1) -> Any:
        """The labels with two levels in each other's place."""
        order = list(range(self.nlevels))
        a, b = self._level_number(i), self._level_number(j)
        order[a], order[b] = order[b], order[a]
        return self._levels_at(order)

    def reorder_levels(self: Any, order: Any) -> Any:
        """The labels with levels in another order."""
        order = [self._level_number(i) for i in order]
        if len(order) != self.nlevels:
            raise AssertionError(f"Length of order must be same as number of levels ({self.nlevels}), got {len(order)}")
        return self._levels_at(order)

    def remove_unused_levels(self: Any) -> Any:
        """The labels, with levels that have no others; one that had is in order of appearance, as in pandas."""
        if self._orders is None:
            return self._view()
        orders = [self._used(i) for i in range(self.nlevels)]
        return type(self)._make(self._columns, self._names, self._own)._ordered(orders)

    def _used(self: Any, i: int) -> Any:
        """The order of the labels of a level without those that no row has."""
        order, c = self._orders[i], self._columns[i]
        if order is None or order is c:
            return order
        theirs = self._by_pandas(i)
        if theirs is not None:
            with _fallback.in_pandas("MultiIndex.remove_unused_levels", f"labels of type {c.dtype}", self._device()):
                return theirs.used(c)
        found = None if isinstance(order, Kept) else self._numbered(i)
        if found is None and not isinstance(order, Kept):
            return order  # the labels are others by now
        here = distinct(c, True)
        if len(here) == len(order.labels() if found is None else found[1]):
            return None if found is None else order
        return order.of(here) if isinstance(order, Even) else here

    def _as_values(self: Any) -> Any:
        made = np.empty(len(self), dtype=object)
        made[:] = self.tolist()
        return HostColumn(made)

    def to_flat_index(self: Any) -> Any:
        """The labels as an index of tuples."""
        return _classes.Index._of_columns([self._as_values()], [None])

    def equal_levels(self: Any, other: Any) -> bool:
        """Whether the levels of both are the same, whatever the rows."""
        return self.nlevels == other.nlevels and all(a.equals(b) for a, b in zip(self.levels, other.levels))

    # ---- rows
    @native(loc=is_integer)
    def insert(self: Any, loc: int, item: Any) -> Any:
        """The labels with another one at a position."""
        if not isinstance(item, tuple) or len(item) != self.nlevels:
            raise NotNative("a label of other levels")
        n = len(self)
        if not -n <= loc <= n:
            raise IndexError(f"index {loc} is out of bounds for axis 0 with size {n}")
        at, columns = int(loc) + n if loc < 0 else int(loc), []
        for c, x in zip(self._columns, item):
            wider, one = one_label(c.own("labels"), x)
            parts = [wider.core.slice(0, 1, at), one.core, wider.core.slice(at, 1, n - at)]
            columns.append(Column(_core.concat_columns(parts), wider.dtype))
        return (
            type(self)
            ._make(columns, self._names)
            ._ordered([e if isinstance(e, Even) else None for e in orders_of(self)])
        )

    @native
    def drop(self: Any, codes: Any, level: Any = None, errors: str = "raise") -> Any:
        """The labels without given ones, or without those that have a given label in a level."""
        if level is not None:
            values = self.get_level_values(level)
            gone = values.isin(codes if pandas.api.types.is_list_like(codes) else [codes])
            gone = _core.from_numpy(gone) if isinstance(gone, np.ndarray) else gone
            if errors != "ignore" and not bool(_all_in(codes, values)):
                raise NotNative("labels that are not there")
            return self._filter(~gone)
        if not isinstance(codes, (list, _classes.MultiIndex)) or not len(codes):
            raise NotNative("unsupported labels")
        if isinstance(codes, list) and not all(type(t) is tuple and len(t) == self.nlevels for t in codes):
            raise NotNative("labels of other levels")
        wanted = codes if isinstance(codes, _classes.MultiIndex) else _classes.MultiIndex.from_tuples(codes)
        found = self.get_indexer_for(wanted)
        found = _core.from_numpy(found) if isinstance(found, np.ndarray) else found
        if bool((found < 0).any()):
            if errors != "ignore":
                raise KeyError(wanted._filter(found < 0).tolist()[0])
            found = found[found >= 0]
        return self.delete(found)

    @with_listed_values(Generator)  # pandas refuses other iterators
    @native
    def isin(self: Any, values: Any, level: Any = None) -> ndarray:
        """Boolean array: which labels are among given ones, or have one of given labels in a level."""
        if level is not None:
            return self.get_level_values(level).isin(values)
        if isinstance(values, list) and all(type(t) is tuple and len(t) == self.nlevels for t in values):
            if not values:
                return bc.zeros(len(self), dtype=bool)
            values = _classes.MultiIndex.from_tuples(values)
        if not isinstance(values, _classes.MultiIndex):
            raise NotNative("unsupported values")
        found = values.unique().get_indexer_for(self)
        return (_core.from_numpy(found) if isinstance(found, np.ndarray) else found) >= 0

    # ---- order
    @native(na_position=("first", "last"), ascending=lambda ascending: isinstance(ascending, (bool, list)))
    def sortlevel(
        self: Any, level: Any = 0, ascending: Any = True, sort_remaining: bool = True, na_position: str = "first"
    ) -> tuple[Any, ndarray]:
        """The labels ordered by some levels, and their positions."""
        levels = [self._level_number(i) for i in (level if isinstance(level, (list, tuple)) else [level])]
        if isinstance(ascending, list):
            if len(ascending) != len(levels):
                raise ValueError("level must have same length as ascending")
            up = [bool(a) for a in ascending]
        else:
            rest = [i for i in range(self.nlevels) if i not in levels] if sort_remaining else []
            levels, up = levels + rest, [bool(ascending)] * (len(levels) + len(rest))
        keys = [c if c.has_core else key_codes(c) for c in (self._columns[i] for i in levels)]
        rows = _core.order_columns([k.core for k in keys], up, na_position == "first")
        return self._take(rows), rows

    # ---- looking up
    @native
    def get_loc(self: Any, key: Any) -> Any:
        """Position of a label, or positions of the labels that start with one.

        Returns
        -------
        int, slice or bool array
        """
        here = self._where_is(key)
        if type(here) is int:
            return here
        if here is None:
            raise KeyError(key)
        given = key if isinstance(key, tuple) else (key,)
        if self._own is None:
            return row_among_objects(self, given)
        if (
            len(given) > self.nlevels
            or not given
            or not all(np.isscalar(k) and not is_missing_scalar(k) for k in given)
        ):
            raise NotNative("unsupported labels")
        if any(c.times() is not None for c in self._columns[: len(given)]):
            raise NotNative("datetimes or timedeltas")
        if len(given) == self.nlevels:
            found = self._own.find(self._label(given))
        else:
            if len(given) > 1 and not self.is_monotonic_increasing:
                raise NotNative("some levels of unsorted labels")
            parts = [self._of_columns([c], [None])._label(k)[0] for c, k in zip(self._columns, given)]
            found = _core.Labels([c.core for c in self._columns[: len(given)]]).find(parts)
        n = len(found)
        if n == 0:
            raise KeyError(key)
        first = int(found[0])
        if len(given) == self.nlevels and n == 1:
            return first
        whole = self if len(given) == self.nlevels else _core.Labels([self._columns[0].core])
        if whole.is_monotonic_increasing if whole is self else whole.is_increasing():
            return slice(first, first + n, None)
        mask = bc.zeros(len(self), dtype=bool)
        mask[found] = True
        return mask

    @native
    def get_locs(self: Any, seq: Any) -> ndarray:
        """Positions of the labels that match one of several labels in each level.

        Parameters
        ----------
        seq : sequence of label, list of labels or slice(None)
            One a level, from the first on.
        """
        if self._own is None or not isinstance(seq, (list, tuple)) or len(seq) > self.nlevels:
            raise NotNative("labels of a pandas extension dtype")
        if not self.is_monotonic_increasing:
            raise NotNative("labels in another order")
        keep = bc.ones(len(self), dtype=bool)
        for c, wanted in zip(self._columns, seq):
            if isinstance(wanted, slice):
                if wanted != slice(None):
                    raise NotNative("slices of labels")
                continue
            listed = isinstance(wanted, list)
            if not listed and not np.isscalar(wanted):
                raise NotNative("unsupported labels")
            if listed and list(wanted) != sorted(set(wanted)):
                raise NotNative("labels in an order of their own")
            made = column(wanted if listed else [wanted])
            if made is None or made.dtype != c.dtype or made.has_missing():
                raise NotNative("labels of another type")
            here = _core.Labels([made.core]).positions_of(_core.Labels([c.core]))
            there = _core.Labels([made.core])
            if any(len(_core.Labels([c.core]).find([made.core.slice(i, 1, 1)])) == 0 for i in range(len(there))):
                raise NotNative("labels that are not there")
            keep = keep & (here >= 0)
        return _core.nonzero(keep)[0]

    @native
    def truncate(self: Any, before: Any = None, after: Any = None) -> Any:
        """The labels from one of the first level to another."""
        if after and before and after < before:
            raise ValueError("after < before")
        if self._own is None or not self.is_monotonic_increasing:
            raise NotNative("labels in another order")
        first = self._of_columns([self._columns[0]], [None])
        start, stop = first.slice_locs(before, after)
        return self[start:stop]

    @classmethod
    def from_frame(cls, df: Any, sortorder: Any = None, names: Any = None) -> Any:
        """Labels of one column a level."""
        if not hasattr(df, "_all_columns") or getattr(df, "ndim", 0) != 2:
            raise TypeError("Input must be a DataFrame")
        columns = list(df._columns)
        named = list(df.columns) if names is None else names
        plainly = sortorder is None and len(columns) > 1 and isinstance(named, list) and len(named) == len(columns)
        if plainly and all(c.has_core for c in columns):
            return cls._make(columns, named)  # type: ignore[attr-defined]
        return _fallback.run("MultiIndex.from_frame", "columns of types of pandas', or options", pandas.MultiIndex.from_frame, df, sortorder, names)  # fmt: skip


def _all_in(wanted: Any, labels: Any) -> bool:
    given = list(wanted) if pandas.api.types.is_list_like(wanted) else [wanted]
    return all(x in labels for x in given)
