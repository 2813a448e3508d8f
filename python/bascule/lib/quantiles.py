"""Medians and quantiles, with NumPy's arithmetic on elements selected by rank."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal, overload

import numpy as np

from .. import _core
from .._array.caller_warnings import warn
from .._array.conversion import as_array, as_axisless, as_output, ndarray, to_numpy
from .._array.numpy_versions import since
from .._array.ufuncs import by_name
from .manipulation import moveaxis, normalize_axes, stack
from .quantile_methods import (
    _NO_VALUE,
    _POSITIONS,
    _TAKES_ONE,
    _at_each,
    _blend,
    _Lines,
    _nan_of,
    _neighbours,
    _share,
    of_one_line,
)
from .reductions import mean, nanmean
from .selection import take_along_axis, where
from .sorting_common import positions

if TYPE_CHECKING:
    from .._array.types import _ArrayLike, _ArrayOrScalar, _Axes, _Quantile, _Real

_KEEPS_Q = since("quantiles compute with q as it is")
_NAN_AS_COMPUTED = since("quantiles of NaN have the computation's type")
__all__ = ["median", "nanmedian", "nanpercentile", "nanquantile", "percentile", "quantile"]


@overload
def median(
    a: _ArrayLike, axis: None = None, out: None = None, overwrite_input: bool = False, keepdims: Literal[False] = False
) -> _Real: ...
@overload
def median(
    a: _ArrayLike,
    axis: _Axes | None = None,
    out: ndarray | None = None,
    overwrite_input: bool = False,
    keepdims: bool = False,
) -> ndarray: ...
def median(a: Any, axis: Any = None, out: Any = None, overwrite_input: bool = False, keepdims: bool = False) -> ndarray:
    """Compute the median of the elements.

    Parameters
    ----------
    a : array_like
    axis : int or tuple of int, optional
        Axes to reduce; all by default.
    out : ndarray, optional
        Output array.
    overwrite_input : bool, optional
        Allows NumPy to overwrite the input; here the input is never changed.
    keepdims : bool, optional
        Keep the reduced axes with length one.

    Returns
    -------
    ndarray
        float64 for integers, otherwise of the type of `a`; NaN where an element is NaN.

    Raises
    ------
    AxisError
        An axis is out of bounds.

    Examples
    --------
    >>> import bascule as bc
    >>> float(bc.median([3, 1, 2, 9]))
    2.5
    """
    a = as_array(a)
    if out is not None:
        as_output(out)
    lines = _Lines(a, axis)
    if a.size == 0:
        return lines.finish(lines.middle(moveaxis(lines.lines, -1, 0), out), out, keepdims)
    middle = lines.n // 2
    ranks = np.array([middle] if lines.n % 2 else [middle - 1, middle])
    r = lines.middle(lines.at(ranks), out)
    nulls = lines.has_nan()
    if nulls is not None:
        if out is not None and not np.can_cast(a.dtype, out.dtype, "same_kind"):
            raise TypeError(
                f"Cannot cast array data from {a.dtype!r} to {out.dtype!r} according to the rule 'same_kind'"
            )
        r = where(nulls, _nan_of(r.dtype, r), r)
    return lines.finish(r, out, keepdims)


@overload
def nanmedian(
    a: _ArrayLike, axis: None = None, out: None = None, overwrite_input: bool = False, keepdims: Literal[False] = ...
) -> _Real: ...
@overload
def nanmedian(
    a: _ArrayLike,
    axis: _Axes | None = None,
    out: ndarray | None = None,
    overwrite_input: bool = False,
    keepdims: bool = ...,
) -> ndarray: ...
def nanmedian(
    a: Any, axis: Any = None, out: Any = None, overwrite_input: bool = False, keepdims: Any = _NO_VALUE
) -> ndarray:
    """Compute the median of the elements that are not NaN.

    Parameters
    ----------
    a, axis, out, overwrite_input, keepdims
        As in `median`.

    Returns
    -------
    ndarray
        NaN, with a RuntimeWarning, where all elements are.

    Raises
    ------
    AxisError
        An axis is out of bounds.

    Examples
    --------
    >>> import bascule as bc
    >>> float(bc.nanmedian([3, 1, float("nan")]))
    2.0
    """
    a = as_array(a)
    if out is not None and not hasattr(out, "dtype"):
        raise TypeError(f"'{type(out).__name__}' object does not support item assignment")
    if a.size == 0:
        return nanmean(a, axis, out=out, keepdims=keepdims)
    if a.dtype.kind not in "fcm":
        return median(a, axis, out, overwrite_input, keepdims is not _NO_VALUE and bool(keepdims))
    lines = _Lines(a, axis, skips=True)
    counts = lines.counts
    for _ in range(np.count_nonzero(counts == 0)):  # as often as NumPy says so
        warn("All-NaN slice encountered")
    last = np.maximum(counts, 1)
    low, high = (last - 1) // 2, last // 2
    if lines.single:
        r = mean(lines.at(low[None] if low == high else np.stack([low, high])), axis=0)
    else:
        r = mean(stack([_at_each(lines, low), _at_each(lines, high)]), axis=0)
    if a.dtype.kind in "cm" and not counts.all():
        r = where(as_array(counts == 0, r), _nan_of(r.dtype, r), r)
    return lines.finish(r.astype(a.dtype, copy=False), out, keepdims)


def _quantiles(lines: _Lines, q: np.ndarray, method: str, weak: bool) -> ndarray:
    at = np.asanyarray(_POSITIONS[method](lines.n, q))
    if method in _TAKES_ONE or (method == "linear" and at.dtype.kind in "iu"):
        if at.size and lines.n == 0:
            raise IndexError("index -1 is out of bounds for axis 0 with size 0")
        r = lines.at(at)
    else:
        low, high = _neighbours(at, lines.n, lines.lines.dtype.kind in "fc")
        if low.size and lines.n == 0:
            raise IndexError("index -1 is out of bounds for axis 0 with size 0")
        share = _share(method, at - low, at)
        below, above = lines.at(np.stack([low, high]))
        if weak:
            r = _blend(below, above, float(share), 1 - float(share), float(share) >= 0.5)
        else:
            share = share.reshape((*at.shape, *(1,) * (lines.lines.ndim - 1)))
            r = _blend(below, above, *(as_array(x, lines.lines) for x in (share, 1 - share, share >= 0.5)))
    nulls = lines.has_nan()
    if nulls is not None:
        if r.ndim == 0 and r.dtype != lines.lines.dtype:  # NumPy returns the NaN of the data
            return _nan_of(lines.lines.dtype, r) if bool(nulls) else r
        r = where(nulls, _nan_of(r.dtype, r), r).astype(r.dtype, copy=False)
    return r


def _ranks(method: str, n: np.ndarray, q: np.ndarray) -> np.ndarray:
    """Position of each quantile in each line; a number of elements has no type of its own."""
    if n.ndim == 0:
        return np.asanyarray(_POSITIONS[method](int(n), q))
    if q.dtype not in (np.float16, np.float32):
        number = n.astype(q.dtype) if q.dtype.kind == "f" else n
        return np.asanyarray(_POSITIONS[method](number, q.reshape((*q.shape, *(1,) * n.ndim))))
    found = {count: np.asanyarray(_POSITIONS[method](count, q)) for count in np.unique(n).tolist()}
    r = np.empty((*q.shape, *n.shape), next(iter(found.values())).dtype if found else q.dtype)
    for count, at in found.items():
        r[..., n == count] = at[..., None]
    return r


def _nan_quantiles(lines: _Lines, q: np.ndarray, method: str, weak: bool) -> ndarray:
    counts = lines.counts
    if not counts.all():
        warn("All-NaN slice encountered")
        if lines.single and not (_NAN_AS_COMPUTED and q.ndim):  # in the data's type, whatever that of the computation
            return _core.broadcast_to(_nan_of(lines.lines.dtype, lines.lines), q.shape)
    n = np.maximum(counts, 1)  # if all are NaN the first one is returned
    at = _ranks(method, n, q)
    if method in _TAKES_ONE or (method == "linear" and at.dtype.kind in "iu"):
        return _at_each(lines, np.broadcast_to(at, (*q.shape, *n.shape)))
    low, high = _neighbours(at, n, lines.lines.dtype.kind == "f")
    share = _share(method, at - low, at)
    low, high = (np.where(k < 0, n - 1, k) for k in (low, high))
    rest, upper = 1 - share, share >= 0.5
    if weak and lines.lines.dtype.kind == "f":  # a Python float takes the type of the data
        share, rest = share.astype(lines.lines.dtype), rest.astype(lines.lines.dtype)
    below, above = lines.at(np.stack([low, high])) if lines.single else (_at_each(lines, low), _at_each(lines, high))
    return _blend(below, above, *(as_array(x, lines.lines) for x in (share, rest, upper)))


def _checked(q: Any, percent: bool, of: np.dtype[Any]) -> np.ndarray:
    q = to_numpy(q) if type(q) is ndarray else q
    in_its_type = of.kind == "f" and not _KEEPS_Q
    if percent:
        q = np.asarray(np.true_divide(q, of.type(100) if in_its_type else 100))
    else:
        q = np.asarray(q, of if in_its_type and isinstance(q, (int, float)) else None)
    if q.size and not (q.min() >= 0 and q.max() <= 1):
        raise ValueError(
            "Percentiles must be in the range [0, 100]" if percent else "Quantiles must be in the range [0, 1]"
        )
    return q


def _checked_weights(a: ndarray, axis: Any, weights: Any, method: str) -> ndarray:
    """Weights broadcast to the shape of the array."""
    if method != "inverted_cdf":
        raise ValueError(f"Only method 'inverted_cdf' supports weights. Got: {method}.")
    w = as_array(weights, a)
    if w.shape != a.shape:
        if axis is None:
            raise TypeError("Axis must be specified when shapes of a and weights differ.")
        axes = normalize_axes(axis, a.ndim, "axis")
        if w.shape != tuple(a.shape[k] for k in axes):
            raise ValueError("Shape of weights must be consistent with shape of a along specified axis.")
        w = _core.transpose(w, np.argsort(axes).tolist())
        w = _core.reshape(w, tuple(n if k in axes else 1 for k, n in enumerate(a.shape)))
    if bool((w < 0).any()):
        raise ValueError("Weights must be non-negative.")
    return _core.broadcast_to(w, a.shape)


def _weighted(a: ndarray, weights: ndarray, axis: Any, q: np.ndarray, skip: bool) -> ndarray:
    """First element at which the running sum of the weights reaches a fraction of the total."""
    lines, w = _Lines(a, axis).lines, _Lines(weights, axis).lines
    nulls = by_name["isnan"](lines) if lines.dtype.kind == "f" else None
    if skip and nulls is not None:  # NaN come last, with weight zero
        w = where(nulls, 0, w)
    order = positions(lines, lines.ndim - 1)
    lines = take_along_axis(lines, order, -1)
    reached = take_along_axis(w, order, -1).cumsum(axis=-1, dtype=np.float64)
    with np.errstate(all="ignore"):
        reached = reached / reached[..., -1:]
    all_nan = nulls.all(axis=-1) if nulls is not None else None
    bad = by_name["isnan"](reached[..., -1])
    if bool((bad & ~all_nan if skip and all_nan is not None else bad).any()):
        raise ValueError("Weights included NaN, inf or were all zero.")
    reached = where(reached == 0, -1.0, reached)
    if q.dtype.kind == "f":
        reached = reached.astype(q.dtype, copy=False)
    found = []
    for part in q.ravel():
        at = by_name["minimum"]((reached < part).sum(axis=-1), lines.shape[-1] - 1)
        found.append(take_along_axis(lines, at[..., None], -1)[..., 0])
    r = _core.reshape(stack(found), (*q.shape, *lines.shape[:-1])) if found else lines[..., :0]
    if nulls is not None:
        none = all_nan if skip else nulls.any(axis=-1)
        if skip and bool(none.any()):
            warn("All-NaN slice encountered")
        r = where(none, _nan_of(r.dtype, r), r).astype(r.dtype, copy=False)
    return r


def _quantile(name: str, a: Any, q: Any, axis: Any, out: Any, method: str, keepdims: Any, weights: Any) -> ndarray:
    a = as_array(a, weights)
    usual = method == "linear" and axis is out is weights is None and (keepdims is _NO_VALUE or keepdims is False)
    if usual and a.ndim == 1 and a.dtype == np.float64 and a.device == "cpu":
        r = of_one_line(a, q, name.endswith("percentile"))
        if r is not None:
            return r
    if a.dtype.kind == "c":
        raise TypeError("a must be an array of real numbers")
    weak = _KEEPS_Q and type(q) in (int, float)
    fractions = _checked(q, name.endswith("percentile"), a.dtype)
    if weights is not None:
        weights = _checked_weights(a, axis, weights, method)
    if name.startswith("nan") and a.size == 0:
        return nanmean(a, axis, out=out, keepdims=keepdims)
    if fractions.ndim > 2:
        raise ValueError("q must be a scalar or 1d")
    if weights is not None:
        r = _weighted(a, weights, axis, fractions, name.startswith("nan"))
        r = _Lines(a, axis).finish(r, out, keepdims)
        return as_axisless(r, a) if out is None and r.ndim == 0 else r
    if method not in _POSITIONS:
        np.quantile(np.zeros(1), 0.5, method=method)  # NumPy's error lists the methods
    skips = name.startswith("nan") and a.dtype.kind in "fmM"
    lines = _Lines(a, axis, skips=skips)
    r = (_nan_quantiles if skips else _quantiles)(lines, fractions, method, weak)
    if out is not None and not name.startswith("nan"):
        as_output(out, "output must be an array")
        _check_output(r.dtype, out, method in _TAKES_ONE)
        if out.shape != r.shape and not keepdims and np.broadcast_shapes(r.shape, out.shape) == out.shape:
            out[...] = r
            return out
    return lines.finish(r, out, keepdims)


def _check_output(t: np.dtype, out: Any, takes: bool) -> None:
    """Check an output: selected elements must cast back from it safely, interpolated values are cast like a sum's."""
    if takes and not np.can_cast(out.dtype, t):
        raise TypeError(f"Cannot cast array data from {out.dtype!r} to {t!r} according to the rule 'safe'")
    if not takes and not np.can_cast(t, out.dtype, "same_kind"):
        raise TypeError(f"Cannot cast ufunc 'add' output from {t!r} to {out.dtype!r} with casting rule 'same_kind'")


