from collections.abc import Iterable

from .._core import _ArrayLike, _Axes, _ShapeLike, ndarray

def as_strided(
    x: _ArrayLike,
    shape: _ShapeLike | None = None,
    strides: Iterable[int] | None = None,
    subok: bool = False,
    writeable: bool = True,
) -> ndarray: ...
def sliding_window_view(
    x: _ArrayLike, window_shape: _ShapeLike, axis: _Axes = None, *, subok: bool = False, writeable: bool = False
) -> ndarray: ...
