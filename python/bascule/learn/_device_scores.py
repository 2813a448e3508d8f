"""Scores of predictions that are on a device: sums there, of which one number is copied."""

from __future__ import annotations

from typing import Any

import numpy as np
from sklearn import metrics
from sklearn.metrics import _scorer

from ..fallback import refuse_on_gpu


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


def _mean_of(errors: Any, w: Any) -> Any:
    """The mean over rows, of each target."""
    return (
        errors.mean(axis=0) if w is None else (errors * w.reshape(-1, *(1,) * (errors.ndim - 1))).sum(axis=0) / w.sum()
    )


def squared_error(y: Any, predicted: Any, w: Any = None) -> float:
    return float(_mean_of((y.astype(np.float64) - predicted) ** 2, w).mean())


def root_squared_error(y: Any, predicted: Any, w: Any = None) -> float:
    return float(np.sqrt(_mean_of((y.astype(np.float64) - predicted) ** 2, w)).mean())


def absolute_error(y: Any, predicted: Any, w: Any = None) -> float:
    return float(_mean_of(abs(y.astype(np.float64) - predicted), w).mean())


_METRICS = {
    metrics.r2_score: r2,
    metrics.accuracy_score: accuracy,
    metrics.mean_squared_error: squared_error,
    metrics.root_mean_squared_error: root_squared_error,
    metrics.mean_absolute_error: absolute_error,
}


class _ScorerThere:
    """One of scikit-learn's scorers for rows on a device."""

    def __init__(self, score: Any, sign: int):
        self.score, self.sign = score, sign

    def __call__(self, estimator: Any, X: Any, y: Any, sample_weight: Any = None) -> float:
        return self.sign * self.score(y, estimator.predict(X), sample_weight)


def scorer_there(scorer: Any, device: str) -> Any:
    """The scorer for rows on a device. scikit-learn's other metrics are functions of arrays on the host, and are refused by
    name; functions that the user wrote are called with what is on the device."""
    if type(scorer) is _scorer._MultimetricScorer:
        found = {name: scorer_there(one, device) for name, one in scorer._scorers.items()}
        return _scorer._MultimetricScorer(scorers=found, raise_exc=scorer._raise_exc)
    if type(scorer) is not _scorer._Scorer:
        return scorer
    known = _METRICS.get(scorer._score_func) if scorer._response_method == "predict" and not scorer._kwargs else None
    if known is None:
        refuse_on_gpu(f"learn.metrics.{scorer._score_func.__name__}", "its arguments are on the host: .get()", device, "scikit-learn")  # fmt: skip
    return _ScorerThere(known, scorer._sign)
