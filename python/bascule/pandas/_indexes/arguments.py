"""Helpers that the methods of indexes share: positions and labels given by a user, and the fallback to pandas."""

from __future__ import annotations

import datetime
from collections.abc import Callable
from functools import wraps
from typing import Any

import numpy as np

from ... import _core
from .. import _classes, _fallback
from .._columns.column import Column, Core, HostColumn, ndarray, one_string, whole
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
    if isinstance(c, HostColumn):
        raise NotNative(f"labels of type {c.dtype}")
    return c


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
        c = x._column
        if c.is_text:
            raise NotNative("strings in place of numbers")
        x = whole(c, "bool" if c.dtype.kind == "b" else "int64") if isinstance(c, Column) else c.to_numpy()
    if type(x) is ndarray:
        return x
    there = np.asarray(x)
    if there.dtype.kind not in "biufmM":
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
    if a.dtype.kind not in "iub" and a.size:
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
    if c is not None and c.is_masked and not c.is_text and c.has_missing():
        if c.values.dtype.kind != "b":
            raise ValueError("Cannot index with an integer indexer containing NA values")
        return c.values & c.core.valid
    a = array_of(x)
    return a if a.dtype.kind == "b" else positions_given(a, n)


def labels_given(x: Any, like: Any) -> tuple[Any, Any]:
    """Labels given by a user for a comparison, as an index, and the name of the result."""
    if isinstance(x, pandas.Index):
        x = _fallback.from_pandas(x)
    if isinstance(x, _classes.Index):
        return x, like.name if same_name(like.name, x.name) else None
    if isinstance(x, (str, bytes, dict)) or not hasattr(x, "__len__"):
        raise NotNative(f"labels of type {type(x).__name__}")
    made = column(x)
    if made is None or (made.dtype.kind == "f" and made.has_missing()):
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
    value = c.fitting(x)
    if c.is_text:
        return c, one_string(value, c.dtype, c.device)
    return c, Column(Core.plain(_core.from_numpy(np.asarray([value], dtype=c.values.dtype), c.device)), c.dtype)


def _room_for_missing(c: Column, x: Any) -> tuple[Column, Column]:
    if c.is_masked:
        raise NotNative("missing labels of this type")
    numbers = c.letter in "iuf"
    if numbers and (x is seen.NaT or x is seen.NA or c.dtype.kind == "u"):
        raise NotNative("unsupported missing labels")
    if c.is_plain("mM") and x is not seen.NaT and x is not None:
        raise NotNative("unsupported missing labels")
    if c.letter == "b":
        raise NotNative("missing labels among booleans")
    if numbers and c.dtype.kind == "i":
        c = Column(Core.plain(c.values.astype(FLOAT64)), FLOAT64)
    hole = (c.core if len(c) else c.core).take(_core.full((1,), -1, INT64, c.device), True)
    return c, Column(hole, c.dtype)


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
    if a.nlevels > 1 or any(c.is_text or c.is_masked for c in (*a._columns, *b._columns)):
        raise NotNative("labels of two types")
    s, t = types[0]
    if s.kind not in "iuf" or t.kind not in "iuf" or {s.kind, t.kind} == {"i", "u"}:
        raise NotNative("labels of two types")
    both = np.result_type(s, t)
    return a.astype(both), b.astype(both)


def _in_unit(key: Any, dtype: np.dtype) -> Any:
    """A timestamp or duration in an index's unit; ValueError for values that the unit cannot represent."""
    unit = np.datetime_data(dtype)[0]
    if dtype.kind == "M" and isinstance(key, (datetime.datetime, np.datetime64)):
        key = pandas.Timestamp(key)
        if key.tz is not None:
            raise ValueError("a time of a zone among times of none")
        return key.as_unit(unit, round_ok=False).to_datetime64()
    if dtype.kind == "m" and isinstance(key, (datetime.timedelta, np.timedelta64)):
        return pandas.Timedelta(key).as_unit(unit, round_ok=False).to_timedelta64()
    return key
