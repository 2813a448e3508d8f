"""Scores of labels that are on a device: scikit-learn's own functions of what is counted there, and the area under the ROC
curve by ranks."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np
from sklearn import metrics
from sklearn.utils.validation import _check_response_method

from ._kinds import is_on_device, near, to_host

# Functions of how often each label is predicted for each label.
_OF_COUNTS = {
    metrics.accuracy_score,
    metrics.balanced_accuracy_score,
    metrics.cohen_kappa_score,
    metrics.f1_score,
    metrics.fbeta_score,
    metrics.hamming_loss,
    metrics.jaccard_score,
    metrics.matthews_corrcoef,
    metrics.precision_score,
    metrics.recall_score,
    metrics.zero_one_loss,
}


def of_counts(metric: Callable[..., Any], y: Any, predicted: Any, w: Any = None, **options: Any) -> float:
    """A metric of labels, which sees each pair of them once, with its weight: the number of such rows, or their weights."""
    n = len(y)
    labels, numbers = np.unique(np.concatenate([y, predicted]), return_inverse=True)
    k = len(labels)
    cells = numbers[:n] * k + numbers[n:]
    counts = to_host(np.bincount(cells, None, k * k))
    weights = counts if w is None else to_host(np.bincount(cells, w.astype(np.float64), k * k))
    found, labels = np.flatnonzero(counts), to_host(labels)
    return float(metric(labels[found // k], labels[found % k], sample_weight=weights[found], **options))


def _numbered(y: Any, found: Any) -> tuple[np.ndarray, Any]:
    """The labels that occur, and the number of each row's, where the decisions are."""
    labels, numbers = np.unique(y, return_inverse=True)
    return to_host(labels), numbers if is_on_device(numbers) else near(found, numbers)[0]


def log_loss(y: Any, shares: Any, w: Any = None) -> float:
    labels, numbers = _numbered(y, shares)
    k = shares.shape[1]
    if len(labels) != k:  # scikit-learn's error
        return float(metrics.log_loss(labels, np.full((len(labels), k), 1 / k)))
    eps = np.finfo(shares.dtype).eps
    own = np.take_along_axis(shares, numbers[:, None], axis=1)[:, 0]
    return float(_mean(-np.log(np.minimum(np.maximum(own, eps), 1 - eps)), w))


def _mean(found: Any, w: Any) -> Any:
    return found.mean() if w is None else (found * w).sum() / w.sum()


def area(positive: Any, found: Any, w: Any = None) -> Any:
    """The area under the ROC curve, not evaluated: how often a positive row has the higher decision of two, ties by half.

    Parameters
    ----------
    positive : array of bool, shape (n,)
    found : array, shape (n,)
        Decisions.
    w : array, shape (n,), optional
    """
    positive = positive.astype(np.float64)
    w = positive * 0 + 1 if w is None else w.astype(np.float64)
    order = np.argsort(found, kind="stable")
    sums = np.cumsum((w * (1 - positive))[order])
    sums = np.concatenate([sums[:1] * 0, sums])
    ordered = found[order]
    lower, not_higher = (sums[np.searchsorted(ordered, found, side=side)] for side in ("left", "right"))
    return (w * positive * (lower + not_higher)).sum() / (2 * (w * positive).sum() * sums[-1])


def roc_auc(y: Any, found: Any, w: Any = None) -> float:
    labels, numbers = _numbered(y, found)
    if len(labels) != 2:  # scikit-learn's error or warning
        k = len(labels)
        return float(metrics.roc_auc_score(labels, np.full((k, k), 1 / k) if k > 2 else np.zeros(k)))
    return float(area(numbers == 1, found, w))


def predicted(estimator: Any, X: Any) -> Any:
    return estimator.predict(X)


def _shares(estimator: Any, X: Any) -> Any:
    return estimator.predict_proba(X)


def _decided(estimator: Any, X: Any, method: Any) -> Any:
    """Decisions or shares; of two classes those of the second."""
    found = _check_response_method(estimator, method)(X)
    return found[:, 1] if found.ndim == 2 and found.shape[1] == 2 else found


def of_labels(scorer: Any) -> tuple[Callable[..., float], Callable[[Any, Any], Any]] | None:
    """The function of labels and of what is compared with them, and that which finds the latter; None for other scorers."""
    score, options, method = scorer._score_func, scorer._kwargs, scorer._response_method
    if method == "predict":
        return (partial(of_counts, score, **options), predicted) if score in _OF_COUNTS else None
    if score is metrics.log_loss and method == "predict_proba" and not options:
        return log_loss, _shares
    if score is metrics.roc_auc_score and not options:
        return roc_auc, partial(_decided, method=method)
    return None
