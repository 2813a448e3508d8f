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
from ._label_stacks import HITS, LabelScore

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


_SQUARES, _BOTH, _WEIGHTED = (Aggregation(leaf, add) for leaf in (_squares, _both, _both_weighted))


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


_METRICS: dict[Any, Score] = {
    metrics.r2_score: _r2,
    metrics.mean_squared_error: _mse,
    metrics.root_mean_squared_error: _rmse,
    metrics.mean_absolute_error: _mae,
}


class StackScores:
    """Scorers that are computed for stacks of predictions.

    Attributes
    ----------
    scores : dict of str to (Score or LabelScore, int)
        The function and the sign of each scorer.
    several : bool
        Results are dicts, as those of several metrics.
    """

    def __init__(self, scores: dict[str, tuple[Any, int]], several: bool):
        self.scores, self.several = scores, several
        found = [score for score, _ in scores.values()]
        self.of_labels = [score for score in found if isinstance(score, LabelScore)]
        self.absolute, self.relative = _mae in found, _r2 in found

    @classmethod
    def of(cls, scorer: Any, estimator: Any) -> StackScores | None:
        """None where some scorer is of another kind; known by identity of its function, without options."""
        labels = is_classifier(estimator)
        several = type(scorer) is _scorer._MultimetricScorer
        found = {}
        for name, one in (scorer._scorers if several else {"score": scorer}).items():
            if type(one) is _scorer._PassthroughScorer and (labels or is_regressor(estimator)):
                found[name] = (HITS if labels else _r2, 1)
                continue
            if type(one) is not _scorer._Scorer:
                return None
            score = LabelScore.of(one, estimator) if labels else _of_numbers(one)
            if score is None:
                return None
            found[name] = (score, one._sign)
        return cls(found, several)

    def take(self, classes: np.ndarray, weighted: bool) -> bool:
        """Whether all scores are computed here for these labels."""
        return all(score.takes(classes, weighted) for score in self.of_labels)

    @property
    def complete(self) -> bool:
        """Whether some score needs rows of each class."""
        return any(score.complete for score in self.of_labels)

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
        if self.of_labels:
            columns = {name: (sign * score(rows, ranges, fixed)).tolist() for name, (score, sign) in self.scores.items()}  # fmt: skip
        else:
            columns = self._of_numbers(rows, ranges, fixed)
        if not self.several:
            return columns["score"]
        return [dict(zip(columns, values)) for values in zip(*columns.values())]

    def _of_numbers(self, rows: list[Any], ranges: list[tuple[int, int]], fixed: list[Any]) -> dict[str, list[float]]:
        aggregation = _WEIGHTED if len(rows) == 3 else _BOTH if self.absolute else _SQUARES
        sums, *others = aggregation.by_range(rows, ranges, fixed)
        for one in others:
            sums = add(sums, one)
        spread = _spread([[x[i:j] for i, j in ranges] for x in rows[1:]]) if self.relative else np.zeros(1)
        return {name: (sign * score(sums, spread)).tolist() for name, (score, sign) in self.scores.items()}


def _of_numbers(scorer: Any) -> Score | None:
    known = scorer._response_method == "predict" and not scorer._kwargs
    return _METRICS.get(scorer._score_func) if known else None


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
