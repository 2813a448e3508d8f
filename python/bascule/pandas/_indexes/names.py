"""Names of indexes, which can change, and the rows that such a change concerns."""

from __future__ import annotations

from collections.abc import MutableMapping, Sequence
from typing import Any

from .. import _fallback
from .._labels import check_name
from .._theirs import pandas


class IndexNames:
    """Names of the levels of an index."""

    _names: list[Any]
    _pandas_copy: pandas.Index | None
    _owners: MutableMapping[int, Any] | None = None  # weak references to rows with this very object, by id
    _waits = False  # whether the labels are made when they are read
    nlevels: int
    is_unique: bool

    def _there(self) -> pandas.Index:
        """These labels as pandas' index; the class of the labels converts them."""
        raise NotImplementedError

    @property
    def name(self) -> Any:
        """Name of the labels, or None."""
        return self._names[0]

    @name.setter
    def name(self, value: Any) -> None:
        self._set_names([value])

    def _set_names(self, names: list[Any]) -> None:
        """Change the name, also for the rows whose labels this object is."""
        for name in names:
            check_name(name, type(self).__name__)
        self._names = names
        self._changed()

    def _changed(self) -> None:
        """Apply a change of names to the rows whose labels this object is."""
        self._pandas_copy = None
        for rows in [] if self._owners is None else list(self._owners.values()):
            shown = rows.__dict__.get("_shown")
            if shown is not None and shown[1] is self and shown[0] is rows._index:
                rows.__dict__["_index"] = view = self._view()
                rows.__dict__["_shown"] = (view, self)

    def _view(self) -> Any:
        """Another object of the same labels, with names of its own."""
        made = object.__new__(type(self))
        made.__dict__.update(self.__dict__)
        made.__dict__.pop("_owners", None)
        made.__dict__.pop("_identity", None)
        return made

    @property
    def names(self) -> Any:
        """Names of all levels, as pandas' FrozenList."""
        return pandas.core.indexes.frozen.FrozenList(self._names)

    @names.setter
    def names(self, value: Sequence[Any]) -> None:
        if len(value) != len(self._names):
            raise ValueError(f"Length of new names must be {len(self._names)}, got {len(value)}")
        self._set_names(list(value))

    def rename(self, name: Any, *, inplace: bool = False) -> Any:
        """The same labels with another name."""
        if self.nlevels == 1 and not isinstance(name, (list, tuple)):
            check_name(name, type(self).__name__)
            return self._named([name], inplace)
        return self.set_names(name if self.nlevels > 1 else [name], inplace=inplace)

    def set_names(self, names: Any, *, level: Any = None, inplace: bool = False) -> Any:
        """The same labels with other names."""
        there = self[:0]._there()  # pandas decides which names are valid for which level
        return self._named(list(there.set_names(_fallback.to_pandas(names), level=level).names), inplace)

    def _named(self, names: list[Any], inplace: bool) -> Any:
        made = self if inplace else self._view()
        made._set_names(names)
        return None if inplace else made

    def copy(self, name: Any = None, deep: bool = False) -> Any:
        """A copy; labels are immutable, so nothing is copied."""
        return self._view() if name is None else self._named(list(self[:0]._there().copy(name=name).names), False)

    def _maybe_check_unique(self) -> None:
        """DuplicateLabelError where labels repeat; called for pandas' flags."""
        if not self.is_unique:
            self._there()._maybe_check_unique()
