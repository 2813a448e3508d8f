"""Helpers of sparse arrays: which row an element is of, counts, and checks of the three arrays."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from .. import _core
from .._array import conversion

_MOST = np.iinfo(np.int32).max


def on_device(x: Any, device: str, copy: bool) -> Any:
    """An array on a device: itself if it is there and no copy is asked for."""
    if type(x) is not _core.ndarray:
        return _core.from_numpy(np.ascontiguousarray(x), device, False)
    return (x.copy() if copy else x) if x.device == device else x.to_device(device)


def index_type(shape: Sequence[int], nnz: int) -> np.dtype:
    """The type of positions, as SciPy chooses it."""
    return np.dtype(np.int32 if max(*shape, nnz) <= _MOST else np.int64)


def counts_before(numbers: Any, length: int) -> Any:
    """Of numbers below `length` how many are below each of 0 to `length`."""
    return starts(_functions().bincount(numbers, minlength=length) if length else numbers[:0])


def starts(counts: Any) -> Any:
    """Where each of some parts begins that have so many elements, and where the last one ends."""
    made = on_device(np.zeros(len(counts) + 1, np.int64), counts.device, False)
    if len(counts):
        made[1:] = counts.cumsum()
    return made


def sums_of_rows(of: Any, values: Any) -> Any:
    """The sums of the values of each row, or of each column where these are compressed; values have one axis or two."""
    found = on_device(np.zeros((len(of.indptr) - 1, *values.shape[1:]), values.dtype), of.device, False)
    some = (lengths(of) > 0).nonzero()[0]
    if len(some) and values.shape[-1]:
        found[some] = _functions().add.reduceat(values, of.indptr[:-1][some], axis=0)
    return found


def majors(of: Any) -> Any:
    """The row of each element, or its column where these are compressed."""
    n = len(of.indptr) - 1
    return _functions().repeat(on_device(np.arange(n, dtype=of.indices.dtype), of.device, False), lengths(of))


def lengths(of: Any) -> Any:
    """How many elements each row has, or each column."""
    return of.indptr[1:] - of.indptr[:-1]


def sorted_by_minor(rows: Any, columns: Any) -> tuple[Any, Any]:
    """Positions in the order of columns, from those in the order of rows."""
    order = columns.argsort(kind="stable")
    return rows[order], columns[order]


def checked(data: Any, indices: Any, indptr: Any, minor: int) -> None:
    """Refuse arrays that do not fit together: no product reads memory that is not theirs."""
    if len(indices) != len(data):
        raise ValueError(f"indices and data should have the same size: {len(indices)} and {len(data)}")
    if int(indptr[0]) != 0 or int(indptr[-1]) != len(indices):
        raise ValueError(f"index pointer should go from 0 to {len(indices)}, and goes from {int(indptr[0])} to {int(indptr[-1])}")  # fmt: skip
    ends = shared(indptr)
    if len(ends) > 1 and bool((ends[1:] < ends[:-1]).any()):
        raise ValueError("index pointer values must form a non-decreasing sequence")
    if len(indices) == 0:
        return
    positions = shared(indices)
    if int(positions.max()) >= minor:
        raise ValueError(f"indices must be < {minor}")
    if int(positions.min()) < 0:
        raise ValueError("indices must be >= 0")


def shared(x: Any) -> Any:
    return x if type(x) is _core.ndarray else _core.from_numpy(x, "cpu", True)


def host(x: Any) -> Any:
    """NumPy's array over the memory of one on the host."""
    return conversion.host_view(x) if type(x) is _core.ndarray else x


def _functions() -> Any:
    import bascule

    return bascule
