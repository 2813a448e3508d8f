from typing import Literal, overload

from .._core import _ArrayLike, _ArrayOrScalar, _Axes, _Quantile, ndarray

@overload
def median(
    a: _ArrayLike,
    axis: None = None,
    out: None = None,
    overwrite_input: bool = False,
    keepdims: Literal[False] = False,
) -> _ArrayOrScalar: ...
@overload
def median(
    a: _ArrayLike,
    axis: _Axes | None = None,
    out: ndarray | None = None,
    overwrite_input: bool = False,
    keepdims: bool = False,
) -> ndarray: ...
@overload
def nanmedian(
    a: _ArrayLike,
    axis: None = None,
    out: None = None,
    overwrite_input: bool = False,
    keepdims: Literal[False] = ...,
) -> _ArrayOrScalar: ...
@overload
def nanmedian(
    a: _ArrayLike,
    axis: _Axes | None = None,
    out: ndarray | None = None,
    overwrite_input: bool = False,
    keepdims: bool = ...,
) -> ndarray: ...
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
