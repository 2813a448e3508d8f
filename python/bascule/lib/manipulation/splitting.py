"""Functions that split arrays."""

from __future__ import annotations

from typing import TYPE_CHECKING, SupportsIndex

import numpy as np

from ..._array.conversion import as_array, ndarray
from .shapes import moveaxis, normalize_axis

if TYPE_CHECKING:
    from ..._array.types import _ArrayLike, _Sections

__all__ = ["array_split", "dsplit", "hsplit", "split", "unstack", "vsplit"]


def array_split(ary: _ArrayLike, indices_or_sections: _Sections, axis: SupportsIndex = 0) -> list[ndarray]:
    """Split into views that need not have equal lengths.

    Parameters
    ----------
    ary : array_like
    indices_or_sections : int or sequence of int
        Number of parts, or the indices at which a new part begins.
    axis : int, optional
        Axis along which it is split.

    Returns
    -------
    list of ndarray
        Views; the first ones are longer by one if the length is no multiple of the number of parts.

    Raises
    ------
    ValueError
        The number of parts is not positive.

    Examples
    --------
    >>> import bascule as bc
    >>> [part.tolist() for part in bc.array_split(bc.arange(5), 2)]
    [[0, 1, 2], [3, 4]]
    """
    a = as_array(ary)
    n = a.shape[axis]
    if np.ndim(indices_or_sections) == 0:
        sections = int(indices_or_sections)
        if sections <= 0:
            raise ValueError("number sections must be larger than 0.")
        each, extra = divmod(n, sections)
        cuts = [0]
        for k in range(sections):
            cuts.append(cuts[-1] + each + (k < extra))
    else:
        cuts = [0, *(int(i) for i in indices_or_sections), n]
    lead = (slice(None),) * normalize_axis(axis, a.ndim)
    return [a[(*lead, slice(i, j))] for i, j in zip(cuts[:-1], cuts[1:])]


def split(ary: _ArrayLike, indices_or_sections: _Sections, axis: SupportsIndex = 0) -> list[ndarray]:
    """Split into views of equal length, or at given indices.

    Parameters
    ----------
    ary : array_like
    indices_or_sections : int or sequence of int
        Number of parts, or the indices at which a new part begins.
    axis : int, optional
        Axis along which it is split.

    Returns
    -------
    list of ndarray
        Views: they share the array's memory.

    Raises
    ------
    ValueError
        The array's length is no multiple of the number of parts.

    Examples
    --------
    >>> import bascule as bc
    >>> [part.tolist() for part in bc.split(bc.arange(5), [1, 3])]
    [[0], [1, 2], [3, 4]]
    """
    a = as_array(ary)
    if np.ndim(indices_or_sections) == 0 and a.shape[axis] % int(indices_or_sections):
        raise ValueError("array split does not result in an equal division")
    return array_split(a, indices_or_sections, axis)


def vsplit(ary: _ArrayLike, indices_or_sections: _Sections) -> list[ndarray]:
    """Split along the first axis; see `split`.

    Parameters
    ----------
    ary : array_like, shape (n, m, ...)
    indices_or_sections : int or sequence of int
        Number of parts, or the indices at which a new part begins.

    Returns
    -------
    list of ndarray
        Views: they share the array's memory.

    Raises
    ------
    ValueError
        The array has too few axes, or its length is no multiple of the number of parts.

    Examples
    --------
    >>> import bascule as bc
    >>> [part.shape for part in bc.vsplit(bc.ones((4, 3)), 2)]
    [(2, 3), (2, 3)]
    """
    if np.ndim(ary) < 2:
        raise ValueError("vsplit only works on arrays of 2 or more dimensions")
    return split(ary, indices_or_sections, 0)


def hsplit(ary: _ArrayLike, indices_or_sections: _Sections) -> list[ndarray]:
    """Split along the second axis, or the only one of 1-D arrays; see `split`.

    Parameters
    ----------
    ary : array_like, shape (n,) or (n, m, ...)
    indices_or_sections : int or sequence of int
        Number of parts, or the indices at which a new part begins.

    Returns
    -------
    list of ndarray
        Views: they share the array's memory.

    Raises
    ------
    ValueError
        The array has too few axes, or its length is no multiple of the number of parts.

    Examples
    --------
    >>> import bascule as bc
    >>> [part.shape for part in bc.hsplit(bc.ones((4, 3)), 3)]
    [(4, 1), (4, 1), (4, 1)]
    """
    if np.ndim(ary) == 0:
        raise ValueError("hsplit only works on arrays of 1 or more dimensions")
    return split(ary, indices_or_sections, 1 if np.ndim(ary) > 1 else 0)


def dsplit(ary: _ArrayLike, indices_or_sections: _Sections) -> list[ndarray]:
    """Split along the third axis; see `split`.

    Parameters
    ----------
    ary : array_like, shape (n, m, k, ...)
    indices_or_sections : int or sequence of int
        Number of parts, or the indices at which a new part begins.

    Returns
    -------
    list of ndarray
        Views: they share the array's memory.

    Raises
    ------
    ValueError
        The array has too few axes, or its length is no multiple of the number of parts.

    Examples
    --------
    >>> import bascule as bc
    >>> [part.shape for part in bc.dsplit(bc.ones((2, 2, 4)), 2)]
    [(2, 2, 2), (2, 2, 2)]
    """
    if np.ndim(ary) < 3:
        raise ValueError("dsplit only works on arrays of 3 or more dimensions")
    return split(ary, indices_or_sections, 2)


def unstack(x: _ArrayLike, /, *, axis: int = 0) -> tuple[ndarray, ...]:
    """Split into a tuple of arrays along an axis.

    Parameters
    ----------
    x : array_like, one axis or more
    axis : int, optional
        Axis along which it is split, which the results lack.

    Returns
    -------
    tuple of ndarray, of length x.shape[axis]
        Views: they share the array's memory.

    Raises
    ------
    ValueError
        The array has no axis.
    numpy.exceptions.AxisError
        The axis is out of bounds.

    Examples
    --------
    >>> import bascule as bc
    >>> [part.tolist() for part in bc.unstack([[1, 2], [3, 4]], axis=1)]
    [[1, 3], [2, 4]]
    """
    x = as_array(x)
    if x.ndim == 0:
        raise ValueError("Input array must be at least 1-d.")
    return tuple(moveaxis(x, axis, 0))
