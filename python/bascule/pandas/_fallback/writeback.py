"""Changes that pandas makes to copies of bascule's objects: found by comparing before and after, and copied back."""

from __future__ import annotations

from collections.abc import Callable
from copy import deepcopy
from typing import Any

import numpy as np

from .._theirs import pandas


class SharedObject:
    """An object of bascule and the copy of it that is passed to pandas.

    While another object shares the copy's memory, pandas copies before it writes: whatever it changed is another object
    afterwards, and nothing else has to be compared.
    """

    __slots__ = ("before", "guard", "own", "there")

    def __init__(self, own: Any, there: Any):
        self.own, self.there = own, there
        self.guard = None if isinstance(there, pandas.Index) else there.copy(deep=False)
        self.before = _state(there)

    def bring_back(self, from_pandas: Callable[[Any], Any], surely: bool = False) -> None:
        """Update bascule's object if pandas has changed the copy; `surely` where pandas writes without a copy of its own."""
        (parts, notes), (now, notes_now) = self.before, _state(self.there)
        if (
            not surely
            and len(parts) == len(now)
            and all(a is b for a, b in zip(parts, now))
            and _alike(notes, notes_now)
        ):
            return
        made = from_pandas(self.there)
        if notes and parts and parts[0] is now[0] and notes[0] == notes_now[0]:
            made.__dict__["_index"] = self.own._index  # the object that the user holds keeps its identity
            if self.own.ndim == 2 and parts[1] is now[1]:
                made.__dict__["_column_labels"] = self.own._names
        self.own._become(made)


class SharedObjects(dict[int, SharedObject]):
    """The converted copies of one call, by the id of the original object.

    Attributes
    ----------
    name : str
        Name of the function that was called.
    reason : str
        Reason why it runs in pandas.
    """

    def __init__(self, name: str, reason: str):
        self.name, self.reason = name, reason


def _alike(a: Any, b: Any) -> bool:
    """Whether two pieces of metadata of any class are equal, as far as they can be compared."""
    if a is b:
        return True
    if type(a) is not type(b):
        return False
    if isinstance(a, dict):
        return a.keys() == b.keys() and all(_alike(v, b[k]) for k, v in a.items())
    if isinstance(a, (list, tuple)):
        return len(a) == len(b) and all(map(_alike, a, b))
    try:
        same = a.equals(b) if hasattr(a, "equals") else a == b
        return bool(np.all(same)) if np.shape(a) == np.shape(b) else False
    except Exception:  # a user's class may raise anything; then it counts as changed
        return False


def _state(x: Any) -> tuple[list[Any], list[Any]]:
    """The parts that pandas replaces when it changes an object, compared by identity, and the rest, compared by value."""
    if isinstance(x, pandas.Index):
        return [], [list(x.names), getattr(x, "freq", None)]
    blocks = x._mgr.blocks
    notes = [[list(a.names) for a in x.axes], deepcopy(x.attrs), x.flags.allows_duplicate_labels]
    notes += [tuple(b.mgr_locs.as_array) for b in blocks] if x.ndim == 2 else [x.name]
    return [*x.axes, *(b.values for b in blocks)], notes
