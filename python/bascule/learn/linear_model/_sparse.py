"""Losses over sparse rows. Columns without an element take no part: the best coefficient of each is nought."""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy import sparse

from .._blas import one_thread
from ._losses import Loss
from ._newton import Minimum, Objective, Point, quasi_newton


class SparseObjective(Objective):
    """The objective of `Objective` for rows in compressed form.

    Attributes
    ----------
    columns : array of int, shape (d,)
        The columns of X that have elements: those of theta.
    """

    def __init__(self, loss: Loss, X: Any, t: np.ndarray, w: np.ndarray, intercept: bool, classes: int):
        self.columns, indices = np.unique(X.indices, return_inverse=True)
        shape = (X.shape[0], len(self.columns))
        self.X = sparse.csr_array((X.data.astype(np.float64, copy=False), indices.astype(X.indices.dtype), X.indptr), shape)  # fmt: skip
        self.turned = self.X.T
        self.targets, self.weights = t, np.asarray(w, np.float64)[:, None]
        nought = np.zeros(len(self.columns))
        super().__init__(loss, [[self.X, t, w]], np.append(nought, 0.0) if intercept else nought, intercept, classes, nought)  # fmt: skip

    def at(self, theta: np.ndarray, hessian: bool = False) -> Point:
        d = len(self.columns)
        Z = self.X @ np.ascontiguousarray(theta[:, :d].T)
        if self.intercept:
            Z += theta[:, d]
        with np.errstate(all="ignore"):  # a step that is too long is shortened
            losses, slopes = self.loss.of_predictors(Z, self.targets)
            slopes = slopes * self.weights
            value = float((losses * self.weights).sum()) + 0.5 * float((self.penalty * theta * theta).sum())
        gradient = (self.turned @ slopes).T
        if self.intercept:
            gradient = np.column_stack([gradient, slopes.sum(axis=0)])
        return Point(theta, value, gradient + self.penalty * theta, None)

    def minimize(self, start: np.ndarray, tol: float, max_iter: int, level: float | None = None) -> Minimum:
        if start.size == 0:
            return Minimum(start, 0, True)
        with one_thread:
            return quasi_newton(self, np.asarray(start, np.float64), tol, max_iter)

    def for_all_columns(self, theta: np.ndarray, d: int) -> np.ndarray:
        """Parameters of all columns, shape (k, d) or with an intercept (k, d + 1)."""
        made = np.zeros((len(theta), d + self.intercept), theta.dtype)
        made[:, self.columns] = theta[:, : len(self.columns)]
        if self.intercept:
            made[:, d] = theta[:, -1]
        return made
