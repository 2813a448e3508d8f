"""Functions that reorder or repeat elements."""

from __future__ import annotations

import operator
from typing import TYPE_CHECKING, SupportsIndex

import numpy as np

from ... import _core
from ..._array.caller_warnings import warn
from ..._array.conversion import as_array, is_array, ndarray
from ..._array.numpy_versions import since
from .shapes import normalize_axes, normalize_axis, ravel, swapaxes

if TYPE_CHECKING:
    from ..._array.types import _ArrayLike, _Axes, _ShapeLike

__all__ = ["flip", "fliplr", "flipud", "repeat", "roll", "rot90", "tile"]


def flip(m: _ArrayLike, axis: _Axes | None = None) -> ndarray:
    """Reverse the order of elements along axes, as a view.

    Parameters
    ----------
    m : array_like, any shape
    axis : int or tuple of int, optional
        Axes to reverse; all of them when absent.

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
    >>> bc.flip([[1, 2], [3, 4]], 1).tolist()
    [[2, 1], [4, 3]]
    """
    if (r := _core.small_flip(m, axis)) is not None:
        return r
    a = as_array(m)
    axes = range(a.ndim) if axis is None else normalize_axes(axis, a.ndim)
    return a[tuple(slice(None, None, -1) if k in axes else slice(None) for k in range(a.ndim))] if a.ndim else a[()]


def flipud(m: _ArrayLike) -> ndarray:
    """Reverse the rows, as a view.

    Parameters
    ----------
    m : array_like, shape (n, ...)

    Returns
    -------
    ndarray
        A view: it shares the array's memory.

    Raises
    ------
    ValueError
        The array has no axis.

    Examples
    --------
    >>> import bascule as bc
    >>> bc.flipud([[1, 2], [3, 4]]).tolist()
    [[3, 4], [1, 2]]
    """
    a = as_array(m)
    if a.ndim < 1:
        raise ValueError("Input must be >= 1-d.")
    return flip(a, 0)


def fliplr(m: _ArrayLike) -> ndarray:
    """Reverse the columns, as a view.

    Parameters
    ----------
    m : array_like, shape (n, m, ...)

    Returns
    -------
    ndarray
        A view: it shares the array's memory.

    Raises
    ------
    ValueError
        The array has fewer than two axes.

    Examples
    --------
    >>> import bascule as bc
    >>> bc.fliplr([[1, 2], [3, 4]]).tolist()
    [[2, 1], [4, 3]]
    """
    a = as_array(m)
    if a.ndim < 2:
        raise ValueError("Input must be >= 2-d.")
    return flip(a, 1)


def rot90(m: _ArrayLike, k: int = 1, axes: tuple[int, int] = (0, 1)) -> ndarray:
    """Rotate by multiples of 90 degrees in the plane of two axes, as a view.

    Parameters
    ----------
    m : array_like, two or more axes
    k : int, optional
        Number of rotations by 90 degrees, from the first of the axes towards the second; negative ones rotate
        backwards.
    axes : pair of int, optional
        Axes of the plane.

    Returns
    -------
    ndarray
        A view: it shares the array's memory.

    Raises
    ------
    ValueError
        The axes are not two different axes of the array.

    Examples
    --------
    >>> import bascule as bc
    >>> bc.rot90([[1, 2], [3, 4]]).tolist()
    [[2, 4], [1, 3]]
    """
    if since("diagonals are integers") and not hasattr(type(k), "__index__"):
        warn(
            f"Passing a value for k ({k!r}) that is not an integer type has been deprecated in NumPy 2.5. The value will be "
            "cast to an integer.  In the future this will be an error.",
            DeprecationWarning,
        )
        k = int(k)
    a, axes = as_array(m), tuple(axes)
    if len(axes) != 2:
        raise ValueError("len(axes) must be 2.")
    i, j = axes
    if i == j or abs(i - j) == a.ndim:
        raise ValueError("Axes must be different.")
    if not (-a.ndim <= i < a.ndim and -a.ndim <= j < a.ndim):
        raise ValueError(f"Axes={axes} out of range for array of ndim={a.ndim}.")
    k %= 4
    if k == 0:
        return a[...]
    if k == 2:
        return flip(a, (i, j))
    return swapaxes(flip(a, j), i, j) if k == 1 else flip(swapaxes(a, i, j), j)


