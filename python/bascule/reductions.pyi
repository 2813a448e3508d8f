from typing import Literal, SupportsIndex, overload

from numpy.typing import DTypeLike

from ._core import _ArrayLike, _Axes, _Number, ndarray

def sum(
    a: _ArrayLike,
    axis: _Axes | None = None,
    dtype: DTypeLike | None = None,
    out: ndarray | None = None,
    keepdims: bool = ...,
    initial: _Number | None = ...,
    where: _ArrayLike = ...,
) -> ndarray: ...
def prod(
    a: _ArrayLike,
    axis: _Axes | None = None,
    dtype: DTypeLike | None = None,
    out: ndarray | None = None,
    keepdims: bool = ...,
    initial: _Number | None = ...,
    where: _ArrayLike = ...,
) -> ndarray: ...
def max(
    a: _ArrayLike,
    axis: _Axes | None = None,
    out: ndarray | None = None,
    keepdims: bool = ...,
    initial: _Number | None = ...,
    where: _ArrayLike = ...,
) -> ndarray: ...
def min(
    a: _ArrayLike,
    axis: _Axes | None = None,
    out: ndarray | None = None,
    keepdims: bool = ...,
    initial: _Number | None = ...,
    where: _ArrayLike = ...,
) -> ndarray: ...
def any(
    a: _ArrayLike,
    axis: _Axes | None = None,
    out: ndarray | None = None,
    keepdims: bool = ...,
    *,
    where: _ArrayLike = ...,
) -> ndarray: ...
def all(
    a: _ArrayLike,
    axis: _Axes | None = None,
    out: ndarray | None = None,
    keepdims: bool = ...,
    *,
    where: _ArrayLike = ...,
) -> ndarray: ...
def mean(
    a: _ArrayLike,
    axis: _Axes | None = None,
    dtype: DTypeLike | None = None,
    out: ndarray | None = None,
    keepdims: bool = ...,
    *,
    where: _ArrayLike = ...,
) -> ndarray: ...
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
def argmax(
    a: _ArrayLike, axis: SupportsIndex | None = None, out: ndarray | None = None, *, keepdims: bool = ...
) -> ndarray: ...
def argmin(
    a: _ArrayLike, axis: SupportsIndex | None = None, out: ndarray | None = None, *, keepdims: bool = ...
) -> ndarray: ...
def count_nonzero(a: _ArrayLike, axis: _Axes = None, *, keepdims: bool = False) -> ndarray | int: ...
def ptp(a: _ArrayLike, axis: _Axes | None = None, out: ndarray | None = None, keepdims: bool = ...) -> ndarray: ...
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
def cumsum(
    a: _ArrayLike, axis: SupportsIndex | None = None, dtype: DTypeLike | None = None, out: ndarray | None = None
) -> ndarray: ...
def cumprod(
    a: _ArrayLike, axis: SupportsIndex | None = None, dtype: DTypeLike | None = None, out: ndarray | None = None
) -> ndarray: ...
def cumulative_sum(
    x: _ArrayLike,
    /,
    *,
    axis: SupportsIndex | None = None,
    dtype: DTypeLike | None = None,
    out: ndarray | None = None,
    include_initial: bool = False,
) -> ndarray: ...
def cumulative_prod(
    x: _ArrayLike,
    /,
    *,
    axis: SupportsIndex | None = None,
    dtype: DTypeLike | None = None,
    out: ndarray | None = None,
    include_initial: bool = False,
) -> ndarray: ...
def diff(
    a: _ArrayLike, n: int = 1, axis: SupportsIndex = -1, prepend: _ArrayLike = ..., append: _ArrayLike = ...
) -> ndarray: ...
def nanargmax(
    a: _ArrayLike, axis: SupportsIndex | None = None, out: ndarray | None = None, *, keepdims: bool = ...
) -> ndarray: ...
def nanargmin(
    a: _ArrayLike, axis: SupportsIndex | None = None, out: ndarray | None = None, *, keepdims: bool = ...
) -> ndarray: ...
def nancumsum(
    a: _ArrayLike, axis: SupportsIndex | None = None, dtype: DTypeLike | None = None, out: ndarray | None = None
) -> ndarray: ...
def nancumprod(
    a: _ArrayLike, axis: SupportsIndex | None = None, dtype: DTypeLike | None = None, out: ndarray | None = None
) -> ndarray: ...
def nansum(
    a: _ArrayLike,
    axis: _Axes | None = None,
    dtype: DTypeLike | None = None,
    out: ndarray | None = None,
    keepdims: bool = ...,
    initial: _Number | None = ...,
    where: _ArrayLike = ...,
) -> ndarray: ...
def nanprod(
    a: _ArrayLike,
    axis: _Axes | None = None,
    dtype: DTypeLike | None = None,
    out: ndarray | None = None,
    keepdims: bool = ...,
    initial: _Number | None = ...,
    where: _ArrayLike = ...,
) -> ndarray: ...
def nanmin(
    a: _ArrayLike,
    axis: _Axes | None = None,
    out: ndarray | None = None,
    keepdims: bool = ...,
    initial: _Number | None = ...,
    where: _ArrayLike = ...,
) -> ndarray: ...
def nanmax(
    a: _ArrayLike,
    axis: _Axes | None = None,
    out: ndarray | None = None,
    keepdims: bool = ...,
    initial: _Number | None = ...,
    where: _ArrayLike = ...,
) -> ndarray: ...
def nanmean(
    a: _ArrayLike,
    axis: _Axes | None = None,
    dtype: DTypeLike | None = None,
    out: ndarray | None = None,
    keepdims: bool = ...,
    *,
    where: _ArrayLike = ...,
) -> ndarray: ...
