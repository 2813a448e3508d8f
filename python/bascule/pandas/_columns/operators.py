"""Operators on columns: pandas' rules for types and missing values over lazy arrays."""

from __future__ import annotations

import datetime
import sys
from typing import Any, NoReturn

import numpy as np

from ... import _core
from ..._array.ufuncs import by_name, rows
from .._fallback.native import NotNative
from .._theirs import pandas, pyarrow, seen
from . import arrow_bits
from .any_kind import AnyKind
from .by_numbers import compared, operands
from .column import Column, in_zone, ndarray, text_from_arrow, text_of
from .dtypes import masked_dtype
from .selected import COMPARISONS, LOGICAL, below_selection
from .skipping import by_row_groups
from .time_limits import fit_together, in_unit_of, unit_of

UFUNCS = {
    "add": "add", "sub": "subtract", "mul": "multiply", "truediv": "divide", "floordiv": "floor_divide", "mod": "remainder",
    "pow": "power", "and": "bitwise_and", "or": "bitwise_or", "xor": "bitwise_xor", "eq": "equal", "ne": "not_equal",
    "lt": "less", "le": "less_equal", "gt": "greater", "ge": "greater_equal",
}  # fmt: skip
_SYMBOLS = {"lt": "<", "le": "<=", "gt": ">", "ge": ">="}
_select = rows["where"]["ufunc"]
_bool, _int64, _float64 = np.dtype(bool), np.dtype(np.int64), np.dtype(np.float64)


def prepared(x: Any, op: str) -> Any:
    """A scalar operand as pandas prepares it: numbers as Python's, times as NumPy's in their own unit."""
    if (op in LOGICAL and isinstance(x, np.integer)) or is_offset(x):
        return x
    if isinstance(x, (bool, int, float, str)):
        return x if not isinstance(x, np.generic) else x.item()
    if isinstance(x, (ndarray, np.ndarray)) and x.ndim == 0:
        x = _core.to_numpy(x)[()] if type(x) is ndarray else x[()]
    if isinstance(x, np.bool_):
        return bool(x)
    if isinstance(x, np.integer) and not isinstance(x, np.timedelta64):
        return int(x)
    if isinstance(x, np.floating):
        return float(x)
    if x is seen.NaT or x is seen.NA or x is None:
        raise NotNative("a missing value as operand")
    if type(x) is datetime.datetime and x.tzinfo is None:
        return np.datetime64(x, "us")
    if type(x) is datetime.timedelta:
        return np.timedelta64(x, "us")
    if isinstance(x, (datetime.datetime, np.datetime64)):
        stamp = pandas.Timestamp(x)
        if stamp is seen.NaT:
            raise NotNative("a missing time as operand")
        if stamp.tz is not None:
            return stamp  # it only combines with timezone-aware timestamps
        return stamp.to_datetime64()
    if isinstance(x, (datetime.timedelta, np.timedelta64)):
        length = pandas.Timedelta(x)
        if length is seen.NaT:
            raise NotNative("a missing value as operand")
        return length.to_timedelta64()
    _refuse(x)


def _refuse(x: Any) -> NoReturn:
    raise NotNative(f"an operand of type {type(x).__name__}")


def prepared_for(c: AnyKind, x: Any, op: str) -> Any:
    """As `prepared`, for the values of a column: those in Arrow's memory take any scalar."""
    return x if c.is_arrows else prepared(x, op)


def is_offset(x: Any) -> bool:
    """Whether an object is one of pandas' offsets; a program that has one has imported their module."""
    module = sys.modules.get("pandas._libs.tslibs.offsets")
    return module is not None and isinstance(x, module.BaseOffset)


def are_arrows(x: Any) -> bool:
    """Whether an operand is a column whose values are Arrow's, which takes scalars of any type."""
    return isinstance(x, AnyKind) and x.is_arrows


def _moved(op: str, a: Any, b: Any) -> Column:
    """Timestamps later or earlier by an offset."""
    first = is_offset(a)
    offset = a if first else b
    if op not in ("add", "sub") or (first and op == "sub"):
        _refuse(offset)
    if isinstance(offset, pandas.offsets.Tick):
        length = pandas.Timedelta(offset).to_timedelta64()
        return compute(op, length, b) if first else compute(op, a, length)
    return (b if first else a).moved(-offset if op == "sub" else offset)


def _dtype_of(x: Any) -> np.dtype | None:
    """NumPy's type of an operand's values; None for Python's numbers, which adapt to the other type."""
    if isinstance(x, Column):
        return x.values.dtype
    return x.dtype if type(x) is ndarray or isinstance(x, np.generic) else None


