"""Shapes, joins, rearrangements and selections."""

from __future__ import annotations

import itertools
import math
import operator
from typing import Any

import numpy as np

from .. import _core
from .._array import caller_warnings as warned
from .._array.conversion import as_array, as_arrays, as_given, as_output, extents, is_array, ndarray

normalize_axis = np.lib.array_utils.normalize_axis_index
_WEAK = (int, float, complex)  # Python's numbers, which take the type of the arrays beside them
normalize_axes = np.lib.array_utils.normalize_axis_tuple


# ---- shapes


def _is_fortran(a: ndarray, order: str) -> bool:
    if order in ("A", "a"):
        return a.ndim > 1 and a.flags.f_contiguous and not a.flags.c_contiguous
    if order not in ("C", "F", "c", "f"):
        raise ValueError(f"order must be one of 'C', 'F', 'A', or 'K' (got {order!r})")
    return order in ("F", "f")


def _resolved(shape: Any, size: int) -> tuple[int, ...]:
    dims = extents(shape)
    if any(abs(n) > 2**63 - 1 for n in dims):
        raise ValueError("Maximum allowed dimension exceeded")
    told = list(itertools.dropwhile(lambda n: n < 0, dims))  # NumPy's text leaves leading unknowns out
    text = "(" + ",".join("newaxis" if n < 0 else str(n) for n in told) + (",)" if len(dims) == 1 and told else ")")
    if dims.count(-1) > 1 or any(n < -1 for n in dims):
        if sum(n < 0 for n in dims) > 1:
            raise ValueError("can only specify one unknown dimension")
        dims = [-1 if n < 0 else n for n in dims]
    known = math.prod(n for n in dims if n >= 0)
    if -1 in dims:
        if known == 0 or size % known:
            raise ValueError(f"cannot reshape array of size {size} into shape {text}")
        dims[dims.index(-1)] = size // known
    elif known != size:
        raise ValueError(f"cannot reshape array of size {size} into shape {text}")
    return tuple(dims)


@_core.method_first
def reshape(a: Any, /, shape: Any, order: str = "C", *, copy: bool | None = None) -> ndarray:
    """The same elements in another shape: a view where the layout allows it."""
    if order == "C" and copy is None and type(a) is ndarray and type(shape) in (int, tuple):
        return a.reshape(shape)
    return _reshaped(a, shape, order, copy)


def _reshaped(x: Any, shape: Any, order: str, copy: bool | None) -> Any:
    """What `reshape` gives, for any arguments."""
    a = as_array(x)
    dims, fortran = _resolved(shape, a.size), _is_fortran(a, order)
    if copy is False:
        r = _core.reshape_view(a, dims, fortran)
        if r is None:
            raise ValueError("Unable to avoid creating a copy while reshaping.")
    else:
        r = _core.reshape(a.copy("F" if fortran else "C") if copy is True else a, dims, fortran)
    return as_given(r, x)


def _by_stride(strides: tuple[int, ...]) -> list[int]:
    """Axes from the outermost in memory to the innermost, as NumPy's iterator finds them: those without a step tell
    nothing and others pass by them."""
    axes = list(range(len(strides)))
    for i in range(len(axes) - 2, -1, -1):
        axis, place = axes[i], i
        for j in range(i + 1, len(axes)):
            own, other = abs(strides[axis]), abs(strides[axes[j]])
            if own > other > 0:
                break
            if 0 < own < other:
                place = j
        axes[i:place] = axes[i + 1 : place + 1]
        axes[place] = axis
    return axes


def ravel(a: Any, order: str = "C") -> ndarray:
    """The elements along one axis: a view where the layout allows it."""
    return a.ravel() if order == "C" and type(a) is ndarray else _raveled(a, order)


