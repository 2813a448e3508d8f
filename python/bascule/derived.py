"""What classes have that programs derive from arrays, which are classes of NumPy's arrays (bindings/array_class.cpp)."""

from __future__ import annotations

from typing import Any

import numpy as np

from . import _core, conversion


def view(self: Any, *args: Any, **keywords: Any) -> Any:
    """numpy.ndarray.view, to which the class of arrays that a program names is NumPy's: over the same memory."""
    given = (np.ndarray if a is _core.ndarray else a for a in args)
    return np.ndarray.view(self, *given, **{k: np.ndarray if a is _core.ndarray else a for k, a in keywords.items()})


def make(cls: type, *args: Any) -> Any:
    """``ndarray.__new__(cls, shape, ...)`` for a derived class."""
    return np.ndarray.__new__(cls, *map(conversion.seen_by_numpy, args))
