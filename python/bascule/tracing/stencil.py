"""stencil: turns a function of neighbours into a function of arrays, fused into one pass over shifted views."""

from __future__ import annotations

import functools
import itertools
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from .. import _core
from .._array.conversion import as_array, is_array, ndarray
from ..lib.creation import empty
from .trace import Traced, run, trace

__all__ = ["stencil"]


_MODES = ("constant", "nearest", "reflect", "mirror", "wrap")
Ranges = list[tuple[int, int]]
KEPT_TRACES = 64  # kept per stencil


class _Relative:
    """An array inside a stencil: indices are relative to the element that is computed."""

    def __init__(self, position: int, ndim: int, seen: set) -> None:
        self._position, self._ndim, self._seen = position, ndim, seen

    def __getitem__(self, index: Any) -> Traced:
        offsets = index if isinstance(index, tuple) else (index,)
        if not all(isinstance(o, (int, np.integer)) and not isinstance(o, bool) for o in offsets):
            raise TypeError(f"[stencil] an index of integers is expected, which counts from the element, got {index!r}")
        if len(offsets) != self._ndim:
            raise ValueError(f"[stencil] {self._ndim} integers are expected in an index, got {len(offsets)}")
        place = self._position, tuple(int(o) for o in offsets)
        self._seen.add(place)
        return Traced("argument", place)

    def __setitem__(self, index: Any, value: Any) -> None:
        raise TypeError("[stencil] arrays that are given to a stencil cannot be assigned to: return the value instead")


def _sources(mode: str, low: int, high: int, n: int) -> slice | ndarray:
    """The indices to read for positions low, ..., high - 1 of an axis of n elements."""
    if 0 <= low and high <= n:
        return slice(low, high)
    at = np.arange(low, high)
    if mode == "nearest":
        at = at.clip(0, n - 1)
    elif mode == "wrap":
        at %= n
    elif mode == "reflect":  # d c b a | a b c d | d c b a
        at %= 2 * n
        at = np.minimum(at, 2 * n - 1 - at)
    else:  # mirror: d c b | a b c d | c b a
        at %= max(2 * n - 2, 1)
        at = np.minimum(at, 2 * n - 2 - at)
    return _core.from_numpy(at)


class _Stencil:
    """A function of neighbours, called on arrays."""

    def __init__(
        self, function: Callable, mode: str, cval: Any, neighborhood: Any, standard_indexing: Sequence[str]
    ) -> None:
        functools.update_wrapper(self, function)
        self._function, self._mode, self._cval = function, mode, cval
        self._neighborhood, self._standard = neighborhood, tuple(standard_indexing)
        self._traces: dict[Any, tuple[Any, set]] = {}
        code = getattr(function, "__code__", None)
        self._names = code.co_varnames[: code.co_argcount] if code is not None else ()
        unknown = [n for n in self._standard if n not in self._names]
        if unknown:
            raise ValueError(f"[stencil] standard_indexing names {unknown[0]!r}, which is no argument of the function")
        if self._names and self._names[0] in self._standard:
            raise ValueError("[stencil] the first argument is indexed relatively")

    def __call__(self, *args: Any, out: ndarray | None = None) -> ndarray:
        if not args:
            raise TypeError("[stencil] the first argument is an array, got none")
        given = [as_array(a) if is_array(a) or isinstance(a, np.ndarray) else a for a in args]
        relative = [is_array(a) and not self._is_standard(i) for i, a in enumerate(given)]
        first = given[0]
        if not relative[0] or first.ndim == 0:
            raise TypeError("[stencil] the first argument is an array of one dimension or more")
        for a, counts in zip(given, relative):
            if counts and (a.ndim != first.ndim or any(n < m for n, m in zip(a.shape, first.shape))):
                raise ValueError(
                    f"[stencil] all arrays need the first one's number of dimensions and at least its lengths: "
                    f"{first.shape} and {a.shape}"
                )
        node, positions = self._traced(given, relative, first.ndim)
        reach = self._reach(positions, first.ndim)
        return self._apply(node, given, positions, reach, first.shape, out)

    def _is_standard(self, i: int) -> bool:
        return i < len(self._names) and self._names[i] in self._standard

    def _traced(self, given: list, relative: list[bool], ndim: int) -> tuple[Any, set]:
        """The function's trace, cached as long as its plain arguments and the global names that it reads are the same.
        Objects that those refer to are read once, as in numba."""
        function = self._function
        try:
            plain = tuple(None if counts else (type(a), a) for a, counts in zip(given, relative))
            outside = [c.cell_contents for c in function.__closure__ or ()]
            outside += [function.__globals__.get(name) for name in function.__code__.co_names]
            key = (ndim, plain, tuple((type(x), x) for x in outside))
            found = self._traces.get(key)
        except (AttributeError, TypeError, ValueError):  # no plain function, or values that cannot be compared
            return self._trace(given, relative, ndim)
        if found is None:
            found = self._trace(given, relative, ndim)
            if len(self._traces) < KEPT_TRACES:
                self._traces[key] = found
        return found

    def _trace(self, given: list, relative: list[bool], ndim: int) -> tuple[Any, set]:
        seen: set = set()
        inside = [_Relative(i, ndim, seen) if counts else a for i, (a, counts) in enumerate(zip(given, relative))]
        node = trace(lambda: self._function(*inside), "stencil")
        if isinstance(node, tuple):
            raise TypeError("[stencil] one value is returned for an element, got several")
        if not seen:
            raise ValueError("[stencil] the function reads no array at a relative index")
        return node, seen

    def _reach(self, positions: set, ndim: int) -> Ranges:
        """The extent of the neighbourhood to both sides of an element, along every axis."""
        found = [(min(o), max(o)) for o in zip(*(offsets for _, offsets in positions))]
        if self._neighborhood is None:
            return [(min(low, 0), max(high, 0)) for low, high in found]
        if len(self._neighborhood) != ndim:
            raise ValueError(
                f"[stencil] {ndim} pairs are expected in neighborhood, one a dimension, got {len(self._neighborhood)}"
            )
        for (low, high), (least, most) in zip(found, self._neighborhood):
            if low < least or high > most:
                raise ValueError(
                    f"[stencil] the function looks {low} to {high} where neighborhood says {least} to {most}"
                )
        return [(min(int(low), 0), max(int(high), 0)) for low, high in self._neighborhood]

    def _part(self, node: Any, given: list, positions: set, reach: Ranges, shape: tuple, region: Ranges) -> Any:
        """The values of the elements of a region."""
        if any(low >= high for low, high in region):  # only their type is needed
            return run([node], {(i, offsets): given[i].ravel()[:0] for i, offsets in positions})[0]
        axes = [
            _sources(self._mode, low + before, high + after, n)
            for (low, high), (before, after), n in zip(region, reach, shape)
        ]
        slabs = {}
        for i in {i for i, _ in positions}:
            slab = given[i]
            for axis, at in enumerate(axes):
                slab = slab[(slice(None),) * axis + (at,)] if isinstance(at, slice) else slab.take(at, axis=axis)
            slabs[i] = slab
        extents = [high - low for low, high in region]
        arguments = {
            (i, offsets): slabs[i][tuple(slice(o - r[0], o - r[0] + n) for o, r, n in zip(offsets, reach, extents))]
            for i, offsets in positions
        }
        return run([node], arguments)[0]

    def _apply(self, node: Any, given: list, positions: set, reach: Ranges, shape: tuple, out: Any) -> ndarray:
        inner = [(min(-low, n), max(n - high, min(-low, n))) for (low, high), n in zip(reach, shape)]
        values = self._part(node, given, positions, reach, shape, inner)
        values = values if is_array(values) else as_array(values)
        if self._mode == "constant" and not np.can_cast(np.min_scalar_type(self._cval), values.dtype, "same_kind"):
            raise ValueError(f"[stencil] cval {self._cval!r} cannot be held by a result of {values.dtype}")
        if out is None:
            out = empty(shape, values.dtype, device=given[0].device)
        elif out.shape != shape:
            raise ValueError(f"[stencil] out has the first array's shape {shape}, got {out.shape}")
        whole = [(0, n) for n in shape]
        for axis, n in enumerate(shape):  # both sides of the inner region, in the full extent of the axes after it
            low, high = inner[axis]
            for side in ((0, low), (high, n)):
                region = [*inner[:axis], side, *whole[axis + 1 :]]
                if all(a < b for a, b in region):
                    self._fill(node, given, positions, reach, shape, region, out)
        if all(a < b for a, b in inner):
            out[tuple(itertools.starmap(slice, inner))] = values
        return out

    def _fill(
        self, node: Any, given: list, positions: set, reach: Ranges, shape: tuple, region: Ranges, out: ndarray
    ) -> None:
        constant = self._mode == "constant"
        out[tuple(itertools.starmap(slice, region))] = (
            self._cval if constant else self._part(node, given, positions, reach, shape, region)
        )


