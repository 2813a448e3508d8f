"""Missing values of frames and series: detection, removal, replacement; replacement of values by a condition."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas
from pandas.api.types import is_list_like

from ... import _core
from ..._array.ufuncs import by_name
from .. import _fallback, _indexes
from .._base import Rows
from .._columns.column import AnyColumn, Column, HostColumn, ndarray, plain
from .._columns.operators import compute
from .._columns.where import carried, choose, filled, fitting, is_missing_scalar
from .._fallback.carried import unnoted
from .._fallback.native import NotNative
from .._pipe import apply_if_callable

_NONE = pandas.api.extensions.no_default


def isna(obj: Any) -> Any:
    """Detect missing values: NaN, NaT, NA or None.

    Parameters
    ----------
    obj : DataFrame, Series, Index, array or scalar

    Returns
    -------
    The same labels with booleans; an array for indexes and arrays; a boolean for a scalar.

    Examples
    --------
    >>> import bascule.pandas as pd
    >>> pd.isna(pd.Series([1.0, None])).tolist()
    [False, True]
    """
    if isinstance(obj, (Rows, _indexes.Index)):
        return unnoted(obj.isna()) if obj.ndim == 1 else obj.isna()
    if type(obj) is ndarray:
        kind = obj.dtype.kind
        return by_name["isnat" if kind in "mM" else "isnan"](obj)
    return pandas.isna(obj)


def notna(obj: Any) -> Any:
    """Detect values that are not missing: the opposite of `isna`."""
    found = isna(obj)
    return not found if isinstance(found, bool) else ~found


class Missing(Rows):
    """Methods for missing values, for frames and series."""

    def isna(self) -> Any:
        """Which values are missing."""
        return self._map_columns(lambda c: plain(c.missing()), self._index)

    def notna(self) -> Any:
        """Which values are not missing."""
        return self._map_columns(lambda c: plain(~c.missing()), self._index)

    isnull, notnull = isna, notna

    def _done(self, made: Any, inplace: bool) -> Any:
        if not inplace:
            return made
        self._become(made)
        return self

    def _each(self, function: Any, inplace: bool, name: str, args: tuple, kwargs: dict) -> Any:
        """Apply a function to all columns, or call pandas' method of that name."""
        try:
            made = self._with([function(c) for c in self._all_columns()], self._index)
        except NotNative as why:
            return self._call_pandas(name, args, {**kwargs, "inplace": inplace}, reason=why.reason)
        return self._done(made, inplace)

    def ffill(
        self, *, axis: Any = None, inplace: bool = False, limit: int | None = None, limit_area: Any = None
    ) -> Any:
        """Replace missing values by the last valid value before them."""
        return self._carry("ffill", True, axis, inplace, limit, limit_area)

    def bfill(
        self, *, axis: Any = None, inplace: bool = False, limit: int | None = None, limit_area: Any = None
    ) -> Any:
        """Replace missing values by the next valid value after them."""
        return self._carry("bfill", False, axis, inplace, limit, limit_area)

    def _carry(self, name: str, forward: bool, axis: Any, inplace: bool, limit: Any, limit_area: Any) -> Any:
        kwargs = {"axis": axis, "limit": limit, "limit_area": limit_area}
        if axis not in (None, 0, "index") or limit is not None or limit_area is not None:
            return self._call_pandas(name, (), {**kwargs, "inplace": inplace}, reason="axis= or limits")
        return self._each(lambda c: carried(c, forward), inplace, name, (), kwargs)

    def where(
        self, cond: Any, other: Any = _NONE, *, inplace: bool = False, axis: Any = None, level: Any = None
    ) -> Any:
        """Keep values where a condition holds and replace the others, by default with missing values."""
        return self._choose("where", cond, other, inplace, axis, level)

    def mask(self, cond: Any, other: Any = _NONE, *, inplace: bool = False, axis: Any = None, level: Any = None) -> Any:
        """Replace values where a condition holds, by default with missing values, and keep the others."""
        return self._choose("mask", cond, other, inplace, axis, level)

    def _choose(self, name: str, cond: Any, other: Any, inplace: bool, axis: Any, level: Any) -> Any:
        kwargs = {"inplace": inplace, "axis": axis, "level": level}
        given = (cond,) if other is _NONE else (cond, other)
        cond = apply_if_callable(cond, self)
        other = other if other is _NONE else apply_if_callable(other, self)
        try:
            if axis is not None or level is not None:
                raise NotNative("axis= or level=")
            masks = self._masks(cond)
            if name == "mask":
                masks = [~m for m in masks]
            others = self._others(np.nan if other is _NONE else other)
            columns = [choose(m, c, o) for m, c, o in zip(masks, self._all_columns(), others)]
        except NotNative as why:
            return self._call_pandas(name, given, kwargs, reason=why.reason)
        return self._done(self._with(columns, self._index), inplace)

    def _masks(self, cond: Any) -> list[ndarray]:
        """A boolean array for each column."""
        if isinstance(cond, (pandas.Series, pandas.DataFrame)):
            cond = _fallback.from_pandas(cond)
        columns = self._all_columns()
        if isinstance(cond, Rows):
            if cond.ndim != self.ndim or not (cond._index is self._index or cond._index.equals(self._index)):
                raise NotNative("conditions with other labels")
            if self.ndim == 2 and not (cond._names is self._names or cond._names.equals(self._names)):
                raise NotNative("conditions with other labels")
            found = [
                c.values if isinstance(c, Column) and c.dtype == np.dtype(bool) else None for c in cond._all_columns()
            ]
        elif (
            isinstance(cond, (ndarray, np.ndarray)) and cond.dtype == np.dtype(bool) and tuple(cond.shape) == self.shape
        ):
            array = cond if type(cond) is ndarray else _core.from_numpy(cond, self._device())
            found = [array] if self.ndim == 1 else [array[:, i] for i in range(len(columns))]
        else:
            raise NotNative("conditions that are not booleans")
        if any(m is None for m in found):
            raise NotNative("conditions that are not booleans")
        return found

    def _others(self, other: Any) -> list[Any]:
        """A scalar or a column for each column."""
        if isinstance(other, (pandas.Series, pandas.DataFrame)):
            other = _fallback.from_pandas(other)
        columns = self._all_columns()
        if isinstance(other, Rows):
            if other.ndim != self.ndim or not (other._index is self._index or other._index.equals(self._index)):
                raise NotNative("values of other labels")
            if self.ndim == 2 and not other._names.equals(self._names):
                raise NotNative("values of other labels")
            return other._all_columns()
        if is_list_like(other) or (type(other) is ndarray and other.ndim):
            raise NotNative("unlabelled values")
        return [other] * len(columns)

    def replace(self, to_replace: Any = None, value: Any = _NONE, *, inplace: bool = False, regex: Any = False) -> Any:
        """Replace values by others, in pairs or by a dict of old to new."""
        args = (to_replace,) if value is _NONE else (to_replace, value)
        simple = (
            {to_replace: value}
            if not is_list_like(to_replace) and not is_list_like(value) and value is not _NONE
            else to_replace
            if isinstance(to_replace, dict) and value is _NONE
            else None
        )
        if simple is None or regex is not False or any(is_list_like(v) for v in simple.values()):
            kwargs = {"inplace": inplace, "regex": regex}
            return self._call_pandas("replace", args, kwargs, reason="values that are not scalars")
        return self._each(lambda c: replaced(c, simple), inplace, "replace", args, {"regex": regex})


