"""Searches that read the data once, and share among folds and candidates what they have in common."""

from __future__ import annotations

import time
from collections import defaultdict
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

import sklearn
from sklearn import model_selection as theirs
from sklearn.base import _fit_context, clone, is_classifier
from sklearn.metrics._scorer import _MultimetricScorer
from sklearn.model_selection._search import BaseSearchCV
from sklearn.model_selection._validation import _insert_error_scores, _warn_or_raise_about_fit_failures
from sklearn.utils.validation import _check_method_params, indexable

from ...fallback import with_items
from ...supported_versions import SUPPORTED, numbers
from .._chunks import computed, is_chunked
from .._estimator import Derived, leave
from .._kinds import Kind, ndarray, to_host
from .._splits import seen_by_splitters
from ._evaluation import Evaluation


def untested() -> str | None:
    """The reason for which scikit-learn's own functions run, if the private ones may not be as used here."""
    if SUPPORTED["scikit-learn"].has(numbers(sklearn.__version__)):
        return None
    return f"scikit-learn {sklearn.__version__} was not tested"


class SharedSearch(Derived, BaseSearchCV):
    """A search whose `fit` evaluates all candidates of a fold together."""

    def _alone(self) -> str | None:
        """The reason for which scikit-learn's search runs, or None."""
        if getattr(self, "_skl_callbacks", None):
            return "it has callbacks"
        return "verbose output" if self.verbose else untested()

    @_fit_context(prefer_skip_nested_validation=False)
    def fit(self, X: Any, y: Any = None, **params: Any) -> Any:
        """Fit and score all candidates, and the best one on all rows.

        Parameters
        ----------
        X : array, shape (n, d)
        y : array, shape (n,) or (n, targets), optional
        **params
            Passed to the estimator's `fit`, the scorer and the splitter, as by scikit-learn's search.

        Returns
        -------
        estimator
            The search itself. Scores equal those of scikit-learn's search over the same estimator to 1e-10, for
            float64.
        """
        if is_chunked(X):
            X, y, params = computed(X, y, params)
        reason = self._alone()
        kind = Kind.of(X)
        with self._lists_on_host():
            if reason is not None:
                leave(f"learn.{type(self).__name__}.fit", reason, kind)
                return BaseSearchCV.fit.__wrapped__(self, X, y, **params)  # type: ignore[attr-defined]
            self._search(kind, X, y, params)
        return self

    @contextmanager
    def _lists_on_host(self) -> Iterator[None]:
        """Candidates are listed with NumPy's arrays in place of bascule's, which scikit-learn's lists do not take."""
        name = "param_grid" if hasattr(self, "param_grid") else "param_distributions"
        given = getattr(self, name)
        setattr(self, name, _on_host(given))
        try:
            yield
        finally:
            setattr(self, name, given)

    def _search(self, kind: Kind, X: Any, y: Any, params: dict[str, Any]) -> None:
        scorers, refit_metric = self._get_scorers()
        whole, target = X, y
        X, y = indexable(kind.take(X, "X"), kind.take(y, "y"))
        params = _check_method_params(X, params={k: kind.take(v, k) for k, v in params.items()})
        routed = self._get_routed_params_for_fit(params)
        context = self._begin_callbacks(X, y)
        classifier = is_classifier(self.estimator)
        labels = seen_by_splitters(f"learn.{type(self).__name__}.fit", kind, target, y, self.cv, classifier)
        self._checked_cv_orig = theirs.check_cv(self.cv, labels, classifier=classifier)
        split_params = routed.splitter.split
        self._check_input_parameters(X=X, y=labels, split_params=split_params)
        self.n_splits_ = self._checked_cv_orig.get_n_splits(X, labels, **split_params)
        evaluation = Evaluation(
            clone(self.estimator), X, y, scorers, error_score=self.error_score, return_train_score=self.return_train_score,
            fit_params=routed.estimator.fit, score_params=routed.scorer.score, n_jobs=self.n_jobs, pre_dispatch=self.pre_dispatch,
        )  # fmt: skip
        rounds = Rounds(self, evaluation, labels, split_params)
        if context is None:
            self._run_search(rounds)
        else:
            self._run_search(rounds, callback_ctx=context)
        self._choose(rounds, refit_metric)
        if self.refit:
            self._refit(evaluation.estimator, whole, target, routed.estimator.fit)
        self.scorer_ = scorers._scorers if isinstance(scorers, _MultimetricScorer) else scorers
        self.cv_results_ = rounds.results
        if context is not None:
            context.call_on_fit_task_end(estimator=self, X=X, y=y, metadata=None)

    def _begin_callbacks(self, X: Any, y: Any) -> Any:
        if not hasattr(self, "_init_callback_context"):
            return None
        context = self._init_callback_context(max_subtasks=1 + (self.refit is not False))
        return context.call_on_fit_task_begin(estimator=self, X=X, y=y, metadata=None)

    def _choose(self, rounds: Rounds, refit_metric: str) -> None:
        first = rounds.out[0]["test_scores"]
        self.multimetric_ = isinstance(first, dict)
        if callable(self.scoring) and self.multimetric_:
            self._check_refit_for_multimetric(first)
            refit_metric = self.refit
        if self.refit or not self.multimetric_:
            self.best_index_ = self._select_best_index(self.refit, refit_metric, rounds.results)
            if not callable(self.refit):
                self.best_score_ = rounds.results[f"mean_test_{refit_metric}"][self.best_index_]
            self.best_params_ = rounds.results["params"][self.best_index_]

    def _refit(self, base: Any, X: Any, y: Any, fit_params: dict[str, Any]) -> None:
        self.best_estimator_ = clone(base).set_params(**clone(self.best_params_, safe=False))
        start = time.time()
        self.best_estimator_.fit(*((X,) if y is None else (X, y)), **fit_params)
        self.refit_time_ = time.time() - start
        if hasattr(self.best_estimator_, "feature_names_in_"):
            self.feature_names_in_ = self.best_estimator_.feature_names_in_