@overload
def quantile(
    a: _ArrayLike,
    q: _ArrayLike,
    axis: None = None,
    out: None = None,
    overwrite_input: bool = False,
    method: _Quantile = "linear",
    keepdims: Literal[False] = False,
    *,
    weights: _ArrayLike | None = None,
) -> _ArrayOrScalar: ...
@overload
def quantile(
    a: _ArrayLike,
    q: _ArrayLike,
    axis: _Axes | None = None,
    out: ndarray | None = None,
    overwrite_input: bool = False,
    method: _Quantile = "linear",
    keepdims: bool = False,
    *,
    weights: _ArrayLike | None = None,
) -> ndarray: ...
def quantile(
    a: Any,
    q: Any,
    axis: Any = None,
    out: Any = None,
    overwrite_input: bool = False,
    method: str = "linear",
    keepdims: bool = False,
    *,
    weights: Any = None,
) -> ndarray:
    """Compute quantiles of the elements.

    Parameters
    ----------
    a : array_like of real numbers
    q : float or array_like of float
        Fractions, from 0 to 1.
    axis : int or tuple of int, optional
        Axes to reduce; all by default.
    out : ndarray, optional
        Output array.
    overwrite_input : bool, optional
        Allows NumPy to overwrite the input; here the input is never changed.
    method : str, optional
        Method of interpolation between neighbours, by NumPy's names.
    keepdims : bool, optional
        Keep the reduced axes with length one.
    weights : array_like, optional
        Weight of each element, for the method 'inverted_cdf'; of the shape of `a` or of the reduced axes.

    Returns
    -------
    ndarray
        Of shape ``q.shape`` followed by the remaining axes; NaN where an element is NaN.

    Raises
    ------
    ValueError
        A fraction is outside [0, 1], or `method` is unknown.
    TypeError
        `a` is complex, or boolean with a method that interpolates.

    Examples
    --------
    >>> import bascule as bc
    >>> bc.quantile([1, 2, 3, 4], [0, 0.5]).tolist()
    [1.0, 2.5]
    """
    return _quantile("quantile", a, q, axis, out, method, keepdims, weights)


