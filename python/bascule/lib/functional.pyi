from collections.abc import Callable, Sequence
from typing import Any, SupportsIndex

from .._core import _ArrayLike, _Number, _ShapeLike, ndarray

def apply_along_axis(
    func1d: Callable[..., _ArrayLike], axis: SupportsIndex, arr: _ArrayLike, *args: Any, **kwargs: Any
) -> ndarray: ...
def apply_over_axes(func: Callable[..., _ArrayLike], a: _ArrayLike, axes: _ShapeLike) -> ndarray: ...
def piecewise(
    x: _ArrayLike,
    condlist: Sequence[_ArrayLike],
    funclist: Sequence[Callable[..., Any] | _Number],
    *args: Any,
    **kw: Any,
) -> ndarray: ...
def select(condlist: Sequence[_ArrayLike], choicelist: Sequence[_ArrayLike], default: _ArrayLike = 0) -> ndarray: ...
