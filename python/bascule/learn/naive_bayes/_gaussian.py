"""Gaussian naive Bayes: means and variances of the columns in each class, in one pass over the rows."""

from __future__ import annotations

from typing import Any

import numpy as np
from sklearn import naive_bayes as theirs
from sklearn.base import _fit_context
from sklearn.utils._array_api import _find_matching_floating_dtype
from sklearn.utils.multiclass import _check_partial_fit_first_call

from .. import _there as there
from .._checks import check_sample_weight, validate_data
from .._chunks import computed, is_chunked
from .._classes import CLASS_SPREAD, chunks_by_class, numbers_of
from .._estimator import NativeEstimator, in_kind
from .._kinds import Kind, near, to_host
from .._rows import MANY, RowFunction, State
from ..preprocessing._standard import SPREAD, merge_spreads

_MANY = 32  # classes whose densities are computed in one pass


def _distances(X: Any, means: Any, variances: Any) -> State:
    """Squared distances to the means, in units of the deviations, shape (n, k)."""
    X = X.astype(np.float64)
    columns = []
    for k in range(means.shape[0]):
        D = X - means[k]
        columns.append((D * D / variances[k]).sum(axis=1, keepdims=True))
    return {"distances": np.concatenate(columns, axis=1)}


_DISTANCES = RowFunction(_distances)


class GaussianNB(NativeEstimator, theirs.GaussianNB):
    __doc__ = theirs.GaussianNB.__doc__

    _keeps_types = True

    @_fit_context(prefer_skip_nested_validation=True)
    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> GaussianNB:
        """Find means and variances of the columns in each class.

        Parameters
        ----------
        X : array, shape (n, d)
        y : array, shape (n,)
            Labels.
        sample_weight : array, shape (n,), optional

        Returns
        -------
        GaussianNB
            The classifier itself. Means and variances agree with scikit-learn's to 1e-10 of the largest.
        """
        return self._call("fit", X, y, sample_weight)

    @_fit_context(prefer_skip_nested_validation=True)
    def partial_fit(self, X: Any, y: Any, classes: Any = None, sample_weight: Any = None) -> GaussianNB:
        """Add rows to means and variances.

        Parameters
        ----------
        X : array, shape (n, d)
        y : array, shape (n,)
            Labels.
        classes : array, shape (k,), optional
            All labels; needed in the first call.
        sample_weight : array, shape (n,), optional

        Returns
        -------
        GaussianNB
            The classifier itself.
        """
        return self._call("partial_fit", X, y, classes, sample_weight, names=("y", "classes", "sample_weight"))

    def _fit_native(self, kind: Kind, X: Any, y: Any, sample_weight: Any = None) -> None:
        self.classes_ = None
        if is_chunked(X):
            rows, classes, numbers, w = chunks_by_class(self, X, y, sample_weight)
            _check_partial_fit_first_call(self, classes)
            self._add_numbered(rows, numbers, w, True)
            return
        y = validate_data(self, y=y)
        self._add(X, y, to_host(np.unique(y)), sample_weight)

    def _partial_fit_native(self, kind: Kind, X: Any, y: Any, classes: Any, sample_weight: Any = None) -> None:
        X, y, sample_weight = computed(X, y, sample_weight) if is_chunked(X) else (X, y, sample_weight)
        self._add(X, y, classes, sample_weight)

    def _add(self, X: Any, y: Any, classes: Any, w: Any) -> None:
        first = _check_partial_fit_first_call(self, classes)
        X, y = validate_data(self, X, y, reset=first)
        if w is not None:
            w = check_sample_weight(w, X, dtype=_find_matching_floating_dtype(np.empty(0, X.dtype), xp=np))
        numbers = numbers_of(y, self.classes_)
        if numbers.min() < 0:
            unknown = to_host(np.unique(y[numbers < 0]))
            raise ValueError(f"The target label(s) {unknown} in y do not exist in the initial classes {self.classes_}")
        self._add_numbered(X, Kind.of(X).take(numbers, "y"), w, first)

    def _add_numbered(self, X: Any, numbers: Any, w: Any, first: bool) -> None:
        """Add rows by the numbers of their classes."""
        dtype = _find_matching_floating_dtype(np.empty(0, X.dtype), xp=np)
        priors = self._checked_priors(dtype) if first else self.class_prior_
        seen = None if first else self._seen()
        rows = [X, numbers] if w is None else [X, numbers, w]
        state = CLASS_SPREAD[w is not None](rows, [np.arange(len(self.classes_))], min(len(self.classes_), MANY))
        largest = _variances(X, state if w is None else None).max()
        self.epsilon_ = self.var_smoothing * dtype.type(largest)
        if seen is not None:
            seen["squares"] = (seen["variances"] - self.epsilon_) * seen["count"]
            state = merge_spreads(seen, state)
        count = state["count"]
        unseen = 0 if seen is None else seen["variances"] - self.epsilon_
        variances = np.where(count == 0, unseen, state["squares"] / (count + (count == 0)))
        self.theta_ = state["mean"].astype(dtype)
        self.var_ = (variances + self.epsilon_).astype(dtype)
        self.class_count_ = count[:, 0].astype(dtype)
        self.class_prior_ = priors if self.priors is not None else self.class_count_ / self.class_count_.sum()

    def _checked_priors(self, dtype: Any) -> Any:
        if self.priors is None:
            return None
        priors = np.asarray(to_host(self.priors), dtype=dtype)
        if len(priors) != len(self.classes_):
            raise ValueError("Number of priors must match number of classes.")
        if not np.isclose(priors.sum(), 1.0):
            raise ValueError("The sum of the priors should be 1.")
        if (priors < 0).any():
            raise ValueError("Priors must be non-negative.")
        return priors

    def _seen(self) -> State:
        """The state of the rows so far."""
        count = to_host(self.class_count_).astype(np.float64)[:, None]
        means, variances = (to_host(x).astype(np.float64) for x in (self.theta_, self.var_))
        return {"count": count, "mean": means, "variances": variances, "weight": np.float64(0)}

    def _joint_log_likelihood(self, X: Any) -> Any:
        means, variances, priors = (to_host(x) for x in (self.theta_, self.var_, self.class_prior_))
        dtype = np.result_type(X.dtype, means)
        means, variances = means.astype(np.float64), variances.astype(np.float64)
        level = np.log(priors) - 0.5 * np.log(2.0 * np.pi * variances).sum(axis=1)
        found = [
            _DISTANCES([X], [means[k : k + _MANY], variances[k : k + _MANY]])["distances"]
            for k in range(0, len(means), _MANY)
        ]
        distances = found[0] if len(found) == 1 else np.concatenate(found, axis=1)
        distances *= -0.5
        distances += near(X, level)[0]
        return distances.astype(dtype, copy=False)

    _decision = there.joint
    predict = in_kind(theirs.GaussianNB.predict, there.labels)
    predict_joint_log_proba = in_kind(theirs.GaussianNB.predict_joint_log_proba, there.joint)
    predict_log_proba = in_kind(theirs.GaussianNB.predict_log_proba, there.log_shares)
    predict_proba = in_kind(theirs.GaussianNB.predict_proba, there.shares)
    score = in_kind(theirs.GaussianNB.score, there.score, by_rows=False)


def _variances(X: Any, state: State | None) -> np.ndarray:
    """Of the columns over all classes, without weights."""
    if state is None:
        return SPREAD[False]([X])["squares"] / len(X)
    mean = (state["count"] * state["mean"]).sum(axis=0) / len(X)
    return (state["squares"] + state["count"] * (state["mean"] - mean) ** 2).sum(axis=0) / len(X)
