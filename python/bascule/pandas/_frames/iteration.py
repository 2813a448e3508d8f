"""Iteration over rows, and conversion to Python's and NumPy's objects: iterrows, itertuples, to_dict, to_records."""

from __future__ import annotations

from collections import namedtuple
from collections.abc import Iterator
from typing import Any

import numpy as np
import pandas

from ... import _core
from ..._array.caller_warnings import warn
from .. import _classes
from .._base import Rows
from .._columns.column import AnyColumn, Column, HostColumn, codes_of, iterated, plain
from .._columns.infer import from_values, inferred
from .._fallback.carried import finish
from .._fallback.native import NotNative, native
from .._reshape.shapes import row_labels
from .._reshape.unstack import by_rows


def _are_numbers(c: AnyColumn) -> bool:
    """Whether a column has categories that are numbers, and no missing ones."""
    dtype = c.dtype
    return isinstance(dtype, pandas.CategoricalDtype) and dtype.categories.dtype.kind in "iuf" and not c.has_missing()


def _numbers_of(c: AnyColumn) -> Column:
    """The numeric values of categories."""
    kinds = np.asarray(c.dtype.categories)
    return plain(_core.from_numpy(kinds[_core.to_numpy(codes_of(c))]))


def _matrix_of_objects(columns: list[AnyColumn], height: int) -> np.ndarray:
    out = np.empty((height, len(columns)), dtype=object)
    for i, c in enumerate(columns):
        out[:, i] = c.objects()
    return out


def _boxed(c: AnyColumn) -> list[Any]:
    """The values of a column as Python objects, with None in the place of NA."""
    if isinstance(c.dtype, np.dtype) and c.dtype != object:
        return c.objects()
    values = (v.item() if isinstance(v, (np.bool_, np.integer, np.floating)) else v for v in c.objects())
    return [None if v is pandas.NA else v for v in values]


def _row_maker(columns: list[AnyColumn]) -> Any:
    """The function that makes a column of a row of objects: strings and timestamps are inferred, as in pandas."""
    if any(not isinstance(c, Column) or (not c.is_text and c.dtype.kind in "mM") for c in columns):
        return from_values
    if any(c.is_text for c in columns):
        return lambda row: inferred(row) or HostColumn(row)
    return HostColumn


class FrameIteration(Rows):
    """Iteration over the rows of frames."""

    def iterrows(self) -> Iterator[tuple[Any, Any]]:
        """Iterate over rows as pairs of label and series; the series has the common type of the row's values."""
        height = len(self)
        labels = row_labels(self._names)
        columns = [_numbers_of(c) if _are_numbers(c) else c for c in self._columns]
        try:
            if any(c.is_text or c.is_masked for c in columns):
                raise NotNative("rows of objects")
            values = by_rows(columns, height)
        except NotNative:
            objects = _matrix_of_objects(columns, height)
            kind = _row_maker(columns)
            rows = (kind(objects[i]) for i in range(height))
        else:
            width = len(self._columns)
            rows = (values.slice(i * width, 1, width) for i in range(height))  # type: ignore[misc]
        for label, row in zip(self._index, rows):
            made = _classes.Series._new(row, labels, label)
            yield label, made if self._plain else finish(self, made)

    def itertuples(self, index: bool = True, name: str | None = "Pandas") -> Iterator[tuple[Any, ...]]:
        """Iterate over rows as named tuples.

        Parameters
        ----------
        index : bool
            Whether the label comes first.
        name : str or None
            Name of the tuples' class; None for plain tuples.
        """
        fields, parts = list(self._names), [iterated(c) for c in self._columns]
        if index:
            fields, parts = ["Index", *fields], [iter(self._index), *parts]
        rows = zip(*parts)
        if name is None:
            return rows
        return map(namedtuple(name, fields, rename=True)._make, rows)  # type: ignore[misc]

    @native
    def to_dict(self, orient: str = "dict", *, into: Any = dict, index: bool = True) -> Any:
        """Convert to dicts and lists of Python objects.

        Parameters
        ----------
        orient : {"dict", "list", "series", "split", "tight", "records", "index"}
        into, index
            As pandas'.
        """
        if into is not dict or not isinstance(orient, str):
            raise NotNative("into=")
        if orient != "tight" and not self._names.is_unique:
            text = "DataFrame columns are not unique, some columns will be omitted."
            warn(text, UserWarning)
        names = list(self._names)
        orient = orient.lower()
        if not index and orient not in ("split", "tight"):
            raise ValueError("'index=False' is only valid when 'orient' is 'split' or 'tight'")
        if orient == "series":
            return {k: self._series(i) for i, k in enumerate(names)}
        if orient not in ("dict", "list", "split", "tight", "records", "index"):
            raise ValueError(f"orient '{orient}' not understood")
        if orient == "index" and not self._index.is_unique:
            raise ValueError("DataFrame index must be unique for orient='index'.")
        values = [_boxed(c) for c in self._columns]
        if orient == "list":
            return dict(zip(names, values))
        if orient == "dict":
            labels = list(self._index)
            return {k: dict(zip(labels, v)) for k, v in zip(names, values)}
        rows = list(zip(*values)) if values else [()] * len(self)
        if orient == "records":
            return [dict(zip(names, r)) for r in rows] if values else [{} for _ in rows]
        if orient == "index":
            return {k: dict(zip(names, r)) for k, r in zip(self._index, rows)}
        made = {"index": self._index.tolist()} if index else {}
        made |= {"columns": list(self._names), "data": [list(r) for r in rows]}
        if orient == "tight":
            made |= {"index_names": list(self._index._names)} if index else {}
            made |= {"column_names": list(self._names.names)}
        return made

    @native
    def to_records(self, index: bool = True, column_dtypes: Any = None, index_dtypes: Any = None) -> np.recarray:
        """Convert the rows to a NumPy record array, labels first."""
        if column_dtypes is not None or index_dtypes is not None or isinstance(self._names, pandas.MultiIndex):
            raise NotNative("column_dtypes=, index_dtypes= or several levels of columns")
        arrays = [c.to_numpy() for c in self._columns]
        names = [str(n) for n in self._names]
        if index:
            levels = self._index._names
            called = [f"level_{i}" if n is None else n for i, n in enumerate(levels)]
            if len(levels) == 1 and levels[0] is None:
                called = ["index"]
            arrays = [c.to_numpy() for c in self._index._columns] + arrays
            names = [str(n) for n in called] + names
        if not arrays:
            raise NotNative("no columns")
        return np.rec.fromarrays(arrays, dtype={"names": names, "formats": [a.dtype for a in arrays]})


class SeriesIteration(Rows):
    """Iteration over the values of series."""

    @native
    def to_dict(self, *, into: Any = dict) -> Any:
        """Convert to a dict from labels to values, as Python objects."""
        if into is not dict:
            raise NotNative("into=")
        return dict(zip(self._index, _boxed(self._column)))
