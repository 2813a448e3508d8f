"""Warnings at the caller's line, however deep in the package they arise."""

from __future__ import annotations

import sys
import warnings
from collections.abc import Callable
from typing import Any

import numpy as np


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


def lost_imaginary_part() -> None:
    """Warn that complex numbers become real ones."""
    warn("Casting complex values to real discards the imaginary part", np.exceptions.ComplexWarning)


def discards_imaginary(of: np.dtype, to: object) -> None:
    """Warn where complex numbers become real ones."""
    if of.kind == "c" and to is not None and np.dtype(to).kind in "iuf":
        lost_imaginary_part()
