"""Lloyd's iterations with Hamerly's bounds: a row whose center is nearer than any other can be is not looked at.

The labels are those of plain iterations: bounds are wider than the rounding of distances.
"""

from __future__ import annotations

import numpy as np

from .._rows import joined, summed
from ._nearest import MOVED, TWO_NEAREST, TWO_NEAREST_AND_SUMS, numbers_of, reduced_of

_SMALL = 1e-3
_ROUNDING = 64 * np.finfo(np.float64).eps


class Lloyd:
    """The iterations from one start.

    Parameters
    ----------
    X : array, shape (n, d)
        Centred rows.
    norms : array, shape (n,)
        Their squared norms.
    w : array, shape (n,)
        Weights.
    centers : array, shape (k, d)
    """

    def __init__(self, X: np.ndarray, norms: np.ndarray, w: np.ndarray, centers: np.ndarray):
        self.X, self.norms, self.w, self.centers = X, norms, w, centers
        n, k = len(X), len(centers)
        self.labels = np.full(n, -1)
        self.upper, self.lower = np.full(n, np.inf), np.zeros(n)  # bounds of distances from the own and other centers
        self.sums, self.weights = np.zeros(centers.shape), np.zeros(k)
        self.members = np.zeros(k, np.int64)  # rows with weight
        self.changed = n  # labels in the last iteration
        self.slack = _ROUNDING * X.shape[1] * norms.max(initial=0)

    def inertia(self) -> float | None:
        """The sum of squared distances where labels have stayed; None where the rounding of norms is not far below it."""
        total = self.w @ self.norms
        found = total - self.weights @ (self.centers * self.centers).sum(axis=1)
        return found if self.changed == 0 and self.members.all() and found > _SMALL * total else None

    def run(self, max_iter: int, tolerance: float) -> int:
        """Iterate until labels stay or centers move by no more than the tolerance; the number of iterations."""
        iteration, moving = 0, True
        while moving and iteration < max_iter:
            iteration += 1
            changed = self._assign()
            new = self._means()
            shifts = np.sqrt(((new - self.centers) ** 2).sum(axis=1))
            self.centers = new
            moving = changed and not (shifts**2).sum() <= tolerance
            self._widen(shifts)
        return iteration

    def _assign(self) -> bool:
        """Look for nearer centers; whether a label changed."""
        apart = np.sqrt(np.maximum(((self.centers[:, None] - self.centers) ** 2).sum(axis=2), 0))
        np.fill_diagonal(apart, np.inf)
        half = 0.5 * apart.min(axis=1)
        limit = np.maximum(self.lower, half[self.labels])
        rows = np.flatnonzero(self.upper >= limit)
        if len(rows) == 0:
            return False
        every = 2 * len(rows) > len(self.X)
        chosen = slice(None) if every else rows
        X, w, before = self.X[chosen], self.w[chosen], self.labels[chosen]
        fixed = [*reduced_of(self.centers), numbers_of(self.centers)]
        anew = every and 4 * self.changed > len(self.X)
        if anew:
            parts = TWO_NEAREST_AND_SUMS.blocks([X, w], fixed, len(self.centers))
        else:
            parts = TWO_NEAREST.blocks([X], fixed, len(self.centers))
        labels, nearest, second = (joined(parts, name) for name in ("labels", "nearest", "second"))
        norms = self.norms[chosen]
        self.upper[chosen] = np.sqrt(np.maximum(nearest + norms, 0) + self.slack)
        self.lower[chosen] = np.sqrt(np.maximum(second + norms - self.slack, 0))
        moved = np.flatnonzero(labels != before)
        before, self.changed = before[moved], len(moved)
        self.labels[chosen] = labels
        if anew:
            self.sums, self.weights = summed(parts, "sums"), summed(parts, "weights")
            self.members = _members(labels, w, len(self.centers))
        elif self.changed:
            self._move(X[moved], labels[moved], before, w[moved])
        return self.changed > 0

    def _move(self, X: np.ndarray, labels: np.ndarray, before: np.ndarray, w: np.ndarray) -> None:
        """Move rows from the sums of one center to those of another."""
        k = len(self.centers)
        parts = MOVED.blocks([X, labels, before, w], [numbers_of(self.centers)], k)
        self.sums += summed(parts, "sums")
        self.weights += summed(parts, "weights")
        self.members += _members(labels, w, k) - _members(before, w, k)

    def _means(self) -> np.ndarray:
        """The new centers, by scikit-learn's rules for those without rows."""
        sums, weights = self.sums.copy(), self.weights.copy()
        empty = np.flatnonzero(self.members == 0)
        sums[empty], weights[empty] = 0, 0
        if len(empty):
            self._relocate(empty, sums, weights)
        means = sums * (1 / np.where(weights > 0, weights, 1))[:, None]
        means[~(weights > 0)] = means[np.argmax(weights)]
        return means

    def _relocate(self, empty: np.ndarray, sums: np.ndarray, weights: np.ndarray) -> None:
        """Move centers without rows to the rows that are farthest from theirs."""
        distances = ((self.X - self.centers[self.labels]) ** 2).sum(axis=1)
        if distances.max() == 0:
            return
        farthest = np.argpartition(distances, -len(empty))[: -len(empty) - 1 : -1]
        for center, row in zip(empty, farthest):
            old, w = self.labels[row], self.w[row]
            sums[old] -= self.X[row] * w
            sums[center] = self.X[row] * w
            weights[center] = w
            weights[old] -= w

    def _widen(self, shifts: np.ndarray) -> None:
        """Bounds after centers have moved."""
        most = int(np.argmax(shifts))
        others = np.full(len(shifts), shifts[most])
        others[most] = np.delete(shifts, most).max(initial=0)
        self.upper += shifts[self.labels]
        self.lower -= others[self.labels]


def _members(labels: np.ndarray, w: np.ndarray, k: int) -> np.ndarray:
    """The number of rows with weight of each center."""
    return np.bincount(labels if w.all() else labels[w != 0], minlength=k)
