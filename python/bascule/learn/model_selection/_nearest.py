"""Candidates that predict from the nearest rows share one search in each fold: that for the most neighbours."""

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
        given = (item for one in candidates for item in (one or {}).items())
        counts = [v for p, v in given if p.rpartition("__")[2] == "n_neighbors" and isinstance(v, numbers.Integral)]
        self.most = int(max(counts, default=0))
        self.found: dict[Any, Any] = {}

    def give(self, fitted: Any, X_train: Any, X_test: Any) -> None:
        """Let an estimator that is fitted to the training rows know the neighbours of the test rows."""
        if (
            not isinstance(fitted, Predictor)
            or type(X_test) is not np.ndarray
            or fitted._not_native(X_test) is not None
        ):
            return
        if not fitted.n_neighbors <= self.most <= len(X_train) or not fitted._is_exhaustive(X_test):
            return
        of = (v if isinstance(v, (int, float, str, type(None))) else id(v) for k, v in fitted.get_params(deep=False).items() if k not in _OWN)  # fmt: skip
        key = id(X_train), type(fitted), *of
        if key not in self.found:
            self.found[key] = fitted.kneighbors(X_test, self.most)
        fitted._known = X_test, *self.found[key]

    @staticmethod
    def take(fitted: Any) -> None:
        """Let it forget them."""
        vars(fitted).pop("_known", None)
