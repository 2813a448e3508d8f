"""Methods that depend on the order of rows or values: cumulative operations, shifts, differences, ranks."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas

import bascule as bc

from ... import _core
from ..._array.ufuncs import by_name, rows
from ...lib.reductions import cumprod, cumsum
from .._base import Rows
from .._columns.column import AnyColumn, Column, HostColumn, ndarray, plain
from .._columns.numbered import is_categories, is_zoned
from .._columns.operators import compute
from .._columns.reduce import Parts, limit
from .._columns.where import fitting, is_missing_scalar, positions, refuse_missing
from .._fallback.native import NotNative

_NONE = pandas.api.extensions.no_default
_select = rows["where"]["ufunc"]
_int64, _float64 = np.dtype(np.int64), np.dtype(np.float64)
_RUNNING = {
    "cumsum": ("Sums", lambda v: cumsum(v)),
    "cumprod": ("Products", lambda v: cumprod(v)),
    "cummin": ("Smallest values", lambda v: by_name["minimum"].accumulate(v)),
    "cummax": ("Largest values", lambda v: by_name["maximum"].accumulate(v)),
}


def running(name: str, c: AnyColumn, skipna: bool) -> Column:
    """A cumulative operation of a column; missing values are skipped and stay missing."""
    p = Parts(c)
    if p.is_time or c.is_masked or (p.dtype.kind == "b" and name in ("cummin", "cummax")):
        raise NotNative(f"cumulative operations of type {c.dtype}")
    function = _RUNNING[name][1]
    if p.dtype.kind != "f" or not skipna:
        return plain(function(p.values))
    neutral = {"cumsum": 0, "cumprod": 1}[name] if name in ("cumsum", "cumprod") else limit(p, name[3:])
    return plain(_select(p.holes, p.dtype.type(np.nan), function(p.filled(neutral))))


def shifted(c: AnyColumn, periods: int, fill_value: Any = _NONE) -> AnyColumn:
    """A column with its rows moved down; rows without a source are missing or set to a value."""
    n = len(c)
    if periods == 0:
        return c
    if n == 0 and not (fill_value is _NONE and isinstance(c, Column) and c.values.dtype.kind in "fmM"):
        raise NotNative("shifts of no rows")
    k = min(abs(periods), n)
    if isinstance(c, HostColumn):
        if fill_value is not _NONE or not (is_categories(c) or is_zoned(c)):
            raise NotNative(f"values of type {c.dtype}")
        at = positions(n, c.device) - periods
        return c.take(_select((at < 0) | (at >= n), -1, at), True)
    if fill_value is not _NONE and (c.is_text or c.is_masked):
        raise NotNative(f"fill_value= in values of type {c.dtype}")
    if is_missing_scalar(fill_value):
        refuse_missing(c, fill_value)
    if fill_value is not _NONE and not is_missing_scalar(fill_value):
        edge = _core.full((k,), fitting(c, fill_value), c.dtype, c.device)
    elif c.is_text or c.is_masked or c.dtype.kind in "b":
        at = positions(n, c.device) - periods
        return c.take(_select((at < 0) | (at >= n), -1, at), True)
    elif c.dtype.kind in "mM":
        edge = _core.full((k,), np.iinfo(np.int64).min, _int64, c.device).view(c.dtype)
    else:
        dtype = c.dtype if c.dtype.kind == "f" else _float64
        edge = _core.full((k,), np.nan, dtype, c.device)
    values = c.values.astype(edge.dtype, copy=False)
    kept = values[: n - k] if periods > 0 else values[k:]
    parts = [edge, kept] if periods > 0 else [kept, edge]
    return Column(_core.concat_columns([_core.Column.plain(p) for p in parts]), edge.dtype)


def _whole_differences(values: ndarray, periods: int) -> ndarray:
    """Differences of integers, computed as integers, as floats that may be missing: float32 for small integers."""
    small = values.dtype in (np.int8, np.int16)
    wide = np.dtype(np.float32) if small else _float64
    values = values.astype(np.int32) if small else values
    n, gap = len(values), min(abs(periods), len(values))
    later, earlier = values[gap:], values[: n - gap]
    found = (later - earlier if periods >= 0 else earlier - later).astype(wide)
    nothing = _core.full((gap,), np.nan, wide, values.device)
    return bc.concatenate([nothing, found] if periods >= 0 else [found, nothing])


def differences(c: AnyColumn, periods: int) -> Column:
    """The difference of each row from the one some rows before."""
    if is_zoned(c):
        return compute("sub", c, shifted(c, periods))
    if isinstance(c, HostColumn) or c.is_text or c.dtype.kind == "b":
        raise NotNative(f"differences of type {c.dtype}")
    if not c.is_masked and c.dtype.kind in "iu":
        return plain(_whole_differences(c.values, periods))
    return compute("sub", c, shifted(c, periods))


_NA_OPTIONS = ("keep", "top", "bottom")


def ranked(c: AnyColumn, method: str, ascending: bool, pct: bool, na_option: str) -> Column:
    """The rank of each row's value; the method decides about ties."""
    if isinstance(c, HostColumn) or c.is_masked:
        raise NotNative(f"ranks of type {c.dtype}")
    if method not in ("average", "min", "max", "dense", "first") or na_option not in _NA_OPTIONS:
        raise NotNative("options of rank")
    codes, _, groups = _core.factorize_columns([c.core], True, False)
    n, ordered = len(c), False
    gone = c.missing() if c.has_missing() else None
    if groups == 0 and (na_option == "keep" or n == 0):
        return plain(_core.full((n,), np.nan, _float64, c.device))
    codes = codes.astype(_int64)
    if gone is not None:
        codes = _select(gone, 0, codes)
    if not ascending:
        codes = groups - 1 - codes
    if gone is not None and na_option != "keep":  # one more value, before or after all others
        codes = _select(gone, 0, codes + 1) if na_option == "top" else _select(gone, groups, codes)
        groups, gone, ordered = groups + 1, None, True
    size = _sizes(codes, groups, gone)
    end = cumsum(size)
    if method == "dense":
        place = (codes + 1).astype(_float64)
    elif method == "first":
        keys, up = (_core.Column.plain(codes), True) if ordered else (c.core, ascending)
        order = _core.order_columns([keys], [up], False)
        place = _core.empty((n,), _float64, c.device)
        place[order] = (positions(n, c.device) + 1).astype(_float64)
    else:
        start = end - size
        of_group = {"average": (start + end + 1) / 2.0, "min": start + 1, "max": end}[method]
        place = of_group[codes].astype(_float64)
    if pct:
        there = n - int(gone.sum()) if gone is not None else n
        place = place / float(groups if method == "dense" else there)
    if gone is not None:
        place = _select(gone, np.nan, place)
    return plain(place)


