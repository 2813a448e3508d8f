"""scikit-learn's functions with one part replaced: checks, warnings and attributes stay its own, whatever its version."""

from __future__ import annotations

from collections.abc import Callable
from types import FunctionType
from typing import Any


def substituted(function: Callable[..., Any], **names: Any) -> Callable[..., Any]:
    """A copy of a function of a module, in which some global names mean something else.

    The function itself and its module do not change. It is not for functions of nested scopes.

    Parameters
    ----------
    function : callable
        A function, or one that a decorator wraps.
    **names
        The new meanings; each is a global name of the function's module.

    Returns
    -------
    callable
    """
    function = getattr(function, "__wrapped__", function)
    assert isinstance(function, FunctionType) and not function.__closure__
    missing = names.keys() - set(function.__code__.co_names)
    if missing:
        raise AttributeError(f"[learn] {function.__qualname__} does not use {', '.join(sorted(missing))}")
    made = FunctionType(function.__code__, {**function.__globals__, **names}, function.__name__, function.__defaults__)
    made.__kwdefaults__ = function.__kwdefaults__
    return made
