"""Views with another shape, another order of axes, or broadcast axes."""

from __future__ import annotations

import itertools
import math
from typing import TYPE_CHECKING, Any, SupportsIndex

import numpy as np

from ... import _core
from ..._array.conversion import as_array, as_arrays, as_given, extents, ndarray

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ..._array.types import _ArrayLike, _Axes, _Order, _ShapeLike

__all__ = [
    "broadcast_arrays",
    "broadcast_shapes",
    "broadcast_to",
    "expand_dims",
    "matrix_transpose",
    "moveaxis",
    "permute_dims",
    "ravel",
    "reshape",
    "rollaxis",
    "squeeze",
    "swapaxes",
    "transpose",
]


normalize_axis = np.lib.array_utils.normalize_axis_index
_WEAK = (int, float, complex)  # Python's numbers, which take the type of arrays in the same call
normalize_axes = np.lib.array_utils.normalize_axis_tuple


def _is_fortran(a: ndarray, order: str | None) -> bool:
    if order is None:
        return False
    if order in ("A", "a"):
        return a.ndim > 1 and a.flags.f_contiguous and not a.flags.c_contiguous
    if order not in ("C", "F", "c", "f"):
        raise ValueError(f"order must be one of 'C', 'F', 'A', or 'K' (got {order!r})")
    return order in ("F", "f")


def _resolved(shape: Any, size: int) -> tuple[int, ...]:
    dims = extents(shape)
    if any(abs(n) > 2**63 - 1 for n in dims):
        raise ValueError("Maximum allowed dimension exceeded")
    named = list(itertools.dropwhile(lambda n: n < 0, dims))  # NumPy's message leaves out leading unknowns
    text = "(" + ",".join("newaxis" if n < 0 else str(n) for n in named) + (",)" if len(dims) == 1 and named else ")")
    if dims.count(-1) > 1 or any(n < -1 for n in dims):
        if sum(n < 0 for n in dims) > 1:
            raise ValueError("can only specify one unknown dimension")
        dims = [-1 if n < 0 else n for n in dims]
    known = math.prod(n for n in dims if n >= 0)
    if -1 in dims:
        if known == 0 or size % known:
            raise ValueError(f"cannot reshape array of size {size} into shape {text}")
        dims[dims.index(-1)] = size // known
    elif known != size:
        raise ValueError(f"cannot reshape array of size {size} into shape {text}")
    return tuple(dims)


@_core.method_first
def reshape(a: _ArrayLike, /, shape: _ShapeLike, order: _Order = "C", *, copy: bool | None = None) -> ndarray:
    """Give the array another shape, as a view where the layout allows it.

    Parameters
    ----------
    a : array_like, any shape
    shape : int or tuple of int
        New shape; one length may be -1, and follows from the others.
    order : {"C", "F", "A"}, optional
        Whether elements are counted with the last or the first axis running fastest; "A" is "F" for arrays in Fortran
        order.
    copy : bool, optional
        True always copies; False raises if a view is not possible.

    Returns
    -------
    ndarray, shape `shape`

    Raises
    ------
    ValueError
        The shape has another number of elements, more than one -1, or needs a copy that is not allowed.

    Examples
    --------
    >>> import bascule as bc
    >>> bc.reshape(bc.arange(6), (2, -1)).tolist()
    [[0, 1, 2], [3, 4, 5]]
    """
    if order == "C" and copy is None and type(a) is ndarray and type(shape) in (int, tuple):
        return a.reshape(shape)
    return _reshaped(a, shape, order, copy)


def _reshaped(x: Any, shape: Any, order: str, copy: bool | None) -> Any:
    """The result of `reshape` for any arguments."""
    a = as_array(x)
    shape = a.shape if shape is None else shape
    dims, fortran = _resolved(shape, a.size), _is_fortran(a, order)
    if copy is False:
        r = _core.reshape_view(a, dims, fortran)
        if r is None:
            raise ValueError("Unable to avoid creating a copy while reshaping.")
    else:
        r = _core.reshape(a.copy("F" if fortran else "C") if copy is True else a, dims, fortran)
    return as_given(r, x)


