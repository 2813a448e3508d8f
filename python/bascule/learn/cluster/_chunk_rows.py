"""Dask's rows as k-means compares them: a pass is a task for each chunk, which gives sums of few numbers."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from ._nearest import Rows, Seeding


class ChunkRows(Seeding):
    """The interface of `Rows` for a Dask array, whose chunks have all columns.

    Parameters
    ----------
    X : dask.array.Array, shape (n, d)
    shift : array, shape (d,)
        Taken off each row before it is looked at.
    w : dask.array.Array, shape (n,), or None
        Weights, in the same chunks; None: all are 1.
    """

    def __init__(self, X: Any, shift: np.ndarray, w: Any):
        self.X, self.shift, self.w = X, shift, w
        blocks = X.to_delayed().ravel()
        weights = [None] * len(blocks) if w is None else w.to_delayed().ravel()
        self.blocks = list(zip(blocks, weights))
        self.ends = np.cumsum(X.chunks[0])

    def _each(self, function: Callable[..., Any], *more: Any, of: Any = None) -> tuple[Any, ...]:
        """The results of a function of the rows of each chunk, and of what else belongs to it."""
        import dask

        of = [()] * len(self.blocks) if of is None else of
        call = dask.delayed(_called)
        return dask.compute(*(call(function, *b, self.shift, *o, *more) for b, o in zip(self.blocks, of)))

    def taken(self, rows: Any) -> np.ndarray:
        """Some rows, less the shift; a single one as a vector."""
        wanted = np.atleast_1d(rows)
        chunk = np.searchsorted(self.ends, wanted, side="right")
        begins = np.concatenate([[0], self.ends])
        local = [(wanted[chunk == k] - begins[k],) for k in range(len(self.blocks))]
        found = np.empty((len(wanted), self.X.shape[1]))
        for k, part in enumerate(self._each(_taken, of=local)):
            found[chunk == k] = part
        return found[0] if np.ndim(rows) == 0 else found

    def squares(self) -> tuple[float, float]:
        """The sum of the squared norms, and the sum with weights."""
        totals = np.array(self._each(Rows.squares)).sum(axis=0)
        return float(totals[0]), float(totals[1])

    def next(self, centers: np.ndarray, before: Any = None, moved: Any = None) -> tuple[Any, int, None]:
        """Labels, pending, sums, weights and numbers of the rows of each center. How many labels changed is not known: the
        centers do not move where none has."""
        sums, weights, members = (sum(x) for x in zip(*self._each(_next, centers)))
        return (self.labels(centers), sums, weights, members), len(self), None

    def labels(self, centers: np.ndarray) -> Any:
        """The nearest centers, as int32, pending."""
        return self.X.map_blocks(_labels, self.shift, centers, dtype=np.int32, drop_axis=1)

    def labels_and_squares(self, centers: np.ndarray) -> tuple[Any, Any]:
        """The nearest centers, and the squared distances from them, pending."""
        squares = self.X.map_blocks(_squares, self.shift, centers, dtype=np.float64, drop_axis=1)
        return self.labels(centers), squares

    def apart(self, centers: np.ndarray, labels: Any) -> np.ndarray:
        """The squared distances of rows from the centers with these numbers, which are the nearest."""
        return np.asarray(self.labels_and_squares(centers)[1])

    def plus_plus(self, k: int, random_state: Any) -> np.ndarray:
        """Centers by k-means++. The distances of rows stay with their chunks, of which totals are compared."""
        trials, centers = 2 + int(np.log(k)), self.taken(np.array([self.drawn(random_state)]))
        for _ in range(1, k):
            totals = np.cumsum(self._each(_total, centers))
            wanted = random_state.uniform(size=trials) * totals[-1]
            chunk = np.minimum(np.searchsorted(totals, wanted), len(totals) - 1)
            begins = np.concatenate([[0], totals])
            local = [(wanted[chunk == i] - begins[i],) for i in range(len(totals))]
            candidates = np.empty((trials, self.X.shape[1]))
            for i, part in enumerate(self._each(_drawn, centers, of=local)):
                candidates[chunk == i] = part
            sums = sum(self._each(_sums, centers, candidates))
            centers = np.concatenate([centers, candidates[[int(np.argmin(sums))]]])
        return centers

    def _by_weight(self, random_state: Any) -> int:
        w = np.asarray(self.w)
        return int(random_state.choice(len(w), p=w / w.sum()))


def _rows(X: Any, w: Any, shift: np.ndarray) -> Rows:
    if X.dtype != np.float64:  # with scikit-learn's rounding
        X, shift = (X - shift.astype(X.dtype)).astype(np.float64), None
    return Rows(np.ascontiguousarray(X), shift, None if w is None else w.astype(np.float64, copy=False))


def _called(function: Callable[..., Any], X: Any, w: Any, shift: np.ndarray, *more: Any) -> Any:
    return function(_rows(X, w, shift), *more)


def _taken(rows: Rows, wanted: np.ndarray) -> np.ndarray:
    return rows.taken(wanted)


def _next(rows: Rows, centers: np.ndarray) -> list[np.ndarray]:
    return [np.asarray(x) for x in rows.next(centers)[0][1:4]]


def _labels(X: Any, shift: np.ndarray, centers: np.ndarray) -> np.ndarray:
    return _rows(X, None, shift).labels(centers)


def _squares(X: Any, shift: np.ndarray, centers: np.ndarray) -> np.ndarray:
    return _rows(X, None, shift).labels_and_squares(centers)[1]


def _nearest(rows: Rows, centers: np.ndarray) -> np.ndarray:
    """The weighted squared distances from the nearest center."""
    return rows._weighted(rows.labels_and_squares(centers)[1])


def _total(rows: Rows, centers: np.ndarray) -> float:
    return float(_nearest(rows, centers).sum())


def _drawn(rows: Rows, wanted: np.ndarray, centers: np.ndarray) -> np.ndarray:
    """The rows up to which distances have these sums."""
    limits = np.cumsum(_nearest(rows, centers))
    return rows.taken(np.minimum(np.searchsorted(limits, wanted), len(rows) - 1))


def _sums(rows: Rows, centers: np.ndarray, candidates: np.ndarray) -> np.ndarray:
    """The sums of distances if a candidate is one more center."""
    closest = rows.labels_and_squares(centers)[1]
    apart = (((rows.taken(slice(None)) - c) ** 2).sum(axis=1) for c in candidates)
    return np.array([rows._weighted(np.minimum(closest, x)).sum() for x in apart])
