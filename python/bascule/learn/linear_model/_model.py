"""The common part of linear models: predictions in the kind of X, and the interface of candidates that are fitted together."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from sklearn.utils.validation import check_is_fitted

from .._checks import validate_data
from .._chunks import is_chunked, mapped
from .._classes import labels_of, numbers_of_decisions
from .._device_scores import accuracy, r2
from .._estimator import NativeEstimator, by_chunks
from .._kinds import Kind, near, shared, to_host

LARGE = 1 << 15  # elements from which a product on the core's threads is faster than NumPy's


class LinearModel(NativeEstimator):
    """Linear models with `coef_` and `intercept_`.

    In a search candidates that differ in the parameters in `_varies` are fitted together: ``_path_rows(X, y,
    sample_weight)`` gives the checked rows and the column that scores read, ``_training(rows, ranges)`` what each fold has
    of its training rows, and ``_fit_path(training, candidates)`` coefficients, shape (m, d, k), intercepts, shape (m, k),
    and which of them are accurate.
    """

    coef_: Any
    intercept_: Any
    _varies: frozenset[str] = frozenset()
    _predicted_types: Any = "numeric"  # of scikit-learn's checks of rows that are predicted
    _path_rows: Any
    _training: Any
    _fit_path: Any

    def _ends_early(self, X: Any) -> bool:
        """Whether one fit ends before the minimum, as scikit-learn's does, and only candidates together go to it."""
        return False

    def _decision_function(self, X: Any) -> Any:
        check_is_fitted(self)
        if is_chunked(X):
            return self._of_chunks(X)
        kind = Kind.of(X)
        checks = {"accept_sparse": ["csr", "csc", "coo"], "dtype": self._predicted_types}
        X = validate_data(self, kind.take(X, "X"), reset=False, **checks)
        coef, intercept = near(X, self.coef_, self.intercept_)
        if type(X) is np.ndarray and X.size >= LARGE:
            # NumPy's threads of BLAS wait for work in a loop, for longer than this product takes
            return kind.give(np.asarray(shared(X) @ shared(np.ascontiguousarray(coef.T)) + intercept))
        with np.errstate(invalid="ignore"):  # X is finite; BLAS may compute with memory behind its tiles
            return kind.give(X @ coef.T + intercept)

    def _of_chunks(self, X: Any) -> Any:
        validate_data(self, X, skip_check_array=True, reset=False)
        coef, intercept = to_host(self.coef_).T, to_host(self.intercept_)
        columns = None if coef.ndim == 1 else coef.shape[1]
        return mapped(_linear, X, coef, intercept, columns=columns, dtype=np.result_type(coef, intercept))

    def score(self, X: Any, y: Any, sample_weight: Any = None) -> float:
        """The score of predictions: for numbers the coefficient of determination, for labels the accuracy.

        Parameters
        ----------
        X : array, shape (n, d)
        y : array, shape (n,) or (n, targets)
        sample_weight : array, shape (n,), optional

        Returns
        -------
        float
        """
        kind = Kind.of(X)
        if not kind.ours:
            return super().score(X, y, sample_weight)  # type: ignore[misc]
        X, y, w = (kind.take(x, what) for x, what in ((X, "X"), (y, "y"), (sample_weight, "sample_weight")))
        if kind.on_host:
            return super().score(X, y, w)  # type: ignore[misc]
        return self._score_there(y, self.predict(X), w)  # type: ignore[attr-defined]

    _score_there = staticmethod(r2)


def _linear(X: Any, coef: np.ndarray, intercept: Any) -> Any:
    kind = Kind.of(X)
    return kind.give(kind.take(X, "a chunk") @ coef + intercept)


class LinearClassifier(LinearModel):
    """Linear models of classes: one predictor for two of them, else one for each."""

    _takes_dask = False
    _score_there = staticmethod(accuracy)

    def decision_function(self, X: Any) -> Any:
        """The signed distance to the plane between the classes, times the norm of the coefficients.

        Parameters
        ----------
        X : array or sparse matrix, shape (n, d)

        Returns
        -------
        array, shape (n,) or (n, classes)
            In the kind of X.
        """
        found = self._decision_function(X)
        return found.reshape(-1) if found.ndim > 1 and found.shape[1] == 1 else found

    def predict(self, X: Any) -> Any:
        """Predict labels.

        Parameters
        ----------
        X : array or sparse matrix, shape (n, d)

        Returns
        -------
        array, shape (n,)
            Of the labels in y.
        """
        if is_chunked(X):
            return by_chunks(self, X, LinearClassifier.predict)
        kind = Kind.of(X)
        decided = self.decision_function(kind.take(X, "X"))
        numbers = numbers_of_decisions(to_host(decided) if kind.on_host else decided)
        return kind.give(labels_of(self.classes_, numbers))  # type: ignore[attr-defined]


def outside(ranges: Sequence[tuple[int, int]], n: int) -> list[list[tuple[int, int]]]:
    """For each of these ranges, which are a partition of n rows, the ranges of all other rows."""
    return [[r for r in ((0, i), (j, n)) if r[1] > r[0]] for i, j in ranges]
