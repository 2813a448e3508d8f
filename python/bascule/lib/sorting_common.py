"""Functions that sorting shares: sort keys, indices that sort, searches, and the methods that work in place."""

from __future__ import annotations

from typing import Any

import numpy as np

from .. import _core, progress
from .._array.conversion import as_array, host_view, ndarray, to_numpy
from .._array.numpy_versions import since
from .._array.ufuncs import by_name
from .manipulation import concatenate, normalize_axis, ravel, swapaxes
from .selection import take_along_axis

_NOTHING = np.empty(0)
FEW = 1024  # integers, which are sorted as fast as they are numbered
# NumPy leaves the order of equal elements in an unstable sort open, and that within the parts of a partition; its versions and
# machines differ. In arrays of at most this many elements in host memory it is the installed NumPy's; longer ones are
# sorted on all threads, and equal elements keep their order.
MOST_AS_NUMPY = 1 << 17


def check_kind(kind: Any, order: Any, stable: Any, descending: Any = None) -> bool:
    """Whether equal elements must keep their order; NumPy raises for invalid arguments, on an empty array."""
    if kind is None and order is None and stable is None and descending is None:
        return False
    # Older NumPy versions lack `descending`; it is checked as `stable`, which may not be given with `kind`, either.
    options = {"stable": stable, "descending": descending}
    if not since("sorts descend"):
        options = {"stable": next((v for v in options.values() if v is not None), None)}
    np.sort(_NOTHING, kind=kind, order=order, **options)
    return bool(stable) or kind in ("stable", "mergesort")


def as_lines(a: Any, axis: Any) -> tuple[ndarray, int]:
    """The array and its axis; for None the flattened array and its only axis."""
    a = as_array(a)
    if axis is None:
        return ravel(a), 0
    return a, normalize_axis(axis, a.ndim)


def sort_keys(a: ndarray) -> list[ndarray]:
    """Keys whose lexicographic order is the order of `a`: the array itself, or three for complex numbers. These sort by
    the parts that are NaN: neither, the imaginary, the real, both."""
    if a.dtype.kind != "c":
        return [a]
    real, imaginary = a.real, a.imag
    nulls = by_name["isnan"](real).astype(np.uint8) * np.uint8(2) + by_name["isnan"](imaginary).astype(np.uint8)
    return [nulls, real, imaginary]


