"""Candidates that predict from the nearest rows share one search in each fold: that for the most neighbours, by whoever
searches."""

from __future__ import annotations

import numbers
from collections.abc import Iterable
from typing import Any

import numpy as np

from ..neighbors._predictors import Predictor

_OWN = {"n_neighbors", "weights", "n_jobs"}  # parameters of which the nearest rows do not depend


class SharedNeighbours:
    """The nearest rows of a fold.

    Parameters
    ----------
    candidates : iterable of dict, or None
        Their parameters.
    """

    def __init__(self, candidates: Iterable[dict[str, Any] | None]):
        self.counts: dict[Any, list[int]] = {}
        for one in candidates:
            given = (v for p, v in (one or {}).items() if _own_name(p) == "n_neighbors")
            self.counts.setdefault(_others(one), []).append(
                next((v for v in given if isinstance(v, numbers.Integral)), 0)
            )
        self.found: dict[Any, Any] = {}

    def give(self, given: dict[str, Any] | None, fitted: Any, X_train: Any, X_test: Any) -> None:
        """Let an estimator that is fitted to the training rows know the neighbours of the test rows."""
        if not isinstance(fitted, Predictor) or type(X_test) is not np.ndarray or len(self.counts[_others(given)]) < 2:
            return
        most = int(max(fitted.n_neighbors, *self.counts[_others(given)]))
        if most > len(X_train):
            return
        key = id(X_train), type(fitted), fitted._fit_method, *_key(fitted.get_params(deep=False).items())
        if key not in self.found:
            try:
                self.found[key] = fitted.kneighbors(X_test, most)
            except Exception:  # raised again by the candidate alone
                self.found[key] = None
        found = self.found[key]
        if found is not None and _begins(found[0], fitted):
            fitted._known = X_test, *found

    @staticmethod
    def take(fitted: Any) -> None:
        """Let it forget them."""
        vars(fitted).pop("_known", None)


def _own_name(parameter: str) -> str:
    return parameter.rpartition("__")[2]


def _key(parameters: Iterable[tuple[str, Any]]) -> tuple:
    """Parameters of which the nearest rows depend."""
    plain = (int, float, str, type(None))
    return tuple((p, type(v), v if isinstance(v, plain) else id(v)) for p, v in parameters if _own_name(p) not in _OWN)


def _others(given: dict[str, Any] | None) -> tuple:
    return _key(sorted((given or {}).items()))


def _begins(distances: np.ndarray, fitted: Any) -> bool:
    """Whether the first of the neighbours are those of the estimator's own search. Of rows at the same distance scikit-learn's
    searches find any."""
    count = fitted.n_neighbors
    if count == distances.shape[1] or fitted._is_exhaustive(None):
        return True
    return bool((distances[:, count - 1] < distances[:, count]).all())