def _by_stride(strides: tuple[int, ...]) -> list[int]:
    """Axes from the outermost to the innermost in memory, as NumPy's iterator sorts them: axes with stride 0 do not
    determine an order, and others move past them."""
    axes = list(range(len(strides)))
    for i in range(len(axes) - 2, -1, -1):
        axis, place = axes[i], i
        for j in range(i + 1, len(axes)):
            own, other = abs(strides[axis]), abs(strides[axes[j]])
            if own > other > 0:
                break
            if 0 < own < other:
                place = j
        axes[i:place] = axes[i + 1 : place + 1]
        axes[place] = axis
    return axes


def ravel(a: _ArrayLike, order: _Order = "C") -> ndarray:
    """Flatten to one axis, as a view where the layout allows it.

    Parameters
    ----------
    a : array_like, any shape
    order : {"C", "F", "A", "K"}, optional
        As for `reshape`; "K" takes the elements in memory order.

    Returns
    -------
    ndarray, shape (a.size,)
        Its elements are contiguous.

    Examples
    --------
    >>> import bascule as bc
    >>> bc.ravel([[1, 2], [3, 4]], order="F").tolist()
    [1, 3, 2, 4]
    """
    return a.ravel() if order == "C" and type(a) is ndarray else _raveled(a, order)


def _raveled(a: Any, order: str) -> ndarray:
    """The result of `ravel` for any arguments."""
    a = as_array(a)
    if order in ("K", "k"):
        if a.flags.c_contiguous:
            order = "C"
        else:
            axes = _by_stride(a.strides)
            flat = _core.reshape(_core.transpose(a, axes), (a.size,))
            return flat if flat.flags.c_contiguous else flat.copy()
    fortran = _is_fortran(a, order)
    flat = _core.reshape(a, (a.size,), fortran)
    # Like NumPy's, the result is contiguous.
    return flat if flat.flags.c_contiguous else flat.copy()


@_core.method_first
def transpose(a: _ArrayLike, axes: SupportsIndex | Sequence[SupportsIndex] | None = None) -> ndarray:
    """Permute the axes, as a view; by default they are reversed.

    Parameters
    ----------
    a : array_like, any shape
    axes : sequence of int, optional
        For each axis of the result, the axis of the array.

    Returns
    -------
    ndarray, shape ``tuple(a.shape[k] for k in axes)``
        A view: it shares the array's memory.

    Raises
    ------
    ValueError
        An axis is missing or occurs twice.

    Examples
    --------
    >>> import bascule as bc
    >>> bc.transpose(bc.ones((2, 3, 4)), (1, 0, 2)).shape
    (3, 2, 4)
    """
    given, a = a, as_array(a)
    if axes is None:
        return as_given(a.T, given)
    axes = tuple(axes)
    if len(axes) != a.ndim:
        raise ValueError("axes don't match array")
    axes = [normalize_axis(k, a.ndim) for k in axes]
    if len(set(axes)) != a.ndim:
        raise ValueError("repeated axis in transpose")
    return as_given(_core.transpose(a, axes), given)


permute_dims = transpose


def matrix_transpose(x: _ArrayLike, /) -> ndarray:
    """Exchange the last two axes, as a view.

    Parameters
    ----------
    x : array_like, shape (..., m, n)

    Returns
    -------
    ndarray, shape (..., n, m)
        A view: it shares the array's memory.

    Raises
    ------
    ValueError
        The array has fewer than two axes.

    Examples
    --------
    >>> import bascule as bc
    >>> bc.matrix_transpose(bc.ones((5, 2, 3))).shape
    (5, 3, 2)
    """
    x = as_array(x)
    if x.ndim < 2:
        raise ValueError(f"Input array must be at least 2-dimensional, but it is {x.ndim}")
    return swapaxes(x, -1, -2)


