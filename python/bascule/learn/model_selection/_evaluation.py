"""All candidates of a search on all folds, sharing the work that they have in common.

In this order: cuts of the data (once a fold), fitted beginnings of pipelines (once a fold and parameters), states (once a
fold; the training set of a fold is the merge of the other folds' states), paths (all candidates from one decomposition),
predictions (all candidates of a fold in one product) and scores (down its columns). A candidate that cannot share is
fitted by itself on the cut data.
"""

from __future__ import annotations

import numbers
import time
from collections.abc import Sequence
from traceback import format_exc
from typing import Any

from joblib import effective_n_jobs
from sklearn import get_config
from sklearn.base import clone
from sklearn.metrics._scorer import _MultimetricScorer
from sklearn.model_selection._validation import _score
from sklearn.utils.metaestimators import _safe_split
from sklearn.utils.parallel import Parallel, delayed
from sklearn.utils.validation import _check_method_params, _num_samples

from .._checks import check_sample_weight
from .._device_scores import scorer_there
from .._kinds import is_on_device
from .._splits import partition
from ._last_steps import fitted_together
from ._nearest import SharedNeighbours
from ._paths import LinearPaths
from ._prefixes import FittedPrefixes
from ._stacks import StackScores

Out = dict[str, Any]


class Evaluation:
    """The data, scorers and options of a search or a cross-validation.

    Parameters
    ----------
    estimator : estimator
        Unfitted; candidates are clones of it.
    options : dict
        `error_score`, `return_train_score`, `fit_params`, `score_params`, `n_jobs`, `pre_dispatch`, and
        `return_estimator`.
    """

    def __init__(self, estimator: Any, X: Any, y: Any, scorer: Any, **options: Any):
        self.estimator, self.X, self.y, self.scorer = estimator, X, y, scorer
        self.scores = StackScores.of(scorer, estimator)
        self.error_score = options["error_score"]
        self.return_train_score = options["return_train_score"]
        self.fit_params, self.score_params = options["fit_params"] or {}, options["score_params"] or {}
        self.n_jobs, self.pre_dispatch = options["n_jobs"], options["pre_dispatch"]
        self.return_estimator = options.get("return_estimator", False)

    def __call__(
        self, candidates: Sequence[dict[str, Any] | None], splitter: Any, splits: Sequence[tuple]
    ) -> list[Out]:
        """The results of ``_fit_and_score`` for each candidate and each split, candidate by candidate."""
        out: list[list[Out | None]] = [[None] * len(splits) for _ in candidates]
        self._shared(candidates, splitter, splits, out)
        if is_on_device(self.X) and any(result is None for row in out for result in row):
            self.scorer = scorer_there(self.scorer, self.X.device)
        tasks = self._tasks([[k for k, row in enumerate(out) if row[fold] is None] for fold in range(len(splits))])
        if len(tasks) == 1 or effective_n_jobs(self.n_jobs) == 1:
            found = [self._fold(candidates, chosen, splits[fold]) for fold, chosen in tasks]
        else:
            parallel = Parallel(n_jobs=self.n_jobs, pre_dispatch=self.pre_dispatch)
            found = parallel(delayed(self._fold)(candidates, chosen, splits[fold]) for fold, chosen in tasks)
        for (fold, chosen), results in zip(tasks, found):
            for k, result in zip(chosen, results):
                out[k][fold] = result
        return [result for row in out for result in row]  # type: ignore[misc]

    def _tasks(self, open_: list[list[int]]) -> list[tuple[int, list[int]]]:
        """Folds with the candidates that are left; so many parts of a fold that all threads or processes have work."""
        jobs = effective_n_jobs(self.n_jobs)
        parts = 1 if jobs == 1 else max(1, -(-2 * jobs // max(1, sum(map(bool, open_)))))
        tasks = []
        for fold, left in enumerate(open_):
            size = max(1, -(-len(left) // parts))
            tasks += [(fold, left[i : i + size]) for i in range(0, len(left), size)]
        return tasks

    def _shared(self, candidates: Any, splitter: Any, splits: Any, out: Any) -> None:
        """Fill in the results of candidates whose states are merged from those of folds."""
        given = self.fit_params.keys() | self.score_params.keys()
        if self.scores is None or self.return_estimator or given - {"sample_weight"}:
            return
        if self.score_params and get_config()["enable_metadata_routing"]:  # each scorer has parameters of its own
            return
        parts = partition(splitter, splits, _num_samples(self.X))
        if parts is None:
            return
        weights = self.score_params.get("sample_weight")
        for group in LinearPaths.groups(self.estimator, candidates, self.X, self.y, self.fit_params):
            checked = None if weights is None else check_sample_weight(weights, group.rows[0])
            group.evaluate(parts, self.scores, checked, self.return_train_score, out)

    def _fold(self, candidates: Any, chosen: list[int], split: tuple) -> list[Out]:
        """Results of some candidates on one fold, whose data are cut once."""
        train, test = split
        fit_params = _check_method_params(self.X, params=self.fit_params, indices=train)
        params = [_check_method_params(self.X, params=self.score_params, indices=i) for i in (test, train)]
        X_train, y_train = _safe_split(self.estimator, self.X, self.y, train)
        X_test, y_test = _safe_split(self.estimator, self.X, self.y, test, train)
        prefixes = FittedPrefixes(self.estimator, X_train, y_train, X_test, bool(fit_params or self.return_estimator))
        together = {}
        if not any(params):
            together = fitted_together(self.estimator, prefixes, candidates, chosen, (y_train, y_test), self.scores, self.return_train_score)  # fmt: skip
        results, neighbours = [], SharedNeighbours(candidates[k] for k in chosen)
        for k in chosen:
            if k in together:
                results.append(together[k])
                continue
            candidate = clone(self.estimator)
            if candidates[k] is not None:
                candidate.set_params(**clone(candidates[k], safe=False))
            results.append(
                self._one(
                    candidate,
                    candidates[k],
                    prefixes,
                    (y_train, y_test),
                    fit_params,
                    params,
                    _num_samples(X_test),
                    neighbours,
                )
            )
        return results

    def _one(
        self,
        candidate: Any,
        given: Any,
        prefixes: FittedPrefixes,
        ys: Any,
        fit_params: Any,
        params: Any,
        n_test: int,
        neighbours: SharedNeighbours,
    ) -> Out:
        """Fit and score one candidate; its failures are kept as `error_score` says."""
        start = time.time()
        result: Out = {"fit_error": None}
        y_train, y_test = ys
        try:
            fitted, X_train, X_test = prefixes.begin(candidate, given)
            fitted.fit(*((X_train,) if y_train is None else (X_train, y_train)), **fit_params)
        except Exception:
            if self.error_score == "raise":
                raise
            result["fit_error"] = format_exc()
            result["test_scores"] = self._failed()
            if self.return_train_score:
                result["train_scores"] = self._failed()
            result["fit_time"], result["score_time"] = time.time() - start, 0.0
        else:
            result["fit_time"] = time.time() - start
            scored, X_train, X_test = prefixes.scored(candidate, fitted, X_train, X_test, self.scorer)
            if scored is fitted and not prefixes.alone:
                neighbours.give(given, fitted, X_train, X_test)
            result["test_scores"] = _score(scored, X_test, y_test, self.scorer, params[0], self.error_score)
            neighbours.take(fitted)
            result["score_time"] = time.time() - start - result["fit_time"]
            if self.return_train_score:
                result["train_scores"] = _score(scored, X_train, y_train, self.scorer, params[1], self.error_score)
        result["n_test_samples"] = n_test
        if self.return_estimator:
            result["estimator"] = candidate
        return result

    def _failed(self) -> Any:
        assert isinstance(self.error_score, numbers.Number)
        return dict.fromkeys(self.scorer._scorers, self.error_score) if isinstance(self.scorer, _MultimetricScorer) else self.error_score  # fmt: skip
