"""Aggregations of grouped columns, with one value for each group."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

import bascule as bc

from ... import _core
from .._columns.column import AnyColumn, Column, Core, ndarray, plain
from .._columns.dtypes import floating, masked_dtype
from .._columns.grouping import INT64, Grouping, int64
from .._columns.reduce import seems_constant, shape_of_moments
from .._fallback.native import NotNative, integer
from .._questions import is_bool
from .._theirs import pandas, seen

FLOAT64 = np.dtype(np.float64)
NAT = np.iinfo(np.int64).min
_NEAR = 5e-4  # difference from float64 up to which pandas takes float32
# Aggregations of the core; the others are computed from these, or from an order of the rows.
_CORE = {row["name"] for row in _core.aggregate_table() if row["groups"]}
REDUCTIONS = _CORE | {"sem", "skew", "kurt", "median", "quantile", "nunique", "idxmin", "idxmax"}
_ARGUMENTS: dict[str, dict[str, Any]] = {
    **{n: {"numeric_only": False, "min_count": 0, "skipna": True, "engine": None, "engine_kwargs": None} for n in ("sum",)},
    "prod": {"numeric_only": False, "min_count": 0, "skipna": True},
    **{n: {"numeric_only": False, "min_count": -1, "skipna": True, "engine": None, "engine_kwargs": None} for n in ("min", "max")},
    **{n: {"numeric_only": False, "min_count": -1, "skipna": True} for n in ("first", "last")},
    "mean": {"numeric_only": False, "skipna": True, "engine": None, "engine_kwargs": None},
    "median": {"numeric_only": False, "skipna": True},
    **{n: {"ddof": 1, "engine": None, "engine_kwargs": None, "numeric_only": False, "skipna": True} for n in ("var", "std")},
    "sem": {"ddof": 1, "numeric_only": False, "skipna": True},
    **{n: {"skipna": True, "numeric_only": False} for n in ("skew", "kurt")},
    "any": {"skipna": True},
    "all": {"skipna": True},
    "nunique": {"dropna": True},
    "idxmin": {"skipna": True, "numeric_only": False},
    "idxmax": {"skipna": True, "numeric_only": False},
    "quantile": {"q": 0.5, "interpolation": "linear", "numeric_only": False},
    "count": {},
    "size": {},
}  # fmt: skip


@dataclass
class Request:
    """One aggregation of one column (None: of the rows), by its name or by a Python function."""

    column: AnyColumn | None
    op: Any
    options: dict[str, Any] = field(default_factory=dict)
    index: Any = None  # labels that idxmin and idxmax return


def options_of(op: str, args: tuple, kwargs: dict, of: str = "DataFrameGroupBy") -> dict[str, Any]:
    """Arguments of an aggregation by name; TypeError for unknown ones, NotNative for those that only pandas computes."""
    known = _ARGUMENTS[op]
    if len(args) > len(known):
        most = f"from 1 to {len(known) + 1} positional arguments" if known else "1 positional argument"
        raise TypeError(f"{_home(of, op)}.{op}() takes {most} but {len(args) + 1} were given")
    given = {**dict(zip(known, args)), **kwargs}
    if op == "kurt":
        given.pop("min_count", None)  # which changes nothing there
    for name in given:
        if name not in known or (name == "numeric_only" and op in ("idxmin", "idxmax") and of == "SeriesGroupBy"):
            if op in ("skew", "kurt"):
                raise NotNative(f"arguments of {op}")
            raise TypeError(f"{_home(of, op)}.{op}() got an unexpected keyword argument '{name}'")
    found = {**known, **given}
    for name in {"ddof", "min_count"} & found.keys():
        integer(found[name], f"{name}=")
    if found.get("skipna") is False and op in ("idxmin", "idxmax"):
        raise NotNative("skipna=False")
    if found.get("engine") not in (None, "cython") or found.get("engine_kwargs") is not None:
        raise NotNative("engine=")
    return found


def check_numeric_only(op: str, option: Any) -> None:
    """ValueError for an option that is no boolean, where pandas looks at it."""
    if op != "quantile" and not is_bool(option):
        raise ValueError("numeric_only accepts only Boolean values")


def _home(of: str, op: str) -> str:
    """The class of pandas that defines a method of grouped objects, for the method's qualified name."""
    theirs = getattr(pandas.api.typing, of)
    return next((k for k in theirs.__mro__ if op in vars(k)), theirs).__name__


