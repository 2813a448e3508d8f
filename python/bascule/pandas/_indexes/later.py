"""Labels that are made when they are read; their number is known."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from ... import _core
from .._columns.column import ndarray
from .index import Index, RangeIndex

_class_of: Any = object.__dict__["__class__"]
_INT64 = np.dtype(np.int64)
# Known before the labels are made; any other attribute makes them.
_KNOWN = frozenset((
    "__dict__", "_count", "_device", "_filter", "_freq", "_make_labels", "_names", "_slice", "_take", "dtype", "equals", "_waits", "nlevels",
))  # fmt: skip


class Later(Index):
    """Integers without a name, which a function makes as an index, whose class this object then takes."""

    _waits, _freq = True, None
    dtype = property(lambda self: _INT64)
    nlevels = property(lambda self: 1)

    @classmethod
    def of(cls, count: int, make: Callable[[], Index]) -> Later:
        self = object.__new__(cls)
        self.__dict__.update(_count=count, _make_labels=make, _names=[None])
        return self

    def __getattribute__(self, name: str) -> Any:
        return object.__getattribute__(self, name) if name in _KNOWN else getattr(made(self), name)

    def __iter__(self) -> Iterator[Any]:
        return iter(made(self))

    def __len__(self) -> int:
        return self._count

    def _device(self) -> str:
        return "cpu"

    def equals(self, other: Any) -> bool:
        return self is other or made(self).equals(other)

    def _take(self, positions: ndarray) -> Any:
        return Later.of(len(positions), lambda: made(self)._take(positions))

    def _filter(self, mask: ndarray) -> Any:
        return self._take(_core.nonzero(mask)[0])

    def _slice(self, start: int, step: int, count: int) -> Any:
        return Later.of(count, lambda: made(self)._slice(start, step, count))


def made(labels: Any) -> Any:
    """Labels that have been made; the object is of their class from then on."""
    if type(labels) is Later:
        held = labels.__dict__
        make = held.get("_make_labels")
        if make is not None:  # else another thread has just made them
            for name, value in make().__dict__.items():
                held[name] = value if name != "_names" else held["_names"]
            _class_of.__set__(labels, RangeIndex if "_made" in held else Index)
            held.pop("_make_labels", None)
    return labels
