"""Columns from Python's lists, tuples and scalars and NumPy's arrays, with the types that pandas infers."""

from __future__ import annotations

import contextlib
import datetime
import math
from typing import Any

import numpy as np

from ... import _core
from .. import _fallback
from .._fallback.native import NotNative
from .._questions import is_list_like
from .._theirs import follow_scalars, pandas, pyarrow, seen
from . import arrow_bits
from .any_kind import AnyKind
from .astype import converted
from .column import (
    STR,
    UNITS,
    AnyColumn,
    Column,
    HostColumn,
    class_of,
    from_pandas_array,
    from_pandas_object,
    has_own_form,
    in_zone,
    ndarray,
    plain,
    text_of,
)

ARRAYS = (list, tuple, range, np.ndarray)
_NONE = type(None)
INTEGERS, FLOATS, BOOLS = {int, np.int64}, {float, np.float64}, {bool, np.bool_}
_NUMBERS = (np.integer, np.floating, np.bool_, int, float)
_OPAQUE = {
    int, float, bool, str, bytes, type, _NONE, list, tuple, dict, set, frozenset, np.int64, np.float64, np.bool_,
    datetime.date, datetime.time,
}  # fmt: skip
# values of which pandas makes a column of their own type where all are of one kind
_TYPED: tuple[type, ...] = (str, datetime.datetime, datetime.timedelta, np.datetime64, np.timedelta64)
_LIBRARIES = ("bascule", "pandas", "pyarrow")
_SCALARS: set[type] = set()  # pandas' own
_OPAQUE_BY_NAME = {("decimal", "Decimal"), ("fractions", "Fraction"), ("uuid", "UUID")}  # imported by few programs
_TIMES: dict[type, str] = {datetime.datetime: "M8", datetime.timedelta: "m8"}
_NAT, _NA = type(seen.NaT), type(seen.NA)


@follow_scalars
def _with_pandas() -> None:
    global _NAT, _NA, _TYPED
    _NAT, _NA = type(pandas.NaT), type(pandas.NA)
    _TYPED = (*_TYPED, pandas.Period, pandas.Interval, _NAT)
    _SCALARS.update((pandas.Timestamp, pandas.Timedelta, pandas.Period, pandas.Interval, _NAT, _NA))
    _TIMES.update({pandas.Timestamp: "M8", pandas.Timedelta: "m8"})


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
        if type(x) is np.ma.MaskedArray and x.ndim == 1:
            x = _filled(x)
        return _of_array(x) if type(x) is np.ndarray and x.ndim == 1 else None
    if isinstance(x, range):
        return from_pandas_array(np.arange(x.start, x.stop, x.step, dtype=np.int64)) if len(x) else None
    if type(x) not in (list, tuple):
        return None
    kinds = set(map(type, x))
    found = _numbers(x, kinds)
    if found is not None:
        return from_pandas_array(found)
    if kinds & {str, np.str_} and _are_strings(x):
        return _strings(x)
    if kinds <= {_NAT, _NONE} and _NAT in kinds:
        return from_pandas_array(np.full(len(x), "NaT", "M8[s]"))
    if kinds <= {*_TIMES, _NAT, _NONE, float} and kinds & set(_TIMES) and _only_nan(x, kinds):
        return _times(x, kinds - {_NAT, _NONE, float})
    if any(issubclass(k, (np.generic, complex)) for k in kinds - _OPAQUE) or kinds <= INTEGERS:
        return None
    return HostColumn(object_array(x)) if stay_objects(x, kinds) else None


def _filled(x: np.ma.MaskedArray) -> np.ndarray:
    """The values of a masked array, with NaN where they are masked, in a type that has it."""
    mask, values = np.ma.getmaskarray(x), np.array(x.data)
    if mask.any():
        dtype, nothing = pandas.core.dtypes.cast.maybe_promote(values.dtype, np.nan)
        values = values.astype(dtype)
        values[mask] = nothing
    return values


def stay_objects(x: Any, kinds: set[type]) -> bool:
    """Whether pandas finds no type for values of these kinds, not all of them numbers: some are no times and no strings."""
    missing = {_NONE, float, _NA}  # what may stand for a missing value among others
    strings = str in kinds and kinds <= {str, *missing} and _only_nan(x, kinds)
    if _are_opaque(kinds):
        return not strings
    if any(issubclass(k, str) and k is not str for k in kinds):
        return False
    if any(k.__module__.startswith(_LIBRARIES) and k not in _SCALARS for k in kinds):
        return False
    others = any(k not in missing and not issubclass(k, _TYPED) for k in kinds) or not _only_nan(x, kinds)
    return others or (str in kinds and not strings) or kinds <= {_NONE, _NA}


