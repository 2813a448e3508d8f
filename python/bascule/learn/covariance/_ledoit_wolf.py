"""Ledoit and Wolf's shrunk covariance, with its shrinkage, in one pass over the rows."""

from __future__ import annotations

from typing import Any

import numpy as np
from sklearn import covariance as theirs
from sklearn.base import _fit_context

from .._rows import Aggregation, State
from ._empirical import Covariance


def _sums(A: Any, mean: Any) -> State:
    squares = (A * A).sum(axis=1)
    return {
        "mean": mean,
        "gram": A.T @ A,
        "cubes": (A * squares[:, None]).sum(axis=0),
        "fourth": (squares * squares).sum(axis=0),
    }


def _centred(X: Any) -> State:
    X = X.astype(np.float64)
    mean = X.sum(axis=0) / X.shape[0]
    return _sums(X - mean, mean)


def _as_they_are(X: Any) -> State:
    X = X.astype(np.float64)
    return _sums(X, X[0] * 0)


def _moved(state: State, mean: Any) -> State:
    """The sums around another mean: rows a, which sum to nought, become a + d."""
    d, n = state["mean"] - mean, state["weight"]
    gram, cubes = state["gram"], state["cubes"]
    norm = (d * d).sum(axis=-1)
    trace = np.trace(gram, axis1=-2, axis2=-1)
    turned = (gram @ d[..., None])[..., 0]
    return {
        "gram": gram + n[..., None, None] * d[..., :, None] * d[..., None, :],
        "cubes": cubes + 2 * turned + d * (trace + n * norm)[..., None],
        "fourth": state["fourth"] + 4 * (d * (cubes + turned)).sum(axis=-1) + norm * (2 * trace + n * norm),
    }


def _merge(a: State, b: State) -> State:
    total = a["weight"] + b["weight"]
    mean = a["mean"] + (b["mean"] - a["mean"]) * (b["weight"] / total)[..., None]
    a, b = _moved(a, mean), _moved(b, mean)
    return {"weight": total, "mean": mean} | {k: a[k] + b[k] for k in a}


_SUMS = {True: Aggregation(_centred, _merge), False: Aggregation(_as_they_are, _merge)}


def _shrinkage(covariance: np.ndarray, fourth: float, n: int) -> float:
    """Of Ledoit and Wolf: the variance of the covariance, as a share of its distance from a multiple of the identity."""
    d = len(covariance)
    if d == 1:
        return 0.0
    squares, trace = (covariance * covariance).sum(), covariance.trace()
    mu = trace / d
    beta = (fourth / n - squares) / (d * n)
    delta = (squares - 2 * mu * trace + d * mu**2) / d
    beta = min(beta, delta)
    return 0 if beta == 0 else beta / delta


class LedoitWolf(Covariance, theirs.LedoitWolf):
    __doc__ = theirs.LedoitWolf.__doc__

    _keeps_types = True

    @_fit_context(prefer_skip_nested_validation=True)
    def fit(self, X: Any, y: Any = None) -> LedoitWolf:
        """Find the shrunk covariance of the columns.

        Parameters
        ----------
        X : array, shape (n, d)
        y : None
            Not used.

        Returns
        -------
        LedoitWolf
            The estimator itself. Covariance and shrinkage agree with scikit-learn's to 1e-10.
        """
        return self._call("fit", X)

    def _warns(self, X: Any) -> bool:
        return X.shape[1] > 1

    def _estimate(self, X: Any) -> None:
        state = _SUMS[not self.assume_centered]([X])
        self._set_location(X, state)
        covariance = (state["gram"] + state["gram"].T) / (2 * len(X))
        dtype = np.result_type(X.dtype, self.location_)
        shrinkage = _shrinkage(covariance, state["fourth"], len(X))
        self.shrinkage_ = dtype.type(shrinkage) if isinstance(shrinkage, np.floating) else shrinkage
        level = shrinkage * covariance.trace() / len(covariance)
        covariance *= 1.0 - shrinkage
        covariance.flat[:: len(covariance) + 1] += level
        self._set_covariance(covariance.astype(dtype, copy=False))
