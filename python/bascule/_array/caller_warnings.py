"""Warnings at the caller's line, however deep in the package they arise."""

from __future__ import annotations

import functools
import os
import sys
import types
import warnings
from collections.abc import Callable
from types import FrameType
from typing import Any

import numpy as np

from ..interop import mode

_HERE = os.path.dirname(os.path.dirname(__file__)) + os.sep  # the package


@functools.cache
def _is_library(file: str) -> bool:
    """Whether a file belongs to this package or to NumPy or pandas, whose functions it replaces; their tests count as
    users."""
    for name in ("bascule", "numpy", "pandas"):
        theirs = getattr(sys.modules.get(name), "__file__", None)
        folder = _HERE if name == "bascule" else os.path.dirname(theirs) + os.sep if theirs else None
        if folder is not None and file.startswith(folder):
            return f"{os.sep}tests{os.sep}" not in file[len(folder) - 1 :]
    return False


def user_frame() -> FrameType:
    """The first frame outside of NumPy, pandas and this package."""
    frame: FrameType = sys._getframe(1)
    while frame.f_back is not None and _is_library(frame.f_code.co_filename):
        frame = frame.f_back
    return frame


def warn(text: str | Warning, category: type[Warning] = RuntimeWarning) -> None:
    """Warn at the user's line."""
    level, frame = 2, sys._getframe(1)
    while frame.f_back is not None and _is_library(frame.f_code.co_filename):
        frame, level = frame.f_back, level + 1
    warnings.warn(text, category, stacklevel=level)


_CALL = (lambda function, args, kwargs: function(*args, **kwargs)).__code__


@functools.lru_cache(256)
def _call_at(file: str, line: int, name: str) -> types.CodeType:
    return _CALL.replace(co_filename=file, co_firstlineno=line, co_name=name, co_qualname=name)


def at_users_line(function: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Any:
    """Call function(*args, **kwargs) of another library as if from the user's line, so that its warnings name that line
    and are filtered there."""
    frame = user_frame()
    code = _call_at(frame.f_code.co_filename, frame.f_lineno or 1, frame.f_code.co_name)
    return types.FunctionType(code, frame.f_globals)(function, args, kwargs)


_reported: set[tuple[str, int, str]] = set()


def _action(text: str, category: type[Warning], module: str, line: int) -> tuple[str, type]:
    """The action and the category that the warning filters give for a warning."""

    def fits(pattern: object, said: str) -> bool:
        return pattern is None or bool(pattern.match(said) if hasattr(pattern, "match") else pattern == said)

    for action, message, kind, where, number in warnings.filters:
        if issubclass(category, kind) and fits(message, text) and fits(where, module) and number in (0, line):
            return action, kind
    return warnings.defaultaction, category  # type: ignore[attr-defined]


def warn_at_site(words: str, rest: str, category: type[Warning]) -> None:
    """Warn at the user's line with the text `words`, followed by `rest`, which may differ each time.

    With the default filters a warning is shown once for each line, even if code that ran in between changed the
    filters, which makes Python forget which warnings it has shown. A program in the accelerated mode that turns all
    warnings into errors does not expect ours, so they are not issued.
    """
    frame = user_frame()
    file, line, module = frame.f_code.co_filename, frame.f_lineno, frame.f_globals.get("__name__") or "<unknown>"
    action, kind = _action(words + rest, category, module, line)
    if mode.on and action == "error" and not issubclass(kind, category):
        return
    if action in ("default", "module", "once"):
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
