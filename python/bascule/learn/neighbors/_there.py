"""Neighbours of rows on a device: distances of all pairs in blocks, sorted there, and predictions from them."""

from __future__ import annotations

from typing import Any

import numpy as np
from sklearn.utils.validation import check_consistent_length

from ... import _core
from ...fallback import refuse_on_gpu
from .._checks import validate_data
from .._classes import check_labels, encoded, labels_of, range_there
from .._device_scores import accuracy, r2
from .._kinds import Kind, is_on_device
from .._rows import rows_there

_SEARCHED = ("auto", "brute")


def refuse(model: Any, method: str, reason: str | None, device: str) -> None:
    if reason is not None:
        refuse_on_gpu(f"learn.{type(model).__name__}.{method}", reason, device, "scikit-learn")


def fit(model: Any, kind: Kind, X: Any, y: Any = None) -> Any:
    """Keep the rows where they are, with the attributes that scikit-learn's fit sets."""
    refuse(model, "fit", _not_there(model), kind.device)
    X = validate_data(model, kind.take(X, "X"), dtype=[np.float64, np.float32])
    model.effective_metric_, model.effective_metric_params_ = "euclidean", {}
    model._fit_method, model._tree, model._fit_X, model.n_samples_fit_ = "brute", None, X, X.shape[0]
    if y is None:
        return model
    y = kind.take(y, "y")
    if hasattr(model, "predict_proba"):
        y = validate_data(model, y=y) if is_on_device(y) else y
        refuse(model, "fit", "labels of several outputs" if y.ndim > 1 and y.shape[1] > 1 else None, kind.device)
        check_labels(y)
        model.outputs_2d_ = False
        model.classes_, model._y = encoded(kind, y.reshape(-1))
    else:
        model._y = validate_data(model, y=y, multi_output=True)
    check_consistent_length(X, model._y)
    return model


def _not_there(model: Any) -> str | None:
    """The reason for which rows on a device are refused, or None."""
    if model.algorithm not in _SEARCHED:
        return f"algorithm={model.algorithm!r}"
    if model.metric not in ("minkowski", "euclidean") or model.metric_params is not None or (model.metric == "minkowski" and model.p != 2):  # fmt: skip
        return "another metric than the Euclidean"
    return "weights are a function" if callable(getattr(model, "weights", None)) else None


def of_one_place(model: Any, X: Any) -> bool:
    """Whether the fitted rows, and with them the queries, are on a device."""
    there = is_on_device(model._fit_X)
    if X is not None and there == Kind.of(X).on_host:
        raise ValueError(f"[learn] the fitted rows are on {model._fit_X.device if there else 'cpu'}, X is not; move it: .to_device or .get()")  # fmt: skip
    return there


def nearest(model: Any, X: Any, count: int) -> tuple[Any, Any]:
    """Distances, ascending, and numbers of rows, each of shape (n, count). Without queries no row is its own neighbour."""
    rows = model._fit_X.astype(np.float64, copy=False)
    queries = rows if X is None else validate_data(model, X, dtype=[np.float64, np.float32], reset=False).astype(np.float64)  # fmt: skip
    most = len(rows) - (X is None)
    if count > most:
        sign = "<" if X is None else "<="
        raise ValueError(f"Expected n_neighbors {sign} n_samples_fit, but n_neighbors = {count}, n_samples_fit = {len(rows)}, n_samples = {len(queries)}")  # fmt: skip
    step = rows_there(queries, len(rows))
    found = [_block(queries[i : i + step], rows, count, i if X is None else None) for i in range(0, len(queries), step)]
    distances, numbers = (np.concatenate(x) if len(x) > 1 else x[0] for x in zip(*found))
    return distances, numbers


def _block(queries: Any, rows: Any, count: int, first: int | None) -> tuple[Any, Any]:
    squares = ((queries[:, None] - rows[None]) ** 2).sum(axis=2)
    if first is not None:
        own = range_there(rows, len(rows)) == (range_there(rows, len(queries)) + first)[:, None]
        squares = np.where(own, np.inf, squares)
    numbers = np.argsort(squares, axis=1, kind="stable")[:, :count]
    distances = np.sqrt(np.take_along_axis(squares, numbers, axis=1))
    _core.evaluate(distances, numbers)
    return distances, numbers


def _shares(model: Any, X: Any) -> tuple[Any, Any]:
    """The neighbours of each row, and their shares in a prediction."""
    distances, numbers = nearest(model, X, model.n_neighbors)
    if model.weights == "distance":
        equal = distances == 0  # which alone count, where there are some
        weights = np.where(equal.any(axis=1)[:, None], equal.astype(np.float64), 1 / np.where(equal, 1.0, distances))
    else:
        weights = distances * 0 + 1
    return numbers, weights / weights.sum(axis=1)[:, None]


def shares_of_classes(model: Any, X: Any) -> Any:
    numbers, weights = _shares(model, X)
    votes = model._y[numbers][:, :, None] == range_there(numbers, len(model.classes_))
    return (votes * weights[:, :, None]).sum(axis=1)


def predict(model: Any, X: Any) -> Any:
    if hasattr(model, "classes_"):
        return labels_of(model.classes_, shares_of_classes(model, X).argmax(axis=1))
    numbers, weights = _shares(model, X)
    targets = model._y[numbers]
    return (targets * weights.reshape(*weights.shape, *(1,) * (targets.ndim - 2))).sum(axis=1)


def score(model: Any, X: Any, y: Any, w: Any) -> float:
    kind = Kind.of(model._fit_X)
    of = accuracy if hasattr(model, "classes_") else r2
    return of(kind.take(y, "y"), predict(model, X), kind.take(w, "sample_weight"))
