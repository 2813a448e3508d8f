"""Folds of whole arrays and along axes, and running folds."""

from __future__ import annotations

import operator
import warnings
from typing import Any

import numpy as np

from . import _core
from .conversion import as_array, as_value, ndarray
from .fallback import in_numpy
from .manipulation import normalize_axes, ravel
from .ufuncs import by_name, rows, running_dtype
from .warned import warn

_NO_VALUE = np._NoValue
_select = rows["where"]["ufunc"]


def _call(method: str, a: Any, axis: Any, **options: Any) -> Any:
    a = as_array(a)
    if isinstance(axis, list):
        raise TypeError("'list' object cannot be interpreted as an integer")
    return getattr(a, method)(axis=axis, **options)


@_core.function
def sum(
    a: Any,
    axis: Any = None,
    dtype: Any = None,
    out: Any = None,
    keepdims: Any = _NO_VALUE,
    initial: Any = _NO_VALUE,
    where: Any = _NO_VALUE,
) -> ndarray:
    """Sum of the elements, with the bits of NumPy's pairwise sum."""
    return _call("sum", a, axis, dtype=dtype, out=out, keepdims=keepdims, initial=initial, where=where)


@_core.function
def prod(
    a: Any,
    axis: Any = None,
    dtype: Any = None,
    out: Any = None,
    keepdims: Any = _NO_VALUE,
    initial: Any = _NO_VALUE,
    where: Any = _NO_VALUE,
) -> ndarray:
    """Product of the elements."""
    return _call("prod", a, axis, dtype=dtype, out=out, keepdims=keepdims, initial=initial, where=where)


@_core.function
def max(
    a: Any,
    axis: Any = None,
    out: Any = None,
    keepdims: Any = _NO_VALUE,
    initial: Any = _NO_VALUE,
    where: Any = _NO_VALUE,
) -> ndarray:
    """Largest element; NaN where there is one."""
    return _call("max", a, axis, out=out, keepdims=keepdims, initial=initial, where=where)


@_core.function
def min(
    a: Any,
    axis: Any = None,
    out: Any = None,
    keepdims: Any = _NO_VALUE,
    initial: Any = _NO_VALUE,
    where: Any = _NO_VALUE,
) -> ndarray:
    """Smallest element; NaN where there is one."""
    return _call("min", a, axis, out=out, keepdims=keepdims, initial=initial, where=where)


amax, amin = max, min


@_core.function
def any(a: Any, axis: Any = None, out: Any = None, keepdims: Any = _NO_VALUE, *, where: Any = _NO_VALUE) -> ndarray:
    """Whether any element is true."""
    return _call("any", a, axis, out=out, keepdims=keepdims, where=where)


@_core.function
def all(a: Any, axis: Any = None, out: Any = None, keepdims: Any = _NO_VALUE, *, where: Any = _NO_VALUE) -> ndarray:
    """Whether all elements are true."""
    return _call("all", a, axis, out=out, keepdims=keepdims, where=where)


@_core.function
def mean(
    a: Any, axis: Any = None, dtype: Any = None, out: Any = None, keepdims: Any = _NO_VALUE, *, where: Any = _NO_VALUE
) -> ndarray:
    """Mean of the elements."""
    return _call("mean", a, axis, dtype=dtype, out=out, keepdims=keepdims, where=where)


def _tell_of_few(method: str, a: ndarray, axis: Any, where: Any, ddof: Any, dtype: Any, keepdims: Any) -> bool:
    """Say what NumPy says, by word and by errstate, where ndarray's mean, var or std has too few elements."""
    options = {"dtype": dtype, "keepdims": keepdims}
    if method != "mean":
        options["ddof"] = ddof
    if where is not True:
        if not _few(a, axis, where, ddof):
            return False
        options["where"] = _core.to_numpy(as_array(where))
    failed = None
    with warnings.catch_warnings(record=True) as said:
        warnings.simplefilter("always")
        try:
            getattr(np, method)(_core.to_numpy(a), axis, **options)
        except FloatingPointError as error:
            failed = error
        except (IndexError, TypeError, ValueError):
            return False  # the fold raises what is wrong
    for w in said:
        warn(str(w.message), w.category)
    if failed is not None:
        raise failed
    return True


