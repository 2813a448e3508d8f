"""Reductions of the rows of a frame with few columns, one column after another."""

from __future__ import annotations

import operator
from collections.abc import Callable
from typing import Any

import numpy as np

from .... import _core
from ...._array.ufuncs import by_name, rows
from ..._columns.column import AnyColumn, Column, ndarray, plain
from ..._columns.dtypes import added, common_masked, common_number, floating
from ..._columns.grouping import Grouping
from ..._fallback.native import NotNative
from ..._groupby.agg import Request, compute, median, shape
from ..._theirs import seen

_select = rows["where"]["ufunc"]
_BOOL, _HALF, _WIDE = np.dtype(bool), np.dtype(np.float16), np.dtype(np.float64)
_LEAST = ("sum", "prod")  # which may ask for so many values


def across(name: str, columns: list[AnyColumn], skipna: bool, min_count: int, ddof: int) -> Column:
    """A reduction of every row; NotNative where pandas has to do it."""
    if not columns:
        raise NotNative("rows without columns")
    if any(c.nothing is seen.NA for c in columns):
        return _of_masked(name, columns, {"skipna": skipna, "min_count": min_count, "ddof": ddof})
    values, dtype = _numbers(columns)
    if name in _ORDERED:
        return _of_timestamps(name, columns, dtype, skipna)
    if name in ("any", "all") and dtype != _BOOL:
        raise NotNative("rows of booleans and numbers")
    if name in _SPREAD and dtype == _BOOL:
        raise NotNative("moments of booleans")
    with np.errstate(all="ignore"):
        made = _ROWS[name](values, dtype, skipna, ddof) if name in _SPREAD else _ROWS[name](values, dtype, skipna)
        if name in _LEAST and min_count > 0 and (floating(dtype) == dtype or min_count > len(values)):
            made = _select(
                _there(values, np.dtype(np.int64)) >= min_count,
                made.astype(floating(made.dtype), copy=False),
                np.nan,
            )
    return plain(made)


def _as_groups(columns: list[AnyColumn], dtype: np.dtype, masked: bool) -> tuple[Grouping, Any]:
    """The values of all columns, one column after another, each row a group."""
    n, k, device = len(columns[0]), len(columns), columns[0].device
    codes = _core.from_numpy(np.tile(np.arange(n, dtype=np.uint32), k), device)
    groups = Grouping([plain(codes)], [None], True, True)
    groups.number(codes, _core.from_numpy(np.arange(n), device), n)
    cores = [
        _core.Column.plain(c.values.astype(dtype, copy=False), ~c.missing() if masked and c.has_missing() else None)
        for c in columns
    ]
    return groups, _core.concat_columns(cores)


def _of_masked(name: str, columns: list[AnyColumn], options: dict[str, Any]) -> AnyColumn:
    """A reduction of rows with masked columns; NotNative unless all are numbers, or all booleans."""
    if not all(c.is_numeric for c in columns):
        raise NotNative("rows of non-numeric columns")
    common = common_masked([c.dtype for c in columns], "rows of booleans and numbers")
    groups, core = _as_groups(columns, common.numpy_dtype, True)
    return compute(groups, [Request(Column(core, common), name, options)])[0]


def _of_timestamps(name: str, columns: list[AnyColumn], dtype: np.dtype, skipna: bool) -> Column:
    """The median, skewness or kurtosis of rows of plain numbers."""
    if dtype in (_BOOL, _HALF):
        raise NotNative(f"{name} of rows of type {dtype}")
    groups, core = _as_groups(columns, dtype, False)
    c = Column(core, dtype)
    made = median(groups, c).values if name == "median" else shape(groups, c, name)
    if not skipna and c.has_missing():
        holed = groups.aggregate([(_core.Column.plain(c.missing()), "any", 1, -1)])[0].values
        made = _select(holed, np.nan, made)
    return plain(made.astype(floating(dtype), copy=False))


def _numbers(columns: list[AnyColumn]) -> tuple[list[ndarray], np.dtype]:
    """The columns in their common type; NotNative unless all are plain numbers or booleans."""
    values = [c.plain_values("biuf", "rows of non-numeric columns") for c in columns]
    dtype = common_number((v.dtype for v in values), "rows of booleans and numbers")
    return [v.astype(dtype, copy=False) for v in values], dtype


