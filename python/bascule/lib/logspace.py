"""Numbers at equal ratios, and lines between the elements of arrays."""

from __future__ import annotations

from typing import Any

import numpy as np

from .. import _core
from .._array.conversion import as_array, is_array, ndarray
from .._array.ufuncs import by_name
from ..documentation import attach, creating
from .creation import linspace
from .manipulation import expand_dims


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


attach(__name__, creating.SPACINGS)
