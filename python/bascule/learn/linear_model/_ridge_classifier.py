"""Classification by ridge regression on labels of -1 and 1."""

from __future__ import annotations

from typing import Any

import numpy as np
from sklearn import linear_model as theirs
from sklearn.base import _fit_context
from sklearn.utils.validation import _check_sample_weight

from .._checks import validate_data
from .._kinds import Kind
from ._gram import rows_of
from ._model import LinearClassifier
from ._ridge import RidgeSolver


class RidgeClassifier(LinearClassifier, RidgeSolver, theirs.RidgeClassifier):
    __doc__ = theirs.RidgeClassifier.__doc__

    @_fit_context(prefer_skip_nested_validation=True)
    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> RidgeClassifier:
        """Fit the classifier.

        Parameters
        ----------
        X : array, shape (n, d)
        y : array, shape (n,)
            Labels.
        sample_weight : float or array, shape (n,), optional

        Returns
        -------
        RidgeClassifier
            The estimator itself, with the accuracy of `Ridge`.
        """
        return self._call("fit", X, y, sample_weight)

    def _fit_native(self, kind: Kind, X: Any, y: Any, sample_weight: Any = None) -> None:
        plain = sample_weight is None and self.class_weight is None
        X, _, w, Y = self._prepare_data(X, y, sample_weight, self.solver)
        if X.dtype not in (np.float64, np.float32):
            X = X.astype(np.float64)
        self._solve(X, Y, None if plain else w.astype(X.dtype, copy=False))

    def _path_rows(self, X: Any, y: Any, sample_weight: Any) -> tuple[list[Any], Any] | None:
        """Labels as columns of -1 and 1; class weights are those of each fold."""
        if self.class_weight is not None or np.ndim(y) != 1:
            return None
        X, y = validate_data(self, X, y, dtype=[np.float64, np.float32])
        w = None if sample_weight is None else _check_sample_weight(sample_weight, X, dtype=X.dtype, ensure_non_negative=True)  # fmt: skip
        classes, numbers = np.unique(y, return_inverse=True)
        if len(classes) < 2:
            return None
        Y = np.where(numbers[:, None] == (np.arange(len(classes)) if len(classes) > 2 else 1), 1.0, -1.0)
        return rows_of(X, Y, w), numbers[:, None]

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
        kind = Kind.of(X)
        return kind.give(theirs.RidgeClassifier.predict(self, kind.take(X, "X")))
