"""Distances of rows from centers, in one pass on all threads: the nearest centers, and the starts of k-means++."""

from __future__ import annotations

from typing import Any

import numpy as np

from ... import _core
from .._kinds import near, shared, to_host


class Seeding:
    """The starts of k-means++, with the random numbers of scikit-learn, and so the same rows.

    A class of rows has their array `X` and their weights `w`, or None, and defines `taken`, `_weighted`, `_by_weight` and
    `_closer`.
    """

    X: Any
    w: Any
    taken: Any
    _weighted: Any
    _by_weight: Any
    _closer: Any

    def __len__(self) -> int:
        return self.X.shape[0]

    def weight(self, row: Any) -> float:
        return 1.0 if self.w is None else float(self.w[row])

    def plus_plus(self, k: int, random_state: Any) -> np.ndarray:
        """Centers by k-means++."""
        n, trials = len(self), 2 + int(np.log(k))
        chosen = [self.drawn(random_state)]
        closest, total = (x[0] for x in self._closer(None, chosen))
        for _ in range(1, k):
            wanted = near(self.X, random_state.uniform(size=trials) * total)[0]
            limits = np.cumsum(self._weighted(closest))
            candidates = to_host(np.minimum(np.searchsorted(limits, wanted), n - 1))
            closer, sums = self._closer(closest, candidates)
            best = int(sums.argmin())
            closest, total = closer[best], sums[best]
            chosen.append(int(candidates[best]))
        return self.taken(np.array(chosen))

    def drawn(self, random_state: Any) -> int:
        """A row by its weight: the draw of `choice`."""
        if self.w is not None:
            return self._by_weight(random_state)
        # without NumPy's checks of the weights
        limits = np.full(len(self), 1 / len(self)).cumsum()
        limits /= limits[-1]
        return int(limits.searchsorted(random_state.random_sample(), side="right"))


class Rows(Seeding):
    """Rows as k-means compares them, without a copy that is centred.

    Parameters
    ----------
    X : array, shape (n, d)
    shift : array, shape (d,), or None
        Taken off each row before it is looked at.
    w : array, shape (n,), or None
        Weights; None: all are 1.
    """

    def __init__(self, X: np.ndarray, shift: np.ndarray | None, w: np.ndarray | None):
        self.X, self.shift, self.w = X, shift, w
        self.held = {"rows": shared(X), "shift": shared(shift), "weights": shared(w)}

    def taken(self, rows: Any) -> np.ndarray:
        """Some rows, less the shift."""
        return self.X[rows] if self.shift is None else self.X[rows] - self.shift

    def apart(self, centers: np.ndarray, labels: np.ndarray) -> np.ndarray:
        """The squared distances of rows from the centers with these numbers."""
        return ((self.taken(slice(None)) - centers[labels]) ** 2).sum(axis=1)

    def squares(self) -> tuple[float, float]:
        """The sum of the squared norms, and the sum with weights."""
        nought = shared(np.zeros((1, self.X.shape[1])))
        norms, weighted = _core.closer_distances(centers=nought, **self.held)
        total = float(np.asarray(weighted)[0])
        return (total if self.w is None else float(np.asarray(norms).sum())), total

    def next(
        self, centers: np.ndarray, before: Any = None, moved: np.ndarray | None = None, squares: bool = False
    ) -> tuple[Any, int, Any]:
        """The state for the next centers, how many labels have changed, and squared distances: see `_core.next_centers`."""
        return _core.next_centers(
            centers=shared(centers), before=before, moved=shared(moved), squares=squares, **self.held
        )

    def labels(self, centers: np.ndarray) -> np.ndarray:
        """The nearest centers, as int32."""
        return np.asarray(_core.nearest_centers(self.held["rows"], shared(centers), self.held["shift"])[0])

    def distances(self, centers: np.ndarray) -> np.ndarray:
        """Of shape (n, k)."""
        return np.asarray(_core.center_distances(shared(self.taken(slice(None))), shared(centers)))

    def labels_and_squares(self, centers: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """The nearest centers, and the squared distances from them."""
        found = _core.nearest_centers(self.held["rows"], shared(centers), self.held["shift"], squares=True)
        return np.asarray(found[0]), np.asarray(found[1])

    def _weighted(self, found: Any) -> np.ndarray:
        return np.asarray(found) if self.w is None else np.asarray(found) * self.w

    def _by_weight(self, random_state: Any) -> int:
        assert self.w is not None
        return int(random_state.choice(len(self), p=self.w / self.w.sum()))

    def _closer(self, closest: Any, candidates: Any) -> tuple[Any, np.ndarray]:
        """Squared distances from the nearest center if a candidate is one more, shape (candidates, n), and their sums."""
        closer, sums = _core.closer_distances(centers=shared(self.taken(candidates)), closest=closest, **self.held)
        return closer, np.asarray(sums)
