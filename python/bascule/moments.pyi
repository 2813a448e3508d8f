from numpy.typing import DTypeLike

from ._core import _ArrayLike, _Axes, ndarray

def corrcoef(
    x: _ArrayLike, y: _ArrayLike | None = None, rowvar: bool = True, *, dtype: DTypeLike | None = None
) -> ndarray: ...
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
