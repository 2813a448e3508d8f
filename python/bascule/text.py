"""Text of arrays, equal to NumPy's."""

from __future__ import annotations

from typing import Any

import numpy as np

from . import _core, conversion


def array_repr(a: Any) -> str:
    """Text like array([1, 2, 3])."""
    return np.array_repr(conversion.to_numpy(a))


def array_str(a: Any) -> str:
    """Text like [1 2 3]."""
    return np.array_str(conversion.to_numpy(a))


def array_format(self: Any, spec: str) -> str:
    """Formats 0-d arrays as their values."""
    if self.ndim == 0:
        return format(_core.item(self, 0), spec)
    if spec:
        raise TypeError("unsupported format string passed to bascule.ndarray.__format__")
    return array_str(self)
