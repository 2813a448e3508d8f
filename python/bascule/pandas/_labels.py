"""Labels may be any hashable values: a date, an enum, a decimal, bytes or a missing value is as good as a string."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from .. import _core
from ._questions import is_list_like
from ._stand_ins import evenly, labelled
from ._theirs import pandas


def hashes(x: Any) -> bool:
    """Whether an object has a hash."""
    try:
        hash(x)
    except TypeError:
        return False
    return True


def is_label(x: Any, names: Any = ()) -> bool:
    """Whether a key is a single label: it has a hash and is no collection, unless it is among `names`."""
    if isinstance(x, (str, tuple)):
        return True
    if isinstance(x, (slice, Iterator)) or not hashes(x):
        return False
    return not is_list_like(x) or x in names


def label_of(x: Any) -> Any:
    """The value in a zero-dimensional array; other objects unchanged."""
    if isinstance(x, np.ndarray) and not x.ndim:
        return x[()]
    return _core.to_numpy(x)[()] if type(x) is _core.ndarray and not x.ndim else x


def refuse_ambiguous(label: Any, frame: Any) -> None:
    """ValueError for a column label that is also the name of a level of the row labels."""
    if label is not None and label in frame._index._names and label in frame._names:
        raise ValueError(f"'{label}' is both an index level and a column label, which is ambiguous.")


def positions(names: pandas.Index, labels: Any) -> list[int] | None:
    """Positions of a list of strings, looked up one by one since they are few; None for other labels, and if one is not there."""
    if type(labels) is not list or not all(type(x) is str for x in labels):
        return None
    if names.nlevels > 1 or names.dtype.kind != "O" or not names.is_unique or not all(x in names for x in labels):
        return None
    return [names.get_loc(x) for x in labels]


def in_order_of_appearance(parts: list[pandas.Index], shared: bool = False) -> pandas.Index | None:
    """The labels that some indexes have, or all of them if `shared`, each once; None where they are not strings of no name."""
    listed = [list(p) for p in parts if p.nlevels == 1 and p.name is None]
    if len(listed) < len(parts) or not all(type(x) is str for labels in listed for x in labels):
        return None
    found = dict.fromkeys(x for labels in listed for x in labels)
    kept = [x for x in found if not shared or all(x in p for p in parts)]
    made = labelled(kept)
    return pandas.Index(kept, dtype=parts[0].dtype) if made is None else made


def without(names: pandas.Index, labels: Any, errors: str = "raise") -> np.ndarray:
    """Positions of the labels that remain when some are dropped; KeyError as pandas' for those that do not exist."""
    gone = positions(names, labels)
    if gone is not None:
        return np.array([i for i in range(len(names)) if i not in gone], dtype=np.intp)
    if names.is_unique:
        return names.get_indexer(names.drop(labels, errors=errors))  # type: ignore[arg-type]
    wanted = np.empty(len(labels), dtype=object)
    wanted[:] = list(labels)
    if errors == "raise" and (names.get_indexer_for(wanted) == -1).any():
        raise KeyError(f"{wanted} not found in axis")
    return np.flatnonzero(~names.isin(wanted))


def keys_of(labels: list[Any] | range) -> pandas.Index:
    """Keys of columns as labels: a range where they are evenly spaced integers."""
    even = evenly(labels)
    made = labels if even is None else even
    stand_in = labelled(made)
    return pandas.Index(made) if stand_in is None else stand_in


def check_name(name: Any, of: str) -> None:
    """TypeError for a name that does not hash, of an object of a class."""
    if not hashes(name):
        raise TypeError(f"{of}.name must be a hashable type")
