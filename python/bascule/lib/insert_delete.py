"""Copies with elements inserted, deleted, repeated or joined."""

from __future__ import annotations

import builtins
import math
import operator
from typing import TYPE_CHECKING, Any, Literal, SupportsIndex

import numpy as np

from .. import _core
from .._array.conversion import as_array, as_host, extents, is_array, ndarray
from .creation import arange, array, empty, ones, zeros
from .manipulation import concatenate, moveaxis, normalize_axes, normalize_axis, ravel
from .reductions import any

if TYPE_CHECKING:
    from .._array.types import _ArrayLike, _Axes, _ShapeLike

__all__ = ["block", "delete", "insert", "resize", "trim_zeros"]


def _line_axis(a: ndarray, axis: Any) -> tuple[ndarray, int]:
    if axis is None:
        return ravel(a), 0
    return a, normalize_axis(axis, a.ndim)


def _wide(a: ndarray, axis: int, n: int) -> ndarray:
    shape = (*a.shape[:axis], n, *a.shape[axis + 1 :])
    return empty(shape, a.dtype, "F" if a.flags.fnc else "C", device=a.device)


def _elements(values: Any, a: ndarray) -> ndarray:
    """Values as elements of a's type; numbers that it cannot hold are refused, as by NumPy."""
    return values if is_array(values) else as_array(as_host(values, a.dtype), a)


def delete(arr: _ArrayLike, obj: int | slice | _ArrayLike, axis: SupportsIndex | None = None) -> ndarray:
    """Return a copy without some slices along an axis.

    Parameters
    ----------
    arr : array_like
    obj : slice, int, array_like of int or of bool
        Indices of the slices to delete.
    axis : int, optional
        The flattened array by default.

    Returns
    -------
    ndarray

    Raises
    ------
    IndexError
        An index is out of bounds.
    ValueError
        A boolean array does not have the length of the axis.

    Examples
    --------
    >>> import bascule as bc
    >>> bc.delete([1, 2, 3, 4], [0, 2]).tolist()
    [2, 4]
    """
    a, axis = _line_axis(as_array(arr, obj), axis)
    n, lead = a.shape[axis], (slice(None),) * axis
    if isinstance(obj, slice):
        gone = range(*obj.indices(n))
        if not gone:
            return a.copy("F" if a.flags.fnc else "C")
        gone = gone if gone.step > 0 else gone[::-1]
        if gone.step == 1:
            return concatenate((a[(*lead, slice(0, gone.start))], a[(*lead, slice(gone.stop, n))]), axis)
        obj = _core.arange(gone.start, gone.step, len(gone), np.dtype(np.intp), a.device)
    at = as_array(obj if is_array(obj) else np.asarray(obj), a)
    if at.size == 0 and not isinstance(obj, (np.ndarray, ndarray)):
        at = at.astype(np.intp)
    if at.dtype.kind in "iu" and at.size == 1:
        k = int(at.reshape(()).item())
        if not -n <= k < n:
            raise IndexError(f"index {k} is out of bounds for axis {axis} with size {n}")
        k %= n
        return concatenate((a[(*lead, slice(0, k))], a[(*lead, slice(k + 1, n))]), axis)
    if at.dtype.kind == "b":
        if at.shape != (n,):
            raise ValueError(
                f"boolean array argument obj to delete must be one dimensional and match the axis length of {n}"
            )
        return a[(*lead, ~at)]
    keep = ones(n, bool, device=a.device)
    keep[at,] = False
    return a[(*lead, keep)]


def _insert_at_one(a: ndarray, at: int, shown: Any, flat: bool, values: Any, axis: int) -> ndarray:
    n, lead = a.shape[axis], (slice(None),) * axis
    if not -n <= at <= n:
        raise IndexError(f"index {shown} is out of bounds for axis {axis} with size {n}")
    at = at + n if at < 0 else at
    v = array(_elements(values, a), a.dtype, copy=None, ndmin=a.ndim)
    if flat:
        v = moveaxis(v, 0, axis)
    more = v.shape[axis]
    out = _wide(a, axis, n + more)
    out[(*lead, slice(0, at))] = a[(*lead, slice(0, at))]
    out[(*lead, slice(at, at + more))] = v
    out[(*lead, slice(at + more, None))] = a[(*lead, slice(at, None))]
    return out


