"""pad: an array extended at its edges, by a mode."""

from __future__ import annotations

import builtins
import operator
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np

from .. import _core
from .._array.conversion import as_array, is_array, ndarray, to_numpy
from .arithmetic import round as rounded
from .creation import empty, linspace, zeros
from .quantiles import median
from .reductions import max, mean, min

if TYPE_CHECKING:
    from collections.abc import Mapping

    from .._array.types import _ArrayLike, _Pad

__all__ = ["pad"]


_ALLOWED = {
    "constant": ("constant_values",),
    "edge": (),
    "empty": (),
    "linear_ramp": ("end_values",),
    "maximum": ("stat_length",),
    "mean": ("stat_length",),
    "median": ("stat_length",),
    "minimum": ("stat_length",),
    "reflect": ("reflect_type",),
    "symmetric": ("reflect_type",),
    "wrap": (),
}
_STATISTICS: dict[str, Callable] = {"maximum": max, "mean": mean, "median": median, "minimum": min}


def _pairs(x: Any, ndim: int, as_index: bool = False) -> list[tuple[Any, Any]]:
    """One pair of values per axis, from a value, a pair, or pairs that broadcast to (ndim, 2)."""
    if x is None:
        return [(None, None)] * ndim
    x = to_numpy(x) if is_array(x) else np.array(x)
    if as_index:
        x = np.round(x).astype(np.intp, copy=False)
        if x.size and x.min() < 0:
            raise ValueError("index can't contain negative values")
    if x.ndim < 3 and x.size == 1:
        return [(x.ravel()[0],) * 2] * ndim
    if x.ndim < 3 and x.size == 2 and x.shape != (2, 1):
        return [tuple(x.ravel())] * ndim
    return [tuple(p) for p in np.broadcast_to(x, (ndim, 2)).tolist()]


def _widths(pad_width: Any, ndim: int) -> list[tuple[int, int]]:
    if type(pad_width) is int and 0 <= pad_width < 2**62:
        return [(pad_width, pad_width)] * ndim
    if isinstance(pad_width, dict):
        given: list[Any] = [(0, 0)] * ndim
        for axis, width in pad_width.items():
            match width:
                case int(_):
                    given[axis] = (width, width)
                case (int(_), int(_)):
                    given[axis] = width
                case _:
                    raise TypeError(f"Each value of the dict must be of type `(int, int)`, not {width!r}")
        pad_width = given
    kind = to_numpy(pad_width) if is_array(pad_width) else np.asarray(pad_width)
    if kind.dtype.kind != "i":
        raise TypeError("`pad_width` must be of integral type.")
    return [(operator.index(a), operator.index(b)) for a, b in _pairs(kind, ndim, as_index=True)]


def _is_zero(x: Any) -> bool:
    return type(x) is int and x == 0


def _check(mode: str, given: dict[str, Any]) -> None:
    if mode not in _ALLOWED:
        raise ValueError(f"mode '{mode}' is not supported")
    unknown = set(given) - set(_ALLOWED[mode])
    if unknown:
        raise ValueError(f"unsupported keyword arguments for mode '{mode}': {unknown}")


class _Frame:
    """The padded array along one axis: the position of the inner part, and slices of it."""

    def __init__(self, wide: ndarray, axis: int, before: int, after: int) -> None:
        self.wide, self.before, self.after = wide, before, after
        self.lead = (slice(None),) * axis
        self.axis, self.n = axis, wide.shape[axis] - before - after

    def part(self, start: int, stop: int) -> ndarray:
        """The slice from start to stop, counted from the first inner element."""
        return self.wide[(*self.lead, slice(self.before + start, self.before + stop))]

    def write(self, start: int, stop: int, value: Any) -> None:
        if stop > start:
            self.wide[(*self.lead, slice(self.before + start, self.before + stop))] = value

    def take(self, at: np.ndarray) -> ndarray:
        return self.part(0, self.n)[(*self.lead, at)]


def _fill_constant(f: _Frame, values: tuple[Any, Any]) -> None:
    f.write(-f.before, 0, values[0])
    f.write(f.n, f.n + f.after, values[1])


