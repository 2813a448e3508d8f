"""Operations on categories and timezone-aware timestamps by their integers: comparison, difference, replacement of values."""

from __future__ import annotations

import datetime
from typing import Any

import numpy as np

from ... import _core
from ..._array.ufuncs import by_name
from ..._array.ufuncs import rows as _ufuncs
from .._fallback.native import NotNative
from .._stand_ins import STR, CategoryType, labelled
from .._theirs import own, pandas, seen
from .any_kind import AnyKind
from .column import AnyColumn, Column, HostColumn, from_pandas_array, ndarray, plain

_select = _ufuncs["where"]["ufunc"]
_COMPARED = {"eq": "equal", "ne": "not_equal", "lt": "less", "le": "less_equal", "gt": "greater", "ge": "greater_equal"}
_TURNED = {"lt": "gt", "le": "ge", "gt": "lt", "ge": "le"}


def operands(op: str, a: Any, b: Any) -> tuple[Any, Any, Any]:
    """Operands as plain columns in place of timezone-aware timestamps, and the time zone of the result, or None.

    Raises
    ------
    NotNative
        For operands that only pandas combines.
    """
    zones = [getattr(x, "zone", None) for x in (a, b)]
    zone = zones[1] if zones[0] is None else zones[0]
    for x in (a, b) if zone is None else ():
        if isinstance(x, AnyKind):
            x.own()
    pair = [_alongside_timestamps(x, zone) if z is None else x.utc() for x, z in zip((a, b), zones)]
    times = [z is not None or isinstance(x, (str, pandas.Timestamp)) for x, z in zip((a, b), zones)]
    if op not in _COMPARED and (isinstance(a, str) or isinstance(b, str)):
        raise NotNative("arithmetic with text")
    if op in _COMPARED or op == "sub":
        if all(times):
            return pair[0], pair[1], None
        if op != "sub" or not times[0]:
            raise NotNative("moments of a zone together with other values")
    elif op != "add" or all(times):
        raise NotNative("moments of a zone in arithmetic")
    return pair[0], pair[1], zone


def _alongside_timestamps(x: Any, zone: Any) -> Any:
    """A scalar time as naive UTC; durations unchanged."""
    if isinstance(x, AnyKind):
        x.plain_values("m", "moments of a zone together with other values")
    if isinstance(x, (AnyKind, np.timedelta64)):
        return x
    return timestamp(x, zone)


def timestamp(x: Any, zone: Any) -> np.datetime64:
    """A scalar as a time in UTC; a string is a wall time of the zone."""
    if not isinstance(x, (str, datetime.datetime)):
        raise NotNative(f"a value of type {type(x).__name__} together with moments of a zone")
    try:
        time = pandas.Timestamp(x)
        if isinstance(x, str) and time is not seen.NaT and time.tz is None:
            time = pandas.Timestamp(x, tz=zone)
    except (ValueError, TypeError):
        raise NotNative("strings in place of datetimes") from None
    if time is seen.NaT or time.tz is None:
        raise NotNative("datetimes with and without a time zone")
    return time.tz_convert(None).to_datetime64()


def compared(op: str, a: Any, b: Any) -> Column:
    """A comparison of categories with others of their set, or with a scalar."""
    if not (isinstance(a, AnyKind) and a.has_categories):
        a, b, op = b, a, _TURNED.get(op, op)
    dtype, codes = a.dtype, a.codes
    if op not in _COMPARED:
        raise NotNative(f"values of type {dtype}")
    if isinstance(b, AnyKind):
        other = codes_of_set(dtype, b)
        both = (codes >= 0) & (other >= 0)
    else:
        at = place(dtype, b)
        if at < 0 and op in ("eq", "ne"):
            return plain(_core.full((len(codes),), op == "ne", np.dtype(bool), codes.device))
        if at < 0:
            raise NotNative("a value that is not a category")
        other, both = np.int64(at), codes >= 0
    if op not in ("eq", "ne") and not dtype.ordered:
        raise TypeError("Unordered Categoricals can only compare equality or not")
    found = by_name[_COMPARED[op]](codes, other)
    return plain(found | ~both if op == "ne" else found & both)


def category_type(there: Column, ordered: bool = False) -> Any:
    """The type whose categories are the rows of a column, which differ from each other."""
    kinds = labelled(there.objects()) if there.dtype in (np.dtype(np.int64), STR) and not there.has_missing() else None
    if kinds is not None:
        return CategoryType(kinds, ordered, there)
    index = pandas.Index(there.to_pandas_array(), dtype=own(there.dtype), copy=False)
    return pandas.CategoricalDtype(index, ordered)


def categories_of(dtype: Any) -> AnyColumn:
    """The categories of a type."""
    there = dtype.column if type(dtype) is CategoryType else None
    return from_pandas_array(own(dtype).categories.array) if there is None else there


def codes_of_set(dtype: Any, c: AnyColumn) -> ndarray:
    """The codes of a column's categories in a categorical type, which must be the column's own."""
    if not c.has_categories:
        raise NotNative("categories together with other values")
    if c.dtype != dtype or not c.dtype.categories.equals(dtype.categories):
        raise NotNative("categories of two sets")
    return c.codes


def place(dtype: Any, x: Any) -> int:
    """The code of a category; -1 for values that are none."""
    try:
        found = dtype.categories.get_loc(x) if x in dtype.categories else -1
    except TypeError:
        raise NotNative("a value that is not a category") from None
    return int(found)


def values_of_categories(c: HostColumn, convert: Any = lambda kinds: kinds) -> AnyColumn:
    """The values of the categories of each row; each category is converted once."""
    there = convert(categories_of(c.dtype))
    codes = c.codes
    return there.take(codes, bool((codes < 0).any()))
