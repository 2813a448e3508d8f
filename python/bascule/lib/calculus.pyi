from typing import Any, Literal, SupportsIndex

from .._core import _ArrayLike, _ArrayOrScalar, _Axes, ndarray

def ediff1d(ary: _ArrayLike, to_end: _ArrayLike | None = None, to_begin: _ArrayLike | None = None) -> ndarray: ...
def gradient(f: _ArrayLike, *varargs: _ArrayLike, axis: _Axes = None, edge_order: Literal[1, 2] = 1) -> Any: ...
def interp(
    x: _ArrayLike,
    xp: _ArrayLike,
    fp: _ArrayLike,
    left: Any = None,
    right: bool | None = None,
    period: float | None = None,
) -> _ArrayOrScalar: ...
def trapezoid(
    y: _ArrayLike, x: _ArrayLike | None = None, dx: float = 1.0, axis: SupportsIndex = -1
) -> _ArrayOrScalar: ...
def unwrap(
    p: _ArrayLike, discont: float | None = None, axis: SupportsIndex = -1, *, period: float = 6.283185307179586
) -> ndarray: ...
