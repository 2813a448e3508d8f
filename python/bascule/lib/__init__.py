"""What numpy.lib has for arrays: `stride_tricks` and `scimath`; the rest is NumPy's own."""

from __future__ import annotations

import sys
from typing import Any

import numpy as np

from . import scimath, stride_tricks

__all__ = ["scimath", "stride_tricks"]


_NUMPYS_MODULES = ("array_utils", "format", "introspect", "mixins")
sys.modules.update({f"{__name__}.{name}": getattr(np.lib, name) for name in _NUMPYS_MODULES})  # import finds them there


def __getattr__(name: str) -> Any:
    if name == "NumpyVersion" or name in _NUMPYS_MODULES:
        return getattr(np.lib, name)
    raise AttributeError(f"module 'bascule.lib' has no attribute {name!r}")
