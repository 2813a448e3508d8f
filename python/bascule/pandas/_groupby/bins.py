"""Bins of time: their edges and labels by pandas' calendar, the bin of each row by the core."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas
from pandas.core.resample import TimeGrouper

import bascule as bc

from ... import _core
from .. import _indexes
from .._columns.column import AnyColumn, ndarray
from .._columns.grouping import NO_GROUP, Grouping
from .._fallback.native import NotNative
from .._window.common import INT64
from .._window.rolling import ticks_of

NAT = np.iinfo(np.int64).min


class Edges:
    """Bins by pandas' own code, called with the first and the last time only."""

    def __init__(self, rule: TimeGrouper):
        self.rule, self.closed = rule, rule.closed

    def of(self, ends: Any) -> tuple[pandas.Index, pandas.Index, np.ndarray]:
        """Edges and labels of the bins, and the end of each."""
        rule = self.rule
        if isinstance(ends, pandas.DatetimeIndex):
            adjusted: list[np.ndarray] = []
            adjust = rule._adjust_bin_edges

            def noted(marks: Any, ticks: Any) -> Any:
                made = adjust(marks, ticks)
                adjusted.append(made[1])
                return made

            rule._adjust_bin_edges = noted
            try:
                marks, _, labels = rule._get_time_bins(ends)
            finally:
                del rule._adjust_bin_edges
            return marks, labels, adjusted[0][1:]
        marks, _, labels = rule._get_time_delta_bins(ends)
        until = marks + rule.freq if rule.closed == "left" else marks
        return marks, labels, until.asi8


def rule_of(freq: Any, on: Any, level: Any, options: dict[str, Any]) -> Edges:
    """The Grouper for arguments of resample; it raises pandas' errors."""
    return Edges(TimeGrouper(freq=freq, key=on, level=level, **options))


class BinGrouping(Grouping):
    """Rows by bins of time, some of which may be empty; the rows are in the order of their times, missing ones first.

    Attributes
    ----------
    marks : pandas.Index
        The edges between bins.
    """

    may_be_empty = True

    def __init__(self, times: AnyColumn, name: Any, rule: Edges):
        super().__init__([times], [name], True, True)
        found = ticks_of(times)
        if found is None or len(times) == 0:
            raise NotNative(f"bins of no rows, or of labels of type {times.dtype}")
        ticks, unit = found
        self.holes = times.has_missing()
        there = ticks if not self.holes else _core.take(ticks, _core.nonzero(ticks != NAT)[0], 0)
        if len(there) == 0:
            raise NotNative("bins of missing times")
        ends = np.array([int(there.min()), int(there.max())])
        if times.dtype.kind == "m":
            of_two = pandas.TimedeltaIndex(ends.view(f"m8[{unit}]"), name=name)
        else:
            zone = getattr(times.dtype, "tz", None)
            of_two = pandas.DatetimeIndex(ends.view(f"M8[{unit}]"), name=name)
            of_two = of_two if zone is None else of_two.tz_localize("UTC").tz_convert(zone)
        self.marks, labels, until = rule.of(of_two)
        ends_at = _core.from_numpy(np.ascontiguousarray(until, np.int64))
        n, missing = len(labels), len(ticks) - len(there)
        past = bc.searchsorted(ticks, ends_at, side="right" if rule.closed == "right" else "left")
        sizes = past - bc.concatenate([bc.full(1, missing, dtype=bc.int64), past[:-1]])
        codes = bc.repeat(bc.arange(n, dtype=bc.uint32), sizes)
        if self.holes:
            codes = bc.concatenate([bc.full(missing, NO_GROUP, dtype=bc.uint32), codes])
        self._found = (codes, _core.from_numpy(np.zeros(0, INT64)), n)
        self.sizes = sizes
        self.index_of_bins: Any = _indexes.from_pandas(labels)
        if self.holes:
            self.index_of_bins._at(None)
        self._labels = [self.index_of_bins._columns[0]]

    def index(self) -> _indexes.Index:
        return self.index_of_bins

    @property
    def drops(self) -> bool:
        return self.holes


def in_order(times: AnyColumn) -> ndarray | None:
    """The rows in the order of their times; None where they are sorted already."""
    found = ticks_of(times)
    if found is None:
        raise NotNative(f"bins of labels of type {times.dtype}")
    ticks = found[0]
    if len(ticks) < 2 or bool((ticks[:-1] <= ticks[1:]).all()):
        return None
    return _core.order_columns([_core.Column.plain(ticks)], [True], True)
