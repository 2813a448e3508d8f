"""Multi-dimensional histograms."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, SupportsIndex

import numpy as np

from .. import _core
from .._array.conversion import as_array, is_array, ndarray, to_numpy
from .histograms import _bin_count, _limits, bincount
from .index_tricks import ravel_multi_index
from .manipulation import atleast_2d, stack
from .sorting_common import insertion_points

if TYPE_CHECKING:
    from collections.abc import Sequence

    from .._array.types import _ArrayLike, _Number

__all__ = ["histogram2d", "histogramdd"]


def _edges_along(x: ndarray, bins: Any, range: Any, k: int) -> np.ndarray:
    if np.ndim(bins) == 0:
        if bins < 1:
            raise ValueError(f"`bins[{k}]` must be positive, when an integer")
        first, last = _limits(x, range)
        try:
            n = _bin_count(bins)
        except TypeError as error:
            raise TypeError(f"`bins[{k}]` must be an integer, when a scalar") from error
        return np.linspace(first, last, n + 1)
    edges = to_numpy(bins) if is_array(bins) else np.asarray(bins)
    if edges.ndim != 1:
        raise ValueError(f"`bins[{k}]` must be a scalar or 1d array")
    if np.any(edges[:-1] > edges[1:]):
        raise ValueError(f"`bins[{k}]` must be monotonically increasing, when an array")
    return edges


def _columns(sample: Any) -> list[ndarray]:
    if hasattr(sample, "shape") and len(sample.shape) == 2:
        a = as_array(sample)
    else:
        several = not is_array(sample) and (isinstance(sample, (list, tuple)) or np.ndim(sample) > 0)
        parts = [as_array(x) for x in sample] if several else sample
        a = atleast_2d(stack(parts) if isinstance(parts, list) and parts else as_array(parts)).T
        if a.ndim != 2:
            raise ValueError(f"too many values to unpack (expected 2, got {a.ndim})")
    return [a[:, k] for k in range(a.shape[1])]


def histogramdd(
    sample: _ArrayLike,
    bins: SupportsIndex | _ArrayLike | Sequence[_ArrayLike] = 10,
    range: Sequence[tuple[_Number, _Number] | None] | None = None,
    density: bool | None = None,
    weights: _ArrayLike | None = None,
) -> tuple[ndarray, tuple[ndarray, ...]]:
    """Compute a multi-dimensional histogram.

    Parameters
    ----------
    sample : array_like, shape (n, d), or sequence of d array_like of one axis
    bins : int or sequence of int or of array_like, optional
        Number of bins along all axes or along each, or their edges.
    range : sequence of (float, float) or None, optional
        First and last edge along each axis; the extremes by default.
    density : bool, optional
        Divide so that the integral over the bins is one.
    weights : array_like, shape (n,), optional
        Weight of each point.

    Returns
    -------
    counts : ndarray of float64
    edges : list of ndarray

    Raises
    ------
    ValueError
        Bins or ranges do not match the points, or edges are not ascending.
    TypeError
        A number of bins is not an integer.

    Examples
    --------
    >>> import bascule as bc
    >>> bc.histogramdd([[0, 1, 1], [0, 0, 1]], bins=2)[0].tolist()
    [[1.0, 0.0], [1.0, 1.0]]
    """
    columns = _columns(sample)
    d = len(columns)
    try:
        if len(bins) != d:
            raise ValueError("The dimension of bins must be equal to the dimension of the sample x.")
    except TypeError:
        bins = [bins] * d
    if range is None:
        range = (None,) * d
    elif len(range) != d:
        raise ValueError("range argument must have one entry per dimension")
    edges = [_edges_along(x, b, r, k) for k, (x, b, r) in enumerate(zip(columns, bins, range))]
    at = []
    for x, e in zip(columns, edges):
        limits = as_array(e, x)
        inner = insertion_points(limits, x, True)
        at.append(inner - (x == limits[-1]).astype(np.intp))  # the last bin includes its right edge
    shape = tuple(len(e) + 1 for e in edges)  # one more bin at either end for points outside
    flat = ravel_multi_index(at, shape)
    counts = _core.reshape(bincount(flat, weights, int(np.prod(shape))), shape).astype(np.float64)
    counts = counts[(slice(1, -1),) * d]
    if density:
        total = counts.sum()
        for k, e in enumerate(edges):
            counts = counts / as_array(np.diff(e).reshape([-1 if j == k else 1 for j in np.arange(d)]), counts)
        counts = counts / total
    return counts, [as_array(e, counts) for e in edges]


def histogram2d(
    x: _ArrayLike,
    y: _ArrayLike,
    bins: _ArrayLike | Sequence[_ArrayLike] = 10,
    range: _ArrayLike | None = None,
    density: bool | None = None,
    weights: _ArrayLike | None = None,
) -> tuple[ndarray, ndarray, ndarray]:
    """Compute a two-dimensional histogram.

    Parameters
    ----------
    x, y : array_like, shape (n,)
        Coordinates.
    bins : int, array_like, or a pair of either, optional
        Number of bins or their edges.
    range, density, weights
        As in `histogramdd`.

    Returns
    -------
    counts : ndarray of float64
    x_edges, y_edges : ndarray

    Raises
    ------
    ValueError, TypeError
        `x` and `y` differ in length, or as for `histogramdd`.

    Examples
    --------
    >>> import bascule as bc
    >>> bc.histogram2d([0, 1, 1], [0, 0, 1], bins=2)[0].tolist()
    [[1.0, 0.0], [1.0, 1.0]]
    """
    if len(x) != len(y):
        raise ValueError("x and y must have the same length.")
    several = len(bins) if hasattr(bins, "__len__") else 1
    counts, edges = histogramdd([x, y], [bins, bins] if several not in (1, 2) else bins, range, density, weights)
    return counts, *edges
