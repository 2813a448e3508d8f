"""`pipe`, and functions and expressions in the place of values."""

from __future__ import annotations

from typing import Any

from ._theirs import pandas


def apply_if_callable(x: Any, owner: Any) -> Any:
    """The result of a function or `pandas.col` expression for a frame or series; other values are returned unchanged.

    A series has every attribute of pandas', so a frame or series is never taken for a function; a class is one.
    """
    if isinstance(x, pandas.api.typing.Expression):
        return x._eval_expression(owner)
    if callable(x) and not hasattr(type(x), "__bascule_to_pandas__"):
        return x(owner)
    return x


def pipe(self, func: Any, *args: Any, **kwargs: Any) -> Any:
    """``func(self, *args, **kwargs)``; with ``(func, "name")`` self is passed by that keyword."""
    if isinstance(func, tuple):
        function, target = func
        if target in kwargs:
            raise ValueError(f"{target} is both the pipe target and a keyword argument")
        return function(*args, **{**kwargs, target: self})
    return func(self, *args, **kwargs)
