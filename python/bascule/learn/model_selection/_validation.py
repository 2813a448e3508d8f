"""Cross-validation of one estimator: its folds share cuts and states."""

from __future__ import annotations

from typing import Any

import numpy as np
import sklearn
from sklearn import model_selection as theirs
from sklearn.base import is_classifier
from sklearn.metrics import check_scoring
from sklearn.model_selection._validation import (
    _aggregate_score_dicts,
    _insert_error_scores,
    _normalize_score_results,
    _warn_or_raise_about_fit_failures,
)
from sklearn.utils.validation import indexable

from .._chunks import computed, is_chunked
from .._estimator import leave
from .._kinds import Kind
from .._splits import seen_by_splitters
from ._evaluation import Evaluation
from ._search import untested


def _taken(X: Any, y: Any, groups: Any, params: dict[str, Any] | None) -> tuple[Any, ...]:
    """The kind of X, and the arguments as its computation reads them."""
    if is_chunked(X):
        X, y, groups, params = computed(X, y, groups, params)
    kind = Kind.of(X)
    params = {k: kind.take(v, k) for k, v in params.items()} if params else params
    return kind, kind.take(X, "X"), kind.take(y, "y"), kind.take(groups, "groups"), params


def cross_validate(
    estimator: Any,
    X: Any,
    y: Any = None,
    *,
    groups: Any = None,
    scoring: Any = None,
    cv: Any = None,
    n_jobs: int | None = None,
    verbose: int = 0,
    params: dict[str, Any] | None = None,
    pre_dispatch: Any = "2*n_jobs",
    return_train_score: bool = False,
    return_estimator: bool = False,
    return_indices: bool = False,
    error_score: Any = np.nan,
) -> dict[str, Any]:
    """Scores of an estimator on the folds of a cross-validation, as `sklearn.model_selection.cross_validate`.

    Parameters
    ----------
    estimator : estimator
    X : array, shape (n, d)
    y : array, shape (n,) or (n, targets), optional
    groups, scoring, cv, n_jobs, verbose, params, pre_dispatch, return_train_score, return_estimator, return_indices, error_score
        As in scikit-learn.

    Returns
    -------
    dict of str to array
        ``test_score``, ``fit_time``, ``score_time`` and what was asked for besides, one element for each fold.

    Examples
    --------
    >>> from bascule.learn.datasets import load_diabetes
    >>> from bascule.learn.linear_model import Ridge
    >>> from bascule.learn.model_selection import cross_validate
    >>> found = cross_validate(Ridge(), *load_diabetes(return_X_y=True), cv=3)
    >>> found["test_score"].round(3).tolist()
    [0.406, 0.437, 0.427]
    """
    given = y
    kind, X, y, groups, params = _taken(X, y, groups, params)
    options = {"cv": cv, "n_jobs": n_jobs, "params": params, "pre_dispatch": pre_dispatch, "return_train_score": return_train_score,
               "return_estimator": return_estimator, "return_indices": return_indices, "error_score": error_score}  # fmt: skip
    reason = _alone(verbose)
    if reason is not None:
        leave("learn.cross_validate", reason, kind)
        return theirs.cross_validate(estimator, X, y, groups=groups, scoring=scoring, verbose=verbose, **options)
    X, y = indexable(X, y)
    labels = seen_by_splitters("learn.cross_validate", kind, given, y, cv, is_classifier(estimator))
    splitter = theirs.check_cv(cv, labels, classifier=is_classifier(estimator))
    scorers = check_scoring(estimator, scoring=scoring, raise_exc=error_score == "raise")
    splits = list(splitter.split(X, labels, groups=groups))
    evaluation = Evaluation(
        estimator, X, y, scorers, error_score=error_score, return_train_score=return_train_score,
        fit_params=params, score_params=None, n_jobs=n_jobs, pre_dispatch=pre_dispatch, return_estimator=return_estimator,
    )  # fmt: skip
    out = evaluation([None], splitter, splits)
    _warn_or_raise_about_fit_failures(out, error_score)
    if callable(scoring):
        _insert_error_scores(out, error_score)
    return _arranged(out, splits if return_indices else None)


