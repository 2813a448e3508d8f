"""Columns that depend on the order of rows or values: cumulative operations, shifts, differences, ranks."""

from __future__ import annotations

from typing import Any

import numpy as np

import bascule as bc

from .... import _core
from ...._array.ufuncs import by_name, rows
from ....lib.reductions import cumprod, cumsum
from ..._columns.column import AnyColumn, Column, ndarray, plain, positions
from ..._columns.operators import compute
from ..._columns.reduce import Parts
from ..._columns.where import is_missing_scalar
from ..._fallback.native import NotNative
from ..._theirs import UNSET, unset

_select = rows["where"]["ufunc"]
_int64, FLOAT64 = np.dtype(np.int64), np.dtype(np.float64)
RUNNING = {
    "cumsum": ("Sums", lambda v: cumsum(v)),
    "cumprod": ("Products", lambda v: cumprod(v)),
    "cummin": ("Smallest values", lambda v: by_name["minimum"].accumulate(v)),
    "cummax": ("Largest values", lambda v: by_name["maximum"].accumulate(v)),
}


def running(name: str, c: AnyColumn, skipna: bool) -> Column:
    """A cumulative operation of a column; missing values are skipped and stay missing."""
    allowed = "iuf" if name in ("cummin", "cummax") else "biuf"
    p, function = Parts(c), RUNNING[name][1]
    values = c.plain_values(allowed, "cumulations")
    if p.nulls is None or not skipna:
        return plain(function(values))
    neutral = {"cumsum": 0, "cumprod": 1}[name] if name in ("cumsum", "cumprod") else c.limit(name[3:])
    return plain(_select(p.nulls, p.dtype.type(np.nan), function(p.filled(neutral))))


def shifted(c: AnyColumn, periods: int, fill_value: Any = UNSET) -> AnyColumn:
    """A column with its rows moved down; rows without a source are missing or set to a value."""
    n = len(c)
    if periods == 0:
        return c
    k = min(abs(periods), n)
    if not unset(fill_value):
        c.plain_values(why="fill_value= in strings, or in values that may be NA")
    if is_missing_scalar(fill_value):
        c.refuse_missing(fill_value)
    if unset(fill_value) or is_missing_scalar(fill_value):
        edge = c.missing_rows(k)
    else:
        edge = _core.full((k,), c.fitting(fill_value), c.dtype, c.device)
    if n == 0 and (not unset(fill_value) or edge is None or edge.dtype != c.dtype):
        raise NotNative("shifts of no rows")
    if edge is None:
        at = positions(n, c.device) - periods
        return c.take(_select((at < 0) | (at >= n), -1, at), True)
    values = c.values.astype(edge.dtype, copy=False)
    kept = values[: n - k] if periods > 0 else values[k:]
    parts = [edge, kept] if periods > 0 else [kept, edge]
    return Column(_core.concat_columns([_core.Column.plain(p) for p in parts]), edge.dtype)


def _whole_differences(values: ndarray, periods: int) -> ndarray:
    """Differences of integers, computed as integers, as floats that may be missing: float32 for small integers."""
    small = values.dtype in (np.int8, np.int16)
    wide = np.dtype(np.float32) if small else FLOAT64
    values = values.astype(np.int32) if small else values
    n, gap = len(values), min(abs(periods), len(values))
    later, earlier = values[gap:], values[: n - gap]
    found = (later - earlier if periods >= 0 else earlier - later).astype(wide)
    nothing = _core.full((gap,), np.nan, wide, values.device)
    return bc.concatenate([nothing, found] if periods >= 0 else [found, nothing])


def differences(c: AnyColumn, periods: int) -> Column:
    """The difference of each row from the one some rows before."""
    if not c.subtracts:
        raise NotNative(f"differences of type {c.dtype}")
    if not c.can_lack:
        return plain(_whole_differences(c.values, periods))
    return compute("sub", c, shifted(c, periods))


_NA_OPTIONS = ("keep", "top", "bottom")


def ranked(c: AnyColumn, method: str, ascending: bool, pct: bool, na_option: str) -> Column:
    """The rank of each row's value; the method decides about ties."""
    if not c.has_ranks:
        raise NotNative(f"ranks of type {c.dtype}")
    if method not in ("average", "min", "max", "dense", "first") or na_option not in _NA_OPTIONS:
        raise NotNative("options of rank")
    codes, _, groups = _core.factorize_columns([c.core], True, False)
    n, ordered = len(c), False
    gone = c.missing() if c.has_missing() else None
    if groups == 0 and (na_option == "keep" or n == 0):
        return plain(_core.full((n,), np.nan, FLOAT64, c.device))
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
        place = (codes + 1).astype(FLOAT64)
    elif method == "first":
        keys, up = (_core.Column.plain(codes), True) if ordered else (c.core, ascending)
        order = _core.order_columns([keys], [up], False)
        place = _core.empty((n,), FLOAT64, c.device)
        place[order] = (positions(n, c.device) + 1).astype(FLOAT64)
    else:
        start = end - size
        of_group = {"average": (start + end + 1) / 2.0, "min": start + 1, "max": end}[method]
        place = of_group[codes].astype(FLOAT64)
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
