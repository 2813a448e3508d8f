"""Sorting, indices that sort, and searches in sorted arrays."""

from __future__ import annotations

import operator
from typing import TYPE_CHECKING, Any, Literal, SupportsIndex

import numpy as np

from .. import _core
from .._array.conversion import as_array, as_value, device_of, host_view, ndarray, to_numpy
from .manipulation import normalize_axis
from .sorting_common import (
    as_lines,
    check_kind,
    has_numpys_order,
    insertion_points,
    partition_positions,
    partitioned,
    positions,
    positions_by,
    sort_keys,
    sorted_copy,
    unstable_positions,
)

if TYPE_CHECKING:
    from collections.abc import Sequence

    from .._array.types import _ArrayLike, _ArrayOrScalar, _ShapeLike, _SortKind

__all__ = ["argpartition", "argsort", "digitize", "lexsort", "partition", "searchsorted", "sort", "sort_complex"]

_NO_VALUE: Any = np._NoValue


def sort(
    a: _ArrayLike,
    axis: SupportsIndex | None = -1,
    kind: _SortKind | None = None,
    order: str | Sequence[str] | None = None,
    *,
    stable: bool | None = None,
    descending: bool | None = _NO_VALUE,
) -> ndarray:
    """Return a sorted copy.

    Parameters
    ----------
    a : array_like
        Array of real, complex, boolean or time type. NaN and NaT come last.
    axis : int or None, optional
        Axis to sort along; None sorts the flattened array.
    kind : {'quicksort', 'mergesort', 'heapsort', 'stable'}, optional
        All take the same time here; 'mergesort' and 'stable' keep the order of equal elements.
    order : None
        Only None: arrays have no fields.
    stable : bool, optional
        The same as ``kind='stable'``.
    descending : bool, optional
        Sort in descending order; NaN and NaT still come last.

    Returns
    -------
    ndarray
        Of the type, shape and layout of `a`.

    Raises
    ------
    AxisError
        The axis is out of bounds.
    ValueError
        `kind` is unknown, `order` is given, or `kind` is given together with `stable` or `descending`.

    Examples
    --------
    >>> import bascule as bc
    >>> bc.sort([3, 1, 2]).tolist()
    [1, 2, 3]
    """
    descending = None if descending is _NO_VALUE else descending
    a = as_array(a)
    stable = check_kind(kind, order, stable, descending)
    a, axis = as_lines(a, axis)
    return sorted_copy(a, axis, stable, bool(descending))


@_core.function
def argsort(
    a: _ArrayLike,
    axis: SupportsIndex | None = -1,
    kind: _SortKind | None = None,
    order: str | Sequence[str] | None = None,
    *,
    stable: bool | None = None,
    descending: bool | None = _NO_VALUE,
) -> ndarray:
    """Return the indices that would sort an array.

    Equal elements keep their order if the sort is stable. Else their order in arrays of up to 131,072 elements in host
    memory is that of the installed NumPy; in others they keep it.

    Parameters
    ----------
    a : array_like
        Array of real, complex, boolean or time type. NaN and NaT come last.
    axis : int or None, optional
        Axis to sort along; None takes the flattened array.
    kind, order, stable, descending
        As in `sort`.

    Returns
    -------
    ndarray of int64
        Of the shape of `a`.

    Raises
    ------
    AxisError, ValueError
        As for `sort`.

    Examples
    --------
    >>> import bascule as bc
    >>> bc.argsort([3, 1, 2]).tolist()
    [1, 2, 0]
    """
    descending = None if descending is _NO_VALUE else descending
    a = as_array(a)
    stable = check_kind(kind, order, stable, descending)
    a, axis = as_lines(_core.reshape(a, (1,)) if a.ndim == 0 else a, axis)
    return positions(a, axis, bool(descending)) if stable or descending else unstable_positions(a, axis, kind)


def partition(
    a: _ArrayLike,
    kth: _ShapeLike,
    axis: SupportsIndex | None = -1,
    kind: Literal["introselect"] = "introselect",
    order: str | Sequence[str] | None = None,
) -> ndarray:
    """Return a copy in which the element at each index `kth` is the one that a sorted copy has there; no element before
    it is greater, and none behind it is less.

    Parameters
    ----------
    a : array_like
    kth : int or sequence of int
    axis : int or None, optional
        Axis to partition; None takes the flattened array.
    kind : {'introselect'}, optional
    order : None
        Only None: arrays have no fields.

    Returns
    -------
    ndarray
        Of the type and shape of `a`.

    Raises
    ------
    ValueError
        An index is out of bounds, or `kind` is unknown.
    TypeError
        An index is not an integer.

    Notes
    -----
    NumPy does not define the order of the other elements. Here they keep their order between the indices `kth`; short
    lines, and those with many indices, are sorted.

    Examples
    --------
    >>> import bascule as bc
    >>> float(bc.partition([3., 1., 2.], 1)[1])
    2.0
    """
    a, axis = as_lines(a, axis)
    return partitioned(a, partition_positions(a, kth, axis, kind, order), axis)


