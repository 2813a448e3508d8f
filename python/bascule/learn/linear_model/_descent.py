"""Lasso and elastic net: coordinate descent on the Gram matrix, which one pass over the rows gives."""

from __future__ import annotations

from typing import Any

import numpy as np
from sklearn import linear_model as theirs
from sklearn.base import _fit_context
from sklearn.linear_model._cd_fast import enet_coordinate_descent_gram
from sklearn.utils import check_random_state

from ...fallback import count
from .._kinds import Kind, to_host
from .._rows import State
from .._scatter import check_range
from ._gram import is_wide
from ._least_squares import LeastSquares, as_columns

# Columns up to which the pass for the Gram matrix costs less than descents on columns that are correlated, which take
# dozens of iterations; where they are independent, and three suffice, it costs 1.5 times as much.
MOST_COLUMNS = 200
WIDE = "X has more columns than rows"
MANY = f"X has more than {MOST_COLUMNS} columns"


class Descent(LeastSquares):
    """Linear models with a penalty of the absolute values of coefficients, solved from a state of rows."""

    def _not_native(self, X: Any) -> str | None:
        if not isinstance(self.precompute, (bool, str)):  # type: ignore[attr-defined]
            return "precompute is a matrix"
        shape = getattr(X, "shape", ())
        return (self._too_wide(X) if len(shape) == 2 else None) or super()._not_native(X)

    def _too_wide(self, X: Any) -> str | None:
        if is_wide(X):
            return WIDE
        return MANY if X.shape[1] > MOST_COLUMNS and self.precompute is not True else None  # type: ignore[attr-defined]

    def _descended(self, state: State, target: int, alpha: float, share: float, start: np.ndarray, rng: Any) -> tuple[float, int]:  # fmt: skip
        """Move coefficients from `start`, in place, to those for a penalty; the gap to the dual problem, and the number
        of iterations."""
        weight = float(state["weight"])
        norm = np.sqrt(np.maximum(state["squares"][target : target + 1], 0))
        _, gap, _, iterations = enet_coordinate_descent_gram(
            start, alpha * share * weight, alpha * (1.0 - share) * weight, state["gram"],
            np.ascontiguousarray(state["cross"][:, target]), norm, self.max_iter, self.tol, rng,  # type: ignore[attr-defined]
            self.selection == "random", self.positive,  # type: ignore[attr-defined]
        )  # fmt: skip
        return gap / weight, iterations


class ElasticNet(Descent, theirs.ElasticNet):
    __doc__ = theirs.ElasticNet.__doc__

    _varies = frozenset({"alpha", "l1_ratio", "copy_X", "max_iter", "tol", "warm_start", "positive", "selection", "random_state"})  # fmt: skip

    def _not_native(self, X: Any) -> str | None:
        return "alpha is 0" if self.alpha == 0 else super()._not_native(X)

    @_fit_context(prefer_skip_nested_validation=True)
    def fit(self, X: Any, y: Any, sample_weight: Any = None, check_input: bool = True) -> ElasticNet:
        """Fit the model by coordinate descent.

        Parameters
        ----------
        X : array, shape (n, d)
        y : array, shape (n,) or (n, targets)
        sample_weight : float or array, shape (n,), optional
        check_input : bool, optional
            False, for arrays that need no checks, is scikit-learn's.

        Returns
        -------
        ElasticNet
            The estimator itself, after as many iterations as scikit-learn's: coefficients agree to 1e-10 of the largest.
        """
        if not check_input:
            count(f"learn.{type(self).__name__}.fit", "check_input=False", "scikit-learn")
            return self._theirs.fit(self, X, y, sample_weight, check_input)
        return self._call("fit", X, y, sample_weight)

    def _fit_native(self, kind: Kind, X: Any, y: Any, sample_weight: Any = None) -> None:
        known = hasattr(X, "shape")
        X, y, w = self._checked_rows(X, y, sample_weight)
        reason = None if known else self._too_wide(X)  # of a list
        if reason is None:
            self._solve(X, y, w)
        if reason is not None or not np.isfinite(self.coef_).all():
            if reason is not None:
                count(f"learn.{type(self).__name__}.fit", reason, "scikit-learn")
            self._theirs.fit(self, X, y, w)

    def _solve(self, X: Any, y: Any, w: Any) -> None:
        Y = as_columns(y)
        state = self._state(X, Y, w)
        check_range(state["gram"])
        k = Y.shape[1]
        coef = np.zeros((k, X.shape[1]))
        if self.warm_start and hasattr(self, "coef_"):
            coef[:] = to_host(self.coef_)
        found = [self._descended(state, i, self.alpha, self.l1_ratio, coef[i], check_random_state(self.random_state)) for i in range(k)]  # fmt: skip
        gaps, iterations = np.array([gap for gap, _ in found], X.dtype), [n for _, n in found]
        self.n_iter_ = iterations[0] if k == 1 else iterations
        self.dual_gap_ = gaps[0] if k == 1 else gaps
        self._set_solution(coef.T, state, X.dtype, k == 1, y.ndim == 1)

    @classmethod
    def _fit_many(cls, state: State, candidates: list[Any]) -> tuple[np.ndarray, np.ndarray]:
        """Each from nought, as alone: a descent on the Gram matrix costs less than its call."""
        d, k = state["cross"].shape
        coef = np.zeros((len(candidates), k, d))
        for one, into in zip(candidates, coef):
            for i in range(k):
                one._descended(state, i, one.alpha, one.l1_ratio, into[i], check_random_state(one.random_state))
        return coef.transpose(0, 2, 1), np.asarray(np.isfinite(coef).all(axis=(1, 2)))


class Lasso(ElasticNet, theirs.Lasso):
    __doc__ = theirs.Lasso.__doc__
