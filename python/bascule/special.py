"""Special functions under SciPy's names: ufuncs of the op table, and functions composed of them.

Functions of scipy.special that are not listed here run in SciPy on shared memory and are counted by
bascule.fallbacks().
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any, Literal, overload

import numpy as np

from . import fallback
from ._array.conversion import as_array, as_arrays, as_value, ndarray
from ._array.ufuncs import by_name, rows
from .lib.arithmetic import sinc
from .lib.creation import full
from .lib.manipulation import broadcast_arrays
from .special_ufuncs import *  # noqa: F403
from .special_ufuncs import __all__ as _ufuncs

if TYPE_CHECKING:
    from ._array.types import _ArrayLike, _ArrayOrScalar, _Axes


_where = rows["where"]["ufunc"]
_abs, _exp, _isfinite, _log, _log1p, _sign = (
    by_name[name] for name in ("absolute", "exp", "isfinite", "log", "log1p", "sign")
)

cbrt, erf, erfc = (by_name[name] for name in ("cbrt", "erf", "erfc"))
__all__ = [*_ufuncs, "cbrt", "erf", "erfc", "log_softmax", "logsumexp", "sinc", "softmax"]


def _axes(axis: Any, ndim: int) -> tuple[int, ...]:
    return tuple(range(ndim)) if axis is None else np.lib.array_utils.normalize_axis_tuple(axis, ndim, "axis")


def _sum(x: ndarray, axis: tuple[int, ...]) -> ndarray:
    return x.sum(axis=axis, keepdims=True)


def _log_sum(x: ndarray, axis: tuple[int, ...]) -> tuple[ndarray, ndarray]:
    """Logarithm of the sum of exponentials, and its sign. The m largest terms are counted: e**largest * m * (1 + s)."""
    zero, largest = x.dtype.type(0), x.max(axis=axis, keepdims=True)
    top = x == largest
    m = _sum(top, axis).astype(x.dtype)
    s = _sum(_where(top, zero, _exp(x - largest)), axis) / m
    nothing = largest == -np.inf
    sign = _where(largest != largest, largest, _where(nothing, zero, x.dtype.type(1)))
    return _where(nothing, largest, _log1p(s) + _log(m) + largest), sign


def _log_weighted_sum(x: ndarray, w: ndarray, axis: tuple[int, ...], signed: bool) -> tuple[ndarray, ndarray]:
    """The same for weighted exponentials; if it is not finite, the direct formula decides, as in SciPy."""
    zero, shown = x.dtype.type(0), _where(w == 0, x.dtype.type(-np.inf), x)
    largest = shown.max(axis=axis, keepdims=True)
    top = shown == largest
    m = _sum(_where(top, w, zero), axis)
    s = _sum(_where(top, zero, w * _exp(shown - largest)), axis)
    s = _where(s == 0, s, s / m)
    sign = _sign(s + 1) * _sign(m)
    out = _log1p(_where(s < -1, -s - 2, s)) + _log(_abs(m)) + largest
    direct = _sum(w * _exp(x), axis)
    if not signed:
        finite = _isfinite(out) & (sign >= 0)
        return _where(finite, out, _log(direct)), sign
    finite = _isfinite(out)
    return _where(finite, out, _log(_abs(direct))), _where(finite, sign, _sign(direct))


@overload
def logsumexp(
    a: _ArrayLike,
    axis: None = None,
    b: _ArrayLike | None = None,
    keepdims: Literal[False] = False,
    return_sign: Literal[False] = False,
) -> _ArrayOrScalar: ...
@overload
def logsumexp(
    a: _ArrayLike,
    axis: _Axes = None,
    b: _ArrayLike | None = None,
    keepdims: bool = False,
    return_sign: Literal[False] = False,
) -> ndarray: ...
@overload
def logsumexp(
    a: _ArrayLike,
    axis: _Axes = None,
    b: _ArrayLike | None = None,
    keepdims: bool = False,
    *,
    return_sign: Literal[True],
) -> tuple[ndarray, ndarray]: ...
def logsumexp(
    a: Any, axis: Any = None, b: Any = None, keepdims: bool = False, return_sign: bool = False
) -> ndarray | tuple[ndarray, ndarray]:
    """Compute the logarithm of the sum of exponentials without overflow.

    Parameters
    ----------
    a : array_like
        Exponents. Complex ones are computed by SciPy.
    axis : int or tuple of ints, optional
        Axis or axes to sum over; all of them by default.
    b : array_like, optional
        Factors of the exponentials, of a shape that broadcasts against that of `a`. A factor 0 excludes its element,
        infinities and NaN included.
    keepdims : bool
        Keep the summed axes with length 1.
    return_sign : bool
        Return also the sign of the sum, with the logarithm of its absolute value; without it the logarithm of a
        negative sum is NaN.

    Returns
    -------
    res : ndarray
        ``log(sum(b * exp(a)))``.
    sgn : ndarray
        Sign of the sum: 1, 0 or -1. Only with `return_sign`.

    Raises
    ------
    AxisError
        `axis` is out of bounds.
    ValueError
        The shapes of `a` and `b` do not broadcast.

    Examples
    --------
    >>> import bascule as bc
    >>> bool(bc.special.logsumexp(bc.zeros(4)) == bc.log(4.0))
    True
    """
    x, w = as_arrays(a, b) if b is not None else (as_array(a), None)
    common = np.result_type(
        x.dtype, np.float64 if x.dtype.kind in "biu" else x.dtype, *(() if w is None else (w.dtype,))
    )
    if common.kind == "c":
        call = {"axis": axis, "b": w, "keepdims": keepdims, "return_sign": return_sign}
        return _in_scipy("logsumexp", (x,), call, "complex numbers")
    x = x.astype(common, copy=False)
    if w is not None:
        x, w = broadcast_arrays(x, w.astype(common, copy=False))
    if x.ndim == 0:
        x, w = x.reshape(1), None if w is None else w.reshape(1)
    axis = _axes(axis, x.ndim)
    if x.size == 0:
        shape = tuple(1 if k in axis else n for k, n in enumerate(x.shape))
        out = full(shape, -np.inf, dtype=common, device=x.device)
        sign = _sign(out)
    elif w is None:
        out, sign = _log_sum(x, axis)
    else:
        out, sign = _log_weighted_sum(x, w, axis, return_sign)
    if not keepdims:
        out, sign = out.squeeze(axis), sign.squeeze(axis)
    return (as_value(out), as_value(sign)) if return_sign else as_value(out)


def softmax(x: _ArrayLike, axis: _Axes | None = None) -> ndarray:
    """Compute the softmax function.

    Parameters
    ----------
    x : array_like
        Exponents.
    axis : int or tuple of ints, optional
        Axis or axes along which the result sums to 1; all of them by default.

    Returns
    -------
    ndarray
        ``exp(x) / sum(exp(x))``, of the shape of `x`.

    Raises
    ------
    AxisError
        `axis` is out of bounds.
    ValueError
        There is no element along the axis.

    Examples
    --------
    >>> import bascule as bc
    >>> bc.special.softmax(bc.zeros(4)).tolist()
    [0.25, 0.25, 0.25, 0.25]
    """
    x = as_array(x)
    e = _exp(x - x.max(axis=axis, keepdims=True))
    return as_value(e / e.sum(axis=axis, keepdims=True))


def log_softmax(x: _ArrayLike, axis: _Axes | None = None) -> ndarray:
    """Compute the logarithm of the softmax function, accurate where softmax is 0 or 1.

    Parameters
    ----------
    x : array_like
        Exponents.
    axis : int or tuple of ints, optional
        Axis or axes along which the exponentials of the result sum to 1; all of them by default.

    Returns
    -------
    ndarray
        ``x - log(sum(exp(x)))``, of the shape of `x`.

    Raises
    ------
    AxisError
        `axis` is out of bounds.
    ValueError
        There is no element along the axis.

    Examples
    --------
    >>> import bascule as bc
    >>> bc.special.log_softmax(bc.asarray([1000.0, 0.0])).tolist()
    [0.0, -1000.0]
    """
    x = as_array(x)
    largest = x.max(axis=axis, keepdims=True)
    shifted = x - _where(_isfinite(largest), largest, largest.dtype.type(0))
    return as_value(shifted - _log(_exp(shifted).sum(axis=axis, keepdims=True)))


def _in_scipy(name: str, args: tuple, kwargs: dict, reason: str = "not implemented natively") -> Any:
    function = getattr(importlib.import_module("scipy.special"), name)
    return fallback.in_numpy(function, args, kwargs, "special." + name, reason, "SciPy")


def __getattr__(name: str) -> Any:
    if name.startswith("_"):
        raise AttributeError(f"module 'bascule.special' has no attribute {name!r}")
    try:
        found = getattr(importlib.import_module("scipy.special"), name)
    except (ImportError, AttributeError):
        raise AttributeError(f"module 'bascule.special' has no attribute {name!r}") from None
    return fallback.wrapper(found, "special." + name, "SciPy") if callable(found) else found


def __dir__() -> list[str]:
    return sorted(__all__)
