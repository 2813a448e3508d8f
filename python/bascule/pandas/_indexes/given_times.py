"""Timestamps and durations from a user's data: numbers, strings or times, with a time zone, a type or a frequency."""

from __future__ import annotations

from typing import Any

import numpy as np

from ... import _core
from ..._array.ufuncs import by_name
from .. import _fallback
from .._columns.column import UNITS, AnyColumn, in_zone, ndarray, plain
from .._columns.dtypes import is_numpys
from .._columns.infer import inferred
from .._datetimes.calendar import has_nat
from .._datetimes.offsets import to_offset
from .._datetimes.parsing import iso_dates
from .._datetimes.zones import at_wall_times, zone_of
from .._fallback.native import NotNative
from .._questions import ndim_of
from .._theirs import pandas, seen, unset

_INT64 = np.dtype(np.int64)


def _given(data: Any) -> AnyColumn | None:
    """The column of given labels; None where only pandas knows their type."""
    if isinstance(data, (pandas.Index, pandas.Series)) and not isinstance(data, pandas.MultiIndex):
        data = _fallback.from_pandas(data)
    column = getattr(data, "_column", None) if getattr(data, "ndim", 0) == 1 else None
    if column is not None:
        return column
    if type(data) is ndarray:
        return plain(data) if data.ndim == 1 else None
    if not isinstance(data, (list, np.ndarray)) or ndim_of(data) != 1 or not len(data):
        return None
    if isinstance(data, list) and any(type(x) is str for x in data):
        return iso_dates(inferred([None if x is seen.NaT else x for x in data]))
    return inferred(data)


def _typed(dtype: Any, kind: str) -> tuple[str | None, Any]:
    """The unit and the zone of a requested type; NotNative for other types."""
    if dtype is None:
        return None, None
    found = pandas.api.types.pandas_dtype(dtype)
    if isinstance(found, pandas.DatetimeTZDtype) and kind == "M":
        return found.unit, found.tz
    if not is_numpys(found, kind) or np.datetime_data(found)[0] not in UNITS:
        raise NotNative("another type")
    return np.datetime_data(found)[0], None


def _times(c: AnyColumn | None, kind: str, unit: str | None) -> tuple[ndarray, bool]:
    """The labels in the unit, and whether they are times in UTC rather than wall times."""
    if c is not None and c.is_text and kind == "M":
        c = iso_dates(c)
    if c is None:
        raise NotNative("labels of another type")
    if c.dtype == _INT64:
        return c.values.view(np.dtype(f"{kind}8[{unit or 'ns'}]")), True
    c.plain_values(kind, "labels of another type")
    own = np.datetime_data(c.dtype)[0]
    if own not in UNITS or unit is None or unit == own:
        return c.values, False
    per = 1000 ** (UNITS.index(unit) - UNITS.index(own))
    bits = c.values.view(_INT64)
    if per < 1 or has_nat(c.values) or (len(bits) and int(by_name["absolute"](bits).max()) > (2**63 - 1) // per):
        raise NotNative("times that the unit may not hold")
    return (bits * per).view(np.dtype(f"{kind}8[{unit}]")), False


def _check(values: ndarray, freq: Any, zoned: bool) -> None:
    """NotNative where times do not, or may not, have a frequency."""
    if (
        not isinstance(freq, (pandas.offsets.Tick, pandas.offsets.Day))
        or (zoned and isinstance(freq, pandas.offsets.Day))
        or has_nat(values)
    ):
        raise NotNative("a frequency without a fixed length")
    length = freq.n * 86400 * 10**9 if isinstance(freq, pandas.offsets.Day) else freq.nanos
    each = 1000 ** (3 - UNITS.index(np.datetime_data(values.dtype)[0]))
    bits = values.view(_INT64)
    if length % each or (len(bits) > 1 and not bool((bits[1:] - bits[:-1] == length // each).all())):
        raise NotNative("times at no such frequency")


def times(kind: str, data: Any, freq: Any, tz: Any, dtype: Any) -> tuple[AnyColumn, Any] | None:
    """The column and the frequency of an index of timestamps ("M") or durations ("m"); None where pandas makes it."""
    try:
        unit, zone = _typed(dtype, kind)
        if not unset(tz) and tz is not None:
            if dtype is not None:
                return None
            zone = tz
        at = None if unset(freq) or freq is None else to_offset(freq)
        c = _given(data)
        if c is not None and c.zone is not None:
            if unit not in (None, c.unit) or (zone is not None and zone_of(zone) != c.zone):
                return None
            values, made = c.utc().values, c
        else:
            values, absolute = _times(c, kind, unit)
            values = _core.astype(values, values.dtype, True, "K")  # the index's own
            made = plain(values)
            if zone is not None:
                made = in_zone(values, zone_of(zone)) if absolute else at_wall_times(values, zone)
                values = made.utc().values
        if at is not None:
            _check(values, at, made.zone is not None)
    except (NotNative, ValueError, TypeError):
        return None  # pandas raises the error
    return made, at