def extreme_columns(columns: list[AnyColumn], which: str, skipna: bool) -> ndarray:
    """The position of the column with the largest or smallest value of every row, the first of equals."""
    values, _ = _numbers(columns)
    best, at = values[0], _core.full((len(values[0]),), 0, np.dtype(np.int64), values[0].device)
    some_missing = any(c.has_missing() for c in columns)
    if some_missing and not skipna:
        raise NotNative("rows with missing values")
    for i, v in enumerate(values[1:], 1):
        better = v > best if which == "max" else v < best
        if some_missing:
            better = better | (by_name["isnan"](best) & ~by_name["isnan"](v))
        best, at = _select(better, v, best), _select(better, i, at)
    if some_missing and bool(by_name["isnan"](best).any()):
        raise NotNative("rows without values")
    return at


def _there(values: list, dtype: np.dtype) -> Any:
    """The number of valid values of each row."""
    count = None
    for v in values:
        there = (v == v).astype(dtype)
        count = there if count is None else count + there
    return count


def _combined(values: list, dtype: np.dtype, skipna: bool, combine: Callable, neutral: int) -> Any:
    wide = _WIDE if dtype == _HALF and combine is operator.add else added(dtype)
    total = None
    for v in values:
        v = v.astype(wide, copy=False)
        if skipna and wide == floating(wide):
            v = _select(by_name["isnan"](v), wide.type(neutral), v)
        total = v if total is None else combine(total, v)
    return total


def _added(values: list, dtype: np.dtype, skipna: bool) -> Any:
    return _combined(values, dtype, skipna, operator.add, 0)


def _row_sum(values: list, dtype: np.dtype, skipna: bool) -> Any:
    total = _added(values, dtype, skipna)
    return total + 0 if len(values) == 1 else total


def _row_mean(values: list, dtype: np.dtype, skipna: bool) -> Any:
    if dtype != floating(dtype):
        return _added([v.astype(_WIDE) for v in values], _WIDE, False) / float(len(values))
    total = _added(values, dtype, skipna)
    return total / (_there(values, total.dtype) if skipna else total.dtype.type(len(values)))


def _row_product(values: list, dtype: np.dtype, skipna: bool) -> Any:
    total = _combined(values, dtype, skipna, operator.mul, 1)
    return total * 1 if len(values) == 1 else total


def _row_variance(values: list, dtype: np.dtype, skipna: bool, ddof: int) -> Any:
    wide = floating(dtype)
    values = [v.astype(_WIDE, copy=False) for v in values]
    count = _there(values, _WIDE) if skipna else float(len(values))
    mean, total = _added(values, _WIDE, skipna) / count, None
    for v in values:
        far = (v - mean) * (v - mean)
        far = _select(by_name["isnan"](v), 0.0, far) if skipna else far
        total = far if total is None else total + far
    return _select(count > ddof, total / (count - ddof), np.nan).astype(wide, copy=False)


def _row_deviation(values: list, dtype: np.dtype, skipna: bool, ddof: int) -> Any:
    return by_name["sqrt"](_row_variance(values, dtype, skipna, ddof))


def _row_error(values: list, dtype: np.dtype, skipna: bool, ddof: int) -> Any:
    made = _row_deviation(values, dtype, skipna, ddof)
    count = _there(values, made.dtype) if skipna else made.dtype.type(len(values))
    return made / by_name["sqrt"](count)


def _row_extreme(name: str) -> Any:
    def made(values: list, dtype: np.dtype, skipna: bool) -> Any:
        best = values[0] + 0 if len(values) == 1 and dtype != _BOOL else values[0]
        for v in values[1:]:
            best = by_name[name if skipna else f"{name[1:]}imum"](best, v)
        return best

    return made


def _row_logical(name: str) -> Any:
    def made(values: list, dtype: np.dtype, skipna: bool) -> Any:
        found = values[0]
        for v in values[1:]:
            found = by_name[name](found, v)
        return found

    return made


_ROWS = {"sum": _row_sum, "prod": _row_product, "mean": _row_mean, "min": _row_extreme("fmin"), "max": _row_extreme("fmax"),
         "any": _row_logical("logical_or"), "all": _row_logical("logical_and"),
         "var": _row_variance, "std": _row_deviation, "sem": _row_error}  # fmt: skip
_SPREAD = ("var", "std", "sem")
_ORDERED = ("median", "skew", "kurt")
