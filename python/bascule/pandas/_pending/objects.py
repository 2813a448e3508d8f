"""Frames and series over the rows of a plan of joins: what is asked of them waits with them, or makes them.

Such an object has no columns and no labels; both are made when anything reads them, and it then is like any other. It
keeps the plan of its rows, the expressions of its columns, and these without rows, for types and errors at the call.
"""

from __future__ import annotations

import datetime
import functools
import operator
import re
from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from ...config import config
from .. import _classes, _indexes
from .._columns.column import AnyColumn, ndarray
from .._columns.infer import from_values
from .._columns.lazy_take import of_a_miss
from .._columns.selected import COMPARISONS, LOGICAL
from .._pipe import apply_if_callable
from .._stand_ins import STR
from .._theirs import seen
from .plan import Expression, Join, Leaf, Misses, Op, Plan, Source, is_before, leaves, of_missing

FEWEST_JOINED = 1 << 15  # rows of the longest frame; joins of fewer are made at the call
LARGEST = 250  # operations of an expression that waits; a larger one makes its operands
FIELDS = frozenset((
    "year", "month", "day", "hour", "minute", "second", "microsecond", "nanosecond", "quarter", "dayofweek", "dayofyear", "days_in_month",
    "is_month_start", "is_month_end", "is_quarter_start", "is_quarter_end", "is_year_start", "is_year_end", "is_leap_year",
))  # fmt: skip
TEXT = frozenset(("startswith", "endswith", "contains", "match", "fullmatch"))
_OF_PATTERNS = {"case": bool, "flags": int, "na": bool, "regex": bool}  # the types of options with which these wait
_PARTS = frozenset(("_index", "_columns", "_column"))
_FUNCTIONS = {
    "and": operator.and_,
    "or": operator.or_,
    **{op: getattr(operator, op) for op in ("add", "sub", "mul", "truediv", *COMPARISONS)},
}
_NUMBERS = (int, float, np.integer, np.floating)
_TIMES = (np.datetime64, datetime.datetime)
_ALL = slice(None)


def plan_of(x: Any) -> Plan | None:
    """The plan of an object's rows, if it waits for them."""
    held = x.__dict__
    plan = held.get("_plan")
    if plan is not None and (
        plan.found is not None or not _PARTS.isdisjoint(held)
    ):  # the rows are known, or some part was set
        make_now(x)
        return None
    return plan


def make_now(x: Any) -> None:
    """Make the columns and labels of an object that waits."""
    held = x.__dict__
    plan = held.get("_plan")
    if plan is None:
        return
    part, index = plan.run(), plan.index()
    held.setdefault("_index", index)
    if x.ndim == 2:
        held.setdefault("_columns", [part.value(e) for e in held["_expressions"]])
    else:
        held.setdefault("_column", part.value(held["_expression"]))
    forget(x)


def forget(x: Any) -> None:
    """Drop what an object waited for, which now has other contents."""
    for name in ("_plan", "_expressions", "_expression", "_types", "_make", "_choice"):
        x.__dict__.pop(name, None)


def _frame(plan: Plan, expressions: Sequence[Expression], like: Sequence[AnyColumn | Either], names: Any) -> Any:
    made = object.__new__(_classes.DataFrame)
    made.__dict__.update(_plan=plan, _expressions=list(expressions), _types=list(like), _column_labels=names)
    return made


def _series(plan: Plan, expression: Expression, like: AnyColumn | Either, name: Any) -> Any:
    made = object.__new__(_classes.Series)
    made.__dict__.update(_plan=plan, _expression=expression, _types=like, _name=name)
    return made


class Either(NamedTuple):
    """No rows of a column on the right of a left join, where missing ones change the type: it depends on whether there are any."""

    plan: Plan
    column: AnyColumn

    def known(self) -> AnyColumn:
        return of_a_miss(self.column) if self.plan.has_misses() else self.column


