"""Cumulative sums and products, and differences."""

from __future__ import annotations

import builtins
import operator
from typing import TYPE_CHECKING, Any, SupportsIndex

import numpy as np

from ... import _core
from ..._array.conversion import as_array, ndarray
from ..._array.ufuncs import by_name, running_dtype
from ..manipulation import ravel
from .nan import _filled
from .sums import _NO_VALUE

if TYPE_CHECKING:
    from numpy.typing import DTypeLike

    from ..._array.types import _ArrayLike

__all__ = ["cumprod", "cumsum", "cumulative_prod", "cumulative_sum", "diff", "nancumprod", "nancumsum"]


_RUNNING = {name: by_name[name]._number for name in ("add", "multiply")}


def _running(op: str, a: Any, axis: Any, dtype: Any, out: Any) -> ndarray:
    if dtype is out is None and (r := _core.plain_accumulate(_RUNNING[op], a, axis)) is not None:
        return r
    a = as_array(a)
    axis = None if axis is None else operator.index(axis)
    if axis is None:
        a, axis = ravel(a), 0
    if a.ndim == 0:
        a = _core.reshape(a, (1,))
    if a.dtype.kind in "mM":
        dtype = None  # NumPy's loops of dates and durations ignore it
    elif dtype is out is None:
        dtype = running_dtype(a.dtype)
    return by_name[op].accumulate(a, axis, dtype, out)


@_core.method_first
def cumsum(
    a: _ArrayLike, axis: SupportsIndex | None = None, dtype: DTypeLike | None = None, out: ndarray | None = None
) -> ndarray:
    """Return the cumulative sum of the elements.

    Parameters
    ----------
    a : array_like, any shape
    axis : int, optional
        The axis; by default the flattened array.
    dtype : dtype, optional
        Type to compute in and to return. When absent, booleans and integers of fewer than 64 bits become int64 or uint64, and
        other types are kept.
    out : ndarray, optional
        Output array; it must have the shape of the result.

    Returns
    -------
    ndarray, shape a.shape, or (a.size,) without `axis`

    Raises
    ------
    numpy.exceptions.AxisError
        The axis is out of bounds.

    Notes
    -----
    Each element is added to the sum of the elements before it, which rounds differently from `sum`.

    Examples
    --------
    >>> import bascule as bc
    >>> bc.cumsum([1, 2, 3]).tolist()
    [1, 3, 6]
    """
    return _running("add", a, axis, dtype, out)


@_core.method_first
def cumprod(
    a: _ArrayLike, axis: SupportsIndex | None = None, dtype: DTypeLike | None = None, out: ndarray | None = None
) -> ndarray:
    """Return the cumulative product of the elements.

    Parameters
    ----------
    a : array_like, any shape
    axis : int, optional
        The axis; by default the flattened array.
    dtype : dtype, optional
        Type to compute in and to return. When absent, booleans and integers of fewer than 64 bits become int64 or uint64, and
        other types are kept.
    out : ndarray, optional
        Output array; it must have the shape of the result.

    Returns
    -------
    ndarray, shape a.shape, or (a.size,) without `axis`

    Raises
    ------
    numpy.exceptions.AxisError
        The axis is out of bounds.

    Examples
    --------
    >>> import bascule as bc
    >>> bc.cumprod([[1, 2], [3, 4]], axis=0).tolist()
    [[1, 2], [3, 8]]
    """
    return _running("multiply", a, axis, dtype, out)


def _cumulative(op: str, x: Any, axis: int | None, dtype: Any, out: Any, include_initial: bool) -> ndarray:
    x = as_array(x)
    if x.ndim == 0:
        x = _core.reshape(x, (1,))
    if axis is None:
        if x.ndim > 1:
            raise ValueError("For arrays which have more than one dimension ``axis`` argument is required.")
        axis = 0
    r = _running(op, x, axis, dtype, None if include_initial else out)
    if not include_initial:
        return r
    from ..manipulation import concatenate, swapaxes

    first = swapaxes(swapaxes(r, 0, axis)[:1], 0, axis) if r.shape[axis] else r
    start = _core.full(
        tuple(1 if k == axis % r.ndim else n for k, n in enumerate(first.shape)),
        int(op == "multiply"),
        r.dtype,
        r.device,
    )
    return concatenate((start, r), axis, out)


def cumulative_sum(
    x: _ArrayLike,
    /,
    *,
    axis: SupportsIndex | None = None,
    dtype: DTypeLike | None = None,
    out: ndarray | None = None,
    include_initial: bool = False,
) -> ndarray:
    """Return the cumulative sum of the elements, optionally with a leading zero.

    Parameters
    ----------
    x : array_like, any shape
    axis : int, optional
        Axis of the sum; it may be absent for arrays with one axis.
    dtype : dtype, optional
        Type to compute in and to return. When absent, booleans and integers of fewer than 64 bits become int64 or uint64, and
        other types are kept.
    out : ndarray, optional
        Output array; it must have the shape of the result.
    include_initial : bool, optional
        Start with the sum of no elements, zero.

    Returns
    -------
    ndarray, shape x.shape, longer by one along the axis with `include_initial`

    Raises
    ------
    ValueError
        The array has several axes, and `axis` is absent.
    numpy.exceptions.AxisError
        The axis is out of bounds.

    Examples
    --------
    >>> import bascule as bc
    >>> bc.cumulative_sum([1, 2, 3], include_initial=True).tolist()
    [0, 1, 3, 6]
    """
    return _cumulative("add", x, axis, dtype, out, include_initial)


