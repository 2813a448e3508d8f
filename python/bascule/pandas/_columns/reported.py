"""Warnings of sums and products that overflow or are invalid, where pandas passes NumPy's on."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..._array.caller_warnings import at_users_line

_FLOAT64 = np.dtype(np.float64)


def _words(function: Any, values: tuple, dtype: np.dtype) -> None:
    """Let NumPy warn, or raise, by its settings, from a few values with the same fault."""
    at_users_line(function, np.array(values, dtype))


def of_reduction(name: str, found: Any, dtype: np.dtype, has_infinities: bool) -> None:
    """Warn as NumPy does where a sum, product or variance of floats is not finite."""
    if name in ("var", "std", "sem"):
        _of_variance(dtype, has_infinities)
        return
    ufunc = np.multiply if name == "prod" else np.add
    if not has_infinities:
        _words(ufunc.reduce, (np.finfo(dtype).max,) * 2, dtype)
    elif found != found:
        _words(ufunc.reduce, (np.inf, 0.0) if name == "prod" else (np.inf, -np.inf), dtype)


def _of_variance(dtype: np.dtype, has_infinities: bool) -> None:
    if has_infinities:
        _words(np.ptp, (np.inf, np.inf), _FLOAT64)
    elif dtype == _FLOAT64:
        _words(np.square, (np.finfo(dtype).max,), dtype)
    else:
        _words(lambda x: x.astype(dtype), (np.finfo(_FLOAT64).max,), _FLOAT64)


def of_distance() -> None:
    """Warn that the distance of infinities is not defined."""
    _words(np.ptp, (np.inf, np.inf), _FLOAT64)


def of_degrees_of_freedom() -> None:
    """Warn that a covariance has no degrees of freedom."""
    at_users_line(np.cov, np.array([0.0, 1.0]), ddof=2)
