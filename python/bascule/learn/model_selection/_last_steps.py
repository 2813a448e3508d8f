"""Linear models that are fitted together on one fold: alone, or as last steps of pipelines with the same fitted beginning."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from sklearn.base import clone

from .._kinds import ndarray
from .._splits import Partition
from ..linear_model._model import LinearModel
from ._paths import LinearPaths
from ._prefixes import FittedPrefixes
from ._stacks import StackScores

Given = dict[str, Any]


def fitted_together(
    pipeline: Any, prefixes: FittedPrefixes, candidates: Sequence[Given | None], chosen: list[int], ys: tuple[Any, Any], scores: StackScores | None, train: bool
) -> dict[int, Any]:  # fmt: skip
    """The results on one fold of the chosen candidates that share the work, by their numbers.

    Parameters
    ----------
    ys : (array, array)
        Targets of the training rows and of the test rows.
    scores : StackScores or None
        None where the scorers are of another kind, so that nothing is shared.
    train : bool
        Whether scores of the training rows are asked for.
    """
    name, last = pipeline.steps[-1] if prefixes.shares else ("", pipeline)
    if scores is None or prefixes.alone or not (isinstance(last, LinearModel) and last._varies):
        return {}
    if not all(type(y) in (np.ndarray, ndarray) for y in ys):
        return {}
    if prefixes.shares:
        beginnings = _beginnings(pipeline, prefixes, candidates, chosen)
    else:
        beginnings = [(chosen, last, prefixes.X_train, prefixes.X_test)]
    y, results = np.concatenate([ys[1], ys[0]]), {}
    for numbers, last, X_train, X_test in beginnings:
        if not all(type(X) in (np.ndarray, ndarray) and X.ndim == 2 for X in (X_train, X_test)):
            continue
        own = [_of_last(name, candidates[k] or {}) for k in numbers]
        ranges = [(0, len(X_test)), (len(X_test), len(y))]
        out: list[list[Any]] = [[None, None] for _ in numbers]
        for group in LinearPaths.groups(last, own, np.concatenate([X_test, X_train]), y, {}):
            group.evaluate(Partition(None, ranges), scores, None, train, out, only=0)
        results |= {k: found for k, (found, _) in zip(numbers, out) if found is not None}
    return results


def _beginnings(pipeline: Any, prefixes: FittedPrefixes, candidates: Any, chosen: list[int]) -> list[tuple]:
    """Numbers of candidates whose last step takes the same rows, that step, and these rows; a candidate whose beginning
    fails is in none, and fails by itself."""
    name, last = pipeline.steps[-1]
    found: dict[int, tuple[list[int], Any, Any, Any]] = {}
    for k in chosen:
        given = candidates[k] or {}
        if name in given or "steps" in given or not all("__" in p or p in dict(pipeline.steps) for p in given):
            continue
        try:
            candidate = clone(pipeline).set_params(**clone(given, safe=False))
            fitted, X_train, X_test = prefixes.begin(candidate, given)
        except Exception:  # raised again by the candidate alone
            continue
        if fitted is not candidate:
            found.setdefault(id(X_train), ([], last, X_train, X_test))[0].append(k)
    return list(found.values())


def _of_last(name: str, given: Given) -> Given:
    """The parameters of the last step, by their own names; without a name all of them."""
    if not name:
        return given
    return {p.removeprefix(name + "__"): v for p, v in given.items() if p.startswith(name + "__")}
