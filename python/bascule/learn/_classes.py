"""Rows by class: numbers of labels, and counts, means and squared deviations of each class in one pass."""

from __future__ import annotations

from typing import Any

import numpy as np

from ._rows import Aggregation, State
from .preprocessing._standard import merge_spreads

_TABLE = 1 << 16  # labels up to which their numbers are looked up in a table


def numbers_of(y: np.ndarray, classes: np.ndarray) -> np.ndarray:
    """The position of each label in the sorted classes, or -1."""
    if y.dtype.kind in "iu" and classes.dtype.kind in "iu":
        low, high = int(classes[0]), int(classes[-1])
        if high - low < _TABLE and low <= int(y.min()) and int(y.max()) <= high:
            table = np.full(high - low + 1, -1)
            table[classes - low] = np.arange(len(classes))
            return table[y - low]
    found = np.minimum(np.searchsorted(classes, y), len(classes) - 1)
    return np.where(classes[found] == y, found, -1)


def members(numbers: Any, all_numbers: Any) -> Any:
    """1 in the column of a row's class, else 0."""
    return (numbers[:, None] == all_numbers).astype(np.float64)


def _spread(X: Any, H: Any, inside: Any) -> State:
    count = H.sum(axis=0)[:, None]
    divisor = count + (count == 0)
    mean = (H.T @ X) / divisor
    D = X - inside @ mean
    apart = (H.T @ D) / divisor  # what rounding left
    return {"count": count, "mean": mean + apart, "squares": H.T @ (D * D) - count * apart * apart}


def _class_spread(X: Any, numbers: Any, all_numbers: Any) -> State:
    H = members(numbers, all_numbers)
    return _spread(X.astype(np.float64), H, H)


def _class_spread_weighted(X: Any, numbers: Any, w: Any, all_numbers: Any) -> State:
    H = members(numbers, all_numbers)
    return _spread(X.astype(np.float64), H * w.astype(np.float64)[:, None], H)


# By whether rows have weights: `count`, of shape (k, 1), `mean` and `squares` of each class.
CLASS_SPREAD = {
    False: Aggregation(_class_spread, merge_spreads),
    True: Aggregation(_class_spread_weighted, merge_spreads),
}


def _class_scatter(X: Any, numbers: Any, all_numbers: Any, factors: Any) -> State:
    X, H = X.astype(np.float64), members(numbers, all_numbers)
    count = H.sum(axis=0)[:, None]
    divisor = count + (count == 0)
    mean = (H.T @ X) / divisor
    mean = mean + (H.T @ (X - H @ mean)) / divisor
    A = X - H @ mean
    return {"count": count, "mean": mean, "gram": (A * (H @ factors)).T @ A}


def _merge_scatters(a: State, b: State) -> State:
    count = a["count"] + b["count"]
    share = b["count"] / (count + (count == 0))
    apart = b["mean"] - a["mean"]
    scaled = np.swapaxes(a["factors"] * a["count"] * share * apart, -1, -2)
    return {
        "count": count,
        "mean": a["mean"] + apart * share,
        "gram": a["gram"] + b["gram"] + scaled @ apart,
        "factors": a["factors"],
        "weight": a["weight"] + b["weight"],
    }


def _with_factors(X: Any, numbers: Any, all_numbers: Any, factors: Any) -> State:
    return _class_scatter(X, numbers, all_numbers, factors) | {"factors": factors * 1}


# `count` and `mean` of each class, and `gram` (A'A of rows A without the mean of their class, each times a factor of its class).
CLASS_SCATTER = Aggregation(_with_factors, _merge_scatters)