@_core.method_first
def argpartition(
    a: _ArrayLike,
    kth: _ShapeLike,
    axis: SupportsIndex | None = -1,
    kind: Literal["introselect"] = "introselect",
    order: str | Sequence[str] | None = None,
) -> ndarray:
    """Return the indices that would partition an array; see `partition`.

    Parameters
    ----------
    a, kth, axis, kind, order
        As in `partition`.

    Returns
    -------
    ndarray of int64
        Of the shape of `a`.

    Raises
    ------
    ValueError, TypeError
        As for `partition`.

    Examples
    --------
    >>> import bascule as bc
    >>> int(bc.argpartition([3., 1., 2.], 0)[0])
    1
    """
    a, axis = as_lines(a, axis)
    wanted = partition_positions(a, kth, axis, kind, order)
    if has_numpys_order(a):
        return _core.from_numpy(np.argpartition(host_view(a), wanted, axis), a.device)
    return positions(a, axis) if a.dtype.kind == "c" else _core.argpartition(a, axis, wanted)


def _by_sorter(a: ndarray, sorter: Any) -> ndarray:
    s = as_array(sorter, a)
    if s.ndim != 1 or s.dtype.kind not in "iu" or s.size != a.size:
        # NumPy raises its error, for zeros of the same type.
        np.searchsorted(np.zeros(a.size, np.int8), 0, sorter=np.zeros(s.shape, s.dtype))
    s = s.astype(np.intp, copy=False)
    if s.size and bool(((s < 0) | (s >= a.size)).any()):
        raise ValueError("Sorter index out of range.")
    return a[s]


def _refuse_durations_among_dates(a: Any, v: Any) -> None:
    """Refuse durations in an array of dates: NumPy converts arrays to their common type only if that is safe."""
    kinds = [getattr(x, "dtype", None) for x in (v, a)]
    if sorted(getattr(t, "kind", "") for t in kinds) != ["M", "m"]:
        return
    common = np.promote_types(*kinds)
    for x, t in zip((v, a), kinds):
        if t.kind == "m" and not isinstance(x, np.generic):
            what = "array data" if x.ndim else "scalar"
            raise TypeError(f"Cannot cast {what} from {t!r} to {common!r} according to the rule 'safe'")


def _goes_right(side: Any) -> bool:
    if side in ("left", "right"):
        return side == "right"
    return bool(np.searchsorted(np.zeros(1), 0, side))


@_core.function
def searchsorted(
    a: _ArrayLike, v: _ArrayLike, side: Literal["left", "right"] = "left", sorter: _ArrayLike | None = None
) -> _ArrayOrScalar:
    """Find indices at which values would be inserted to keep a sorted array sorted.

    Parameters
    ----------
    a : array_like of one axis
        Ascending, unless `sorter` is given. NaN and NaT come last.
    v : array_like, any shape
        Values to insert.
    side : {'left', 'right'}, optional
        Whether to insert before ("left") or behind ("right") equal elements.
    sorter : array_like of int, optional
        Indices that sort `a`, as returned by `argsort`.

    Returns
    -------
    ndarray of int64
        Of the shape of `v`; a scalar for a scalar.

    Raises
    ------
    ValueError
        `a` does not have one axis, `side` is unknown, or `sorter` does not match `a`.
    TypeError
        `sorter` is not integer, or the types have no common type.

    Examples
    --------
    >>> import bascule as bc
    >>> bc.searchsorted([1, 2, 2, 3], [0, 2, 9]).tolist()
    [0, 1, 4]
    """
    right = _goes_right(side)
    _refuse_durations_among_dates(a, v)
    a = as_array(a, v)
    v = as_array(v, a)
    if a.ndim != 1:
        np.searchsorted(np.zeros((1,) * a.ndim), 0)
    if sorter is not None:
        a = _by_sorter(a, sorter)
    return as_value(insertion_points(a, v, right))


