"""Look-up of a single label: one function for each index, made at the first look-up and kept with the labels."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from ... import _core
from .. import _classes
from .._columns.column import Core
from .._theirs import seen

_ZONED = 2  # a type of level that the core's table handles


def _undecided(key: Any) -> Any:
    return NotImplemented


def _among_categories(c: Any) -> Callable[[Any], Any]:
    """Look up by the code of a label's category."""
    number = _classes.Index._from_pandas(c.dtype.categories)._where_is
    rows = _core.Lookup(_core.Labels([Core.plain(c.codes)]), (0,)).find

    def find(key: Any) -> Any:
        code = number(key)
        if type(code) is int:
            return rows(code)
        return NotImplemented if code is not None or key is None or key != key else None

    return find


def _numbered(labels: np.ndarray) -> dict[Any, int]:
    """The position of each object, -1 where it repeats; TypeError where one has no hash."""
    table: dict[Any, int] = {}
    for i, x in enumerate(labels.tolist()):
        key = np.nan if isinstance(x, float) and x != x else x
        table[key] = -1 if key in table else i
    return table


def _among_objects(labels: np.ndarray) -> Callable[[Any], Any]:
    """Look up in a dict, whose keys are equal as in pandas except for NaN; repeated labels are left to pandas."""
    table: dict[Any, int] | None = None

    def find(key: Any) -> Any:
        nonlocal table
        if isinstance(key, (tuple, complex)) or key is seen.NA:
            return NotImplemented
        try:
            hash(key)
            if table is None:
                table = _numbered(labels)
            at = table.get(np.nan if isinstance(key, float) and key != key else key)
        except TypeError:
            return NotImplemented
        return NotImplemented if at == -1 else at

    return find


def _finder(index: Any) -> Callable[[Any], Any]:
    """A function from a label to its position: a slice or an array where it repeats, None where it does not exist.

    It gives NotImplemented for labels that it cannot look up: parts of dates, and labels to be converted first.
    """
    columns = index._columns
    if index._own is not None:
        return _core.Lookup(index._own, tuple(c.lookup_flags for c in columns)).find
    if len(columns) > 1:
        return _undecided
    c = columns[0]
    if c.zone is not None:
        return _core.Lookup(_core.Labels([c.utc().core]), (_ZONED,)).find
    if c.has_categories:
        return _among_categories(c)
    if c.dtype == object and c.device == "cpu":
        return _among_objects(c.array)
    return _undecided


class Finder:
    """The attribute that holds this function."""

    def __get__(self, index: Any, owner: Any = None) -> Any:
        if index is None:
            return self
        made = index.__dict__["_where_is"] = _finder(index)
        return made
