"""datetime64 and timedelta64: conversion to a common unit, NaT, and arithmetic between dates, durations and numbers.

NumPy's ufuncs decide which signatures exist and in which unit they compute; the values are int64 arrays, so the work
runs on any device.
"""

from __future__ import annotations

import datetime
import math
import operator
from typing import Any

import numpy as np

from .. import _core
from ..fallback import in_numpy
from .caller_warnings import at_users_line
from .conversion import (
    as_array,
    as_axisless,
    as_output,
    from_result,
    host_view,
    is_array,
    ndarray,
    scalar_for,
    seen_by_numpy,
)
from .late_warnings import is_apart, report_fp_errors_where
from .numpy_versions import since
from .time_overflow import check_operands, check_scaling
from .ufunc_methods import asks
from .ufuncs import by_name, rows

_select = rows["where"]["ufunc"]
_int64 = np.dtype(np.int64)
_DIVMOD = 0xFFFE  # bits of the op as errstate encodes them
_NAT = int(np.iinfo(np.int64).min)
# Python's integers hold the length of a unit in attoseconds, which overflows 64 bits.
_LENGTH = {"W": 604800, "D": 86400, "h": 3600, "m": 60, "s": 1}
_FRACTION = {"s": 0, "ms": 3, "us": 6, "ns": 9, "ps": 12, "fs": 15, "as": 18}


# Elements of the CPU for which NumPy's loop takes less time than the passes over int64 values that a device can run.
_FEW = 8192
_DIRECT = frozenset(["add", "subtract", "equal", "not_equal", "less", "less_equal", "greater", "greater_equal"])


def _are_few(inputs: tuple) -> bool:
    """Whether operands are few elements of the CPU's arrays that have axes, and NumPy's numbers and times."""
    return all(
        isinstance(x, np.generic) or (type(x) is ndarray and x.ndim and x.size <= _FEW and x.device == "cpu")
        for x in inputs
    )


def _length(t: np.dtype) -> int | None:
    """Attoseconds in a unit; None for years, months and the generic unit."""
    unit, count = np.datetime_data(t)
    if unit in _LENGTH:
        return count * _LENGTH[unit] * 10**18
    if unit in _FRACTION:
        return count * 10 ** (18 - _FRACTION[unit])
    return None


def _ratio(have: int, want: int) -> tuple[int, int]:
    """The factor and the divisor that convert a length to another unit."""
    divisor = math.gcd(have, want)
    return have // divisor, want // divisor


def _bits(a: ndarray) -> ndarray:
    return a.view(_int64)


def _as_time(bits: ndarray, t: np.dtype, nulls: ndarray | None = None) -> ndarray:
    """int64 values as dates or durations, NaT where values are missing."""
    if nulls is not None:
        bits = _select(nulls, _NAT, bits)
    r = bits.astype(_int64, copy=False).view(t)
    return _core.as_scalar(r) if r.ndim == 0 else r


def _wrapped(v: int) -> int:
    """The low 64 bits of an integer, signed."""
    return (v + 2**63) % 2**64 - 2**63


def _scaled(bits: ndarray, up: int, down: int) -> ndarray:
    """bits * up / down, rounded down; on overflow the low 64 bits are used, as the loops of older NumPy versions do."""
    if down == 1:
        return bits if up == 1 else bits * up
    limit = (2**63 - down) // up
    if not bits.size or not is_apart(bits) and not bool(((bits > limit) | (bits < -limit)).any()):
        return bits * up // down
    product = bits * up - (bits < 0) * (down - 1)
    quotient = product // down  # the steps below make it round towards zero
    return quotient + ((product < 0) & (quotient * down != product))


def convert(a: ndarray, t: np.dtype) -> ndarray:
    """The same dates or durations in another unit, as numpy.ndarray.astype converts them."""
    if _are_few((a,)):
        return from_result(host_view(a).astype(t), "cpu")
    if np.datetime_data(a.dtype)[0] == "generic" and a.dtype.kind == t.kind:
        return _as_time(_bits(a).copy(), t)
    have, want = _length(a.dtype), _length(t)
    if have is None or want is None or a.dtype.kind != t.kind:
        return _convert_by_calendar(a, t)
    up, down = _ratio(have, want)
    if max(up, down) >= 2**56:
        np.empty(0, a.dtype).astype(t)  # NumPy raises if the units are too far apart
    nulls = by_name["isnat"](a)
    check_scaling(_bits(a), up, down, nulls)
    return _as_time(_scaled(_bits(a), _wrapped(up), down), t, nulls)


