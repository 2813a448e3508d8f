"""Durations of numbers."""

from __future__ import annotations

from typing import Any

import numpy as np

from .._columns.column import UNITS
from .._fallback.native import NotNative
from .._theirs import pandas

NAMES = {
    "W": "W", "D": "D", "day": "D", "days": "D", "h": "h", "hr": "h", "hour": "h", "hours": "h", "m": "m", "min": "m",
    "minute": "m", "minutes": "m", "s": "s", "sec": "s", "second": "s", "seconds": "s", "ms": "ms", "milli": "ms",
    "millis": "ms", "millisecond": "ms", "milliseconds": "ms", "us": "us", "micro": "us", "micros": "us",
    "microsecond": "us", "microseconds": "us", "ns": "ns", "nano": "ns", "nanos": "ns", "nanosecond": "ns",
    "nanoseconds": "ns",
}  # fmt: skip
_MICROSECONDS = {"W": 604_800_000_000, "D": 86_400_000_000, "h": 3_600_000_000, "m": 60_000_000, "s": 1_000_000, "ms": 1000, "us": 1}  # fmt: skip
_LARGEST = 2**63 - 1
_NAT = np.iinfo(np.int64).min


def integers(arg: Any) -> np.ndarray:
    """Python's integers in an array of 64 bits."""
    try:
        return np.array(arg, dtype=np.int64)
    except OverflowError:
        raise NotNative("integers beyond 64 bits") from None


def _of_integers(values: np.ndarray, unit: str) -> np.ndarray:
    """Durations of whole units: in nanoseconds for those, else in microseconds."""
    if values.dtype == np.uint64 and (values > _LARGEST).any():
        raise NotNative("integers beyond 64 bits")
    values = values.astype(np.int64)
    if unit == "ns":
        return values.view("m8[ns]")
    factor = _MICROSECONDS[unit]
    there = values[values != _NAT]
    if len(there) and max(int(there.max()), -int(there.min())) > _LARGEST // factor:
        raise NotNative("durations beyond the limits")
    return np.where(values == _NAT, _NAT, values * np.int64(factor)).view("m8[us]")


def _of_floats(values: np.ndarray, unit: str) -> np.ndarray:
    """Durations of floats: as those of integers where all are whole, else in nanoseconds."""
    missing = np.isnan(values)
    there = values[~missing]
    if unit != "ns" and (np.abs(there) < 2.0**63).all() and (there == np.floor(there)).all():
        made = _of_integers(np.where(missing, 0, values).astype(np.int64), unit)
    else:
        convert = pandas._libs.tslibs.conversion.cast_from_unit_vectorized
        try:
            made = convert(values.astype(np.float64), unit).view("m8[ns]")
        except pandas.errors.OutOfBoundsDatetime:
            raise NotNative("durations beyond the limits") from None
    made[missing] = np.array("NaT", made.dtype)  # of the same unit: one without is deprecated
    return made


def durations(values: np.ndarray, unit: str) -> np.ndarray:
    """Numbers of a unit as durations, in microseconds where all are whole, else in nanoseconds.

    Raises
    ------
    NotNative
        For values of other types, and durations beyond the limits, for which pandas raises.
    """
    if values.dtype.kind in "iu":
        return _of_integers(values, unit)
    if values.dtype.kind == "f" and values.dtype.itemsize <= 8:
        return _of_floats(values, unit)
    if values.dtype.kind == "m" and np.datetime_data(values.dtype) in [(u, 1) for u in UNITS]:
        return values.copy()
    raise NotNative(f"values of type {values.dtype}")
