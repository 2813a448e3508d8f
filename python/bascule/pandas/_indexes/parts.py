"""Rows selected by a part of their labels: a month, a day, a time of day, some of several levels."""

from __future__ import annotations

import datetime
import re
from typing import Any

import numpy as np

import bascule as bc

from ... import _core
from ...lib.sorting import searchsorted
from .._columns.column import ndarray
from .._columns.where import is_missing_scalar
from .._fallback.native import NotNative
from .._theirs import pandas, seen
from .arguments import INT64

_PER_UNIT = {"s": 10**9, "ms": 10**6, "us": 10**3, "ns": 1}
_LENGTHS = {"D": 86_400 * 10**9, "h": 3600 * 10**9, "min": 60 * 10**9, "s": 10**9, "ms": 10**6, "us": 10**3, "ns": 1}
_ZONE = re.compile(r"(?:[zZ]|[+-][0-9]{2}:?[0-9]{2})$")


def _period(text: str) -> pandas.Period:
    """The period that a string names, as long as the finest part of the date that it contains."""
    if _ZONE.search(text) and ":" in text:
        raise NotNative("datetimes with a time zone")
    try:
        found = pandas.Period(text)
    except ValueError:  # it is no date: pandas raises the error
        raise NotNative("a string that is not a date") from None
    if found is seen.NaT:
        raise NotNative("missing labels")
    return found


