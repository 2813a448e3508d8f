"""Operators and universal functions of indexes whose results are indexes."""

from __future__ import annotations

import datetime
from collections.abc import Callable
from typing import Any

import numpy as np

from ... import _core
from ..._array.ufuncs import ours as known_ufunc
from .. import _classes, _fallback
from .._columns.any_kind import AnyKind
from .._columns.column import AnyColumn, Column, in_zone, ndarray, plain
from .._columns.infer import column
from .._columns.operators import compute, prepared
from .._fallback.native import NotNative
from .._questions import is_integer
from .._theirs import pandas
from .arguments import own_column, same_name

_OPERATORS = {
    "add": "add", "subtract": "sub", "multiply": "mul", "divide": "truediv", "true_divide": "truediv", "floor_divide": "floordiv",
    "remainder": "mod", "mod": "mod", "power": "pow", "bitwise_and": "and", "bitwise_or": "or", "bitwise_xor": "xor", "equal": "eq",
    "not_equal": "ne", "less": "lt", "less_equal": "le", "greater": "gt", "greater_equal": "ge",
}  # fmt: skip
_UNARY = {"negative": "__neg__", "positive": "__pos__", "absolute": "__abs__", "invert": "__invert__"}
_TIMES = (datetime.datetime, datetime.timedelta, np.datetime64, np.timedelta64)
_TURNED = {"lt": "gt", "gt": "lt", "le": "ge", "ge": "le", "eq": "eq", "ne": "ne"}


def _named(op: str, reverse: bool) -> str:
    return f"__{_TURNED.get(op, 'r' + op) if reverse else op}__"


def _numbers(index: Any) -> Column:
    """The labels, if they are numbers, booleans or strings; NotNative for others, which may have a frequency."""
    c = own_column(index)
    if c.times() is not None:
        raise NotNative("datetime or timedelta labels")
    return c


def _operand(index: Any, other: Any, op: str) -> Any:
    if isinstance(other, pandas.Index):
        other = _fallback.from_pandas(other)
    if isinstance(other, _classes.Index):
        made: AnyColumn | None = _numbers(other)
    elif isinstance(other, (ndarray, np.ndarray)) and other.ndim == 1:
        made = column(other)
    else:
        return prepared(other, op)
    if made is None or len(made) != len(index):
        raise NotNative("an unsupported operand")
    return made.own("an unsupported operand")


def _ranged(index: Any, op: str, other: Any, reverse: bool) -> Any:
    """A range shifted or scaled by an integer; None for other operations."""
    if not hasattr(index, "_evenly") or not (is_integer(other) or isinstance(other, (bool, np.bool_))):
        return None
    start, step, count, by = index.start, index.step, len(index), int(other)
    if op == "add":
        start += by
    elif op == "sub":
        start, step = (by - start, -step) if reverse else (start - by, step)
    elif op == "mul" and by:
        start, step = start * by, step * by
    elif (
        op == "floordiv" and is_integer(other) and not reverse and by and (count == 0 or not (start % by or step % by))
    ):
        start, step = start // by, step // by or 1
    elif op == "floordiv" and is_integer(other) and not reverse and by and count == 1:
        start, step = start // by, 1
    else:
        return None
    if max(map(abs, (start, step, start + step * count))) >= 2**63:
        raise NotNative("numbers beyond 64 bits")
    return index._of(start, step, count, index.name)


def _timed(index: Any, op: str, other: Any, reverse: bool) -> Any:
    """Times or durations without a frequency, shifted by some; None for other labels and operations."""
    if op not in ("add", "sub") or not _are_times(index):
        return None
    zone = None
    if _are_times(other) and len(other) == len(index):
        there: Any = own_column(other)
    elif isinstance(other, _TIMES):
        zone = getattr(other, "tzinfo", None)
        if zone is not None and (index._of_dates or (op == "sub" and not reverse)):
            return None
        there = prepared(other if zone is None else pandas.Timestamp(other).tz_convert(None), op)
    else:
        return None
    pair = own_column(index), there
    made: AnyColumn = compute(op, *(pair[::-1] if reverse else pair))
    if zone is not None:
        made = in_zone(made.values, pandas.Timestamp(other).tz)  # type: ignore[union-attr]
    name = index.name if same_name(index.name, getattr(other, "name", index.name)) else None
    return _classes.Index._of_columns([made], [name])


