"""Evenly spaced values, and grids."""

from __future__ import annotations

import math
import operator
from typing import TYPE_CHECKING, Any, Literal, SupportsIndex, overload

import numpy as np

from ... import _core
from ..._array.caller_warnings import at_users_line
from ..._array.conversion import as_array, is_array, ndarray
from ..._array.numpy_versions import since
from ..._array.ufuncs import by_name
from ..lines import lines_between
from .filled import _MISSING, _device, _shape, empty

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from numpy.typing import DTypeLike

    from ..._array.types import _ArrayLike, _ShapeLike

__all__ = ["arange", "fromfunction", "indices", "linspace", "meshgrid"]


def _range_length(start: Any, stop: Any, step: Any) -> int:
    if step == 0:
        raise ZeroDivisionError("division by zero")
    span = stop - start
    if math.isnan(count := span / step):
        raise ValueError("arange: cannot compute length")
    if abs(count) > 2**62:
        raise ValueError("Maximum allowed size exceeded")
    too_small = count == 0 != span  # a fraction of the step
    return int(math.copysign(1, count) > 0) if too_small else max(math.ceil(count), 0)


_WIDE = (np.dtype(np.int64), np.dtype(np.float64))


@overload
def arange(
    stop: _ArrayLike, /, *, dtype: DTypeLike | None = None, device: str | None = None, like: _ArrayLike | None = None
) -> ndarray: ...
@overload
def arange(
    start_or_stop: _ArrayLike,
    /,
    stop: _ArrayLike | None = None,
    step: _ArrayLike = 1,
    *more: DTypeLike | None,
    dtype: DTypeLike | None = None,
    device: str | None = None,
    like: _ArrayLike | None = None,
) -> ndarray: ...
@overload
def arange(
    *,
    stop: _ArrayLike,
    step: _ArrayLike = 1,
    dtype: DTypeLike | None = None,
    device: str | None = None,
    like: _ArrayLike | None = None,
    start: _ArrayLike = ...,
) -> ndarray: ...
@_core.function
def arange(
    start_or_stop: Any = _MISSING, /, stop: Any = None, step: Any = 1, *more: Any, dtype: Any = None,
    device: str | None = None, like: Any = None, start: Any = _MISSING,
) -> ndarray:  # fmt: skip
    """Return evenly spaced values in a half-open interval.

    Parameters
    ----------
    start_or_stop : scalar
        The stop if `stop` is not given, else the start.
    stop : scalar, optional
        End of the interval, which is not included.
    step : scalar, optional
        Spacing between the values.
    dtype : dtype, optional
        Type of the values; by default as in NumPy.
    device : str, optional
        Device of the result; by default `config.device`.
    like : ndarray, optional
        Reference object: the new array is on the same device.

    Returns
    -------
    ndarray of one axis

    Raises
    ------
    TypeError
        There is no stop.
    ZeroDivisionError
        The step is zero.

    Examples
    --------
    >>> import bascule as bc
    >>> bc.arange(1, 7, 2).tolist()
    [1, 3, 5]
    """
    if more:
        (dtype,) = more
    first = start if start_or_stop is _MISSING else start_or_stop
    if only_stop := stop is None:
        if start_or_stop is _MISSING:
            raise TypeError("arange() requires stop to be specified.")
        first, stop = (0 if start_or_stop is not None else None), start_or_stop
    given = (0 if first is _MISSING else first, stop, 1 if step is None else step)
    if type(given[0]) is type(given[1]) is type(given[2]) is int and dtype is None and given[2]:
        start, stop, step = given
        n = max(-(-(stop - start) // step), 0)
        if n > 1 and max(abs(start), abs(stop), abs(step)) < 2**61:
            return _core.arange(start, step, n, int, _device(device, like))
    start, stop, step = (_core.to_numpy(v)[()] if is_array(v) else v for v in given)  # keeps the unit of time
    kinds = [np.asarray(v).dtype for v in (start, stop, step)]
    device = _device(device, like)
    # scalars of narrow types are subtracted in these, and integers wrap
    narrow = any(isinstance(v, np.generic) and v.dtype not in _WIDE for v in (start, stop, step))
    numbers = not narrow and all(k.kind in "biuf" for k in kinds)
    found = np.dtype(dtype) if dtype is not None or not numbers else np.result_type(*kinds)
    if not numbers or found.kind not in "iuf":
        by_one = type(step) is int and step == 1  # not passed on: with times it would be a duration without a unit
        ends = (stop,) if only_stop else (start, stop)
        given = ends if by_one else (start, stop, step)
        return _core.from_numpy(at_users_line(np.arange, *given, dtype=dtype), device)
    n = _range_length(*(v.item() if isinstance(v, np.generic) else v for v in (start, stop, step)))
    if found.kind in "iu":
        first, second = int(start), int(start + step)
        np.asarray([first] if n else [], dtype=found)  # raises NumPy's OverflowError
        limit = np.iinfo(found)
        delta = second - first
        fits = limit.min <= first + (n - 1) * delta <= limit.max
        if n < 2 or not fits or found == np.uint64 or (delta < 0 and found.kind == "u"):
            return _core.from_numpy(np.arange(start, stop, step, dtype=dtype), device)
        return _core.arange(first, delta, n, found, device)
    first, step = found.type(start), step if n > 1 else 0
    if found == np.float16:  # NumPy steps in single precision
        delta = np.float32(found.type(start + step)) - np.float32(first)
        return _core.arange(float(first), float(delta), n, np.dtype(np.float32), device).astype(found)
    return _core.arange(float(first), float(found.type(found.type(start + step) - first)), n, found, device)


@overload
def linspace(
    start: _ArrayLike,
    stop: _ArrayLike,
    num: SupportsIndex = 50,
    endpoint: bool = True,
    retstep: Literal[False] = False,
    dtype: DTypeLike | None = None,
    axis: SupportsIndex = 0,
    *,
    device: str | None = None,
) -> ndarray: ...
@overload
def linspace(
    start: _ArrayLike,
    stop: _ArrayLike,
    num: SupportsIndex = 50,
    endpoint: bool = True,
    *,
    retstep: Literal[True],
    dtype: DTypeLike | None = None,
    axis: SupportsIndex = 0,
    device: str | None = None,
) -> tuple[ndarray, ndarray]: ...
@_core.function
def linspace(
    start: Any,
    stop: Any,
    num: int = 50,
    endpoint: bool = True,
    retstep: bool = False,
    dtype: Any = None,
    axis: int = 0,
    *,
    device: str | None = None,
) -> Any:
    """Return evenly spaced values over an interval.

    Parameters
    ----------
    start, stop : array_like
        The ends, which broadcast against one another.
    num : int, optional
        Number of values.
    endpoint : bool, optional
        Whether `stop` is the last value; otherwise the interval ends before it.
    retstep : bool, optional
        Return the spacing, too.
    dtype : dtype, optional
        dtype of the result; by default floating point, from the types of the ends.
    axis : int, optional
        Axis of the values if the ends are arrays.
    device : str, optional
        Device of the result; by default `config.device`.

    Returns
    -------
    ndarray, shape (num,), or (num, ...) for arrays as ends
        With `retstep` a tuple of it and the spacing.

    Raises
    ------
    ValueError
        `num` is negative.

    Examples
    --------
    >>> import bascule as bc
    >>> bc.linspace(0, 1, 5).tolist()
    [0.0, 0.25, 0.5, 0.75, 1.0]
    >>> y, step = bc.linspace(0, 1, 4, endpoint=False, retstep=True)
    >>> float(step)
    0.25
    """
    num = operator.index(num)
    if num < 0:
        raise ValueError(f"Number of samples, {num}, must be non-negative.")
    scalars = all(
        type(v) in (int, float) or (isinstance(v, (np.floating, np.integer)) and not isinstance(v, np.longdouble))
        for v in (start, stop)
    )
    weak = [v if type(v) in (int, float) else v.dtype for v in (start, stop)] if scalars else []
    if not scalars or num < 2 or np.result_type(*weak, 1.0) != np.float64:
        y, step = lines_between(arange, start, stop, num, endpoint, dtype, axis, device)
        return (y, step) if retstep else y
    div = num - 1 if endpoint else num
    first, last = np.asarray(start) * 1.0, np.asarray(stop) * 1.0
    dt = np.result_type(first, last, float(num))
    wanted = dt if dtype is None else np.dtype(dtype)
    delta = np.subtract(last, first, dtype=dt)
    step = delta / div
    y = arange(0.0, num, device=device) if dt == np.float64 else arange(0, num, dtype=dt, device=device)
    y = y / div * float(delta) if step == 0 else y * float(step)
    y = y + float(first)
    if endpoint:
        y[-1] = float(last)
    if wanted.kind in "iu":
        y = by_name["floor"](y)
    return (y.astype(wanted, copy=False), step) if retstep else y.astype(wanted, copy=False)


def meshgrid(
    *xi: _ArrayLike, copy: bool | None = True, sparse: bool = False, indexing: Literal["xy", "ij"] = "xy"
) -> tuple[ndarray, ...]:
    """Return coordinate matrices from coordinate vectors.

    Parameters
    ----------
    *xi : array_like
        The coordinates along each axis, flattened.
    copy : bool, optional
        False returns views that share memory.
    sparse : bool, optional
        Leave the axes along which a matrix is constant at length one.
    indexing : {"xy", "ij"}, optional
        "xy" puts the first coordinate along the second axis, "ij" along the first.

    Returns
    -------
    tuple of ndarray
        One array for each argument, all of one shape unless `sparse`.

    Raises
    ------
    ValueError
        `indexing` is neither.

    Examples
    --------
    >>> import bascule as bc
    >>> x, y = bc.meshgrid([1, 2], [3, 4, 5])
    >>> x.tolist(), y.tolist()
    ([[1, 2], [1, 2], [1, 2]], [[3, 3], [4, 4], [5, 5]])
    """
    if indexing not in ("xy", "ij"):
        raise ValueError("Valid values for `indexing` are 'xy' and 'ij'.")
    arrays, n = [as_array(x) for x in xi], len(xi)
    out = [_core.reshape(a, (1,) * i + (a.size,) + (1,) * (n - 1 - i)) for i, a in enumerate(arrays)]
    if indexing == "xy" and n > 1:
        out[0] = _core.reshape(arrays[0], (1, arrays[0].size) + (1,) * (n - 2))
        out[1] = _core.reshape(arrays[1], (arrays[1].size, 1) + (1,) * (n - 2))
    if not sparse:
        shape = np.broadcast_shapes(*(a.shape for a in out))
        out = [_core.broadcast_to(a, shape) for a in out]
    return tuple(a.copy() for a in out) if copy else out if sparse and not since("grids are tuples") else tuple(out)


@overload
def indices(dimensions: Sequence[int], dtype: DTypeLike = ..., sparse: Literal[False] = False) -> ndarray: ...
@overload
def indices(dimensions: Sequence[int], dtype: DTypeLike = ..., *, sparse: Literal[True]) -> tuple[ndarray, ...]: ...
def indices(dimensions: Any, dtype: Any = int, sparse: bool = False) -> Any:
    """Return the index arrays of a grid, one per axis.

    Parameters
    ----------
    dimensions : sequence of int
        Shape of the grid.
    dtype : dtype, optional
        Type of the indices.
    sparse : bool, optional
        Return arrays that broadcast to the grid, instead of one full array.

    Returns
    -------
    ndarray, shape ``(len(dimensions), *dimensions)``
        With `sparse` a tuple of one array per axis.

    Raises
    ------
    ValueError
        A dimension is negative, or the array is too large.

    Examples
    --------
    >>> import bascule as bc
    >>> bc.indices((2, 2)).tolist()
    [[[0, 0], [1, 1]], [[0, 1], [0, 1]]]
    """
    n = len(dims := _shape(tuple(dimensions)))
    lines = [arange(d) if dtype is int else arange(d, dtype=dtype) for d in dims]
    grids = [_core.reshape(a, (1,) * i + a.shape + (1,) * (n - 1 - i)) for i, a in enumerate(lines)]
    if sparse:
        return tuple(grids)
    for part, g in zip(r := empty((n, *dims), dtype), grids):
        part[...] = g
    return r


def fromfunction(
    function: Callable[..., Any],
    shape: _ShapeLike,
    *,
    dtype: DTypeLike = float,
    like: _ArrayLike | None = None,
    **kwargs: Any,
) -> Any:
    """Call a function on the index arrays of a grid.

    Parameters
    ----------
    function : callable
        Called once, with one array of indices for each axis.
    shape : tuple of int
        Shape of the grid.
    dtype : dtype, optional
        Type of the indices; float64 when absent.
    like : ndarray, optional
        The indices are on this array's device.
    **kwargs
        Passed to the function.

    Returns
    -------
    object
        The function's result.

    Examples
    --------
    >>> import bascule as bc
    >>> bc.fromfunction(lambda i, j: 10 * i + j, (2, 2)).tolist()
    [[0.0, 1.0], [10.0, 11.0]]
    """
    grid = indices(shape, dtype=dtype)
    return function(*(grid.to_device(like.device) if is_array(like) else grid), **kwargs)
