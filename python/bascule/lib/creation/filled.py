"""Arrays with one value, or uninitialized."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import numpy as np

from ... import _core
from ..._array import conversion
from ..._array.conversion import (
    as_array,
    extents,
    is_array,
    ndarray,
)

if TYPE_CHECKING:
    from numpy.typing import DTypeLike

    from ..._array.types import _ArrayLike, _Order, _ShapeLike

__all__ = ["empty", "empty_like", "full", "full_like", "ones", "ones_like", "zeros", "zeros_like"]

_MISSING = np._NoValue


def _fortran(order: Any, like: Any = None) -> bool:
    if order in ("C", "c", None):
        return False
    if order in ("F", "f"):
        return True
    if order in ("A", "K", "a", "k"):
        return like is not None and like.ndim > 1 and like.flags.f_contiguous and not like.flags.c_contiguous
    raise ValueError(f"order must be one of 'C', 'F', 'A', or 'K' (got '{order}')")


def _shape(shape: Any) -> tuple[int, ...]:
    if type(shape) is int and 0 <= shape < 2**62:
        return (shape,)
    dims = tuple(extents(shape))
    if any(n < 0 for n in dims):
        raise ValueError("negative dimensions are not allowed")
    if math.prod(dims) >= 2**63:
        raise ValueError("array is too big; `arr.size * arr.dtype.itemsize` is larger than the maximum possible size.")
    return dims


def _device(device: str | None, like: Any) -> str | None:
    return like.device if device is None and is_array(like) else device


@_core.function
def empty(
    shape: _ShapeLike,
    dtype: DTypeLike | None = None,
    order: _Order = "C",
    *,
    device: str | None = None,
    like: _ArrayLike | None = None,
) -> ndarray:
    """Return a new array with uninitialized elements.

    Parameters
    ----------
    shape : int or tuple of int
        Shape of the array.
    dtype : dtype, optional
        dtype of the elements; float64 by default.
    order : {"C", "F"}, optional
        Memory layout: row-major (C) or column-major (F).
    device : str, optional
        Device of the result; by default `config.device`.
    like : ndarray, optional
        Reference object: the new array is on the same device.

    Returns
    -------
    ndarray, shape `shape`
        Its elements are uninitialized.

    Raises
    ------
    ValueError
        A dimension is negative, or the array is too large.

    Examples
    --------
    >>> import bascule as bc
    >>> bc.empty((2, 3), dtype="i4").shape
    (2, 3)
    """
    return _core.empty(_shape(shape), np.dtype(dtype), _device(device, like), _fortran(order))


@_core.function
def full(
    shape: _ShapeLike,
    fill_value: _ArrayLike,
    dtype: DTypeLike | None = None,
    order: _Order = "C",
    *,
    device: str | None = None,
    like: _ArrayLike | None = None,
) -> ndarray:
    """Return a new array filled with one value, or with an array broadcast to the shape.

    Parameters
    ----------
    shape : int or tuple of int
        Shape of the array.
    fill_value : scalar or array_like
        The value, or an array that broadcasts to the shape.
    dtype : dtype, optional
        Type of the elements; that of the value when absent.
    order : {"C", "F"}, optional
        Memory layout: row-major (C) or column-major (F).
    device : str, optional
        Device of the result; by default `config.device`.
    like : ndarray, optional
        Reference object: the new array is on the same device.

    Returns
    -------
    ndarray, shape `shape`

    Raises
    ------
    ValueError
        A dimension is negative, or the array is too large.

    Examples
    --------
    >>> import bascule as bc
    >>> bc.full((2, 2), 7).tolist()
    [[7, 7], [7, 7]]
    >>> bc.full((2, 2), [1, 2]).tolist()
    [[1, 2], [1, 2]]
    """
    dims, far = _shape(shape), dtype is not None and conversion.overflows(fill_value, np.dtype(dtype))
    if type(fill_value) in (int, float, bool, complex):
        t = np.asarray(fill_value).dtype if dtype is None else np.dtype(dtype)
        if type(fill_value) is int and t.kind in "fc" and not -(2**63) <= fill_value < 2**63:
            fill_value = float(fill_value)
        if t.kind not in "mM" and not (t.kind in "biuf" and isinstance(fill_value, complex)):
            if not (far or (t.kind in "iu" and isinstance(fill_value, float) and not math.isfinite(fill_value))):
                return _core.full(dims, fill_value, t, _device(device, like), _fortran(order))
    value = fill_value if far or is_array(fill_value) else np.asarray(fill_value)
    t = value.dtype if dtype is None else np.dtype(dtype)
    a = _core.empty(dims, t, _device(device, like), _fortran(order))
    # the assignment reports values that are arrays or too large for the type
    a[...] = value if far or is_array(value) else as_array(value.astype(t), a)
    return a


@_core.function
def zeros(
    shape: _ShapeLike,
    dtype: DTypeLike | None = None,
    order: _Order = "C",
    *,
    device: str | None = None,
    like: _ArrayLike | None = None,
) -> ndarray:
    """Return a new array of zeros.

    Parameters
    ----------
    shape : int or tuple of int
        Shape of the array.
    dtype : dtype, optional
        dtype of the elements; float64 by default.
    order : {"C", "F"}, optional
        Memory layout: row-major (C) or column-major (F).
    device : str, optional
        Device of the result; by default `config.device`.
    like : ndarray, optional
        Reference object: the new array is on the same device.

    Returns
    -------
    ndarray, shape `shape`

    Raises
    ------
    ValueError
        A dimension is negative, or the array is too large.

    Examples
    --------
    >>> import bascule as bc
    >>> bc.zeros(3).tolist()
    [0.0, 0.0, 0.0]
    """
    return _core.full(_shape(shape), 0, np.dtype(dtype), _device(device, like), _fortran(order))


@_core.function
def ones(
    shape: _ShapeLike,
    dtype: DTypeLike | None = None,
    order: _Order = "C",
    *,
    device: str | None = None,
    like: _ArrayLike | None = None,
) -> ndarray:
    """Return a new array of ones.

    Parameters
    ----------
    shape : int or tuple of int
        Shape of the array.
    dtype : dtype, optional
        dtype of the elements; float64 by default.
    order : {"C", "F"}, optional
        Memory layout: row-major (C) or column-major (F).
    device : str, optional
        Device of the result; by default `config.device`.
    like : ndarray, optional
        Reference object: the new array is on the same device.

    Returns
    -------
    ndarray, shape `shape`

    Raises
    ------
    ValueError
        A dimension is negative, or the array is too large.

    Examples
    --------
    >>> import bascule as bc
    >>> bc.ones((2, 1), dtype=bool).tolist()
    [[True], [True]]
    """
    return _core.full(_shape(shape), 1, np.dtype(dtype), _device(device, like), _fortran(order))


def _as_prototype(a: Any, dtype: Any, order: str, shape: Any, device: str | None) -> tuple[ndarray, dict[str, Any]]:
    p = as_array(a)
    dims = p.shape if shape is None else _shape(shape)
    where = p.device if device is None else device
    return p, {"shape": dims, "dtype": p.dtype if dtype is None else np.dtype(dtype), "order": order, "device": where}


def _laid_like(p: ndarray, how: dict[str, Any]) -> ndarray | None:
    """An empty array with the memory order of the prototype's axes, if that is neither C nor Fortran order."""
    shape, keeps = how["shape"], how["order"] in ("K", "k")
    if keeps and len(shape) != p.ndim:
        how["order"] = "C"
        return None
    if not keeps or p.ndim < 2 or p.flags.c_contiguous or p.flags.f_contiguous:
        how["order"] = "F" if _fortran(how["order"], p) else "C"
        return None
    axes = sorted(range(p.ndim), key=lambda k: -abs(p.strides[k]))
    dense = empty(tuple(shape[k] for k in axes), how["dtype"], device=how["device"])
    return _core.transpose(dense, [axes.index(k) for k in range(p.ndim)])


