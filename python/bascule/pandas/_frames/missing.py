"""Missing values: detection, removal, replacement, interpolation."""

from __future__ import annotations

from typing import Any

import numpy as np

import bascule as bc

from ... import _core
from .. import _fallback, _indexes
from .._base import Rows
from .._columns.column import AnyColumn, ndarray, plain
from .._columns.operators import compute
from .._columns.where import carried, choose, filled, is_missing_scalar
from .._fallback.carried import unnoted
from .._fallback.native import DOWN, NotNative, native
from .._pending import objects as pending
from .._questions import PLAIN, is_list_like
from .._reshape.turned import each
from .._theirs import UNSET, pandas, seen, unset

_FLOAT64 = np.dtype(np.float64)


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
        return obj != obj
    if obj is seen.NaT or obj is seen.NA:
        return True
    return obj is None or obj != obj if type(obj) in PLAIN else pandas.isna(obj)


def notna(obj: Any) -> Any:
    """Detect values that are not missing: the opposite of `isna`."""
    found = isna(obj)
    return not found if isinstance(found, bool) else ~found


def replaced(c: AnyColumn, pairs: dict) -> AnyColumn:
    """A column with the values of a dict in place of its keys."""
    if c.dtype == object:
        return c.with_replaced(pairs)
    out = c
    for old, new in pairs.items():
        key = c.replaced_key(old, new)
        if is_missing_scalar(old):
            c.refuse_missing(old)
            if c.has_missing():
                out = choose(~c.missing(), out, new)
            continue
        if key is None:
            continue
        found = compute("eq", c, key).values
        if is_missing_scalar(new):
            out = choose(~found, out, new) if bool(found.any()) else out
            continue
        try:
            c.fitting(new)
        except NotNative:
            if bool(found.any()):
                raise
            continue
        out = choose(~found, out, new)
    return out


def _is_plain_limit(limit: Any) -> bool:
    return limit is None or (type(limit) is int and limit > 0)


