"""Ranges of dates."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas
from pandas.tseries.frequencies import to_offset

from ... import _core
from ...lib import creation
from .. import _fallback
from .._columns.column import plain
from .._indexes.index import from_column

_UNITS = ("s", "ms", "us", "ns")
_FINEST = {"ms": 1, "us": 2, "ns": 3}  # of the frequencies that are finer than seconds
_PER_SECOND = (1, 10**3, 10**6, 10**9)
_FIXED = (pandas.offsets.Tick, pandas.offsets.Day)


def date_range(
    start: Any = None, end: Any = None, periods: Any = None, freq: Any = None, tz: Any = None, normalize: bool = False, name: Any = None,
    inclusive: str = "both", *, unit: str | None = None, **kwargs: Any,
) -> Any:  # fmt: skip
    """Dates at a frequency.

    Parameters
    ----------
    start, end : date-like, optional
        The first, and the last possible one.
    periods : int, optional
        How many; two of start, end and periods are given.
    freq : str or offset, optional
        "D" by default.
    tz, normalize, name, inclusive, unit, **kwargs
        As pandas'.

    Returns
    -------
    DatetimeIndex

    Examples
    --------
    >>> import bascule.pandas as pd
    >>> pd.date_range("2020-01-30", periods=3).day.tolist()
    [30, 31, 1]
    """
    plainly = tz is None and not normalize and unit is None and inclusive == "both" and not kwargs
    made = _even(start, end, periods, freq, name) if plainly else None
    if made is not None:
        return made
    options = dict(start=start, end=end, periods=periods, freq=freq, tz=tz, normalize=normalize, name=name, inclusive=inclusive, unit=unit)  # fmt: skip
    reason = "a frequency that is no fixed length, tz= or options"
    return _fallback.run("pandas.date_range", reason, pandas.date_range, **options, **kwargs)


def _even(start: Any, end: Any, periods: Any, freq: Any, name: Any) -> Any:
    """Dates of no zone at a fixed length of time from each other; None of others."""
    if sum(x is not None for x in (start, end, periods)) != 2 or not isinstance(freq, (str, type(None), *_FIXED)):
        return None
    if periods is not None and (isinstance(periods, bool) or not isinstance(periods, (int, np.integer)) or periods < 0):
        return None
    try:
        step = to_offset("D" if freq is None else freq)
        ends = [None if x is None else pandas.Timestamp(x) for x in (start, end)]
    except (ValueError, TypeError):
        return None  # pandas says what is wrong
    given = [x for x in ends if x is not None]
    if not isinstance(step, _FIXED) or any(x is pandas.NaT or x.tz is not None for x in given):
        return None
    fineness = max(_FINEST.get(step.rule_code, 0), *(_UNITS.index(x.unit) for x in given))
    nanoseconds = step.n * 86400 * 10**9 if isinstance(step, pandas.offsets.Day) else step.nanos
    each = nanoseconds * _PER_SECOND[fineness] // 10**9
    first, last = (None if x is None else int(x.as_unit(_UNITS[fineness])._value) for x in ends)
    if each == 0:
        return None
    count = max((last - first) // each + 1, 0) if periods is None else int(periods)
    first = last - (count - 1) * each if first is None else first
    if max(abs(first), abs(first + count * each)) >= 2**63 - 1:
        return None
    values = (creation.arange(count, dtype=np.int64) * each + first).view(np.dtype(f"M8[{_UNITS[fineness]}]"))
    _core.evaluate(values)
    return from_column(plain(values), name)._at(step)
