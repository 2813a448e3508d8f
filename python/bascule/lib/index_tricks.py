"""Indices of diagonals and triangles, flat and multi-dimensional indices, grids, and choices by index."""

from __future__ import annotations

import itertools
import math
import operator
import sys
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np

from .. import _core, fallback
from .._array.conversion import as_array, as_output, as_value, extents, is_array, ndarray
from .._array.ufuncs import by_name
from ..interop import numpys_calls
from .creation import arange, array, full, indices, linspace, ones, tri
from .creation.matrices import diagonal_below
from .manipulation import concatenate, swapaxes
from .selection import nonzero, where

if TYPE_CHECKING:
    from .._array.types import _ArrayLike, _ArrayOrScalar, _Mode, _Order, _ShapeLike

__all__ = [
    "c_",
    "choose",
    "diag_indices",
    "diag_indices_from",
    "index_exp",
    "ix_",
    "mask_indices",
    "mgrid",
    "ogrid",
    "r_",
    "ravel_multi_index",
    "s_",
    "tril_indices",
    "tril_indices_from",
    "triu_indices",
    "triu_indices_from",
    "unravel_index",
]


# ---- indices by axes


def ix_(*args: Any) -> tuple[ndarray, ...]:
    """Return index arrays, shaped so that together they select a grid.

    Parameters
    ----------
    *args : array_like of one axis
        Indices, or booleans.

    Returns
    -------
    tuple of ndarray

    Raises
    ------
    ValueError
        An argument does not have one axis.

    Examples
    --------
    >>> import bascule as bc
    >>> [x.shape for x in bc.ix_([0, 1], [2, 4, 6])]
    [(2, 1), (1, 3)]
    """
    like = next((x for x in args if is_array(x)), None)
    out = []
    for k, given in enumerate(args):
        x = as_array(given, like)
        if x.size == 0 and not isinstance(given, (np.ndarray, ndarray)):
            x = x.astype(np.intp)
        if x.ndim != 1:
            raise ValueError("Cross index must be 1 dimensional")
        if x.dtype.kind == "b":
            x = nonzero(x)[0]
        out.append(_core.reshape(x, (1,) * k + (x.size,) + (1,) * (len(args) - k - 1)))
    return tuple(out)


def _whole(x: Any, like: Any, text: str) -> ndarray:
    given, x = x, as_array(x, like)
    if x.dtype.kind not in "biu":
        if x.size or isinstance(given, (np.ndarray, ndarray)):
            raise TypeError(text)
        np.unravel_index(given, (1,))  # NumPy raises its error
    return x.astype(np.intp, copy=False)


def _from_last(order: str | None, n: int) -> range:
    """Axes from the fastest to the slowest in memory."""
    if order not in ("C", "F", None):
        np.unravel_index(0, (1,), order)  # NumPy raises, or accepts the order
    return range(n) if order in ("F", "f") else range(n - 1, -1, -1)


_MOST = 2**63 - 1  # elements
_TOO_MANY = "dimensions are too large; arrays and shapes with a total size greater than 'intp' are not supported."


def _unraveled(index: Any, shape: Any) -> tuple[ndarray, ...] | None:
    """The coordinates of a single index in a valid shape; None if the arguments need checks."""
    if type(index) is ndarray and _core.is_scalar(index) and index.dtype.kind == "i":
        index = int(index)
    if type(index) is not int or type(shape) is not tuple or not all([type(n) is int and n > 0 for n in shape]):
        return None
    place = []
    for n in reversed(shape):
        index, k = divmod(index, n)
        place.append(k)
    if index or not place or math.prod(shape) > _MOST or (r := _core.numbers_in_list(place)) is None:
        return None
    return tuple(r[::-1])