@_core.function
def lexsort(keys: _ArrayLike, axis: SupportsIndex = -1) -> ndarray:
    """Return the indices that sort by several keys, the last key first. The sort is stable.

    Parameters
    ----------
    keys : array_like of shape (k, ...) or sequence of k array_like
        Keys of one shape.
    axis : int, optional
        Axis to sort along.

    Returns
    -------
    ndarray of int64
        Of the shape of one key.

    Raises
    ------
    ValueError
        The keys differ in shape.
    TypeError
        There are no keys.
    AxisError
        The axis is out of bounds.

    Examples
    --------
    >>> import bascule as bc
    >>> bc.lexsort(([9, 1, 5], [1, 1, 0])).tolist()
    [2, 1, 0]
    """
    axis = operator.index(axis)
    if not hasattr(keys, "__len__") or (type(keys) is ndarray and keys.ndim == 0) or not len(keys):
        np.lexsort(())  # NumPy raises for missing keys
    like = keys if type(keys) is ndarray else next((k for k in keys if type(k) is ndarray), None)
    found = [as_array(k, like) for k in keys]
    if any(k.shape != found[0].shape for k in found):
        raise ValueError("all keys need to be the same shape")
    if found[0].ndim == 0:
        if axis not in (0, -1):
            raise np.exceptions.AxisError(axis, 0)
        return _core.as_scalar(_core.full((), 0, np.intp, found[0].device))
    axis = normalize_axis(axis, found[0].ndim)
    return positions_by([part for k in reversed(found) for part in sort_keys(k)], axis)


def sort_complex(a: _ArrayLike) -> ndarray:
    """Return a complex copy sorted along the last axis, first by the real, then by the imaginary parts.

    Parameters
    ----------
    a : array_like

    Returns
    -------
    ndarray of complex64 or complex128

    Examples
    --------
    >>> import bascule as bc
    >>> bc.sort_complex([2, 1]).tolist()
    [(1+0j), (2+0j)]
    """
    r = sort(a)
    if r.dtype.kind == "c":
        return r
    return r.astype(np.complex64 if r.dtype.char in "bhBH" else np.complex128)


def _falls(edges: np.ndarray) -> bool:
    """Whether the edges descend, as NumPy decides: by the first edge that differs from its predecessor, as NaN does."""
    steps = np.flatnonzero(edges[1:] != edges[:-1])
    return bool(steps.size) and not edges[steps[0]] < edges[steps[0] + 1]


def _bins_without_order(x: ndarray, edges: np.ndarray, right: bool) -> ndarray:
    """Bins between descending edges with NaN, which are not sorted: the results of NumPy's binary search."""
    known = np.unique(edges[edges == edges])
    known_here, last = as_array(known, x), 2 * known.size + 1
    # Odd numbers are edges, even ones the intervals between them, the last one NaN.
    found = insertion_points(known_here, x, False) + insertion_points(known_here, x, True)
    found = found + (x != x) * (last - found)
    edges = np.where(edges == edges, 2 * np.searchsorted(known, edges) + 1, last)[::-1]
    side = "right" if right else "left"
    bins = [edges.size - np.searchsorted(edges, k, side) for k in range(last + 1)]
    return as_value(as_array(np.asarray(bins), x)[found])


@_core.function
def digitize(x: _ArrayLike, bins: _ArrayLike, right: bool = False) -> _ArrayOrScalar:
    """Return the index of the bin of each value: 0 before the first edge, ``len(bins)`` after the last.

    Parameters
    ----------
    x : array_like of real numbers, any shape
    bins : array_like of one axis
        Edges, ascending or descending.
    right : bool, optional
        Whether a bin includes its right edge instead of its left one.

    Returns
    -------
    ndarray of int64
        Of the shape of `x`.

    Raises
    ------
    ValueError
        The edges are neither ascending nor descending, or do not have one axis.
    TypeError
        `x` is complex.

    Examples
    --------
    >>> import bascule as bc
    >>> bc.digitize([0.5, 1, 3], [0, 1, 2]).tolist()
    [1, 2, 3]
    """
    x = as_array(x, bins)
    edges = to_numpy(bins) if device_of(bins) else np.asarray(bins)
    np.digitize(np.empty(0, x.dtype), edges, right)  # NumPy raises its error about the edges
    side = not right
    if _falls(edges):
        if bool((edges != edges).any()):
            return _bins_without_order(x, edges, side)
        return as_value(edges.size - insertion_points(as_array(edges[::-1], x), x, side))
    return as_value(insertion_points(as_array(edges, x), x, side))
