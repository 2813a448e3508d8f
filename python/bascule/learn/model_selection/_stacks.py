"""Scores of the predictions of many candidates at once: sums down the columns of one product."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from sklearn import metrics
from sklearn.base import is_classifier, is_regressor
from sklearn.metrics import _scorer

from .._kinds import to_host
from .._rows import Aggregation, State, add

Score = Callable[[State, np.ndarray], np.ndarray]  # of sums (m, k) and the spread of each target


def _residuals(X: Any, Y: Any, coef: Any, intercept: Any) -> Any:
    """Of each candidate and target: coef is (d, m, k), for k targets, intercept (m, k)."""
    predicted = X.astype(np.float64) @ coef.reshape(coef.shape[0], -1) + intercept.reshape(-1)
    return predicted.reshape(X.shape[0], *intercept.shape) - Y.astype(np.float64)[:, None, :]


def _squares(X: Any, Y: Any, coef: Any, intercept: Any) -> State:
    E = _residuals(X, Y, coef, intercept)
    return {"squares": (E * E).sum(axis=0)}


def _both(X: Any, Y: Any, coef: Any, intercept: Any) -> State:
    E = _residuals(X, Y, coef, intercept)
    return {"squares": (E * E).sum(axis=0), "absolute": abs(E).sum(axis=0)}


def _both_weighted(X: Any, Y: Any, w: Any, coef: Any, intercept: Any) -> State:
    E = _residuals(X, Y, coef, intercept)
    w = w.astype(np.float64)
    weight = w[:, None, None]
    return {"squares": (E * E * weight).sum(axis=0), "absolute": (abs(E) * weight).sum(axis=0), "weight": w.sum(axis=0)}


def _hits(X: Any, L: Any, coef: Any, intercept: Any) -> State:
    """Labels, as numbers of classes, that are predicted; one target is of two classes."""
    return {"hits": _right(X, L, coef, intercept).sum(axis=0)}


def _hits_weighted(X: Any, L: Any, w: Any, coef: Any, intercept: Any) -> State:
    w = w.astype(np.float64)
    return {"hits": (_right(X, L, coef, intercept) * w[:, None]).sum(axis=0), "weight": w.sum(axis=0)}


def _right(X: Any, L: Any, coef: Any, intercept: Any) -> Any:
    D = (X @ coef.reshape(coef.shape[0], -1) + intercept.reshape(-1)).reshape(len(X), *intercept.shape)
    return (D[:, :, 0] > 0 if intercept.shape[1] == 1 else D.argmax(axis=2)) == L


_SQUARES, _BOTH, _WEIGHTED = (Aggregation(leaf, add) for leaf in (_squares, _both, _both_weighted))
_HITS, _HITS_WEIGHTED = (Aggregation(leaf, add, recorded=False) for leaf in (_hits, _hits_weighted))


def _r2(sums: State, spread: np.ndarray) -> np.ndarray:
    squares = sums["squares"]
    constant = spread == 0
    scores = np.where(constant, np.where(squares == 0, 1.0, 0.0), 1 - squares / np.where(constant, 1, spread))
    return scores.mean(axis=-1)


def _mse(sums: State, spread: np.ndarray) -> np.ndarray:
    return (sums["squares"] / sums["weight"]).mean(axis=-1)


def _rmse(sums: State, spread: np.ndarray) -> np.ndarray:
    return np.sqrt(sums["squares"] / sums["weight"]).mean(axis=-1)


def _mae(sums: State, spread: np.ndarray) -> np.ndarray:
    return (sums["absolute"] / sums["weight"]).mean(axis=-1)


def _accuracy(sums: State, spread: np.ndarray) -> np.ndarray:
    return sums["hits"] / sums["weight"]


_METRICS: dict[Any, Score] = {
    metrics.r2_score: _r2,
    metrics.mean_squared_error: _mse,
    metrics.root_mean_squared_error: _rmse,
    metrics.mean_absolute_error: _mae,
}
_METRICS_OF_LABELS: dict[Any, Score] = {metrics.accuracy_score: _accuracy}


class StackScores:
    """Scorers that are computed for stacks of predictions.

    Attributes
    ----------
    scores : dict of str to (Score, int)
        The function and the sign of each scorer.
    several : bool
        Results are dicts, as those of several metrics.
    """

    def __init__(self, scores: dict[str, tuple[Score, int]], several: bool):
        self.scores, self.several = scores, several
        self.of_labels = any(score is _accuracy for score, _ in scores.values())
        self.absolute = any(score is _mae for score, _ in scores.values())
        self.relative = any(score is _r2 for score, _ in scores.values())

    @classmethod
    def of(cls, scorer: Any, estimator: Any) -> StackScores | None:
        """None where some scorer is of another kind; known by identity of its function, without options."""
        labels = is_classifier(estimator)
        known = _METRICS_OF_LABELS if labels else _METRICS
        several = type(scorer) is _scorer._MultimetricScorer
        found = {}
        for name, one in (scorer._scorers if several else {"score": scorer}).items():
            if type(one) is _scorer._PassthroughScorer and (labels or is_regressor(estimator)):
                found[name] = (_accuracy if labels else _r2, 1)
            elif type(one) is _scorer._Scorer and one._response_method == "predict" and not one._kwargs:
                if one._score_func not in known:
                    return None
                found[name] = (known[one._score_func], one._sign)
            else:
                return None
        return cls(found, several)

    def __call__(self, rows: list[Any], ranges: list[tuple[int, int]], fixed: list[Any]) -> list[Any]:
        """The result of each candidate on some rows, as the scorer gives it.

        Parameters
        ----------
        rows : list of array
            X, Y or numbers of classes in a column, and weights if the scores are weighted.
        ranges : list of (int, int)
            The rows that count.
        fixed : list of array
            Coefficients of the candidates, shape (d, m, k), and intercepts, shape (m, k).
        """
        weighted = len(rows) == 3
        if self.of_labels:
            aggregation = _HITS_WEIGHTED if weighted else _HITS
        else:
            aggregation = _WEIGHTED if weighted else _BOTH if self.absolute else _SQUARES
        sums, *others = aggregation.by_range(rows, ranges, fixed)
        for one in others:
            sums = add(sums, one)
        spread = _spread([[x[i:j] for i, j in ranges] for x in rows[1:]]) if self.relative else np.zeros(1)
        columns = {name: (sign * score(sums, spread)).tolist() for name, (score, sign) in self.scores.items()}
        if not self.several:
            return columns["score"]
        return [dict(zip(columns, values)) for values in zip(*columns.values())]


def _spread(parts: list[list[Any]]) -> np.ndarray:
    """The sum of squared deviations of each target."""
    Y, *w = (p[0] if len(p) == 1 else np.concatenate(p) for p in parts)
    Y = Y.astype(np.float64)
    if not w:
        D = Y - Y.mean(axis=0)
        return to_host((D * D).sum(axis=0))
    column = w[0].astype(np.float64)[:, None]
    D = Y - (Y * column).sum(axis=0) / column.sum(axis=0)
    return to_host((D * D * column).sum(axis=0))
