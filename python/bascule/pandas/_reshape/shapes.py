"""Swaps of the labels of rows and columns."""

from __future__ import annotations

from typing import Any

import numpy as np

from ... import _core
from .. import _classes, _indexes
from .._columns.column import AnyColumn, ndarray
from .._stand_ins import of_rows
from .._theirs import pandas


def is_frame(x: Any) -> bool:
    """Whether an object is a frame of bascule."""
    return isinstance(x, _classes.DataFrame)


def column_labels(index: Any) -> pandas.Index:
    """Labels of rows as those of columns."""
    return of_rows(index)


def row_labels(names: pandas.Index) -> Any:
    """Labels of columns as those of rows."""
    return _indexes.from_pandas(names)


def repeated_rows(n: int, times: int) -> ndarray:
    """0, 0, ..., 1, 1, ...: each of n positions several times."""
    return _core.from_numpy(np.repeat(np.arange(n, dtype=np.int64), times))


def tiled_rows(n: int, times: int) -> ndarray:
    """0, 1, ..., 0, 1, ...: n positions several times."""
    return _core.from_numpy(np.tile(np.arange(n, dtype=np.int64), times))


def taken(columns: list[AnyColumn], rows: ndarray) -> list[AnyColumn]:
    return [c.take(rows) for c in columns]