def _few(a: ndarray, axis: Any, where: Any, ddof: Any) -> bool:
    """Whether not more than `ddof` elements are left anywhere in a fold."""
    try:
        few = _count(a, axis, where) <= ddof
    except (IndexError, TypeError):
        return False  # the fold raises what is wrong with the axis
    return bool(few.any()) if type(few) is ndarray else few


def _warn_of_few(a: ndarray, axis: Any, where: Any, ddof: Any, text: str) -> None:
    if _few(a, axis, where, ddof):
        warn(text)


def _into(out: Any, r: ndarray) -> ndarray:
    if out is None:
        return r
    out[...] = r
    return out


def _moment(method: str, a: Any, axis: Any, ddof: Any, mean: Any, correction: Any, options: dict[str, Any]) -> ndarray:
    if correction is not _NO_VALUE:
        if ddof != 0:
            raise ValueError("ddof and correction can't be provided simultaneously.")
        ddof = correction
    a = as_array(a)
    if mean is not _NO_VALUE:
        _warn_of_few(a, axis, options["where"], ddof, "Degrees of freedom <= 0 for slice")
        away = a - mean
        square = (away * by_name["conjugate"](away)).real if away.dtype.kind == "c" else away * away
        total = _call("sum", square, axis, keepdims=options["keepdims"], where=options["where"])
        count = _count(a, axis, options["where"])
        count = _core.reshape(count, total.shape) if type(count) is ndarray else count
        free = by_name["maximum"](count - ddof, 0)
        with np.errstate(divide="ignore", invalid="ignore"):
            r = as_value((total / free).astype(total.dtype if total.dtype.kind == "f" else np.float64, copy=False))
        return _into(options["out"], by_name["sqrt"](r) if method == "std" else r)
    return _call(method, a, axis, ddof=ddof, **options)


def _refuse_times(method: str, a: ndarray) -> None:
    getattr(np.zeros(1, a.dtype), method)()  # NumPy says what times have no loop for
    raise TypeError(f"[{method}] takes no {a.dtype}")


def _moment_of_integers(method: str, a: ndarray, options: dict[str, Any]) -> Any:
    return in_numpy(getattr(np, method), (a,), options, method, "moments counted in integers")


@_core.function
def var(
    a: Any,
    axis: Any = None,
    dtype: Any = None,
    out: Any = None,
    ddof: float = 0,
    keepdims: Any = _NO_VALUE,
    *,
    where: Any = _NO_VALUE,
    mean: Any = _NO_VALUE,
    correction: Any = _NO_VALUE,
) -> ndarray:
    """Variance of the elements."""
    return _moment(
        "var", a, axis, ddof, mean, correction, {"dtype": dtype, "out": out, "keepdims": keepdims, "where": where}
    )


@_core.function
def std(
    a: Any,
    axis: Any = None,
    dtype: Any = None,
    out: Any = None,
    ddof: float = 0,
    keepdims: Any = _NO_VALUE,
    *,
    where: Any = _NO_VALUE,
    mean: Any = _NO_VALUE,
    correction: Any = _NO_VALUE,
) -> ndarray:
    """Standard deviation of the elements."""
    return _moment(
        "std", a, axis, ddof, mean, correction, {"dtype": dtype, "out": out, "keepdims": keepdims, "where": where}
    )


@_core.function
def argmax(a: Any, axis: Any = None, out: Any = None, *, keepdims: Any = _NO_VALUE) -> ndarray:
    """Position of the largest element, the first of equals."""
    return _call("argmax", a, axis, out=out, keepdims=keepdims)


@_core.function
def argmin(a: Any, axis: Any = None, out: Any = None, *, keepdims: Any = _NO_VALUE) -> ndarray:
    """Position of the smallest element, the first of equals."""
    return _call("argmin", a, axis, out=out, keepdims=keepdims)


def count_nonzero(a: Any, axis: Any = None, *, keepdims: bool = False) -> Any:
    """Number of elements that are not zero."""
    if axis is None and keepdims is False and (r := _core.count_nonzero(a)) is not None:
        return r
    a = as_array(a)
    true = a.astype(np.bool_, copy=False) if a.dtype.kind in "bmM" else a != a.dtype.type(0)
    return true.sum(axis=axis, keepdims=keepdims)


