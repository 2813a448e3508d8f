"""Modules that replace NumPy and pandas in users' programs: bascule's names, and theirs for all that bascule lacks."""

from __future__ import annotations

import functools
import importlib
import sys
import types
from typing import Any

import numpy as np

MEANT = {"numpy": "bascule", "pandas": "bascule.pandas"}
_THEIRS = frozenset("__version__ __all__ __doc__ __path__ __file__ __spec__ __loader__ __package__ version".split())


_NAMED = (type, np.ufunc, types.FunctionType, types.BuiltinFunctionType, type(np.sum))


class StandIn(types.ModuleType):
    """A module of bascule together with the module of NumPy or pandas that it replaces.

    Attributes set on it are set on the other module, too, since programs set them for the libraries that they import.
    """

    def __init__(self, ours: types.ModuleType, theirs: types.ModuleType):
        super().__init__(ours.__name__)
        about = {n: vars(theirs)[n] for n in _THEIRS if n in vars(theirs)}
        self.__dict__.update(about, _ours=ours, _theirs=theirs)

    def __getattr__(self, name: str) -> Any:
        ours, theirs = self.__dict__["_ours"], self.__dict__["_theirs"]
        try:
            found = getattr(ours, name)
        except AttributeError:
            return getattr(theirs, name)
        if isinstance(found, types.ModuleType):
            there = getattr(theirs, name, None)
            found = _pair(found, there) if isinstance(there, types.ModuleType) else found
        self.__dict__[name] = found
        return found

    def __setattr__(self, name: str, value: Any) -> None:
        super().__setattr__(name, value)
        setattr(self.__dict__["_theirs"], name, value)

    def __delattr__(self, name: str) -> None:
        self.__dict__.pop(name, None)
        delattr(self.__dict__["_theirs"], name)

    def __dir__(self) -> list[str]:
        return dir(self.__dict__["_theirs"])

    def __reduce__(self) -> tuple:
        """Pickled by name: a process that loads it has NumPy or pandas, and perhaps no bascule."""
        return importlib.import_module, (self.__dict__["_theirs"].__name__,)


@functools.cache
def _pair(ours: types.ModuleType, theirs: types.ModuleType) -> types.ModuleType:
    return ours if ours is theirs else StandIn(ours, theirs)


def module(name: str) -> Any:
    """The module that a user's program gets for a loaded module of NumPy or pandas."""
    top, *path = name.split(".")
    return functools.reduce(getattr, path, _pair(importlib.import_module(MEANT[top]), importlib.import_module(top)))


def meant(value: Any) -> Any:
    """bascule's counterpart of a value that a program has imported from NumPy or pandas; any other value is returned."""
    if isinstance(value, types.ModuleType):
        name = value.__name__
        known = name.partition(".")[0] in MEANT and sys.modules.get(name) is value
        return module(name) if known else value
    if not isinstance(value, _NAMED):
        return value
    name = getattr(value, "__name__", None)
    home = "numpy" if isinstance(value, np.ufunc) else getattr(value, "__module__", None)
    if not isinstance(name, str) or not isinstance(home, str) or home.partition(".")[0] not in MEANT:
        return value
    for place in (home.partition(".")[0], home):
        if vars(sys.modules.get(place, types)).get(name) is value:
            return getattr(module(place), name)
    return value
