"""Rows divided by their norms, as one expression of X."""

from __future__ import annotations

from typing import Any

import numpy as np
from sklearn import preprocessing as theirs
from sklearn.base import _fit_context

from .._checks import validate_data
from .._chunks import is_chunked
from .._kinds import Kind
from ._scaler import Scaler


def _divided(X: Any, norms: Any) -> Any:
    """Rows without a norm stay as they are, by the rule of scikit-learn's scalers."""
    norms = np.where(norms < 10 * np.finfo(X.dtype).eps, np.ones((), X.dtype), norms)
    return X / norms[:, None]


def _by_sum(X: Any) -> Any:
    return _divided(X, abs(X).sum(axis=1))


def _by_length(X: Any) -> Any:
    return _divided(X, np.sqrt((X * X).sum(axis=1)))


def _by_largest(X: Any) -> Any:
    return _divided(X, abs(X).max(axis=1))


_DIVIDED = {"l1": _by_sum, "l2": _by_length, "max": _by_largest}


class Normalizer(Scaler, theirs.Normalizer):
    __doc__ = theirs.Normalizer.__doc__

    _HOW = {"dtype": [np.float64, np.float32]}

    @_fit_context(prefer_skip_nested_validation=True)
    def fit(self, X: Any, y: Any = None) -> Normalizer:
        """Check the parameters.

        Parameters
        ----------
        X : array or sparse matrix, shape (n, d)
        y : None
            Not used.

        Returns
        -------
        Normalizer
            The transformer itself, which has no state.
        """
        kind = Kind.of(X)
        validate_data(self, kind.take(X, "X"), **({"skip_check_array": True} if is_chunked(X) else {"accept_sparse": "csr"}))  # fmt: skip
        return self

    def transform(self, X: Any, copy: bool | None = None) -> Any:
        """Divide rows by their norms.

        Parameters
        ----------
        X : array or sparse matrix, shape (n, d)
        copy : bool, optional
            False writes into X where that is possible; by default the parameter of the transformer.

        Returns
        -------
        array, shape (n, d)
            Equal to scikit-learn's to rounding; pending where X is an array of bascule.
        """
        with np.errstate(over="ignore"):
            return self._applied("transform", _DIVIDED[self.norm], X, (), self.copy if copy is None else copy)
