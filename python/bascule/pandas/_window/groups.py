"""Rows sorted by group, for windows that stay within a group."""

from __future__ import annotations

from typing import Any

import bascule as bc

from ... import _core
from .. import _indexes
from .._columns.column import ndarray
from .._columns.grouping import Grouping, int64
from .._fallback.native import NotNative
from .._indexes.multi import orders_of


class GroupedWindows:
    """The groups of a window by group.

    Parameters
    ----------
    grouped : DataFrameGroupBy or SeriesGroupBy
    as_index : bool
        Keys become labels, else the first columns of results.
    """

    def __init__(self, grouped: Any, as_index: bool):
        if grouped._foreign is not None:
            raise NotNative(grouped._foreign)
        groups: Grouping = grouped._groups
        if groups.may_be_empty:
            raise NotNative("windows in bins of time")
        if not groups.sort or (not groups.dropna and any(k.has_missing() for k in groups.keys)):
            raise NotNative("windows by group with sort=False, or with missing keys")
        self._grouped, self._groups, self.as_index = grouped, groups, as_index
        bounds = bc.concatenate([bc.zeros(1, dtype=bc.int64), bc.cumsum(groups.sizes)])
        self.segments: ndarray = int64(bounds)
        total = int(bounds[-1]) if groups.count else 0
        self.order: ndarray = groups.order[:total]

    def of_pandas(self) -> Any:
        """pandas' groups over a copy of the rows."""
        return self._grouped.__bascule_to_pandas__()

    def rows(self) -> Any:
        """The rows without the key columns."""
        grouped = self._grouped
        obj = grouped._obj
        if obj.ndim == 2 and grouped._selection is not None:
            obj = obj[grouped._selection]
        if obj.ndim == 1:
            return obj
        names = set(self._groups.names)
        return obj._select([i for i, n in enumerate(obj._names) if n not in names])

    def in_order(self, rows: Any) -> Any:
        """Rows by group."""
        return rows._take_rows(self.order)

    def check_order(self, ticks: ndarray, on: Any) -> None:
        """ValueError where times are not monotonic within a group."""
        if len(self.order) < 2:
            return
        t = _core.take(ticks, self.order, 0)
        codes = _core.take(self._groups.codes, self.order, 0)
        same = codes[1:] == codes[:-1]
        rises, falls = same & (t[1:] > t[:-1]), same & (t[1:] < t[:-1])
        if not bool(rises.any()) or not bool(falls.any()):
            return
        n = self._groups.count
        of_row = int64(codes[1:])
        up, down = (bc.bincount(of_row, weights=bc.where(x, 1.0, 0.0), minlength=n) for x in (rises, falls))
        if bool(((up > 0) & (down > 0)).any()):
            raise ValueError(f"Each group within {on} must be monotonic. Sort the values in {on} first.")

    def labels(self, index: Any) -> Any:
        """The keys of each row before its own labels."""
        codes = int64(_core.take(self._groups.codes, self.order, 0))
        keys = [k.take(codes) for k in self._groups.key_columns()]
        made = _indexes.MultiIndex._make([*keys, *index._columns], [*self._groups.names, *index._names])
        even = isinstance(index, _indexes.RangeIndex) and index.step > 0  # a range then, as pandas' level is
        return made._ordered([*keys, *orders_of(index, of_one=even)])

    def labelled(self, result: Any) -> Any:
        """The result with the keys as labels or columns."""
        if result.ndim == 1:
            made = type(result)._new(result._column, self.labels(result._index), result._name)
        else:
            made = type(result)._new(result._columns, result._names, self.labels(result._index))
        return made if self.as_index else made.reset_index(level=list(range(len(self._groups.names))))
