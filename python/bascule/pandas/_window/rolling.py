"""Rolling windows over a number of rows, or over a duration before each row."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import numpy as np

from ... import _core
from .. import _fallback, _indexes
from .._columns.column import AnyColumn, ndarray
from .._datetimes.offsets import to_offset
from .._fallback.native import NotNative
from .._questions import is_integer
from .._theirs import pandas
from .aggregations import RollingAndExpanding
from .common import INT64, like_theirs


def ticks_of(c: AnyColumn) -> tuple[ndarray, str] | None:
    """Times as int64 and their unit; None for other values."""
    found = c.times()
    return None if found is None else (found.view(INT64), np.datetime_data(found.dtype)[0])


class Rolling(RollingAndExpanding):
    """Rolling windows over a frame or series, as made by `rolling`.

    Examples
    --------
    >>> import bascule.pandas as pd
    >>> pd.Series([3.0, 1.0, 2.0, 5.0]).rolling(3, min_periods=1).max().tolist()
    [3.0, 3.0, 3.0, 5.0]
    """

    __module__ = "bascule.pandas"
    _attributes = ("window", "min_periods", "center", "win_type", "on", "closed", "step", "method")
    window: Any
    win_type: Any

    def __init__(self, obj: Any, options: dict[str, Any], selection: Any = None, groups: Any = None):
        if options["win_type"] is not None:
            raise NotNative("win_type=")
        if isinstance(options["window"], pandas.api.indexers.BaseIndexer):
            raise NotNative("windows by an indexer")
        if options["method"] == "table":
            raise NotNative("method='table'")
        self._size: int | None = None
        self._bounds: tuple | None = None
        self._by_group = groups
        super().__init__(obj, options, selection)
        self._groups = groups

    def _of_pandas(self, there: Any) -> Any:
        options = {**self._options, "on": _fallback.to_pandas(self._options["on"])}
        if self._groups is not None:
            options.pop("step", None)
            return self._groups.of_pandas().rolling(**options)
        return there.rolling(**options)

    def _on_column(self) -> AnyColumn:
        """The times by which windows of a duration are measured."""
        on, obj = self.on, self.obj
        if on is None:
            if obj._index.nlevels > 1:
                raise NotNative("windows over several levels of labels")
            return obj._index._columns[0]
        if isinstance(on, (_indexes.Index, pandas.Index)):
            raise NotNative("on= an index")
        if obj.ndim == 2 and on in obj._names:
            return obj._columns[obj._position(on)]
        raise ValueError(f"invalid on specified as {on}, must be a column (of DataFrame), an Index or None")

    def _validate(self) -> None:
        if self.on is not None:
            self._on_column()
        super()._validate()
        window = self.window
        if self.step == 0:
            raise NotNative("step=0")
        if isinstance(window, (str, pandas.offsets.BaseOffset, timedelta)):
            c = self._on_column()
            ticks = ticks_of(c)
            if ticks is None and (len(self.obj) == 0 or isinstance(c.dtype, (pandas.PeriodDtype, pandas.ArrowDtype))):
                raise NotNative(f"windows of time over {c.dtype}")
            if ticks is not None:
                return self._validate_time(c, *ticks)
        if not is_integer(window) or window < 0:
            raise ValueError("window must be an integer 0 or greater")

    def _validate_time(self, c: AnyColumn, ticks: ndarray, unit: str) -> None:
        on = "index" if self.on is None else self.on
        if c.has_missing():
            raise ValueError(f"{on} values must not have NaT")
        self._check_order(ticks, on)
        try:
            freq = to_offset(self.window)
        except (TypeError, ValueError) as err:
            raise ValueError(f"passed window {self.window} is not compatible with a datetimelike index") from err
        self._size = pandas.Timedelta(freq.nanos).as_unit(unit)._value
        self._ticks = ticks
        if self.min_periods is None:
            self.min_periods = 1
        if self.step is not None:
            raise NotImplementedError("step is not supported with frequency windows")

    def _check_order(self, ticks: ndarray, on: Any) -> None:
        if self._by_group is not None:
            self._by_group.check_order(ticks, on)
            return
        if len(ticks) > 1:
            before, after = ticks[:-1], ticks[1:]
            if not bool((before <= after).all()) and not bool((before >= after).all()):
                raise ValueError(f"{on} values must be monotonic")

    def _by_time(self) -> bool:
        return self._size is not None

    def _least(self) -> int:
        return int(self.window if self.min_periods is None else self.min_periods)

    def _rows(self, n: int) -> tuple:
        if self._size is not None:
            if self._bounds is None:
                groups = self._groups
                ticks = self._ticks if groups is None else _core.take(self._ticks, groups.order, 0)
                segments = _core.from_numpy(np.array([0, n])) if groups is None else groups.segments
                left, right = self.closed in ("left", "both"), self.closed in (None, "right", "both")
                self._bounds = _core.window_ticks(segments, ticks, self._size, bool(self.center), left, right)
            return self._bounds
        offset = (int(self.window) - 1) // 2 if self.center or self.window == 0 else 0
        low, high = 1 + offset - int(self.window), 1 + offset
        low -= self.closed in ("left", "both")
        high -= self.closed in ("left", "neither")
        if self._groups is None:
            return low, high, int(self.step or 1)
        return _core.window_rows(self._groups.segments, n, low, high)


class RollingGroupBy(Rolling):
    """Rolling windows over the rows of each group."""

    __module__ = "bascule.pandas"


_fallback.install(Rolling, lambda: pandas.api.typing.Rolling)
like_theirs(RollingAndExpanding, lambda: pandas.api.typing.Rolling)
