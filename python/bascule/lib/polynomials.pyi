from typing import Any, Literal, overload

from .._core import _ArrayLike, ndarray

def poly(seq_of_zeros: _ArrayLike) -> ndarray: ...
def polyadd(a1: _ArrayLike, a2: _ArrayLike) -> Any: ...
def polyder(p: _ArrayLike, m: int = 1) -> Any: ...
def polydiv(u: _ArrayLike, v: _ArrayLike) -> tuple[Any, Any]: ...
@overload
def polyfit(
    x: _ArrayLike,
    y: _ArrayLike,
    deg: int,
    rcond: float | None = None,
    full: Literal[False] = False,
    w: _ArrayLike | None = None,
    cov: Literal[False] = False,
) -> ndarray: ...
@overload
def polyfit(
    x: _ArrayLike,
    y: _ArrayLike,
    deg: int,
    rcond: float | None = None,
    full: Literal[False] = False,
    w: _ArrayLike | None = None,
    *,
    cov: Literal[True, "unscaled"],
) -> tuple[ndarray, ndarray]: ...
@overload
def polyfit(
    x: _ArrayLike,
    y: _ArrayLike,
    deg: int,
    rcond: float | None = None,
    *,
    full: Literal[True],
    w: _ArrayLike | None = None,
    cov: bool | Literal["unscaled"] = False,
) -> tuple[ndarray, Any, Any, Any, Any]: ...
def polyint(p: _ArrayLike, m: int = 1, k: _ArrayLike | None = None) -> Any: ...
def polymul(a1: _ArrayLike, a2: _ArrayLike) -> Any: ...
def polysub(a1: _ArrayLike, a2: _ArrayLike) -> Any: ...
def polyval(p: _ArrayLike, x: _ArrayLike) -> Any: ...
def roots(p: _ArrayLike) -> ndarray: ...
def vander(x: _ArrayLike, N: int | None = None, increasing: bool = False) -> ndarray: ...
