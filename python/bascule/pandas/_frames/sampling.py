"""Selection and repetition of rows: random samples, times of day, first and last valid rows."""

from __future__ import annotations

import datetime
from typing import Any

import numpy as np
import pandas
from pandas.core.dtypes.cast import find_common_type, infer_dtype_from

import bascule as bc

from ... import _core
from .. import _classes, _indexes
from .._base import Rows
from .._columns.column import AnyColumn, Column, ndarray, whole
from .._columns.expression import rows_of_condition
from .._columns.sampling import random_positions, random_source, sample_size
from .._datetimes.ranges import date_range
from .._fallback.native import NotNative, native
from .._fallback.scope import with_names
from .._pipe import apply_if_callable
from .levels import axis_number

_INT64 = np.dtype(np.int64)
_DAY = 86_400


def checked_weights(x: Any, weights: Any) -> np.ndarray:
    """Weights of rows as pandas takes them: aligned by label, 0 where missing."""
    if isinstance(weights, (pandas.Series, _classes.Series)):
        weights = _classes.Series(weights) if isinstance(weights, pandas.Series) else weights
        weights = weights.reindex(x._index)._column.to_numpy()
    elif isinstance(weights, str):
        if x.ndim == 1:
            raise ValueError("Strings cannot be passed as weights when sampling from a Series.")
        if weights not in x._names:
            raise KeyError("String passed to weights not a valid column")
        weights = x[weights]._column.to_numpy()
    if type(weights) is ndarray:
        weights = _core.to_numpy(weights)
    if not isinstance(weights, (list, np.ndarray)):
        raise NotNative("unsupported weights")
    made = np.array(weights, dtype=np.float64)
    if len(made) != len(x):
        raise ValueError("Weights and axis to be sampled must be of same length")
    if np.isinf(made).any():
        raise ValueError("weight vector may not include `inf` values")
    if (made < 0).any():
        raise ValueError("weight vector many not include negative values")
    return np.where(np.isnan(made), 0.0, made)


def _time_of(x: Any) -> datetime.time:
    """The time of day that a user's argument means."""
    if isinstance(x, datetime.time):
        if x.tzinfo is not None:
            raise NotNative("a time of day with a time zone")
        return x
    for form in ("%H:%M", "%H%M", "%I:%M%p", "%I%M%p", "%H:%M:%S", "%H%M%S", "%I:%M:%S%p", "%I%M%S%p"):
        try:
            return datetime.datetime.strptime(x, form).time()
        except (ValueError, TypeError):
            continue
    raise NotNative("a time of day in another format")


def _seconds(t: datetime.time) -> int:
    """Microseconds from midnight to a time."""
    return (t.hour * 3600 + t.minute * 60 + t.second) * 1_000_000 + t.microsecond


