"""Elements picked by position, by condition and by order; writes of the same kinds; conversions of type."""

from __future__ import annotations

import builtins
import math
from typing import Any

import numpy as np

from .. import _core
from .._array.caller_warnings import discards_imaginary
from .._array.conversion import (
    as_array,
    as_arrays,
    as_given,
    as_host,
    as_target,
    as_value,
    host_view,
    is_array,
    ndarray,
)
from .._array.datetimes import convert
from .._array.ufuncs import by_name, rows
from .creation import empty
from .manipulation import normalize_axes, normalize_axis, ravel, stack, transpose

_NO_VALUE = np._NoValue
HIDDEN = ("cast", "limited")  # what other modules want, and the namespace has not
_OPERANDS = frozenset({ndarray, np.ndarray, int, float, complex, bool, *np.sctypeDict.values()})
_select, _clip_op = rows["where"]["ufunc"], rows["clip"]["ufunc"]


def _positions(indices: Any, n: int, mode: str, like: ndarray) -> ndarray:
    p = as_array(indices, like)
    if p.dtype.kind == "f" and not isinstance(indices, (ndarray, np.ndarray)):
        p = p.astype(np.int64)
    if p.dtype.kind not in "biu":
        raise TypeError(f"Cannot cast array data from {p.dtype!r} to dtype('int64') according to the rule 'safe'")
    p = p.astype(np.int64, copy=False)
    if mode == "wrap":
        return as_array(p % n, like) if n else p
    if mode == "clip":
        return as_array(limited(p, 0, max(n - 1, 0), None), like)
    if mode != "raise":
        raise ValueError(f"clipmode must be one of 'clip', 'raise', or 'wrap' (got '{mode}')")
    return p


@_core.function
def take(a: Any, indices: Any, axis: int | None = None, out: Any = None, mode: str = "raise") -> ndarray:
    """Elements at given positions along an axis."""
    a = as_array(a, indices)
    if axis is None:
        a, axis = ravel(a), 0
    if a.ndim == 0:
        a = _core.reshape(a, (1,))
    axis = normalize_axis(axis, a.ndim)
    n = a.shape[axis]
    p = as_array(_positions(indices, n, mode, a), a)
    if n == 0 and p.size:
        raise IndexError("cannot do a non-empty take from an empty axes.")
    r = _core.take(a, p, axis)
    if out is None:
        return as_value(r)
    if out.shape != r.shape:
        raise ValueError("output array does not match result of ndarray.take")
    if not np.can_cast(out.dtype, r.dtype):  # NumPy takes into a copy of the output, of the array's type
        raise TypeError(f"Cannot cast array data from {out.dtype!r} to {r.dtype!r} according to the rule 'safe'")
    out[...] = r
    return out


def take_along_axis(arr: Any, indices: Any, axis: int | None = -1) -> ndarray:
    """Elements at positions that differ from line to line along an axis."""
    a = as_array(arr)
    p = as_array(indices, a)
    if axis is None:
        a, axis = ravel(a), 0
    axis = normalize_axis(axis, a.ndim)
    return a[_along(a, p, axis)]


def put_along_axis(arr: ndarray, indices: Any, values: Any, axis: int | None) -> None:
    """Write at positions that differ from line to line along an axis."""
    a = arr if axis is not None else arr.reshape(-1)
    axis = 0 if axis is None else normalize_axis(axis, a.ndim)
    a[_along(a, as_array(indices, a), axis)] = values


def _along(a: ndarray, p: ndarray, axis: int) -> tuple[Any, ...]:
    if p.dtype.kind not in "iu":
        raise IndexError("`indices` must be an integer array")
    if a.ndim != p.ndim:
        raise ValueError("`indices` and `arr` must have the same number of dimensions")
    count = lambda n: _core.arange(0, 1, n, np.dtype(np.intp), a.device)
    key = [_core.reshape(count(n), (n,) + (1,) * (a.ndim - 1 - k)) for k, n in enumerate(a.shape)]
    return tuple(p if k == axis else i for k, i in enumerate(key))


