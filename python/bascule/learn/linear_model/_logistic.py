"""Logistic regression by passes over the rows that give loss, gradient and, for Newton's method, the Hessian."""

from __future__ import annotations

from collections.abc import Sequence
from math import prod
from typing import Any

import numpy as np
from sklearn import linear_model as theirs
from sklearn.base import _fit_context
from sklearn.utils.optimize import _check_optimize_result

from ...fallback import refuse_on_gpu
from .._blas import one_thread
from .._checks import check_sample_weight, check_weights, validate_data
from .._chunks import computed, is_chunked, ones_of_chunks
from .._classes import check_labels, chunks_by_class, class_weights, encoded, log_shares_of_decisions, picked
from .._estimator import by_chunks
from .._kinds import Kind, is_on_device, is_sparse, to_host
from ._lbfgs import Rows, minimized
from ._losses import LOGISTIC, MULTINOMIAL
from ._model import LinearClassifier, outside
from ._newton import Minimum, Objective, warn_of_limit
from ._sparse import SparseObjective, UsedColumns

SOLVERS = {"lbfgs", "newton-cg", "newton-cholesky"}
ODD = "labels of one class"
FEW = 2**17  # dense values up to which L-BFGS is followed; Newton's method takes half of its time for more


class LogisticSolver(LinearClassifier):
    """The computation that `LogisticRegression` and `LogisticRegressionCV` share."""

    def _not_native(self, X: Any) -> str | None:
        return self._otherwise() or super()._not_native(X)

    def _otherwise(self) -> str | None:
        """The reason for which parameters leave the fit to scikit-learn."""
        if self.solver not in SOLVERS:  # type: ignore[attr-defined]
            return f"solver={self.solver!r}"  # type: ignore[attr-defined]
        if self.penalty != "deprecated":  # type: ignore[attr-defined]
            return "penalty is given"
        for name in ("dual", "verbose"):
            if getattr(self, name):
                return f"{name} is given"
        return None

    def _objective(self, parts: Sequence[list[Any]], classes: int) -> Objective:
        """Of rows whose targets are numbers of classes; its penalty is still to be set."""
        d, k = parts[0][0].shape[1], 1 if classes == 2 else classes
        nought = np.zeros(d + self.fit_intercept)  # type: ignore[attr-defined]
        loss = LOGISTIC if k == 1 else MULTINOMIAL
        return Objective(loss, parts, nought, self.fit_intercept, k)  # type: ignore[attr-defined]

    def _sparse_objective(self, X: Any, t: np.ndarray, w: np.ndarray, classes: int) -> SparseObjective:
        loss = LOGISTIC if classes == 2 else MULTINOMIAL
        return SparseObjective(loss, X, t, w, self.fit_intercept, 1 if classes == 2 else classes)  # type: ignore[attr-defined]

    def _minimized(self, of: Objective, C: float, start: np.ndarray | None) -> Minimum:
        """The minimum for C, from a start of shape (k, m) or from nought."""
        of.penalty = np.full(len(of.shift), 1 / C)
        if self.fit_intercept:  # type: ignore[attr-defined]
            of.penalty = np.append(of.penalty, 0.0)
        level = None
        if start is None:
            start, level = np.zeros((of.classes, len(of.penalty))), of.weight * np.log(max(of.classes, 2))
        found = of.minimize(start, self.tol, self.max_iter, level)  # type: ignore[attr-defined]
        if not found.converged:
            extra = theirs._logistic._LOGISTIC_SOLVER_CONVERGENCE_MSG
            warn_of_limit(self.solver, found.iterations, self.max_iter, extra)  # type: ignore[attr-defined]
        return found

    def predict_proba(self, X: Any) -> Any:
        """The probabilities of classes.

        Parameters
        ----------
        X : array or sparse matrix, shape (n, d)

        Returns
        -------
        array, shape (n, classes)
            In the kind of X.
        """
        if is_chunked(X):
            return by_chunks(self, X, LogisticSolver.predict_proba)
        kind = Kind.of(X)
        if not kind.on_host:
            return np.exp(log_shares_of_decisions(self.decision_function(X)))
        return kind.give(theirs.LogisticRegression.predict_proba(self, kind.take(X, "X")))

    def predict_log_proba(self, X: Any) -> Any:
        """The logarithms of the probabilities of classes.

        Parameters
        ----------
        X : array or sparse matrix, shape (n, d)

        Returns
        -------
        array, shape (n, classes)
            In the kind of X.
        """
        if is_chunked(X):
            return by_chunks(self, X, LogisticSolver.predict_log_proba)
        kind = Kind.of(X)
        if not kind.on_host:
            return log_shares_of_decisions(self.decision_function(X))
        return kind.give(np.log(to_host(self.predict_proba(kind.take(X, "X")))))


