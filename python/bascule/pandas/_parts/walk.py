"""The rows of columns that wait in files, a part at a time."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from ... import _core
from ..._array.conversion import host_view
from ...config import config
from .._columns.column import AnyColumn, plain
from .._columns.concatenation import concat
from .._columns.lazy_take import Even, Outside, Picked, Waits
from .._theirs import pyarrow

_INT64 = np.dtype(np.int64)
SHARE = 12  # part of `config.memory_limit` that the rows which are looked at together may take
LEAST = 1 << 10  # rows that are looked at together in any case
_BESIDES = 2  # times their own bytes that columns take in an operation, at least, for its tables and its result


def waiting_of(column: AnyColumn) -> tuple[Outside, Picked | None] | None:
    """Where a column waits in a file, and which rows of it; None where its values are in memory."""
    waiting = column.waits_for() if isinstance(column, Waits) else None
    if waiting is None or not isinstance(waiting[0], Outside) or waiting[0].home is None:
        return None
    return waiting


def row_bytes(columns: Sequence[AnyColumn]) -> float:
    """How many bytes a row of the columns that wait in files takes, about."""
    found = [waiting_of(c) for c in columns]
    return sum(w[0].row_bytes for w in found if w is not None)


def are_beyond_memory(*frames: Sequence[AnyColumn]) -> bool:
    """Whether columns wait in files that, in an operation, would take more than `config.memory_limit`."""
    limit = config.memory_limit
    if limit is None:
        return False
    return sum(len(columns[0]) * row_bytes(columns) for columns in frames if columns) * _BESIDES > limit


def rows_at_a_time(bytes_of_row: float) -> int:
    """How many rows of so many bytes are looked at together."""
    limit = config.memory_limit
    share = (1 << 30 if limit is None else limit) // SHARE
    return max(LEAST, int(share // max(bytes_of_row, 1)))


def walk(columns: Sequence[AnyColumn], made: float = 0) -> Iterator[list[AnyColumn]]:
    """Consecutive rows of the columns, from the first to the last, a part at a time.

    Parameters
    ----------
    columns : list of Column or HostColumn
    made : float
        How many bytes the caller makes of each row.

    Raises
    ------
    MemoryError
        Where the rows are not in the order of the file that they wait in: they would be read in no order.
    """
    rows = rows_at_a_time((row_bytes(columns) or 8 * len(columns)) + made)
    groups: dict[tuple[int, int], list[int]] = {}
    waiting = [waiting_of(c) for c in columns]
    for i, w in enumerate(waiting):
        groups.setdefault((0, 0) if w is None else (id(w[0].home), id(w[1])), []).append(i)
    readers = []
    for key, members in groups.items():
        some = [columns[i] for i in members]
        readers.append(_slices(some, rows) if key == (0, 0) else _read([waiting[i] for i in members], rows))
    order = [i for members in groups.values() for i in members]
    for parts in _in_step(readers):
        found: list[Any] = [None] * len(order)
        for i, c in zip(order, [c for part in parts for c in part]):
            found[i] = c
        yield found
        relieve()


def numbered(
    columns: Sequence[AnyColumn], start: int = 0, step: int = 1
) -> Iterator[tuple[list[AnyColumn], AnyColumn]]:
    """As `walk`, with a number for each row: `start` for the first, and `step` more for each after it."""
    for part in walk(columns):
        n = len(part[0])
        yield part, plain(_core.arange(start, step, n, _INT64, "cpu"))
        start += n * step


def relieve() -> None:
    """Give memory that is kept for new arrays back to the system, where it is much for `config.memory_limit`."""
    limit, now = config.memory_limit, _core.memory("cpu")
    if limit is not None and (now["held"] - now["in_use"]) * SHARE > limit:
        _core.trim("cpu")
    pyarrow.default_memory_pool().release_unused()


def _slices(columns: list[AnyColumn], rows: int) -> Iterator[list[AnyColumn]]:
    n = len(columns[0])
    for start in range(0, n, rows):
        yield [c.slice(start, 1, min(rows, n - start)) for c in columns]


def _read(waiting: list[Any], rows: int) -> Iterator[list[AnyColumn]]:
    """The rows of columns that wait in one file, in its order."""
    sources, picked, start = [w[0] for w in waiting], waiting[0][1], 0
    if picked is not None and (not picked.ascending or picked.lacking):
        raise MemoryError(
            f"[memory_limit] {sources[0].where()}: rows that were sorted or joined by their numbers are read in no order, and "
            "take more than config.memory_limit; sort or join the whole file"
        )
    for part in sources[0].home.parts(sources, rows):
        n = len(part[0])
        some = None if picked is None else _among(picked, start, start + n)
        start += n
        if some is None:
            yield part
        elif len(some):
            yield [some.of(c) for c in part]


def _among(picked: Picked, start: int, stop: int) -> Picked:
    """Which of the rows from `start` to `stop` are picked, counted from `start`."""
    if isinstance(picked, Even):
        first = max(0, -(-(start - picked.start) // picked.step))
        last = min(len(picked), -(-(stop - picked.start) // picked.step))
        return Even(picked.start + first * picked.step - start, picked.step, max(0, last - first))
    positions = host_view(picked.positions)
    first, last = np.searchsorted(positions, (start, stop))
    return Picked(picked.positions[int(first) : int(last)] - start, True)


def _in_step(readers: list[Iterator[list[AnyColumn]]]) -> Iterator[list[list[AnyColumn]]]:
    """The parts of several readers, cut so that they have the same rows."""
    if len(readers) == 1:
        for part in readers[0]:
            yield [part]
        return
    kept: list[Any] = [None] * len(readers)
    while True:
        for i, reader in enumerate(readers):
            if kept[i] is None or not len(kept[i][0]):
                kept[i] = next(reader, None)
        if any(part is None for part in kept):
            return
        n = min(len(part[0]) for part in kept)
        yield [[c.slice(0, 1, n) for c in part] for part in kept]
        kept = [[c.slice(n, 1, len(c) - n) for c in part] for part in kept]


def gathered(pieces: list[list[AnyColumn]]) -> list[AnyColumn]:
    """Columns of the rows of several parts."""
    return [concat([piece[i] for piece in pieces]) for i in range(len(pieces[0]))]
