"""Numbers at equal ratios, and lines between the elements of arrays."""

from __future__ import annotations

from typing import Any

import numpy as np

from .. import _core
from .._array.conversion import as_array, as_value, is_array, ndarray
from .._array.ufuncs import by_name
from ..documentation import attach, creating
from .creation import arange, linspace
from .manipulation import expand_dims, moveaxis


def logspace(
    start: Any, stop: Any, num: int = 50, endpoint: bool = True, base: Any = 10.0, dtype: Any = None, axis: int = 0
) -> ndarray:
    """Powers of a base at equal distances of the exponent."""
    if not isinstance(base, (int, float)) and (b := as_array(base)).ndim:
        given = as_array(start, b), as_array(stop, b), b  # a base of several says with the ends what `axis` counts
        n = len(np.broadcast_shapes(*(a.shape for a in given)))
        start, stop, b = (_core.reshape(a, (1,) * (n - a.ndim) + a.shape) for a in given)
        base = expand_dims(b, axis)
    y = by_name["power"](base, linspace(start, stop, num, endpoint, axis=axis))
    return y if dtype is None else y.astype(dtype, copy=False)


def geomspace(start: Any, stop: Any, num: int = 50, endpoint: bool = True, dtype: Any = None, axis: int = 0) -> ndarray:
    """Numbers of equal ratios over an interval; of complex ones on a spiral."""
    first, last = as_array(start, stop), as_array(stop, start)
    if bool((first == 0).any()) or bool((last == 0).any()):
        raise ValueError("Geometric sequence cannot include zero")
    kind = np.result_type(*(x.dtype if is_array(x) else np.asarray(x) for x in (start, stop)), float(num),
                          np.zeros((), dtype))  # fmt: skip
    first, last = first.astype(kind), last.astype(kind)
    turn, log = by_name["sign"](first), by_name["log10"]  # on the positive side nothing is left of rounding
    ends = first / turn, last / turn
    r = logspace(log(ends[0]), log(ends[1]), num, endpoint, 10.0, kind).copy()
    if num > 0:
        r[0] = ends[0]
        if num > 1 and endpoint:
            r[-1] = ends[1]
    r = r * turn
    if axis:
        axes = list(range(1, r.ndim))
        axes.insert(np.lib.array_utils.normalize_axis_index(axis, r.ndim), 0)
        r = _core.transpose(r, axes)
    return r.astype(kind if dtype is None else dtype, copy=False)


def lines_between(
    start: Any, stop: Any, num: int, endpoint: bool, dtype: Any, axis: int, device: str | None
) -> tuple[Any, Any]:
    """`linspace` between the elements of two arrays, and the steps."""
    weak = lambda v: v if type(v) in (int, float, complex) else v.dtype if hasattr(v, "dtype") else np.asarray(v).dtype
    work = np.result_type(weak(start), weak(stop), 1.0)
    like = next((v for v in (start, stop) if is_array(v)), None)
    first, last = (as_array(v if is_array(v) else np.asarray(v), like) for v in (start, stop))
    span = as_array(by_name["subtract"](last, first, dtype=work), first)
    parts = num - 1 if endpoint else num
    y = arange(0, num, dtype=work, device=span.device).reshape((num,) + (1,) * span.ndim)
    step: Any = np.nan
    if parts <= 0:
        y = y * span
    elif bool((step := span / parts).all()):
        y = y * step
    else:  # a step that is too small a number, or none
        y = y / parts * span
    y = (y + first).astype(work, copy=False)
    if endpoint and num > 1:
        y[-1, ...] = last
    wanted = work if dtype is None else np.dtype(dtype)
    if wanted.kind in "iu":
        y = by_name["floor"](y)
    y = y.astype(wanted, copy=False)
    y = moveaxis(y, 0, axis) if axis else y
    y = y if device is None or y.device == device else _core.to_device(y, device, False)
    return y, as_value(step) if type(step) is ndarray else step


attach(__name__, creating.SPACINGS)