def _fill_edge(f: _Frame) -> None:
    f.write(-f.before, 0, f.part(0, 1))
    f.write(f.n, f.n + f.after, f.part(f.n - 1, f.n))


def _fill_ramp(f: _Frame, ends: tuple[Any, Any]) -> None:
    edges = (f.part(0, 1), f.part(f.n - 1, f.n))
    for end, edge, width, left in zip(ends, edges, (f.before, f.after), (True, False)):
        if width:
            edge = edge[(*f.lead, 0)]
            ramp = linspace(end, edge, width, False, dtype=f.wide.dtype, axis=f.axis, device=f.wide.device)
            start = -f.before if left else f.n
            f.write(start, start + width, ramp if left else ramp[(*f.lead, slice(None, None, -1))])


def _fill_statistic(f: _Frame, mode: str, lengths: tuple[Any, Any]) -> None:
    lengths = tuple(f.n if k is None or f.n < k else int(k) for k in lengths)
    if 0 in lengths and mode in ("maximum", "minimum"):
        raise ValueError("stat_length of 0 yields no value for padding")
    if f.before == f.after == 0:
        return
    parts = ((-f.before, 0, f.part(0, lengths[0])), (f.n, f.n + f.after, f.part(f.n - lengths[1], f.n)))
    for start, stop, near in parts:
        value = _STATISTICS[mode](near, axis=f.axis, keepdims=True)
        if f.wide.dtype.kind in "iu" and value.dtype.kind not in "iu":
            value = rounded(value)
        f.write(start, stop, value)


def _mirrored(at: np.ndarray, n: int, mode: str) -> np.ndarray:
    """The inner indices whose elements are copied to positions outside."""
    if mode == "wrap":
        return at % n
    if mode == "symmetric":
        m = at % (2 * n)
        return np.where(m < n, m, 2 * n - 1 - m)
    if n == 1:
        return np.zeros_like(at)
    m = at % (2 * (n - 1))
    return np.where(m < n, m, 2 * (n - 1) - m)


def _fill_mirrored(f: _Frame, mode: str) -> None:
    for start, stop in ((-f.before, 0), (f.n, f.n + f.after)):
        if stop > start:
            f.write(start, stop, f.take(_mirrored(np.arange(start, stop), f.n, mode)))


