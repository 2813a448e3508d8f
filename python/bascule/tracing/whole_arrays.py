"""A traced function on whole arrays, where it gives the result of NumPy's vectorize, which calls it per element."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from .. import _core
from .._array.conversion import as_array, is_array, ndarray
from ..lib.creation import empty
from . import python_numbers
from .python_numbers import Number, Unlike
from .trace import written_out

# Values that functions may handle differently from all others.
_SPECIAL: dict[str, list[Any]] = {
    "f": [0.0, -0.0, 1.0, -1.5, 0.5, 3.0, math.inf, -math.inf, math.nan, 1e300, 1e-300, -7.0],
    "i": [0, 1, -1, 2, 7, -10, 3, 5, 4, 63, 100, -128],
    "b": [False, True] * 6,
}
_KEPT = 64  # cached computations per function
_FIRST = 4  # elements of the arrays that are compared
_TOLERANCE = 1e-9  # ufuncs of scalars and of arrays differ in the last bits, and results computed from them in more


def _first_elements(a: ndarray, shape: tuple[int, ...], count: int) -> np.ndarray:
    a = _core.broadcast_to(a, shape)
    found = a[(0,) * (len(shape) - 1) + (slice(0, count),)]
    return _core.to_numpy(found)


def _kind_of(x: Any) -> str:
    if isinstance(x, (bool, np.bool_)):
        return "b"
    if type(x) in (int, float):
        return "i" if type(x) is int else "f"
    if isinstance(x, (np.generic, np.ndarray, ndarray)) and x.ndim == 0:
        return {np.dtype(np.int64): "i", np.dtype(np.float64): "f", np.dtype(bool): "b"}.get(x.dtype, "")
    return ""


def _equal(kind: str, plain: Any, traced: Any) -> bool:
    if _kind_of(plain) != kind:
        return False
    if kind != "f":
        return bool(plain == traced)
    plain, traced = float(plain), float(traced)
    if math.isnan(plain) or math.isnan(traced):
        return math.isnan(plain) and math.isnan(traced)
    return plain == traced or math.isclose(plain, traced, rel_tol=_TOLERANCE)


def _agrees(function: Callable, traced: tuple, points: list[tuple], where_: str, must_run: bool) -> bool:
    """Whether the plain call equals the trace at points of Python's numbers; with `must_run` none may raise."""
    columns = [_core.from_numpy(np.asarray(c), where_) for c in zip(*points)]
    results, bad = python_numbers.run(traced, [python_numbers.argument(c) for c in columns])
    skipped = np.zeros(len(points), bool)
    for b in bad:
        skipped |= _core.to_numpy(b)
    values = [np.broadcast_to(_core.to_numpy(r.x) if is_array(r.x) else r.x, len(points)) for r in results]
    for k, point in enumerate(points):
        if skipped[k]:
            continue
        try:
            plain = function(*point)
        except Exception:
            if must_run:
                raise
            continue
        plain = plain if isinstance(plain, tuple) else (plain,)
        if len(plain) != len(results):
            return False
        if not all(_equal(r.kind, p, v[k]) for r, p, v in zip(results, plain, values)):
            return False
    return True


def _compare(
    function: Callable, traced: tuple, arrays: Sequence[ndarray], numbers: list[Number], shape: tuple, agreed: set
) -> None:
    """Raise Unlike if the first elements, or special values, differ from the plain call; special values are compared
    only once for a computation."""
    where_ = arrays[0].device
    first = [_first_elements(a, shape, _FIRST) for a in arrays]
    points = list(zip(*(f.tolist() for f in first)))
    with np.errstate(all="ignore"):
        if not _agrees(function, traced, points, where_, True):
            raise Unlike("gives something else for arrays than for numbers")
        known = (tuple(written_out(traced)), *((p.kind, p.numpys) for p in numbers))
        if known in agreed:
            return
        special = [_SPECIAL[p.kind] for p in numbers]
        points = [tuple(s[(k * (1 + 2 * i)) % len(s)] for i, s in enumerate(special)) for k in range(len(special[0]))]
        if not _agrees(function, traced, points, where_, False):
            raise Unlike("gives something else for arrays than for numbers")
    if len(agreed) < _KEPT:
        agreed.add(known)


