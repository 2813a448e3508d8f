"""Classifiers for rows on a device: what scikit-learn's methods compute of the decisions of classes.

A class has ``_decision(X)``: a column for each class, such as the joint log-likelihoods of `joint`, or a vector for two.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from sklearn.utils.validation import check_is_fitted

from ._checks import validate_data
from ._classes import labels_of, log_shares_of_decisions, numbers_of_decisions
from ._device_scores import accuracy


def joint(self: Any, X: Any) -> Any:
    """Of naive Bayes, the joint log-likelihoods of classes."""
    check_is_fitted(self)
    return self._joint_log_likelihood(validate_data(self, X, reset=False))


def labels(self: Any, X: Any) -> Any:
    return labels_of(self.classes_, numbers_of_decisions(self._decision(X)))


def log_shares(self: Any, X: Any) -> Any:
    return log_shares_of_decisions(self._decision(X))


def shares(self: Any, X: Any) -> Any:
    return np.exp(log_shares(self, X))


def score(self: Any, X: Any, y: Any, sample_weight: Any = None) -> float:
    return accuracy(y, labels(self, X), sample_weight)