class Missing(Rows):
    """Missing values of frames; those of series that differ are in SeriesMissing."""

    @native(axis=DOWN, limit=None)
    def fillna(self, value: Any, *, axis: Any = None, inplace: bool = False, limit: int | None = None) -> Any:
        """Replace missing values by a scalar, or by the value for their column in a dict or series."""
        if not is_list_like(value):
            return self._done(each(self, lambda c: filled(c, value)), inplace)
        if isinstance(value, Rows) and value.ndim == 2:
            made = self._others(value)
        elif isinstance(value, (dict, Rows, pandas.Series)):
            by_label = dict(_fallback.from_pandas(value).items())
            if any(is_list_like(v) for v in by_label.values()):
                raise NotNative("a dict with values that are not scalars")
            if any(self._is_part_of_a_label(k) for k in by_label):
                raise NotNative("labels of some levels of the columns")
            made = [by_label.get(n, np.nan) for n in self._names]
        else:
            raise NotNative("other values")
        columns = [c if isinstance(v, float) and v != v else filled(c, v) for c, v in zip(self._columns, made)]
        return self._done(self._with(columns, self._index), inplace)

    @native
    def dropna(self, *, axis: Any = 0, how: Any = UNSET, thresh: Any = UNSET, subset: Any = None, inplace: Any = False,
               ignore_index: bool = False) -> Any:  # fmt: skip
        """Drop rows, or columns, with missing values: with any, with all (`how`), or with too few valid ones (`thresh`)."""
        if not unset(how) and not unset(thresh):
            raise TypeError("You cannot set both the how and thresh arguments at the same time.")
        if not unset(how) and how not in ("any", "all"):
            raise ValueError(f"invalid how option: {how}")
        if thresh is None:
            raise NotNative("thresh=")
        by_rows = axis in (0, "index")
        if not by_rows and (axis not in (1, "columns") or subset is not None):
            raise NotNative("axis= or subset=")
        if by_rows:
            made = self._whole_rows(how, thresh, subset)
        else:
            counts = [int(c.missing().sum()) if c.has_missing() else 0 for c in self._columns]
            n = len(self)
            keep = [
                i
                for i, k in enumerate(counts)
                if ((n - k >= thresh) if not unset(thresh) else (k < n or n == 0) if how == "all" else k == 0)
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
            kept = thresh <= 0 if not unset(thresh) else how != "all"
            return self.copy() if kept else self._slice_rows(slice(0, 0))
        if not unset(thresh):
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

    @native(
        method=("linear", "index", "values"), axis=(0, "index"), limit=None, inplace=False,
        limit_direction=(None, "forward", "backward", "both"), limit_area=None,
    )  # fmt: skip
    def interpolate(
        self, method: str = "linear", *, axis: Any = 0, limit: Any = None, inplace: bool = False, limit_direction: Any = None, limit_area: Any = None, **kwargs: Any
    ) -> Any:  # fmt: skip
        """Fill missing values by linear interpolation.

        Parameters
        ----------
        method : {"linear", "index", "values"}
            Rows are evenly spaced, or at the distances of their labels; other methods run in pandas.
        axis, limit, inplace, limit_direction, limit_area, **kwargs
            As pandas'.
        """
        if kwargs:
            raise NotNative("options of a method")
        if method == "linear":
            x = np.arange(len(self), dtype=np.float64)
        else:
            labels = self._index._columns[0]
            if self._index.nlevels > 1 or labels.has_missing():
                raise NotNative("labels of several levels, or missing ones")
            x = _core.to_numpy(labels.plain_values("iuf")).astype(np.float64)
        return self._map_columns(lambda c: _between(c, x, limit_direction or "forward"), self._index)

    @native
    def isna(self) -> Any:
        """Which values are missing."""
        later = pending.missing(self, False) if self.ndim == 1 and "_plan" in self.__dict__ else None
        if later is not None:
            return later
        return each(self, lambda c: plain(c.dense().missing()))

    @native
    def notna(self) -> Any:
        """Which values are not missing."""
        later = pending.missing(self, True) if self.ndim == 1 and "_plan" in self.__dict__ else None
        if later is not None:
            return later
        return each(self, lambda c: plain(~c.dense().missing()))

    isnull, notnull = isna, notna

    def _done(self, made: Any, inplace: bool) -> Any:
        if not inplace:
            return made
        self._become(made)
        return self

    @native(axis=DOWN, limit=_is_plain_limit, limit_area=None)
    def ffill(
        self, *, axis: Any = None, inplace: bool = False, limit: int | None = None, limit_area: Any = None
    ) -> Any:
        """Fill each missing value with the last value before it that is not missing."""
        return self._done(self._map_columns(lambda c: carried(c, True, limit), self._index), inplace)

    @native(axis=DOWN, limit=_is_plain_limit, limit_area=None)
    def bfill(
        self, *, axis: Any = None, inplace: bool = False, limit: int | None = None, limit_area: Any = None
    ) -> Any:
        """Fill each missing value with the next value after it that is not missing."""
        return self._done(self._map_columns(lambda c: carried(c, False, limit), self._index), inplace)

    @native(regex=lambda regex: regex is False)
    def replace(self, to_replace: Any = None, value: Any = UNSET, *, inplace: bool = False, regex: Any = False) -> Any:
        """Replace values by others, in pairs or by a dict of old to new."""
        pairs = _pairs(to_replace, value)
        if pairs is not None:
            return self._done(self._map_columns(lambda c: replaced(c, pairs), self._index), inplace)
        of_columns = None if self.ndim == 1 else _pairs_of_columns(to_replace, value)
        if of_columns is None or not self._names.is_unique or self._names.nlevels > 1:
            raise NotNative("a dict with values that are not scalars")
        columns = [replaced(c, of_columns.get(n, {})) for n, c in zip(self._names, self._columns)]
        return self._done(self._with(columns, self._index), inplace)


def _pairs(old: Any, new: Any) -> dict[Any, Any] | None:
    """The values that are replaced, and those in their place; None for other arguments."""
    if isinstance(old, dict):
        return old if unset(new) and not any(map(is_list_like, old.values())) else None
    if unset(new) or is_list_like(new) and not (type(old) is type(new) is list and len(old) == len(new)):
        return None
    if not is_list_like(old):
        return {old: new}
    if type(old) is not list or any(map(is_list_like, old)):
        return None
    found = list(zip(old, new)) if type(new) is list else [(x, new) for x in old]
    pairs = dict(found)
    if any(x is None for x in pairs.values()):
        return None  # which stays None only here
    return pairs if len(pairs) == len(found) and not any(map(is_list_like, pairs.values())) else None


def _pairs_of_columns(old: Any, new: Any) -> dict[Any, dict[Any, Any]] | None:
    """The same for each column, of a dict of columns; None for other arguments."""
    if type(old) is not dict or not (unset(new) or not is_list_like(new)):
        return None
    parts = {k: _pairs(v, new) for k, v in old.items()}
    if not all(type(v) is dict for v in old.values()) and unset(new):
        return None
    return None if any(p is None for p in parts.values()) else parts  # type: ignore[return-value]


class SeriesMissing(Missing):
    """Missing values of series."""

    @native(axis=DOWN, limit=None)
    def fillna(self, value: Any, *, axis: Any = None, inplace: bool = False, limit: int | None = None) -> Any:
        """Replace missing values by a scalar, or by the value for their label in a dict or series."""
        if isinstance(value, (dict, pandas.Series)) and not isinstance(value, Rows) and len(value):
            value = self._from_pandas(pandas.Series(value))
        if isinstance(value, Rows):
            if value.ndim != 1:
                raise NotNative("a frame as values")
            same = value._index is self._index or value._index.equals(self._index)
            value = value._column if same else value.reindex(self._index)._column
            if value.dtype != self._column.dtype:
                raise NotNative("values of another type")
        elif is_list_like(value):
            raise NotNative("other values")
        return self._done(self._like(filled(self._column, value)), inplace)

    def dropna(self, *, axis: Any = 0, inplace: Any = False, how: Any = None, ignore_index: bool = False) -> Any:
        """The series without missing values."""
        if axis not in (0, "index"):
            raise ValueError(f"No axis named {axis} for object type Series")
        made = self._filter_rows(~self._column.missing(), asked_for=True) if self._column.has_missing() else self.copy()
        if ignore_index:
            made._index = _indexes.default(len(made))
        return None if self._done(made, inplace) is self else made


def _between(c: AnyColumn, x: np.ndarray, direction: str) -> AnyColumn:
    """A column whose missing values are interpolated linearly between their neighbours."""
    if not c.can_lack:
        return c
    if c.dtype != _FLOAT64:
        raise NotNative(f"values of type {c.dtype}")
    if c.device.startswith("cuda"):
        raise NotNative("interpolation on a GPU")
    missing = _core.to_numpy(c.missing())
    if not missing.any() or missing.all():
        return c
    known = np.flatnonzero(~missing)
    nulls = np.flatnonzero(missing)
    if direction == "forward":
        nulls = nulls[nulls > known[0]]
    elif direction == "backward":
        nulls = nulls[nulls < known[-1]]
    if not len(nulls):
        return c
    at, order = x[known], np.argsort(x[known])
    values = _core.to_numpy(c.values)[known]
    found = bc.interp(_core.from_numpy(x[nulls]), _core.from_numpy(at[order]), _core.from_numpy(values[order]))
    out = c.values.copy()
    out[_core.from_numpy(nulls)] = found
    return plain(out)
