"""The common part of linear models with a quadratic loss: their rows as arrays, and coefficients from a state."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from sklearn.utils.validation import check_X_y

from .._checks import check_sample_weight, check_weights, validate_data
from .._chunks import aligned, checked, is_chunked
from .._kinds import Kind
from .._rows import Aggregation, State
from .._scatter import is_in_range
from ._gram import gram_aggregation, is_wide, rows_of
from ._model import LinearModel


class LeastSquares(LinearModel):
    """Linear models that are fitted from a state of `gram_aggregation`.

    Those that have a path define ``_fit_many(state, candidates)``, which returns coefficients, shape (m, d, k), and which
    of them are accurate.
    """

    _fit_many: Any
    _dtypes: Any = [np.float64, np.float32]  # of scikit-learn's checks of X

    def _not_native(self, X: Any) -> str | None:
        if not Kind.of(X).on_host and len(X.shape) == 2 and is_wide(X):
            return "more columns than rows, on a device"
        return super()._not_native(X)

    def _aggregation(self, weighted: bool) -> Aggregation:
        return gram_aggregation(self.fit_intercept, weighted)  # type: ignore[attr-defined]

    def _state(self, X: Any, Y: Any, w: Any) -> State:
        with np.errstate(over="ignore", invalid="ignore"):  # see `is_in_range`
            return self._aggregation(w is not None)(rows_of(X, Y, w))

    def _checked_rows(self, X: Any, y: Any, sample_weight: Any, **options: Any) -> tuple[Any, Any, Any]:
        """X, y and weights after scikit-learn's checks; of Dask's arrays they run with each chunk."""
        how = {"dtype": self._dtypes, "multi_output": True, "y_numeric": True}
        if is_chunked(X):
            validate_data(self, X, skip_check_array=True)
            X, y, w = aligned(X, y, sample_weight)
            X, y = checked(check_X_y, X, y, estimator=type(self).__name__, **how | {"dtype": LeastSquares._dtypes})
            return X, y, w
        X, y = validate_data(self, X, y, **how)
        X = X if X.dtype in LeastSquares._dtypes else X.astype(np.float64)
        if sample_weight is None:
            return X, y, None
        w = check_sample_weight(sample_weight, X, dtype=X.dtype, **options)
        check_weights(w)
        return X, y, w

    def _path_rows(self, X: Any, y: Any, sample_weight: Any) -> tuple[list[Any], Any] | None:
        """Checked X, Y, and weights, of all rows, and the column that scores read; None where each fit has checks of
        its own."""
        if is_chunked(X):
            return None
        X, y, w = self._checked_rows(X, y, sample_weight, ensure_non_negative=True)
        Y = as_columns(y)
        return rows_of(X, Y, w), Y

    def _training(self, rows: list[Any], ranges: Sequence[tuple[int, int]]) -> list[State] | None:
        """The states of the training rows: the merge of those of the other folds."""
        aggregation = self._aggregation(len(rows) == 3)
        states = aggregation.by_range(rows, ranges)
        fit = all(s["weight"] > 0 and is_in_range(s["gram"]) for s in states)
        return aggregation.without_each(states) if fit else None

    @classmethod
    def _fit_path(cls, state: State, candidates: list[Any]) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        coef, fitted = cls._fit_many(state, candidates)
        return coef, state["level"] - np.einsum("mdk,d->mk", coef, state["mean"]), fitted

    def _set_solution(self, coef: np.ndarray, state: State, dtype: Any, flat: bool, scalar: bool) -> None:
        """Set `coef_` from coefficients of shape (d, k), in scikit-learn's shapes and types, and `intercept_`.

        Parameters
        ----------
        flat : bool
            `coef_` is a vector.
        scalar : bool
            `intercept_` is a number.
        """
        coef = np.ascontiguousarray(coef.T)
        level = state["level"] - coef @ state["mean"]
        self.coef_ = (coef[0] if flat else coef).astype(dtype, copy=False)
        self.intercept_ = (level[0] if scalar else level).astype(dtype) if self.fit_intercept else 0.0  # type: ignore[attr-defined]

    def predict(self, X: Any) -> Any:
        """Predict by the linear model.

        Parameters
        ----------
        X : array or sparse matrix, shape (n, d)

        Returns
        -------
        array, shape (n,) or (n, targets)
            In the kind of X.
        """
        return self._decision_function(X)


def as_columns(y: Any) -> Any:
    return y if y.ndim == 2 else y[:, None]
