"""Functions that select elements by index, condition or order."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, SupportsIndex, overload

import numpy as np

from ... import _core
from ..._array.caller_warnings import discards_imaginary, warn
from ..._array.conversion import (
    as_array,
    as_arrays,
    as_output,
    as_value,
    is_array,
    ndarray,
)
from ..._array.numpy_versions import since
from ..._array.ufuncs import by_name, rows
from ..creation import empty
from ..manipulation import normalize_axis, ravel, stack, transpose

if TYPE_CHECKING:
    from ..._array.types import _ArrayLike, _ArrayOrScalar, _Mode

__all__ = [
    "argwhere",
    "clip",
    "compress",
    "extract",
    "flatnonzero",
    "nonzero",
    "put_along_axis",
    "take",
    "take_along_axis",
    "where",
]


_NO_VALUE = np._NoValue
_OPERANDS = frozenset({ndarray, np.ndarray, int, float, complex, bool, *np.sctypeDict.values()})
_select, _clip_op = rows["where"]["ufunc"], rows["clip"]["ufunc"]


def _positions(indices: Any, n: int, mode: str, like: ndarray) -> ndarray:
    p = as_array(indices, like)
    if p.dtype.kind == "f" and not isinstance(indices, (ndarray, np.ndarray)):
        p = p.astype(np.int64)
    if p.dtype.kind not in "biu":
        raise TypeError(f"Cannot cast array data from {p.dtype!r} to dtype('int64') according to the rule 'safe'")
    p = p.astype(np.int64, copy=False)
    if mode == "wrap":
        return as_array(p % n, like) if n else p
    if mode == "clip":
        return as_array(limited(p, 0, max(n - 1, 0), None), like)
    if mode != "raise":
        raise ValueError(f"clipmode must be one of 'clip', 'raise', or 'wrap' (got '{mode}')")
    return p


@_core.function
def take(
    a: _ArrayLike,
    indices: _ArrayLike,
    axis: SupportsIndex | None = None,
    out: ndarray | None = None,
    mode: _Mode = "raise",
) -> _ArrayOrScalar:
    """Take elements at the given indices along an axis.

    Parameters
    ----------
    a : array_like, any shape
    indices : array_like of int, any shape
        Indices; negative ones count from the end.
    axis : int, optional
        The axis; by default the flattened array.
    out : ndarray, optional
        Output array; it must have the shape of the result.
    mode : {"raise", "wrap", "clip"}, optional
        How an index out of bounds is treated: raise, wrap around, or clip to the last element.

    Returns
    -------
    ndarray, shape a.shape[:axis] + indices.shape + a.shape[axis + 1:]

    Raises
    ------
    IndexError
        An index is out of bounds.
    numpy.exceptions.AxisError
        The axis is out of bounds.

    Notes
    -----
    On a GPU the IndexError may be raised when the program next waits for the device; see `config.index_errors`.

    Examples
    --------
    >>> import bascule as bc
    >>> bc.take([10, 20, 30], [2, 0]).tolist()
    [30, 10]
    """
    a = as_array(a, indices)
    if axis is None:
        a, axis = ravel(a), 0
    if a.ndim == 0:
        a = _core.reshape(a, (1,))
    axis = normalize_axis(axis, a.ndim)
    n = a.shape[axis]
    p = as_array(_positions(indices, n, mode, a), a)
    if n == 0 and p.size:
        raise IndexError("cannot do a non-empty take from an empty axes.")
    if 0 in a.shape[:axis]:  # nothing is taken, and NumPy checks no index
        p = _core.full(p.shape, 0, np.dtype(np.intp), p.device)
    r = _core.take(a, p, axis)
    if out is None:
        return as_value(r)
    if as_output(out, "output must be an array").shape != r.shape:
        raise ValueError("output array does not match result of ndarray.take")
    if since("elements taken go to out by same_kind"):
        if not np.can_cast(r.dtype, out.dtype, "same_kind"):
            warn(
                "Implicit casting of output to a different kind is deprecated. In a future version, this will result in an "
                "error. (Deprecated NumPy 2.5)",
                DeprecationWarning,
            )
        discards_imaginary(out.dtype, r.dtype)  # NumPy writes to a copy of the output
    elif not np.can_cast(out.dtype, r.dtype):  # NumPy writes to a copy of the output, of the array's type
        raise TypeError(f"Cannot cast array data from {out.dtype!r} to {r.dtype!r} according to the rule 'safe'")
    out[...] = r
    return out


def take_along_axis(arr: _ArrayLike, indices: _ArrayLike, axis: SupportsIndex | None = -1) -> ndarray:
    """Take values by matching 1-D index and data slices along an axis.

    Parameters
    ----------
    arr : array_like, any shape
    indices : array_like of int
        Indices along the axis; its other lengths are those of `arr`, or one.
    axis : int or None, optional
        The axis; None takes from the flattened array.

    Returns
    -------
    ndarray, shape indices.shape

    Raises
    ------
    IndexError
        The indices are not integers, or are out of bounds.
    ValueError
        The two differ in the number of axes.

    Examples
    --------
    >>> import bascule as bc
    >>> x = bc.asarray([[3, 1], [2, 4]])
    >>> bc.take_along_axis(x, bc.argsort(x, axis=1), axis=1).tolist()
    [[1, 3], [2, 4]]
    """
    a = as_array(arr)
    p = as_array(indices, a)
    if axis is None:
        a, axis = ravel(a), 0
    axis = normalize_axis(axis, a.ndim)
    return a[p] if p.ndim == 1 == a.ndim and p.dtype.kind in "iu" else a[_along(a, p, axis)]


def put_along_axis(arr: ndarray, indices: _ArrayLike, values: _ArrayLike, axis: SupportsIndex | None) -> None:
    """Set values by matching 1-D index and data slices along an axis.

    Parameters
    ----------
    arr : ndarray
        The array to modify.
    indices : array_like of int
        Indices along the axis; its other lengths are those of `arr`, or one.
    values : array_like
        Broadcasts to the shape of `indices`.
    axis : int or None
        The axis; None writes to the flattened array.

    Returns
    -------
    None

    Raises
    ------
    IndexError
        The indices are not integers, or are out of bounds.
    ValueError
        The two differ in the number of axes.

    Examples
    --------
    >>> import bascule as bc
    >>> x = bc.zeros((2, 2), int)
    >>> bc.put_along_axis(x, [[1], [0]], 5, axis=1)
    >>> x.tolist()
    [[0, 5], [5, 0]]
    """
    a = arr if axis is not None else arr.reshape(-1)
    axis = 0 if axis is None else normalize_axis(axis, a.ndim)
    a[_along(a, as_array(indices, a), axis)] = values


def _along(a: ndarray, p: ndarray, axis: int) -> tuple[Any, ...]:
    if p.dtype.kind not in "iu":
        raise IndexError("`indices` must be an integer array")
    if a.ndim != p.ndim:
        raise ValueError("`indices` and `arr` must have the same number of dimensions")
    count = lambda n: _core.arange(0, 1, n, np.dtype(np.intp), a.device)
    key = [_core.reshape(count(n), (n,) + (1,) * (a.ndim - 1 - k)) for k, n in enumerate(a.shape)]
    return tuple(p if k == axis else i for k, i in enumerate(key))


@overload
def where(condition: _ArrayLike, /) -> tuple[ndarray, ...]: ...
@overload
def where(condition: _ArrayLike, x: _ArrayLike, y: _ArrayLike, /) -> ndarray: ...
@_core.function
def where(condition: Any, x: Any = np._NoValue, y: Any = np._NoValue, /) -> Any:
    """Choose elements of x where the condition is true and of y where it is false; with the condition alone, return the indices
    where it is true.

    Parameters
    ----------
    condition : array_like of bool
        Other types count as true where they are not zero.
    x, y : array_like, optional
        Both or neither; all three broadcast against one another.

    Returns
    -------
    ndarray, or tuple of ndarray
        Of the common type of `x` and `y`; without them the result of `nonzero`. For strings a NumPy array, computed by
        NumPy.

    Raises
    ------
    ValueError
        One of `x` and `y` is missing, or the shapes do not broadcast.

    Examples
    --------
    >>> import bascule as bc
    >>> x = bc.arange(-2, 3)
    >>> bc.where(x > 0, x, 0).tolist()
    [0, 0, 0, 1, 2]
    """
    if x is np._NoValue and y is np._NoValue:
        return nonzero(condition)
    for v in (condition, x, y):
        if hasattr(v, "__traced_where__"):
            return v.__traced_where__(condition, x, y)
    if x is np._NoValue or y is np._NoValue:
        raise ValueError("either both or neither of x and y should be given")
    like = next((v for v in (condition, x, y) if is_array(v)), None)
    c = as_array(condition, like)
    if c.dtype.kind != "b":
        c = c.astype(bool)
    if type(x) in (int, float, complex, bool) and type(y) in (int, float, complex, bool):
        x = as_array(np.asarray(x, np.result_type(type(x), type(y))), c)
    # Operands of classes with protocols become arrays, too: NumPy's function does not dispatch on them.
    x, y = (v if type(v) in _OPERANDS else as_array(v, c) for v in (x, y))
    try:
        return _select(c, x, y, out=...)
    except OverflowError:  # NumPy casts integers to the result's type even if they overflow
        number, other = (x, y) if type(x) is int else (y, x)
        if type(number) is int and as_array(other, c).dtype.kind in "fc":
            return _select(c, *((float(x), y) if type(x) is int else (x, float(y))), out=...)
        if since("where refuses integers that do not fit") or type(number) is not int or not -(2**63) <= number < 2**64:
            raise
        other = as_array(other, c)
        number = as_array(np.asarray(number).astype(np.result_type(other.dtype, 1)), c)
        return _select(c, *((number, other) if type(x) is int else (other, number)), out=...)


@_core.function
def nonzero(a: _ArrayLike) -> tuple[ndarray, ...]:
    """Return the indices of the elements that are not zero, one array per axis.

    Parameters
    ----------
    a : array_like, one axis or more

    Returns
    -------
    tuple of ndarray of int64
        For each axis the indices along it, in C order.

    Raises
    ------
    ValueError
        The array has no axis.

    Examples
    --------
    >>> import bascule as bc
    >>> rows, columns = bc.nonzero([[0, 1], [2, 0]])
    >>> rows.tolist(), columns.tolist()
    ([0, 1], [1, 0])
    """
    a = as_array(a)
    if a.ndim == 0:
        raise ValueError("Calling nonzero on 0d arrays is not allowed. Use np.atleast_1d(scalar).nonzero() instead.")
    return _core.nonzero(a if a.dtype.kind == "b" else a.astype(bool))


def flatnonzero(a: _ArrayLike) -> ndarray:
    """Return the indices in the flattened array of the elements that are not zero.

    Parameters
    ----------
    a : array_like, any shape

    Returns
    -------
    ndarray of int64, shape (number of them,)

    Examples
    --------
    >>> import bascule as bc
    >>> bc.flatnonzero([[0, 1], [2, 0]]).tolist()
    [1, 2]
    """
    return nonzero(ravel(a))[0]


def argwhere(a: _ArrayLike) -> ndarray:
    """Return the indices of the elements that are not zero, one row per element.

    Parameters
    ----------
    a : array_like, any shape

    Returns
    -------
    ndarray of int64, shape (number of them, a.ndim)

    Examples
    --------
    >>> import bascule as bc
    >>> bc.argwhere([[0, 1], [2, 0]]).tolist()
    [[0, 1], [1, 0]]
    """
    a = as_array(a)
    if a.ndim == 0:
        return empty((int(bool(a)), 0), np.int64, device=a.device)
    return transpose(stack(nonzero(a)))


def compress(
    condition: _ArrayLike, a: _ArrayLike, axis: SupportsIndex | None = None, out: ndarray | None = None
) -> ndarray:
    """Return the slices along an axis where the condition is true.

    Parameters
    ----------
    condition : array_like of bool, shape (n,)
        Which slices to keep; those behind its end are left out.
    a : array_like
    axis : int, optional
        The axis; by default the flattened array.
    out : ndarray, optional
        Output array; it must have the shape of the result.

    Returns
    -------
    ndarray

    Raises
    ------
    ValueError
        The condition does not have one axis.
    IndexError
        An index is out of bounds.

    Examples
    --------
    >>> import bascule as bc
    >>> bc.compress([False, True], [[1, 2], [3, 4]], axis=0).tolist()
    [[3, 4]]
    """
    a, c = as_arrays(a, condition)
    if c.ndim != 1:
        raise ValueError("condition must be a 1-d array")
    return take(a, nonzero(c)[0], axis, out)


def extract(condition: _ArrayLike, arr: _ArrayLike) -> ndarray:
    """Return the elements where the condition is true, as a 1-D array.

    Parameters
    ----------
    condition : array_like
        True where it is not zero; with as many elements as `arr`.
    arr : array_like

    Returns
    -------
    ndarray, shape (number of them,)

    Raises
    ------
    IndexError
        An index is out of bounds.

    Examples
    --------
    >>> import bascule as bc
    >>> x = bc.arange(6)
    >>> bc.extract(x % 2 == 0, x).tolist()
    [0, 2, 4]
    """
    return compress(ravel(as_array(condition, arr)), ravel(arr))


@_core.method_first
def clip(
    a: _ArrayLike,
    a_min: _ArrayLike | None = _NO_VALUE,
    a_max: _ArrayLike | None = _NO_VALUE,
    out: ndarray | None = None,
    *,
    min: _ArrayLike | None = _NO_VALUE,
    max: _ArrayLike | None = _NO_VALUE,
    **kwargs: Any,
) -> ndarray:
    """Limit the elements to an interval.

    Parameters
    ----------
    a : array_like, any shape
    a_min, a_max : array_like or None
        The limits, which broadcast against `a`; None is no limit.
    out : ndarray, optional
        Output array; it must have the shape of the result.
    min, max : array_like or None, optional
        The names of the limits in the Array API.
    **kwargs
        Keyword arguments of ufuncs: `where`, `casting`, `order`, `dtype`.

    Returns
    -------
    ndarray
        NaN stays NaN; if the lower limit is above the upper one, the result is the upper one.

    Raises
    ------
    TypeError
        Only one of `a_min` and `a_max` is given.
    ValueError
        Limits are given by both names, or do not broadcast.

    Examples
    --------
    >>> import bascule as bc
    >>> bc.clip(bc.arange(6), 1, 4).tolist()
    [1, 1, 2, 3, 4, 4]
    """
    if a_min is _NO_VALUE and a_max is _NO_VALUE:
        low, high = (None if v is _NO_VALUE else v for v in (min, max))
    elif a_min is _NO_VALUE or a_max is _NO_VALUE:
        raise TypeError(
            f"clip() missing 1 required positional argument: '{'a_min' if a_min is _NO_VALUE else 'a_max'}'"
        )
    elif min is not _NO_VALUE or max is not _NO_VALUE:
        raise ValueError("Passing `min` or `max` keyword argument when `a_min` and `a_max` are provided is forbidden.")
    else:
        low, high = a_min, a_max
    return limited(as_array(a, next((v for v in (low, high) if is_array(v)), None)), low, high, out, **kwargs)


def limited(a: ndarray, low: Any, high: Any, out: Any, **kwargs: Any) -> ndarray:
    """Elements limited to an interval; None is no limit."""
    if out is not None:
        kwargs["out"] = out
    low, high = _limits(low, high, a)
    if low is None and high is None:
        return by_name["positive"](a, **kwargs)
    if low is None:
        return by_name["minimum"](a, high, **kwargs)
    if high is None:
        return by_name["maximum"](a, low, **kwargs)
    return _clip_op(a, low, high, **kwargs)


def _limits(low: Any, high: Any, a: ndarray) -> tuple[Any, Any]:
    """The limits; None for a Python integer that does not restrict the range of the elements' type."""
    if a.dtype.kind not in "iu":
        return low, high
    info = np.iinfo(a.dtype)
    return (
        None if type(low) is int and low <= info.min else low,
        None if type(high) is int and high >= info.max else high,
    )
