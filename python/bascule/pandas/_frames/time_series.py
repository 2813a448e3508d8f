"""Methods for rows in time: shift, resample, asfreq, times of day, first and last valid rows."""

from __future__ import annotations

from typing import Any

import numpy as np

from ... import _core
from .. import _classes, _indexes
from .._base import Rows
from .._columns.where import is_missing_scalar
from .._datetimes.ranges import date_range
from .._fallback.native import DOWN, NotNative, native
from .._groupby.resample import DatetimeIndexResampler, TimedeltaIndexResampler, times_of
from .._questions import is_integer, is_list_like
from .._theirs import UNSET, pandas
from .labels.levels import axis_number
from .statistics.cumulative import shifted


class TimeSeries(Rows):
    """Times of frames and series."""

    @native(periods=is_integer, freq=None, axis=DOWN, suffix=None)
    def shift(self, periods: Any = 1, freq: Any = None, axis: Any = 0, fill_value: Any = UNSET, suffix: Any = None) -> Any:  # fmt: skip
        """Move rows down by a number, or up where it is negative; the labels stay."""
        return self._map_columns(lambda c: shifted(c, int(periods), fill_value), self._index)

    def first_valid_index(self) -> Any:
        """The label of the first row with a valid value, or None."""
        there = ~self._lacking()
        return self._index[int(there.argmax())] if len(self) and bool(there.any()) else None

    def last_valid_index(self) -> Any:
        """The label of the last row with a valid value, or None."""
        there = ~self._lacking()
        return self._index[len(self) - 1 - int(there[::-1].argmax())] if len(self) and bool(there.any()) else None

    def _dates(self, axis: Any) -> Any:
        """The row labels, which must be dates."""
        if axis is not None and axis_number(self, axis):
            raise NotNative("columns")
        if not isinstance(self._index, _indexes.DatetimeIndex):
            raise TypeError("Index must be DatetimeIndex")
        return self._index

    @native
    def at_time(self, time: Any, asof: bool = False, axis: Any = None) -> Any:
        """The rows at a time of day."""
        return self._take_rows(self._dates(axis)._rows_at_time(time, asof))

    @native
    def between_time(self, start_time: Any, end_time: Any, inclusive: str = "both", axis: Any = None) -> Any:
        """The rows between two times of day, which may span midnight."""
        dates = self._dates(axis)
        if inclusive not in ("both", "neither", "left", "right"):
            raise ValueError("Inclusive has to be either 'both', 'neither', 'left' or 'right'")
        ends = inclusive in ("both", "left"), inclusive in ("both", "right")
        return self._take_rows(dates._rows_between_times(start_time, end_time, *ends))

    @native
    def asof(self, where: Any, subset: Any = None) -> Any:
        """The last valid value up to a label, or up to each of several.

        Parameters
        ----------
        where : label or list of labels
            The own labels must be in ascending order.
        subset : label or list of labels, optional
            Of a frame, which pandas answers.
        """
        index, listed = self._index, is_list_like(where)
        where = pandas.Timestamp(where) if isinstance(where, str) else where
        labels = _indexes.ensure(where) if listed else None
        gone = is_missing_scalar(where) if labels is None else labels.nlevels > 1 or not len(labels) or labels.hasnans
        plain = subset is None and self.ndim == 1 and index.nlevels == 1 and len(index) > 0
        if gone or not plain or not index.is_monotonic_increasing or index.hasnans:
            raise NotNative("labels that are not ascending numbers")
        index._columns[0].plain_values("iufM", "labels that are neither numbers nor times")
        if labels is not None:
            return self._last_valid(labels)
        at = int(index.searchsorted(where, "right")) - 1
        if at < 0:
            return np.nan
        found = self._column.item(at)
        while at and is_missing_scalar(found):
            at -= 1
            found = self._column.item(at)
        return found

    def _last_valid(self, labels: Any) -> Any:
        """The last valid value up to each of several labels."""
        valid = np.flatnonzero(~np.asarray(self._lacking()))
        at = np.searchsorted(valid, np.asarray(self._index.searchsorted(labels, "right"))) - 1
        nulls = at < 0
        if nulls.any():
            self._column.plain_values("iuf", "values that are not numbers")
        rows = np.where(nulls, -1, valid[at] if len(valid) else -1)
        return _classes.Series._new(self._column.take(_core.from_numpy(rows), bool(nulls.any())), labels, self._name)

    @native(method=None, how=None, normalize=False, fill_value=None)
    def asfreq(self, freq: Any, method: Any = None, how: Any = None, normalize: bool = False, fill_value: Any = None) -> Any:  # fmt: skip
        """The rows at a regular frequency, missing where there are none."""
        index = self._index
        index._columns[0].plain_values("M", "labels that are not dates")
        if index.nlevels > 1 or not len(self):
            raise NotNative("several levels, or no rows")
        dates = date_range(index.min(), index.max(), freq=freq).astype(index.dtype)
        found = self._reindexed(dates.rename(index.name), np.nan)
        if found is None:
            raise NotNative("unsupported labels")
        return found

    @native
    def resample(
        self, rule: Any, closed: str | None = None, label: str | None = None, convention: str = "start", on: Any = None,
        level: Any = None, origin: Any = "start_day", offset: Any = None, group_keys: bool = False,
    ) -> Any:  # fmt: skip
        """Group rows by time bins.

        Parameters
        ----------
        rule : str, timedelta or offset
            Length of the bins.
        closed, label : {"left", "right"}, optional
            The end that belongs to a bin, and the end that labels it.
        convention : {"start", "end"}
            Effective for periods only, which run in pandas.
        on, level : label, optional
            Column or level of the index with the times.
        origin : {"start_day", "start", "epoch", "end", "end_day"} or Timestamp
            Time from which bins are counted.
        offset : timedelta, optional
            Added to the origin.
        group_keys : bool
            Effective in `apply` only, which runs in pandas.

        Returns
        -------
        Resampler

        Examples
        --------
        >>> import bascule.pandas as pd
        >>> s = pd.Series([1.0, 2.0, 6.0], pd.date_range("2024-01-01", periods=3, freq="D"))
        >>> s.resample("2D").mean().tolist()
        [1.5, 6.0]
        """
        options = dict(rule=rule, closed=closed, label=label, convention=convention, on=on, level=level, origin=origin, offset=offset, group_keys=group_keys)  # fmt: skip
        lengths = isinstance(_indexes.from_column(times_of(self, on, level)[0]), _indexes.TimedeltaIndex)
        return (TimedeltaIndexResampler if lengths else DatetimeIndexResampler)(self, options)
