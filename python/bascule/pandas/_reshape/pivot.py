"""Tables of aggregated values: pivot_table and crosstab."""

from __future__ import annotations

from typing import Any

import numpy as np

from .. import _classes, _fallback, _indexes
from .._columns.column import AnyColumn, HostColumn, ndarray
from .._columns.concatenation import concat as concat_columns
from .._columns.infer import from_values
from .._columns.reduce import lacks_categories
from .._fallback.native import NotNative, native_function
from .._labels import is_label
from .._theirs import pandas
from .shapes import is_frame
from .unstack import unstacked


def _is_array(x: Any) -> bool:
    """Whether a key is the values themselves, one a row."""
    return type(x) is ndarray or isinstance(
        x, (_classes.Series, _classes.Index, pandas.Series, pandas.Index, np.ndarray)
    )


def keys_of(x: Any) -> list[Any]:
    """Labels of key columns, and arrays of keys."""
    if x is None:
        return []
    given = list(x) if isinstance(x, (list, tuple)) else [x]
    for k in given:
        if not _is_array(k) and (not is_label(k) or isinstance(k, (tuple, pandas.Grouper)) or callable(k)):
            raise NotNative("keys that are neither labels of columns nor arrays")
    return given


def _in_order(frame: Any) -> Any:
    """The columns in order of their labels."""
    names = frame._names
    found = names.sortlevel(0)[1] if isinstance(names, pandas.MultiIndex) else names.argsort()
    order = [int(i) for i in found]
    return frame if order == list(range(len(order))) else frame._select(order)


def pivoted(data: Any, values: Any, index: list, columns: list, how: str, fill: Any, margins: bool, dropna: bool, title: str) -> Any:  # fmt: skip
    keys = index + columns
    labels = [k for k in keys if not _is_array(k)]
    listed = isinstance(values, (list, tuple))
    if values is not None:
        wanted = list(values) if listed else [values]
        for k in wanted:
            if k not in data._names:
                raise KeyError(k)
        data = data[[k for k in dict.fromkeys([*labels, *wanted]) if k in data._names]]
    else:
        wanted = [n for n in data._names if n not in labels]
    if not index or not keys or not dropna or len(set(labels)) < len(labels) or set(labels) & set(wanted) or not wanted:
        raise NotNative("unsupported keys, values or options")
    if len(labels) < len(keys) and (values is None or margins):
        raise NotNative("arrays as keys, with margins or with the values of all columns")
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
    if len(values) != 1:
        raise NotNative("margins of several values")
    if any(title in table._index.get_level_values(i) for i in range(len(index))) or any(
        title in table._names.get_level_values(i + 1) for i in range(len(columns))
    ):
        raise ValueError(f'Conflicting name "{title}" in margins')
    value = values[0]
    total = data[value].agg(how)
    if not columns:
        lower = [total]
    else:
        alongside = data.groupby(index, observed=True)[value].agg(how).reindex(table._index)
        below = data.groupby(columns, observed=True)[value].agg(how)
        found = dict(zip(below._index, below.tolist()))
        keys = [k[-1] if len(columns) == 1 else k[1:] for k in table._names]
        lower = [found.get(k, np.nan if fill is None else fill) for k in keys] + [total]
        more = (value, title, *[""] * (len(columns) - 1))
        names = pandas.MultiIndex.from_tuples([*table._names, more], names=table._names.names)
        table = _classes.DataFrame._new([*table._columns, alongside._column], names, table._index)
    made = [_extended(c, v) for c, v in zip(table._columns, lower)]
    return _classes.DataFrame._new(made, table._names, _extended_labels(table._index, title))


def _extended(c: AnyColumn, value: Any) -> AnyColumn:
    """A column of numbers with one more value, as integers where the column has these."""
    if c.plain_values("if", "margins").itemsize != 8:
        raise NotNative(f"margins of type {c.dtype}")
    whole = not c.can_lack and value == value and float(value).is_integer()
    return concat_columns([c, from_values(np.array([value], np.int64 if whole else np.float64))])


