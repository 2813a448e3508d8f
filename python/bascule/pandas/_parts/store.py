"""Rows of columns on disk, in a file without a name: it is gone when nothing uses it, or the process ends."""

from __future__ import annotations

import pickle
from collections.abc import Sequence

import numpy as np

from ... import _core
from ...config import config
from .._columns.column import AnyColumn


class Piece:
    """Consecutive rows of columns on disk.

    Attributes
    ----------
    rows : int
    at : list of (int, list of int)
        For each column, where it is in the file, and the sizes of its parts there.
    nbytes : int
    """

    __slots__ = ("at", "nbytes", "rows")

    def __init__(self, rows: int, at: list[tuple[int, list[int]]]):
        self.rows, self.at = rows, at
        self.nbytes = sum(sum(sizes) for _, sizes in at)


class Store:
    """A file for rows of columns; what is read back is checked against checksums."""

    def __init__(self) -> None:
        self._file = _core.TemporaryFile(config.spill_directory, config.spill_disk_limit)

    def write(self, columns: Sequence[AnyColumn]) -> Piece:
        """Keep rows on disk.

        Raises
        ------
        OSError
            The disk, or `config.spill_disk_limit`, has no room.
        """
        at = []
        for c in columns:
            buffers: list[pickle.PickleBuffer] = []
            head = pickle.dumps(c, protocol=5, buffer_callback=buffers.append)
            parts = [head, *(b.raw() for b in buffers)]
            at.append((self._file.write(b"".join(parts)), [len(head), *(b.raw().nbytes for b in buffers)]))
        return Piece(len(columns[0]), at)

    def read(self, piece: Piece, wanted: Sequence[int] | None = None) -> list[AnyColumn]:
        """Columns of the rows of a piece, by default all.

        Raises
        ------
        OSError
            The disk does not give back what was written.
        """
        return [self._column(*piece.at[i]) for i in (range(len(piece.at)) if wanted is None else wanted)]

    def _column(self, at: int, sizes: list[int]) -> AnyColumn:
        there = np.empty(sum(sizes), np.uint8)
        self._file.read(at, there)
        ends = np.cumsum(sizes)
        parts = [there[end - size : end] for size, end in zip(sizes, ends)]
        return pickle.loads(parts[0], buffers=parts[1:])  # our own pickle, whose checksum is right
