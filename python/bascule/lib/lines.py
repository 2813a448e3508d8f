"""Evenly spaced values between the elements of two arrays."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from .. import _core
from .._array.conversion import as_array, as_value, is_array, ndarray
from .._array.late_warnings import is_apart
from .._array.ufuncs import by_name, rows
from .manipulation import moveaxis


def lines_between(
    arange: Callable[..., ndarray],
    start: Any,
    stop: Any,
    num: int,
    endpoint: bool,
    dtype: Any,
    axis: int,
    device: str | None,
) -> tuple[Any, Any]:
    """`linspace` between the elements of two arrays; returns also the steps."""
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
    elif is_apart(span):  # compute both forms rather than wait; report errors of the first
        factors, small = (step := span / parts).all(), y
        y = y * step
        with np.errstate(all="ignore"):
            y = rows["where"]["ufunc"](factors, y, small / parts * span)
    elif bool((step := span / parts).all()):
        y = y * step
    else:  # a step that underflows or is zero
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
