"""Columns in other types."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

import numpy as np

from ... import _core
from ..._array.ufuncs import by_name, rows
from .._fallback.native import NotNative
from .._theirs import is_loaded, pandas, pyarrow
from . import arrow_bits
from .by_numbers import categories_of, category_type, values_of_categories
from .column import (
    AnyColumn,
    Column,
    Core,
    HostColumn,
    adopt,
    categories,
    class_of,
    from_pandas_array,
    ndarray,
    plain,
    text_of,
)
from .time_limits import cast

_select = rows["where"]["ufunc"]
_int64, _float64 = np.dtype(np.int64), np.dtype(np.float64)


def converted(c: AnyColumn, dtype: Any) -> AnyColumn:
    """A column in another type, as astype converts it: the class of the type names the method that converts to it."""
    if c.dtype == dtype:
        return c
    return getattr(c, class_of(dtype).converter)(dtype)


# ---- numbers; the functions from here on are methods of kinds of columns


def _whole(values: ndarray, dtype: np.dtype) -> None:
    """Raise unless the floats can become integers: finite and within the type's range."""
    if not len(values):
        return
    if not bool(by_name["isfinite"](values).all()):
        raise pandas.errors.IntCastingNaNError(
            "Cannot convert non-finite values (NA or inf) to integer. Replace or remove non-finite values or cast to an "
            "integer type that supports these values (e.g. 'Int64')"
        )
    low, high = float(values.min()), float(values.max())
    if not np.iinfo(dtype).min <= low or not high < float(np.iinfo(dtype).max) + 1:
        raise NotNative("floats beyond the integers")


def as_number(c: Column, dtype: np.dtype) -> Column:
    return plain(c.values.astype(dtype))


def as_float(c: Column, dtype: np.dtype) -> Column:
    return c.stays(dtype) if dtype.itemsize < 4 else as_number(c, dtype)


def floats_as_integers(c: Column, dtype: np.dtype) -> Column:
    _whole(c.values, dtype)
    return as_number(c, dtype)


def _refuse_na(c: Column, name: str) -> None:
    if c.has_missing():
        raise ValueError(f"cannot convert NA to {name}")


def masked_as_bools(c: Column, dtype: np.dtype) -> Column:
    _refuse_na(c, "bool")
    return as_number(c, dtype)


def masked_as_integers(c: Column, dtype: np.dtype) -> Column:
    _refuse_na(c, "integer")
    return as_number(c, dtype)


def masked_floats_as_integers(c: Column, dtype: np.dtype) -> Column:
    _refuse_na(c, "integer")
    return c.stays(dtype)


def masked_as_floats(c: Column, dtype: np.dtype) -> Column:
    if not c.has_missing():
        return as_float(c, dtype)
    return plain(_select(c.core.valid, c.values.astype(dtype), dtype.type(np.nan)))


def times_as_integers(c: Column, dtype: np.dtype) -> Column:
    if dtype != _int64 or c.has_missing():
        return c.stays(dtype)
    return plain(c.values.view(_int64).astype(_int64, copy=True))


def as_times(c: Column, dtype: np.dtype) -> Column:
    return plain(cast(c.values, dtype))


# ---- numbers that may be NA


def as_masked(c: Column, dtype: Any) -> Column:
    return Column(_core.Column.plain(c.values.astype(dtype.numpy_dtype), c.core.valid), dtype)


def integers_as_masked(c: Column, dtype: Any) -> Column:
    if not np.can_cast(c.values.dtype, dtype.numpy_dtype):
        raise NotNative("integers that may not fit")
    return as_masked(c, dtype)


def floats_as_masked(c: Column, dtype: Any) -> Column:
    nulls = by_name["isnan"](c.values)
    if not bool(nulls.any()):
        return as_masked(c, dtype)
    return as_masked(Column(_core.Column.plain(_select(nulls, c.values.dtype.type(1), c.values), ~nulls), dtype), dtype)


def floats_as_masked_integers(c: Column, dtype: Any) -> Column:
    known = _select(by_name["isnan"](c.values), c.values.dtype.type(1), c.values)
    if not bool((by_name["isfinite"](known) & (by_name["floor"](known) == known)).all()):
        raise NotNative("floats that are not integers")
    _whole(known, dtype.numpy_dtype)
    return floats_as_masked(c, dtype)


# ---- strings


def _check_host(c: AnyColumn, dtype: Any) -> None:
    if c.device != "cpu":
        c.stays(dtype)


def integers_as_text(c: Column, dtype: Any) -> Column:
    _check_host(c, dtype)
    return _lines(c, dtype)


def floats_as_text(c: Column, dtype: Any) -> Column:
    return written(c, dtype) if c.dtype == _float64 else c.stays(dtype)


def text_as_text(c: Column, dtype: Any) -> Column:
    if c.dtype.storage != dtype.storage:
        raise NotNative("strings of another storage")
    return Column(c.core, dtype)


