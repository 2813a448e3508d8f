"""Truncated singular values from the products of rows, in one pass."""

from __future__ import annotations

from typing import Any

import numpy as np
from sklearn import decomposition as theirs
from sklearn.base import _fit_context
from sklearn.utils.extmath import svd_flip

from .._checks import validate_data
from .._kinds import Kind, to_host
from .._scatter import scatter, values_and_vectors
from ..linear_model._gram import WORST_FOR_EXACT, Spectrum
from ._components import Components

_MANY = 1_000  # columns from which scikit-learn's random projections are faster than an eigendecomposition


class TruncatedSVD(Components, theirs.TruncatedSVD):
    __doc__ = theirs.TruncatedSVD.__doc__

    def fit(self, X: Any, y: Any = None) -> TruncatedSVD:
        """Find the largest singular values and their right vectors.

        Parameters
        ----------
        X : array or sparse matrix, shape (n, d)
        y : None
            Not used.

        Returns
        -------
        TruncatedSVD
            The estimator itself. Values and vectors are exact to 1e-10 where values are apart, whatever `n_iter` and
            `n_oversamples` are.
        """
        self.fit_transform(X)
        return self

    @_fit_context(prefer_skip_nested_validation=True)
    def fit_transform(self, X: Any, y: Any = None) -> Any:
        """Find the largest singular values, and the coordinates of the rows along their vectors.

        Parameters
        ----------
        X : array or sparse matrix, shape (n, d)
        y : None
            Not used.

        Returns
        -------
        array, shape (n, components)
            In the kind of X.
        """
        return self._result("fit_transform", X)

    transform = Components.transform

    def _not_native(self, X: Any) -> str | None:
        reason = super()._not_native(X)
        shape = X.shape if hasattr(X, "shape") else np.asarray(X).shape
        if reason is not None or len(shape) != 2:
            return reason
        if self.algorithm == "arpack":
            return "algorithm='arpack'"
        return "X has many columns" if shape[1] > min(_MANY, shape[0]) else None

    def _fit_transform_native(self, kind: Kind, X: Any) -> Any:
        X = validate_data(self, X, ensure_min_features=2)
        if self.n_components > X.shape[1]:
            raise ValueError(f"n_components({self.n_components}) must be <= n_features({X.shape[1]}).")
        state = scatter(X)
        mean, n, k = state["mean"], len(X), self.n_components
        values, vectors = values_and_vectors(state["gram"] + n * mean[:, None] * mean)
        if not values[0] ** 2 < WORST_FOR_EXACT * values[k - 1] ** 2:
            spectrum = Spectrum.of_rows(X, X[:, :0], None, {"mean": np.zeros(X.shape[1]), "level": np.zeros(0)})
            values, vectors = spectrum.values, spectrum.vectors
        vectors = svd_flip(None, vectors[:k], u_based_decision=False)[1]
        dtype = X.dtype if X.dtype.kind == "f" else np.dtype(np.float64)
        variances = ((vectors @ state["gram"]) * vectors).sum(axis=1) / n
        self.components_ = vectors.astype(dtype, copy=False)
        self.singular_values_ = values[:k].astype(dtype)
        self.explained_variance_ = variances.astype(dtype, copy=False)
        self.explained_variance_ratio_ = (variances / (state["gram"].trace() / n)).astype(dtype, copy=False)
        return self._project(X)

    def _project(self, X: Any) -> Any:
        return X @ to_host(self.components_).T

    def _combine(self, X: Any) -> Any:
        return X @ to_host(self.components_)
