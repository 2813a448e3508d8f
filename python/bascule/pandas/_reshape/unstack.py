"""Row labels to column labels and back: unstack, stack, pivot."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas

from ... import _core
from .. import _classes, _indexes
from .._base import Rows
from .._columns.column import AnyColumn, Column, HostColumn, ndarray
from .._columns.column import concat as concat_columns
from .._columns.grouping import Codes, int64
from .._columns.reduce import lacks_categories
from .._columns.where import choose, is_missing_scalar
from .._fallback.native import NotNative, native
from .._indexes.multi import Even, orders_of
from .shapes import column_labels, repeated_rows, row_labels, tiled_rows

_UNSET = pandas.api.extensions.no_default
_FLOAT64 = np.dtype(np.float64)


def one_type(columns: list[AnyColumn]) -> list[Column]:
    """Columns in the common type of a matrix of them."""
    if not columns or not all(isinstance(c, Column) for c in columns):
        raise NotNative("no columns, or values of a pandas extension dtype")
    first = columns[0]
    if all(c.dtype == first.dtype for c in columns):
        return columns  # type: ignore[return-value]
    if any(c.is_text or c.is_masked or c.dtype.kind not in "iuf" for c in columns):
        raise NotNative("columns of several types")
    dtype = np.result_type(*(c.dtype for c in columns))
    return [Column(_core.Column.plain(c.values.astype(dtype, copy=False)), dtype) for c in columns]


def _levels(index: Any, level: Any) -> list[int]:
    """Positions of the levels that a user selects.

    Raises
    ------
    KeyError, IndexError
        When a level does not exist.
    """
    names = list(index._names)
    if isinstance(level, (list, tuple)) and not (isinstance(level, tuple) and level in names):
        found = [index._level_number(v) for v in level]
        if len(set(found)) < len(found):
            raise NotNative("a level given twice")
        return found
    if names.count(level) > 1:
        raise NotNative("a name of several levels")
    return [index._level_number(level)]


def _distinct(index: Any, levels: list[int], ordered: bool, whole: bool) -> tuple[ndarray, list[AnyColumn]]:
    """The code of each row's labels in some levels among the distinct ones, in the order of the levels, and the distinct ones."""
    columns = [index._columns[i] for i in levels]
    keys = [Codes(c) if isinstance(c.dtype, pandas.CategoricalDtype) else c for c in columns]  # type: ignore[arg-type]
    if any(not isinstance(c, Column) or c.has_missing() for c in keys):
        raise NotNative("labels of this type, or missing ones")
    if whole and any(lacks_categories(c) for c in columns):
        raise NotNative("unused categories")
    if ordered and index.nlevels > 1:
        numbers = [index._numbered(i) for i in levels]
        keys = [k if n is None else Column(_core.Column.plain(n[0]), n[0].dtype) for k, n in zip(keys, numbers)]
    codes, first, _ = _core.factorize_columns([c.core for c in keys], ordered, False)  # type: ignore[union-attr]
    return int64(codes), [c.take(first) for c in columns]


def _spread(c: AnyColumn, at: ndarray, holes: bool, fill: Any) -> AnyColumn:
    """Values at positions; where a column of the table has missing values, all get the type that holds these."""
    if not isinstance(c, Column):
        raise NotNative(f"values of type {c.dtype}")
    if not holes:
        return c.take(at)
    if fill is not None and not is_missing_scalar(fill):
        if isinstance(fill, float) and (c.is_masked or c.dtype.kind != "f"):
            raise NotNative("a float among values of another type")
        there = at >= 0
        return choose(there, c.take(_core.from_numpy(np.maximum(_core.to_numpy(at), 0))), fill)
    if not c.is_masked and not c.is_text and c.dtype.kind == "b":
        raise NotNative("booleans with missing ones")
    found = c.take(at, True)
    if found.dtype == c.dtype and not c.is_masked and isinstance(c.dtype, np.dtype) and c.dtype.kind in "iu":
        return Column(_core.Column.plain(found.values.astype(_FLOAT64)), _FLOAT64)  # type: ignore[union-attr]
    return found


