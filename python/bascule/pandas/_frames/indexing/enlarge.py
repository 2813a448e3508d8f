"""Assignments by `loc` to labels that do not exist: a new row, or a new column of which some rows are set."""

from __future__ import annotations

from typing import Any

import numpy as np

from ... import _classes
from ..._columns.column import STR, AnyColumn, text_of
from ..._fallback.native import NotNative
from ..._questions import is_list_like
from ..._reshape.concat import concat

_NUMBERS = {np.dtype(np.int64), np.dtype(np.float64)}
_INDEXES = np.dtype(np.int64), np.dtype(object), STR
_LABELS = (str, int)
_VALUES = (str, int, float)


def _longer(index: Any, label: Any) -> Any:
    """The labels and a new one."""
    if type(label) is int and index.dtype == np.int64 or type(label) is str and index.dtype == STR:
        return index.insert(len(index), label)
    return _classes.Index(np.array([*index, label], object), dtype=object, name=index.name)


def _is_new(index: Any, label: Any) -> bool:
    # Of other labels only a look says which of them a string stands for.
    known = index.nlevels == 1 and index.dtype in _INDEXES
    return known and type(label) in _LABELS and len(index) > 0 and label not in index


def _whole(value: Any, dtype: Any) -> Any:
    """A whole float as the integer that a series of integers stores; other values unchanged."""
    fits = type(value) is float and dtype == np.int64 and value.is_integer() and -(2.0**63) <= value < 2.0**63
    return int(value) if fits else value


def _fits(x: AnyColumn, dtype: Any) -> bool:
    """Whether a column takes a value in without a warning: numbers of floats, and NaN, for which integers become floats."""
    if x.dtype == dtype:
        return True
    return {x.dtype, dtype} == _NUMBERS and (dtype == np.float64 or x.has_missing())


def _cells(frame: Any, value: Any) -> list[AnyColumn] | None:
    """The columns of a row; None where only pandas knows their types."""
    names = list(frame._names)
    if isinstance(value, _classes.Series):
        value = value.to_dict() if value.index.nlevels == 1 and value.index.is_unique else None
        if value is None:
            return None
    if isinstance(value, dict):
        value = [value.get(n, np.nan) for n in names]
    elif type(value) in (list, tuple):
        value = list(value)
    elif type(value) in _VALUES:
        value = [value] * len(names)
    else:
        return None
    if len(value) != len(names):
        raise ValueError("cannot set a row with mismatched columns")
    if not all(type(x) in _VALUES or type(x) is bool for x in value):
        return None
    row = _classes.Series(value)._column
    cells = row.objects() if row.dtype != object else value
    return [_classes.Series([_whole(x, c.dtype)])._column for x, c in zip(cells, frame._columns)]


def _add_row(frame: Any, label: Any, value: Any) -> bool:
    """Add a row to a frame, as pandas does for a label that does not exist; False where pandas has to."""
    index = frame._index
    names = frame._names
    if names.nlevels > 1 or not names.is_unique or not frame._columns or not _is_new(index, label):
        return False
    cells = _cells(frame, value)
    if cells is None or frame._device() != "cpu":
        return False
    if not all(_fits(x, c.dtype) for x, c in zip(cells, frame._columns)):
        return False
    labels = _longer(index, label)
    row = _classes.DataFrame._new(cells, names, labels[len(index) :])
    made = concat([frame, row])
    frame._become(made._with(made._all_columns(), labels))
    return True


def add_value(series: Any, label: Any, value: Any) -> bool:
    """Add a value to a series, as pandas does for a label that does not exist; False where pandas has to."""
    index = series._index
    if type(value) not in _VALUES or not _is_new(index, label) or series._device() != "cpu":
        return False
    added = _classes.Series([_whole(value, series.dtype)])._column
    if value != value or not _fits(added, series.dtype):
        return False
    labels = _longer(index, label)
    one = _classes.Series._new(added, labels[len(index) :], None)
    series._become(series._with(concat([series, one])._all_columns(), labels))
    return True


def _add_column(frame: Any, rows: Any, name: Any, value: Any, target: Any) -> bool:
    """Add a column of missing values, of which the rows of a target are set after; False where pandas has to."""
    if type(name) not in _LABELS or type(value) not in _VALUES or not len(frame):
        return False
    try:
        if target(rows) is None:
            return False
    except (KeyError, ValueError, TypeError, IndexError, NotNative):
        return False  # pandas raises the error
    missing = _classes.Series._new(text_of([None] * len(frame)), frame._index, None) if type(value) is str else np.nan
    frame[name] = missing
    return True


def enlarged(owner: Any, rows: Any, columns: Any, value: Any, target: Any) -> bool:
    """Whether an assignment has added a row; a new column is added here, and its values are set by the caller."""
    if owner.ndim == 1:
        return add_value(owner, rows, value)
    if isinstance(columns, slice):
        return columns == slice(None) and _add_row(owner, rows, value)
    if not is_list_like(columns) and columns not in owner._names:
        _add_column(owner, rows, columns, value, target)
    return False
