"""A stand-in for pandas in Dask's modules: functions pass bascule's objects to bascule's function of the same name.

Where such a module checks for a frame, series or index of pandas, one of bascule's passes the check.
"""

from __future__ import annotations

import functools
import sys
from collections.abc import Iterable
from typing import Any

import pandas

from ._own_frames import is_ours


def _any_ours(values: Iterable) -> bool:
    return any(is_ours(x) or (isinstance(x, (list, tuple)) and any(map(is_ours, x))) for x in values)


def _by_argument(name: str) -> Any:
    theirs = getattr(pandas, name)

    @functools.wraps(theirs)
    def function(*args: Any, **kwargs: Any) -> Any:
        ours = _any_ours(args) or _any_ours(kwargs.values())
        return (getattr(sys.modules["bascule.pandas"], name) if ours else theirs)(*args, **kwargs)

    function.__module__ = __name__  # tasks have them by reference
    return function


class _EitherKind(type):
    """A class of pandas' and bascule's class of the same name; other attributes are pandas'."""

    _theirs: Any

    def __instancecheck__(cls, x: Any) -> bool:
        if not is_ours(x):
            return isinstance(x, cls._theirs)
        return issubclass(type(x), getattr(sys.modules["bascule.pandas"], cls._theirs.__name__))

    def __call__(cls, *args: Any, **kwargs: Any) -> Any:
        return cls._theirs(*args, **kwargs)

    def __getattr__(cls, name: str) -> Any:
        return getattr(cls._theirs, name)


def _either(name: str) -> Any:
    return _EitherKind(name, (), {"_theirs": getattr(pandas, name), "__module__": __name__})


CategoricalIndex = _either("CategoricalIndex")
DataFrame = _either("DataFrame")
DatetimeIndex = _either("DatetimeIndex")
Index = _either("Index")
MultiIndex = _either("MultiIndex")
PeriodIndex = _either("PeriodIndex")
RangeIndex = _either("RangeIndex")
Series = _either("Series")
TimedeltaIndex = _either("TimedeltaIndex")

concat = _by_argument("concat")
get_dummies = _by_argument("get_dummies")
isna = _by_argument("isna")
merge_asof = _by_argument("merge_asof")
notnull = _by_argument("notnull")
pivot_table = _by_argument("pivot_table")
to_datetime = _by_argument("to_datetime")
to_numeric = _by_argument("to_numeric")
to_timedelta = _by_argument("to_timedelta")


def __getattr__(name: str) -> Any:
    return getattr(pandas, name)