def _are_opaque(kinds: set[type]) -> bool:
    """Whether pandas keeps values of these types as they are."""
    return all((k.__module__, k.__qualname__) in _OPAQUE_BY_NAME for k in kinds - _OPAQUE)


def _of_array(x: np.ndarray) -> AnyColumn | None:
    if has_own_form(x.dtype):
        return from_pandas_array(x, copy=True)
    if x.dtype.type is np.str_:
        return _strings(x.tolist())
    if x.dtype != object:
        return None
    kinds = set(map(type, x))
    if str in kinds and kinds <= {str, _NONE, float} and _only_nan(x, kinds):
        return _strings(x)
    return HostColumn(x.copy()) if _are_opaque(kinds) else None


def _only_nan(x: Any, kinds: set[type]) -> bool:
    return float not in kinds or all(math.isnan(v) for v in x if type(v) is float)


def _numbers(x: Any, kinds: set[type]) -> np.ndarray | None:
    if not kinds:
        return np.array([], dtype=object)
    if kinds <= BOOLS:
        return np.array(x, dtype=bool)
    if not kinds <= INTEGERS | FLOATS | {_NONE} or kinds == {_NONE}:
        return _common_number(x) if all(issubclass(k, _NUMBERS) for k in kinds) else None
    try:
        if kinds <= INTEGERS:
            return np.array(x, dtype=np.int64)
        if kinds & INTEGERS and any(type(v) is int and not -(2**63) <= v < 2**63 for v in x):
            return _common_number(x)
        return np.array(x, dtype=np.float64)  # None becomes NaN
    except OverflowError:
        return _common_number(x)


def _common_number(x: Any) -> np.ndarray | None:
    """Python's and NumPy's numbers in the type that pandas finds for all of them; None where that is object."""
    found = pandas._libs.lib.maybe_convert_objects(np.array(x, dtype=object))
    return found if has_own_form(found.dtype) else None


def _are_strings(x: Any) -> bool:
    """Whether a list or array has nothing but strings and missing values."""
    if isinstance(x, np.ndarray) and x.dtype != object:
        return x.dtype.type is np.str_
    kinds = set(map(type, x))
    return kinds <= {str, np.str_, _NONE, float, _NA} and _only_nan(x, kinds)


def masked_of(x: Any, dtype: Any, wanted: set[type], under: int) -> Column | None:
    """Numbers or booleans of some classes, some of them NA; None where pandas has to convert."""
    if isinstance(x, np.ndarray):
        if x.dtype != dtype.numpy_dtype or type(x) is not np.ndarray:
            return None
        valid = x == x
        return Column(_core.Column.plain(_core.from_numpy(x), None if valid.all() else _core.from_numpy(valid)), dtype)
    kinds = set(map(type, x)) if type(x) in (list, tuple) else {object}
    if not kinds <= wanted | {_NONE, _NA, float} or not _only_nan(x, kinds - (wanted & FLOATS)):
        return None
    missing = np.array([v is None or v is seen.NA or v != v for v in x], dtype=bool)
    try:
        values = np.array([under if gone else v for v, gone in zip(x, missing)], dtype=dtype.numpy_dtype)
    except OverflowError:
        return None
    valid = _core.from_numpy(~missing) if missing.any() else None
    return Column(_core.Column.plain(_core.from_numpy(values), valid), dtype)


def as_arrow_strings(x: Any) -> pyarrow.Array | None:
    """Strings and missing values as Arrow's; None where some are numbers or not valid Unicode."""
    try:
        return arrow_bits.strings(x)
    except (UnicodeEncodeError, pyarrow.ArrowInvalid, pyarrow.ArrowTypeError):  # lone surrogates, numbers
        return None


def _strings(x: Any, dtype: Any = STR) -> Column | None:
    """A column of strings and missing values; None where some are not valid Unicode."""
    try:
        return text_of(x, dtype)
    except UnicodeEncodeError:  # lone surrogates
        return None


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


