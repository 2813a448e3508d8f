"""Losses of linear predictors, summed over rows: a block gives loss, gradient and, where it is asked for, the Hessian.

Rows are X, the target and weights. Every block reads coefficients, shape (d, k), intercepts, shape (k,), the shift that is
subtracted from X, shape (d,), and the numbers of the classes, shape (k,).
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np

from .._rows import Aggregation, State, add

Terms = Callable[[Any, Any], tuple[Any, Any, Any]]  # loss, first and second derivative by the predictor


def _logistic(z: Any, t: Any) -> tuple[Any, Any, Any]:
    """t is 0 or 1. No exponential is of a positive number, so none overflows."""
    e = np.exp(-abs(z))
    total = e + 1
    p = np.where(z >= 0, 1.0, e) / total
    return np.log1p(e) + np.maximum(z, 0.0) - t * z, p - t, e / (total * total)


def _poisson(z: Any, t: Any) -> tuple[Any, Any, Any]:
    e = np.exp(z)
    return e - t * z, e - t, e


def _squared_hinge(z: Any, t: Any) -> tuple[Any, Any, Any]:
    """t is -1 or 1."""
    missing = np.maximum(1 - t * z, 0.0)
    return missing * missing, missing * t * -2, (missing > 0).astype(np.float64) * 2


def _shifted(X: Any, w: Any, shift: Any) -> tuple[Any, Any]:
    return X.astype(np.float64) - shift, w.astype(np.float64)[:, None]


def _one(terms: Terms, X: Any, t: Any, w: Any, coef: Any, intercept: Any, shift: Any) -> State:
    A, w = _shifted(X, w, shift)
    loss, slope, _ = terms(A @ coef + intercept, t[:, None])
    slope = slope * w
    return {"loss": (loss * w).sum(axis=0), "slopes": slope.T @ A, "level": slope.sum(axis=0)}


def _one_with_hessian(terms: Terms, X: Any, t: Any, w: Any, coef: Any, intercept: Any, shift: Any) -> State:
    A, w = _shifted(X, w, shift)
    loss, slope, bend = terms(A @ coef + intercept, t[:, None])
    slope, bend = slope * w, bend * w
    B = A * bend
    return {
        "loss": (loss * w).sum(axis=0),
        "slopes": slope.T @ A,
        "level": slope.sum(axis=0),
        "hessian": B.T @ A,
        "cross": B.sum(axis=0),
        "corner": bend.sum(axis=0),
    }


def _shares(Z: Any, t: Any, classes: Any) -> tuple[Any, Any, Any]:
    """Losses of rows, probabilities of classes, and these less one for the class of the row."""
    Z = Z - Z.max(axis=1)[:, None]
    E = np.exp(Z)
    total = E.sum(axis=1)[:, None]
    P = E / total
    of_row = (t[:, None] == classes).astype(np.float64)
    return np.log(total) - (Z * of_row).sum(axis=1)[:, None], P, P - of_row


def _many(X: Any, t: Any, w: Any, coef: Any, intercept: Any, shift: Any, classes: Any) -> State:
    A, w = _shifted(X, w, shift)
    loss, _, slopes = _shares(A @ coef + intercept, t, classes)
    slopes = slopes * w
    return {"loss": (loss * w).sum(axis=0), "slopes": slopes.T @ A, "level": slopes.sum(axis=0)}


def _many_with_hessian(X: Any, t: Any, w: Any, coef: Any, intercept: Any, shift: Any, classes: Any) -> State:
    """The Hessian is the second product for each class with itself, less the first."""
    A, w = _shifted(X, w, shift)
    loss, P, slopes = _shares(A @ coef + intercept, t, classes)
    slopes, root = slopes * w, np.sqrt(w)
    E = np.concatenate([A, w * 0 + 1], axis=1) * root
    Y = (P[:, :, None] * E[:, None, :]).reshape(P.shape[0], P.shape[1] * E.shape[1])
    return {
        "loss": (loss * w).sum(axis=0),
        "slopes": slopes.T @ A,
        "level": slopes.sum(axis=0),
        "hessian": Y.T @ Y,
        "own": Y.T @ E,
    }


def _wide(X: Any, t: Any, w: Any, coef: Any, *fixed: Any) -> int:
    return coef.shape[1] * (coef.shape[0] + 1)


class Loss:
    """A loss of one linear predictor, as aggregations with and without the Hessian."""

    def __init__(self, terms: Terms):
        self.terms = terms
        self.gradient = Aggregation(partial(_one, terms), add)
        self.hessian = Aggregation(partial(_one_with_hessian, terms), add)

    def of_predictors(self, Z: Any, t: Any) -> tuple[Any, Any]:
        """Losses and derivatives of rows by their predictors, shape (n, k)."""
        loss, slope, _ = self.terms(Z, t[:, None])
        return loss, slope

    def fixed(self, k: int) -> list[np.ndarray]:
        """The arrays that blocks read more."""
        return []

    def assembled(self, state: State) -> np.ndarray:
        """The Hessian, shape (k, d + 1, k, d + 1)."""
        d = len(state["cross"])
        found = np.empty((1, d + 1, 1, d + 1))
        found[0, :d, 0, :d] = state["hessian"]
        found[0, d, 0, :d] = found[0, :d, 0, d] = state["cross"]
        found[0, d, 0, d] = state["corner"][0]
        return found


class Multinomial(Loss):
    """The logistic loss of several classes; targets are numbers of classes."""

    def __init__(self) -> None:
        self.gradient = Aggregation(_many, add)
        self.hessian = Aggregation(_many_with_hessian, add, columns=_wide)

    def of_predictors(self, Z: Any, t: Any) -> tuple[Any, Any]:
        loss, _, slopes = _shares(Z, t, np.arange(Z.shape[1]))
        return loss, slopes

    def fixed(self, k: int) -> list[np.ndarray]:
        return [np.arange(k, dtype=np.float64)]

    def assembled(self, state: State) -> np.ndarray:
        own = state["own"]
        n = own.shape[1]
        k = len(own) // n
        found = -state["hessian"].reshape(k, n, k, n)
        for i, block in enumerate(own.reshape(k, n, n)):
            found[i, :, i, :] += block
        return found


LOGISTIC = Loss(_logistic)
MULTINOMIAL = Multinomial()
POISSON = Loss(_poisson)
SQUARED_HINGE = Loss(_squared_hinge)
