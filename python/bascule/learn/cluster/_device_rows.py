"""Rows on a device as k-means compares them: products with all centers, and sums of the rows of each, by products too."""

from __future__ import annotations

from typing import Any

import numpy as np

from ... import _core
from .._classes import members, range_there
from .._kinds import near, to_host
from ._nearest import Seeding


class DeviceRows(Seeding):
    """The interface of `Rows` for an array on a device. The centred rows are kept there, for accuracy far from zero.

    Parameters
    ----------
    X : array, shape (n, d)
    shift : array, shape (d,), or None
        Taken off each row before it is looked at.
    w : array, shape (n,), or None
        Weights; None: all are 1.
    """

    def __init__(self, X: Any, shift: np.ndarray | None = None, w: Any = None):
        self.shift, self.w = shift, w
        X = X.astype(np.float64, copy=False)
        self.X = X if shift is None else X - near(X, shift)[0]

    def taken(self, rows: Any) -> np.ndarray:
        """Some rows, on the host."""
        return to_host(self.X[rows])

    def _weighted(self, found: Any) -> Any:
        return found if self.w is None else found * self.w

    def squares(self) -> tuple[float, float]:
        """The sum of the squared norms, and the sum with weights."""
        norms = (self.X * self.X).sum(axis=1)
        total = float(norms.sum())
        return total, total if self.w is None else float(self._weighted(norms).sum())

    def _relative(self, centers: np.ndarray) -> Any:
        """Squared distances less the squared norms of rows."""
        centers = centers.astype(np.float64, copy=False)
        turned, norms = near(self.X, centers.T * -2, (centers * centers).sum(axis=1))
        return self.X @ turned + norms

    def labels(self, centers: np.ndarray) -> Any:
        """The nearest centers, as int32."""
        return self._relative(centers).argmin(axis=1).astype(np.int32)

    def labels_and_squares(self, centers: np.ndarray) -> tuple[Any, Any]:
        """The nearest centers, and the squared distances from them."""
        labels = self.labels(centers)
        return labels, self.apart(centers, labels)

    def apart(self, centers: np.ndarray, labels: Any) -> Any:
        """The squared distances of rows from the centers with these numbers."""
        return ((self.X - near(self.X, centers)[0][labels]) ** 2).sum(axis=1)

    def distances(self, centers: np.ndarray) -> Any:
        """Of shape (n, k)."""
        norms = (self.X * self.X).sum(axis=1)
        return np.sqrt(np.maximum(self._relative(centers) + norms[:, None], 0))

    def next(self, centers: np.ndarray, before: Any = None, moved: Any = None) -> tuple[Any, int, None]:
        """Labels, which stay there, sums, weights and numbers of the rows of each center; and how many labels changed."""
        labels = self.labels(centers)
        inside = members(labels, range_there(labels, len(centers)))
        weighted = inside if self.w is None else inside * self.w[:, None]
        counted = inside if self.w is None else inside * (self.w > 0)[:, None]
        changed = (labels != before[0]).sum() if before is not None else len(self)
        found = (weighted.T @ self.X, weighted.sum(axis=0), counted.sum(axis=0))
        _core.evaluate(labels, *found)
        sums, weights, numbers = map(to_host, found)
        return (labels, sums, weights, numbers), int(changed), None

    def _by_weight(self, random_state: Any) -> int:
        limits = np.cumsum(self.w.astype(np.float64))
        wanted = near(self.X, np.array([random_state.random_sample()]))[0] * limits[-1]
        return int(np.minimum(np.searchsorted(limits, wanted, side="right"), len(self) - 1)[0])

    def _closer(self, closest: Any, candidates: Any) -> tuple[Any, np.ndarray]:
        """Squared distances from the nearest center if a candidate is one more, shape (candidates, n), and their sums."""
        of = self.X[np.asarray(candidates)]
        found = ((self.X[None] - of[:, None]) ** 2).sum(axis=2)
        found = found if closest is None else np.minimum(found, closest)
        return found, to_host(self._weighted(found).sum(axis=1))


def is_same(a: Any, b: Any, k: int) -> bool:
    """Whether labels on a device are others but for their numbers, as scikit-learn looks at it: each of `a` has one of `b`."""
    pairs = to_host(np.bincount(a.astype(np.int64) * k + b, None, k * k)).reshape(k, k) > 0
    return bool((pairs.sum(axis=1) <= 1).all())
