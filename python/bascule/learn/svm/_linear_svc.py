"""Linear support vector classification with the squared hinge loss: its primal problem by Newton's method."""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np
from sklearn import svm as theirs
from sklearn.base import _fit_context
from sklearn.exceptions import ConvergenceWarning

from ...fallback import refuse_on_gpu
from .._checks import check_sample_weight, check_weights, validate_data
from .._classes import check_labels, class_weights, encoded, picked
from .._kinds import Kind, is_sparse
from ..linear_model._logistic import ODD
from ..linear_model._losses import SQUARED_HINGE
from ..linear_model._model import LinearClassifier
from ..linear_model._newton import Minimum, Objective
from ..linear_model._sparse import SparseObjective, UsedColumns

_SPARSE_TOL = 1e-5  # of the gradient, with which the objective is as low as LIBLINEAR's


class LinearSVC(LinearClassifier, theirs.LinearSVC):
    __doc__ = theirs.LinearSVC.__doc__

    def _not_native(self, X: Any) -> str | None:
        for name, native in (("penalty", "l2"), ("loss", "squared_hinge"), ("multi_class", "ovr")):
            if getattr(self, name) != native:
                return f"{name}={getattr(self, name)!r}"
        if self.verbose:
            return "verbose is given"
        if not is_sparse(X):
            return super()._not_native(X)
        # LIBLINEAR's dual method reads a row at a time; it ends sooner where rows are few
        return "X is sparse, with more columns than rows" if X.shape[0] < X.shape[1] else None

    @_fit_context(prefer_skip_nested_validation=True)
    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> LinearSVC:
        """Fit the classifier.

        Parameters
        ----------
        X : array, shape (n, d)
        y : array, shape (n,)
            Labels.
        sample_weight : array, shape (n,), optional

        Returns
        -------
        LinearSVC
            The estimator itself. The objective is at most that of scikit-learn's and 1e-9 of it, with `dual` or without.
        """
        return self._call("fit", X, y, sample_weight)

    def _fit_native(self, kind: Kind, X: Any, y: Any, sample_weight: Any = None) -> None:
        options: dict[str, Any] = {"dtype": [np.float64, np.float32]}
        if is_sparse(X):
            options = {"dtype": np.float64, "accept_sparse": "csr", "accept_large_sparse": False}
        X, y = validate_data(self, X, y, **options)
        check_labels(y)
        classes, numbers = encoded(kind, y)
        w = check_sample_weight(sample_weight, X, dtype=np.float64)
        if len(classes) < 2 or (self.fit_intercept and self.intercept_scaling <= 0):
            refuse_on_gpu("learn.LinearSVC.fit", ODD, kind.device, "scikit-learn")
            theirs.LinearSVC.fit(self, X, y, sample_weight)  # which raises
            return
        check_weights(w)
        self.classes_ = classes
        by_class = class_weights(self.class_weight, classes, numbers, w)
        rows = UsedColumns(X) if is_sparse(X) else X
        if len(classes) == 2:
            found = [self._against(rows, numbers == 1, w * picked(by_class, numbers))]
        else:  # as LIBLINEAR, which weights the class, and not the rest
            found = [self._against(rows, of, np.where(of, w * by_class[k], w)) for k in range(len(classes)) for of in [numbers == k]]  # fmt: skip
        theta = np.concatenate([f.theta for f in found])
        if isinstance(rows, UsedColumns):
            theta = rows.of_all(theta, X.shape[1], self.fit_intercept)
        self.n_iter_ = max(f.iterations for f in found)
        if not all(f.converged for f in found):
            text = "Liblinear failed to converge, increase the number of iterations."
            warnings.warn(text, ConvergenceWarning, stacklevel=2)
        self.coef_ = np.ascontiguousarray(theta[:, : X.shape[1]])
        self.intercept_ = theta[:, -1].copy() if self.fit_intercept else 0.0

    def _against(self, X: Any, of_class: np.ndarray, w: np.ndarray) -> Minimum:
        """The plane between a class and the rest. The intercept is penalized as a column of `intercept_scaling`."""
        penalty = np.full(X.shape[1] + self.fit_intercept, 1 / self.C)
        if self.fit_intercept:
            penalty[-1] /= self.intercept_scaling**2
        targets = np.where(of_class, 1.0, -1.0)
        if isinstance(X, UsedColumns):
            of: Objective = SparseObjective(SQUARED_HINGE, X, targets, w, self.fit_intercept, 1)
            of.penalty = penalty
            return of.minimize(np.zeros((1, len(penalty))), min(self.tol, _SPARSE_TOL), self.max_iter)
        of = Objective(SQUARED_HINGE, [[X, targets, w]], penalty, self.fit_intercept)
        return of.minimize(np.zeros((1, len(penalty))), self.tol, self.max_iter, of.weight)
