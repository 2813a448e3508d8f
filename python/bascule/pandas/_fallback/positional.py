"""Arguments that pandas still accepts by position, with a warning that its next version requires keywords."""

from __future__ import annotations

import functools
import inspect
import types
from collections.abc import Callable
from typing import Any

import pandas

from ..._array.caller_warnings import warn

_BY_POSITION = (inspect.Parameter.POSITIONAL_ONLY, inspect.Parameter.POSITIONAL_OR_KEYWORD)


def _positional(f: Any) -> list[str]:
    """The parameters after self that a function accepts by position."""
    return [p.name for p in f.__signature__.parameters.values() if p.kind in _BY_POSITION][1:]


def _all_positional(f: Callable) -> list[str]:
    """All parameters that the wrapped function accepts by position, read from its code: inspect.signature takes long."""
    code = inspect.unwrap(f).__code__
    return list(code.co_varnames[1 : code.co_argcount])


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
                return f(self, *args, **kwargs)  # raises Python's own error
            text = f"Starting with pandas version 4.0 all arguments of {name}{_but(allowed)} will be keyword-only."
            warn(text, pandas.errors.Pandas4Warning)
            kept = args[: len(allowed)]
            return f(self, *kept, **{n: v for n, v in given.items() if n not in allowed}, **kwargs)
        return f(self, *args, **kwargs)

    return method


def take_by_position(own: type, theirs: type) -> None:
    """Let the methods of a class accept by position the arguments that those of pandas' class still accept so."""
    for name in dir(theirs):
        there = None if name.startswith("_") else getattr(theirs, name)
        if not isinstance(there, types.FunctionType) or not hasattr(there, "__signature__"):
            continue
        f = getattr(own, name, None)
        allowed, names = _positional(there), _all_positional(there)
        if isinstance(f, types.FunctionType) and len(names) > len(allowed):
            setattr(own, name, _naming(f, name, allowed, names))
