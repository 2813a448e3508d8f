"""Sums, products, any, all and counts of the elements, in total or along axes."""

from __future__ import annotations

import operator
import types
from typing import TYPE_CHECKING, Any, Literal, overload

import numpy as np

from ... import _core
from ..._array.conversion import as_array, ndarray
from ..._array.ufuncs import rows

if TYPE_CHECKING:
    from numpy.typing import DTypeLike

    from ..._array.types import _ArrayLike, _ArrayOrScalar, _Axes, _Number

__all__ = ["all", "any", "count_nonzero", "prod", "sum"]


_NO_VALUE = np._NoValue
_select = rows["where"]["ufunc"]


def _call(method: str, a: Any, axis: Any, **options: Any) -> Any:
    if method == "sum" and isinstance(a, types.GeneratorType):
        return np.sum(a)  # NumPy raises, or older versions call Python's sum
    a = as_array(a)
    if isinstance(axis, list):
        raise TypeError("'list' object cannot be interpreted as an integer")
    return getattr(a, method)(axis=axis, **options)


@overload
def sum(
    a: _ArrayLike,
    axis: None = None,
    dtype: DTypeLike | None = None,
    out: None = None,
    keepdims: Literal[False] = ...,
    initial: _Number | None = ...,
    where: _ArrayLike = ...,
) -> _ArrayOrScalar: ...
@overload
def sum(
    a: _ArrayLike,
    axis: _Axes | None = None,
    dtype: DTypeLike | None = None,
    out: ndarray | None = None,
    keepdims: bool = ...,
    initial: _Number | None = ...,
    where: _ArrayLike = ...,
) -> ndarray: ...
@_core.function
def sum(
    a: Any,
    axis: Any = None,
    dtype: Any = None,
    out: Any = None,
    keepdims: Any = _NO_VALUE,
    initial: Any = _NO_VALUE,
    where: Any = _NO_VALUE,
) -> ndarray:
    """Return the sum of the elements, with the bits of NumPy's pairwise sum.

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
    The order of the additions is NumPy's, and so are the bits; it does not depend on threads or the device.

    Examples
    --------
    >>> import bascule as bc
    >>> x = bc.asarray([[1, 2], [3, 4]])
    >>> int(bc.sum(x))
    10
    >>> bc.sum(x, axis=0).tolist()
    [4, 6]
    """
    return _call("sum", a, axis, dtype=dtype, out=out, keepdims=keepdims, initial=initial, where=where)


@overload
def prod(
    a: _ArrayLike,
    axis: None = None,
    dtype: DTypeLike | None = None,
    out: None = None,
    keepdims: Literal[False] = ...,
    initial: _Number | None = ...,
    where: _ArrayLike = ...,
) -> _ArrayOrScalar: ...
@overload
def prod(
    a: _ArrayLike,
    axis: _Axes | None = None,
    dtype: DTypeLike | None = None,
    out: ndarray | None = None,
    keepdims: bool = ...,
    initial: _Number | None = ...,
    where: _ArrayLike = ...,
) -> ndarray: ...
@_core.function
def prod(
    a: Any,
    axis: Any = None,
    dtype: Any = None,
    out: Any = None,
    keepdims: Any = _NO_VALUE,
    initial: Any = _NO_VALUE,
    where: Any = _NO_VALUE,
) -> ndarray:
    """Return the product of the elements.

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
    Integers wrap around.

    Examples
    --------
    >>> import bascule as bc
    >>> bc.prod([[1, 2], [3, 4]], axis=1).tolist()
    [2, 12]
    """
    return _call("prod", a, axis, dtype=dtype, out=out, keepdims=keepdims, initial=initial, where=where)


