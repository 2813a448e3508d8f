"""Lasso and elastic net with their penalty chosen by cross-validation: one pass over the rows for all folds and penalties."""

from __future__ import annotations

from collections.abc import Sequence
from numbers import Integral, Number, Real
from typing import Any

import numpy as np
from sklearn import get_config
from sklearn import linear_model as theirs
from sklearn.base import _fit_context
from sklearn.linear_model._coordinate_descent import _alpha_grid
from sklearn.model_selection import check_cv
from sklearn.utils import check_random_state, column_or_1d
from sklearn.utils.validation import check_consistent_length, check_scalar

from ...fallback import count
from .._checks import check_sample_weight, check_weights, validate_data
from .._kinds import Kind, is_on_device, near, to_host
from .._rows import State
from .._scatter import check_range
from .._splits import partition
from ._descent import Descent
from ._gram import rows_of

_EXACT = 1e-6  # share of the variance below which squared errors are computed of the rows, not of their state

Split = tuple[Any, Any]


class DescentCV(Descent):
    """The computation that `LassoCV` and `ElasticNetCV` share."""

    _takes_dask = False

    def _not_native(self, X: Any) -> str | None:
        if self.verbose:  # type: ignore[attr-defined]
            return "verbose is given"
        if get_config()["enable_metadata_routing"]:
            return "metadata routing is enabled"
        return super()._not_native(X)

    def _fit(self, X: Any, y: Any, sample_weight: Any, params: dict[str, Any]) -> Any:
        if params:
            return self._theirs.fit(self, X, y, sample_weight, **params)
        return self._call("fit", X, y, sample_weight)

    def _fit_native(self, kind: Kind, X: Any, y: Any, sample_weight: Any = None) -> None:
        known, checks = hasattr(X, "shape"), {"dtype": [np.float64, np.float32]}
        X, y = validate_data(self, X, y, validate_separately=(checks, {**checks, "ensure_2d": False}))
        check_consistent_length(X, y)
        reason = None if known else self._too_wide(X)  # of a list
        if reason is not None or y.ndim > 1 and y.shape[1] > 1:  # the second is an error
            if reason is not None:
                count(f"learn.{type(self).__name__}.fit", reason, "scikit-learn")
            self._theirs.fit(self, X, y, sample_weight)
            return
        y = y.reshape(-1) if is_on_device(y) else column_or_1d(y, warn=True)
        w = None
        if sample_weight is not None and not isinstance(sample_weight, Number):
            w = check_sample_weight(sample_weight, X, dtype=X.dtype)
            check_weights(w)
        self._select(X, y, w)

    def _select(self, X: Any, y: Any, w: Any) -> None:
        rows = rows_of(X, y[:, None], w)
        splitter = check_cv(self.cv)  # type: ignore[attr-defined]
        splits = list(splitter.split(X, y))
        whole, folds = self._states(rows, splitter, splits)
        check_range(whole["gram"])
        ratio = getattr(self, "l1_ratio", None)
        ratios = [1.0] if ratio is None else np.atleast_1d(ratio)
        alphas = self._alphas_of(X, y, w, whole, ratios)
        errors = np.empty((len(ratios), len(splits), len(alphas[0])))
        for share, path, into in zip(ratios, alphas, errors):
            for (train, test), (_, test_rows), row in zip(folds, splits, into):
                row[:] = self._errors(rows, test_rows, train, test, path, share)
        self.mse_path_ = np.squeeze(np.moveaxis(errors, 2, 1))
        means = errors.mean(axis=1)
        best = means.min(axis=1)
        chosen = int(best.argmin())
        self.alpha_ = alphas[chosen][int(means[chosen].argmin())]
        self.alphas_ = np.asarray(alphas) if isinstance(self.alphas, Integral) else np.asarray(alphas[0])  # type: ignore[attr-defined]
        if isinstance(self.alphas, Integral) and len(ratios) == 1:  # type: ignore[attr-defined]
            self.alphas_ = self.alphas_[0]
        if ratio is not None:
            self.l1_ratio_ = ratios[chosen]
        self._refit(whole, X.dtype, ratios[chosen])

    def _refit(self, whole: State, dtype: Any, share: float) -> None:
        coef = np.zeros(len(whole["gram"]))
        gap, self.n_iter_ = self._descended(whole, 0, self.alpha_, share, coef, check_random_state(self.random_state))  # type: ignore[attr-defined]
        self.dual_gap_ = dtype.type(gap)
        self._set_solution(coef[:, None], whole, dtype, flat=True, scalar=True)

    def _states(
        self, rows: list[Any], splitter: Any, splits: Sequence[Split]
    ) -> tuple[State, list[tuple[State, State]]]:
        """The state of all rows, and those of the training and the test rows of each fold."""
        aggregation = self._aggregation(len(rows) == 3)
        parts = partition(splitter, splits, len(rows[0]))
        if parts is not None:
            tests = aggregation.by_range([parts.arranged(x) for x in rows], parts.ranges)
            trains = aggregation.without_each(tests)
            return aggregation.merge(trains[0], tests[0]), list(zip(trains, tests))
        return aggregation(rows), [tuple(aggregation([x[i] for x in rows]) for i in split) for split in splits]  # type: ignore[misc]

    def _alphas_of(self, X: Any, y: Any, w: Any, whole: State, ratios: Any) -> Any:
        """The penalties for each share of the absolute values, in descending order."""
        given = self.alphas  # type: ignore[attr-defined]
        if isinstance(given, Integral):
            total = None if w is None else np.float64(whole["weight"])  # of which the sum is asked
            return [
                _alpha_grid(X, y, whole["cross"], l1_ratio=share, eps=self.eps, n_alphas=given, sample_weight=total, positive=self.positive)  # type: ignore[attr-defined]
                for share in ratios
            ]  # fmt: skip
        for k, alpha in enumerate(given):
            check_scalar(alpha, f"alphas[{k}]", target_type=Real, min_val=0.0, include_boundaries="left")
        return np.tile(np.sort(given)[::-1], (len(ratios), 1))

    def _errors(self, rows: list[Any], tested: Any, train: State, test: State, alphas: Any, share: float) -> np.ndarray:
        """Mean squared errors on the test rows of a fold along the path, each penalty from the last one's coefficients."""
        rng = check_random_state(self.random_state)  # type: ignore[attr-defined]
        path, now = np.empty((len(alphas), len(train["gram"]))), np.zeros(len(train["gram"]))
        for alpha, row in zip(alphas, path):
            self._descended(train, 0, alpha, share, now, rng)
            row[:] = now
        level = train["level"][0] - path @ train["mean"]
        off = test["level"][0] - path @ test["mean"] - level
        weight, cross = float(test["weight"]), test["cross"][:, 0]
        squares = test["squares"][0] - 2 * (path @ cross) + ((path @ test["gram"]) * path).sum(axis=1)
        found = squares / weight + off * off
        if found.min() * weight < _EXACT * test["squares"][0]:
            X, Y, *w = (x[tested] for x in rows)
            coef, levels = near(X, path.T, level)
            residuals = X.astype(np.float64) @ coef + levels - Y
            found = to_host(np.average(residuals * residuals, axis=0, weights=w[0] if w else None))
        return found


