"""Counts of integers and of values in bins."""

from __future__ import annotations

import operator
from typing import TYPE_CHECKING, Any, SupportsIndex

import numpy as np

from .. import _core
from .._array import caller_warnings as warned
from .._array.conversion import as_array, ndarray, to_numpy
from .._array.late_warnings import is_apart
from .._array.numpy_versions import since
from ..fallback import in_numpy
from .bin_rules import bin_count, span_of
from .manipulation import ravel, stack
from .sorting_common import insertion_points

if TYPE_CHECKING:
    from .._array.types import _ArrayLike, _Number

__all__ = ["bincount", "histogram", "histogram_bin_edges"]


_SMALLEST_NORMAL = float(np.finfo(np.float64).tiny)
_IN_FLOAT64, _PARTS_ROUNDED, _SUMS_ROUNDED = range(3)  # how sums over blocks are rounded to float32; see histogram_args
_RULE_NAMES = ("auto", "doane", "fd", "rice", "scott", "sqrt", "stone", "sturges")
_EXACT = 2**53  # integers up to here are exact in float64


@_core.function
def bincount(x: _ArrayLike, /, weights: _ArrayLike | None = None, minlength: SupportsIndex = 0) -> ndarray:
    """Count occurrences of each non-negative integer, or sum their weights.

    Parameters
    ----------
    x : array_like of int, one axis
        Not negative.
    weights : array_like, optional
        One weight for each element of `x`; added in order, as float64.
    minlength : int, optional
        Minimum length of the result.

    Returns
    -------
    ndarray of int64, or float64 with weights
        Of length ``max(x.max() + 1, minlength)``.

    Raises
    ------
    ValueError
        A number is negative, `minlength` is, `x` does not have one axis, or `weights` has another length.
    TypeError
        `x` is not integer.

    Examples
    --------
    >>> import bascule as bc
    >>> bc.bincount([0, 2, 2]).tolist()
    [1, 0, 2]
    """
    if type(x) is not ndarray:
        given, x = x, np.asarray(x)
        if isinstance(given, (list, tuple)) and (not x.size or not since("bincount refuses fractions")):
            if x.dtype.kind not in "biu" and x.size:
                warned.warn(
                    "Non-integer input passed to bincount. In a future version of NumPy, this will be an error. "
                    "(Deprecated NumPy 2.1)",
                    DeprecationWarning,
                )
            x = np.asarray(given, np.intp)
    a = as_array(x, weights)
    if a.ndim != 1 or a.dtype.kind not in "bi" or type(minlength) is not int or minlength < 0:
        np.bincount(np.zeros((0,) * a.ndim, a.dtype), minlength=minlength)  # NumPy raises its error
    a = a.astype(np.intp, copy=False)
    w = None
    if weights is not None:
        w = as_array(weights, a)
        if w.ndim != 1 or w.dtype.kind not in "biuf":
            np.bincount(np.zeros(w.shape[0] if w.ndim else 1, np.intp), np.zeros(w.shape, w.dtype))
        w = w.astype(np.float64, copy=False)
        if w.size != a.size and a.size:
            raise ValueError("The weights and list don't have the same length.")
    bins = operator.index(minlength)
    if a.size:
        least, most = a.min(), a.max()
        if int(least) < 0:
            raise ValueError("'list' argument must have no negative elements")
        bins = max(bins, int(most) + 1)
    if w is None or a.size == 0:  # without elements NumPy returns counts, with weights or not
        return _core.bincount(a, bins)
    r = _core.full((bins,), 0, np.float64, a.device)
    _core.scatter_add(r, a, w)
    return r


def _flat(a: Any, weights: Any) -> tuple[ndarray, ndarray | None]:
    a = as_array(a, weights)
    if a.dtype.kind == "b":
        warned.warn(f"Converting input from {a.dtype} to {np.uint8} for compatibility.")
        a = a.astype(np.uint8)
    if weights is not None:
        weights = as_array(weights, a)
        if weights.shape != a.shape:
            raise ValueError("weights should have the same shape as a.")
        weights = ravel(weights)
    return ravel(a), weights


def _scalar(a: ndarray) -> Any:
    return to_numpy(a)[()]


def _extremes(a: ndarray) -> tuple[Any, Any]:
    """The least and the greatest element as NumPy scalars, with a single synchronization of a device."""
    least, most = a.min(), a.max()
    if not is_apart(a):
        return _scalar(least), _scalar(most)
    both = to_numpy(stack([least, most]))
    return both[0], both[1]


