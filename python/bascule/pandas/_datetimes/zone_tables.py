"""Conversion between UTC and wall times by a zone's table of clock changes, which Arrow provides once."""

from __future__ import annotations

from functools import lru_cache
from typing import Any, NamedTuple

import numpy as np

from ... import _core
from ..._array.ufuncs import rows as _ufuncs
from ...lib import sorting
from .._columns.arrow_bits import numbers, values_of
from .._fallback.native import NotNative
from .._theirs import pc, pyarrow

_select = _ufuncs["where"]["ufunc"]
_INT64 = np.dtype(np.int64)
_NAT = np.iinfo(np.int64).min
_STEP = 6 * 3600  # seconds; clocks are not changed twice within it
_FIRST, _END = 1800, 2037  # years
_FEW = 16  # changes that are compared one by one: faster than a search
_PER_SECOND = {"s": 1, "ms": 10**3, "us": 10**6, "ns": 10**9}


class Changes(NamedTuple):
    """Times of clock changes, in seconds of UTC, and the offsets from UTC before the first change and after each."""

    at: np.ndarray
    ahead: np.ndarray


def _ahead(seconds: np.ndarray, zone: str) -> np.ndarray:
    there = numbers(seconds).cast(pyarrow.timestamp("s", zone))
    return values_of(pc.local_timestamp(there).cast(pyarrow.int64())) - seconds


def _start(year: int) -> int:
    return int(np.datetime64(str(year), "s").view(np.int64))


@lru_cache(256)
def changes(zone: str, first: int, end: int) -> Changes:
    """The changes of a zone's clocks in some years.

    Raises
    ------
    NotNative
        When Arrow does not know the zone.
    """
    seconds = np.arange(_start(first), _start(end), _STEP)
    try:
        ahead = _ahead(seconds, zone)
    except pyarrow.ArrowInvalid:
        raise NotNative("a zone that Arrow does not know") from None
    positions = np.flatnonzero(ahead[1:] != ahead[:-1])
    low, high = seconds[positions], seconds[positions + 1]
    before = ahead[positions]
    while len(positions) and (high - low).max() > 1:
        middle = (low + high) // 2
        same = _ahead(middle, zone) == before
        low, high = np.where(same, middle, low), np.where(same, high, middle)
    return Changes(high, np.append(ahead[0], ahead[positions + 1]))


def _changes_between(least: int, greatest: int, zone: str, per_second: int) -> Changes:
    """The changes that some timestamps need: found by decades, which many columns share."""
    years = [1970 + t // per_second // 31556952 for t in (least, greatest)]
    first, end = (years[0] - 1) // 10 * 10, (years[1] + 11) // 10 * 10
    return changes(zone, min(max(first, _FIRST), 2030), max(min(end, _END), _FIRST + 10))


def _check_end(greatest: int, per_second: int) -> None:
    """Arrow's tables of zones end in 2037; pandas continues by the zone's rule."""
    if greatest >= _start(_END) * per_second:
        raise NotNative("datetimes with a time zone after 2036")


def _between(edges: np.ndarray, ahead: np.ndarray, least: int, greatest: int) -> tuple[np.ndarray, np.ndarray]:
    """The edges above the least and up to the greatest time, and what holds before, between and after them."""
    low, high = np.searchsorted(edges, [least, greatest], "right")
    return edges[low:high], ahead[low : high + 1]


def _steps(ticks: Any, edges: np.ndarray, values: np.ndarray) -> Any:
    """values[k] for ticks from edges[k - 1] on, up to edges[k]."""
    if len(edges) > _FEW:
        at = _core.astype(
            sorting.searchsorted(_core.from_numpy(edges, ticks.device), ticks, "right"), _INT64, False, "K"
        )
        return _core.take(_core.from_numpy(values, ticks.device), at, 0)
    found = np.int64(values[0])
    for edge, value in zip(edges, values[1:]):
        found = _select(ticks >= edge, value, found)
    return found


def _ends(values: Any) -> tuple[Any, Any, int, int]:
    """Ticks, which of them are missing, if any, and the least and the greatest other one."""
    ticks = values.view(_INT64)
    if not len(ticks):
        return ticks, None, 0, 0
    least, greatest = int(ticks.min()), int(ticks.max())
    if least != _NAT:
        return ticks, None, least, greatest
    missing = ticks == _NAT
    return ticks, missing, min(int(_select(missing, np.iinfo(np.int64).max, ticks).min()), greatest), greatest


def wall_times(values: Any, zone: str) -> Any:
    """Wall times of a zone for timestamps in UTC.

    Parameters
    ----------
    values : ndarray of datetime64
    zone : str
        As the time zone database names it.
    """
    per_second = _PER_SECOND[np.datetime_data(values.dtype)[0]]
    ticks, missing, least, greatest = _ends(values)
    _check_end(greatest, per_second)
    known = _changes_between(least, greatest, zone, per_second)
    edges, ahead = _between(known.at * per_second, known.ahead * per_second, least, greatest)
    shown = ticks + _steps(ticks, edges, ahead)
    return (shown if missing is None else _select(missing, _NAT, shown)).view(values.dtype)


def timestamps(values: Any, zone: str) -> Any:
    """Times in UTC for wall times of a zone.

    Raises
    ------
    NotNative
        When a wall time is ambiguous or does not exist.
    """
    per_second = _PER_SECOND[np.datetime_data(values.dtype)[0]]
    ticks, missing, least, greatest = _ends(values)
    _check_end(greatest, per_second)
    known = _changes_between(least, greatest, zone, per_second)
    both = known.at[:, None] + np.stack([known.ahead[:-1], known.ahead[1:]], 1)
    edges = np.sort(both, 1).reshape(-1)  # between those of a change, wall times are ambiguous or do not exist
    if (np.diff(edges) < 0).any():
        raise NotNative("a zone whose clocks were changed twice at a time")
    ahead = np.full(2 * len(known.at) + 1, _NAT)
    ahead[::2] = known.ahead * per_second
    edges, ahead = _between(edges * per_second, ahead, least, greatest)
    found = _steps(ticks, edges, ahead)
    if len(edges) or ahead[0] == _NAT:
        wrong = found == _NAT
        if bool((wrong if missing is None else wrong & ~missing).any()):
            raise NotNative("ambiguous or nonexistent local times")
    found = ticks - found
    return (found if missing is None else _select(missing, _NAT, found)).view(values.dtype)