def positions_by(keys: list[ndarray], axis: int) -> ndarray:
    """Indices that sort along an axis by several keys of one shape, the first key having priority."""
    shape = keys[0].shape
    lines = [swapaxes(k, axis, -1) for k in keys]
    n, turned = shape[axis], lines[0].shape
    columns = [_core.reshape(k, (k.size,)) for k in lines]
    if len(shape) > 1 and columns[0].size:
        lines_ = _core.arange(0, 1, columns[0].size // n, np.dtype(np.intp), keys[0].device)
        columns.insert(
            0, _core.reshape(_core.broadcast_to(lines_[:, None], (lines_.size, n)).copy("C"), (lines_.size * n,))
        )
    order = _core.argsort_by(columns)
    if len(shape) == 1:
        return order
    return swapaxes(_core.reshape(order % max(n, 1), turned), axis, -1).copy("C")


def _reversed_key(a: ndarray) -> ndarray:
    """Numbers in the reverse order, with NaN and NaT still last."""
    if a.dtype.kind == "f":
        return -a
    return ~(a.view(np.dtype(np.int64)) if a.dtype.kind in "mM" else a)


def positions(a: ndarray, axis: int, descending: bool = False) -> ndarray:
    """Indices that sort along an axis; equal elements keep their order."""
    if descending and a.dtype.kind == "c":
        nulls, *parts = sort_keys(a)
        return positions_by([nulls, *map(_reversed_key, parts)], axis)
    if descending:
        a = _reversed_key(a)
    with progress.of_tasks("argsort", a.nbytes):
        return positions_by(sort_keys(a), axis) if a.dtype.kind == "c" else _core.argsort(a, axis)


def has_numpys_order(a: ndarray) -> bool:
    """Whether the orders that NumPy leaves open are NumPy's."""
    return 1 < a.size <= MOST_AS_NUMPY and not a.device.startswith("cuda")


def has_equal_elements(x: np.ndarray) -> bool:
    """Whether a sorted line has equal elements, or several that are NaN or NaT."""
    if x.dtype.kind in "mM":
        x = x.view(np.int64)
    elif x.dtype.kind in "fc" and x[-2] != x[-2]:
        return True  # NaN come last
    return bool((x[1:] == x[:-1]).any())


def unstable_positions(a: ndarray, axis: int, kind: Any) -> ndarray:
    """Indices that sort along an axis; the order of equal elements is that of NumPy's sort of the kind."""
    if not has_numpys_order(a):
        return positions(a, axis)
    x = host_view(a)
    if a.ndim == 1 and a.size > FEW:
        r = positions(a, axis)
        if not has_equal_elements(x[host_view(r)]):
            return r
    return _core.from_numpy(np.argsort(x, axis, kind), a.device)


def sorted_copy(a: ndarray, axis: int, stable: bool = False, descending: bool = False) -> ndarray:
    """A copy sorted along an axis, with the layout of the array."""
    if descending and a.dtype.kind == "c":
        r = take_along_axis(a, positions(a, axis, True), axis)
        return r if r.flags.c_contiguous and a.flags.c_contiguous else _like_layout(r, a)
    if descending:
        return _reversed_key(sorted_copy(_reversed_key(a), axis, stable)).view(a.dtype)
    # The order of zeros shows in their signs, which a stable sort keeps. Whether there are negative zeros is not
    # checked on a device, as that would wait for it.
    signs = stable and a.dtype.kind == "f"
    with progress.of_tasks("sort", a.nbytes):
        return _sorted_copy(a, axis, signs)


def _sorted_copy(a: ndarray, axis: int, signs: bool) -> ndarray:
    if a.dtype.kind == "c" or (
        signs and (a.device.startswith("cuda") or bool((by_name["signbit"](a) & (a == 0)).any()))
    ):
        r = take_along_axis(a, positions(a, axis), axis)
        return r if r.flags.c_contiguous and a.flags.c_contiguous else _like_layout(r, a)
    return _core.sort(a, axis)


def _like_layout(r: ndarray, a: ndarray) -> ndarray:
    out = _core.astype(a, a.dtype, True, "K")
    out[...] = r
    return out


def partition_positions(a: ndarray, kth: Any, axis: int, kind: Any, order: Any) -> list[int]:
    """The indices of a partition, ascending; raises NumPy's errors if they are not integers or out of bounds."""
    n = a.shape[axis]
    if type(kth) is int and kind == "introselect" and order is None:
        wanted = [kth]
    else:
        k = to_numpy(kth) if type(kth) is ndarray else np.asarray(kth)
        np.partition(np.zeros(1), np.zeros_like(k), kind=kind, order=order)  # NumPy raises its error about the types
        wanted = np.unique(k).tolist()
    if a.size == 0:
        return []
    for at in wanted:
        if not -n <= at < n:
            raise ValueError(f"kth(={at + n if at < 0 else at}) out of bounds ({n})")
    return sorted(at + n if at < 0 else at for at in wanted)


def partitioned(a: ndarray, kth: list[int], axis: int) -> ndarray:
    """A copy partitioned along an axis, with the layout of the array."""
    if has_numpys_order(a):
        return _core.from_numpy(np.partition(host_view(a), kth, axis), a.device)
    return sorted_copy(a, axis) if a.dtype.kind == "c" else _core.partition(a, axis, kth)


def sort_in_place(
    a: ndarray,
    axis: int = -1,
    kind: Any = None,
    order: Any = None,
    stable: bool | None = None,
    descending: bool | None = None,
) -> None:
    """ndarray.sort."""
    stable = check_kind(kind, order, stable, descending)
    axis = normalize_axis(axis, a.ndim)
    if not a.flags.writeable:
        raise ValueError("sort array is read-only")
    a[...] = sorted_copy(a, axis, stable, bool(descending))


def partition_in_place(a: ndarray, kth: Any, axis: int = -1, kind: str = "introselect", order: Any = None) -> None:
    """ndarray.partition."""
    axis = normalize_axis(axis, a.ndim)
    wanted = partition_positions(a, kth, axis, kind, order)
    if not a.flags.writeable:
        raise ValueError("partition array is read-only")
    a[...] = partitioned(a, wanted, axis)


def insertion_points(a: ndarray, v: ndarray, right: bool) -> ndarray:
    """searchsorted for arrays that may differ in type; `a` has one axis."""
    common = np.promote_types(a.dtype, v.dtype)
    a, v = a.astype(common, copy=False), v.astype(common, copy=False)
    if common.kind != "c":
        return _core.searchsorted(a, v, right)
    # Complex numbers are replaced by their ranks, which equal ones share.
    flat = ravel(v)
    both = concatenate((a, flat))
    keys = sort_keys(both)
    order = _core.argsort_by(keys)
    new = _core.full(both.shape, False, np.bool_, both.device)
    for k in keys:
        s = k[order]
        differs = s[1:] != s[:-1]
        new[1:] = new[1:] | (differs & ~((s[1:] != s[1:]) & (s[:-1] != s[:-1])))
    number = _core.full(both.shape, 0, np.intp, both.device)
    number[order] = new.astype(np.intp).cumsum()
    return _core.reshape(_core.searchsorted(number[: a.size], number[a.size :], right), v.shape)


def different(a: ndarray, nan_equal: bool) -> ndarray:
    """The different elements of one axis, sorted."""
    s = _core.sort(a, 0) if a.size < FEW else sorted_copy(a, 0)
    if s.size < 2:
        return s
    before, after = s[:-1], s[1:]
    differs = after != before
    if nan_equal:  # they come last, so that only others follow numbers
        differs = differs & (before == before)
    return concatenate((s[:1], after[differs]))