@_core.function
def where(condition: Any, x: Any = None, y: Any = None, /) -> Any:
    """Elements of x where the condition holds, else of y; with the condition alone, the positions where it holds."""
    if x is None and y is None:
        return nonzero(condition)
    for v in (condition, x, y):
        if hasattr(v, "__traced_where__"):
            return v.__traced_where__(condition, x, y)
    if x is None or y is None:
        raise ValueError("either both or neither of x and y should be given")
    like = next((v for v in (condition, x, y) if is_array(v)), None)
    c = as_array(condition, like)
    if c.dtype.kind != "b":
        c = c.astype(bool)
    if type(x) in (int, float, complex, bool) and type(y) in (int, float, complex, bool):
        x = as_array(np.asarray(x, np.result_type(type(x), type(y))), c)
    x, y = (
        v if type(v) in _OPERANDS else as_array(v, c) for v in (x, y)
    )  # of classes with a say, too: NumPy asks none
    try:
        return _select(c, x, y, out=...)
    except OverflowError:  # NumPy's where casts integers that some type holds to that of the result, fitting or not
        number, other = (x, y) if type(x) is int else (y, x)
        if type(number) is not int or not -(2**63) <= number < 2**64:
            raise
        other = as_array(other, c)
        number = as_array(np.asarray(number).astype(np.result_type(other.dtype, 1)), c)
        return _select(c, *((number, other) if type(x) is int else (other, number)), out=...)


@_core.function
def nonzero(a: Any) -> tuple[ndarray, ...]:
    """Positions of the elements that are not zero, one array an axis."""
    a = as_array(a)
    if a.ndim == 0:
        raise ValueError("Calling nonzero on 0d arrays is not allowed. Use np.atleast_1d(scalar).nonzero() instead.")
    return _core.nonzero(a if a.dtype.kind == "b" else a.astype(bool))


def flatnonzero(a: Any) -> ndarray:
    """Positions in the flattened array of the elements that are not zero."""
    return nonzero(ravel(a))[0]


def argwhere(a: Any) -> ndarray:
    """Positions of the elements that are not zero, one row an element."""
    a = as_array(a)
    if a.ndim == 0:
        return empty((int(bool(a)), 0), np.int64, device=a.device)
    return transpose(stack(nonzero(a)))


def compress(condition: Any, a: Any, axis: int | None = None, out: Any = None) -> ndarray:
    """Slices along an axis for which the condition holds."""
    a, c = as_arrays(a, condition)
    if c.ndim != 1:
        raise ValueError("condition must be a 1-d array")
    return take(a, nonzero(c)[0], axis, out)


def extract(condition: Any, arr: Any) -> ndarray:
    """Elements for which the condition holds, along one axis."""
    return compress(ravel(as_array(condition, arr)), ravel(arr))


@_core.method_first
def clip(
    a: Any, a_min: Any = _NO_VALUE, a_max: Any = _NO_VALUE, out: Any = None, *, min: Any = _NO_VALUE,
    max: Any = _NO_VALUE, **kwargs: Any,
) -> ndarray:  # fmt: skip
    """Elements limited to an interval."""
    if a_min is _NO_VALUE and a_max is _NO_VALUE:
        low, high = (None if v is _NO_VALUE else v for v in (min, max))
    elif a_min is _NO_VALUE or a_max is _NO_VALUE:
        raise TypeError(
            f"clip() missing 1 required positional argument: '{'a_min' if a_min is _NO_VALUE else 'a_max'}'"
        )
    elif min is not _NO_VALUE or max is not _NO_VALUE:
        raise ValueError("Passing `min` or `max` keyword argument when `a_min` and `a_max` are provided is forbidden.")
    else:
        low, high = a_min, a_max
    return limited(as_array(a, next((v for v in (low, high) if is_array(v)), None)), low, high, out, **kwargs)


def limited(a: ndarray, low: Any, high: Any, out: Any, **kwargs: Any) -> ndarray:
    """Elements limited to an interval; None is no limit."""
    if out is not None:
        kwargs["out"] = out
    low, high = _limits(low, high, a)
    if low is None and high is None:
        return by_name["positive"](a, **kwargs)
    if low is None:
        return by_name["minimum"](a, high, **kwargs)
    if high is None:
        return by_name["maximum"](a, low, **kwargs)
    return _clip_op(a, low, high, **kwargs)


