"""Sorting rows by values and by labels; the extremes of an order."""

from __future__ import annotations

from typing import Any

import numpy as np

import bascule as bc

from ... import _core, progress
from ..._array.conversion import host_view
from .. import _classes, _indexes
from .._base import Rows
from .._columns.column import AnyColumn, Column, ndarray, plain
from .._columns.lazy_take import FEWEST, Picked, pick
from .._fallback.native import NotNative, integer, native
from .._indexes.multi import sorted_orders
from .._indexes.search import insertion_points
from .._labels import refuse_ambiguous
from .._parts.ordered import sorted_rows
from .._parts.walk import are_beyond_memory
from .._questions import is_list_like
from .._theirs import pandas
from .labels.levels import several_labels

_KINDS = ("quicksort", "mergesort", "heapsort", "stable")
_LEVELS = "\nFor a multi-index, the label must be a tuple with elements corresponding to each level."


def _directions(ascending: Any, n: int) -> list[bool]:
    flags = list(ascending) if is_list_like(ascending) else [ascending] * n
    for f in flags:
        if not isinstance(f, (bool, np.bool_, int)):
            raise ValueError(f'For argument "ascending" expected type bool, received type {type(f).__name__}.')
    if len(flags) != n:
        raise ValueError(f"Length of ascending ({len(flags)}) != length of by ({n})")
    return [bool(f) for f in flags]


def _check(kind: Any, na_position: str) -> None:
    if na_position not in ("first", "last"):
        raise ValueError(f"invalid na_position: {na_position}")
    if kind not in (*_KINDS, None):
        raise ValueError(f"sort kind must be one of 'quick', 'heap', or 'stable' (got '{kind}')")


def order(columns: list[AnyColumn], ascending: list[bool], na_position: str = "last") -> ndarray | None:
    """Positions of the rows in the stable order of the columns; None where only pandas knows the order."""
    keys = [c.key() for c in columns]
    if any(k is None for k in keys):
        return None
    return _core.order_columns([k.core for k in keys], ascending, na_position == "first")  # type: ignore[union-attr]


_READ_WHOLE = 5  # columns; of wider frames some are likely never read


def _moved_along(columns: list[AnyColumn], keys: list[AnyColumn]) -> list[Column]:
    """The columns that are cheaper to move during the sort than to gather afterwards: strings and numbers, not too many."""
    if len(columns) > _READ_WHOLE:
        return []
    found = [c for c in columns if c.moved_bytes is not None and c not in keys]
    return [c for c in found if c.moved_bytes < 8][:1] + [c for c in found if c.moved_bytes == 8][:2]


def _in_order_of(
    x: Any, keys: list[AnyColumn], ascending: list[bool], na_position: str, kind: str, labels: bool = False,
    numbered: bool = False,
) -> Any:  # fmt: skip
    """The rows of a frame or series in the order of columns (of its levels if `labels`); None where only pandas knows it."""
    columns = x._all_columns()
    if are_beyond_memory(columns):
        return _in_order_on_disk(x, columns, keys, ascending, na_position, numbered)
    numbers = [k.key() for k in keys]
    if any(k is None for k in numbers):
        return None
    others = _moved_along(columns, keys) if len(x) >= FEWEST else []
    with progress.of_tasks("sort_index" if labels else "sort_values", 8 * len(x) * (len(keys) + len(others))):
        positions, key, moved = _core.sort_columns(
            [k.core for k in numbers], ascending, na_position == "first", [c.core for c in others]
        )
    known = {id(c): core for c, core in zip([numbers[0], *others], [key, *moved]) if core is not None}
    if len(keys) == 1:
        stable, positions = positions, keys[0].unstable_rows(positions, ascending[0], na_position, kind)
        known = known if positions is stable else {}
    rows = Picked(positions)

    def of(c: AnyColumn) -> AnyColumn:
        return Column(known[id(c)], c.dtype) if id(c) in known else pick(c, rows)

    index = x._index
    if labels and id(keys[0]) in known and not _is_even(index):
        index = index._with([of(keys[0])])
    else:
        index = index._take(positions)
    return x._with([of(c) for c in columns], index)