def objects_as_text(c: HostColumn, dtype: Any) -> Column:
    """Objects, or values of a type that only pandas has, as strings."""
    _check_host(c, dtype)
    values, missing = c.objects(), _core.to_numpy(c.missing())
    if any(isinstance(v, (bytes, np.generic)) and not isinstance(v, np.integer) for v in values):
        raise NotNative("bytes or NumPy's scalars as strings")
    written = [None if gone else v if isinstance(v, str) else str(v) for v, gone in zip(values, missing)]
    try:
        return text_of(written, dtype)
    except UnicodeEncodeError:
        raise NotNative("strings that are not valid Unicode") from None


_ODD = re.compile("[^0-9eE+.-]")  # characters that plain numbers do not have
_FEW_STRINGS = 100_000  # that Python parses sooner than Arrow is imported
# The core's options for text without separators, quotes and prefixes, a line for each value.
_LINES = {"line_end": "\n", "effects": "0" * 128, "prefixes": "\0" * 128, "empty_row": ""}


def written(c: Column, dtype: Any) -> Column:
    """Booleans, floats, timestamps and numbers with NA as strings: as they are written to a file."""
    _check_host(c, dtype)
    return _lines(c, dtype)


def _lines(c: Column, dtype: Any) -> Column:
    """The lines of a file with one column; those of missing values are empty."""
    text = _core.write_csv([(c.core, "", 6, True, True, "")], _LINES | {"group": max(len(c), 1)}, 0, len(c), True)
    data = text.encode()
    ends = np.flatnonzero(np.frombuffer(data, np.uint8) == 10)
    offsets = np.zeros(len(ends) + 1, np.int64)
    offsets[1:] = ends - np.arange(len(ends))
    valid = _core.from_numpy(np.diff(offsets) > 0) if c.has_missing() else None
    return Column(Core.text(adopt(np.frombuffer(data.replace(b"\n", b""), np.uint8)), adopt(offsets), valid), dtype)


def parsed(c: Column, dtype: np.dtype) -> AnyColumn:
    """Strings as numbers, parsed by Arrow where it accepts the same as Python."""
    _check_host(c, dtype)
    if dtype not in (_int64, _float64):
        c.stays(dtype)
    if dtype == _int64 and c.has_missing():
        raise NotNative("missing strings as integers")
    if len(c) <= _FEW_STRINGS and not is_loaded("pyarrow"):
        return _parsed_one_by_one(c.objects(), dtype)
    there = c.to_arrow()
    odd = pyarrow.compute.match_substring_regex(there, _ODD.pattern)
    if pyarrow.compute.any(odd).as_py():
        raise NotNative("strings that are not plain numbers")
    try:
        numbers = pyarrow.compute.cast(there, pyarrow.from_numpy_dtype(dtype))
    except pyarrow.ArrowInvalid:
        raise NotNative("strings that are not numbers") from None
    return from_pandas_array(arrow_bits.values_of(numbers), True)


def _parsed_one_by_one(values: Sequence[Any], dtype: np.dtype) -> AnyColumn:
    """Strings as Python parses them, with NaN for missing ones."""
    if _ODD.search("".join([v for v in values if isinstance(v, str)])):
        raise NotNative("strings that are not plain numbers")
    try:
        return from_pandas_array(np.array(list(map(int if dtype == _int64 else float, values)), dtype))
    except (OverflowError, ValueError):
        raise NotNative("strings that are not numbers") from None


# ---- objects and categories


def as_objects(c: Column, dtype: Any) -> HostColumn:
    _check_host(c, dtype)
    objects = np.empty(len(c), object)
    objects[:] = c.objects()
    return HostColumn(objects)


def host_as_objects(c: HostColumn, dtype: Any) -> HostColumn:
    _check_host(c, dtype)
    return HostColumn(c.to_numpy().astype(object))


def objects_as_numbers(c: HostColumn, dtype: np.dtype) -> AnyColumn:
    _check_host(c, dtype)
    return from_pandas_array(c.array.astype(dtype)) if isinstance(c.array, np.ndarray) else c.stays(dtype)


def as_categories(c: Column, dtype: Any) -> HostColumn:
    """A categorical column, whose categories are the distinct values in order."""
    if dtype.categories is not None or dtype.ordered:
        raise NotNative("categories that are given")
    codes, first, _ = _core.factorize_columns([c.core], True, False)
    # no category is the greatest uint32, which is -1
    return categories(codes.view(np.dtype(np.int32)).astype(_int64), category_type(c.take(first)))


def categories_as(c: HostColumn, dtype: Any) -> AnyColumn:
    """The values of categories in another type; each category is converted once."""
    return values_of_categories(c, lambda kinds: converted(kinds, dtype).own())


def categories_as_text(c: HostColumn, dtype: Any) -> AnyColumn:
    """The same for strings, but where pandas writes times with all their parts, or objects' numbers as floats among NaN."""
    kinds = categories_of(c.dtype)
    if kinds.times() is not None or (c.has_missing() and any(isinstance(v, np.integer) for v in kinds.objects())):
        c.stays(dtype)
    return categories_as(c, dtype)
