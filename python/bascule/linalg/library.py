"""Where OpenBLAS lies; the C++ side opens it at the first call that needs it."""

from __future__ import annotations

import os
from importlib.machinery import PathFinder

from .. import _core


def find() -> None:
    """Tell the core which file of the package scipy-openblas32 to open, without importing it."""
    spec = PathFinder.find_spec("scipy_openblas32")
    if spec is not None and spec.origin:
        _core.set_blas_library(os.path.join(os.path.dirname(spec.origin), "lib", "libscipy_openblas.so"))
