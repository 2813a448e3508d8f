"""Warnings at the caller's line, however deep in the package they arise."""

from __future__ import annotations

import os
import sys
import warnings
from collections.abc import Callable
from types import FrameType
from typing import Any

import numpy as np

_HERE = os.path.dirname(os.path.dirname(__file__)) + os.sep  # the package


def warn(text: str | Warning, category: type[Warning] = RuntimeWarning) -> None:
    """Warn at the line of the first caller outside the package."""
    level, frame = 2, sys._getframe(1)
    while frame.f_back is not None and frame.f_globals.get("__name__", "").partition(".")[0] == "bascule":
        frame, level = frame.f_back, level + 1
    warnings.warn(text, category, stacklevel=level)


def retold(function: Callable[..., Any], *args: Any) -> Any:
    """function(*args) of another library, whose warnings then name the line of the first caller outside the package."""
    with warnings.catch_warnings(record=True) as said:
        warnings.simplefilter("always")
        result = function(*args)
    for w in said:
        warn(w.message, w.category)
    return result


def levels_to_user() -> int:
    """How many frames lie between the caller of the caller and the first line outside of pandas and of this package."""
    frame: FrameType | None = sys._getframe(1)
    n = 0
    while frame is not None and _inside(frame):
        frame, n = frame.f_back, n + 1
    return n


def _inside(frame: FrameType) -> bool:
    name = frame.f_code.co_filename
    if name.startswith(_HERE):
        return True
    theirs = getattr(sys.modules.get("pandas"), "__file__", None)
    if theirs is None:
        return False
    folder = os.path.dirname(theirs) + os.sep
    return name.startswith(folder) and not name.startswith(folder + "tests" + os.sep)


def user_frame() -> FrameType:
    """The first frame outside of pandas and of this package."""
    frame: FrameType = sys._getframe(1)
    while frame.f_back is not None and _inside(frame):
        frame = frame.f_back
    return frame


_reported: set[tuple[str, int, str]] = set()


def _action(text: str, category: type[Warning], module: str, line: int) -> str:
    """What the filters say about a warning."""

    def fits(pattern: object, said: str) -> bool:
        return pattern is None or bool(pattern.match(said) if hasattr(pattern, "match") else pattern == said)

    for action, message, kind, where, number in warnings.filters:
        if issubclass(category, kind) and fits(message, text) and fits(where, module) and number in (0, line):
            return action
    return warnings.defaultaction  # type: ignore[attr-defined]


def warn_at_site(words: str, rest: str, category: type[Warning]) -> None:
    """Warn at the user's line of `words`, and of `rest`, which may differ each time.

    Where filters say no more than that a warning is shown, it is once for each line, even where what ran in between has
    changed filters, which makes Python forget what it has shown.
    """
    frame = user_frame()
    file, line, module = frame.f_code.co_filename, frame.f_lineno, frame.f_globals.get("__name__") or "<unknown>"
    if _action(words + rest, category, module, line) in ("default", "module", "once"):
        if (file, line, words) in _reported:
            return
        _reported.add((file, line, words))
    warnings.warn_explicit(words + rest, category, file, line, module)


def lost_imaginary_part() -> None:
    """Warn that complex numbers become real ones."""
    warn("Casting complex values to real discards the imaginary part", np.exceptions.ComplexWarning)


def discards_imaginary(of: np.dtype, to: object) -> None:
    """Warn where complex numbers become real ones."""
    if of.kind == "c" and to is not None and np.dtype(to).kind in "iuf":
        lost_imaginary_part()