def _is_even(index: Any) -> bool:
    """Whether labels are a range, or have a frequency."""
    return isinstance(index, _indexes.RangeIndex) or getattr(index, "_freq", None) is not None


def _in_order_on_disk(
    x: Any, columns: list[AnyColumn], keys: list[AnyColumn], ascending: list[bool], na_position: str, numbered: bool
) -> Any:
    """As `_in_order_of`, of rows that take more than `config.memory_limit`; labels are in memory, unless they are `numbered`."""
    index = x._index
    if not isinstance(index, _indexes.RangeIndex) or any(k.slice(0, 1, 0).key() is None for k in keys):
        raise NotImplementedError(
            "[sort_values] rows that take more than config.memory_limit, with labels that are no range or keys of a type of "
            "pandas'"
        )
    *made, labels = sorted_rows(
        columns, keys, ascending, na_position == "first", range(index.start, index.stop, index.step)
    )
    return x._with(made, _indexes.default(len(x)) if numbered else _indexes.from_column(labels, index.name))


def _mapped(key: Any, values: Any) -> AnyColumn:
    """The column that a function of a program gives for the values to sort by."""
    made = key(values.copy())
    made = made if isinstance(made, _classes.Series) else _classes.Series(made)
    if len(made) != len(values):
        raise ValueError("User-provided `key` function must not change the shape of the array.")
    return made._column


def _settled(index: Any, ascending: list[bool]) -> bool:
    """Whether rows are in order already, as pandas finds it: it then leaves the levels as they are."""
    if index._own is None or (any(ascending) and not all(ascending)):
        return False
    return index.is_monotonic_increasing if ascending[0] else index.is_monotonic_decreasing


def _finish(self: Any, out: Any, inplace: bool, ignore_index: bool) -> Any:
    if ignore_index:
        out._become(out._with(out._all_columns(), _indexes.default(len(out))))
    if not inplace:
        return out
    self._become(out)
    return None


def _check_keep(keep: Any) -> None:
    if not isinstance(keep, str) or keep not in ("first", "last", "all"):
        raise ValueError('keep must be either "first", "last" or "all"')


def _ends(c: Column, n: int, keep: str, largest: bool) -> Any:
    """The rows of the n largest or smallest values, missing ones last; with "all", ties of the last one are kept, too."""
    total = len(c)
    if n >= total:
        return order([c], [not largest])
    if n <= 0 or keep == "first":
        return order([c], [not largest])[: max(n, 0)]
    gone = _core.nonzero(c.missing())[0]
    some = total - len(gone)
    if keep == "last":
        back = _core.from_numpy(np.arange(total - 1, -1, -1), c.device)
        rows = (total - 1) - order([c.take(back)], [not largest])[:some]
        return bc.concatenate([rows, gone])[:n]
    rows = order([c], [not largest])
    found = c.take(rows[:some]).values
    equal = found == found[min(n, some) - 1] if some else found
    stop = int(_core.nonzero(equal)[0][-1]) + 1 if some else 0
    return rows if stop < n else rows[:stop]


