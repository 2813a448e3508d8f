"""Rows and columns by slices, masks and arrays of indices."""

from __future__ import annotations

import operator
from typing import Any

import numpy as np

from .. import _core
from ._parts import host, lengths, on_device, starts
from ._theirs import as_ours

_ALL = slice(None)


class Selection:
    """Indexing of sparse arrays: whole rows and whole columns are chosen here, all else by SciPy."""

    __slots__ = ()

    def __getitem__(self: Any, key: Any) -> Any:
        rows, columns = key if isinstance(key, tuple) and len(key) == 2 else (key, _ALL)
        if isinstance(key, tuple) and len(key) != 2:
            return self._by_scipy("__getitem__", "an index of this kind", key)
        chosen = [(axis, _chosen(of, self.shape[axis])) for axis, of in enumerate((rows, columns)) if not _is_all(of)]
        if any(wanted is None for _, wanted in chosen) or sum(type(w) is not range for _, w in chosen) > 1:
            return self._by_scipy("__getitem__", "an index of this kind", key)
        found = self
        for axis, wanted in chosen:
            turned = found if axis == found._major else found.asformat("csr" if axis == 0 else "csc")
            part = _range(turned, wanted) if type(wanted) is range and wanted.step == 1 else _taken(turned, wanted)
            found = part.asformat(self.format)
        return found.copy() if found is self else found

    def __setitem__(self: Any, key: Any, value: Any) -> None:
        self._by_scipy("__setitem__", "positions of elements change", key, value)


def _is_all(key: Any) -> bool:
    return key is Ellipsis or (isinstance(key, slice) and key == _ALL)


def _chosen(key: Any, length: int) -> Any:
    """A range, or an array of indices that are not below nought; None for what SciPy reads."""
    if isinstance(key, slice):
        return range(*key.indices(length))
    if not isinstance(key, (list, np.ndarray, _core.ndarray)):
        return None
    key = key if type(key) is _core.ndarray else np.asarray(key)
    if key.ndim != 1 or key.dtype.kind not in "biu":
        return None
    if key.dtype.kind == "b":
        if len(key) != length:
            raise IndexError(f"bool index of length {len(key)} does not fit an axis of {length}")
        return key.nonzero()[0]
    if len(key) == 0:
        return key.astype(np.int64)
    low, high = int(key.min()), int(key.max())
    if low < -length or high >= length:
        raise IndexError(f"index ({low if low < -length else high}) out of range")
    key = key.astype(np.int64, copy=False)
    return key if low >= 0 else key + (key < 0) * length


def _range(of: Any, wanted: range) -> Any:
    """Consecutive rows, over the same memory."""
    begin = operator.index(wanted.start)
    ends = of.indptr[begin : begin + len(wanted) + 1]
    first, last = (int(ends[0]), int(ends[-1])) if len(wanted) else (0, 0)
    moved = ends - ends[0] if len(wanted) else ends[:1] * 0
    return of._of(of.data[first:last], of.indices[first:last], moved, _shape(of, len(wanted)), of._canonical or None)


def _taken(of: Any, wanted: Any) -> Any:
    """Any rows: their elements one after the other."""
    if type(wanted) is range:
        wanted = np.arange(wanted.start, wanted.stop, wanted.step)
    if of.device == "cpu":  # SciPy copies a row after the other
        rows = host(wanted)
        return as_ours(of.to_scipy()[rows] if of._major == 0 else of.to_scipy()[:, rows])
    import bascule

    wanted = on_device(wanted, of.device, False)
    counts = lengths(of)[wanted].astype(np.int64)
    ends = starts(counts)
    total = int(ends[-1])
    first = of.indptr[:-1][wanted].astype(np.int64) - ends[:-1]
    positions = bascule.repeat(first, counts) + on_device(np.arange(total), of.device, False)
    return of._of(of.data[positions], of.indices[positions], ends.astype(of.indptr.dtype), _shape(of, len(wanted)))


def _shape(of: Any, length: int) -> tuple[int, int]:
    return (length, of.shape[1]) if of._major == 0 else (of.shape[0], length)
