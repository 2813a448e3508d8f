"""Rows grouped by key columns: the number of each row's group, and the keys of the groups."""

from __future__ import annotations

from functools import cached_property
from typing import Any

import numpy as np

import bascule as bc

from ... import _core
from .. import _classes
from .._fallback.native import NotNative
from .column import AnyColumn, Column, HostColumn, ndarray
from .numbered import numbers_of, values_of

INT64 = np.dtype(np.int64)


NO_GROUP = 0xFFFFFFFF


def int64(a: ndarray) -> ndarray:
    return _core.astype(a, INT64, False, "K")


class Codes(Column):
    """Categories or timezone-aware timestamps as a key: rows are grouped by integers, and groups labelled with the values."""

    __slots__ = ("like",)

    def __init__(self, like: HostColumn):
        numbers = numbers_of(like)
        if numbers is None:
            raise NotNative(f"a key of type {like.dtype}")
        super().__init__(numbers.core, numbers.dtype)
        self.like = like.slice(0, 1, 0)

    def __reduce__(self) -> tuple:
        return _codes, (Column(self.core, self.dtype), self.like)

    def label(self, found: AnyColumn) -> AnyColumn:
        """The values of some codes."""
        return values_of(found, self.like)


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

    def __init__(self, keys: list[AnyColumn], names: list[Any], sort: bool, dropna: bool):
        self.keys, self.names, self.sort, self.dropna = keys, names, sort, dropna
        self._found: tuple[ndarray, ndarray, int] | None = None
        self._labels: list[AnyColumn] | None = None

    def __len__(self) -> int:
        return len(self.keys[0])

    def _factorized(self) -> tuple[ndarray, ndarray, int]:
        if self._found is None:
            self._found = _core.factorize_columns([k.core for k in self.keys], self.sort, not self.dropna)
        return self._found

    @property
    def codes(self) -> ndarray:
        """uint32: group of each row, or NO_GROUP."""
        return self._factorized()[0]

    @property
    def first(self) -> ndarray:
        """int64: first row of each group."""
        return self._factorized()[1]

    @property
    def count(self) -> int:
        """Number of groups."""
        return len(self._labels[0]) if self._labels is not None else self._factorized()[2]

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
        if self._found is None and self.sort and len(self.keys) == 1:
            by_text = self._by_text(requests)
            if by_text is not None:
                return by_text
            at_once = _core.aggregate_by_key(self.keys[0].core, requests)
            if at_once is not None:
                self._labels = [Column(at_once[0], self.keys[0].dtype)]
                return at_once[1]
        return self._of_columns(requests)

    def _of_columns(self, requests: list[tuple[Any, str, int, int]]) -> list[Any]:
        """Compute the requests of one column after another where the columns do not fit into a device's memory together."""
        try:
            return _core.aggregate_columns(self.codes, self.count, requests)
        except MemoryError:
            if len(requests) < 2 or not self.codes.device.startswith("cuda"):
                raise
        return [_core.aggregate_columns(self.codes, self.count, [r])[0] for r in requests]

    def _by_text(self, requests: list[tuple[Any, str, int, int]]) -> list[Any] | None:
        """The same for a key of dictionary-encoded strings: the codes are the groups, without those that have no row any more."""
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
        """The keys of the groups, one column for each key."""
        if self._labels is None:
            self._labels = [k.take(self.first) for k in self.keys]
        for i, key in enumerate(self.keys):
            if isinstance(key, Codes) and not isinstance(self._labels[i], HostColumn):
                self._labels[i] = key.label(self._labels[i])
        return self._labels

    def index(self) -> Any:
        """The keys of the groups as labels."""
        if self.even is not None:
            down = self.sort and len(self.even) > 1 and self.even._item(1) < self.even._item(0)
            return (self.even[::-1] if down else self.even)._named(self.names, False)
        made = _classes.Index._of_columns(self.key_columns(), self.names)
        return made if self.sort or len(self.names) < 2 else made._ordered(self.key_columns())
