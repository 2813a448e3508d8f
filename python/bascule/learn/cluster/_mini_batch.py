"""k-means on small batches of rows that are drawn at random."""

from __future__ import annotations

from typing import Any

import numpy as np
from sklearn import cluster as theirs
from sklearn.base import _fit_context
from sklearn.utils import check_random_state
from sklearn.utils._openmp_helpers import _openmp_effective_n_threads
from sklearn.utils.extmath import row_norms

from .._checks import check_sample_weight, validate_data
from .._kinds import Kind, to_host
from ._clusters import Clusters, compared
from ._nearest import Rows


class MiniBatchKMeans(Clusters, theirs.MiniBatchKMeans):
    __doc__ = theirs.MiniBatchKMeans.__doc__

    @_fit_context(prefer_skip_nested_validation=True)
    def fit(self, X: Any, y: Any = None, sample_weight: Any = None) -> MiniBatchKMeans:
        """Find the centers of clusters from batches of rows.

        Parameters
        ----------
        X : array or sparse matrix, shape (n, d)
        y : None
            Not used.
        sample_weight : array, shape (n,), optional

        Returns
        -------
        MiniBatchKMeans
            The estimator itself. Batches are those of scikit-learn for the same `random_state`, and centers agree to
            rounding.
        """
        return self._call("fit", X, y, sample_weight)

    @_fit_context(prefer_skip_nested_validation=True)
    def partial_fit(self, X: Any, y: Any = None, sample_weight: Any = None) -> MiniBatchKMeans:
        """Move the centers by one batch of rows.

        Parameters
        ----------
        X : array or sparse matrix, shape (n, d)
        y : None
            Not used.
        sample_weight : array, shape (n,), optional

        Returns
        -------
        MiniBatchKMeans
            The estimator itself.
        """
        return self._call("partial_fit", X, y, sample_weight)

    _on_device = "batches are drawn on the host"

    transform = Clusters.transform
    fit_transform = Clusters.fit_transform

    def _checked(self, X: Any, sample_weight: Any, first: bool) -> tuple[np.ndarray, np.ndarray]:
        X = validate_data(self, X, dtype=[np.float64, np.float32], order="C", accept_large_sparse=False, reset=first)
        if first:
            self._check_params_vs_input(X)
        self._n_threads = _openmp_effective_n_threads()
        return X, check_sample_weight(sample_weight, X, dtype=X.dtype)

    def _start(self, X: np.ndarray, norms: np.ndarray, w: np.ndarray, init: Any, random_state: Any) -> np.ndarray:
        return self._init_centroids(
            X, x_squared_norms=norms, init=init, random_state=random_state, init_size=self._init_size, sample_weight=w
        )

    def _best_start(self, X: np.ndarray, w: np.ndarray, random_state: Any) -> np.ndarray:
        """Of several starts the one with the least inertia of some rows."""
        init = self._given_init(X)
        norms = row_norms(X, squared=True)
        some = random_state.randint(0, len(X), self._init_size)
        if self._n_init == 1:
            return self._start(X, norms, w, init, random_state)
        rows, least, best = compared(X[some]), None, None
        for _ in range(self._n_init):
            start = self._start(X, norms, w, init, random_state)
            inertia = float(rows.labels_and_squares(start.astype(np.float64))[1] @ w[some])
            if least is None or inertia < least:
                least, best = inertia, start
        assert best is not None
        return best

    def _fit_native(self, kind: Kind, X: Any, y: Any = None, sample_weight: Any = None) -> None:
        X, w = self._checked(X, sample_weight, True)
        random_state = check_random_state(self.random_state)
        centers = self._best_start(X, w, random_state).astype(np.float64)
        self._counts = np.zeros(self.n_clusters)
        self._ewa_inertia = self._ewa_inertia_min = None
        self._no_improvement = self._n_since_last_reassign = 0
        total, size = w.sum(), self._batch_size
        shares = w / total
        steps = self.max_iter * len(X) // size
        limits = np.cumsum(shares, dtype=np.float64)
        limits /= limits[-1]
        step = 0
        while step < steps:
            # scikit-learn's draws: the first one has NumPy's checks, the others do not sum the weights again
            drawn = limits.searchsorted(random_state.random_sample(size), side="right") if step else random_state.choice(len(X), size, p=shares)  # fmt: skip
            before = centers
            centers, inertia = self._moved(X[drawn].astype(np.float64, copy=False), None, before, random_state)
            moved = ((centers - before) ** 2).sum() if self._tol > 0 else 0
            step += 1
            if self._mini_batch_convergence(step - 1, steps, len(X), moved, inertia):
                break
        self._set_centers(X, centers)
        self.n_steps_ = step
        self.n_iter_ = int(np.ceil(step * size / len(X)))
        if self.compute_labels:
            self._set_labels(X, w)
        else:
            self.inertia_ = self._ewa_inertia * total

    def _partial_fit_native(self, kind: Kind, X: Any, y: Any = None, sample_weight: Any = None) -> None:
        first = not hasattr(self, "cluster_centers_")
        X, w = self._checked(X, sample_weight, first)
        self._random_state = getattr(self, "_random_state", check_random_state(self.random_state))
        self.n_steps_ = getattr(self, "n_steps_", 0)
        if first:
            centers = self._start(X, row_norms(X, squared=True), w, self._given_init(X), self._random_state)
            self._counts = np.zeros(self.n_clusters)
            self._n_since_last_reassign = 0
        else:
            centers = to_host(self.cluster_centers_)
        rows, weights, centers = (x.astype(np.float64, copy=False) for x in (X, w, centers))
        self._set_centers(X, self._moved(rows, weights, centers, self._random_state)[0])
        if self.compute_labels:
            self._set_labels(X, w)
        self.n_steps_ += 1

    def _set_centers(self, X: np.ndarray, centers: np.ndarray) -> None:
        self.cluster_centers_ = centers.astype(X.dtype, copy=False)
        self._n_features_out = len(centers)

    def _set_labels(self, X: np.ndarray, w: np.ndarray) -> None:
        centers = to_host(self.cluster_centers_).astype(np.float64, copy=False)
        self.labels_, squares = compared(X).labels_and_squares(centers)
        self.inertia_ = float((squares * w).sum())

    def _moved(
        self, X: np.ndarray, w: np.ndarray | None, centers: np.ndarray, random_state: Any
    ) -> tuple[np.ndarray, float]:
        """The centers after a batch, and the inertia of the batch before."""
        state, _, squares = Rows(X, None, w).next(centers, squares=True)
        sums, added, squares = (np.asarray(x) for x in (state[1], state[2], squares))
        inertia = float(squares.sum() if w is None else squares @ w)
        reassigns, ratio = self._random_reassign(), self.reassignment_ratio
        after = self._counts + added
        new = (centers * self._counts[:, None] + sums) / np.where(added > 0, after, 1)[:, None]
        new[~(added > 0)] = centers[~(added > 0)]
        self._counts = after
        if reassigns and ratio > 0:
            self._reassign(X, new, random_state)
        return new, inertia

    def _reassign(self, X: np.ndarray, centers: np.ndarray, random_state: Any) -> None:
        """Move centers with few rows to rows of the batch, at most to half of them."""
        few = self._counts < self.reassignment_ratio * self._counts.max()
        if few.sum() > 0.5 * len(X):
            few[np.argsort(self._counts)[int(0.5 * len(X)) :]] = False
        count = few.sum()
        if count:
            centers[few] = X[random_state.choice(len(X), replace=False, size=count)]
        self._counts[few] = self._counts[~few].min()