@overload
def percentile(
    a: _ArrayLike,
    q: _ArrayLike,
    axis: None = None,
    out: None = None,
    overwrite_input: bool = False,
    method: _Quantile = "linear",
    keepdims: Literal[False] = False,
    *,
    weights: _ArrayLike | None = None,
) -> _ArrayOrScalar: ...
@overload
def percentile(
    a: _ArrayLike,
    q: _ArrayLike,
    axis: _Axes | None = None,
    out: ndarray | None = None,
    overwrite_input: bool = False,
    method: _Quantile = "linear",
    keepdims: bool = False,
    *,
    weights: _ArrayLike | None = None,
) -> ndarray: ...
def percentile(
    a: Any,
    q: Any,
    axis: Any = None,
    out: Any = None,
    overwrite_input: bool = False,
    method: str = "linear",
    keepdims: bool = False,
    *,
    weights: Any = None,
) -> ndarray:
    """Compute percentiles of the elements: the `quantile` of ``q / 100``.

    Parameters
    ----------
    a, axis, out, overwrite_input, method, keepdims, weights
        As in `quantile`.
    q : float or array_like of float
        Percentages, from 0 to 100.

    Returns
    -------
    ndarray
        As for `quantile`.

    Raises
    ------
    ValueError, TypeError
        As for `quantile`.

    Examples
    --------
    >>> import bascule as bc
    >>> float(bc.percentile([1, 2, 3], 50))
    2.0
    """
    return _quantile("percentile", a, q, axis, out, method, keepdims, weights)