@_core.method_first
def swapaxes(a: _ArrayLike, axis1: SupportsIndex, axis2: SupportsIndex) -> ndarray:
    """Exchange two axes, as a view.

    Parameters
    ----------
    a : array_like, any shape
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
    >>> bc.swapaxes(bc.ones((2, 3, 4)), 0, 2).shape
    (4, 3, 2)
    """
    a = as_array(a)
    axes = list(range(a.ndim))
    i, j = normalize_axis(axis1, a.ndim, "axis1"), normalize_axis(axis2, a.ndim, "axis2")
    axes[i], axes[j] = axes[j], axes[i]
    return _core.transpose(a, axes)


def moveaxis(a: _ArrayLike, source: _ShapeLike, destination: _ShapeLike) -> ndarray:
    """Move axes to other positions, as a view; the other axes keep their order.

    Parameters
    ----------
    a : array_like, any shape
    source : int or sequence of int
        Axes to move.
    destination : int or sequence of int
        Positions of these axes in the result.

    Returns
    -------
    ndarray
        A view: it shares the array's memory.

    Raises
    ------
    ValueError
        The two differ in length, or an axis occurs twice.
    numpy.exceptions.AxisError
        The axis is out of bounds.

    Examples
    --------
    >>> import bascule as bc
    >>> bc.moveaxis(bc.ones((2, 3, 4)), 0, -1).shape
    (3, 4, 2)
    """
    a = as_array(a)
    if type(source) is int and type(destination) is int:
        order = list(range(a.ndim))
        of, to = normalize_axis(source, a.ndim, "source"), normalize_axis(destination, a.ndim, "destination")
        order.insert(to, order.pop(of))
        return _core.transpose(a, order)
    source = normalize_axes(source, a.ndim, "source")
    destination = normalize_axes(destination, a.ndim, "destination")
    if len(source) != len(destination):
        raise ValueError("`source` and `destination` arguments must have the same number of elements")
    order = [k for k in range(a.ndim) if k not in source]
    for to, of in sorted(zip(destination, source)):
        order.insert(to, of)
    return _core.transpose(a, order)


def rollaxis(a: _ArrayLike, axis: SupportsIndex, start: _ArrayLike = 0) -> ndarray:
    """Move one axis before another, as a view.

    Parameters
    ----------
    a : array_like, any shape
    axis : int
        The axis to move.
    start : int, optional
        The axis before which it is moved; ``a.ndim`` puts it last.

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
    >>> bc.rollaxis(bc.ones((2, 3, 4)), 2).shape
    (4, 2, 3)
    """
    a = as_array(a)
    axis = normalize_axis(axis, a.ndim)
    start = start + a.ndim if start < 0 else start
    if not 0 <= start <= a.ndim:
        raise np.exceptions.AxisError(
            f"'start' arg requires {-a.ndim} <= start < {a.ndim + 1}, but {start} was passed in"
        )
    start -= axis < start
    order = [k for k in range(a.ndim) if k != axis]
    order.insert(start, axis)
    return _core.transpose(a, order)


def expand_dims(a: _ArrayLike, axis: _ShapeLike) -> ndarray:
    """Insert new axes of length one, as a view.

    Parameters
    ----------
    a : array_like, any shape
    axis : int or sequence of int
        Positions of the new axes in the result.

    Returns
    -------
    ndarray
        A view: it shares the array's memory.

    Raises
    ------
    ValueError
        An axis occurs twice.
    numpy.exceptions.AxisError
        The axis is out of bounds.

    Examples
    --------
    >>> import bascule as bc
    >>> bc.expand_dims(bc.ones(3), (0, 2)).shape
    (1, 3, 1)
    """
    if type(axis) is int and type(a) is ndarray and 0 <= axis <= len(shape := a.shape):
        return a.reshape((*shape[:axis], 1, *shape[axis:]))
    a = as_array(a)
    axis = axis if isinstance(axis, (tuple, list)) else (axis,)
    ndim = len(axis) + a.ndim
    axes = normalize_axes(axis, ndim)
    dims = iter(a.shape)
    return _core.reshape(a, tuple(1 if k in axes else next(dims) for k in range(ndim)))


