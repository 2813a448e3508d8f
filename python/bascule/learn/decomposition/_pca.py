"""Principal components from the products of centred rows, in one pass."""

from __future__ import annotations

from typing import Any

import numpy as np
from sklearn import decomposition as theirs
from sklearn.base import _fit_context
from sklearn.decomposition._pca import _infer_dimension
from sklearn.utils.extmath import fast_logdet, svd_flip
from sklearn.utils.validation import check_is_fitted

from .._checks import validate_data
from .._chunks import checked_rows, computed, is_chunked
from .._estimator import in_kind, of_model
from .._kinds import Kind, shape_of, to_host
from .._rows import RowFunction, State
from .._scatter import scatter, values_and_vectors
from ..linear_model._gram import WORST_FOR_EXACT, Spectrum
from ._components import TYPES, Components


def _log_densities(X: Any, mean: Any, precision: Any) -> State:
    A = X - mean
    return {"squares": (A * (A @ precision)).sum(axis=1)}


_LOG_DENSITIES = RowFunction(_log_densities)


class PCA(Components, theirs.PCA):
    __doc__ = theirs.PCA.__doc__

    @_fit_context(prefer_skip_nested_validation=True)
    def fit(self, X: Any, y: Any = None) -> PCA:
        """Find the principal components.

        Parameters
        ----------
        X : array or sparse matrix, shape (n, d)
        y : None
            Not used.

        Returns
        -------
        PCA
            The estimator itself. Variances agree with scikit-learn's to 1e-10 of the largest, and components to 1e-10
            where their variances are apart.
        """
        return self._call("fit", X)

    @_fit_context(prefer_skip_nested_validation=True)
    def fit_transform(self, X: Any, y: Any = None) -> Any:
        """Find the principal components, and the coordinates of the rows along them.

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
    get_covariance = of_model(theirs.PCA.get_covariance, "components_")
    get_precision = of_model(theirs.PCA.get_precision, "components_")

    def _not_native(self, X: Any) -> str | None:
        reason = super()._not_native(X)
        shape = shape_of(X) or np.asarray(X).shape
        if reason is not None or len(shape) != 2:
            return reason
        solver = self._solver(shape)
        if solver == "full" and shape[1] >= shape[0] and not Kind.of(X).on_host:
            return "as many columns as rows, on a device"
        return f"svd_solver={solver!r}" if solver in ("arpack", "randomized") else None

    def _result(self, name: str, X: Any, *args: Any, **options: Any) -> Any:
        """Chunk by chunk, where the products of columns are taken."""
        if is_chunked(X):
            X = checked_rows(self, X, dtype=TYPES)
            if X.shape[1] >= X.shape[0] or self._not_native(X) is not None:
                (X,) = computed(X)
        return super()._result(name, X, *args, **options)

    def _solver(self, shape: tuple[int, int]) -> str:
        """By scikit-learn's rule for `svd_solver="auto"`."""
        if self.svd_solver != "auto":
            return self.svd_solver
        n, d = shape
        if d <= 1_000 and n >= 10 * d:
            return "covariance_eigh"
        if max(shape) <= 500 or self.n_components == "mle" or self.n_components is None:
            return "full"
        return "randomized" if 1 <= self.n_components < 0.8 * min(shape) else "full"

    def _fit_native(self, kind: Kind, X: Any) -> None:
        self._fit_rows(X)

    def _fit_transform_native(self, kind: Kind, X: Any) -> Any:
        rows = self._fit_rows(X)
        return in_kind(PCA._transform_checked)(self, X) if is_chunked(X) else self._project(rows)

    def _fit_rows(self, X: Any) -> Any:
        if not is_chunked(X):
            X = validate_data(self, X, dtype=TYPES)
        self._fit_svd_solver = self._solver(X.shape)
        count = min(X.shape) if self.n_components is None else self.n_components
        self._check_count(count, X.shape)
        if self._fit_svd_solver == "full":
            mean, values, vectors = _by_values(X)
        else:
            mean, values, vectors = by_products(scatter(X))
        self.mean_ = mean.astype(X.dtype, copy=False)
        self._set_spectrum(values.astype(X.dtype, copy=False), vectors.astype(X.dtype, copy=False), X.shape, count)
        return X

    def _check_count(self, count: Any, shape: tuple[int, int]) -> None:
        if count == "mle":
            if shape[0] < shape[1]:
                raise ValueError("n_components='mle' is only supported if n_samples >= n_features")
        elif not 0 <= count <= min(shape):
            raise ValueError(
                f"n_components={count} must be between 0 and min(n_samples, n_features)={min(shape)} with "
                f"svd_solver={self._fit_svd_solver!r}"
            )

    def _set_spectrum(self, values: np.ndarray, vectors: np.ndarray, shape: tuple[int, int], count: Any) -> None:
        """Set the fitted attributes from singular values and right vectors of the centred rows."""
        vectors = svd_flip(None, vectors, u_based_decision=False)[1]
        variances = values**2 / (shape[0] - 1)
        ratios = variances / variances.sum()
        if count == "mle":
            count = _infer_dimension(variances, shape[0])
        elif 0 < count < 1:
            count = np.searchsorted(np.cumsum(ratios), count, side="right") + 1
        self.noise_variance_ = variances[count:].mean() if count < min(shape) else 0.0
        self.n_samples_, self.n_components_ = shape[0], count
        self.components_ = vectors[:count].copy()
        self.explained_variance_ = variances[:count].copy()
        self.explained_variance_ratio_ = ratios[:count].copy()
        self.singular_values_ = values[:count].copy()

    def _score_checked(self, X: Any) -> Any:
        check_is_fitted(self)
        X = validate_data(self, X, dtype=[np.float64, np.float32], reset=False)
        precision = to_host(self.get_precision())
        mean = to_host(self.mean_)
        squares = _LOG_DENSITIES([X], [mean, precision])["squares"]
        densities = -0.5 * (squares + X.shape[1] * np.log(2 * np.pi) - fast_logdet(precision))
        return densities.astype(np.result_type(X.dtype, mean, precision), copy=False)

    def score_samples(self, X: Any) -> Any:
        """The log-likelihood of each row.

        Parameters
        ----------
        X : array, shape (n, d)

        Returns
        -------
        array, shape (n,)
            In the kind of X.
        """
        return in_kind(PCA._score_checked)(self, X)

    def score(self, X: Any, y: Any = None) -> float:
        """The mean log-likelihood of the rows.

        Parameters
        ----------
        X : array, shape (n, d)
        y : None
            Not used.

        Returns
        -------
        float
        """
        return float(to_host(self.score_samples(X)).mean())


def by_products(state: State) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Mean, singular values in descending order, and right vectors, of the products of centred rows."""
    return state["mean"], *values_and_vectors(state["gram"])


def _by_values(X: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """The same where small singular values matter: by a triangular factor if the products are not accurate enough."""
    if X.shape[1] >= X.shape[0]:
        A = X.astype(np.float64, copy=False)
        mean = A.mean(axis=0)
        A = A - mean
        spectrum = Spectrum.of_matrix(A, A[:, :0])
        return mean, spectrum.values, spectrum.vectors
    state = scatter(X)
    mean, values, vectors = by_products(state)
    if not values[0] ** 2 < WORST_FOR_EXACT * values[-1] ** 2:
        spectrum = Spectrum.of_rows(X, X[:, :0], None, {"mean": mean, "level": mean[:0]})
        values, vectors = spectrum.values, spectrum.vectors
    return mean, values, vectors
