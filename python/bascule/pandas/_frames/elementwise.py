"""Functions of single values: conversion, clipping, membership, look-ups."""

from __future__ import annotations

import functools
import operator
from typing import Any

import numpy as np
import pandas
import pyarrow
from pandas.api.types import is_list_like, pandas_dtype

from ... import _core
from ..._array.ufuncs import by_name
from .. import _classes, _fallback, _indexes
from .._base import Rows
from .._columns.astype import converted
from .._columns.by_numbers import among
from .._columns.column import AnyColumn, Column, HostColumn, from_pandas_array, ndarray, plain, text_from_arrow
from .._columns.infer import column, inferred
from .._columns.operators import compute, prepared
from .._columns.where import choose, is_missing_scalar
from .._fallback.native import NotNative

_NONE = pandas.api.extensions.no_default
_FEW_TEXTS = 3  # from here on, a look-up in a table costs less than comparisons
_bool, _float64 = np.dtype(bool), np.dtype(np.float64)


# ---- membership and look-ups


def is_in(c: AnyColumn, values: Any) -> Column:
    """Whether each row is among some values."""
    if isinstance(c, HostColumn):
        return among(c, values)
    if c.is_masked and not c.is_text:
        raise NotNative(f"values of type {c.dtype}")
    wanted = _wanted(c, values)
    if wanted is None:
        return plain(_core.full((len(c),), False, _bool, c.device))
    if not wanted.has_missing() and len(wanted) <= (_FEW_TEXTS if c.is_text else 8) and not c.is_masked:
        if c.is_text:
            equal = [c.core.compare(wanted.core.slice(k, 1, 1), "eq") for k in range(len(wanted))]
        else:
            equal = [c.values == x for x in _core.to_numpy(wanted.values)]
        return plain(functools.reduce(operator.or_, equal))
    _, first, _ = _core.factorize_columns([wanted.core], False, True)
    keys = _core.Labels([wanted.take(first).core])
    return plain(keys.positions_of(_core.Labels([c.core])) >= 0)


def _wanted(c: Column, values: Any) -> Column | None:
    """The values of a list that a column can hold, in its type; None where there are none."""
    if not hasattr(values, "dtype") and not isinstance(values, (list, tuple, range, Rows, _indexes.Index)):
        values = list(values)
    if isinstance(values, (list, tuple)) and not c.is_text and len(set(map(type, values))) > 1:
        return _wanted_of_list(c, list(values))  # an array would have one common type
    there = column(values)
    if not isinstance(there, Column):
        values = values if there is None else there.to_numpy()
        return _wanted_of_list(c, list(values))
    if not len(there) or there.dtype == c.dtype:
        return there if len(there) else None
    if c.is_text:
        return _wanted_texts(c, there)
    kind, kind_there = c.dtype.kind, "U" if there.is_text else there.values.dtype.kind
    fits = kind_there in "iuf" if kind in "iuf" else kind_there == kind
    if not fits or (there.is_masked and there.has_missing()):
        raise NotNative("values of other types")
    if kind in "mM":
        raise NotNative("datetimes of other units")
    made = _as_held(there.values, c.dtype)
    return plain(made) if len(made) else None


def _wanted_texts(c: Column, there: Column) -> Column | None:
    """Values to look for in a column of strings: the strings among them, and missing values of any type."""
    missing = there.has_missing()
    if missing and c.is_masked:
        raise NotNative("NA among strings")
    if there.is_text:
        return Column(there.core, c.dtype)
    return text_from_arrow(pyarrow.array([None], pyarrow.large_string()), c.dtype) if missing else None


def _as_held(values: ndarray, dtype: np.dtype) -> ndarray:
    """The numbers that a type represents exactly, in that type."""
    if dtype.kind == "f":
        wide = values.astype(_float64)
        narrow = wide.astype(dtype)
        return narrow if dtype == _float64 else narrow[(narrow.astype(_float64) == wide) | (wide != wide)]
    limits = np.iinfo(dtype)
    if values.dtype.kind == "f":
        wide = values.astype(_float64)
        inside = (wide >= float(limits.min)) & (wide < float(limits.max) + 1)
        return wide[inside & (by_name["floor"](wide) == wide)].astype(dtype)
    there = np.iinfo(values.dtype)
    inside = (values >= max(limits.min, there.min)) & (values <= min(limits.max, there.max))
    return values[inside].astype(dtype)