def _kind(x: Any) -> str:
    if isinstance(x, AnyKind):
        return x.letter
    if isinstance(x, str):
        return "t"
    dtype = _dtype_of(x)
    if dtype is not None:
        return dtype.kind
    return "b" if isinstance(x, bool) else "i" if isinstance(x, int) else "f"


def _values(x: Any) -> Any:
    return x.values if isinstance(x, AnyKind) else x


def _is_masked(x: Any) -> bool:
    return isinstance(x, Column) and x.is_masked


def compute(op: str, a: Any, b: Any) -> Column:
    """The column of an operator on two columns, or on a column and a scalar, row by row.

    Raises
    ------
    NotNative
        When pandas has to compute it.
    """
    if is_offset(a) or is_offset(b):
        return _moved(op, a, b)
    if are_arrows(a) or are_arrows(b):
        return a.operated(op, b, False) if are_arrows(a) else b.operated(op, a, True)
    ka, kb = _kind(a), _kind(b)
    kinds = ka + kb
    found = by_row_groups(op, a, b, compute)
    if found is None:
        found = below_selection(op, a, b, compute)
    if found is not None:
        return found
    if "C" in kinds:
        return compared(op, a, b)
    if "Z" in kinds or "O" in kinds:
        left, right, zone = operands(op, a, b)
        made = compute(op, left, right)
        return made if zone is None else in_zone(made.values, zone)  # type: ignore[return-value]
    if "t" in kinds:
        return _text(op, a, b)
    if isinstance(a, pandas.Timestamp) or isinstance(b, pandas.Timestamp):
        raise NotNative("times with zones as operand")
    with np.errstate(all="ignore"):
        if "m" in kinds or "M" in kinds:
            if _is_masked(a) or _is_masked(b):
                raise NotNative("datetimes mixed with nullable values")
            values = _times(op, a, b, ka, kb)
            return Column(_core.Column.plain(values), values.dtype)
        if _is_masked(a) or _is_masked(b):
            return _with_na(op, a, b, ka, kb)
        values = _numbers(op, _values(a), _values(b), ka, kb)
    return Column(_core.Column.plain(values), values.dtype)


# ---- numbers


def _numbers(op: str, a: Any, b: Any, ka: str, kb: str, zero_rule: bool = True) -> ndarray:
    if op in LOGICAL:
        if not (ka == kb == "b" or (ka in "iu" and kb in "iu")):
            raise NotNative("logical operators on operands that are not two booleans or two integers")
        return by_name[UFUNCS[op]](a, b)
    if op in COMPARISONS:
        return by_name[UFUNCS[op]](a, b)
    if ka == kb == "b":
        if op in ("truediv", "floordiv", "pow"):
            raise NotImplementedError(f"operator '{op}' not implemented for bool dtypes")
        if op == "mod":
            raise NotNative("the remainder of booleans")
    if op in ("floordiv", "mod", "pow") and "b" in (ka, kb):
        raise NotNative("division and powers of booleans")
    if op == "pow" and ka in "iu" and kb in "iu":
        _within(a, b)
        _within(b, a)
    # the operator follows NumPy for powers of 0.5 and 2, and the universal function does not
    if op == "pow" and type(b) is ndarray and b.ndim == 0 and ka == kb == "f":
        a, b = a.astype(np.result_type(a.dtype, b.dtype), copy=False), float(b)
    values = a**b if op == "pow" and type(a) is ndarray else by_name[UFUNCS[op]](a, b)
    if zero_rule and op in ("floordiv", "mod"):
        return _division_by_zero(op, a, b, ka, kb, values)
    return values


def _within(x: Any, alongside: Any) -> None:
    """OverflowError for a Python integer that the other operand's type does not hold."""
    dtype = getattr(alongside, "dtype", None)
    if isinstance(x, int) and dtype is not None and not np.iinfo(dtype).min <= x <= np.iinfo(dtype).max:
        raise OverflowError(f"Python integer {x} out of bounds for {dtype}")


def _division_by_zero(op: str, a: Any, b: Any, ka: str, kb: str, values: ndarray) -> ndarray:
    """Infinities and NaN where integers are divided by zero; the type is float64 only then."""
    if values.dtype == _float64 or (op == "mod" and (values.dtype.kind == "f" or kb not in "iu")):
        return values
    if type(b) is not ndarray and b != 0:
        return values
    zero = b == 0
    found = (zero & (a == a)) if ka == "f" else zero
    if not (bool(found.any()) if type(found) is ndarray else found) or (op == "floordiv" and len(values) == 0):
        return values
    instead = np.nan if op == "mod" else by_name["divide"](a, b)
    return _select(zero, instead, values.astype(_float64)).astype(_float64, copy=False)