def _sizes(codes: ndarray, groups: int, gone: ndarray | None) -> ndarray:
    counted = codes if gone is None else codes[~gone]
    (size,) = _core.aggregate_columns(counted.astype(np.uint32), groups, [(None, "size", 1, -1)])
    return size.values


class Running(Rows):
    """Cumulative operations, shifts, differences and ranks."""

    def _down(self, function: Any, name: str, axis: Any, kwargs: dict) -> Any:
        """Apply a function to every column, or call pandas' method of that name."""
        try:
            if axis not in (0, "index", None):
                raise NotNative("axis=1")
            return self._with([function(c) for c in self._all_columns()], self._index)
        except NotNative as why:
            return self._call_pandas(name, (), kwargs, reason=why.reason)

    def shift(self, periods: Any = 1, freq: Any = None, axis: Any = 0, fill_value: Any = _NONE, suffix: Any = None) -> Any:  # fmt: skip
        """Move rows down by a number, or up where it is negative; the labels stay."""
        kwargs = {"periods": periods, "freq": freq, "axis": axis, "suffix": suffix}
        if fill_value is not _NONE:
            kwargs["fill_value"] = fill_value
        if freq is not None or suffix is not None or not isinstance(periods, (int, np.integer)):
            return self._call_pandas("shift", (), kwargs, reason="freq=, suffix= or several periods")
        return self._down(lambda c: shifted(c, int(periods), fill_value), "shift", axis, kwargs)

    def diff(self, periods: Any = 1, axis: Any = 0) -> Any:
        """The difference of each row from the one `periods` before."""
        kwargs = {"periods": periods} | ({"axis": axis} if self.ndim == 2 else {})
        if isinstance(periods, float) and periods.is_integer():
            periods = int(periods)
        if not isinstance(periods, (int, np.integer)):
            raise ValueError("periods must be an integer")
        return self._down(lambda c: differences(c, int(periods)), "diff", axis, kwargs)

    def pct_change(self, periods: int = 1, fill_method: None = None, freq: Any = None, **kwargs: Any) -> Any:
        """The relative change of each row from the one `periods` before."""
        if fill_method is not None:
            raise ValueError(f"fill_method must be None; got fill_method={fill_method!r}.")
        if freq is not None or kwargs or not isinstance(periods, (int, np.integer)):
            return self._call_pandas("pct_change", (periods,), {"freq": freq, **kwargs}, reason="freq= or options")
        if any(isinstance(c, HostColumn) or c.values.dtype.kind == "b" for c in self._all_columns()):
            return self._call_pandas("pct_change", (periods,), reason="booleans and objects")
        return self / self.shift(int(periods)) - 1

    def rank(
        self,
        axis: Any = 0,
        method: str = "average",
        numeric_only: bool = False,
        na_option: str = "keep",
        ascending: bool = True,
        pct: bool = False,
    ) -> Any:
        """The rank of each value, from 1."""
        kwargs = {"axis": axis, "method": method, "numeric_only": numeric_only, "na_option": na_option,
                  "ascending": ascending, "pct": pct}  # fmt: skip
        if numeric_only:
            return self._call_pandas("rank", (), kwargs, reason="numeric_only=")
        return self._down(lambda c: ranked(c, method, ascending, pct, na_option), "rank", axis, kwargs)

    def _running(self, name: str, axis: Any, skipna: Any, args: tuple, kwargs: dict) -> Any:
        given = {"axis": axis, "skipna": skipna, **kwargs}
        if args or kwargs.get("numeric_only") or set(kwargs) - {"numeric_only"} or type(skipna) is not bool:
            return self._call_pandas(name, (axis, skipna, *args), kwargs, reason="options of cumulative operations")
        return self._down(lambda c: running(name, c, skipna), name, axis, given)


def _running_method(name: str) -> Any:
    def method(self: Any, axis: Any = 0, skipna: bool = True, *args: Any, **kwargs: Any) -> Any:
        return self._running(name, axis, skipna, args, kwargs)

    method.__name__ = method.__qualname__ = name
    method.__doc__ = f"{_RUNNING[name][0]} of ever longer parts of the rows; what is missing stays so."
    return method


for _name in _RUNNING:
    setattr(Running, _name, _running_method(_name))