def unravel_index(indices: _ArrayLike, shape: _ShapeLike, order: _Order = "C") -> tuple[ndarray, ...]:
    """Convert flat indices to tuples of coordinates.

    Parameters
    ----------
    indices : array_like of int
    shape : tuple of int
    order : {'C', 'F'}, optional
        Order in which the array is flattened.

    Returns
    -------
    tuple of ndarray of int64
        One per axis, of the shape of `indices`.

    Raises
    ------
    ValueError
        An index is out of bounds.
    TypeError
        `indices` is not integer.

    Examples
    --------
    >>> import bascule as bc
    >>> [int(i) for i in bc.unravel_index(5, (2, 3))]
    [1, 2]
    """
    if order == "C" and (one := _unraveled(indices, shape)) is not None:
        return one
    dims = tuple(extents(shape))
    at = _whole(indices, None, "only int indices permitted")
    size = math.prod(dims)
    if max(itertools.accumulate(dims, operator.mul), default=0) > _MOST:
        raise ValueError(_TOO_MANY)
    if at.size:
        for bad in (int(at.min()), int(at.max())):
            if not 0 <= bad < size:
                raise ValueError(f"index {bad} is out of bounds for array with size {size}")
    if not dims and at.ndim:
        raise ValueError("multiple indices are not supported for 0d arrays")
    out: list[Any] = [None] * len(dims)
    for k in _from_last(order, len(dims)):
        out[k] = as_value(at % dims[k])
        at = at // dims[k]
    return tuple(out)


def _one_index(at: ndarray, n: int, mode: str) -> ndarray:
    if mode == "wrap":
        return at % n
    if mode == "clip":
        return by_name["minimum"](by_name["maximum"](at, 0), n - 1)
    if mode != "raise":
        raise ValueError(f"clipmode must be one of 'clip', 'raise', or 'wrap' (got '{mode}')")
    if at.size and not (0 <= int(at.min()) and int(at.max()) < n):
        raise ValueError("invalid entry in coordinates array")
    return at


def ravel_multi_index(
    multi_index: _ArrayLike, dims: _ShapeLike, mode: _Mode | tuple[_Mode, ...] = "raise", order: _Order = "C"
) -> ndarray:
    """Convert tuples of coordinates to flat indices.

    Parameters
    ----------
    multi_index : sequence of array_like of int
        One per axis; they broadcast.
    dims : tuple of int
        Shape of the array.
    mode : {'raise', 'wrap', 'clip'} or tuple of them, optional
        How indices out of bounds are treated.
    order : {'C', 'F'}, optional
        Order in which the array is flattened.

    Returns
    -------
    ndarray of int64

    Raises
    ------
    ValueError
        An index is out of bounds, or there are not as many arrays as axes.
    TypeError
        An index is not integer.

    Examples
    --------
    >>> import bascule as bc
    >>> int(bc.ravel_multi_index((1, 2), (2, 3)))
    5
    """
    dims = tuple(extents(dims))
    parts = list(multi_index)
    if len(parts) != len(dims):
        raise ValueError(f"parameter multi_index must be a sequence of length {len(dims)}")
    if math.prod(dims) > 2**63 - 1:
        raise ValueError("invalid dims: array size defined by dims is larger than the maximum possible size.")
    modes = list(mode) if isinstance(mode, (tuple, list)) else [mode] * len(dims)
    like = next((x for x in (multi_index, *parts) if is_array(x)), None)
    if 0 in dims and all(np.size(x) for x in parts):
        raise ValueError("cannot unravel if shape has zero entries (is empty).")
    flat: Any = None
    step = 1
    for k in _from_last(order, len(dims)):
        at = _one_index(_whole(parts[k], like, "only int indices permitted"), dims[k], modes[k])
        flat = at if flat is None else flat + at * step
        step *= dims[k]
    return as_value(as_array(np.intp(0), like) if flat is None else flat)


# ---- diagonals and triangles


def diag_indices(n: int, ndim: int = 2) -> tuple[ndarray, ...]:
    """Return the indices of the main diagonal.

    Parameters
    ----------
    n : int
        Length of every axis.
    ndim : int, optional

    Returns
    -------
    tuple of ndarray of int64, shape (n,)

    Examples
    --------
    >>> import bascule as bc
    >>> [i.tolist() for i in bc.diag_indices(2)]
    [[0, 1], [0, 1]]
    """
    return (arange(n),) * ndim


