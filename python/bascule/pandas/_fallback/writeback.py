"""What pandas changed in copies of bascule's objects: found by comparing them before and after, and brought back."""

from __future__ import annotations

from collections.abc import Callable
from copy import deepcopy
from typing import Any

import pandas


class Lent:
    """An object of bascule and the copy of it that pandas is given.

    While another object shares the copy's memory, pandas copies before it writes: whatever it changed is another object
    afterwards, and nothing else has to be compared.
    """

    __slots__ = ("before", "guard", "own", "there")

    def __init__(self, own: Any, there: Any):
        self.own, self.there = own, there
        self.guard = None if isinstance(there, pandas.Index) else there.copy(deep=False)
        self.before = _state(there)

    def bring_back(self, from_pandas: Callable[[Any], Any], surely: bool = False) -> None:
        """Let bascule's object be what pandas has made of the copy; `surely` where it writes without a copy of its own."""
        (parts, notes), (now, notes_now) = self.before, _state(self.there)
        if not surely and len(parts) == len(now) and all(a is b for a, b in zip(parts, now)) and notes == notes_now:
            return
        made = from_pandas(self.there)
        if notes and parts and parts[0] is now[0] and notes[0] == notes_now[0]:
            made.__dict__["_index"] = self.own._index  # the object that the user holds goes on standing for it
            if self.own.ndim == 2 and parts[1] is now[1]:
                made.__dict__["_column_labels"] = self.own._names
        self.own._become(made)


def _state(x: Any) -> tuple[list[Any], list[Any]]:
    """What pandas replaces when it changes an object, to be compared by identity, and the rest, by value."""
    if isinstance(x, pandas.Index):
        return [], [list(x.names), getattr(x, "freq", None)]
    blocks = x._mgr.blocks
    notes = [[list(a.names) for a in x.axes], deepcopy(x.attrs), x.flags.allows_duplicate_labels]
    notes += [tuple(b.mgr_locs.as_array) for b in blocks] if x.ndim == 2 else [x.name]
    return [*x.axes, *(b.values for b in blocks)], notes