def cumulative_prod(
    x: _ArrayLike,
    /,
    *,
    axis: SupportsIndex | None = None,
    dtype: DTypeLike | None = None,
    out: ndarray | None = None,
    include_initial: bool = False,
) -> ndarray:
    """Return the cumulative product of the elements, optionally with a leading one.

    Parameters
    ----------
    x : array_like, any shape
    axis : int, optional
        Axis of the product; it may be absent for arrays with one axis.
    dtype : dtype, optional
        Type to compute in and to return. When absent, booleans and integers of fewer than 64 bits become int64 or uint64, and
        other types are kept.
    out : ndarray, optional
        Output array; it must have the shape of the result.
    include_initial : bool, optional
        Start with the product of no elements, one.

    Returns
    -------
    ndarray, shape x.shape, longer by one along the axis with `include_initial`

    Raises
    ------
    ValueError
        The array has several axes, and `axis` is absent.
    numpy.exceptions.AxisError
        The axis is out of bounds.

    Examples
    --------
    >>> import bascule as bc
    >>> bc.cumulative_prod([1, 2, 3], include_initial=True).tolist()
    [1, 1, 2, 6]
    """
    return _cumulative("multiply", x, axis, dtype, out, include_initial)


@_core.function
def diff(
    a: _ArrayLike, n: int = 1, axis: SupportsIndex = -1, prepend: _ArrayLike = _NO_VALUE, append: _ArrayLike = _NO_VALUE
) -> ndarray:
    """Compute the differences between consecutive elements along an axis.

    Parameters
    ----------
    a : array_like, one axis or more
    n : int, optional
        Number of times that differences are taken.
    axis : int, optional
        Axis along which to take differences.
    prepend, append : array_like, optional
        Values to prepend and append to the array first; a scalar stands for one slice.

    Returns
    -------
    ndarray
        Shorter by `n` along the axis; for booleans, whether neighbours differ.

    Raises
    ------
    ValueError
        `n` is negative, or the array has no axis.

    Examples
    --------
    >>> import bascule as bc
    >>> bc.diff([1, 4, 9]).tolist()
    [3, 5]
    >>> bc.diff([1, 4, 9], 2).tolist()
    [2]
    """
    from ..manipulation import concatenate

    if n < 0:
        raise ValueError(f"order must be non-negative but got {n!r}")
    if n == 0:
        return a if isinstance(a, (bool, int, float, complex, np.generic)) else as_array(a)
    a = as_array(a)
    if a.ndim == 0:
        raise ValueError("diff requires input that is at least one dimensional")
    axis = np.lib.array_utils.normalize_axis_index(axis, a.ndim)
    ends = []
    for v in (prepend, append):
        v = None if v is _NO_VALUE else as_array(v, a)
        if v is not None and v.ndim == 0:
            v = _core.broadcast_to(v, (*a.shape[:axis], 1, *a.shape[axis + 1 :]))
        ends.append(v)
    if ends[0] is not None or ends[1] is not None:
        a = concatenate([v for v in (ends[0], a, ends[1]) if v is not None], axis)
    lead = (slice(None),) * axis
    op = by_name["not_equal" if a.dtype.kind == "b" else "subtract"]
    for _ in range(builtins.min(n, builtins.max(a.shape[axis], 1))):  # after that many nothing is left
        a = op(a[(*lead, slice(1, None))], a[(*lead, slice(None, -1))])
    return a


def nancumsum(
    a: _ArrayLike, axis: SupportsIndex | None = None, dtype: DTypeLike | None = None, out: ndarray | None = None
) -> ndarray:
    """Return the cumulative sum of the elements, with NaN treated as zero.

    Parameters
    ----------
    a : array_like, any shape
    axis : int, optional
        The axis; by default the flattened array.
    dtype : dtype, optional
        Type to compute in and to return. When absent, booleans and integers of fewer than 64 bits become int64 or uint64, and
        other types are kept.
    out : ndarray, optional
        Output array; it must have the shape of the result.

    Returns
    -------
    ndarray, shape a.shape, or (a.size,) without `axis`

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
    >>> bc.nancumsum([1.0, bc.nan, 2.0]).tolist()
    [1.0, 1.0, 3.0]
    """
    return cumsum(_filled(a, 0)[0], axis, dtype, out)


def nancumprod(
    a: _ArrayLike, axis: SupportsIndex | None = None, dtype: DTypeLike | None = None, out: ndarray | None = None
) -> ndarray:
    """Return the cumulative product of the elements, with NaN treated as one.

    Parameters
    ----------
    a : array_like, any shape
    axis : int, optional
        The axis; by default the flattened array.
    dtype : dtype, optional
        Type to compute in and to return. When absent, booleans and integers of fewer than 64 bits become int64 or uint64, and
        other types are kept.
    out : ndarray, optional
        Output array; it must have the shape of the result.

    Returns
    -------
    ndarray, shape a.shape, or (a.size,) without `axis`

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
    >>> bc.nancumprod([2.0, bc.nan, 3.0]).tolist()
    [2.0, 2.0, 6.0]
    """
    return cumprod(_filled(a, 1)[0], axis, dtype, out)
