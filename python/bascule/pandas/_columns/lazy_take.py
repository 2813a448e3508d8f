"""Columns whose rows have been chosen but not yet gathered: what nobody reads of a joined or filtered frame is never made."""

from __future__ import annotations

from typing import Any

from ... import _core
from .column import AnyColumn, Column, ndarray

FEWEST = 1 << 14  # rows; fewer are gathered at once
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
        """These rows, and of them those rows; worked out once for the columns of a frame."""
        last = self._then
        if last is None or last[0] is not rows:
            positions = _core.take(self.positions, rows.positions, 0)
            last = self._then = (rows, Picked(positions))
        return last[1]


class Waiting(Column):
    """A column of some rows of another, gathered when it is first read.

    The other column is kept until then, which is why it may not be much longer than this one.
    """

    __slots__ = ("_from",)

    def __init__(self, source: Column, rows: Picked):
        self._from: tuple[Column, Picked] | None = (source, rows)
        self.dtype = source.dtype

    @property
    def core(self) -> Any:
        """The column of the C++ library, with the rows gathered."""
        waiting = self._from
        if waiting is not None:
            source, rows = waiting
            _core_of_column.__set__(self, source.core.take(rows.positions, False))
            self._from = None
        return _core_of_column.__get__(self)

    def __len__(self) -> int:
        waiting = self._from
        return len(self.core) if waiting is None else len(waiting[1])

    @property
    def is_text(self) -> bool:
        waiting = self._from
        return (self.core if waiting is None else waiting[0]).is_text

    @property
    def device(self) -> str:
        waiting = self._from
        return (self.core if waiting is None else waiting[0]).device

    def slice(self, start: int, step: int, count: int) -> Column:
        """Rows at even distances; a few are gathered without the others."""
        waiting = self._from
        if waiting is None or count >= FEWEST:
            return super().slice(start, step, count)
        source, rows = waiting
        some = _core.Column.plain(rows.positions).slice(start, step, count).values
        return Column(source.core.take(some, False), self.dtype)


def pick(column: AnyColumn, rows: Picked) -> AnyColumn:
    """Rows of a column, when they are read; at once where they are few, or where the column is much longer than they are.

    Parameters
    ----------
    column : Column or HostColumn
    rows : Picked

    Returns
    -------
    Column or HostColumn
    """
    waiting = column._from if type(column) is Waiting else None
    if waiting is not None:
        column, rows = waiting[0], waiting[1].then(rows)
    n = len(rows)
    if n < FEWEST or 2 * n < len(column) or not isinstance(column, Column) or column.device.startswith("cuda"):
        return column.take(rows.positions)
    return Waiting(column, rows)