def _limits(a: ndarray, range: Any) -> tuple[Any, Any]:
    """First and last edge of the bins."""
    if range is not None:
        first, last = (_scalar(v) if type(v) is ndarray else v for v in range)
        if first > last:
            raise ValueError("max must be larger than min in range parameter.")
        if not (np.isfinite(first) and np.isfinite(last)):
            raise ValueError(f"supplied range of [{first}, {last}] is not finite")
    elif a.size == 0:
        first, last = 0, 1
    else:
        first, last = _extremes(a)
        if not (np.isfinite(first) and np.isfinite(last)):
            raise ValueError(f"autodetected range of [{first}, {last}] is not finite")
    if first == last:
        first, last = first - 0.5, last + 0.5
    return first, last


def _bin_count(bins: Any) -> int:
    try:
        n = operator.index(bins)
    except TypeError as error:
        raise TypeError("`bins` must be an integer, a string, or an array") from error
    if n < 1:
        raise ValueError("`bins` must be positive, when an integer")
    return n


def _uniform_edges(a: ndarray, n: int, first: Any, last: Any) -> np.ndarray:
    t = np.result_type(first, last, a.dtype)
    if np.issubdtype(t, np.integer):
        t = np.result_type(t, float)
    edges = np.linspace(first, last, n + 1, endpoint=True, dtype=t)
    if np.any(edges[:-1] >= edges[1:]):
        raise ValueError(f"Too many bins for data range. Cannot create {n} finite-sized bins.")
    return edges


def _given_edges(bins: Any) -> np.ndarray:
    edges = to_numpy(bins) if type(bins) is ndarray else np.asarray(bins)
    if edges.ndim != 1:
        raise ValueError("`bins` must be 1d, when an array")
    if np.any(edges[:-1] > edges[1:]):
        raise ValueError("`bins` must increase monotonically, when an array")
    return edges


def _is_wide(edges: np.ndarray) -> bool:
    """Whether the number of bins per unit is finite, so that a value's bin can be estimated by multiplication."""
    return float(edges[-1]) - float(edges[0]) >= edges.size * _SMALLEST_NORMAL


def _count_uniform(a: ndarray, weights: ndarray | None, edges: np.ndarray, first: Any, last: Any) -> ndarray:
    span = float(span_of(first, last)), np.result_type(edges.dtype, span_of(first, last)) != np.float32
    data, limits = a.astype(edges.dtype, copy=False), as_array(edges, a)
    if weights is None:
        return _core.histogram(data, limits, *span, None, _IN_FLOAT64)
    t = weights.dtype
    if t.kind == "c":
        parts = [
            _core.histogram(
                data, limits, *span, part.astype(np.float64), _SUMS_ROUNDED if t == np.complex64 else _IN_FLOAT64
            )
            for part in (weights.real, weights.imag)
        ]
        return (parts[0] + parts[1] * 1j).astype(t)
    rounded = _PARTS_ROUNDED if t == np.float32 else _IN_FLOAT64
    r = _core.histogram(data, limits, *span, weights.astype(np.float64, copy=False), rounded)
    if t.kind in "iu":
        r = r.astype(np.int64 if t.kind == "i" else np.uint64)
    return r.astype(t, copy=False)


def _count_between(a: ndarray, edges: np.ndarray) -> ndarray:
    """Counts in bins of any width; the last includes its right edge."""
    n = edges.size - 1
    limits = as_array(edges, a)
    counts = _core.bincount(insertion_points(limits, a, True), n + 2)
    r = counts[1 : n + 1].copy()
    r[-1:] += (a == limits[-1]).sum()
    return r


def _sums_between(a: ndarray, weights: ndarray, edges: np.ndarray) -> ndarray:
    """Sums of weights in bins of any width; the last includes its right edge."""
    n = edges.size - 1
    t = weights.dtype
    if t.kind == "b" and a.size:
        np.histogram(np.zeros(1), np.zeros(2), weights=np.zeros(1, bool))  # NumPy raises its error
    limits = as_array(edges, a)
    at = _core.reshape(insertion_points(limits, a, True), (a.size,))
    at = at - (a == limits[-1]).astype(np.intp)
    work = np.dtype(np.complex128 if t.kind == "c" else np.float64 if t.kind == "f" else np.int64)
    sums = _core.full((n + 2,), 0, work, a.device)
    _core.scatter_add(sums, at, weights.astype(work, copy=False))
    return sums[1 : n + 1].astype(t)


