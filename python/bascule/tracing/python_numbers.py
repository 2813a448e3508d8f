"""A traced function on arrays with the rules of Python's numbers, which NumPy's vectorize passes: integers of any size,
floats of double precision, divisions that raise.

The range of integers is known, from the arrays and through every step, and nothing is computed that overflows 64 bits.
An array of booleans marks elements for which Python would raise, or return another type.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import numpy as np

from .._array.conversion import is_array, ndarray
from .._array.ufuncs import by_name
from ..lib.selection import where
from .trace import Traced, TracingError, in_order

_EXACT = 2**53  # largest integer up to which all are exact as floats
_LARGEST = 2**63 - 1
_COMPARED = frozenset({"less", "less_equal", "greater", "greater_equal", "equal", "not_equal"})
_BITS = frozenset({"bitwise_and", "bitwise_or", "bitwise_xor"})
_LOGICAL = frozenset({"logical_and", "logical_or", "logical_xor", "logical_not"})
_AS_OPERATORS = frozenset({"add", "subtract", "multiply", "negative", "positive", "absolute", *_COMPARED, *_BITS})


class Unlike(TracingError):
    """Arrays may give other results than Python's numbers."""

    def __init__(self, why: str) -> None:
        super().__init__(f"the function {why}")


class Number(NamedTuple):
    """An array or a number that stands for a Python number."""

    x: Any
    kind: str  # b, i or f
    numpys: bool  # a scalar of NumPy's, or an array without axes
    range: tuple[int, int] | None  # of integers: the least and the greatest


def _range_of(a: ndarray) -> tuple[int, int]:
    return (int(a.min()), int(a.max())) if a.size else (0, 0)


def argument(a: ndarray) -> Number:
    """An array of numbers for which an object array of NumPy's would hold Python's numbers."""
    if a.dtype.kind == "b":
        return Number(a, "b", False, None)
    if a.dtype.kind in "iu":
        least, most = _range_of(a)
        if most > _LARGEST:
            raise Unlike("takes integers of more than 63 bits")
        return Number(a.astype(np.int64, copy=False), "i", False, (least, most))
    if a.dtype.kind == "f":
        return Number(a.astype(np.float64, copy=False), "f", False, None)
    raise Unlike(f"takes {a.dtype}, which is computed otherwise by Python")


def _constant(x: Any) -> Number:
    kind = type(x)
    if kind in (bool, np.bool_):
        return Number(bool(x), "b", kind is np.bool_, None)
    if kind in (int, np.int64):
        if abs(int(x)) > _LARGEST:
            raise Unlike("has an integer of more than 64 bits")
        return Number(int(x), "i", kind is np.int64, (int(x), int(x)))
    if kind in (float, np.float64):
        return Number(float(x), "f", kind is np.float64, None)
    raise Unlike(f"computes with {kind.__name__}")


def _within(low: int, high: int) -> tuple[int, int]:
    if low < -_LARGEST or high > _LARGEST:
        raise Unlike("may need integers of more than 64 bits")
    return low, high


class _Run:
    """One run of a trace: values of its steps, and the elements for which Python would have raised."""

    def __init__(self) -> None:
        self.bad: list[Any] = []

    def step(self, x: Traced, parts: list[Number]) -> Number:
        if x.op == "where":
            return self._where(*parts)
        if x.op == "invert" and parts[0].kind == "b" and (x.called or parts[0].numpys):
            return Number(_computed(x.op, parts, True), "b", True, None)
        found = _called(x.op, parts) if x.called and x.op not in _AS_OPERATORS else self._operated(x, parts)
        return found._replace(numpys=x.called or any(p.numpys for p in parts))

    def _operated(self, x: Traced, parts: list[Number]) -> Number:
        if all(p.kind == "b" for p in parts) and x.op not in _COMPARED:
            if x.op in _BITS:
                return Number(_computed(x.op, parts, x.called), "b", False, None)
            if x.op == "invert" or x.called or any(p.numpys for p in parts):  # NumPy's booleans are not integers
                raise Unlike("computes with booleans")
        return _RULES[x.op](self, x.op, [_as_integer(p) for p in parts], x.called)

    def _where(self, c: Number, x: Number, y: Number) -> Number:
        if c.kind != "b":
            raise Unlike("chooses by numbers")
        kind = max(x.kind, y.kind, key="bif".index)
        if kind == "i":
            x, y = _as_integer(x), _as_integer(y)
        r = (min(x.range[0], y.range[0]), max(x.range[1], y.range[1])) if kind == "i" else None  # type: ignore[index]
        made = where(c.x, *(_as(kind, p).x for p in (x, y)))
        return Number(made, kind, True, r)

    def refuse_where(self, bad: Any) -> None:
        """Mark elements for which Python would raise."""
        if is_array(bad):
            self.bad.append(bad)
        elif bad:
            raise Unlike("raises for one of its arguments")