def _table(index: Any, across: list[int], whole: bool) -> tuple[np.ndarray, Any, list[AnyColumn]]:
    """Positions of rows in a table, -1 for none; the labels of its rows and columns.

    Raises
    ------
    ValueError
        When two rows have the same labels.
    """
    down = [i for i in range(index.nlevels) if i not in across]
    if not down or not len(index):
        raise NotNative("all levels at once, or no rows")
    rows, row_labels = _distinct(index, down, True, whole)
    columns, labels = _distinct(index, across, len(across) == 1, whole)
    height, width = len(row_labels[0]), len(labels[0])
    if height * width > max(10 * len(index), 1000):
        raise NotNative("a table that is mostly empty")
    at = _core.to_numpy(rows + columns * np.int64(height))
    positions = np.full(height * width, -1, np.int64)
    positions[at] = np.arange(len(at))
    if int(np.count_nonzero(positions >= 0)) != len(at):
        raise ValueError("Index contains duplicate entries, cannot reshape")
    made = _indexes.Index._of_columns(row_labels, [index._names[i] for i in down])
    if len(down) > 1:
        made._ordered([index._order_of(i) for i in down])
    elif isinstance(index._order_of(down[0]), Even):
        made._at(index._order_of(down[0]).freq_of(row_labels[0]))
    return positions.reshape(width, height), made, labels


def unstacked(x: Any, level: Any, fill: Any = None, whole: bool = True) -> Any:
    """Move some levels of the labels of a series or frame to the columns.

    Unless `whole`, categories are those that occur, as after `groupby`: otherwise pandas has an order of its own.
    """
    index = x._index
    across = _levels(index, level)
    if index.nlevels == 1:
        if x.ndim == 1:
            raise NotNative("labels of one level")
        return _in_one_column(x)
    named = x.ndim == 2
    if named and len(across) > 1 and isinstance(x._names, pandas.MultiIndex):
        raise NotNative("several levels of columns")
    table, made, labels = _table(index, across, whole)
    holes = bool((table < 0).any())
    columns = x._all_columns()
    at = [_core.from_numpy(p, columns[0].device if columns else "cpu") for p in table]
    found = [_spread(c, p, holes, fill) for c in columns for p in at]
    below = _indexes.Index._of_columns(labels, [index._names[i] for i in across])
    if len(across) == 1 and isinstance(index._order_of(across[0]), Even):
        below._at(index._order_of(across[0]).freq_of(labels[0]))
    lower = column_labels(below)
    return _classes.DataFrame._new(found, _under(x._names, lower) if named else lower, made)


def _under(upper: pandas.Index, lower: pandas.Index) -> pandas.Index:
    """Each label of one index with each of another."""
    n, m = len(upper), len(lower)
    levels = [upper.get_level_values(i) for i in range(upper.nlevels)]
    below = [lower.get_level_values(i) for i in range(lower.nlevels)]
    arrays = [a.repeat(m) for a in levels] + [b.take(np.tile(np.arange(m), n)) for b in below]
    return pandas.MultiIndex.from_arrays(arrays, names=[*upper.names, *lower.names])


def _in_one_column(frame: Any) -> Any:
    """The columns of a frame concatenated, with the labels of rows and columns."""
    height, width = frame.shape
    if not height or not width:
        raise NotNative("an empty frame")
    if not frame._index.is_unique:
        raise ValueError("Columns with duplicate values are not supported in stack")
    values = concat_columns(one_type(frame._columns))
    names, index = row_labels(frame._names), frame._index
    columns = [c.take(repeated_rows(width, height)) for c in names._columns]
    columns += [c.take(tiled_rows(height, width)) for c in index._columns]
    labels = _indexes.MultiIndex._make(columns, [*names._names, *index._names])
    labels._ordered([*orders_of(names, of_one=True), *orders_of(index, of_one=True)])
    return _classes.Series._new(values, labels, None)


def by_rows(columns: list[AnyColumn], height: int) -> Column:
    """The values of columns row by row, in one column."""
    parts = one_type(columns)
    width = len(parts)
    if width == 1:
        return parts[0]
    joined = concat_columns(parts)
    at = np.arange(height * width, dtype=np.int64).reshape(width, height).T.ravel()
    return joined.take(_core.from_numpy(at, joined.device))  # type: ignore[return-value]