def ptp(a: Any, axis: Any = None, out: Any = None, keepdims: Any = _NO_VALUE) -> ndarray:
    """Distance between the largest and the smallest element."""
    a = as_array(a)
    return by_name["subtract"](max(a, axis, keepdims=keepdims), min(a, axis, keepdims=keepdims), out=out)


def _count(a: ndarray, axis: Any, where: Any = _NO_VALUE) -> Any:
    if where is not _NO_VALUE and where is not True:
        return _core.broadcast_to(as_array(where, a), a.shape).sum(axis=axis)
    axes = range(a.ndim) if axis is None else axis if isinstance(axis, tuple) else (axis,)
    n = 1
    for k in axes:
        n *= a.shape[operator.index(k)]
    return n


def average(a: Any, axis: Any = None, weights: Any = None, returned: bool = False, *, keepdims: Any = _NO_VALUE) -> Any:
    """Weighted mean."""
    a = as_array(a, weights)
    if weights is None:
        mean_ = mean(a, axis, keepdims=keepdims)
        if mean_.dtype.kind == "m":
            mean_.dtype.type(a.size / mean_.size)  # raises, as NumPy does: a number of elements is no duration
        total = _core.full(mean_.shape, a.size / mean_.size, mean_.dtype, a.device)
        total = as_value(total)
        return (mean_, total) if returned else mean_
    w = as_array(weights, a)
    axis = None if axis is None else normalize_axes(axis, a.ndim, "axis")
    kind = np.result_type(a.dtype, w.dtype, "f8") if a.dtype.kind in "biu" else np.result_type(a.dtype, w.dtype)
    if a.shape != w.shape:
        if axis is None:
            raise TypeError("Axis must be specified when shapes of a and weights differ.")
        if w.shape != tuple(a.shape[k] for k in axis):
            raise ValueError("Shape of weights must be consistent with shape of a along specified axis.")
        order = sorted(range(len(axis)), key=axis.__getitem__)
        w = _core.transpose(w, order)
        w = _core.reshape(w, tuple(n if k in axis else 1 for k, n in enumerate(a.shape)))
    w = _core.broadcast_to(w, a.shape)
    total = sum(w, axis=axis, dtype=kind, keepdims=keepdims)
    if bool(any(total == 0.0)):
        raise ZeroDivisionError("Weights sum to zero, can't be normalized")
    r = sum(by_name["multiply"](a, w, dtype=kind), axis=axis, keepdims=keepdims) / total
    return (r, _core.broadcast_to(total, r.shape).copy() if total.shape != r.shape else total) if returned else r


_RUNNING = {name: by_name[name]._number for name in ("add", "multiply")}


def _running(op: str, a: Any, axis: Any, dtype: Any, out: Any) -> ndarray:
    if dtype is out is None and (r := _core.plain_accumulate(_RUNNING[op], a, axis)) is not None:
        return r
    a = as_array(a)
    if axis is None:
        a, axis = ravel(a), 0
    if a.ndim == 0:
        a = _core.reshape(a, (1,))
    if a.dtype.kind in "mM":
        dtype = None  # which NumPy's loops of times do not look at
    elif dtype is None:
        dtype = running_dtype(a.dtype)
    return by_name[op].accumulate(a, axis, dtype, out)


@_core.method_first
def cumsum(a: Any, axis: Any = None, dtype: Any = None, out: Any = None) -> ndarray:
    """Sums of ever longer parts."""
    return _running("add", a, axis, dtype, out)


@_core.method_first
def cumprod(a: Any, axis: Any = None, dtype: Any = None, out: Any = None) -> ndarray:
    """Products of ever longer parts."""
    return _running("multiply", a, axis, dtype, out)


def _cumulative(op: str, x: Any, axis: int | None, dtype: Any, out: Any, include_initial: bool) -> ndarray:
    x = as_array(x)
    if x.ndim == 0:
        x = _core.reshape(x, (1,))
    if axis is None:
        if x.ndim > 1:
            raise ValueError("For arrays which have more than one dimension ``axis`` argument is required.")
        axis = 0
    r = _running(op, x, axis, dtype, None if include_initial else out)
    if not include_initial:
        return r
    from .manipulation import concatenate, swapaxes

    first = swapaxes(swapaxes(r, 0, axis)[:1], 0, axis) if r.shape[axis] else r
    start = _core.full(
        tuple(1 if k == axis % r.ndim else n for k, n in enumerate(first.shape)),
        int(op == "multiply"),
        r.dtype,
        r.device,
    )
    return concatenate((start, r), axis, out)