def _ends(index: Any, text: str) -> tuple[int, int, str]:
    """The first and the last time of a string's period, in the unit of the labels, and the length of the period."""
    period = _period(text)
    c = index._columns[0]
    per = _PER_UNIT[np.datetime_data(c.dtype if c.zone is None else c.utc().dtype)[0]]
    try:
        start, end, after = period.start_time, period.end_time, (period + 1).start_time
        last = after.as_unit("ns").value - 1
        if c.zone is not None:  # an end that is ambiguous or does not exist is an error, too
            start, there = start.tz_localize(c.zone), end.tz_localize(c.zone)
            last += there.as_unit("ns").value - end.as_unit("ns").value
        first = start.as_unit("ns").value
    except (ValueError, OverflowError):
        raise NotNative("datetimes outside the range of nanoseconds") from None
    return -(-first // per), last // per, period.freqstr.partition("-")[0]


def _numbers(index: Any, zoned: bool = False) -> ndarray:
    """The times as integers; those of a time zone, where they are taken, in UTC."""
    c = index._columns[0]
    c = c.utc() if zoned and c.zone is not None else c.own("datetimes with a time zone")
    if c.has_missing():
        raise NotNative("missing datetimes")
    return c.values.view(INT64)


def rows_of_text(index: Any, text: str) -> slice | ndarray | int:
    """The rows of a string among timestamps: all in its period if it is coarser than the labels, else those of that time.

    Raises
    ------
    KeyError
        There are none.
    """
    values = _numbers(index)
    first, last, length = _ends(index, text)
    coarse = length not in _LENGTHS
    if not coarse and len(values):
        of_length = _LENGTHS[length] // _PER_UNIT[np.datetime_data(index.dtype)[0]]
        coarse = of_length > 1 and bool((values % of_length != 0).any())
    if not coarse:
        last = first
    if not len(values) or not index.is_monotonic_increasing:
        found = (values >= first) & (values <= last)
        if (not coarse or (len(values) and index.is_monotonic_decreasing)) and not bool(found.any()):
            raise KeyError(text)
        return found if coarse or int(found.sum()) > 1 else int(_core.nonzero(found)[0][0])
    begin, end = (int(searchsorted(values, x, side)) for x, side in ((first, "left"), (last, "right")))
    if begin == end if not coarse else end == 0 or begin == len(values):
        raise KeyError(text)
    return begin if not coarse and end == begin + 1 else slice(begin, end)


def slice_of_times(index: Any, key: slice) -> slice:
    """The rows of a slice between two dates, given as strings or timestamps; a string stands for its whole period."""
    values = _numbers(index, True)
    if key.step not in (None, 1) or not index.is_monotonic_increasing:
        raise NotNative("labels in another order, or steps")
    bounds: list[int | None] = []
    for x, side in ((key.start, "left"), (key.stop, "right")):
        if x is None:
            bounds.append(None)
            continue
        if isinstance(x, str):
            first, last, _ = _ends(index, x)
            at = first if side == "left" else last
        elif type(x) in (pandas.Timestamp, datetime.datetime, np.datetime64) and not is_missing_scalar(x):
            time = pandas.Timestamp(x)
            if time.tzinfo is not None or index._columns[0].zone is not None:
                raise NotNative("datetimes with a time zone")
            try:
                at = time.as_unit("ns").value
            except pandas.errors.OutOfBoundsDatetime:
                raise NotNative("datetimes outside the range of nanoseconds") from None
            per = _PER_UNIT[np.datetime_data(index.dtype)[0]]
            at = -(-at // per) if side == "left" else at // per
        else:
            raise NotNative("an unsupported bound")
        bounds.append(int(searchsorted(values, at, side)))
    return slice(*bounds)


# ---- several levels


def _scalar(c: Any, x: Any) -> bool:
    """Whether x is one label of a level that the core compares."""
    if is_missing_scalar(x) or not np.isscalar(x):
        return False
    if isinstance(x, (bool, np.bool_)):
        return c.selects_rows and c.has_core
    return c.is_text or (c.is_numeric and c.has_core and not c.selects_rows)


def _rows_with(index: Any, label: tuple) -> np.ndarray | None:
    """The rows that have each part of a label in its level; None where a part can't be compared with the level."""
    rows = np.arange(len(index))
    for c, x in zip(index._columns, label):
        if _scalar(c, x):
            try:
                at = index._of_columns([c], [None]).get_loc(x)
            except KeyError:
                return rows[:0]
            rows = np.intersect1d(rows, np.arange(len(index))[np.asarray(at) if hasattr(at, "dtype") else at])
        elif type(x) is str and c.selected_as == "O":  # a string equals nothing but strings
            objects = c.objects()
            rows = np.array([i for i in rows.tolist() if isinstance(objects[i], str) and objects[i] == x], np.int64)
        else:
            return None
    return rows


def row_among_objects(index: Any, label: tuple) -> Any:
    """The one row of a label, some levels of which are objects, among which strings are found; the rows of a string of
    the first level.

    Raises
    ------
    KeyError
        There are none.
    NotNative
        When pandas has to decide.
    """
    if len(label) == 1 and isinstance(label[0], str) and _scalar(index._columns[0], label[0]):
        found = index._of_columns([index._columns[0]], [None]).get_loc(label[0])
        return slice(found, found + 1) if isinstance(found, int) else found
    rows = _rows_with(index, label) if len(label) == index.nlevels else None
    if rows is None or len(rows) > 1:
        raise NotNative("labels of a pandas extension dtype")
    if not len(rows):
        raise KeyError(label)
    return int(rows[0])


def rows_of_levels(index: Any, key: Any) -> tuple[int | slice | ndarray, int]:
    """The rows of a label of the first levels, or of a list of them, and the number of levels in the label.

    Raises
    ------
    KeyError
        There are none.
    NotNative
        When pandas has to decide.
    """
    if index._own is None:
        first = index._columns[0]
        if isinstance(key, tuple) and len(key) == index.nlevels:
            return row_among_objects(index, key), 0
        key = key[0] if isinstance(key, tuple) and len(key) == 1 else key
        if not first.has_core or not _scalar(first, key):
            raise NotNative("labels of a pandas extension dtype")
        found = index._of_columns([first], [None]).get_loc(key)
        return (slice(found, found + 1) if isinstance(found, int) else found), 1
    if isinstance(key, list):
        return _rows_of_list(index, key), 0
    if isinstance(key, slice):
        return _rows_of_slice(index, key), 0
    given = key if isinstance(key, tuple) else (key,)
    n = len(given)
    if not 0 < n <= index.nlevels or not all(_scalar(c, x) for c, x in zip(index._columns, given)):
        if isinstance(key, tuple) and n and all(isinstance(x, list) for x in given):
            return index.get_locs(key), 0
        raise NotNative("unsupported labels")
    if 1 < n < index.nlevels and not index.is_monotonic_increasing:
        raise NotNative("some levels of unsorted labels")
    found = index.get_loc(key if isinstance(key, tuple) else given[0])
    return found, 0 if n == index.nlevels else n


def _rows_of_list(index: Any, keys: list) -> ndarray:
    """The rows of labels of the first level, or of all, in the given order."""
    if not keys:
        raise NotNative("no labels")
    tuples = all(isinstance(k, tuple) and len(k) == index.nlevels for k in keys)
    if not (tuples or all(_scalar(index._columns[0], k) for k in keys)):
        raise NotNative("unsupported labels")
    if tuples and not all(_scalar(c, x) for k in keys for c, x in zip(index._columns, k)):
        raise NotNative("unsupported labels")
    if len(set(keys)) < len(keys):
        raise NotNative("duplicate labels")
    labels = index._own if tuples else _core.Labels([index._columns[0].core])
    first = index._of_columns([index._columns[0]], [None])
    found = [labels.find(index._label(k) if tuples else first._label(k)) for k in keys]
    if any(len(f) == 0 for f in found):
        if not tuples:
            raise KeyError(f"{[k for k, f in zip(keys, found) if not len(f)]} not in index")
        raise NotNative("labels that are not there")
    return found[0] if len(found) == 1 else bc.concatenate(found)


def _rows_of_slice(index: Any, key: slice) -> slice:
    """The rows between two labels of the first level, of sorted labels."""
    c = index._columns[0]
    if key.step not in (None, 1) or not index.is_monotonic_increasing:
        raise NotNative("labels in another order, or steps")
    if not all(x is None or _scalar(c, x) for x in (key.start, key.stop)):
        raise NotNative("an unsupported bound")
    first = index._of_columns([c], [None])
    try:
        bounds = [None if x is None else first._label(x)[0] for x in (key.start, key.stop)]
    except KeyError:
        raise NotNative("an unsupported bound") from None
    return slice(*_core.Labels([c.core]).between(*bounds))
