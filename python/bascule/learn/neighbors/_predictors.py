"""Predictions from the nearest rows."""

from __future__ import annotations

from typing import Any

import numpy as np
from sklearn import neighbors as theirs
from sklearn.base import _fit_context
from sklearn.utils.validation import check_is_fitted

from .._kinds import Kind, to_host
from . import _there as there
from ._neighbors import Neighbors


class Predictor(Neighbors):
    """A mix-in of the estimators that predict: results in the kind of X."""

    def predict(self, X: Any) -> Any:
        """Predict from the nearest rows.

        Parameters
        ----------
        X : array or sparse matrix, shape (n, d), or None
            None predicts the fitted rows, each without itself.

        Returns
        -------
        array, shape (n,) or (n, outputs)
            In the kind of X.
        """
        check_is_fitted(self, "_fit_method")
        if there.of_one_place(self, X):
            return there.predict(self, X)
        kind = Kind.of(X)
        X, reason = kind.take(X, "X"), None if self._knows(X) else self._not_native(X)
        return kind.give(self._predicted(X) if reason is None else self._left("predict", reason, X))

    def _predicted(self, X: Any) -> Any:
        return self._theirs.predict(self, X)

    def score(self, X: Any, y: Any, sample_weight: Any = None) -> float:
        """The score of predictions: for numbers the coefficient of determination, for labels the accuracy.

        Parameters
        ----------
        X : array, shape (n, d), or None
        y : array, shape (n,) or (n, outputs)
        sample_weight : array, shape (n,), optional

        Returns
        -------
        float
        """
        check_is_fitted(self, "_fit_method")
        if there.of_one_place(self, X):
            return there.score(self, X, y, sample_weight)
        return super().score(*map(to_host, (X, y, sample_weight)))  # type: ignore[misc]


class KNeighborsClassifier(Predictor, theirs.KNeighborsClassifier):
    __doc__ = theirs.KNeighborsClassifier.__doc__

    @_fit_context(prefer_skip_nested_validation=False)
    def fit(self, X: Any, y: Any) -> KNeighborsClassifier:
        """Keep the rows and their labels, or build a tree of the rows.

        Parameters
        ----------
        X : array or sparse matrix, shape (n, d)
        y : array, shape (n,) or (n, outputs)
            Labels.

        Returns
        -------
        KNeighborsClassifier
            The estimator itself.
        """
        return self._fitted(X, y)

    def _counts_votes(self, X: Any) -> bool:
        """Whether votes are counted here: scikit-learn's function would search once more for them."""
        return self.weights == "uniform" and not self.outputs_2d_ and (self._knows(X) or self._is_exhaustive(X))

    def _predicted(self, X: Any) -> Any:
        if self._counts_votes(X):
            return self.classes_[np.argmax(self._votes(X), axis=1)]
        return super()._predicted(X)

    def _votes(self, X: Any) -> np.ndarray:
        labels = self._y[self.kneighbors(X, return_distance=False)]
        votes = np.zeros((len(labels), len(self.classes_)))
        every = np.arange(len(labels))
        for column in labels.T:
            votes[every, column] += 1
        return votes

    def predict_proba(self, X: Any) -> Any:
        """The shares of classes among the nearest rows.

        Parameters
        ----------
        X : array or sparse matrix, shape (n, d), or None

        Returns
        -------
        array, shape (n, classes), or list of array
            In the kind of X.
        """
        check_is_fitted(self, "_fit_method")
        if there.of_one_place(self, X):
            return there.shares_of_classes(self, X)
        kind = Kind.of(X)
        X, reason = kind.take(X, "X"), None if self._knows(X) else self._not_native(X)
        if reason is not None:
            found = self._left("predict_proba", reason, X)
        elif self._counts_votes(X):
            found = self._votes(X) / self.n_neighbors
        else:
            found = theirs.KNeighborsClassifier.predict_proba(self, X)
        return [*map(kind.give, found)] if isinstance(found, list) else kind.give(found)


class KNeighborsRegressor(Predictor, theirs.KNeighborsRegressor):
    __doc__ = theirs.KNeighborsRegressor.__doc__

    @_fit_context(prefer_skip_nested_validation=False)
    def fit(self, X: Any, y: Any) -> KNeighborsRegressor:
        """Keep the rows and their targets, or build a tree of the rows.

        Parameters
        ----------
        X : array or sparse matrix, shape (n, d)
        y : array, shape (n,) or (n, outputs)

        Returns
        -------
        KNeighborsRegressor
            The estimator itself.
        """
        return self._fitted(X, y)
