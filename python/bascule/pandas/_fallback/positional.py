"""Arguments that pandas still accepts by position, with a warning that its next version requires keywords."""

from __future__ import annotations

import functools
import inspect
import types
from collections.abc import Callable
from typing import Any

from ..._array.caller_warnings import warn
from .._theirs import pandas

# How many arguments these methods take by position in every version of pandas; those of all other methods it accepts.
ALLOWED = dict.fromkeys("all kurt kurtosis max mean median min prod product sem skew std sum var".split(), 0) | {
    "groupby": 2,
    "to_markdown": 1,
    "to_string": 1,
}
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


@functools.cache
def limits(theirs: type, name: str) -> tuple[list[str], list[str]] | None:
    """The parameters of a method of pandas that stay positional, and all that are; None where these are the same."""
    there = getattr(theirs, name, None)
    if not isinstance(there, types.FunctionType) or not hasattr(there, "__signature__"):
        return None
    allowed, names = _positional(there), _all_positional(there)
    return (allowed, names) if len(names) > len(allowed) else None


def by_keyword(x: Any, name: str, args: tuple, kwargs: dict[str, Any]) -> tuple[tuple, dict[str, Any]]:
    """The arguments of a call of a frame's or series' method, with those by keyword that pandas will not take by position."""
    found = limits(pandas.DataFrame if x.ndim == 2 else pandas.Series, name)
    if found is None or len(args) <= len(found[0]):
        return args, kwargs
    allowed, names = found
    given = dict(zip(names, args))
    if len(args) > len(names) or given.keys() & kwargs.keys():
        return args, kwargs  # Python's own error is raised
    text = f"Starting with pandas version 4.0 all arguments of {name}{_but(allowed)} will be keyword-only."
    warn(text, pandas.errors.Pandas4Warning)
    return args[: len(allowed)], {**{n: v for n, v in given.items() if n not in allowed}, **kwargs}