def _limits(low: Any, high: Any, a: ndarray) -> tuple[Any, Any]:
    """The limits, None for a Python integer that the elements' type keeps by itself."""
    if a.dtype.kind not in "iu":
        return low, high
    info = np.iinfo(a.dtype)
    return (
        None if type(low) is int and low <= info.min else low,
        None if type(high) is int and high >= info.max else high,
    )


def astype(x: Any, dtype: Any, /, *, copy: bool = True, device: str | None = None) -> ndarray:
    """The elements as another type."""
    if not (is_array(x) or isinstance(x, (np.ndarray, np.generic))):
        raise TypeError(f"Input should be a NumPy array or scalar. It is a {type(x)} instead.")
    r = as_array(x).astype(dtype, copy=copy)
    return as_given(r if device is None else r.to_device(device), x)


def cast(
    a: ndarray, dtype: Any, order: str = "K", casting: str = "unsafe", subok: bool = True, copy: bool = True
) -> ndarray:
    """ndarray.astype: the elements as another type; `copy=False` gives the array itself where nothing changes."""
    t, order = np.dtype(dtype), "K" if order is None else order
    if casting != "unsafe" and not np.can_cast(a.dtype, t, casting):
        raise TypeError(f"Cannot cast array data from {a.dtype!r} to {t!r} according to the rule '{casting}'")
    discards_imaginary(a.dtype, t)
    if t.kind in "mM" and a.dtype.kind in "mM" and t != a.dtype:
        return convert(a, t)
    if not copy and t == a.dtype and (order in ("K", "k") or _core.astype(a, t, False, order).strides == a.strides):
        return a
    return _core.astype(a, t, copy, order)


def copyto(dst: ndarray, src: Any, casting: str = "same_kind", where: Any = True) -> None:
    """Write one array into another, where a condition holds."""
    dst = as_target(dst)
    if not is_array(dst):
        raise TypeError(f"copyto() argument 1 must be bascule.ndarray, not {type(dst).__name__}")
    if where is True and casting == "same_kind" and type(src) is ndarray and src.dtype is dst.dtype:
        dst[...] = src
        return
    if type(src) in (int, float, complex, bool):
        kind = np.asarray(src).dtype
        fits = {int: "iu", float: "fc", complex: "c"}.get(type(src), "")  # a Python number takes any type of its kind
        if dst.dtype.kind not in fits and not np.can_cast(kind, dst.dtype, casting):
            raise TypeError(f"Cannot cast scalar from {kind!r} to {dst.dtype!r} according to the rule '{casting}'")
        if type(src) is int and dst.dtype.kind in "iu":
            np.asarray(src, dst.dtype)  # raises NumPy's OverflowError
    else:
        src = as_array(src, dst)
        if src.dtype is not dst.dtype and not np.can_cast(src.dtype, dst.dtype, casting):
            raise TypeError(
                f"Cannot cast array data from {src.dtype!r} to {dst.dtype!r} according to the rule '{casting}'"
            )
    if where is True:
        dst[...] = src
    else:
        chosen = as_array(where, dst)
        dst[...] = _select(chosen if chosen.shape == dst.shape else _core.broadcast_to(chosen, dst.shape), src, dst)


_NO_ARRAY = {
    "place": "place() argument 1 must be numpy.ndarray, not {0.__name__}",
    "put": "argument 1 must be numpy.ndarray, not {0}",
    "putmask": "putmask: first argument must be an array",
}
_READ_ONLY = {
    "place": "WRITEBACKIFCOPY base is read-only",
    "put": "put: output array is read-only",
    "putmask": "putmask: output array is read-only",
}


def _check_target(name: str, a: Any) -> None:
    """What is no array, or may not be written to, is refused whether or not anything would be written."""
    ours = type(a) is ndarray
    if not ours and not isinstance(a, np.ndarray):
        raise TypeError(_NO_ARRAY[name].format(type(a)))
    if not (_core.is_writeable(a) if ours else a.flags.writeable):
        raise ValueError(_READ_ONLY[name])