def object_array(x: Any) -> np.ndarray:
    """The elements of a list as objects."""
    made = np.empty(len(x), dtype=object)
    for i, v in enumerate(x):  # assigned one by one, since NumPy would convert nested lists
        made[i] = v
    return made


def typed(x: Any, dtype: Any) -> AnyColumn | None:
    """The column of a list or array in a type that its values have already; None where pandas has to convert."""
    dtype = pandas.api.types.pandas_dtype(dtype)
    if isinstance(x, np.ndarray) and x.ndim != 1:
        return None
    with contextlib.suppress(NotNative):
        return class_of(dtype).of_list(x, dtype)  # type: ignore[attr-defined]
    return None


def of_list(x: Any, dtype: np.dtype) -> AnyColumn | None:
    """Values that have the type already; NotNative for values of a type that only pandas has."""
    found = _known(x, dtype)
    return found if found.dtype == dtype else None


def integers_of(x: Any, dtype: np.dtype) -> AnyColumn | None:
    found = _known(x, dtype)
    if found.dtype == dtype:
        return found
    values = _core.to_numpy(found.plain_values("i"))
    limits = np.iinfo(dtype)
    return from_pandas_array(values.astype(dtype)) if limits.min <= values.min() and values.max() <= limits.max else None  # fmt: skip


def floats_of(x: Any, dtype: np.dtype) -> AnyColumn | None:
    found = _known(x, dtype)
    if found.dtype == dtype:
        return found
    values = _core.to_numpy(found.plain_values("if"))
    narrower = (
        isinstance(x, np.ndarray) and not np.can_cast(values.dtype, np.int64) and values.itemsize > dtype.itemsize
    )
    return None if narrower else from_pandas_array(values.astype(dtype))


def _known(x: Any, dtype: Any) -> AnyColumn:
    if not len(x):
        return from_pandas_array(np.empty(0, dtype))
    found = inferred(x)
    if found is None:
        raise NotNative("values that only pandas knows")
    return found


def strings_of(x: Any, dtype: Any) -> Column | None:
    return _strings(x, dtype) if _are_strings(x) else None


def objects_of(x: Any, dtype: np.dtype) -> HostColumn | None:
    if type(x) in (list, tuple):
        return HostColumn(object_array(x))
    numbers = type(x) is np.ndarray and (x.dtype == object or np.can_cast(x.dtype, np.float64, "same_kind"))
    return HostColumn(x.astype(object)) if numbers else None


def categories_of(x: Any, dtype: Any) -> HostColumn | None:
    """A categorical column with the distinct values as categories; None where pandas has to convert."""
    found = inferred(x) if len(x) else None
    if found is None or (found.is_numeric and found.has_missing()):  # whole numbers, it may be
        return None
    return found.own().as_categories(dtype)


def widened(c: AnyColumn, dtype: Any) -> AnyColumn | None:
    """A column in a type that holds all its values; None where pandas has to convert."""
    dtype = pandas.api.types.pandas_dtype(dtype)
    if c.dtype == dtype:
        return c
    with contextlib.suppress(NotNative):
        return converted(plain(c.plain_values("iu" if dtype == np.float64 else "")), dtype)
    return None


def repeated(value: Any, length: int, dtype: Any = None) -> AnyColumn | None:
    """A column of one repeated value; None where only pandas knows its type."""
    if isinstance(value, (list, tuple, dict, set, frozenset)) or (value is None and dtype is None):
        return None
    if value is seen.NaT and dtype is not None:
        dtype = pandas.api.types.pandas_dtype(dtype)
        return (
            plain(_core.from_numpy(np.full(length, "NaT", dtype))) if getattr(dtype, "char", "") in ("m", "M") else None
        )
    if value is seen.NaT or (isinstance(value, np.generic) and not isinstance(value, (np.int64, np.float64, np.bool_))):
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
    if isinstance(x, pandas.api.extensions.ExtensionArray):
        made = from_pandas_array(x, copy=True)
        return made if dtype is None else widened(made, dtype)
    if not isinstance(x, ARRAYS):
        return None
    return inferred(x) if dtype is None else typed(x, dtype)


def from_values(x: Any, dtype: Any = None, length: int | None = None) -> AnyColumn:
    """The column of any data that a user gives: arrays, lists, scalars, columns."""
    if isinstance(x, AnyKind):
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