def replaced(c: AnyColumn, pairs: dict) -> AnyColumn:
    """A column with the values of a dict in place of its keys."""
    if isinstance(c, HostColumn) or (not c.is_text and c.is_masked):
        raise NotNative(f"values of type {c.dtype}")
    kind = "t" if c.is_text else c.dtype.kind
    out = c
    for old, new in pairs.items():
        if is_missing_scalar(old) or is_missing_scalar(new) or kind == "b" or isinstance(old, (bool, np.bool_)):
            raise NotNative("missing values and booleans replaced")
        try:
            fitting(c, old)
        except NotNative:
            if isinstance(old, str) != (kind == "t") and kind not in "mM":
                continue  # no row can equal it
            raise
        found = compute("eq", c, old if kind in "tbiuf" else fitting(c, old)).values
        try:
            fitting(c, new)
        except NotNative:
            if bool(found.any()):
                raise
            continue
        out = choose(~found, out, new)
    return out


class SeriesMissing(Missing):
    """Missing values of series."""

    def fillna(self, value: Any, *, axis: Any = None, inplace: bool = False, limit: int | None = None) -> Any:
        """Replace missing values by a scalar, or by the value for their label in a dict or series."""
        kwargs = {"axis": axis, "limit": limit}
        if limit is not None or axis not in (None, 0, "index"):
            return self._call_pandas("fillna", (value,), {**kwargs, "inplace": inplace}, reason="limit= or axis=")
        try:
            given = value
            if isinstance(given, (dict, pandas.Series)) and not isinstance(given, Rows):
                given = self._from_pandas(pandas.Series(given)) if len(given) else given
            if isinstance(given, Rows):
                if given.ndim != 1:
                    raise NotNative("a frame as values")
                same = given._index is self._index or given._index.equals(self._index)
                given = given._column if same else given.reindex(self._index)._column
                if isinstance(given, Column) and given.dtype != self._column.dtype:
                    raise NotNative("values of another type")
            elif is_list_like(given):
                raise NotNative("other values")
            made = self._like(filled(self._column, given))
        except NotNative as why:
            return self._call_pandas("fillna", (value,), {**kwargs, "inplace": inplace}, reason=why.reason)
        return self._done(made, inplace)

    def dropna(self, *, axis: Any = 0, inplace: Any = False, how: Any = None, ignore_index: bool = False) -> Any:
        """The series without missing values."""
        if axis not in (0, "index"):
            raise ValueError(f"No axis named {axis} for object type Series")
        made = self._filter_rows(~self._column.missing(), asked_for=True) if self._column.has_missing() else self.copy()
        if ignore_index:
            made._index = _indexes.default(len(made))
        return None if self._done(made, inplace) is self else made

    def combine_first(self, other: Any) -> Any:
        """The values, with missing ones replaced by those of another series."""
        there = _fallback.from_pandas(other)
        same = isinstance(there, Rows) and there.ndim == 1 and there._index.equals(self._index)
        if not same or there.dtype != self.dtype or not len(self):
            return self._call_pandas("combine_first", (other,), reason="other labels or types")
        try:
            return self._like(choose(~self._column.missing(), self._column, there._column))
        except NotNative as why:
            return self._call_pandas("combine_first", (other,), reason=why.reason)


