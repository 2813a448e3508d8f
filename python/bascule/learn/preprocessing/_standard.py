"""Means and variances of columns in one pass over the rows; scaling in another."""

from __future__ import annotations

from contextlib import nullcontext
from typing import Any

import numpy as np
from sklearn import preprocessing as theirs
from sklearn.base import _fit_context
from sklearn.preprocessing._data import _handle_zeros_in_scale, _is_constant_feature

from ... import _core
from .._checks import check_sample_weight, is_long
from .._chunks import aligned, is_chunked
from .._kinds import Kind, shared, to_host
from .._rows import Aggregation, State
from ._scaler import Scaler, restored, standardized


def _deviations(X: Any, mean: Any, known: Any, count: Any, divisor: Any, w: Any = None) -> State:
    D = np.where(known, X - mean, 0)
    W = D if w is None else D * w
    corrected = (W * D).sum(axis=0) - W.sum(axis=0) ** 2 / divisor
    return {"count": count, "mean": mean, "squares": corrected}


def _spread(X: Any) -> State:
    """Count, mean and sum of squared deviations of the numbers in each column; NaN is no number."""
    X = X.astype(np.float64)
    known = X == X
    count = known.sum(axis=0).astype(np.float64)
    divisor = count + (count == 0)
    return _deviations(X, np.where(known, X, 0).sum(axis=0) / divisor, known, count, divisor)


def _spread_weighted(X: Any, w: Any) -> State:
    X, w = X.astype(np.float64), w.astype(np.float64)[:, None]
    known = X == X
    count = (known * w).sum(axis=0)
    divisor = count + (count == 0)
    return _deviations(X, (np.where(known, X, 0) * w).sum(axis=0) / divisor, known, count, divisor, w)


def merge_spreads(a: State, b: State) -> State:
    """Chan's formula, for counts, means and sums of squared deviations."""
    count = a["count"] + b["count"]
    share = b["count"] / (count + (count == 0))
    apart = b["mean"] - a["mean"]
    return {
        "count": count,
        "mean": a["mean"] + apart * share,
        "squares": a["squares"] + b["squares"] + a["count"] * share * apart * apart,
        "weight": a["weight"] + b["weight"],
    }


def _spread_of_all(X: np.ndarray) -> State:
    found = _core.column_spread(shared(X))
    return {name: np.asarray(x) for name, x in zip(("count", "mean", "squares"), found)}


SPREAD = {
    False: Aggregation(_spread, merge_spreads, whole=_spread_of_all),
    True: Aggregation(_spread_weighted, merge_spreads),
}


class StandardScaler(Scaler, theirs.StandardScaler):
    __doc__ = theirs.StandardScaler.__doc__

    @_fit_context(prefer_skip_nested_validation=True)
    def partial_fit(self, X: Any, y: Any = None, sample_weight: Any = None) -> StandardScaler:
        """Add rows to the means and variances.

        Parameters
        ----------
        X : array or sparse matrix, shape (n, d)
        y : None
            Not used.
        sample_weight : array, shape (n,), optional

        Returns
        -------
        StandardScaler
            The scaler itself. Means and variances agree with scikit-learn's to 1e-12.
        """
        return self._call("partial_fit", X, y, sample_weight)

    def _not_native(self, X: Any) -> str | None:
        if not self.with_mean and not self.with_std:
            return "neither mean nor deviation is asked for"
        return super()._not_native(X)

    def _partial_fit_native(self, kind: Kind, X: Any, y: Any, sample_weight: Any = None) -> None:
        first = not hasattr(self, "n_samples_seen_")
        unchecked = sample_weight is None and is_long(X)
        X = self._checked(X, first, **({"ensure_all_finite": False} if unchecked else {}))
        w = sample_weight
        if w is not None:
            w = aligned(X, w)[1] if is_chunked(X) else check_sample_weight(w, X, dtype=X.dtype)
        with np.errstate(invalid="ignore") if unchecked else nullcontext():
            state = SPREAD[w is not None]([X] if w is None else [X, w])
        if unchecked and not np.isfinite(state["squares"]).all():  # an infinite number makes them so
            self._checked(X, False)
        if not first:
            state = merge_spreads(self._seen(len(state["mean"])), state)
        self._set_state(state)

    def _seen(self, columns: int) -> State:
        """The state of the rows so far."""
        count = np.broadcast_to(np.asarray(to_host(self.n_samples_seen_), np.float64), columns)
        mean = to_host(self.mean_)
        squares = np.zeros(columns) if self.var_ is None else to_host(self.var_) * count
        return {"count": count, "mean": mean, "squares": squares, "weight": np.float64(0)}

    def _set_state(self, state: State) -> None:
        count = state["count"]
        self.n_samples_seen_ = count[0] if (count == count[0]).all() else count
        with np.errstate(divide="ignore", invalid="ignore"):
            self.mean_ = np.where(count > 0, state["mean"], np.nan)
            self.var_ = state["squares"] / count if self.with_std else None
        self.scale_ = None
        if self.with_std:
            constant = _is_constant_feature(self.var_, self.mean_, self.n_samples_seen_)
            self.scale_ = _handle_zeros_in_scale(np.sqrt(self.var_), copy=False, constant_mask=constant)

    def transform(self, X: Any, copy: bool | None = None) -> Any:
        """Subtract the means and divide by the deviations.

        Parameters
        ----------
        X : array or sparse matrix, shape (n, d)
        copy : bool, optional
            False writes into X where that is possible; by default the parameter of the scaler.

        Returns
        -------
        array, shape (n, d)
            Equal to scikit-learn's for the same means and deviations; pending where X is an array of bascule.
        """
        return self._applied("transform", standardized, X, self._rows(), self.copy if copy is None else copy)

    def inverse_transform(self, X: Any, copy: bool | None = None) -> Any:
        """Multiply by the deviations and add the means.

        Parameters
        ----------
        X : array or sparse matrix, shape (n, d)
        copy : bool, optional
            As in `transform`.

        Returns
        -------
        array, shape (n, d)
        """
        return self._applied("inverse_transform", restored, X, self._rows(), self.copy if copy is None else copy)

    def _rows(self) -> tuple[Any, Any]:
        return getattr(self, "mean_", None) if self.with_mean else None, getattr(self, "scale_", None)
