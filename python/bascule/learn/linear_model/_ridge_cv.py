"""Ridge regression with its penalty chosen by leave-one-out errors: two passes over the rows for all penalties."""

from __future__ import annotations

import numbers
from typing import Any

import numpy as np
from sklearn import linear_model as theirs
from sklearn.base import _fit_context
from sklearn.utils.validation import check_scalar

from .._estimator import leave
from .._kinds import Kind, shape_of
from .._rows import Aggregation, State, add
from .._scatter import check_range
from ._gram import rows_of
from ._least_squares import LeastSquares, as_columns


def _left_out(X: Any, Y: Any, mean: Any, level: Any, vectors: Any, coef: Any, shrunk: Any, share: Any) -> State:
    """Squared leave-one-out errors, summed: coef is (d, k * m) in coordinates of the vectors, shrunk (d, m)."""
    Z = (X.astype(np.float64) - mean) @ vectors
    kept = 1 - ((Z * Z) @ shrunk + share)
    errors = ((Y.astype(np.float64) - level)[:, :, None] - (Z @ coef).reshape(-1, *_shape(Y, shrunk))) / kept[
        :, None, :
    ]
    return {"errors": (errors * errors).sum(axis=0)}


def _left_out_weighted(
    X: Any, Y: Any, w: Any, mean: Any, level: Any, vectors: Any, coef: Any, shrunk: Any, share: Any
) -> State:
    Z = (X.astype(np.float64) - mean) @ vectors
    w = w.astype(np.float64)[:, None]
    kept = 1 - ((Z * Z) @ shrunk + share) * w
    errors = ((Y.astype(np.float64) - level)[:, :, None] - (Z @ coef).reshape(-1, *_shape(Y, shrunk))) / kept[
        :, None, :
    ]
    return {"errors": (errors * errors * w[:, :, None]).sum(axis=0)}


def _shape(Y: Any, shrunk: Any) -> tuple[int, int]:
    return Y.shape[1], shrunk.shape[1]


_WIDE = "X has as many columns as rows"
_ERRORS = {False: Aggregation(_left_out, add), True: Aggregation(_left_out_weighted, add)}


class RidgeCV(LeastSquares, theirs.RidgeCV):
    __doc__ = theirs.RidgeCV.__doc__

    def _not_native(self, X: Any) -> str | None:
        if self.cv is not None:
            return "cv is given"
        for name in ("scoring", "store_cv_results"):
            if getattr(self, name):
                return f"{name} is given"
        if self.gcv_mode == "svd":
            return "gcv_mode='svd'"
        shape = shape_of(X)
        if len(shape) == 2 and shape[1] >= shape[0]:
            return _WIDE
        return super()._not_native(X)

    @_fit_context(prefer_skip_nested_validation=True)
    def fit(self, X: Any, y: Any, sample_weight: Any = None, **params: Any) -> RidgeCV:
        """Fit the ridge regression for the penalty with the smallest leave-one-out error.

        Parameters
        ----------
        X : array, shape (n, d)
        y : array, shape (n,) or (n, targets)
        sample_weight : float or array, shape (n,), optional
        **params
            Passed to the scorer, if metadata routing is enabled.

        Returns
        -------
        RidgeCV
            The estimator itself. Scores agree with scikit-learn's to 1e-10 of the largest.
        """
        if params:
            kind = Kind.of(X)
            leave("learn.RidgeCV.fit", "parameters of the scorer", kind)
            return theirs.RidgeCV.fit(
                self,
                *(kind.take(x, what) for x, what in ((X, "X"), (y, "y"), (sample_weight, "sample_weight"))),
                **params,
            )
        return self._call("fit", X, y, sample_weight)

    def _fit_native(self, kind: Kind, X: Any, y: Any, sample_weight: Any = None) -> None:
        alphas = self._checked_alphas()
        dtype = getattr(X, "dtype", None)
        X, y, w = self._checked_rows(X, y, sample_weight)
        if X.shape[1] >= X.shape[0]:  # of a list, whose shape is known now
            leave("learn.RidgeCV.fit", _WIDE, kind)
            theirs.RidgeCV.fit(self, X, y, w)
            return
        Y = as_columns(y)
        state = self._state(X, Y, w)
        check_range(state["gram"])
        values, vectors = np.linalg.eigh(state["gram"])
        values = np.maximum(values, 0)
        shrunk = 1 / (values[:, None] + alphas)  # (d, m)
        coef = (vectors.T @ state["cross"])[:, :, None] * shrunk[:, None, :]  # (d, k, m)
        share = np.array(1 / float(state["weight"]) if self.fit_intercept else 0.0)
        fixed = [state["mean"], state["level"], vectors, coef.reshape(len(coef), -1), shrunk, share]
        errors = _ERRORS[w is not None](rows_of(X, Y, w), fixed)["errors"] / X.shape[0]
        best, self.alpha_, self.best_score_ = self._chosen(errors, alphas)
        self._set_solution(
            vectors @ coef[:, np.arange(Y.shape[1]), best], state, _kept(dtype, X), Y.shape[1] == 1, y.ndim == 1
        )

    def _checked_alphas(self) -> np.ndarray:
        """The penalties, as scikit-learn checks them."""
        given = self.alphas if np.ndim(self.alphas) else (self.alphas,)
        if len(given) == 1:
            check_scalar(given[0], "alphas", target_type=numbers.Real, min_val=0.0, include_boundaries="neither")
        else:
            for k, alpha in enumerate(given):
                check_scalar(alpha, f"alphas[{k}]", target_type=numbers.Real, min_val=0.0, include_boundaries="neither")
        return np.asarray(given, np.float64)

    def _chosen(self, errors: np.ndarray, alphas: np.ndarray) -> tuple[Any, Any, Any]:
        """Positions of the best penalties of the targets, these penalties and their scores; errors is (k, m)."""
        if self.alpha_per_target and len(errors) > 1:
            best = errors.argmin(axis=1)
            return best, alphas[best], -errors[np.arange(len(errors)), best]
        mean = errors.mean(axis=0)
        one = int(mean.argmin())
        score = -errors[:, one] if self.alpha_per_target else -mean[one]
        return np.full(len(errors), one), float(alphas[one]), score


def _kept(dtype: Any, X: Any) -> Any:
    return dtype if getattr(dtype, "kind", "") == "f" else X.dtype
