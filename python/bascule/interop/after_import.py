"""Functions to call with a module of another library once it is imported."""

from __future__ import annotations

import importlib
import importlib.machinery
import sys
from collections.abc import Callable
from typing import Any


class _AfterImport:
    """An import finder that delegates to the others and calls a function with each module once it has been imported."""

    def __init__(self, waiting: dict[str, Callable[[Any], None]]):
        self.waiting = waiting

    def find_spec(self, name: str, path: Any = None, target: Any = None) -> Any:
        if name not in self.waiting:
            return None
        spec = importlib.machinery.PathFinder.find_spec(name, path, target)
        loader: Any = spec and spec.loader
        if loader is None:
            return None
        execute = loader.exec_module

        def exec_module(module: Any) -> None:
            execute(module)
            fill = self.waiting.pop(name, None)  # missing if cancelled in the meantime
            if fill is not None:
                fill(module)

        loader.exec_module = exec_module
        return spec


def fill(tables: dict[str, Callable[[Any], None]]) -> Callable[[], None]:
    """Call each function with the module of its name: at once if that is loaded, else when it is imported.

    Returns
    -------
    function
        Cancels the calls that are still pending.
    """
    waiting = dict(tables)
    finder = _AfterImport(waiting)
    sys.meta_path.insert(0, finder)  # type: ignore[arg-type]  (before looking for loaded modules, as another thread may import one)
    for name in tables:
        found = waiting.pop(name, None) if name in sys.modules else None
        if found is not None:
            found(importlib.import_module(name))

    def call_off() -> None:
        waiting.clear()
        if finder in sys.meta_path:
            sys.meta_path.remove(finder)  # type: ignore[arg-type]

    return call_off
