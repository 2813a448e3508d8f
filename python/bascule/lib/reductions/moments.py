"""Means, variances and weighted averages."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal, overload

import numpy as np

from ... import _core
from ..._array import numpy_versions
from ..._array.conversion import as_array, as_value, ndarray
from ..._array.late_warnings import is_apart, warn_where
from ..._array.ufuncs import by_name
from ..manipulation import normalize_axes
from .sums import _NO_VALUE, _call, _count, any, sum

if TYPE_CHECKING:
    from numpy.typing import DTypeLike

    from ..._array.types import _ArrayLike, _Axes, _Real

__all__ = ["average", "mean", "std", "var"]


@overload
def mean(
    a: _ArrayLike,
    axis: None = None,
    dtype: DTypeLike | None = None,
    out: None = None,
    keepdims: Literal[False] = ...,
    *,
    where: _ArrayLike = ...,
) -> _Real: ...
@overload
def mean(
    a: _ArrayLike,
    axis: _Axes | None = None,
    dtype: DTypeLike | None = None,
    out: ndarray | None = None,
    keepdims: bool = ...,
    *,
    where: _ArrayLike = ...,
) -> ndarray: ...
@_core.function
def mean(
    a: Any, axis: Any = None, dtype: Any = None, out: Any = None, keepdims: Any = _NO_VALUE, *, where: Any = _NO_VALUE
) -> ndarray:
    """Compute the mean of the elements.

    Parameters
    ----------
    a : array_like, any shape
    axis : int or tuple of int, optional
        Axes to reduce; all by default.
    dtype : dtype, optional
        dtype to compute in; by default float64 for integers and booleans, otherwise that of `a`.
    out : ndarray, optional
        Output array; it must have the shape of the result.
    keepdims : bool, optional
        Keep the reduced axes with length one.
    where : array_like of bool, optional
        Elements to include; it must broadcast to the shape of `a`.

    Returns
    -------
    ndarray, or a scalar where every axis is reduced
        Shape of `a` without the reduced axes.

    Raises
    ------
    numpy.exceptions.AxisError
        The axis is out of bounds.

    Notes
    -----
    The sum is that of `sum`, with float16 summed in float32. The mean of an empty array is NaN, with a RuntimeWarning.

    Examples
    --------
    >>> import bascule as bc
    >>> bc.mean([[1, 2], [3, 4]], axis=0).tolist()
    [2.0, 3.0]
    """
    return _call("mean", a, axis, dtype=dtype, out=out, keepdims=keepdims, where=where)


_DIVIDED_BY_ZERO = 1


def _divided(total: Any, count: Any, out: Any) -> Any:
    """`total / count` in the type of `total`, written to `total`."""
    count = np.intp(count) if isinstance(count, int) else count
    if out is None and type(total) is ndarray and total.ndim == 0 and total.dtype in (np.float64, np.complex128):
        return as_value(total) / count  # on a device, where this stands for NumPy's scalar
    if type(total) is ndarray or out is not None:
        r = by_name["true_divide"](total, count, out=total, casting="unsafe")
        if total.dtype.kind == "m" and total.size == 1 and not count:
            _core.report_fp_errors(by_name["true_divide"]._number, _DIVIDED_BY_ZERO)  # as NumPy's loop reports it
        return r
    raised = 0

    def note(_: str, conditions: int) -> None:
        nonlocal raised
        raised |= conditions

    with np.errstate(all="call", call=note):
        r = total.dtype.type(total / count)
    if raised:  # NumPy has no arithmetic for scalars of two types
        _core.report_fp_errors(
            by_name["true_divide"]._number,
            raised,
            total.dtype.kind != "m" and np.result_type(total, count) == total.dtype,
        )
    return r


def _squared(x: ndarray, of: np.dtype) -> ndarray:
    if of.kind == "c":
        return x.real * x.real + x.imag * x.imag
    by_product = of.kind == "b" or not numpy_versions.since("variances square")
    return by_name["multiply"](x, x) if by_product else by_name["square"](x)


def _moment_in_steps(method: str, a: ndarray, options: dict[str, Any]) -> Any:
    """The mean, var or std of ndarray by NumPy's steps, each with the types and warnings that NumPy's has, for these
    cases: an output of another type, integers to count in, a given mean, too few elements. NotImplemented for all
    others."""
    axis, dtype, out, where = (options.get(k) for k in ("axis", "dtype", "out", "where"))
    where = True if where is None else where
    ddof = options.get("ddof") or options.get("correction") or 0
    keepdims = bool(options.get("keepdims"))
    few = _count(a, axis, where) <= ddof  # for each result, or for all of them
    few = np.bool(few) if type(few) is bool else few
    warned = warn_where(few, numpy_versions.EMPTY_MEAN if method == "mean" else "Degrees of freedom <= 0 for slice")
    if options.pop("only_few", False) and (not warned or is_apart(few)):
        return NotImplemented
    count = _count(a, axis, where, keepdims)
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
    if out is None and type(r) is ndarray and r.ndim == 0:  # on a device, where this stands for NumPy's scalar
        return by_name["sqrt"](r).astype(r.dtype, copy=False)
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
    getattr(np.zeros(1, a.dtype), method)()  # NumPy raises for dates and durations without a loop
    raise TypeError(f"[{method}] takes no {a.dtype}")


@overload
def var(
    a: _ArrayLike,
    axis: None = None,
    dtype: DTypeLike | None = None,
    out: None = None,
    ddof: float = 0,
    keepdims: Literal[False] = ...,
    *,
    where: _ArrayLike = ...,
    mean: _ArrayLike = ...,
    correction: float = ...,
) -> _Real: ...
@overload
def var(
    a: _ArrayLike,
    axis: _Axes | None = None,
    dtype: DTypeLike | None = None,
    out: ndarray | None = None,
    ddof: float = 0,
    keepdims: bool = ...,
    *,
    where: _ArrayLike = ...,
    mean: _ArrayLike = ...,
    correction: float = ...,
) -> ndarray: ...
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
    """Compute the variance of the elements.

    Parameters
    ----------
    a : array_like, any shape
    axis : int or tuple of int, optional
        Axes to reduce; all by default.
    dtype : dtype, optional
        dtype to compute in; by default float64 for integers and booleans, otherwise that of `a`.
    out : ndarray, optional
        Output array; it must have the shape of the result.
    ddof : float, optional
        Delta degrees of freedom: the divisor is the number of elements minus `ddof`.
    keepdims : bool, optional
        Keep the reduced axes with length one.
    where : array_like of bool, optional
        Elements to include; it must broadcast to the shape of `a`.
    mean : array_like, optional
        The mean, if it is known, with the reduced axes of length one.
    correction : float, optional
        Alias of `ddof`; only one may be given.

    Returns
    -------
    ndarray, or a scalar where every axis is reduced
        Shape of `a` without the reduced axes.

    Raises
    ------
    ValueError
        Both `ddof` and `correction` are given.
    numpy.exceptions.AxisError
        The axis is out of bounds.

    Notes
    -----
    Within 4 units in the last place of the two-pass algorithm. It warns if the divisor is not positive. Computed in two
    passes over blocks of up to 1,024 elements, combined by the formula of Chan, Golub and LeVeque (Updating formulae
    and a pairwise algorithm for computing sample variances, 1979).

    Examples
    --------
    >>> import bascule as bc
    >>> float(bc.var([1.0, 2.0, 3.0], ddof=1))
    1.0
    """
    return _moment(
        "var", a, axis, ddof, mean, correction, {"dtype": dtype, "out": out, "keepdims": keepdims, "where": where}
    )


@overload
def std(
    a: _ArrayLike,
    axis: None = None,
    dtype: DTypeLike | None = None,
    out: None = None,
    ddof: float = 0,
    keepdims: Literal[False] = ...,
    *,
    where: _ArrayLike = ...,
    mean: _ArrayLike = ...,
    correction: float = ...,
) -> _Real: ...
@overload
def std(
    a: _ArrayLike,
    axis: _Axes | None = None,
    dtype: DTypeLike | None = None,
    out: ndarray | None = None,
    ddof: float = 0,
    keepdims: bool = ...,
    *,
    where: _ArrayLike = ...,
    mean: _ArrayLike = ...,
    correction: float = ...,
) -> ndarray: ...
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
    """Compute the standard deviation of the elements.

    Parameters
    ----------
    a : array_like, any shape
    axis : int or tuple of int, optional
        Axes to reduce; all by default.
    dtype : dtype, optional
        dtype to compute in; by default float64 for integers and booleans, otherwise that of `a`.
    out : ndarray, optional
        Output array; it must have the shape of the result.
    ddof : float, optional
        Delta degrees of freedom: the divisor is the number of elements minus `ddof`.
    keepdims : bool, optional
        Keep the reduced axes with length one.
    where : array_like of bool, optional
        Elements to include; it must broadcast to the shape of `a`.
    mean : array_like, optional
        The mean, if it is known, with the reduced axes of length one.
    correction : float, optional
        Alias of `ddof`; only one may be given.

    Returns
    -------
    ndarray, or a scalar where every axis is reduced
        Shape of `a` without the reduced axes.

    Raises
    ------
    ValueError
        Both `ddof` and `correction` are given.
    numpy.exceptions.AxisError
        The axis is out of bounds.

    Notes
    -----
    Within 4 units in the last place of the two-pass algorithm. It warns if the divisor is not positive. Computed in two
    passes over blocks of up to 1,024 elements, combined by the formula of Chan, Golub and LeVeque (Updating formulae
    and a pairwise algorithm for computing sample variances, 1979).

    Examples
    --------
    >>> import bascule as bc
    >>> float(bc.std([1.0, 3.0]))
    1.0
    """
    return _moment(
        "std", a, axis, ddof, mean, correction, {"dtype": dtype, "out": out, "keepdims": keepdims, "where": where}
    )


@overload
def average(
    a: _ArrayLike,
    axis: None = None,
    weights: _ArrayLike | None = None,
    returned: Literal[False] = False,
    *,
    keepdims: Literal[False] = ...,
) -> _Real: ...
@overload
def average(
    a: _ArrayLike,
    axis: _Axes = None,
    weights: _ArrayLike | None = None,
    returned: Literal[False] = False,
    *,
    keepdims: bool = ...,
) -> ndarray: ...
@overload
def average(
    a: _ArrayLike,
    axis: _Axes = None,
    weights: _ArrayLike | None = None,
    *,
    returned: Literal[True],
    keepdims: bool = ...,
) -> tuple[ndarray, ndarray]: ...
def average(a: Any, axis: Any = None, weights: Any = None, returned: bool = False, *, keepdims: Any = _NO_VALUE) -> Any:
    """Compute the weighted mean.

    Parameters
    ----------
    a : array_like, any shape
    axis : int or tuple of int, optional
        Axes to reduce; all by default.
    weights : array_like, optional
        Of the shape of `a`, or of its lengths along `axis`; equal weights when absent.
    returned : bool, optional
        Return the sums of the weights, too.
    keepdims : bool, optional
        Keep the reduced axes with length one.

    Returns
    -------
    ndarray, or a scalar where every axis is reduced
        Shape of `a` without the reduced axes.
        With `returned` a tuple of it and the sums of the weights.

    Raises
    ------
    TypeError
        The weights have another shape than `a`, and there is no axis.
    ValueError
        The weights do not have the lengths of `a` along the axes.
    ZeroDivisionError
        The weights sum to zero.

    Examples
    --------
    >>> import bascule as bc
    >>> float(bc.average([1.0, 4.0], weights=[3, 1]))
    1.75
    """
    a = as_array(a, weights)
    if weights is None:
        mean_ = mean(a, axis, keepdims=keepdims)
        if mean_.dtype.kind == "m":
            mean_.dtype.type(a.size / mean_.size)  # raises, as in NumPy: a number of elements is no duration
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
