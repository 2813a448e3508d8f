"""Ridge regression over sparse rows by conjugate gradients: scikit-learn's steps, for all targets in one product."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from .._kinds import shared
from ._sparse import UsedColumns

Product = Callable[[np.ndarray, np.ndarray], np.ndarray]  # of columns, and the penalties of these


class CentredRows:
    """Sparse rows less their means, and scaled by the roots of weights; the difference is never stored.

    Parameters
    ----------
    X : sparse array, shape (n, d)
    Y : array, shape (n, k)
    w : array, shape (n,), or None
    centred : bool

    Attributes
    ----------
    state : dict of str to array
        `mean` of all columns and `level`, the mean of Y; zeros where rows are not centred.
    targets : array, shape (n, k)
        Y less its mean, scaled.
    """

    def __init__(self, X: Any, Y: np.ndarray, w: np.ndarray | None, centred: bool):
        rows = UsedColumns(X, X.dtype)
        Y = Y.astype(X.dtype)
        self.rows, self.mean, self.root = rows, None, None if w is None else np.sqrt(w)
        mean, level = np.zeros(X.shape[1], X.dtype), np.zeros(Y.shape[1], X.dtype)
        if centred:
            weights = np.ones(len(Y), X.dtype) if w is None else w
            self.mean = (rows.transposed(weights) / weights.sum()).astype(X.dtype)
            mean[rows.columns] = self.mean
            level = np.average(Y, axis=0, weights=w).astype(X.dtype)
            Y -= level
        if self.root is not None:
            Y *= self.root[:, None]
            rows.rows, rows.turned = rows.rows * shared(self.root[:, None]), None
        self.targets, self.state = Y, {"mean": mean, "level": level}

    def times(self, B: np.ndarray) -> np.ndarray:
        """The product with an array of shape (d, k)."""
        found = self.rows @ B
        if self.mean is not None:
            found -= self.mean @ B if self.root is None else self.root[:, None] * (self.mean @ B)
        return found

    def transposed(self, B: np.ndarray) -> np.ndarray:
        """The product of the transpose with an array of shape (n, k)."""
        found = self.rows.transposed(B)
        if self.mean is not None:
            found -= self.mean[:, None] * (B.sum(axis=0) if self.root is None else self.root @ B)
        return found

    def ridge(self, alpha: np.ndarray, tol: float, max_iter: int | None) -> np.ndarray:
        """Coefficients of all columns, shape (d, k); of fewer rows than columns by the products of rows."""
        if len(self.state["mean"]) > len(self.targets):
            found = self.transposed(_solved(lambda V, a: self.times(self.transposed(V)) + a * V, self.targets, alpha, tol, None))  # fmt: skip
        else:
            found = _solved(lambda V, a: self.transposed(self.times(V)) + a * V, self.transposed(self.targets), alpha, tol, max_iter, len(self.state["mean"]))  # fmt: skip
        return self.rows.of_all(found.T, len(self.state["mean"]), False).T


def _solved(product: Product, B: np.ndarray, alpha: np.ndarray, tol: float, max_iter: int | None, size: int = 0) -> np.ndarray:  # fmt: skip
    """The solutions for the columns of B, each of which ends where that of `scipy.sparse.linalg.cg` ends."""
    X, R = np.zeros_like(B), B.copy()
    limits = tol * np.sqrt((B * B).sum(axis=0))
    some = np.flatnonzero(limits > 0)
    P = before = None
    for _ in range(10 * max(size, len(B)) if max_iter is None else max_iter):
        squares = (R[:, some] ** 2).sum(axis=0)
        left = np.sqrt(squares) >= limits[some]
        if not left.all():
            some, squares = some[left], squares[left]
            P, before = (None, None) if P is None or before is None else (P[:, left], before[left])
        if len(some) == 0:
            break
        P = R[:, some] if P is None or before is None else R[:, some] + P * (squares / before)
        Q = product(P, alpha[some])
        length = squares / (P * Q).sum(axis=0)
        X[:, some] += length * P
        R[:, some] -= length * Q
        before = squares
    return X
