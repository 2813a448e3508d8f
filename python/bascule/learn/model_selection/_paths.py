"""Candidates that are fitted together, fold by fold: linear models."""

from __future__ import annotations

import time
from collections.abc import Sequence
from typing import Any

import numpy as np
from sklearn.utils._param_validation import InvalidParameterError, validate_parameter_constraints

from .._kinds import to_host
from .._splits import Partition
from ..linear_model._model import LinearModel
from ._stacks import StackScores


class LinearPaths:
    """Candidates with the same rows; see `LinearModel`.

    Attributes
    ----------
    numbers : list of int
        Their positions among all candidates.
    estimators : list of LinearModel
        With their parameters set, not fitted.
    rows : list of array
        Checked X, targets and weights.
    target : array
        The column that scores read: targets, or numbers of classes.
    classes : array
        The labels.
    """

    def __init__(self, numbers: list[int], estimators: list[Any], rows: list[Any], target: Any, y: Any):
        self.numbers, self.estimators, self.rows, self.target = numbers, estimators, rows, target
        self.classes = to_host(np.unique(y)) if target is not rows[1] else np.empty(0)

    @classmethod
    def groups(
        cls, base: Any, candidates: Sequence[Any], X: Any, y: Any, fit_params: dict[str, Any]
    ) -> list[LinearPaths]:
        """The candidates that can be fitted together, by their states. One that fails its checks is in no group, and is
        fitted alone, so that its error is scikit-learn's."""
        if not isinstance(base, LinearModel) or not base._varies or y is None or base._not_native(X) is not None:
            return []
        groups: dict[Any, tuple[list[int], list[Any]]] = {}
        names = frozenset(type(base)._get_param_names())
        for k, given in enumerate(candidates):
            one = _with_parameters(base, given or {}, names)
            if one is None or one._not_native(X) is not None:
                continue
            key = tuple(v if isinstance(v, (int, float, str, bool, type(None))) else id(v) for name, v in vars(one).items() if name not in one._varies)  # fmt: skip
            numbers, estimators = groups.setdefault(key, ([], []))
            numbers.append(k)
            estimators.append(one)
        found = []
        for numbers, estimators in groups.values():
            if len(numbers) == 1 and estimators[0]._ends_early(X):
                continue
            try:
                rows = estimators[0]._path_rows(X, y, fit_params.get("sample_weight"))
            except Exception:  # raised again by each fit
                continue
            if rows is not None:
                found.append(cls(numbers, estimators, *rows, y))
        return found

    def evaluate(
        self,
        parts: Partition,
        scores: StackScores,
        weights: Any,
        train: bool,
        out: list[list[Any]],
        only: int | None = None,
    ) -> None:
        """Fit and score all candidates on all folds, or on one; `weights` are those of scores."""
        start = time.time()
        if not scores.take(self.classes, weights is not None):
            return
        rows = [parts.arranged(x) for x in self.rows]
        scored = [rows[0], *(parts.arranged(x) for x in (self.target, weights) if x is not None)]
        sizes = [j - i for i, j in parts.ranges]
        if min(sizes) < 2 or len(rows[0]) - max(sizes) < 2:
            return
        training = self.estimators[0]._training(rows, parts.ranges)
        if training is None:
            return
        spent = (time.time() - start) / len(sizes)
        for fold, (tested, known) in enumerate(zip(parts.ranges, training)):
            if only not in (None, fold) or not self._has_all_classes(scored[1], tested, scores.complete):
                continue
            begun = time.time()
            coef, intercept, fitted = self.estimators[0]._fit_path(known, self.estimators)
            if not fitted.any():
                continue
            chosen = [k for k, ok in zip(self.numbers, fitted) if ok]
            fixed = [np.ascontiguousarray(coef[fitted].transpose(1, 0, 2)), intercept[fitted]]
            fit_time = (time.time() - begun + spent) / len(chosen)
            begun = time.time()
            results = {"test_scores": scores(scored, [tested], fixed)}
            common = {"fit_error": None, "fit_time": fit_time, "score_time": (time.time() - begun) / len(chosen)}
            if train:
                results["train_scores"] = scores(scored, [r for r in parts.ranges if r != tested], fixed)
            for k, values in zip(chosen, zip(*results.values())):
                out[k][fold] = {**common, "n_test_samples": sizes[fold], **dict(zip(results, values))}

    def _has_all_classes(self, target: Any, tested: tuple[int, int], both: bool) -> bool:
        """Whether the training rows of a fold have labels of all classes, and also its test rows, if `both`."""
        if self.target is self.rows[1]:
            return True
        i, j = tested
        counts = np.bincount(target[i:j, 0], minlength=int(target.max()) + 1)
        return bool((np.bincount(target[:, 0]) > counts).all() and not (both and (counts == 0).any()))


def _with_parameters(base: Any, given: dict[str, Any], names: frozenset[str]) -> Any:
    """A copy of the estimator with these parameters, or None if one of them does not exist or is not valid."""
    if not given.keys() <= names:
        return None
    one = object.__new__(type(base))
    one.__dict__.update(base.__dict__)
    one.__dict__.update(given)
    try:
        validate_parameter_constraints(one._parameter_constraints, given, caller_name=type(base).__name__)
    except InvalidParameterError:
        return None
    return one