def _exact_in_float64(a: ndarray, range: Any, limits: tuple[Any, Any]) -> bool:
    """Whether all elements are exact in float64; on a device False, to avoid waiting for it."""
    if a.dtype.kind not in "iu" or a.dtype.itemsize < 8 or a.size == 0:
        return True
    if range is not None:
        if is_apart(a):
            return False
        limits = _extremes(a)
    return int(limits[0]) >= -_EXACT and int(limits[1]) <= _EXACT


def _bins(a: ndarray, bins: Any, range: Any, weights: Any) -> tuple[np.ndarray, tuple[Any, Any] | None]:
    """The edges, and their limits if they are evenly spaced."""
    if np.ndim(bins) != 0:
        return _given_edges(bins), None
    if isinstance(bins, str):
        limits = (
            _limits(a, range) if bins in _RULE_NAMES and weights is None else (0, 1)
        )  # the count raises NumPy's error
        n = bin_count(a, bins, range, weights, limits, histogram)
    else:
        n = _bin_count(bins)
        limits = _limits(a, range)
    return _uniform_edges(a, n, *limits), limits


def histogram(
    a: _ArrayLike,
    bins: int | str | _ArrayLike = 10,
    range: tuple[_Number, _Number] | None = None,
    density: bool | None = None,
    weights: _ArrayLike | None = None,
) -> tuple[ndarray, ndarray]:
    """Compute a histogram: the number of values in each bin.

    Parameters
    ----------
    a : array_like
        Values; the array is flattened.
    bins : int, sequence or str, optional
        Number of bins of equal width, or their edges, or the name of a rule that computes a number.
    range : (float, float), optional
        First and last edge; the extremes of `a` by default.
    density : bool, optional
        Divide so that the integral over the range is one.
    weights : array_like of the shape of `a`, optional
        Weight of each value.

    Returns
    -------
    counts : ndarray of int64, or of the type of the weights, or float64 with `density`
    edges : ndarray
        One more than there are bins. Each bin but the last excludes its right edge.

    Raises
    ------
    ValueError
        The range is not finite or not ascending, the edges are not ascending, there are too many bins for the range, or
        `weights` has another shape.
    TypeError
        `bins` is none of these.

    Examples
    --------
    >>> import bascule as bc
    >>> bc.histogram([1, 2, 2, 9], bins=2)[0].tolist()
    [3, 1]
    """
    a, weights = _flat(a, weights)
    if a.dtype.kind == "c" or (weights is not None and weights.dtype.kind in "mM"):
        why = f"values of type {a.dtype}" if a.dtype.kind == "c" else f"weights of type {weights.dtype}"
        return in_numpy(np.histogram, (a, bins, range, density, weights), {}, "histogram", why)
    edges, limits = _bins(a, bins, range, weights)
    if edges.size == 0:
        t = np.dtype(np.intp) if weights is None else weights.dtype
        return _core.full((0,), 0, t, a.device), as_array(edges, a)
    uniform = limits is not None and a.dtype.kind not in "mM" and a.dtype != np.float16
    if uniform and _exact_in_float64(a, range, limits) and _is_wide(edges):
        counts = _count_uniform(a, weights, edges, *limits)
    else:
        values = a if limits is None else a.astype(edges.dtype, copy=False)
        counts = _count_between(values, edges) if weights is None else _sums_between(values, weights, edges)
    if density:
        counts = counts / as_array(np.array(np.diff(edges), float), a) / counts.sum()
    return counts, as_array(edges, a)


def histogram_bin_edges(
    a: _ArrayLike,
    bins: int | str | _ArrayLike = 10,
    range: tuple[_Number, _Number] | None = None,
    weights: _ArrayLike | None = None,
) -> ndarray:
    """Compute the bin edges that `histogram` would use.

    Parameters
    ----------
    a, bins, range, weights
        As in `histogram`.

    Returns
    -------
    ndarray

    Raises
    ------
    ValueError, TypeError
        As for `histogram`.

    Examples
    --------
    >>> import bascule as bc
    >>> bc.histogram_bin_edges([0, 1], bins=2).tolist()
    [0.0, 0.5, 1.0]
    """
    a, weights = _flat(a, weights)
    if a.dtype.kind == "c":
        why = f"values of type {a.dtype}"
        return in_numpy(np.histogram_bin_edges, (a, bins, range, weights), {}, "histogram_bin_edges", why)
    return as_array(_bins(a, bins, range, weights)[0], a)