def type_of(series: Any) -> AnyColumn:
    """The column of a pending series without rows."""
    held = series.__dict__
    if type(held["_types"]) is Either:
        held["_types"] = held["_types"].known()
    return held["_types"]


def types_of(frame: Any) -> list[AnyColumn]:
    """The columns of a pending frame without rows."""
    held = frame.__dict__
    if any(type(c) is Either for c in held["_types"]):
        held["_types"] = [c.known() if type(c) is Either else c for c in held["_types"]]
    return held["_types"]


def without_rows(x: Any) -> list[AnyColumn]:
    """The columns of an object, without rows if these wait."""
    if plan_of(x) is None:
        return x._all_columns()
    return types_of(x) if x.ndim == 2 else [type_of(x)]


def names_only(frame: Any) -> Any:
    """A frame with the names of another, without its columns if these wait."""
    return frame if plan_of(frame) is None else _classes.DataFrame._new([], frame._names, _indexes.default(0))


def of_no_rows(x: Any) -> Any:
    """An object with the types and names of another, without its rows if these wait."""
    if plan_of(x) is None:
        return x
    held, none = x.__dict__, _indexes.default(0)
    if x.ndim == 2:
        return _classes.DataFrame._new(list(types_of(x)), held["_column_labels"], none)
    return _classes.Series._new(type_of(x), none, held["_name"])


# ---- joins


def _fits(left: AnyColumn, right: AnyColumn, several: bool) -> bool:
    """Whether keys are joined as they are, for whatever values."""
    if not left.has_core or not right.has_core or left.dtype != right.dtype:
        return False
    return left.dtype == STR or left.plain in ("iu" if several else "iuM")


def are_long(left: Any, right: Any) -> bool:
    """Whether some frame of a join has rows enough for it to wait."""
    plan = plan_of(left)
    rows = [len(left._index)] if plan is None else [s.rows for s in plan.sources()]
    return max(len(right._index), *rows) >= FEWEST_JOINED


def joined(left: Any, right: Any, how: str, keys: list[tuple[int, int]], rest: list[int], names: Any) -> Any:
    """The pending join of two frames by pairs of columns; None where it is made at the call.

    Parameters
    ----------
    left, right : DataFrame
    how : {"inner", "left"}
    keys : list of (int, int)
        Positions of the columns.
    rest : list of int
        The columns of the right frame that the result has.
    names : Index
        The labels of the result's columns.
    """
    frame = _classes.DataFrame
    if (
        not config.lazy_frames
        or config.memory_limit is not None
        or not (type(left) is type(right) is frame and left._plain and right._plain)
    ):
        return None
    before, there = plan_of(left), right._columns
    if before is None:
        source = Source(list(left._columns), len(left))
        mine: list[Any] = [Leaf(0, i) for i in range(len(source.columns))]
        like: Any = _without_rows(source.columns)
        before = Plan(None, source)
    else:
        mine, like = left.__dict__["_expressions"], left.__dict__["_types"]
    like_right = _without_rows(there)
    if like is None or like_right is None:
        return None
    outer = before.outer()  # whose keys may be missing
    if not all(
        type(mine[i]) is Leaf and mine[i].source not in outer and _fits(like[i], like_right[j], len(keys) > 1)
        for i, j in keys
    ):
        return None
    number, misses = before.joins + 1, Misses() if how == "left" else None
    step = Join(Source(list(there), len(right)), [(mine[i], Leaf(number, j)) for i, j in keys], misses)
    expressions, plan = [*mine, *(Leaf(number, i) for i in rest)], Plan(before, step)
    there = [like_right[i] for i in rest]
    if how == "left":
        there = [c if of_a_miss(c).dtype == c.dtype else Either(plan, c) for c in there]
    return _frame(plan, expressions, [*like, *there], names)


def _without_rows(columns: list[AnyColumn]) -> list[AnyColumn] | None:
    """The columns without rows; None where some are not in the memory of the CPU."""
    if any(c.device != "cpu" for c in columns):
        return None
    return [c.slice(0, 1, 0) for c in columns]


# ---- frames