class Choosing(Rows):
    """Selection of rows, at random or by time, for frames and series."""

    @native
    def sample(
        self, n: Any = None, frac: Any = None, replace: bool = False, weights: Any = None, random_state: Any = None, axis: Any = None, ignore_index: bool = False
    ) -> Any:  # fmt: skip
        """A random sample of rows, the same that pandas selects for the same `random_state`.

        Parameters
        ----------
        n : int, optional
        frac : float, optional
            A fraction of the rows in place of `n`.
        replace : bool
            Whether a row may be chosen again.
        weights : label, series or array, optional
        random_state : int, numpy.random.RandomState or numpy.random.Generator, optional
        axis, ignore_index
            As pandas'.
        """
        across = axis is not None and axis_number(self, axis) == 1
        source = random_source(random_state)
        size = sample_size(n, frac, replace)
        count = len(self._names) if across else len(self)
        if size is None:
            size = round(frac * count)
        if weights is not None:
            if across:
                raise NotNative("weights of columns")
            weights = checked_weights(self, weights)
        at = random_positions(count, size, replace, weights, source)
        found = self._select(at.tolist()) if across else self._take_rows(at)
        if not ignore_index:
            return found
        if across:
            found.columns = pandas.RangeIndex(size)
            return found
        return found._with(found._all_columns(), _indexes.default(size))

    def _lacking(self) -> ndarray:
        """Boolean array: rows of which all values are missing."""
        found = None
        for c in self._all_columns():
            found = c.missing() if found is None else found & c.missing()
        return bc.ones(len(self), dtype=bool) if found is None else found

    def first_valid_index(self) -> Any:
        """The label of the first row with a valid value, or None."""
        there = ~self._lacking()
        return self._index[int(there.argmax())] if len(self) and bool(there.any()) else None

    def last_valid_index(self) -> Any:
        """The label of the last row with a valid value, or None."""
        there = ~self._lacking()
        return self._index[len(self) - 1 - int(there[::-1].argmax())] if len(self) and bool(there.any()) else None

    def _times_of_day(self, axis: Any) -> ndarray:
        if axis is not None and axis_number(self, axis):
            raise NotNative("columns")
        if not isinstance(self._index, _indexes.DatetimeIndex):
            raise TypeError("Index must be DatetimeIndex")
        c = self._index._columns[0]
        if not isinstance(c, Column):
            raise NotNative("datetimes with a time zone")
        if c.has_missing():
            raise NotNative("NaT")
        unit = np.datetime_data(c.dtype)[0]
        scale = {"s": 1, "ms": 1_000, "us": 1_000_000, "ns": 1_000_000_000}[unit]
        day = c.values.view(_INT64) % np.int64(_DAY * scale)
        if unit == "ns":
            return day  # in nanoseconds
        return day * np.int64(1_000_000_000 // scale)

    @native
    def at_time(self, time: Any, asof: bool = False, axis: Any = None) -> Any:
        """The rows at a time of day."""
        day = self._times_of_day(axis)
        if asof:
            raise NotNative("asof=")
        return self._filter_rows(day == np.int64(_seconds(_time_of(time)) * 1000))

    @native
    def between_time(self, start_time: Any, end_time: Any, inclusive: str = "both", axis: Any = None) -> Any:
        """The rows between two times of day, which may span midnight."""
        day = self._times_of_day(axis)
        if inclusive not in ("both", "neither", "left", "right"):
            raise ValueError("Inclusive has to be either 'both', 'neither', 'left' or 'right'")
        start, end = (np.int64(_seconds(_time_of(t)) * 1000) for t in (start_time, end_time))
        after = day >= start if inclusive in ("both", "left") else day > start
        before = day <= end if inclusive in ("both", "right") else day < end
        return self._filter_rows(after & before if start <= end else after | before)

    @native
    def asfreq(self, freq: Any, method: Any = None, how: Any = None, normalize: bool = False, fill_value: Any = None) -> Any:  # fmt: skip
        """The rows at a regular frequency, missing where there are none."""
        index = self._index
        own = isinstance(index, _indexes.DatetimeIndex) and isinstance(index._columns[0], Column) and len(self)
        if not own or method is not None or how is not None or normalize or fill_value is not None:
            raise NotNative("labels that are not dates, or options")
        dates = date_range(index.min(), index.max(), freq=freq).astype(index.dtype)
        found = self._reindexed(dates.rename(index.name), np.nan)
        if found is None:
            raise NotNative("unsupported labels")
        return found


def _common_type(values: list[Any]) -> Any:
    """The common type that pandas finds for all values; None where they have one type."""
    types = [v.dtype if isinstance(v, _classes.Series) else infer_dtype_from(v)[0] for v in values]
    if len(set(types)) == 1:
        return None
    common = find_common_type(types)
    if isinstance(common, np.dtype) and common.kind in "biuf":
        return common
    raise NotNative("a combination of dtypes that only pandas supports")


class FrameChoosing(Choosing):
    """Selection of rows of frames."""

    def query(self, expr: str, *, inplace: bool = False, **kwargs: Any) -> Any:
        """Select rows by a boolean expression given as a string.

        Parameters
        ----------
        expr : str
            Comparisons of columns with each other, with constants and with variables of the caller marked by @, combined
            by and, or and not; pandas evaluates other expressions.
        inplace : bool
            Change the frame itself, by pandas.
        **kwargs
            As of pandas' eval.

        Returns
        -------
        DataFrame or None
        """
        given = with_names((expr,), kwargs)
        try:
            if kwargs or inplace is not False or not isinstance(expr, str):
                raise NotNative("options of query")
            mask = rows_of_condition(expr, self, {**given["global_dict"], **given["local_dict"]})
        except NotNative as why:
            changed = {} if inplace is False else {"inplace": inplace}
            return self._call_pandas("query", (expr,), {**changed, **given}, reason=why.reason)
        return self._filter_rows(mask)


class SeriesChoosing(Choosing):
    """Selection of rows of series."""

    def repeat(self, repeats: Any, axis: None = None) -> Any:
        """Repeat each row a number of times."""
        if axis is not None:
            raise ValueError("the 'axis' parameter is not supported in the pandas implementation of repeat()")
        if hasattr(repeats, "_column"):
            c = repeats._column
            repeats = whole(c, "int64") if isinstance(c, Column) and not c.is_text else c.to_numpy()
        if type(repeats) is ndarray:
            repeats = _core.to_numpy(repeats)
        rows = _core.from_numpy(np.repeat(np.arange(len(self), dtype=_INT64), repeats))
        return self._with([self._column.take(rows)], self._index.repeat(repeats))

    def _as_labels(self) -> Any:
        c: AnyColumn = self._column
        if not isinstance(c, Column):
            raise NotNative(f"values of type {c.dtype}")
        return _indexes.from_column(c)

    def _asked_of_labels(self, name: str) -> bool:
        try:
            return bool(getattr(self._as_labels(), name))
        except NotNative as why:
            return self._call_pandas("__getattribute__", (name,), reason=why.reason)

    is_unique = property(lambda self: self._asked_of_labels("is_unique"), doc="Whether no value repeats another.")
    is_monotonic_increasing = property(
        lambda self: self._asked_of_labels("is_monotonic_increasing"), doc="Whether no value is below the one before."
    )
    is_monotonic_decreasing = property(
        lambda self: self._asked_of_labels("is_monotonic_decreasing"), doc="Whether no value is above the one before."
    )

    def case_when(self, caselist: list[tuple[Any, Any]]) -> Any:
        """Replace values where conditions are true, by the first one that is.

        Parameters
        ----------
        caselist : list of (condition, replacement)
            Conditions are booleans of each row, replacements scalars or values of each row; either may be a function of
            the series.

        Returns
        -------
        Series

        Raises
        ------
        TypeError, ValueError

        Examples
        --------
        >>> import bascule.pandas as pd
        >>> s = pd.Series([1, 5, 9])
        >>> s.case_when([(s < 3, 0), (s > 6, 10)]).tolist()
        [0, 5, 10]
        """
        try:
            if not isinstance(caselist, list) or not caselist:
                raise NotNative("an argument that is not a list of cases")
            if not all(isinstance(entry, tuple) and len(entry) == 2 for entry in caselist):
                raise NotNative("cases that are not pairs")
            pairs = [tuple(apply_if_callable(x, self) for x in case) for case in caselist]
            return self._replaced(pairs)
        except NotNative as why:
            return self._call_pandas("case_when", (caselist,), reason=str(why))

    def _replaced(self, pairs: list[tuple]) -> Any:
        own = (bool, int, float, str, np.generic, _classes.Series)
        for condition, replacement in pairs:
            if (
                not isinstance(condition, _classes.Series)
                or condition.dtype != bool
                or not isinstance(replacement, own)
            ):
                raise NotNative("unsupported conditions or replacements")
            if not condition._index.equals(self._index):
                raise NotNative("conditions with other labels")
            if isinstance(replacement, _classes.Series) and not replacement._index.equals(self._index):
                raise NotNative("replacements of other labels")
        common = _common_type([*(r for _, r in pairs), self])
        found = self if common is None else self.astype(common)
        for condition, replacement in reversed(pairs):
            if common is not None:
                replacement = replacement.astype(common) if isinstance(replacement, Rows) else common.type(replacement)
            found = found.mask(condition, replacement)
        return found
