"""Truncated singular values from the products of rows, in one pass; of sparse rows by scikit-learn's projections."""

from __future__ import annotations

from typing import Any

import numpy as np
from sklearn import decomposition as theirs
from sklearn.base import _fit_context
from sklearn.utils import check_random_state
from sklearn.utils.extmath import _randomized_svd as randomized_svd
from sklearn.utils.extmath import svd_flip
from sklearn.utils.sparsefuncs import mean_variance_axis
from sklearn.utils.validation import check_is_fitted

from ...sparse import csc_array, csr_array
from ...sparse._products import dense_product
from .._blas import one_thread
from .._checks import validate_data
from .._kinds import Kind, is_sparse, near, shape_of, shared, to_host
from .._scatter import scatter, values_and_vectors
from ..linear_model._gram import WORST_FOR_EXACT, Spectrum
from ._components import Components

_MANY = 1_000  # columns from which scikit-learn's random projections are faster than an eigendecomposition


class Factor:
    """Sparse rows whose products are NumPy's arrays, made on all threads."""

    __array_ufunc__ = None  # operators of NumPy's arrays leave the call to ours

    def __init__(self, X: Any, by_rows: Any = None, by_columns: Any = None):
        self.shape, self.dtype = X.shape, X.dtype
        self.given = X
        self.by_rows, self.by_columns = by_rows, by_columns

    def _rows(self) -> Any:
        """By rows: a product reads them in their order."""
        if self.by_rows is None:
            self.by_rows = (csc_array(self.given) if self.given.format == "csc" else csr_array(self.given)).tocsr()
        return self.by_rows

    @property
    def T(self) -> Factor:
        if self.by_columns is None:
            self.by_columns = self._rows().tocsc().T
        return Factor(self.by_columns, self.by_columns, self._rows())

    def __matmul__(self, B: np.ndarray) -> np.ndarray:
        return np.asarray(self._rows() @ shared(B))

    def __rmatmul__(self, B: np.ndarray) -> np.ndarray:
        return (self.T @ np.ascontiguousarray(B.T)).T


class TruncatedSVD(Components, theirs.TruncatedSVD):
    __doc__ = theirs.TruncatedSVD.__doc__

    _keeps_types = True

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
        if is_sparse(X):
            return "algorithm='arpack'" if self.algorithm == "arpack" else None
        reason = super()._not_native(X)
        shape = shape_of(X) or np.asarray(X).shape
        if reason is not None or len(shape) != 2:
            return reason
        if self.algorithm == "arpack":
            return "algorithm='arpack'"
        return "X has many columns" if shape[1] > min(_MANY, shape[0]) else None

    def _fit_transform_native(self, kind: Kind, X: Any) -> Any:
        if is_sparse(X):
            with one_thread:
                return self._of_sparse(X)
        X = validate_data(self, X, ensure_min_features=2)
        if self.n_components > X.shape[1]:
            raise ValueError(f"n_components({self.n_components}) must be <= n_features({X.shape[1]}).")
        state = scatter(X)
        mean, n, k = state["mean"], len(X), self.n_components
        values, vectors = values_and_vectors(state["gram"] + n * mean[:, None] * mean)
        if not values[0] ** 2 < WORST_FOR_EXACT * values[k - 1] ** 2:
            spectrum = Spectrum.of_rows(X, X[:, :0], None, {"mean": np.zeros(X.shape[1]), "level": np.zeros(0)})
            values, vectors = spectrum.values, spectrum.vectors
        self._set_components(values, vectors, state["gram"], n, X.dtype)
        return self._project(X)

    def _by_gram(self, X: Any) -> bool:
        """From the products of columns; false where values are too far apart for them."""
        rows = (csc_array(X) if X.format == "csc" else csr_array(X)).tocsr().astype(np.float64, copy=False)
        gram, n = np.asarray(dense_product(rows.tocsc().T, rows)), X.shape[0]
        mean = np.asarray(rows.sum(axis=0)) / n
        gram = (gram + gram.T) / 2
        values, vectors = values_and_vectors(gram)
        if not values[0] ** 2 < WORST_FOR_EXACT * values[self.n_components - 1] ** 2:
            return False
        self._set_components(values, vectors, gram - n * mean[:, None] * mean, n, X.dtype)
        return True

    def _set_components(self, values: np.ndarray, vectors: np.ndarray, scatter: np.ndarray, n: int, dtype: Any) -> None:
        """The attributes, from singular values, right vectors, and products of centred rows."""
        k = self.n_components
        vectors = svd_flip(None, vectors[:k], u_based_decision=False)[1]
        dtype = dtype if dtype.kind == "f" else np.dtype(np.float64)
        variances = ((vectors @ scatter) * vectors).sum(axis=1) / n
        self.components_ = vectors.astype(dtype, copy=False)
        self.singular_values_ = values[:k].astype(dtype)
        self.explained_variance_ = variances.astype(dtype, copy=False)
        self.explained_variance_ratio_ = (variances / (scatter.trace() / n)).astype(dtype, copy=False)

    def _of_sparse(self, X: Any) -> Any:
        """Of few columns as of dense rows; else scikit-learn's random projections, with products on all threads."""
        X = validate_data(self, X, accept_sparse=["csr", "csc"], ensure_min_features=2)
        if self.n_components > X.shape[1]:
            raise ValueError(f"n_components({self.n_components}) must be <= n_features({X.shape[1]}).")
        if X.shape[1] <= min(_MANY, X.shape[0]) and self._by_gram(X):
            return Factor(X) @ self.components_.T
        U, values, V = randomized_svd(
            Factor(X),
            self.n_components,
            n_iter=self.n_iter,
            n_oversamples=self.n_oversamples,
            power_iteration_normalizer=self.power_iteration_normalizer,
            random_state=check_random_state(self.random_state),
            flip_sign=False,
        )
        self.components_ = svd_flip(U, V, u_based_decision=False)[1]
        found = Factor(X) @ self.components_.T
        self.explained_variance_ = found.var(axis=0)
        self.explained_variance_ratio_ = self.explained_variance_ / mean_variance_axis(X, axis=0)[1].sum()
        self.singular_values_ = values
        return found

    def _transform_checked(self, X: Any) -> Any:
        if not is_sparse(X):
            return super()._transform_checked(X)
        check_is_fitted(self)
        return Factor(validate_data(self, X, accept_sparse=["csr", "csc"], reset=False)) @ to_host(self.components_).T

    def _project(self, X: Any) -> Any:
        return X @ near(X, self.components_)[0].T

    def _combine(self, X: Any) -> Any:
        return X @ near(X, self.components_)[0]
