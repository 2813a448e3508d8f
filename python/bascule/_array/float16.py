"""The neighbours of float16 numbers: the loops of the op table compute in float32 and would skip them."""

from __future__ import annotations

from typing import Any

import numpy as np

from .conversion import as_arrays, ndarray
from .late_warnings import report_fp_errors_where
from .ufuncs import by_name, rows

_select = rows["where"]["ufunc"]


def _ordered(x: ndarray) -> ndarray:
    """Integers in the same order as the numbers; both zeros are equal."""
    bits = x.view(np.int16)
    return _select(bits < 0, -(bits & 0x7FFF), bits)


def _towards(x: ndarray, to: ndarray) -> ndarray:
    at = _ordered(x)
    step = by_name["sign"](_ordered(to) - at.astype(np.int32))
    at_next = (at + step).astype(np.int16)
    negative = (at_next < 0) | ((at_next == 0) & (at < 0))
    bits = _select(negative, -at_next | np.int16(-0x8000), at_next)
    r = _select(step == 0, x, bits.view(np.float16))
    unknown = by_name["isnan"](x) | by_name["isnan"](to)
    return _select(unknown, np.float16(np.nan), r)


def _report_fp_errors(name: str, x: ndarray, r: ndarray) -> None:
    if np.geterr()["over"] == np.geterr()["invalid"] == "ignore":
        return
    finite = by_name["isfinite"](x)
    report_fp_errors_where(
        by_name[name]._number, over=finite & by_name["isinf"](r), invalid=~finite if name == "spacing" else None
    )


def neighbours(name: str, operands: tuple[Any, ...]) -> ndarray:
    """nextafter or spacing of operands for which NumPy chooses the float16 loop."""
    x, *to = (v.astype(np.float16, copy=False) for v in as_arrays(*operands))
    with np.errstate(all="ignore"):
        # Only NumPy's float16 loop measures the step upwards whatever the sign.
        r = _towards(x, to[0]) if to else _towards(x, x * np.float16(0) + np.float16(np.inf)) - x
    _report_fp_errors(name, x, r)
    return r
