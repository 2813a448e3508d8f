"""Arguments that pandas still takes by position, with a warning that its next version wants their names."""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable
from typing import Any

import pandas

from ..._array.caller_warnings import warn

_BY_POSITION = (inspect.Parameter.POSITIONAL_ONLY, inspect.Parameter.POSITIONAL_OR_KEYWORD)


def _positional(f: Callable) -> list[str]:
    """The parameters behind self that a function takes by position."""
    return [p.name for p in inspect.signature(f).parameters.values() if p.kind in _BY_POSITION][1:]


def _but(names: list[str]) -> str:
    if len(names) < 2:
        return f" except for the argument '{names[0]}'" if names else ""
    quoted = [f"'{n}'" for n in names]
    return f" except for the arguments {', '.join(quoted[:-1])} and {quoted[-1]}"


def _naming(f: Callable, name: str, allowed: list[str], names: list[str]) -> Callable:
    @functools.wraps(f)
    def method(self: Any, *args: Any, **kwargs: Any) -> Any:
        if len(args) > len(allowed):
            given = dict(zip(names, args))
            if len(args) > len(names) or given.keys() & kwargs.keys():
                return f(self, *args, **kwargs)  # raises in Python's words
            text = f"Starting with pandas version 4.0 all arguments of {name}{_but(allowed)} will be keyword-only."
            warn(text, pandas.errors.Pandas4Warning)
            kept = args[: len(allowed)]
            return f(self, *kept, **{n: v for n, v in given.items() if n not in allowed}, **kwargs)
        return f(self, *args, **kwargs)

    return method


def take_by_position(own: type, theirs: type) -> None:
    """Let the methods of a class take by position what those of pandas' class still take so."""
    for name in dir(own):
        f, there = getattr(own, name), inspect.getattr_static(theirs, name, None)
        if name.startswith("_") or not inspect.isfunction(f) or not hasattr(there, "__signature__"):
            continue
        allowed, names = _positional(there), _positional(inspect.unwrap(there))
        if len(names) > len(allowed):
            setattr(own, name, _naming(f, name, allowed, names))
