"""Arrow arrays of NumPy's arrays and Python's objects, and back; Arrow's own conversions would import pandas."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np

from ... import _core
from .._scalars import arrow_scalar
from .._theirs import is_loaded, pyarrow


def _unpacked(bits: pyarrow.Buffer, offset: int, count: int) -> np.ndarray:
    there = np.unpackbits(np.frombuffer(bits, np.uint8), count=offset + count, bitorder="little")
    return there[offset:].view(bool)


def are_valid(a: pyarrow.Array) -> np.ndarray:
    """Which values of an Arrow array are valid."""
    bits = a.buffers()[0]
    return np.ones(len(a), bool) if bits is None else _unpacked(bits, a.offset, len(a))


def booleans_of(a: pyarrow.Array) -> np.ndarray:
    """The values of an Arrow array of booleans, any where it has none."""
    return _unpacked(a.buffers()[1], a.offset, len(a))


def strings(x: Iterable[Any]) -> pyarrow.Array:
    """Strings and missing values as Arrow's."""
    listed = x if type(x) is list else list(x)
    try:
        data, offsets, valid = _core.encoded_text(listed, "cpu")
    except TypeError:
        return pyarrow.array(listed, pyarrow.large_string(), from_pandas=True)  # which says what is no string
    return _text(np.asarray(data), np.asarray(offsets), None if valid is None else np.asarray(valid))


def _text(data: bytes | np.ndarray, offsets: np.ndarray, valid: np.ndarray | None) -> pyarrow.Array:
    """Strings that lie in their bytes one behind another."""
    bits = None if valid is None else _bits(valid)
    buffers = [bits, pyarrow.py_buffer(offsets), pyarrow.py_buffer(data)]
    return pyarrow.Array.from_buffers(pyarrow.large_string(), len(offsets) - 1, buffers)


def _bits(x: np.ndarray) -> pyarrow.Buffer:
    return pyarrow.py_buffer(np.packbits(x, bitorder="little"))


def numbers(x: np.ndarray, valid: np.ndarray | None = None) -> pyarrow.Array:
    """An Arrow array over the memory of integers or floats, some of which may be missing."""
    bits = None if valid is None else _bits(valid)
    return pyarrow.Array.from_buffers(
        pyarrow.from_numpy_dtype(x.dtype), len(x), [bits, pyarrow.py_buffer(np.ascontiguousarray(x))]
    )


def booleans(x: np.ndarray) -> pyarrow.Array:
    """An Arrow array of booleans."""
    return pyarrow.Array.from_buffers(pyarrow.bool_(), len(x), [None, _bits(x)])


def seconds(x: np.ndarray) -> pyarrow.Array:
    """An Arrow array of timestamps in seconds; NaT is missing."""
    buffers = [_bits(~np.isnat(x)), pyarrow.py_buffer(x.view(np.int64))]
    return pyarrow.Array.from_buffers(pyarrow.timestamp("s"), len(x), buffers)


def scalar(x: Any, kind: Any) -> pyarrow.Scalar:
    """A number, boolean or string of Python as Arrow's of a type."""
    return pyarrow.scalar(x, kind) if is_loaded() else arrow_scalar(x).cast(kind)


def no_lists(like: pyarrow.Array) -> pyarrow.Scalar:
    """An empty list of the type of others."""
    wide = pyarrow.types.is_large_list(like.type)
    bounds = pyarrow.py_buffer(np.zeros(2, np.int64 if wide else np.int32))
    return pyarrow.Array.from_buffers(like.type, 1, [None, bounds], children=[like.values.slice(0, 0)])[0]


def values_of(a: pyarrow.Array) -> np.ndarray:
    """The values of an Arrow array of numbers; NaN where it has none."""
    dtype = np.dtype(a.type.to_pandas_dtype())
    found = np.frombuffer(a.buffers()[1], dtype, len(a), a.offset * dtype.itemsize)
    return np.where(are_valid(a), found, np.nan) if a.null_count else found
