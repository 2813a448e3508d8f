"""Columns whose rows are selected but not yet gathered: unread columns of a joined or filtered frame are never made."""

from __future__ import annotations

import sys
import weakref
from collections.abc import Callable
from typing import Any

from ... import _core
from .column import AnyColumn, Column, ndarray

FEWEST = 1 << 11  # rows; fewer are gathered at once
_core_of_column = Column.__dict__["core"]


class Picked:
    """Positions of rows, all in range, that the columns of a frame share."""

    __slots__ = ("_then", "positions")

    def __init__(self, positions: ndarray):
        self.positions = positions
        self._then: tuple[Picked, Picked] | None = None

    def __len__(self) -> int:
        return len(self.positions)

    def then(self, rows: Picked) -> Picked:
        """The positions of some of these rows, computed once for all columns of a frame."""
        last = self._then
        if last is None or last[0] is not rows:
            positions = _core.take(self.positions, rows.positions, 0)
            last = self._then = (rows, Picked(positions))
        return last[1]


class Waiting(Column):
    """A column of some rows of another, gathered when it is first read.

    The other column's memory is kept until then. Where that is much more than the rows take, these are gathered as soon
    as no other object needs it: when its `owner` is deleted.
    """

    __slots__ = ("_from", "_owner")

    def __init__(self, source: Column, rows: Picked, owner: Column | None = None):
        self._from: tuple[Column, Picked] | None = (source, rows)
        self._owner = None if owner is None else weakref.ref(owner, _gatherer(weakref.ref(self)))
        self.dtype = source.dtype
        self.__class__ = self._classes[type(source.dtype)]

    @property
    def core(self) -> Any:
        """The column of the C++ library, with the rows gathered."""
        waiting = self._from
        if waiting is not None:
            source, rows = waiting
            _core_of_column.__set__(self, source.core.take(rows.positions, False))
            self._from = self._owner = None
        return _core_of_column.__get__(self)

    def __len__(self) -> int:
        waiting = self._from
        return len(self.core) if waiting is None else len(waiting[1])

    @property
    def device(self) -> str:
        waiting = self._from
        return (self.core if waiting is None else waiting[0]).device

    def item(self, i: int) -> Any:
        """One value; it is read without gathering the others."""
        return super().item(i) if self._from is None else self.slice(i, 1, 1).item(0)

    def slice(self, start: int, step: int, count: int) -> Column:
        """Rows at even distances; few rows are read without gathering the others."""
        waiting = self._from
        if waiting is None or count >= FEWEST:
            return super().slice(start, step, count)
        source, rows = waiting
        some = _core.Column.plain(rows.positions).slice(start, step, count).values
        return Column(source.core.take(some, False), self.dtype)


def _gatherer(column: weakref.ref[Waiting]) -> Callable[[Any], None]:
    def gather(_: Any) -> None:
        there = column()
        if there is not None and not sys.is_finalizing():
            _ = there.core

    return gather


def pick(column: AnyColumn, rows: Picked) -> AnyColumn:
    """Rows of a column, gathered on first use; at once where they are few.

    Parameters
    ----------
    column : Column or HostColumn
    rows : Picked

    Returns
    -------
    Column or HostColumn
    """
    source, owner = column, column
    if isinstance(column, Waiting) and column._from is not None:
        source, chosen = column._from
        rows = chosen.then(rows)
        owner = column._owner and column._owner() or column
    n = len(rows)
    if n < FEWEST or not isinstance(source, Column) or source.device.startswith("cuda"):
        return source.take(rows.positions)
    if 2 * n >= len(source):
        return Waiting(source, rows)
    return Waiting(Column(source.core, source.dtype) if source is owner else source, rows, owner)
