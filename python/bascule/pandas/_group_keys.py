"""What rows are grouped by: key columns, the number of each row's group, and the labels of results."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any

import numpy as np
import pandas

import bascule as bc

from .. import _core
from . import _fallback, _index
from ._column import AnyColumn, Column, HostColumn, from_pandas_array, from_values, ndarray

INT64 = np.dtype(np.int64)
NO_GROUP = 0xFFFFFFFF


class Elsewhere(Exception):
    """A call that only pandas can answer; the text is the reason."""


def or_in_pandas(method: Callable) -> Callable:
    """A method that gives way to pandas' where it raises Elsewhere."""

    @wraps(method)
    def call(self: Any, *args: Any, **kwargs: Any) -> Any:
        try:
            if self._foreign is not None:
                raise Elsewhere(self._foreign)
            return method(self, *args, **kwargs)
        except Elsewhere as why:
            return _fallback.call(self, method.__name__, args, kwargs, str(why))

    return call


def int64(a: ndarray) -> ndarray:
    return _core.astype(a, INT64, False, "K")


class Grouping:
    """Key columns and the group of each row.

    Parameters
    ----------
    keys : list of columns
    names : list of hashable
        Name of each key.
    sort : bool
        Groups follow their keys; otherwise first appearance.
    dropna : bool
        Rows with a missing key are in no group; otherwise they are in groups of their own, last.
    """

    may_be_empty = False  # groups that no row is in

    def __init__(self, keys: list[AnyColumn], names: list[Any], sort: bool, dropna: bool):
        self.keys, self.names, self.sort, self.dropna = keys, names, sort, dropna
        self._found: tuple[ndarray, ndarray, int] | None = None
        self._labels: list[AnyColumn] | None = None
        self._order: ndarray | None = None
        self._sizes: ndarray | None = None

    def __len__(self) -> int:
        return len(self.keys[0])

    def _factorized(self) -> tuple[ndarray, ndarray, int]:
        if self._found is None:
            self._found = _core.factorize_columns([k.core for k in self.keys], self.sort, not self.dropna)
        return self._found

    @property
    def codes(self) -> ndarray:
        """uint32: group of each row, NO_GROUP where in none."""
        return self._factorized()[0]

    @property
    def first(self) -> ndarray:
        """int64: first row of each group."""
        return self._factorized()[1]

    @property
    def count(self) -> int:
        """Number of groups."""
        return len(self._labels[0]) if self._labels is not None else self._factorized()[2]

    @property
    def drops(self) -> bool:
        """Whether some rows are in no group."""
        return self.dropna and any(k.has_missing() for k in self.keys)

    def groups_of_rows(self) -> ndarray:
        """int64: group of each row, -1 where in none."""
        codes = self.codes
        if not self.drops:
            return int64(codes)
        return bc.where(codes == np.uint32(NO_GROUP), np.int64(-1), int64(codes))

    @property
    def sizes(self) -> ndarray:
        """int64: rows of each group."""
        if self._sizes is None:
            self._sizes = self.aggregate([(None, "size", 1, -1)])[0].values
        return self._sizes

    @property
    def order(self) -> ndarray:
        """int64: rows by group, in row order within each; rows of no group last."""
        if self._order is None:
            self._order = _core.order_columns([_core.Column.plain(self.codes)], [True], False)
        return self._order

    @property
    def starts(self) -> ndarray:
        """int64: where each group begins in `order`."""
        sizes = self.sizes
        return bc.cumsum(sizes) - sizes

    def aggregate(self, requests: list[tuple[Any, str, int, int]]) -> list[Any]:
        """One core column of a row a group for each request."""
        if self._found is None and self.sort and len(self.keys) == 1:
            by_text = self._by_text(requests)
            if by_text is not None:
                return by_text
            at_once = _core.aggregate_by_key(self.keys[0].core, requests)
            if at_once is not None:
                self._labels = [Column(at_once[0], self.keys[0].dtype)]
                return at_once[1]
        return _core.aggregate_columns(self.codes, self.count, requests)

    def _by_text(self, requests: list[tuple[Any, str, int, int]]) -> list[Any] | None:
        """The same by a key of numbered text: its numbers are those of the groups, less what no row has any more."""
        key = self.keys[0]
        core = key.core.encoded() if key.is_text and (self.dropna or not key.has_missing()) else None
        if core is None or len(core.dictionary) == 0:
            return None
        codes = core.values.view(np.uint32)
        *found, sizes = _core.aggregate_columns(codes, len(core.dictionary), [*requests, (None, "size", 1, -1)])
        texts, present = core.dictionary, sizes.values > 0
        if not bool(present.all()):
            found, texts = [c.filter(present) for c in found], texts.filter(present)
        self._labels = [Column(texts, key.dtype)]
        return found

    def key_columns(self) -> list[AnyColumn]:
        """The keys of the groups, one column a key."""
        if self._labels is None:
            self._labels = [k.take(self.first) for k in self.keys]
        return self._labels

    def index(self) -> _index.Index:
        """The keys of the groups as labels."""
        columns = self.key_columns()
        if len(columns) == 1:
            return _index.from_column(columns[0], self.names[0])
        return _index.MultiIndex._make(columns, self.names)


