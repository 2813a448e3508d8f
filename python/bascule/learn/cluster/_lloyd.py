"""Lloyd's iterations: one pass each over the rows whose center may change."""

from __future__ import annotations

import numpy as np

from .._chunks import is_chunked
from .._kinds import is_on_device, to_host
from ._nearest import Rows

_SMALL = 1e-3


class Lloyd:
    """The iterations from one start.

    Parameters
    ----------
    rows : Rows
    centers : array, shape (k, d)
    """

    def __init__(self, rows: Rows, centers: np.ndarray):
        self.rows, self.centers = rows, centers
        self.settled = False  # labels are those of the centers

    def run(self, max_iter: int, tolerance: float) -> int:
        """Iterate until labels stay or centers move by no more than the tolerance; the number of iterations."""
        state, moved, iteration = None, None, 0
        while iteration < max_iter:
            iteration += 1
            state, changed, _ = self.rows.next(self.centers, state, moved)
            self.labels, sums, self.weights, self.members = (
                x if is_on_device(x) or is_chunked(x) else np.asarray(x) for x in state[:4]
            )
            means = self._means(sums)
            squares = ((means - self.centers) ** 2).sum(axis=1)
            self.centers, moved = means, np.sqrt(squares)
            self.settled = changed == 0
            if self.settled or squares.sum() <= tolerance:
                break
        return iteration

    def result(self, total: float) -> tuple[np.ndarray, float]:
        """Labels and the sum of weighted squared distances, by that of the squared norms where rounding allows it."""
        if self.settled and self.members.all():
            found = total - self.weights @ (self.centers * self.centers).sum(axis=1)
            if found > _SMALL * total:
                return self.labels, float(found)
        labels, squares = self.rows.labels_and_squares(self.centers)
        return labels, float(squares.sum() if self.rows.w is None else squares @ self.rows.w)

    def _means(self, sums: np.ndarray) -> np.ndarray:
        """The new centers, by scikit-learn's rules for those without rows."""
        weights = self.weights
        if self.members.all() and weights.min() > 0:
            return sums * (1 / weights)[:, None]
        sums, weights = sums.copy(), weights.copy()
        empty = np.flatnonzero(self.members == 0)
        sums[empty], weights[empty] = 0, 0
        if len(empty):
            self._relocate(empty, sums, weights)
        means = sums * (1 / np.where(weights > 0, weights, 1))[:, None]
        means[~(weights > 0)] = means[np.argmax(weights)]
        return means

    def _relocate(self, empty: np.ndarray, sums: np.ndarray, weights: np.ndarray) -> None:
        """Move centers without rows to the rows that are farthest from theirs."""
        rows = self.rows
        distances = rows.apart(self.centers, self.labels)
        if distances.max() == 0:
            return
        farthest = to_host(np.argpartition(distances, -len(empty))[: -len(empty) - 1 : -1])
        for center, row in zip(empty, farthest):
            old, w, x = int(self.labels[row]), rows.weight(row), rows.taken(row)
            sums[old] -= x * w
            sums[center] = x * w
            weights[center] = w
            weights[old] -= w