class FrameMissing(Missing):
    """Missing values of frames."""

    def fillna(self, value: Any, *, axis: Any = None, inplace: bool = False, limit: int | None = None) -> Any:
        """Replace missing values by a scalar, or by the value for their column in a dict or series."""
        kwargs = {"axis": axis, "limit": limit, "inplace": inplace}
        if limit is not None or axis not in (None, 0, "index") or (is_list_like(value) and not isinstance(value, (dict, Rows, pandas.Series))):  # fmt: skip
            return self._call_pandas("fillna", (value,), kwargs, reason="limit= or axis=")
        try:
            if isinstance(value, Rows) and value.ndim == 2:
                made = self._others(value)
            elif is_list_like(value):
                by_label = dict(_fallback.from_pandas(value).items())
                if any(is_list_like(v) for v in by_label.values()):
                    raise NotNative("a dict with values that are not scalars")
                if any(self._is_part_of_a_label(k) for k in by_label):
                    raise NotNative("labels of some levels of the columns")
                made = [by_label.get(n, np.nan) for n in self._names]
            else:
                made = [value] * len(self._columns)
            columns = [
                c if isinstance(v, float) and v != v and is_list_like(value) else filled(c, v)
                for c, v in zip(self._columns, made)
            ]
        except NotNative as why:
            return self._call_pandas("fillna", (value,), kwargs, reason=why.reason)
        return self._done(self._with(columns, self._index), inplace)

    def dropna(self, *, axis: Any = 0, how: Any = _NONE, thresh: Any = _NONE, subset: Any = None, inplace: Any = False,
               ignore_index: bool = False) -> Any:  # fmt: skip
        """Drop rows, or columns, with missing values: with any, with all (`how`), or with too few valid ones (`thresh`)."""
        if how is not _NONE and thresh is not _NONE:
            raise TypeError("You cannot set both the how and thresh arguments at the same time.")
        if how not in (_NONE, "any", "all"):
            raise ValueError(f"invalid how option: {how}")
        by_rows = axis in (0, "index")
        if not by_rows and (axis not in (1, "columns") or subset is not None):
            options = {"axis": axis, "subset": subset}
            options |= {} if how is _NONE else {"how": how}
            options |= {} if thresh is _NONE else {"thresh": thresh}
            return self._call_pandas("dropna", (), {**options, "inplace": inplace, "ignore_index": ignore_index},
                                     reason="axis= or subset=")  # fmt: skip
        if by_rows:
            made = self._whole_rows(how, thresh, subset)
        else:
            counts = [int(c.missing().sum()) if c.has_missing() else 0 for c in self._columns]
            n = len(self)
            keep = [
                i
                for i, k in enumerate(counts)
                if ((n - k >= thresh) if thresh is not _NONE else (k < n or n == 0) if how == "all" else k == 0)
            ]
            made = self._select(keep)
        if ignore_index:
            made.__dict__["_index"] = _indexes.default(len(made))
        return None if self._done(made, inplace) is self else made

    def _whole_rows(self, how: Any, thresh: Any, subset: Any) -> Any:
        columns = self._columns
        if subset is not None:
            labels = list(subset) if is_list_like(subset) else [subset]
            found = self._names.get_indexer_for(labels)
            if (found < 0).any():
                raise KeyError(np.array(labels)[found < 0].tolist())
            columns = [columns[i] for i in found]
        if not columns:
            kept = thresh <= 0 if thresh is not _NONE else how != "all"
            return self.copy() if kept else self._slice_rows(slice(0, 0))
        if thresh is not _NONE:
            there = None
            for c in columns:
                one = (~c.missing()).astype(np.int64)
                there = one if there is None else there + one
            keep = there >= thresh
        else:
            lacking = [c for c in columns if c.has_missing()]
            if not lacking or (how == "all" and len(lacking) < len(columns)):
                return self.copy()
            gone = lacking[0].missing()
            for c in lacking[1:]:
                gone = (gone & c.missing()) if how == "all" else (gone | c.missing())
            keep = ~gone
        return self.copy() if bool(keep.all()) else self._filter_rows(keep)