def _texts(keys: list) -> Any:
    """Labels given one by one as texts."""
    return pandas.array(keys, dtype="str")


def resolve(obj: Any, by: Any, level: Any) -> tuple[list[AnyColumn], list[Any], set[int], list[bool]]:
    """Key columns of a frame or series, their names, positions of the columns that they are, and which are such.

    Raises
    ------
    Elsewhere
        For keys that are computed by functions, dictionaries or pandas' groupers, or have no form in bascule's memory.
    KeyError, ValueError, TypeError
        As pandas.
    """
    if by is None and level is None:
        raise TypeError("You have to supply one of 'by' and 'level'")
    if level is not None:
        if by is not None:
            raise Elsewhere("by= and level=")
        return _from_levels(obj._index, level)
    keys = by if isinstance(by, list) else [by]
    if not keys:
        raise ValueError("No group keys passed!")
    if isinstance(by, list) and len(keys) == len(obj) and all(_is_label(k) for k in keys):
        if not all((obj.ndim == 2 and k in obj._names) or k in obj._index._names for k in keys):
            keys = [np.asarray(keys)] if not any(isinstance(k, str) for k in keys) else [_texts(keys)]
    columns: list[AnyColumn] = []
    names: list[Any] = []
    own: set[int] = set()
    inside: list[bool] = []
    for key in keys:
        column, name, position = _one(obj, key)
        if isinstance(column, HostColumn):
            raise Elsewhere(f"a key of type {column.dtype}")
        columns.append(column)
        names.append(name)
        inside.append(position is not None)
        if position is not None:
            own.add(position)
    return columns, names, own, inside


def _is_label(key: Any) -> bool:
    return isinstance(key, (str, int, float, np.generic, pandas.Timestamp)) or key is None


def _from_levels(index: _index.Index, level: Any) -> tuple[list[AnyColumn], list[Any], set[int], list[bool]]:
    levels = list(level) if isinstance(level, (list, tuple)) else [level]
    if not levels:
        raise ValueError("No group keys passed!")
    if index.nlevels == 1:
        if len(levels) > 1:
            raise ValueError("multiple levels only valid with MultiIndex")
        if isinstance(levels[0], str):
            if index.name != levels[0]:
                raise ValueError(f"level name {levels[0]} is not the name of the index")
        elif levels[0] > 0 or levels[0] < -1:
            raise ValueError("level > 0 or level < -1 only valid with MultiIndex")
        numbers = [0]
    else:
        numbers = [index._level_number(k) for k in levels]
    columns = [index._columns[i] for i in numbers]
    for c in columns:
        if isinstance(c, HostColumn):
            raise Elsewhere(f"a key of type {c.dtype}")
    return columns, [index._names[i] for i in numbers], set(), [False] * len(columns)


def _one(obj: Any, key: Any) -> tuple[AnyColumn, Any, int | None]:
    from ._series import Series

    if isinstance(key, pandas.Series):
        key = _fallback.from_pandas(key)
    if not isinstance(key, str) and hasattr(key, "_meta"):
        key = key._meta  # Dask groups empty frames by its own expressions
    if isinstance(key, Series):
        return _from_series(obj, key)
    if isinstance(key, pandas.Index):
        key = _fallback.from_pandas(key)
    if isinstance(key, _index.Index):
        if key.nlevels > 1:
            raise Elsewhere("a MultiIndex as key")
        return _of_length(obj, key._column), key.name, None
    if callable(key) or isinstance(key, (dict, pandas.Grouper)) or hasattr(key, "_foreign"):
        raise Elsewhere(f"a key that is a {type(key).__name__}")
    if type(key) is ndarray or isinstance(key, (np.ndarray, list, pandas.api.extensions.ExtensionArray)):
        if isinstance(key, list):
            key = pandas.Index(key).array if len(key) else np.empty(0)
        column = from_values(key) if type(key) is ndarray else from_pandas_array(key)
        return _of_length(obj, column), None, None
    return _from_label(obj, key)


def _of_length(obj: Any, column: AnyColumn) -> AnyColumn:
    if len(column) != len(obj):
        raise ValueError("Grouper and axis must be same length")
    return column


def _from_series(obj: Any, key: Any) -> tuple[AnyColumn, Any, int | None]:
    position = None
    if obj.ndim == 2 and key._name is not None:
        position = next(
            (i for i, c in enumerate(obj._columns) if c is key._column and obj._names[i] == key._name), None
        )
    if key._index is obj._index or key._index.equals(obj._index):
        return key._column, key._name, position
    return key.reindex(obj._index)._column, key._name, None


def _from_label(obj: Any, key: Any) -> tuple[AnyColumn, Any, int | None]:
    try:
        is_column = obj.ndim == 2 and key in obj._names
        is_level = key is not None and key in obj._index._names
    except TypeError:
        raise Elsewhere(f"a key that is a {type(key).__name__}") from None
    if is_column:
        if is_level:
            raise ValueError(f"'{key}' is both an index level and a column label, which is ambiguous.")
        found = obj._names.get_loc(key)
        if not isinstance(found, (int, np.integer)):
            raise ValueError(f"Grouper for '{key}' not 1-dimensional")
        return obj._columns[found], key, int(found)
    if is_level:
        i = obj._index._level_number(key)
        return obj._index._columns[i], key, None
    raise KeyError(key)
