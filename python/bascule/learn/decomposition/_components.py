"""The common part of decompositions: rows as combinations of components."""

from __future__ import annotations

from typing import Any

import numpy as np
from sklearn.utils.validation import check_is_fitted

from .._checks import check_array, validate_data
from .._estimator import NativeEstimator, in_kind
from .._kinds import is_on_device, is_sparse, near, shared, to_host
from ..preprocessing._scaler import LARGE

TYPES = [np.float64, np.float32]


class Components(NativeEstimator):
    """Decompositions with `components_`, and with `mean_` and `explained_variance_` where rows are centred."""

    whiten: bool

    def _scales(self) -> np.ndarray:
        """Deviations of whitened rows; scikit-learn's bound keeps those of dependent columns from nought."""
        deviations = np.sqrt(to_host(self.explained_variance_))  # type: ignore[attr-defined]
        return np.maximum(deviations, np.finfo(deviations.dtype).eps)

    def _project(self, X: Any) -> Any:
        mean, components = to_host(self.mean_), to_host(self.components_)  # type: ignore[attr-defined]
        vectors = components.T / self._scales() if self.whiten else components.T
        if is_on_device(X):
            vectors, level = near(X, vectors, mean @ vectors)
            return X @ vectors - level
        if X.size < LARGE:
            found = X @ vectors
            found -= mean @ vectors
            return found
        # NumPy's threads of BLAS wait for work in a loop, for longer than this product takes
        return np.asarray(shared(X) @ shared(np.ascontiguousarray(vectors)) - shared(mean @ vectors))

    def _transform_checked(self, X: Any) -> Any:
        check_is_fitted(self)
        if is_sparse(X):
            return self._left("transform", "X is sparse", X)
        return self._project(validate_data(self, X, dtype=TYPES, reset=False))

    def transform(self, X: Any) -> Any:
        """Find the coordinates of rows along the components.

        Parameters
        ----------
        X : array or sparse matrix, shape (n, d)

        Returns
        -------
        array, shape (n, components)
            In the kind of X.
        """
        return in_kind(type(self)._transform_checked)(self, X)

    def _inverse_checked(self, X: Any) -> Any:
        check_is_fitted(self)
        X = check_array(X, input_name="X", dtype=TYPES)
        return self._combine(X)

    def _combine(self, X: Any) -> Any:
        mean, components = to_host(self.mean_), to_host(self.components_)  # type: ignore[attr-defined]
        if self.whiten:
            components = components * np.sqrt(to_host(self.explained_variance_))[:, None]  # type: ignore[attr-defined]
        components, mean = near(X, components, mean)
        return X @ components + mean

    def inverse_transform(self, X: Any) -> Any:
        """Find rows from their coordinates along the components.

        Parameters
        ----------
        X : array, shape (n, components)

        Returns
        -------
        array, shape (n, d)
            In the kind of X.
        """
        return in_kind(Components._inverse_checked)(self, X)
