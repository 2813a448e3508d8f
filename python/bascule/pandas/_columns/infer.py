"""Columns from Python's lists, tuples and scalars and NumPy's arrays, with the types that pandas infers."""

from __future__ import annotations

import datetime
import decimal
import fractions
import math
import uuid
from typing import Any

import numpy as np
import pandas
import pyarrow
from pandas.api.extensions import ExtensionArray
from pandas.api.types import is_list_like
from pandas.core.dtypes.dtypes import BaseMaskedDtype

from ... import _core
from .. import _fallback
from .astype import as_categories
from .column import (
    STR,
    UNITS,
    AnyColumn,
    Column,
    HostColumn,
    from_pandas_array,
    from_pandas_object,
    has_own_form,
    in_zone,
    ndarray,
    plain,
    text_from_arrow,
)

ARRAYS = (list, tuple, range, np.ndarray)
_NONE = type(None)
_INTEGERS, _FLOATS, _BOOLS = {int, np.int64}, {float, np.float64}, {bool, np.bool_}
_OPAQUE = {
    int, float, bool, str, bytes, type, _NONE, list, tuple, dict, set, frozenset, np.int64, np.float64, np.bool_,
    datetime.date, datetime.time, decimal.Decimal, fractions.Fraction, uuid.UUID,
}  # fmt: skip
_TIMES = {pandas.Timestamp: "M8", pandas.Timedelta: "m8", datetime.datetime: "M8", datetime.timedelta: "m8"}
_NAT, _NA = type(pandas.NaT), type(pandas.NA)


def inferred(x: Any) -> AnyColumn | None:
    """The column of a list, tuple, range or one-dimensional array of NumPy; None where only pandas knows its type.

    Parameters
    ----------
    x : list, tuple, range or numpy.ndarray

    Returns
    -------
    Column, HostColumn or None
    """
    if isinstance(x, np.ndarray):
        return _of_array(x) if type(x) is np.ndarray and x.ndim == 1 else None
    if isinstance(x, range):
        return from_pandas_array(np.arange(x.start, x.stop, x.step, dtype=np.int64)) if len(x) else None
    if type(x) not in (list, tuple):
        return None
    kinds = set(map(type, x))
    found = _numbers(x, kinds)
    if found is not None:
        return from_pandas_array(found)
    if str in kinds and _are_texts(x):
        return _texts(x)
    if kinds <= {_NAT, _NONE} and _NAT in kinds:
        return from_pandas_array(np.full(len(x), "NaT", "M8[s]"))
    if kinds <= {*_TIMES, _NAT, _NONE, float} and kinds & set(_TIMES) and _only_nan(x, kinds):
        return _times(x, kinds - {_NAT, _NONE, float})
    return _objects(x) if kinds <= _OPAQUE and (len(kinds) > 1 or not kinds & _INTEGERS) else None


def _of_array(x: np.ndarray) -> AnyColumn | None:
    if has_own_form(x.dtype):
        return from_pandas_array(x, copy=True)
    if x.dtype.kind == "U":
        return _texts(x.tolist())
    if x.dtype != object:
        return None
    kinds = set(map(type, x))
    if str in kinds and kinds <= {str, _NONE, float} and _only_nan(x, kinds):
        return _texts(x)
    return HostColumn(x.copy()) if kinds <= _OPAQUE else None


def _only_nan(x: Any, kinds: set[type]) -> bool:
    return float not in kinds or all(math.isnan(v) for v in x if type(v) is float)


def _numbers(x: Any, kinds: set[type]) -> np.ndarray | None:
    if not kinds:
        return np.array([], dtype=object)
    if kinds <= _BOOLS:
        return np.array(x, dtype=bool)
    if not kinds <= _INTEGERS | _FLOATS | {_NONE} or kinds == {_NONE}:
        return None
    try:
        if kinds <= _INTEGERS:
            return np.array(x, dtype=np.int64)
        if kinds & _INTEGERS and any(type(v) is int and not -(2**63) <= v < 2**63 for v in x):
            return None
        return np.array(x, dtype=np.float64)  # None becomes NaN
    except OverflowError:
        return None


def _are_texts(x: Any) -> bool:
    """Whether a list or array has nothing but strings and missing values."""
    if isinstance(x, np.ndarray) and x.dtype != object:
        return x.dtype.kind == "U"
    kinds = set(map(type, x))
    return kinds <= {str, _NONE, float, _NA} and _only_nan(x, kinds)


