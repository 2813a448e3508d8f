"""`import numpy` and `import pandas` in a user's own modules, as names of bascule and bascule.pandas."""

from __future__ import annotations

import builtins
import functools
import importlib.util
import os
import sys
import sysconfig
import types
from collections.abc import Callable
from typing import Any

_MEANT = {"numpy": "bascule", "pandas": "bascule.pandas"}
_PACKAGE = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
_INSTALLED = tuple(
    {os.path.join(os.path.abspath(sysconfig.get_path(p)), "") for p in ("stdlib", "platstdlib", "purelib", "platlib")}
) + (os.path.join(_PACKAGE, ""),)


@functools.cache
def _is_own_file(file: str) -> bool:
    """Whether a file is the user's: not Python's, not of an installed package, not bascule's."""
    path = os.path.abspath(file)
    return not (
        path.startswith(_INSTALLED) or "/site-packages/" in path or "/dist-packages/" in path or file[:1] == "<"
    )


def is_users(module: dict[str, Any]) -> bool:
    """Whether the globals are those of a module of the user's: the program, a notebook, or a file beside them."""
    file = module.get("__file__")
    return _is_own_file(file) if file else module.get("__name__") == "__main__"


def _exists(name: str) -> bool:
    try:
        return name in sys.modules or importlib.util.find_spec(name) is not None
    except (ImportError, ValueError):
        return False


class _Beside(types.ModuleType):
    """A module together with modules of the library that it stands for, which it has none like."""

    def __init__(self, module: types.ModuleType, others: dict[str, Any]):
        super().__init__(module.__name__)
        self.__dict__.update(others, _module=module)

    def __getattr__(self, name: str) -> Any:
        return getattr(self.__dict__["_module"], name)


def _with_modules(module: Any, name: str, wanted: Any) -> Any:
    """What `from name import wanted` takes its names of: the module, and the library's own modules where it lacks them.

    So does `import name.module`, for a module that is not there.
    """
    lacking = [n for n in wanted if n != "*" and not hasattr(module, n) and _exists(f"{name}.{n}")]
    return _Beside(module, {n: importlib.import_module(f"{name}.{n}") for n in lacking}) if lacking else module


class ImportHook:
    """Stands for `__import__` while it is installed."""

    def __init__(self) -> None:
        self._usual: Callable[..., Any] = builtins.__import__

    def __call__(self, name: str, globals: Any = None, locals: Any = None, fromlist: Any = (), level: int = 0) -> Any:
        top, dot, rest = name.partition(".")
        if level == 0 and top in _MEANT and globals is not None and is_users(globals):
            meant = _MEANT[top] + dot + rest
            if _exists(meant):
                module = self._usual(meant, globals, locals, fromlist, 0)
                return _with_modules(module, name, fromlist) if fromlist else sys.modules[_MEANT[top]]
        return self._usual(name, globals, locals, fromlist, level)

    def install(self) -> None:
        self._usual = builtins.__import__
        builtins.__import__ = self  # type: ignore[assignment]

    def uninstall(self) -> bool:
        """False where another hook was installed since, which calls this one."""
        if builtins.__import__ is not self:
            return False
        builtins.__import__ = self._usual
        return True
