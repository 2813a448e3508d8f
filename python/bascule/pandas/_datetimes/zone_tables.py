"""Conversion between UTC and wall times on a device, by a zone's table of clock changes, which Arrow provides once."""

from __future__ import annotations

from functools import lru_cache
from typing import Any, NamedTuple

import numpy as np
import pyarrow
import pyarrow.compute as pc

from ... import _core
from ..._array.ufuncs import rows as _ufuncs
from ...lib import sorting
from .._fallback.native import NotNative

_select = _ufuncs["where"]["ufunc"]
_INT64 = np.dtype(np.int64)
_NAT = np.iinfo(np.int64).min
_STEP = 6 * 3600  # seconds; clocks are not changed twice within it
_FIRST, _END = (int(np.datetime64(year, "s").view(np.int64)) for year in ("1800", "2037"))
_PER_SECOND = {"s": 1, "ms": 10**3, "us": 10**6, "ns": 10**9}


class Changes(NamedTuple):
    """Times of clock changes, in seconds of UTC, and the offsets from UTC before the first change and after each."""

    at: np.ndarray
    ahead: np.ndarray


def _ahead(seconds: np.ndarray, zone: str) -> np.ndarray:
    there = pyarrow.array(seconds).cast(pyarrow.timestamp("s", zone))
    return pc.local_timestamp(there).cast(pyarrow.int64()).to_numpy() - seconds


@lru_cache(64)
def changes(zone: str) -> Changes:
    """The changes of a zone's clocks up to 2037.

    Raises
    ------
    NotNative
        When Arrow does not know the zone.
    """
    seconds = np.arange(_FIRST, _END, _STEP)
    try:
        ahead = _ahead(seconds, zone)
    except pyarrow.ArrowInvalid:
        raise NotNative("a zone that Arrow does not know") from None
    places = np.flatnonzero(ahead[1:] != ahead[:-1])
    low, high = seconds[places], seconds[places + 1]
    before = ahead[places]
    while len(places) and (high - low).max() > 1:
        middle = (low + high) // 2
        same = _ahead(middle, zone) == before
        low, high = np.where(same, middle, low), np.where(same, high, middle)
    return Changes(high, np.append(ahead[0], ahead[places + 1]))


def _in_unit(seconds: np.ndarray, unit: str, device: str) -> Any:
    limit = np.iinfo(np.int64).max // _PER_SECOND[unit]
    return _core.from_numpy(np.clip(seconds, -limit, limit) * _PER_SECOND[unit], device)


def check_end(ticks: Any, unit: str) -> None:
    """Arrow's tables of zones end in 2037; pandas continues by the zone's rule."""
    if len(ticks) and int(ticks.max()) >= _END * _PER_SECOND[unit]:
        raise NotNative("datetimes with a time zone after 2036")


def _number(table: Any, ticks: Any) -> Any:
    return _core.astype(sorting.searchsorted(table, ticks, "right"), _INT64, False, "K")


def wall_times(values: Any, zone: str) -> Any:
    """Wall times of a zone for timestamps in UTC.

    Parameters
    ----------
    values : ndarray of datetime64
    zone : str
        As the time zone database names it.
    """
    unit = np.datetime_data(values.dtype)[0]
    ticks, known = values.view(_INT64), changes(zone)
    check_end(ticks, unit)
    at = _number(_in_unit(known.at, unit, values.device), ticks)
    shown = ticks + _core.take(_in_unit(known.ahead, unit, values.device), at, 0)
    return _select(ticks == _NAT, _NAT, shown).view(values.dtype)


def moments(values: Any, zone: str) -> Any:
    """Times in UTC for wall times of a zone.

    Raises
    ------
    NotNative
        When a wall time is ambiguous or does not exist.
    """
    unit = np.datetime_data(values.dtype)[0]
    ticks, known = values.view(_INT64), changes(zone)
    check_end(ticks, unit)
    both = known.at[:, None] + np.stack([known.ahead[:-1], known.ahead[1:]], 1)
    edges = np.sort(both, 1).reshape(-1)  # between those of a change, wall times are ambiguous or do not exist
    if (np.diff(edges) < 0).any():
        raise NotNative("a zone whose clocks were changed twice at a time")
    at = _number(_in_unit(edges, unit, values.device), ticks)
    missing = ticks == _NAT
    if bool(((at % 2 == 1) & ~missing).any()):
        raise NotNative("ambiguous or nonexistent local times")
    found = ticks - _core.take(_in_unit(known.ahead, unit, values.device), at // 2, 0)
    return _select(missing, _NAT, found).view(values.dtype)
