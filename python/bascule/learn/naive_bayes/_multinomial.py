"""Naive Bayes of counts: the sums of the rows of each class, of sparse rows from their elements alone."""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy import sparse
from sklearn import naive_bayes as theirs
from sklearn.base import _fit_context
from sklearn.utils.validation import check_non_negative

from ...fallback import refuse_on_gpu
from .. import _there as there
from .._checks import check_sample_weight, known_finite, validate_data, values_of
from .._classes import encoded, members
from .._estimator import NativeEstimator, in_kind
from .._kinds import Kind, is_sparse, near, to_host
from .._rows import Aggregation, State, add, in_parts

_BLOCK = 1 << 10  # sparse rows whose products are computed together
_PARTS, _LEAST = 8, 1 << 17  # parts of sparse rows that are summed on several threads, and the elements of one
_FEW = 16  # classes for which products with all of them take less time than finding the one of each element


def _counts(X: Any, numbers: Any, w: Any, all_numbers: Any) -> State:
    H = members(numbers, all_numbers) * w.astype(np.float64)[:, None]
    return {"features": H.T @ X.astype(np.float64), "classes": H.sum(axis=0)}


_COUNTS = Aggregation(_counts, add)  # of rows on a device


class MultinomialNB(NativeEstimator, theirs.MultinomialNB):
    __doc__ = theirs.MultinomialNB.__doc__

    _takes_dask = False

    @_fit_context(prefer_skip_nested_validation=True)
    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> MultinomialNB:
        """Count the elements of each column in each class.

        Parameters
        ----------
        X : array or sparse matrix, shape (n, d)
        y : array, shape (n,)
            Labels.
        sample_weight : array, shape (n,), optional

        Returns
        -------
        MultinomialNB
            The classifier itself. Counts equal scikit-learn's, sums of other numbers agree to rounding.
        """
        return self._call("fit", X, y, sample_weight)

    @_fit_context(prefer_skip_nested_validation=True)
    def partial_fit(self, X: Any, y: Any, classes: Any = None, sample_weight: Any = None) -> MultinomialNB:
        """Add rows to the counts.

        Parameters
        ----------
        X : array or sparse matrix, shape (n, d)
        y : array, shape (n,)
            Labels.
        classes : array, shape (k,), optional
            All labels; needed in the first call.
        sample_weight : array, shape (n,), optional

        Returns
        -------
        MultinomialNB
            The classifier itself.
        """
        return self._call("partial_fit", X, y, classes, sample_weight, names=("y", "classes", "sample_weight"))

    def _not_native(self, X: Any) -> str | None:
        return None if is_sparse(X) else super()._not_native(X)

    def _fit_native(self, kind: Kind, X: Any, y: Any, sample_weight: Any = None) -> None:
        if not kind.on_host:
            self._fit_there(kind, X, y, sample_weight)
            return
        theirs.MultinomialNB.fit.__wrapped__(self, X, y, sample_weight)

    def _fit_there(self, kind: Kind, X: Any, y: Any, sample_weight: Any) -> None:
        X, y = validate_data(self, X, y)
        least = float(X.min())
        if least < 0:
            check_non_negative(np.array([least]), "MultinomialNB (input X)")
        self.classes_, numbers = encoded(kind, y)
        w = check_sample_weight(sample_weight, X)
        state = _COUNTS([X, numbers, w], [np.arange(len(self.classes_))])
        self.feature_count_, self.class_count_ = state["features"], state["classes"]
        self._update_feature_log_prob(self._check_alpha())
        self._update_class_log_prior(class_prior=self.class_prior)

    def _partial_fit_native(self, kind: Kind, X: Any, y: Any, classes: Any, sample_weight: Any = None) -> None:
        refuse_on_gpu("learn.MultinomialNB.partial_fit", "labels on a device", kind.device, "scikit-learn")
        for name in ("feature_count_", "class_count_"):  # to which it adds in place
            if hasattr(self, name):
                setattr(self, name, to_host(getattr(self, name)).copy())
        theirs.MultinomialNB.partial_fit.__wrapped__(self, X, y, classes, sample_weight)

    def _check_X(self, X: Any) -> Any:
        with known_finite(values_of(X)):
            return super()._check_X(X)

    def _count(self, X: Any, Y: np.ndarray) -> None:
        check_non_negative(X, "MultinomialNB (input X)")
        if is_sparse(X):
            self.feature_count_ += _sums_of_classes(X, Y)
        else:
            self.feature_count_ += Y.T.astype(np.float64, copy=False) @ X.astype(np.float64, copy=False)
        self.class_count_ += Y.sum(axis=0)

    def _joint_log_likelihood(self, X: Any) -> Any:
        logs, priors = to_host(self.feature_log_prob_).T, to_host(self.class_log_prior_)
        if not is_sparse(X):
            logs, priors = near(X, logs, priors)
            return X @ logs + priors
        logs = np.ascontiguousarray(logs)
        found = np.empty((X.shape[0], logs.shape[1]))

        def products(begin: int, end: int) -> None:
            rows = slice(begin * _BLOCK, min(end * _BLOCK, len(found)))
            np.add(_rows(X, rows.start, rows.stop) @ logs, priors, out=found[rows])

        in_parts(products, -(-X.shape[0] // _BLOCK))
        return found

    _decision = there.joint
    predict = in_kind(theirs.MultinomialNB.predict, there.labels)
    predict_joint_log_proba = in_kind(theirs.MultinomialNB.predict_joint_log_proba, there.joint)
    predict_log_proba = in_kind(theirs.MultinomialNB.predict_log_proba, there.log_shares)
    predict_proba = in_kind(theirs.MultinomialNB.predict_proba, there.shares)
    score = in_kind(theirs.MultinomialNB.score, there.score, by_rows=False)


def _rows(X: Any, begin: int, end: int) -> Any:
    """Some rows of a CSR matrix, over the same memory."""
    if begin == 0 and end == X.shape[0]:
        return X
    ends = X.indptr[begin : end + 1]
    part = slice(ends[0], ends[-1])
    return sparse.csr_array((X.data[part], X.indices[part], ends - ends[0]), shape=(end - begin, X.shape[1]))


def _sums_of_classes(X: Any, Y: np.ndarray) -> np.ndarray:
    """The sums of the weighted rows of each class, shape (k, d); a row of Y has its weight in the column of its class."""
    parts = max(1, min(_PARTS, X.nnz // max(_LEAST, 4 * Y.shape[1] * X.shape[1])))
    step = -(-X.shape[0] // parts)
    of_part = _by_products if Y.shape[1] <= _FEW else _by_cells

    def sums(begin: int, end: int) -> list[np.ndarray]:
        cuts = ((k * step, min((k + 1) * step, len(Y))) for k in range(begin, end))
        return [of_part(_rows(X, i, j), Y[i:j]) for i, j in cuts]

    found = [one for some in in_parts(sums, parts) for one in some]
    for other in found[1:]:
        found[0] += other
    return found[0]


def _by_products(X: Any, Y: np.ndarray) -> np.ndarray:
    return np.ascontiguousarray((X.T @ Y.astype(np.float64, copy=False)).T)


def _by_cells(X: Any, Y: np.ndarray) -> np.ndarray:
    """Each element goes into the cell of its class and column."""
    d, (_, k) = X.shape[1], Y.shape
    numbers, weights = (Y != 0).argmax(axis=1), Y.sum(axis=1)
    lengths = np.diff(X.indptr)
    cells = np.repeat(numbers * d, lengths)
    cells += X.indices
    values = X.data
    if not (weights == 1).all():
        values = values * np.repeat(weights, lengths)
    return np.bincount(cells, values, k * d).reshape(k, d)
