"""Tables of aggregated values: pivot_table and crosstab."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas

from .. import _classes, _indexes
from .._columns.column import AnyColumn, Column, HostColumn
from .._columns.column import concat as concat_columns
from .._columns.infer import from_values
from .._columns.numbered import is_categories
from .._columns.reduce import lacks_categories
from .._fallback.native import NotNative, native, native_function
from .._labels import is_label
from .unstack import FrameStacking, unstacked


def _keys(x: Any) -> list[Any]:
    """Labels of key columns."""
    if x is None:
        return []
    given = list(x) if isinstance(x, (list, tuple)) else [x]
    if not all(is_label(k) and not isinstance(k, (tuple, pandas.Grouper)) and not callable(k) for k in given):
        raise NotNative("keys that are not labels of columns")
    return given


def _in_order(frame: Any) -> Any:
    """The columns in order of their labels."""
    names = frame._names
    found = names.sortlevel(0)[1] if isinstance(names, pandas.MultiIndex) else names.argsort()
    order = [int(i) for i in found]
    return frame if order == list(range(len(order))) else frame._select(order)


def _table(data: Any, values: Any, index: list, columns: list, how: str, fill: Any, margins: bool, dropna: bool, title: str) -> Any:  # fmt: skip
    keys = index + columns
    listed = isinstance(values, (list, tuple))
    if values is not None:
        wanted = list(values) if listed else [values]
        for k in wanted:
            if k not in data._names:
                raise KeyError(k)
        data = data[[k for k in dict.fromkeys([*keys, *wanted]) if k in data._names]]
    else:
        wanted = [n for n in data._names if n not in keys]
    if not index or not keys or not dropna or len(set(keys)) < len(keys) or set(keys) & set(wanted) or not wanted:
        raise NotNative("unsupported keys, values or options")
    grouped = data.groupby(keys, observed=True, sort=True, dropna=True)[wanted].agg(how)
    if grouped.ndim == 1 or len(grouped._columns) != len(wanted) or not len(grouped):
        raise NotNative("values that do not aggregate")
    table = grouped.dropna(how="all")
    if columns:
        table = unstacked(table, list(range(len(index), len(keys))), fill, False)
    table = _in_order(table)
    if fill is not None:
        table = table.fillna(fill)
    if margins:
        table = _with_margins(table, data[data.notna().all(axis=1)], wanted, index, columns, how, fill, title)
    if values is not None and not listed and table._names.nlevels > 1:
        table = _classes.DataFrame._new(list(table._columns), table._names.droplevel(0), table._index)
    return table.dropna(how="all", axis=1)


def _with_margins(table: Any, data: Any, values: list, index: list, columns: list, how: str, fill: Any, title: Any) -> Any:  # fmt: skip
    """A table with a row and a column of totals."""
    if not isinstance(title, str):
        raise ValueError("margins_name argument must be a string")
    if len(index) != 1 or len(columns) > 1 or len(values) != 1:
        raise NotNative("margins of several keys or values")
    if title in table._index or (columns and title in table._names.get_level_values(-1)):
        raise ValueError(f'Conflicting name "{title}" in margins')
    value = values[0]
    total = data[value].agg(how)
    if not columns:
        lower = [total]
    else:
        beside = data.groupby(index, observed=True)[value].agg(how).reindex(table._index)
        below = data.groupby(columns, observed=True)[value].agg(how)
        found = dict(zip(below._index, below.tolist()))
        lower = [found.get(k[-1], np.nan if fill is None else fill) for k in table._names] + [total]
        names = pandas.MultiIndex.from_tuples([*table._names, (value, title)], names=table._names.names)
        table = _classes.DataFrame._new([*table._columns, beside._column], names, table._index)
    made = [_extended(c, v) for c, v in zip(table._columns, lower)]
    return _classes.DataFrame._new(made, table._names, _extended_labels(table._index, title))


def _extended(c: AnyColumn, value: Any) -> AnyColumn:
    """A column of numbers with one more value, as integers where the column has these."""
    if not isinstance(c, Column) or c.is_text or c.is_masked or c.dtype.kind not in "if" or c.dtype.itemsize != 8:
        raise NotNative(f"margins of type {c.dtype}")
    whole = c.dtype.kind == "i" and value == value and float(value).is_integer()
    return concat_columns([c, from_values(np.array([value], np.int64 if whole else np.float64))])


def _extended_labels(index: Any, title: str) -> Any:
    c = index._columns[0]
    if c.is_text:
        more = from_values([title])
        if more.dtype != c.dtype:
            raise NotNative("labels of another string dtype")
        return _indexes.from_column(concat_columns([c, more]), index.name)
    if is_categories(c) and isinstance(c.dtype.categories.dtype, pandas.StringDtype) and not c.has_missing():
        return _indexes.from_column(from_values([*index.tolist(), title]), index.name)
    objects = np.empty(len(index) + 1, dtype=object)
    objects[:-1], objects[-1] = index.tolist(), title
    return _indexes.from_column(HostColumn(objects), index.name)


def _check_categories(frame: Any, keys: list) -> None:
    """Leave to pandas the tables with rows or columns for categories, or pairs of them, that do not occur."""
    columns = [frame._columns[frame._position(k)] for k in keys if k in frame._names]
    if any(is_categories(c) and (len(keys) > 1 or lacks_categories(c)) for c in columns):
        raise NotNative("categories that do not occur")


def _named(how: Any) -> str:
    if not isinstance(how, str):
        raise NotNative("aggregation by a function")
    return how


class FramePivots(FrameStacking):
    """`pivot_table` and `pivot` of frames."""

    @native
    def pivot_table(
        self, values: Any = None, index: Any = None, columns: Any = None, aggfunc: Any = "mean", fill_value: Any = None, margins: bool = False,
        dropna: bool = True, margins_name: Any = "All", observed: bool = True, sort: bool = True, **kwargs: Any,
    ) -> Any:  # fmt: skip
        """Pivot table: aggregated values with some columns' values as rows and others' as columns.

        Parameters
        ----------
        values, index, columns : label or list of labels
        aggfunc : str or list of str
        fill_value : scalar, optional
            Replacement for missing values.
        margins : bool
            Whether to add the aggregates over all rows and columns.
        dropna, margins_name, observed, sort, **kwargs
            As pandas'.

        Returns
        -------
        DataFrame
        """
        if not sort or kwargs or not self._names.is_unique or isinstance(self._names, pandas.MultiIndex):
            raise NotNative("options of pivot_table")
        down, across = _keys(index), _keys(columns)
        if not observed:
            _check_categories(self, down + across)
        given = (values, down, across)
        options = (fill_value, margins, dropna, margins_name)
        if not isinstance(aggfunc, list):
            return _table(self, *given, _named(aggfunc), *options)
        if not aggfunc:
            raise NotNative("no aggregation")
        parts = [_table(self, *given, _named(how), *options) for how in aggfunc]
        if not all(p._index.equals(parts[0]._index) for p in parts):
            raise NotNative("aggregations that return other rows")
        labels = [(how, *(n if isinstance(n, tuple) else (n,))) for how, p in zip(aggfunc, parts) for n in p._names]
        names = pandas.MultiIndex.from_tuples(labels, names=[None, *parts[0]._names.names])
        return _classes.DataFrame._new([c for p in parts for c in p._columns], names, parts[0]._index)


def _names_of(keys: list, names: Any, prefix: str) -> list[Any]:
    if names is None:
        found = [getattr(k, "name", None) for k in keys]
        return [f"{prefix}_{i}" if n is None else n for i, n in enumerate(found)]
    if len(names) != len(keys):
        raise AssertionError("arrays and names must have the same length")
    return list(names)


def _as_keys(x: Any) -> list[Any]:
    return x if isinstance(x, list) and x and all(hasattr(v, "__len__") and not isinstance(v, str) for v in x) else [x]


@native_function(pandas.crosstab)
def crosstab(
    index: Any, columns: Any, values: Any = None, rownames: Any = None, colnames: Any = None, aggfunc: Any = None, margins: bool = False,
    margins_name: Any = "All", dropna: bool = True, normalize: Any = False,
) -> Any:  # fmt: skip
    """Cross tabulation: counts of combinations of values, or an aggregate of other values.

    Parameters
    ----------
    index, columns : Series, array or list of them
        Values of the rows and of the columns.
    values : Series or array, optional
        Values that `aggfunc` aggregates.
    rownames, colnames : list of str, optional
    aggfunc : str, optional
    margins, margins_name, dropna
        As those of DataFrame.pivot_table.
    normalize : {False, True, "all", "index", "columns", 0, 1}
        Proportions of all, of each row or of each column in the place of counts.

    Examples
    --------
    >>> import bascule.pandas as pd
    >>> pd.crosstab(pd.Series(["a", "b", "a"]), pd.Series(["x", "x", "y"])).to_numpy().tolist()
    [[1, 1], [1, 0]]
    """
    if values is None and aggfunc is not None:
        raise ValueError("aggfunc cannot be used without values.")
    if values is not None and aggfunc is None:
        raise ValueError("values cannot be used without an aggfunc.")
    down, across = _as_keys(index), _as_keys(columns)
    down_names, across_names = _names_of(down, rownames, "row"), _names_of(across, colnames, "col")
    labels = [*down_names, *across_names]
    if len(set(labels)) < len(labels) or "__dummy__" in labels or any(isinstance(n, tuple) for n in labels):
        raise NotNative("names that repeat")
    if not dropna or (margins and normalize is not False):
        raise NotNative("dropna= or shares with margins")
    parts = [*down, *across] if values is None else [*down, *across, values]
    first = next((p for p in parts if isinstance(p, _classes.Series)), None)
    if first is None or not all(isinstance(p, _classes.Series) and p._index.equals(first._index) for p in parts):
        raise NotNative("arrays, or series of several labels")
    counted = from_values(np.zeros(len(first), np.int64)) if values is None else values._column
    columns_of = [p._column for p in (*down, *across)]
    named = pandas.Index([*labels, "__dummy__"], tupleize_cols=False)
    data = _classes.DataFrame._new([*columns_of, counted], named, _indexes.default(len(first)))
    how, fill = ("count", 0) if values is None else (_named(aggfunc), None)
    table = _table(data, "__dummy__", down_names, across_names, how, fill, margins, True, margins_name)
    return table if normalize is False else _shares(table, normalize)


def _shares(table: Any, of: Any) -> Any:
    of = {0: "index", 1: "columns"}.get(of, of) if not isinstance(of, (bool, str)) else of
    if of is True or of == "all":
        table = table / table.sum(axis=1).sum(axis=0)
    elif of == "columns":
        table = table / table.sum()
    elif of == "index":
        table = table.div(table.sum(axis=1), axis=0)
    else:
        raise ValueError("Not a valid normalize argument")
    return table.fillna(0)


@native_function(pandas.pivot_table)
def pivot_table(data: Any, *args: Any, **kwargs: Any) -> Any:
    """Aggregated values of a frame; see DataFrame.pivot_table."""
    if not isinstance(data, _classes.DataFrame):
        raise NotNative("unsupported data")
    return data.pivot_table(*args, **kwargs)


@native_function(pandas.pivot)
def pivot(data: Any, **kwargs: Any) -> Any:
    """A frame with some columns' values as labels; see DataFrame.pivot."""
    if not isinstance(data, _classes.DataFrame):
        raise NotNative("unsupported data")
    return data.pivot(**kwargs)
