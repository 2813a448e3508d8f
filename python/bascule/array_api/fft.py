"""`bascule.fft` with the `dtype` parameter of the standard's frequencies."""

from __future__ import annotations

from typing import Any

import numpy as np

from .. import fft as _fft
from .._core import ndarray
from ..fft import *  # noqa: F403

__all__ = list(_fft.__all__)


def _frequencies(function: Any, n: int, d: float, dtype: Any, device: str | None) -> ndarray:
    wanted = np.dtype(np.float64 if dtype is None else dtype)
    if wanted.kind != "f":
        raise ValueError(f"[{function.__name__}] expected a real floating dtype, got {wanted}")
    return function(n, d, device).astype(wanted, copy=False)


def fftfreq(n: int, /, *, d: float = 1.0, dtype: Any = None, device: str | None = None) -> ndarray:
    """Return the sample frequencies of a discrete Fourier transform of n values with spacing d.

    Parameters
    ----------
    n : int
    d : float, optional
    dtype : dtype, optional
        A real floating type, float64 by default.
    device : str, optional

    Returns
    -------
    ndarray, shape (n,)

    Raises
    ------
    ValueError
        `n` is no integer, or `dtype` not real floating.

    Examples
    --------
    >>> import bascule as bc
    >>> xp = bc.ones(1).__array_namespace__()
    >>> xp.fft.fftfreq(4, dtype=xp.float32).tolist()
    [0.0, 0.25, -0.5, -0.25]
    """
    return _frequencies(_fft.fftfreq, n, d, dtype, device)


def rfftfreq(n: int, /, *, d: float = 1.0, dtype: Any = None, device: str | None = None) -> ndarray:
    """Return the sample frequencies of a discrete Fourier transform of n real values with spacing d.

    Parameters
    ----------
    n : int
    d : float, optional
    dtype : dtype, optional
        A real floating type, float64 by default.
    device : str, optional

    Returns
    -------
    ndarray, shape (n // 2 + 1,)

    Raises
    ------
    ValueError
        `n` is no integer, or `dtype` not real floating.

    Examples
    --------
    >>> import bascule as bc
    >>> xp = bc.ones(1).__array_namespace__()
    >>> xp.fft.rfftfreq(4, dtype=xp.float32).tolist()
    [0.0, 0.25, 0.5]
    """
    return _frequencies(_fft.rfftfreq, n, d, dtype, device)
