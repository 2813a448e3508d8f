from typing import Literal, SupportsIndex

from .._core import _ArrayLike, _Axes, ndarray

def packbits(a: _ArrayLike, /, axis: _Axes | None = None, bitorder: Literal["big", "little"] = "big") -> ndarray: ...
def unpackbits(
    a: _ArrayLike,
    /,
    axis: _Axes | None = None,
    count: SupportsIndex | None = None,
    bitorder: Literal["big", "little"] = "big",
) -> ndarray: ...