def column(frame: Any, i: int) -> Any:
    """A column as a series that waits, too; None where the frame does not."""
    plan = plan_of(frame)
    if plan is None:
        return None
    held = frame.__dict__
    return _series(plan, held["_expressions"][i], held["_types"][i], frame._names[i])


def selected(frame: Any, positions: Sequence[int]) -> Any:
    """Some of the columns, as above."""
    plan = plan_of(frame)
    if plan is None:
        return None
    held = frame.__dict__
    expressions, like = ([held[name][i] for i in positions] for name in ("_expressions", "_types"))
    return _frame(plan, expressions, like, frame._names[list(positions)])


def copied(x: Any) -> Any:
    """Another object of the same columns, as above."""
    plan = plan_of(x)
    if plan is None:
        return None
    held = x.__dict__
    if x.ndim == 2:
        return _frame(plan, held["_expressions"], held["_types"], x._names)
    return _series(plan, held["_expression"], held["_types"], x._name)


def filtered(x: Any, key: Any) -> Any:
    """The rows where a series of the same rows is true, or the columns of a list of strings; None where they do not wait."""
    plan = plan_of(x)
    if plan is None:
        return None
    if x.ndim == 2 and _lists_names(key):
        return selected(x, x._positions_of(key))
    if not isinstance(key, _classes.Series) or plan_of(key) is not plan or not _is(key, "b"):
        return None
    held, given = x.__dict__, key.__dict__
    chosen = given.get("_choice")  # kept by the condition, so that what is chosen by it is looked for once
    if chosen is None:
        chosen = given["_choice"] = Plan(plan, given["_expression"])
    if x.ndim == 2:
        return _frame(chosen, held["_expressions"], held["_types"], x._names)
    return _series(chosen, held["_expression"], held["_types"], x._name)


def _lists_names(key: Any) -> bool:
    return type(key) is list and bool(key) and all(type(k) is str for k in key)


def located(x: Any, key: Any) -> tuple[Any, Any]:
    """The value of `loc` for a condition, and perhaps columns; None where it does not wait. And the key, whose functions are called."""
    if type(key) is tuple:
        key = tuple(apply_if_callable(k, x) for k in key)
    elif callable(key):
        made = key(x)
        if not isinstance(made, _classes.Series):
            return None, lambda _: made
        key = made
    rows, columns = key if x.ndim == 2 and type(key) is tuple and len(key) == 2 else (key, _ALL)
    if not isinstance(rows, _classes.Series) or plan_of(rows) is not plan_of(x):
        return None, key
    if type(columns) is str:
        found = x._names.get_loc(columns) if x._names.nlevels == 1 else None
        x = column(x, int(found)) if isinstance(found, (int, np.integer)) else None
    elif _lists_names(columns):
        x = selected(x, x._positions_of(columns))
    elif type(columns) is not slice or columns != _ALL:
        x = None
    return None if x is None else filtered(x, rows), key


def assigned(frame: Any, label: Any, value: Any) -> bool:
    """Whether a series of the same rows was put into a frame that waits."""
    plan = plan_of(frame)
    if plan is None or not isinstance(value, _classes.Series) or plan_of(value) is not plan or type(label) is not str:
        return False
    if frame._names.nlevels > 1 or not frame._names.is_unique:
        return False
    held, given = frame.__dict__, value.__dict__
    expressions, like, names = list(held["_expressions"]), list(held["_types"]), frame._names
    if label in names:
        i = names.get_loc(label)
        expressions[i], like[i] = given["_expression"], given["_types"]
    else:
        expressions.append(given["_expression"])
        like.append(given["_types"])
        names = names.insert(len(names), label)
    held.update(_expressions=expressions, _types=like, _column_labels=names)
    return True


# ---- series


def _is(series: Any, letters: str) -> bool:
    return type_of(series).plain in letters


def _is_text(series: Any) -> bool:
    return type_of(series).dtype == STR


