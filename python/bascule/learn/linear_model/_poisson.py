"""Poisson regression by Newton's method: one pass over the rows gives loss, gradient and Hessian."""

from __future__ import annotations

from typing import Any

import numpy as np
from sklearn import linear_model as theirs
from sklearn.base import _fit_context

from ...fallback import refuse_on_gpu
from .._checks import check_array, check_sample_weight, check_weights, validate_data
from .._chunks import is_chunked
from .._device_scores import explained_deviance
from .._estimator import OddValues
from .._kinds import Kind, to_host
from ._losses import POISSON
from ._model import LinearModel
from ._newton import Objective, warn_of_limit


class PoissonRegressor(LinearModel, theirs.PoissonRegressor):
    __doc__ = theirs.PoissonRegressor.__doc__

    _takes_dask, _predicted_types = False, [np.float64, np.float32]
    _score_there = staticmethod(explained_deviance)

    def _not_native(self, X: Any) -> str | None:
        return "verbose is given" if self.verbose else super()._not_native(X)

    @_fit_context(prefer_skip_nested_validation=True)
    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> PoissonRegressor:
        """Fit the regression.

        Parameters
        ----------
        X : array, shape (n, d)
        y : array, shape (n,)
            Counts, or other numbers that are not negative.
        sample_weight : array, shape (n,), optional

        Returns
        -------
        PoissonRegressor
            The estimator itself. The objective is at most that of scikit-learn's and 1e-9 of it.
        """
        return self._call("fit", X, y, sample_weight)

    def _fit_native(self, kind: Kind, X: Any, y: Any, sample_weight: Any = None) -> None:
        X, y = validate_data(self, X, y, dtype=[np.float64, np.float32], y_numeric=True, multi_output=False)
        y = check_array(y, dtype=X.dtype, order="C", ensure_2d=False)
        w = np.broadcast_to(1.0, len(X)) if sample_weight is None and kind.on_host else check_sample_weight(sample_weight, X, dtype=X.dtype)  # fmt: skip
        self._base_loss = self._get_loss()
        mean = float(np.average(y, weights=w)) if w.any() else 0.0
        if y.min() < 0:
            refuse_on_gpu("learn.PoissonRegressor.fit", "counts below 0", kind.device, "scikit-learn")
            theirs.PoissonRegressor.fit(self, X, y, sample_weight)  # which raises
            return
        check_weights(w)
        if not mean > 0:
            raise OddValues("no counts above 0")
        d = X.shape[1]
        penalty = np.append(np.full(d, self.alpha), 0.0)[: d + self.fit_intercept]
        of = Objective(POISSON, [[X, y, w]], penalty, self.fit_intercept)
        of.penalty = penalty * of.weight
        start = np.zeros((1, len(penalty)))
        level: float | None = of.weight
        if self.warm_start and hasattr(self, "coef_"):
            start[0, :d], level = to_host(self.coef_), None
            start[0, d:] = to_host(self.intercept_) if self.fit_intercept else ()
        elif self.fit_intercept:
            start[0, d], level = np.log(mean), of.weight * (mean - mean * np.log(mean))
        found = of.minimize(start, self.tol, self.max_iter, level)
        if not found.converged:
            warn_of_limit(self.solver, found.iterations, self.max_iter)
        theta = found.theta[0].astype(X.dtype)
        self.n_iter_ = found.iterations
        self.coef_ = theta[:d].copy()
        self.intercept_ = theta[d] if self.fit_intercept else 0.0

    def _linear_predictor(self, X: Any) -> Any:
        return self._decision_function(X)

    def predict(self, X: Any) -> Any:
        """Predict means.

        Parameters
        ----------
        X : array or sparse matrix, shape (n, d)

        Returns
        -------
        array, shape (n,)
            In the kind of X.
        """
        if is_chunked(X):
            return np.exp(self._decision_function(X))
        kind = Kind.of(X)
        return kind.give(np.exp(self._decision_function(kind.take(X, "X"))))
