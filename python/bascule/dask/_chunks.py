"""Hooks of Dask for a chunk: its size, its copy on the host, its serialization."""

from __future__ import annotations

import functools
import hashlib
import math
from typing import Any

import numpy as np

from .. import _core
from .._array import conversion
from ..parallel_map import in_blocks
from . import _memory

ndarray = _core.ndarray


def _distinct(x: ndarray) -> ndarray:
    """x without repeated elements: every axis with stride zero has length one."""
    if not x.size or 0 not in x.strides:
        return x
    return x[tuple(slice(None) if step else slice(1) for step in x.strides)]


def sizeof(x: ndarray) -> int:
    """Bytes of memory of a chunk; of a broadcast one, those that exist.

    A worker asks this in the thread of the task when the task is done: pending operations of the result run there.
    """
    _memory.attend()
    _core.evaluate(x)
    return math.prod(n for n, step in zip(x.shape, x.strides) if step) * x.itemsize if x.size else 0


def to_numpy(x: ndarray, **kwargs: Any) -> np.ndarray:
    """A chunk as a NumPy array: over the same memory on the CPU, a copy from a GPU."""
    return _core.to_numpy(x) if x.device.startswith("cuda") else conversion.host_view(x)


def serialize(x: ndarray, context: Any = None) -> tuple[dict[str, Any], list[memoryview]]:
    """A chunk as a header and one frame, which holds each element once in the order of memory."""
    _memory.obey()
    core = _distinct(x)
    axes = sorted(range(core.ndim), key=lambda k: -abs(core.strides[k]))
    rows = _core.transpose(core, axes)
    if x.device.startswith("cuda"):
        host = _core.to_numpy(rows)
    else:
        host = conversion.host_view(_core.astype(rows, rows.dtype, not rows.flags.c_contiguous, "C"))
    header = {
        "dtype": x.dtype.str,
        "shape": x.shape,
        "rows": rows.shape,
        "axes": axes,
        "scalar": _core.is_scalar(x),
        "device": x.device,
    }
    return header, [memoryview(host.reshape(-1).view(np.uint8))]


def deserialize(header: dict[str, Any], frames: list) -> ndarray:
    """The chunk of a header and its frame, in memory of its own."""
    frame = frames[0] if len(frames) == 1 else b"".join(frames)
    shape, axes = tuple(header["shape"]), header["axes"]
    rows = np.frombuffer(frame, np.dtype(header["dtype"])).reshape(header["rows"])
    core = rows.transpose(sorted(range(len(axes)), key=axes.__getitem__))
    x = conversion.arrived(core, header["device"])
    if x.shape != shape:
        x = _core.broadcast_to(x, shape)
    return _core.keep_scalar(x) if header["scalar"] else x


def alongside_others(table: Any, own: Any) -> Any:
    """A function over chunks for one of Dask's tables, which Dask finds by one chunk even if the others are masked or sparse.

    Where the table has another function for one of the chunks, that function gets bascule's chunks as NumPy's.
    """

    @functools.wraps(own)
    def function(*args: Any, **kwargs: Any) -> Any:
        listed = len(args) > 0 and isinstance(args[0], (list, tuple))
        usual = (function, table.dispatch(np.ndarray))
        for x in args[0] if listed else args:
            if type(x) is not ndarray and (theirs := table.dispatch(type(x))) not in usual:
                given = [[*map(conversion.seen_by_numpy, a)] if isinstance(a, (list, tuple)) else conversion.seen_by_numpy(a) for a in args]  # fmt: skip
                return theirs(*given, **kwargs)
        return own(*args, **kwargs)

    return function


_HASHED = 1 << 22  # bytes of which one hash is made


def _digests(x: np.ndarray) -> list[bytes]:
    """Hashes of the bytes of a contiguous array, one for each block."""
    there = x.reshape(-1).view(np.uint8)
    found = [b""] * -(-len(there) // _HASHED)

    def work(k: int, begin: int, end: int) -> None:
        found[k] = hashlib.sha1(there[begin:end], usedforsecurity=False).digest()

    in_blocks(len(there), _HASHED, work)
    return found


def tokenize(x: ndarray) -> tuple:
    """A chunk's token, which identifies it: device, dtype, shape and content."""
    core = _distinct(x)
    rows = _core.astype(core, core.dtype, False, "C")  # the order of memory is no part of the content
    return "bascule.ndarray", x.device, x.dtype.str, x.shape, core.shape, *_digests(to_numpy(rows))
