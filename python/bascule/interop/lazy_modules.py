"""Modules that are executed when one of their names is first read, so that a program waits only for what it uses.

An `import` of such a module gives the module itself, not yet executed, and costs no more than its entry in `sys.modules`;
`from module import name` executes it. Modules that are loaded with the package therefore import the others as modules.
"""

from __future__ import annotations

import importlib
import importlib._bootstrap as _import_system
import os
import sys
import types
from collections.abc import Iterable
from importlib.machinery import ModuleSpec, SourceFileLoader
from typing import Any

_executing: set[str] = set()


class _Waiting(types.ModuleType):
    """A module that is not executed yet; it becomes an ordinary one."""

    __doc__ = property(lambda self: self.__getattr__("__doc__"))  # type: ignore[assignment]

    def __getattr__(self, name: str) -> Any:
        _execute(self)
        try:
            return self.__dict__[name]
        except KeyError:
            own = self.__dict__.get("__getattr__") if type(self) is types.ModuleType else None
        if own is not None:
            return own(name)
        raise AttributeError(f"module {self.__name__!r} has no attribute {name!r}", name=name, obj=self)

    def __reduce__(self) -> tuple:
        return importlib.import_module, (self.__name__,)  # by name, as Python's picklers do with modules

    def __dir__(self) -> list[str]:
        _execute(self)
        return dir(self) if type(self) is types.ModuleType else list(self.__dict__)


def _execute(module: types.ModuleType) -> None:
    """Execute a module, unless this thread is doing so: then its names are missing until they are defined."""
    path = module.__name__
    try:
        with _import_system._ModuleLockManager(path):  # type: ignore[attr-defined]
            if type(module) is not _Waiting or path in _executing:
                return
            _executing.add(path)
            try:
                module.__spec__.loader.exec_module(module)  # type: ignore[union-attr]
                module.__class__ = types.ModuleType
            finally:
                _executing.discard(path)
    except _import_system._DeadlockError:  # type: ignore[attr-defined]
        pass  # two threads wait for each other's module: as for an import, what is there is all there is


def _found(folders: Iterable[str], name: str) -> tuple[str, bool]:
    """The file of a module in one of several folders, and whether it is a package; an editable installation has two."""
    for folder in folders:
        for file, is_package in ((f"{name}.py", False), (os.path.join(name, "__init__.py"), True)):
            path = os.path.join(folder, file)
            if os.path.isfile(path):
                return path, is_package
    raise ModuleNotFoundError(f"No module named {name!r}", name=name)


def put_off(package: str, *names: str) -> None:
    """Make modules of a loaded package known without executing them; "a.b" is the module b of its package a."""
    for name in names:
        path = f"{package}.{name}"
        if path in sys.modules:
            continue
        above, _, last = path.rpartition(".")
        file, is_package = _found(sys.modules[above].__path__, last)
        module = _Waiting(path)
        module.__spec__ = spec = ModuleSpec(path, SourceFileLoader(path, file), origin=file, is_package=is_package)
        spec.has_location = True
        module.__loader__, module.__file__, module.__package__ = spec.loader, file, path if is_package else above
        del module.__dict__["__doc__"]
        if is_package:
            spec.submodule_search_locations = module.__path__ = [os.path.dirname(file)]
        sys.modules[path] = module
        setattr(sys.modules[above], last, module)
