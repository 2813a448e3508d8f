"""Functions that return complex numbers where real ones are not defined: the square root of -1 is 1j."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any

import numpy as np

from .._array.conversion import as_array, ndarray
from .._array.ufuncs import by_name
from ..interop.protocols import overridable

if TYPE_CHECKING:
    from .._array.types import _ArrayLike


__all__ = ["arccos", "arcsin", "arctanh", "log", "log10", "log2", "logn", "power", "sqrt"]


def _complex(x: ndarray) -> ndarray:
    return x.astype(np.complex64 if x.dtype.char in "fbhBHF" else np.complex128, copy=False)


def _wide_below_zero(x: Any, like: Any = None) -> ndarray:
    """x as complex numbers if a real element is negative."""
    x = as_array(x, like)
    return _complex(x) if x.dtype.kind != "c" and bool((x < 0).any()) else x


def _wide_beyond_one(x: Any) -> ndarray:
    """x as complex numbers if a real element is outside [-1, 1]."""
    x = as_array(x)
    return _complex(x) if x.dtype.kind != "c" and bool((by_name["absolute"](x) > 1).any()) else x


def sqrt(x: _ArrayLike) -> ndarray:
    """Compute square roots; complex if an element is negative.

    Parameters
    ----------
    x : array_like, any shape

    Returns
    -------
    ndarray, shape x.shape
        Complex if any element requires it; otherwise the result of the ufunc of that name.

    Examples
    --------
    >>> import bascule as bc
    >>> bc.emath.sqrt([-1, 4]).tolist()
    [1j, (2+0j)]
    """
    return by_name["sqrt"](_wide_below_zero(x))


def log(x: _ArrayLike) -> ndarray:
    """Compute natural logarithms; complex if an element is negative.

    Parameters
    ----------
    x : array_like, any shape

    Returns
    -------
    ndarray, shape x.shape
        Complex if any element requires it; otherwise the result of the ufunc of that name.

    Examples
    --------
    >>> import bascule as bc
    >>> bc.emath.log([-1.0]).imag.round(4).tolist()
    [3.1416]
    """
    return by_name["log"](_wide_below_zero(x))


def log10(x: _ArrayLike) -> ndarray:
    """Compute logarithms to the base 10; complex if an element is negative.

    Parameters
    ----------
    x : array_like, any shape

    Returns
    -------
    ndarray, shape x.shape
        Complex if any element requires it; otherwise the result of the ufunc of that name.

    Examples
    --------
    >>> import bascule as bc
    >>> bc.emath.log10([-100.0]).real.round(9).tolist()
    [2.0]
    """
    return by_name["log10"](_wide_below_zero(x))


def log2(x: _ArrayLike) -> ndarray:
    """Compute logarithms to the base 2; complex if an element is negative.

    Parameters
    ----------
    x : array_like, any shape

    Returns
    -------
    ndarray, shape x.shape
        Complex if any element requires it; otherwise the result of the ufunc of that name.

    Examples
    --------
    >>> import bascule as bc
    >>> bc.emath.log2([-8.0]).real.round(9).tolist()
    [3.0]
    """
    return by_name["log2"](_wide_below_zero(x))


def logn(n: int, x: _ArrayLike) -> ndarray:
    """Compute logarithms to any base; complex if an element is negative.

    Parameters
    ----------
    n : array_like
        The base, not zero.
    x : array_like
        Its shape broadcasts against that of `n`.

    Returns
    -------
    ndarray
        Complex if any element requires it; otherwise ``log(x) / log(n)``.

    Examples
    --------
    >>> import bascule as bc
    >>> bc.emath.logn(2, [8.0, 16.0]).round(9).tolist()
    [3.0, 4.0]
    """
    x = _wide_below_zero(x, n)
    return by_name["log"](x) / by_name["log"](_wide_below_zero(n, x))


def power(x: _ArrayLike, p: _ArrayLike) -> ndarray:
    """Compute powers; complex if a base is negative, floating if an exponent is.

    Parameters
    ----------
    x : array_like
        Bases.
    p : array_like
        Exponents; the shapes broadcast against one another.

    Returns
    -------
    ndarray
        Complex if any element requires it; otherwise the result of the ufunc of that name.

    Examples
    --------
    >>> import bascule as bc
    >>> bc.emath.power([-1.0, 4.0], 0.5).round(9).tolist()
    [1j, (2+0j)]
    """
    x = _wide_below_zero(x, p)
    p = as_array(p, x)
    if p.dtype.kind != "c" and bool((p < 0).any()):
        p = p * 1.0
    return by_name["power"](x, p)


def arccos(x: _ArrayLike) -> ndarray:
    """Compute the inverse cosine; complex if an element is outside [-1, 1].

    Parameters
    ----------
    x : array_like, any shape

    Returns
    -------
    ndarray, shape x.shape
        Complex if any element requires it; otherwise the result of the ufunc of that name.

    Examples
    --------
    >>> import bascule as bc
    >>> bc.emath.arccos([2.0]).imag.round(4).tolist()
    [-1.317]
    """
    return by_name["arccos"](_wide_beyond_one(x))


def arcsin(x: _ArrayLike) -> ndarray:
    """Compute the inverse sine; complex if an element is outside [-1, 1].

    Parameters
    ----------
    x : array_like, any shape

    Returns
    -------
    ndarray, shape x.shape
        Complex if any element requires it; otherwise the result of the ufunc of that name.

    Examples
    --------
    >>> import bascule as bc
    >>> bc.emath.arcsin([2.0]).imag.round(4).tolist()
    [1.317]
    """
    return by_name["arcsin"](_wide_beyond_one(x))


def arctanh(x: _ArrayLike) -> ndarray:
    """Compute the inverse hyperbolic tangent; complex if an element is outside [-1, 1].

    Parameters
    ----------
    x : array_like, any shape

    Returns
    -------
    ndarray, shape x.shape
        Complex if any element requires it; otherwise the result of the ufunc of that name.

    Examples
    --------
    >>> import bascule as bc
    >>> bc.emath.arctanh([2.0]).imag.round(4).tolist()
    [1.5708]
    """
    return by_name["arctanh"](_wide_beyond_one(x))


for _name in __all__:
    overridable(sys.modules[__name__], _name, getattr(np.emath, _name))
