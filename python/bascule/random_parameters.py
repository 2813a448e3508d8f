"""Parameters of random draws: sizes, numbers and arrays, with NumPy's errors."""

import math
import operator

import numpy as np

from . import _core


def shape_of(size):
    """A size as a tuple."""
    if size is None:
        return ()
    if isinstance(size, (bool, float)):
        raise TypeError(f"expected a sequence of integers or a single integer, got '{size}'")
    try:
        shape = (operator.index(size),)
    except TypeError:
        shape = tuple(map(operator.index, size))
    if any(n < 0 for n in shape):
        raise ValueError("negative dimensions are not allowed")
    return shape


def host(x):
    """x as a NumPy array, from wherever it lies."""
    return _core.to_numpy(x) if isinstance(x, _core.ndarray) else np.asarray(x)


def parameter(x):
    """A float, or a float64 array of rank one or more."""
    if isinstance(x, _core.ndarray) and x.ndim:
        if x.dtype.kind not in "fiub":
            raise TypeError(
                f"Cannot cast array data from {x.dtype!r} to {np.dtype(np.float64)!r} according to the rule 'safe'"
            )
        return _core.astype(x, np.float64, False)
    if isinstance(x, (int, float)) or np.ndim(x) == 0:
        return float(x)
    return _core.from_numpy(np.asarray(x, np.float64))


def _negative(x):
    if isinstance(x, float):
        return not math.isnan(x) and math.copysign(1, x) < 0
    return bool((x < 0).any())


def not_negative(x, name):
    """x, which must not be below zero."""
    if _negative(x):
        raise ValueError(f"{name} < 0")
    return x


def positive(x, name):
    """x, which must be above zero."""
    if x <= 0 if isinstance(x, float) else (x <= 0).any():
        raise ValueError(f"{name} <= 0")
    return x


def result_shape(size, *parameters):
    """The shape of a draw with array parameters; None for a scalar."""
    arrays = [p.shape for p in parameters if not isinstance(p, float)]
    if size is None:
        return np.broadcast_shapes(*arrays) if arrays else None
    shape = shape_of(size)
    together = np.broadcast_shapes(shape, *arrays)
    if together != shape:
        raise ValueError(f"Output size {shape} is not compatible with broadcast dimensions of inputs {together}.")
    return shape


def check_out(out, size, dtype):
    """Raise unless `out` can take a draw."""
    if not isinstance(out, _core.ndarray) or not _core.is_writeable(out) or not _dense(out):
        raise ValueError("Supplied output array must be contiguous, writable, aligned, and in machine byte-order.")
    if out.dtype != dtype:
        raise TypeError(f"Supplied output array has the wrong type. Expected {dtype}, got {out.dtype}")
    if size is not None and shape_of(size) != out.shape:
        raise ValueError("size must match out.shape when used together")


def _dense(a):
    return _core.reshape_view(a, (a.size,)) is not None or _core.reshape_view(a, (a.size,), True) is not None