def _masked(x: Any, dtype: Any) -> Column | None:
    """Integers or booleans, some of them NA; None where pandas has to convert."""
    if isinstance(x, np.ndarray):
        own = x.dtype == dtype.numpy_dtype and type(x) is np.ndarray
        valid = ~np.isnan(x) if own and dtype.kind == "f" else None
        valid = None if valid is None or valid.all() else _core.from_numpy(valid)
        return Column(_core.Column.plain(_core.from_numpy(x), valid), dtype) if own else None
    kinds = set(map(type, x)) if type(x) in (list, tuple) else {object}
    wanted = _BOOLS if dtype.kind == "b" else _INTEGERS if dtype.kind in "iu" else _INTEGERS | _FLOATS
    if not kinds <= wanted | {_NONE, _NA, float} or not _only_nan(x, kinds if dtype.kind != "f" else set()):
        return None
    missing = np.array([v is None or v is pandas.NA or v != v for v in x], dtype=bool)
    try:
        under = int(dtype.kind in "iu")  # as in pandas, whose divisions read it
        values = np.array([under if gone else v for v, gone in zip(x, missing)], dtype=dtype.numpy_dtype)
    except OverflowError:
        return None
    valid = _core.from_numpy(~missing) if missing.any() else None
    return Column(_core.Column.plain(_core.from_numpy(values), valid), dtype)


def _categories(column: AnyColumn | None, dtype: Any) -> HostColumn | None:
    """A categorical column with the distinct values as categories; None where pandas has to convert."""
    if not isinstance(column, Column) or dtype.categories is not None or dtype.ordered or not len(column):
        return None
    masked = column.is_masked or (column.dtype.kind == "f" and column.has_missing())  # whole numbers, it may be
    return None if masked else as_categories(column, dtype)


def as_arrow_texts(x: Any) -> pyarrow.Array | None:
    """Strings and missing values as Arrow's; None where some are numbers or not valid Unicode."""
    try:
        return pyarrow.array(x, pyarrow.large_string(), from_pandas=True)
    except (UnicodeEncodeError, pyarrow.ArrowInvalid, pyarrow.ArrowTypeError):  # lone surrogates, numbers
        return None


def _texts(x: Any, dtype: Any = STR) -> Column | None:
    found = as_arrow_texts(x)
    return None if found is None else text_from_arrow(found, dtype)


def _times(x: Any, kinds: set[type]) -> AnyColumn | None:
    """Timestamps, all naive or all of one zone, or durations, in the finest of their units; None for other values."""
    letters = {_TIMES[k] for k in kinds}
    if len(letters) != 1:
        return None
    letter = letters.pop()
    given = [v for v in x if v is not None and v == v]
    zone = given[0].tzinfo if letter == "M8" else None  # some kinds of zones have no hash
    units = {getattr(v, "unit", "us") for v in given}
    if letter == "M8" and any(v.tzinfo is not zone and v.tzinfo != zone for v in given):
        return None
    if zone is not None and kinds != {pandas.Timestamp}:
        return None
    unit = max(units, key=UNITS.index)
    try:
        if len(units) > 1:
            own = pandas.Timestamp if letter == "M8" else pandas.Timedelta
            x = [own(v).as_unit(unit) if v is not None and v == v else None for v in x]
        values = [None if v is None or v != v else getattr(v, "asm8", v) for v in x]
        made = np.array(values, dtype=f"{letter}[{unit}]")
    except (OverflowError, pandas.errors.OutOfBoundsDatetime, pandas.errors.OutOfBoundsTimedelta):
        return None  # values that the unit cannot represent
    return from_pandas_array(made) if zone is None else in_zone(_core.from_numpy(made), zone)


def _objects(x: Any) -> HostColumn:
    made = np.empty(len(x), dtype=object)
    for i, v in enumerate(x):  # assigned one by one, since NumPy would convert nested lists
        made[i] = v
    return HostColumn(made)


