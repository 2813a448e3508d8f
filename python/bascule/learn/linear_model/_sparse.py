"""Losses over sparse rows. Columns without an element take no part: the best coefficient of each is nought."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...sparse import csr_array
from .._blas import one_thread
from .._kinds import shared
from ._losses import Loss
from ._newton import Minimum, Objective, Point, quasi_newton

_FEW = 2**15  # sums of a transposed product, up to which its rows are read in their order


class UsedColumns:
    """Rows in compressed form without the columns that have no element: ``rows @ B`` and ``rows.transposed(B)``.

    Attributes
    ----------
    columns : array of int, shape (d,)
        The columns of X that have elements.
    shape : (int, int)
    """

    def __init__(self, X: Any, dtype: Any = np.float64):
        used = np.zeros(X.shape[1], bool)
        if X.nnz and X.indices.min() < 0:
            raise ValueError("indices must be >= 0")
        used[X.indices] = True
        self.columns = np.flatnonzero(used)
        self.shape, self.dtype = (X.shape[0], len(self.columns)), np.dtype(dtype)
        indices = X.indices
        if len(self.columns) < X.shape[1]:
            number = np.cumsum(used, dtype=X.indptr.dtype)
            number -= 1
            indices = number[indices]
        parts = (X.data.astype(dtype, copy=False), indices.astype(X.indptr.dtype, copy=False), X.indptr)
        self.rows = csr_array._of(*map(shared, parts), self.shape)  # the check is above
        self.turned: Any = None

    def __matmul__(self, B: np.ndarray) -> np.ndarray:
        return np.asarray(self.rows @ shared(B))

    def transposed(self, B: np.ndarray) -> np.ndarray:
        """The product of the transpose with an array, shape (n,) or (n, k)."""
        if self.turned is None:
            few = self.shape[1] * (B.shape[1] if B.ndim > 1 else 1) <= _FEW
            self.turned = self.rows.T if few else self.rows.tocsc().T
        return np.asarray(self.turned @ shared(B))

    def of_all(self, theta: np.ndarray, d: int, intercept: bool) -> np.ndarray:
        """Parameters of all columns, shape (k, d) or with an intercept (k, d + 1)."""
        made = np.zeros((len(theta), d + intercept), theta.dtype)
        made[:, self.columns] = theta[:, : len(self.columns)]
        if intercept:
            made[:, d] = theta[:, -1]
        return made


class SparseObjective(Objective):
    """The objective of `Objective` for rows in compressed form; theta has the columns that have elements."""

    def __init__(self, loss: Loss, X: Any, t: np.ndarray, w: np.ndarray, intercept: bool, classes: int):
        self.X = X if isinstance(X, UsedColumns) else UsedColumns(X)
        self.columns = self.X.columns
        self.targets, self.weights = t, np.asarray(w, np.float64)[:, None]
        nought = np.zeros(len(self.columns))
        super().__init__(loss, [[self.X.rows, t, w]], np.append(nought, 0.0) if intercept else nought, intercept, classes, nought)  # fmt: skip

    def at(self, theta: np.ndarray, hessian: bool = False) -> Point:
        d = len(self.columns)
        Z = self.X @ theta[:, :d].T
        if self.intercept:
            Z += theta[:, d]
        with np.errstate(all="ignore"):  # a step that is too long is shortened
            losses, slopes = self.loss.of_predictors(Z, self.targets)
            slopes = slopes * self.weights
            value = float((losses * self.weights).sum()) + 0.5 * float((self.penalty * theta * theta).sum())
        gradient = self.X.transposed(slopes).T
        if self.intercept:
            gradient = np.column_stack([gradient, slopes.sum(axis=0)])
        return Point(theta, value, gradient + self.penalty * theta, None)

    def minimize(self, start: np.ndarray, tol: float, max_iter: int, level: float | None = None) -> Minimum:
        if start.size == 0:
            return Minimum(start, 0, True)
        with one_thread:
            return quasi_newton(self, np.asarray(start, np.float64), tol, max_iter)

    def for_all_columns(self, theta: np.ndarray, d: int) -> np.ndarray:
        return self.X.of_all(theta, d, self.intercept)
