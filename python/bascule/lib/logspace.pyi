from typing import SupportsIndex

from numpy.typing import DTypeLike

from .._core import _ArrayLike, ndarray

def logspace(
    start: _ArrayLike,
    stop: _ArrayLike,
    num: SupportsIndex = 50,
    endpoint: bool = True,
    base: _ArrayLike = 10.0,
    dtype: DTypeLike | None = None,
    axis: SupportsIndex = 0,
) -> ndarray: ...
def geomspace(
    start: _ArrayLike,
    stop: _ArrayLike,
    num: SupportsIndex = 50,
    endpoint: bool = True,
    dtype: DTypeLike | None = None,
    axis: SupportsIndex = 0,
) -> ndarray: ...