@_core.function
def insert(
    arr: _ArrayLike, obj: int | slice | _ArrayLike, values: _ArrayLike, axis: SupportsIndex | None = None
) -> ndarray:
    """Return a copy with values inserted before the given indices along an axis.

    Parameters
    ----------
    arr : array_like
    obj : slice, int, array_like of int or of bool
        Indices in `arr` before which to insert.
    values : array_like
        Values to insert; cast to the type of `arr`.
    axis : int, optional
        The flattened array by default.

    Returns
    -------
    ndarray

    Raises
    ------
    IndexError
        An index is out of bounds.
    ValueError
        Indices have more than one axis, or the values do not broadcast.

    Examples
    --------
    >>> import bascule as bc
    >>> bc.insert([1, 2, 3], 1, 9).tolist()
    [1, 9, 2, 3]
    """
    like = next((x for x in (arr, obj, values) if is_array(x)), None)
    a, axis = _line_axis(as_array(arr, like), axis)
    n = a.shape[axis]
    if isinstance(obj, slice):
        obj = arange(*obj.indices(n), dtype=np.intp, device=a.device)
    at = as_array(obj if is_array(obj) else np.asarray(obj), a)
    if at.dtype.kind == "b":
        if at.ndim != 1:
            raise ValueError("boolean array argument obj to insert must be one dimensional")
        at = _core.nonzero(at)[0]
    elif at.ndim > 1:
        raise ValueError("index array argument obj to insert must be one dimensional or scalar")
    if at.size == 1:
        return _insert_at_one(a, operator.index(at.reshape(()).item()), obj, at.ndim == 0, values, axis)
    if at.size == 0 and not isinstance(obj, (np.ndarray, ndarray)):
        at = at.astype(np.intp)
    at = at + (at < 0) * at.dtype.type(n)
    # Each index moves by the number of values that are inserted before it.
    from .sorting import argsort

    at[argsort(at, kind="stable")] += arange(len(at), dtype=at.dtype, device=a.device)
    old = ones(n + len(at), bool, device=a.device)
    old[at] = False
    out, lead = _wide(a, axis, n + len(at)), (slice(None),) * axis
    out[(*lead, at)] = _elements(values, a).astype(a.dtype, copy=False)
    out[(*lead, old)] = a
    return out


def resize(a: _ArrayLike, new_shape: _ShapeLike) -> ndarray:
    """Return an array with another shape; elements are repeated if there are too few.

    Parameters
    ----------
    a : array_like
    new_shape : int or tuple of int

    Returns
    -------
    ndarray
        Zeros if `a` is empty.

    Raises
    ------
    ValueError
        A length is negative.

    Examples
    --------
    >>> import bascule as bc
    >>> bc.resize([1, 2, 3], (2, 2)).tolist()
    [[1, 2], [3, 1]]
    """
    shape = tuple(extents(new_shape))
    if builtins.any(n < 0 for n in shape):
        raise ValueError("all elements of `new_shape` must be non-negative")
    a = ravel(as_array(a))
    n = math.prod(shape)
    if a.size == 0:
        return zeros(shape, a.dtype, device=a.device)
    out = empty(n, a.dtype, device=a.device)
    whole = n // a.size
    if whole:
        _core.reshape(out[: whole * a.size], (whole, a.size))[...] = a
    out[whole * a.size :] = a[: n - whole * a.size]
    return _core.reshape(out, shape)


