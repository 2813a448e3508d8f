from collections.abc import Sequence
from typing import SupportsIndex

from .._core import _ArrayLike, _Number, ndarray

def histogram2d(
    x: _ArrayLike,
    y: _ArrayLike,
    bins: _ArrayLike | Sequence[_ArrayLike] = 10,
    range: _ArrayLike | None = None,
    density: bool | None = None,
    weights: _ArrayLike | None = None,
) -> tuple[ndarray, ndarray, ndarray]: ...
def histogramdd(
    sample: _ArrayLike,
    bins: SupportsIndex | _ArrayLike | Sequence[_ArrayLike] = 10,
    range: Sequence[tuple[_Number, _Number] | None] | None = None,
    density: bool | None = None,
    weights: _ArrayLike | None = None,
) -> tuple[ndarray, tuple[ndarray, ...]]: ...
