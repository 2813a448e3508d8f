"""Access to single values: at and iat."""

from __future__ import annotations

import operator
import sys
from typing import Any

from ...._array.caller_warnings import at_users_line
from ... import _fallback
from ..._fallback import deprecations
from ..._fallback.chained import check_item
from ..._labels import hashes
from ..._pipe import apply_if_callable
from ..._questions import is_integer, is_list_like, is_scalar
from ..._theirs import pandas
from .indexers import ByLabel, Indexer, Positions
from .setting import cell_by_label, cell_by_position, position, put_one


class OneValue:
    """`at` and `iat`: access to a single value."""

    def __init__(self, owner: Any, by: type[Indexer]):
        self.owner, self.by = owner, by

    def __getitem__(self, key: Any) -> Any:
        owner = self.owner
        if owner.ndim == 1:
            row = owner._index._where_is(key) if self.by is ByLabel else position(key, len(owner))
            if type(row) is int:
                return owner._column.item(row)
            one_label = owner._index.nlevels == 1 or isinstance(key, bool)
            if self.by is ByLabel and one_label and (is_scalar(key) or (isinstance(key, tuple) and key)):
                return owner._value_of(key[0] if isinstance(key, tuple) and len(key) == 1 else key)
            if (
                self.by is ByLabel
                and not one_label
                and isinstance(key, (str, tuple))
                and key
                and not any(k is None or isinstance(k, slice) or is_list_like(k) for k in key)
            ):
                return owner[key]
        elif type(key) is tuple and len(key) == 2:
            where_to = cell_by_label(owner, *key) if self.by is ByLabel else cell_by_position(owner, *key)
            if where_to is not None:
                return owner._columns[where_to[1]].item(where_to[0])
            self._check_levels(key[0])
        parts = key if isinstance(key, tuple) else (key,)
        self._check(key, parts, "getting")
        if self.by is ByLabel and self.owner.ndim == 2 and len(parts) == 2 and is_list_like(parts[1]):
            return self.by(self.owner[parts[1]])[parts[0]]
        if (
            self.by is Positions
            and self.owner.ndim == 1
            and is_integer(key)
            and not -len(self.owner) <= key < len(self.owner)
        ):
            raise IndexError(f"index {key} is out of bounds for axis 0 with size {len(self.owner)}")
        if any(callable(k) for k in parts):  # a label here, where loc would call the function
            name = "at" if self.by is ByLabel else "iat"
            with _fallback.in_pandas(f"{type(self.owner).__name__}.{name}", "a function as a label"):
                there = getattr(_fallback.to_pandas(self.owner), name)
                return _fallback.from_pandas(at_users_line(operator.getitem, there, key))
        return self.by(self.owner)[self._of_series(key)]

    def _check_levels(self, label: Any) -> None:
        """KeyError for a label of the first level where each row has a label of its own: it names no single row."""
        rows, columns = self.owner._index, self.owner._names
        if self.by is ByLabel and rows.nlevels > 1 and is_scalar(label) and rows.is_unique and columns.is_unique:
            raise KeyError(label)

    def _check(self, key: Any, parts: tuple, what: str) -> None:
        """The error of keys that do not select a single value, as pandas raises it; where labels repeat, keys must be scalars."""
        owner, by_label = self.owner, self.by is ByLabel
        invalid: Exception = ValueError(f"Invalid call for scalar access ({what})!")
        if by_label and owner.ndim == 2 and not (owner._index.is_unique and owner._names.is_unique):
            if not isinstance(key, tuple) or not all(map(is_scalar, parts)):
                raise invalid
        unlike = [k for k in parts if isinstance(k, slice) or not hashes(k)]
        if by_label and what == "setting" and (unlike or (owner.ndim == 2 and not isinstance(key, tuple))):
            text = ".at-based indexing can only have scalar indexers; use .loc instead"
            raise pandas.errors.InvalidIndexError(text)
        if not isinstance(key, tuple) and is_list_like(key):
            raise invalid
        short = owner.ndim == 2 and len(parts) != 2
        if not by_label and (not all(map(is_integer, parts)) or (short and what == "setting")):
            raise ValueError("iAt based indexing can only have integer indexers")
        if by_label and owner.ndim == 1 and not parts:
            raise TypeError("Series._get_value() missing 1 required positional argument: 'label'")
        if short:
            if what == "setting":
                raise ValueError("Not enough indexers for scalar access (setting)!")
            raise TypeError("DataFrame._get_value() missing 1 required positional argument: 'col'")
        if unlike and hashes(unlike[0]):  # slices do, since Python 3.12
            raise KeyError(unlike[0])
        if unlike:
            raise pandas.errors.InvalidIndexError(unlike[0])

    def _of_series(self, key: Any) -> Any:
        """Make a tuple one label, for a series with one level of labels."""
        tuples = self.by is ByLabel and isinstance(key, tuple) and len(key) > 1 and self.owner.ndim == 1
        return (key,) if tuples and self.owner._index.nlevels == 1 else key

    def __setitem__(self, key: Any, value: Any) -> None:
        check_item(sys.getrefcount(self.owner), self.owner, True)
        if put_one(self.owner, self.by is ByLabel, key, value):
            return
        given = (
            tuple(apply_if_callable(k, self.owner) for k in key)
            if isinstance(key, tuple)
            else apply_if_callable(key, self.owner)
        )
        self._check(given, given if isinstance(given, tuple) else (given,), "setting")
        if self.by is ByLabel and self.owner.ndim == 2 and is_list_like(given[1]) and given[1] in self.owner._names:
            owner = self.owner  # a label that loc would take as several
            by_number = owner._new(owner._columns, pandas.RangeIndex(len(owner._columns)), owner._index)
            ByLabel(by_number)._store((given[0], owner._position(given[1])), value)
            owner.__dict__.update(_columns=by_number._columns, _index=by_number._index)
            return
        shape = self.owner.shape
        self.by(self.owner)._store(self._of_series(given), value)
        if self.by is ByLabel and self.owner.shape != shape:
            deprecations.of_new_label(self.owner.ndim)
