"""Functions that join arrays."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, SupportsIndex, overload

import numpy as np

from ... import _core
from ..._array import caller_warnings as warned
from ..._array.conversion import as_array, as_arrays, as_output, is_array, ndarray
from ..._array.numpy_versions import since
from .shapes import _WEAK, expand_dims, normalize_axis, ravel

if TYPE_CHECKING:
    from collections.abc import Iterable

    from numpy.typing import DTypeLike

    from ..._array.types import _ArrayLike, _Casting

__all__ = [
    "append",
    "atleast_1d",
    "atleast_2d",
    "atleast_3d",
    "column_stack",
    "concat",
    "concatenate",
    "dstack",
    "hstack",
    "row_stack",
    "stack",
    "vstack",
]
if since("row_stack is gone"):
    __all__.remove("row_stack")


@overload
def atleast_1d(a0: _ArrayLike, /) -> ndarray: ...
@overload
def atleast_1d(a0: _ArrayLike, a1: _ArrayLike, /, *arys: _ArrayLike) -> tuple[ndarray, ...]: ...
def atleast_1d(*arys: Any) -> Any:
    """Return arrays with at least one axis.

    Parameters
    ----------
    *arys : array_like, any shapes

    Returns
    -------
    ndarray, or a tuple of ndarray for several arguments

    Examples
    --------
    >>> import bascule as bc
    >>> bc.atleast_1d(3.0).shape
    (1,)
    """
    out = [_core.reshape(a, (1,)) if a.ndim == 0 else a for a in map(as_array, arys)]
    return out[0] if len(out) == 1 else tuple(out)


@overload
def atleast_2d(a0: _ArrayLike, /) -> ndarray: ...
@overload
def atleast_2d(a0: _ArrayLike, a1: _ArrayLike, /, *arys: _ArrayLike) -> tuple[ndarray, ...]: ...
def atleast_2d(*arys: Any) -> Any:
    """Return arrays with at least two axes.

    Parameters
    ----------
    *arys : array_like, any shapes

    Returns
    -------
    ndarray, or a tuple of ndarray for several arguments
        New axes come first.

    Examples
    --------
    >>> import bascule as bc
    >>> bc.atleast_2d([1, 2]).shape
    (1, 2)
    """
    out = [_core.reshape(a, (1,) * (2 - a.ndim) + a.shape) if a.ndim < 2 else a for a in map(as_array, arys)]
    return out[0] if len(out) == 1 else tuple(out)


@overload
def atleast_3d(a0: _ArrayLike, /) -> ndarray: ...
@overload
def atleast_3d(a0: _ArrayLike, a1: _ArrayLike, /, *arys: _ArrayLike) -> tuple[ndarray, ...]: ...
def atleast_3d(*arys: Any) -> Any:
    """Return arrays with at least three axes.

    Parameters
    ----------
    *arys : array_like, any shapes

    Returns
    -------
    ndarray, or a tuple of ndarray for several arguments
        A vector is along the second axis, a matrix along the first two.

    Examples
    --------
    >>> import bascule as bc
    >>> bc.atleast_3d([1, 2]).shape
    (1, 2, 1)
    """

    def widen(a: ndarray) -> ndarray:
        shapes = {0: (1, 1, 1), 1: (1, *a.shape, 1), 2: (*a.shape, 1)}
        return _core.reshape(a, shapes[a.ndim]) if a.ndim < 3 else a

    out = [widen(a) for a in map(as_array, arys)]
    return out[0] if len(out) == 1 else tuple(out)


def _check_joinable(arrays: list[ndarray], axis: int) -> None:
    first = arrays[0]
    for i, a in enumerate(arrays[1:], 1):
        if a.ndim != first.ndim:
            raise ValueError(
                "all the input arrays must have same number of dimensions, but the array at index 0 has "
                f"{first.ndim} dimension(s) and the array at index {i} has {a.ndim} dimension(s)"
            )
        for k in range(a.ndim):
            if k != axis and a.shape[k] != first.shape[k]:
                raise ValueError(
                    "all the input array dimensions except for the concatenation axis must match exactly, but along "
                    f"dimension {k}, the array at index 0 has size {first.shape[k]} and the array at index {i} has size {a.shape[k]}"
                )


@_core.function
def concatenate(
    arrays: Iterable[_ArrayLike],
    /,
    axis: SupportsIndex | None = 0,
    out: ndarray | None = None,
    *,
    dtype: DTypeLike | None = None,
    casting: _Casting = "same_kind",
) -> ndarray:
    """Join arrays along an existing axis.

    Parameters
    ----------
    arrays : sequence of array_like
        Arrays to join, equal in shape except along the axis.
    axis : int or None, optional
        Axis along which they are joined; None joins them flattened.
    out : ndarray, optional
        Output array; it must have the shape of the result.
    dtype : dtype, optional
        dtype of the result; by default the common dtype of the arrays.
    casting : {"no", "equiv", "safe", "same_kind", "unsafe"}, optional
        Allowed conversions of the arrays.

    Returns
    -------
    ndarray

    Raises
    ------
    ValueError
        No array is given, or they differ in length along an axis that is not joined.
    TypeError
        `casting` does not allow a conversion.
    numpy.exceptions.AxisError
        The axis is out of bounds.

    Examples
    --------
    >>> import bascule as bc
    >>> bc.concatenate(([1, 2], [3])).tolist()
    [1, 2, 3]
    """
    if isinstance(arrays, dict) or not hasattr(arrays, "__getitem__"):
        raise TypeError("The first input argument needs to be a sequence")
    given = arrays if not is_array(arrays) else list(arrays)
    parts = as_arrays(*given)
    if not parts:
        raise ValueError("need at least one array to concatenate")
    if axis is None:
        parts, axis = [ravel(a) for a in parts], 0
    elif parts[0].ndim == 0:
        raise ValueError("zero-dimensional arrays cannot be concatenated")
    axis = normalize_axis(axis, parts[0].ndim)
    _check_joinable(parts, axis)
    shape = list(parts[0].shape)
    shape[axis] = sum(a.shape[axis] for a in parts)
    if out is None:
        kind = _common_type(given, parts) if dtype is None else np.dtype(dtype)
    elif dtype is not None:
        raise TypeError("concatenate() only takes `out` or `dtype` as an argument, but both were provided.")
    elif as_output(out, "'out' must be an array").shape != tuple(shape):
        raise ValueError("Output array is the wrong shape")
    else:
        kind = out.dtype
    for x, a in zip(given, parts):
        if type(x) not in _WEAK and not np.can_cast(a.dtype, kind, casting):
            raise TypeError(f"Cannot cast array data from {a.dtype!r} to {kind!r} according to the rule '{casting}'")
    if out is None:
        return _core.concatenate([a.astype(kind, copy=False) for a in parts], axis)
    at, key = 0, [slice(None)] * len(shape)
    for a in parts:
        key[axis] = slice(at, at + a.shape[axis])
        out[tuple(key)] = a
        at += a.shape[axis]
    return out


def _common_type(given: Any, parts: list[ndarray]) -> np.dtype:
    """Common type of the parts; Python's numbers take the type of the arrays."""
    return np.result_type(*(x if type(x) in _WEAK else a.dtype for x, a in zip(given, parts)))


