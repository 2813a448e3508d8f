"""NumPy's own constants, types, functions and modules in the namespace; functions run in NumPy.

The modules are about data that our arrays do not hold, or about NumPy's own classes: `char`, `strings`, `rec`, `ma` and
others. Their functions run in NumPy, over the memory of our arrays, and are counted.
"""

from __future__ import annotations

import functools
import importlib
import types
from collections.abc import Callable
from typing import Any

import numpy as np

from .. import fallback
from . import numpys_calls

_REASONS = {
    "char": "arrays hold no text",
    "strings": "arrays hold no text",
    "rec": "arrays hold no records",
    "ma": "masked arrays are NumPy's own",
    "ctypeslib": "C gets NumPy's own arrays",
    "recfunctions": "arrays hold no records",
}
NAMES = ("char", "strings", "rec", "ma", "ctypeslib", "f2py")


class _Function:
    """A function of such a module, or a callable object."""

    def __init__(self, theirs: Callable[..., Any], name: str, reason: str):
        functools.update_wrapper(self, theirs)
        self._theirs, self._name, self._reason = theirs, name, reason

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        if fallback.config.fallback == "error":
            fallback.note(self._name, self._reason, "NumPy")
        if numpys_calls.on_device(args, kwargs):
            raise TypeError(f"[{self._name}] is NumPy's ({self._reason}) and runs on the CPU device only")
        result = fallback.over_shared_memory(self._theirs, *args, **kwargs)
        fallback.count(self._name, self._reason)
        return result

    def __getattr__(self, name: str) -> Any:
        return getattr(self.__dict__["_theirs"], name)

    def __get__(self, to: Any, owner: Any = None) -> Any:
        return self if to is None or not isinstance(self._theirs, types.FunctionType) else types.MethodType(self, to)

    def __repr__(self) -> str:
        return repr(self._theirs)

    def __reduce__(self) -> Any:
        module, _, name = self._name.rpartition(".")
        return _function, (module, name)


def _function(module: str, name: str) -> Any:
    return getattr(numpys_module(module), name)


class _Module(types.ModuleType):
    """Such a module, with the names of NumPy's module."""

    def __init__(self, theirs: types.ModuleType, name: str, reason: str):
        super().__init__(theirs.__name__, theirs.__doc__)
        self.__dict__.update(_theirs=theirs, _name=name, _reason=reason)
        for known in ("__all__", "__file__", "__version__"):
            if hasattr(theirs, known):
                self.__dict__[known] = getattr(theirs, known)

    def __getattr__(self, name: str) -> Any:
        found = getattr(self.__dict__["_theirs"], name)
        if not isinstance(found, type) and callable(found) and not isinstance(found, np.ndarray):
            found = _Function(found, f"{self.__dict__['_name']}.{name}", self.__dict__["_reason"])
            self.__dict__[name] = found
        return found

    def __dir__(self) -> list[str]:
        return dir(self._theirs)


@functools.cache
def numpys_module(name: str) -> types.ModuleType:
    """NumPy's module of a name, with its calls counted."""
    theirs = importlib.import_module("numpy." + name)
    reason = _REASONS.get(name.rpartition(".")[2])
    return theirs if reason is None else _Module(theirs, name, reason)


def handed_on() -> list[str]:
    """The names that `attribute` takes from NumPy: its constants, types, modules, and functions that run there."""
    found = {name: vars(np).get(name) for name in np.__all__}  # without loading modules
    names = (n for n, x in found.items() if not (n.startswith("_") or isinstance(x, type(np))) and hasattr(np, n))
    return [*names, *NAMES]


def attribute(name: str) -> Any:
    """The value of `bascule.<name>` for a name that bascule itself does not define."""
    if name.startswith("_"):
        raise AttributeError(f"module 'bascule' has no attribute {name!r}")
    if name in NAMES:
        return numpys_module(name)
    try:
        found = getattr(np, name)
    except AttributeError as error:
        words = str(error).replace("module 'numpy'", "module 'bascule'")
        raise AttributeError(words, name=name) from None
    if isinstance(found, type(np)):
        raise AttributeError(f"module 'bascule' has no attribute {name!r}")
    if isinstance(found, type) or not callable(found):
        return found
    return fallback.wrapper(found, name)
