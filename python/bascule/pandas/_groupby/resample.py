"""Rows by bins of time: resample, and groupby of a Grouper with a frequency."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

import bascule as bc

from ... import _core
from .. import _classes, _fallback
from .._columns.column import AnyColumn, ndarray
from .._columns.dtypes import kept
from .._fallback.as_pandas import BetweenAsPandas, added_to_pandas, between_in_pandas, brings
from .._fallback.native import NotNative, native
from .._pipe import pipe
from .._theirs import pandas
from .._travel import Travel
from .._window.common import BaseWindow
from .._window.rolling import ticks_of
from .agg import REDUCTIONS, Request, check_numeric_only, compute
from .bins import BinGrouping, Edges, in_order, rule_of

_OHLC = {"open": "first", "high": "max", "low": "min", "close": "last"}


class Resampler(BetweenAsPandas, Travel):
    """Rows grouped by time bins, as made by `resample`.

    Examples
    --------
    >>> import bascule.pandas as pd
    >>> s = pd.Series([1, 2, 4], pd.date_range("2024-01-01", periods=3, freq="h"))
    >>> s.resample("2h").sum().tolist()
    [3, 4]
    """

    pipe = pipe

    __module__ = "bascule.pandas"

    def __init__(self, obj: Any, options: dict[str, Any]):
        self._whole, self._options, self._selection = obj, options, None
        on, level = options["on"], options["level"]
        given = {k: v for k, v in options.items() if k not in ("rule", "on", "level")}
        self._rule = rule_of(options["rule"], on, level, given)
        times, name = times_of(obj, on, level)
        order = in_order(times)
        self.obj = obj if order is None else obj._take_rows(order)
        if order is not None:
            times, name = times_of(self.obj, on, level)
        self._bins = BinGrouping(times, name, self._rule)
        self._times = times

    def _device(self) -> str:
        return self._whole._device()

    def __bascule_to_pandas__(self) -> Any:
        found = _fallback.to_pandas(self._whole).resample(**self._options)
        return found if self._selection is None else found[self._selection]

    def __str__(self) -> str:
        names = ("freq", "closed", "label", "convention", "origin", "offset")
        there = ((n, getattr(self._rule.rule, n, None)) for n in names)
        return f"{type(self).__name__} [{', '.join(f'{n}={v}' for n, v in there if v is not None)}]"

    def __len__(self) -> int:
        return self._bins.count

    def __iter__(self) -> Iterator[Any]:
        with _fallback.in_pandas("Resampler.__iter__", "bins one by one", self._device()):
            parts = list(self.__bascule_to_pandas__())
        return ((label, _fallback.from_pandas(part)) for label, part in parts)

    # ---- some of the columns
    __getitem__ = BaseWindow.__getitem__
    _part = BaseWindow._part
    __dir__ = BaseWindow.__dir__

    def __getattr__(self, name: str) -> Any:
        if not name.startswith("_") and self.obj.ndim == 2 and name in self.obj._names:
            return self[name]
        if brings(name):
            return getattr(self, name)
        added = None if name.startswith("_") else added_to_pandas(self, between_in_pandas(type(self)), name)
        if added is not None:
            return added
        raise AttributeError(f"'{type(self).__name__}' object has no attribute '{name}'")

    @property
    def _selected_obj(self) -> Any:
        return self.obj if self._selection is None else self.obj[self._selection]

    @property
    def ndim(self) -> int:
        """1 for a series, 2 for a frame."""
        return self._selected_obj.ndim

    @property
    def ngroups(self) -> int:
        """Number of bins."""
        return self._bins.count

    def _target(self) -> Any:
        """The rows without the column of times."""
        found, on = self._selected_obj, self._options["on"]
        if found.ndim == 1 or on is None or self._selection is not None:
            return found
        return found._select([i for i, n in enumerate(found._names) if n != on])

    # ---- a row a bin
    def _reduced(self, op: str, numeric_only: bool = False, **options: Any) -> Any:
        check_numeric_only(op, numeric_only)
        target = self._target()
        index = self._bins.index()
        columns = target._all_columns()
        if target.ndim == 1:
            if not kept([target._column], numeric_only):
                raise TypeError(f"Cannot use numeric_only=True with SeriesGroupBy.{op} and non-numeric dtypes.")
            made = compute(self._bins, [Request(target._column, op, options)])[0]
            return _classes.Series._new(made, index, target._name)
        keep = kept(columns, numeric_only)
        made = compute(self._bins, [Request(columns[i], op, options) for i in keep], together=True)
        return type(target)._new(made, target._names[keep], index)

    @native
    def sum(self, numeric_only: bool = False, min_count: int = 0) -> Any:
        """Sum of each bin; missing values are skipped."""
        return self._reduced("sum", numeric_only, min_count=min_count)

    @native
    def prod(self, numeric_only: bool = False, min_count: int = 0) -> Any:
        """Product of each bin."""
        return self._reduced("prod", numeric_only, min_count=min_count)

    @native
    def min(self, numeric_only: bool = False, min_count: int = 0) -> Any:
        """Least value of each bin."""
        return self._reduced("min", numeric_only, min_count=min_count or -1)

    @native
    def max(self, numeric_only: bool = False, min_count: int = 0) -> Any:
        """Greatest value of each bin."""
        return self._reduced("max", numeric_only, min_count=min_count or -1)

    @native(skipna=True)
    def first(self, numeric_only: bool = False, min_count: int = 0, skipna: bool = True) -> Any:
        """First value of each bin that is not missing."""
        return self._reduced("first", numeric_only, min_count=min_count or -1)

    @native(skipna=True)
    def last(self, numeric_only: bool = False, min_count: int = 0, skipna: bool = True) -> Any:
        """Last value of each bin that is not missing."""
        return self._reduced("last", numeric_only, min_count=min_count or -1)

    @native
    def mean(self, numeric_only: bool = False) -> Any:
        """Mean of each bin."""
        return self._reduced("mean", numeric_only)

    @native
    def median(self, numeric_only: bool = False) -> Any:
        """Median of each bin."""
        return self._reduced("median", numeric_only)

    @native
    def std(self, ddof: int = 1, numeric_only: bool = False) -> Any:
        """Standard deviation of each bin."""
        return self._reduced("std", numeric_only, ddof=ddof)

    @native
    def var(self, ddof: int = 1, numeric_only: bool = False) -> Any:
        """Variance of each bin."""
        return self._reduced("var", numeric_only, ddof=ddof)

    @native
    def sem(self, ddof: int = 1, numeric_only: bool = False) -> Any:
        """Standard error of the mean of each bin."""
        return self._reduced("sem", numeric_only, ddof=ddof)

    @native
    def nunique(self) -> Any:
        """Number of distinct values of each bin."""
        return self._reduced("nunique", dropna=True)

    @native
    def count(self) -> Any:
        """Number of values of each bin that are not missing."""
        return self._reduced("count")

    @native
    def quantile(self, q: Any = 0.5, **kwargs: Any) -> Any:
        """Quantile of each bin."""
        if kwargs:
            raise NotNative("quantiles by another interpolation")
        return self._reduced("quantile", q=q, interpolation="linear")

    @native
    def size(self) -> Any:
        """Number of rows of each bin."""
        target = self._target()
        made = compute(self._bins, [Request(target._column if target.ndim == 1 else None, "size")])[0]
        return _classes.Series._new(made, self._bins.index(), target._name if target.ndim == 1 else None)

    @native
    def ohlc(self) -> Any:
        """First, greatest, least and last value of each bin."""
        target = self._target()
        columns = target._all_columns()
        for c in columns:
            c.plain_values("f", "ohlc of other values than floats")
        made = compute(self._bins, [Request(c, op) for c in columns for op in _OHLC.values()])
        names = pandas.Index(list(_OHLC))
        if target.ndim == 2:
            pairs = [(*n, o) if isinstance(n, tuple) else (n, o) for n in target._names for o in _OHLC]
            if not pairs:
                raise NotNative("ohlc of no columns")
            names = pandas.MultiIndex.from_tuples(pairs, names=[*target._names.names, None])
        return _classes.DataFrame._new(made, names, self._bins.index())

    # ---- several aggregations
    @native
    def agg(self, func: Any = None, *args: Any, **kwargs: Any) -> Any:
        """Aggregate by one or several functions.

        Parameters
        ----------
        func : str, list of str, or dict of them by column
            Names of aggregations; other functions run in pandas.
        *args, **kwargs
            Arguments of a single aggregation.

        Returns
        -------
        Series or DataFrame
            One row for each bin.
        """
        if isinstance(func, str):
            if func not in REDUCTIONS or func.startswith("idx"):
                raise NotNative(f"aggregation by {func}")
            return getattr(self, func)(*args, **kwargs)
        target = self._target()
        if args or kwargs:
            raise NotNative("arguments for several aggregations")
        if isinstance(func, dict) and target.ndim == 2:
            return self._by_column(target, func)
        if not isinstance(func, list) or not func:
            raise NotNative(f"aggregation by a {type(func).__name__}")
        if target.ndim == 1:
            return self._of(target, [(target._column, f, f) for f in func], pandas.Index(func))
        names = target._names
        if not names.is_unique or names.nlevels > 1:
            raise NotNative("several aggregations with duplicate or multi-level labels")
        items = [(c, f, (n, f)) for n, c in zip(names, target._columns) for f in func]
        return self._of(target, items, pandas.MultiIndex.from_tuples([i[2] for i in items], names=[names.name, None]))

    aggregate = agg

    def _by_column(self, target: Any, func: dict[Any, Any]) -> Any:
        names = target._names
        lists = any(isinstance(how, list) for how in func.values())
        if (
            not func
            or any(k not in names for k in func)
            or not names.is_unique
            or any(how == [] for how in func.values())
        ):
            raise NotNative("aggregation of columns that are not there, or no aggregation")
        items = []
        for label, how in func.items():
            column = target._columns[target._position(label)]
            items += [(column, f, (label, f) if lists else label) for f in (how if isinstance(how, list) else [how])]
        labels = [i[2] for i in items]
        index = pandas.MultiIndex.from_tuples(labels, names=[names.name, None]) if lists else pandas.Index(labels)
        return self._of(target, items, index)

    def _of(self, target: Any, items: list[tuple[AnyColumn, Any, Any]], names: pandas.Index) -> Any:
        for _, f, _ in items:
            if not isinstance(f, str) or f not in REDUCTIONS or f.startswith("idx") or f == "quantile":
                raise NotNative(f"several aggregations with {f}")
        if len({*map(str, names)}) < len(names):
            raise NotNative("aggregations that repeat")
        made = compute(self._bins, [Request(c, f, _DEFAULTS.get(f, {})) for c, f, _ in items])
        return _classes.DataFrame._new(made, names, self._bins.index())

    # ---- a row an edge
    def _moved(self, rows_at: Any) -> Any:
        """Rows at the edges: `rows_at` gives their positions by the edges' ticks, -1 where there is none."""
        if self._options["on"] is not None or self._options["level"] is not None:
            text = "Upsampling from level= or on= selection is not supported, use .set_index(...) to explicitly set index to datetime-like"
            raise ValueError(text)
        if self._selection is not None or self._bins.nulls:
            raise NotNative("chosen columns or missing times")
        found = ticks_of(self._times)
        assert found is not None
        ticks = found[0]
        if len(ticks) > 1 and bool((ticks[1:] == ticks[:-1]).any()):
            raise NotNative("duplicate datetimes")
        index = self._bins.marks
        if self._times.dtype.kind == "M":
            index = index[1:] if self._rule.closed == "right" else index[:-1]
        wanted = ticks_of(index._columns[0])
        assert wanted is not None
        rows = rows_at(ticks, wanted[0])
        target = self.obj
        return target._map_columns(lambda c: c.take(rows, True), index)

    @native(limit=None)
    def ffill(self, limit: int | None = None) -> Any:
        """At each edge the row at it or, without one, the last before."""
        return self._moved(lambda ticks, wanted: bc.searchsorted(ticks, wanted, side="right") - 1)

    @native(limit=None)
    def bfill(self, limit: int | None = None) -> Any:
        """At each edge the row at it or, without one, the next after."""

        def rows_at(ticks: ndarray, wanted: ndarray) -> ndarray:
            found = bc.searchsorted(ticks, wanted, side="left")
            return bc.where(found == len(ticks), np.int64(-1), found)

        return self._moved(rows_at)

    @native(fill_value=None)
    def asfreq(self, fill_value: Any = None) -> Any:
        """The rows at the edges, missing values where there is none."""

        def rows_at(ticks: ndarray, wanted: ndarray) -> ndarray:
            found = bc.searchsorted(ticks, wanted, side="right") - 1
            return bc.where(_core.take(ticks, bc.maximum(found, 0), 0) == wanted, found, np.int64(-1))

        return self._moved(rows_at)

    @native(limit=None)
    def nearest(self, limit: int | None = None) -> Any:
        """At each edge the nearest row, of two the later one."""

        def rows_at(ticks: ndarray, wanted: ndarray) -> ndarray:
            n = len(ticks)
            after = bc.searchsorted(ticks, wanted, side="left")
            before = bc.searchsorted(ticks, wanted, side="right") - 1
            later = _core.take(ticks, bc.minimum(after, n - 1), 0) - wanted
            earlier = wanted - _core.take(ticks, bc.maximum(before, 0), 0)
            return bc.where((after == n) | ((before >= 0) & (earlier < later)), before, after)

        return self._moved(rows_at)