def check(c: AnyColumn, op: str) -> None:
    """Raise the error of pandas where a type does not support an aggregation."""
    c.own().check_aggregation(op)
    if op in c.not_aggregated:
        raise NotNative(f"{op} of {c.dtype}")


def compute(groups: Grouping, requests: list[Request], together: bool = False) -> list[AnyColumn]:
    """A column for each request, with one row for each group; all aggregations of the core in one call.

    `together` says that the columns are a frame's, of which pandas aggregates those of one type at once.
    """
    of_arrow = [r.column is not None and r.column.is_arrows and r.op != "size" for r in requests]
    if any(of_arrow):
        others = iter(compute(groups, [r for r, a in zip(requests, of_arrow) if not a], together))
        return [_of_arrow(groups, r) if a else next(others) for r, a in zip(requests, of_arrow)]
    for r in requests:
        if r.column is not None and r.op != "size":
            check(r.column, r.op)
    requests = _with_wide_means(groups, requests, together)
    calls: list[tuple[Any, str, int, int]] = []
    at: list[int] = []
    for r in requests:
        at.append(len(calls))
        calls.extend(core_calls(r))
    made = groups.aggregate(calls) if calls else []
    out: list[AnyColumn] = []
    for r, i in zip(requests, at):
        out.append(finished(groups, r, made[i:]))
    out = [_with_nulls(groups, r, c) if r.options.get("skipna") is False else c for r, c in zip(requests, out)]
    return [_with_empty(groups, r, c) for r, c in zip(requests, out)] if groups.may_be_empty else out


def _of_arrow(groups: Grouping, r: Request) -> AnyColumn:
    """An aggregation of values in Arrow's memory: of numbers as of those with NA, of decimals by Arrow."""
    c: Any = r.column
    numbers = c.key() if r.op == "count" else c.masked()
    if numbers is not None and r.op not in ("nunique", "idxmin", "idxmax"):
        return c.of_masked(compute(groups, [replace(r, column=numbers)])[0])
    codes = _core.to_numpy(groups.groups_of_rows()).astype(np.intp, copy=False)
    return c.of_groups(r.op, codes, groups.count, r.options)


def _with_nulls(groups: Grouping, r: Request, made: AnyColumn) -> AnyColumn:
    """A result with skipna=False where groups lack a value: missing values decide it."""
    c = r.column
    if c is None or not c.has_core or not c.has_missing():
        return made
    if r.op in ("first", "last"):
        if c.is_text and r.options.get("min_count", -1) > 1:
            raise NotNative("min_count= with skipna=False")
        numbers = Core.plain(bc.arange(len(c)))
        return c.take(groups.aggregate([(numbers, r.op, 1, -1)])[0].values)
    holed = groups.aggregate([(Core.plain(c.missing()), "any", 1, -1)])[0].values
    if r.op in ("any", "all"):
        return _undecided(c, r.op, made, holed)
    if made.is_plain("iu"):
        made = plain(_core.astype(made.values, FLOAT64, False, "K"))
    if made.nothing is seen.NA:
        values = bc.where(holed, made.values.dtype.type(0), made.values)
        values = narrowed(c, values) if r.op in ("sum", "prod") else values
        if r.op in ("skew", "kurt"):
            values = _core.astype(values, floating(values.dtype), False, "K")
        return Column(Core.plain(values, ~(holed | made.missing())), masked_dtype(values.dtype))
    return made.or_missing(~holed)


