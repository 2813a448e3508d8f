"""Comparisons of arrays, and tests of their elements."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from .. import _core
from .._array.caller_warnings import warn
from .._array.conversion import as_array, as_arrays, as_host, as_value, ndarray
from .._array.ufuncs import by_name
from .arithmetic import _select, imag
from .creation import asarray

if TYPE_CHECKING:
    from .._array.types import _ArrayLike

__all__ = [
    "allclose",
    "array_equal",
    "array_equiv",
    "isclose",
    "iscomplex",
    "iscomplexobj",
    "isneginf",
    "isposinf",
    "isreal",
    "isrealobj",
    "nan_to_num",
    "real_if_close",
]


def _ordered(x: Any) -> Any:
    """x, which must not be complex."""
    kind = getattr(x, "dtype", None) or np.asarray(x).dtype
    if kind.kind == "c":
        raise TypeError(f"This operation is not supported for {kind} values because it would be ambiguous.")
    return x


def isposinf(x: _ArrayLike, out: ndarray | None = None) -> ndarray:
    """Test element-wise for positive infinity.

    Parameters
    ----------
    x : array_like, any shape
    out : ndarray, optional
        Output array; it must have the shape of the result.

    Returns
    -------
    ndarray of bool, shape x.shape, or a scalar

    Examples
    --------
    >>> import bascule as bc
    >>> bc.isposinf([1.0, bc.inf, -bc.inf]).tolist()
    [False, True, False]
    """
    return by_name["equal"](_ordered(x), np.inf, out=out)


def isneginf(x: _ArrayLike, out: ndarray | None = None) -> ndarray:
    """Test element-wise for negative infinity.

    Parameters
    ----------
    x : array_like, any shape
    out : ndarray, optional
        Output array; it must have the shape of the result.

    Returns
    -------
    ndarray of bool, shape x.shape, or a scalar

    Examples
    --------
    >>> import bascule as bc
    >>> bc.isneginf([1.0, bc.inf, -bc.inf]).tolist()
    [False, False, True]
    """
    return by_name["equal"](_ordered(x), -np.inf, out=out)


def isreal(x: _ArrayLike) -> ndarray:
    """Test element-wise for a zero imaginary part.

    Parameters
    ----------
    x : array_like, any shape

    Returns
    -------
    ndarray of bool, shape x.shape, or a scalar

    Examples
    --------
    >>> import bascule as bc
    >>> bc.isreal([1 + 2j, 3]).tolist()
    [False, True]
    """
    return imag(x) == 0


def iscomplex(x: _ArrayLike) -> ndarray:
    """Test element-wise for a non-zero imaginary part.

    Parameters
    ----------
    x : array_like, any shape

    Returns
    -------
    ndarray of bool, shape x.shape, or a scalar

    Examples
    --------
    >>> import bascule as bc
    >>> bc.iscomplex([1 + 2j, 3]).tolist()
    [True, False]
    """
    a = as_array(x)
    # Dates and durations have no imaginary part, though imag() returns one.
    return imag(a) != 0 if a.dtype.kind == "c" else as_value(_core.full(a.shape, False, np.dtype(bool), a.device))


def isrealobj(x: _ArrayLike) -> bool:
    """Test whether the dtype is not complex.

    Parameters
    ----------
    x : array_like, any shape

    Returns
    -------
    bool
        Decided by the type alone.

    Examples
    --------
    >>> import bascule as bc
    >>> bc.isrealobj(bc.zeros(3)), bc.isrealobj(bc.zeros(3, complex))
    (True, False)
    """
    return not iscomplexobj(x)


def iscomplexobj(x: _ArrayLike) -> bool:
    """Test whether the dtype is complex.

    Parameters
    ----------
    x : array_like, any shape

    Returns
    -------
    bool
        Decided by the type alone.

    Examples
    --------
    >>> import bascule as bc
    >>> bc.iscomplexobj(bc.zeros(3)), bc.iscomplexobj(bc.zeros(3, complex))
    (False, True)
    """
    try:
        kind = x.dtype.type  # also for dtypes of pandas
    except AttributeError:
        kind = as_host(x).dtype.type
    return issubclass(kind, np.complexfloating)


def real_if_close(a: _ArrayLike, tol: float = 100) -> ndarray:
    """Return the real parts if all imaginary parts are within a tolerance of zero, otherwise the array itself.

    Parameters
    ----------
    a : array_like, any shape
    tol : float, optional
        Tolerance; if it is larger than one, in units of the machine precision of the type (``finfo(a.dtype).eps``).

    Returns
    -------
    ndarray, shape a.shape

    Examples
    --------
    >>> import bascule as bc
    >>> bc.real_if_close([1 + 1e-15j, 2]).tolist()
    [1.0, 2.0]
    """
    a = as_array(a)
    if a.dtype.kind != "c":
        return a
    limit = np.finfo(a.dtype).eps * tol if tol > 1 else tol
    return a.real if bool((by_name["absolute"](a.imag) < limit).all()) else a


def nan_to_num(
    x: _ArrayLike,
    copy: bool = True,
    nan: _ArrayLike = 0.0,
    posinf: _ArrayLike | None = None,
    neginf: _ArrayLike | None = None,
) -> ndarray:
    """Replace NaN and infinities by numbers.

    Parameters
    ----------
    x : array_like, any shape
    copy : bool, optional
        Return a new array instead of changing this one.
    nan : scalar, optional
        Replacement for NaN.
    posinf, neginf : scalar, optional
        Replacements for the infinities; by default the largest and the smallest number of the type.

    Returns
    -------
    ndarray, shape x.shape
        For complex numbers both parts are replaced.

    Examples
    --------
    >>> import bascule as bc
    >>> bc.nan_to_num([1.0, bc.nan, bc.inf], posinf=9.0).tolist()
    [1.0, 0.0, 9.0]
    """
    a = as_array(x) if copy else asarray(x, copy=False)
    if a.dtype.kind == "c":
        r = a.copy() if copy else a
        nan_to_num(r.real, False, nan, posinf, neginf)
        nan_to_num(r.imag, False, nan, posinf, neginf)
        return as_value(r)
    if a.dtype.kind != "f":
        return as_value(a.copy() if copy else a)
    limits = np.finfo(a.dtype)
    top, bottom = limits.max if posinf is None else posinf, limits.min if neginf is None else neginf
    r = _select(by_name["isnan"](a), a.dtype.type(nan), a)
    r = _select(isposinf(a), a.dtype.type(top), _select(isneginf(a), a.dtype.type(bottom), r))
    if copy:
        return r
    a[...] = r
    return as_value(a)


def isclose(
    a: _ArrayLike, b: _ArrayLike, rtol: _ArrayLike = 1e-05, atol: _ArrayLike = 1e-08, equal_nan: bool = False
) -> ndarray:
    """Test element-wise for equality within tolerances.

    Parameters
    ----------
    a, b : array_like
        Shapes that broadcast against one another.
    rtol : array_like, optional
        Relative tolerance, with respect to the magnitude of `b`.
    atol : array_like, optional
        Absolute tolerance.
    equal_nan : bool, optional
        Whether NaN equals NaN.

    Returns
    -------
    ndarray of bool, or a scalar
        Whether ``abs(a - b) <= atol + rtol * abs(b)``; infinities must be equal.

    Notes
    -----
    A tolerance that is not finite is reported as `errstate` sets it for invalid values, by default as a warning.

    Examples
    --------
    >>> import bascule as bc
    >>> bc.isclose([1.0, 2.0], [1.0 + 1e-9, 2.1]).tolist()
    [True, False]
    """
    # Python's numbers are not converted, since they take the type of the arrays.
    x, y, atol, rtol = (v if isinstance(v, (int, float, complex)) else as_array(v) for v in (a, b, atol, rtol))
    if type(y) is ndarray and y.dtype.kind != "m":
        y = y.astype(np.result_type(y.dtype, np.float16 if y.dtype.kind in "fc" else np.float64), copy=False)
    elif isinstance(y, int):
        y = float(y)
    isfinite = by_name["isfinite"]
    if not all((isfinite if type(t) is ndarray else np.isfinite)(t).all() for t in (atol, rtol)):
        _report_tolerances(f"One of rtol or atol is not valid, atol: {atol}, rtol: {rtol}")
    with np.errstate(invalid="ignore"):
        near = by_name["less_equal"](abs(x - y), atol + rtol * abs(y))
        r = (near & isfinite(y)) | (x == y)
        return r | (by_name["isnan"](x) & by_name["isnan"](y)) if equal_nan else r


def _report_tolerances(text: str) -> None:
    how = np.geterr()["invalid"]
    if how == "warn":
        warn(text)
    elif how == "raise":
        raise FloatingPointError(text)
    elif how == "print":
        print(text)


def allclose(
    a: _ArrayLike, b: _ArrayLike, rtol: _ArrayLike = 1e-05, atol: _ArrayLike = 1e-08, equal_nan: bool = False
) -> bool:
    """Test whether all elements are equal within tolerances.

    Parameters
    ----------
    a, b : array_like
        Shapes that broadcast against one another.
    rtol : array_like, optional
        Relative tolerance, with respect to the magnitude of `b`.
    atol : array_like, optional
        Absolute tolerance.
    equal_nan : bool, optional
        Whether NaN equals NaN.

    Returns
    -------
    bool

    Examples
    --------
    >>> import bascule as bc
    >>> bc.allclose([1.0, 2.0], [1.0, 2.0 + 1e-9])
    True
    """
    return bool(isclose(a, b, rtol, atol, equal_nan).all())


def array_equal(a1: _ArrayLike, a2: _ArrayLike, equal_nan: bool = False) -> bool:
    """Test whether two arrays have the same shape and equal elements.

    Parameters
    ----------
    a1, a2 : array_like
    equal_nan : bool, optional
        Whether NaN equals NaN.

    Returns
    -------
    bool

    Examples
    --------
    >>> import bascule as bc
    >>> bc.array_equal([1, 2], [1, 2]), bc.array_equal([1, 2], [[1, 2]])
    (True, False)
    """
    try:
        x, y = as_arrays(a1, a2)
    except ValueError:
        return False
    if x.shape != y.shape:
        return False
    same = x == y
    if equal_nan and x.dtype.kind in "fcmM" and y.dtype.kind in "fcmM":
        same = same | ((x != x) & (y != y))
    return bool(same.all())


def array_equiv(a1: _ArrayLike, a2: _ArrayLike) -> bool:
    """Test whether two arrays are equal after broadcasting.

    Parameters
    ----------
    a1, a2 : array_like

    Returns
    -------
    bool
        False for shapes that do not broadcast.

    Examples
    --------
    >>> import bascule as bc
    >>> bc.array_equiv([1, 2], [[1, 2], [1, 2]])
    True
    """
    try:
        x, y = as_arrays(a1, a2)
    except ValueError:
        return False
    try:
        np.broadcast_shapes(x.shape, y.shape)
    except ValueError:
        return False
    return bool((x == y).all())
