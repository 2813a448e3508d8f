"""Scores of predictions that are on a device: sums there, of which one number is copied."""

from __future__ import annotations

from typing import Any

import numpy as np


def r2(y: Any, predicted: Any, w: Any = None) -> float:
    """The coefficient of determination, the mean of those of all targets.

    Parameters
    ----------
    y, predicted : array, shape (n,) or (n, targets)
    w : array, shape (n,), optional
    """
    y, predicted = (x.reshape(len(x), -1).astype(np.float64) for x in (y, predicted))
    w = 1.0 if w is None else w.astype(np.float64)[:, None]
    total = len(y) if isinstance(w, float) else w.sum()
    level = (y * w).sum(axis=0) / total
    left, spread = (((y - x) ** 2 * w).sum(axis=0) for x in (predicted, level))
    constant = spread == 0
    return float(np.where(constant, np.where(left == 0, 1.0, 0.0), 1 - left / np.where(constant, 1.0, spread)).mean())


def accuracy(y: Any, predicted: Any, w: Any = None) -> float:
    """The share of rows whose label is predicted, or of their weights."""
    right = (y == predicted).astype(np.float64)
    return float(right.mean() if w is None else (right * w).sum() / w.sum())


def explained_deviance(y: Any, predicted: Any, w: Any = None) -> float:
    """The share of Poisson's deviance that positive predictions explain."""
    y, predicted = (x.astype(np.float64) for x in (y, predicted))
    w = 1.0 if w is None else w.astype(np.float64)
    total = len(y) if isinstance(w, float) else w.sum()
    level = (y * w).sum() / total
    logs = np.log(np.where(y > 0, y, 1.0))  # nought times the logarithm of nought is nought
    left, whole = (((x - y + y * (logs - np.log(x))) * w).sum() for x in (predicted, level))
    return float(1 - left / whole)