def _extended_labels(index: Any, title: str) -> Any:
    if index.nlevels > 1:
        rows = [*index.tolist(), (title, *[""] * (index.nlevels - 1))]
        return _indexes.MultiIndex.from_tuples(rows, names=index._names)
    c = index._columns[0]
    if c.is_text:
        more = from_values([title])
        if more.dtype != c.dtype:
            raise NotNative("labels of another string dtype")
        return _indexes.from_column(concat_columns([c, more]), index.name)
    if c.has_categories and isinstance(c.categories.dtype, pandas.StringDtype) and not c.has_missing():
        return _indexes.from_column(from_values([*index.tolist(), title]), index.name)
    objects = np.empty(len(index) + 1, dtype=object)
    objects[:-1], objects[-1] = index.tolist(), title
    return _indexes.from_column(HostColumn(objects), index.name)


def check_categories(frame: Any, keys: list) -> None:
    """Leave to pandas the tables with rows or columns for categories, or pairs of them, that do not occur."""
    columns = [frame._columns[frame._position(k)] for k in keys if not _is_array(k) and k in frame._names]
    if any(c.has_categories and (len(keys) > 1 or lacks_categories(c)) for c in columns):
        raise NotNative("categories that do not occur")


def function_name(how: Any) -> str:
    if not isinstance(how, str):
        raise NotNative("aggregation by a function")
    return how


def _names_of(keys: list, names: Any, prefix: str) -> list[Any]:
    if names is None:
        found = [getattr(k, "name", None) for k in keys]
        return [f"{prefix}_{i}" if n is None else n for i, n in enumerate(found)]
    if len(names) != len(keys):
        raise AssertionError("arrays and names must have the same length")
    return list(names)


def _as_keys(x: Any) -> list[Any]:
    return x if isinstance(x, list) and x and all(hasattr(v, "__len__") and not isinstance(v, str) for v in x) else [x]


def _aligned(parts: list[Any]) -> list[AnyColumn]:
    """The columns of series of equal labels, and of arrays of their length."""
    first = next((p for p in parts if isinstance(p, _classes.Series)), None)
    made: list[AnyColumn] = []
    for p in parts:
        if isinstance(p, _classes.Series):
            if not p._index.equals(first._index):
                raise NotNative("series of several labels")
            made.append(p._column)
        elif _is_array(p) and np.ndim(p) == 1:
            made.append(from_values(_fallback.from_pandas(p)))
        else:
            raise NotNative(f"keys of type {type(p).__name__}")
    if not made or len({len(c) for c in made}) > 1:
        raise NotNative("arrays of several lengths")
    return made


@native_function("crosstab", dropna=True)
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
    if "__dummy__" in labels or any(isinstance(n, tuple) for n in labels):
        raise NotNative("names that are tuples")
    unlike = [f"{k}:{n}" for k, n in enumerate(labels)] if len(set(labels)) < len(labels) else labels
    if margins and normalize is not False:
        raise NotNative("shares with margins")
    parts = [*down, *across] if values is None else [*down, *across, values]
    columns_of = _aligned(parts)
    if values is None:
        columns_of.append(from_values(np.zeros(len(columns_of[0]), np.int64)))
    named = pandas.Index([*unlike, "__dummy__"], tupleize_cols=False)
    data = _classes.DataFrame._new(columns_of, named, _indexes.default(len(columns_of[0])))
    how, fill = ("count", 0) if values is None else (function_name(aggfunc), None)
    n = len(down_names)
    table = pivoted(data, "__dummy__", unlike[:n], unlike[n:], how, fill, margins, True, margins_name)
    if unlike is not labels:
        table = table.rename_axis(down_names, axis=0)
        table.columns = table._names.set_names(across_names)
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


@native_function("pivot_table", data=is_frame)
def pivot_table(data: Any, *args: Any, **kwargs: Any) -> Any:
    """Aggregated values of a frame; see DataFrame.pivot_table."""
    return data.pivot_table(*args, **kwargs)


@native_function("pivot", data=is_frame)
def pivot(data: Any, **kwargs: Any) -> Any:
    """A frame with some columns' values as labels; see DataFrame.pivot."""
    return data.pivot(**kwargs)