def _require_equal_extents(a: ndarray) -> None:
    if len(set(a.shape)) > 1:
        raise ValueError("All dimensions of input must be of equal length")


def diag_indices_from(arr: _ArrayLike) -> tuple[ndarray, ...]:
    """Return the indices of the main diagonal of an array.

    Parameters
    ----------
    arr : ndarray
        Array whose axes all have the same length.

    Returns
    -------
    tuple of ndarray of int64

    Raises
    ------
    ValueError
        There are fewer than two axes, or they differ in length.

    Examples
    --------
    >>> import bascule as bc
    >>> [i.tolist() for i in bc.diag_indices_from(bc.eye(2))]
    [[0, 1], [0, 1]]
    """
    if not arr.ndim >= 2:
        raise ValueError("input array must be at least 2-d")
    _require_equal_extents(arr)
    return diag_indices(arr.shape[0], arr.ndim)


def mask_indices(n: int, mask_func: Callable[..., Any], k: int = 0) -> tuple[ndarray, ...]:
    """Return the indices of an n by n matrix selected by a function like `triu`.

    Parameters
    ----------
    n : int
        Rows and columns.
    mask_func : callable
        Called with the matrix and `k`.
    k : scalar, optional

    Returns
    -------
    tuple of two ndarray of int64

    Examples
    --------
    >>> import bascule as bc
    >>> [i.tolist() for i in bc.mask_indices(2, bc.triu)]
    [[0, 0, 1], [0, 1, 1]]
    """
    return nonzero(as_array(mask_func(ones((n, n), int), k)) != 0)


def tril_indices(n: int, k: int = 0, m: int | None = None) -> tuple[ndarray, ndarray]:
    """Return the indices of the lower triangle.

    Parameters
    ----------
    n : int
        Rows.
    k : int, optional
        Number of the diagonal, 0 for the main one.
    m : int, optional
        Columns; n by default.

    Returns
    -------
    tuple of two ndarray of int64

    Examples
    --------
    >>> import bascule as bc
    >>> [i.tolist() for i in bc.tril_indices(2)]
    [[0, 1, 1], [0, 0, 1]]
    """
    return nonzero(tri(n, m, k=k, dtype=bool))


def triu_indices(n: int, k: int = 0, m: int | None = None) -> tuple[ndarray, ndarray]:
    """Return the indices of the upper triangle.

    Parameters
    ----------
    n, k, m : int
        As in `tril_indices`.

    Returns
    -------
    tuple of two ndarray of int64

    Examples
    --------
    >>> import bascule as bc
    >>> [i.tolist() for i in bc.triu_indices(2)]
    [[0, 0, 1], [0, 1, 1]]
    """
    return nonzero(~tri(n, m, k=diagonal_below(k), dtype=bool))


def tril_indices_from(arr: _ArrayLike, k: int = 0) -> tuple[ndarray, ndarray]:
    """Return the indices of the lower triangle of a matrix.

    Parameters
    ----------
    arr : ndarray of two axes
    k : int, optional

    Returns
    -------
    tuple of two ndarray of int64

    Raises
    ------
    ValueError
        The array does not have two axes.

    Examples
    --------
    >>> import bascule as bc
    >>> [i.tolist() for i in bc.tril_indices_from(bc.eye(2))]
    [[0, 1, 1], [0, 0, 1]]
    """
    if arr.ndim != 2:
        raise ValueError("input array must be 2-d")
    return tril_indices(arr.shape[0], k, arr.shape[1])


