"""`numpy.testing`, whose assertions also take bascule's arrays, alone or in lists and dicts."""

from __future__ import annotations

import functools
import inspect
import types
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy.testing as _numpys
from numpy import asarray as _asarray

from . import _core

_COMPARING = {"actual", "x", "a", "comparison", "arrays"}  # names of the first parameter of a comparison

if TYPE_CHECKING:
    from numpy.testing import *

__all__ = list(_numpys.__all__)
__path__ = _numpys.__path__  # its modules can be imported by name


def _for_numpy(x: Any) -> Any:
    """x with NumPy's arrays in place of bascule's."""
    if type(x) is _core.ndarray:
        return _asarray(x)
    if isinstance(x, dict):
        found = {k: _for_numpy(v) for k, v in x.items()}
        return found if any(found[k] is not v for k, v in x.items()) else x
    if isinstance(x, (list, tuple)):
        items = [_for_numpy(v) for v in x]
        if any(a is not b for a, b in zip(items, x, strict=True)):
            return items if isinstance(x, list) else tuple(items)
    return x


def _comparison(numpy: Callable[..., Any]) -> Callable[..., Any]:
    @functools.wraps(numpy)
    def compare(*args: Any, **kwargs: Any) -> Any:
        __tracebackhide__ = True  # as in NumPy's
        return numpy(*map(_for_numpy, args), **{k: _for_numpy(v) for k, v in kwargs.items()})

    compare.__module__ = __name__
    return compare


for _name in __all__:
    _found = getattr(_numpys, _name)
    if isinstance(_found, types.FunctionType) and next(iter(inspect.signature(_found).parameters), "") in _COMPARING:
        globals()[_name] = _comparison(_found)
del _name, _found


def __getattr__(name: str) -> Any:
    if name.startswith("__"):
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(_numpys, name)


def __dir__() -> list[str]:
    return dir(_numpys)
