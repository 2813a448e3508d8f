"""The covariance of the columns in one pass over the rows."""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np
from sklearn import covariance as theirs
from sklearn.base import _fit_context
from sklearn.covariance import log_likelihood
from sklearn.utils.validation import check_is_fitted

from .._checks import validate_data
from .._estimator import NativeEstimator, in_kind, of_model
from .._kinds import Kind, to_host
from .._rows import RowFunction, State
from .._scatter import scatter


def _distances(X: Any, location: Any, precision: Any) -> State:
    A = X.astype(np.float64) - location
    return {"squares": ((A @ precision) * A).sum(axis=1)}


_DISTANCES = RowFunction(_distances)


class Covariance(NativeEstimator):
    """Estimators of a covariance from a state of rows: ``_estimate(X)`` sets it."""

    _estimate: Any

    def _fit_native(self, kind: Kind, X: Any, y: Any = None) -> None:
        X = validate_data(self, X)
        if len(X) == 1 and self._warns(X):
            warnings.warn("Only one sample available. You may want to reshape your data array", stacklevel=2)
        self._estimate(X)

    def _warns(self, X: Any) -> bool:
        """Whether scikit-learn says that X has a single row."""
        return True

    def _set_location(self, X: Any, state: State) -> None:
        dtype = X.dtype if X.dtype.kind == "f" and not self.assume_centered else np.float64  # type: ignore[attr-defined]
        self.location_ = state["mean"].astype(dtype, copy=False)

    def _score(self, X_test: Any) -> float:
        check_is_fitted(self)
        X = validate_data(self, X_test, reset=False)
        state = scatter(X)
        apart = state["mean"] - to_host(self.location_)
        covariance = state["gram"] / len(X) + apart[:, None] * apart
        return log_likelihood(covariance, to_host(self.get_precision()))  # type: ignore[attr-defined]

    def score(self, X_test: Any, y: Any = None) -> float:
        """The mean log-likelihood of rows under a Gaussian distribution with this covariance.

        Parameters
        ----------
        X_test : array, shape (n, d)
        y : None
            Not used.

        Returns
        -------
        float
        """
        return in_kind(Covariance._score, by_rows=False)(self, X_test)

    def _mahalanobis(self, X: Any) -> Any:
        check_is_fitted(self)
        X = validate_data(self, X, reset=False)
        precision = to_host(self.get_precision())  # type: ignore[attr-defined]
        return _DISTANCES([X], [to_host(self.location_), precision])["squares"]

    def mahalanobis(self, X: Any) -> Any:
        """Squared Mahalanobis distances of rows from the location.

        Parameters
        ----------
        X : array, shape (n, d)

        Returns
        -------
        array, shape (n,)
        """
        return in_kind(Covariance._mahalanobis)(self, X)

    get_precision = of_model(theirs.EmpiricalCovariance.get_precision, "covariance_")
    error_norm = of_model(theirs.EmpiricalCovariance.error_norm, "covariance_")


class EmpiricalCovariance(Covariance, theirs.EmpiricalCovariance):
    __doc__ = theirs.EmpiricalCovariance.__doc__

    _keeps_types = True

    @_fit_context(prefer_skip_nested_validation=True)
    def fit(self, X: Any, y: Any = None) -> EmpiricalCovariance:
        """Find the mean and the covariance of the columns.

        Parameters
        ----------
        X : array, shape (n, d)
        y : None
            Not used.

        Returns
        -------
        EmpiricalCovariance
            The estimator itself. Its covariance agrees with scikit-learn's to 1e-10 of the largest variance.
        """
        return self._call("fit", X)

    def _estimate(self, X: Any) -> None:
        state = scatter(X, not self.assume_centered)
        self._set_location(X, state)
        dtype = X.dtype if self.assume_centered and X.dtype.kind == "f" else np.float64
        self._set_covariance((state["gram"] / len(X)).astype(dtype, copy=False))
