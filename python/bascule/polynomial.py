"""`numpy.polynomial`: the functions of its modules run in NumPy, are counted, and return bascule's arrays; its classes
are NumPy's own, with coefficients in NumPy's arrays."""

from __future__ import annotations

import sys
import types
from typing import Any

import numpy.polynomial as _numpys

from . import fallback

_FAMILIES = ("polynomial", "chebyshev", "legendre", "laguerre", "hermite", "hermite_e", "polyutils")


def _family(name: str) -> types.ModuleType:
    theirs = getattr(_numpys, name)
    module = types.ModuleType(f"{__name__}.{name}", theirs.__doc__)
    for n in theirs.__all__:
        found = getattr(theirs, n)
        is_function = isinstance(found, types.FunctionType)
        setattr(module, n, fallback.wrapper(found, f"polynomial.{name}.{n}") if is_function else found)
    sys.modules[module.__name__] = module
    return module


__path__: list[str] = []  # its modules can be imported by name
for _name in _FAMILIES:
    globals()[_name] = _family(_name)
del _name


def __getattr__(name: str) -> Any:
    if name not in _numpys.__all__:
        raise AttributeError(f"module 'bascule.polynomial' has no attribute {name!r}")
    return getattr(_numpys, name)


def __dir__() -> list[str]:
    return sorted(_numpys.__all__)
