"""Parameters of random draws: sizes, numbers and arrays, with NumPy's errors."""

from __future__ import annotations

import functools
import math
import operator
from collections.abc import Callable
from typing import Any

import numpy as np

from .. import _core
from .._array.ufuncs import by_name

Parameter = Any  # a float, or an array of float64 with at least one axis

POISSON_MOST = float(2**63 - 1) - math.sqrt(2**63 - 1) * 10
_INT64 = np.iinfo(np.int64)

_isnan, _signbit, _not = (by_name[n] for n in ("isnan", "signbit", "logical_not"))


def quiet(method: Callable[..., Any]) -> Callable[..., Any]:
    """Suppress floating-point warnings, as NumPy's distributions report no overflow and division."""

    @functools.wraps(method)
    def silent(*args: Any, **kwargs: Any) -> Any:
        with np.errstate(all="ignore"):
            return method(*args, **kwargs)

    return silent


def shape_of(size: Any) -> tuple[int, ...]:
    """The argument `size` as a tuple."""
    if type(size) is int and size >= 0:
        return (size,)
    if size is None:
        return ()
    if isinstance(size, (bool, float)):
        raise TypeError(f"expected a sequence of integers or a single integer, got '{size}'")
    try:
        shape: tuple[int, ...] = (operator.index(size),)
    except TypeError:
        shape = tuple(map(operator.index, size))
    if any(n < 0 for n in shape):
        raise ValueError("negative dimensions are not allowed")
    return shape


def host(x: Any) -> np.ndarray:
    """x as a NumPy array, from any device."""
    return _core.to_numpy(x) if type(x) is _core.ndarray else np.asarray(x)


def parameter(x: Any, device: str | None = None) -> Parameter:
    """A float, or a float64 array of rank one or more."""
    if type(x) is float or type(x) is int:
        return float(x)
    if type(x) is _core.ndarray and x.ndim:
        if x.dtype.kind not in "fiub":
            raise TypeError(
                f"Cannot cast array data from {x.dtype!r} to {np.dtype(np.float64)!r} according to the rule 'safe'"
            )
        return _core.astype(x, np.float64, False)
    if isinstance(x, (int, float)) or np.ndim(x) == 0:
        if x is None:
            raise TypeError("must be real number, not NoneType")
        return float(x)
    return _core.from_numpy(np.asarray(x, np.float64), device)


def whole_parameter(x: Any) -> int | np.ndarray:
    """An integer, or an int64 array on the host; fractions are truncated."""
    if np.ndim(x) == 0 or (type(x) is _core.ndarray and x.ndim == 0):
        number = int(x)
        if not _INT64.min <= number <= _INT64.max:
            raise OverflowError("Python int too large to convert to C long")
        return number
    return host(x).astype(np.int64)


def on_device(x: int | np.ndarray, device: str | None) -> Any:
    """A number, or an array of the host copied to a device."""
    return x if isinstance(x, int) else _core.from_numpy(x, device)


# ---- checks of parameters


def any_of(holds: Any) -> bool:
    """Whether a comparison is true for a number, or for any element of an array."""
    return bool(holds) if isinstance(holds, (bool, np.bool_)) else bool(holds.any())


def _all(holds: Any) -> bool:
    return bool(holds) if isinstance(holds, (bool, np.bool_)) else bool(holds.all())


def not_negative(x: Parameter, name: str) -> Parameter:
    """x, which must not have a negative sign; NaN may."""
    if isinstance(x, float):
        negative = not math.isnan(x) and math.copysign(1, x) < 0
    elif isinstance(x, int):
        negative = x < 0
    elif isinstance(x, np.ndarray):
        negative = bool((x < 0).any())
    else:
        negative = not _all(_isnan(x) | _not(_signbit(x)))
    if negative:
        raise ValueError(f"{name} < 0")
    return x


def positive(x: Parameter, name: str) -> Parameter:
    """x, which must be above zero or NaN."""
    if x <= 0 if isinstance(x, float) else bool((x <= 0).any()):
        raise ValueError(f"{name} <= 0")
    return x


def positive_number(x: Parameter, name: str) -> Parameter:
    """x, which must be above zero."""
    if not _all(x == x):
        raise ValueError(f"{name} must not be NaN")
    return positive(x, name)


def _nan_text(x: Parameter, name: str) -> str:
    return f"{name} is NaN" if isinstance(x, float) else f"{name} contains NaNs"


def probability(x: Parameter, name: str = "p") -> Parameter:
    """x, which must lie in [0, 1]."""
    if not (_all(x >= 0) and _all(x <= 1)):
        raise ValueError(f"{name} < 0, {name} > 1 or {_nan_text(x, name)}")
    return x


def positive_probability(x: Parameter, name: str = "p") -> Parameter:
    """x, which must lie in (0, 1]."""
    if not (_all(x > 0) and _all(x <= 1)):
        raise ValueError(f"{name} <= 0, {name} > 1 or {name} contains NaNs")
    return x


def below_one(x: Parameter, name: str = "p") -> Parameter:
    """x, which must lie in [0, 1)."""
    if not (_all(x >= 0) and _all(x < 1)):
        raise ValueError(f"{name} < 0, {name} >= 1 or {_nan_text(x, name)}")
    return x


def above_one(x: Parameter, name: str) -> Parameter:
    """x, which must be above one."""
    if not _all(x > 1):
        raise ValueError(f"{name} <= 1 or {_nan_text(x, name)}")
    return x


def poisson_mean(x: Parameter, name: str = "lam") -> Parameter:
    """x, which must be a mean whose draws fit into int64."""
    if isinstance(x, float) and 0 <= x <= POISSON_MOST:
        return x
    if not isinstance(x, float) and not _all(x <= POISSON_MOST):
        raise ValueError(f"{name} value too large")
    if not _all(x >= 0):
        raise ValueError(f"{name} < 0 or {_nan_text(x, name)}")
    if not _all(x <= POISSON_MOST):
        raise ValueError(f"{name} value too large")
    return x


# ---- shapes and outputs


def is_scalar(parameters: tuple[Any, ...]) -> bool:
    """Whether all are numbers."""
    return all(type(p) is float or type(p) is int for p in parameters)


def result_shape(size: Any, *parameters: Any) -> tuple[int, ...] | None:
    """The shape of a draw with array parameters; None for a scalar."""
    if is_scalar(parameters):
        return None if size is None else shape_of(size)
    shapes = [() if isinstance(p, (int, float)) else p.shape for p in parameters]
    if size is None:
        return np.broadcast_shapes(*shapes)
    shape = shape_of(size)
    together = np.broadcast_shapes(shape, *shapes)
    if together != shape:
        raise ValueError(f"Output size {shape} is not compatible with broadcast dimensions of inputs {together}.")
    return shape


def check_out(out: Any, size: Any, dtype: np.dtype, c_order: bool = False) -> None:
    """Raise unless `out` can take a draw."""
    if type(out) is not _core.ndarray or not _core.is_writeable(out) or not _dense(out, c_order):
        order = "C-" if c_order else ""
        raise ValueError(
            f"Supplied output array must be {order}contiguous, writable, aligned, and in machine byte-order."
        )
    if out.dtype != dtype:
        raise TypeError(f"Supplied output array has the wrong type. Expected {dtype}, got {out.dtype}")
    if size is not None and shape_of(size) != out.shape:
        raise ValueError("size must match out.shape when used together")


def _dense(a: Any, c_order: bool) -> bool:
    return a.flags.c_contiguous or (not c_order and a.flags.f_contiguous)
