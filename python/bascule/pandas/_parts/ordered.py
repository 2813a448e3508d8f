"""Rows on disk in an order: they are there by parts of the order, and a part is sorted when it is read."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from ... import _core
from ..._array.conversion import host_view
from ...config import config
from .._columns.column import AnyColumn, adopt, plain
from .._columns.concatenation import concat
from .._columns.lazy_take import Home, Outside, Picked, waiting_for
from .partition import Partitions, how_many
from .walk import gathered, numbered, relieve, row_bytes, walk

_SAMPLED = 64  # rows of each part of the order that decide where it begins, on average


class Order:
    """Keys among the columns of some rows, and their directions; the last one distinguishes all rows."""

    def __init__(self, keys: Sequence[int], ascending: Sequence[bool], missing_first: bool):
        self.keys, self.ascending, self.missing_first = list(keys), list(ascending), missing_first

    def of(self, columns: Sequence[AnyColumn]) -> Any:
        """The positions of the rows in the order, where the columns are the keys."""
        cores = [c.key().core for c in columns]
        return _core.order_columns(cores, self.ascending, self.missing_first)


class OrderedRows(Home):
    """The rows of partitions one after the other, each in an order.

    Parameters
    ----------
    partitions : Partitions
    order : Order, optional
        By default that in which the rows came.
    """

    def __init__(self, partitions: Partitions, order: Order | None):
        self._pieces = [partitions.pieces[p] for p in partitions.filled()]
        self._store, self._order, self.like = partitions.store, order, partitions.like
        self.bounds = np.cumsum([0, *(sum(piece.rows for piece in pieces) for pieces in self._pieces)])
        self._known: dict[int, np.ndarray] = {}  # the order of the rows of a part
        limit = config.memory_limit
        self._keeps = limit is None or 16 * int(self.bounds[-1]) <= limit  # orders of all parts; else of the last one

    def columns(self, wanted: Sequence[int]) -> list[AnyColumn]:
        """Columns that wait for the rows."""
        return [waiting_for(ColumnOfRows(self, i)) for i in wanted]

    def part(self, p: int, wanted: Sequence[int]) -> list[AnyColumn]:
        """Some columns of a part, in its order."""
        if self._order is None:
            return gathered([self._store.read(piece, wanted) for piece in self._pieces[p]])
        known = self._known.get(p)
        if known is None:
            keys = gathered([self._store.read(piece, self._order.keys) for piece in self._pieces[p]])
            if not self._keeps:
                self._known.clear()
            known = self._known[p] = _core.to_numpy(self._order.of(keys)).astype(np.uint32)
        rows = _core.from_numpy(known.astype(np.int64))
        return [c.take(rows) for c in gathered([self._store.read(piece, wanted) for piece in self._pieces[p]])]

    def parts(self, columns: list[ColumnOfRows], rows: int) -> Iterator[list[AnyColumn]]:
        for p in range(len(self._pieces)):
            yield [c.typed(values) for c, values in zip(columns, self.part(p, [c.number for c in columns]))]


class ColumnOfRows(Outside):
    """A column of rows on disk."""

    __slots__ = ("_home", "_like", "_made", "_width", "dtype", "in_pandas", "number")

    def __init__(self, home: OrderedRows, number: int):
        self._home, self.number, self._made = home, number, None
        self._like = home.like(number)
        self.dtype, self.in_pandas = self._like.dtype, not self._like.has_core
        pieces = [piece for of_part in home._pieces for piece in of_part]
        self._width = sum(sum(piece.at[number][1]) for piece in pieces) / max(len(self), 1)

    def __len__(self) -> int:
        return int(self._home.bounds[-1])

    @property
    def home(self) -> OrderedRows:
        return self._home

    @property
    def row_bytes(self) -> float:
        return self._width

    def where(self) -> str:
        return "rows on disk"

    def missing_row(self) -> AnyColumn:
        return self._like.take(_core.from_numpy(np.array([-1])), True)

    def typed(self, values: AnyColumn) -> AnyColumn:
        """Values of a part in the type of all."""
        return values if values.dtype == self.dtype else concat([self._like, values])

    def _whole(self) -> AnyColumn:
        parts = (part[0] for part in self._home.parts([self], 0))
        if self._like.plain == "-":
            return concat(list(parts))
        made, end = np.empty(len(self), self.dtype), 0
        for part in parts:
            made[end : end + len(part)] = host_view(part.values)
            end += len(part)
            relieve()
        return plain(adopt(made))

    def rows(self, rows: Picked | None) -> AnyColumn:
        if rows is None or rows.lacking:
            self.check_room()
            made = self._whole()
            self.came_to_memory()
            return made if rows is None else rows.of(made)
        positions = host_view(rows.positions)
        order = None if rows.ascending else np.argsort(positions, kind="stable")
        positions = positions if order is None else positions[order]
        ends, found = np.searchsorted(positions, self._home.bounds), [self._like]
        for p in np.flatnonzero(np.diff(ends)).tolist():
            some = positions[ends[p] : ends[p + 1]] - self._home.bounds[p]
            found.append(self.typed(self._home.part(p, [self.number])[0].take(_core.from_numpy(some))))
        made = concat(found)
        if order is None:
            return made
        back = np.empty(len(order), np.int64)
        back[order] = np.arange(len(order))
        return made.take(_core.from_numpy(back))


def sorted_rows(
    columns: list[AnyColumn], keys: list[AnyColumn], ascending: list[bool], missing_first: bool, labels: range
) -> list[AnyColumn]:
    """The columns in the order of keys, as columns that wait for rows on disk, and then the labels of the rows.

    Rows of equal keys stay in their order.
    """
    n, k = len(columns[0]), len(keys)
    count = how_many(n * (row_bytes(columns) + 8))
    order = Order(range(k + 1), [*ascending, labels.step > 0], missing_first)
    begins = _begins(keys, order, count, labels)
    partitions = Partitions(count)
    for part, numbers in numbered([*keys, *columns], labels.start, labels.step):
        of_each = _parts_of([*part[:k], numbers], begins, order)
        partitions.add([*part[:k], numbers, *part[k:]], of_each)
    return OrderedRows(partitions, order).columns([*range(k + 1, k + 1 + len(columns)), k])


def _begins(keys: list[AnyColumn], order: Order, count: int, labels: range) -> list[AnyColumn]:
    """The keys of the rows at which parts of the order begin, by a sample of the rows."""
    n, row, samples = len(keys[0]), 0, []
    step = max(1, n // (count * _SAMPLED))
    rng = np.random.default_rng(n)
    for part in walk(keys):
        size = len(part[0])
        some = np.sort(rng.choice(size, max(1, size // step), replace=False))
        positions = _core.from_numpy(some)
        samples.append(
            [*(c.take(positions) for c in part), plain(_core.from_numpy((some + row) * labels.step + labels.start))]
        )
        row += size
        relieve()
    sample = gathered(samples)
    sample = [c.take(order.of(sample)) for c in sample]
    at = np.unique(np.linspace(0, len(sample[0]), count, endpoint=False).astype(np.int64)[1:])
    return [c.take(_core.from_numpy(at)) for c in sample]


def _parts_of(keys: list[AnyColumn], begins: list[AnyColumn], order: Order) -> np.ndarray:
    """Which part of the order each row is in: how many beginnings are not after it."""
    first = len(begins[0])
    positions = _core.to_numpy(order.of(gathered([begins, keys])))
    is_begin = positions < first
    of_each = np.empty(len(positions), np.int64)
    of_each[positions] = np.cumsum(is_begin)
    return of_each[first:]
