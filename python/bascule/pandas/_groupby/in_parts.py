"""Aggregations of rows that take more than `config.memory_limit`, a part of the rows at a time.

Sums, counts and the like of the parts are merged; of others, the rows go to disk in partitions of whole groups. Groups of
which there are too many for memory go to disk as well.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

import bascule as bc

from ... import _core
from ...config import config
from .. import _indexes
from .._columns.column import AnyColumn, Column, Core, ndarray, plain
from .._columns.concatenation import concat
from .._columns.grouping import Grouping
from .._parts.partition import Partitions, how_many, partition_of
from .._parts.walk import are_beyond_memory, numbered, relieve, row_bytes, walk
from . import agg, selected
from .agg import FLOAT64, Request

_MERGED_BY = {"count": "sum", "size": "sum"} | {
    k: k for k in ("sum", "prod", "min", "max", "first", "last", "any", "all")
}
_OF_SQUARES = ("mean", "var", "std", "sem")
_DEFAULTS = {"sum": 0, "prod": 0}  # of min_count; of others -1
_FILES = 64  # partitions of the groups on disk


def compute(groups: Grouping, requests: list[Request], together: bool = False) -> list[AnyColumn]:
    """As `agg.compute`; in parts where the columns that are needed take more than `config.memory_limit`."""
    if config.memory_limit is None:
        return selected.compute(groups, requests, together)
    needed = [*groups.keys, *(r.column for r in requests if r.column is not None and r.op != "size")]
    if not are_beyond_memory(list({id(c): c for c in needed}.values())):
        return selected.compute(groups, requests, together)
    for r in requests:
        if r.column is not None and r.op != "size":
            agg.check(r.column, r.op)
    merged = all(_can_merge(r) for r in requests)
    results = _of_states(groups, requests) if merged else _of_partitions(groups, requests, together)
    return _in_order(groups, results, requests)


def _can_merge(r: Request) -> bool:
    """Whether the results of parts give those of all rows."""
    if r.column is None or r.op == "size":
        return True
    if r.options.get("skipna") is False or r.options.get("min_count", -1) != _DEFAULTS.get(r.op, -1):
        return False
    if r.op in _OF_SQUARES:
        return r.column.times() is None
    return r.op in _MERGED_BY


# ---- states of groups that are merged


@dataclass
class _Calls:
    """The state of an aggregation that merges by aggregations."""

    request: Request
    width = 1  # columns of the state

    def calls(self, column: AnyColumn | None) -> list[tuple]:
        return agg.core_calls(replace(self.request, column=column))

    def first_state(self, made: list[Any]) -> list[Any]:
        return made

    def merged(self, groups: Grouping, state: list[Any]) -> list[Any]:
        by = _MERGED_BY[self.request.op]
        return groups.aggregate([(core, by, 1, _DEFAULTS.get(by, -1)) for core in state])

    def made(self, state: list[Any]) -> list[Any]:
        return state


@dataclass
class _Squares:
    """The state of a mean or a variance: the count, the mean and the sum of squares about it."""

    request: Request

    @property
    def width(self) -> int:
        return 2 if self.request.op == "mean" else 4

    def calls(self, column: AnyColumn) -> list[tuple]:
        wide = Core.plain(_core.astype(column.values, FLOAT64, False, "K"), column.core.valid)
        squares = [] if self.request.op == "mean" else [(wide, "mean", 1, -1), (wide, "var", 0, -1)]
        return [(wide, "count", 1, -1), (wide, "sum", 1, 0), *squares]

    def first_state(self, made: list[Any]) -> list[Any]:
        if self.request.op == "mean":
            return made
        count, total, mean, var = made
        n = _core.astype(count.values, FLOAT64, False, "K")
        there = count.values > 0
        mean = Core.plain(bc.evaluate(bc.where(there, mean.values, 0.0)))
        return [count, total, mean, Core.plain(bc.evaluate(bc.where(there, var.values * n, 0.0)))]

    def merged(self, groups: Grouping, state: list[Any]) -> list[Any]:
        count, total = groups.aggregate([(core, "sum", 1, 0) for core in state[:2]])
        if self.request.op == "mean":
            return [count, total]
        n = _core.astype(state[0].values, FLOAT64, False, "K")
        weighted = groups.aggregate([(Core.plain(bc.evaluate(n * state[2].values)), "sum", 1, 0)])[0].values
        mean = bc.evaluate(_divided(weighted, count.values))
        apart = state[2].values - _core.take(mean, groups.groups_of_rows(), 0)
        squares = bc.evaluate(state[3].values + n * apart * apart)
        return [count, total, Core.plain(mean), *groups.aggregate([(Core.plain(squares), "sum", 1, 0)])]

    def made(self, state: list[Any]) -> list[Any]:
        count, total = state[0].values, state[1].values
        if self.request.op == "mean":
            return [Core.plain(bc.where(count > 0, _divided(total, count), np.nan))]
        ddof = self.request.options.get("ddof", 1)
        free = _core.astype(count - ddof, FLOAT64, False, "K")
        var = bc.where(free > 0, state[3].values / bc.where(free > 0, free, 1.0), np.nan)
        if self.request.op == "sem":
            return [Core.plain(var), state[0]]
        return [Core.plain(bc.sqrt(var) if self.request.op == "std" else var)]


def _divided(total: ndarray, count: ndarray) -> ndarray:
    return total / _core.astype(bc.where(count > 0, count, 1), FLOAT64, False, "K")


class _States:
    """Groups and their states, of parts of the rows."""

    def __init__(self, groups: Grouping, kinds: list[Any]):
        self.like, self.kinds = groups, kinds
        self.pieces: list[list[AnyColumn]] = []  # keys, then states, as columns
        self.merged_bytes = self.nbytes = 0
        self.on_disk: Partitions | None = None
        self.room = (config.memory_limit or 1 << 30) // 32

    def _grouping(self, keys: list[AnyColumn]) -> Grouping:
        return Grouping(keys, self.like.names, False, self.like.dropna)

    def add(self, keys: list[AnyColumn], columns: list[AnyColumn | None], row: int) -> None:
        """The states of the groups of some rows, the first of which has a number."""
        groups = self._grouping(keys)
        calls = [k.calls(c) for k, c in zip(self.kinds, columns)]
        made = groups.aggregate([c for one in calls for c in one])
        states, at = [], 0
        for kind, one in zip(self.kinds, calls):
            states += kind.first_state(made[at : at + len(one)])
            at += len(one)
        self._keep(groups, states, groups.first + row)
        if self.nbytes > self.room + self.merged_bytes:
            self._merge()

    def _keep(self, groups: Grouping, states: list[Any], first: ndarray) -> None:
        keys = [Column(core, k.dtype) for core, k in zip(groups.groups.keys, groups.keys)]
        piece = [*keys, *(_column(s) for s in states), plain(bc.evaluate(first))]
        self.pieces.append(piece)
        self.nbytes += sum(_nbytes(c) for c in piece)

    def _merge(self) -> None:
        """Merge the states of equal groups; those of too many go to disk."""
        pieces, self.pieces, self.nbytes = self.pieces, [], 0
        if pieces:
            self._keep(*self._merged(_together(pieces)))
        self.merged_bytes = self.nbytes
        if self.nbytes > 2 * self.room:
            self._to_disk()
        relieve()

    def _merged(self, piece: list[AnyColumn]) -> tuple[Grouping, list[Any], ndarray]:
        n = len(self.like.keys)
        groups = self._grouping(piece[:n])
        states, rest = [], [c.core for c in piece[n:-1]]
        for kind in self.kinds:
            states += kind.merged(groups, rest[: kind.width])
            rest = rest[kind.width :]
        return groups, states, _core.take(piece[-1].values, groups.first, 0)

    def _to_disk(self) -> None:
        if self.on_disk is None:
            self.on_disk = Partitions(_FILES)
        for piece in self.pieces:
            self.on_disk.add(piece, partition_of(piece[: len(self.like.keys)], _FILES))
        self.pieces, self.nbytes, self.merged_bytes = [], 0, 0

    def all_groups(self) -> Iterator[tuple[Grouping, list[Any], ndarray]]:
        """All groups, their states and first rows; of those on disk, a partition after the other."""
        if self.on_disk is None:
            yield self._merged(_together(self.pieces))
            return
        self._merge()
        self._to_disk()
        for pieces in self.on_disk.pieces:
            if pieces:
                yield self._merged(_together([self.on_disk.store.read(piece) for piece in pieces]))


def _of_states(groups: Grouping, requests: list[Request]) -> Iterator[_Results]:
    """Groups with a column for each request, by states that are merged."""
    kinds = [(_Squares if r.op in _OF_SQUARES else _Calls)(r) for r in requests]
    states, row, n = _States(groups, kinds), 0, len(groups.keys)
    needed = [*groups.keys, *(r.column for r in requests if r.column is not None and r.op != "size")]
    for part in walk(needed, 16 * (n + 1 + sum(k.width for k in kinds))):
        rest = iter(part[n:])
        columns = [None if r.column is None or r.op == "size" else next(rest) for r in requests]
        states.add(part[:n], columns, row)
        row += len(part[0])
    like = [replace(r, column=r.column and r.column.slice(0, 1, 0)) for r in requests]
    for found, cores, first in states.all_groups():
        made = []
        for kind, r in zip(kinds, like):
            made.append(agg.finished(found, r, kind.made(cores[: kind.width])))
            cores = cores[kind.width :]
        yield _Results(found, made, first)


# ---- whole groups in partitions


def _of_partitions(groups: Grouping, requests: list[Request], together: bool) -> Iterator[_Results]:
    """Groups with a column for each request, of the rows of whole groups."""
    columns = {id(r.column): r.column for r in requests if r.column is not None}
    needed, n = [*groups.keys, *columns.values()], len(groups.keys)
    partitions = Partitions(how_many(len(groups) * row_bytes(needed)))
    for part, numbers in numbered(needed):
        partitions.add([*part, numbers], partition_of(part[:n], len(partitions.pieces)))
    at = {k: n + i for i, k in enumerate(columns)}
    for p in partitions.filled():
        rows = partitions.read(p, "groupby")
        some = Grouping(rows[:n], groups.names, groups.sort, groups.dropna)
        index = _indexes.from_column(rows[-1])
        asked = [replace(r, column=r.column and rows[at[id(r.column)]], index=index) for r in requests]
        yield _Results(some, agg.compute(some, asked, together), _core.take(rows[-1].values, some.first, 0))


class _Results:
    """Some groups: their keys, a column for each request, and their first rows."""

    def __init__(self, groups: Grouping, made: list[AnyColumn], first: ndarray):
        keys = zip(groups.groups.keys, groups.keys)
        self.columns = [*(Column(core, k.dtype) for core, k in keys), *made, plain(bc.evaluate(first))]


def _in_order(groups: Grouping, results: Iterator[_Results], requests: list[Request]) -> list[AnyColumn]:
    """All groups in the order of the result: a column for each request; `groups` has their keys."""
    pieces, n = [], len(groups.keys)
    for some in results:
        pieces.append(some.columns)
        del some
        relieve()
    for i, r in enumerate(requests):
        kinds = {str(p[n + i].dtype).lower() for p in pieces}
        if len(kinds) > 1 and "float32" in kinds:
            raise NotImplementedError(
                f"[groupby] {r.op} of float32 in parts, for config.memory_limit: use astype(float)"
            )
    columns: list[Any] = []
    while pieces[0]:
        columns.append(concat([p.pop(0) for p in pieces]))
    keys = columns[:n]
    if groups.sort:
        found = Grouping(keys, groups.names, True, groups.dropna)
        order = found.first
    else:
        order = _core.order_columns([columns[-1].core], [True], False)
        found = Grouping([k.take(order) for k in keys], groups.names, False, groups.dropna)
    found.label_as(groups.keys)
    groups.found = found
    out = []
    for i, r in enumerate(requests, n):
        made, columns[i] = columns[i].take(order), None
        out.append(r.index._take(made.values)._columns[0] if r.op in ("idxmin", "idxmax") else made)
    return out


def _together(pieces: list[list[AnyColumn]]) -> list[AnyColumn]:
    """The rows of several pieces, of which columns in the same place have the same type and form."""
    return [Column(_core.concat_columns([p[i].core for p in pieces]), c.dtype) for i, c in enumerate(pieces[0])]


def _column(core: Any) -> Column:
    """A state as a column that is stored, or put together with others."""
    return Column(core, core.values.dtype)


def _nbytes(c: AnyColumn) -> int:
    return c.core.values.nbytes + 8 * len(c)  # which strings take for their offsets