def _wanted_of_list(c: Column, values: list) -> Column | None:
    """As `_wanted`, for Python's objects of several types."""
    if not values:
        return None
    if c.is_text:
        some = [v for v in values if isinstance(v, str) or is_missing_scalar(v)]
        if any(is_missing_scalar(v) for v in some) and c.is_masked:
            raise NotNative("NA among strings")
        made = text_from_arrow(pyarrow.array(some, pyarrow.large_string(), from_pandas=True), c.dtype)
        return made if len(made) else None
    kind = c.dtype.kind
    if kind == "b" and all(isinstance(v, (bool, np.bool_)) for v in values):
        return from_pandas_array(np.array(values, dtype=bool))  # type: ignore[return-value]
    if kind in "mM":
        if not all(isinstance(v, (np.generic, pandas.Timestamp if kind == "M" else pandas.Timedelta)) for v in values):
            raise NotNative("values of other types")
        found = inferred(values)
        if found is None or found.dtype != c.dtype:
            raise NotNative("datetimes of other units")
        return found  # type: ignore[return-value]
    if kind == "b" or not all(
        isinstance(v, (int, float, np.integer, np.floating)) and not isinstance(v, bool) for v in values
    ):
        raise NotNative("values of other types")
    if kind == "f":
        made = _as_held(_core.from_numpy(np.array(values, dtype=_float64)), c.dtype)
    else:
        info = np.iinfo(c.dtype)
        some = [int(v) for v in values if v == v and abs(v) != np.inf and v == int(v)]
        made = _core.from_numpy(np.array([v for v in some if info.min <= v <= info.max], dtype=c.dtype))
    return plain(made) if len(made) else None


def looked_up(c: AnyColumn, keys: _indexes.Index, values: AnyColumn) -> AnyColumn:
    """The value of each row's key; missing where the key does not exist."""
    if isinstance(c, HostColumn) or keys._own is None or keys.nlevels > 1 or len(c) == 0:
        raise NotNative("keys of types that only pandas has")
    at = keys._columns[0]
    if at.dtype != c.dtype:
        raise NotNative("keys of another type")
    if not keys.is_unique:
        raise pandas.errors.InvalidIndexError("Reindexing only valid with uniquely valued Index objects")
    at = keys._own.positions_of(_core.Labels([c.core]))
    found = values.take(at, bool((at < 0).any()))
    return found if not c.is_masked else _with_na(found, c.is_text)


def _with_na(found: AnyColumn, of_text: bool) -> AnyColumn:
    """The values looked up for rows that may be NA: numbers and booleans get a type with NA, too."""
    kind = found.dtype.kind if isinstance(found.dtype, np.dtype) else "-"
    if kind == "O" or (of_text and kind in "biuf"):
        raise NotNative("booleans or numbers looked up for values that may be NA")
    kinds = {"b": pandas.BooleanDtype(), "i": pandas.Int64Dtype(), "f": pandas.Float64Dtype()}
    if kind == "u":
        raise NotNative("unsigned integers looked up for values that may be NA")
    return converted(found, kinds[kind]) if kind in kinds else found


