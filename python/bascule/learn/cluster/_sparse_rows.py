"""Sparse rows as k-means compares them: products with all centers, and sums of the rows of each."""

from __future__ import annotations

from typing import Any

import numpy as np
from sklearn.utils.extmath import row_norms

from ...sparse import csr_array
from ...sparse._products import dense_product
from .._kinds import shared, without_repeats


class SparseRows:
    """The interface of `Rows`, for rows in compressed form, which are not centred.

    Parameters
    ----------
    X : sparse array, shape (n, d)
        In CSR form.
    w : array, shape (n,), or None
        Weights; None: all are 1.
    """

    shift = None

    def __init__(self, X: Any, w: np.ndarray | None = None):
        X = without_repeats(X)
        self.given, self.w = X, w
        self.X = csr_array(X).astype(np.float64, copy=False)
        self.norms = row_norms(X.astype(np.float64, copy=False), squared=True)

    def __len__(self) -> int:
        return self.X.shape[0]

    def taken(self, rows: Any) -> np.ndarray:
        """Some rows as a dense array; a single one as a vector."""
        found = np.asarray(self.X[np.atleast_1d(rows)].toarray())
        return found[0] if np.ndim(rows) == 0 else found

    def weight(self, row: Any) -> Any:
        return 1.0 if self.w is None else self.w[row]

    def squares(self) -> tuple[float, float]:
        """The sum of the squared norms, and the sum with weights."""
        total = float(self.norms.sum())
        return total, total if self.w is None else float(self.norms @ self.w)

    def _relative(self, centers: np.ndarray) -> Any:
        """Squared distances less the squared norms of rows, pending."""
        products = self.X @ shared(np.ascontiguousarray(centers.T, np.float64))
        return products * -2 + shared((centers * centers).sum(axis=1))

    def labels(self, centers: np.ndarray) -> np.ndarray:
        """The nearest centers, as int32."""
        return np.asarray(self._relative(centers).argmin(axis=1).astype(np.int32))

    def labels_and_squares(self, centers: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """The nearest centers, and the squared distances from them."""
        labels = self.labels(centers)
        return labels, self.apart(centers, labels)

    def apart(self, centers: np.ndarray, labels: np.ndarray) -> np.ndarray:
        """The squared distances of rows from the centers with these numbers."""
        found = np.take_along_axis(np.asarray(self._relative(centers)), labels[:, None].astype(np.intp), axis=1)[:, 0]
        return np.maximum(found + self.norms, 0)

    def distances(self, centers: np.ndarray) -> np.ndarray:
        """Of shape (n, k)."""
        found = np.asarray(self._relative(centers)) + self.norms[:, None]
        return np.sqrt(np.maximum(found, 0, out=found), out=found)

    def next(self, centers: np.ndarray, before: Any = None, moved: Any = None) -> tuple[Any, int, None]:
        """Labels, sums, weights and numbers of the rows of each center; and how many labels have changed."""
        labels, k = self.labels(centers), len(centers)
        changed = np.arange(len(self)) if before is None else np.flatnonzero(labels != before[0])
        if before is None or 4 * len(changed) > len(self):
            sums = self._sums(labels, np.arange(len(self)), k)
            weights = np.bincount(labels, self.w, k).astype(np.float64)
        else:  # of the rows that move alone
            old = before[0][changed]
            sums = before[1] + self._sums(labels[changed], changed, k) - self._sums(old, changed, k)
            weights = before[2] + self._weights(labels[changed], changed, k) - self._weights(old, changed, k)
        members = np.bincount(labels if self.w is None else labels[self.w > 0], minlength=k)
        weights[members == 0] = 0
        return (labels, sums, weights, members), len(changed), None

    def _weights(self, labels: np.ndarray, rows: np.ndarray, k: int) -> np.ndarray:
        return np.bincount(labels, None if self.w is None else self.w[rows], k)

    def _sums(self, labels: np.ndarray, rows: np.ndarray, k: int) -> np.ndarray:
        """The sums of some weighted rows for each of their labels, shape (k, d)."""
        order = np.argsort(labels.astype(np.int16) if k < 2**15 else labels, kind="stable")  # NumPy's radix sort
        starts = np.concatenate([[0], np.bincount(labels, minlength=k).cumsum()])
        rows = rows[order]
        values = np.ones(len(rows)) if self.w is None else self.w[rows].astype(np.float64)
        index_type = self.X.indices.dtype
        made = csr_array(
            (shared(values), shared(rows.astype(index_type)), shared(starts.astype(index_type))), (k, len(self))
        )
        return np.asarray(dense_product(made, self.X))