@_core.method_first
def squeeze(a: _ArrayLike, axis: _Axes = None) -> ndarray:
    """Remove axes of length one, as a view.

    Parameters
    ----------
    a : array_like, any shape
    axis : int or tuple of int, optional
        Axes to remove; all of length one when absent.

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
    >>> bc.squeeze(bc.ones((1, 3, 1)), 0).shape
    (3, 1)
    """
    given, a = a, as_array(a)
    if axis is None:
        return as_given(a.squeeze(), given)
    axes = normalize_axes(axis, a.ndim) if a.ndim or axis not in (0, -1) else ()
    if any(a.shape[k] != 1 for k in axes):
        raise ValueError("cannot select an axis to squeeze out which has size not equal to one")
    keep = [k for k in range(a.ndim) if k not in axes]
    return as_given(_core.view(a, tuple(a.shape[k] for k in keep), tuple(a.strides[k] for k in keep)), given)


def broadcast_to(array: _ArrayLike, shape: _ShapeLike, subok: bool = False) -> ndarray:
    """Broadcast to a shape, as a read-only view.

    Parameters
    ----------
    array : array_like
    shape : int or tuple of int
        Shape of the result.
    subok : bool, optional
        No effect: ndarray has no subclasses.

    Returns
    -------
    ndarray, shape `shape`
        A read-only view.

    Raises
    ------
    ValueError
        The array does not broadcast to the shape, or a length is negative.

    Examples
    --------
    >>> import bascule as bc
    >>> bc.broadcast_to([1, 2], (3, 2)).tolist()
    [[1, 2], [1, 2], [1, 2]]
    """
    a = as_array(array)
    dims = tuple(extents(shape))
    if any(n < 0 for n in dims):
        raise ValueError("all elements of broadcast shape must be non-negative")
    if len(dims) > 64:
        raise ValueError(f"maximum supported dimension for an ndarray is currently 64, found {len(dims)}")
    if len(dims) < a.ndim:
        raise ValueError("input operand has more dimensions than allowed by the axis remapping")
    if any(m not in (1, n) for m, n in zip(a.shape[::-1], dims[::-1])):
        text = "operands could not be broadcast together with remapped shapes [original->remapped]: "
        show = lambda s: "(" + ",".join(map(str, s)) + (",)" if len(s) == 1 else ")")
        raise ValueError(f"{text}{show(a.shape)}  and requested shape {show(dims)}")
    r = _core.broadcast_to(a, dims)
    _core.set_writeable(r, False)
    return r


def broadcast_arrays(*args: _ArrayLike, subok: bool = False) -> tuple[ndarray, ...]:
    """Broadcast arrays against each other, as views with their common shape.

    Parameters
    ----------
    *args : array_like
        Shapes that broadcast against one another.
    subok : bool, optional
        No effect: ndarray has no subclasses.

    Returns
    -------
    tuple of ndarray
        Views, or the arrays themselves if they have the common shape.

    Raises
    ------
    ValueError
        The shapes do not broadcast.

    Examples
    --------
    >>> import bascule as bc
    >>> x, y = bc.broadcast_arrays([1, 2, 3], [[4], [5]])
    >>> x.shape, y.shape
    ((2, 3), (2, 3))
    """
    arrays = as_arrays(*args)
    shape = np.broadcast_shapes(*(a.shape for a in arrays))
    return tuple(a if a.shape == shape else _core.broadcast_to(a, shape) for a in arrays)


broadcast_shapes = np.broadcast_shapes
