"""Rows by class: numbers of labels, and counts, means and squared deviations of each class in one pass."""

from __future__ import annotations

from typing import Any

import numpy as np
from sklearn.utils.class_weight import compute_class_weight
from sklearn.utils.multiclass import check_classification_targets

from .._array import conversion
from ._chunks import aligned, checked_rows, computed
from ._kinds import HOST, Kind, is_on_device, near, to_host
from ._rows import Aggregation, State
from .preprocessing._standard import merge_spreads

_SOME = 20  # labels up to which scikit-learn has no warning
_TABLE = 1 << 16  # labels up to which their numbers are looked up in a table


def numbers_of(y: Any, classes: np.ndarray) -> Any:
    """The position of each label in the sorted classes, or -1."""
    if is_on_device(y):
        there = near(y, classes)[0]
        found = np.minimum(np.searchsorted(there, y), len(classes) - 1)
        return np.where(there[found] == y, found, -1)
    if y.dtype.kind in "iu" and classes.dtype.kind in "iu":
        low, high = int(classes[0]), int(classes[-1])
        if high - low < _TABLE and low <= int(y.min()) and int(y.max()) <= high:
            table = np.full(high - low + 1, -1)
            table[classes - low] = np.arange(len(classes))
            return table[y - low]
    found = np.minimum(np.searchsorted(classes, y), len(classes) - 1)
    return np.where(classes[found] == y, found, -1)


def encoded(kind: Kind, y: Any) -> tuple[np.ndarray, Any]:
    """The sorted labels, on the host, and the number of each row's label, where the rows are."""
    classes, numbers = np.unique(y, return_inverse=True)
    return to_host(classes), kind.take(numbers, "labels")


def chunks_by_class(model: Any, X: Any, y: Any, w: Any = None, **options: Any) -> tuple[Any, np.ndarray, Any, Any]:
    """Of Dask's rows: the rows, checked chunk by chunk, the sorted labels, the number of each row's, and weights."""
    import dask

    X, y, w = aligned(checked_rows(model, X, **options), y, w)
    y = y.reshape(-1) if y.ndim == 2 and y.shape[1] == 1 else y
    if y.ndim != 1:
        raise ValueError(f"y should be a 1d array, got an array of shape {y.shape} instead.")
    found = computed(*(dask.delayed(_distinct)(block) for block in y.to_delayed()))
    classes = np.unique(np.concatenate(found))
    return X, classes, y.map_blocks(_numbers_of_chunk, classes, dtype=np.intp), w


def _distinct(y: Any) -> np.ndarray:
    found = np.unique(HOST.take(y, "y"))
    check_classification_targets(found)
    return found


def _numbers_of_chunk(y: Any, classes: np.ndarray) -> np.ndarray:
    return numbers_of(HOST.take(y, "y"), classes)


def check_labels(y: Any) -> None:
    """scikit-learn's `check_classification_targets`; on a device the numbers are looked at where they are. Few whole numbers
    are labels, whatever else it asks."""
    if not is_on_device(y):
        whole = type(y) is np.ndarray and y.ndim == 1 and y.dtype.kind in "iub" and len(y) > 0
        if not whole or int(y.max()) - int(y.min()) >= _SOME:
            check_classification_targets(y)
    elif y.dtype.kind == "f" and bool((y != np.floor(y)).any()):
        check_classification_targets(np.array([0.5, 1.5, 2.5]))


def range_there(numbers: Any, count: int) -> Any:
    """0 to count - 1, where the numbers are."""
    return near(numbers, np.arange(count))[0]


def picked(values: np.ndarray, numbers: Any) -> Any:
    """An element of `values` for each number."""
    return near(numbers, values)[0][numbers]


def labels_of(classes: np.ndarray, numbers: Any) -> Any:
    """The label for each number, where the numbers are."""
    if is_on_device(numbers) and not conversion.is_held(classes.dtype):
        raise NotImplementedError(
            f"[learn] labels of type {classes.dtype} are not held by arrays on {numbers.device}; give numbers as labels"
        )
    return picked(classes, numbers)


def class_weights(class_weight: Any, classes: np.ndarray, numbers: Any, w: Any = None) -> np.ndarray:
    """scikit-learn's `compute_class_weight`, by the sum of weights of each class, or the number of its rows."""
    if class_weight is None:
        return np.ones(len(classes))
    counts = np.bincount(numbers, w, len(classes))
    return compute_class_weight(class_weight, classes=classes, y=classes, sample_weight=to_host(counts))


def log_shares(Z: Any) -> Any:
    """Logarithms of the shares of exponentials in each row, shape (n, k)."""
    Z = Z - Z.max(axis=1)[:, None]
    return Z - np.log(np.exp(Z).sum(axis=1))[:, None]


def log_shares_of_decisions(found: Any) -> Any:
    """The same for decisions; a vector of them is of two classes."""
    return log_shares(np.stack([found * 0, found], axis=1) if found.ndim == 1 else found)


def numbers_of_decisions(found: Any) -> Any:
    """The class of each row by its decisions."""
    return (found > 0).astype(np.intp) if found.ndim == 1 else found.argmax(axis=1)


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
