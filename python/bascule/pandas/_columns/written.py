"""Writes of single values into a column's own memory, as long as no other object shares it."""

from __future__ import annotations

import sys
from typing import Any

from ... import _core
from .column import AnyColumn, Column, Core, ndarray

_core_of_column = Column.__dict__["core"]


class _Holder:
    held: Any


def _references(c: Any, i: int, value: Any) -> int:
    return sys.getrefcount(c)


def _of_one_holder() -> int:
    """The number of references that `put` counts for an object with one holder, which depends on Python's version."""
    holder = _Holder()
    holder.held = object()
    return _references(holder.held, 0, 0)


_ALONE = _of_one_holder()


class Written(Column):
    """A copy of plain numbers with no other reference to its memory until its core is read."""

    __slots__ = ("_alone",)
    moved_bytes = None  # a sort would share the memory

    def __init__(self, values: ndarray, dtype: Any):
        self._alone: ndarray | None = values
        self.dtype = dtype
        self.__class__ = self._classes[type(dtype)]
        self._elements = _core.Elements(Core.plain(values), None)

    @property
    def core(self) -> Any:
        """The column of the C++ library; once it is read, others may share its memory."""
        if self._alone is not None:
            _core_of_column.__set__(self, Core.plain(self._alone))
            self._alone = None
        return _core_of_column.__get__(self)

    def __len__(self) -> int:
        return len(self.core) if self._alone is None else len(self._alone)

    @property
    def device(self) -> str:
        return "cpu"


def put(c: AnyColumn, i: int, value: Any) -> AnyColumn | None:
    """The column with a number written into a row, in place if it has a single holder; None where that is not possible."""
    if isinstance(c, Written) and c._alone is not None and sys.getrefcount(c) <= _ALONE:
        return c if c._elements.store(i, value) else None
    if not c.is_plain("biuf") or c.device != "cpu" or len(c) <= i:
        return None
    made = Written(c.values.copy(), c.dtype)
    return made if made._elements.store(i, value) else None