def _of(series: Any, plan: Plan, function: Any, *arguments: Any, name: Any = None) -> Any:
    """The pending series of a function; None where its type without rows is not that of bascule's memory."""
    given = [x.__dict__["_expression"] if _waits(x) else x for x in arguments]
    expression = Op(function, *given)
    if expression.size > LARGEST:
        return None
    like = function(*(of_no_rows(x) if _waits(x) else x for x in arguments))
    if not isinstance(like, _classes.Series) or not like._column.has_core:
        return None
    return _series(plan, expression, like._column, series._name if name is None else name[0])


def _waits(x: Any) -> bool:
    return isinstance(x, _classes.Series) and "_plan" in x.__dict__


def _of_one_plan(series: Any, other: Any) -> Plan | None:
    """The plan of a series, if another is of the same rows or is no series."""
    plan = plan_of(series)
    if plan is None or (isinstance(other, _classes.Series) and plan_of(other) is not plan):
        return None
    return plan


def operated(series: Any, op: str, other: Any, reverse: bool, name: Any) -> Any:
    """The pending series of an operator whose result has one type, and raises nothing, for whatever values."""
    plan = _of_one_plan(series, other)
    if plan is None or op not in _FUNCTIONS:
        return None
    if op in LOGICAL:
        fits = _waits(other) and _is(series, "b") and _is(other, "b")
    elif op in COMPARISONS:
        fits = _compares(series, other)
    else:
        fits = _computes(op, series, other)
    if not fits:
        return None
    return _of(series, plan, _FUNCTIONS[op], *((other, series) if reverse else (series, other)), name=[name])


def _compares(series: Any, other: Any) -> bool:
    if _waits(other):
        like, likes = type_of(series), type_of(other)
        return (_is(series, "iuf") and _is(other, "iuf")) or (
            like.dtype == likes.dtype and (_is(series, "M") or _is_text(series))
        )
    if isinstance(other, str):
        return _is_text(series) or _is(series, "M")  # as a time it is read with no rows, too, and refused at the call
    if isinstance(other, _TIMES):
        return _is(series, "M") and _is_naive(other)
    return isinstance(other, _NUMBERS) and not isinstance(other, bool) and bool(other == other) and _is(series, "iuf")


def _is_naive(time: Any) -> bool:
    """Whether a time is there, and in no time zone."""
    if isinstance(time, np.datetime64):
        return not np.isnat(time)
    return time is not seen.NaT and time.tzinfo is None


def _computes(op: str, series: Any, other: Any) -> bool:
    """Whether both are of 64 bits, so that the type does not depend on values."""
    if not _is(series, "if") or type_of(series).dtype.itemsize != 8 or op not in type_of(series).of_any_rows:
        return False
    if _waits(other):
        like = type_of(other)
        return like.plain in "if" and like.dtype.itemsize == 8 and op in like.of_any_rows
    return type(other) in (int, float)


def inverted(series: Any) -> Any:
    """The pending series of a negation."""
    plan = plan_of(series)
    return (
        None
        if plan is None or not _is(series, "b")
        else _series(plan, Op(operator.invert, series.__dict__["_expression"]), type_of(series), series._name)
    )


def _lacks(series: Any) -> Any:
    return series.isna()


def _there(series: Any) -> Any:
    return series.notna()


def missing(series: Any, there: bool) -> Any:
    """The pending series of which values are missing, or there."""
    plan = plan_of(series)
    if plan is None:
        return None
    like, function = series.__dict__["_types"], _there if there else _lacks
    like = like.column if type(like) is Either else like  # whatever the type, the result is of booleans
    expression = Op(function, series.__dict__["_expression"])
    if not like.has_core or expression.size > LARGEST:
        return None
    return _series(plan, expression, function(_classes.Series._new(like, _indexes.default(0)))._column, series._name)


def _among(series: Any, values: Any) -> Any:
    return series.isin(values)


def _among_present(series: Any, values: Any) -> Any:
    return series.isin(values)  # none of which is missing