class LogisticRegression(LogisticSolver, theirs.LogisticRegression):
    __doc__ = theirs.LogisticRegression.__doc__

    _takes_dask = True
    _varies = frozenset({"C", "max_iter", "tol", "random_state", "warm_start", "intercept_scaling"})

    def _not_native(self, X: Any) -> str | None:
        if self.l1_ratio != 0:
            return "l1_ratio is not 0"
        if self.n_jobs is not None:
            return "n_jobs is given"
        if is_sparse(X):
            return "X is sparse, and warm_start" if self.warm_start else self._otherwise()
        return super()._not_native(X)

    @_fit_context(prefer_skip_nested_validation=True)
    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> LogisticRegression:
        """Fit the logistic regression.

        Parameters
        ----------
        X : array or sparse matrix, shape (n, d)
        y : array, shape (n,)
            Labels.
        sample_weight : float or array, shape (n,), optional

        Returns
        -------
        LogisticRegression
            The estimator itself. For `solver="lbfgs"` and at most 131,072 dense values, or sparse ones, the steps are
            scikit-learn's, and coefficients are equal (of sparse values to rounding, where the steps end before
            `max_iter`). Else the objective is at most that of scikit-learn's and 1e-9 of it.
        """
        return self._call("fit", X, y, sample_weight)

    def _ends_early(self, X: Any) -> bool:
        """Whether the fit follows scikit-learn's L-BFGS, which ends before the minimum."""
        return self.solver == "lbfgs" and (is_sparse(X) or (prod(X.shape) <= FEW and Kind.of(X).on_host))

    def _fit_native(self, kind: Kind, X: Any, y: Any, sample_weight: Any = None) -> None:
        if is_chunked(X):
            X, classes, numbers, sample_weight = self._rows_of_chunks(X, y, sample_weight)
        else:
            X, y = validate_data(self, X, y, accept_sparse="csr", dtype=[np.float64, np.float32], order="C")
            check_labels(y)
            classes, numbers = encoded(kind, y)
        w = checked_weights(X, sample_weight, self.class_weight, classes, numbers)
        if len(classes) < 2:
            refuse_on_gpu("learn.LogisticRegression.fit", ODD, kind.device, "scikit-learn")
            theirs.LogisticRegression.fit(self, X, y, sample_weight)  # which raises
            return
        check_weights(w)
        self.classes_ = classes
        start = None
        if self.warm_start and hasattr(self, "coef_"):
            start = to_host(self.coef_)
            if self.fit_intercept:
                start = np.column_stack([start, to_host(self.intercept_)])
        if self._ends_early(X):
            weighted = sample_weight is not None or self.class_weight is not None
            theta, iterations = self._as_theirs(X, numbers, w if weighted else None, len(classes), start)
        else:
            rows = [X, numbers.astype(np.float64), w]
            of = self._sparse_objective(*rows, len(classes)) if is_sparse(X) else self._objective([rows], len(classes))
            found = self._minimized(of, self.C, start)
            theta, iterations = found.theta, found.iterations
            if isinstance(of, SparseObjective):
                theta = of.for_all_columns(theta, X.shape[1])
        theta = theta.astype(X.dtype)
        self.n_iter_ = np.array([iterations], np.int32)
        self.coef_ = np.ascontiguousarray(theta[:, : X.shape[1]])
        self.intercept_ = theta[:, -1].copy() if self.fit_intercept else np.zeros(len(theta), X.dtype)

    def _rows_of_chunks(self, X: Any, y: Any, sample_weight: Any) -> tuple[Any, ...]:
        """Checked rows, labels, their numbers, and weights, of Dask; all computed where scikit-learn's steps are followed, and
        for weights of classes."""
        X, classes, *others = chunks_by_class(self, X, y, sample_weight, dtype=[np.float64, np.float32])
        if self._ends_early(X) or self.class_weight is not None:
            X, *others = computed(X, *others)
            X = np.ascontiguousarray(X)
        return X, classes, *others

    def _as_theirs(
        self, X: Any, numbers: np.ndarray, w: np.ndarray | None, classes: int, start: Any
    ) -> tuple[Any, int]:
        """The parameters, shape (k, m), at which scikit-learn's L-BFGS ends, and the number of its steps."""
        k, d = 1 if classes == 2 else classes, X.shape[1]
        total = len(numbers) if w is None else float(w.sum())
        rows = UsedColumns(X, X.dtype) if is_sparse(X) else X
        both = Rows(rows, numbers.astype(X.dtype), w, 1 / (self.C * total), self.fit_intercept, classes)
        with one_thread:
            start = np.zeros((k, rows.shape[1] + self.fit_intercept)) if start is None else start
            found = minimized(both, np.ravel(start, order="F"), self.tol, self.max_iter)
        iterations = _check_optimize_result("lbfgs", found, self.max_iter, theirs._logistic._LOGISTIC_SOLVER_CONVERGENCE_MSG)  # fmt: skip
        theta = found.x.reshape((k, -1), order="F")
        return (rows.of_all(theta, d, self.fit_intercept) if isinstance(rows, UsedColumns) else theta), iterations

    def _path_rows(self, X: Any, y: Any, sample_weight: Any) -> tuple[list[Any], Any] | None:
        """Targets are numbers of classes; balanced class weights are those of each fold."""
        if self.class_weight == "balanced" or np.ndim(y) != 1 or is_sparse(X):
            return None
        X, y = validate_data(self, X, y, dtype=[np.float64, np.float32])
        check_labels(y)
        classes, numbers = encoded(Kind.of(X), y)
        w = checked_weights(X, sample_weight, self.class_weight, classes, numbers)
        if len(classes) < 2 or w.min() < 0:
            return None
        return [X, numbers.astype(np.float64), w], numbers[:, None]

    def _training(self, rows: list[Any], ranges: Sequence[tuple[int, int]]) -> list[Objective]:
        classes = int(rows[1].max()) + 1
        return [self._objective([[x[i:j] for x in rows] for i, j in others], classes) for others in outside(ranges, len(rows[0]))]  # fmt: skip

    @classmethod
    def _fit_path(cls, of: Objective, candidates: list[Any]) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """From strong penalties to weak ones, each from the last one's minimum."""
        thetas, start = np.empty((len(candidates), of.classes, len(of.penalty))), None
        for i in sorted(range(len(candidates)), key=lambda i: candidates[i].C):
            start = thetas[i] = candidates[i]._minimized(of, candidates[i].C, start).theta
        d = len(of.shift)
        level = thetas[:, :, d] if of.intercept else np.zeros(thetas.shape[:2])
        return thetas[:, :, :d].transpose(0, 2, 1), level, np.ones(len(candidates), bool)


def checked_weights(X: Any, sample_weight: Any, class_weight: Any, classes: Any, numbers: Any) -> Any:
    """Weights of rows times those of their classes; without any, on the host, ones that take no memory."""
    if is_chunked(X):
        return ones_of_chunks(X) if sample_weight is None else sample_weight
    if sample_weight is None and class_weight is None and not is_on_device(X):
        return np.broadcast_to(1.0, X.shape[0])
    w = check_sample_weight(sample_weight, X, dtype=X.dtype, copy=True)
    if class_weight is not None and len(classes) > 0:
        by_class = class_weights(class_weight, classes, numbers, None if sample_weight is None else w)
        w = w * picked(by_class, numbers).astype(X.dtype)
    return w
