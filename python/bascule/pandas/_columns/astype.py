"""Columns in other types."""

from __future__ import annotations

from typing import Any

import numpy as np

from ... import _core
from ..._array.ufuncs import by_name, rows
from .._fallback.native import NotNative
from .._theirs import pandas, pyarrow
from . import arrow_bits
from .by_numbers import category_type, values_of_categories
from .column import (
    AnyColumn,
    Column,
    HostColumn,
    categories,
    from_pandas_array,
    ndarray,
    plain,
    text_from_arrow,
)
from .dtypes import is_numpys
from .time_limits import cast

_select = rows["where"]["ufunc"]
_int64, _float64 = np.dtype(np.int64), np.dtype(np.float64)


def converted(c: AnyColumn, dtype: Any) -> AnyColumn:
    """A column in another type, as astype converts it."""
    if c.dtype == dtype:
        return c
    if isinstance(c, HostColumn):
        return _of_pandas_type(c, dtype)
    if isinstance(dtype, pandas.CategoricalDtype):
        return as_categories(c, dtype)
    if is_numpys(dtype, "O") and c.device == "cpu":
        objects = np.empty(len(c), object)
        objects[:] = c.objects()
        return HostColumn(objects)
    if isinstance(dtype, pandas.StringDtype):
        return _as_text(c, dtype)
    if c.is_text:
        return _parsed(c, dtype)
    if isinstance(dtype, pandas.core.dtypes.dtypes.BaseMaskedDtype):
        return _as_masked(c, dtype)
    if not is_numpys(dtype, "biufmM") or not dtype.isnative or (dtype.kind == "f" and dtype.itemsize not in (4, 8)):
        raise NotNative(f"from {c.dtype} to {dtype}")
    if c.is_masked:
        return _unmasked(c, dtype)
    have, want = c.letter, dtype.kind
    if have in "biuf" and want in "biuf":
        if have == "f" and want in "iu":
            _whole(c.values, dtype)
        return plain(c.values.astype(dtype))
    if have in "mM" and have == want and np.datetime_data(dtype)[0] in ("s", "ms", "us", "ns"):
        return plain(cast(c.values, dtype))
    if have in "mM" and dtype == _int64 and not c.has_missing():
        return plain(c.values.view(_int64).astype(_int64, copy=True))
    raise NotNative(f"from {c.dtype} to {dtype}")


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


def _as_masked(c: Column, dtype: Any) -> Column:
    target, valid = dtype.numpy_dtype, c.core.valid
    have, values = c.letter, c.values
    if have not in "biuf" or (have == "b") != (target == np.dtype(bool)):
        raise NotNative(f"from {c.dtype} to {dtype}")
    if c.is_plain("f"):
        holes = by_name["isnan"](values)
        if bool(holes.any()):
            valid = ~holes
            values = _select(holes, values.dtype.type(1), values)
    if have == "f" and target.kind in "iu":
        if (
            c.is_masked
            or not bool(by_name["isfinite"](values).all())
            or not bool((by_name["floor"](values) == values).all())
        ):
            raise NotNative("floats that are not integers")
        _whole(values, target)
    if have in "iu" and target.kind in "iu" and not np.can_cast(values.dtype, target):
        raise NotNative("integers that may not fit")
    return Column(_core.Column.plain(values.astype(target), valid), dtype)


def _unmasked(c: Column, dtype: np.dtype) -> Column:
    values = c.values
    want = dtype.kind
    if want in "mM":
        raise NotNative(f"from {c.dtype} to {dtype}")
    if c.has_missing():
        if want != "f":
            raise ValueError(f"cannot convert NA to {'bool' if want == 'b' else 'integer'}")
        return plain(_select(c.core.valid, values.astype(dtype), dtype.type(np.nan)))
    if c.letter == "f" and want in "iu":
        raise NotNative(f"from {c.dtype} to {dtype}")
    return plain(values.astype(dtype))