@overload
def nanquantile(
    a: _ArrayLike,
    q: _ArrayLike,
    axis: None = None,
    out: None = None,
    overwrite_input: bool = False,
    method: _Quantile = "linear",
    keepdims: Literal[False] = ...,
    *,
    weights: _ArrayLike | None = None,
) -> _ArrayOrScalar: ...
@overload
def nanquantile(
    a: _ArrayLike,
    q: _ArrayLike,
    axis: _Axes | None = None,
    out: ndarray | None = None,
    overwrite_input: bool = False,
    method: _Quantile = "linear",
    keepdims: bool = ...,
    *,
    weights: _ArrayLike | None = None,
) -> ndarray: ...
def nanquantile(
    a: Any,
    q: Any,
    axis: Any = None,
    out: Any = None,
    overwrite_input: bool = False,
    method: str = "linear",
    keepdims: Any = _NO_VALUE,
    *,
    weights: Any = None,
) -> ndarray:
    """Compute quantiles of the elements that are not NaN.

    Parameters
    ----------
    a, q, axis, out, overwrite_input, method, keepdims, weights
        As in `quantile`.

    Returns
    -------
    ndarray
        NaN, with a RuntimeWarning, where all elements are.

    Raises
    ------
    ValueError, TypeError
        As for `quantile`.

    Examples
    --------
    >>> import bascule as bc
    >>> float(bc.nanquantile([1, 2, float("nan")], 0.5))
    1.5
    """
    return _quantile("nanquantile", a, q, axis, out, method, keepdims, weights)