def _are_times(x: Any) -> bool:
    """Whether labels are times or durations that are kept as numbers, without a frequency."""
    if not isinstance(x, _classes.Index) or x.nlevels > 1 or x._columns[0].times() is None:
        return False
    return x._columns[0].zone is None and getattr(x, "_freq", None) is None


def _operator(op: str, reverse: bool) -> Callable:
    def operate(self: Any, other: Any) -> Any:
        if hasattr(other, "__dask_graph__") or hasattr(other, "_all_columns"):
            return NotImplemented
        try:
            made = _ranged(self, op, other, reverse)
            if made is None:
                made = _timed(self, op, other, reverse)
            if made is not None:
                return made
            pair = _numbers(self), _operand(self, other, op)
            name = self.name if same_name(self.name, getattr(other, "name", self.name)) else None
            return _classes.Index._of_columns([compute(op, *(pair[::-1] if reverse else pair))], [name])
        except NotNative as why:
            return _fallback.call(self, operate.__name__, (other,), reason=why.reason)

    operate.__name__ = _named(op, reverse)
    operate.__qualname__ = f"Index.{operate.__name__}"
    return operate


def _range_by(index: Any, name: str) -> Any:
    """A range after a unary operator."""
    ends = (index.start, index.start + index.step * max(len(index) - 1, 0)) if len(index) else (0,)
    if name == "__pos__" or (name == "__abs__" and min(ends) >= 0):
        return index._view()
    if name == "__abs__" and max(ends) > 0:
        raise NotNative("numbers of both signs")
    return index._of(~index.start if name == "__invert__" else -index.start, -index.step, len(index), index.name)


def _unary(name: str, method: str) -> Callable:
    def operate(self: Any) -> Any:
        try:
            c = _numbers(self)
            if c.selects_rows and name in ("__neg__", "__pos__"):
                raise NotNative("labels that have no such operator")
            if hasattr(self, "_evenly"):
                return _range_by(self, name)
            return _classes.Index._of_columns([getattr(c, method)()], [self.name])
        except (NotNative, TypeError):
            return _fallback.call(self, name, reason="labels that have no such operator")

    operate.__name__, operate.__qualname__ = name, f"Index.{name}"
    return operate


class IndexArithmetic:
    """Operators of an index whose results are indexes."""

    def __array_ufunc__(self: Any, ufunc: Any, method: str, *inputs: Any, **kwargs: Any) -> Any:
        """Apply a universal function of NumPy or bascule to the labels."""
        if any(hasattr(x, "_all_columns") for x in inputs):
            return NotImplemented
        known = known_ufunc(ufunc)
        name = known.__name__ if known is not None else ""
        if method == "__call__" and not kwargs and name in _OPERATORS and len(inputs) == 2:
            left, right = inputs
            reverse = not isinstance(left, _classes.Index)
            own, other = (right, left) if reverse else (left, right)
            return getattr(own, _named(_OPERATORS[name], reverse))(other)
        if method == "__call__" and not kwargs and name in _UNARY:
            return getattr(self, _UNARY[name])()
        try:
            if method != "__call__" or kwargs:
                raise NotNative("options or methods of universal functions")
            return self._applied(known, inputs)
        except NotNative as why:
            function = ufunc if isinstance(ufunc, np.ufunc) else getattr(np, name, ufunc)
            return _fallback.share(f"{type(self).__name__}.__array_ufunc__", why.reason, getattr(function, method), inputs, kwargs)  # fmt: skip

    def _applied(self: Any, function: Any, inputs: tuple) -> Any:
        if function is None or function.nout != 1:
            raise NotNative("a ufunc that only NumPy has")
        given = [_operand(self, x, "add") for x in inputs]
        why = "labels that are not plain numbers"
        values = function(*(c.plain_values(why=why) if isinstance(c, AnyKind) else c for c in given))
        if values.dtype == np.float16:
            values = _core.astype(values, np.dtype(np.float32), False, "K")
        return _classes.Index._of_columns([plain(values)], [self.name])

    __neg__ = _unary("__neg__", "negative")
    __pos__ = _unary("__pos__", "positive")
    __abs__ = _unary("__abs__", "absolute")
    __invert__ = _unary("__invert__", "invert")


for _op in ("add", "sub", "mul", "truediv", "floordiv", "mod", "pow", "and", "or", "xor"):
    for _reverse in (False, True):
        setattr(IndexArithmetic, _named(_op, _reverse), _operator(_op, _reverse))