def _months(t: np.dtype) -> int | None:
    """Months in a unit; None where they differ in length."""
    unit, count = np.datetime_data(t)
    return {"Y": 12 * count, "M": count}.get(unit)


def _months_of(days: ndarray) -> ndarray:
    """Months since 1970-01 for days since 1970-01-01. Years are counted from March, so that leap days come last."""
    since_2000 = days - 10957
    cycle = since_2000 // 146097
    z = since_2000 - cycle * 146097 + 146037  # days since 1600-03-01
    era = z // 146097
    day = z - era * 146097
    year = (day - day // 1460 + day // 36524 - day // 146096) // 365
    month = (5 * (day - (365 * year + year // 4 - year // 100)) + 2) // 153
    return ((cycle + era) * 400 + year + (1600 - 1970)) * 12 + month + 2


def _days_of(years: ndarray, month: ndarray | int) -> ndarray:
    """Days since 1970-01-01 of the first days of months, 0 to 11, of years since 1970; wraps as in NumPy on overflow."""

    def quotient(x: ndarray, n: int) -> ndarray:  # rounds towards zero
        return (x + (x < 0) * (n - 1)) // n

    days = years * 365
    after = quotient(years + 1, 4) - quotient(years + 69, 100) + quotient(years + 369, 400)
    before = quotient(years - 2, 4) - quotient(years - 30, 100) + quotient(years - 30, 400)
    days = days + _select(days >= 0, after, before)
    if isinstance(month, int):
        return days
    year = years + 1970
    leap = (year % 4 == 0) & ((year % 100 != 0) | (year % 400 == 0))
    return days + (367 * month + 5) // 12 - (month >= 2) * (2 - leap)


def _days_in(a: ndarray) -> ndarray:
    """Days since 1970-01-01 of dates whose unit is weeks or shorter."""
    unit, count = np.datetime_data(a.dtype)
    day, length = _length(np.dtype("M8[D]")), _length(np.dtype(f"M8[{unit}]"))
    up, down = _ratio(length, day)
    return _bits(a) * (count * up) // min(down, 2**63 - 1)


def _convert_by_calendar(a: ndarray, t: np.dtype) -> ndarray:
    """Convert dates and durations from or to months and years."""
    np.empty(0, a.dtype).astype(t)  # NumPy raises if the units are too far apart
    have, want = _months(a.dtype), _months(t)
    nulls = by_name["isnat"](a)
    if have is not None and want is not None and a.dtype.kind == t.kind == "m":
        up, down = _ratio(have, want)
        check_scaling(_bits(a), up, down, nulls)
        return _as_time(_scaled(_bits(a), up, down), t, nulls)
    check_scaling(_bits(a), np.datetime_data(a.dtype)[1], 1, nulls)  # checks the conversion to single units first
    if a.dtype.kind != "M" or t.kind != "M" or (have is None and want is None):
        return in_numpy(np.ndarray.astype, (a, t), {}, "astype", "durations in months of a mean length")
    if have is not None and want is not None:
        return _as_time(_bits(a) * have // want, t, nulls)
    if have is None:
        return _as_time(_months_of(_days_in(a)) // want, t, nulls)
    unit, count = np.datetime_data(a.dtype)
    counted = _bits(a) * count
    days = _days_of(counted, 0) if unit == "Y" else _days_of(counted // 12, counted % 12)
    unit, count = np.datetime_data(t)
    up, down = _ratio(_length(np.dtype("M8[D]")), _length(np.dtype(f"M8[{unit}]")))
    return _as_time(_scaled(_scaled(days, _wrapped(up), down), 1, count), t, nulls)


_WARNS_OF_NO_UNIT = since("durations without a unit are deprecated")
_COMPARISONS = {
    "equal": operator.eq, "not_equal": operator.ne, "less": operator.lt, "less_equal": operator.le,
    "greater": operator.gt, "greater_equal": operator.ge,
}  # fmt: skip


def _as_operand(name: str, x: Any, like: Any) -> Any:
    """Convert an operand: arrays and Python's numbers are kept, the rest goes through NumPy; Python's dates only in
    comparisons."""
    if is_array(x) or type(x) in (int, float):
        return x
    n = np.asarray(x)
    if n.dtype.kind == "O":
        if name not in _COMPARISONS:
            return None
        if isinstance(x, datetime.timedelta):
            n = np.asarray(x, "m8")
        elif isinstance(x, datetime.date):
            n = np.asarray(x, "M8")
        else:
            return None
    if n.dtype.kind == "c" and name.startswith("logical_"):
        n = n.astype(bool)
    return as_array(n, like) if n.dtype.kind in "biufmM" else None


def _check_name(name: str) -> None:
    """Refuse functions that NumPy does not have: they take numbers only."""
    if not hasattr(np, name):
        raise TypeError(f"ufunc '{name}' not supported for the input types: there is no loop for dates and durations")


def _resolved(name: str, inputs: list[Any]) -> list[np.dtype]:
    """The types that NumPy computes in; raises NumPy's errors."""
    kinds = [x.dtype if is_array(x) else type(x) for x in inputs]
    _check_name(name)
    ufunc = getattr(np, name)
    return list(ufunc.resolve_dtypes((*kinds, *[None] * ufunc.nout)))


def _report_no_unit(values: list[Any]) -> None:
    """Warn as NumPy does for a Python number next to durations, which counts as a duration without a unit."""
    if _WARNS_OF_NO_UNIT and any(type(v) is int for v in values):
        at_users_line(np.timedelta64, 0)


def _in_type(x: Any, t: np.dtype, like: ndarray) -> ndarray:
    if not is_array(x):
        x = as_array(np.asarray(x), like)
    if x.dtype == t:
        return x
    if x.dtype.kind in "mM" and t.kind in "mM":
        return convert(x, t)
    if t.kind in "mM":
        return _as_time(x.astype(_int64), t)
    return x.astype(t)


def _add(name: str, x: ndarray, y: ndarray, out: np.dtype, where: Any) -> ndarray:
    isnat = by_name["isnat"]
    check_operands(name, x, y, where)
    return _as_time(by_name[name](_bits(x), _bits(y)), out, isnat(x) | isnat(y))


def _truncated(name: str, product: ndarray, out: np.dtype, nulls: ndarray) -> ndarray:
    """Float durations truncated to whole units; NaT where the value is not finite or does not fit."""
    finite = by_name["isfinite"](product)
    _report(name, None, finite & ~nulls & ((product >= 2.0**63) | (product < -(2.0**63))))
    nulls = nulls | ~(by_name["absolute"](product) < 2.0**63)
    return _as_time(_select(nulls, 0.0, product).astype(_int64), out, nulls)


def _multiply(x: ndarray, y: ndarray, out: np.dtype, where: Any) -> ndarray:
    if y.dtype.kind != "f" and x.dtype.kind != "f":
        check_operands("multiply", x, y, where)
    if x.dtype.kind != "m":
        x, y = y, x
    nulls = by_name["isnat"](x)
    if y.dtype.kind == "f":
        return _truncated("multiply", _bits(x).astype(np.float64) * _select(nulls, 1.0, y), out, nulls)
    return _as_time(_bits(x) * y, out, nulls)


def _report(name: str, divides: ndarray | None, invalid: ndarray | None = None) -> None:
    """Warn as NumPy's loop does where an element was divided by zero or is not a number."""
    report_fp_errors_where(_DIVMOD if name == "divmod" else by_name[name]._number, divide=divides, invalid=invalid)


def _divide(x: ndarray, y: ndarray, out: np.dtype, name: str = "divide") -> ndarray:
    isnat = by_name["isnat"]
    if y.dtype.kind == "m":
        nulls = isnat(x) | isnat(y)
        divisor = _select(nulls, 1.0, _bits(y).astype(np.float64))
        return _select(nulls, np.nan, _bits(x).astype(np.float64) / divisor)
    if y.dtype.kind == "f":
        nulls, zero, none = isnat(x), y == 0, _bits(x) == 0
        _report(name, zero & ~none & ~nulls, zero & none)
        nulls = nulls | zero
        return _truncated(name, _bits(x).astype(np.float64) / _select(nulls, 1.0, y), out, nulls)
    zero = y == 0
    if y.ndim == 0 and x.size:  # NumPy does not warn about zeros in arrays
        _report(name, zero)
    divisor, nulls = _select(zero, 1, y), isnat(x)
    ticks = _select(nulls, 0, _bits(x))  # NaT's bits divided by -1 would overflow
    quotient = by_name["floor_divide"](ticks, divisor)
    inexact = quotient * divisor != ticks
    towards_zero = quotient + (inexact & ((ticks < 0) ^ (divisor < 0))).astype(_int64)
    return _as_time(towards_zero, out, nulls | zero)


def _floor_divide(x: ndarray, y: ndarray, out: np.dtype, reported: str = "floor_divide") -> ndarray:
    if y.dtype.kind != "m":
        return _divide(x, y, out, "floor_divide")
    nats, zero = by_name["isnat"](x) | by_name["isnat"](y), _bits(y) == 0
    nulls = nats | zero
    _report(reported, zero & ~nats, nats)
    return _select(nulls, 0, by_name["floor_divide"](_bits(x), _select(nulls, 1, _bits(y))))


def _remainder(x: ndarray, y: ndarray, out: np.dtype) -> ndarray:
    nats, zero = by_name["isnat"](x) | by_name["isnat"](y), _bits(y) == 0
    nulls = nats | zero
    _report("remainder", zero & ~nats)
    return _as_time(by_name["remainder"](_bits(x), _select(nulls, 1, _bits(y))), out, nulls)


_RULES = {"divide": _divide, "floor_divide": _floor_divide, "remainder": _remainder}


def _select_times(name: str, inputs: list[Any], like: ndarray) -> ndarray:
    values = inputs[1:] if name == "where" else inputs
    t = np.result_type(*(v.dtype if is_array(v) else np.asarray(v).dtype for v in values))
    if t.kind not in "mM":
        raise TypeError(f"ufunc '{name}' not supported for the input types")
    if name == "clip" and t.kind == "m":
        _report_no_unit(values)
    if name == "clip" and {v.dtype.kind for v in values if is_array(v)} == {"m", "M"}:
        _refused_by_numpy(name, tuple(values), {})
    values = [_in_type(v, t, like) for v in values]
    return rows[name]["ufunc"](*(inputs[:1] if name == "where" else []), *values)


def _assigned(value: Any, target: ndarray) -> ndarray:
    """A value as elements of the target's type, for item assignment."""
    if isinstance(value, np.generic):
        one = np.zeros((), target.dtype)
        one[...] = value  # raises where NumPy takes no date for a number
        return as_array(one, target)
    if is_array(value):
        return value if value.dtype == target.dtype else value.astype(target.dtype)
    return as_array(
        np.asarray(value).astype(target.dtype) if isinstance(value, np.ndarray) else np.asarray(value, target.dtype),
        target,
    )


def _refused_by_numpy(name: str, inputs: tuple, options: dict[str, Any]) -> None:
    """Call NumPy to raise its error for these operands, or for the loop that is asked for."""
    _check_name(name)
    with np.errstate(all="ignore"):
        getattr(np, name)(*(np.ones((), x.dtype) if is_array(x) else x for x in inputs), **options)


def operate(name: str, inputs: tuple, keywords: dict[str, Any] | None = None, reported: str | None = None) -> Any:
    """Apply an operation for which no loop takes its date or duration operands as they are. The core calls it;
    `reported` is the name used in its warnings.
    """
    like = next(x for x in inputs if is_array(x)) if any(map(is_array, inputs)) else None
    if name == "assign":
        return _assigned(*inputs)
    called = keywords is not None
    if not called and asks(*inputs):
        return NotImplemented  # Python then tries the operand's own method
    if not keywords and name in _DIRECT and _are_few(inputs):
        return from_result(getattr(np, name)(*(host_view(x) if is_array(x) else x for x in inputs)), "cpu")
    out, where, order, loop = _options(name, dict(keywords or {}))
    if loop:
        _refused_by_numpy(name, inputs, loop)
    operands = [_as_operand(name, x, like) for x in inputs]
    far = any(type(x) is int and not -(2**63) <= x < 2**63 for x in operands)
    strange = far or any(x is None for x in operands)
    if strange and not called and name in _COMPARISONS and like is not None and like.device == "cpu":
        return from_result(
            _COMPARISONS[name](*map(seen_by_numpy, inputs))
        )  # each element is compared with this object as a whole
    if any(x is None for x in operands):
        if called and out is not inputs[0]:
            _refuse(name, inputs)
        return NotImplemented  # by an operator, because the other operand may implement it
    if name == "divmod":
        _resolved(name, operands)
        quotient = operate("floor_divide", inputs, reported=name)
        with np.errstate(divide="ignore"):  # the loop below warns once
            return quotient, operate("remainder", inputs)
    r, of_loop = _result(name, operands, like, where, reported, far)
    if r is None:
        wanted = {} if out is None and where is True else {"out": out, "where": where}
        if "dtype" in loop and name in _COMPARISONS:
            wanted["dtype"] = loop["dtype"]
        if order != "K":
            wanted["order"] = order
        return by_name[name](*of_loop, **wanted)
    if order != "K" and out is None:
        r = _laid_out(r, order, inputs)
    if out is Ellipsis:
        return as_axisless(r)
    if r.ndim == 0 and out is None:
        r = scalar_for(*inputs)(r)
    return r if out is None and where is True else _written(r, out, where)


def _options(name: str, keywords: dict[str, Any]) -> tuple[Any, Any, str, dict[str, Any]]:
    """out=, where=, order= and the keywords that choose a loop; TypeError for others."""
    out, where, order = keywords.pop("out", None), keywords.pop("where", True), keywords.pop("order", "K")
    loop = {k: keywords.pop(k) for k in ("dtype", "casting") if k in keywords}
    keywords.pop("subok", None)
    if keywords:
        raise TypeError(f"{name}() got an unexpected keyword argument {next(iter(keywords))!r}")
    return out, where, order, loop


def _refuse(name: str, inputs: tuple) -> None:
    """The error of a function whose operands are no times or numbers: NumPy's own, where it has one."""
    _refused_by_numpy(name, inputs, {})
    raise TypeError(f"[{name}] takes numbers, dates and durations, not {', '.join(type(x).__name__ for x in inputs)}")


def _result(name: str, operands: list[Any], like: Any, where: Any, reported: str | None, far: bool) -> tuple[Any, Any]:
    """The result by a rule for times; where there is none, None and the operands in the types of a loop."""
    if name == "sign":  # the sign of a duration is a number since NumPy 2.5
        x = operands[0]
        return _select(by_name["isnat"](x), np.nan, by_name["sign"](_bits(x)).astype(np.float64)), None
    if name in ("where", "clip"):
        return _select_times(name, operands, like), None
    types = _resolved(name, operands)
    if name not in _COMPARISONS and far:
        raise OverflowError("int too big to convert")
    _report_no_unit([v for v, t in zip(operands, types) if t.kind == "m"])
    x, y = (_in_type(v, t, like) for v, t in zip(operands, types))
    if name in ("add", "subtract"):
        return _add(name, x, y, types[-1], where), None
    if name == "multiply":
        return _multiply(x, y, types[-1], where), None
    if name in _RULES:
        return _RULES[name](x, y, types[-1], *([] if reported is None else [reported])), None
    return None, (x, y)


def _laid_out(r: ndarray, order: str, inputs: tuple) -> ndarray:
    """A result in the layout that order= asks for; for scalars alone there is none to choose."""
    np.empty(0).copy(order=order)  # raises for an invalid order
    if order in "Aa":
        order = "F" if all(x.flags.f_contiguous for x in inputs if is_array(x)) else "C"
    return r.astype(r.dtype, order=order.upper(), copy=False)


def _written(r: ndarray, out: Any, where: Any) -> ndarray:
    if isinstance(out, tuple) and len(out) != 1:
        raise ValueError("The 'out' tuple must have exactly one entry per ufunc output")
    target = out[0] if isinstance(out, tuple) else out
    target = _core.full(r.shape, 0, r.dtype, r.device) if target is None else as_output(target)
    if not np.can_cast(r.dtype, target.dtype, "same_kind"):
        raise TypeError(f"Cannot cast ufunc output from {r.dtype!r} to {target.dtype!r} with casting rule 'same_kind'")
    shape = np.broadcast_shapes(r.shape, target.shape, *([] if where is True else [np.shape(where)]))
    if shape != target.shape:
        ours, all_ = (str(s).replace(" ", "") for s in (target.shape, shape))
        raise ValueError(f"non-broadcastable output operand with shape {ours} doesn't match the broadcast shape {all_}")
    target[...] = r if where is True else _select(where, r, target)
    return target


_core.set_time_rules(operate)
