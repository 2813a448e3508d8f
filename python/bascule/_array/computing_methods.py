"""Methods of ndarray that compute or sort."""

from __future__ import annotations

import inspect
from typing import TYPE_CHECKING, Any, Literal, SupportsIndex, TypeVar, overload

from .._core import ndarray
from ..lib import arithmetic, reductions, selection
from ..lib import sorting as ordered
from ..lib import sorting_common as ordering
from ..linalg import contractions
from .ufuncs import by_name

if TYPE_CHECKING:
    from numpy.typing import DTypeLike

    from .types import _ArrayLike, _ArrayOrScalar, _Axes, _ShapeLike, _SortKind


_MethodT = TypeVar("_MethodT")


def _first_by_place(method: _MethodT) -> _MethodT:
    """A method whose signature shows its first argument as positional, as NumPy's does, although NumPy's C code also
    takes it by name."""
    signature = inspect.signature(method)
    self, first, *others = signature.parameters.values()
    method.__signature__ = signature.replace(parameters=[self, first.replace(kind=first.POSITIONAL_ONLY), *others])
    return method


def clip(
    self: Any,
    /,
    min: _ArrayLike | None = None,
    max: _ArrayLike | None = None,
    out: ndarray | None = None,
    **kwargs: Any,
) -> ndarray:
    """Limit the elements to an interval.

    Parameters
    ----------
    min, max : array_like, optional
        The limits, which broadcast against the array; None is no limit.
    out : ndarray, optional
        Output array; it must have the shape of the result.
    **kwargs
        Keyword arguments of ufuncs: `where`, `casting`, `order`, `dtype`.

    Returns
    -------
    ndarray

    Examples
    --------
    >>> import bascule as bc
    >>> bc.arange(6).clip(1, 4).tolist()
    [1, 1, 2, 3, 4, 4]
    """
    return selection.limited(self, min, max, out, **kwargs)


def round_(self: Any, /, decimals: SupportsIndex = 0, out: ndarray | None = None) -> ndarray:
    """Round the elements to a number of decimals; ties go to the even neighbour.

    Parameters
    ----------
    decimals : int, optional
        Number of decimals; negative ones round to tens, hundreds and so on.
    out : ndarray, optional
        Output array; it must have the shape of the result.

    Returns
    -------
    ndarray

    Examples
    --------
    >>> import bascule as bc
    >>> bc.asarray([0.5, 1.5]).round().tolist()
    [0.0, 2.0]
    """
    return arithmetic.round(self, decimals, out)


def conj(self: Any, /, out: ndarray | None = None) -> ndarray:
    """Return the complex conjugate, element-wise.

    Parameters
    ----------
    out : ndarray, optional
        Output array; it must have the shape of the result.

    Returns
    -------
    ndarray
        The array itself where it is real.

    Raises
    ------
    TypeError
        The elements are dates or durations.

    Examples
    --------
    >>> import bascule as bc
    >>> bc.asarray([1 + 2j]).conj().tolist()
    [(1-2j)]
    """
    if self.dtype.kind in "mM":
        raise TypeError("cannot conjugate non-numeric dtype")
    if out is not None and type(out) is not ndarray:
        raise TypeError("output must be an array")
    return by_name["conjugate"](self, out=out) if self.dtype.kind == "c" or out is not None else self


def cumsum(
    self: Any, /, axis: SupportsIndex | None = None, dtype: DTypeLike | None = None, out: ndarray | None = None
) -> ndarray:
    """Return the cumulative sum of the elements.

    Parameters
    ----------
    axis : int, optional
        The axis; by default the flattened array.
    dtype : dtype, optional
        Type to compute in and to return. When absent, booleans and integers of fewer than 64 bits become int64 or uint64, and
        other types are kept.
    out : ndarray, optional
        Output array; it must have the shape of the result.

    Returns
    -------
    ndarray, shape self.shape, or (size,) without `axis`

    Raises
    ------
    numpy.exceptions.AxisError
        The axis is out of bounds.

    Notes
    -----
    The bits are NumPy's. On a CUDA device sums of floats along 65 elements or more, in fewer than 131,072 rows, are
    combined in a tree that depends on the shape alone, so that results are the same on every card; their error is at
    most 100 roundings of the sum of magnitudes. A later sum may then be less than an earlier one by a rounding, though
    no element is negative.

    Examples
    --------
    >>> import bascule as bc
    >>> bc.asarray([1, 2, 3]).cumsum().tolist()
    [1, 3, 6]
    """
    return reductions.cumsum(self, axis, dtype, out)


