"""Random positions from NumPy's generators, as pandas draws them."""

from __future__ import annotations

from typing import Any

import numpy as np

from .._fallback.native import NotNative
from .._questions import is_integer

_INT64 = np.dtype(np.int64)


def random_positions(n: int, size: int, replace: bool, weights: np.ndarray | None, state: Any) -> np.ndarray:
    """int64: so many of n positions, drawn by NumPy."""
    if weights is not None:
        total = weights.sum()
        if total == 0:
            raise ValueError("Invalid weights: weights sum to zero")
        weights = weights / total
        if not replace and size * weights.max() > 1:
            raise ValueError(
                "Weighted sampling cannot be achieved with replace=False. Either "
                "set replace=True or use smaller weights. See the docstring of "
                "sample for details."
            )
    return state.choice(n, size=size, replace=replace, p=weights).astype(_INT64, copy=False)


def random_source(state: Any) -> Any:
    """NumPy's generator for a `random_state`."""
    if state is None:
        return np.random
    if isinstance(state, (np.random.Generator, np.random.RandomState)):
        return state
    if isinstance(state, (int, np.integer, np.ndarray, list, np.random.BitGenerator)) and not isinstance(state, bool):
        return np.random.RandomState(state)
    raise NotNative("an unsupported random_state")


def sample_size(n: Any, frac: Any, replace: bool) -> int | None:
    """The number of rows; None where it is a fraction of them.

    Raises
    ------
    TypeError, ValueError
        As pandas.
    """
    if n is None and frac is None:
        return 1
    if n is not None and frac is not None:
        raise ValueError("Please enter a value for `frac` OR `n`, not both")
    if n is not None:
        if n < 0:
            raise ValueError("A negative number of rows requested. Please provide `n` >= 0.")
        if n % 1 != 0:
            raise ValueError("Only integers accepted as `n` values")
        if not is_integer(n):
            raise TypeError(f"expected a sequence of integers or a single integer, got '{n!r}'")
        return int(n)
    if frac > 1 and not replace:
        raise ValueError("Replace has to be set to `True` when upsampling the population `frac` > 1.")
    if frac < 0:
        raise ValueError("A negative number of rows requested. Please provide `frac` >= 0.")
    return None
