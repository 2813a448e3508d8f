"""Selection of rows between two columns, with the result types of pandas."""

from __future__ import annotations

import datetime
from typing import Any

import numpy as np
import pandas

from ... import _core
from ..._array.ufuncs import by_name, rows
from .._fallback.native import NotNative
from .by_numbers import codes_of_set, moment, place
from .column import AnyColumn, Column, HostColumn, ndarray, plain
from .numbered import categories, codes_of, in_zone, is_categories, is_zoned, moments
from .operators import _one_row

_select = rows["where"]["ufunc"]
_int64, _float64 = np.dtype(np.int64), np.dtype(np.float64)


def positions(n: int, device: str) -> ndarray:
    """0, 1, ..., n - 1."""
    return _core.arange(0, 1, n, _int64, device)


def is_missing_scalar(x: Any) -> bool:
    """Whether a scalar is a missing value."""
    return x is None or x is pandas.NA or x is pandas.NaT or (isinstance(x, (float, np.floating)) and bool(x != x))


def fitting(c: Column, x: Any) -> Any:
    """A scalar as a value of the column's type.

    Raises
    ------
    NotNative
        When the type would have to change, or pandas has to decide.
    """
    kind = c.values.dtype.kind if not c.is_text else "t"
    dtype = c.values.dtype
    if type(x) is ndarray and x.ndim == 0:
        x = _core.to_numpy(x)[()]
    if kind == "t":
        if isinstance(x, str):
            return x
    elif isinstance(x, (bool, np.bool_)):
        if kind == "b":
            return bool(x)
    elif isinstance(x, (int, float, np.integer, np.floating)) and not isinstance(x, np.timedelta64):
        if kind == "f" and (dtype.itemsize == 8 or float(dtype.type(x)) == float(x)):
            return dtype.type(x)
        if kind in "iu" and float(x).is_integer() and np.iinfo(dtype).min <= int(x) <= np.iinfo(dtype).max:
            if not (c.is_masked and isinstance(x, (float, np.floating))):
                return dtype.type(int(x))
    elif kind in "mM":
        made = _time(x, kind)
        if made is not None:
            exact = made.as_unit(np.datetime_data(dtype)[0])
            if exact == made:
                return (exact.to_datetime64() if kind == "M" else exact.to_timedelta64()).astype(dtype)
    raise NotNative(f"a value of type {type(x).__name__} in a column of type {c.dtype}")


def _time(x: Any, kind: str) -> Any:
    if kind == "M" and isinstance(x, (datetime.datetime, np.datetime64)):
        made = pandas.Timestamp(x)
        return None if made is pandas.NaT or made.tz is not None else made
    if kind == "m" and isinstance(x, (datetime.timedelta, np.timedelta64)):
        made = pandas.Timedelta(x)
        return None if made is pandas.NaT else made
    return None


def choose(mask: ndarray, c: AnyColumn, other: Any) -> AnyColumn:
    """Rows of a column where the mask is true, and those of another column, or a scalar, where it is false.

    Raises
    ------
    NotNative
        When pandas has to decide about the type.
    """
    if isinstance(c, HostColumn):
        return put(mask, c, other)
    if isinstance(other, HostColumn):
        raise NotNative(f"values of type {other.dtype}")
    if isinstance(other, Column):
        return _between(mask, c, other)
    if is_missing_scalar(other):
        refuse_missing(c, other)
        return _or_missing(mask, c)
    if not c.is_text and c.values.dtype == _int64 and not c.is_masked and isinstance(other, (float, np.floating)):
        if not float(other).is_integer():
            return c if bool(mask.all()) else plain(_select(mask, c.values.astype(_float64), float(other)))
    try:
        value = fitting(c, other)
    except NotNative:
        if bool(mask.all()):
            return c
        raise
    if c.is_text:
        there = _one_row(value, c.dtype, c.device)
        both = _core.concat_columns([c.core, there.core])
        n = len(c)
        return Column(both.take(_select(mask, positions(n, c.device), n), False), c.dtype)
    values = _select(mask, c.values, value)
    valid = c.core.valid
    return Column(_core.Column.plain(values, None if valid is None else valid | ~mask), c.dtype)


def refuse_missing(c: Column, x: Any) -> None:
    """NotNative for a missing value of another kind: NA among times, NaT among other values."""
    times = not c.is_text and not c.is_masked and c.dtype.kind in "mM"
    if x is pandas.NA if times else x is pandas.NaT:
        raise NotNative("NA among times, or NaT among others")


def _or_missing(mask: ndarray, c: Column) -> Column:
    n = len(c)
    if c.is_text:
        return Column(c.core.take(_select(mask, positions(n, c.device), -1), True), c.dtype)
    if c.is_masked:
        valid = mask if c.core.valid is None else c.core.valid & mask
        return Column(_core.Column.plain(c.values, valid), c.dtype)
    kind = c.dtype.kind
    if kind == "f":
        return plain(_select(mask, c.values, c.dtype.type(np.nan)))
    if kind in "mM":
        return plain(_select(mask, c.values, np.array("NaT", dtype=c.dtype)[()]))
    if bool(mask.all()):
        return c
    if c.dtype == _int64:
        return plain(_select(mask, c.values.astype(_float64), np.nan))
    raise NotNative(f"missing values in a column of type {c.dtype}")


