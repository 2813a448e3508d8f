"""The rows that stay when labels are dropped."""

from __future__ import annotations

from typing import Any

import numpy as np

from .... import _core
from ..._columns.where import is_missing_scalar
from ..._indexes.from_labels import labels as rows_labelled
from .levels import listed_labels, several_labels

FEW_LABELS = 16  # that are looked up one by one


def _can_be(index: Any, key: Any) -> bool:
    try:
        index._label(key)
    except (KeyError, TypeError, ValueError):
        return False
    return True


def without_rows(x: Any, labels: Any, errors: str) -> Any:
    """The rows of a frame or series without those labels; None where only pandas finds them."""
    if x._index.nlevels > 1 or x._index._own is None:
        return None
    labels = several_labels(labels)
    if len(labels) > FEW_LABELS:
        return _without_many_rows(x, labels, errors)
    labels = listed_labels(labels)
    if any(map(is_missing_scalar, labels)):  # which ones an index takes for its own depends on its type
        return None
    found = [x._index._find(k) if _can_be(x._index, k) else None for k in labels]
    absent = [k for k, f in zip(labels, found) if f is None or len(f) == 0]
    if absent and errors != "ignore":
        raise KeyError(f"{absent} not found in axis")
    keep = np.ones(len(x), bool)
    for f in found:
        if f is not None:
            keep[_core.to_numpy(f)] = False
    return x._filter_rows(_core.from_numpy(keep), asked_for=True)


def _without_many_rows(x: Any, labels: Any, errors: str) -> Any:
    index, wanted = x._index, rows_labelled(labels)
    if wanted is None or wanted.nlevels > 1 or type(wanted.dtype) is not type(index.dtype) or not index.is_unique:
        return None
    at = index.get_indexer(wanted)
    lacking = at < 0
    if bool(lacking.any()):
        if errors != "ignore":
            raise KeyError(f"{wanted[lacking].tolist()} not found in axis")
        at = at[~lacking]
    keep = _core.full((len(index),), True, np.dtype(bool), at.device)
    keep[at] = False
    return x._filter_rows(keep, asked_for=True)
