"""Modules that replace NumPy, pandas and scikit-learn in users' programs: bascule's names, and theirs for all that it
lacks."""

from __future__ import annotations

import functools
import importlib
import importlib.util
import itertools
import sys
import types
from typing import Any

import numpy as np

from ..supported_versions import SUPPORTED, numbers
from . import after_import

MEANT = {"numpy": "bascule", "pandas": "bascule.pandas", "sklearn": "bascule.learn"}
_THEIRS = frozenset("__version__ __all__ __doc__ __path__ __file__ __spec__ __loader__ __package__ version".split())


@functools.cache
def is_meant(top: str) -> bool:
    """Whether a library is one that bascule stands in for, in the installed version."""
    if top != "sklearn":
        return top in MEANT
    import importlib.metadata  # imported here because it takes milliseconds

    try:
        return SUPPORTED["scikit-learn"].has(numbers(importlib.metadata.version("scikit-learn")))
    except importlib.metadata.PackageNotFoundError:
        return False


_NAMED = (type, np.ufunc, types.FunctionType, types.BuiltinFunctionType, type(np.sum))


class StandIn(types.ModuleType):
    """A module of bascule together with the module of NumPy or pandas that it replaces.

    Attributes set on it are set on the other module, too, since programs set them for the libraries that they import.
    """

    def __init__(self, ours: types.ModuleType, theirs: types.ModuleType | None, name: str):
        super().__init__(ours.__name__)
        self.__dict__.update(_ours=ours, _name=name)
        if theirs is not None:
            self._arrived(theirs)
            return
        spec = importlib.util.find_spec(name)  # the library is imported when it is first needed
        assert spec is not None
        self.__dict__.update(__spec__=spec, __file__=spec.origin, __path__=spec.submodule_search_locations)
        for unknown in ("__doc__", "__loader__", "__package__"):
            self.__dict__.pop(unknown, None)
        after_import.fill({name: self._arrived})

    def _arrived(self, theirs: types.ModuleType) -> None:
        self.__dict__.update({n: vars(theirs)[n] for n in _THEIRS if n in vars(theirs)}, _theirs=theirs)

    def _library(self) -> types.ModuleType:
        """The module of NumPy or pandas."""
        if "_theirs" not in self.__dict__:
            self._arrived(importlib.import_module(self.__dict__["_name"]))
        return self.__dict__["_theirs"]

    def __getattr__(self, name: str) -> Any:
        if name in _THEIRS:
            return getattr(self._library(), name)
        try:
            found = getattr(self.__dict__["_ours"], name)
        except AttributeError:
            return getattr(self._library(), name)
        if isinstance(found, types.ModuleType):
            if found.__name__.startswith(self.__dict__["_name"]) and "_theirs" not in self.__dict__:
                return found  # the other library's own, which is imported with the first of its names
            there = getattr(self._library(), name, None)
            found = _pair(found, there) if isinstance(there, types.ModuleType) else found
        self.__dict__[name] = found
        return found

    def __setattr__(self, name: str, value: Any) -> None:
        super().__setattr__(name, value)
        setattr(self._library(), name, value)

    def __delattr__(self, name: str) -> None:
        self.__dict__.pop(name, None)
        delattr(self._library(), name)

    def __dir__(self) -> list[str]:
        return dir(self._library())

    def __reduce__(self) -> tuple:
        """Pickled by name: a process that loads it has NumPy or pandas, and perhaps no bascule."""
        return importlib.import_module, (self.__dict__["_name"],)


@functools.cache
def _pair(ours: types.ModuleType, theirs: types.ModuleType) -> types.ModuleType:
    return ours if ours is theirs else StandIn(ours, theirs, theirs.__name__)


@functools.cache
def _whole(name: str) -> types.ModuleType:
    """The stand-in for NumPy or pandas, which may not have been imported."""
    return StandIn(importlib.import_module(MEANT[name]), sys.modules.get(name), name)


def module(name: str) -> Any:
    """The module that a user's program gets for a loaded module of NumPy or pandas."""
    top, *path = name.split(".")
    return functools.reduce(getattr, path, _whole(top))


def meant(value: Any) -> Any:
    """bascule's counterpart of a value that a program has imported from NumPy or pandas; any other value is returned."""
    if isinstance(value, types.ModuleType):
        name = value.__name__
        known = is_meant(name.partition(".")[0]) and sys.modules.get(name) is value
        return module(name) if known else value
    if not isinstance(value, _NAMED):
        return value
    name = getattr(value, "__name__", None)
    home = "numpy" if isinstance(value, np.ufunc) else getattr(value, "__module__", None)
    if not isinstance(name, str) or not isinstance(home, str) or not is_meant(home.partition(".")[0]):
        return value
    for place in itertools.accumulate(home.split("."), "{}.{}".format):  # the public one comes before the private
        if vars(sys.modules.get(place, types)).get(name) is value:
            return getattr(module(place), name)
    return value