@_core.function
def roll(a: _ArrayLike, shift: _ShapeLike, axis: _Axes | None = None) -> ndarray:
    """Roll elements along axes; elements beyond the last position reappear at the first.

    Parameters
    ----------
    a : array_like, any shape
    shift : int or tuple of int
        Number of positions, for each axis.
    axis : int or tuple of int, optional
        The axes; the flattened array when absent. An axis that occurs more than once is shifted by the sum.

    Returns
    -------
    ndarray, shape a.shape
        A copy.

    Raises
    ------
    numpy.exceptions.AxisError
        The axis is out of bounds.

    Examples
    --------
    >>> import bascule as bc
    >>> bc.roll(bc.arange(5), 2).tolist()
    [3, 4, 0, 1, 2]
    """
    a = as_array(a)
    if axis is None:
        return _core.reshape(roll(ravel(a), shift, 0), a.shape)
    axes = normalize_axes(axis, a.ndim, allow_duplicate=True)
    shifts, axes = np.broadcast_arrays(shift, axes)
    total = dict.fromkeys(range(a.ndim), 0)
    for s, k in zip(shifts.ravel().tolist(), axes.ravel().tolist()):
        total[k] += s
    moved = False
    for k, s in total.items():
        n = a.shape[k]
        if n and s % n:
            a, moved = _core.roll(a, s % n, k), True
    return a if moved else a.copy()


@_core.function
def repeat(a: _ArrayLike, repeats: int | _ArrayLike, axis: SupportsIndex | None = None) -> ndarray:
    """Repeat each element.

    Parameters
    ----------
    a : array_like, any shape
    repeats : int or array_like of int
        Number of repetitions, for all elements of the axis or for each of them.
    axis : int, optional
        The axis; by default the flattened array.

    Returns
    -------
    ndarray
        Like `a`, except for the length of the axis.

    Raises
    ------
    ValueError
        A count is negative, or there are not as many counts as elements.

    Examples
    --------
    >>> import bascule as bc
    >>> bc.repeat([1, 2], [2, 3]).tolist()
    [1, 1, 2, 2, 2]
    """
    a = as_array(a)
    if axis is None:
        a, axis = ravel(a), 0
    a = a if a.ndim else _core.reshape(a, (1,))
    axis = normalize_axis(axis, a.ndim)
    n = a.shape[axis]
    given = isinstance(repeats, (ndarray, np.ndarray))
    counts = as_array(repeats if is_array(repeats) else np.asarray(repeats, None if given else np.intp), a)
    if not np.can_cast(counts.dtype, np.intp, "safe"):
        what = "array data" if counts.ndim else "scalar"
        raise TypeError(
            f"Cannot cast {what} from {counts.dtype!r} to {np.dtype(np.intp)!r} according to the rule 'safe'"
        )
    if counts.ndim > 1:
        raise ValueError("object too deep for desired array")
    if counts.size not in (1, n):
        raise ValueError(f"operands could not be broadcast together with shape ({n},) ({counts.size},)")
    if n and counts.size and int(counts.min()) < 0:
        raise ValueError(
            "negative dimensions are not allowed" if counts.size == 1 else "repeats may not contain negative values."
        )
    if counts.size == 1:
        k = max(operator.index(counts.reshape(()).item()), 0)
        return _core.repeat(a, k, axis)
    return _core.take(a, _each_so_often(counts.astype(np.intp, copy=False)), axis)


def _each_so_often(counts: ndarray) -> ndarray:
    """0, 1, ... each repeated by its count: the number of repetitions that end at or before each position."""
    ends = counts.cumsum()
    total = int(ends[-1]) if counts.size else 0
    return (
        _core.bincount(ends[:-1], total + 1)[:total].cumsum()
        if counts.size > 1
        else _core.full((total,), 0, np.intp, counts.device)
    )


@_core.function
def tile(A: _ArrayLike, reps: _ShapeLike) -> ndarray:
    """Repeat the whole array along each axis.

    Parameters
    ----------
    A : array_like, any shape
    reps : int or sequence of int
        Number of repetitions along each axis; the shorter of `reps` and the shape is padded with ones at the front.

    Returns
    -------
    ndarray

    Examples
    --------
    >>> import bascule as bc
    >>> bc.tile([1, 2], (2, 2)).tolist()
    [[1, 2, 1, 2], [1, 2, 1, 2]]
    """
    a = as_array(A)
    reps = (reps,) if np.ndim(reps) == 0 else tuple(reps)
    ndim = max(a.ndim, len(reps))
    reps = (1,) * (ndim - len(reps)) + tuple(operator.index(r) for r in reps)
    return _core.tile(_core.reshape(a, (1,) * (ndim - a.ndim) + a.shape), reps)