def _between(mask: ndarray, c: Column, other: Column) -> Column:
    if c.dtype != other.dtype:
        kinds = {x.dtype.kind for x in (c, other) if isinstance(x.dtype, np.dtype)}
        if c.dtype == _float64 and other.dtype == _int64:
            return plain(_select(mask, c.values, other.values.astype(_float64)))
        if bool(mask.all()):
            return c
        if {c.dtype, other.dtype} == {_int64, _float64} and kinds <= set("if"):
            return plain(_select(mask, c.values.astype(_float64), other.values))
        raise NotNative("columns of two types")
    if c.is_text:
        both = _core.concat_columns([c.core, other.core])
        at = positions(len(c), c.device)
        return Column(both.take(_select(mask, at, at + len(c)), False), c.dtype)
    values = _select(mask, c.values, other.values)
    if not c.is_masked:
        return plain(values)
    a, b = c.core.valid, other.core.valid
    if a is None and b is None:
        return Column(_core.Column.plain(values), c.dtype)
    every = _core.full((len(c),), True, np.dtype(bool), c.device)
    return Column(
        _core.Column.plain(values, _select(mask, every if a is None else a, every if b is None else b)), c.dtype
    )


def codes_among(dtype: Any, x: Any) -> Any:
    """The codes, in a categorical type, of a column of that type or of a scalar category; -1 where missing."""
    if isinstance(x, (Column, HostColumn)):
        return codes_of_set(dtype, x)
    if is_missing_scalar(x):
        if x is pandas.NaT and dtype.categories.dtype.kind not in "mM":
            raise NotNative("NaT among other categories")
        return np.int64(-1)
    at = place(dtype, x)
    if at < 0:
        raise NotNative("a value that is not a category")
    return np.int64(at)


def put(mask: ndarray, c: HostColumn, other: Any) -> AnyColumn:
    """Rows of a column where the mask is true; where it is false those of another, a scalar, or missing values."""
    if is_categories(c):
        return categories(_select(mask, codes_of(c), codes_among(c.dtype, other)), c.dtype)
    if not is_zoned(c):
        raise NotNative(f"values of type {c.dtype}")
    if is_zoned(other):
        if other.dtype != c.dtype:
            raise NotNative("moments of two zones")
        other = moments(other)
    elif isinstance(other, (Column, HostColumn)) or isinstance(other, str):
        raise NotNative(f"values together with those of type {c.dtype}")
    elif not is_missing_scalar(other):
        other = moment(other, c.dtype.tz)
    found = choose(mask, moments(c), other)
    if found.dtype != moments(c).dtype:
        raise NotNative("moments of two units")
    return in_zone(found.values, c.dtype.tz)


def filled(c: AnyColumn, value: Any) -> AnyColumn:
    """A column with missing values replaced by a scalar, or by the same row of another column."""
    if isinstance(c, HostColumn):
        if is_missing_scalar(value):
            raise NotNative("missing values filled with missing ones")
        return put(~c.missing(), c, value)
    if not c.is_text and not c.is_masked and c.dtype.kind in "biu":
        return c
    if is_missing_scalar(value):
        if isinstance(value, float) and not c.is_masked:
            return c
        raise NotNative("missing values filled with missing ones")
    if not c.is_masked and not c.is_text and c.dtype.kind == "f" and not isinstance(value, Column):
        v = c.values
        return plain(_select(by_name["isnan"](v), fitting(c, value), v))
    if not c.has_missing():
        return c
    made = choose(~c.missing(), c, value)
    if isinstance(made, Column) and made.is_masked and not made.is_text and not isinstance(value, Column):
        return Column(_core.Column.plain(made.values), made.dtype)
    if isinstance(made, Column) and made.dtype != c.dtype:
        raise NotNative("a value of another type")
    return made


def carried(c: AnyColumn, forward: bool) -> AnyColumn:
    """A column with missing values replaced by the valid value before, or after, them."""
    if not isinstance(c, HostColumn) and not c.is_text and not c.is_masked and c.dtype.kind in "biu":
        return c
    if isinstance(c, HostColumn) and not (is_categories(c) or is_zoned(c)):
        raise NotNative(f"values of type {c.dtype}")
    if not c.has_missing():
        return c
    n = len(c)
    at, gone = positions(n, c.device), c.missing()
    if forward:
        return c.take(by_name["maximum"].accumulate(_select(gone, -1, at)), True)
    after = by_name["minimum"].accumulate(_select(gone, n, at)[::-1])[::-1]
    return c.take(_select(after == n, -1, after), True)
