"""Largest absolute numbers of columns in one pass over the rows; scaling by them in another."""

from __future__ import annotations

from typing import Any

import numpy as np
from sklearn import preprocessing as theirs
from sklearn.base import _fit_context
from sklearn.preprocessing._data import _handle_zeros_in_scale

from .._kinds import Kind, is_sparse, to_host
from .._rows import Aggregation, State
from ._scaler import Scaler, clipped, restored, standardized


def _largest(X: Any) -> State:
    return {"largest": np.where(X == X, abs(X), -1).max(axis=0)}


def _merge(a: State, b: State) -> State:
    return {"largest": np.maximum(a["largest"], b["largest"]), "weight": a["weight"] + b["weight"]}


LARGEST = Aggregation(_largest, _merge)


class MaxAbsScaler(Scaler, theirs.MaxAbsScaler):
    __doc__ = theirs.MaxAbsScaler.__doc__

    @_fit_context(prefer_skip_nested_validation=True)
    def partial_fit(self, X: Any, y: Any = None) -> MaxAbsScaler:
        """Add rows.

        Parameters
        ----------
        X : array or sparse matrix, shape (n, d)
        y : None
            Not used.

        Returns
        -------
        MaxAbsScaler
            The scaler itself; its attributes equal scikit-learn's.
        """
        return self._call("partial_fit", X)

    def _partial_fit_native(self, kind: Kind, X: Any) -> None:
        first = not hasattr(self, "n_samples_seen_")
        X = self._checked(X, first)
        found, seen = LARGEST([X])["largest"], X.shape[0]
        largest = np.where(found < 0, np.nan, found).astype(X.dtype)
        if not first:
            largest = np.maximum(to_host(self.max_abs_), largest)
            seen += self.n_samples_seen_
        self.n_samples_seen_ = seen
        self.max_abs_, self.scale_ = largest, _handle_zeros_in_scale(largest, copy=True)

    def transform(self, X: Any) -> Any:
        """Divide columns by their largest absolute numbers.

        Parameters
        ----------
        X : array or sparse matrix, shape (n, d)

        Returns
        -------
        array, shape (n, d)
            Equal to scikit-learn's; pending where X is an array of bascule.
        """
        found = self._applied("transform", standardized, X, self._rows(), self.copy)
        return clipped(found, (-1.0, 1.0)) if self.clip and not is_sparse(X) else found

    def inverse_transform(self, X: Any) -> Any:
        """Multiply columns by their largest absolute numbers.

        Parameters
        ----------
        X : array or sparse matrix, shape (n, d)

        Returns
        -------
        array, shape (n, d)
        """
        return self._applied("inverse_transform", restored, X, self._rows(), self.copy)

    def _rows(self) -> tuple[None, Any]:
        return None, getattr(self, "scale_", None)
