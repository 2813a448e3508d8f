"""Bounds of timestamps and durations in each unit: results are checked before an integer overflows."""

from __future__ import annotations

import re
from typing import Any

import numpy as np

from ... import _core
from ..._array.ufuncs import rows
from .._theirs import pandas

ndarray = _core.ndarray
_select = rows["where"]["ufunc"]
_int64 = np.dtype(np.int64)
_NAT = np.iinfo(np.int64).min
_MOST = np.iinfo(np.int64).max
_PER_SECOND = {"s": 1, "ms": 10**3, "us": 10**6, "ns": 10**9}


def unit_of(x: Any) -> str | None:
    """The unit of an array or scalar of times; None for others, and for units that pandas does not have."""
    dtype = getattr(x, "dtype", None)
    if dtype is None or getattr(dtype, "kind", "") not in "mM":
        return None
    unit, many = np.datetime_data(dtype)
    return unit if many == 1 and unit in _PER_SECOND else None


def greatest(x: Any) -> int:
    """The largest absolute count of units of an array or scalar of times, without missing ones."""
    if type(x) is not ndarray:
        count = int(x.astype(np.int64))
        return 0 if count == _NAT else abs(count)
    if len(x) == 0:
        return 0
    counts = x.view(_int64)
    return max(int(counts.max()), -int(_select(counts == _NAT, 0, counts).min()), 0)


def common_unit(*operands: Any) -> str | None:
    """The finest unit of some times; None where one has a unit of its own."""
    units = [unit_of(x) for x in operands]
    return None if None in units else max(units, key=lambda u: _PER_SECOND[u])  # type: ignore[arg-type, index]


def _factor(x: Any, unit: str) -> int:
    return max(_PER_SECOND[unit] // _PER_SECOND[unit_of(x)], 1)  # type: ignore[index]


def fit(x: Any, unit: str) -> bool:
    """Whether a unit represents times of another."""
    factor = _factor(x, unit)
    return factor == 1 or greatest(x) * factor <= _MOST


def fit_together(a: Any, b: Any, added: bool) -> bool:
    """Whether the common unit represents two operands; with `added`, also their sum and difference."""
    unit = common_unit(a, b)
    if unit is None:
        return False
    if not added:
        return fit(a, unit) and fit(b, unit)
    return greatest(a) * _factor(a, unit) + greatest(b) * _factor(b, unit) <= _MOST


def in_unit_of(many: ndarray, one: Any) -> Any:
    """A time in the unit of others, if it has one there; else as it is. Compared so, the others need no conversion."""
    unit, to = unit_of(one), unit_of(many)
    if unit is None or to is None or unit == to:
        return one
    count, per = int(one.astype(np.int64)), _PER_SECOND[to]
    whole, rest = divmod(count * per, _PER_SECOND[unit])
    if count == _NAT:
        whole = _NAT
    elif rest != 0 or abs(whole) > _MOST:
        return one
    return np.int64(whole).view(many.dtype)


def sum_fits(values: ndarray) -> bool:
    """Whether every sum of these durations fits into their unit."""
    return greatest(values) * len(values) <= _MOST


def cast(values: ndarray, dtype: np.dtype) -> ndarray:
    """Times in another unit.

    Raises
    ------
    pandas.errors.OutOfBoundsDatetime, pandas.errors.OutOfBoundsTimedelta
        When that unit cannot represent one of them.
    """
    unit = unit_of(np.empty(0, dtype))
    if values.dtype != dtype and unit is not None and unit_of(values) is not None and not fit(values, unit):
        pandas.Series(_core.to_numpy(values)).astype(dtype)  # pandas names the value
    return values.astype(dtype, copy=False)


_ISO = re.compile(r"\d{4}-\d\d-\d\d([ T]\d\d:\d\d(:\d\d(\.\d{1,6})?)?)?", re.ASCII)


def iso_time(text: str) -> np.datetime64 | None:
    """The time that a string of ISO 8601 means, in pandas' unit for it; None for other strings."""
    try:
        return np.datetime64(text, "us") if _ISO.fullmatch(text) and text[:4] != "0000" else None
    except ValueError:  # a day or an hour that does not exist
        return None