def _undecided(c: Column, op: str, made: AnyColumn, holed: ndarray) -> AnyColumn:
    """Whether any or all values are true, by Kleene's logic under a mask; other missing values are true."""
    if not c.is_masked:
        return plain(made.values | holed) if op == "any" else made
    valid = ~holed | (made.values if op == "any" else ~made.values)
    return Column(Core.plain(made.values, valid), made.dtype)


def _with_wide_means(groups: Grouping, requests: list[Request], together: bool) -> list[Request]:
    """The same with float32 as float64, as in pandas' means: for sorted groups without missing values."""
    narrow = [r.op == "mean" and r.column is not None and r.column.dtype == np.float32 for r in requests]
    whole = [n and not r.column.has_missing() for n, r in zip(narrow, requests)]  # type: ignore[union-attr]
    if together and whole != narrow:
        return requests
    if not any(whole) or not len(groups) or not groups.follow_each_other:
        return requests
    wide = [_core.astype(r.column.values, FLOAT64, False, "K") if w else None for w, r in zip(whole, requests)]
    return [r if v is None else replace(r, column=plain(v)) for v, r in zip(wide, requests)]


def _with_empty(groups: Grouping, r: Request, made: AnyColumn) -> AnyColumn:
    """A result where groups may have no values: integers and booleans of such groups become missing."""
    c = r.column
    if r.op not in ("min", "max", "first", "last") or c.can_lack or made.can_lack:
        return made
    empty = groups.sizes == 0
    if not bool(empty.any()):
        return made
    if c.selects_rows:
        raise NotNative(f"{r.op} of booleans where groups are empty")
    return plain(bc.where(empty, np.nan, _core.astype(made.values, FLOAT64, False, "K")))


def core_calls(r: Request) -> list[tuple[Any, str, int, int]]:
    if r.op == "size":
        return [(None, "size", 1, -1)]
    if r.op in ("sem", "std") and r.column.times() is None:
        wide = Core.plain(_core.astype(r.column.values, FLOAT64, False, "K"), r.column.core.valid)
        counted = [(r.column.core, "count", 1, -1)] if r.op == "sem" else []
        return [(wide, "var" if counted else "std", r.options.get("ddof", 1), -1), *counted]
    if r.op in ("idxmin", "idxmax"):
        return [] if r.column.is_text else [(r.column.core, r.op[3:], 1, -1)]
    if r.op not in _CORE:
        return []
    core = r.column.in_codes() if r.op in ("min", "max") else None
    return [(r.column.core if core is None else core, r.op, r.options.get("ddof", 1), r.options.get("min_count", -1))]


def finished(groups: Grouping, r: Request, made: list[Any]) -> AnyColumn:
    c = r.column
    if c is not None and r.op == "size":
        return c.sizes_of_groups(Column(made[0], INT64))
    if c is None or not c.has_core:
        return Column(made[0], INT64)
    if r.op == "count":
        return _masked_like(Column(made[0], INT64)) if c.nothing is seen.NA else Column(made[0], INT64)
    if r.op == "sem":
        values = bc.sqrt(made[0].values / made[1].values)
        return _as_float_like(c, values)
    if r.op == "nunique":
        return nunique(groups, c, r.options.get("dropna", True))
    if r.op in ("idxmin", "idxmax"):
        return idx_extremum(groups, c, r.op, made, r.index)
    if r.op in ("skew", "kurt"):
        return _of_shape(c, shape(groups, c, r.op))
    if r.op == "median":
        return median(groups, c)
    if r.op == "quantile":
        return quantile(groups, c, r.options["q"], r.options["interpolation"])
    if c.is_text:
        return Column(made[0], c.dtype)
    if r.op in ("mean", "var", "std") and c.times() is None:
        return _as_float_like(c, made[0].values)
    if c.is_masked:
        found = Core.plain(narrowed(c, made[0].values), made[0].valid) if r.op in ("sum", "prod") else made[0]
        return _masked_like(Column(found, found.values.dtype), r.op)
    return _natural(c, r, made[0])