class SeriesReshaping(Rows):
    """`unstack` of series."""

    @native
    def unstack(self, level: Any = -1, fill_value: Any = None, sort: bool = True) -> Any:
        """Pivot levels of the index to columns.

        Parameters
        ----------
        level : int, label, or list of them
        fill_value : scalar, optional
            Replacement for missing values.
        sort : bool
            As pandas'.

        Raises
        ------
        ValueError
            When two rows have the same labels.
        """
        if not sort:
            raise NotNative("sort=")
        return unstacked(self, level, fill_value)


class FrameStacking(Rows):
    """`unstack`, `stack` and `pivot` of frames."""

    @native
    def unstack(self, level: Any = -1, fill_value: Any = None, sort: bool = True) -> Any:
        """Pivot levels of the row labels to columns, below their own; a series where there is one level only."""
        if not sort:
            raise NotNative("sort=")
        return unstacked(self, level, fill_value)

    @native
    def stack(self, level: Any = -1, dropna: Any = _UNSET, sort: Any = _UNSET, future_stack: bool = True) -> Any:
        """Pivot the column labels to a level of the row labels."""
        names = self._names
        if dropna is not _UNSET or sort is not _UNSET or not future_stack or isinstance(names, pandas.MultiIndex):
            raise NotNative("several levels of columns, or options")
        if level not in (-1, 0, [-1], [0]) and (level != names.name or level is None):
            raise NotNative("a level that is not there")
        if not names.is_unique:
            raise ValueError("Columns with duplicate values are not supported in stack")
        height, width = self.shape
        if not height or not width or names.hasnans:
            raise NotNative("an empty frame, or missing labels")
        values, index, labels = by_rows(self._columns, height), self._index, row_labels(names)
        columns = [c.take(repeated_rows(height, width)) for c in index._columns]
        columns += [c.take(tiled_rows(width, height)) for c in labels._columns]
        stacked = _indexes.MultiIndex._make(columns, [*index._names, names.name])
        stacked._ordered([*orders_of(index, of_one=True), *labels._columns])
        return _classes.Series._new(values, stacked, None)

    @native
    def pivot(self, *, columns: Any, index: Any = _UNSET, values: Any = _UNSET) -> Any:
        """Reshape by column values: some columns' values become the index, others' the columns.

        Parameters
        ----------
        columns, index, values : label or list of labels
            Labels of columns; the row labels without `index`, all other columns without `values`.

        Raises
        ------
        ValueError
            When two rows have the same labels.
        """
        across = _listed(columns)
        down = [] if index is _UNSET else _listed(index)
        asked = [] if values is _UNSET or isinstance(values, tuple) else _listed(values)
        for name, labels in (("columns", across), ("index", down), ("values", asked)):
            missing = [k for k in labels if k not in self._names]
            if missing:
                raise KeyError(f"The following '{name}' labels are not columns of the DataFrame: {missing}")
        if not self._names.is_unique or isinstance(self._names, pandas.MultiIndex) or isinstance(values, tuple):
            raise NotNative("duplicate column labels, or several levels of columns")
        at = self._positions_of([*down, *across])
        keys = [self._columns[i] for i in at]
        called = list(self._names[at])
        if index is _UNSET:
            keys, called = [*self._index._columns, *keys], [*self._index._names, *called]
        if any(isinstance(k, HostColumn) for k in keys) or len(set(called)) < len(called):
            raise NotNative("labels of pandas extension dtypes, or of names that repeat")
        labels = _indexes.MultiIndex._make(keys, called)
        levels = list(range(len(keys) - len(across), len(keys)))
        if values is _UNSET:
            rest = [i for i in range(len(self._columns)) if i not in at]
            return unstacked(
                _classes.DataFrame._new([self._columns[i] for i in rest], self._names[rest], labels), levels
            )
        if isinstance(values, (list, np.ndarray, pandas.Index, _indexes.Index)):
            parts = one_type([self._columns[i] for i in self._positions_of(asked)])
            return unstacked(_classes.DataFrame._new(parts, pandas.Index(asked), labels), levels)
        return unstacked(_classes.Series._new(self._columns[self._position(values)], labels), levels)


def _listed(x: Any) -> list[Any]:
    if isinstance(x, (list, np.ndarray, pandas.Index, _indexes.Index)):
        return list(x)
    if x is None or isinstance(x, (tuple, Rows)):
        raise NotNative("unsupported labels")
    return [x]
