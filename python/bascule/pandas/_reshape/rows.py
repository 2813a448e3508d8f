"""Rows as series, for functions that are called with each row, and frames of the rows that functions return."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from .. import _classes
from .._base import Rows
from .._columns.column import AnyColumn, HostColumn, from_pandas_array
from .._columns.dtypes import is_numpys
from .._columns.infer import typed
from .._columns.results import of_results
from .._fallback.native import NotNative
from .._labels import keys_of
from .._theirs import pandas
from .shapes import column_labels, row_labels
from .unstack import by_rows


def matrix_of_objects(columns: list[AnyColumn], height: int) -> np.ndarray:
    """The values of columns as Python's objects, in rows."""
    out = np.empty((height, len(columns)), dtype=object)
    for i, c in enumerate(columns):
        out[:, i] = c.objects()
    return out


def common_dtype(columns: list[AnyColumn]) -> Any:
    """The type of a row of columns."""
    dtypes = list(dict.fromkeys(c.dtype for c in columns))
    if len(dtypes) > 1 and all(isinstance(c.dtype, np.dtype) or c.is_text for c in columns):
        kinds = {"text" if c.is_text else c.dtype.kind for c in columns}
        if kinds <= set("iuf") or (len(kinds) == 1 and kinds <= set("mM")):
            return np.result_type(*dtypes)
        if len(kinds) > 1 and not kinds & set("cSU"):
            return np.dtype(object)
    return dtypes[0] if len(dtypes) == 1 else pandas.core.dtypes.cast.find_common_type(dtypes)


def rows_of(frame: Any) -> Iterator[Any]:
    """Each row as a series in the common type of the columns, named by its label.

    Raises
    ------
    NotNative
        Where that type is one of pandas' own that bascule has no columns of.
    """
    columns, height = frame._columns, len(frame)
    common = common_dtype(columns)
    if common == np.dtype(object):
        objects = matrix_of_objects(columns, height)
        parts: Iterator[AnyColumn] = map(HostColumn, objects)
    elif isinstance(common, (np.dtype, pandas.StringDtype)):
        joined, width = by_rows(columns, height), len(columns)
        if joined.dtype != common:
            raise NotNative("columns of several types")
        parts = (joined.slice(i * width, 1, width) for i in range(height))
    else:
        raise NotNative(f"rows of type {common}")
    return _series(frame, parts)


def _series(frame: Any, parts: Iterator[AnyColumn]) -> Iterator[Any]:
    labels, new = row_labels(frame._names), _classes.Series._new
    return (new(c, labels, label) for c, label in zip(parts, frame._index))


def frame_of_rows(found: list[Any], index: Any, interleaved: bool) -> Any:
    """A frame of the series that a function returned for each row; None where pandas has to align them.

    Columns have the types of a transposed frame where `interleaved`, else of a stack of NumPy's arrays.
    """
    if not all(isinstance(r, Rows) and r.ndim == 1 for r in found):
        return None
    labels = found[0]._index
    if not all(r._index is labels or (r._index.equals(labels) and r._index._names == labels._names) for r in found):
        return None
    if not len(labels) or not labels.is_unique:
        return None
    columns = stacked([r._column for r in found], interleaved)
    return None if columns is None else _classes.DataFrame._new(columns, column_labels(labels), index)


def frame_of_lists(found: list[Any], index: Any) -> Any:
    """A frame of the lists or tuples that a function returned for each row; None for others, and for lists of several lengths."""
    if not all(type(r) in (list, tuple) and len(r) == len(found[0]) for r in found) or not found[0]:
        return None
    columns = stacked([of_results(list(r)) for r in found], True)
    names = keys_of(range(len(found[0])))
    return None if columns is None else _classes.DataFrame._new(columns, names, index)


def stacked(rows: list[AnyColumn], interleaved: bool) -> list[AnyColumn] | None:
    """The columns of rows of one length; None where only pandas knows their types."""
    dtypes = list(dict.fromkeys(r.dtype for r in rows))
    if any(not isinstance(d, (np.dtype, pandas.StringDtype)) for d in dtypes) or any(r.is_masked for r in rows):
        return None
    plain = all(is_numpys(d, "biuf") for d in dtypes)
    if plain and (len(dtypes) == 1 or not interleaved or not any(d.kind == "b" for d in dtypes)):
        matrix = np.vstack([r.to_numpy() for r in rows])
        return [from_pandas_array(np.ascontiguousarray(matrix[:, i])) for i in range(matrix.shape[1])]
    columns = [list(c) for c in zip(*(r.objects() for r in rows))]
    if interleaved and len(dtypes) == 1 and rows[0].has_core:  # the type is kept, whatever is missing
        made = [typed(c, dtypes[0]) for c in columns]
        return None if any(c is None for c in made) else made  # type: ignore[return-value]
    found = [of_results(c) for c in columns]
    if interleaved and len(found) > 1 and all(c.dtype.kind == "O" for c in found):  # as in a block of objects
        return [typed(c, np.dtype(object)) for c in columns]  # type: ignore[misc]
    return found