def _raveled(a: Any, order: str) -> ndarray:
    """What `ravel` gives, for any arguments."""
    a = as_array(a)
    if order in ("K", "k"):
        if a.flags.c_contiguous:
            order = "C"
        else:
            axes = _by_stride(a.strides)
            flat = _core.reshape(_core.transpose(a, axes), (a.size,))
            return flat if flat.flags.c_contiguous else flat.copy()
    fortran = _is_fortran(a, order)
    flat = _core.reshape(a, (a.size,), fortran)
    # Like NumPy's, the result lies in one piece.
    return flat if flat.flags.c_contiguous else flat.copy()


@_core.method_first
def transpose(a: Any, axes: Any = None) -> ndarray:
    """A view with the axes in another order, reversed by default."""
    given, a = a, as_array(a)
    if axes is None:
        return as_given(a.T, given)
    axes = tuple(axes)
    if len(axes) != a.ndim:
        raise ValueError("axes don't match array")
    axes = [normalize_axis(k, a.ndim) for k in axes]
    if len(set(axes)) != a.ndim:
        raise ValueError("repeated axis in transpose")
    return as_given(_core.transpose(a, axes), given)


permute_dims = transpose


def matrix_transpose(x: Any, /) -> ndarray:
    """A view with the last two axes exchanged."""
    x = as_array(x)
    if x.ndim < 2:
        raise ValueError(f"Input array must be at least 2-dimensional, but it is {x.ndim}")
    return swapaxes(x, -1, -2)


@_core.method_first
def swapaxes(a: Any, axis1: int, axis2: int) -> ndarray:
    """A view with two axes exchanged."""
    a = as_array(a)
    axes = list(range(a.ndim))
    i, j = normalize_axis(axis1, a.ndim, "axis1"), normalize_axis(axis2, a.ndim, "axis2")
    axes[i], axes[j] = axes[j], axes[i]
    return _core.transpose(a, axes)


def moveaxis(a: Any, source: Any, destination: Any) -> ndarray:
    """A view with some axes moved to other places, the rest in order."""
    a = as_array(a)
    source = normalize_axes(source, a.ndim, "source")
    destination = normalize_axes(destination, a.ndim, "destination")
    if len(source) != len(destination):
        raise ValueError("`source` and `destination` arguments must have the same number of elements")
    order = [k for k in range(a.ndim) if k not in source]
    for to, of in sorted(zip(destination, source)):
        order.insert(to, of)
    return _core.transpose(a, order)


def rollaxis(a: Any, axis: int, start: int = 0) -> ndarray:
    """A view with one axis moved in front of another."""
    a = as_array(a)
    axis = normalize_axis(axis, a.ndim)
    start = start + a.ndim if start < 0 else start
    if not 0 <= start <= a.ndim:
        raise np.exceptions.AxisError(
            f"'start' arg requires {-a.ndim} <= start < {a.ndim + 1}, but {start} was passed in"
        )
    start -= axis < start
    order = [k for k in range(a.ndim) if k != axis]
    order.insert(start, axis)
    return _core.transpose(a, order)


def expand_dims(a: Any, axis: Any) -> ndarray:
    """A view with new axes of length one."""
    if type(axis) is int and type(a) is ndarray and 0 <= axis <= len(shape := a.shape):
        return a.reshape((*shape[:axis], 1, *shape[axis:]))
    a = as_array(a)
    axis = axis if isinstance(axis, (tuple, list)) else (axis,)
    ndim = len(axis) + a.ndim
    axes = normalize_axes(axis, ndim)
    dims = iter(a.shape)
    return _core.reshape(a, tuple(1 if k in axes else next(dims) for k in range(ndim)))


@_core.method_first
def squeeze(a: Any, axis: Any = None) -> ndarray:
    """A view without axes of length one."""
    given, a = a, as_array(a)
    if axis is None:
        return as_given(a.squeeze(), given)
    axes = normalize_axes(axis, a.ndim) if a.ndim or axis not in (0, -1) else ()
    if any(a.shape[k] != 1 for k in axes):
        raise ValueError("cannot select an axis to squeeze out which has size not equal to one")
    keep = [k for k in range(a.ndim) if k not in axes]
    return as_given(_core.view(a, tuple(a.shape[k] for k in keep), tuple(a.strides[k] for k in keep)), given)


