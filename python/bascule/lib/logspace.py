"""Geometric sequences, also between the elements of arrays."""

from __future__ import annotations

from typing import TYPE_CHECKING, SupportsIndex

import numpy as np

from .. import _core
from .._array.conversion import as_array, is_array, ndarray
from .._array.ufuncs import by_name
from .creation import linspace
from .manipulation import expand_dims

if TYPE_CHECKING:
    from numpy.typing import DTypeLike

    from .._array.types import _ArrayLike

__all__ = ["geomspace", "logspace"]


def logspace(
    start: _ArrayLike,
    stop: _ArrayLike,
    num: SupportsIndex = 50,
    endpoint: bool = True,
    base: _ArrayLike = 10.0,
    dtype: DTypeLike | None = None,
    axis: SupportsIndex = 0,
) -> ndarray:
    """Return numbers spaced evenly on a logarithmic scale.

    Parameters
    ----------
    start, stop : array_like
        Exponents of the ends, which broadcast against one another.
    num : int, optional
        Number of values.
    endpoint : bool, optional
        Whether `stop` is the exponent of the last value; otherwise the interval ends before it.
    base : array_like, optional
        Base of the powers.
    dtype : dtype, optional
        dtype of the result; by default floating point, from the types of the ends.
    axis : int, optional
        Axis of the values if the ends are arrays.

    Returns
    -------
    ndarray, shape (num,), or (num, ...) for arrays as ends

    Raises
    ------
    ValueError
        `num` is negative.

    Examples
    --------
    >>> import bascule as bc
    >>> bc.logspace(0, 3, 4).tolist()
    [1.0, 10.0, 100.0, 1000.0]
    """
    if not isinstance(base, (int, float)) and (b := as_array(base)).ndim:
        given = as_array(start, b), as_array(stop, b), b  # `axis` counts axes of the broadcast ends and bases
        n = len(np.broadcast_shapes(*(a.shape for a in given)))
        start, stop, b = (_core.reshape(a, (1,) * (n - a.ndim) + a.shape) for a in given)
        base = expand_dims(b, axis)
    y = by_name["power"](base, linspace(start, stop, num, endpoint, axis=axis))
    return y if dtype is None else y.astype(dtype, copy=False)


def geomspace(
    start: _ArrayLike,
    stop: _ArrayLike,
    num: SupportsIndex = 50,
    endpoint: bool = True,
    dtype: DTypeLike | None = None,
    axis: SupportsIndex = 0,
) -> ndarray:
    """Return numbers of a geometric progression over an interval.

    Parameters
    ----------
    start, stop : array_like
        The ends, which broadcast against one another.
    num : int, optional
        Number of values.
    endpoint : bool, optional
        Whether `stop` is the last value; otherwise the interval ends before it.
    dtype : dtype, optional
        dtype of the result; by default floating point, from the types of the ends.
    axis : int, optional
        Axis of the values if the ends are arrays.

    Returns
    -------
    ndarray, shape (num,), or (num, ...) for arrays as ends
        The ends are exact.

    Raises
    ------
    ValueError
        An end is zero, or `num` is negative.

    Examples
    --------
    >>> import bascule as bc
    >>> bc.geomspace(1, 8, 4).round(12).tolist()
    [1.0, 2.0, 4.0, 8.0]
    """
    first, last = as_array(start, stop), as_array(stop, start)
    if bool((first == 0).any()) or bool((last == 0).any()):
        raise ValueError("Geometric sequence cannot include zero")
    kind = np.result_type(*(x.dtype if is_array(x) else np.asarray(x) for x in (start, stop)), float(num),
                          np.zeros((), dtype))  # fmt: skip
    first, last = first.astype(kind), last.astype(kind)
    turn, log = by_name["sign"](first), by_name["log10"]  # dividing by the sign keeps the ends exact
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
