"""Rows grouped by key columns: the number of each row's group, and the keys of the groups."""

from __future__ import annotations

import datetime
from functools import cached_property
from typing import Any

import numpy as np

import bascule as bc

from ... import _core
from .. import _classes
from .._fallback.native import NotNative
from .._theirs import pandas
from .column import AnyColumn, Column, HostColumn, from_pandas_array, ndarray
from .dtypes import key_type
from .infer import inferred

INT64 = np.dtype(np.int64)


NO_GROUP = 0xFFFFFFFF


def int64(a: ndarray) -> ndarray:
    return _core.astype(a, INT64, False, "K")


class Codes(Column):
    """Categories or timezone-aware timestamps as a key: rows are grouped by integers, and groups labelled with the values."""

    __slots__ = ("like",)

    def __init__(self, like: HostColumn, numbers: Column | None = None):
        numbers = like.key() if numbers is None else numbers
        if numbers is None:
            raise NotNative(f"a key of type {like.dtype}")
        super().__init__(numbers.core, numbers.dtype)
        self.like = like.slice(0, 1, 0)

    def __reduce__(self) -> tuple:
        return _codes, (Column(self.core, self.dtype), self.like)

    def label(self, found: AnyColumn) -> AnyColumn:
        """The values of some codes."""
        return self.like.of_key(found)


class BinCodes(Codes):
    """The number of each row's bin, or of its value among the distinct ones, as a key: groups are labelled by the number."""

    __slots__ = ()

    def __init__(self, codes: ndarray, labels: AnyColumn, valid: ndarray | None = None):
        dtype = codes.dtype if valid is None else key_type(codes.dtype)
        Column.__init__(self, _core.Column.plain(codes, valid), dtype)
        self.like: AnyColumn = labels

    mixes_missing = property(lambda self: not self.like.takes_none)  # type: ignore[assignment]

    def __reduce__(self) -> tuple:
        return BinCodes, (self.values, self.like, self.core.valid)

    def label(self, found: AnyColumn) -> AnyColumn:
        if not found.has_missing():
            return self.like.take(int64(found.values))
        return self.like.take(bc.where(found.missing(), np.int64(-1), int64(found.values)), True)


def check_missing(keys: list[AnyColumn], dropna: bool) -> None:
    """NotNative for objects among which missing ones are groups, which disturbs pandas' order of numbers."""
    if not dropna and any(k.mixes_missing and k.has_missing() for k in keys):
        raise NotNative("missing keys that are groups among objects")


def key_codes(c: HostColumn) -> Codes:
    """Values that bascule has no type for as a key; NotNative where they have no hash or no order."""
    numbers = c.key()
    if numbers is not None:
        return Codes(c, numbers)
    if c.dtype != np.dtype(object):
        raise NotNative(f"a key of type {c.dtype}")
    table = pandas._libs.hashtable.PyObjectHashTable(len(c))
    try:
        kinds, codes = table.factorize(c.array, na_sentinel=-1, na_value=None, mask=None, ignore_na=True)
    except TypeError:
        raise NotNative("keys without a hash") from None
    if not len(kinds):
        raise NotNative("only missing keys")
    order = _ordered(kinds)
    positions = np.empty(len(order) + 1, np.int64)
    positions[order], positions[-1] = np.arange(len(order)), -1
    found = _core.from_numpy(positions[codes])
    missing = bool(len(codes)) and int(codes.min()) < 0
    return BinCodes(found, _typed(kinds[order]), found >= 0 if missing else None)


def _ordered(kinds: np.ndarray) -> np.ndarray:
    """The order of distinct objects; numbers come before strings, as in pandas."""
    try:
        return kinds.argsort()
    except TypeError:
        strings = np.array([isinstance(v, str) for v in kinds])
    if any(isinstance(v, tuple) for v in kinds):
        raise NotNative("tuples without an order as keys")
    try:
        parts = [np.flatnonzero(there) for there in (~strings, strings)]
        return np.concatenate([p[kinds[p].argsort()] for p in parts])
    except TypeError:
        raise NotNative("keys without an order") from None


def _typed(kinds: np.ndarray) -> AnyColumn:
    """Objects as labels, in the type that all of them have."""
    if set(map(type, kinds)) <= {datetime.date, datetime.time}:
        return HostColumn(kinds)
    numbers = pandas._libs.lib.maybe_convert_objects(kinds)
    found = from_pandas_array(numbers) if numbers.dtype != object else inferred(kinds.tolist())
    if found is None:
        raise NotNative("keys of a type that only pandas infers")
    return found