class Elementwise(Rows):
    """Functions of single values, for frames and series."""

    def _typed(self, function: Any, name: str, args: tuple, kwargs: dict) -> Any:
        try:
            return self._with([function(c) for c in self._all_columns()], self._index)
        except NotNative as why:
            return self._call_pandas(name, args, kwargs, reason=why.reason)

    def clip(self, lower: Any = None, upper: Any = None, *, axis: Any = None, inplace: bool = False, **kwargs: Any) -> Any:  # fmt: skip
        """Clip the values to two bounds."""
        by_column = None if kwargs or self.ndim == 1 or axis not in (1, "columns") else _bounds(self, lower, upper)
        if by_column is not None:
            made = self._with(list(map(clipped, self._all_columns(), *by_column)), self._index)
            if inplace:
                self._become(made)
            return self if inplace else made
        if kwargs or axis is not None or any(is_list_like(b) or isinstance(b, Rows) for b in (lower, upper)):
            options = {"axis": axis, "inplace": inplace, **kwargs}
            return self._call_pandas("clip", (lower, upper), options, reason="bounds that are not scalars")
        lower, upper = (None if b is not None and is_missing_scalar(b) else b for b in (lower, upper))
        if lower is not None and upper is not None and lower > upper:
            lower, upper = upper, lower

        try:
            made = self._with([clipped(c, lower, upper) for c in self._all_columns()], self._index)
        except NotNative as why:
            return self._call_pandas("clip", (lower, upper), {"inplace": inplace}, reason=why.reason)
        if not inplace:
            return made
        if any(a.dtype != b.dtype for a, b in zip(made._all_columns(), self._all_columns())):
            return self._call_pandas(
                "clip", (lower, upper), {"inplace": True}, reason="bounds of another type with inplace=True"
            )
        self._become(made)
        return self

    def infer_objects(self, copy: Any = _NONE) -> Any:
        """The same, with columns of objects in the type that all of them have."""
        if any(c.dtype == object for c in self._all_columns()):
            return self._call_pandas("infer_objects", reason="columns of objects")
        return self.copy()

    def equals(self, other: Any) -> bool:
        """Whether labels, types and values are the same; missing values are equal to each other."""
        other = _fallback.from_pandas(other)
        if type(other) is not type(self) or other.shape != self.shape or not self._index.equals(other._index):
            return False
        if self.ndim == 2 and not self._names.equals(other._names):
            return False
        pairs = list(zip(self._all_columns(), other._all_columns()))
        return all(
            a.dtype == b.dtype and (a.equals(b) if isinstance(a, HostColumn) else _same_values(a, b)) for a, b in pairs
        )


def _bounds(frame: Any, lower: Any, upper: Any) -> list[list] | None:
    """Bounds of each column of floats by its label; None where pandas has to compute them."""
    made: list[list] = []
    for b in (lower, upper):
        if b is None:
            made.append([None] * len(frame._columns))
            continue
        if not isinstance(b, Rows) or b.ndim != 1 or b.dtype != _float64 or b._column.has_missing():
            return None
        if not b._index.equals(_indexes.from_pandas(frame._names)):
            return None
        made.append(b.tolist())
    if any(c.dtype != _float64 for c in frame._columns) or any(
        low is not None and high is not None and low > high for low, high in zip(*made)
    ):
        return None
    return made


def clipped(c: AnyColumn, lower: Any, upper: Any) -> AnyColumn:
    """A column clipped to two bounds; None is no bound."""
    if isinstance(c, HostColumn) or c.is_text or c.is_masked or c.dtype.kind not in "iuf":
        raise NotNative(f"values of type {c.dtype}")
    for bound, op in ((lower, "ge"), (upper, "le")):
        if bound is None:
            continue
        if isinstance(bound, (bool, np.bool_)):
            raise NotNative("booleans as bounds")
        inside = compute(op, c, prepared(bound, op)).values
        if c.dtype.kind == "f":
            inside = inside | by_name["isnan"](c.values)
        c = choose(inside, c, bound)
    return c


def _same_values(a: Column, b: Column) -> bool:
    if len(a) == 0:
        return True
    equal = a.core.compare(b.core, "eq") if a.is_text else a.values == b.values
    if not a.is_masked and not a.is_text and a.dtype.kind in "biu":
        return bool(equal.all())
    lack, lacks = a.missing(), b.missing()
    return bool(((equal & ~lack & ~lacks) | (lack & lacks)).all())


def _check_errors(errors: Any) -> None:
    if errors not in ("raise", "ignore"):
        raise ValueError(
            f"Expected value of kwarg 'errors' to be one of ['raise', 'ignore']. Supplied value is '{errors}'"
        )


def _converted(c: AnyColumn, dtype: Any, errors: str) -> AnyColumn:
    """A column in another type, or unchanged where errors are ignored and it cannot be converted."""
    try:
        return converted(c, dtype)
    except (ValueError, TypeError):
        if errors == "raise":
            raise
        return c


