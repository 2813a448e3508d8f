"""Joins of frames that take more than `config.memory_limit`, by partitions of their keys on disk."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

import bascule as bc

from ... import _core
from .. import _classes, _indexes
from .._columns.column import AnyColumn, plain
from .._columns.grouping import INT64
from .._parts.ordered import Order, OrderedRows
from .._parts.partition import Partitions, how_many, partition_of
from .._parts.walk import numbered, relieve, row_bytes
from .._stand_ins import labels_of


def refuse(sides: Any, pairs: list[tuple[AnyColumn, AnyColumn]], how: str, sort: bool, validate: Any) -> None:
    """NotImplementedError for joins that are not made in parts."""
    whole = [{a.dtype, b.dtype} <= {np.dtype("int32"), np.dtype("int64")} for a, b in pairs]
    reasons = {
        "how='outer'": how == "outer",
        "sort=True": sort,
        "validate=": validate is not None,
        "labels as keys": sides.left_names is None or sides.right_names is None,
        "keys of two types": any(a.dtype != b.dtype and not w for (a, b), w in zip(pairs, whole)),
        "keys of a type of pandas'": any(not c.has_core for pair in pairs for c in pair),
    }
    for reason, holds in reasons.items():
        if holds:
            raise NotImplementedError(f"[merge] {reason}, of rows that take more than config.memory_limit")


class _Side:
    """The rows of a frame by partitions of their keys, each with its number."""

    def __init__(self, frame: Any, keys: list[AnyColumn], number: str, count: int):
        self.rows, self.length = Partitions(count), len(frame)
        self.names = [*frame._names, number]
        k = len(keys)
        for part, numbers in numbered([*keys, *frame._columns]):
            self.rows.add([*part[k:], numbers], partition_of(part[:k], count))
        if not self.length:
            self.rows.note([*frame._columns, plain(_core.arange(0, 1, 0, INT64, "cpu"))])

    def frame(self, p: int) -> Any:
        """The rows of a partition, or none."""
        there = bool(self.rows.pieces[p])
        columns = self.rows.read(p, "merge") if there else [self.rows.like(i) for i in range(len(self.names))]
        return _classes.DataFrame._new(columns, labels_of(self.names), _indexes.default(len(columns[0])))


def merge_in_parts(
    left: Any, right: Any, sides: Any, keys: list[tuple[AnyColumn, AnyColumn]], how: str, join: Callable[..., Any]
) -> Any:
    """The frame of the joined rows, in pandas' order; its columns wait for rows on disk.

    Parameters
    ----------
    join : callable
        Joins two frames in memory.
    """
    count = how_many(sum(len(x) * (row_bytes(x._columns) + 8) for x in (left, right)))
    numbers = [_unused(f"row of the {side}", left, right) for side in ("left", "right")]
    parts = [_Side(x, [k[i] for k in keys], numbers[i], count) for i, x in enumerate((left, right))]
    first = int(how == "right")  # the side whose order the result has
    result, names = Partitions(count), None
    for p in range(count):
        if not parts[first].rows.pieces[p]:
            continue
        made = join(parts[0].frame(p), parts[1].frame(p))
        own = [i for i, n in enumerate(made._names) if n not in numbers]
        names = made._names[own]
        at = [_numbers(made._columns[made._position(n)]) for n in numbers]
        if len(made):
            of_each = _core.to_numpy(at[first].values) * count // parts[first].length
            result.add([at[first], at[1 - first], *(made._columns[i] for i in own)], of_each.astype(np.uint64))
        relieve()
    if not result.filled():
        return join(left.iloc[:0], right.iloc[:0])
    rows = OrderedRows(result, Order([0, 1], [True, True], False))
    columns = rows.columns(range(2, 2 + len(names)))
    return _classes.DataFrame._new(columns, names, _indexes.default(int(rows.bounds[-1])))


def _unused(name: str, left: Any, right: Any) -> str:
    while name in left._names or name in right._names:
        name += "_"
    return name


def _numbers(c: AnyColumn) -> AnyColumn:
    """Numbers of rows as integers, -1 where a side has none."""
    if c.dtype == INT64:
        return c
    return plain(bc.evaluate(bc.where(c.missing(), -1.0, c.values).astype(INT64)))