def stencil(
    func_or_mode: Callable | str = "constant",
    *,
    cval: Any = 0,
    neighborhood: Sequence[tuple[int, int]] | None = None,
    standard_indexing: Sequence[str] = (),
) -> Any:
    """Turn a function of an element's neighbours into a function of arrays.

    The function is traced once per call: it is called with stand-ins, and the operations run fused, in one pass over
    shifted views of the arrays.

    Parameters
    ----------
    func_or_mode : callable or str
        The function, or the mode of the border: ``'constant'`` (elements whose neighbours are not all inside become
        `cval`, as with numba), or a mode of `scipy.ndimage`: ``'nearest'``, ``'reflect'``, ``'mirror'``, ``'wrap'``.
        Inside the function an array's index is relative to the element: ``a[0, 1]`` is its right neighbour.
    cval : scalar
        Value of the border with ``'constant'``.
    neighborhood : sequence of (int, int), optional
        Least and greatest index of every axis, for a border that is wider than the indices that the function uses.
    standard_indexing : sequence of str
        Arguments that are indexed absolutely, not relatively: tables of weights, for example.

    Returns
    -------
    callable
        Takes the function's arguments, and `out`. All arrays have the first one's number of dimensions and at least its
        lengths; other arguments are passed on. The result has the first array's shape and NumPy's dtype of the
        computation.

    Raises
    ------
    TypeError
        The function needs the value of an element, as Python's `if` and `math.sin` do (write `bascule.where` and
        `bascule.sin`), or assigns to an array.
    ValueError
        The mode is unknown, or an index has another number of dimensions or is outside `neighborhood`.

    References
    ----------
    numba.stencil, which has the same relative indices and arguments.

    Examples
    --------
    >>> import bascule as bc
    >>> @bc.stencil
    ... def mean(a):
    ...     return (a[-1] + a[0] + a[1]) / 3
    >>> mean(bc.array([1.0, 2.0, 6.0, 4.0]))
    array([0., 3., 4., 0.])
    """
    mode = func_or_mode if isinstance(func_or_mode, str) else "constant"
    if mode not in _MODES:
        raise ValueError(f"[stencil] mode is one of {', '.join(map(repr, _MODES))}, got {mode!r}")
    if isinstance(func_or_mode, str):
        return lambda function: _Stencil(function, mode, cval, neighborhood, standard_indexing)
    return _Stencil(func_or_mode, mode, cval, neighborhood, standard_indexing)
