"""Functions to call with a module of another library once it is imported."""

from __future__ import annotations

import contextlib
import gc
import importlib
import importlib.machinery
import sys
from collections.abc import Callable, Iterator
from typing import Any

_waiting: dict[str, list[Callable[[Any], None]]] = {}  # by the name of the module
_executed: dict[str, Callable[[Any, Callable[[Any], None]], None]] = {}
_made: dict[str, Any] = {}


@contextlib.contextmanager
def uncollected() -> Iterator[None]:
    """No garbage collection meanwhile: what an import makes stays, and looking through it takes a fifth of the time."""
    was_on = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_on:
            gc.enable()


class _AfterImport:
    """An import finder that delegates to the others and calls the functions that wait for a module once it is imported."""

    def find_spec(self, name: str, path: Any = None, target: Any = None) -> Any:
        if name not in _waiting:
            return None
        spec = importlib.machinery.PathFinder.find_spec(name, path, target)
        loader: Any = spec and spec.loader
        if loader is None:
            return None
        execute, by = loader.exec_module, _executed.get(name)
        if by is not None:
            loader.create_module = lambda spec: _made.get(name)

        def exec_module(module: Any) -> None:
            if by is None:
                execute(module)
            else:
                _made[name] = module
                by(module, execute)
            for fill in _waiting.pop(name, ()):  # none if cancelled in the meantime
                fill(module)

        loader.exec_module = exec_module
        return spec


_FINDER: Any = _AfterImport()


def execute_by(name: str, function: Callable[[Any, Callable[[Any], None]], None]) -> None:
    """Let a function execute a module: it is called with the module and with the usual way.

    Where it raises, the module is not imported, and the next import executes the same object again.
    """
    _executed[name] = function


def fill(tables: dict[str, Callable[[Any], None]]) -> Callable[[], None]:
    """Call each function with the module of its name: at once if that is loaded, else when it is imported.

    Returns
    -------
    function
        Cancels the calls that are still pending.
    """
    for name, function in tables.items():
        _waiting.setdefault(name, []).append(function)
    if _FINDER not in sys.meta_path:
        sys.meta_path.insert(0, _FINDER)  # before looking for loaded modules, as another thread may import one
    for name in tables:
        found = _waiting.pop(name, ()) if name in sys.modules else ()
        for function in found:
            function(importlib.import_module(name))

    def call_off() -> None:
        for name, function in tables.items():
            if function in _waiting.get(name, ()):
                _waiting[name].remove(function)

    return call_off
