"""Reductions that ignore NaN."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal, SupportsIndex, overload

import numpy as np

from ... import _core
from ..._array.conversion import as_array, as_value, ndarray
from ..._array.late_warnings import is_apart, warn_where
from ..._array.ufuncs import by_name
from .moments import _divided, _into, mean
from .sums import _NO_VALUE, _call, _select, all, any, prod, sum

if TYPE_CHECKING:
    from numpy.typing import DTypeLike

    from ..._array.types import _ArrayLike, _ArrayOrScalar, _Axes, _Number, _Real

__all__ = ["nanargmax", "nanargmin", "nanmax", "nanmean", "nanmin", "nanprod", "nansum"]


_FARTHEST = int(np.iinfo(np.int64).max)  # the largest count of dates and durations


def _filled(a: Any, value: float) -> tuple[ndarray, ndarray | None]:
    a = as_array(a)
    if a.dtype.kind not in "fc":
        return a, None
    nulls = by_name["isnan"](a)
    return as_array(_select(nulls, a.dtype.type(value), a), a), as_array(nulls, a)


def _filled_for(name: str, a: ndarray) -> tuple[ndarray, Any, Any]:
    """Replace NaN or NaT by the greatest (min) or least (max) value; returns also that value and NaN or NaT."""
    if a.dtype.kind in "fc":
        farthest = a.dtype.type(np.inf if name == "min" else -np.inf)
        return _filled(a, farthest)[0], farthest, np.nan
    times = np.array([_FARTHEST if name == "min" else -_FARTHEST, -_FARTHEST - 1]).view(a.dtype)
    return as_array(_select(by_name["isnat"](a), times[0], a), a), times[0], times[1]


def _position_without_nan(name: str, a: Any, fill: float, axis: Any, out: Any, keepdims: Any) -> ndarray:
    filled, nulls = _filled(a, fill)
    if nulls is not None and nulls.size and bool(nulls.all(axis=axis).any()):
        raise ValueError("All-NaN slice encountered")
    return _call(name, filled, axis, out=out, keepdims=keepdims)


@overload
def nanargmax(a: _ArrayLike, axis: None = None, out: None = None, *, keepdims: Literal[False] = ...) -> np.intp: ...
@overload
def nanargmax(
    a: _ArrayLike, axis: SupportsIndex | None = None, out: ndarray | None = None, *, keepdims: bool = ...
) -> ndarray: ...
def nanargmax(a: Any, axis: Any = None, out: Any = None, *, keepdims: Any = _NO_VALUE) -> ndarray:
    """Return the index of the maximum, ignoring NaN.

    Parameters
    ----------
    a : array_like, any shape
    axis : int, optional
        The axis; by default the flattened array.
    out : ndarray, optional
        Output array; it must have the shape of the result.
    keepdims : bool, optional
        Keep the reduced axes with length one.

    Returns
    -------
    ndarray of int64, or a scalar
        Shape of `a` without the axis.

    Raises
    ------
    ValueError
        A slice has only NaN.

    Notes
    -----
    Only floating and complex arrays have NaN.

    Examples
    --------
    >>> import bascule as bc
    >>> int(bc.nanargmax([1.0, bc.nan, 3.0]))
    2
    """
    return _position_without_nan("argmax", a, -np.inf, axis, out, keepdims)


@overload
def nanargmin(a: _ArrayLike, axis: None = None, out: None = None, *, keepdims: Literal[False] = ...) -> np.intp: ...
@overload
def nanargmin(
    a: _ArrayLike, axis: SupportsIndex | None = None, out: ndarray | None = None, *, keepdims: bool = ...
) -> ndarray: ...
def nanargmin(a: Any, axis: Any = None, out: Any = None, *, keepdims: Any = _NO_VALUE) -> ndarray:
    """Return the index of the minimum, ignoring NaN.

    Parameters
    ----------
    a : array_like, any shape
    axis : int, optional
        The axis; by default the flattened array.
    out : ndarray, optional
        Output array; it must have the shape of the result.
    keepdims : bool, optional
        Keep the reduced axes with length one.

    Returns
    -------
    ndarray of int64, or a scalar
        Shape of `a` without the axis.

    Raises
    ------
    ValueError
        A slice has only NaN.

    Notes
    -----
    Only floating and complex arrays have NaN.

    Examples
    --------
    >>> import bascule as bc
    >>> int(bc.nanargmin([bc.nan, 2.0, 1.0]))
    2
    """
    return _position_without_nan("argmin", a, np.inf, axis, out, keepdims)


@overload
def nansum(
    a: _ArrayLike,
    axis: None = None,
    dtype: DTypeLike | None = None,
    out: None = None,
    keepdims: Literal[False] = ...,
    initial: _Number | None = ...,
    where: _ArrayLike = ...,
) -> _ArrayOrScalar: ...
@overload
def nansum(
    a: _ArrayLike,
    axis: _Axes | None = None,
    dtype: DTypeLike | None = None,
    out: ndarray | None = None,
    keepdims: bool = ...,
    initial: _Number | None = ...,
    where: _ArrayLike = ...,
) -> ndarray: ...
def nansum(
    a: Any,
    axis: Any = None,
    dtype: Any = None,
    out: Any = None,
    keepdims: Any = _NO_VALUE,
    initial: Any = _NO_VALUE,
    where: Any = _NO_VALUE,
) -> ndarray:
    """Return the sum of the elements that are not NaN.

    Parameters
    ----------
    a : array_like, any shape
    axis : int or tuple of int, optional
        Axes to reduce; all by default.
    dtype : dtype, optional
        Type to compute in and to return. When absent, booleans and integers of fewer than 64 bits become int64 or uint64, and
        other types are kept.
    out : ndarray, optional
        Output array; it must have the shape of the result.
    keepdims : bool, optional
        Keep the reduced axes with length one.
    initial : scalar, optional
        Initial value of the reduction.
    where : array_like of bool, optional
        Elements to include; it must broadcast to the shape of `a`.

    Returns
    -------
    ndarray, or a scalar where every axis is reduced
        Shape of `a` without the reduced axes.

    Raises
    ------
    numpy.exceptions.AxisError
        The axis is out of bounds.

    Notes
    -----
    Only floating and complex arrays have NaN.

    Examples
    --------
    >>> import bascule as bc
    >>> bc.nansum([[1.0, bc.nan], [bc.nan, bc.nan]], axis=1).tolist()
    [1.0, 0.0]
    """
    return sum(_filled(a, 0)[0], axis, dtype, out, keepdims, initial, where)


@overload
def nanprod(
    a: _ArrayLike,
    axis: None = None,
    dtype: DTypeLike | None = None,
    out: None = None,
    keepdims: Literal[False] = ...,
    initial: _Number | None = ...,
    where: _ArrayLike = ...,
) -> _ArrayOrScalar: ...
@overload
def nanprod(
    a: _ArrayLike,
    axis: _Axes | None = None,
    dtype: DTypeLike | None = None,
    out: ndarray | None = None,
    keepdims: bool = ...,
    initial: _Number | None = ...,
    where: _ArrayLike = ...,
) -> ndarray: ...
def nanprod(
    a: Any,
    axis: Any = None,
    dtype: Any = None,
    out: Any = None,
    keepdims: Any = _NO_VALUE,
    initial: Any = _NO_VALUE,
    where: Any = _NO_VALUE,
) -> ndarray:
    """Return the product of the elements that are not NaN.

    Parameters
    ----------
    a : array_like, any shape
    axis : int or tuple of int, optional
        Axes to reduce; all by default.
    dtype : dtype, optional
        Type to compute in and to return. When absent, booleans and integers of fewer than 64 bits become int64 or uint64, and
        other types are kept.
    out : ndarray, optional
        Output array; it must have the shape of the result.
    keepdims : bool, optional
        Keep the reduced axes with length one.
    initial : scalar, optional
        Initial value of the reduction.
    where : array_like of bool, optional
        Elements to include; it must broadcast to the shape of `a`.

    Returns
    -------
    ndarray, or a scalar where every axis is reduced
        Shape of `a` without the reduced axes.

    Raises
    ------
    numpy.exceptions.AxisError
        The axis is out of bounds.

    Notes
    -----
    Only floating and complex arrays have NaN.

    Examples
    --------
    >>> import bascule as bc
    >>> bc.nanprod([[2.0, bc.nan], [bc.nan, bc.nan]], axis=1).tolist()
    [2.0, 1.0]
    """
    return prod(_filled(a, 1)[0], axis, dtype, out, keepdims, initial, where)


_ANY_ELSE = {"min": (ndarray.min, float("inf")), "max": (ndarray.max, -float("inf"))}


def _extreme(name: str, a: Any, axis: Any, out: Any, keepdims: Any, initial: Any, where: Any) -> ndarray:
    if type(a) is ndarray and axis is out is None and keepdims is initial is where is _NO_VALUE and a.size and a.ndim:
        if a.dtype.kind == "f" and not is_apart(a):
            reduction, farthest = _ANY_ELSE[name]
            r = reduction(_select(by_name["isnan"](a), farthest, a))
            if float(r) != farthest:  # equal if all elements are NaN
                return r
    whole = isinstance(a, np.ndarray) or (type(a) is ndarray and not _core.is_scalar(a))
    lines = "slice" if whole else "axis"  # the words of NumPy's warnings
    a = as_array(a)
    if a.dtype.kind not in "fcmM" or a.size == 0:
        return _call(name, a, axis, out=out, keepdims=keepdims, initial=initial, where=where)
    filled, farthest, null = _filled_for(name, a)
    fits = a.dtype.kind == "c" or not np.iscomplexobj(initial)
    from_null = initial is not _NO_VALUE and fits and bool(initial != initial)  # left out like the others
    initial, null = (farthest, initial) if from_null else (initial, null)
    r = _call(name, filled, axis, out=out, keepdims=keepdims, initial=initial, where=where)
    starts = initial is not _NO_VALUE and not from_null
    if starts or not (is_apart(a) or bool(any(r == farthest))):  # equal if all elements are NaN
        return r
    nulls = by_name["isnat" if a.dtype.kind in "mM" else "isnan"](a)
    if from_null and where is not _NO_VALUE:
        nulls = by_name["logical_or"](nulls, by_name["logical_not"](as_array(where, a)))
    empty = all(nulls, axis, keepdims=keepdims)
    if warn_where(empty, f"All-NaN {lines} encountered"):
        made = _select(empty, null, r)
        return _into(out, made) if out is not None else as_value(made.astype(a.dtype, copy=False))
    return r


@overload
def nanmin(
    a: _ArrayLike,
    axis: None = None,
    out: None = None,
    keepdims: Literal[False] = ...,
    initial: _Number | None = ...,
    where: _ArrayLike = ...,
) -> _ArrayOrScalar: ...
@overload
def nanmin(
    a: _ArrayLike,
    axis: _Axes | None = None,
    out: ndarray | None = None,
    keepdims: bool = ...,
    initial: _Number | None = ...,
    where: _ArrayLike = ...,
) -> ndarray: ...
def nanmin(
    a: Any,
    axis: Any = None,
    out: Any = None,
    keepdims: Any = _NO_VALUE,
    initial: Any = _NO_VALUE,
    where: Any = _NO_VALUE,
) -> ndarray:
    """Return the minimum of the elements, ignoring NaN.

    Parameters
    ----------
    a : array_like, any shape
    axis : int or tuple of int, optional
        Axes to reduce; all by default.
    out : ndarray, optional
        Output array; it must have the shape of the result.
    keepdims : bool, optional
        Keep the reduced axes with length one.
    initial : scalar, optional
        Initial value of the reduction.
    where : array_like of bool, optional
        Elements to include; it must broadcast to the shape of `a`.

    Returns
    -------
    ndarray, or a scalar where every axis is reduced
        Shape of `a` without the reduced axes.

    Raises
    ------
    ValueError
        The array is empty and there is no `initial`.
    numpy.exceptions.AxisError
        The axis is out of bounds.

    Notes
    -----
    A slice of NaN only gives NaN, with a RuntimeWarning.

    Examples
    --------
    >>> import bascule as bc
    >>> float(bc.nanmin([3.0, bc.nan, 2.0]))
    2.0
    """
    return _extreme("min", a, axis, out, keepdims, initial, where)


@overload
def nanmax(
    a: _ArrayLike,
    axis: None = None,
    out: None = None,
    keepdims: Literal[False] = ...,
    initial: _Number | None = ...,
    where: _ArrayLike = ...,
) -> _ArrayOrScalar: ...
@overload
def nanmax(
    a: _ArrayLike,
    axis: _Axes | None = None,
    out: ndarray | None = None,
    keepdims: bool = ...,
    initial: _Number | None = ...,
    where: _ArrayLike = ...,
) -> ndarray: ...
def nanmax(
    a: Any,
    axis: Any = None,
    out: Any = None,
    keepdims: Any = _NO_VALUE,
    initial: Any = _NO_VALUE,
    where: Any = _NO_VALUE,
) -> ndarray:
    """Return the maximum of the elements, ignoring NaN.

    Parameters
    ----------
    a : array_like, any shape
    axis : int or tuple of int, optional
        Axes to reduce; all by default.
    out : ndarray, optional
        Output array; it must have the shape of the result.
    keepdims : bool, optional
        Keep the reduced axes with length one.
    initial : scalar, optional
        Initial value of the reduction.
    where : array_like of bool, optional
        Elements to include; it must broadcast to the shape of `a`.

    Returns
    -------
    ndarray, or a scalar where every axis is reduced
        Shape of `a` without the reduced axes.

    Raises
    ------
    ValueError
        The array is empty and there is no `initial`.
    numpy.exceptions.AxisError
        The axis is out of bounds.

    Notes
    -----
    A slice of NaN only gives NaN, with a RuntimeWarning.

    Examples
    --------
    >>> import bascule as bc
    >>> float(bc.nanmax([3.0, bc.nan, 2.0]))
    3.0
    """
    return _extreme("max", a, axis, out, keepdims, initial, where)


@overload
def nanmean(
    a: _ArrayLike,
    axis: None = None,
    dtype: DTypeLike | None = None,
    out: None = None,
    keepdims: Literal[False] = ...,
    *,
    where: _ArrayLike = ...,
) -> _Real: ...
@overload
def nanmean(
    a: _ArrayLike,
    axis: _Axes | None = None,
    dtype: DTypeLike | None = None,
    out: ndarray | None = None,
    keepdims: bool = ...,
    *,
    where: _ArrayLike = ...,
) -> ndarray: ...
def nanmean(
    a: Any, axis: Any = None, dtype: Any = None, out: Any = None, keepdims: Any = _NO_VALUE, *, where: Any = _NO_VALUE
) -> ndarray:
    """Compute the mean of the elements that are not NaN.

    Parameters
    ----------
    a : array_like, any shape
    axis : int or tuple of int, optional
        Axes to reduce; all by default.
    dtype : dtype, optional
        dtype to compute in; by default float64 for integers and booleans, otherwise that of `a`.
    out : ndarray, optional
        Output array; it must have the shape of the result.
    keepdims : bool, optional
        Keep the reduced axes with length one.
    where : array_like of bool, optional
        Elements to include; it must broadcast to the shape of `a`.

    Returns
    -------
    ndarray, or a scalar where every axis is reduced
        Shape of `a` without the reduced axes.

    Raises
    ------
    numpy.exceptions.AxisError
        The axis is out of bounds.

    Notes
    -----
    A slice of NaN only gives NaN, with a RuntimeWarning.

    Examples
    --------
    >>> import bascule as bc
    >>> float(bc.nanmean([1.0, bc.nan, 2.0]))
    1.5
    """
    a = as_array(a)
    filled, nulls = _filled(a, 0)
    if nulls is None:
        return mean(a, axis, dtype, out, keepdims, where=where)
    _require_inexact(dtype, out)
    count = sum(as_array(~nulls, a), axis, np.intp, keepdims=keepdims, where=where)
    total = sum(filled, axis, dtype, out, keepdims, where=where)
    warn_where(count == 0, "Mean of empty slice")
    with np.errstate(invalid="ignore", divide="ignore"):  # already reported
        return _divided(total, count, out)


def _require_inexact(dtype: Any, out: Any) -> None:
    """Refuse integer types for moments, which may be NaN."""
    if dtype is not None and np.dtype(dtype).kind not in "fc":
        raise TypeError("If a is inexact, then dtype must be inexact")
    if out is not None and out.dtype.kind not in "fc":
        raise TypeError("If a is inexact, then out must be inexact")