def triu_indices_from(arr: _ArrayLike, k: int = 0) -> tuple[ndarray, ndarray]:
    """Return the indices of the upper triangle of a matrix.

    Parameters
    ----------
    arr : ndarray of two axes
    k : int, optional

    Returns
    -------
    tuple of two ndarray of int64

    Raises
    ------
    ValueError
        The array does not have two axes.

    Examples
    --------
    >>> import bascule as bc
    >>> [i.tolist() for i in bc.triu_indices_from(bc.eye(2))]
    [[0, 0, 1], [0, 1, 1]]
    """
    if arr.ndim != 2:
        raise ValueError("input array must be 2-d")
    return triu_indices(arr.shape[0], k, arr.shape[1])


# ---- grids


def _points(s: slice) -> tuple[Any, Any, Any, int]:
    """First point, spacing, a number of the type of all three, and the number of points, for start:stop:step."""
    start, step = 0 if s.start is None else s.start, 1 if s.step is None else s.step
    if not isinstance(step, (complex, np.complexfloating)):
        return start, step, np.result_type(0, start, s.stop, step), math.ceil((s.stop - start) / step)
    n = int(abs(step))
    t = np.result_type(0, start, s.stop, abs(step))
    return start, (s.stop - start) / float(n - 1) if n != 1 else n, t, n


class _Grid:
    """Coordinates of a grid from slices: ``[0:3, 0:2]``; a step of ``5j`` means five points, including the last one."""

    def __init__(self, sparse: bool) -> None:
        self.sparse = sparse

    def __getitem__(self, key: Any) -> Any:
        if isinstance(key, slice):
            if not isinstance(key.step, (complex, np.complexfloating)):
                return arange(0 if key.start is None else key.start, key.stop, 1 if key.step is None else key.step)
            start, step, t, n = _points(key)
            return arange(0, n, 1, dtype=t) * step + start
        found = [_points(s) for s in key]
        kind = np.result_type(*(t for _, _, t, _ in found)) if found else np.dtype(int)
        shape = [n for *_, n in found]
        if not self.sparse:
            r = indices(shape, kind)
            for k, (start, step, _, _) in enumerate(found):
                r[k] = r[k] * step + start
            return r
        out = []
        for k, (start, step, _, n) in enumerate(found):
            x = arange(n, dtype=kind) * step + start
            out.append(_core.reshape(x, (1,) * k + (n,) + (1,) * (len(found) - k - 1)))
        return tuple(out)


mgrid, ogrid = _Grid(sparse=False), _Grid(sparse=True)
s_, index_exp = np.s_, np.index_exp


class _Concatenator:
    """Arrays, scalars and slices joined along an axis by indexing; a first string like "0,2" sets axis and rank."""

    def __init__(self, axis: int = 0, ndmin: int = 1, place: int = -1) -> None:
        self.axis, self.ndmin, self.place = axis, ndmin, place

    def __len__(self) -> int:
        return 0

    def __getitem__(self, key: Any) -> Any:
        first = key[0] if isinstance(key, tuple) and key else key
        if isinstance(key, str) or (isinstance(first, str) and first in ("r", "c")):  # matrices
            return fallback.in_numpy(self._numpys().__getitem__, (key,), {}, "r_", "matrices are NumPy's own")
        try:
            return self._joined(key)
        except _core.RefusedDtype as error:
            return numpys_calls.asked(error, sys._getframe(1), self._numpys().__getitem__, "r_", (key,), {})

    def _numpys(self) -> Any:
        return type(np.r_).__mro__[1](self.axis, False, self.ndmin, self.place)

    def _joined(self, key: Any) -> ndarray:
        key = key if isinstance(key, tuple) else (key,)
        how = self
        if key and isinstance(key[0], str):
            how, key = self._directed(key[0]), key[1:]
        if any(isinstance(x, str) for x in key):
            raise ValueError("special directives must be the first entry.")
        like = next((x for x in key if is_array(x)), None)
        parts = [x if type(x) in np.ScalarType else how._part(x, like) for x in key]
        if not parts:
            raise ValueError("need at least one array to concatenate")
        if all(type(x) is ndarray for x in parts):
            return concatenate(parts, axis=how.axis)
        kind = np.result_type(*(x.dtype if is_array(x) else x for x in parts))
        joined = [array(x if type(x) is int else as_array(x, like), kind, copy=None, ndmin=how.ndmin) for x in parts]
        return concatenate(joined, axis=how.axis)

    def _directed(self, text: str) -> _Concatenator:
        try:
            numbers = [int(x) for x in text.split(",")]
        except ValueError as error:
            raise ValueError(f"unknown special directive {text!r}") from error
        if len(numbers) > 3:
            raise ValueError(f"unknown special directive {text!r}")
        given = dict(zip(("axis", "ndmin", "place"), numbers))
        return _Concatenator(**{**vars(self), **given})

    def _part(self, x: Any, like: Any) -> ndarray:
        if isinstance(x, slice):
            start, step = 0 if x.start is None else x.start, 1 if x.step is None else x.step
            if isinstance(step, (complex, np.complexfloating)):
                r = linspace(start, x.stop, int(abs(step)))
            else:
                r = arange(start, x.stop, step)
            r = array(r, copy=None, ndmin=self.ndmin)
            return swapaxes(r, -1, self.place) if self.ndmin > 1 and self.place != -1 else r
        a = as_array(x, like)
        if a.ndim >= self.ndmin:
            return a
        extra = self.ndmin - a.ndim
        shape = [1] * extra + list(a.shape)
        if self.place != -1:
            first = self.place + extra + 1 if self.place < 0 else self.place
            shape = shape[:first] + shape[extra:] + shape[first:extra]
        return a.reshape(shape)


