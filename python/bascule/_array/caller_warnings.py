"""Warnings at the caller's line, however deep in the package they arise."""

from __future__ import annotations

import sys
import warnings

import numpy as np


def warn(text: str | Warning, category: type[Warning] = RuntimeWarning) -> None:
    """Warn at the line of the first caller outside the package."""
    level, frame = 2, sys._getframe(1)
    while frame.f_back is not None and frame.f_globals.get("__name__", "").partition(".")[0] == "bascule":
        frame, level = frame.f_back, level + 1
    warnings.warn(text, category, stacklevel=level)


def lost_imaginary_part() -> None:
    """Warn that complex numbers become real ones."""
    warn("Casting complex values to real discards the imaginary part", np.exceptions.ComplexWarning)


def discards_imaginary(of: np.dtype, to: object) -> None:
    """Warn where complex numbers become real ones."""
    if of.kind == "c" and to is not None and np.dtype(to).kind in "iuf":
        lost_imaginary_part()
