"""Beginnings of pipelines that are fitted once for a fold, and used by all candidates with the same parameters."""

from __future__ import annotations

from typing import Any

from sklearn.metrics import _scorer
from sklearn.pipeline import Pipeline

_PLAIN = (int, float, str, bool, type(None))


class FittedPrefixes:
    """The fitted transformers of a fold by the parameters that they depend on.

    A transformer is shared where the pipeline is scikit-learn's own, without memory and verbose output, and fitting has
    no parameters.
    """

    def __init__(self, estimator: Any, X_train: Any, y_train: Any, X_test: Any, alone: bool):
        self.X_train, self.y_train, self.X_test, self.alone = X_train, y_train, X_test, alone
        self.shares = (
            not alone
            and type(estimator) is Pipeline
            and estimator.memory is None
            and not estimator.verbose
            and getattr(estimator, "transform_input", None) is None
            and len(estimator.steps) > 1
        )
        self._fitted: dict[Any, tuple[Any, Any, Any]] = {}

    def begin(self, candidate: Any, given: dict[str, Any] | None) -> tuple[Any, Any, Any]:
        """The estimator that remains to be fitted, and the training and test rows that it takes."""
        if not self.shares or "steps" in (given or {}):
            return candidate, self.X_train, self.X_test
        candidate._validate_params()
        candidate._validate_steps()
        X_train, X_test, key = self.X_train, self.X_test, ()
        for k, (name, step) in enumerate(candidate.steps[:-1]):
            key = (*key, name, *_parameters(name, given or {}))
            if key not in self._fitted:
                if step is None or step == "passthrough":
                    self._fitted[key] = step, X_train, X_test
                else:
                    found = step.fit_transform(X_train, self.y_train) if hasattr(step, "fit_transform") else step.fit(X_train, self.y_train).transform(X_train)  # fmt: skip
                    self._fitted[key] = step, found, step.transform(X_test)
            step, X_train, X_test = self._fitted[key]
            candidate.steps[k] = (name, step)
        last = candidate.steps[-1][1]
        return (
            (candidate, self.X_train, self.X_test) if last is None or last == "passthrough" else (last, X_train, X_test)
        )

    def scored(self, candidate: Any, fitted: Any, X_train: Any, X_test: Any, scorer: Any) -> tuple[Any, Any, Any]:
        """The estimator to score, and the rows it takes: scikit-learn's scorers see the last step, others the pipeline."""
        if fitted is candidate:
            return candidate, X_train, X_test
        scorers = scorer._scorers.values() if type(scorer) is _scorer._MultimetricScorer else [scorer]
        known = (_scorer._Scorer, _scorer._PassthroughScorer)
        if all(type(s) in known for s in scorers):
            return fitted, X_train, X_test
        return candidate, self.X_train, self.X_test


def _parameters(name: str, given: dict[str, Any]) -> tuple:
    """The candidate's parameters of one step, as a key."""
    found = sorted((k, v) for k, v in given.items() if k == name or k.startswith(name + "__"))
    return tuple((k, type(v), v if type(v) in _PLAIN else id(v)) for k, v in found)