def atleast_1d(*arys: Any) -> Any:
    """Arrays with at least one axis."""
    out = [_core.reshape(a, (1,)) if a.ndim == 0 else a for a in map(as_array, arys)]
    return out[0] if len(out) == 1 else tuple(out)


def atleast_2d(*arys: Any) -> Any:
    """Arrays with at least two axes."""
    out = [_core.reshape(a, (1,) * (2 - a.ndim) + a.shape) if a.ndim < 2 else a for a in map(as_array, arys)]
    return out[0] if len(out) == 1 else tuple(out)


def atleast_3d(*arys: Any) -> Any:
    """Arrays with at least three axes."""

    def widen(a: ndarray) -> ndarray:
        shapes = {0: (1, 1, 1), 1: (1, *a.shape, 1), 2: (*a.shape, 1)}
        return _core.reshape(a, shapes[a.ndim]) if a.ndim < 3 else a

    out = [widen(a) for a in map(as_array, arys)]
    return out[0] if len(out) == 1 else tuple(out)


def broadcast_to(array: Any, shape: Any, subok: bool = False) -> ndarray:
    """A read-only view with a broadcast shape."""
    a = as_array(array)
    dims = tuple(extents(shape))
    if any(n < 0 for n in dims):
        raise ValueError("all elements of broadcast shape must be non-negative")
    if len(dims) > 64:
        raise ValueError(f"maximum supported dimension for an ndarray is currently 64, found {len(dims)}")
    if len(dims) < a.ndim:
        raise ValueError("input operand has more dimensions than allowed by the axis remapping")
    if any(m not in (1, n) for m, n in zip(a.shape[::-1], dims[::-1])):
        text = "operands could not be broadcast together with remapped shapes [original->remapped]: "
        show = lambda s: "(" + ",".join(map(str, s)) + (",)" if len(s) == 1 else ")")
        raise ValueError(f"{text}{show(a.shape)}  and requested shape {show(dims)}")
    r = _core.broadcast_to(a, dims)
    _core.set_writeable(r, False)
    return r


def broadcast_arrays(*args: Any, subok: bool = False) -> tuple[ndarray, ...]:
    """Views of all arguments with their common shape."""
    arrays = as_arrays(*args)
    shape = np.broadcast_shapes(*(a.shape for a in arrays))
    return tuple(a if a.shape == shape else _core.broadcast_to(a, shape) for a in arrays)


broadcast_shapes = np.broadcast_shapes


# ---- joins


def _check_joinable(arrays: list[ndarray], axis: int) -> None:
    first = arrays[0]
    for i, a in enumerate(arrays[1:], 1):
        if a.ndim != first.ndim:
            raise ValueError(
                "all the input arrays must have same number of dimensions, but the array at index 0 has "
                f"{first.ndim} dimension(s) and the array at index {i} has {a.ndim} dimension(s)"
            )
        for k in range(a.ndim):
            if k != axis and a.shape[k] != first.shape[k]:
                raise ValueError(
                    "all the input array dimensions except for the concatenation axis must match exactly, but along "
                    f"dimension {k}, the array at index 0 has size {first.shape[k]} and the array at index {i} has size {a.shape[k]}"
                )


