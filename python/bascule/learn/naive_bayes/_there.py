"""Naive Bayes for rows on a device: what scikit-learn's methods compute of the joint log-likelihoods of classes."""

from __future__ import annotations

from typing import Any

import numpy as np
from sklearn.utils.validation import check_is_fitted

from .._checks import validate_data
from .._classes import labels_of, log_shares
from .._device_scores import accuracy


class BayesThere:
    """Functions of a fitted classifier and of rows on a device."""

    @staticmethod
    def joint(self: Any, X: Any) -> Any:
        check_is_fitted(self)
        return self._joint_log_likelihood(validate_data(self, X, reset=False))

    @staticmethod
    def labels(self: Any, X: Any) -> Any:
        return labels_of(self.classes_, BayesThere.joint(self, X).argmax(axis=1))

    @staticmethod
    def log_shares(self: Any, X: Any) -> Any:
        return log_shares(BayesThere.joint(self, X))

    @staticmethod
    def shares(self: Any, X: Any) -> Any:
        return np.exp(BayesThere.log_shares(self, X))

    @staticmethod
    def score(self: Any, X: Any, y: Any, sample_weight: Any = None) -> float:
        return accuracy(y, BayesThere.labels(self, X), sample_weight)
