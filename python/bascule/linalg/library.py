"""The path of OpenBLAS, which the C++ code opens at the first call that needs it."""

from __future__ import annotations

import os
from importlib.machinery import PathFinder

from .. import _core


def find() -> None:
    """Set the file of the package scipy-openblas32 that the core opens, without importing the package."""
    spec = PathFinder.find_spec("scipy_openblas32")
    if spec is not None and spec.origin:
        _core.set_blas_library(os.path.join(os.path.dirname(spec.origin), "lib", "libscipy_openblas.so"))