@_core.function
def empty_like(
    prototype: _ArrayLike,
    /,
    dtype: DTypeLike | None = None,
    order: _Order = "K",
    subok: bool = True,
    shape: _ShapeLike | None = None,
    *,
    device: str | None = None,
) -> ndarray:
    """Return a new uninitialized array with the same shape, dtype and layout.

    Parameters
    ----------
    prototype : array_like
        The array whose shape, dtype, layout and device are used.
    dtype : dtype, optional
        Another type.
    order : {"K", "C", "F", "A"}, optional
        Memory layout; "K" keeps the order of the axes.
    subok : bool, optional
        No effect: ndarray has no subclasses.
    shape : int or tuple of int, optional
        Another shape.
    device : str, optional
        Device of the result; by default that of the prototype.

    Returns
    -------
    ndarray
        Its elements are uninitialized.

    Examples
    --------
    >>> import bascule as bc
    >>> bc.empty_like(bc.ones((2, 3), dtype="f4")).dtype
    dtype('float32')
    """
    p, how = _as_prototype(prototype, dtype, order, shape, device)
    laid = _laid_like(p, how)
    return empty(**how) if laid is None else laid


@_core.function
def full_like(
    a: _ArrayLike,
    fill_value: _ArrayLike,
    dtype: DTypeLike | None = None,
    order: _Order = "K",
    subok: bool = True,
    shape: _ShapeLike | None = None,
    *,
    device: str | None = None,
) -> ndarray:
    """Return a new array with the same shape, dtype and layout, filled with a value.

    Parameters
    ----------
    a : array_like
        The array whose shape, dtype, layout and device are used.
    fill_value : scalar or array_like
        The value, or an array that broadcasts to the shape.
    dtype : dtype, optional
        Another type.
    order : {"K", "C", "F", "A"}, optional
        Memory layout; "K" keeps the order of the axes.
    subok : bool, optional
        No effect: ndarray has no subclasses.
    shape : int or tuple of int, optional
        Another shape.
    device : str, optional
        Device of the result; by default that of the prototype.

    Returns
    -------
    ndarray

    Examples
    --------
    >>> import bascule as bc
    >>> bc.full_like(bc.arange(3), 2).tolist()
    [2, 2, 2]
    """
    p, how = _as_prototype(a, dtype, order, shape, device)
    laid = _laid_like(p, how)
    if laid is None:
        return full(fill_value=fill_value, **how)
    if isinstance(fill_value, (int, float, complex, np.generic)):  # an element, converted by NumPy
        one = np.empty((), laid.dtype)
        np.copyto(one, fill_value, casting="unsafe")
        fill_value = as_array(one, laid)
    laid[...] = fill_value
    return laid