def _values_for(a: ndarray, values: Any) -> ndarray:
    """Values to write here and there: of arrays those that their type keeps, of anything else what `a` makes of it."""
    if not isinstance(values, (ndarray, np.ndarray)):
        return as_array(np.asarray(values, a.dtype), a)
    if not np.can_cast(values.dtype, a.dtype, "safe"):
        what = "array data" if values.ndim else "scalar"
        raise TypeError(f"Cannot cast {what} from {values.dtype!r} to {a.dtype!r} according to the rule 'safe'")
    return as_array(values, a)


def putmask(a: ndarray, /, mask: Any, values: Any) -> None:
    """Write values where a mask holds, repeating them along the array."""
    if _core.small_putmask(a, mask, values):
        return
    _check_target("putmask", a)
    m, v = as_array(mask, a), _values_for(a, values)
    if m.size != a.size:
        raise ValueError("putmask: mask and data must be the same size")
    m = m if m.shape == a.shape else _core.reshape(m, a.shape)
    if v.size == 1:
        copyto(a, _core.reshape(v, ()), casting="unsafe", where=m)
    elif v.shape == a.shape:
        copyto(a, v, casting="unsafe", where=m)
    elif v.size:
        positions = _core.reshape(_places(a.size, a.device) % v.size, a.shape)
        copyto(a, ravel(v)[positions], casting="unsafe", where=m)


def _places(n: int, device: str) -> ndarray:
    """0, 1, ... of so many."""
    return _core.arange(0, 1, n, np.dtype(np.intp), device)


def place(arr: ndarray, mask: Any, vals: Any) -> None:
    """Write the n-th value at the n-th place where a mask holds."""
    if _core.small_place(arr, mask, vals):
        return
    _check_target("place", arr)
    m = as_array(mask, arr)
    if m.shape != arr.shape:
        if m.size != arr.size:
            raise ValueError("place: mask and data must be the same size")
        m = _core.reshape(m, arr.shape)
    count = int(_core.count_nonzero(m))
    if count:
        v = ravel(_values_for(arr, vals))
        if v.size == 0:
            raise ValueError("Cannot insert from an empty array!")
        if v.size >= count and v.dtype is arr.dtype and m.dtype.kind == "b":
            arr[m] = v[:count]
            return
        arr[m.astype(bool, copy=False)] = take(v, _places(count, arr.device) % v.size).astype(arr.dtype, copy=False)


def _beside(a: Any, ind: Any, v: Any) -> bool:
    """Whether a value of the array's type stands beside every position in an array of one axis."""
    return (
        type(a) is type(ind) is type(v) is ndarray
        and a.ndim == 1
        and ind.shape == v.shape
        and v.dtype is a.dtype
        and ind.dtype.kind == "i"
    )


@_core.function
def put(a: ndarray, ind: Any, v: Any, mode: str = "raise") -> None:
    """Write values at positions of the flattened array."""
    _check_target("put", a)
    if mode == "raise" and _beside(a, ind, v):
        a[ind] = v
        return
    p = ravel(as_array(ind, a))
    if p.size and a.size == 0:
        raise IndexError("cannot replace elements of an empty array")
    p = _positions(p if isinstance(ind, (ndarray, np.ndarray)) else p.astype(np.int64), a.size, mode, a)
    if mode == "raise" and p.size:
        for bad in (int(p.min()), int(p.max())):
            if not -a.size <= bad < a.size:
                raise IndexError(f"index {bad} is out of bounds for axis 0 with size {a.size}")
    values = ravel(as_array(v if isinstance(v, (ndarray, np.ndarray)) else as_host(v, a.dtype), a))
    if values.size and p.size:
        a = a if a.ndim else _core.reshape(a, (1,))
        where_ = _unraveled(p % a.size if mode == "raise" else p, a.shape) if a.ndim != 1 else (p,)
        a[where_] = take(values, np.arange(p.size) % values.size).astype(a.dtype, copy=False)