def _codes(numbers: Column, like: HostColumn) -> Codes:
    """Make Codes again from their pickled parts."""
    made = object.__new__(Codes)
    Column.__init__(made, numbers.core, numbers.dtype)
    made.like = like
    return made


class Grouping:
    """Key columns and the group of each row.

    Parameters
    ----------
    keys : list of columns
    names : list of hashable
        Name of each key.
    sort : bool
        Groups are in the order of their keys; otherwise in the order of first appearance.
    dropna : bool
        Rows with a missing key are in no group; otherwise they are in groups of their own, last.
    """

    may_be_empty = False  # groups without any row
    even: Any = None  # the only key, if it is an index of evenly spaced labels: each is a group
    found: Grouping | None = None  # the groups, where the rows were looked at in parts: of rows that are one for each

    def __init__(self, keys: list[AnyColumn], names: list[Any], sort: bool, dropna: bool):
        self.keys, self.names, self.sort, self.dropna = keys, names, sort, dropna
        self._known: tuple[ndarray, ndarray, int] | None = None
        self._labels: list[AnyColumn] | None = None

    def __getstate__(self) -> dict[str, Any]:
        return {k: v for k, v in self.__dict__.items() if k != "groups"}

    def number(self, codes: ndarray, first: ndarray, count: int) -> None:
        """Take these groups of the rows, whatever the keys: their codes, first rows and number."""
        self._known = codes, first, count

    @cached_property
    def groups(self) -> Any:
        """The groups of the core, which decides how to find and to aggregate them."""
        if self._known is not None:
            return _core.Groups.known(*self._known)
        return _core.Groups([k.core for k in self.keys], self.sort, not self.dropna)

    def __len__(self) -> int:
        return len(self.keys[0])

    @property
    def codes(self) -> ndarray:
        """uint32: group of each row, or NO_GROUP."""
        return self.groups.codes

    @property
    def first(self) -> ndarray:
        """int64: first row of each group."""
        return self.groups.first

    @property
    def count(self) -> int:
        """Number of groups."""
        return self.groups.count if self.found is None else self.found.count

    @cached_property
    def drops(self) -> bool:
        """Whether some rows are in no group."""
        return self.dropna and any(k.has_missing() for k in self.keys)

    def groups_of_rows(self) -> ndarray:
        """int64: group of each row, or -1."""
        codes = self.codes
        if not self.drops:
            return int64(codes)
        return bc.where(codes == np.uint32(NO_GROUP), np.int64(-1), int64(codes))

    @cached_property
    def follow_each_other(self) -> bool:
        """Whether the rows of each group are contiguous and in the order of the groups, those of no group first."""
        groups = self.groups_of_rows()
        return len(groups) < 2 or bool((groups[1:] >= groups[:-1]).all())

    @cached_property
    def sizes(self) -> ndarray:
        """int64: number of rows of each group."""
        return self.aggregate([(None, "size", 1, -1)])[0].values

    @cached_property
    def order(self) -> ndarray:
        """int64: rows by group, in row order within each; rows of no group last."""
        return _core.order_columns([_core.Column.plain(self.codes)], [True], False)

    @property
    def starts(self) -> ndarray:
        """int64: start of each group in `order`."""
        sizes = self.sizes
        return bc.cumsum(sizes) - sizes

    def aggregate(self, requests: list[tuple[Any, str, int, int]]) -> list[Any]:
        """One core column for each request, with one row for each group."""
        return self.groups.aggregate(requests)

    def key_columns(self) -> list[AnyColumn]:
        """The keys of the groups, one column for each key."""
        if self.found is not None:
            return self.found.key_columns()
        if self._labels is None:
            made = [Column(core, key.dtype) for core, key in zip(self.groups.keys, self.keys)]
            self._labels = [k.label(c) for c, k in zip(made, self.keys)]
        return self._labels

    def label_as(self, keys: list[AnyColumn]) -> None:
        """Label the groups by values that the keys stand for."""
        self._labels = [k.label(c) for c, k in zip(self.key_columns(), keys)]

    def index(self) -> Any:
        """The keys of the groups as labels."""
        if self.even is not None:
            down = self.sort and len(self.even) > 1 and self.even._item(1) < self.even._item(0)
            return (self.even[::-1] if down else self.even)._named(self.names, False)
        made = _classes.Index._of_columns(self.key_columns(), self.names)
        return made if self.sort or len(self.names) < 2 else made._ordered(self.key_columns())
