"""`to_datetime`: strings, numbers and columns of dates as timestamps."""

from __future__ import annotations

import datetime
import re
from typing import Any

import numpy as np

from ..._array.conversion import host_view
from .. import _classes, _fallback
from .._columns.column import AnyColumn, Column, adopt, in_zone, plain
from .._columns.infer import inferred
from .._fallback.carried import unnoted
from .._fallback.native import NotNative
from .._questions import ndim_of
from .._theirs import UNSET, pandas, unset
from .calendar import from_civil
from .parsing import times_of

# Microseconds in the units of numbers; those in nanoseconds stay in these.
_MICROSECONDS = {"us": 1, "ms": 10**3, "s": 10**6, "m": 60 * 10**6, "h": 3600 * 10**6, "D": 86400 * 10**6}
_INT64 = np.dtype(np.int64)
_ISO_DATE = re.compile(r"\d{4}-\d\d-\d\d")
_AS_IT_IS = {"errors": "raise", "dayfirst": False, "yearfirst": False, "utc": False, "format": None, "unit": None, "origin": "unix", "cache": True}  # fmt: skip


def to_datetime(
    arg: Any, errors: str = "raise", dayfirst: bool = False, yearfirst: bool = False, utc: bool = False, format: str | None = None, exact: Any = UNSET,
    unit: str | None = None, origin: Any = "unix", cache: bool = True,
) -> Any:  # fmt: skip
    """Convert strings, numbers or columns of year, month and day to datetimes.

    Parameters
    ----------
    arg : Series, Index, DataFrame, scalar or array-like
    errors, dayfirst, yearfirst, utc, format, exact, unit, origin, cache
        As pandas'. By default the first string decides the format of all.

    Returns
    -------
    Series, DatetimeIndex or Timestamp, as pandas'

    Examples
    --------
    >>> import bascule.pandas as pd
    >>> pd.to_datetime(pd.Series(["29.02.2020", "01.03.2020"]), format="%d.%m.%Y").dt.day.tolist()
    [29, 1]
    """
    asked = dict(
        errors=errors, dayfirst=dayfirst, yearfirst=yearfirst, utc=utc, format=format, unit=unit, origin=origin, cache=cache
    )  # fmt: skip
    if not unset(exact):
        asked["exact"] = exact
    if isinstance(arg, (str, int, float, np.generic)):
        return _one_time(arg, asked)
    try:
        if isinstance(arg, _classes.DataFrame):
            return _from_parts(arg, asked)
        made = _converted(_column_of(arg), asked)
    except NotNative as why:
        return _fallback.run("pandas.to_datetime", why.reason, pandas.to_datetime, arg, **asked)
    if isinstance(arg, _classes.Series):
        return unnoted(arg.copy() if made is arg._column else arg._like(made))
    if isinstance(arg, _classes.Index) and made is arg._column:
        return arg
    return _classes.Index._of_columns([made], [getattr(arg, "name", None)])


def _one_time(arg: Any, asked: dict[str, Any]) -> Any:
    """One value as pandas' scalar, which is its own result and no fallback."""
    if isinstance(arg, str) and _ISO_DATE.match(arg) and asked == _AS_IT_IS:
        return pandas.Timestamp(arg)
    if isinstance(arg, str) and _ISO_DATE.match(arg) and asked == {**_AS_IT_IS, "utc": True}:
        return pandas.Timestamp(arg, tz="UTC")
    return pandas.to_datetime(arg, **asked)


def _column_of(arg: Any) -> AnyColumn:
    c: Any = getattr(arg, "_column", None) if getattr(arg, "nlevels", 1) == 1 else None
    if c is None and isinstance(arg, (list, tuple, np.ndarray)) and ndim_of(arg) == 1:
        c = inferred(arg)
        if c is not None and c.times() is not None and isinstance(arg, (list, tuple)):
            raise NotNative("a list of dates")
    if c is not None and c.dtype == object:
        c = inferred(c.array)
    if c is None:
        raise NotNative(f"data of type {type(arg).__name__}")
    return c


def _converted(c: AnyColumn, asked: dict[str, Any]) -> AnyColumn:
    """The timestamps of a column."""
    if c.is_plain("M") and not asked["utc"] and asked["unit"] is None and np.datetime_data(c.dtype)[0] != "D":
        return c
    if asked["yearfirst"] or asked["origin"] != "unix" or not asked.get("exact", True):
        raise NotNative("yearfirst=, origin= or exact=")
    if asked["errors"] not in ("raise", "coerce") or not isinstance(asked["dayfirst"], (bool, np.bool_)):
        raise NotNative("unknown options")
    if c.is_text and asked["unit"] is None and len(c):
        made = times_of(c, asked["format"], bool(asked["dayfirst"]), asked["errors"] == "coerce")
        if made is None:
            raise NotNative("strings in a format that only pandas reads")
    elif c.is_plain("iuf") and asked["format"] is None and len(c):
        made = _of_numbers(c, asked["unit"] or "ns")
    else:
        raise NotNative(f"values of type {c.dtype}")
    return in_zone(made.times(), datetime.UTC) if asked["utc"] else made


def _of_numbers(c: Column, unit: str) -> Column:
    """Timestamps of numbers, each a whole number of units since 1970."""
    values = host_view(c.values)
    if unit != "ns" and unit not in _MICROSECONDS:
        raise NotNative("a unit by another name")
    per = _MICROSECONDS.get(unit, 1)
    nulls = c.nulls()
    missing = np.zeros(len(values), bool) if nulls is None else host_view(nulls)
    whole = np.where(missing, 0, values)
    limit = min((2**63 - 1) // per, 2**63 - 1 if nulls is None else 2**53)
    if len(whole) and not (-limit < whole.min() and whole.max() < limit and (whole == np.floor(whole)).all()):
        raise NotNative("fractions of a unit, or numbers that are no times")
    bits = np.where(missing, np.iinfo(np.int64).min, whole.astype(_INT64) * per)
    return plain(adopt(bits.view("M8[ns]" if unit == "ns" else "M8[us]"), c.device))


def _from_parts(frame: Any, asked: dict[str, Any]) -> Any:
    """Timestamps of a frame's columns year, month and day."""
    if sorted(map(str, frame._names)) != ["day", "month", "year"]:
        raise NotNative("columns other than year, month and day")
    parts = [frame[name]._column for name in ("year", "month", "day")]
    plainly = asked["errors"] == "raise" and not asked["utc"] and asked["format"] is None
    if not plainly or any(c.dtype not in (np.int64, np.int32) for c in parts):
        raise NotNative("options, or parts that are no integers")
    values = from_civil(*(c.values.astype(_INT64, copy=False) for c in parts))
    if values is None:
        raise NotNative("parts that are no dates")
    return frame[frame._names[0]]._like(plain(values)).rename(None)