# ---- numbers that may be NA


def _valid(x: Any) -> ndarray | None:
    return x.core.valid if isinstance(x, AnyKind) else None


def _both(a: ndarray | None, b: ndarray | None) -> ndarray | None:
    return b if a is None else a if b is None else a & b


def _with_na(op: str, a: Any, b: Any, ka: str, kb: str) -> Column:
    if any(x.is_plain("f") if isinstance(x, AnyKind) else isinstance(x, float) and x != x for x in (a, b)):
        raise NotNative("NaN mixed with NA")
    va, vb = _valid(a), _valid(b)
    valid = _both(va, vb)
    if op in LOGICAL and ka == kb == "b" and valid is not None:
        return _kleene(op, _values(a), _values(b), va, vb, valid)
    if op == "pow" and valid is not None:
        raise NotNative("powers of values with NA")
    if op in ("truediv", "floordiv", "mod", "pow") and "b" in (ka, kb):
        raise NotNative("booleans in divisions and powers")
    zero_rule, divisor = not (_is_masked(a) and ka in "iu"), _values(b)
    if zero_rule and vb is not None and op in ("floordiv", "mod") and kb in "iu":
        divisor = rows["where"]["ufunc"](vb, divisor, divisor.dtype.type(1))  # a missing divisor is not zero
    values = _numbers(op, _values(a), divisor, ka, kb, zero_rule=zero_rule)
    if values.dtype.kind == "f" and op not in COMPARISONS:
        # NaN as a result of a computation counts as NA
        number = values == values
        valid = number if valid is None else valid & number
    return Column(_core.Column.plain(values, valid), masked_dtype(values.dtype))


def _kleene(op: str, a: Any, b: Any, va: ndarray | None, vb: ndarray | None, valid: ndarray) -> Column:
    if op == "xor":
        return Column(_core.Column.plain(a ^ b, valid), pandas.BooleanDtype())
    yes_a, yes_b = (a if va is None else va & a), (b if vb is None else vb & b)
    if op == "and":
        # a false operand decides, whatever the other is
        not_a, not_b = _no(a, va), _no(b, vb)
        return Column(_core.Column.plain(yes_a & yes_b, valid | not_a | not_b), pandas.BooleanDtype())
    return Column(_core.Column.plain(yes_a | yes_b, valid | yes_a | yes_b), pandas.BooleanDtype())


def _no(x: Any, valid: ndarray | None) -> Any:
    no = (not x) if isinstance(x, bool) else ~x
    return no if valid is None else no & valid


# ---- times


def _times(op: str, a: Any, b: Any, ka: str, kb: str) -> ndarray:
    x, y = _values(a), _values(b)
    kinds = ka + kb
    allowed = {
        "MM": ("sub", *COMPARISONS),
        "Mm": ("add", "sub"),
        "mM": ("add",),
        "mm": ("add", "sub", "truediv", "floordiv", "mod", *COMPARISONS),
    }
    if kinds in allowed:
        if op not in allowed[kinds]:
            raise NotNative("operators that datetimes do not support")
        added = op in ("add", "sub")
        if op in COMPARISONS and ka == kb:
            if type(x) is ndarray and isinstance(y, np.generic):
                y = in_unit_of(x, y)
            elif type(y) is ndarray and isinstance(x, np.generic):
                x = in_unit_of(y, x)
        if (added or unit_of(x) != unit_of(y)) and not fit_together(x, y, added):
            raise NotNative("datetimes at the limits of their unit")
        if op in ("floordiv", "mod"):
            if _may_lack(a) or _may_lack(b) or not _nonzero(y):
                raise NotNative("division of missing lengths of time, or by zero")
    elif ka == "m" and kb in "iuf":
        if op not in ("mul", "truediv", "floordiv"):
            raise NotNative("operators that datetimes do not support")
        if op != "mul" and not _nonzero(y):
            raise NotNative("lengths of time divided by zero")
    elif not (kb == "m" and ka in "iuf" and op == "mul"):
        raise NotNative("operators that datetimes do not support")
    if op == "mul" and not _greatest(a) * _greatest(b) < 2.0**63:
        raise NotNative("products of lengths of time that are too long, or of infinities")
    return by_name[UFUNCS[op]](x, y)


def _may_lack(x: Any) -> bool:
    return isinstance(x, AnyKind) and x.has_missing()


def _greatest(x: Any) -> float:
    """The largest absolute value of an operand; undefined for missing values."""
    if not isinstance(x, AnyKind):
        return abs(float(x.astype(np.int64) if isinstance(x, np.timedelta64) else x))
    if len(x) == 0:
        return 0.0
    found = by_name["absolute"](x.as_numbers())
    return float((found if x.times() is None else _select(x.missing(), 0, found)).max())