class Rounds:
    """The function that `_run_search` calls with candidates: it evaluates them, and returns all results so far."""

    def __init__(self, search: Any, evaluation: Evaluation, labels: Any, split_params: dict[str, Any]):
        self.search, self.evaluation, self.labels, self.split_params = search, evaluation, labels, split_params
        self.candidates: list[dict[str, Any]] = []
        self.out: list[Any] = []
        self.more: dict[str, list[Any]] = defaultdict(list)
        self.results: dict[str, Any] = {}

    def __call__(
        self, candidates: Sequence[Any], cv: Any = None, more_results: Any = None, callback_ctx: Any = None
    ) -> Any:
        search, evaluation = self.search, self.evaluation
        splitter = cv or search._checked_cv_orig
        candidates = list(candidates)
        splits = list(splitter.split(evaluation.X, self.labels, **self.split_params))
        if len(splits) != search.n_splits_:
            raise ValueError(
                "cv.split and cv.get_n_splits return inconsistent results. "
                f"Expected {search.n_splits_} splits, got {len(splits)}"
            )
        out = evaluation(candidates, splitter, splits)
        if len(out) < 1:
            raise ValueError("No fits were performed. Was the CV iterator empty? Were there no candidates?")
        _warn_or_raise_about_fit_failures(out, search.error_score)
        if callable(search.scoring):
            _insert_error_scores(out, search.error_score)
        self.candidates += candidates
        self.out += out
        for key, value in (more_results or {}).items():
            self.more[key].extend(value)
        self.results = search._format_results(self.candidates, search.n_splits_, self.out, self.more)
        return self.results


def _on_host(grid: Any) -> Any:
    return to_host(grid) if isinstance(grid, ndarray) else with_items(grid, _on_host)


class GridSearchCV(theirs.GridSearchCV, SharedSearch):
    __doc__ = theirs.GridSearchCV.__doc__


class RandomizedSearchCV(theirs.RandomizedSearchCV, SharedSearch):
    __doc__ = theirs.RandomizedSearchCV.__doc__