class DatetimeIndexResampler(Resampler):
    """Resampling of rows by timestamps."""

    __module__ = "bascule.pandas"


class TimedeltaIndexResampler(Resampler):
    """Resampling of rows by durations."""

    __module__ = "bascule.pandas"


_DEFAULTS: dict[str, dict[str, Any]] = {"nunique": {"dropna": True}, "sem": {"ddof": 1}}


def times_of(obj: Any, on: Any, level: Any) -> tuple[AnyColumn, Any]:
    """The times by which rows are binned, and their name."""
    if on is not None and level is not None:
        raise NotNative("on= and level=")
    if on is not None:
        if obj.ndim == 1 or on not in obj._names or not isinstance(obj._names.get_loc(on), int):
            raise NotNative("on= of no single column")
        found, name = obj._columns[obj._position(on)], on
    else:
        index = obj._index
        if level is None and index.nlevels > 1:
            raise NotNative("labels of several levels")
        at = 0 if level is None else index._level_number(level) if index.nlevels > 1 else _only(index, level)
        found, name = index._columns[at], index._names[at]
    if ticks_of(found) is None:
        raise NotNative(f"bins of labels of type {found.dtype}")
    return found, name


def _only(index: Any, level: Any) -> int:
    if level not in (0, -1, index.name):
        raise NotNative("a level that is not there")
    return 0


def bins_of(obj: Any, by: pandas.core.resample.TimeGrouper) -> tuple[BinGrouping, set[int]]:
    """The bins of a Grouper with a frequency, and the position of the column of times, if there is one."""
    if by.key is None and by.level is None:
        times, name = times_of(obj, None, None)
    else:
        times, name = times_of(obj, by.key, by.level)
    if in_order(times) is not None:
        raise NotNative("bins of times out of order")
    own = set() if by.key is None else {obj._position(by.key)}
    return BinGrouping(times, name, Edges(by)), own


_fallback.install(Resampler, lambda: pandas.api.typing.Resampler)
