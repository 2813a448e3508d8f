"""Unique elements, and set operations on arrays."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal, NamedTuple, SupportsIndex, overload

import numpy as np

from .. import _core
from .._array.conversion import as_array, ndarray
from .._array.numpy_versions import since
from .._array.ufuncs import by_name
from .manipulation import concatenate, moveaxis, ravel
from .selection import where
from .sorting_common import FEW, different, insertion_points, positions, sort_keys, sorted_copy

if TYPE_CHECKING:
    from .._array.types import _ArrayLike

__all__ = [
    "intersect1d",
    "isin",
    "setdiff1d",
    "setxor1d",
    "union1d",
    "unique",
    "unique_all",
    "unique_counts",
    "unique_inverse",
    "unique_values",
]


if TYPE_CHECKING:

    class _AllResult(NamedTuple):
        values: ndarray
        indices: ndarray
        inverse_indices: ndarray
        counts: ndarray

    class _CountsResult(NamedTuple):
        values: ndarray
        counts: ndarray

    class _InverseResult(NamedTuple):
        values: ndarray
        inverse_indices: ndarray

else:  # NumPy's classes of results have no public names
    _AllResult = type(np.unique_all(np.empty(0)))
    _CountsResult = type(np.unique_counts(np.empty(0)))
    _InverseResult = type(np.unique_inverse(np.empty(0)))


def _changes(keys: list[ndarray], nan_equal: bool) -> ndarray:
    """Where a row of sorted keys differs from the row before it; the first row always does."""
    n = keys[0].size
    new = _core.full((n,), n > 0, np.bool_, keys[0].device)
    if n > 1:
        differs = None
        for k in keys:
            here = k[1:] != k[:-1]
            if nan_equal and k.dtype.kind in "fmM":
                here = here & ~((k[1:] != k[1:]) & (k[:-1] != k[:-1]))
            differs = here if differs is None else differs | here
        new[1:] = differs
        new[0] = True
    return new


def _lengths(new: ndarray) -> ndarray:
    """Lengths of runs, from the mask of their starts."""
    starts = _core.nonzero(new)[0]
    ends = concatenate((starts[1:], as_array(np.array([new.size]), new)))
    return ends - starts


def _by_order(
    columns: list[ndarray], equality: list[ndarray], nan_equal: bool, inverse: bool, counts: bool
) -> tuple[ndarray, ndarray | None, ndarray | None]:
    """The first index of each distinct row, the number of the distinct row equal to each row, and the counts. Rows are
    sorted by `columns` and are equal if all `equality` keys are."""
    order = _core.argsort_by(columns)
    new = _changes([c[order] for c in equality], nan_equal)
    numbers = None
    if inverse:
        numbers = _core.full(order.shape, 0, np.intp, order.device)
        numbers[order] = new.astype(np.intp).cumsum() - 1
    return order[new], numbers, _lengths(new) if counts else None


def _complex_classes(a: ndarray) -> list[ndarray]:
    """Sort keys that are the same for all complex NaN, which NumPy treats as equal."""
    nulls, real, imaginary = sort_keys(a)
    bad = nulls != 0
    zero = as_array(np.zeros((), real.dtype), a)
    return [bad.astype(np.uint8), where(bad, zero, real), where(bad, zero, imaginary)]


def _distinct(a: ndarray, nan_equal: bool, index: bool, inverse: bool, counts: bool) -> tuple:
    """unique of an array with one axis: values, first indices, inverse, counts; None for results not needed."""
    has_nan = a.dtype.kind in "fcmM"
    if not (index or inverse or counts or a.dtype.kind == "c") and (has_nan or a.size < FEW):
        return different(a, has_nan and nan_equal), None, None, None
    if not index and not inverse and a.dtype.kind in "fmM":
        s = sorted_copy(a, 0)
        new = _changes([s], nan_equal)
        return s[new], None, None, _lengths(new) if counts else None
    if a.dtype.kind == "c" or (has_nan and not nan_equal):
        keys = sort_keys(a)
        alike = _complex_classes(a) if a.dtype.kind == "c" and nan_equal else keys
        first, numbers, lengths = _by_order(keys, alike, nan_equal, inverse, counts)
        if alike is not keys and not (index or inverse or counts) and (missing := by_name["isnan"](a)).any():
            first[-1] = missing.argmax()  # in this case NumPy returns the first NaN in the array
        return a[first], first, numbers, lengths
    first, numbers = _core.factorize([a], inverse or counts)
    lengths = _core.bincount(numbers, first.size) if counts else None
    return a[first], first, numbers, lengths


def _distinct_rows(a: ndarray, axis: int, inverse: bool, counts: bool) -> tuple:
    """unique along an axis: slices are compared element by element."""
    try:
        rows = moveaxis(a, axis, 0)
    except np.exceptions.AxisError:
        raise np.exceptions.AxisError(axis, a.ndim) from None
    n, width = rows.shape[0], int(np.prod(rows.shape[1:], dtype=np.intp))
    table = _core.reshape(rows, (n, width))
    if width:
        columns = [k for c in range(width) for k in sort_keys(table[:, c])]
        first, numbers, lengths = _by_order(columns, columns, False, inverse, counts)
    else:  # empty rows are all equal
        some = min(n, 1)
        first, numbers = (_core.full((k,), 0, np.intp, a.device) for k in (some, n))
        lengths = _core.full((some,), n, np.intp, a.device) if counts else None
    return moveaxis(rows[first], 0, axis), first, numbers, lengths


@overload
def unique(
    ar: _ArrayLike,
    return_index: Literal[False] = False,
    return_inverse: Literal[False] = False,
    return_counts: Literal[False] = False,
    axis: SupportsIndex | None = None,
    *,
    equal_nan: bool = True,
    sorted: bool = True,
) -> ndarray: ...
@overload
def unique(
    ar: _ArrayLike,
    return_index: Literal[False] = False,
    return_inverse: Literal[False] = False,
    *,
    return_counts: Literal[True],
    axis: SupportsIndex | None = None,
    equal_nan: bool = True,
    sorted: bool = True,
) -> tuple[ndarray, ndarray]: ...
@overload
def unique(
    ar: _ArrayLike,
    return_index: Literal[False] = False,
    *,
    return_inverse: Literal[True],
    return_counts: Literal[False] = False,
    axis: SupportsIndex | None = None,
    equal_nan: bool = True,
    sorted: bool = True,
) -> tuple[ndarray, ndarray]: ...
@overload
def unique(
    ar: _ArrayLike,
    return_index: Literal[False] = False,
    *,
    return_inverse: Literal[True],
    return_counts: Literal[True],
    axis: SupportsIndex | None = None,
    equal_nan: bool = True,
    sorted: bool = True,
) -> tuple[ndarray, ndarray, ndarray]: ...
@overload
def unique(
    ar: _ArrayLike,
    *,
    return_index: Literal[True],
    return_inverse: Literal[False] = False,
    return_counts: Literal[False] = False,
    axis: SupportsIndex | None = None,
    equal_nan: bool = True,
    sorted: bool = True,
) -> tuple[ndarray, ndarray]: ...
@overload
def unique(
    ar: _ArrayLike,
    *,
    return_index: Literal[True],
    return_inverse: Literal[False] = False,
    return_counts: Literal[True],
    axis: SupportsIndex | None = None,
    equal_nan: bool = True,
    sorted: bool = True,
) -> tuple[ndarray, ndarray, ndarray]: ...
@overload
def unique(
    ar: _ArrayLike,
    *,
    return_index: Literal[True],
    return_inverse: Literal[True],
    return_counts: Literal[False] = False,
    axis: SupportsIndex | None = None,
    equal_nan: bool = True,
    sorted: bool = True,
) -> tuple[ndarray, ndarray, ndarray]: ...
@overload
def unique(
    ar: _ArrayLike,
    *,
    return_index: Literal[True],
    return_inverse: Literal[True],
    return_counts: Literal[True],
    axis: SupportsIndex | None = None,
    equal_nan: bool = True,
    sorted: bool = True,
) -> tuple[ndarray, ndarray, ndarray, ndarray]: ...
def unique(
    ar: Any,
    return_index: bool = False,
    return_inverse: bool = False,
    return_counts: bool = False,
    axis: int | None = None,
    *,
    equal_nan: bool = True,
    sorted: bool = True,
) -> Any:
    """Return the sorted unique elements of an array.

    Parameters
    ----------
    ar : array_like
        Array of real, complex, boolean or time type; flattened if `axis` is None.
    return_index : bool, optional
        Return also the index of the first occurrence of each.
    return_inverse : bool, optional
        Return also, for each element, its index among the unique ones.
    return_counts : bool, optional
        Return also the number of occurrences of each.
    axis : int, optional
        Compare the slices along this axis instead of elements.
    equal_nan : bool, optional
        Whether all NaN are equal.
    sorted : bool, optional
        No effect: the result is always sorted.

    Returns
    -------
    ndarray, or tuple of ndarray
        The unique elements, then the other results in this order, as int64.

    Raises
    ------
    AxisError
        The axis is out of bounds.

    Examples
    --------
    >>> import bascule as bc
    >>> bc.unique([2, 1, 2]).tolist()
    [1, 2]
    """
    a = as_array(ar)
    wanted = (bool(return_index), bool(return_inverse), bool(return_counts))
    if axis is not None and a.ndim == 1:
        np.lib.array_utils.normalize_axis_index(axis, a.ndim)
    if axis is None or (a.ndim == 1 and since("unique takes one axis as none")):
        values, first, numbers, lengths = _distinct(ravel(a), equal_nan, *wanted)
        if wanted[1] and axis is None:
            numbers = _core.reshape(numbers, a.shape)
    elif a.ndim == 1:
        values, first, numbers, lengths = _distinct_rows(_core.reshape(a, (a.size, 1)), 0, *wanted[1:])
        values = ravel(values)
    else:
        values, first, numbers, lengths = _distinct_rows(a, axis, *wanted[1:])
    more = [r for r, yes in zip((first, numbers, lengths), wanted) if yes]
    return (values, *more) if more else values


def unique_all(x: _ArrayLike) -> _AllResult:
    """Return the unique elements with their indices, inverse and counts; NaN are not equal to one another.

    Parameters
    ----------
    x : array_like

    Returns
    -------
    tuple of (values, indices, inverse_indices, counts)

    Examples
    --------
    >>> import bascule as bc
    >>> bc.unique_all([2, 1, 2]).counts.tolist()
    [1, 2]
    """
    return _AllResult(*unique(x, True, True, True, equal_nan=False))


def unique_counts(x: _ArrayLike) -> _CountsResult:
    """Return the unique elements and their counts; NaN are not equal to one another.

    Parameters
    ----------
    x : array_like

    Returns
    -------
    tuple of (values, counts)

    Examples
    --------
    >>> import bascule as bc
    >>> bc.unique_counts([2, 1, 2]).values.tolist()
    [1, 2]
    """
    return _CountsResult(*unique(x, return_counts=True, equal_nan=False))


def unique_inverse(x: _ArrayLike) -> _InverseResult:
    """Return the unique elements and the index of each element among them; NaN are not equal to one another.

    Parameters
    ----------
    x : array_like

    Returns
    -------
    tuple of (values, inverse_indices)

    Examples
    --------
    >>> import bascule as bc
    >>> bc.unique_inverse([2, 1, 2]).inverse_indices.tolist()
    [1, 0, 1]
    """
    return _InverseResult(*unique(x, return_inverse=True, equal_nan=False))


def unique_values(x: _ArrayLike) -> ndarray:
    """Return the unique elements; NaN are not equal to one another.

    Parameters
    ----------
    x : array_like

    Returns
    -------
    ndarray

    Examples
    --------
    >>> import bascule as bc
    >>> bc.unique_values([2, 1, 2]).tolist()
    [1, 2]
    """
    return unique(x, equal_nan=False)


# ---- two arrays as sets


def _flat_pair(ar1: Any, ar2: Any) -> tuple[ndarray, ndarray]:
    a = as_array(ar1, ar2)
    return ravel(a), ravel(as_array(ar2, a))


def union1d(ar1: _ArrayLike, ar2: _ArrayLike) -> ndarray:
    """Return the sorted union of two arrays.

    Parameters
    ----------
    ar1, ar2 : array_like
        Flattened.

    Returns
    -------
    ndarray of one axis

    Examples
    --------
    >>> import bascule as bc
    >>> bc.union1d([3, 1], [1, 2]).tolist()
    [1, 2, 3]
    """
    if type(ar1) is type(ar2) is ndarray:
        return unique(concatenate((ravel(ar1), ravel(ar2))))
    return unique(concatenate((ar1, ar2), axis=None))


@overload
def intersect1d(
    ar1: _ArrayLike, ar2: _ArrayLike, assume_unique: bool = False, return_indices: Literal[False] = False
) -> ndarray: ...
@overload
def intersect1d(
    ar1: _ArrayLike, ar2: _ArrayLike, assume_unique: bool = False, *, return_indices: Literal[True]
) -> tuple[ndarray, ndarray, ndarray]: ...
def intersect1d(ar1: Any, ar2: Any, assume_unique: bool = False, return_indices: bool = False) -> Any:
    """Return the sorted intersection of two arrays.

    Parameters
    ----------
    ar1, ar2 : array_like
        Flattened.
    assume_unique : bool, optional
        The elements of each array are known to be unique.
    return_indices : bool, optional
        Return also the indices of the first occurrences in `ar1` and in `ar2`.

    Returns
    -------
    ndarray of one axis, or tuple of it and two ndarray of int64

    Examples
    --------
    >>> import bascule as bc
    >>> bc.intersect1d([3, 1, 2], [2, 3, 5]).tolist()
    [2, 3]
    """
    a, b = _flat_pair(ar1, ar2)
    first_a = first_b = None
    if not assume_unique and return_indices:
        a, first_a = unique(a, return_index=True)
        b, first_b = unique(b, return_index=True)
    elif not assume_unique:
        a, b = unique(a), unique(b)
    both = concatenate((a, b))
    if not return_indices:
        both = sorted_copy(both, 0)
        return both[:-1][both[1:] == both[:-1]]
    order = positions(both, 0)
    both = both[order]
    twice = both[1:] == both[:-1]
    in_a, in_b = order[:-1][twice], order[1:][twice] - a.size
    if not assume_unique:
        in_a, in_b = first_a[in_a], first_b[in_b]
    return both[:-1][twice], in_a, in_b


def setxor1d(ar1: _ArrayLike, ar2: _ArrayLike, assume_unique: bool = False) -> ndarray:
    """Return the sorted exclusive-or of two arrays: the elements that are in only one of them.

    Parameters
    ----------
    ar1, ar2 : array_like
        Flattened.
    assume_unique : bool, optional
        The elements of each array are known to be unique.

    Returns
    -------
    ndarray of one axis

    Examples
    --------
    >>> import bascule as bc
    >>> bc.setxor1d([1, 2], [2, 3]).tolist()
    [1, 3]
    """
    a, b = _flat_pair(ar1, ar2)
    if not assume_unique:
        a, b = unique(a), unique(b)
    both = concatenate((a, b))
    if both.size == 0:
        return both
    both = sorted_copy(both, 0)
    edge = as_array(np.array([True]), both)
    new = concatenate((edge, both[1:] != both[:-1], edge))
    return both[new[1:] & new[:-1]]


def setdiff1d(ar1: _ArrayLike, ar2: _ArrayLike, assume_unique: bool = False) -> ndarray:
    """Return the sorted difference: the unique elements of one array that are not in another.

    Parameters
    ----------
    ar1, ar2 : array_like
        Flattened.
    assume_unique : bool, optional
        The elements are known to be unique; then they stay in the order of `ar1`.

    Returns
    -------
    ndarray of one axis

    Examples
    --------
    >>> import bascule as bc
    >>> bc.setdiff1d([3, 1, 2], [2]).tolist()
    [1, 3]
    """
    a, b = _flat_pair(ar1, ar2)
    if not assume_unique:
        a, b = unique(a), unique(b)
    return a[isin(a, b, invert=True)]


_INTEGERS = "biu"


def _by_table(a: ndarray, b: ndarray, kind: Any) -> ndarray | None:
    """Membership of integers by a lookup table over the range of b; None if the range is too wide."""
    a, b = (x.astype(np.uint8) if x.dtype.kind == "b" else x for x in (a, b))
    low, high = b.min(), b.max()
    low, high = int(low), int(high)
    if high - low > np.iinfo(b.dtype).max:
        if kind == "table":
            raise RuntimeError(
                "You have specified kind='table', but the range of values in `ar2` or `ar1` exceed the maximum integer "
                "of the datatype. Please set `kind` to None or 'sort'."
            )
        return None
    if kind != "table" and high - low > 6 * (a.size + b.size):
        return None
    held = _core.full((high - low + 1,), False, np.bool_, a.device)
    held[(b - b.dtype.type(low)).astype(np.intp, copy=False)] = True
    inside = (a >= low) & (a <= high)
    wide = a.astype(np.int64 if low >= -(2**63) and high < 2**63 else np.uint64, copy=False)
    at = where(inside, wide - wide.dtype.type(low), wide.dtype.type(0)).astype(np.intp, copy=False)
    return held[at] & inside


def isin(
    element: _ArrayLike,
    test_elements: _ArrayLike,
    assume_unique: bool = False,
    invert: bool = False,
    *,
    kind: Literal["sort", "table"] | None = None,
) -> ndarray:
    """Test whether each element is in another array.

    Parameters
    ----------
    element : array_like, any shape
    test_elements : array_like
        Flattened.
    assume_unique : bool, optional
        The elements of each array are known to be unique; no effect here.
    invert : bool, optional
        Return whether each element is not in the other array.
    kind : {None, 'sort', 'table'}, optional
        'table' looks integers up in a table over the range of `test_elements`, 'sort' sorts; None chooses.

    Returns
    -------
    ndarray of bool
        Of the shape of `element`.

    Raises
    ------
    ValueError
        `kind` is unknown, or 'table' for other types than integers.
    RuntimeError
        `kind` is 'table' and the range of the integers exceeds their type.

    Examples
    --------
    >>> import bascule as bc
    >>> bc.isin([1, 2, 3], [2, 9]).tolist()
    [False, True, False]
    """
    e = as_array(element, test_elements)
    a, b = ravel(e), ravel(as_array(test_elements, e))
    integers = a.dtype.kind in _INTEGERS and b.dtype.kind in _INTEGERS
    if kind not in (None, "sort", "table") or (kind == "table" and not integers):
        np.isin(np.empty(0, a.dtype), np.empty(0, b.dtype), kind=kind)  # NumPy raises its error
    if b.size == 0:
        return _core.full(e.shape, bool(invert), np.bool_, e.device)
    found = _by_table(a, b, kind) if integers and kind != "sort" and a.size else None
    if found is None:
        try:
            common = np.promote_types(a.dtype, b.dtype)
        except np.exceptions.DTypePromotionError:
            # NumPy compares few elements one by one, so that dates and numbers are never equal.
            if b.size >= 10 * a.size**0.145:
                np.concatenate((np.empty(0, a.dtype), np.empty(0, b.dtype)))  # raises if they have no common type
            return _core.full(e.shape, bool(invert), np.bool_, e.device)
        few = b.size < 10 * a.size**0.145  # NumPy compares these one by one
        if integers and common.kind == "f" and few:  # float64 would make different int64 and uint64 equal
            found = _core.full(a.shape, False, np.bool_, a.device)
            for k in range(b.size):
                found = found | (a == b[k : k + 1])
            return _core.reshape(~found if invert else found, e.shape)
        a, b = a.astype(common, copy=False), sorted_copy(b.astype(common, copy=False), 0)
        at = by_name["minimum"](insertion_points(b, a, False), b.size - 1)
        found = b[at] == a
    return _core.reshape(~found if invert else found, e.shape)
