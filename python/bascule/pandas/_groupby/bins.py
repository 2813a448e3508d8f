"""Bins of time: their edges and labels by pandas' calendar, the bin of each row by the core."""

from __future__ import annotations

import datetime
from typing import Any, NamedTuple

import numpy as np

import bascule as bc

from ... import _core
from .. import _indexes
from .._columns.column import AnyColumn, in_zone, ndarray, plain
from .._columns.grouping import NO_GROUP, Grouping
from .._datetimes.offsets import to_offset
from .._datetimes.ranges import evenly_dated
from .._datetimes.zones import localized, wall_times
from .._fallback.native import NotNative
from .._theirs import pandas
from .._window.common import INT64
from .._window.rolling import ticks_of

NAT = np.iinfo(np.int64).min


class Rule(NamedTuple):
    """The arguments of bins by timestamps."""

    freq: Any
    closed: str
    label: str
    convention: str
    origin: str
    offset: Any = None


class Edges:
    """Bins of times, found from the first and the last time: of timestamps in one zone or without, or of durations."""

    def __init__(self, rule: Any):
        self.rule, self.closed = rule, rule.closed

    def of(self, ends: np.ndarray, unit: str, name: Any, kind: str, zone: Any) -> tuple[Any, Any, np.ndarray]:
        """Edges and labels of the bins as indexes, and the end of each."""
        away, rule = _distance(zone), self.rule
        plainly = kind == "M" and _is_plain(rule)
        if plainly and zone is not None and isinstance(rule.freq, pandas.offsets.Day):
            rule = Rule(rule.freq, rule.closed, rule.label, rule.convention, _MIDNIGHT)
        if not plainly or (rule.origin == "epoch" and (away is None or away)):
            made = None
        elif away is None:
            made = _edges_by_wall_times(rule, ends, unit, name, zone)
        else:
            made = _edges_at(rule, ends, unit, name, zone, away)
        if made is None:
            if isinstance(self.rule, Rule):
                self.rule = pandas.core.resample.TimeGrouper(**self.rule._asdict())
            if kind == "m":
                of_two = pandas.TimedeltaIndex(ends.view(f"m8[{unit}]"), name=name)
            else:
                of_two = pandas.DatetimeIndex(ends.view(f"M8[{unit}]"), name=name)
                of_two = of_two if zone is None else of_two.tz_localize("UTC").tz_convert(zone)
            marks, labels, until = self._theirs(of_two)
            made = _indexes.from_pandas(marks), _indexes.from_pandas(labels), until
        return made

    def _theirs(self, ends: Any) -> tuple[pandas.Index, pandas.Index, np.ndarray]:
        """The same by pandas' own code."""
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


# Frequencies whose bins are named by their end, and those whose bins include their last day.
_BY_END = ("ME", "YE", "QE", "BME", "BYE", "BQE", "W")
_ORIGINS = ("start_day", "start", "epoch")
_MIDNIGHT = "midnight"  # the origin of days of a zone, whatever was asked for


def _own_rule(freq: Any, options: dict[str, Any]) -> Rule | None:
    """The rule of plain arguments of resample; None for those that pandas has to check."""
    sides, origin = (None, "left", "right"), options["origin"]
    plainly = options["offset"] is None and isinstance(origin, str) and origin in _ORIGINS
    if not plainly or options["closed"] not in sides or options["label"] not in sides:
        return None
    if options["convention"] not in (None, "start", "end", "e", "s"):
        return None
    step = to_offset(freq)
    if origin != "start_day" and not isinstance(step, (pandas.offsets.Tick, pandas.offsets.Day)):
        return None  # which is warned of
    usual = "right" if step.rule_code.partition("-")[0] in _BY_END else "left"
    return Rule(step, options["closed"] or usual, options["label"] or usual, options["convention"] or "e", origin)


def _is_plain(rule: Any) -> bool:
    return isinstance(rule.origin, str) and rule.origin in _ORIGINS and rule.offset is None


def _ends(rule: Any, first: Any, last: Any, unit: str) -> tuple[Any, Any]:
    """The first and the last edge around two timestamps."""
    freq = rule.freq
    if rule.origin == _MIDNIGHT or not isinstance(freq, (pandas.offsets.Tick, pandas.offsets.Day)):
        first, last = first.normalize(), last.normalize()
        return freq.rollback(first) if rule.closed == "left" else first - freq, last + freq
    length = pandas.Timedelta(days=freq.n) if isinstance(freq, pandas.offsets.Day) else pandas.Timedelta(freq)
    each = length.as_unit(unit, round_ok=False)._value
    start = {"start_day": first.normalize()._value, "start": first._value, "epoch": 0}[rule.origin]
    before, after = (first._value - start) % each, (last._value - start) % each
    begin = first._value - (before or (each if rule.closed == "right" else 0))
    close = last._value + (each - after if after or rule.closed == "left" else 0)
    return tuple(pandas.Timestamp(np.int64(x).view(f"M8[{unit}]")) for x in (begin, close))  # type: ignore[return-value]


