"""The modules of scikit-learn by their names in `bascule.learn`: its classes where they are computed here, else its own."""

from __future__ import annotations

import importlib
import importlib.abc
import importlib.machinery
import importlib.util
import sys
from collections.abc import Callable, Sequence
from types import ModuleType
from typing import Any

_OURS = "bascule.learn"
_THEIRS = "sklearn"


def their_name(name: str) -> str:
    """The name of scikit-learn's module for one of ours."""
    return _THEIRS + name[len(_OURS) :]


def handing_on(name: str, modules: dict[str, str]) -> tuple[Callable[[str], Any], Callable[[], list[str]], list[str]]:
    """`__getattr__`, `__dir__` and `__all__` of a module: names that are in a module of ours, others scikit-learn's.

    Parameters
    ----------
    name : str
        The module, such as ``"bascule.learn.linear_model"``.
    modules : dict of str to str
        The module of ours that has a name.
    """
    theirs = importlib.import_module(their_name(name))

    def attribute(wanted: str) -> Any:
        if wanted in modules:
            found = getattr(importlib.import_module("." + modules[wanted], name), wanted)
        elif wanted.startswith("__"):
            raise AttributeError(f"module {name!r} has no attribute {wanted!r}")
        else:
            found = getattr(theirs, wanted)
        if not isinstance(found, ModuleType):
            setattr(sys.modules[name], wanted, found)
        return found

    public = list(getattr(theirs, "__all__", [n for n in dir(theirs) if not n.startswith("_")]))
    return attribute, lambda: sorted({*public, *modules}), public


class _Passing(importlib.abc.MetaPathFinder, importlib.abc.Loader):
    """Finds modules below `bascule.learn` that have no file here: they have scikit-learn's names."""

    def find_spec(self, name: str, path: Sequence[str] | None, target: Any = None) -> Any:
        if not name.startswith(_OURS + ".") or name.rpartition(".")[2].startswith("_"):
            return None
        theirs = their_name(name)
        try:
            found = importlib.util.find_spec(theirs)
        except ModuleNotFoundError:
            return None
        if found is None:
            return None
        return importlib.machinery.ModuleSpec(name, self, is_package=found.submodule_search_locations is not None)

    def create_module(self, spec: Any) -> None:
        return None

    def exec_module(self, module: ModuleType) -> None:
        module.__getattr__, module.__dir__, module.__all__ = handing_on(module.__name__, {})  # type: ignore[attr-defined]
        module.__doc__ = importlib.import_module(their_name(module.__name__)).__doc__


def install() -> None:
    """Let `import bascule.learn.cluster` and the like find scikit-learn's modules."""
    if not any(isinstance(f, _Passing) for f in sys.meta_path):
        sys.meta_path.append(_Passing())
