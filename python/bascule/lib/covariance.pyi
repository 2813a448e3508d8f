from typing import Literal, overload

from numpy.typing import DTypeLike

from .._core import _ArrayLike, _ArrayOrScalar, _Axes, ndarray

def corrcoef(
    x: _ArrayLike, y: _ArrayLike | None = None, rowvar: bool = True, *, dtype: DTypeLike | None = None
) -> _ArrayOrScalar: ...
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
) -> ndarray: ...
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
) -> _ArrayOrScalar: ...
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
) -> _ArrayOrScalar: ...
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