def cumulative_sum(
    x: Any, /, *, axis: int | None = None, dtype: Any = None, out: Any = None, include_initial: bool = False
) -> ndarray:
    """Sums of ever longer parts, with a leading zero if wanted."""
    return _cumulative("add", x, axis, dtype, out, include_initial)


def cumulative_prod(
    x: Any, /, *, axis: int | None = None, dtype: Any = None, out: Any = None, include_initial: bool = False
) -> ndarray:
    """Products of ever longer parts, with a leading one if wanted."""
    return _cumulative("multiply", x, axis, dtype, out, include_initial)


@_core.function
def diff(a: Any, n: int = 1, axis: int = -1, prepend: Any = _NO_VALUE, append: Any = _NO_VALUE) -> ndarray:
    """Differences of neighbours along an axis."""
    from .manipulation import concatenate

    if n < 0:
        raise ValueError(f"order must be non-negative but got {n!r}")
    if n == 0:
        return a if isinstance(a, (bool, int, float, complex, np.generic)) else as_array(a)
    a = as_array(a)
    if a.ndim == 0:
        raise ValueError("diff requires input that is at least one dimensional")
    axis = np.lib.array_utils.normalize_axis_index(axis, a.ndim)
    ends = []
    for v in (prepend, append):
        v = None if v is _NO_VALUE else as_array(v, a)
        if v is not None and v.ndim == 0:
            v = _core.broadcast_to(v, (*a.shape[:axis], 1, *a.shape[axis + 1 :]))
        ends.append(v)
    if ends[0] is not None or ends[1] is not None:
        a = concatenate([v for v in (ends[0], a, ends[1]) if v is not None], axis)
    lead = (slice(None),) * axis
    op = by_name["not_equal" if a.dtype.kind == "b" else "subtract"]
    for _ in range(n):
        a = op(a[(*lead, slice(1, None))], a[(*lead, slice(None, -1))])
    return a


# ---- without NaN

_FARTHEST = int(np.iinfo(np.int64).max)  # of the counts of dates and durations


def _filled(a: Any, value: float) -> tuple[ndarray, ndarray | None]:
    a = as_array(a)
    if a.dtype.kind not in "fc":
        return a, None
    holes = by_name["isnan"](a)
    return as_array(_select(holes, a.dtype.type(value), a), a), as_array(holes, a)


def _filled_for(name: str, a: ndarray) -> tuple[ndarray, Any, Any]:
    """What is no number or time as the value that no other one is above (min) or below (max); that; and what it was."""
    if a.dtype.kind in "fc":
        farthest = a.dtype.type(np.inf if name == "min" else -np.inf)
        return _filled(a, farthest)[0], farthest, np.nan
    times = np.array([_FARTHEST if name == "min" else -_FARTHEST, -_FARTHEST - 1]).view(a.dtype)
    return as_array(_select(by_name["isnat"](a), times[0], a), a), times[0], times[1]


def _position_without_nan(name: str, a: Any, fill: float, axis: Any, out: Any, keepdims: Any) -> ndarray:
    filled, holes = _filled(a, fill)
    if holes is not None and holes.size and bool(holes.all(axis=axis).any()):
        raise ValueError("All-NaN slice encountered")
    return _call(name, filled, axis, out=out, keepdims=keepdims)


def nanargmax(a: Any, axis: Any = None, out: Any = None, *, keepdims: Any = _NO_VALUE) -> ndarray:
    """Position of the largest element that is not NaN."""
    return _position_without_nan("argmax", a, -np.inf, axis, out, keepdims)


def nanargmin(a: Any, axis: Any = None, out: Any = None, *, keepdims: Any = _NO_VALUE) -> ndarray:
    """Position of the smallest element that is not NaN."""
    return _position_without_nan("argmin", a, np.inf, axis, out, keepdims)


def nancumsum(a: Any, axis: Any = None, dtype: Any = None, out: Any = None) -> ndarray:
    """Sums of the elements up to each one, NaN counted as zero."""
    return cumsum(_filled(a, 0)[0], axis, dtype, out)


