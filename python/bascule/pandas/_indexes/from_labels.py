"""Indexes from labels given by a user, of types that do not need pandas."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from .. import _classes
from .._columns.column import ndarray
from .._columns.infer import column
from .._theirs import pandas


def are_levels(x: list) -> bool:
    """Whether a list of labels contains only lists and arrays, which mean levels."""
    return bool(x) and all(
        isinstance(v, (list, np.ndarray, ndarray)) or hasattr(v, "_column") or hasattr(v, "_data") for v in x
    )


def labels(x: Any) -> Any:
    """An index from labels given by a user; None where only pandas knows their type."""
    if isinstance(x, (_classes.Index, pandas.Index)):
        return _classes.Index._ensured(x)
    if isinstance(x, range):
        return _classes.RangeIndex._of(x.start, x.step, len(x))
    if isinstance(x, (list, tuple)) and any(isinstance(v, (tuple, list, np.ndarray, ndarray)) for v in x):
        return None
    given = isinstance(x, (list, tuple, np.ndarray, ndarray)) or hasattr(x, "_column")
    if not given and isinstance(x, pandas.api.extensions.ExtensionArray):
        given = not hasattr(type(x), "freq")  # times, whose frequency pandas checks
    made = column(x) if given else None
    return (
        None
        if made is None or made.dtype == np.float16
        else _classes.Index._of_columns([made], [getattr(x, "name", None)])
    )


def targets(index: Any, given: Any) -> Any:
    """Labels to look up in an index, as an index: without names of their own they take over the index's.

    An empty list takes the type of the index; integers become a range where the index is one and they are evenly spaced.
    """
    if isinstance(given, Iterator):
        given = list(given)
    is_index = isinstance(given, (_classes.Index, pandas.Index))
    if not is_index and not len(given):
        return index[:0]
    made = _classes.Index._ensured(given)
    if not hasattr(given, "name") and made.nlevels == index.nlevels and list(made._names) != list(index._names):
        made = made._named(list(index._names), False)
    if isinstance(index, _classes.RangeIndex) and made.nlevels == 1 and made.dtype == np.int64:
        made = index._evenly(made._columns[0])._named(list(made._names), False)
    return made


def typed_labels(x: Any, dtype: Any) -> Any:
    """An index of labels that have a type already; None where pandas has to convert."""
    if getattr(x, "nlevels", 1) > 1 or (isinstance(x, list) and any(isinstance(v, (tuple, list)) for v in x)):
        return None
    made = column(x, dtype) if isinstance(x, (list, np.ndarray)) or hasattr(x, "_column") else None
    return (
        None
        if made is None or made.dtype == np.float16
        else _classes.Index._of_columns([made], [getattr(x, "name", None)])
    )
