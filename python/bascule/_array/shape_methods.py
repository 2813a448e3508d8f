"""Methods of ndarray that return views of its elements in another layout, or change its shape."""

from __future__ import annotations

import builtins
import math
import operator
import weakref
from typing import TYPE_CHECKING, Any, Literal, SupportsIndex

import numpy as np

from .. import _core
from .._core import ndarray
from ..lib import manipulation, selection
from ..lib.manipulation import shapes
from . import attributes as array_attributes
from . import conversion

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import DTypeLike

    from .types import _ArrayLike, _ArrayOrScalar, _Axes, _DTypeT, _Order, _ShapeLike


def _check_order(order: Any) -> None:
    if order is not None and not isinstance(order, str):
        raise TypeError(f"order must be str, not {type(order).__name__}")


def reshape(
    self: ndarray[Any, _DTypeT],
    /,
    *shape: _ShapeLike | None,
    order: Literal["A", "C", "F"] = "C",
    copy: bool | None = None,
) -> ndarray[Any, _DTypeT]:
    """Give the same elements another shape."""
    if not shape:
        raise TypeError("reshape() takes exactly 1 argument (0 given)")
    dims = shape[0] if len(shape) == 1 else shape
    return shapes._reshaped(self, dims, order, copy)


def transpose(
    self: ndarray[Any, _DTypeT], /, *axes: SupportsIndex | Sequence[SupportsIndex] | None
) -> ndarray[Any, _DTypeT]:
    """Permute the axes, as a view."""
    if len(axes) == 1 and (axes[0] is None or not hasattr(axes[0], "__index__") or getattr(axes[0], "ndim", 0)):
        return manipulation.transpose(self, axes[0])
    return manipulation.transpose(self, axes or None)


def ravel(self: ndarray[Any, _DTypeT], /, order: _Order = "C") -> ndarray[tuple[int], _DTypeT]:
    """Flatten to one axis, as a view where possible."""
    _check_order(order)
    return shapes._raveled(self, order)


def flatten(self: ndarray[Any, _DTypeT], /, order: _Order = "C") -> ndarray[tuple[int], _DTypeT]:
    """Copy the array into one axis.

    Parameters
    ----------
    order : {"C", "F", "A", "K"}, optional
        Whether elements are counted with the last or the first axis running fastest; "A" is "F" for arrays in that layout, "K"
        the order in memory.

    Returns
    -------
    ndarray, shape (size,)

    Examples
    --------
    >>> import bascule as bc
    >>> bc.asarray([[1, 2], [3, 4]]).flatten("F").tolist()
    [1, 3, 2, 4]
    """
    r = manipulation.ravel(self, order)
    return r.copy() if _core.shares_storage(r, self) else r


def squeeze(self: ndarray[Any, _DTypeT], /, axis: _Axes = None) -> ndarray[Any, _DTypeT]:
    """Remove axes of length one, as a view.

    Parameters
    ----------
    axis : int or tuple of int, optional
        Axes to leave out; all of length one when absent.

    Returns
    -------
    ndarray
        A view: it shares the array's memory.

    Raises
    ------
    ValueError
        An axis does not have length one.
    numpy.exceptions.AxisError
        The axis is out of bounds.

    Examples
    --------
    >>> import bascule as bc
    >>> bc.ones((1, 3, 1)).squeeze().shape
    (3,)
    """
    return self.squeeze() if axis is None else manipulation.squeeze(self, axis)


def swapaxes(self: ndarray[Any, _DTypeT], /, axis1: SupportsIndex, axis2: SupportsIndex) -> ndarray[Any, _DTypeT]:
    """Exchange two axes, as a view.

    Parameters
    ----------
    axis1, axis2 : int

    Returns
    -------
    ndarray
        A view: it shares the array's memory.

    Raises
    ------
    numpy.exceptions.AxisError
        The axis is out of bounds.

    Examples
    --------
    >>> import bascule as bc
    >>> bc.ones((2, 3, 4)).swapaxes(0, -1).shape
    (4, 3, 2)
    """
    if self.ndim == 2 and type(axis1) is type(axis2) is int and {axis1 % 2, axis2 % 2} == {0, 1}:
        if -2 <= axis1 < 2 and -2 <= axis2 < 2:
            return self.T
    return manipulation.swapaxes(self, axis1, axis2)


def view(self: Any, /, dtype: DTypeLike | None = None, type: type[ndarray[Any, Any]] | None = None) -> ndarray:
    """Return a view of the array's memory, optionally with another dtype or as a NumPy array class.

    Parameters
    ----------
    dtype : dtype, optional
        Type to read the memory as; the last axis becomes longer or shorter where the sizes differ.
    type : type, optional
        Only `ndarray`.

    Returns
    -------
    ndarray
        A view: it shares the array's memory.

    Raises
    ------
    TypeError
        Another class is asked for.
    ValueError
        The sizes differ, and the last axis is not contiguous or its bytes are no multiple of the new size.

    Examples
    --------
    >>> import bascule as bc
    >>> hex(bc.asarray([1.0], "f4").view("u4").item())
    '0x3f800000'
    """
    if isinstance(dtype, builtins.type) and issubclass(dtype, (np.ndarray, ndarray)):
        if type is not None:
            raise ValueError("Cannot specify output type twice.")
        dtype, type = None, dtype
    if type is not None and type is not ndarray:
        if not (isinstance(type, builtins.type) and issubclass(type, np.ndarray)):
            raise ValueError("Type must be a sub-type of ndarray type")
        shared = np.asarray(self)
        return shared.view(type) if dtype is None else shared.view(dtype, type)
    if dtype is None:
        return _core.view(self, self.shape, self.strides)
    return array_attributes.seen_as(self, dtype)