def _unraveled(p: ndarray, shape: tuple[int, ...]) -> tuple[ndarray, ...]:
    """Coordinates of the elements at positions, which are within the array of this shape."""
    found = []
    for n in reversed(shape):
        found.append(p % n)
        p = p // n
    return tuple(reversed(found))


def fill_diagonal(a: ndarray, val: Any, wrap: bool = False) -> None:
    """Write the main diagonal; with `wrap` it goes on in the rows below a square."""
    a = as_target(a)
    if a.ndim < 2:
        raise ValueError("array must be at least 2-d")
    if a.ndim > 2 and len(set(a.shape)) > 1:
        raise ValueError("All dimensions of input must be of equal length")
    values = ravel(as_array(val, a))
    if a.ndim == 2 and wrap and a.shape[0] > a.shape[1]:
        at = np.arange(0, a.size, a.shape[1] + 1)
        if at.size and values.size:
            a[at // a.shape[1], at % a.shape[1]] = take(values, np.arange(at.size) % values.size)
        return
    n = builtins.min(a.shape)
    if n and values.size:
        values = values if values.size == 1 else take(values, np.arange(n) % values.size)
        _core.view(a, (n,), (builtins.sum(a.strides),))[...] = values


def diagonal(a: Any, offset: int = 0, axis1: int = 0, axis2: int = 1) -> ndarray:
    """A read-only view of a diagonal."""
    if offset == 0 == axis1 and axis2 == 1 and (r := _core.diagonal_view(a)) is not None:
        return r
    a = as_array(a)
    if a.ndim < 2:
        raise ValueError("diag requires an array of at least two dimensions")
    i, j = normalize_axis(axis1, a.ndim, "axis1"), normalize_axis(axis2, a.ndim, "axis2")
    if i == j:
        raise ValueError("axis1 and axis2 cannot be the same")
    rest = [k for k in range(a.ndim) if k not in (i, j)]
    n, m = a.shape[i], a.shape[j]
    count = builtins.min(n, m - offset) if offset >= 0 else builtins.min(n + offset, m)
    start = offset * a.strides[j] if offset >= 0 else -offset * a.strides[i]
    count = builtins.max(count, 0)
    r = _core.view(a, (*(a.shape[k] for k in rest), count), (*(a.strides[k] for k in rest), a.strides[i] + a.strides[j]),
                   start if count else 0)  # fmt: skip
    _core.set_writeable(r, False)
    return r


def trace(a: Any, offset: int = 0, axis1: int = 0, axis2: int = 1, dtype: Any = None, out: Any = None) -> ndarray:
    """Sum along a diagonal."""
    d = diagonal(a, offset, axis1, axis2)
    discards_imaginary(d.dtype, dtype)
    return d.sum(axis=-1, dtype=dtype, out=out)


def shares_memory(a: Any, b: Any, /, max_work: int | None = -1) -> bool:
    """Whether two arrays have an element in common."""
    if is_array(a) and is_array(b):
        if not _core.may_share_memory(a, b):
            return False
        return np.shares_memory(host_view(a), host_view(b), max_work) if not a.device.startswith("cuda") else True
    return np.shares_memory(_memory(a), _memory(b), max_work)


def may_share_memory(a: Any, b: Any, /, max_work: int | None = 0) -> bool:
    """Whether two arrays may have an element in common, by their bounds where no work is allowed."""
    if max_work in (0, None) and is_array(a) and is_array(b):
        return _core.may_share_memory(a, b)
    return np.may_share_memory(_memory(a), _memory(b), max_work)


def _memory(x: Any) -> np.ndarray:
    n = as_host(x)
    return host_view(n) if is_array(n) else n


def ndim(a: Any) -> int:
    """Number of axes."""
    return a.ndim if hasattr(a, "ndim") else np.ndim(a)


def shape(a: Any) -> tuple[int, ...]:
    """Extents of the axes."""
    return a.shape if hasattr(a, "shape") else np.shape(a)


def size(a: Any, axis: Any = None) -> int:
    """Number of elements, or extent of an axis or of several."""
    dims = shape(a)
    if axis is None:
        return math.prod(dims)
    return math.prod(dims[k] for k in normalize_axes(axis, len(dims)))
