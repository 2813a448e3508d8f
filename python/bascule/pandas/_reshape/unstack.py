"""Row labels to column labels and back."""

from __future__ import annotations

from typing import Any

import numpy as np

from ... import _core
from .. import _classes, _indexes
from .._base import Rows
from .._columns.column import AnyColumn, Column, ndarray, plain
from .._columns.concatenation import concat as concat_columns
from .._columns.grouping import int64
from .._columns.reduce import lacks_categories
from .._columns.unique import keys_of
from .._columns.where import choose, is_missing_scalar
from .._fallback.native import NotNative
from .._indexes.multi import Even, orders_of
from .._questions import is_list_like
from .._theirs import is_loaded, pandas
from .shapes import column_labels, repeated_rows, row_labels, tiled_rows

_FLOAT64 = np.dtype(np.float64)


def one_type(columns: list[AnyColumn]) -> list[Column]:
    """Columns in the common type of a matrix of them."""
    if not columns:
        raise NotNative("no columns")
    first, owned = columns[0], [c.own("values of a pandas extension dtype") for c in columns]
    if all(c.dtype == first.dtype for c in columns):
        return owned
    for c in columns:
        c.plain_values("iuf", "columns of several types")
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
    keys = keys_of(columns)
    if any(k.has_missing() for k in keys):
        raise NotNative("missing labels")
    if whole and any(lacks_categories(c) for c in columns):
        raise NotNative("unused categories")
    if ordered and index.nlevels > 1:
        numbers = [index._numbered(i) for i in levels]
        keys = [k if n is None else Column(_core.Column.plain(n[0]), n[0].dtype) for k, n in zip(keys, numbers)]
    codes, first, _ = _core.factorize_columns([c.core for c in keys], ordered, False)  # type: ignore[union-attr]
    return int64(codes), [c.take(first) for c in columns]


def _spread(c: AnyColumn, at: ndarray, nulls: bool, fill: Any) -> AnyColumn:
    """Values at positions; where a column of the table has missing values, all get the type that holds these."""
    c.own()
    if not nulls:
        return c.take(at)
    if fill is not None and not is_missing_scalar(fill):
        if isinstance(fill, float) and not c.nan_is_missing:
            raise NotNative("a float among values of another type")
        there = at >= 0
        return choose(there, c.take(_core.from_numpy(np.maximum(_core.to_numpy(at), 0))), fill)
    if c.selects_rows and not c.can_lack:
        raise NotNative("booleans with missing ones")
    found = c.take(at, True)
    if found.dtype == c.dtype and not c.can_lack:
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
        orders = orders_of(index)
        made._ordered([orders[i] for i in down])
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
    if any(c.labels_kept == "in pandas" for c in index._columns):
        raise NotNative("labels of this type, or missing ones")
    whole_levels = orders_of(index)
    whole_levels, index = [whole_levels[i] for i in across], index.remove_unused_levels()
    table, made, labels = _table(index, across, whole)
    nulls = bool((table < 0).any())
    columns = x._all_columns()
    at = [_core.from_numpy(p, columns[0].device if columns else "cpu") for p in table]
    found = [_spread(c, p, nulls, fill) for c in columns for p in at]
    below = _indexes.Index._of_columns(labels, [index._names[i] for i in across])
    if len(across) == 1 and isinstance(index._order_of(across[0]), Even):
        below._at(index._order_of(across[0]).freq_of(labels[0]))
    if len(across) > 1:
        below._ordered(whole_levels)
    names = _under(x._names, below, whole_levels) if named else column_labels(below)
    return _classes.DataFrame._new(found, names, made)


def _under(upper: pandas.Index, lower: Any, orders: list[Any]) -> pandas.Index:
    """Each label of one index with each of another, which are labels of rows; `orders` are those of the levels of the second."""
    there, n, m = row_labels(upper), len(upper), len(lower)
    columns = [c.take(repeated_rows(n, m)) for c in there._columns] + [c.take(tiled_rows(m, n)) for c in lower._columns]
    if all(c.has_core or (c.has_categories and not is_loaded()) for c in columns):
        made = _indexes.MultiIndex._make(columns, [*there._names, *lower._names])
        return column_labels(made._ordered([*orders_of(there, of_one=True), *orders]))
    below = lower.to_pandas()  # the levels are the categories, or what else pandas makes of its own types
    arrays = [upper.get_level_values(i).repeat(m) for i in range(upper.nlevels)]
    arrays += [below.get_level_values(i).take(np.tile(np.arange(m), n)) for i in range(below.nlevels)]
    return pandas.MultiIndex.from_arrays(arrays, names=[*upper.names, *below.names])


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
    if joined.is_plain():
        return plain(joined.values.reshape(width, height).T.ravel())
    at = np.arange(height * width, dtype=np.int64).reshape(width, height).T.ravel()
    return joined.take(_core.from_numpy(at, joined.device))  # type: ignore[return-value]


def listed(x: Any) -> list[Any]:
    """The labels of a list-like in a list; one label in a list of its own."""
    if x is None or isinstance(x, (tuple, Rows)):
        raise NotNative("unsupported labels")
    return list(x) if is_list_like(x) and hasattr(x, "__len__") else [x]