@overload
def nanpercentile(
    a: _ArrayLike,
    q: _ArrayLike,
    axis: None = None,
    out: None = None,
    overwrite_input: bool = False,
    method: _Quantile = "linear",
    keepdims: Literal[False] = ...,
    *,
    weights: _ArrayLike | None = None,
) -> _ArrayOrScalar: ...
@overload
def nanpercentile(
    a: _ArrayLike,
    q: _ArrayLike,
    axis: _Axes | None = None,
    out: ndarray | None = None,
    overwrite_input: bool = False,
    method: _Quantile = "linear",
    keepdims: bool = ...,
    *,
    weights: _ArrayLike | None = None,
) -> ndarray: ...
def nanpercentile(
    a: Any,
    q: Any,
    axis: Any = None,
    out: Any = None,
    overwrite_input: bool = False,
    method: str = "linear",
    keepdims: Any = _NO_VALUE,
    *,
    weights: Any = None,
) -> ndarray:
    """Compute percentiles of the elements that are not NaN.

    Parameters
    ----------
    a, q, axis, out, overwrite_input, method, keepdims, weights
        As in `percentile`.

    Returns
    -------
    ndarray
        NaN, with a RuntimeWarning, where all elements are.

    Raises
    ------
    ValueError, TypeError
        As for `quantile`.

    Examples
    --------
    >>> import bascule as bc
    >>> float(bc.nanpercentile([1, 2, float("nan")], 100))
    2.0
    """
    return _quantile("nanpercentile", a, q, axis, out, method, keepdims, weights)