def typed(x: Any, dtype: Any) -> AnyColumn | None:
    """The column of a list or array in a type that its values have already; None where pandas has to convert."""
    dtype = pandas.api.types.pandas_dtype(dtype)
    if isinstance(x, np.ndarray) and x.ndim != 1:
        return None
    if isinstance(dtype, pandas.StringDtype):
        return _texts(x, dtype) if _are_texts(x) else None
    if isinstance(dtype, BaseMaskedDtype):
        return _masked(x, dtype)
    if not len(x) and isinstance(dtype, np.dtype) and has_own_form(dtype):
        return from_pandas_array(np.empty(0, dtype))
    if isinstance(dtype, np.dtype) and dtype.kind == "O":
        fits = type(x) in (list, tuple) or (type(x) is np.ndarray and x.dtype.kind in "biufO")
        return None if not fits else HostColumn(x.astype(object)) if isinstance(x, np.ndarray) else _objects(x)
    column = inferred(x)
    if isinstance(dtype, pandas.CategoricalDtype):
        return _categories(column, dtype)
    if column is None or not isinstance(dtype, np.dtype):
        return None
    kinds = (column.dtype.kind, dtype.kind) if isinstance(column.dtype, np.dtype) else None
    if column.dtype == dtype:
        return column
    if kinds not in {("i", "i"), ("i", "u"), ("i", "f"), ("f", "f")} or not has_own_form(dtype):
        return None
    values = column.to_numpy()
    if dtype.kind in "iu" and len(values):
        limits = np.iinfo(dtype)
        if values.min() < limits.min or values.max() > limits.max:
            return None
    if kinds == ("f", "f") and isinstance(x, np.ndarray) and x.dtype.itemsize > dtype.itemsize:
        return None
    return from_pandas_array(values.astype(dtype))


def widened(c: AnyColumn, dtype: Any) -> AnyColumn | None:
    """A column in a type that holds all its values; None where pandas has to convert."""
    dtype = pandas.api.types.pandas_dtype(dtype)
    if c.dtype == dtype:
        return c
    wider = isinstance(c, Column) and isinstance(c.dtype, np.dtype) and c.dtype.kind in "iu" and dtype == np.float64
    return from_pandas_array(c.to_numpy().astype(np.float64)) if wider else None


def repeated(value: Any, length: int, dtype: Any = None) -> AnyColumn | None:
    """A column of one repeated value; None where only pandas knows its type."""
    if isinstance(value, (list, tuple, dict, set, frozenset)) or (value is None and dtype is None):
        return None
    if value is pandas.NaT or (
        isinstance(value, np.generic) and not isinstance(value, (np.int64, np.float64, np.bool_))
    ):
        return None
    one = inferred([value]) if dtype is None else typed([value], dtype)
    if one is None:
        return None
    return one.take(_core.full((length,), 0, np.dtype(np.int64)))


def column(x: Any, dtype: Any = None) -> AnyColumn | None:
    """The column of one-dimensional data; None where only pandas knows its type."""
    if type(x) is ndarray:
        return plain(x) if dtype is None and x.ndim == 1 and has_own_form(x.dtype) else None
    if hasattr(x, "_column") and getattr(x, "nlevels", 1) == 1:
        return x._column if dtype is None else widened(x._column, dtype)
    if isinstance(x, (pandas.Series, pandas.Index)) and not isinstance(x, pandas.MultiIndex):
        return column(_fallback.from_pandas(x), dtype)
    if isinstance(x, ExtensionArray):
        made = from_pandas_array(x, copy=True)
        return made if dtype is None else widened(made, dtype)
    if not isinstance(x, ARRAYS):
        return None
    return inferred(x) if dtype is None else typed(x, dtype)


def from_values(x: Any, dtype: Any = None, length: int | None = None) -> AnyColumn:
    """The column of any data that a user gives: arrays, lists, scalars, columns."""
    if isinstance(x, (Column, HostColumn)):
        return x
    if type(x) is ndarray:
        if x.ndim == 0:
            x = _core.broadcast_to(x, (length if length is not None else 1,))
        if x.ndim != 1:
            raise ValueError(
                "Data must be 1-dimensional"
                if x.ndim == 0
                else f"Per-column arrays must each be 1-dimensional, got ndarray of shape {x.shape}"
            )
        if dtype is None and has_own_form(x.dtype):
            return plain(_core.astype(x, x.dtype, True, "K"))
        x = _core.to_numpy(x)
    elif getattr(x, "nlevels", 1) > 1:
        x = x.to_numpy()
    elif hasattr(x, "_column"):
        x = x._column if dtype is None else x._column.to_pandas_array()
        if dtype is None:
            return x
    if x is None and length is not None and dtype is None:
        return HostColumn(np.full(length, None, dtype=object))
    several = is_list_like(x)
    if not several and length is not None:
        own = repeated(x, length, dtype)
    else:
        own = inferred(x) if dtype is None else typed(x, dtype)
    if own is not None:
        return own
    index = pandas.RangeIndex(length) if not several and length is not None else None
    if isinstance(x, pandas.api.extensions.ExtensionArray) and dtype is None:
        return from_pandas_array(x)
    with _fallback.in_pandas("Series", "data of other kinds"):
        return from_pandas_object(pandas.Series(x, index=index, dtype=dtype))
