"""The steps of expectation and maximization by blocks of rows, for each type of covariance.

Sums are of rows without the means of the last step, so that they are accurate far from zero.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from .._rows import RowFunction, State


def _squares_full(X: Any, means: Any, factors: Any, k: int) -> Any:
    Y = (X - means[k]) @ factors[k]
    return (Y * Y).sum(axis=1)


def _squares_diagonal(X: Any, means: Any, factors: Any, k: int) -> Any:
    Y = (X - means[k]) * factors[k]
    return (Y * Y).sum(axis=1)


def _log_densities(X: Any, means: Any, factors: Any, levels: Any, squares: Callable[..., Any]) -> Any:
    """Logarithms of weighted densities, shape (k, n)."""
    rows = [squares(X, means, factors, k)[None, :] for k in range(means.shape[0])]
    return np.concatenate(rows, axis=0) * -0.5 + levels


def _sums(X: Any, R: Any, means: Any, products: bool) -> State:
    """Sums of responsibilities, shape (k, n), with rows and their squares or products."""
    first, second = [], []
    for k in range(means.shape[0]):
        A = X - means[k]
        W = A * R[k][:, None]
        first.append(W.sum(axis=0)[None])
        second.append((W.T @ A)[None] if products else (W * A).sum(axis=0)[None])
    return {"count": R.sum(axis=1), "first": np.concatenate(first, axis=0), "second": np.concatenate(second, axis=0)}


def _step(X: Any, means: Any, factors: Any, levels: Any, squares: Callable[..., Any], products: bool) -> State:
    X = X.astype(np.float64)
    L = _log_densities(X, means, factors, levels, squares)
    most = L.max(axis=0)
    R = np.exp(L - most)
    total = R.sum(axis=0)
    bound = (most + np.log(total)).sum(axis=0)
    return {"bound": bound} | _sums(X, R / total, means, products)


def _step_full(X: Any, means: Any, factors: Any, levels: Any) -> State:
    return _step(X, means, factors, levels, _squares_full, True)


def _step_diagonal(X: Any, means: Any, factors: Any, levels: Any) -> State:
    return _step(X, means, factors, levels, _squares_diagonal, False)


def _given_full(X: Any, R: Any, means: Any) -> State:
    return _sums(X.astype(np.float64), R.astype(np.float64).T, means, True)


def _given_diagonal(X: Any, R: Any, means: Any) -> State:
    return _sums(X.astype(np.float64), R.astype(np.float64).T, means, False)


def _means_of(X: Any, R: Any) -> State:
    R = R.astype(np.float64)
    return {"count": R.sum(axis=0), "sums": R.T @ X.astype(np.float64)}


def _densities_full(X: Any, means: Any, factors: Any, levels: Any) -> State:
    return {"found": _log_densities(X.astype(np.float64), means, factors, levels, _squares_full).T * 1}


def _densities_diagonal(X: Any, means: Any, factors: Any, levels: Any) -> State:
    return {"found": _log_densities(X.astype(np.float64), means, factors, levels, _squares_diagonal).T * 1}


# By whether covariances are matrices.
STEP = {True: RowFunction(_step_full), False: RowFunction(_step_diagonal)}
GIVEN = {True: RowFunction(_given_full), False: RowFunction(_given_diagonal)}
DENSITIES = {True: RowFunction(_densities_full), False: RowFunction(_densities_diagonal)}
MEANS = RowFunction(_means_of)