def _as_integer(p: Number) -> Number:
    """A boolean as an integer, with which Python computes; others unchanged."""
    if p.kind != "b":
        return p
    x = p.x.astype(np.int64) if is_array(p.x) else int(p.x)
    return Number(x, "i", p.numpys, (0, 1))


def _as(kind: str, p: Number) -> Number:
    """A number converted to integer or float to match the other operand of `where`."""
    if kind == "f" and p.kind != "f":
        p = _as_integer(p)
        return Number(p.x.astype(np.float64) if is_array(p.x) else float(p.x), "f", p.numpys, None)
    return p


def _computed(op: str, parts: Sequence[Number], called: bool) -> Any:
    """Apply the ufunc to the operands; operators on Python's floats do not warn."""
    values = [p.x for p in parts]
    if not any(map(is_array, values)):
        raise Unlike("computes with constants only")
    if called or any(p.numpys for p in parts):
        return by_name[op](*values)
    with np.errstate(all="ignore"):
        return by_name[op](*values)


# ---- operators on integers and floats


def _is_float(parts: Sequence[Number]) -> bool:
    return any(p.kind == "f" for p in parts)


def _corners(op: Callable[[int, int], int], parts: Sequence[Number]) -> tuple[int, int]:
    (a, b), (c, d) = parts[0].range, parts[1].range  # type: ignore[misc]
    found = [op(x, y) for x in (a, b) for y in (c, d)]
    return _within(min(found), max(found))


_ON_INTEGERS = {"add": operator.add, "subtract": operator.sub, "multiply": operator.mul}


def _sum_or_product(run: _Run, op: str, parts: list[Number], called: bool) -> Number:
    if _is_float(parts):
        return Number(_computed(op, parts, called), "f", False, None)
    r = _corners(_ON_INTEGERS[op], parts)
    return Number(_computed(op, parts, called), "i", False, r)


def _signed(run: _Run, op: str, parts: list[Number], called: bool) -> Number:
    (p,) = parts
    if p.kind == "f":
        if op == "invert":
            raise Unlike("asks floats for bits")
        return Number(_computed(op, parts, called), "f", False, None)
    low, high = p.range  # type: ignore[misc]
    if op in ("negative", "invert"):
        r = _within(-high - (op == "invert"), -low - (op == "invert"))
    elif op == "absolute":
        r = _within(0, max(-low, high, 0))
    else:
        r = (low, high)
    return Number(_computed(op, parts, called), "i", False, r)


def _exact(parts: Sequence[Number]) -> None:
    """Refuse integers that are not exact as floats, next to floats."""
    for p in parts:
        if p.kind == "i" and max(map(abs, p.range)) > _EXACT:  # type: ignore[arg-type]
            raise Unlike("combines integers of more than 53 bits with floats")


def _comparison(run: _Run, op: str, parts: list[Number], called: bool) -> Number:
    if _is_float(parts):
        _exact(parts)
    return Number(_computed(op, parts, called), "b", False, None)


def _not_zero(run: _Run, p: Number) -> None:
    run.refuse_where(p.x == 0)


def _quotient(run: _Run, op: str, parts: list[Number], called: bool) -> Number:
    _not_zero(run, parts[1])
    _exact(parts)
    return Number(_computed(op, parts, called), "f", False, None)


def _whole_quotient(run: _Run, op: str, parts: list[Number], called: bool) -> Number:
    _not_zero(run, parts[1])
    if _is_float(parts):
        return Number(_computed(op, parts, called), "f", False, None)
    most = max(map(abs, parts[0 if op == "floor_divide" else 1].range))  # type: ignore[arg-type]
    return Number(_computed(op, parts, called), "i", False, _within(-most, most))


def _power(run: _Run, op: str, parts: list[Number], called: bool) -> Number:
    base, exponent = parts
    fixed = not is_array(exponent.x)
    if not _is_float(parts):
        if not fixed or exponent.x < 0:
            raise Unlike("raises integers to powers that may be negative or large")
        most = max(map(abs, base.range))  # type: ignore[arg-type]
        if most > 1 and exponent.x * (most.bit_length() - 1) > 63:
            raise Unlike("may need integers of more than 64 bits")
        r = _within(-(most**exponent.x), most**exponent.x)
        return Number(_computed(op, parts, called), "i", False, r)
    made = _computed(op, parts, called)
    whole = fixed and float(exponent.x).is_integer()
    if not whole:
        run.refuse_where(base.x < 0)  # Python returns complex numbers
    if not fixed:
        run.refuse_where((base.x == 0) & (exponent.x < 0))
    elif exponent.x < 0:
        run.refuse_where(base.x == 0)
    overflows = by_name["isinf"](made)
    for p in parts:
        overflows = overflows & by_name["isfinite"](p.x) if p.kind == "f" else overflows
    run.refuse_where(overflows)
    return Number(made, "f", False, None)


