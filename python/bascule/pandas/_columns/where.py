"""Selection of rows between two columns, with the result types of pandas."""

from __future__ import annotations

from typing import Any

import numpy as np

from ... import _core
from ..._array.ufuncs import by_name, rows
from .._fallback.native import NotNative
from .._theirs import seen
from .any_kind import AnyKind, is_missing_scalar
from .by_numbers import codes_of_set, place, timestamp
from .column import (
    AnyColumn,
    Column,
    HostColumn,
    categories,
    in_zone,
    ndarray,
    plain,
    positions,
)

_select = rows["where"]["ufunc"]
_int64, _float64 = np.dtype(np.int64), np.dtype(np.float64)


def choose(mask: ndarray, c: AnyColumn, other: Any) -> AnyColumn:
    """Rows of a column where the mask is true, and those of another column, or a scalar, where it is false.

    Raises
    ------
    NotNative
        When pandas has to decide about the type.
    """
    return c.chosen(mask, other)


def choose_own(c: Column, mask: ndarray, other: Any) -> Column:
    """As `choose`, for values in bascule's memory."""
    if isinstance(other, AnyKind):
        return _between(mask, c, other.own())
    if is_missing_scalar(other):
        c.refuse_missing(other)
        return c.or_missing(mask)
    if c.dtype == _int64 and isinstance(other, (float, np.floating)) and not float(other).is_integer():
        return c if bool(mask.all()) else plain(_select(mask, c.values.astype(_float64), float(other)))
    try:
        value = c.fitting(other)
    except NotNative:
        if bool(mask.all()):
            return c
        raise
    return c.or_scalar(mask, value)


def _between(mask: ndarray, c: Column, other: Column) -> Column:
    if c.dtype != other.dtype:
        if c.dtype == _float64 and other.dtype == _int64:
            return plain(_select(mask, c.values, other.values.astype(_float64)))
        if bool(mask.all()):
            return c
        if {c.dtype, other.dtype} == {_int64, _float64}:
            return plain(_select(mask, c.values.astype(_float64), other.values))
        raise NotNative("columns of two types")
    return c.or_rows(mask, other)


def codes_among(dtype: Any, x: Any) -> Any:
    """The codes, in a categorical type, of a column of that type or of a scalar category; -1 where missing."""
    if isinstance(x, AnyKind):
        return codes_of_set(dtype, x)
    if is_missing_scalar(x):
        if x is seen.NaT and not issubclass(dtype.categories.dtype.type, (np.datetime64, np.timedelta64)):
            raise NotNative("NaT among other categories")
        return np.int64(-1)
    at = place(dtype, x)
    if at < 0:
        raise NotNative("a value that is not a category")
    return np.int64(at)


def choose_categories(c: HostColumn, mask: ndarray, other: Any) -> HostColumn:
    return categories(_select(mask, c.codes, codes_among(c.dtype, other)), c.dtype)


def choose_zoned(c: HostColumn, mask: ndarray, other: Any) -> HostColumn:
    """As `choose`, for timezone-aware timestamps."""
    if isinstance(other, str):
        raise NotNative(f"values together with those of type {c.dtype}")
    if isinstance(other, AnyKind):
        times = other.utc(f"values together with those of type {c.dtype}")
        if other.dtype != c.dtype:
            raise NotNative("moments of two zones")
    else:
        times = other if is_missing_scalar(other) else timestamp(other, c.zone)
    found = choose(mask, c.utc(), times)
    if found.dtype != c.utc().dtype:
        raise NotNative("moments of two units")
    return in_zone(found.values, c.zone)


def filled(c: AnyColumn, value: Any) -> AnyColumn:
    """A column with missing values replaced by a scalar, or by the same row of another column."""
    if not c.can_lack:
        return c
    if not is_missing_scalar(value):
        return c.filled(value)
    if not isinstance(value, float) or c.own("missing values filled with missing ones").is_masked:
        raise NotNative("missing values filled with missing ones")
    return c


def fill_own(c: Column, value: Any) -> Column:
    """As `filled`, for values in bascule's memory."""
    if not c.has_missing():
        return c
    made = c.chosen(~c.missing(), value)
    if made.dtype != c.dtype:
        raise NotNative("a value of another type")
    return made


def fill_floats(c: Column, value: Any) -> Column:
    if isinstance(value, AnyKind):
        return fill_own(c, value)
    return plain(_select(by_name["isnan"](c.values), c.fitting(value), c.values))


def fill_masked(c: Column, value: Any) -> Column:
    made = fill_own(c, value)
    return made if isinstance(value, AnyKind) else Column(_core.Column.plain(made.values), made.dtype)


def carried(c: AnyColumn, forward: bool, limit: int | None = None) -> AnyColumn:
    """A column with missing values replaced by the valid value before, or after, them; at most `limit` in a row."""
    if not c.can_lack:
        return c
    if not c.has_keys:
        raise NotNative(f"values of type {c.dtype}")
    if not c.has_missing():
        return c
    n = len(c)
    at, gone = positions(n, c.device), c.missing()
    if forward:
        source = by_name["maximum"].accumulate(_select(gone, -1, at))
        near = None if limit is None else at - source <= limit
    else:
        after = by_name["minimum"].accumulate(_select(gone, n, at)[::-1])[::-1]
        source = _select(after == n, -1, after)
        near = None if limit is None else after - at <= limit
    return c.take(source if near is None else _select(near, source, -1), True)


def filled_pair(left: AnyColumn, right: AnyColumn, fill_value: Any) -> tuple[AnyColumn, AnyColumn]:
    """Two columns in which a value that is missing in one of them only is replaced."""
    for c in (left, right):
        c.plain_values("biuf", "fill_value= that is not a number")
    if isinstance(fill_value, (bool, np.bool_)) or not isinstance(fill_value, (int, float, np.number)):
        raise NotNative("fill_value= that is not a number")
    a, b = left.missing(), right.missing()
    made = []
    for c, lacks, other in ((left, a, b), (right, b, a)):
        made.append(c.or_scalar(~lacks | other, c.dtype.type(fill_value)) if c.nulls() is not None else c)
    return made[0], made[1]
