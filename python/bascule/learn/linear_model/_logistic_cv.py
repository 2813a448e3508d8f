"""Logistic regression with its penalty chosen by cross-validation: on each fold from one minimum to the next."""

from __future__ import annotations

from collections.abc import Sequence
from numbers import Integral
from typing import Any

import numpy as np
from scipy.special import softmax
from sklearn import get_config
from sklearn import linear_model as theirs
from sklearn.base import _fit_context
from sklearn.linear_model import _logistic as module

from ...fallback import count
from .._checks import check_sample_weight
from .._kinds import Kind, to_host
from .._substituted import substituted
from ._logistic import LogisticRegression, LogisticSolver, checked_weights


def _path(X: Any, y: Any, *, classes: np.ndarray, Cs: Any, coef: Any = None, class_weight: Any = None, sample_weight: Any = None, fit_intercept: bool = True, max_iter: int = 100, tol: float = 1e-4, solver: str = "lbfgs", **rest: Any) -> tuple[np.ndarray, np.ndarray, np.ndarray]:  # fmt: skip
    """Coefficients with intercepts for each C, the values of C, and numbers of iterations, as scikit-learn's function of
    the same arguments gives them. Others that it has do not concern these solvers."""
    Cs = np.logspace(-4, 4, Cs) if isinstance(Cs, Integral) else Cs
    model = LogisticRegression(fit_intercept=fit_intercept, max_iter=max_iter, tol=tol, solver=solver)
    numbers = np.searchsorted(classes, y)
    w = checked_weights(X, sample_weight, class_weight, classes, numbers)
    of = model._objective([[X, numbers.astype(np.float64), w]], len(classes))
    start = None if coef is None else np.atleast_2d(coef)
    coefs, iterations = [], np.zeros(len(Cs), np.int32)
    for i, C in enumerate(Cs):
        found = model._minimized(of, C, start)
        start, iterations[i] = found.theta, found.iterations
        coefs.append(found.theta[0] if of.classes == 1 else found.theta)
    return np.stack(coefs), np.asarray(Cs), iterations


_SCORED = substituted(module._log_reg_scoring_path, _logistic_regression_path=_path)


def _scored_path(X: Any, y: Any, train: Any, test: Any, *, classes: np.ndarray, scoring: Any, fit_intercept: bool, sample_weight: Any = None, **rest: Any) -> Sequence[Any]:  # fmt: skip
    """Coefficients, values of C, scores and numbers of iterations; known scores are those of one product for all C."""
    kept = {"classes": classes, "fit_intercept": fit_intercept, **rest}
    if not (scoring is None or scoring in _SCORES) or get_config()["enable_metadata_routing"]:
        return _SCORED(X, y, train, test, scoring=scoring, sample_weight=sample_weight, **kept)
    w = None if sample_weight is None else check_sample_weight(sample_weight, X)
    coefs, Cs, iterations = _path(X[train], y[train], sample_weight=None if w is None else w[train], **kept)
    theta = coefs.reshape(len(Cs), -1, coefs.shape[-1])
    Z = X[test] @ (theta[:, :, :-1] if fit_intercept else theta).transpose(0, 2, 1)
    if fit_intercept:
        Z += theta[:, None, :, -1]
    if Z.shape[2] == 1:
        Z = np.concatenate([np.zeros_like(Z), Z], axis=2)
    scores = _SCORES[scoring or "accuracy"](Z, np.searchsorted(classes, y[test]))
    return coefs, Cs, np.average(scores, axis=1, weights=None if w is None else w[test]), iterations


def _hits(Z: np.ndarray, numbers: np.ndarray) -> np.ndarray:
    return Z.argmax(axis=2) == numbers


def _log_likelihoods(Z: np.ndarray, numbers: np.ndarray) -> np.ndarray:
    """Logarithms of the probabilities of the rows' classes, which scikit-learn keeps away from nought and one."""
    P = softmax(Z, axis=2)[:, np.arange(len(numbers)), numbers]
    eps = np.finfo(P.dtype).eps
    return np.log(np.clip(P, eps, 1 - eps))


_SCORES = {"accuracy": _hits, "neg_log_loss": _log_likelihoods}  # of rows, from predictors of shape (m, n, k)


_FIT = substituted(theirs.LogisticRegressionCV.fit, _log_reg_scoring_path=_scored_path, _logistic_regression_path=_path)


class LogisticRegressionCV(LogisticSolver, theirs.LogisticRegressionCV):
    __doc__ = theirs.LogisticRegressionCV.__doc__

    _on_device = "folds are cut by labels on the host"

    def _not_native(self, X: Any, y: Any = None, sample_weight: Any = None) -> str | None:
        shares = self.l1_ratios
        if not (shares is None or isinstance(shares, str)) and np.any(np.asarray(shares) != 0):
            return "l1_ratios are not 0"
        if sample_weight is not None and np.asarray(to_host(sample_weight)).min(initial=0) < 0:
            return "weights are negative"
        return super()._not_native(X)

    @_fit_context(prefer_skip_nested_validation=True)
    def fit(self, X: Any, y: Any, sample_weight: Any = None, **params: Any) -> LogisticRegressionCV:
        """Fit the logistic regression for the penalty with the best score in cross-validation.

        Parameters
        ----------
        X : array, shape (n, d)
        y : array, shape (n,)
            Labels.
        sample_weight : float or array, shape (n,), optional
        **params
            Passed to the splitter and the scorer, if metadata routing is enabled.

        Returns
        -------
        LogisticRegressionCV
            The estimator itself. The objective of each fit is at most that of scikit-learn's and 1e-9 of it.
        """
        if params:
            count("learn.LogisticRegressionCV.fit", "parameters of scorers", "scikit-learn")
            return theirs.LogisticRegressionCV.fit(self, X, y, sample_weight, **params)
        return self._call("fit", X, y, sample_weight)

    def _fit_native(self, kind: Kind, X: Any, y: Any, sample_weight: Any = None) -> None:
        _FIT(self, X, y, sample_weight)

    def score(self, X: Any, y: Any, sample_weight: Any = None, **score_params: Any) -> float:
        """The score of predictions by `scoring`.

        Parameters
        ----------
        X : array, shape (n, d)
        y : array, shape (n,)
        sample_weight : array, shape (n,), optional
        **score_params
            Passed to the scorer, if metadata routing is enabled.

        Returns
        -------
        float
        """
        kind = Kind.of(X)
        X, y, w = (kind.take(x, what) for x, what in ((X, "X"), (y, "y"), (sample_weight, "sample_weight")))
        return theirs.LogisticRegressionCV.score(self, X, y, sample_weight=w, **score_params)
