"""Rows that repeat others, of columns that take more than `config.memory_limit`."""

from __future__ import annotations

from typing import Any

import numpy as np

from ... import _core
from .._columns.column import AnyColumn, ndarray
from .._columns.unique import duplicated_rows, keys_of
from .partition import Partitions, how_many, partition_of
from .walk import numbered, relieve, row_bytes


def duplicated_in_parts(columns: list[AnyColumn], keep: Any, n: int) -> ndarray:
    """As `duplicated_rows`, by partitions on disk."""
    partitions = Partitions(how_many(n * (row_bytes(columns) + 8)))
    for part, numbers in numbered(columns):
        keys = keys_of(part)
        partitions.add([*keys, numbers], partition_of(keys, len(partitions.pieces)))
    found = np.zeros(n, bool)
    for p in partitions.filled():
        *keys, numbers = partitions.read(p, "duplicated")
        repeats = _core.to_numpy(duplicated_rows(keys, keep, len(numbers)))
        found[_core.to_numpy(numbers.values)[repeats]] = True
        relieve()
    return _core.from_numpy(found)
