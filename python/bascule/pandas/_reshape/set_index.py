"""Columns as row labels, and labels without some of their levels."""

from __future__ import annotations

from typing import Any

import numpy as np

from ... import _core
from .. import _indexes
from .._columns.column import AnyColumn
from .._columns.infer import from_values
from .._theirs import pandas


def rest_of_levels(index: Any, gone: set[int]) -> Any:
    """The labels without some of their levels; 0, 1, ... where no level is left."""
    return _indexes.default(len(index)) if len(gone) == index.nlevels else index._without_levels(gone)


def from_keys(column: AnyColumn, name: Any) -> Any:
    """The index of a frame's column, as a range where signed integers are evenly spaced."""
    own = column.is_plain("i")
    if not own or len(column) == 1:
        return _indexes.from_column(column, name)
    if not len(column):
        return _indexes.default(0, name)
    even = _core.range_of(_core.Column.plain(column.values.astype(np.int64, copy=False)))
    return _indexes.from_column(column, name) if even is None else _indexes.RangeIndex._of(*even, name)


def as_values(c: AnyColumn) -> AnyColumn:
    """Labels as the values of a column: objects of one type get that type, as in pandas."""
    if c.dtype != object:
        return c
    found = pandas._libs.lib.maybe_convert_objects(np.asarray(c.array, dtype=object))
    return c if found.dtype == object else from_values(found)
