"""Dates and durations that overflow 64 bits: NumPy raises since 2.5, and wrapped around before.

The least and the greatest operand show whether a result may overflow, which costs one pass; only then are elements
checked. For a device's own memory, which the host cannot read without waiting, nothing is raised.
"""

from __future__ import annotations

import math
import operator
from typing import Any

import numpy as np

from .. import _core
from .conversion import as_array, ndarray
from .late_warnings import is_apart
from .numpy_versions import since

RAISES = since("times that overflow raise")
_core.set_times_that_overflow_raise(RAISES)

_LIMIT = 2**63 - 1  # of either sign: -2**63 is NaT
_NAT = -(2**63)
_NAMES = {"M": "datetime64", "m": "timedelta64", "i": "int64", "u": "int64", "b": "int64"}
_COMPUTE = {"add": operator.add, "subtract": operator.sub, "multiply": operator.mul}
_SIGNS = {"add": ("+", "addition"), "subtract": ("-", "subtraction"), "multiply": ("*", "multiplication")}


def _looked_at(*operands: Any) -> bool:
    return RAISES and not any(is_apart(x) for x in operands)


def _refuse(name: str, x: Any, y: Any) -> None:
    sign, word = _SIGNS[name]
    raise OverflowError(f"Overflow in {_NAMES[x.dtype.kind]} {sign} {_NAMES[y.dtype.kind]} {word}")


def _counts(x: ndarray) -> ndarray:
    """Dates, durations or numbers as int64."""
    bits = x.view(np.dtype(np.int64)) if x.dtype.kind in "mM" else x.astype(np.int64, copy=False)
    return as_array(bits, x)


def _missing(x: ndarray) -> Any:
    return _counts(x) == _NAT if x.dtype.kind in "mM" else False


def extent(x: ndarray) -> tuple[int, int] | None:
    """The least and the greatest count among dates, durations or integers; None where there is no value."""
    if not x.size:
        return None
    counts = _counts(x)
    low, high = int(counts.min()), int(counts.max())
    if x.dtype.kind not in "mM" or low != _NAT:
        return low, high
    if high == _NAT:
        return None
    nat = counts == _NAT
    return int((counts * ~nat + nat * high).min()), high


def _bounds(name: str, x: tuple[int, int], y: tuple[int, int]) -> tuple[int, int]:
    """Bounds of the results."""
    if name == "add":
        return x[0] + y[0], x[1] + y[1]
    if name == "subtract":
        return x[0] - y[1], x[1] - y[0]
    corners = [a * b for a in x for b in y]
    return min(corners), max(corners)


def _overflows(name: str, x: ndarray, y: ndarray) -> ndarray:
    """Where the results do not fit, or equal the value that stands for NaT."""
    a, b = _counts(x), _counts(y)
    r = _COMPUTE[name](a, b)
    if name == "multiply":
        with np.errstate(all="ignore"):
            lost = (b != 0) & (r // (b + (b == 0)) != a)
    else:
        lost = ((a ^ r) & ((b if name == "add" else ~b) ^ r)) < 0
    return (lost | (r == _NAT)) & ~(_missing(x) | _missing(y))


def check_operands(name: str, x: ndarray, y: ndarray, where: Any = True) -> None:
    """Refuse a sum, a difference or a product with an integer that overflows."""
    if not _looked_at(x, y):
        return
    first, second = extent(x), extent(y)
    if first is None or second is None:
        return
    low, high = _bounds(name, first, second)
    if -_LIMIT <= low and high <= _LIMIT:
        return
    if bool((_overflows(name, x, y) & where).any()):
        _refuse(name, x, y)


def check_scaling(counts: ndarray, up: int, down: int, nulls: Any) -> None:
    """Refuse dates and durations whose count in another unit, count * up / down, overflows on the way."""
    if not _looked_at(counts):
        return
    least, most = -((_LIMIT - down + 1) // up), _LIMIT // up
    found = extent(counts.view(np.dtype("m8[s]")))  # any unit will do
    if found is None or least <= found[0] and found[1] <= most:
        return
    if bool((((counts < least) | (counts > most)) & ~nulls).any()):
        raise OverflowError("Overflow when converting between datetime64 units")


def check_sum(name: str, x: ndarray, axes: Any = None, initial: Any = None, where: Any = True) -> None:
    """Refuse a sum of durations, or a difference of several, if a partial result overflows."""
    if x.dtype.kind != "m" or not _looked_at(x):
        return
    start = 0 if initial is None else int(np.asarray(initial).astype(x.dtype).astype(np.int64))
    along = (
        range(x.ndim)
        if axes is None or not x.ndim
        else [k % x.ndim for k in (axes if isinstance(axes, tuple) else (axes,))]
    )
    n = math.prod(x.shape[k] for k in along)
    found = extent(x)
    if found is None or start == _NAT or n * _greatest(found) + abs(start) <= _LIMIT:
        return
    counts, nat = _counts(x), _missing(x)
    if where is not True:
        where = as_array(where, x)
        counts, nat = counts * where, nat & where
    kept = [k for k in range(x.ndim) if k not in along]
    order, shape = (*kept, *sorted(along)), (*(x.shape[k] for k in kept), n)
    counts, nat = (_core.reshape(v.transpose(order), shape) for v in (counts, nat))
    _check_steps(name, x, counts, nat, start, initial is None)


def check_running_sum(name: str, x: ndarray, axis: int) -> None:
    """Refuse running sums or differences of durations that overflow."""
    if may_overflow(x, x.shape[axis]):
        order = (*(k for k in range(x.ndim) if k != axis % x.ndim), axis % x.ndim)
        _check_steps(name, x, _counts(x).transpose(order), _missing(x).transpose(order), 0, True)


def may_overflow(x: ndarray, n: int) -> bool:
    """Whether the sum of `n` durations may overflow."""
    if x.dtype.kind != "m" or not _looked_at(x):
        return False
    found = extent(x)
    return found is not None and n * _greatest(found) > _LIMIT


def _greatest(found: tuple[int, int]) -> int:
    return max(-found[0], found[1], 0)


def _check_steps(name: str, x: ndarray, counts: ndarray, nat: ndarray, start: int, begins: bool) -> None:
    """Refuse counts whose running sums along the last axis overflow before the first NaT; `begins` says whether the
    first count is the one that the others are subtracted from.
    """
    counts = counts * ~nat
    whole, rest = counts >> 32, counts & 0xFFFFFFFF  # sums of either half do not overflow
    if name == "subtract":
        others = _core.arange(0, 1, counts.shape[-1], np.dtype(np.int64), counts.device) >= int(begins)
        whole, rest = (v - 2 * v * others for v in (whole, rest))
    rest = rest.cumsum(-1) + (start & 0xFFFFFFFF)
    whole = whole.cumsum(-1) + (start >> 32) + (rest >> 32)
    lost = (whole < -(2**31)) | (whole >= 2**31) | ((whole == -(2**31)) & ((rest & 0xFFFFFFFF) == 0))
    if bool((lost & (nat.cumsum(-1) == 0)).any()):
        _refuse(name, x, x)
