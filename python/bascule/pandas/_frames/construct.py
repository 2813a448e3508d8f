"""Construction of frames, series and indexes from Python's lists, dicts, arrays and scalars."""

from __future__ import annotations

import datetime
from typing import Any

import numpy as np

from .. import _fallback, _indexes
from .._columns.column import AnyColumn, HostColumn, from_pandas_array, has_own_form, ndarray
from .._columns.infer import ARRAYS, column, from_values, repeated, widened
from .._indexes.from_labels import labels
from .._labels import keys_of
from .._stand_ins import StandIn, labelled, of_rows
from .._theirs import pandas

_SCALARS = (str, int, float, np.generic, datetime.datetime, datetime.timedelta)
Parts = tuple[list[AnyColumn], Any, Any]


def names(x: Any) -> pandas.Index:
    """Column labels given by a user, as an index: tuples in a list stay tuples, arrays in a list are levels."""
    given = x
    if isinstance(x, _indexes.Index) and x._names == [None]:
        given = range(x.start, x.stop, x.step) if isinstance(x, _indexes.RangeIndex) else x.tolist()
    stand_in = x if isinstance(x, StandIn) else labelled(given) if type(given) in (list, range) else None
    if stand_in is not None:
        return stand_in
    if isinstance(x, _indexes.Index):
        return of_rows(x)
    return pandas.core.indexes.api.ensure_index(x if isinstance(x, pandas.Index) else _fallback.to_pandas(x))


def series_parts(data: Any, index: Any, dtype: Any) -> tuple[AnyColumn, Any] | None:
    """The column and the index of a series made of other data; None where only pandas can make them."""
    rows = None if index is None else labels(index)
    if index is not None and rows is None:
        return None
    if isinstance(data, dict):
        if not data or index is not None:
            return None
        rows, data = labels(list(data)), list(data.values())
        if rows is None:
            return None
        rows = _indexes.evenly(rows) if len(rows) > 1 else rows
    if isinstance(data, _SCALARS) and not isinstance(data, np.ndarray):
        made = repeated(data, 1 if rows is None else len(rows), dtype)
    else:
        made = column(data, dtype)
    if made is None:
        return None
    rows = _indexes.default(len(made)) if rows is None else rows
    return (made, rows) if len(rows) == len(made) else None


def frame_parts(data: Any, index: Any, columns: Any, dtype: Any = None) -> Parts | None:
    """The columns, their labels and the index of a frame; None where only pandas can make them."""
    rows = None if index is None else labels(index)
    if index is not None and rows is None:
        return None
    if data is None:
        return _of_labels(_indexes.default(0) if rows is None else rows, columns, dtype)
    if isinstance(data, dict):
        return _of_dict(data, rows, columns, dtype) if data else None
    if isinstance(data, (pandas.api.extensions.ExtensionArray, range, _indexes.Index)) or (
        type(data) in (ndarray, np.ndarray) and data.ndim == 1
    ):
        return _of_one(data, rows, columns, dtype)
    if type(data) is ndarray or type(data) is np.ndarray:
        return _of_matrix(data, rows, columns, dtype)
    if isinstance(data, _SCALARS) and rows is not None and columns is not None:
        given = names(columns)
        one = repeated(data, len(rows), dtype)
        return None if one is None else ([one] * len(given), given, rows)
    if type(data) is not list or not data:
        return None
    kinds = set(map(type, data))
    if all(issubclass(k, dict) for k in kinds):
        return _of_records(data, rows, columns, dtype)
    if isinstance(data[0], tuple) and hasattr(data[0], "_fields"):
        columns = list(data[0]._fields) if columns is None else columns
        kinds = {tuple if hasattr(k, "_fields") and issubclass(k, tuple) else k for k in kinds}
    if kinds <= {np.ndarray, ndarray}:
        if any(r.ndim != 1 or len(r) != len(data[0]) or r.dtype != data[0].dtype for r in data):
            return None
        given = None if columns is None else names(columns)
        fits = given is None or len(given) == len(data[0])
        return _of_matrix(np.vstack([np.asarray(r) for r in data]), rows, given, dtype) if fits else None
    if kinds <= {list, tuple, range}:
        if len(set(map(len, data))) != 1 or not len(data[0]):
            return None
        made = [column(list(c), dtype) for c in zip(*data)]
    elif kinds & {list, tuple, dict} or not all(isinstance(v, _SCALARS) or v is None for v in data):
        return None
    else:
        made = [column(data, dtype)]
    return _finished(made, len(data), rows, columns)