def _natural(c: Column, r: Request, core: Any) -> Column:
    """Results in NumPy's types: integers become narrow again where all fit, and float64 where some are missing."""
    values = core.values
    if r.op in ("any", "all"):
        return plain(values)
    if (
        r.options.get("min_count", -1) > (0 if r.op in ("sum", "prod") else 1)
        and core.valid is not None
        and core.has_missing()
    ):
        return plain(bc.where(core.valid, _core.astype(values, FLOAT64, False, "K"), np.nan))
    return plain(narrowed(c, values) if r.op in ("sum", "prod") else values)


def narrowed(c: Column, values: ndarray) -> ndarray:
    """Sums and products of integers in the column's own type where all fit."""
    dtype = c.values.dtype
    if c.letter not in "iu" or values.dtype == dtype:
        return values
    narrow = _core.astype(values, dtype, False, "K")
    return narrow if bool((narrow == values).all()) else values


def _as_float_like(c: Column, values: ndarray) -> Column:
    """Floats whose NaN are missing, in the column's precision where that represents them."""
    wanted = c.float_dtype
    if wanted != values.dtype and values.dtype == FLOAT64:
        with np.errstate(over="ignore"):
            narrow = _core.astype(values, wanted, False, "K")
            near = (abs(narrow - values) <= _NEAR) | (narrow == values) | bc.isnan(values)
        values = narrow if bool(near.all()) else values
    else:
        values = _core.astype(values, wanted, False, "K")
    return _floats_like(c, values)


def _floats_like(c: Column, values: ndarray) -> Column:
    if not c.is_masked:
        return plain(values)
    return Column(Core.plain(values, ~bc.isnan(values)), masked_dtype(values.dtype))


def _of_shape(c: Column, values: ndarray) -> Column:
    """Skewness or kurtosis, of integers as integers where all are whole numbers."""
    dtype = c.values.dtype
    if c.letter not in "iu" or not len(values):
        return _as_float_like(c, values)
    bounds = np.iinfo(dtype)
    if not bool(((values >= float(bounds.min)) & (values < float(int(bounds.max) + 1))).all()):
        return _as_float_like(c, values)  # NaN is none of them
    whole = _core.astype(values, dtype, False, "K")
    if not bool((abs(whole - values) <= 1e-8).all()):
        return _as_float_like(c, values)
    return Column(Core.plain(whole, None), masked_dtype(dtype) if c.is_masked else dtype)


def _masked_like(found: Column, op: str = "") -> Column:
    values, valid = found.core.values, found.core.valid
    if values.dtype.kind == "f" and op not in ("any", "all"):
        lacks = op not in ("sum", "prod") or found.core.has_missing()
        valid = ~bc.isnan(values) if lacks else None
    return Column(Core.plain(values, valid), masked_dtype(values.dtype))


def shape(groups: Grouping, c: Column, op: str) -> ndarray:
    """Skewness or kurtosis of each group, of its moments about its mean."""
    valid, wide = c.core.valid, _core.astype(c.values, FLOAT64, False, "K")
    mean, count = groups.aggregate([(Core.plain(wide, valid), "mean", 1, -1), (c.core, "count", 1, -1)])
    rows = groups.groups_of_rows()
    apart = wide - mean.take(rows, True).values
    off = groups.aggregate([(Core.plain(apart, valid), "mean", 1, -1)])[0]  # the rounding errors of the means
    apart = apart - off.take(rows, True).values
    squares = apart * apart
    powers = squares * apart if op == "skew" else squares * squares
    sums = groups.aggregate([(Core.plain(x, valid), "sum", 1, -1) for x in (squares, powers)])
    n = _core.astype(count.values if hasattr(count, "values") else count, FLOAT64, False, "K")
    constant = seems_constant(n, mean.values, sums[0].values)
    if bool(constant.any()):
        least, most = groups.aggregate([(Core.plain(wide, valid), name, 1, -1) for name in ("min", "max")])
        constant = constant & (least.values == most.values)
    return shape_of_moments(op, n, constant, *(x.values for x in sums))


