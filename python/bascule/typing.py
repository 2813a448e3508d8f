"""numpy.typing, with this library's array in `NDArray`."""

from __future__ import annotations

from typing import Any, TypeVar

import numpy as np
import numpy.typing
from numpy.typing import ArrayLike, DTypeLike

from ._core import ndarray

__all__ = ["ArrayLike", "DTypeLike", "NBitBase", "NDArray"]  # noqa: F822

_ScalarT = TypeVar("_ScalarT", bound=np.generic)
NDArray = ndarray[tuple[Any, ...], np.dtype[_ScalarT]]


def __getattr__(name: str) -> Any:
    if name == "NBitBase":  # NumPy warns that it is deprecated
        return getattr(numpy.typing, name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