@_core.function
def concatenate(
    arrays: Any, /, axis: int | None = 0, out: Any = None, *, dtype: Any = None, casting: str = "same_kind"
) -> ndarray:
    """Arrays joined along an existing axis."""
    if isinstance(arrays, dict) or not hasattr(arrays, "__getitem__"):
        raise TypeError("The first input argument needs to be a sequence")
    given = arrays if not is_array(arrays) else list(arrays)
    parts = as_arrays(*given)
    if not parts:
        raise ValueError("need at least one array to concatenate")
    if axis is None:
        parts, axis = [ravel(a) for a in parts], 0
    elif parts[0].ndim == 0:
        raise ValueError("zero-dimensional arrays cannot be concatenated")
    axis = normalize_axis(axis, parts[0].ndim)
    _check_joinable(parts, axis)
    shape = list(parts[0].shape)
    shape[axis] = sum(a.shape[axis] for a in parts)
    if out is None:
        kind = _common_type(given, parts) if dtype is None else np.dtype(dtype)
        fortran = len(shape) > 1 and all(a.flags.f_contiguous and not a.flags.c_contiguous for a in parts)
        out = _core.empty(tuple(shape), kind, parts[0].device, fortran)
    elif dtype is not None:
        raise TypeError("concatenate() only takes `out` or `dtype` as an argument, but both were provided.")
    elif as_output(out, "'out' must be an array").shape != tuple(shape):
        raise ValueError("Output array is the wrong shape")
    for x, a in zip(given, parts):
        if type(x) not in _WEAK and not np.can_cast(a.dtype, out.dtype, casting):
            raise TypeError(
                f"Cannot cast array data from {a.dtype!r} to {out.dtype!r} according to the rule '{casting}'"
            )
    at, key = 0, [slice(None)] * len(shape)
    for a in parts:
        key[axis] = slice(at, at + a.shape[axis])
        out[tuple(key)] = a
        at += a.shape[axis]
    return out


def _common_type(given: Any, parts: list[ndarray]) -> np.dtype:
    """Type of what is joined: Python's numbers take that of the arrays beside them."""
    return np.result_type(*(x if type(x) in _WEAK else a.dtype for x, a in zip(given, parts)))


concat = concatenate


@_core.function
def stack(arrays: Any, axis: int = 0, out: Any = None, *, dtype: Any = None, casting: str = "same_kind") -> ndarray:
    """Arrays of one shape joined along a new axis."""
    parts = as_arrays(*_sequence(arrays))
    if not parts:
        raise ValueError("need at least one array to stack")
    if len({a.shape for a in parts}) != 1:
        raise ValueError("all input arrays must have the same shape")
    axis = normalize_axis(axis, parts[0].ndim + 1)
    return concatenate([expand_dims(a, axis) for a in parts], axis, out, dtype=dtype, casting=casting)


def _sequence(arrays: Any) -> Any:
    if not hasattr(arrays, "__getitem__"):
        raise TypeError('arrays to stack must be passed as a "sequence" type such as list or tuple.')
    return arrays


def _listed(arrays: Any, widen: Any) -> list[ndarray]:
    r = widen(*as_arrays(*_sequence(arrays)))
    return list(r) if isinstance(r, tuple) else [r]


@_core.function
def vstack(tup: Any, *, dtype: Any = None, casting: str = "same_kind") -> ndarray:
    """Arrays joined row by row."""
    return concatenate(_listed(tup, atleast_2d), 0, dtype=dtype, casting=casting)


def row_stack(tup: Any, *, dtype: Any = None, casting: str = "same_kind") -> ndarray:
    """vstack by its old name."""
    warned.warn("`row_stack` alias is deprecated. Use `np.vstack` directly.", DeprecationWarning)
    return vstack(tup, dtype=dtype, casting=casting)


@_core.function
def hstack(tup: Any, *, dtype: Any = None, casting: str = "same_kind") -> ndarray:
    """Arrays joined column by column; flat ones end to end."""
    parts = _listed(tup, atleast_1d)
    return concatenate(parts, 0 if parts and parts[0].ndim == 1 else 1, dtype=dtype, casting=casting)


@_core.function
def dstack(tup: Any) -> ndarray:
    """Arrays joined along the third axis."""
    return concatenate(_listed(tup, atleast_3d), 2)


@_core.function
def column_stack(tup: Any) -> ndarray:
    """Flat arrays as the columns of a matrix."""
    return concatenate([_core.reshape(a, (a.size, 1)) if a.ndim < 2 else a for a in as_arrays(*_sequence(tup))], 1)


@_core.function
def append(arr: Any, values: Any, axis: int | None = None) -> ndarray:
    """Values joined to the end of a copy."""
    a, v = as_arrays(arr, values)
    return concatenate((ravel(a), ravel(v))) if axis is None else concatenate((a, v), axis)