def _arranged(out: list[dict[str, Any]], splits: Any) -> dict[str, Any]:
    found = _aggregate_score_dicts(out)
    result = {k: found[k] for k in ("fit_time", "score_time", "estimator") if k in found}
    if splits is not None:
        result["indices"] = dict(zip(("train", "test"), zip(*splits)))
    scores = {part: _normalize_score_results(found[f"{part}_scores"]) for part in ("test", "train") if f"{part}_scores" in found}  # fmt: skip
    for name in scores["test"]:
        result |= {f"{part}_{name}": values[name] for part, values in scores.items()}
    return result


def _alone(verbose: int) -> str | None:
    """The reason for which scikit-learn's function runs, or None."""
    if sklearn.get_config()["enable_metadata_routing"]:
        return "metadata routing"
    return "verbose output" if verbose else untested()


def cross_val_score(
    estimator: Any,
    X: Any,
    y: Any = None,
    *,
    groups: Any = None,
    scoring: Any = None,
    cv: Any = None,
    n_jobs: int | None = None,
    verbose: int = 0,
    params: dict[str, Any] | None = None,
    pre_dispatch: Any = "2*n_jobs",
    error_score: Any = np.nan,
) -> np.ndarray:
    """The scores of an estimator on the folds of a cross-validation, as `sklearn.model_selection.cross_val_score`.

    Parameters
    ----------
    estimator : estimator
    X : array, shape (n, d)
    y : array, shape (n,) or (n, targets), optional
    groups, scoring, cv, n_jobs, verbose, params, pre_dispatch, error_score
        As in scikit-learn.

    Returns
    -------
    array, shape (folds,)

    Examples
    --------
    >>> from bascule.learn.datasets import load_diabetes
    >>> from bascule.learn.linear_model import LinearRegression
    >>> from bascule.learn.model_selection import cross_val_score
    >>> cross_val_score(LinearRegression(), *load_diabetes(return_X_y=True), cv=3).round(3).tolist()
    [0.469, 0.49, 0.51]
    """
    scorer = check_scoring(estimator, scoring=scoring)
    return cross_validate(
        estimator, X, y, groups=groups, scoring={"score": scorer}, cv=cv, n_jobs=n_jobs, verbose=verbose, params=params,
        pre_dispatch=pre_dispatch, error_score=error_score,
    )["test_score"]  # fmt: skip


def cross_val_predict(
    estimator: Any,
    X: Any,
    y: Any = None,
    *,
    groups: Any = None,
    cv: Any = None,
    n_jobs: int | None = None,
    verbose: int = 0,
    params: dict[str, Any] | None = None,
    pre_dispatch: Any = "2*n_jobs",
    method: str = "predict",
) -> Any:
    """Predictions of each row by the estimator of the fold that tests it, as `sklearn.model_selection.cross_val_predict`.

    Parameters
    ----------
    estimator : estimator
    X : array, shape (n, d)
    y : array, shape (n,) or (n, targets), optional
    groups, cv, n_jobs, verbose, params, pre_dispatch, method
        As in scikit-learn.

    Returns
    -------
    array, shape (n,) or (n, targets)
        In the kind of X.

    Examples
    --------
    >>> from bascule.learn.datasets import load_diabetes
    >>> from bascule.learn.linear_model import Ridge
    >>> from bascule.learn.model_selection import cross_val_predict
    >>> cross_val_predict(Ridge(), *load_diabetes(return_X_y=True), cv=3).shape
    (442,)
    """
    kind, X, y, groups, params = _taken(X, y, groups, params)
    return kind.give(
        theirs.cross_val_predict(
            estimator, X, y, groups=groups, cv=cv, n_jobs=n_jobs, verbose=verbose, params=params,
            pre_dispatch=pre_dispatch, method=method,
        )
    )  # fmt: skip


__all__ = ["cross_val_predict", "cross_val_score", "cross_validate"]
