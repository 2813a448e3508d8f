"""Diagonals, and properties of arrays: shape, size, shared memory."""

from __future__ import annotations

import builtins
import math
from typing import TYPE_CHECKING, Any, SupportsIndex

import numpy as np

from ... import _core
from ..._array.caller_warnings import discards_imaginary
from ..._array.conversion import (
    as_array,
    as_host,
    host_view,
    is_array,
    ndarray,
)
from ..manipulation import normalize_axes, normalize_axis

if TYPE_CHECKING:
    from numpy.typing import DTypeLike

    from ..._array.types import _ArrayLike, _ArrayOrScalar, _Axes

__all__ = ["diagonal", "may_share_memory", "ndim", "shape", "shares_memory", "size", "trace"]


def diagonal(a: _ArrayLike, offset: int = 0, axis1: SupportsIndex = 0, axis2: SupportsIndex = 1) -> ndarray:
    """Return a diagonal as a read-only view.

    Parameters
    ----------
    a : array_like, two axes or more
    offset : int, optional
        The diagonal: 0 the main one, positive above it, negative below.
    axis1, axis2 : int, optional
        The rows and the columns of the matrices.

    Returns
    -------
    ndarray
        A read-only view with the diagonals along its last axis.

    Raises
    ------
    ValueError
        The array has fewer than two axes, or both axes are the same.

    Examples
    --------
    >>> import bascule as bc
    >>> bc.diagonal([[1, 2], [3, 4]]).tolist()
    [1, 4]
    """
    if offset == 0 == axis1 and axis2 == 1 and (r := _core.diagonal_view(a)) is not None:
        return r
    a = as_array(a)
    if a.ndim < 2:
        raise ValueError("diag requires an array of at least two dimensions")
    i, j = normalize_axis(axis1, a.ndim, "axis1"), normalize_axis(axis2, a.ndim, "axis2")
    if i == j:
        raise ValueError("axis1 and axis2 cannot be the same")
    rest = [k for k in range(a.ndim) if k not in (i, j)]
    n, m = a.shape[i], a.shape[j]
    count = builtins.min(n, m - offset) if offset >= 0 else builtins.min(n + offset, m)
    start = offset * a.strides[j] if offset >= 0 else -offset * a.strides[i]
    count = builtins.max(count, 0)
    r = _core.view(a, (*(a.shape[k] for k in rest), count), (*(a.strides[k] for k in rest), a.strides[i] + a.strides[j]),
                   start if count else 0)  # fmt: skip
    _core.set_writeable(r, False)
    return r


def trace(
    a: _ArrayLike,
    offset: int = 0,
    axis1: SupportsIndex = 0,
    axis2: SupportsIndex = 1,
    dtype: DTypeLike | None = None,
    out: ndarray | None = None,
) -> _ArrayOrScalar:
    """Return the sum along a diagonal.

    Parameters
    ----------
    a : array_like, two axes or more
    offset : int, optional
        The diagonal: 0 the main one, positive above it, negative below.
    axis1, axis2 : int, optional
        The rows and the columns of the matrices.
    dtype : dtype, optional
        As for `sum`.
    out : ndarray, optional
        Output array; it must have the shape of the result.

    Returns
    -------
    ndarray, or a scalar
        Shape of `a` without the two axes.

    Raises
    ------
    ValueError
        The array has fewer than two axes, or both axes are the same.

    Examples
    --------
    >>> import bascule as bc
    >>> int(bc.trace([[1, 2], [3, 4]]))
    5
    """
    d = diagonal(a, offset, axis1, axis2)
    discards_imaginary(d.dtype, dtype)
    return d.sum(axis=-1, dtype=dtype, out=out)


def shares_memory(a: _ArrayLike, b: _ArrayLike, /, max_work: int = -1) -> bool:
    """Test whether two arrays have an element in common.

    Parameters
    ----------
    a, b : array_like
    max_work : int, optional
        Maximum number of candidates to check; -1 for an exact answer, 0 for memory bounds only.

    Returns
    -------
    bool

    Raises
    ------
    numpy.exceptions.TooHardError
        `max_work` was reached.

    Examples
    --------
    >>> import bascule as bc
    >>> x = bc.arange(10)
    >>> bc.shares_memory(x[::2], x[1::2]), bc.shares_memory(x[::2], x[4:])
    (False, True)
    """
    if is_array(a) and is_array(b):
        if not _core.may_share_memory(a, b):
            return False
        return np.shares_memory(host_view(a), host_view(b), max_work) if not a.device.startswith("cuda") else True
    return np.shares_memory(_memory(a), _memory(b), max_work)


def may_share_memory(a: _ArrayLike, b: _ArrayLike, /, max_work: int = 0) -> bool:
    """Test whether two arrays may have an element in common, by default by their memory bounds alone.

    Parameters
    ----------
    a, b : array_like
    max_work : int, optional
        Maximum number of candidates to check; none when absent.

    Returns
    -------
    bool
        False is certain; True is not, unless candidates are checked.

    Examples
    --------
    >>> import bascule as bc
    >>> x = bc.arange(10)
    >>> bc.may_share_memory(x[:5], x[5:]), bc.may_share_memory(x[::2], x[1::2])
    (False, True)
    """
    if max_work in (0, None) and is_array(a) and is_array(b):
        return _core.may_share_memory(a, b)
    return np.may_share_memory(_memory(a), _memory(b), max_work)


def _memory(x: Any) -> np.ndarray:
    n = as_host(x)
    return host_view(n) if is_array(n) else n


def ndim(a: _ArrayLike) -> int:
    """Return the number of axes.

    Parameters
    ----------
    a : array_like, any shape

    Returns
    -------
    int

    Examples
    --------
    >>> import bascule as bc
    >>> bc.ndim([[1, 2]])
    2
    """
    return a.ndim if hasattr(a, "ndim") else np.ndim(a)


def shape(a: _ArrayLike) -> tuple[int, ...]:
    """Return the shape of an array.

    Parameters
    ----------
    a : array_like, any shape

    Returns
    -------
    tuple of int

    Examples
    --------
    >>> import bascule as bc
    >>> bc.shape([[1, 2]])
    (1, 2)
    """
    return a.shape if hasattr(a, "shape") else np.shape(a)


def size(a: _ArrayLike, axis: _Axes | None = None) -> int:
    """Return the number of elements, or the length of an axis or of several.

    Parameters
    ----------
    a : array_like, any shape
    axis : int or tuple of int, optional
        Axes to count along; all when absent.

    Returns
    -------
    int

    Raises
    ------
    numpy.exceptions.AxisError
        The axis is out of bounds.

    Examples
    --------
    >>> import bascule as bc
    >>> bc.size([[1, 2, 3]]), bc.size([[1, 2, 3]], 0)
    (3, 1)
    """
    dims = shape(a)
    if axis is None:
        return math.prod(dims)
    return math.prod(dims[k] for k in normalize_axes(axis, len(dims)))
