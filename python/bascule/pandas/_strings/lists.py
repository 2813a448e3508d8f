"""Columns of lists of strings: Arrow's lists inside, converted to pandas' objects on demand."""

from __future__ import annotations

from typing import Any

import numpy as np

from ... import _core
from .._columns import arrow_bits
from .._columns.column import HostColumn, ndarray
from .._columns.kinds.pandas_types import Objects
from .._fallback.counted import refuse_on_gpu
from .._theirs import pc


class Lists(Objects):
    """Lists of strings, which pandas stores as objects; the objects are made on demand.

    Parameters
    ----------
    lists : pyarrow.LargeListArray or pyarrow.ListArray
    missing : object
        Value of missing rows: NaN or NA.
    """

    __slots__ = ("_objects", "lists", "na")

    def __init__(self, lists: Any, missing: Any):
        self.lists, self.na, self._objects = lists, missing, None

    @property
    def array(self) -> np.ndarray:  # type: ignore[override]
        """The rows as a NumPy array of objects."""
        if self._objects is None:
            made = np.empty(len(self.lists), dtype=object)
            for i, row in enumerate(self.lists.to_pylist()):
                made[i] = self.na if row is None else row
            self._objects = made
        return self._objects

    def __len__(self) -> int:
        return len(self.lists)

    dtype = property(lambda self: np.dtype(object))

    def has_strings(self) -> bool:
        return True

    def _stays(self, rows: ndarray, what: str) -> None:
        """Refuse to select rows on a GPU, which would move them to the host without a request."""
        refuse_on_gpu(what, f"values of type {self.dtype} are kept in the host's memory", rows.device)

    def take(self, positions: ndarray, nulls: bool = False) -> HostColumn:
        self._stays(positions, "rows at positions")
        p = _core.to_numpy(positions)
        return Lists(self.lists.take(arrow_bits.numbers(p, p >= 0 if nulls else None)), self.na)

    def filter(self, mask: ndarray) -> HostColumn:
        self._stays(mask, "rows by a mask")
        return Lists(self.lists.filter(arrow_bits.booleans(_core.to_numpy(mask))), self.na)

    def slice(self, start: int, step: int, count: int) -> HostColumn:
        if step == 1:
            return Lists(self.lists.slice(start, count), self.na)
        return Lists(self.lists.take(arrow_bits.numbers(np.arange(start, start + step * count, step))), self.na)

    def missing(self) -> ndarray:
        return _core.from_numpy(np.asarray(self.lists.is_null()))

    def has_missing(self) -> bool:
        return self.lists.null_count > 0

    def to_arrow(self) -> Any:
        return self.lists


def element(lists: Any, i: int) -> Any:
    """The i-th string of each list, counted from the end where i is negative; null where the list is shorter."""
    lengths = pc.list_value_length(lists)
    at = pc.if_else(pc.less(pc.add(lengths, min(i, 0)), 0), None, pc.add(lengths, i)) if i < 0 else None
    if at is None:
        if not len(lists):
            return lists.values.slice(0, 0)
        return pc.list_flatten(
            pc.list_slice(pc.coalesce(lists, arrow_bits.no_lists(lists)), i, i + 1, return_fixed_size_list=True)
        )
    flat = lists.values
    positions = pc.add(lists.offsets.slice(0, len(lists)), at.cast(lists.offsets.type))
    return flat.take(positions)