class SeriesElementwise(Elementwise):
    """Functions of single values of series."""

    def astype(self, dtype: Any, copy: Any = _NONE, errors: str = "raise") -> Any:
        """Convert the values to another type."""
        wanted = dtype
        if isinstance(dtype, dict):
            if any(k != self._name for k in dtype) or len(dtype) != 1:
                raise KeyError("Only the Series name can be used for the key in Series dtype mappings.")
            wanted = dtype[self._name]
        _check_errors(errors)
        there = pandas_dtype(wanted)
        try:
            return self._typed(lambda c: converted(c, there), "astype", (dtype,), {"errors": errors})
        except (ValueError, TypeError):
            if errors == "raise":
                raise
            return self.copy()

    def isin(self, values: Any) -> Any:
        """Whether each value is contained in a collection."""
        if not is_list_like(values):
            raise TypeError(
                f"only list-like objects are allowed to be passed to isin(), you passed a `{type(values).__name__}`"
            )
        return self._typed(lambda c: is_in(c, values), "isin", (values,), {})

    def between(self, left: Any, right: Any, inclusive: str = "both") -> Any:
        """Whether each value lies between two bounds."""
        if inclusive not in ("both", "neither", "left", "right"):
            raise ValueError("Inclusive has to be either string of 'both','left', 'right', or 'neither'.")
        low = self >= left if inclusive in ("both", "left") else self > left
        return low & (self <= right if inclusive in ("both", "right") else self < right)

    def map(self, func: Any = None, na_action: Any = None, engine: Any = None, **kwargs: Any) -> Any:
        """Replace each value by that of a dict or series, or by the result of a function."""
        args = (func, na_action)
        simple = isinstance(func, (dict, pandas.Series)) or (isinstance(func, Rows) and func.ndim == 1)

        if not simple or na_action is not None or engine is not None or kwargs or hasattr(type(func), "__missing__"):
            return self._call_pandas("map", args, {"engine": engine, **kwargs}, reason="a Python function")
        try:
            if isinstance(func, dict):
                if not func:
                    raise NotNative("an empty dict")
                func = _classes.Series(func)
            table = _fallback.from_pandas(func)
            return self._like(looked_up(self._column, table._index, table._column))
        except NotNative as why:
            return self._call_pandas("map", args, reason=why.reason)


class FrameElementwise(Elementwise):
    """Functions of single values of frames."""

    def astype(self, dtype: Any, copy: Any = _NONE, errors: str = "raise") -> Any:
        """Convert the values to another type, or some columns by a dict."""
        _check_errors(errors)
        if isinstance(dtype, (pandas.Series, _classes.Series)) and dtype.index.is_unique:
            dtype = dict(_fallback.from_pandas(dtype).items())
        if isinstance(dtype, (pandas.Series, Rows)) or not self._names.is_unique:
            return self._call_pandas("astype", (dtype,), {"errors": errors}, reason="repeated labels")
        if isinstance(dtype, dict):
            if any(self._is_part_of_a_label(k) for k in dtype):
                reason = "labels of some levels of the columns"
                return self._call_pandas("astype", (dtype,), {"errors": errors}, reason=reason)
            for k in dtype:
                if k not in self._names:
                    raise KeyError(
                        f"Only a column name can be used for the key in a dtype mappings argument. '{k}' not found in columns."
                    )
            wanted = [None] * len(self._columns)
            for k, named in dtype.items():
                wanted[self._position(k)] = pandas_dtype(named)
        else:
            wanted = [pandas_dtype(dtype)] * len(self._columns)
        try:
            made = [c if d is None else _converted(c, d, errors) for c, d in zip(self._columns, wanted)]
        except NotNative as why:
            return self._call_pandas("astype", (dtype,), {"errors": errors}, reason=why.reason)
        return self._with(made, self._index)

    def isin(self, values: Any) -> Any:
        """Whether each value is contained in a collection, or in that of its column in a dict."""
        if isinstance(values, (pandas.Series, pandas.DataFrame, Rows)):
            return self._call_pandas("isin", (values,), reason="labelled values")
        if not is_list_like(values):
            raise TypeError(
                "only list-like or dict-like objects are allowed to be passed to DataFrame.isin(), "
                f"you passed a '{type(values).__name__}'"
            )
        by_column = values if isinstance(values, dict) else dict.fromkeys(range(len(self._columns)), values)
        labels = self._names if isinstance(values, dict) else range(len(self._columns))
        try:
            made = [is_in(c, by_column.get(n, ())) for n, c in zip(labels, self._columns)]
        except NotNative as why:
            return self._call_pandas("isin", (values,), reason=why.reason)
        return self._with(made, self._index)