concat = concatenate


@_core.function
def stack(
    arrays: Iterable[_ArrayLike],
    axis: SupportsIndex = 0,
    out: ndarray | None = None,
    *,
    dtype: DTypeLike | None = None,
    casting: _Casting = "same_kind",
) -> ndarray:
    """Join arrays of the same shape along a new axis.

    Parameters
    ----------
    arrays : sequence of array_like
        Arrays to join, all of one shape.
    axis : int, optional
        Position of the new axis in the result.
    out : ndarray, optional
        Output array; it must have the shape of the result.
    dtype : dtype, optional
        dtype of the result; by default the common dtype of the arrays.
    casting : {"no", "equiv", "safe", "same_kind", "unsafe"}, optional
        Allowed conversions of the arrays.

    Returns
    -------
    ndarray
        With one axis more than the arrays.

    Raises
    ------
    ValueError
        No array is given, or they differ in shape.
    TypeError
        `casting` does not allow a conversion.
    numpy.exceptions.AxisError
        The axis is out of bounds.

    Examples
    --------
    >>> import bascule as bc
    >>> bc.stack(([1, 2], [3, 4]), axis=1).tolist()
    [[1, 3], [2, 4]]
    """
    parts = as_arrays(*_sequence(arrays))
    if not parts:
        raise ValueError("need at least one array to stack")
    if len({a.shape for a in parts}) != 1:
        raise ValueError("all input arrays must have the same shape")
    axis = normalize_axis(axis, parts[0].ndim + 1)
    return concatenate([expand_dims(a, axis) for a in parts], axis, out, dtype=dtype, casting=casting)


def _sequence(arrays: Any) -> Any:
    if not hasattr(arrays, "__getitem__"):
        raise TypeError('arrays to stack must be passed as a "sequence" type such as list or tuple.')
    return arrays


def _listed(arrays: Any, widen: Any) -> list[ndarray]:
    r = widen(*as_arrays(*_sequence(arrays)))
    return list(r) if isinstance(r, tuple) else [r]


@_core.function
def vstack(tup: Iterable[_ArrayLike], *, dtype: DTypeLike | None = None, casting: _Casting = "same_kind") -> ndarray:
    """Stack arrays vertically (row-wise).

    Parameters
    ----------
    tup : sequence of array_like
        Arrays to join.
    dtype : dtype, optional
        dtype of the result; by default the common dtype of the arrays.
    casting : {"no", "equiv", "safe", "same_kind", "unsafe"}, optional
        Allowed conversions of the arrays.

    Returns
    -------
    ndarray, of two axes or more
        An array with one axis is a row.

    Raises
    ------
    ValueError
        No array is given, or they differ in length along an axis that is not joined.
    TypeError
        `casting` does not allow a conversion.

    Examples
    --------
    >>> import bascule as bc
    >>> bc.vstack(([1, 2], [3, 4])).tolist()
    [[1, 2], [3, 4]]
    """
    return concatenate(_listed(tup, atleast_2d), 0, dtype=dtype, casting=casting)