@_core.function
def zeros_like(
    a: _ArrayLike,
    dtype: DTypeLike | None = None,
    order: _Order = "K",
    subok: bool = True,
    shape: _ShapeLike | None = None,
    *,
    device: str | None = None,
) -> ndarray:
    """Return a new array of zeros with the same shape, dtype and layout.

    Parameters
    ----------
    a : array_like
        The array whose shape, dtype, layout and device are used.
    dtype : dtype, optional
        Another type.
    order : {"K", "C", "F", "A"}, optional
        Memory layout; "K" keeps the order of the axes.
    subok : bool, optional
        No effect: ndarray has no subclasses.
    shape : int or tuple of int, optional
        Another shape.
    device : str, optional
        Device of the result; by default that of the prototype.

    Returns
    -------
    ndarray

    Examples
    --------
    >>> import bascule as bc
    >>> bc.zeros_like(bc.arange(3)).tolist()
    [0, 0, 0]
    """
    return full_like(a, 0, dtype, order, subok, shape, device=device)


@_core.function
def ones_like(
    a: _ArrayLike,
    dtype: DTypeLike | None = None,
    order: _Order = "K",
    subok: bool = True,
    shape: _ShapeLike | None = None,
    *,
    device: str | None = None,
) -> ndarray:
    """Return a new array of ones with the same shape, dtype and layout.

    Parameters
    ----------
    a : array_like
        The array whose shape, dtype, layout and device are used.
    dtype : dtype, optional
        Another type.
    order : {"K", "C", "F", "A"}, optional
        Memory layout; "K" keeps the order of the axes.
    subok : bool, optional
        No effect: ndarray has no subclasses.
    shape : int or tuple of int, optional
        Another shape.
    device : str, optional
        Device of the result; by default that of the prototype.

    Returns
    -------
    ndarray

    Examples
    --------
    >>> import bascule as bc
    >>> bc.ones_like(bc.arange(3), dtype=float).tolist()
    [1.0, 1.0, 1.0]
    """
    return full_like(a, 1, dtype, order, subok, shape, device=device)