def _types(function: Callable, arrays: Sequence[ndarray]) -> tuple[list[np.dtype], bool]:
    """The types of the results, found as NumPy does, by a call for its scalars; and whether the result is a tuple."""
    scalars = [_core.to_numpy(a.ravel()[:1])[0] for a in arrays]
    found = function(*scalars)
    several = isinstance(found, tuple)
    return [np.asarray(_host(x)).dtype for x in (found if several else (found,))], several


def _host(x: Any) -> Any:
    return _core.to_numpy(x) if is_array(x) else x


def compute(
    function: Callable,
    traced: Any,
    values: Sequence[Any],
    arrays: Sequence[ndarray],
    otypes: list[np.dtype] | None,
    keeps_first: bool,
    agreed: set,
) -> Any:
    """The traced function's results, as arrays of the types that the plain call returns.

    Parameters
    ----------
    function : callable
        The function, which takes numbers.
    traced
        The trace of the function: a number or a `Traced`, or a tuple of such.
    values : sequence of array_like
        The arguments as the caller passed them.
    arrays : sequence of ndarray
        The arguments as arrays.
    otypes : list of dtype or None
    keeps_first : bool
        Whether NumPy's vectorize would reuse the result of a call for its own scalars.
    agreed : set
        Computations that have been compared so far.

    Raises
    ------
    Unlike
        The plain call may give another result.
    """
    shape = np.broadcast_shapes(*(a.shape for a in arrays))
    steps = traced if isinstance(traced, tuple) else (traced,)
    several = isinstance(traced, tuple)
    if several and len(steps) == 1:
        raise Unlike("gives a tuple of one")
    if otypes is not None and (len(otypes) != len(steps) or several != (len(otypes) > 1)):
        raise Unlike("gives another number of results than there are otypes")
    if math.prod(shape) == 0:
        out = [empty(shape, t, device=arrays[0].device) for t in otypes or ()]
        return tuple(out) if several else out[0]
    if keeps_first and any(a.dtype not in (np.float64, np.int64) for a in arrays):
        raise Unlike("keeps a result for NumPy's numbers")
    types, tuple_of = (otypes, several) if otypes is not None else _types(function, arrays)
    if len(types) != len(steps) or tuple_of != several:
        raise Unlike("gives another number of results each time")
    lines = [a if a.ndim else a.reshape(1) for a in arrays]
    numbers = [_argument(v, a) for v, a in zip(values, lines)]
    _compare(function, steps, lines, numbers, shape or (1,), agreed)
    results, bad = python_numbers.run(steps, numbers)
    if any(bool(b.any()) for b in bad):
        raise Unlike("raises for one of its arguments, or gives a complex number")
    out = [_whole(python_numbers.converted(r, t), shape, arrays[0]) for r, t in zip(results, types)]
    return tuple(out) if several else out[0]


def _argument(value: Any, a: ndarray) -> Number:
    """An argument's elements; NumPy's scalars keep their rules."""
    if isinstance(value, (list, tuple)) and any(isinstance(x, np.generic) for x in np.asarray(value, object).flat):
        raise Unlike("takes a list of NumPy's scalars")
    given = isinstance(value, np.generic)
    if given and a.dtype not in (np.float64, np.int64):
        raise Unlike("takes a scalar of NumPy's")
    return python_numbers.argument(a)._replace(numpys=given)


def _whole(r: Any, shape: tuple[int, ...], like: ndarray) -> ndarray:
    if r is None:
        raise Unlike("returns a number that does not fit the result's type")
    r = as_array(r, like)
    if r.shape == shape:
        return r
    return r.reshape(shape) if r.size == math.prod(shape) else _core.broadcast_to(r, shape).copy("C")
