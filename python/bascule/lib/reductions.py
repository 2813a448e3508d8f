"""Reductions of whole arrays and along axes, and cumulative operations."""

from __future__ import annotations

import builtins
import operator
from typing import Any

import numpy as np

from .. import _core
from .._array.caller_warnings import warn
from .._array.conversion import as_array, as_value, ndarray
from .._array.ufuncs import by_name, rows, running_dtype
from .manipulation import normalize_axes, ravel

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


_DIVIDED_BY_ZERO = 1


def _few(a: ndarray, axis: Any, where: Any, ddof: Any) -> bool:
    """Whether not more than `ddof` elements are left anywhere in a reduction."""
    few = _count(a, axis, where) <= ddof
    return bool(few.any()) if type(few) is ndarray else few


def _divided(total: Any, count: Any, out: Any) -> Any:
    """`total / count` in the type and the place of `total`."""
    count = np.intp(count) if isinstance(count, int) else count
    if type(total) is ndarray or out is not None:
        r = by_name["true_divide"](total, count, out=total, casting="unsafe")
        if total.dtype.kind == "m" and total.size == 1 and not count:
            _core.tell(by_name["true_divide"]._number, _DIVIDED_BY_ZERO)  # as NumPy's loop by one number says
        return r
    raised = 0

    def note(_: str, conditions: int) -> None:
        nonlocal raised
        raised |= conditions

    with np.errstate(all="call", call=note):
        r = total.dtype.type(total / count)
    if raised:  # NumPy has no arithmetic of scalars of two types
        _core.tell(
            by_name["true_divide"]._number,
            raised,
            total.dtype.kind != "m" and np.result_type(total, count) == total.dtype,
        )
    return r


def _squared(x: ndarray, of: np.dtype) -> ndarray:
    if of.kind == "c":
        return x.real * x.real + x.imag * x.imag
    return by_name["multiply"](x, x) if of.kind == "b" else by_name["square"](x)


def _moment_in_steps(method: str, a: ndarray, options: dict[str, Any]) -> Any:
    """The mean, var or std of ndarray by NumPy's steps, each with the type that NumPy gives it and what it warns of:
    an output of another type, integers to count in, a mean that is given, too few elements. NotImplemented: none of
    them."""
    axis, dtype, out, where = (options.get(k) for k in ("axis", "dtype", "out", "where"))
    where = True if where is None else where
    ddof = options.get("ddof") or options.get("correction") or 0
    keepdims = bool(options.get("keepdims"))
    few = _few(a, axis, where, ddof)
    if not few and options.pop("only_few", False):
        return NotImplemented
    count = _count(a, axis, where, keepdims)
    if few:
        warn("Mean of empty slice" if method == "mean" else "Degrees of freedom <= 0 for slice")
    half = dtype is None and method == "mean" and a.dtype == np.float16
    if dtype is None and (half or a.dtype.kind in "biu"):
        dtype = np.float32 if half else np.float64
    if method == "mean":
        r = _divided(_call("sum", a, axis, dtype=dtype, out=out, keepdims=keepdims, where=where), count, out)
        return r.astype(np.float16) if half and out is None else r
    mean_ = options.get("mean")
    if mean_ is None:
        mean_ = _call("sum", a, axis, dtype=dtype, keepdims=True, where=where)
        n = _core.reshape(count, mean_.shape) if type(count) is ndarray else count
        mean_ = _divided(mean_, n, None)
    away = as_array(by_name["subtract"](a, mean_), a)
    r = _call("sum", as_array(_squared(away, a.dtype), a), axis, dtype=dtype, out=out, keepdims=keepdims, where=where)
    r = _divided(r, by_name["maximum"](count - ddof, 0), out)
    if method == "var":
        return r
    return by_name["sqrt"](r, out=r) if type(r) is ndarray or out is not None else r.dtype.type(np.sqrt(r))


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
        given = {k: v for k, v in options.items() if v is not _NO_VALUE}
        return _moment_in_steps(method, a, {**given, "axis": axis, "ddof": ddof, "mean": mean})
    return _call(method, a, axis, ddof=ddof, **options)


def _refuse_times(method: str, a: ndarray) -> None:
    getattr(np.zeros(1, a.dtype), method)()  # NumPy says what times have no loop for
    raise TypeError(f"[{method}] takes no {a.dtype}")


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
    return by_name["subtract"](max(a, axis, out, keepdims), min(a, axis, keepdims=keepdims), out=out)


def _count(a: ndarray, axis: Any, where: Any = _NO_VALUE, keepdims: bool = False) -> Any:
    if where is not _NO_VALUE and where is not True:
        return _core.broadcast_to(as_array(where, a), a.shape).sum(axis=axis, keepdims=keepdims)
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
    elif dtype is out is None:
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
    for _ in range(builtins.min(n, builtins.max(a.shape[axis], 1))):  # nothing is left behind that many
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
            reduction, farthest = _ANY_ELSE[name]
            r = reduction(_select(by_name["isnan"](a), farthest, a))
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
    _require_inexact(dtype, out)
    count = sum(as_array(~holes, a), axis, np.intp, keepdims=keepdims, where=where)
    total = sum(filled, axis, dtype, out, keepdims, where=where)
    if bool(any(count == 0)):
        warn("Mean of empty slice")
    with np.errstate(invalid="ignore", divide="ignore"):  # that was reported
        return _divided(total, count, out)


def _require_inexact(dtype: Any, out: Any) -> None:
    """Refuse moments of what may be NaN in types that have none."""
    if dtype is not None and np.dtype(dtype).kind not in "fc":
        raise TypeError("If a is inexact, then dtype must be inexact")
    if out is not None and out.dtype.kind not in "fc":
        raise TypeError("If a is inexact, then out must be inexact")
