from typing import Literal, SupportsIndex, overload

from numpy.typing import DTypeLike

from .._core import _ArrayLike, _ArrayOrScalar, _Axes, _Number, ndarray

@overload
def sum(
    a: _ArrayLike,
    axis: None = None,
    dtype: DTypeLike | None = None,
    out: None = None,
    keepdims: Literal[False] = ...,
    initial: _Number | None = ...,
    where: _ArrayLike = ...,
) -> _ArrayOrScalar: ...
@overload
def sum(
    a: _ArrayLike,
    axis: _Axes | None = None,
    dtype: DTypeLike | None = None,
    out: ndarray | None = None,
    keepdims: bool = ...,
    initial: _Number | None = ...,
    where: _ArrayLike = ...,
) -> ndarray: ...
@overload
def prod(
    a: _ArrayLike,
    axis: None = None,
    dtype: DTypeLike | None = None,
    out: None = None,
    keepdims: Literal[False] = ...,
    initial: _Number | None = ...,
    where: _ArrayLike = ...,
) -> _ArrayOrScalar: ...
@overload
def prod(
    a: _ArrayLike,
    axis: _Axes | None = None,
    dtype: DTypeLike | None = None,
    out: ndarray | None = None,
    keepdims: bool = ...,
    initial: _Number | None = ...,
    where: _ArrayLike = ...,
) -> ndarray: ...
@overload
def max(
    a: _ArrayLike,
    axis: None = None,
    out: None = None,
    keepdims: Literal[False] = ...,
    initial: _Number | None = ...,
    where: _ArrayLike = ...,
) -> _ArrayOrScalar: ...
@overload
def max(
    a: _ArrayLike,
    axis: _Axes | None = None,
    out: ndarray | None = None,
    keepdims: bool = ...,
    initial: _Number | None = ...,
    where: _ArrayLike = ...,
) -> ndarray: ...
@overload
def min(
    a: _ArrayLike,
    axis: None = None,
    out: None = None,
    keepdims: Literal[False] = ...,
    initial: _Number | None = ...,
    where: _ArrayLike = ...,
) -> _ArrayOrScalar: ...
@overload
def min(
    a: _ArrayLike,
    axis: _Axes | None = None,
    out: ndarray | None = None,
    keepdims: bool = ...,
    initial: _Number | None = ...,
    where: _ArrayLike = ...,
) -> ndarray: ...
@overload
def any(
    a: _ArrayLike,
    axis: None = None,
    out: None = None,
    keepdims: Literal[False] = ...,
    *,
    where: _ArrayLike = ...,
) -> _ArrayOrScalar: ...
@overload
def any(
    a: _ArrayLike,
    axis: _Axes | None = None,
    out: ndarray | None = None,
    keepdims: bool = ...,
    *,
    where: _ArrayLike = ...,
) -> ndarray: ...
@overload
def all(
    a: _ArrayLike,
    axis: None = None,
    out: None = None,
    keepdims: Literal[False] = ...,
    *,
    where: _ArrayLike = ...,
) -> _ArrayOrScalar: ...
@overload
def all(
    a: _ArrayLike,
    axis: _Axes | None = None,
    out: ndarray | None = None,
    keepdims: bool = ...,
    *,
    where: _ArrayLike = ...,
) -> ndarray: ...
@overload
def mean(
    a: _ArrayLike,
    axis: None = None,
    dtype: DTypeLike | None = None,
    out: None = None,
    keepdims: Literal[False] = ...,
    *,
    where: _ArrayLike = ...,
) -> _ArrayOrScalar: ...
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
) -> _ArrayOrScalar: ...
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
) -> _ArrayOrScalar: ...
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
@overload
def argmax(a: _ArrayLike, axis: None = None, out: None = None, *, keepdims: Literal[False] = ...) -> _ArrayOrScalar: ...
@overload
def argmax(
    a: _ArrayLike, axis: SupportsIndex | None = None, out: ndarray | None = None, *, keepdims: bool = ...
) -> ndarray: ...
@overload
def argmin(a: _ArrayLike, axis: None = None, out: None = None, *, keepdims: Literal[False] = ...) -> _ArrayOrScalar: ...
@overload
def argmin(
    a: _ArrayLike, axis: SupportsIndex | None = None, out: ndarray | None = None, *, keepdims: bool = ...
) -> ndarray: ...
def count_nonzero(a: _ArrayLike, axis: _Axes = None, *, keepdims: bool = False) -> ndarray | int: ...
@overload
def ptp(a: _ArrayLike, axis: None = None, out: None = None, keepdims: Literal[False] = ...) -> _ArrayOrScalar: ...
@overload
def ptp(a: _ArrayLike, axis: _Axes | None = None, out: ndarray | None = None, keepdims: bool = ...) -> ndarray: ...
@overload
@overload
def average(
    a: _ArrayLike,
    axis: None = None,
    weights: _ArrayLike | None = None,
    returned: Literal[False] = False,
    *,
    keepdims: Literal[False] = ...,
) -> _ArrayOrScalar: ...
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
@overload
def nanargmax(
    a: _ArrayLike, axis: None = None, out: None = None, *, keepdims: Literal[False] = ...
) -> _ArrayOrScalar: ...
@overload
def nanargmax(
    a: _ArrayLike, axis: SupportsIndex | None = None, out: ndarray | None = None, *, keepdims: bool = ...
) -> ndarray: ...
@overload
def nanargmin(
    a: _ArrayLike, axis: None = None, out: None = None, *, keepdims: Literal[False] = ...
) -> _ArrayOrScalar: ...
@overload
def nanargmin(
    a: _ArrayLike, axis: SupportsIndex | None = None, out: ndarray | None = None, *, keepdims: bool = ...
) -> ndarray: ...
def nancumsum(
    a: _ArrayLike, axis: SupportsIndex | None = None, dtype: DTypeLike | None = None, out: ndarray | None = None
) -> ndarray: ...
def nancumprod(
    a: _ArrayLike, axis: SupportsIndex | None = None, dtype: DTypeLike | None = None, out: ndarray | None = None
) -> ndarray: ...
@overload
def nansum(
    a: _ArrayLike,
    axis: None = None,
    dtype: DTypeLike | None = None,
    out: None = None,
    keepdims: Literal[False] = ...,
    initial: _Number | None = ...,
    where: _ArrayLike = ...,
) -> _ArrayOrScalar: ...
@overload
def nansum(
    a: _ArrayLike,
    axis: _Axes | None = None,
    dtype: DTypeLike | None = None,
    out: ndarray | None = None,
    keepdims: bool = ...,
    initial: _Number | None = ...,
    where: _ArrayLike = ...,
) -> ndarray: ...
@overload
def nanprod(
    a: _ArrayLike,
    axis: None = None,
    dtype: DTypeLike | None = None,
    out: None = None,
    keepdims: Literal[False] = ...,
    initial: _Number | None = ...,
    where: _ArrayLike = ...,
) -> _ArrayOrScalar: ...
@overload
def nanprod(
    a: _ArrayLike,
    axis: _Axes | None = None,
    dtype: DTypeLike | None = None,
    out: ndarray | None = None,
    keepdims: bool = ...,
    initial: _Number | None = ...,
    where: _ArrayLike = ...,
) -> ndarray: ...
@overload
def nanmin(
    a: _ArrayLike,
    axis: None = None,
    out: None = None,
    keepdims: Literal[False] = ...,
    initial: _Number | None = ...,
    where: _ArrayLike = ...,
) -> _ArrayOrScalar: ...
@overload
def nanmin(
    a: _ArrayLike,
    axis: _Axes | None = None,
    out: ndarray | None = None,
    keepdims: bool = ...,
    initial: _Number | None = ...,
    where: _ArrayLike = ...,
) -> ndarray: ...
@overload
def nanmax(
    a: _ArrayLike,
    axis: None = None,
    out: None = None,
    keepdims: Literal[False] = ...,
    initial: _Number | None = ...,
    where: _ArrayLike = ...,
) -> _ArrayOrScalar: ...
@overload
def nanmax(
    a: _ArrayLike,
    axis: _Axes | None = None,
    out: ndarray | None = None,
    keepdims: bool = ...,
    initial: _Number | None = ...,
    where: _ArrayLike = ...,
) -> ndarray: ...
@overload
def nanmean(
    a: _ArrayLike,
    axis: None = None,
    dtype: DTypeLike | None = None,
    out: None = None,
    keepdims: Literal[False] = ...,
    *,
    where: _ArrayLike = ...,
) -> _ArrayOrScalar: ...
@overload
def nanmean(
    a: _ArrayLike,
    axis: _Axes | None = None,
    dtype: DTypeLike | None = None,
    out: ndarray | None = None,
    keepdims: bool = ...,
    *,
    where: _ArrayLike = ...,
) -> ndarray: ...
