"""Methods of ndarray that select elements or write to some of them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, SupportsIndex

from .._core import ndarray
from ..lib import selection

if TYPE_CHECKING:
    from .types import _ArrayLike, _ArrayOrScalar, _DTypeT, _Mode


def choose(self: Any, /, *choices: _ArrayLike, out: ndarray | None = None, mode: _Mode = "raise") -> _ArrayOrScalar:
    """Select elements of several arrays, each by an index; see `bascule.choose`.

    Parameters
    ----------
    *choices : array_like
        The arrays, which broadcast against this one.
    out : ndarray, optional
        Output array.
    mode : {"raise", "wrap", "clip"}, optional
        How an index beyond the last array is treated.

    Returns
    -------
    ndarray

    Raises
    ------
    ValueError
        An index is out of bounds, or the shapes do not broadcast.

    Examples
    --------
    >>> import bascule as bc
    >>> bc.asarray([0, 1, 0]).choose([10, 20, 30], [1, 2, 3]).tolist()
    [10, 2, 30]
    """
    import bascule

    return bascule.choose(self, choices[0] if len(choices) == 1 else choices, out=out, mode=mode)


def take(
    self: ndarray[Any, _DTypeT],
    /,
    indices: _ArrayLike,
    axis: SupportsIndex | None = None,
    out: ndarray | None = None,
    mode: _Mode = "raise",
) -> ndarray[Any, _DTypeT]:
    """Take elements at the given indices.

    Parameters
    ----------
    indices : array_like of int, any shape
        Indices; negative ones count from the end.
    axis : int, optional
        The axis; by default the flattened array.
    out : ndarray, optional
        Output array; it must have the shape of the result.
    mode : {"raise", "wrap", "clip"}, optional
        How an index out of bounds is treated.

    Returns
    -------
    ndarray, shape shape[:axis] + indices.shape + shape[axis + 1:]

    Raises
    ------
    IndexError
        An index is out of bounds.

    Examples
    --------
    >>> import bascule as bc
    >>> bc.asarray([10, 20, 30]).take([2, 0]).tolist()
    [30, 10]
    """
    return selection.take(self, indices, axis, out, mode)


def nonzero(self: Any, /) -> tuple[ndarray, ...]:
    """Return the indices of the elements that are not zero.

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
    >>> bc.asarray([0, 1, 2]).nonzero()[0].tolist()
    [1, 2]
    """
    return selection.nonzero(self)


def compress(
    self: Any, /, condition: _ArrayLike, axis: SupportsIndex | None = None, out: ndarray | None = None
) -> ndarray:
    """Return the slices where a condition is true.

    Parameters
    ----------
    condition : array_like of bool, shape (n,)
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
    >>> bc.asarray([[1, 2], [3, 4]]).compress([False, True], axis=1).tolist()
    [[2], [4]]
    """
    return selection.compress(condition, self, axis, out)


def put(self: Any, /, indices: _ArrayLike, values: _ArrayLike, mode: _Mode = "raise") -> None:
    """Set elements at indices of the flattened array.

    Parameters
    ----------
    indices : array_like of int
        Indices; negative ones count from the end.
    values : array_like
        Values to write; repeated to as many as there are indices.
    mode : {"raise", "wrap", "clip"}, optional
        How an index out of bounds is treated.

    Returns
    -------
    None

    Raises
    ------
    ValueError
        The array is read-only.
    IndexError
        An index is out of bounds.

    Examples
    --------
    >>> import bascule as bc
    >>> x = bc.zeros(3, int)
    >>> x.put([0, -1], [4, 5])
    >>> x.tolist()
    [4, 0, 5]
    """
    selection.put(self, indices, values, mode)