def _fill_odd(f: _Frame, mode: str) -> None:
    """Odd reflections at the edges: every second section repeats the array with an offset; those between are reversed."""
    period = f.n if mode == "symmetric" else f.n - 1
    if period == 0:
        _fill_edge(f)
        return
    first, last = f.part(0, 1), f.part(f.n - 1, f.n)
    twice: Callable = lambda x: x + x
    # Differences of unsigned integers wrap around, and so do their multiples.
    modulus: Callable = lambda k: f.wide.dtype.type(k % 2 ** (8 * f.wide.itemsize)) if f.wide.dtype.kind == "u" else k
    for start, stop in ((-f.before, 0), (f.n, f.n + f.after)):
        for begin in range(start // period, -(-stop // period)):
            low, high = builtins.max(start, begin * period), builtins.min(stop, (begin + 1) * period)
            if low >= high:
                continue
            near = f.take(_mirrored(np.arange(low, high), f.n, mode))
            if begin % 2:
                near = (twice(last) if begin > 0 else twice(first)) - near
            turns = begin // 2 if begin > 0 or begin % 2 == 0 else begin // 2 + 1
            f.write(low, high, near + twice(last - first) * modulus(turns) if turns else near)


def _fill_by_function(wide: ndarray, widths: list[tuple[int, int]], function: Callable, options: dict) -> None:
    """Call the function on every line along every axis in turn; it fills the ends of the line in place."""
    for axis, width in enumerate(widths):
        lines = _core.transpose(wide, [*(k for k in range(wide.ndim) if k != axis), axis])
        for at in np.ndindex(lines.shape[:-1]):
            line = lines[(*at, ...)]
            filled = function(line, width, axis, options)
            if filled is not None:
                line[...] = filled


def pad(
    array: _ArrayLike,
    pad_width: int | _ArrayLike | Mapping[int, Any],
    mode: _Pad | Callable[..., Any] = "constant",
    **kwargs: Any,
) -> ndarray:
    """Pad an array.

    Parameters
    ----------
    array : array_like
    pad_width : int, (int, int), sequence of such pairs, or dict of axis to either
        Widths before and after, for all axes or for each.
    mode : str or callable, optional
        'constant', 'edge', 'empty', 'linear_ramp', 'maximum', 'mean', 'median', 'minimum', 'reflect', 'symmetric',
        'wrap', or a function of a line, its pair of widths, the axis and the other arguments, that fills the ends in place.
    stat_length : int or pairs of int, optional
        Number of elements at each edge from which the statistic is computed; all by default.
    constant_values, end_values : scalar or pairs of scalars, optional
        Values for 'constant' and 'linear_ramp'; 0 by default.
    reflect_type : {'even', 'odd'}, optional
        Whether 'reflect' and 'symmetric' mirror the values ('even') or subtract them from twice the edge's value
        ('odd').

    Returns
    -------
    ndarray
        Of the type of `array`.

    Raises
    ------
    TypeError
        A width is not an integer.
    ValueError
        A width is negative, the mode is unknown, an argument does not belong to the mode, or an axis to be extended is
        empty.

    Examples
    --------
    >>> import bascule as bc
    >>> bc.pad([1, 2, 3], 2, mode="reflect").tolist()
    [3, 2, 1, 2, 3, 2, 1]
    """
    a = as_array(array)
    widths = _widths(pad_width, a.ndim)
    if not callable(mode):
        _check(mode, kwargs)
    shape = tuple(n + x + y for n, (x, y) in zip(a.shape, widths))
    if mode == "constant" and a.dtype.kind in "biufc" and _is_zero(kwargs.get("constant_values", 0)):
        wide = zeros(shape, a.dtype, "F" if a.flags.fnc else "C", device=a.device)
        wide[tuple(slice(x, x + n) for n, (x, _) in zip(a.shape, widths))] = a
        return wide
    wide = empty(shape, a.dtype, "F" if a.flags.fnc else "C", device=a.device)
    inner = tuple(slice(x, x + n) for n, (x, _) in zip(a.shape, widths))
    if callable(mode):
        wide[...] = 0
        wide[inner] = a
        _fill_by_function(wide, widths, mode, kwargs)
        return wide
    wide[inner] = a
    if a.size == 0 and mode not in ("constant", "empty"):
        for axis, width in enumerate(widths):
            if a.shape[axis] == 0 and builtins.max(width) > 0:
                raise ValueError(f"can't extend empty axis {axis} using modes other than 'constant' or 'empty'")
    if mode != "empty":
        _fill(a, wide, widths, mode, kwargs)
    return wide


def _fill(a: ndarray, wide: ndarray, widths: list[tuple[int, int]], mode: str, given: dict[str, Any]) -> None:
    name = _ALLOWED[mode][0] if _ALLOWED[mode] else None
    per_axis: list = [(None, None)] * a.ndim
    if name == "stat_length":
        per_axis = _pairs(given.get(name), a.ndim, as_index=True)
    elif name in ("constant_values", "end_values"):
        per_axis = _pairs(given.get(name, 0), a.ndim)
    for axis, (before, after) in enumerate(widths):
        region = tuple(
            slice(None) if k <= axis else slice(x, x + n) for k, (n, (x, _)) in enumerate(zip(a.shape, widths))
        )
        f = _Frame(wide[region], axis, before, after)
        if mode == "constant":
            _fill_constant(f, per_axis[axis])
        elif name == "stat_length" and f.wide.size:
            _fill_statistic(f, mode, per_axis[axis])
        elif f.wide.size == 0 or before == after == 0:
            continue
        elif mode == "edge":
            _fill_edge(f)
        elif mode == "linear_ramp":
            _fill_ramp(f, per_axis[axis])
        elif given.get("reflect_type") == "odd":
            _fill_odd(f, mode)
        else:
            _fill_mirrored(f, mode)