def among(series: Any, values: Any) -> Any:
    """The pending series of which values are in a collection."""
    plan = plan_of(series)
    if plan is None or not (_is(series, "iufM") or _is_text(series)):
        return None
    if type(values) in (list, tuple, set, frozenset, range):
        values = list(values)
        present = all(type(v) in (int, str) or (type(v) is float and v == v) for v in values)
    elif isinstance(values, _classes.Series):
        present = not values._column.has_missing()  # it is made, if it waits
        values = values.copy()
    elif type(values) in (np.ndarray, ndarray) and values.ndim == 1:
        values = values.copy()
        present = not values.dtype.hasobject and not bool((values != values).any())
    else:
        return None
    return _of(series, plan, _among_present if present else _among, series, values)


def _chosen(series: Any, cond: Any, other: Any) -> Any:
    return series.where(cond, other)


def chosen(series: Any, cond: Any, other: Any) -> Any:
    """The pending series of floats where a condition holds, and a number where it does not."""
    plan = _of_one_plan(series, cond)
    if plan is None or not _waits(cond) or not _is(cond, "b"):
        return None
    if type_of(series).dtype != np.float64 or type(other) not in (int, float):
        return None
    return _of(series, plan, _chosen, series, cond, other)


@functools.cache
def _field_of(name: str) -> Any:
    return lambda series: getattr(series.dt, name)


def field(series: Any, name: str) -> Any:
    """The pending series of a field of timestamps none of which is missing."""
    plan = plan_of(series)
    expression = series.__dict__.get("_expression")
    if plan is None or name not in FIELDS or type(expression) is not Leaf or not _is(series, "M"):
        return None
    there = plan.sources()[expression.source].columns[expression.column]
    if expression.source in plan.outer() or there.has_missing():
        return None  # the type would depend on whether a missing one is left
    return _of(series, plan, _field_of(name), series)


@functools.cache
def _text_of(name: str, options: tuple[tuple[str, Any], ...]) -> Any:
    given = dict(options)

    def function(series: Any, pattern: Any) -> Any:
        return getattr(series.str, name)(pattern, **given)

    of_missing[function] = given.get("na", False)
    return function


def text(series: Any, name: str, args: tuple, kwargs: dict) -> Any:
    """The pending series of which strings begin or end with a string, contain it, or match a pattern."""
    plan = plan_of(series)
    if plan is None or not _is_text(series) or len(args) != 1:
        return None
    if not all(type(v) is _OF_PATTERNS.get(k) for k, v in kwargs.items()):
        return None
    function = _text_of(name, tuple(sorted(kwargs.items())))
    if name in ("startswith", "endswith"):
        fits = type(args[0]) is str or (type(args[0]) is tuple and all(type(p) is str for p in args[0]))
    else:
        fits = type(args[0]) is str and (kwargs.get("regex") is False or _is_pattern(args[0]))
        if fits:
            function(_classes.Series._new(from_values(["a"]), _indexes.default(1)), args[0])  # raises as for any row
    return _of(series, plan, function, series, args[0]) if fits else None


@functools.lru_cache(1000)
def _is_pattern(pattern: str) -> bool:
    """Whether a pattern can be read, and has no groups, of which pandas warns at the call."""
    try:
        return re.compile(pattern).groups == 0
    except re.error:
        return False


of_missing.update({_lacks: True, _there: False, _among_present: False})


# ---- words


def lines(frame: Any) -> list[str]:
    """The plan of an object that waits: its frames, the conditions, and where they are evaluated."""
    plan = plan_of(frame)
    if plan is None:
        return []
    sources = plan.sources()
    made = [f"rows that wait for {plan.joins} joins of frames of {', '.join(f'{s.rows:,}' for s in sources)} rows"]
    for c in plan.conditions():
        read = sorted({leaf.source + 1 for leaf in leaves(c)})
        where = "before the joins" if is_before(plan, c) else "after they are joined"
        made.append(f"pending: a condition on frame {' and '.join(map(str, read))}, {where}")
    return made
