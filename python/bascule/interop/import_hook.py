"""`import numpy`, `import pandas` and `import sklearn` in a user's own modules, as bascule, bascule.pandas and
bascule.learn."""

from __future__ import annotations

import builtins
import functools
import importlib.util
import os
import site
import sys
from collections.abc import Callable
from typing import Any

from .. import _core
from . import stand_in

_PACKAGE = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
# Not by sysconfig, which takes a millisecond to find the same.
_INSTALLED = tuple(
    {os.path.join(os.path.abspath(p), "") for p in (os.path.dirname(os.__file__), *site.getsitepackages(), _PACKAGE)}
)


@functools.cache
def _is_own_file(file: str) -> bool:
    """Whether a file is the user's: not part of Python, an installed package or bascule."""
    path = os.path.abspath(file)
    return not (
        path.startswith(_INSTALLED) or "/site-packages/" in path or "/dist-packages/" in path or file[:1] == "<"
    )


def is_users(module: dict[str, Any]) -> bool:
    """Whether the globals are those of a module of the user's: the program, a notebook, or a file in its folder."""
    file = module.get("__file__")
    return _is_own_file(file) if file else module.get("__name__") == "__main__"


def _exists(name: str) -> bool:
    try:
        return name in sys.modules or importlib.util.find_spec(name) is not None
    except (ImportError, ValueError):
        return False


@functools.cache
def _is_ours(meant: str) -> bool:
    """Whether the package has such a module; `pickle` asks at every array, of modules that only NumPy has."""
    return _exists(meant)


@functools.cache
def _load_frames() -> None:
    """Import the modules of frames before any process is forked: each would import them again."""
    importlib.import_module(stand_in.MEANT["pandas"]).DataFrame  # noqa: B018


class ImportHook:
    """Replaces `__import__` while it is installed; only imports of names in `stand_in.MEANT` come here."""

    def __init__(self) -> None:
        self._usual: Callable[..., Any] = builtins.__import__
        self._filter: Callable[..., Any] = self

    def __call__(self, name: str, globals: Any = None, locals: Any = None, fromlist: Any = (), level: int = 0) -> Any:
        top, dot, rest = name.partition(".")
        meant_here = (
            not level and globals is not None and top in stand_in.MEANT and is_users(globals) and stand_in.is_meant(top)
        )
        if meant_here and name == "pandas" and name not in sys.modules and _exists(name):
            _load_frames()
            return stand_in.module(name)  # which imports pandas when the program needs a name that is pandas' alone
        theirs = self._usual(name, globals, locals, fromlist, level)
        if not meant_here:
            return theirs
        if _is_ours(meant := stand_in.MEANT[top] + dot + rest):
            importlib.import_module(meant)
        if top == "pandas":
            _load_frames()
        return stand_in.module(name if fromlist else top)

    def install(self) -> None:
        self._usual = builtins.__import__
        self._filter = builtins.__import__ = _core.import_filter(tuple(stand_in.MEANT), self, self._usual)

    def uninstall(self) -> bool:
        """Returns False if another hook that calls this one has been installed since."""
        if builtins.__import__ is not self._filter:
            return False
        builtins.__import__ = self._usual
        return True
