"""Statistics of the known values of columns, and missing values replaced by them."""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np
from sklearn import impute as theirs
from sklearn.base import _fit_context
from sklearn.impute._base import _safe_min
from sklearn.utils._mask import _get_mask
from sklearn.utils._missing import is_scalar_nan
from sklearn.utils.validation import check_is_fitted

from ... import nanmedian
from .._checks import validate_data
from .._estimator import NativeEstimator
from .._kinds import Kind, is_frame, is_on_device, near, shared, to_host
from .._rows import Aggregation, State, add
from ..preprocessing._categories import distinct, factorized, is_table
from ..preprocessing._scaler import LARGE


def _sums(X: Any) -> State:
    X = X.astype(np.float64)
    known = X == X
    return {"count": known.sum(axis=0), "total": np.where(known, X, 0).sum(axis=0)}


def _sums_without(X: Any, missing: Any) -> State:
    X = X.astype(np.float64)
    known = X != missing
    return {"count": known.sum(axis=0), "total": np.where(known, X, 0).sum(axis=0)}


# By whether a number other than NaN stands for what is missing.
_SUMS = {False: Aggregation(_sums, add), True: Aggregation(_sums_without, add)}


class SimpleImputer(NativeEstimator, theirs.SimpleImputer):
    __doc__ = theirs.SimpleImputer.__doc__

    _takes_dask, _keeps_types = False, True

    def _not_native(self, X: Any) -> str | None:
        if not Kind.of(X).on_host and (self.strategy == "most_frequent" or self.add_indicator):
            return "counts of values, or an indicator, of rows on a device"
        return "strategy is a function" if callable(self.strategy) else super()._not_native(X)

    @_fit_context(prefer_skip_nested_validation=True)
    def fit(self, X: Any, y: Any = None) -> SimpleImputer:
        """Find the value of each column that replaces missing ones.

        Parameters
        ----------
        X : array, frame or sparse matrix, shape (n, d)
        y : None
            Not used.

        Returns
        -------
        SimpleImputer
            The imputer itself. Means agree with scikit-learn's to 1e-12; medians, most frequent values and constants
            equal them.
        """
        return self._call("fit", X)

    def _fit_native(self, kind: Kind, X: Any) -> None:
        if not self._is_of_strings(X):
            self._theirs.fit.__wrapped__(self, X)
            return
        validate_data(self, X, skip_check_array=True)
        self._fit_dtype = self._fill_dtype = np.dtype(object)
        self.indicator_ = None
        fill = "missing_value" if self.fill_value is None else self.fill_value
        self.statistics_ = np.empty(X.shape[1], object)
        for k in range(X.shape[1]):
            once, counts = distinct(X.iloc[:, k], counted=True)
            most = self._most_frequent_of(once, counts)
            self.statistics_[k] = fill if self.strategy == "constant" and not is_scalar_nan(most) else most

    def _is_of_strings(self, X: Any) -> bool:
        """Whether X is a frame of bascule with columns of strings, of which no array of objects is made."""
        known = self.strategy in ("most_frequent", "constant") and is_scalar_nan(self.missing_values)
        if not known or self.add_indicator or not (is_frame(X) and is_table(X)):
            return False
        return all(getattr(t, "name", "") == "str" for t in X.dtypes)

    def _validate_input(self, X: Any, in_fit: bool) -> Any:
        """Without a copy of X, which no method here writes to."""
        if self._not_native(X) is not None:
            return super()._validate_input(X, in_fit)
        if is_on_device(X):
            finite = "allow-nan" if is_scalar_nan(self.missing_values) else True
            X = validate_data(self, X, dtype=[np.float64, np.float32], reset=in_fit, ensure_all_finite=finite)
            if in_fit:
                self._fit_dtype = X.dtype
            return X
        one = object.__new__(type(self))
        one.__dict__.update(vars(self), copy=False)
        X = theirs.SimpleImputer._validate_input(one, X, in_fit)
        if in_fit:
            self.__dict__.update(vars(one), copy=self.copy)
        return X

    def _dense_fit(self, X: Any, strategy: Any, missing_values: Any, fill_value: Any) -> Any:
        if callable(strategy) or self._not_native(X) is not None:
            return super()._dense_fit(X, strategy, missing_values, fill_value)
        self._fit_indicator(_get_mask(X, missing_values) if self.add_indicator else None)
        if strategy == "most_frequent":
            return self._most_frequent(X)
        missing = None if is_scalar_nan(missing_values) else missing_values
        if strategy == "mean":
            state = _SUMS[missing is not None]([X], [] if missing is None else [np.asarray(missing, np.float64)])
            empty = state["count"] == 0
            found = (state["total"] / (state["count"] + empty)).astype(np.result_type(X.dtype, np.int64))
        elif strategy == "median":
            empty = _is_empty(X, missing)
            found = np.zeros(X.shape[1], X.dtype)
            found[~empty] = _medians(X[:, ~empty] if empty.any() else X, missing)
        else:
            found = np.full(X.shape[1], fill_value, dtype=object)
            if self.keep_empty_features:
                return found
            empty = _get_mask(X, missing_values).all(axis=0) if X.dtype == object else _is_empty(X, missing)
        found[empty] = 0 if self.keep_empty_features else np.nan
        return found

    def _most_frequent(self, X: np.ndarray) -> np.ndarray:
        found = np.empty(X.shape[1], object if X.dtype == object else np.float64)
        for k in range(X.shape[1]):
            found[k] = self._most_frequent_of(*distinct(X[:, k], counted=True))
        return found

    def _most_frequent_of(self, once: np.ndarray, counts: Any) -> Any:
        """The smallest of the known values that occur most often."""
        known = ~_get_mask(once, self.missing_values)
        once, counts = once[known], counts[known]
        if not len(once):
            return 0 if self.keep_empty_features else np.nan
        most = once[counts == counts.max()]
        return _safe_min(most.tolist()) if once.dtype == object else most.min()

    def transform(self, X: Any) -> Any:
        """Replace missing values.

        Parameters
        ----------
        X : array, frame or sparse matrix, shape (n, d)

        Returns
        -------
        array or sparse matrix, shape (n, columns with a known value)
            Equal to scikit-learn's for the same statistics, in the kind of X.
        """
        check_is_fitted(self)
        kind, reason = Kind.of(X), self._not_native(X)
        if reason is not None:
            return self._by_parent("transform", X, reason)
        if self._fit_dtype.kind == "O" and self._is_of_strings(X):
            return self._filled_strings(X)
        taken = self._validate_input(kind.take(X, "X"), in_fit=False)
        statistics = to_host(self.statistics_)
        mask = _get_mask(taken, self.missing_values) if self.add_indicator else None
        kept = self._kept(statistics)
        if kept is not None:
            taken, statistics = taken[:, kept], statistics[kept]
        filled = self._filled(taken, statistics.astype(self._fill_dtype, copy=False), kind.ours)
        if mask is not None:
            filled = self._concatenate_indicator(to_host(filled), self._transform_indicator(mask))
        return kind.give(filled)

    def _filled_strings(self, X: Any) -> np.ndarray:
        validate_data(self, X, skip_check_array=True, reset=False)
        kept = self._kept(self.statistics_)
        columns = range(X.shape[1]) if kept is None else np.flatnonzero(kept).tolist()
        found = np.empty((len(X), len(columns)), object)
        for target, k in enumerate(columns):
            once, codes = factorized(X.iloc[:, k])
            found[:, target] = np.where(_get_mask(once, self.missing_values), self.statistics_[k], once)[codes]
        return found

    def _kept(self, statistics: np.ndarray) -> np.ndarray | None:
        """Which columns have a statistic; None if all are kept."""
        empty = _get_mask(statistics, np.nan)
        if self.keep_empty_features or not empty.any():
            return None
        names = getattr(self, "feature_names_in_", np.arange(len(statistics)))
        warnings.warn(
            f"Skipping features without any observed values: {names[empty]}. At least one non-missing value is needed "
            f"for imputation with strategy='{self.strategy}'.",
            stacklevel=3,
        )
        return ~empty

    def _filled(self, X: np.ndarray, statistics: np.ndarray, ours: bool) -> Any:
        """X with statistics in place of missing values, of the type of X."""
        statistics = statistics.astype(X.dtype, copy=False)
        nan = is_scalar_nan(self.missing_values)
        if is_on_device(X):
            return np.where(X == X if nan else X != self.missing_values, X, near(X, statistics)[0])
        if X.dtype == object or X.size < LARGE or (not self.copy and not ours) or (nan and X.dtype.kind != "f"):
            mask = _get_mask(X, self.missing_values)
            if self.copy or ours:
                return np.where(mask, statistics, X)
            np.copyto(X, statistics, where=mask)
            return X
        rows, row = (shared(np.ascontiguousarray(x)) for x in (X, statistics))
        found = np.where(rows == rows if nan else rows != self.missing_values, rows, row)
        return found if ours else np.asarray(found)


def _is_empty(X: np.ndarray, missing: Any) -> np.ndarray:
    """Which columns have no known value; missing is None for NaN."""
    rows = shared(X)
    return ~to_host((rows == rows if missing is None else rows != missing).any(axis=0))


def _medians(X: np.ndarray, missing: Any) -> np.ndarray:
    """Of columns that have known values."""
    rows = shared(X)
    return to_host(nanmedian(rows if missing is None else np.where(rows == missing, np.nan, rows), axis=0))
