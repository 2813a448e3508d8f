from collections.abc import Callable, Iterable, Sequence
from typing import Any, Literal, SupportsIndex, overload

from numpy.typing import DTypeLike

from .._core import _ArrayLike, _Order, _ShapeLike, ndarray

def array(
    object: _ArrayLike,
    dtype: DTypeLike | None = None,
    *,
    copy: bool | None = True,
    order: _Order = "K",
    subok: bool = False,
    ndmin: int = 0,
    ndmax: int = 0,
    like: _ArrayLike | None = None,
    device: str | None = None,
) -> ndarray: ...
def asarray(
    a: _ArrayLike,
    dtype: DTypeLike | None = None,
    order: _Order | None = None,
    *,
    device: str | None = None,
    copy: bool | None = None,
    like: _ArrayLike | None = None,
) -> ndarray: ...
def ascontiguousarray(a: _ArrayLike, dtype: DTypeLike | None = None, *, like: _ArrayLike | None = None) -> ndarray: ...
def asfortranarray(a: _ArrayLike, dtype: DTypeLike | None = None, *, like: _ArrayLike | None = None) -> ndarray: ...
def asarray_chkfinite(a: _ArrayLike, dtype: DTypeLike | None = None, order: _Order | None = None) -> ndarray: ...
def isfortran(a: _ArrayLike) -> bool: ...
def require(
    a: _ArrayLike,
    dtype: DTypeLike | None = None,
    requirements: str | Iterable[str] | None = None,
    *,
    like: _ArrayLike | None = None,
) -> ndarray: ...
def copy(a: _ArrayLike, order: _Order = "K", subok: bool = False) -> ndarray: ...
def empty(
    shape: _ShapeLike,
    dtype: DTypeLike | None = None,
    order: _Order = "C",
    *,
    device: str | None = None,
    like: _ArrayLike | None = None,
) -> ndarray: ...
def full(
    shape: _ShapeLike,
    fill_value: _ArrayLike,
    dtype: DTypeLike | None = None,
    order: _Order = "C",
    *,
    device: str | None = None,
    like: _ArrayLike | None = None,
) -> ndarray: ...
def zeros(
    shape: _ShapeLike,
    dtype: DTypeLike | None = None,
    order: _Order = "C",
    *,
    device: str | None = None,
    like: _ArrayLike | None = None,
) -> ndarray: ...
def ones(
    shape: _ShapeLike,
    dtype: DTypeLike | None = None,
    order: _Order = "C",
    *,
    device: str | None = None,
    like: _ArrayLike | None = None,
) -> ndarray: ...
def empty_like(
    prototype: _ArrayLike,
    /,
    dtype: DTypeLike | None = None,
    order: _Order = "K",
    subok: bool = True,
    shape: _ShapeLike | None = None,
    *,
    device: str | None = None,
) -> ndarray: ...
def full_like(
    a: _ArrayLike,
    fill_value: _ArrayLike,
    dtype: DTypeLike | None = None,
    order: _Order = "K",
    subok: bool = True,
    shape: _ShapeLike | None = None,
    *,
    device: str | None = None,
) -> ndarray: ...
def zeros_like(
    a: _ArrayLike,
    dtype: DTypeLike | None = None,
    order: _Order = "K",
    subok: bool = True,
    shape: _ShapeLike | None = None,
    *,
    device: str | None = None,
) -> ndarray: ...
def ones_like(
    a: _ArrayLike,
    dtype: DTypeLike | None = None,
    order: _Order = "K",
    subok: bool = True,
    shape: _ShapeLike | None = None,
    *,
    device: str | None = None,
) -> ndarray: ...
@overload
def arange(
    stop: _ArrayLike, /, *, dtype: DTypeLike | None = None, device: str | None = None, like: _ArrayLike | None = None
) -> ndarray: ...
@overload
def arange(
    start_or_stop: _ArrayLike,
    /,
    stop: _ArrayLike | None = None,
    step: _ArrayLike = 1,
    *more: DTypeLike | None,
    dtype: DTypeLike | None = None,
    device: str | None = None,
    like: _ArrayLike | None = None,
) -> ndarray: ...
@overload
def arange(
    *,
    stop: _ArrayLike,
    step: _ArrayLike = 1,
    dtype: DTypeLike | None = None,
    device: str | None = None,
    like: _ArrayLike | None = None,
    start: _ArrayLike = ...,
) -> ndarray: ...
@overload
def linspace(
    start: _ArrayLike,
    stop: _ArrayLike,
    num: SupportsIndex = 50,
    endpoint: bool = True,
    retstep: Literal[False] = False,
    dtype: DTypeLike | None = None,
    axis: SupportsIndex = 0,
    *,
    device: str | None = None,
) -> ndarray: ...
@overload
def linspace(
    start: _ArrayLike,
    stop: _ArrayLike,
    num: SupportsIndex = 50,
    endpoint: bool = True,
    *,
    retstep: Literal[True],
    dtype: DTypeLike | None = None,
    axis: SupportsIndex = 0,
    device: str | None = None,
) -> tuple[ndarray, ndarray]: ...
def eye(
    N: int,
    M: int | None = None,
    k: int = 0,
    dtype: DTypeLike = ...,
    order: _Order = "C",
    *,
    device: str | None = None,
    like: _ArrayLike | None = None,
) -> ndarray: ...
def identity(
    n: int, dtype: DTypeLike | None = None, *, device: str | None = None, like: _ArrayLike | None = None
) -> ndarray: ...
def tri(
    N: int,
    M: int | None = None,
    k: int = 0,
    dtype: DTypeLike = ...,
    *,
    device: str | None = None,
    like: _ArrayLike | None = None,
) -> ndarray: ...
def tril(m: _ArrayLike, k: SupportsIndex = 0) -> ndarray: ...
def triu(m: _ArrayLike, k: int = 0) -> ndarray: ...
def diag(v: _ArrayLike, k: int = 0) -> ndarray: ...
def diagflat(v: _ArrayLike, k: int = 0) -> ndarray: ...
def meshgrid(
    *xi: _ArrayLike, copy: bool | None = True, sparse: bool = False, indexing: Literal["xy", "ij"] = "xy"
) -> tuple[ndarray, ...]: ...
@overload
def indices(dimensions: Sequence[int], dtype: DTypeLike = ..., sparse: Literal[False] = False) -> ndarray: ...
@overload
def indices(dimensions: Sequence[int], dtype: DTypeLike = ..., *, sparse: Literal[True]) -> tuple[ndarray, ...]: ...
def fromfunction(
    function: Callable[..., Any],
    shape: _ShapeLike,
    *,
    dtype: DTypeLike = ...,
    like: _ArrayLike | None = None,
    **kwargs: Any,
) -> Any: ...
def frombuffer(
    buffer: Any,
    dtype: DTypeLike | None = None,
    count: SupportsIndex = -1,
    offset: int = 0,
    *,
    like: _ArrayLike | None = None,
) -> ndarray: ...
def fromiter(
    iter: Iterable[Any], dtype: DTypeLike, count: SupportsIndex = -1, *, like: _ArrayLike | None = None
) -> ndarray: ...