@overload
def any(
    a: _ArrayLike, axis: None = None, out: None = None, keepdims: Literal[False] = ..., *, where: _ArrayLike = ...
) -> np.bool: ...
@overload
def any(
    a: _ArrayLike,
    axis: _Axes | None = None,
    out: ndarray | None = None,
    keepdims: bool = ...,
    *,
    where: _ArrayLike = ...,
) -> ndarray: ...
@_core.function
def any(a: Any, axis: Any = None, out: Any = None, keepdims: Any = _NO_VALUE, *, where: Any = _NO_VALUE) -> ndarray:
    """Test whether any element is true.

    Parameters
    ----------
    a : array_like, any shape
    axis : int or tuple of int, optional
        Axes to reduce; all by default.
    out : ndarray, optional
        Output array; it must have the shape of the result.
    keepdims : bool, optional
        Keep the reduced axes with length one.
    where : array_like of bool, optional
        Elements to include; it must broadcast to the shape of `a`.

    Returns
    -------
    ndarray of bool, or a scalar where every axis is reduced
        Shape of `a` without the reduced axes.

    Raises
    ------
    numpy.exceptions.AxisError
        The axis is out of bounds.

    Notes
    -----
    NaN is true, as it is not zero.

    Examples
    --------
    >>> import bascule as bc
    >>> bc.any([[0, 0], [0, 3]], axis=1).tolist()
    [False, True]
    """
    return _call("any", a, axis, out=out, keepdims=keepdims, where=where)


@overload
def all(
    a: _ArrayLike, axis: None = None, out: None = None, keepdims: Literal[False] = ..., *, where: _ArrayLike = ...
) -> np.bool: ...
@overload
def all(
    a: _ArrayLike,
    axis: _Axes | None = None,
    out: ndarray | None = None,
    keepdims: bool = ...,
    *,
    where: _ArrayLike = ...,
) -> ndarray: ...
@_core.function
def all(a: Any, axis: Any = None, out: Any = None, keepdims: Any = _NO_VALUE, *, where: Any = _NO_VALUE) -> ndarray:
    """Test whether all elements are true.

    Parameters
    ----------
    a : array_like, any shape
    axis : int or tuple of int, optional
        Axes to reduce; all by default.
    out : ndarray, optional
        Output array; it must have the shape of the result.
    keepdims : bool, optional
        Keep the reduced axes with length one.
    where : array_like of bool, optional
        Elements to include; it must broadcast to the shape of `a`.

    Returns
    -------
    ndarray of bool, or a scalar where every axis is reduced
        Shape of `a` without the reduced axes.

    Raises
    ------
    numpy.exceptions.AxisError
        The axis is out of bounds.

    Notes
    -----
    NaN is true, as it is not zero.

    Examples
    --------
    >>> import bascule as bc
    >>> bc.all([[1, 0], [2, 3]], axis=1).tolist()
    [False, True]
    """
    return _call("all", a, axis, out=out, keepdims=keepdims, where=where)


def count_nonzero(a: _ArrayLike, axis: _Axes = None, *, keepdims: bool = False) -> ndarray | int:
    """Count the elements that are not zero.

    Parameters
    ----------
    a : array_like, any shape
    axis : int or tuple of int, optional
        Axes to reduce; all by default.
    keepdims : bool, optional
        Keep the reduced axes with length one.

    Returns
    -------
    ndarray of int64, or a scalar where every axis is reduced
        Shape of `a` without the reduced axes.

    Raises
    ------
    numpy.exceptions.AxisError
        The axis is out of bounds.

    Examples
    --------
    >>> import bascule as bc
    >>> int(bc.count_nonzero([0, 3, 0, 4]))
    2
    """
    if axis is None and keepdims is False and (r := _core.count_nonzero(a)) is not None:
        return r
    a = as_array(a)
    true = a.astype(np.bool_, copy=False) if a.dtype.kind in "bmM" else a != a.dtype.type(0)
    return true.sum(axis=axis, keepdims=keepdims)


def _count(a: ndarray, axis: Any, where: Any = _NO_VALUE, keepdims: bool = False) -> Any:
    if where is not _NO_VALUE and where is not True:
        return _core.broadcast_to(as_array(where, a), a.shape).sum(axis=axis, keepdims=keepdims)
    axes = range(a.ndim) if axis is None else axis if isinstance(axis, tuple) else (axis,)
    n = 1
    for k in axes:
        n *= a.shape[operator.index(k)]
    return n
