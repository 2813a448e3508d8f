"""Smallest and largest numbers of columns in one pass over the rows; scaling in another."""

from __future__ import annotations

from typing import Any

import numpy as np
from sklearn import preprocessing as theirs
from sklearn.base import _fit_context
from sklearn.preprocessing._data import _handle_zeros_in_scale

from .._kinds import Kind, to_host
from .._rows import Aggregation, State
from ._scaler import Scaler, clipped


def _extrema(X: Any) -> State:
    known = X == X
    return {
        "low": np.where(known, X, np.inf).min(axis=0),
        "high": np.where(known, X, -np.inf).max(axis=0),
    }


def _merge(a: State, b: State) -> State:
    return {
        "low": np.minimum(a["low"], b["low"]),
        "high": np.maximum(a["high"], b["high"]),
        "weight": a["weight"] + b["weight"],
    }


EXTREMA = Aggregation(_extrema, _merge)


def _scaled(X: Any, scale: Any, start: Any) -> Any:
    return X * scale + start


def _restored(X: Any, scale: Any, start: Any) -> Any:
    return (X - start) / scale


class MinMaxScaler(Scaler, theirs.MinMaxScaler):
    __doc__ = theirs.MinMaxScaler.__doc__

    def fit(self, X: Any, y: Any = None) -> MinMaxScaler:
        """Find the smallest and largest number of each column.

        Parameters
        ----------
        X : array, shape (n, d)
        y : None
            Not used.

        Returns
        -------
        MinMaxScaler
            The scaler itself; its attributes equal scikit-learn's.
        """
        self._reset()
        return self.partial_fit(X, y)

    @_fit_context(prefer_skip_nested_validation=True)
    def partial_fit(self, X: Any, y: Any = None) -> MinMaxScaler:
        """Add rows.

        Parameters
        ----------
        X : array, shape (n, d)
        y : None
            Not used.

        Returns
        -------
        MinMaxScaler
            The scaler itself.
        """
        low, high = self.feature_range
        if low >= high:
            raise ValueError(
                f"Minimum of desired feature range must be smaller than maximum. Got {self.feature_range}."
            )
        return self._call("partial_fit", X)

    def _partial_fit_native(self, kind: Kind, X: Any) -> None:
        first = not hasattr(self, "n_samples_seen_")
        X = self._checked(X, first)
        state = EXTREMA([X])
        none = state["low"] > state["high"]
        low, high = (np.where(none, np.nan, state[k]).astype(X.dtype) for k in ("low", "high"))
        seen = X.shape[0]
        if not first:
            low = np.minimum(to_host(self.data_min_), low)
            high = np.maximum(to_host(self.data_max_), high)
            seen += self.n_samples_seen_
        self.n_samples_seen_ = seen
        start, end = (np.asarray(r, X.dtype) for r in self.feature_range)
        self.scale_ = (end - start) / _handle_zeros_in_scale(high - low, copy=True)
        self.min_ = start - low * self.scale_
        self.data_min_, self.data_max_, self.data_range_ = low, high, high - low

    def transform(self, X: Any) -> Any:
        """Scale columns into the range.

        Parameters
        ----------
        X : array, shape (n, d)

        Returns
        -------
        array, shape (n, d)
            Equal to scikit-learn's; pending where X is an array of bascule.
        """
        found = self._applied("transform", _scaled, X, self._rows(), self.copy)
        return clipped(found, self.feature_range) if self.clip else found

    def inverse_transform(self, X: Any) -> Any:
        """Undo the scaling.

        Parameters
        ----------
        X : array, shape (n, d)

        Returns
        -------
        array, shape (n, d)
        """
        return self._applied("inverse_transform", _restored, X, self._rows(), self.copy)

    def _rows(self) -> tuple[Any, Any]:
        return getattr(self, "scale_", None), getattr(self, "min_", None)
