"""Scores of the labels that many linear classifiers predict: sums down the columns of one product, or ranks in each."""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np
from scipy.stats import rankdata
from sklearn import metrics

from .._device_label_scores import area
from .._kinds import is_on_device, to_host
from .._rows import Aggregation, RowFunction, State, add

_EPS = np.finfo(np.float64).eps  # within which scikit-learn keeps probabilities from nought and one


def _decisions(X: Any, coef: Any, intercept: Any) -> Any:
    """Of each candidate and class; coef is (d, m, k), intercept (m, k). One column is of two classes."""
    found = X.astype(np.float64) @ coef.reshape(coef.shape[0], -1) + intercept.reshape(-1)
    return found.reshape(X.shape[0], *intercept.shape)


def _predicted(X: Any, coef: Any, intercept: Any) -> Any:
    D = _decisions(X, coef, intercept)
    return (D[:, :, 0] > 0).astype(np.int64) if intercept.shape[1] == 1 else D.argmax(axis=2)


def _weighted(found: Any, w: Any) -> Any:
    return found if w is None else found * w.astype(np.float64).reshape(-1, *(1,) * (found.ndim - 1))


def _total(w: Any) -> State:
    return {} if w is None else {"weight": w.astype(np.float64).sum(axis=0)}


def _hits(X: Any, L: Any, w: Any, coef: Any, intercept: Any) -> State:
    """Labels, as numbers of classes in a column, that are predicted."""
    right = (_predicted(X, coef, intercept) == L).astype(np.float64)
    return {"hits": _weighted(right, w).sum(axis=0)} | _total(w)


def _confused(X: Any, L: Any, w: Any, coef: Any, intercept: Any, classes: Any) -> State:
    """For each class how often it is predicted, is the label, and is both."""
    guess = (_predicted(X, coef, intercept)[:, :, None] == classes).astype(np.float64)
    label = (L[:, :, None] == classes).astype(np.float64)
    counts = {"both": guess * label, "guess": guess, "label": label}
    return {name: _weighted(x, w).sum(axis=0) for name, x in counts.items()} | _total(w)


def _logs(X: Any, L: Any, w: Any, coef: Any, intercept: Any, classes: Any) -> State:
    """Losses: the logarithms of the probabilities of labels."""
    D = _decisions(X, coef, intercept)
    if intercept.shape[1] == 1:
        z = D[:, :, 0] * (1 - 2 * L)
        losses = np.maximum(z, 0.0) + np.log1p(np.exp(-abs(z)))
    else:
        own = (D * (L[:, :, None] == classes)).sum(axis=2)
        most = D.max(axis=2)
        losses = most + np.log(np.exp(D - most[:, :, None]).sum(axis=2)) - own
    losses = np.minimum(np.maximum(losses, -np.log1p(-_EPS)), -np.log(_EPS))
    return {"losses": _weighted(losses, w).sum(axis=0)} | _total(w)


def _without_weights(leaf: Any, X: Any, L: Any, *fixed: Any) -> State:
    return leaf(X, L, None, *fixed)


# By whether rows have weights.
_SUMS = {
    leaf: (Aggregation(partial(_without_weights, leaf), add, recorded=False), Aggregation(leaf, add, recorded=False))
    for leaf in (_hits, _confused, _logs)
}
_COLUMNS = RowFunction(lambda X, coef, intercept: {"found": _decisions(X, coef, intercept)[:, :, 0]})


def _areas(X: Any, L: Any, coef: Any, intercept: Any) -> np.ndarray:
    """Areas under the curves, by the ranks of rows of the second class."""
    found = _COLUMNS([X], [coef, intercept])["found"]
    if is_on_device(found):
        return to_host(np.stack([area(L[:, 0] == 1, found[:, k]) for k in range(found.shape[1])]))
    ranks = rankdata(found, axis=0)
    positive = L[:, 0] == 1
    p = int(positive.sum())
    return (ranks[positive].sum(axis=0) - p * (p + 1) / 2) / (p * (len(L) - p))


class LabelScore:
    """A score of labels.

    Attributes
    ----------
    leaf : callable or None
        The sums of which it is made; None for the area under a curve.
    average : str
        Over classes.
    complete : bool
        scikit-learn gives no score where a class has no row.
    """

    def __init__(self, leaf: Any, average: str = ""):
        self.leaf, self.average, self.complete = leaf, average, leaf is not _hits

    @classmethod
    def of(cls, scorer: Any, estimator: Any) -> LabelScore | None:
        """That of one of scikit-learn's scorers, known by identity of its function; None for others."""
        score, options, method = scorer._score_func, scorer._kwargs, scorer._response_method
        if score is metrics.accuracy_score and method == "predict" and not options:
            return cls(_hits)
        if score is metrics.f1_score and method == "predict" and options.keys() <= {"average", "pos_label"}:
            average = options.get("average", "binary")
            known = average in ("binary", "macro", "micro", "weighted")
            # scikit-learn warns of a label with an average of classes, and takes any for one class.
            counted = options.get("pos_label", 1) in ((1,) if average == "binary" else (1, None))
            return cls(_confused, average) if known and counted else None
        if score is metrics.log_loss and method == "predict_proba" and not options and hasattr(estimator, method):
            return cls(_logs)
        if score is metrics.roc_auc_score and not options and isinstance(method, (list, tuple)):
            return cls(None)
        return None

    def takes(self, classes: np.ndarray, weighted: bool) -> bool:
        """Whether the score is defined for these labels, and computed here."""
        if self.leaf is None:
            return len(classes) == 2 and not weighted
        return self.average != "binary" or (len(classes) == 2 and classes[1] == 1)

    def __call__(self, rows: list[Any], ranges: list[tuple[int, int]], fixed: list[Any]) -> np.ndarray:
        """Of each candidate on some rows, which are X, numbers of classes in a column, and weights if there are some."""
        if self.leaf is None:
            X, L = (np.concatenate([x[i:j] for i, j in ranges]) if len(ranges) > 1 else x[slice(*ranges[0])] for x in rows)  # fmt: skip
            return _areas(X, L, *fixed)
        k = max(fixed[1].shape[1], 2)
        more = [] if self.leaf is _hits else [np.arange(k)]
        sums, *others = _SUMS[self.leaf][len(rows) == 3].by_range(rows, ranges, [*fixed, *more])
        for one in others:
            sums = add(sums, one)
        if self.leaf is _hits:
            return sums["hits"] / sums["weight"]
        if self.leaf is _logs:
            return sums["losses"] / sums["weight"]
        return self._f1(sums["both"], sums["guess"], sums["label"])

    def _f1(self, both: np.ndarray, guess: np.ndarray, label: np.ndarray) -> np.ndarray:
        if self.average == "micro":
            both, guess, label = (x.sum(axis=1, keepdims=True) for x in (both, guess, label))
        found = 2 * both / (guess + label)
        if self.average == "binary":
            return found[:, 1]
        return np.average(found, axis=1, weights=label[0]) if self.average == "weighted" else found.mean(axis=1)


HITS = LabelScore(_hits)
