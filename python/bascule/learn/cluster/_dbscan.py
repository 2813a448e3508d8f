"""Clusters of dense rows: neighbours within a radius, and the connected parts of the rows that have enough of them."""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy import sparse
from scipy.sparse.csgraph import connected_components
from sklearn import cluster as theirs
from sklearn import neighbors
from sklearn.base import _fit_context

from .._checks import check_sample_weight, validate_data
from .._estimator import NativeEstimator
from .._kinds import Kind
from ..neighbors._neighbors import within

_FEW = 8  # columns up to which scikit-learn's trees find neighbours sooner


class DBSCAN(NativeEstimator, theirs.DBSCAN):
    __doc__ = theirs.DBSCAN.__doc__

    _on_device, _takes_dask = "neighbours are searched on the host", False

    @_fit_context(prefer_skip_nested_validation=False)
    def fit(self, X: Any, y: Any = None, sample_weight: Any = None) -> DBSCAN:
        """Find clusters of dense rows.

        Parameters
        ----------
        X : array or sparse matrix, shape (n, d)
        y : None
            Not used.
        sample_weight : array, shape (n,), optional

        Returns
        -------
        DBSCAN
            The estimator itself. Labels and core samples equal scikit-learn's, but for pairs of rows whose distance is
            the radius within rounding.
        """
        return self._call("fit", X, y, sample_weight)

    def _not_native(self, X: Any) -> str | None:
        if self.metric != "euclidean" or self.metric_params is not None:
            return f"metric={self.metric!r}, metric_params={self.metric_params!r}"
        return super()._not_native(X)

    def _fit_native(self, kind: Kind, X: Any, y: Any = None, sample_weight: Any = None) -> None:
        X = validate_data(self, X)
        w = None if sample_weight is None else check_sample_weight(sample_weight, X)
        ends, found = self._neighbourhoods(X)
        # each row is a neighbour of its own, so that no sum is of nothing
        reached = np.diff(ends) if w is None else np.add.reduceat(w[found], ends[:-1])
        core = reached >= self.min_samples
        self.core_sample_indices_ = np.flatnonzero(core)
        self.labels_ = _labels(ends, found, core)
        self.components_ = X[self.core_sample_indices_].copy() if core.any() else np.empty((0, X.shape[1]))

    def _neighbourhoods(self, X: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Where the neighbours of each row begin, and all of them."""
        by_tree = self.algorithm in ("ball_tree", "kd_tree") or (self.algorithm == "auto" and X.shape[1] <= _FEW)
        if not by_tree:
            return within(X, X, self.eps)[:2]
        search = neighbors.NearestNeighbors(
            radius=self.eps, algorithm=self.algorithm, leaf_size=self.leaf_size, n_jobs=self.n_jobs
        )
        lists = search.fit(X).radius_neighbors(X, return_distance=False)
        ends = np.zeros(len(X) + 1, np.int64)
        np.cumsum([len(rows) for rows in lists], out=ends[1:])
        return ends, np.concatenate(lists)


def _labels(ends: np.ndarray, found: np.ndarray, core: np.ndarray) -> np.ndarray:
    """The numbers of clusters in the order of their first core rows; a row near several has the lowest, others -1."""
    n = len(core)
    labels = np.full(n, -1, np.intp)
    if not core.any():
        return labels
    rows, others = np.repeat(np.arange(n), np.diff(ends)), found
    to_core = core[others]
    if not to_core.all():
        rows, others = rows[to_core], others[to_core]
    of_core = core[rows]
    between = slice(None) if of_core.all() else of_core
    starts = np.zeros(n + 1, np.int64)
    np.cumsum(np.bincount(rows[between], minlength=n), out=starts[1:])
    links = sparse.csr_array((np.ones(starts[-1], np.int8), others[between], starts), shape=(n, n))
    part = connected_components(links, connection="strong")[1]  # links go both ways, and need no transpose
    members = np.flatnonzero(core)
    _, first, number = np.unique(part[members], return_index=True, return_inverse=True)
    labels[members] = np.argsort(np.argsort(first))[number]
    edge, near = rows[~of_core], labels[others[~of_core]]
    if len(edge):
        begins = np.flatnonzero(np.diff(edge, prepend=-1))
        labels[edge[begins]] = np.minimum.reduceat(near, begins)
    return labels
