"""Principal components of rows that come in batches: products of all batches in one pass, then a decomposition a batch."""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy import linalg
from sklearn import decomposition as theirs
from sklearn.base import _fit_context
from sklearn.utils import gen_batches
from sklearn.utils.extmath import svd_flip

from .._checks import validate_data
from .._estimator import of_model
from .._kinds import Kind, to_host
from .._rows import State
from .._scatter import batches
from ..linear_model._gram import WORST_FOR_EXACT
from ._components import Components
from ._pca import by_products

_TYPES = [np.float64, np.float32]


class IncrementalPCA(Components, theirs.IncrementalPCA):
    __doc__ = theirs.IncrementalPCA.__doc__

    @_fit_context(prefer_skip_nested_validation=True)
    def fit(self, X: Any, y: Any = None) -> IncrementalPCA:
        """Find the principal components, a batch of `batch_size` rows after the other.

        Parameters
        ----------
        X : array or sparse matrix, shape (n, d)
        y : None
            Not used.

        Returns
        -------
        IncrementalPCA
            The estimator itself. Variances agree with scikit-learn's to 1e-10 of the largest.
        """
        return self._call("fit", X)

    @_fit_context(prefer_skip_nested_validation=True)
    def partial_fit(self, X: Any, y: Any = None, check_input: bool = True) -> IncrementalPCA:
        """Add a batch of rows.

        Parameters
        ----------
        X : array, shape (n, d)
        y : None
            Not used.
        check_input : bool
            Whether X is checked.

        Returns
        -------
        IncrementalPCA
            The estimator itself.
        """
        return self._call("partial_fit", X, y, check_input, names=("y", "check_input"))

    transform = Components.transform
    get_covariance = of_model(theirs.IncrementalPCA.get_covariance, "components_")
    get_precision = of_model(theirs.IncrementalPCA.get_precision, "components_")

    def _fit_native(self, kind: Kind, X: Any) -> None:
        X = validate_data(self, X, dtype=_TYPES)
        self.components_ = self.singular_values_ = self.explained_variance_ = None
        self.explained_variance_ratio_ = self.noise_variance_ = None
        self.n_samples_seen_, self.mean_, self.var_ = 0, 0.0, 0.0
        self.batch_size_ = 5 * X.shape[1] if self.batch_size is None else self.batch_size
        cuts = list(gen_batches(len(X), self.batch_size_, min_batch_size=self.n_components or 0))
        for cut, state in zip(cuts, batches(X, cuts)):
            self._add(X[cut], state)

    def _partial_fit_native(self, kind: Kind, X: Any, y: Any, check_input: bool) -> None:
        first = not hasattr(self, "components_")
        if check_input:
            X = validate_data(self, X, dtype=_TYPES, reset=first)
        if first:
            self._check_first(len(X))
            self.components_, self.n_samples_seen_, self.mean_, self.var_ = None, 0, 0.0, 0.0
        self._add(X, next(iter(batches(X, [slice(0, len(X))]))))

    def _check_first(self, n: int) -> None:
        if self.n_components is not None and self.n_components > n:
            raise ValueError(
                f"n_components={self.n_components} must be less or equal to the batch number of samples {n} for the first "
                "partial_fit call."
            )

    def _count(self, n: int, d: int) -> int:
        """The number of components, after scikit-learn's checks."""
        if self.n_components is None:
            return min(n, d) if self.components_ is None else self.components_.shape[0]
        if self.n_components > d:
            raise ValueError(
                f"n_components={self.n_components!r} invalid for n_features={d}, need more rows than columns for "
                "IncrementalPCA processing"
            )
        if self.components_ is not None and self.components_.shape[0] != self.n_components:
            raise ValueError(
                f"Number of input features has changed from {self.components_.shape[0]} to {self.n_components} between calls "
                "to partial_fit! Try setting n_components to a fixed value."
            )
        return self.n_components

    def _add(self, X: np.ndarray, state: State) -> None:
        """Add a batch with a mean and products of centred rows."""
        n, d = X.shape
        k = self.n_components_ = self._count(n, d)
        seen, mean, gram = self.n_samples_seen_, state["mean"], state["gram"]
        total = np.float64(seen + n)
        squares = gram.diagonal().copy()
        center, extra = mean, None
        if seen:
            before = to_host(self.mean_)
            apart = mean - before
            center = before + apart * (n / total)
            squares += to_host(self.var_) * seen + apart * apart * (seen / total * n)
            extra = np.concatenate([
                (to_host(self.singular_values_)[:, None] * to_host(self.components_)).astype(np.float64),
                np.sqrt(seen / total * n) * -apart[None],
            ])  # fmt: skip
        values, vectors = _decomposed(X, mean, gram, extra, k)
        vectors = svd_flip(None, vectors, u_based_decision=False)[1]
        dtype = np.float64 if seen else X.dtype
        variances = values**2 / (total - 1)
        self.n_samples_seen_, self.mean_, self.var_ = total, center, squares / total
        self.components_, self.singular_values_ = vectors[:k].astype(dtype), values[:k].astype(dtype)
        self.explained_variance_ = variances[:k]
        self.explained_variance_ratio_ = values[:k] ** 2 / squares.sum()
        self.noise_variance_ = variances[k:].mean() if k not in (n, d) else 0.0


def _decomposed(
    X: np.ndarray, mean: np.ndarray, gram: np.ndarray, extra: np.ndarray | None, k: int
) -> tuple[np.ndarray, np.ndarray]:
    """Singular values and right vectors of centred rows with extra ones below, as many as there are rows or columns."""
    count = min(len(X) + (0 if extra is None else len(extra)), X.shape[1])
    if count == X.shape[1]:
        _, values, vectors = by_products({"mean": mean, "gram": gram if extra is None else gram + extra.T @ extra})
        if values[0] ** 2 < WORST_FOR_EXACT * values[k - 1] ** 2:
            return values, vectors
    rows = to_host(X).astype(np.float64) - mean  # few rows of a device, or some that are badly conditioned
    _, values, vectors = linalg.svd(
        rows if extra is None else np.concatenate([rows, extra]), full_matrices=False, check_finite=False
    )
    return values, vectors