def _of_labels(rows: Any, columns: Any, dtype: Any) -> Parts | None:
    """A frame without data, in which all is missing."""
    if columns is None:
        return [], keys_of([]), rows
    if dtype is not None or not isinstance(columns, (list, tuple)):
        return None
    given = names(columns)
    return [HostColumn(np.full(len(rows), np.nan, object)) for _ in given], given, rows


def _finished(made: list[AnyColumn | None], length: int, rows: Any, columns: Any) -> Parts | None:
    given = keys_of(range(len(made))) if columns is None else names(columns)
    rows = _indexes.default(length) if rows is None else rows
    if any(c is None for c in made) or len(given) != len(made) or len(rows) != length:
        return None
    return made, given, rows  # type: ignore[return-value]


def _of_one(data: Any, rows: Any, columns: Any, dtype: Any) -> Parts | None:
    """A frame of one column that holds all of the data."""
    name = getattr(data, "name", None)
    if getattr(data, "ndim", 1) != 1 or getattr(data, "nlevels", 1) > 1 or (name is not None and columns is not None):
        return None
    made = column(data, dtype)
    return None if not made else _finished([made], len(made), rows, columns if name is None else [name])


def _of_matrix(data: Any, rows: Any, columns: Any, dtype: Any) -> Parts | None:
    if data.ndim != 2 or not has_own_form(data.dtype):
        return None
    count, width = data.shape
    columns = None if columns is None else names(columns)
    if columns is not None and len(columns) != width or rows is not None and len(rows) != count:
        shape = len(rows) if rows is not None else count, width if columns is None else len(columns)
        raise ValueError(f"Shape of passed values is {data.shape}, indices imply {shape}")
    if type(data) is ndarray:
        parts = [from_values(data[:, i]) for i in range(width)]
        parts = parts if dtype is None else [widened(c, dtype) for c in parts]
    elif dtype is None:
        parts = [from_pandas_array(data[:, i].copy()) for i in range(width)]
    else:
        parts = [column(np.ascontiguousarray(data[:, i]), dtype) for i in range(width)]
    return _finished(parts, count, rows, columns)  # type: ignore[arg-type]


def _of_records(data: list[dict], rows: Any, columns: Any, dtype: Any) -> Parts | None:
    keys = list(dict.fromkeys(k for row in data for k in row)) if columns is None else list(names(columns))
    if not keys:
        return None
    rows_of = [row if type(row) is dict else dict(row) for row in data]  # without defaults of derived classes
    made = [column([row.get(k, np.nan) for row in rows_of], dtype) for k in keys]
    return _finished(made, len(data), rows, keys if columns is None else columns)


def _of_dict(data: dict, rows: Any, columns: Any, dtype: Any) -> Parts | None:
    """A dict of columns: arrays of one length, series of the same labels, and scalars."""
    if rows is columns is dtype is None and set(map(type, data.values())) == {dict}:
        keys = list(dict.fromkeys(k for v in data.values() for k in v))
        rows = labels(keys) if keys else None
        if rows is None:
            return None
        data = {name: [v.get(k, np.nan) for k in keys] for name, v in data.items()}
    if columns is not None:
        columns = names(columns)
        wanted = list(columns)
        if not all(k in data for k in wanted) or len(set(wanted)) != len(wanted):
            return None
        data = {k: data[k] for k in wanted}
    values = [_fallback.from_pandas(v) if isinstance(v, (pandas.Series, pandas.Index)) else v for v in data.values()]
    labelled = [v for v in values if hasattr(v, "_column") and hasattr(v, "_index")]
    rows = labelled[0]._index if rows is None and labelled else rows
    arrays = [
        v for v in values if isinstance(v, (*ARRAYS, ndarray, pandas.api.extensions.ExtensionArray, _indexes.Index))
    ]
    if any(np.ndim(v) != 1 if isinstance(v, (np.ndarray, ndarray)) else False for v in arrays):
        return None
    if rows is None:
        if not arrays:
            return None
        if len(set(map(len, arrays))) != 1:
            raise ValueError("All arrays must be of the same length")
        rows = _indexes.default(len(arrays[0]))
    made = []
    for v in values:
        if hasattr(v, "_column") and hasattr(v, "_index"):
            if not (v._index is rows or v._index.equals(rows)):
                return None
            c = v._column if dtype is None else widened(v._column, dtype)
        elif isinstance(v, (*ARRAYS, ndarray, pandas.api.extensions.ExtensionArray, _indexes.Index)):
            empty = dtype is None and isinstance(v, (list, tuple)) and not v  # a frame's have a type
            c = column(v, np.dtype(np.float64) if empty else dtype)
        else:
            c = repeated(v, len(rows), dtype) if isinstance(v, _SCALARS) else None
        if c is None or len(c) != len(rows):
            return None
        made.append(c)
    return made, (keys_of(list(data)) if columns is None else columns), rows