def array_split(ary: Any, indices_or_sections: Any, axis: int = 0) -> list[ndarray]:
    """Views of parts that need not be of equal length."""
    a = as_array(ary)
    n = a.shape[axis]
    if np.ndim(indices_or_sections) == 0:
        sections = int(indices_or_sections)
        if sections <= 0:
            raise ValueError("number sections must be larger than 0.")
        each, extra = divmod(n, sections)
        cuts = [0]
        for k in range(sections):
            cuts.append(cuts[-1] + each + (k < extra))
    else:
        cuts = [0, *(int(i) for i in indices_or_sections), n]
    lead = (slice(None),) * normalize_axis(axis, a.ndim)
    return [a[(*lead, slice(i, j))] for i, j in zip(cuts[:-1], cuts[1:])]


def split(ary: Any, indices_or_sections: Any, axis: int = 0) -> list[ndarray]:
    """Views of equal parts, or of the parts between given positions."""
    a = as_array(ary)
    if np.ndim(indices_or_sections) == 0 and a.shape[axis] % int(indices_or_sections):
        raise ValueError("array split does not result in an equal division")
    return array_split(a, indices_or_sections, axis)


def vsplit(ary: Any, indices_or_sections: Any) -> list[ndarray]:
    """Views of parts along the first axis; see `split`."""
    if np.ndim(ary) < 2:
        raise ValueError("vsplit only works on arrays of 2 or more dimensions")
    return split(ary, indices_or_sections, 0)


def hsplit(ary: Any, indices_or_sections: Any) -> list[ndarray]:
    """Views of parts along the second axis, along the only one of flat arrays; see `split`."""
    if np.ndim(ary) == 0:
        raise ValueError("hsplit only works on arrays of 1 or more dimensions")
    return split(ary, indices_or_sections, 1 if np.ndim(ary) > 1 else 0)


def dsplit(ary: Any, indices_or_sections: Any) -> list[ndarray]:
    """Views of parts along the third axis; see `split`."""
    if np.ndim(ary) < 3:
        raise ValueError("dsplit only works on arrays of 3 or more dimensions")
    return split(ary, indices_or_sections, 2)


def unstack(x: Any, /, *, axis: int = 0) -> tuple[ndarray, ...]:
    """The parts of an array along an axis."""
    x = as_array(x)
    if x.ndim == 0:
        raise ValueError("Input array must be at least 1-d.")
    return tuple(moveaxis(x, axis, 0))


# ---- rearrangements


def flip(m: Any, axis: Any = None) -> ndarray:
    """A view with the order of elements reversed along some axes."""
    if (r := _core.small_flip(m, axis)) is not None:
        return r
    a = as_array(m)
    axes = range(a.ndim) if axis is None else normalize_axes(axis, a.ndim)
    return a[tuple(slice(None, None, -1) if k in axes else slice(None) for k in range(a.ndim))] if a.ndim else a[()]


def flipud(m: Any) -> ndarray:
    """A view with the rows reversed."""
    a = as_array(m)
    if a.ndim < 1:
        raise ValueError("Input must be >= 1-d.")
    return flip(a, 0)


def fliplr(m: Any) -> ndarray:
    """A view with the columns reversed."""
    a = as_array(m)
    if a.ndim < 2:
        raise ValueError("Input must be >= 2-d.")
    return flip(a, 1)


def rot90(m: Any, k: int = 1, axes: Any = (0, 1)) -> ndarray:
    """A view turned by quarters in the plane of two axes."""
    a, axes = as_array(m), tuple(axes)
    if len(axes) != 2:
        raise ValueError("len(axes) must be 2.")
    i, j = axes
    if i == j or abs(i - j) == a.ndim:
        raise ValueError("Axes must be different.")
    if not (-a.ndim <= i < a.ndim and -a.ndim <= j < a.ndim):
        raise ValueError(f"Axes={axes} out of range for array of ndim={a.ndim}.")
    k %= 4
    if k == 0:
        return a[...]
    if k == 2:
        return flip(a, (i, j))
    return swapaxes(flip(a, j), i, j) if k == 1 else flip(swapaxes(a, i, j), j)


