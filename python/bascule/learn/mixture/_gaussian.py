"""Gaussian mixtures: an iteration of expectation and maximization is one pass over the rows."""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np
from sklearn import mixture as theirs
from sklearn.base import _fit_context
from sklearn.exceptions import ConvergenceWarning
from sklearn.mixture._gaussian_mixture import (
    _compute_log_det_cholesky,
    _compute_precision_cholesky,
    _compute_precision_cholesky_from_precisions,
)
from sklearn.utils import check_random_state
from sklearn.utils._array_api import get_namespace
from sklearn.utils.validation import check_is_fitted

from .._checks import validate_data
from .._classes import log_shares, members, range_there
from .._estimator import NativeEstimator, in_kind
from .._kinds import Kind, to_host
from .._rows import State, summed
from ..cluster._k_means import KMeans
from ._steps import DENSITIES, GIVEN, MEANS, STEP

_MATRICES = {"full", "tied"}


class GaussianMixture(NativeEstimator, theirs.GaussianMixture):
    __doc__ = theirs.GaussianMixture.__doc__

    def fit(self, X: Any, y: Any = None) -> GaussianMixture:
        """Find weights, means and covariances of the components.

        Parameters
        ----------
        X : array, shape (n, d)
        y : None
            Not used.

        Returns
        -------
        GaussianMixture
            The estimator itself. From the same start the lower bound agrees with scikit-learn's to 1e-9 of it.
        """
        self.fit_predict(X)
        return self

    @_fit_context(prefer_skip_nested_validation=True)
    def fit_predict(self, X: Any, y: Any = None) -> Any:
        """Fit, and find the component of each row.

        Parameters
        ----------
        X : array, shape (n, d)
        y : None
            Not used.

        Returns
        -------
        array, shape (n,)
            In the kind of X.
        """
        return self._result("fit_predict", X)

    def _not_native(self, X: Any) -> str | None:
        if not Kind.of(X).on_host and self.init_params != "kmeans":
            return f"init_params={self.init_params!r}, on a device"
        return "verbose is above 0" if self.verbose else super()._not_native(X)

    def _fit_predict_native(self, kind: Kind, X: Any) -> Any:
        X = validate_data(self, X, dtype=[np.float64, np.float32], ensure_min_samples=2)
        if len(X) < self.n_components:
            raise ValueError(
                f"Expected n_samples >= n_components but got n_components = {self.n_components}, n_samples = {len(X)}"
            )
        self._check_parameters(X, xp=get_namespace(X)[0])
        again = self.warm_start and hasattr(self, "converged_")
        random_state = check_random_state(self.random_state)
        best: tuple[Any, ...] | None = None
        self.converged_ = False
        for _ in range(1 if again else self.n_init):
            if not again:
                self._initialize_parameters(X, random_state, get_namespace(X)[0])
            bounds, converged = self._iterate(X, self.lower_bound_ if again else -np.inf)
            bound = bounds[-1] if bounds else -np.inf
            if best is None or bound > best[0] or best[0] == -np.inf:
                best = bound, bounds, converged, self._get_parameters()
        assert best is not None
        self.lower_bound_, self.lower_bounds_, self.converged_, found = best
        found = tuple(map(to_host, found))
        if not self.converged_ and self.max_iter > 0:
            warnings.warn(
                "Best performing initialization did not converge. Try different init parameters, or increase max_iter, tol, "
                "or check for degenerate data.",
                ConvergenceWarning,
                stacklevel=2,
            )
        self._set_parameters(found)
        self.n_iter_ = len(self.lower_bounds_)
        return self._estimate_weighted_log_prob(X).argmax(axis=1)

    def _iterate(self, X: Any, bound: Any) -> tuple[list[Any], bool]:
        """The lower bound after each iteration, and whether they converge."""
        bounds: list[Any] = []
        for _ in range(self.max_iter):
            fixed = self._fixed()
            state = _sums(STEP[self.covariance_type in _MATRICES].blocks([X], fixed))
            self._maximize(X, state, fixed[0])
            self._factorize()
            self.weights_ /= self.weights_.sum()
            before, bound = bound, X.dtype.type(state["bound"] / len(X))
            bounds.append(bound)
            if abs(bound - before) < self.tol:
                return bounds, True
        return bounds, False

    def _fixed(self) -> list[np.ndarray]:
        """Means, factors of precisions and logarithms of weights over the roots of determinants."""
        means, factors, weights = (
            np.asarray(to_host(x), np.float64) for x in (self.means_, self.precisions_cholesky_, self.weights_)
        )
        k, d = means.shape
        levels = (
            np.log(weights) + _compute_log_det_cholesky(factors, self.covariance_type, d) - 0.5 * d * np.log(2 * np.pi)
        )
        if self.covariance_type == "tied":
            factors = np.repeat(factors[None], k, axis=0)
        elif self.covariance_type == "spherical":
            factors = np.repeat(factors[:, None], d, axis=1)
        return [means, factors, levels[:, None]]

    def _maximize(self, X: Any, state: State, origin: np.ndarray) -> None:
        """Set weights, means and covariances from sums of rows without the origins; weights are numbers of rows."""
        count = state["count"] + 10 * np.finfo(X.dtype).eps
        moved = state["first"] / count[:, None]
        second = state["second"]
        shape = (-1,) + (1,) * (second.ndim - 1)
        squares = moved[:, :, None] * moved[:, None, :] if second.ndim == 3 else moved * moved
        covariances = second - count.reshape(shape) * squares
        if self.covariance_type == "tied":
            covariances = covariances.sum(axis=0) / count.sum()
        else:
            covariances = covariances / count.reshape(shape)
        if second.ndim == 3:
            covariances[..., np.arange(len(origin[0])), np.arange(len(origin[0]))] += self.reg_covar
        else:
            covariances += self.reg_covar
        if self.covariance_type == "spherical":
            covariances = covariances.mean(axis=1)
        self.weights_, self.means_ = count.astype(X.dtype), (origin + moved).astype(X.dtype)
        self.covariances_ = covariances.astype(X.dtype, copy=False)

    def _factorize(self) -> None:
        self.precisions_cholesky_ = _compute_precision_cholesky(self.covariances_, self.covariance_type)

    def _initialize_parameters(self, X: Any, random_state: Any, xp: Any = None) -> None:
        given = (self.weights_init, self.means_init, self.precisions_init)
        if self.init_params != "kmeans" or all(x is not None for x in given):
            super()._initialize_parameters(X, random_state, xp)
            return
        labels = KMeans(self.n_components, n_init=1, random_state=random_state).fit(X).labels_
        self._initialize(X, members(labels, range_there(labels, self.n_components)).astype(X.dtype))

    def _initialize(self, X: Any, resp: Any, xp: Any = None) -> None:
        if resp is not None:
            found = _sums(MEANS.blocks([X, resp], (), self.n_components))
            count = found["count"]
            origin = found["sums"] / np.where(count > 0, count, 1)[:, None]
            matrices = self.covariance_type in _MATRICES
            state = _sums(GIVEN[matrices].blocks([X, resp], [origin], self.n_components))
            if (
                self.covariance_type == "tied"
            ):  # scikit-learn's products are of all rows, also of those without a component
                state["second"][0] += to_host(X.T @ (X * (1 - resp.sum(axis=1))[:, None]))
            self._maximize(X, state, origin)
            self.weights_ = self.weights_ / len(X)
        for name in ("weights", "means"):
            if getattr(self, f"{name}_init") is not None:
                setattr(self, f"{name}_", np.asarray(to_host(getattr(self, f"{name}_init"))))
        if self.precisions_init is None:
            self._factorize()
        else:
            given = to_host(self.precisions_init)
            self.precisions_cholesky_ = _compute_precision_cholesky_from_precisions(
                given, self.covariance_type, xp=get_namespace(X)[0]
            )

    def _estimate_weighted_log_prob(self, X: Any, xp: Any = None) -> np.ndarray:
        found = DENSITIES[self.covariance_type in _MATRICES]([X], self._fixed())["found"]
        return found.astype(np.result_type(X.dtype, to_host(self.means_), np.float32), copy=False)

    def sample(self, n_samples: int = 1) -> tuple[Any, Any]:
        """Draw rows from the mixture.

        Parameters
        ----------
        n_samples : int

        Returns
        -------
        (array, array)
            Rows, shape (n, d), and their components, shape (n,), in the kind of the means.
        """
        kind = Kind.of(getattr(self, "means_", None))
        rows, components = theirs.GaussianMixture.sample(self.to_sklearn(), n_samples)
        return kind.give(rows), kind.give(components)

    def _densities_there(self, X: Any) -> Any:
        check_is_fitted(self)
        return self._estimate_weighted_log_prob(validate_data(self, X, dtype=[np.float64, np.float32], reset=False))

    def _predict_there(self, X: Any) -> Any:
        return self._densities_there(X).argmax(axis=1)

    def _shares_there(self, X: Any) -> Any:
        return np.exp(log_shares(self._densities_there(X)))

    def _samples_there(self, X: Any) -> Any:
        found = self._densities_there(X)
        most = found.max(axis=1)
        return most + np.log(np.exp(found - most[:, None]).sum(axis=1))

    def _score_there(self, X: Any, y: Any = None) -> float:
        return float(self._samples_there(X).mean())

    predict = in_kind(theirs.GaussianMixture.predict, _predict_there)
    predict_proba = in_kind(theirs.GaussianMixture.predict_proba, _shares_there)
    score_samples = in_kind(theirs.GaussianMixture.score_samples, _samples_there)
    score = in_kind(theirs.GaussianMixture.score, _score_there, by_rows=False)
    bic = in_kind(theirs.GaussianMixture.bic, by_rows=False)
    aic = in_kind(theirs.GaussianMixture.aic, by_rows=False)


def _sums(parts: list[State]) -> State:
    return {name: summed(parts, name) for name in parts[0]}
