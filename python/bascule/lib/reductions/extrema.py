"""The largest and the smallest elements, and their indices."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal, SupportsIndex, overload

from ... import _core
from ..._array.conversion import as_array, ndarray
from ..._array.ufuncs import by_name
from .sums import _NO_VALUE, _call

if TYPE_CHECKING:
    import numpy as np

    from ..._array.types import _ArrayLike, _ArrayOrScalar, _Axes, _Number

__all__ = ["amax", "amin", "argmax", "argmin", "max", "min", "ptp"]


@overload
def max(
    a: _ArrayLike,
    axis: None = None,
    out: None = None,
    keepdims: Literal[False] = ...,
    initial: _Number | None = ...,
    where: _ArrayLike = ...,
) -> _ArrayOrScalar: ...
@overload
def max(
    a: _ArrayLike,
    axis: _Axes | None = None,
    out: ndarray | None = None,
    keepdims: bool = ...,
    initial: _Number | None = ...,
    where: _ArrayLike = ...,
) -> ndarray: ...
@_core.function
def max(
    a: Any,
    axis: Any = None,
    out: Any = None,
    keepdims: Any = _NO_VALUE,
    initial: Any = _NO_VALUE,
    where: Any = _NO_VALUE,
) -> ndarray:
    """Return the maximum of the elements; NaN if any element is NaN.

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

    Examples
    --------
    >>> import bascule as bc
    >>> bc.max([[1, 5], [7, 2]], axis=0).tolist()
    [7, 5]
    """
    return _call("max", a, axis, out=out, keepdims=keepdims, initial=initial, where=where)


@overload
def min(
    a: _ArrayLike,
    axis: None = None,
    out: None = None,
    keepdims: Literal[False] = ...,
    initial: _Number | None = ...,
    where: _ArrayLike = ...,
) -> _ArrayOrScalar: ...
@overload
def min(
    a: _ArrayLike,
    axis: _Axes | None = None,
    out: ndarray | None = None,
    keepdims: bool = ...,
    initial: _Number | None = ...,
    where: _ArrayLike = ...,
) -> ndarray: ...
@_core.function
def min(
    a: Any,
    axis: Any = None,
    out: Any = None,
    keepdims: Any = _NO_VALUE,
    initial: Any = _NO_VALUE,
    where: Any = _NO_VALUE,
) -> ndarray:
    """Return the minimum of the elements; NaN if any element is NaN.

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

    Examples
    --------
    >>> import bascule as bc
    >>> bc.min([[1, 5], [7, 2]], axis=0).tolist()
    [1, 2]
    """
    return _call("min", a, axis, out=out, keepdims=keepdims, initial=initial, where=where)


amax, amin = max, min


@overload
def argmax(a: _ArrayLike, axis: None = None, out: None = None, *, keepdims: Literal[False] = ...) -> np.intp: ...
@overload
def argmax(
    a: _ArrayLike, axis: SupportsIndex | None = None, out: ndarray | None = None, *, keepdims: bool = ...
) -> ndarray: ...
@_core.function
def argmax(a: Any, axis: Any = None, out: Any = None, *, keepdims: Any = _NO_VALUE) -> ndarray:
    """Return the index of the maximum, the first if there are several.

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
        The array is empty.
    numpy.exceptions.AxisError
        The axis is out of bounds.

    Notes
    -----
    The first NaN counts as the largest element.

    Examples
    --------
    >>> import bascule as bc
    >>> bc.argmax([[1, 5], [7, 2]], axis=1).tolist()
    [1, 0]
    """
    return _call("argmax", a, axis, out=out, keepdims=keepdims)


@overload
def argmin(a: _ArrayLike, axis: None = None, out: None = None, *, keepdims: Literal[False] = ...) -> np.intp: ...
@overload
def argmin(
    a: _ArrayLike, axis: SupportsIndex | None = None, out: ndarray | None = None, *, keepdims: bool = ...
) -> ndarray: ...
@_core.function
def argmin(a: Any, axis: Any = None, out: Any = None, *, keepdims: Any = _NO_VALUE) -> ndarray:
    """Return the index of the minimum, the first if there are several.

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
        The array is empty.
    numpy.exceptions.AxisError
        The axis is out of bounds.

    Notes
    -----
    The first NaN counts as the smallest element.

    Examples
    --------
    >>> import bascule as bc
    >>> int(bc.argmin([[3, 5], [1, 2]]))
    2
    """
    return _call("argmin", a, axis, out=out, keepdims=keepdims)


@overload
def ptp(a: _ArrayLike, axis: None = None, out: None = None, keepdims: Literal[False] = ...) -> _ArrayOrScalar: ...
@overload
def ptp(a: _ArrayLike, axis: _Axes | None = None, out: ndarray | None = None, keepdims: bool = ...) -> ndarray: ...
def ptp(a: Any, axis: Any = None, out: Any = None, keepdims: Any = _NO_VALUE) -> ndarray:
    """Return the range of the values: maximum minus minimum.

    Parameters
    ----------
    a : array_like, any shape
    axis : int or tuple of int, optional
        Axes to reduce; all by default.
    out : ndarray, optional
        Output array; it must have the shape of the result.
    keepdims : bool, optional
        Keep the reduced axes with length one.

    Returns
    -------
    ndarray, or a scalar where every axis is reduced
        Shape of `a` without the reduced axes.

    Raises
    ------
    ValueError
        The array is empty.
    numpy.exceptions.AxisError
        The axis is out of bounds.

    Notes
    -----
    Integers keep their type, and wrap around if the difference overflows it.

    Examples
    --------
    >>> import bascule as bc
    >>> bc.ptp([[1, 5], [7, 2]], axis=1).tolist()
    [4, 5]
    """
    a = as_array(a)
    return by_name["subtract"](max(a, axis, out, keepdims), min(a, axis, keepdims=keepdims), out=out)