@_core.function
def roll(a: Any, shift: Any, axis: Any = None) -> ndarray:
    """Elements moved along axes, those that leave at one end entering at the other."""
    a = as_array(a)
    if axis is None:
        return _core.reshape(roll(ravel(a), shift, 0), a.shape)
    axes = normalize_axes(axis, a.ndim, allow_duplicate=True)
    shifts, axes = np.broadcast_arrays(shift, axes)
    total = dict.fromkeys(range(a.ndim), 0)
    for s, k in zip(shifts.ravel().tolist(), axes.ravel().tolist()):
        total[k] += s
    moved = False
    for k, s in total.items():
        n = a.shape[k]
        if n and s % n:
            lead = (slice(None),) * k
            cut = n - s % n
            a, moved = concatenate((a[(*lead, slice(cut, None))], a[(*lead, slice(None, cut))]), k), True
    return a if moved else a.copy()


@_core.function
def repeat(a: Any, repeats: Any, axis: int | None = None) -> ndarray:
    """Each element several times, one after the other."""
    a = as_array(a)
    if axis is None:
        a, axis = ravel(a), 0
    a = a if a.ndim else _core.reshape(a, (1,))
    axis = normalize_axis(axis, a.ndim)
    n = a.shape[axis]
    given = isinstance(repeats, (ndarray, np.ndarray))
    counts = as_array(repeats if is_array(repeats) else np.asarray(repeats, None if given else np.intp), a)
    if not np.can_cast(counts.dtype, np.intp, "safe"):
        what = "array data" if counts.ndim else "scalar"
        raise TypeError(
            f"Cannot cast {what} from {counts.dtype!r} to {np.dtype(np.intp)!r} according to the rule 'safe'"
        )
    if counts.ndim > 1:
        raise ValueError("object too deep for desired array")
    if counts.size not in (1, n):
        raise ValueError(f"operands could not be broadcast together with shape ({n},) ({counts.size},)")
    if n and counts.size and int(counts.min()) < 0:
        raise ValueError(
            "negative dimensions are not allowed" if counts.size == 1 else "repeats may not contain negative values."
        )
    if counts.size == 1:
        k = max(operator.index(counts.reshape(()).item()), 0)
        lead, tail = a.shape[: axis + 1], a.shape[axis + 1 :]
        wide = _core.broadcast_to(_core.reshape(a, (*lead, 1, *tail)), (*lead, k, *tail))
        return _core.reshape(wide.copy("C"), (*a.shape[:axis], n * k, *tail))
    return _core.take(a, _each_so_often(counts.astype(np.intp, copy=False)), axis)


def _each_so_often(counts: ndarray) -> ndarray:
    """0, 1, ... each as often as its count: how many of them end at or before each place."""
    ends = counts.cumsum()
    total = int(ends[-1]) if counts.size else 0
    return (
        _core.bincount(ends[:-1], total + 1)[:total].cumsum()
        if counts.size > 1
        else _core.full((total,), 0, np.intp, counts.device)
    )


@_core.function
def tile(A: Any, reps: Any) -> ndarray:
    """The array side by side, as often as wanted along each axis."""
    a = as_array(A)
    reps = (reps,) if np.ndim(reps) == 0 else tuple(reps)
    ndim = max(a.ndim, len(reps))
    reps = (1,) * (ndim - len(reps)) + tuple(operator.index(r) for r in reps)
    shape = (1,) * (ndim - a.ndim) + a.shape
    between = tuple(x for n in shape for x in (1, n))
    wide = _core.broadcast_to(_core.reshape(a, between), tuple(x for r, n in zip(reps, shape) for x in (r, n)))
    return _core.reshape(wide.copy("C"), tuple(r * n for r, n in zip(reps, shape)))