def _bits(run: _Run, op: str, parts: list[Number], called: bool) -> Number:
    if _is_float(parts):
        raise Unlike("asks floats for bits")
    width = max(max(-low - 1, high, 0).bit_length() for low, high in (p.range for p in parts))  # type: ignore[misc]
    return Number(_computed(op, parts, called), "i", False, (-(2**width), 2**width - 1))


def _shift(run: _Run, op: str, parts: list[Number], called: bool) -> Number:
    value, by = parts
    if _is_float(parts) or is_array(by.x) or not 0 <= by.x <= 62:
        raise Unlike("shifts by a count that may be negative or large")
    low, high = value.range  # type: ignore[misc]
    r = _within(low << by.x, high << by.x) if op == "left_shift" else (low >> by.x, high >> by.x)
    return Number(_computed(op, parts, called), "i", False, r)


_RULES: dict[str, Callable[[_Run, str, list[Number], bool], Number]] = {
    **dict.fromkeys(("add", "subtract", "multiply"), _sum_or_product),
    **dict.fromkeys(("negative", "positive", "absolute", "invert"), _signed),
    **dict.fromkeys(_COMPARED, _comparison),
    **dict.fromkeys(_BITS, _bits),
    **dict.fromkeys(("left_shift", "right_shift"), _shift),
    **dict.fromkeys(("floor_divide", "remainder"), _whole_quotient),
    "divide": _quotient,
    "power": _power,
}


# ---- ufuncs that are called, as NumPy's with Python's numbers


def _called(op: str, parts: list[Number]) -> Number:
    kinds = {p.kind for p in parts}
    if op in _LOGICAL:
        return Number(_computed(op, parts, True), "b", True, None)
    if "b" in kinds:
        raise Unlike("computes with booleans")
    if op in ("maximum", "minimum") and kinds == {"i"}:
        (a, b), (c, d) = parts[0].range, parts[1].range  # type: ignore[misc]
        pick = max if op == "maximum" else min
        return Number(_computed(op, parts, True), "i", True, (pick(a, c), pick(b, d)))
    _exact(parts)
    made = _computed(op, parts, True)
    if made.dtype.kind == "b":
        return Number(made, "b", True, None)
    if made.dtype != np.float64:
        raise Unlike(f"calls {op} of integers")
    return Number(made, "f", True, None)


def run(results: Sequence[Any], arguments: Sequence[Number]) -> tuple[list[Number], list[ndarray]]:
    """Compute the traced results on arrays; also returns booleans that mark elements for which Python would raise or
    change the type.

    Raises
    ------
    Unlike
        Python's numbers may give other results.
    """
    run_ = _Run()
    known: dict[int, Number] = {}
    value = lambda x: known[id(x)] if isinstance(x, Traced) else _constant(x)
    for x in in_order(results):
        known[id(x)] = arguments[x.parts[0]] if x.op == "argument" else run_.step(x, [value(p) for p in x.parts])
    return [value(x) for x in results], run_.bad


def converted(p: Number, t: np.dtype) -> Any:
    """A result in the type that NumPy makes of an array of objects; None if an element does not fit."""
    x = p.x
    if not is_array(x):
        return None if t.kind in "iu" and p.kind == "f" else np.asarray(x).astype(t) if _fits(p, t) else None
    if t.kind in "iu" and p.kind == "f":
        if x.size:
            with np.errstate(all="ignore"):
                low, high = float(x.min()), float(x.max())
            limits = np.iinfo(t)
            if not (limits.min <= low and high < float(limits.max) and high < _LARGEST):
                return None
        return x.astype(t)
    if not _fits(p, t):
        return None
    if t.kind == "f" and p.kind == "i":
        x = x.astype(np.float64)  # Python's integers become floats first
    return x.astype(t, copy=False)


def _fits(p: Number, t: np.dtype) -> bool:
    if t.kind not in "biuf" or t.char == "g":
        return False
    if t.kind not in "iu" or p.kind != "i":
        return True
    limits = np.iinfo(t)
    low, high = p.range  # type: ignore[misc]
    if limits.min <= low and high <= limits.max:
        return True
    low, high = _range_of(p.x) if is_array(p.x) else (p.x, p.x)
    return limits.min <= low and high <= limits.max
