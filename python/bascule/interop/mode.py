"""The state of the accelerated mode, for code that depends on it."""

from __future__ import annotations

from collections.abc import Callable
from types import TracebackType
from typing import Any

on = False
_following: list[Callable[[bool], None]] = []


def switch(to: bool) -> None:
    """Turn the mode on or off."""
    global on
    on = to
    for f in _following:
        f(to)


def follow(f: Callable[[bool], None]) -> None:
    """Call f whenever the mode is turned on or off, and now with the current state."""
    _following.append(f)
    f(on)


_pickling: Any = None  # `depth` of the current thread; None before the first such block


class keeping_classes:
    """A block in which objects are pickled for bascule: they are unpickled as its own, in the accelerated mode, too."""

    def __enter__(self) -> None:
        global _pickling
        if _pickling is None:
            import threading  # imported here because most programs pickle nothing

            _pickling = threading.local()
        _pickling.depth = getattr(_pickling, "depth", 0) + 1

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        _pickling.depth -= 1


def pickles_are_theirs() -> bool:
    """Whether objects are pickled as NumPy's and pandas', which programs without bascule read."""
    return on and not getattr(_pickling, "depth", 0)
