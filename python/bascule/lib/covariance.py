"""Covariance matrices, and variances of the elements that are not NaN."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal, overload

import numpy as np

from .. import linalg
from .._array.caller_warnings import warn
from .._array.conversion import as_array, ndarray
from .._array.late_warnings import warn_where
from .._array.ufuncs import by_name
from .creation import array, diag, zeros
from .manipulation import concatenate, squeeze
from .reductions import average, sum, var
from .reductions.moments import _divided as divided
from .reductions.nan import _filled as filled
from .reductions.nan import _require_inexact
from .selection import where as select

if TYPE_CHECKING:
    from numpy.typing import DTypeLike

    from .._array.types import _ArrayLike, _ArrayOrScalar, _Axes, _Real

__all__ = ["corrcoef", "cov", "nanstd", "nanvar"]


_NO_VALUE = np._NoValue


def _sample_weights(fweights: Any, aweights: Any, x: ndarray) -> tuple[ndarray | None, ndarray | None]:
    """The total weight of each observation, and the part of it that is no frequency."""
    found = []
    for name, w in (("fweights", fweights), ("aweights", aweights)):
        if w is not None:
            w = as_array(w, x).astype(float, copy=False)
            if name == "fweights" and not bool((w == by_name["rint"](w)).all()):
                raise TypeError("fweights must be integer")
            if w.ndim > 1:
                raise RuntimeError(f"cannot handle multidimensional {name}")
            if w.shape[0] != x.shape[1]:
                raise RuntimeError(f"incompatible numbers of samples and {name}")
            if bool((w < 0).any()):
                raise ValueError(f"{name} cannot be negative")
        found.append(w)
    f, a = found
    return (f if a is None else a if f is None else f * a), a


def cov(
    m: _ArrayLike,
    y: _ArrayLike | None = None,
    rowvar: bool = True,
    bias: bool = False,
    ddof: float | None = None,
    fweights: _ArrayLike | None = None,
    aweights: _ArrayLike | None = None,
    *,
    dtype: DTypeLike | None = None,
) -> ndarray:
    """Estimate the covariance matrix.

    Parameters
    ----------
    m : array_like, shape (k,) or (k, n)
        Observations of k variables, one variable per row.
    y : array_like, optional
        More variables.
    rowvar : bool, optional
        False for one variable per column.
    bias : bool, optional
        Divide by the number of observations rather than by one less.
    ddof : int, optional
        Delta degrees of freedom: subtracted from the number of observations, instead of `bias`.
    fweights : array_like of int, shape (n,), optional
        Frequency of each observation.
    aweights : array_like, shape (n,), optional
        Weight of each observation.
    dtype : dtype, optional
        Type of the result; at least float64 by default.

    Returns
    -------
    ndarray, shape (k, k), or without axes for one variable

    Raises
    ------
    ValueError
        There are more than two axes, weights are negative, or `ddof` is no integer.
    TypeError, RuntimeError
        Weights are not integers, or do not match the observations.

    Examples
    --------
    >>> import bascule as bc
    >>> bc.cov([[0.0, 1.0, 2.0], [2.0, 1.0, 0.0]]).tolist()
    [[1.0, -1.0], [-1.0, 1.0]]
    """
    if ddof is not None and ddof != int(ddof):
        raise ValueError("ddof must be integer")
    m = as_array(m, y)
    if m.ndim > 2:
        raise ValueError("m has more than 2 dimensions")
    if y is not None:
        y = as_array(y, m)
        if y.ndim > 2:
            raise ValueError("y has more than 2 dimensions")
    if dtype is None:
        dtype = np.result_type(m.dtype, np.float64, *(() if y is None else (y.dtype,)))
    x = array(m, dtype, copy=None, ndmin=2)
    if not rowvar and m.ndim != 1:
        x = x.T
    if x.shape[0] == 0:
        return zeros((0, 0), device=m.device)
    if y is not None:
        y = array(y, dtype, copy=None, ndmin=2)
        x = concatenate((x, y.T if not rowvar and y.shape[0] != 1 else y))
    ddof = int(bias == 0) if ddof is None else ddof
    w, a = _sample_weights(fweights, aweights, x)
    mean, total = average(x, axis=1, weights=w, returned=True)
    if w is None:
        factor: Any = x.shape[1] - ddof
    else:
        total = total[0]
        factor = total if ddof == 0 else total - ddof * (1 if a is None else sum(w * a) / total)
    if factor <= 0:
        warn("Degrees of freedom <= 0 for slice")
        factor = 0.0
    kind = np.result_type(x.dtype, mean.dtype)
    if not np.can_cast(kind, x.dtype, "same_kind"):
        raise TypeError(
            f"Cannot cast ufunc 'subtract' output from {kind!r} to {x.dtype!r} with casting rule 'same_kind'"
        )
    x = (x - mean[:, None]).astype(x.dtype, copy=False)
    turned = x.T if w is None else (x * w).T
    c = linalg.dot(x, by_name["conjugate"](turned) if turned.dtype.kind == "c" else turned)
    return squeeze((c * by_name["divide"](1, factor)).astype(c.dtype, copy=False))


def corrcoef(
    x: _ArrayLike, y: _ArrayLike | None = None, rowvar: bool = True, *, dtype: DTypeLike | None = None
) -> _ArrayOrScalar:
    """Compute correlation coefficients.

    Parameters
    ----------
    x, y, rowvar, dtype
        As for `m`, `y`, `rowvar` and `dtype` in `cov`.

    Returns
    -------
    ndarray, shape (k, k), or a scalar for one variable

    Raises
    ------
    ValueError
        There are more than two axes.

    Examples
    --------
    >>> import bascule as bc
    >>> bc.corrcoef([[0.0, 1.0, 2.0], [2.0, 1.0, 0.0]]).round(12).tolist()
    [[1.0, -1.0], [-1.0, 1.0]]
    """
    c = cov(x, y, rowvar, dtype=dtype)
    if c.ndim == 0:
        return c / c
    spread = by_name["sqrt"](diag(c).real)
    c = c / spread[:, None] / spread[None, :]
    if c.dtype.kind != "c":
        return c.clip(-1, 1)
    c.real[...] = c.real.clip(-1, 1)
    c.imag[...] = c.imag.clip(-1, 1)
    return c


def _quotient(total: Any, count: Any) -> Any:
    with np.errstate(invalid="ignore", divide="ignore"):
        return (total / count).astype(total.dtype, copy=False)


@overload
def nanvar(
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
def nanvar(
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
def nanvar(
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
    """Compute the variance of the elements that are not NaN.

    Parameters
    ----------
    a : array_like
    axis : int or tuple of int, optional
        Axes to reduce; all by default.
    dtype : dtype, optional
        Type to compute in.
    out : ndarray, optional
        Output array.
    ddof, correction : float, optional
        Delta degrees of freedom: subtracted from the number of elements.
    keepdims : bool, optional
        Keep the reduced axes with length one.
    where : array_like of bool, optional
        Elements to include.
    mean : array_like, optional
        The mean, if it is known; the reduced axes with length one.

    Returns
    -------
    ndarray
        NaN, with a RuntimeWarning, if too few elements are left.

    Raises
    ------
    TypeError
        `dtype` or `out` is not of a floating type.
    ValueError
        `ddof` and `correction` are both given.

    Examples
    --------
    >>> import bascule as bc
    >>> float(bc.nanvar([1, float("nan"), 3]))
    1.0
    """
    a, nulls = filled(a, 0)
    if nulls is None:
        return var(a, axis, dtype, out, ddof, keepdims, where=where, mean=mean, correction=correction)
    _require_inexact(dtype, out)
    if correction is not _NO_VALUE:
        if ddof != 0:
            raise ValueError("ddof and correction can't be provided simultaneously.")
        ddof = correction
    count = sum(as_array(~nulls, a), axis, np.intp, keepdims=True, where=where)
    if mean is _NO_VALUE:
        mean = _quotient(sum(a, axis, dtype, keepdims=True, where=where), count)
    some = {} if where is _NO_VALUE else {"where": where, "casting": "unsafe"}
    away = by_name["subtract"](a, mean, **(some and {**some, "out": a.copy()})).astype(a.dtype, copy=False)
    away = as_array(select(nulls, a.dtype.type(0), away), a)
    other = by_name["conjugate"](away) if a.dtype.kind == "c" else away
    square = by_name["multiply"](away, other, **(some and {**some, "out": away.copy()})).real
    r = sum(square, axis, dtype, out, keepdims, where=where)
    free = count.reshape(r.shape) - ddof
    with np.errstate(invalid="ignore", divide="ignore"):
        r = divided(r, free, out)
    few = free <= 0
    if not warn_where(few, "Degrees of freedom <= 0 for slice."):
        return r
    if type(r) is ndarray or out is not None:
        r[few] = np.nan
        return r
    return r.dtype.type(np.nan)


@overload
def nanstd(
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
def nanstd(
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
def nanstd(
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
    """Compute the standard deviation of the elements that are not NaN.

    Parameters
    ----------
    a, axis, dtype, out, ddof, keepdims, where, mean, correction
        As in `nanvar`.

    Returns
    -------
    ndarray
        NaN, with a RuntimeWarning, if too few elements are left.

    Raises
    ------
    TypeError, ValueError
        As for `nanvar`.

    Examples
    --------
    >>> import bascule as bc
    >>> float(bc.nanstd([1, float("nan"), 3]))
    1.0
    """
    r = nanvar(a, axis, dtype, out, ddof, keepdims, where=where, mean=mean, correction=correction)
    return by_name["sqrt"](r, out=out) if out is not None else by_name["sqrt"](r)
