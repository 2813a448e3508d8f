from collections.abc import Callable, Mapping
from typing import Any

from .._core import _ArrayLike, _Pad, ndarray

def pad(
    array: _ArrayLike,
    pad_width: int | _ArrayLike | Mapping[int, Any],
    mode: _Pad | Callable[..., Any] = "constant",
    **kwargs: Any,
) -> ndarray: ...
