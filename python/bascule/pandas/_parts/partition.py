"""Rows in partitions by their keys: those of equal keys are in the same one, wherever they come from."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from ... import _core
from ...config import config
from .._columns.column import AnyColumn
from .._columns.concatenation import concat
from .._pickle import text_parts
from .store import Store
from .walk import gathered

_MOST = 256
_SHARE = 12  # part of `config.memory_limit` that the rows of a partition may take, of which some copies are made
_WORD = 8  # bytes


def how_many(nbytes: float) -> int:
    """How many partitions rows of so many bytes need, so that each can be worked on in memory."""
    limit = config.memory_limit or 1 << 30
    return int(min(_MOST, max(4, -(-nbytes * _SHARE // limit))))


def partition_of(keys: Sequence[AnyColumn], count: int) -> np.ndarray:
    """The partition of each row, by a hash of its keys."""
    found = np.zeros(len(keys[0]), np.uint64)
    for key in keys:
        found = _mixed(found * np.uint64(31) + _hash(key))
    return (found >> np.uint64(33)) % np.uint64(count)


def _hash(key: AnyColumn) -> np.ndarray:
    """A hash of each value: of strings, of their lengths and of their first and last bytes, which is enough to spread them."""
    if key.core.form == "plain":
        found = _words(_core.to_numpy(key.values))
    else:
        coded = key.core.encoded()
        found = _ends_of_strings(key.core if coded is None else coded.dictionary)
        if coded is not None:
            codes = np.maximum(_core.to_numpy(coded.values), 0)
            found = found[codes] if len(found) else np.zeros(len(codes), np.uint64)
    return np.where(_core.to_numpy(key.missing()), np.uint64(1), found) if key.has_missing() else found


def _words(values: np.ndarray) -> np.ndarray:
    """Numbers and times as words, equal ones as the same: of floats, both zeros."""
    if np.issubdtype(values.dtype, np.floating):
        values = (values + values.dtype.type(0)).astype(np.float64)
    elif values.dtype.itemsize < _WORD:
        values = values.astype(np.int64)
    return values.view(np.uint64)


def _ends_of_strings(core: Any) -> np.ndarray:
    """The first eight bytes of each string and its last, and its length, in one word."""
    parts = [_core.to_numpy(a) for a in text_parts(core)[:2]]
    there = np.concatenate([np.zeros(_WORD, np.uint8), parts[0], np.zeros(_WORD, np.uint8)])
    starts, lengths = parts[1][:-1] + _WORD, np.diff(parts[1])
    words = np.ndarray(len(there) - _WORD + 1, "<u8", there, strides=(1,))  # a word from each byte on
    unused = (8 * (_WORD - np.minimum(lengths, _WORD))).astype(np.uint64)
    first = np.where(lengths > 0, words[starts] << unused, 0)
    last = np.where(lengths > 0, words[starts + lengths - _WORD] >> unused, 0)
    return _mixed(first ^ (lengths.astype(np.uint64) << np.uint64(1))) ^ last


def _mixed(h: np.ndarray) -> np.ndarray:
    h = (h ^ (h >> np.uint64(32))) * np.uint64(0x9E3779B97F4A7C15)
    return h ^ (h >> np.uint64(29))


class Partitions:
    """Rows on disk by partition, in the order in which they came.

    Parameters
    ----------
    count : int
    """

    def __init__(self, count: int):
        self.store, self.pieces = Store(), [[] for _ in range(count)]
        self._kinds: list[dict[Any, AnyColumn]] = []  # of each column, one of no rows for each dtype

    def add(self, columns: Sequence[AnyColumn], of_each: np.ndarray) -> None:
        """Keep rows in the partitions whose numbers are given."""
        order = np.argsort(of_each.astype(np.uint16), kind="stable")
        rows = _core.from_numpy(order)
        self.note(columns)
        columns = [c.take(rows) for c in columns]
        ends = np.cumsum(np.bincount(of_each.astype(np.int64), minlength=len(self.pieces))).tolist()
        for p, (start, end) in enumerate(zip([0, *ends], ends)):
            if end > start:
                self.pieces[p].append(self.store.write([c.slice(start, 1, end - start) for c in columns]))

    def append(self, columns: Sequence[AnyColumn]) -> None:
        """Keep rows as a partition of their own."""
        self.note(columns)
        self.pieces.append([self.store.write(columns)])

    def note(self, columns: Sequence[AnyColumn]) -> None:
        """Note the types of columns."""
        self._kinds = self._kinds or [{} for _ in columns]
        for kinds, c in zip(self._kinds, columns):
            kinds.setdefault(c.dtype, c.slice(0, 1, 0))

    def kinds(self, i: int) -> list[Any]:
        """The types that a column has in the partitions."""
        return list(self._kinds[i])

    def like(self, i: int) -> AnyColumn:
        """A column of no rows, of the type that the column has in all partitions together."""
        return concat(list(self._kinds[i].values()))

    def filled(self) -> list[int]:
        """The partitions that have rows."""
        return [p for p, pieces in enumerate(self.pieces) if pieces]

    def read(self, p: int, caller: str) -> list[AnyColumn]:
        """The rows of a partition.

        Raises
        ------
        MemoryError
            They take most of `config.memory_limit`: many rows have equal keys.
        """
        needed, limit = sum(piece.nbytes for piece in self.pieces[p]), config.memory_limit
        if limit is not None and needed * 2 > limit:
            raise MemoryError(
                f"[{caller}] rows of equal keys take {needed:,} bytes, which have to be in memory together, and "
                f"config.memory_limit is {limit:,}"
            )
        return gathered([self.store.read(piece) for piece in self.pieces[p]])
