"""Where one label stands: a function an index, made at the first look-up and kept with the labels."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ... import _core
from .._columns.column import moments
from .._columns.numbered import is_zoned

_NA, _ZONED = 1, 2  # of what a level is, for the table of the library


def _undecided(key: Any) -> Any:
    return NotImplemented


def _finder(index: Any) -> Callable[[Any], Any]:
    """A function from a label to its position: a slice or an array where there are several, None where there is none.

    It gives NotImplemented for what it cannot look for: parts of dates, and labels that have to be converted first.
    """
    columns = index._columns
    if index._own is not None:
        return _core.Lookup(index._own, tuple(_NA if c.is_masked else 0 for c in columns)).find
    if len(columns) > 1:
        return _undecided
    c = columns[0]
    if is_zoned(c):
        return _core.Lookup(_core.Labels([moments(c).core]), (_ZONED,)).find
    return _undecided


class Finder:
    """The attribute that is this function."""

    def __get__(self, index: Any, owner: Any = None) -> Any:
        if index is None:
            return self
        made = index.__dict__["_where_is"] = _finder(index)
        return made
