"""Linear discriminant analysis from the products of rows without the means of their classes, in one pass."""

from __future__ import annotations

from typing import Any

import numpy as np
import sklearn
from scipy import linalg
from sklearn import discriminant_analysis as theirs
from sklearn.base import _fit_context
from sklearn.covariance import shrunk_covariance
from sklearn.utils.validation import check_is_fitted

from .. import _there as there
from .._checks import validate_data
from .._classes import (
    CLASS_SCATTER,
    check_labels,
    encoded,
    numbers_of,
    picked,
)
from .._device_checks import stand_in
from .._estimator import NativeEstimator, in_kind
from .._kinds import Kind, is_on_device, near, to_host
from .._rows import MANY, State
from .._scatter import is_in_range, values_and_vectors
from ..linear_model._gram import WORST_FOR_EXACT

_Theirs = theirs.LinearDiscriminantAnalysis


class LinearDiscriminantAnalysis(NativeEstimator, theirs.LinearDiscriminantAnalysis):
    __doc__ = theirs.LinearDiscriminantAnalysis.__doc__

    @_fit_context(prefer_skip_nested_validation=False)
    def fit(self, X: Any, y: Any) -> LinearDiscriminantAnalysis:
        """Find the directions that separate the classes.

        Parameters
        ----------
        X : array, shape (n, d)
        y : array, shape (n,)
            Labels.

        Returns
        -------
        LinearDiscriminantAnalysis
            The estimator itself. Coefficients agree with scikit-learn's to 1e-10 of the largest, where the covariance
            within classes has a condition below 1e5; `scalings_` up to the signs of its columns.
        """
        return self._call("fit", X, y)

    def _not_native(self, X: Any) -> str | None:
        return super()._not_native(X) or self._estimated_by()

    def _estimated_by(self) -> str | None:
        """The estimator of the covariance, where that is more than its products."""
        if self.solver == "svd":
            return None
        if self.covariance_estimator is not None:
            return "covariance_estimator is given"
        return "shrinkage='auto'" if isinstance(self.shrinkage, str) else None

    _there: tuple[Any, Any] | None = None  # rows on a device and the numbers of their classes, in a fit

    def _fit_native(self, kind: Kind, X: Any, y: Any) -> None:
        if kind.on_host:
            _Theirs.fit.__wrapped__(self, X, y)
            return
        X, y = validate_data(self, X, y, ensure_min_samples=2, dtype=[np.float64, np.float32])
        check_labels(y)
        classes, numbers = encoded(kind, y)
        self._there = X, numbers
        try:  # scikit-learn's method sees how many rows each class has, and calls those below
            with sklearn.config_context(assume_finite=True):
                _Theirs.fit.__wrapped__(self, stand_in(X), np.repeat(classes, to_host(np.bincount(numbers))))
        finally:
            del self._there

    def _rows(self, X: Any, y: Any) -> tuple[Any, Any]:
        """The rows, and the numbers of their classes."""
        return self._there or (X, numbers_of(y, self.classes_))

    def _state(self, X: Any, y: Any, factors: np.ndarray | None = None) -> State:
        k = len(self.classes_)
        factors = np.ones((k, 1)) if factors is None else factors
        state = CLASS_SCATTER(self._rows(X, y), [np.arange(k), factors], min(k, MANY))
        state["gram"] = (state["gram"] + state["gram"].T) / 2
        return state

    def _within(self, X: np.ndarray, y: np.ndarray, state: State) -> np.ndarray:
        """The covariance within classes: each class counts by its prior probability."""
        if self.priors is None:
            return state["gram"] / len(X)
        return self._state(X, y, np.asarray(self.priors_, np.float64)[:, None] / state["count"])["gram"]

    def _shrunk(self, covariance: np.ndarray, shrinkage: float | None) -> np.ndarray:
        return covariance if shrinkage is None else shrunk_covariance(covariance, shrinkage)

    def _solve_lstsq(self, X: Any, y: Any, shrinkage: Any, covariance_estimator: Any) -> None:
        if self._estimated_by() is not None:
            super()._solve_lstsq(X, y, shrinkage, covariance_estimator)
            return
        state = self._state(X, y)
        self.means_ = state["mean"].astype(X.dtype, copy=False)
        self.covariance_ = self._shrunk(self._within(X, y, state), shrinkage)
        self.coef_ = linalg.lstsq(self.covariance_, self.means_.T)[0].T
        self._set_levels()

    def _solve_eigen(self, X: Any, y: Any, shrinkage: Any, covariance_estimator: Any) -> None:
        if self._estimated_by() is not None:
            super()._solve_eigen(X, y, shrinkage, covariance_estimator)
            return
        state = self._state(X, y)
        self.means_ = state["mean"].astype(X.dtype, copy=False)
        self.covariance_ = self._shrunk(self._within(X, y, state), shrinkage)
        apart = state["mean"] - (state["count"] * state["mean"]).sum(axis=0) / len(X)
        total = self._shrunk((state["gram"] + (state["count"] * apart).T @ apart) / len(X), shrinkage)
        values, vectors = linalg.eigh(total - self.covariance_, self.covariance_)
        self.explained_variance_ratio_ = np.sort(values / values.sum())[::-1][: self._max_components]
        self.scalings_ = vectors[:, np.argsort(values)[::-1]]
        self.coef_ = np.dot(self.means_, self.scalings_).dot(self.scalings_.T)
        self._set_levels()

    def _set_levels(self) -> None:
        self.intercept_ = -0.5 * np.diag(np.dot(self.means_, self.coef_.T)) + np.log(self.priors_)

    def _solve_svd(self, X: Any, y: Any) -> None:
        state = self._state(X, y)
        n, k, dtype = len(X), len(self.classes_), X.dtype
        if self.store_covariance:
            self.covariance_ = self._within(X, y, state)
        means, priors = state["mean"], np.asarray(self.priors_, np.float64)
        center = priors @ means
        scalings = self._whitening(X, y, state)
        share = 1.0 if k == 1 else 1.0 / (k - 1)
        between = np.sqrt(n * priors * share)[:, None] * (means - center) @ scalings
        _, values, vectors = linalg.svd(between, full_matrices=False)
        ratios = np.empty(0) if self._max_components == 0 else (values**2 / (values**2).sum())[: self._max_components]
        rank = int((values > self.tol * values[0]).sum())
        scalings = scalings @ vectors.T[:, :rank]
        coordinates = (means - center) @ scalings
        coef = coordinates @ scalings.T
        levels = -0.5 * (coordinates**2).sum(axis=1) + np.log(priors) - center @ coef.T
        found = {
            "means_": means,
            "xbar_": center,
            "explained_variance_ratio_": ratios,
            "scalings_": scalings,
            "coef_": coef,
        }
        for name, value in (found | {"intercept_": levels}).items():
            setattr(self, name, value.astype(dtype, copy=False))

    def _whitening(self, X: np.ndarray, y: np.ndarray, state: State) -> np.ndarray:
        """Directions in which rows without the means of their classes are uncorrelated and of unit variance."""
        n, d = X.shape
        units = np.sqrt(state["gram"].diagonal() / n)
        units[units <= 10 * np.finfo(np.float64).eps * np.abs(state["mean"]).max(axis=0)] = 1.0
        products = state["gram"] / n / units / units[:, None]
        known = d <= n and is_in_range(products)
        if known:
            values, vectors = values_and_vectors(products)
            rank = int((values > self.tol).sum())
        if not known or not values[0] ** 2 < WORST_FOR_EXACT * max(values[-1], self.tol, 1e-300) ** 2:
            X, numbers = self._rows(X, y)
            A = (X - picked(state["mean"], numbers)) / near(X, units)[0] / np.sqrt(n)
            if is_on_device(A):
                A = to_host(np.linalg.qr(A, mode="r"))
            _, values, vectors = linalg.svd(A, full_matrices=False)
            rank = int((values > self.tol).sum())
        return (vectors[:rank] / units).T / values[:rank]

    def _decision(self, X: Any) -> Any:
        check_is_fitted(self)
        X = validate_data(self, X, reset=False)
        coef, intercept = near(X, self.coef_, self.intercept_)
        found = X @ coef.T + intercept
        return found[:, 0] if found.shape[1] == 1 else found

    def decision_function(self, X: Any) -> Any:
        """The logarithm of the odds of classes, up to a constant of each row.

        Parameters
        ----------
        X : array, shape (n, d)

        Returns
        -------
        array, shape (n,) or (n, classes)
            In the kind of X.
        """
        return in_kind(LinearDiscriminantAnalysis._decision)(self, X)

    def _transformed(self, X: Any) -> Any:
        if self.solver == "lsqr":
            return _Theirs.transform(self, X)  # which raises: that solver finds no directions
        check_is_fitted(self)
        X = validate_data(self, X, reset=False)
        scalings = near(X, to_host(self.scalings_)[:, : self._max_components])[0]
        return (X - near(X, self.xbar_)[0]) @ scalings if self.solver == "svd" else X @ scalings

    def transform(self, X: Any) -> Any:
        """Find the coordinates of rows in the directions that separate the classes.

        Parameters
        ----------
        X : array, shape (n, d)

        Returns
        -------
        array, shape (n, components)
            In the kind of X.
        """
        return in_kind(LinearDiscriminantAnalysis._transformed)(self, X)

    predict = in_kind(_Theirs.predict, there.labels)
    predict_proba = in_kind(_Theirs.predict_proba, there.shares)
    predict_log_proba = in_kind(_Theirs.predict_log_proba, there.log_shares)
    score = in_kind(_Theirs.score, there.score, by_rows=False)
