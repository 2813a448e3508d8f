"""Least squares from the Gram matrix of centred rows, or from a triangular factor where that is not accurate enough."""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np
from scipy.linalg import lapack

from ... import _core
from .._kinds import shape_of, shared
from .._rows import Aggregation, State
from .._scatter import values_and_vectors

# Coefficients from a Gram matrix lose about its condition in units of rounding; beyond these the rows are factorized.
WORST_CONDITION = 1e12
WORST_FOR_EXACT = 1e5


def _weighted_means(X: Any, Y: Any, w: Any) -> tuple[Any, Any, Any]:
    total = w.sum(axis=0)
    divisor = total + (total == 0)
    column = w[:, None]
    return total, (X * column).sum(axis=0) / divisor, (Y * column).sum(axis=0) / divisor


def _products(A: Any, B: Any, means: State) -> State:
    return means | {"gram": A.T @ A, "cross": A.T @ B, "squares": (B * B).sum(axis=0)}


def _weighted_products(A: Any, B: Any, w: Any, means: State) -> State:
    column = w[:, None]
    weighted = A * column
    return means | {"gram": weighted.T @ A, "cross": weighted.T @ B, "squares": (B * B * column).sum(axis=0)}


def _centred(X: Any, Y: Any) -> State:
    X, Y = X.astype(np.float64), Y.astype(np.float64)
    n = X.shape[0]
    mean, level = X.sum(axis=0) / n, Y.sum(axis=0) / n
    return _products(X - mean, Y - level, {"mean": mean, "level": level})


def _centred_weighted(X: Any, Y: Any, w: Any) -> State:
    X, Y, w = X.astype(np.float64), Y.astype(np.float64), w.astype(np.float64)
    total, mean, level = _weighted_means(X, Y, w)
    return _weighted_products(X - mean, Y - level, w, {"weight": total, "mean": mean, "level": level})


def _as_they_are(X: Any, Y: Any) -> State:
    X, Y = X.astype(np.float64), Y.astype(np.float64)
    return _products(X, Y, {"mean": X[0] * 0, "level": Y[0] * 0})


def _as_they_are_weighted(X: Any, Y: Any, w: Any) -> State:
    X, Y, w = X.astype(np.float64), Y.astype(np.float64), w.astype(np.float64)
    return _weighted_products(X, Y, w, {"weight": w.sum(axis=0), "mean": X[0] * 0, "level": Y[0] * 0})


def _merge(a: State, b: State) -> State:
    """Chan's formula: what the means of the two differ by is added to the products."""
    total = a["weight"] + b["weight"]
    divisor = total + (total == 0)
    share = (b["weight"] / divisor)[..., None]
    x, y = b["mean"] - a["mean"], b["level"] - a["level"]
    scaled = (a["weight"][..., None] * share) * x
    return {
        "weight": total,
        "mean": a["mean"] + x * share,
        "level": a["level"] + y * share,
        "gram": a["gram"] + b["gram"] + scaled[..., :, None] * x[..., None, :],
        "cross": a["cross"] + b["cross"] + scaled[..., :, None] * y[..., None, :],
        "squares": a["squares"] + b["squares"] + (a["weight"][..., None] * share) * y * y,
    }


def _of_all(X: np.ndarray, Y: np.ndarray, centred: bool) -> State | None:
    """The state of unweighted rows; None where most products would be those of targets."""
    d = X.shape[1]
    if Y.shape[1] > d:
        return None
    X, Y = map(shared, (X, Y))
    means, products = map(np.asarray, _core.row_products(X, Y, centred))
    return {
        "mean": means[:d],
        "level": means[d:],
        "gram": np.ascontiguousarray(products[:d, :d]),
        "cross": np.ascontiguousarray(products[:d, d:]),
        "squares": products.diagonal()[d:],
    }


# By whether rows are centred, and have weights.
GRAM = {
    (True, False): Aggregation(_centred, _merge, whole=partial(_of_all, centred=True)),
    (True, True): Aggregation(_centred_weighted, _merge),
    (False, False): Aggregation(_as_they_are, _merge, whole=partial(_of_all, centred=False)),
    (False, True): Aggregation(_as_they_are_weighted, _merge),
}


def rows_of(X: Any, Y: Any, w: Any) -> list[Any]:
    """The arrays that the aggregations read: weights come last, where there are some."""
    return [X, Y] if w is None else [X, Y, w]


def gram_aggregation(centred: bool, weighted: bool) -> Aggregation:
    """The aggregation with state `weight`, `mean`, `level` (the mean of Y), `gram` (A'A of centred rows A), `cross` (A'B)
    and `squares` (sums of those of B), all weighted."""
    return GRAM[bool(centred), bool(weighted)]


def positive_solve(gram: np.ndarray, cross: np.ndarray, worst: float = WORST_CONDITION) -> np.ndarray | None:
    """The solution by Cholesky's factor, or None where the condition is worse, whatever the units of the columns are."""
    units = np.sqrt(gram.diagonal())
    if not (units > 0).all():
        return None
    units = 1 / units
    scaled = gram * units * units[:, None]
    factor, failed = lapack.dpotrf(scaled, lower=False, clean=False)
    if failed:
        return None
    reciprocal, _ = lapack.dpocon(factor, np.abs(scaled).sum(axis=0).max(), uplo="U")
    if not reciprocal * worst > 1:
        return None
    solution, _ = lapack.dpotrs(factor, cross * units[:, None], lower=False)
    return solution * units[:, None]


