"""What numpy.lib has for arrays: `stride_tricks` and `scimath`; the rest is NumPy's own."""

from __future__ import annotations

from typing import Any

import numpy as np

from . import scimath, stride_tricks

__all__ = ["scimath", "stride_tricks"]


def __getattr__(name: str) -> Any:
    if name in ("NumpyVersion", "array_utils", "format", "introspect", "mixins"):
        return getattr(np.lib, name)
    raise AttributeError(f"module 'bascule.lib' has no attribute {name!r}")