class LassoCV(DescentCV, theirs.LassoCV):
    __doc__ = theirs.LassoCV.__doc__

    @_fit_context(prefer_skip_nested_validation=True)
    def fit(self, X: Any, y: Any, sample_weight: Any = None, **params: Any) -> LassoCV:
        """Fit the Lasso for the penalty with the smallest mean squared error in cross-validation.

        Parameters
        ----------
        X : array, shape (n, d)
        y : array, shape (n,)
        sample_weight : float or array, shape (n,), optional
        **params
            Passed to the splitter, if metadata routing is enabled.

        Returns
        -------
        LassoCV
            The estimator itself. Errors agree with scikit-learn's to 1e-8 of the variance of y.
        """
        return self._fit(X, y, sample_weight, params)


class ElasticNetCV(DescentCV, theirs.ElasticNetCV):
    __doc__ = theirs.ElasticNetCV.__doc__

    @_fit_context(prefer_skip_nested_validation=True)
    def fit(self, X: Any, y: Any, sample_weight: Any = None, **params: Any) -> ElasticNetCV:
        """Fit the elastic net for the penalties with the smallest mean squared error in cross-validation.

        Parameters
        ----------
        X : array, shape (n, d)
        y : array, shape (n,)
        sample_weight : float or array, shape (n,), optional
        **params
            Passed to the splitter, if metadata routing is enabled.

        Returns
        -------
        ElasticNetCV
            The estimator itself. Errors agree with scikit-learn's to 1e-8 of the variance of y.
        """
        return self._fit(X, y, sample_weight, params)