def _own_edges(rule: Any, ends: np.ndarray, unit: str, name: Any) -> tuple[Any, Any, np.ndarray] | None:
    """Edges and labels of bins of timestamps without a zone, and the end of each; None where pandas has to find them."""
    try:
        first, last = _ends(rule, *map(pandas.Timestamp, ends.view(f"M8[{unit}]")), unit)
        marks = evenly_dated(first, last, rule.freq, unit, name)
    except (OverflowError, ValueError):  # times that the unit cannot represent
        return None
    if marks is None or len(marks) < 2:
        return None
    until = _core.to_numpy(marks._column.values.view(INT64)).copy()
    if rule.freq.rule_code.partition("-")[0] in _BY_END:
        if rule.closed == "right":
            until += pandas.Timedelta(days=1).as_unit(unit)._value - 1
        if until[-2] > ends[1]:
            marks, until = marks[:-1], until[:-1]
    labels = marks[1:] if rule.label == "right" else marks
    return marks, labels[: len(until) - 1], until[1:]


def _distance(zone: Any) -> datetime.timedelta | None:
    """The distance from UTC of a zone whose clocks never change, nothing without a zone; None for other zones."""
    if zone is None:
        return datetime.timedelta()
    return zone.utcoffset(None) if type(zone) is datetime.timezone else None


def _edges_at(rule: Any, ends: np.ndarray, unit: str, name: Any, zone: Any, away: Any) -> Any:
    """As `_own_edges`, for timestamps in UTC of a zone at a fixed distance, whose wall times are binned."""
    ticks = int(np.timedelta64(away, "s").astype(f"m8[{unit}]").astype(np.int64))
    made = _own_edges(rule, ends + ticks, unit, name)
    if made is None or zone is None:
        return made
    *shown, until = made
    shift = np.timedelta64(ticks, unit)
    zoned = [_indexes.from_column(in_zone(i._column.values - shift, zone), name)._at(i._freq) for i in shown]
    return *zoned, until - ticks


def _edges_by_wall_times(rule: Any, ends: np.ndarray, unit: str, name: Any, zone: Any) -> Any:
    """As `_own_edges`, for timestamps in UTC of any zone, where a bin is of days; None where it is of hours."""
    if isinstance(rule.freq, pandas.offsets.Tick):
        return None
    walls = _core.to_numpy(wall_times(in_zone(_core.from_numpy(ends.view(f"M8[{unit}]")), zone)).values)
    made = _own_edges(rule, walls.view(INT64), unit, name)
    if made is None:
        return None
    *shown, until = made

    def placed(values: Any) -> Any:
        earlier = np.ones(len(values), bool)
        return localized(plain(values), zone, ambiguous=earlier, nonexistent="shift_forward")

    zoned = [_indexes.from_column(placed(i._column.values), name)._at(i._freq) for i in shown]
    return *zoned, _core.to_numpy(placed(_core.from_numpy(until.view(f"M8[{unit}]"))).utc().values.view(INT64))


def rule_of(freq: Any, on: Any, level: Any, options: dict[str, Any]) -> Edges:
    """The rule for arguments of resample; pandas' Grouper raises its errors."""
    own = _own_rule(freq, options)
    if own is not None:
        return Edges(own)
    return Edges(pandas.core.resample.TimeGrouper(freq=freq, key=on, level=level, **options))


class BinGrouping(Grouping):
    """Rows by bins of time, some of which may be empty; the rows are in the order of their times, missing ones first.

    Attributes
    ----------
    marks : Index
        The edges between bins.
    """

    may_be_empty = True

    def __init__(self, times: AnyColumn, name: Any, rule: Edges):
        super().__init__([times], [name], True, True)
        found = ticks_of(times)
        if found is None or len(times) == 0:
            raise NotNative(f"bins of no rows, or of labels of type {times.dtype}")
        ticks, unit = found
        self.nulls = times.has_missing()
        there = ticks if not self.nulls else _core.take(ticks, _core.nonzero(ticks != NAT)[0], 0)
        if len(there) == 0:
            raise NotNative("bins of missing times")
        ends = np.array([int(there.min()), int(there.max())])
        zone = getattr(times.dtype, "tz", None)
        self.marks, labels, until = rule.of(ends, unit, name, times.dtype.kind, zone)
        ends_at = _core.from_numpy(np.ascontiguousarray(until, np.int64))
        n, missing = len(labels), len(ticks) - len(there)
        past = bc.searchsorted(ticks, ends_at, side="right" if rule.closed == "right" else "left")
        sizes = past - bc.concatenate([bc.full(1, missing, dtype=bc.int64), past[:-1]])
        rows = len(ticks)
        ended = bc.cumsum(bc.bincount(past[:-1], minlength=rows)[:rows])  # bins that end up to each row
        codes = _core.astype(ended, np.dtype(np.uint32), False, "K")
        if self.nulls:
            codes[:missing] = np.uint32(NO_GROUP)
        self.number(codes, _core.from_numpy(np.zeros(0, INT64), codes.device), n)
        self.sizes = sizes
        self.index_of_bins: Any = labels
        if self.nulls:
            self.index_of_bins._at(None)
        self._labels = [self.index_of_bins._columns[0]]

    def index(self) -> _indexes.Index:
        return self.index_of_bins

    @property
    def drops(self) -> bool:
        return self.nulls


def in_order(times: AnyColumn) -> ndarray | None:
    """The rows in the order of their times; None where they are sorted already."""
    found = ticks_of(times)
    if found is None:
        raise NotNative(f"bins of labels of type {times.dtype}")
    ticks = found[0]
    if len(ticks) < 2 or bool((ticks[:-1] <= ticks[1:]).all()):
        return None
    return _core.order_columns([_core.Column.plain(ticks)], [True], True)
