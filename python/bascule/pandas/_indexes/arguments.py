"""Helpers that the methods of indexes share: positions and labels given by a user, and the fallback to pandas."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any

import numpy as np

from ... import _core
from .. import _classes, _fallback
from .._columns.column import STR, Column, Core, has_own_form, ndarray, plain
from .._columns.infer import column
from .._columns.where import is_missing_scalar
from .._fallback.native import NotNative
from .._questions import listed
from .._theirs import pandas, seen

INT64, FLOAT64 = np.dtype(np.int64), np.dtype(np.float64)


def is_number(x: Any) -> bool:
    """Whether a scalar is a number that is neither a boolean nor a duration."""
    return isinstance(x, (int, float, np.integer, np.floating)) and not isinstance(x, (bool, np.timedelta64))


def arange(n: int, device: str = "cpu") -> ndarray:
    """0, 1, ..., n - 1 as int64."""
    return _core.arange(0, 1, n, INT64, device)


def own_column(index: Any) -> Column:
    """The native labels of an index of one level; NotNative for other labels."""
    c = index._columns[0]
    if index.nlevels > 1:
        raise NotNative("several levels")
    return c.own("labels")


def with_listed_values(kind: type) -> Callable:
    """A decorator of methods that take values from an iterator only once, though pandas may be asked after them."""

    def decorated(method: Callable) -> Callable:
        @wraps(method)
        def call(self: Any, values: Any, level: Any = None) -> Any:
            return method(self, listed(values, kind), level)

        return call

    return decorated


def array_of(x: Any) -> Any:
    """An array given by a user, as bascule's; lists are converted by NumPy."""
    if type(x) is pandas.Series:
        x = _classes.Series._from_pandas(x)
    if hasattr(x, "_column") and getattr(x, "nlevels", 1) == 1:
        x = x._column.whole("bool" if x._column.selects_rows else "int64")
    if type(x) is ndarray:
        return x
    there = np.asarray(x)
    if not has_own_form(there.dtype):
        raise NotNative(f"an array of type {there.dtype}")
    return _core.from_numpy(np.ascontiguousarray(there))


def positions_given(x: Any, n: int, lowest: int | None = None) -> ndarray:
    """Positions given by a user among n rows, counted from the front.

    Raises
    ------
    IndexError
        When a position is out of range; `lowest` is the least one that is returned unchanged.
    """
    a = array_of(x)
    if a.ndim != 1:
        raise NotNative("positions of several dimensions")
    if a.size and not np.can_cast(a.dtype, INT64, "same_kind"):
        raise NotNative(f"positions of type {a.dtype}")
    a = _core.astype(a, INT64, False, "K")
    if not a.size:
        return a
    low, high = int(a.min()), int(a.max())
    if high >= n or low < (-n if lowest is None else lowest):
        bad = high if high >= n else low
        raise IndexError(f"index {bad} is out of bounds for axis 0 with size {n}")
    if low < 0 and lowest is None:
        from_end = a < 0
        a = a + _core.astype(from_end, INT64, False, "K") * n
    return a


def rows_given(x: Any, n: int) -> ndarray:
    """Positions among n rows, or a mask of them, given by a user; missing booleans select nothing."""
    c = getattr(x, "_column", None) if getattr(x, "nlevels", 1) == 1 else None
    found = None if c is None else c.booleans()
    if found is not None:
        return found
    if c is not None and c.is_masked and not c.is_text and c.has_missing():
        raise ValueError("Cannot index with an integer indexer containing NA values")
    a = array_of(x)
    return a if a.dtype == bool else positions_given(a, n)


def labels_given(x: Any, like: Any) -> tuple[Any, Any]:
    """Labels given by a user for a comparison, as an index, and the name of the result."""
    if isinstance(x, pandas.Index):
        x = _fallback.from_pandas(x)
    if isinstance(x, _classes.Index):
        return x, like.name if same_name(like.name, x.name) else None
    if isinstance(x, (str, bytes, dict)) or not hasattr(x, "__len__"):
        raise NotNative(f"labels of type {type(x).__name__}")
    made = column(x)
    if made is None or (made.is_numeric and made.has_missing()):
        raise NotNative("unsupported labels")
    return _classes.Index._of_columns([made], [like.name]), like.name


def same_name(a: Any, b: Any) -> bool:
    """Whether two names are equal; missing ones are equal to each other."""
    if a is b:
        return True
    try:
        return type(a) is type(b) and bool(a == b)
    except (TypeError, ValueError):
        return False


def one_label(c: Column, x: Any) -> tuple[Column, Column]:
    """A column in a type that can hold a label, and that label as a column of one row.

    Raises
    ------
    NotNative
        When pandas has to find the type.
    """
    if type(x) is ndarray or isinstance(x, np.ndarray):
        x = x[()] if x.ndim == 0 else x
    if is_missing_scalar(x):
        return _room_for_missing(c, x)
    if c.dtype == INT64 and isinstance(x, (float, np.floating)) and not float(x).is_integer():
        c = Column(Core.plain(c.values.astype(FLOAT64)), FLOAT64)
    return c, c.one(c.fitting(x))


def _room_for_missing(c: Column, x: Any) -> tuple[Column, Column]:
    if c.dtype != STR:
        among_times = c.times() is not None
        if x is seen.NA or (x is not None and (x is seen.NaT) != among_times):
            raise NotNative("unsupported missing labels")
        c = plain(c.values.astype(FLOAT64) if c.is_plain("i") else c.with_room()[0])
    return c, c.take(_core.full((1,), -1, INT64, c.device), True)  # type: ignore[return-value]


def common(a: Any, b: Any) -> tuple[Any, Any]:
    """Two indexes in their common type; NotNative where pandas has to find it, or has its own types for the labels.

    Parameters
    ----------
    a, b : Index

    Returns
    -------
    tuple of Index
    """
    if a.nlevels != b.nlevels or a._own is None or b._own is None:
        raise NotNative("labels of pandas extension dtypes, or of another number of levels")
    types = [(c.dtype, d.dtype) for c, d in zip(a._columns, b._columns)]
    if all(s == t for s, t in types):
        return a, b
    if a.nlevels > 1:
        raise NotNative("labels of two types")
    s, t = (i._columns[0].plain_values("iuf", "labels of two types").dtype for i in (a, b))
    both = np.result_type(s, t)
    if not np.can_cast(both, INT64) and np.can_cast(s, INT64, "same_kind") and np.can_cast(t, INT64, "same_kind"):
        raise NotNative("labels of two types")
    return a.astype(both), b.astype(both)
