"""Differences, gradients and integrals of sampled functions, and interpolation."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Literal, SupportsIndex

import numpy as np

from .. import _core
from .._array.conversion import as_array, as_value, from_result, host_view, is_array, ndarray, to_numpy
from .._array.numpy_versions import since
from .._array.ufuncs import by_name
from .creation import empty_like
from .manipulation import concatenate, normalize_axes, normalize_axis, ravel
from .reductions import diff
from .selection import where
from .sorting import argsort
from .sorting_common import insertion_points

if TYPE_CHECKING:
    from .._array.types import _ArrayLike, _ArrayOrScalar, _Axes

__all__ = ["ediff1d", "gradient", "interp", "trapezoid", "unwrap"]


def ediff1d(ary: _ArrayLike, to_end: _ArrayLike | None = None, to_begin: _ArrayLike | None = None) -> ndarray:
    """Compute the differences between consecutive elements of the flattened array.

    Parameters
    ----------
    ary : array_like
    to_end, to_begin : array_like, optional
        Values to append and to prepend to the differences.

    Returns
    -------
    ndarray of one axis

    Raises
    ------
    TypeError
        `to_end` or `to_begin` cannot be cast to the type of `ary`.

    Examples
    --------
    >>> import bascule as bc
    >>> bc.ediff1d([1, 2, 4], to_begin=0).tolist()
    [0, 1, 2]
    """
    a = ravel(as_array(ary))
    parts = [by_name["subtract"](a[1:], a[:-1])]
    for name, end in (("to_begin", to_begin), ("to_end", to_end)):
        if end is not None:
            end = as_array(end, a)
            if not np.can_cast(end.dtype, a.dtype, casting="same_kind"):
                raise TypeError(f"dtype of `{name}` must be compatible with input `ary` under the `same_kind` rule.")
            end = ravel(end).astype(a.dtype, copy=False)
            parts = [end, *parts] if name == "to_begin" else [*parts, end]
    return concatenate(parts) if len(parts) > 1 else parts[0]


# ---- gradient


def _spacings(given: tuple, f: ndarray, axes: tuple[int, ...]) -> list[Any]:
    """For each axis the spacing, or the distances between neighbours."""
    if not given:
        return [1.0] * len(axes)
    if len(given) == 1 and np.ndim(given[0]) == 0:
        return [_plain(given[0])] * len(axes)
    if len(given) != len(axes):
        raise TypeError("invalid number of arguments")
    r: list[Any] = []
    for x, axis in zip(given, axes):
        if np.ndim(x) == 0:
            r.append(_plain(x))
            continue
        d = as_array(x, f)
        if d.ndim != 1:
            raise ValueError("distances must be either scalars or 1d")
        if len(d) != f.shape[axis]:
            raise ValueError("when 1d, distances must match the length of the corresponding dimension")
        steps = diff(d.astype(np.float64) if d.dtype.kind in "iu" else d)
        r.append(_plain(steps[0]) if bool((steps == steps[0]).all()) else steps)
    return r


def _plain(x: Any) -> Any:
    """A NumPy scalar, which keeps its type, in place of a scalar of ours."""
    return to_numpy(x)[()] if is_array(x) else x


def _weights(d: Any, first: bool) -> tuple[Any, Any, Any]:
    """The weights of the three elements at an end in a difference of second order."""
    if np.ndim(d) == 0:
        return (-1.5 / d, 2.0 / d, -0.5 / d) if first else (0.5 / d, -2.0 / d, 1.5 / d)
    if first:
        x, y = _plain(d[0]), _plain(d[1])
        return -(2.0 * x + y) / (x * (x + y)), (x + y) / (x * y), -x / (y * (x + y))
    x, y = _plain(d[-2]), _plain(d[-1])
    return y / (x * (x + y)), -(y + x) / (x * y), (2.0 * y + x) / (y * (x + y))


def _slope(f: ndarray, d: Any, axis: int, edge_order: int, kind: np.dtype) -> ndarray:
    if f.shape[axis] < edge_order + 1:
        raise ValueError(
            "Shape of array too small to calculate a numerical gradient, at least (edge_order + 1) elements are required."
        )
    at = lambda key: (*(slice(None),) * axis, key)
    before, here, after = f[at(slice(None, -2))], f[at(slice(1, -1))], f[at(slice(2, None))]
    out = empty_like(f, dtype=kind)
    if np.ndim(d) == 0:
        out[at(slice(1, -1))] = (after - before) / (2.0 * d)
    else:
        wide = _core.reshape(d, (*(1,) * axis, d.size, *(1,) * (f.ndim - axis - 1)))
        x, y = wide[at(slice(None, -1))], wide[at(slice(1, None))]
        a, b, c = -y / (x * (x + y)), (y - x) / (x * y), x / (y * (x + y))
        out[at(slice(1, -1))] = a * before + b * here + c * after
    for first in (True, False):
        end = 0 if first else -1
        if edge_order == 1:
            step = d if np.ndim(d) == 0 else _plain(d[end])
            i, j = (1, 0) if first else (-1, -2)
            out[at(end)] = (f[at(i)] - f[at(j)]) / step
        else:
            a, b, c = _weights(d, first)
            i, j, k = (0, 1, 2) if first else (-3, -2, -1)
            out[at(end)] = a * f[at(i)] + b * f[at(j)] + c * f[at(k)]
    return out


@_core.function
def gradient(f: _ArrayLike, *varargs: _ArrayLike, axis: _Axes = None, edge_order: Literal[1, 2] = 1) -> Any:
    """Compute the gradient by central differences, with one-sided differences at the boundaries.

    Parameters
    ----------
    f : array_like
    *varargs : scalars or array_like of one axis, optional
        Spacing of the samples: one for all axes, or for each axis a spacing or the coordinates.
    axis : int or tuple of int, optional
        Axes of the gradient; all by default.
    edge_order : {1, 2}, optional
        Order of the differences at the ends.

    Returns
    -------
    ndarray, or tuple of ndarray
        Of the shape of `f`, one per axis.

    Raises
    ------
    ValueError
        An axis is too short, `edge_order` exceeds 2, or coordinates do not match.
    TypeError
        There are more or fewer spacings than axes.

    Examples
    --------
    >>> import bascule as bc
    >>> bc.gradient([1.0, 2.0, 4.0]).tolist()
    [1.0, 1.5, 2.0]
    """
    f = as_array(f, next((x for x in varargs if is_array(x)), None))
    axes = tuple(range(f.ndim)) if axis is None else normalize_axes(axis, f.ndim)
    steps = _spacings(varargs, f, axes)
    if edge_order > 2:
        raise ValueError("'edge_order' greater than 2 not supported")
    kind = f.dtype
    if kind.kind == "M":
        kind = np.dtype(f"m8[{kind.str.partition('[')[2]}")
        f = f.view(kind)
    elif kind.kind not in "mfc":
        f = f.astype(np.float64) if kind.kind in "iu" else f
        kind = np.dtype(np.float64)
    slopes = tuple(_slope(f, d, k, edge_order, kind) for k, d in zip(axes, steps))
    return slopes[0] if len(slopes) == 1 else slopes


def trapezoid(y: _ArrayLike, x: _ArrayLike | None = None, dx: float = 1.0, axis: SupportsIndex = -1) -> _ArrayOrScalar:
    """Integrate with the trapezoidal rule.

    Parameters
    ----------
    y : array_like
        Samples.
    x : array_like, optional
        Coordinates, of one axis or of the shape of `y`.
    dx : scalar, optional
        Spacing of the samples if `x` is not given.
    axis : int, optional
        Axis to integrate along.

    Returns
    -------
    ndarray
        Without that axis.

    Raises
    ------
    AxisError, ValueError
        The axis is out of range, or the shapes do not match.

    Examples
    --------
    >>> import bascule as bc
    >>> float(bc.trapezoid([1, 2, 3]))
    4.0
    """
    y = as_array(y, x)
    axis_ = axis + y.ndim if axis < 0 else axis
    if x is None:
        d: Any = dx
    else:
        x = as_array(x, y)
        d = diff(x, axis=axis if x.ndim != 1 else -1)
        if x.ndim == 1:
            shape = [1] * y.ndim
            shape[axis] = d.shape[0]
            d = _core.reshape(d, tuple(shape))
    lead = (slice(None),) * axis_
    return (d * (y[(*lead, slice(1, None))] + y[(*lead, slice(None, -1))]) / 2.0).sum(axis=axis)


def unwrap(
    p: _ArrayLike, discont: float | None = None, axis: SupportsIndex = -1, *, period: float = 2 * np.pi
) -> ndarray:
    """Unwrap phases: add multiples of a period where consecutive elements differ by more than half of it.

    Parameters
    ----------
    p : array_like
    discont : float, optional
        Least difference that counts as a jump; half the period by default, and not less.
    axis : int, optional
        Axis along which to unwrap.
    period : float or int, optional

    Returns
    -------
    ndarray
        Of the shape of `p`; of an integer type if `p` and `period` are.

    Raises
    ------
    AxisError
        The axis is out of bounds.

    Examples
    --------
    >>> import bascule as bc
    >>> bc.unwrap([0, 1, 2, -1, 0], period=4).tolist()
    [0, 1, 2, 3, 4]
    """
    p = as_array(p)
    steps = diff(p, axis=axis)
    limit = period / 2 if discont is None else discont
    kind = np.result_type(steps.dtype, period)
    whole = kind.kind in "iu"
    high, odd = divmod(period, 2) if whole else (period / 2, 0)
    within = by_name["remainder"](steps + high, period) - high
    if odd == 0:  # a step of half a period keeps its sign
        within = where((within == -high) & (steps > 0), high, within)
    change = where(by_name["absolute"](steps) < limit, 0, within - steps)
    r = p.astype(kind, copy=True)
    later = (*(slice(None),) * normalize_axis(axis, p.ndim), slice(1, None))
    r[later] = p[later] + change.cumsum(axis=axis)
    return r


# ---- interpolation

# Coordinates for which NumPy's loop takes less time than passes over arrays, as in bindings/functions_numeric.cpp.
_FEW = 2048


def _sorted_period(x: ndarray, xp: ndarray, fp: ndarray, period: Any) -> tuple[ndarray, ndarray, ndarray]:
    """All coordinates within one period, with the samples sorted and one more at either end."""
    x, xp = by_name["remainder"](x, period), by_name["remainder"](xp, period)
    order = argsort(xp)
    xp, fp = xp[order], fp[order]
    xp = concatenate((xp[-1:] - period, xp, xp[:1] + period))
    return x, xp, concatenate((fp[-1:], fp, fp[:1]))


def _between(x: ndarray, xp: ndarray, fp: ndarray) -> ndarray:
    """Values on the line between the two samples next to each x."""
    at = by_name["minimum"](by_name["maximum"](insertion_points(xp, x, True) - 1, 0), xp.size - 2)
    if fp.dtype.kind != "c":
        return _on_lines(x, xp, fp, at, lambda rise, run: rise / run)
    r = _core.full(x.shape, 0, fp.dtype, x.device).copy()
    for part, samples in ((r.real, fp.real), (r.imag, fp.imag)):
        part[...] = _on_lines(x, xp, samples, at, lambda rise, run: rise * (1.0 / run))
    return r


def _on_lines(x: ndarray, xp: ndarray, fp: ndarray, at: ndarray, slope_of: Callable[[Any, Any], Any]) -> ndarray:
    with np.errstate(all="ignore"):
        slope = slope_of(fp[1:] - fp[:-1], xp[1:] - xp[:-1])
        left, value = xp[at], fp[at]
        r = slope[at] * (x - left) + value
        finite = by_name["isfinite"]
        if not (bool(finite(slope).all()) and bool(finite(xp).all())):
            nan, right = by_name["isnan"], fp[at + 1]
            r = where(nan(r), slope[at] * (x - xp[at + 1]) + right, r)
            r = where(nan(r) & (value == right), value, r)
        return where(x == left, value, r)


@_core.function
def interp(
    x: _ArrayLike,
    xp: _ArrayLike,
    fp: _ArrayLike,
    left: Any = None,
    right: bool | None = None,
    period: float | None = None,
) -> _ArrayOrScalar:
    """Interpolate linearly between data points.

    Parameters
    ----------
    x : array_like of real numbers
        Coordinates at which to evaluate.
    xp : array_like of real numbers, shape (n,)
        Coordinates of the samples, ascending unless there is a period.
    fp : array_like, shape (n,)
        Samples, real or complex.
    left, right : scalar, optional
        Values outside the samples; by default the first and the last sample.
    period : float, optional
        Period of the coordinates; `left` and `right` are then ignored.

    Returns
    -------
    ndarray of float64 or complex128
        Of the shape of `x`.

    Raises
    ------
    ValueError
        There are no samples, coordinates and samples differ in number or do not have one axis, or the period is zero.

    Examples
    --------
    >>> import bascule as bc
    >>> float(bc.interp(2.5, [1, 2, 3], [3, 2, 0]))
    1.0
    """
    like = next((v for v in (x, xp, fp) if is_array(v)), None)
    x, xp, fp = as_array(x, like), as_array(xp, like), as_array(fp, like)
    if x.size <= _FEW and {v.device for v in (x, xp, fp)} == {"cpu"}:
        return from_result(np.interp(host_view(x), host_view(xp), host_view(fp), left, right, period), "cpu")
    if period == 0:
        raise ValueError("period must be a non-zero value")
    kind = np.complex128 if fp.dtype.kind == "c" else np.float64
    if xp.ndim != 1 or fp.ndim != 1:
        if period is not None:
            raise ValueError("Data points must be 1-D sequences")
        np.interp(0.0, np.zeros((1,) * xp.ndim), np.zeros((1,) * fp.ndim, kind))  # NumPy raises its error
        xp, fp = (_core.reshape(v, (v.size,)) for v in (xp, fp))
    rule = "safe" if period is None else "unsafe"
    x, xp, fp = (
        v if v.dtype == t else v.astype(t, casting=rule, copy=False)
        for v, t in ((x, np.float64), (xp, np.float64), (fp, kind))
    )
    if xp.size != fp.size:
        raise ValueError("fp and xp are not of the same length" + ("" if period is not None else "."))
    if xp.size == 0:
        if x.size == 0 and since("interp of nothing is nothing"):
            return _core.full(x.shape, 0, np.dtype(kind), x.device)
        raise ValueError("array of sample points is empty")
    shape = x.shape
    x = x if x.ndim else _core.reshape(x, (1,))
    if period is not None:
        left = right = None
        x, xp, fp = _sorted_period(x, xp, fp, abs(period))
    r = _between(x, xp, fp) if xp.size > 1 else _core.broadcast_to(fp, x.shape)
    r = where(x >= xp[-1], fp[-1], r)
    r = where(x < xp[0], fp[0] if left is None else np.asarray(left, kind)[()], r)
    r = where(x > xp[-1], fp[-1] if right is None else np.asarray(right, kind)[()], r)
    r = where(by_name["isnan"](x), x, r) if xp.size > 1 else r
    return as_value(_core.reshape(r.astype(kind, copy=False), shape))
