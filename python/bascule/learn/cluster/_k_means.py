"""k-means: the start of k-means++ and Lloyd's iterations by blocks of rows."""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np
from sklearn import cluster as theirs
from sklearn.base import _fit_context
from sklearn.cluster._k_means_common import _is_same_clustering
from sklearn.cluster._kmeans import _is_arraylike_not_scalar
from sklearn.exceptions import ConvergenceWarning
from sklearn.utils import check_random_state
from sklearn.utils._openmp_helpers import _openmp_effective_n_threads
from sklearn.utils.extmath import row_norms
from sklearn.utils.validation import _check_sample_weight, validate_data

from ... import _core
from .._kinds import Kind
from ..preprocessing._scaler import LARGE
from ._clusters import Clusters
from ._lloyd import Lloyd
from ._nearest import plus_plus


class KMeans(Clusters, theirs.KMeans):
    __doc__ = theirs.KMeans.__doc__

    @_fit_context(prefer_skip_nested_validation=True)
    def fit(self, X: Any, y: Any = None, sample_weight: Any = None) -> KMeans:
        """Find the centers of clusters.

        Parameters
        ----------
        X : array or sparse matrix, shape (n, d)
        y : None
            Not used.
        sample_weight : array, shape (n,), optional

        Returns
        -------
        KMeans
            The estimator itself. Labels are those of scikit-learn for the same `random_state`, but for rows that are as
            far from two centers within rounding.
        """
        return self._call("fit", X, y, sample_weight)

    transform = Clusters.transform
    fit_transform = Clusters.fit_transform

    def _fit_native(self, kind: Kind, X: Any, y: Any = None, sample_weight: Any = None) -> None:
        X = validate_data(self, X, dtype=[np.float64, np.float32], order="C", accept_large_sparse=False)
        if len(X) < self.n_clusters:
            raise ValueError(f"n_samples={len(X)} should be >= n_clusters={self.n_clusters}.")
        centred, mean = _centred(X)
        norms = row_norms(centred, squared=True)
        self._tol = self.tol * norms.mean(dtype=np.float64) / X.shape[1]
        self._check_starts()
        random_state = check_random_state(self.random_state)
        w = _check_sample_weight(sample_weight, X, dtype=X.dtype)
        self._n_threads = _openmp_effective_n_threads()
        init = self._given_init(X)
        if isinstance(init, np.ndarray):
            init -= mean
        best = None
        for _ in range(self._n_init):
            start = self._start(centred, norms, init, random_state, w)
            found = self._run(centred, norms, w, start)
            if best is None or (found[1] < best[1] and not _is_same_clustering(found[0], best[0], self.n_clusters)):
                best = found
        assert best is not None
        labels, inertia, centers, self.n_iter_ = best
        distinct = len(np.unique(labels))
        if distinct < self.n_clusters:
            warnings.warn(
                f"Number of distinct clusters ({distinct}) found smaller than n_clusters ({self.n_clusters}). Possibly "
                "due to duplicate points in X.",
                ConvergenceWarning,
                stacklevel=2,
            )
        self.cluster_centers_ = (centers + mean).astype(X.dtype, copy=False)
        self._n_features_out = len(centers)
        self.labels_ = labels
        self.inertia_ = float(inertia)

    def _check_starts(self) -> None:
        """The number of starts, and scikit-learn's warnings."""
        given = _is_arraylike_not_scalar(self.init)
        self._n_init = self.n_init
        if self.n_init == "auto":
            self._n_init = 1 if given or (isinstance(self.init, str) and self.init == "k-means++") else 10
        if given and self._n_init != 1:
            warnings.warn(
                f"Explicit initial center position passed: performing only one init in {type(self).__name__} instead of "
                f"n_init={self._n_init}.",
                RuntimeWarning,
                stacklevel=2,
            )
            self._n_init = 1
        self._algorithm = self.algorithm
        if self.algorithm == "elkan" and self.n_clusters == 1:
            warnings.warn(
                "algorithm='elkan' doesn't make sense for a single cluster. Using 'lloyd' instead.",
                RuntimeWarning,
                stacklevel=2,
            )
            self._algorithm = "lloyd"

    def _start(self, X: np.ndarray, norms: np.ndarray, init: Any, random_state: Any, w: np.ndarray) -> np.ndarray:
        if isinstance(init, str) and init == "k-means++" and X.dtype == np.float64:
            return plus_plus(X, self.n_clusters, norms, w, random_state)
        # float32: scikit-learn's sums of distances, whose rounding chooses rows
        return self._init_centroids(X, x_squared_norms=norms, init=init, random_state=random_state, sample_weight=w)

    def _run(
        self, X: np.ndarray, norms: np.ndarray, w: np.ndarray, start: np.ndarray
    ) -> tuple[np.ndarray, Any, np.ndarray, int]:
        """Labels, inertia, centers and the number of iterations."""
        X, norms, w, start = (x.astype(np.float64, copy=False) for x in (X, norms, w, start))
        lloyd = Lloyd(X, norms, w, start)
        iterations = lloyd.run(self.max_iter, self._tol)
        centers = lloyd.centers
        inertia = lloyd.inertia()
        if inertia is not None:
            return lloyd.labels.astype(np.int32), inertia, centers, iterations
        labels, squares = self._labels_and_squares(X, centers)
        return labels, (squares * w).sum(), centers, iterations


def _centred(X: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Rows without their mean, and the mean, with NumPy's bits."""
    if X.size < LARGE:
        mean = X.mean(axis=0)
        return X - mean, mean
    lazy = _core.from_numpy(X, "cpu", True)
    mean = lazy.mean(axis=0)
    return np.asarray(lazy - mean), np.asarray(mean)
