from typing import SupportsIndex

from .._core import _ArrayLike, _Number, ndarray

def bincount(x: _ArrayLike, /, weights: _ArrayLike | None = None, minlength: SupportsIndex = 0) -> ndarray: ...
def histogram(
    a: _ArrayLike,
    bins: int | str | _ArrayLike = 10,
    range: tuple[_Number, _Number] | None = None,
    density: bool | None = None,
    weights: _ArrayLike | None = None,
) -> tuple[ndarray, ndarray]: ...
def histogram_bin_edges(
    a: _ArrayLike,
    bins: int | str | _ArrayLike = 10,
    range: tuple[_Number, _Number] | None = None,
    weights: _ArrayLike | None = None,
) -> ndarray: ...
