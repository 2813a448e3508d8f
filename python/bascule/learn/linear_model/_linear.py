"""Ordinary least squares in one pass over the rows."""

from __future__ import annotations

from typing import Any

import numpy as np
from sklearn import linear_model as theirs
from sklearn.base import _fit_context

from .._kinds import Kind
from .._rows import State
from .._scatter import is_in_range
from ._gram import WORST_FOR_EXACT, Spectrum, centred_rows, is_wide
from ._least_squares import LeastSquares, as_columns


class LinearRegression(LeastSquares, theirs.LinearRegression):
    __doc__ = theirs.LinearRegression.__doc__

    _dtypes, _keeps_types = "numeric", True

    def _not_native(self, X: Any) -> str | None:
        return "positive=True" if self.positive else super()._not_native(X)

    @_fit_context(prefer_skip_nested_validation=True)
    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> LinearRegression:
        """Fit the linear model.

        Parameters
        ----------
        X : array, shape (n, d)
        y : array, shape (n,) or (n, targets)
        sample_weight : array, shape (n,), optional

        Returns
        -------
        LinearRegression
            The estimator itself. Coefficients agree with scikit-learn's to 1e-10 of the largest.
        """
        return self._call("fit", X, y, sample_weight)

    _varies = frozenset({"copy_X", "n_jobs", "tol"})

    @classmethod
    def _fit_many(cls, state: State, candidates: list[Any]) -> tuple[np.ndarray, np.ndarray]:
        spectrum = Spectrum.of_gram(state)
        fitted = np.full(len(candidates), spectrum.condition < WORST_FOR_EXACT)
        return np.stack([spectrum.least_squares(c.tol)[0] for c in candidates]), fitted

    def _fit_native(self, kind: Kind, X: Any, y: Any, sample_weight: Any = None) -> None:
        self._solve(*self._checked_rows(X, y, sample_weight, ensure_non_negative=True))

    def _solve(self, X: Any, y: Any, w: Any) -> None:
        Y = as_columns(y)
        if is_wide(X):
            A, B, state = centred_rows(X, Y, w, self.fit_intercept)
            spectrum = Spectrum.of_matrix(A, B)
        else:
            state = self._state(X, Y, w)
            spectrum = Spectrum.of_gram(state) if is_in_range(state["gram"]) else None
            if spectrum is None or not spectrum.condition < WORST_FOR_EXACT:
                spectrum = Spectrum.of_rows(X, Y, w, state)
        coef, self.rank_ = spectrum.least_squares(self.tol)
        self.singular_ = spectrum.values.astype(X.dtype, copy=False)
        self._set_solution(coef, state, X.dtype, y.ndim == 1, y.ndim == 1)
