"""Distances of rows from centers, by blocks on all threads: the nearest centers, and the starts of k-means++."""

from __future__ import annotations

from typing import Any

import numpy as np

from .._rows import RowFunction, State, joined, summed


def _reduced(X: Any, doubled: Any, squares: Any) -> Any:
    """Squared distances without the squared norms of rows, shape (k, n)."""
    return doubled @ X.T + squares


def _first_of(D: Any, numbers: Any) -> Any:
    """The first center of each row that is the nearest, and the reduced distance."""
    nearest = D.min(axis=0)
    return np.where(D == nearest, numbers, numbers.shape[0]).min(axis=0), nearest


def _two_nearest(X: Any, doubled: Any, squares: Any, numbers: Any) -> State:
    D = _reduced(X, doubled, squares)
    labels, nearest = _first_of(D, numbers)
    second = np.where(numbers == labels, np.inf, D).min(axis=0)
    return {"labels": labels, "nearest": nearest, "second": second}


def _assigned(X: Any, doubled: Any, squares: Any, numbers: Any, centers: Any) -> State:
    labels, _ = _first_of(_reduced(X, doubled, squares), numbers)
    apart = X - (numbers == labels).astype(np.float64).T @ centers
    return {"labels": labels, "squares": (apart * apart).sum(axis=1)}


def _labels(X: Any, doubled: Any, squares: Any, numbers: Any) -> State:
    return {"labels": _first_of(_reduced(X, doubled, squares), numbers)[0]}


def _distances(X: Any, doubled: Any, squares: Any) -> State:
    D = _reduced(X, doubled, squares) + (X * X).sum(axis=1)
    return {"distances": np.sqrt(np.maximum(D, 0)).T}


def _moved(X: Any, labels: Any, before: Any, w: Any, numbers: Any) -> State:
    """The changes of sums and weights of centers by rows that go from one to another."""
    H = ((numbers == labels).astype(np.float64) - (numbers == before)) * w
    return {"sums": H @ X, "weights": H.sum(axis=1)}


def _two_nearest_and_sums(X: Any, w: Any, doubled: Any, squares: Any, numbers: Any) -> State:
    found = _two_nearest(X, doubled, squares, numbers)
    H = (numbers == found["labels"]) * w
    return found | {"sums": H @ X, "weights": H.sum(axis=1)}


def _closer(X: Any, norms: Any, closest: Any, w: Any, doubled: Any, squares: Any) -> State:
    """Squared distances from the nearest center if a candidate is one more, shape (n, candidates), and their sums."""
    near = np.minimum(np.maximum(X @ doubled + squares + norms[:, None], 0), closest[:, None])
    return {"near": near, "sums": (w[None, :] @ near)[0]}


TWO_NEAREST, TWO_NEAREST_AND_SUMS = RowFunction(_two_nearest), RowFunction(_two_nearest_and_sums)
ASSIGNED, LABELS, DISTANCES, MOVED, CLOSER = map(RowFunction, (_assigned, _labels, _distances, _moved, _closer))


def reduced_of(centers: np.ndarray) -> list[np.ndarray]:
    """The arrays of centers that reduced distances are computed with."""
    return [-2.0 * centers, (centers * centers).sum(axis=1)[:, None]]


def numbers_of(centers: np.ndarray) -> np.ndarray:
    return np.arange(len(centers))[:, None]


def plus_plus(X: np.ndarray, k: int, norms: np.ndarray, w: np.ndarray, random_state: Any) -> np.ndarray:
    """Centers by k-means++, with the same random numbers as scikit-learn, and so the same rows."""
    n = len(X)
    trials = 2 + int(np.log(k))
    chosen = [random_state.choice(n, p=w / w.sum())]
    parts, sums = _with_candidates(X, norms, np.full(n, np.inf), w, chosen)
    closest, total = _row_of(parts, 0), sums[0]
    for _ in range(1, k):
        wanted = random_state.uniform(size=trials) * total
        candidates = np.searchsorted(np.cumsum(w * closest), wanted)
        candidates = np.minimum(candidates, n - 1)
        parts, sums = _with_candidates(X, norms, closest, w, candidates)
        best = int(np.argmin(sums))
        closest, total = _row_of(parts, best), sums[best]
        chosen.append(candidates[best])
    return X[chosen]


def _with_candidates(
    X: np.ndarray, norms: np.ndarray, closest: np.ndarray, w: np.ndarray, rows: Any
) -> tuple[list[State], np.ndarray]:
    candidates = X[rows]
    fixed = [np.ascontiguousarray(candidates.T) * -2.0, (candidates * candidates).sum(axis=1)]
    parts = CLOSER.blocks([X, norms, closest, w], fixed, len(candidates))
    return parts, summed(parts, "sums")


def _row_of(parts: list[State], candidate: int) -> np.ndarray:
    return joined([{"near": part["near"][..., candidate]} for part in parts], "near")
