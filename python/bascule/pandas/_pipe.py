"""`pipe`, which frames, series, groups, windows and bins share."""

from __future__ import annotations

from typing import Any


class Pipes:
    """What is handed to a function."""

    def pipe(self, func: Any, *args: Any, **kwargs: Any) -> Any:
        """``func(self, *args, **kwargs)``; with ``(func, "name")`` self is passed by that keyword."""
        if isinstance(func, tuple):
            function, target = func
            if target in kwargs:
                raise ValueError(f"{target} is both the pipe target and a keyword argument")
            return function(*args, **{**kwargs, target: self})
        return func(self, *args, **kwargs)
