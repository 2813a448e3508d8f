"""The common part of k-means and its variant on small batches: labels and distances of rows."""

from __future__ import annotations

from typing import Any

import numpy as np
from sklearn.cluster._kmeans import _is_arraylike_not_scalar
from sklearn.utils import check_array
from sklearn.utils.validation import check_is_fitted

from .._checks import check_sample_weight, known_finite, validate_data, values_of
from .._estimator import NativeEstimator, in_kind
from .._kinds import is_on_device, is_sparse, to_host
from ._device_rows import DeviceRows
from ._nearest import Rows
from ._sparse_rows import SparseRows


def compared(X: Any) -> Any:
    """Rows that centers are compared with."""
    if is_sparse(X):
        return SparseRows(X)
    return DeviceRows(X) if is_on_device(X) else Rows(X.astype(np.float64, copy=False), None, None)


class Clusters(NativeEstimator):
    """Estimators with `cluster_centers_`."""

    def _not_native(self, X: Any) -> str | None:
        return "verbose is above 0" if self.verbose else super()._not_native(X)  # type: ignore[attr-defined]

    def _rows_and_centers(self, X: Any) -> tuple[np.ndarray, np.ndarray]:
        check_is_fitted(self)
        X = self._checked_rows(X)
        centers = to_host(self.cluster_centers_).astype(np.float64, copy=False)  # type: ignore[attr-defined]
        return X, centers

    def _checked_rows(self, X: Any) -> Any:
        if is_on_device(X):
            return validate_data(self, X, dtype=[np.float64, np.float32], reset=False)
        with known_finite(values_of(X)):
            return self._check_test_data(X)  # type: ignore[attr-defined]

    def _given_init(self, X: np.ndarray) -> Any:
        """The start that is given, checked and copied, or what finds one."""
        init = to_host(self.init)  # type: ignore[attr-defined]
        if _is_arraylike_not_scalar(init):
            init = check_array(init, dtype=X.dtype, copy=True, order="C")
            self._validate_center_shape(X, init)  # type: ignore[attr-defined]
        return init

    def _predicted(self, X: Any) -> Any:
        X, centers = self._rows_and_centers(X)
        return compared(X).labels(centers)

    def predict(self, X: Any) -> Any:
        """Find the nearest center of each row.

        Parameters
        ----------
        X : array or sparse matrix, shape (n, d)

        Returns
        -------
        array of int32, shape (n,)
            In the kind of X.
        """
        return in_kind(Clusters._predicted)(self, X)

    def _transformed(self, X: Any) -> Any:
        check_is_fitted(self)
        X = self._checked_rows(X)
        centers = to_host(self.cluster_centers_)  # type: ignore[attr-defined]
        dtype = np.result_type(X.dtype, centers)
        return compared(X).distances(centers.astype(np.float64, copy=False)).astype(dtype, copy=False)

    def transform(self, X: Any) -> Any:
        """Find the distances of rows from the centers.

        Parameters
        ----------
        X : array or sparse matrix, shape (n, d)

        Returns
        -------
        array, shape (n, clusters)
            In the kind of X.
        """
        return in_kind(Clusters._transformed)(self, X)

    def fit_transform(self, X: Any, y: Any = None, sample_weight: Any = None) -> Any:
        """Find the centers, and the distances of rows from them.

        Parameters
        ----------
        X : array or sparse matrix, shape (n, d)
        y : None
            Not used.
        sample_weight : array, shape (n,), optional

        Returns
        -------
        array, shape (n, clusters)
            In the kind of X.
        """
        return Clusters.transform(self.fit(X, sample_weight=sample_weight), X)  # type: ignore[attr-defined]

    def _scored(self, X: Any, y: Any = None, sample_weight: Any = None) -> Any:
        X, centers = self._rows_and_centers(X)
        w = check_sample_weight(sample_weight, X, dtype=np.float64)
        return -float((compared(X).labels_and_squares(centers)[1] * w).sum())

    def score(self, X: Any, y: Any = None, sample_weight: Any = None) -> float:
        """The opposite of the sum of squared distances from the nearest centers.

        Parameters
        ----------
        X : array or sparse matrix, shape (n, d)
        y : None
            Not used.
        sample_weight : array, shape (n,), optional

        Returns
        -------
        float
        """
        return in_kind(Clusters._scored, by_rows=False)(self, X, y, sample_weight)