def trim_zeros(filt: _ArrayLike, trim: Literal["f", "b", "fb", "bf"] = "fb", axis: _Axes | None = None) -> Any:
    """Remove leading and trailing zeros.

    Parameters
    ----------
    filt : array_like
    trim : {'fb', 'f', 'b'}, optional
        Whether to trim at the front, at the back or at both ends.
    axis : int or tuple of int, optional
        Axes to trim; all by default.

    Returns
    -------
    ndarray or sequence
        A view of `filt`, or a slice of it if it is a sequence.

    Raises
    ------
    ValueError
        `trim` has other letters.

    Examples
    --------
    >>> import bascule as bc
    >>> bc.trim_zeros(bc.array([0, 0, 1, 2, 0])).tolist()
    [1, 2]
    """
    a = as_array(filt)
    trim = trim.lower()
    if trim not in {"fb", "bf", "f", "b"}:
        raise ValueError(f"unexpected character(s) in `trim`: {trim!r}")
    axes = range(a.ndim) if axis is None else normalize_axes(axis, a.ndim, "axis")
    key = [slice(None)] * a.ndim
    true = a.astype(bool, copy=False)
    for k in axes:
        others = tuple(j for j in range(a.ndim) if j != k)
        at = _core.nonzero(any(true, axis=others) if others else true)[0]
        if at.size == 0:
            key[k] = slice(0, 0)
        else:
            key[k] = slice(int(at[0]) if "f" in trim else None, int(at[-1]) + 1 if "b" in trim else None)
    if not axes:
        return filt
    return filt[key[0]] if len(key) == 1 else filt[tuple(key)]


# ---- block


def _place_name(at: tuple[int, ...]) -> str:
    return "arrays" + "".join(f"[{i}]" for i in at)


def _depth(arrays: Any, at: tuple[int, ...] = ()) -> int:
    """The depth of nested lists, which must be the same in all of them."""
    if isinstance(arrays, tuple):
        raise TypeError(
            f"{_place_name(at)} is a tuple. Only lists can be used to arrange blocks, and np.block does not allow "
            "implicit conversion from tuple to ndarray."
        )
    if not isinstance(arrays, list):
        return len(at)
    if not arrays:
        raise ValueError(f"List at {_place_name(at)} cannot be empty")
    depths = [_depth(part, (*at, i)) for i, part in enumerate(arrays)]
    for i, depth in enumerate(depths):
        if depth != depths[0]:
            raise ValueError(
                f"List depths are mismatched. First element was at depth {depths[0]}, but there is an element at "
                f"depth {depth} ({_place_name((*at, i))})"
            )
    return depths[0]


def _leaves(arrays: Any) -> list[Any]:
    return [leaf for part in arrays for leaf in _leaves(part)] if isinstance(arrays, list) else [arrays]


def _joined(arrays: Any, axis: int, ndim: int, like: Any) -> ndarray:
    if isinstance(arrays, list):
        return concatenate([_joined(part, axis + 1, ndim, like) for part in arrays], axis)
    return array(as_array(arrays, like), copy=None, ndmin=ndim)


def block(arrays: Any) -> ndarray:
    """Assemble an array from nested lists of blocks; the innermost lists are joined along the last axis.

    Parameters
    ----------
    arrays : nested list of array_like
        Lists of equal depth.

    Returns
    -------
    ndarray

    Raises
    ------
    ValueError
        The lists differ in depth, one is empty, or the blocks do not match.
    TypeError
        There is a tuple among the lists.

    Examples
    --------
    >>> import bascule as bc
    >>> bc.block([[bc.ones((1, 2)), bc.zeros((1, 1))], [bc.full((1, 3), 2.0)]]).tolist()
    [[1.0, 1.0, 0.0], [2.0, 2.0, 2.0]]
    """
    depth = _depth(arrays)
    leaves = _leaves(arrays)
    like = next((x for x in leaves if is_array(x)), None)
    ndim = max(depth, *(np.ndim(x) if not is_array(x) else x.ndim for x in leaves))
    r = _joined(arrays, ndim - depth, ndim, like)
    return r.copy() if depth == 0 else r
