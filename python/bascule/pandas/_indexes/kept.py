"""The labels of a level whose rows were taken from others: all that those have, also the ones that no row has any more."""

from __future__ import annotations

import functools
from collections.abc import Callable

import numpy as np

from ... import _core
from .. import _classes
from .._columns.column import AnyColumn, Column, HostColumn
from .._columns.unique import factorized
from .._theirs import pandas


class Kept:
    """The sorted labels of a level of the rows that others were taken from, found when they are first asked for.

    Until then the labels of the rows are held; afterwards only those of the level.
    """

    __slots__ = ("_found", "_rows")

    def __init__(self, rows: list[Column], found: Column | None = None):
        self._rows, self._found = ([], found) if found is not None else (rows, None)

    def labels(self) -> Column:
        """The distinct labels, sorted."""
        if self._found is None:
            first = self._rows[0]
            whole = (
                first
                if len(self._rows) == 1
                else Column(_core.concat_columns([c.core for c in self._rows]), first.dtype)
            )
            self._found, self._rows = factorized(whole, True, True)[1], []  # type: ignore[assignment]
        return self._found  # type: ignore[return-value]

    def with_those_of(self, others: list[Kept]) -> Kept:
        """The labels of this level and of others of the same type."""
        rows: dict[int, Column] = {}
        for k in [self, *others]:
            rows.update((id(c), c) for c in ([k._found] if k._found is not None else k._rows))
        return Kept(list(rows.values())) if len(rows) > 1 else self


class KeptByPandas:
    """The labels of a level of a type that only pandas has, found when they are first asked for."""

    __slots__ = ("_find", "_found")

    def __init__(self, find: Callable[[], pandas.Index]):
        self._find: Callable[[], pandas.Index] | None = find
        self._found: pandas.Index | None = None

    @classmethod
    def of_rows(cls, rows: HostColumn) -> KeptByPandas:
        """The labels of rows, in pandas' order."""
        return cls(lambda: pandas.MultiIndex.from_arrays([_in_pandas(rows)] * 2).levels[0])

    @classmethod
    def as_they_are(cls, rows: HostColumn) -> KeptByPandas:
        """The labels of rows, as they first appear."""
        return cls(lambda: _in_pandas(rows).dropna().unique())

    def labels(self) -> pandas.Index:
        """The distinct labels."""
        if self._find is not None:
            self._found, self._find = self._find(), None
        return self._found

    def with_those_of(self, others: list[KeptByPandas]) -> KeptByPandas:
        """The labels of this level and of others of the same type."""
        return KeptByPandas(lambda: functools.reduce(lambda a, b: a.union(b.labels()), others, self.labels()))

    def numbers(self, rows: HostColumn) -> np.ndarray:
        """The number of each row's label, -1 where missing, -2 where it is none of the level's."""
        there = _in_pandas(rows)
        found = np.array(pandas.Categorical(there, categories=self.labels()).codes, dtype=np.int64)
        found[(found < 0) & ~there.isna()] = -2
        return found

    def used(self, rows: HostColumn) -> KeptByPandas:
        """The labels that rows have, in order of appearance, or all in their order."""
        here = pandas.unique(self.numbers(rows))
        here = here[here >= 0]
        return self if len(here) == len(self.labels()) else KeptByPandas(lambda: self.labels().take(here))

    def ascending(self) -> KeptByPandas:
        """The labels, sorted where they are not."""
        return KeptByPandas(
            lambda: self.labels() if self.labels().is_monotonic_increasing else self.labels().sort_values()
        )


def _in_pandas(rows: HostColumn) -> pandas.Index:
    return pandas.Index(rows.to_pandas_array(), dtype=rows.dtype)


def kept_of(c: AnyColumn, found: Column | None = None) -> Kept | KeptByPandas | None:
    """The labels of a level that rows taken from others keep; `found` are its labels where they are known."""
    if c.labels_kept == "here":
        return Kept([c], found)  # type: ignore[list-item]
    return KeptByPandas.of_rows(c) if c.labels_kept == "in pandas" else None  # type: ignore[arg-type]


def joined_labels(labels: list[Column]) -> Column:
    """The labels of a level of several indexes: those of all, where they are the same, else they are sorted."""
    whole, index = labels[0], _classes.Index._of_columns
    for other in labels[1:]:
        if not len(whole):
            whole = other
        elif len(other) and not index([whole], [None]).equals(index([other], [None])):
            whole = factorized(Column(_core.concat_columns([whole.core, other.core]), whole.dtype), True, True)[1]  # type: ignore[assignment]
    return whole