def row_stack(tup: Iterable[_ArrayLike], *, dtype: DTypeLike | None = None, casting: _Casting = "same_kind") -> ndarray:
    """Alias of `vstack`.

    Parameters
    ----------
    tup : sequence of array_like
        Arrays to join.
    dtype : dtype, optional
        dtype of the result; by default the common dtype of the arrays.
    casting : {"no", "equiv", "safe", "same_kind", "unsafe"}, optional
        Allowed conversions of the arrays.

    Returns
    -------
    ndarray, of two axes or more

    Raises
    ------
    ValueError
        No array is given, or they differ in length along an axis that is not joined.
    TypeError
        `casting` does not allow a conversion.

    Notes
    -----
    It issues NumPy's DeprecationWarning.

    Examples
    --------
    >>> import bascule as bc
    >>> import warnings
    >>> with warnings.catch_warnings(action="ignore"):
    ...     bc.row_stack(([1, 2], [3, 4])).tolist()
    [[1, 2], [3, 4]]
    """
    warned.warn("`row_stack` alias is deprecated. Use `np.vstack` directly.", DeprecationWarning)
    return vstack(tup, dtype=dtype, casting=casting)


@_core.function
def hstack(tup: Iterable[_ArrayLike], *, dtype: DTypeLike | None = None, casting: _Casting = "same_kind") -> ndarray:
    """Stack arrays horizontally (column-wise); 1-D arrays are concatenated.

    Parameters
    ----------
    tup : sequence of array_like
        Arrays to join.
    dtype : dtype, optional
        dtype of the result; by default the common dtype of the arrays.
    casting : {"no", "equiv", "safe", "same_kind", "unsafe"}, optional
        Allowed conversions of the arrays.

    Returns
    -------
    ndarray
        Arrays with two axes or more are joined along the second one.

    Raises
    ------
    ValueError
        No array is given, or they differ in length along an axis that is not joined.
    TypeError
        `casting` does not allow a conversion.

    Examples
    --------
    >>> import bascule as bc
    >>> bc.hstack(([1, 2], [3, 4])).tolist()
    [1, 2, 3, 4]
    """
    parts = _listed(tup, atleast_1d)
    return concatenate(parts, 0 if parts and parts[0].ndim == 1 else 1, dtype=dtype, casting=casting)


@_core.function
def dstack(tup: Iterable[_ArrayLike]) -> ndarray:
    """Stack arrays along the third axis.

    Parameters
    ----------
    tup : sequence of array_like
        Arrays to join.

    Returns
    -------
    ndarray, of three axes or more
        Arrays are converted as by `atleast_3d`.

    Raises
    ------
    ValueError
        No array is given, or they differ in length along an axis that is not joined.
    TypeError
        `casting` does not allow a conversion.

    Examples
    --------
    >>> import bascule as bc
    >>> bc.dstack(([1, 2], [3, 4])).tolist()
    [[[1, 3], [2, 4]]]
    """
    return concatenate(_listed(tup, atleast_3d), 2)


@_core.function
def column_stack(tup: Iterable[_ArrayLike]) -> ndarray:
    """Stack 1-D arrays as the columns of a matrix.

    Parameters
    ----------
    tup : sequence of array_like
        Arrays to join.

    Returns
    -------
    ndarray, of two axes
        Arrays with two axes keep their columns.

    Raises
    ------
    ValueError
        No array is given, or they differ in length along an axis that is not joined.
    TypeError
        `casting` does not allow a conversion.

    Examples
    --------
    >>> import bascule as bc
    >>> bc.column_stack(([1, 2], [3, 4])).tolist()
    [[1, 3], [2, 4]]
    """
    return concatenate([_core.reshape(a, (a.size, 1)) if a.ndim < 2 else a for a in as_arrays(*_sequence(tup))], 1)


@_core.function
def append(arr: _ArrayLike, values: _ArrayLike, axis: SupportsIndex | None = None) -> ndarray:
    """Return a copy with values appended at the end.

    Parameters
    ----------
    arr : array_like, any shape
    values : array_like
        Values to append, equal in shape except along the axis.
    axis : int, optional
        Axis along which they are joined; both are flattened when absent.

    Returns
    -------
    ndarray
        A new array.

    Raises
    ------
    ValueError
        They differ in length along an axis that is not joined.

    Examples
    --------
    >>> import bascule as bc
    >>> bc.append([1, 2], 3).tolist()
    [1, 2, 3]
    """
    a, v = as_arrays(arr, values)
    return concatenate((ravel(a), ravel(v))) if axis is None else concatenate((a, v), axis)