class Sorting(Rows):
    """Order of the rows of frames; those methods of series that differ are in SeriesSorting."""

    @native(axis=(0, "index"))
    def sort_values(
        self, by: Any, *, axis: Any = 0, ascending: Any = True, inplace: bool = False, kind: str = "quicksort", na_position: str = "last",
        ignore_index: bool = False, key: Any = None,
    ) -> Any:  # fmt: skip
        """Sort rows by the values of columns.

        Parameters
        ----------
        by : label or list of labels
        ascending : bool or list of bool
            One for each key, or one for all.
        na_position : {"last", "first"}
            Where rows with missing keys go, whatever the direction.
        kind : {"quicksort", "stable", "mergesort", "heapsort"}
            With the default, equal values keep their order among more than 131,072 rows, and by several columns.
        axis, ignore_index, key, inplace
            As pandas'.

        Returns
        -------
        DataFrame, or None in place

        Raises
        ------
        KeyError
            When a label is neither a column nor a level of the index.
        """
        _check(kind, na_position)
        labels = list(by) if isinstance(by, (list, pandas.Index)) else [by]
        flags = _directions(ascending, len(labels))
        keys = []
        for k in labels:
            if k in self._names:
                found = self._names.get_loc(k)
                if not isinstance(found, (int, np.integer)):
                    raise ValueError(
                        f"The column label '{k}' is not unique.{_LEVELS if self._names.nlevels > 1 else ''}"
                    )
                refuse_ambiguous(k, self)
                keys.append(self._columns[int(found)])
            elif k in self._index._names:
                keys.append(self._index._columns[self._index._names.index(k)])
            else:
                raise KeyError(k)
        if not keys:
            return _finish(self, self.copy(), inplace, False)
        if key is not None:
            keys = [_mapped(key, _classes.Series._new(c, _indexes.default(len(self)), n)) for c, n in zip(keys, labels)]
        out = _in_order_of(self, keys, flags, na_position, kind, numbered=bool(ignore_index))
        if out is None:
            raise NotNative("a key of this type")
        return _finish(self, out, inplace, ignore_index)

    def nlargest(self, n: int, columns: Any, keep: str = "first") -> Any:
        """The n rows with the largest values in some columns, largest first."""
        return self._n_rows("nlargest", n, columns, keep)

    def nsmallest(self, n: int, columns: Any, keep: str = "first") -> Any:
        """The n rows with the smallest values in some columns, smallest first."""
        return self._n_rows("nsmallest", n, columns, keep)

    def _n_rows(self, name: str, n: int, columns: Any, keep: str) -> Any:
        labels = columns = list(several_labels(columns))
        if not labels or not self._names.is_unique:
            return self._call_pandas(name, (n, columns, keep), reason="no labels, or repeated ones")
        _check_keep(keep)
        keys = [self._columns[self._position(k)] for k in labels]
        for k, c in zip(labels, keys):
            if not c.has_ends:
                raise TypeError(f"Column {k!r} has dtype {c.dtype}, cannot use method {name!r} with this dtype")
        try:
            integer(n, "a number of rows")
            if len(keys) == 1:
                return self._take_rows(_ends(keys[0].own(), n, keep, name == "nlargest"))
            for c in keys:
                c.plain_values(why="several columns, some with NA")
        except NotNative as why:
            return self._call_pandas(name, (n, columns, keep), reason=why.reason)
        if keep != "first" or any(c.has_missing() for c in keys):
            return self._call_pandas(name, (n, columns, keep), reason="several columns with keep= or missing values")
        return self._take_rows(order(keys, [name != "nlargest"] * len(keys))[: max(n, 0)])

    @native
    def sort_index(
        self, *, axis: Any = 0, level: Any = None, ascending: Any = True, inplace: bool = False, kind: str = "quicksort",
        na_position: str = "last", sort_remaining: bool = True, ignore_index: bool = False, key: Any = None,
    ) -> Any:  # fmt: skip
        """Sort rows by their labels.

        Parameters
        ----------
        axis : {0, 1}
        ascending : bool or list of bool
        na_position : {"first", "last"}
            Where missing labels go.
        level, kind, sort_remaining, ignore_index, key, inplace
            As pandas'.
        """
        _check(kind, na_position)
        if not is_list_like(ascending):
            _directions(ascending, 1)
        if axis in (1, "columns") and self.ndim == 2 and level is None and key is None and not is_list_like(ascending):
            names = _indexes.from_pandas(self._names)
            if names.nlevels == 1 and not ignore_index:
                _, at = names.sort_values(return_indexer=True, ascending=bool(ascending), na_position=na_position)
                return _finish(self, self._select(_core.to_numpy(at).tolist()), inplace, False)
        if axis not in (0, "index") or level is not None or key is not None:
            raise NotNative("axis=, level= or key=")
        index = self._index
        if index.nlevels == 1 and not is_list_like(ascending):
            if (ascending and index.is_monotonic_increasing) or (not ascending and index.is_monotonic_decreasing):
                return _finish(self, self.copy(), inplace, ignore_index)
        out = _in_order_of(self, index._columns, _directions(ascending, index.nlevels), na_position, kind, labels=True)
        if out is None:
            raise NotNative("labels of this type")
        flags = _directions(ascending, index.nlevels)
        if index.nlevels > 1 and index._orders is not None and not _settled(index, flags):
            out._index._orders = sorted_orders(out._index)  # pandas sorts the levels, too
        return _finish(self, out, inplace, ignore_index)


