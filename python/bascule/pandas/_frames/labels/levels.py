"""Levels of labels, rows chosen by labels, and labels with affixes."""

from __future__ import annotations

from typing import Any

import numpy as np

from .... import _core
from ... import _classes, _fallback, _indexes
from ..._base import Rows, as_mask
from ..._columns.astype import converted
from ..._columns.column import STR, ndarray
from ..._columns.operators import compute
from ..._fallback.native import NotNative
from ..._pipe import apply_if_callable
from ..._questions import is_list_like
from ..._theirs import pandas

ROWS, COLUMNS = (0, "index", "rows"), (1, "columns")


def several_labels(labels: Any) -> Any:
    """One label in a list; what holds several of them unchanged."""
    return labels if is_list_like(labels) and not isinstance(labels, tuple) else [labels]


def listed_labels(labels: Any) -> list[Any]:
    """One label, or several, in a list."""
    found = several_labels(labels)
    return list(found if isinstance(found, _indexes.Index) else _fallback.to_pandas(found))


def axis_number(x: Any, axis: Any) -> int:
    """0 for rows and 1 for columns; ValueError if the axis is unknown."""
    if axis in ROWS:
        return 0
    if axis in COLUMNS and x.ndim == 2:
        return 1
    raise ValueError(f"No axis named {axis} for object type {'Series' if x.ndim == 1 else 'DataFrame'}")


def with_column_labels(frame: Any, names: pandas.Index) -> Any:
    return _classes.DataFrame._new(list(frame._columns), names, frame._index)


def level_numbers(index: Any, level: Any) -> list[int]:
    given = list(level) if isinstance(level, (list, tuple)) else [level]
    return [index._level_number(v) for v in given]


def affixed(index: Any, before: str, behind: str) -> Any:
    """Labels as strings with a prefix or a suffix."""
    c = index._columns[0]
    if c.dtype != STR:
        c.plain_values("biuf", "labels that are neither strings nor plain numbers")
    if index.nlevels > 1 or not len(c) or c.has_missing():
        raise NotNative("missing labels")
    made = converted(c, STR)
    made = compute("add", before, made) if before else compute("add", made, behind)
    return _indexes.from_column(made, index._names[0])


def filter_by(x: Any, arg: Any, items: Any, cond: Any, like: Any, regex: Any, na: Any) -> tuple[Any, Any]:
    """The labels, or else the mask, that are passed to a filter."""
    given = sum(v is not None for v in (arg, items, cond, like, regex))
    if given > 1:
        raise TypeError(
            "The positional argument and the keyword arguments `items`, `cond`, `like`, and `regex` are mutually exclusive"
        )
    if given == 0:
        raise TypeError("Must pass a positional argument or one of `items`, `cond`, `like`, or `regex`")
    if na is not False:
        raise NotNative("na=")
    if callable(arg) or callable(cond):
        return None, apply_if_callable(cond if arg is None else arg, x)
    return (items if arg is None else arg), cond


def rows_that(x: Any, cond: Any) -> Any:
    """The rows for which a series of the same labels, or an array, is true."""
    labelled = isinstance(cond, Rows) and cond.ndim == 1
    if not (type(cond) is ndarray or labelled and (cond._index is x._index or cond._index.equals(x._index))):
        raise NotNative("unsupported booleans")
    mask = as_mask(cond, x._index)
    if mask is None:
        raise NotNative("unsupported booleans")
    return x._filter_rows(mask)


def filtered_rows(x: Any, items: Any, like: Any, regex: Any) -> Any:
    index = x._index
    c = index._columns[0]
    if items is not None:
        raise NotNative("labels that are to be found among those of the rows")
    c.strings(c.dtype)
    if index.nlevels > 1 or c.has_missing():
        raise NotNative("missing labels")
    found = index.str.contains(like if like is not None else regex, regex=like is None)
    return x._filter_rows(found if type(found) is ndarray else _core.from_numpy(np.asarray(found, bool)))


def without_duplicates(x: Any, repeats: ndarray, inplace: bool, ignore_index: bool) -> Any:

    out = x._filter_rows(~repeats, asked_for=x.ndim == 1)
    if ignore_index:
        out = out._with(out._all_columns(), _indexes.default(len(out)))
    if not inplace:
        return out
    x._become(out)
    return None


def checked_weights(x: Any, weights: Any) -> np.ndarray:
    """Weights of rows as pandas takes them: aligned by label, 0 where missing."""
    if isinstance(weights, (pandas.Series, _classes.Series)):
        weights = _classes.Series(weights) if isinstance(weights, pandas.Series) else weights
        weights = weights.reindex(x._index)._column.to_numpy()
    elif isinstance(weights, str):
        if x.ndim == 1:
            raise ValueError("Strings cannot be passed as weights when sampling from a Series.")
        if weights not in x._names:
            raise KeyError("String passed to weights not a valid column")
        weights = x[weights]._column.to_numpy()
    if type(weights) is ndarray:
        weights = _core.to_numpy(weights)
    if not isinstance(weights, (list, np.ndarray)):
        raise NotNative("unsupported weights")
    made = np.array(weights, dtype=np.float64)
    if len(made) != len(x):
        raise ValueError("Weights and axis to be sampled must be of same length")
    if np.isinf(made).any():
        raise ValueError("weights vector may not include `inf` values")
    if (made < 0).any():
        raise ValueError("weights vector may not include negative values")
    return np.where(np.isnan(made), 0.0, made)


def in_place(self: Any, out: Any, inplace: bool) -> Any:
    if not inplace:
        return out
    self._become(out)
    return None
