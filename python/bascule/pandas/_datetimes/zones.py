"""Time zones: conversion between UTC and wall times, by tables of clock changes."""

from __future__ import annotations

import datetime
import re
import zoneinfo
from typing import Any

import numpy as np

from ... import _core
from .._columns.column import RESOLUTIONS, UNITS, AnyColumn, in_zone, plain
from .._fallback.native import NotNative
from .._theirs import pandas
from . import zone_tables


def zone_of(tz: Any) -> Any:
    """A zone as pandas stores it; NotNative for zones that only pandas knows.

    Parameters
    ----------
    tz : str, datetime.tzinfo
    """
    if tz is datetime.UTC or (type(tz) is zoneinfo.ZoneInfo and tz.key is not None):
        return tz
    if isinstance(tz, str) and tz in ("UTC", "utc"):
        return datetime.UTC
    if isinstance(tz, str) and re.fullmatch(r"[A-Za-z_]+(/[A-Za-z_]+)*", tz) and not tz.startswith("dateutil"):
        try:
            return zoneinfo.ZoneInfo(tz)
        except (zoneinfo.ZoneInfoNotFoundError, ValueError, OSError):
            raise NotNative("an unknown time zone") from None
    try:
        found = pandas.DatetimeTZDtype("us", tz).tz
    except (TypeError, ValueError, LookupError, OSError):
        raise NotNative("an unknown time zone") from None
    if _offset(found) is None and _file(found) is None:
        raise NotNative("a time zone of another library")
    return found


def _offset(zone: Any) -> datetime.timedelta | None:
    """The constant offset of a zone from UTC; None where it changes."""
    kind = f"{type(zone).__module__}.{type(zone).__name__}"
    if zone is datetime.UTC or kind in ("datetime.timezone", "dateutil.tz.tz.tzutc", "dateutil.tz.tz.tzoffset"):
        return zone.utcoffset(None)
    return None


def _file(zone: Any) -> str | None:
    """The name of the zone that a dateutil object was read from."""
    path = getattr(zone, "_filename", None) if type(zone).__module__.startswith("dateutil.") else None
    return path.partition("zoneinfo/")[2] or None if isinstance(path, str) else None


def _name(tz: Any) -> str:
    found = zone_of(tz)
    name = found.key if isinstance(found, zoneinfo.ZoneInfo) else _file(found)
    assert name is not None
    return name


def _ahead(offset: datetime.timedelta, unit: str) -> np.timedelta64:
    """An offset in a unit; NotNative where it is not a whole number of them."""
    micros = np.timedelta64(offset, "us")
    made = micros.astype(f"m8[{unit}]")
    if made != micros:
        raise NotNative("an offset that the unit cannot say")
    return made


def wall_times(c: AnyColumn) -> AnyColumn:
    """The wall times of a timezone-aware column; others unchanged."""
    if c.zone is None:
        return c
    zone = zone_of(c.zone)
    offset = _offset(zone)
    if offset is not None:
        return plain(c.utc().values + _ahead(offset, c.unit)) if offset else c.utc()
    return plain(zone_tables.wall_times(c.utc().values, _name(zone)))


def at_wall_times(values: Any, tz: Any) -> AnyColumn:
    """The timezone-aware timestamps of wall times; NotNative where one is ambiguous or does not exist. Naive without a zone."""
    if tz is None:
        return plain(values)
    zone = zone_of(tz)
    unit = np.datetime_data(values.dtype)[0]
    if unit not in UNITS:
        raise NotNative("a unit that pandas does not have")
    offset = _offset(zone)
    if offset is not None:
        return in_zone(values - _ahead(offset, unit) if offset else values, zone)
    return in_zone(zone_tables.timestamps(values, _name(zone)), zone)


def localized(c: AnyColumn, tz: Any, ambiguous: Any = "raise", nonexistent: Any = "raise") -> AnyColumn:
    """`tz_localize` of a column of timestamps; NotNative where pandas has to do it, or to refuse it."""
    if c.zone is not None:
        if tz is not None:
            raise NotNative("a zone for times that have one")
        return wall_times(c)
    values = c.plain_values("M" if tz is not None else "", "datetimes without a time zone, or other values")
    if not (
        isinstance(ambiguous, str) and ambiguous == "raise" and isinstance(nonexistent, str) and nonexistent == "raise"
    ):
        return _localized_as_asked(values, tz, ambiguous, nonexistent)
    return at_wall_times(values, tz)


def _localized_as_asked(values: Any, tz: Any, ambiguous: Any, nonexistent: Any) -> AnyColumn:
    """Wall times in a zone by the function of pandas' scalars, which takes all options and raises pandas' errors."""
    unit = np.datetime_data(values.dtype)[0]
    how = nonexistent if isinstance(nonexistent, str) else type(nonexistent).__name__
    known = how in ("raise", "NaT", "shift_forward", "shift_backward", "timedelta", "Timedelta")
    if tz is None or unit not in UNITS or values.device != "cpu" or not known:
        raise NotNative("ambiguous= or nonexistent=")
    zone = zone_of(tz)
    asked = ambiguous if isinstance(ambiguous, (str, bool, np.bool_)) else np.asarray(ambiguous)
    bits = pandas._libs.tslibs.tzconversion.tz_localize_to_utc(
        _core.to_numpy(values.view(np.dtype(np.int64))), zone, asked, nonexistent, RESOLUTIONS[unit]
    )
    return in_zone(_core.from_numpy(bits.view(values.dtype)), zone)


def converted_zone(c: AnyColumn, tz: Any) -> AnyColumn:
    """`tz_convert` of a column of timestamps; NotNative where pandas has to do it, or to refuse it."""
    times = c.utc("datetimes without a time zone")
    return times if tz is None else in_zone(times.values, zone_of(tz))