def cumprod(
    self: Any, /, axis: SupportsIndex | None = None, dtype: DTypeLike | None = None, out: ndarray | None = None
) -> ndarray:
    """Return the cumulative product of the elements.

    Parameters
    ----------
    axis : int, optional
        The axis; by default the flattened array.
    dtype : dtype, optional
        Type to compute in and to return. When absent, booleans and integers of fewer than 64 bits become int64 or uint64, and
        other types are kept.
    out : ndarray, optional
        Output array; it must have the shape of the result.

    Returns
    -------
    ndarray, shape self.shape, or (size,) without `axis`

    Raises
    ------
    numpy.exceptions.AxisError
        The axis is out of bounds.

    Examples
    --------
    >>> import bascule as bc
    >>> bc.asarray([1, 2, 3]).cumprod().tolist()
    [1, 2, 6]
    """
    return reductions.cumprod(self, axis, dtype, out)


@overload
def ptp(self, /, axis: None = None, out: None = None, keepdims: Literal[False] = False) -> _ArrayOrScalar: ...
@overload
def ptp(self, /, axis: _Axes = None, out: ndarray | None = None, keepdims: bool = False) -> ndarray: ...
def ptp(self: Any, /, axis: Any = None, out: Any = None, keepdims: bool = False) -> Any:
    """Return the range of the values: maximum minus minimum.

    Parameters
    ----------
    axis : int or tuple of int, optional
        Axes to reduce; all by default.
    out : ndarray, optional
        Output array; it must have the shape of the result.
    keepdims : bool, optional
        Keep the reduced axes with length one.

    Returns
    -------
    ndarray, or a scalar

    Raises
    ------
    ValueError
        The array is empty.

    Examples
    --------
    >>> import bascule as bc
    >>> bc.asarray([3, 9, 4]).ptp().item()
    6
    """
    return reductions.ptp(self, axis, out, keepdims)


def dot(self: Any, /, b: _ArrayLike, out: ndarray | None = None) -> _ArrayOrScalar:
    """Return the dot product.

    Parameters
    ----------
    b : array_like
        Its last axis but one, or its only one, has the length of this array's last axis.
    out : ndarray, optional
        Output array; it must have the shape of the result.

    Returns
    -------
    ndarray, or a scalar
        As for `bascule.dot`.

    Raises
    ------
    ValueError
        The lengths differ.

    Examples
    --------
    >>> import bascule as bc
    >>> bc.asarray([1, 2]).dot([3, 4]).item()
    11
    """
    return contractions.dot(self, b, out)


def sort(
    self: Any,
    /,
    axis: SupportsIndex = -1,
    kind: _SortKind | None = None,
    order: None = None,
    *,
    stable: bool | None = None,
    descending: bool | None = None,
) -> None:
    """Sort in place.

    Parameters
    ----------
    axis : int, optional
        Axis to sort; the last when absent.
    kind : {"quicksort", "mergesort", "heapsort", "stable"}, optional
        "stable" keeps equal elements in order; the others may.
    order : None
        Only None: it is for types with fields.
    stable : bool, optional
        The same as ``kind="stable"``.
    descending : bool, optional
        Sort in descending order; NaN and NaT still come last.

    Returns
    -------
    None

    Raises
    ------
    ValueError
        The array is read-only.
    numpy.exceptions.AxisError
        The axis is out of bounds.

    Notes
    -----
    NaN and NaT come last. `bascule.sort` is the function that returns a sorted copy.

    Examples
    --------
    >>> import bascule as bc
    >>> x = bc.asarray([3, 1, 2])
    >>> x.sort()
    >>> x.tolist()
    [1, 2, 3]
    """
    ordering.sort_in_place(self, axis, kind, order, stable, descending)