def resize(self: Any, /, *new_shape: _ShapeLike, refcheck: bool = True) -> None:
    """Change shape and size in place; new elements are zero.

    Parameters
    ----------
    *new_shape : int or tuple of int
    refcheck : bool
        Refuse while views share the memory or weak references refer to the array.

    Raises
    ------
    ValueError
        The array is a view, not contiguous, or has views (unless refcheck=False).

    Examples
    --------
    >>> import bascule as bc
    >>> x = bc.arange(3)
    >>> x.resize(2, 2)
    >>> x.tolist()
    [[0, 1], [2, 0]]
    """
    refcheck = bool(operator.index(refcheck))
    if not new_shape or (len(new_shape) == 1 and new_shape[0] is None):
        return
    shape = new_shape[0] if len(new_shape) == 1 else new_shape
    dims = tuple(conversion.extents(shape))
    if min(dims, default=0) < 0:
        raise ValueError("negative dimensions not allowed")
    if not self.flags.forc:
        raise ValueError("resize only works on single-segment arrays")
    size = math.prod(dims)
    if size == self.size:
        return _core.become(self, manipulation.reshape(self, dims, "A"))
    if not self.flags.owndata:
        raise ValueError("cannot resize this array: it does not own its data")
    # Other references to the array just see its new shape; views would show memory that is no longer the array's.
    if refcheck and (weakref.getweakrefcount(self) > 0 or _core.holders(self) > 1):
        raise ValueError(
            "cannot resize an array that references or is referenced\nby another object in this way.\n"
            "Use the np.resize function to get a new resized copy or\n set refcheck=False to disable this check"
        )
    grown = _core.full((size,), 0, self.dtype, self.device)
    count = min(size, self.size)
    grown[:count] = manipulation.ravel(self, "A")[:count]
    _core.become(self, _core.reshape(grown, dims))


def repeat(
    self: ndarray[Any, _DTypeT], /, repeats: _ArrayLike, axis: SupportsIndex | None = None
) -> ndarray[Any, _DTypeT]:
    """Repeat each element.

    Parameters
    ----------
    repeats : int or array_like of int
        Number of repetitions, for all elements of the axis or for each of them.
    axis : int, optional
        The axis; by default the flattened array.

    Returns
    -------
    ndarray

    Raises
    ------
    ValueError
        A count is negative, or there are not as many counts as elements.

    Examples
    --------
    >>> import bascule as bc
    >>> bc.asarray([1, 2]).repeat(2).tolist()
    [1, 1, 2, 2]
    """
    return manipulation.repeat(self, repeats, axis)


def diagonal(self: Any, /, offset: int = 0, axis1: SupportsIndex = 0, axis2: SupportsIndex = 1) -> ndarray:
    """Return a diagonal as a read-only view.

    Parameters
    ----------
    offset : int, optional
        The diagonal: 0 the main one, positive above it, negative below.
    axis1, axis2 : int, optional
        The rows and the columns of the matrices.

    Returns
    -------
    ndarray
        A view, which cannot be written to, with the diagonals along its last axis.

    Raises
    ------
    ValueError
        The array has fewer than two axes, or both axes are the same.

    Examples
    --------
    >>> import bascule as bc
    >>> bc.asarray([[1, 2], [3, 4]]).diagonal().tolist()
    [1, 4]
    """
    return selection.diagonal(self, offset, axis1, axis2)


def trace(
    self: Any,
    /,
    offset: int = 0,
    axis1: SupportsIndex = 0,
    axis2: SupportsIndex = 1,
    dtype: DTypeLike | None = None,
    out: ndarray | None = None,
) -> _ArrayOrScalar:
    """Return the sum along a diagonal.

    Parameters
    ----------
    offset : int, optional
        The diagonal: 0 the main one, positive above it, negative below.
    axis1, axis2 : int, optional
        The rows and the columns of the matrices.
    dtype : dtype, optional
        Type to compute in and to return. When absent, booleans and integers of fewer than 64 bits become int64 or uint64, and
        other types are kept.
    out : ndarray, optional
        Output array; it must have the shape of the result.

    Returns
    -------
    ndarray, or a scalar

    Raises
    ------
    ValueError
        The array has fewer than two axes, or both axes are the same.

    Examples
    --------
    >>> import bascule as bc
    >>> bc.asarray([[1, 2], [3, 4]]).trace().item()
    5
    """
    return selection.trace(self, offset, axis1, axis2, dtype, out)
