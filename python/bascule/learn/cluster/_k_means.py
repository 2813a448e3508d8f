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
from sklearn.utils.sparsefuncs import mean_variance_axis

from ...fallback import refuse_on_gpu
from .._checks import check_sample_weight, validate_data
from .._chunks import aligned, checked_rows, computed, is_chunked
from .._kinds import Kind, is_on_device, is_sparse, shared, to_host, without_repeats
from ..preprocessing._scaler import LARGE
from ._chunk_rows import ChunkRows
from ._clusters import Clusters
from ._device_rows import DeviceRows, is_same
from ._lloyd import Lloyd
from ._nearest import Rows
from ._sparse_rows import SparseRows

_FULL = 4  # elements for each that is stored


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
        if is_chunked(X):
            X, w = aligned(checked_rows(self, X, dtype=[np.float64, np.float32]), sample_weight)
        else:
            X, w = self._in_memory(X, sample_weight)
        if X.shape[0] < self.n_clusters:
            raise ValueError(f"n_samples={X.shape[0]} should be >= n_clusters={self.n_clusters}.")
        self._check_starts()
        random_state = check_random_state(self.random_state)
        self._n_threads = _openmp_effective_n_threads()
        init, mean = self._given_init(X), np.zeros(X.shape[1]) if is_sparse(X) else _mean(X)
        if isinstance(init, np.ndarray):
            init -= mean.astype(init.dtype, copy=False)
        rows = self._rows(X, mean, init, w)
        total, weighted = rows.squares()
        self._tol = self.tol * (mean_variance_axis(X, axis=0)[1].mean() if is_sparse(X) else total / X.size)
        best = None
        for _ in range(self._n_init):
            lloyd = Lloyd(rows, self._start(rows, mean, init, random_state, X.dtype))
            iterations = lloyd.run(self.max_iter, self._tol)
            found = (*lloyd.result(weighted), lloyd.centers, iterations)
            if best is None or (found[1] < best[1] and not _are_same(found[0], best[0], self.n_clusters)):
                best = found
        assert best is not None
        labels, inertia, centers, self.n_iter_ = best
        distinct = int(np.count_nonzero(np.bincount(labels, minlength=self.n_clusters)))
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
        self.inertia_ = inertia

    def _result(self, name: str, X: Any, *args: Any, **options: Any) -> Any:
        if is_chunked(X) and (callable(self.init) or self._not_native(X) is not None):
            X, *args = computed(X, *args)  # type: ignore[assignment]
        return super()._result(name, X, *args, **options)

    def _in_memory(self, X: Any, sample_weight: Any) -> tuple[Any, Any]:
        """Rows and weights after scikit-learn's checks."""
        X = validate_data(
            self, X, accept_sparse="csr", dtype=[np.float64, np.float32], order="C", accept_large_sparse=False
        )
        if is_sparse(X):
            X = X.toarray() if _is_full(X) and not callable(self.init) else without_repeats(X)
        return X, None if sample_weight is None else check_sample_weight(sample_weight, X, dtype=X.dtype)

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

    def _not_native(self, X: Any) -> str | None:
        if not Kind.of(X).on_host and callable(self.init):
            return "init is a function of rows on the host"
        return "verbose is above 0" if self.verbose else None if is_sparse(X) else super()._not_native(X)

    def _rows(self, X: Any, mean: np.ndarray, init: Any, w: np.ndarray | None) -> Any:
        """The centred rows; those of float32 have scikit-learn's rounding, and functions see what it gives them."""
        if is_sparse(X):
            return SparseRows(X, None if w is None else w.astype(np.float64, copy=False))
        if is_on_device(X) or is_chunked(X):
            return (ChunkRows if is_chunked(X) else DeviceRows)(X, mean, w)
        if X.dtype == np.float64 and not callable(init):
            return Rows(X, mean, w)
        w = None if w is None else w.astype(np.float64, copy=False)
        return Rows((X - mean).astype(np.float64, copy=False), None, w)

    def _start(self, rows: Any, mean: np.ndarray, init: Any, random_state: Any, dtype: Any) -> np.ndarray:
        if isinstance(rows, (DeviceRows, ChunkRows)):
            return self._start_there(rows, init, random_state)
        if isinstance(rows, Rows) and isinstance(init, str) and init == "k-means++" and dtype == np.float64:
            return rows.plus_plus(self.n_clusters, random_state)
        # float32: scikit-learn's sums of distances, whose rounding chooses rows
        X = rows.given if isinstance(rows, SparseRows) else rows.X.astype(dtype, copy=False)
        w = np.ones(X.shape[0], dtype) if rows.w is None else rows.w.astype(dtype, copy=False)
        norms = row_norms(X, squared=True)
        found = self._init_centroids(X, x_squared_norms=norms, init=init, random_state=random_state, sample_weight=w)
        drawn = isinstance(init, str) and rows.shift is not None
        return (found - mean if drawn else found).astype(np.float64, copy=False)

    def _start_there(self, rows: DeviceRows | ChunkRows, init: Any, random_state: Any) -> np.ndarray:
        if not isinstance(init, str):
            return init.astype(np.float64, copy=False)
        if init == "k-means++":
            return rows.plus_plus(self.n_clusters, random_state)
        if rows.w is not None and isinstance(rows, DeviceRows):
            refuse_on_gpu("learn.KMeans.fit", "init='random' with weights", rows.X.device, "scikit-learn")
        w = np.ones(len(rows)) if rows.w is None else np.asarray(rows.w)
        return rows.taken(random_state.choice(len(rows), self.n_clusters, replace=False, p=w / w.sum()))


def _is_full(X: Any) -> bool:
    """Whether sparse rows have so many elements that passes over all of them take less time; the memory is at most 2.7 times
    that of the sparse rows."""
    return X.dtype == np.float64 and X.shape[0] * X.shape[1] <= _FULL * X.nnz


def _are_same(a: Any, b: Any, k: int) -> bool:
    """Whether labels are others but for their numbers."""
    return is_same(a, b, k) if is_on_device(a) else _is_same_clustering(np.asarray(a), np.asarray(b), k)


def _mean(X: Any) -> np.ndarray:
    """The mean of rows, with NumPy's bits on the host."""
    if is_on_device(X) or is_chunked(X):
        return np.asarray(to_host(X.mean(axis=0, dtype=np.float64)))
    return X.mean(axis=0) if X.size < LARGE else np.asarray(shared(X).mean(axis=0))