r_, c_ = _Concatenator(), _Concatenator(-1, 2, 0)


# ---- choices


def _choice_numbers(a: ndarray, n: int, mode: str) -> ndarray:
    if mode == "raise":
        if a.size and not (0 <= int(a.min()) and int(a.max()) < n):
            raise ValueError("invalid entry in choice array")
        return a
    return _one_index(a, n, mode)


@_core.function
def choose(a: _ArrayLike, choices: _ArrayLike, out: ndarray | None = None, mode: _Mode = "raise") -> _ArrayOrScalar:
    """Select elements of several arrays, each by an index.

    Parameters
    ----------
    a : array_like of int
        Indices of the choices.
    choices : sequence of array_like
        Arrays to choose from; they broadcast with `a`.
    out : ndarray, optional
        Output array.
    mode : {'raise', 'wrap', 'clip'}, optional
        How indices out of bounds are treated.

    Returns
    -------
    ndarray

    Raises
    ------
    ValueError
        An index is out of bounds, or the shapes do not broadcast.
    TypeError
        `a` is not integer.

    Examples
    --------
    >>> import bascule as bc
    >>> bc.choose([1, 0], [[1, 2], [3, 4]]).tolist()
    [3, 2]
    """
    like = next((x for x in (a, choices, *choices) if is_array(x)), None)
    if isinstance(choices, np.ndarray):
        choices = as_array(choices, like)
    a = as_array(a, like)
    if not np.can_cast(a.dtype, np.intp, "safe"):
        raise TypeError(f"Cannot cast array data from {a.dtype!r} to dtype('int64') according to the rule 'safe'")
    kind = np.result_type(*(c if type(c) in (int, float, complex) else as_array(c, like).dtype for c in choices))
    parts = [as_array(c, like) for c in choices]
    for c in parts:
        if kind.kind == "M" != c.dtype.kind:  # durations among dates
            what = "array data" if c.ndim else "scalar"
            raise TypeError(f"Cannot cast {what} from {c.dtype!r} to {kind!r} according to the rule 'safe'")
    at = as_array(_choice_numbers(a.astype(np.intp, copy=False), len(parts), mode), a)
    shape = np.broadcast_shapes(a.shape, *(c.shape for c in parts))
    r = full(shape, 0, kind, device=at.device)
    for k, c in enumerate(parts):
        r = where(at == k, c.astype(kind, copy=False), r)
    if out is None:
        return as_value(r)
    if as_output(out, "output must be an array").shape != shape:
        raise TypeError("choose: invalid shape for output array.")
    out[...] = r
    return out