def argsort(
    self: Any,
    /,
    axis: SupportsIndex | None = -1,
    kind: _SortKind | None = None,
    order: None = None,
    *,
    stable: bool | None = None,
    descending: bool | None = None,
) -> ndarray:
    """Return the indices that would sort the array.

    Parameters
    ----------
    axis : int or None, optional
        Axis to sort; the last when absent, None for the flattened array.
    kind : {"quicksort", "mergesort", "heapsort", "stable"}, optional
        "stable" keeps equal elements in order; the others may.
    order : None
        Only None: it is for types with fields.
    stable : bool, optional
        The same as ``kind="stable"``.
    descending : bool, optional
        Sort in descending order; NaN and NaT still come last.

    Returns
    -------
    ndarray of int64, shape self.shape

    Raises
    ------
    numpy.exceptions.AxisError
        The axis is out of bounds.

    Examples
    --------
    >>> import bascule as bc
    >>> bc.asarray([3, 1, 2]).argsort().tolist()
    [1, 2, 0]
    """
    return ordered.argsort(self, axis, kind, order, stable=stable, descending=descending)


@_first_by_place
def searchsorted(
    self: Any, /, v: _ArrayLike, side: Literal["left", "right"] = "left", sorter: _ArrayLike | None = None
) -> _ArrayOrScalar:
    """Find indices at which values would be inserted to keep the array sorted.

    Parameters
    ----------
    v : array_like
        The values.
    side : {"left", "right"}, optional
        Whether to insert before ("left") or behind ("right") equal elements.
    sorter : array_like of int, optional
        Indices that sort the array, if it is not sorted.

    Returns
    -------
    ndarray of int64, shape v.shape, or a scalar

    Raises
    ------
    ValueError
        The array does not have one axis, or `side` is neither.

    Examples
    --------
    >>> import bascule as bc
    >>> bc.asarray([10, 20, 30]).searchsorted([5, 20, 35]).tolist()
    [0, 1, 3]
    """
    return ordered.searchsorted(self, v, side, sorter)


@_first_by_place
def argpartition(
    self: Any,
    /,
    kth: _ShapeLike,
    axis: SupportsIndex | None = -1,
    kind: Literal["introselect"] = "introselect",
    order: None = None,
) -> ndarray:
    """Return the indices that would partition the array.

    Parameters
    ----------
    kth : int or sequence of int
        Indices of the elements that take their position in sorted order: none before is larger, none behind is smaller.
    axis : int, optional
        Along which.
    kind : {"introselect"}, optional
    order : None
        Only None: it is for types with fields.

    Returns
    -------
    ndarray of int64, shape self.shape

    Raises
    ------
    ValueError
        An index is out of bounds.

    Examples
    --------
    >>> import bascule as bc
    >>> x = bc.asarray([3, 1, 2])
    >>> x[x.argpartition(0)[0]].item()
    1
    """
    return ordered.argpartition(self, kth, axis, kind, order)


@_first_by_place
def partition(
    self: Any,
    /,
    kth: _ShapeLike,
    axis: SupportsIndex = -1,
    kind: Literal["introselect"] = "introselect",
    order: None = None,
) -> None:
    """Partition in place.

    Parameters
    ----------
    kth : int or sequence of int
        Indices of the elements that take their position in sorted order: none before is larger, none behind is smaller.
    axis : int, optional
        Along which.
    kind : {"introselect"}, optional
    order : None
        Only None: it is for types with fields.

    Returns
    -------
    None

    Raises
    ------
    ValueError
        An index is out of bounds, or the array is read-only.

    Examples
    --------
    >>> import bascule as bc
    >>> x = bc.asarray([3, 1, 2])
    >>> x.partition(1)
    >>> x[1].item()
    2
    """
    ordering.partition_in_place(self, kth, axis, kind, order)