def nancumprod(a: Any, axis: Any = None, dtype: Any = None, out: Any = None) -> ndarray:
    """Products of the elements up to each one, NaN counted as one."""
    return cumprod(_filled(a, 1)[0], axis, dtype, out)


def nansum(
    a: Any,
    axis: Any = None,
    dtype: Any = None,
    out: Any = None,
    keepdims: Any = _NO_VALUE,
    initial: Any = _NO_VALUE,
    where: Any = _NO_VALUE,
) -> ndarray:
    """Sum of the elements that are not NaN."""
    return sum(_filled(a, 0)[0], axis, dtype, out, keepdims, initial, where)


def nanprod(
    a: Any,
    axis: Any = None,
    dtype: Any = None,
    out: Any = None,
    keepdims: Any = _NO_VALUE,
    initial: Any = _NO_VALUE,
    where: Any = _NO_VALUE,
) -> ndarray:
    """Product of the elements that are not NaN."""
    return prod(_filled(a, 1)[0], axis, dtype, out, keepdims, initial, where)


_ANY_ELSE = {"min": (ndarray.min, float("inf")), "max": (ndarray.max, -float("inf"))}


def _extreme(name: str, a: Any, axis: Any, out: Any, keepdims: Any, initial: Any, where: Any) -> ndarray:
    if type(a) is ndarray and axis is out is None and keepdims is initial is where is _NO_VALUE and a.size and a.ndim:
        if a.dtype.kind == "f":
            fold, farthest = _ANY_ELSE[name]
            r = fold(_select(by_name["isnan"](a), farthest, a))
            if float(r) != farthest:  # which it is where there was nothing else
                return r
    whole = isinstance(a, np.ndarray) or (type(a) is ndarray and not _core.is_scalar(a))
    lines = "slice" if whole else "axis"  # as NumPy calls them
    a = as_array(a)
    if a.dtype.kind not in "fcmM" or a.size == 0:
        return _call(name, a, axis, out=out, keepdims=keepdims, initial=initial, where=where)
    filled, farthest, hole = _filled_for(name, a)
    r = _call(name, filled, axis, out=out, keepdims=keepdims, initial=initial, where=where)
    if initial is not _NO_VALUE or not bool(any(r == farthest)):  # as it is where there was nothing else
        return r
    empty = all(by_name["isnat" if a.dtype.kind in "mM" else "isnan"](a), axis, keepdims=keepdims)
    if bool(any(empty)):
        warn(f"All-NaN {lines} encountered")
        return _into(out, as_value(_select(empty, hole, r).astype(a.dtype, copy=False)))
    return r


def nanmin(
    a: Any,
    axis: Any = None,
    out: Any = None,
    keepdims: Any = _NO_VALUE,
    initial: Any = _NO_VALUE,
    where: Any = _NO_VALUE,
) -> ndarray:
    """Smallest element that is not NaN."""
    return _extreme("min", a, axis, out, keepdims, initial, where)


def nanmax(
    a: Any,
    axis: Any = None,
    out: Any = None,
    keepdims: Any = _NO_VALUE,
    initial: Any = _NO_VALUE,
    where: Any = _NO_VALUE,
) -> ndarray:
    """Largest element that is not NaN."""
    return _extreme("max", a, axis, out, keepdims, initial, where)


def nanmean(
    a: Any, axis: Any = None, dtype: Any = None, out: Any = None, keepdims: Any = _NO_VALUE, *, where: Any = _NO_VALUE
) -> ndarray:
    """Mean of the elements that are not NaN."""
    a = as_array(a)
    filled, holes = _filled(a, 0)
    if holes is None:
        return mean(a, axis, dtype, out, keepdims, where=where)
    count = sum(as_array(~holes, a), axis, np.intp, keepdims=keepdims, where=where)
    total = sum(filled, axis, dtype, keepdims=keepdims, where=where)
    if bool(any(count == 0)):
        warn("Mean of empty slice")
    with np.errstate(invalid="ignore", divide="ignore"):  # that was told
        r = total / count.astype(total.dtype if total.dtype.kind == "f" else np.float64)
    r = as_value(r.astype(total.dtype, copy=False))
    if out is None:
        return r
    out[...] = r
    return out