def _as_text(c: Column, dtype: Any) -> Column:
    if c.is_text:
        if c.dtype.storage != dtype.storage:
            raise NotNative("strings of another storage")
        return Column(c.core, dtype)
    if c.device.startswith("cuda") or c.letter not in "biufM" or (c.letter == "f" and c.dtype != _float64):
        raise NotNative(f"from {c.dtype} to {dtype}")
    if not c.is_plain("iu"):
        return _written(c, dtype)
    there = arrow_bits.numbers(_core.to_numpy(c.values))
    return text_from_arrow(pyarrow.compute.cast(there, pyarrow.large_string()), dtype)


def _of_pandas_type(c: HostColumn, dtype: Any) -> AnyColumn:
    """Values of a type that only pandas has, in another type."""
    if c.letter == "O" and c.device == "cpu":
        return _of_objects(c, dtype)
    if c.letter != "C" or isinstance(dtype, pandas.CategoricalDtype):
        raise NotNative(f"values of type {c.dtype}")
    return values_of_categories(c, lambda kinds: converted(kinds, dtype).own())


def _of_objects(c: HostColumn, dtype: Any) -> AnyColumn:
    """Objects, or periods, in another type."""
    if is_numpys(dtype, "biuf") and isinstance(c.array, np.ndarray):
        return from_pandas_array(c.array.astype(dtype))
    if is_numpys(dtype, "O"):
        return HostColumn(c.to_numpy().astype(object))
    if not isinstance(dtype, pandas.StringDtype):
        raise NotNative(f"values of type {c.dtype}")
    values, missing = c.objects(), _core.to_numpy(c.missing())
    if any(isinstance(v, (bytes, np.generic)) for v in values):
        raise NotNative("bytes or NumPy's scalars as strings")
    texts = [None if gone else v if isinstance(v, str) else str(v) for v, gone in zip(values, missing)]
    try:
        return text_from_arrow(arrow_bits.strings(texts), dtype)
    except UnicodeEncodeError:
        raise NotNative("strings that are not valid Unicode") from None


# The core's options for text without separators, quotes and prefixes, a line for each value.
_LINES = {"line_end": "\n", "effects": "0" * 128, "prefixes": "\0" * 128, "empty_row": ""}


def _written(c: Column, dtype: Any) -> Column:
    """Booleans, floats, timestamps and numbers with NA as strings: as they are written to a file."""
    text = _core.write_csv([(c.core, "", 6, True, True, "")], _LINES | {"group": max(len(c), 1)}, 0, len(c), True)
    return text_from_arrow(arrow_bits.lines(text.encode(), c.has_missing()), dtype)


def _parsed(c: Column, dtype: Any) -> Column:
    """Strings as numbers, parsed by Arrow where it accepts the same as Python."""
    if not isinstance(dtype, np.dtype) or dtype not in (_int64, _float64) or c.device.startswith("cuda"):
        raise NotNative(f"from {c.dtype} to {dtype}")
    there = c.to_arrow()
    if dtype == _int64 and there.null_count:
        raise NotNative("missing strings as integers")
    odd = pyarrow.compute.match_substring_regex(there, "[^0-9eE+.-]")
    if pyarrow.compute.any(odd).as_py():
        raise NotNative("strings that are not plain numbers")
    try:
        numbers = pyarrow.compute.cast(there, pyarrow.from_numpy_dtype(dtype))
    except pyarrow.ArrowInvalid:
        raise NotNative("strings that are not numbers") from None
    return from_pandas_array(arrow_bits.values_of(numbers), True)


def as_categories(c: Column, dtype: Any) -> HostColumn:
    """A categorical column, whose categories are the distinct values in order."""
    if dtype.categories is not None or dtype.ordered or c.is_masked:
        raise NotNative("categories that are given")
    codes, first, _ = _core.factorize_columns([c.core], True, False)
    # no category is the greatest uint32, which is -1
    return categories(codes.view(np.dtype(np.int32)).astype(_int64), category_type(c.take(first)))