class SeriesSorting(Sorting):
    """Order of the values of series."""

    @native
    def sort_values(
        self, *, axis: Any = 0, ascending: Any = True, inplace: bool = False, kind: str = "quicksort", na_position: str = "last",
        ignore_index: bool = False, key: Any = None,
    ) -> Any:  # fmt: skip
        """Sort the values.

        Parameters
        ----------
        ascending : bool
        na_position : {"last", "first"}
        kind : {"quicksort", "stable", "mergesort", "heapsort"}
            With the default, equal values keep their order among more than 131,072 rows, and by several columns.
        axis, ignore_index, key, inplace
            As pandas'.
        """
        _check(kind, na_position)
        if axis not in (0, "index"):
            raise ValueError(f"No axis named {axis} for object type Series")
        column = self._column if key is None else _mapped(key, self)
        out = _in_order_of(self, [column], _directions(ascending, 1), na_position, kind)
        if out is None:
            raise NotNative("values of this type")
        return _finish(self, out, inplace, ignore_index)

    @native
    def argsort(self, axis: Any = 0, kind: str = "quicksort", order: None = None, stable: None = None) -> Any:
        """Positions that would sort the values, those of missing ones last."""
        if axis not in (0, -1, "index"):
            raise ValueError(f"No axis named {axis} for object type Series")
        _check(kind, "last")
        column = self._column
        key = column.key()
        if key is None:
            raise NotNative(f"values of type {column.dtype}")
        rows = _core.order_columns([key.core], [True], False)
        return self._like(plain(column.unstable_rows(rows, True, kind=kind)))

    @native
    def nlargest(self, n: int = 5, keep: str = "first") -> Any:
        """The n largest values, largest first."""
        return self._n_values("nlargest", n, keep)

    @native
    def nsmallest(self, n: int = 5, keep: str = "first") -> Any:
        """The n smallest values, smallest first."""
        return self._n_values("nsmallest", n, keep)

    def _n_values(self, name: str, n: int, keep: str) -> Any:
        c = self._column
        _check_keep(keep)
        if not c.has_ends:
            raise TypeError(f"Cannot use method '{name}' with dtype {c.dtype}")
        integer(n, "a number of rows")
        return self._take_rows(_ends(c.own(), n, keep, name == "nlargest"))

    @native(side=("left", "right"), sorter=None)
    def searchsorted(self: Any, value: Any, side: str = "left", sorter: Any = None) -> Any:
        """Positions where values can be inserted so that the series stays sorted."""
        if hasattr(value, "_all_columns") and value.ndim == 1:
            return insertion_points(value._column, self._column, side)
        wanted = np.asarray(value)
        known = wanted.ndim < 2 and wanted.size and np.can_cast(wanted.dtype, np.float64, "same_kind")
        if not known or self._device() != "cpu":
            raise NotNative("values that are not numbers")
        found = np.searchsorted(host_view(self._column.plain_values("iuf")), wanted, side)
        return found if wanted.ndim == 0 else _core.from_numpy(found)