def _nonzero(x: Any) -> bool:
    if isinstance(x, np.timedelta64):
        return x.astype(np.int64) != 0
    if type(x) is ndarray:
        return not bool((x == np.zeros(1, x.dtype)[0]).any())  # of the same unit: one without is deprecated
    return x != 0


# ---- text


def _text(op: str, a: Any, b: Any) -> Column:
    if isinstance(a, str):
        if op in COMPARISONS:
            swapped = {"lt": "gt", "gt": "lt", "le": "ge", "ge": "le"}
            return _text(swapped.get(op, op), b, a)
        if op == "add" and b.is_text:
            return _joined(a, b, b)
        raise NotNative("arithmetic on strings")
    if not isinstance(a, AnyKind):
        raise NotNative("strings mixed with other values")
    if not a.is_text:
        return _alongside_text(op, a, b)
    if not isinstance(b, str) and getattr(b, "dtype", None) != a.dtype:
        raise NotNative("strings mixed with other values, or with others that are missing")
    if op == "add":
        return _joined(a, b, a)
    if op not in COMPARISONS:
        raise NotNative("arithmetic on strings")
    if a.is_masked:
        raise NotNative("comparisons of strings with NA, whose result is Arrow's boolean")
    other = text_of([b], a.dtype, a.device).core if isinstance(b, str) else b.core
    values = a.core.compare(other, op)
    return Column(_core.Column.plain(values), values.dtype)


def _alongside_text(op: str, a: Column, b: Any) -> Column:
    """Compare a column of other values with strings."""
    a.plain_values("biufmM" if isinstance(b, str) and op in COMPARISONS else "", "strings mixed with other values")
    time = a.parsed(b)
    if time is not b:
        return compute(op, a, time if isinstance(time, np.generic) else prepared(time, op))
    if op in _SYMBOLS:
        raise TypeError(f"Invalid comparison between dtype={a.dtype} and str")
    values = _core.full((len(a),), op == "ne", _bool, a.device)
    return Column(_core.Column.plain(values), _bool)


def _joined(a: Any, b: Any, like: Column) -> Column:
    numbered = _joined_once(a, b, like)
    if numbered is not None:
        return numbered
    if like.device.startswith("cuda"):
        strings = [text_of([x], like.dtype, like.device).core if isinstance(x, str) else x.core for x in (a, b)]
        return Column(_core.assemble_text([(t, None, None) for t in strings], len(like)), like.dtype)
    parts = [arrow_bits.scalar(x, pyarrow.large_string()) if isinstance(x, str) else x.to_arrow() for x in (a, b)]
    return text_from_arrow(_put_together(*parts), like.dtype)


def _put_together(a: Any, b: Any) -> Any:
    return pyarrow.compute.binary_join_element_wise(a, b, arrow_bits.scalar("", pyarrow.large_string()))


_MOST_PAIRS = 1 << 16  # strings that are concatenated in advance


def _joined_once(a: Any, b: Any, like: Column) -> Column | None:
    """The same for every pair of distinct strings, by their codes; None where there are too many pairs."""
    worth = len(like) >= 1000 or like.device.startswith("cuda")
    cores = [None if isinstance(x, str) else x.core.encoded() for x in (a, b)] if worth else [None, None]
    if any(core is None and not isinstance(x, str) for core, x in zip(cores, (a, b))):
        return None
    counts = [1 if core is None else len(core.dictionary) for core in cores]
    pairs = counts[0] * counts[1]
    if not 0 < pairs <= min(_MOST_PAIRS, len(like) // 4):
        return None
    rows_of = (np.repeat(np.arange(counts[0]), counts[1]), np.tile(np.arange(counts[1]), counts[0]))
    strings = [
        arrow_bits.scalar(x, pyarrow.large_string()) if core is None else Column(core.dictionary, x.dtype).to_arrow().take(arrow_bits.numbers(r))
        for x, core, r in zip((a, b), cores, rows_of)
    ]  # fmt: skip
    codes, missing = [], []
    for core, times in zip(cores, (counts[1], 1)):
        if core is not None:
            codes.append(core.values * times)
            missing.append(core.values < 0)
    code, null = (codes[0] + codes[1], missing[0] | missing[1]) if len(codes) == 2 else (codes[0], missing[0])
    numbers = _core.astype(_select(null, -1, code), np.dtype(np.int32), False, "K")
    made = text_from_arrow(_put_together(*strings), device=like.device)
    return Column(_core.Column.recoded(numbers, made.core), like.dtype)