def nunique(groups: Grouping, c: Column, dropna: bool) -> Column:
    """Distinct values of each group."""
    are_strings = c.is_text
    core = c.core.encoded() if are_strings else c.core
    if core is None:  # too many distinct strings to encode: count distinct pairs of group and string
        _, first, _ = _core.factorize_columns([Core.plain(groups.codes), c.core], False, not dropna)
        codes = _core.take(groups.codes, first, 0)
        return Column(_core.aggregate_columns(codes, groups.count, [(None, "size", 1, -1)])[0], INT64)
    if are_strings:
        core = Core.plain(core.values, core.values >= 0)
    counts, _, _, distinct = _core.group_ranks(groups.codes, groups.count, core, [], True)
    return plain(distinct if dropna else distinct + (groups.sizes > counts))


def idx_extremum(groups: Grouping, c: Column, op: str, made: list[Any], index: Any) -> AnyColumn:
    """Label of the first least or greatest value of each group."""
    if c.is_text:
        order = _core.order_columns([Core.plain(groups.codes), c.core], [True, op == "idxmin"], False)
        rows = _core.take(order, groups.starts, 0)
        missing = c.core.has_missing() and bool(_core.take(c.missing(), rows, 0).any())
    else:
        best = made[0].take(groups.groups_of_rows(), True).values
        same = best == c.values
        if c.core.valid is not None:
            same = same & c.core.valid
        row_numbers = Core.plain(bc.arange(len(c)), same)
        found = groups.aggregate([(row_numbers, "first", 1, -1)])[0]
        rows, missing = found.values, found.has_missing()
    if missing:
        raise ValueError(f"{op} with skipna=True encountered all NA values in a group.")
    if index.nlevels > 1:
        raise NotNative(f"{op} over several levels of labels")
    return index._take(rows)._columns[0]


def median(groups: Grouping, c: Column) -> Column:
    """The median of each group."""
    counts, low, high, _ = _core.group_ranks(groups.codes, groups.count, c.core, [0.5])
    times = c.times() is not None
    first, second = (_core.astype(int64(x[0]) if times else x[0], FLOAT64, False, "K") for x in (low, high))
    middle = bc.where(counts == 0, np.nan, bc.where(counts % 2 == 1, first, (first + second) / 2))
    if times:
        ticks = bc.where(counts == 0, np.int64(NAT), int64(bc.where(counts == 0, 0.0, middle)))
        return plain(ticks.view(c.values.dtype))
    return _as_float_like(c, middle)


def quantile(groups: Grouping, c: Column, q: Any, interpolation: str) -> Column:
    """The quantile q of each group's values."""
    if not isinstance(q, (float, int, np.floating, np.integer)):
        raise NotNative("several quantiles")
    if not 0 <= q <= 1:
        raise ValueError(f"Each 'q' must be between 0 and 1. Got '{float(q)}' instead")
    if interpolation not in ("linear", "lower", "higher", "nearest", "midpoint"):
        raise ValueError(
            f"Interpolation '{interpolation}' is not in {{'linear', 'lower', 'higher', 'nearest', 'midpoint'}}"
        )
    if interpolation != "linear" or c.is_masked or c.values.dtype == np.float32:
        raise NotNative("quantiles by another interpolation or type")
    counts, first, second, _ = _core.group_ranks(groups.codes, groups.count, c.core, [float(q)])
    low, high = (_core.astype(x[0], FLOAT64, False, "K") for x in (first, second))
    at = float(q) * _core.astype(bc.maximum(counts - 1, 0), FLOAT64, False, "K")
    share = at - bc.floor(at)
    return plain(bc.where(counts == 0, np.nan, bc.where(share > 0, low + (high - low) * share, low)))
