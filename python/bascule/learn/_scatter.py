"""Means of columns and products of centred rows, in one pass."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial
from typing import Any

import numpy as np

from .. import _core
from ._estimator import OddValues
from ._kinds import is_on_device, shared
from ._rows import Aggregation, State, block_rows, evaluated


def _centred(X: Any) -> State:
    X = X.astype(np.float64)
    mean = X.sum(axis=0) / X.shape[0]
    A = X - mean
    mean = mean + A.sum(axis=0) / X.shape[0]  # what rounding left, which matters far from zero
    return {"mean": mean, "gram": A.T @ A}


def _as_they_are(X: Any) -> State:
    X = X.astype(np.float64)
    return {"mean": X[0] * 0, "gram": X.T @ X}


def _merge(a: State, b: State) -> State:
    """Chan's formula: what the means of the two differ by is added to the products."""
    total = a["weight"] + b["weight"]
    share = (b["weight"] / total)[..., None]
    x = b["mean"] - a["mean"]
    scaled = (a["weight"][..., None] * share) * x
    return {
        "weight": total,
        "mean": a["mean"] + x * share,
        "gram": a["gram"] + b["gram"] + scaled[..., :, None] * x[..., None, :],
    }


def _of_all(X: np.ndarray, centred: bool) -> State:
    means, products = _core.row_products(shared(X), None, centred)
    return {"mean": np.asarray(means), "gram": np.asarray(products)}


# By whether rows are centred: `weight` (the number of rows), `mean` and `gram` (A'A of centred rows A).
SCATTER = {
    True: Aggregation(_centred, _merge, whole=partial(_of_all, centred=True)),
    False: Aggregation(_as_they_are, _merge, whole=partial(_of_all, centred=False)),
}


def scatter(X: Any, centred: bool = True) -> State:
    """The state of all rows, with a symmetric `gram`."""
    state = SCATTER[centred]([X])
    state["gram"] = (state["gram"] + state["gram"].T) / 2
    return state


_LEAST, _MOST = 1e-280, 1e280


def is_in_range(gram: np.ndarray) -> bool:
    """Whether products of columns have not overflowed, and have not lost digits near nought."""
    most = float(gram.diagonal().max(initial=0))
    return most == 0 or _LEAST < most < _MOST


def check_range(gram: np.ndarray) -> None:
    """Leave the call to scikit-learn where products of columns are not of use."""
    if not is_in_range(gram):
        raise OddValues("products of columns are out of the range of float64")


def values_and_vectors(gram: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Singular values of rows in descending order, and right vectors, by their products: each value to rounding of the
    largest."""
    check_range(gram)
    eigenvalues, vectors = np.linalg.eigh(gram)
    return np.sqrt(np.maximum(eigenvalues[::-1], 0)), vectors.T[::-1]


def batches(X: Any, cuts: Sequence[slice]) -> Iterator[State]:
    """The state of centred rows in each slice, of which the first ones have the same length: together in one pass."""
    if is_on_device(X):
        yield from (evaluated(_centred(X[cut])) for cut in cuts)
        return
    step = cuts[0].stop - cuts[0].start
    whole = sum(cut.stop - cut.start == step for cut in cuts) if len(X) > block_rows(X) else 0
    if whole > 1:
        states = SCATTER[True].of_blocks([X], step, whole)
        for k in range(whole):
            yield {name: x[k] for name, x in states.items()}
    for cut in cuts[whole if whole > 1 else 0 :]:
        yield _centred(X[cut])
