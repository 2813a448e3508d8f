"""What Dask's modules call pandas: pandas, but that these functions take bascule's objects to bascule's of the same name."""

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


concat = _by_argument("concat")
isna = _by_argument("isna")
merge_asof = _by_argument("merge_asof")
notnull = _by_argument("notnull")
pivot_table = _by_argument("pivot_table")
to_datetime = _by_argument("to_datetime")
to_numeric = _by_argument("to_numeric")
to_timedelta = _by_argument("to_timedelta")


def __getattr__(name: str) -> Any:
    return getattr(pandas, name)
