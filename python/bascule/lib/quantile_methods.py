"""Methods of quantiles: fractional positions in the sorted elements, and sorted lines from which they are read."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np

from .. import _core
from .._array.conversion import as_array, as_output, as_value, ndarray, to_numpy
from .._array.ufuncs import by_name
from .manipulation import moveaxis, normalize_axes, ravel
from .reductions import mean
from .selection import take_along_axis, where
from .sorting_common import sorted_copy

if TYPE_CHECKING:
    pass


_NO_VALUE = np._NoValue


def _between(alpha: float, beta: float) -> Callable[[Any, Any], Any]:
    return lambda n, q: n * q + (alpha + q * (1 - alpha - beta)) - 1


def _stepped(at: np.ndarray, stays: Callable[[Any, Any], Any]) -> np.ndarray:
    """The lower position where `stays` says so, else the next one."""
    below = np.floor(at)
    r = np.where(stays(at - below, below), below, below + 1).astype(np.intp)
    return np.maximum(r, 0)


_POSITIONS: dict[str, Callable[[Any, Any], Any]] = {
    "inverted_cdf": lambda n, q: _stepped(np.asarray(n * q - 1), lambda part, _: part == 0),
    "averaged_inverted_cdf": lambda n, q: n * q - 1,
    "closest_observation": lambda n, q: _stepped(
        np.asarray(n * q - 1 - 0.5), lambda part, below: (part == 0) & (below % 2 == 1)
    ),
    "interpolated_inverted_cdf": _between(0, 1),
    "hazen": _between(0.5, 0.5),
    "weibull": _between(0, 0),
    "linear": lambda n, q: (n - 1) * q,
    "median_unbiased": _between(1 / 3.0, 1 / 3.0),
    "normal_unbiased": _between(3 / 8.0, 3 / 8.0),
    "lower": lambda n, q: np.floor((n - 1) * q).astype(np.intp),
    "higher": lambda n, q: np.ceil((n - 1) * q).astype(np.intp),
    "midpoint": lambda n, q: 0.5 * (np.floor((n - 1) * q) + np.ceil((n - 1) * q)),
    "nearest": lambda n, q: np.around((n - 1) * q).astype(np.intp),
}
_TAKES_ONE = {"inverted_cdf", "closest_observation", "lower", "higher", "nearest"}


def _share(method: str, part: np.ndarray, at: np.ndarray) -> np.ndarray:
    """The weight of the upper neighbour."""
    if method == "averaged_inverted_cdf":
        part = np.where(part == 0, 0.5, 1.0)
    elif method == "midpoint":
        part = np.where(at % 1 == 0, 0.0, 0.5)
    return np.asarray(part, at.dtype)


def _neighbours(at: np.ndarray, n: Any, has_nan: bool) -> tuple[np.ndarray, np.ndarray]:
    """Positions of the neighbours below and above; -1 stands for the last one."""
    low = np.floor(at)
    high = low + 1
    beyond, before = at >= np.asarray(n - 1, at.dtype), at < 0
    low, high = np.where(beyond, -1, low), np.where(beyond, -1, high)
    low, high = np.where(before, 0, low), np.where(before, 0, high)
    if has_nan:
        nan = np.isnan(at)
        low, high = np.where(nan, -1, low), np.where(nan, -1, high)
    return low.astype(np.intp), high.astype(np.intp)


# Of lines of at least so many elements, no more than so many ranks are sooner selected than all elements sorted.
_FEW, _MOST_RANKS = 512, 8


class _Lines:
    """An array with its reduced axes merged, whose elements are accessed by rank; with `skips` NaN are ignored."""

    def __init__(self, a: ndarray, axis: Any, skips: bool = False) -> None:
        self.axes = None if axis is None else normalize_axes(axis, a.ndim)
        if self.axes is None:
            self.lines = ravel(a)
        else:
            kept = [k for k in range(a.ndim) if k not in self.axes]
            turned = _core.transpose(a, [*kept, *self.axes]) if len(self.axes) != 1 else moveaxis(a, self.axes[0], -1)
            count = int(np.prod([a.shape[k] for k in self.axes], dtype=np.intp))
            self.lines = _core.reshape(turned, (*(a.shape[k] for k in kept), count))
        self.ndim = a.ndim
        self.single = self.lines.ndim == 1 and a.dtype.kind != "c"
        self.counts = None  # numbers of elements that are not NaN, if NaN are ignored
        if self.single and skips:
            kept = self.lines[~by_name["isnan"](self.lines)]
            self.counts = np.asarray(kept.size)
            self.lines = kept if kept.size else self.lines
        self.n = self.lines.shape[-1]
        self._sorted: ndarray | None = None
        self._selects = not skips and self.n >= _FEW and self.lines.dtype.kind != "c"
        if skips and self.counts is None:
            self.counts = self.n - to_numpy(by_name["isnan"](self.sorted).sum(axis=-1))

    @property
    def sorted(self) -> ndarray:
        """The lines sorted, once."""
        if self._sorted is None:
            self._sorted = sorted_copy(self.lines, self.lines.ndim - 1)
        return self._sorted

    def at(self, ranks: np.ndarray) -> ndarray:
        """Elements at `ranks`; the shape is ranks.shape + that of the lines."""
        ranks = np.asarray(ranks)
        flat = ranks.ravel() % max(self.n, 1)
        wanted = flat.tolist()
        different = sorted(set(wanted))
        if self.single or (self._selects and self._sorted is None and len(different) <= _MOST_RANKS):
            found = moveaxis(_core.select_ranks(self.lines, different), -1, 0)
            if wanted != different:
                found = found[np.searchsorted(different, flat)]
        else:
            found = moveaxis(self.sorted[..., as_array(flat, self.sorted)], -1, 0)
        return _core.reshape(found, (*ranks.shape, *self.lines.shape[:-1]))

    def has_nan(self) -> ndarray | None:
        """Which lines contain NaN; None if none does, which is not checked on a CUDA device, as it would wait."""
        if self.lines.dtype.kind not in "fcmM":
            return None
        if self._sorted is None:
            nulls = by_name["isnan"](self.lines).any(axis=-1)
        else:
            nulls = by_name["isnan"](self._sorted[..., -1])
        return nulls if self.lines.device.startswith("cuda") or bool(nulls.any()) else None

    def finish(self, r: Any, out: Any, keepdims: Any) -> Any:
        """Write to `out`, or restore the reduced axes with length one."""
        r = as_array(r, self.lines)
        lead = r.ndim - (self.lines.ndim - 1)
        if keepdims and keepdims is not _NO_VALUE:
            shape = list(r.shape[:lead])
            rest = iter(r.shape[lead:])
            reduced = range(self.ndim) if self.axes is None else self.axes
            shape += [1 if k in reduced else next(rest) for k in range(self.ndim)]
            r = _core.reshape(r, tuple(shape))
        if out is None:
            return as_value(r)
        if as_output(out).shape != r.shape:
            raise ValueError(f"Wrong shape of argument 'out', shape={r.shape} is required; got shape={out.shape}.")
        out[...] = r
        return out

    def middle(self, elements: Any, out: Any) -> Any:
        """The mean over the first axis, in the type of an output if there is one."""
        if out is None or out.dtype == elements.dtype:
            return mean(elements, axis=0)
        return mean(elements, axis=0, out=_core.full(elements.shape[1:], 0, out.dtype, elements.device).copy())


def _nan_of(t: np.dtype, like: ndarray) -> ndarray:
    return as_array(np.array("NaT" if t.kind in "mM" else np.nan, t), like)


def _at_each(lines: _Lines, ranks: np.ndarray) -> ndarray:
    """Elements of the sorted lines at ranks of shape (...,) + that of the lines, separate ones for each line."""
    shape = ranks.shape
    lead = int(np.prod(shape[: len(shape) - (lines.lines.ndim - 1)], dtype=np.intp))
    if lines.single:
        return lines.at(ranks)
    flat = ranks.reshape((lead, *lines.lines.shape[:-1]))
    found = take_along_axis(lines.sorted, as_array(np.moveaxis(flat, 0, -1) % max(lines.n, 1), lines.sorted), -1)
    return _core.reshape(moveaxis(found, -1, 0), shape)


def _blend(low: ndarray, high: ndarray, share: Any, rest: Any, upper: Any) -> ndarray:
    """low + (high - low) * share, computed from `high` where `upper` is true, with NumPy's rounding."""
    step = high - low
    from_low = low + step * share
    if type(upper) is bool:
        return (high - step * rest).astype(from_low.dtype, copy=False) if upper else from_low
    return where(upper, high - step * rest, from_low).astype(from_low.dtype, copy=False)


def of_one_line(a: ndarray, q: Any, percent: bool) -> Any:
    """Linear quantiles of the float64 of one line in host memory at Python's numbers, which is the usual call; else None.

    The steps are those of the general form, on numbers instead of arrays.
    """
    last, several = a.size - 1, type(q) in (list, tuple)
    fractions = list(q) if several else [q]
    types = (float, int) if percent else (float,)
    if last < 0 or not fractions or not all(type(x) in types for x in fractions):
        return None
    fractions = [x / 100 for x in fractions] if percent else fractions
    if not all(0 <= x <= 1 for x in fractions):
        return None  # an error
    at = [last * x for x in fractions]
    ranks = sorted({last, *map(int, at), *(min(int(k) + 1, last) for k in at)})
    found = dict(zip(ranks, _core.select_ranks(a, ranks).tolist()))
    if found[last] != found[last]:
        return None  # NaN come last
    made = []
    for k in at:
        low = int(k)
        below, above, share = found[low], found[min(low + 1, last)], k - low
        step = above - below
        if not math.isfinite(step):
            return None  # with a warning
        made.append(above - step * (1 - share) if share >= 0.5 else below + step * share)
    return _core.from_numpy(np.array(made)) if several else np.float64(made[0])
