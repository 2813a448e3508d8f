"""The functions of the namespace, by topic, and the modules of numpy.lib for arrays: `stride_tricks`, `scimath`."""

from __future__ import annotations

import importlib
import sys
from typing import TYPE_CHECKING, Any

import numpy as np

__all__ = ["scimath", "stride_tricks"]


_NUMPYS_MODULES = ("array_utils", "format", "introspect", "mixins")
sys.modules.update(
    {f"{__name__}.{name}": getattr(np.lib, name) for name in _NUMPYS_MODULES}
)  # so that import finds them


if TYPE_CHECKING:
    from numpy.lib import NumpyVersion as NumpyVersion
    from numpy.lib import array_utils as array_utils
    from numpy.lib import format as format
    from numpy.lib import introspect as introspect
    from numpy.lib import mixins as mixins

    from . import scimath as scimath
    from . import stride_tricks as stride_tricks
else:

    def __getattr__(name: str) -> Any:
        if name in __all__ or name == "recfunctions":
            return importlib.import_module("." + name, __name__)
        if not name.startswith("_") and hasattr(np.lib, name):
            return getattr(np.lib, name)
        raise AttributeError(f"module 'bascule.lib' has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted({*__all__, "NumpyVersion", *_NUMPYS_MODULES})
