"""Dates and durations that 64 bits do not hold: NumPy raises of them since 2.5, and before it took the last 64 bits.

What may overflow is seen from the least and the greatest operand, which costs a pass; only then are elements looked at. On a
device's own memory, of which the host knows nothing without waiting, nothing is raised.
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

_LIMIT = 2**63 - 1  # on either side: the number below it is NaT
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
    """Between what the results lie."""
    if name == "add":
        return x[0] + y[0], x[1] + y[1]
    if name == "subtract":
        return x[0] - y[1], x[1] - y[0]
    corners = [a * b for a in x for b in y]
    return min(corners), max(corners)


def _overflows(name: str, x: ndarray, y: ndarray) -> ndarray:
    """Where the results do not fit, or are what stands for NaT."""
    a, b = _counts(x), _counts(y)
    r = _COMPUTE[name](a, b)
    if name == "multiply":
        with np.errstate(all="ignore"):
            lost = (b != 0) & (r // (b + (b == 0)) != a)
    else:
        lost = ((a ^ r) & ((b if name == "add" else ~b) ^ r)) < 0
    return (lost | (r == _NAT)) & ~(_missing(x) | _missing(y))


def check_operands(name: str, x: ndarray, y: ndarray, where: Any = True) -> None:
    """Refuse a sum, a difference or a product with an integer that does not fit."""
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


def check_scaling(counts: ndarray, up: int, down: int, holes: Any) -> None:
    """Refuse dates and durations whose count in another unit, count * up / down, does not fit on the way there."""
    if not _looked_at(counts):
        return
    least, most = -((_LIMIT - down + 1) // up), _LIMIT // up
    found = extent(counts.view(np.dtype("m8[s]")))  # the unit does not matter
    if found is None or least <= found[0] and found[1] <= most:
        return
    if bool((((counts < least) | (counts > most)) & ~holes).any()):
        raise OverflowError("Overflow when converting between datetime64 units")


def check_sum(name: str, x: ndarray, axes: Any = None, initial: Any = None, where: Any = True) -> None:
    """Refuse a sum of durations, or what is left of the first after the others, one of whose steps does not fit."""
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
    """Refuse running sums or differences of durations that do not fit."""
    if may_overflow(x, x.shape[axis]):
        order = (*(k for k in range(x.ndim) if k != axis % x.ndim), axis % x.ndim)
        _check_steps(name, x, _counts(x).transpose(order), _missing(x).transpose(order), 0, True)


def may_overflow(x: ndarray, n: int) -> bool:
    """Whether `n` durations may have a sum that does not fit."""
    if x.dtype.kind != "m" or not _looked_at(x):
        return False
    found = extent(x)
    return found is not None and n * _greatest(found) > _LIMIT


def _greatest(found: tuple[int, int]) -> int:
    return max(-found[0], found[1], 0)


def _check_steps(name: str, x: ndarray, counts: ndarray, nat: ndarray, start: int, begins: bool) -> None:
    """Refuse counts whose running sums along the last axis do not fit, as far as the first NaT; of differences, `begins`
    says whether the first is what the others are taken from.
    """
    counts = counts * ~nat
    whole, rest = counts >> 32, counts & 0xFFFFFFFF  # sums of either half fit
    if name == "subtract":
        others = _core.arange(0, 1, counts.shape[-1], np.dtype(np.int64), counts.device) >= int(begins)
        whole, rest = (v - 2 * v * others for v in (whole, rest))
    rest = rest.cumsum(-1) + (start & 0xFFFFFFFF)
    whole = whole.cumsum(-1) + (start >> 32) + (rest >> 32)
    lost = (whole < -(2**31)) | (whole >= 2**31) | ((whole == -(2**31)) & ((rest & 0xFFFFFFFF) == 0))
    if bool((lost & (nat.cumsum(-1) == 0)).any()):
        _refuse(name, x, x)