def _triangle(X: Any, Y: Any, mean: Any, level: Any) -> State:
    stacked = np.concatenate([X - mean, Y - level], axis=1)
    return {"factor": _square(np.linalg.qr(stacked, mode="r"))}


def _triangle_weighted(X: Any, Y: Any, w: Any, mean: Any, level: Any) -> State:
    stacked = np.concatenate([X - mean, Y - level], axis=1) * np.sqrt(w.astype(np.float64))[:, None]
    return {"factor": _square(np.linalg.qr(stacked, mode="r")), "weight": w.sum()}


def _square(r: np.ndarray) -> np.ndarray:
    """A factor of fewer rows than columns, with rows of zeros."""
    missing = r.shape[-1] - r.shape[-2]
    return np.concatenate([r, np.zeros((missing, r.shape[-1]), like=r)]) if missing > 0 else r


def _merge_triangles(a: State, b: State) -> State:
    return {
        "factor": np.linalg.qr(np.concatenate([a["factor"], b["factor"]], axis=-2), mode="r"),
        "weight": a["weight"] + b["weight"],
    }


_TRIANGLE = Aggregation(_triangle, _merge_triangles, recorded=False)
_TRIANGLE_WEIGHTED = Aggregation(_triangle_weighted, _merge_triangles, recorded=False)


class Spectrum:
    """Singular values s, right vectors V and products U'B of the centred rows A = U s V'.

    Attributes
    ----------
    values : array, shape (r,)
        In descending order.
    vectors : array, shape (r, d)
    products : array, shape (r, k)
    """

    def __init__(self, values: np.ndarray, vectors: np.ndarray, products: np.ndarray):
        self.values, self.vectors, self.products = values, vectors, products

    @classmethod
    def of_matrix(cls, A: np.ndarray, B: np.ndarray) -> Spectrum:
        u, s, v = np.linalg.svd(A, full_matrices=False)
        return cls(s, v, u.T @ B)

    @classmethod
    def of_rows(cls, X: Any, Y: Any, w: Any, state: State) -> Spectrum:
        """By the triangular factor of [A B]."""
        d = X.shape[1]
        rows = rows_of(X, Y, w)
        factor = (_TRIANGLE if w is None else _TRIANGLE_WEIGHTED)(rows, [state["mean"], state["level"]])["factor"]
        return cls.of_matrix(factor[:d, :d], factor[:d, d:])

    @classmethod
    def of_gram(cls, state: State) -> Spectrum:
        """By the eigenvalues of the Gram matrix, each accurate to rounding of the largest."""
        s, v = values_and_vectors(state["gram"])
        return cls(s, v, (v @ state["cross"]) / np.where(s > 0, s, 1)[:, None])

    @property
    def condition(self) -> float:
        """Of the Gram matrix."""
        low, high = self.values[-1], self.values[0]
        return (high / low) ** 2 if low > 0 else np.inf

    def least_squares(self, tolerance: float) -> tuple[np.ndarray, int]:
        """The shortest solution, shape (d, k), and the rank: how many values are above tolerance times the largest."""
        keep = self.values > tolerance * self.values[0]
        rank = int(keep.sum())
        return self.vectors[:rank].T @ (self.products[:rank] / self.values[:rank, None]), rank

    def ridge(self, alphas: np.ndarray) -> np.ndarray:
        """Solutions for penalties, shape (m, d, k); alphas of shape (m, 1) or (m, k)."""
        s = self.values[:, None]
        nought = max(1e-15, len(s) * np.finfo(float).eps * s[0, 0])
        shrunk = np.where(s > nought, s / (s * s + alphas[:, None, :] + (s == 0)), 0)
        return self.vectors.T @ (shrunk * self.products)


def is_wide(X: Any) -> bool:
    """Whether the Gram matrix of the columns has more elements than X, and is singular."""
    rows, columns = shape_of(X)
    return columns > rows


def centred_rows(X: Any, Y: Any, w: Any, centred: bool) -> tuple[np.ndarray, np.ndarray, State]:
    """Rows A and B with their means taken off and scaled by the roots of weights, and the means: for few rows."""
    A, B = np.asarray(X, np.float64), np.asarray(Y, np.float64)
    state = {"mean": np.zeros(A.shape[1]), "level": np.zeros(B.shape[1])}
    if centred:
        state = {"mean": np.average(A, axis=0, weights=w), "level": np.average(B, axis=0, weights=w)}
        A, B = A - state["mean"], B - state["level"]
    if w is not None:
        root = np.sqrt(np.asarray(w, np.float64))[:, None]
        A, B = A * root, B * root
    return A, B, state


def dual_ridge(A: np.ndarray, B: np.ndarray, alpha: np.ndarray) -> np.ndarray | None:
    """Ridge regression by the Gram matrix of the rows, where there are fewer of them than columns; None where its
    condition is too bad."""
    if len(set(alpha)) > 1:
        columns = [dual_ridge(A, B[:, k : k + 1], alpha[k : k + 1]) for k in range(len(alpha))]
        return None if any(c is None for c in columns) else np.concatenate(columns, axis=1)  # type: ignore[arg-type]
    K = A @ A.T
    K.flat[:: len(K) + 1] += alpha[0]
    found = positive_solve(K, B)
    return None if found is None else A.T @ found
