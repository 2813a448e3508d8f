"""Scores of predictions that are on a device: sums there, of which one number is copied."""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np
from sklearn import metrics
from sklearn.metrics import _scorer

from ..fallback import refuse_on_gpu
from ._device_label_scores import of_labels, predicted


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
    return _explained(left, spread)


def _explained(left: Any, spread: Any) -> float:
    """The mean over targets of the share of their spread that is not left."""
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


def explained_variance(y: Any, predicted: Any, w: Any = None) -> float:
    y, errors = (x.reshape(len(x), -1).astype(np.float64) for x in (y, y - predicted))
    left, spread = (_mean_of((x - _mean_of(x, w)) ** 2, w) for x in (errors, y))
    return _explained(left, spread)


def largest_error(y: Any, predicted: Any) -> float:
    return float(abs(y.astype(np.float64) - predicted).max())


def median_error(y: Any, predicted: Any, w: Any = None) -> float:
    if w is not None:
        refuse_on_gpu("learn.metrics.median_absolute_error", "weights on a device", y.device, "scikit-learn")
    return float(np.median(abs(y.astype(np.float64) - predicted), axis=0).mean())


def relative_error(y: Any, predicted: Any, w: Any = None) -> float:
    y = y.astype(np.float64)
    return float(_mean_of(abs(y - predicted) / np.maximum(abs(y), np.finfo(np.float64).eps), w).mean())


def _check_signs(metric: Any, y: Any, predicted: Any) -> None:
    """Raise the error of a metric that takes logarithms: it sees the least of the targets and of the predictions."""
    metric(*(np.array([float(x.min())]) for x in (y, predicted)))


def squared_log_error(y: Any, predicted: Any, w: Any = None, of: Any = squared_error) -> float:
    _check_signs(metrics.mean_squared_log_error, y, predicted)
    return of(np.log1p(y.astype(np.float64)), np.log1p(predicted.astype(np.float64)), w)


def poisson_deviance(y: Any, predicted: Any, w: Any = None) -> float:
    _check_signs(metrics.mean_poisson_deviance, y, predicted)
    y, predicted = (x.astype(np.float64) for x in (y, predicted))
    logs = np.log(np.where(y > 0, y, predicted) / predicted)  # nought times the logarithm of nought is nought
    return float(_mean_of(2 * (y * logs - y + predicted), w))


def gamma_deviance(y: Any, predicted: Any, w: Any = None) -> float:
    _check_signs(metrics.mean_gamma_deviance, y, predicted)
    y, predicted = (x.astype(np.float64) for x in (y, predicted))
    return float(_mean_of(2 * (np.log(predicted / y) + y / predicted - 1), w))


_OF_NUMBERS = {
    metrics.r2_score: r2,
    metrics.explained_variance_score: explained_variance,
    metrics.max_error: largest_error,
    metrics.mean_absolute_error: absolute_error,
    metrics.mean_absolute_percentage_error: relative_error,
    metrics.median_absolute_error: median_error,
    metrics.mean_gamma_deviance: gamma_deviance,
    metrics.mean_poisson_deviance: poisson_deviance,
    metrics.mean_squared_error: squared_error,
    metrics.mean_squared_log_error: squared_log_error,
    metrics.root_mean_squared_error: root_squared_error,
    metrics.root_mean_squared_log_error: partial(squared_log_error, of=root_squared_error),
}


class _ScorerThere:
    """One of scikit-learn's scorers for rows on a device.

    Parameters
    ----------
    score : callable
        Of targets, of what is compared with them, and of weights if there are some.
    response : callable
        ``response(estimator, X)`` finds the latter.
    sign : int
    """

    def __init__(self, score: Any, response: Any, sign: int):
        self.score, self.response, self.sign = score, response, sign

    def __call__(self, estimator: Any, X: Any, y: Any, sample_weight: Any = None) -> float:
        more = () if sample_weight is None else (sample_weight,)
        return self.sign * self.score(y, self.response(estimator, X), *more)


def scorer_there(scorer: Any, device: str) -> Any:
    """The scorer for rows on a device. Metrics that are not computed there are functions of arrays on the host, and are
    refused by name; functions that the user wrote are called with what is on the device."""
    if type(scorer) is _scorer._MultimetricScorer:
        found = {name: scorer_there(one, device) for name, one in scorer._scorers.items()}
        return _scorer._MultimetricScorer(scorers=found, raise_exc=scorer._raise_exc)
    if type(scorer) is not _scorer._Scorer:
        return scorer
    plain = scorer._response_method == "predict" and not scorer._kwargs
    known = _OF_NUMBERS.get(scorer._score_func) if plain else None
    known = of_labels(scorer) if known is None else (known, predicted)
    if known is None:
        refuse_on_gpu(f"learn.metrics.{scorer._score_func.__name__}", "its arguments are on the host: .get()", device, "scikit-learn")  # fmt: skip
    return _ScorerThere(*known, scorer._sign)
