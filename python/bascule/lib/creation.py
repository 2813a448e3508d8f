"""New arrays, as NumPy and the Array API make them, on any device."""

from __future__ import annotations

import math
import operator
from typing import Any

import numpy as np

from .. import _core
from .._array import conversion
from .._array.conversion import (
    as_array,
    as_host,
    extents,
    is_array,
    is_derived,
    ndarray,
    numbers_from,
)
from .._array.ufuncs import by_name, rows
from ..interop import dlpack as interop
from .lines import lines_between

_where = rows["where"]["ufunc"]
_MISSING = np._NoValue
_HOST = (list, tuple, np.ndarray)


def _fortran(order: Any, like: Any = None) -> bool:
    if order in ("C", "c", None):
        return False
    if order in ("F", "f"):
        return True
    if order in ("A", "K", "a", "k"):
        return like is not None and like.ndim > 1 and like.flags.f_contiguous and not like.flags.c_contiguous
    raise ValueError(f"order must be one of 'C', 'F', 'A', or 'K' (got '{order}')")


def _shape(shape: Any) -> tuple[int, ...]:
    if type(shape) is int and 0 <= shape < 2**62:
        return (shape,)
    dims = tuple(extents(shape))
    if any(n < 0 for n in dims):
        raise ValueError("negative dimensions are not allowed")
    if math.prod(dims) >= 2**63:
        raise ValueError("array is too big; `arr.size * arr.dtype.itemsize` is larger than the maximum possible size.")
    return dims


def _convert(x: Any, dtype: Any, copy: bool | None, order: Any, device: str | None) -> ndarray:
    if isinstance(copy, str):
        raise ValueError("strings are not allowed for 'copy' keyword. Use True/False/None instead.")
    if copy is not None and copy is not True and copy is not False:  # np._CopyMode, numpy.bool and the like
        copy = None if copy is np._CopyMode.IF_NEEDED else copy is not np._CopyMode.NEVER and bool(copy)
    if is_array(x):
        t = x.dtype if dtype is None else np.dtype(dtype)
        if device is not None and device != x.device:
            if copy is False:
                raise ValueError(f"[asarray] an array on {x.device} cannot be shared with {device}")
            x = _core.to_device(x, device)
            copy = None
        laid_out = order not in ("C", "F", "c", "f") or x.flags["F" if order in ("F", "f") else "C"]
        if copy is False and not (t == x.dtype and laid_out):
            raise ValueError("Unable to avoid copy while creating an array as requested.")
        return x.astype(t, order=order or "K", copy=copy is True)
    if interop.has_cuda_memory(x):
        a = interop.from_cuda_array_interface(x)
        return _convert(a, dtype, copy if copy is False else True, order, device)
    n = as_host(x, None if dtype is None else np.dtype(dtype), order if order != "K" else None, copy)
    if is_array(n):
        return _convert(n, dtype, copy and None, order, device)  # a copy was its class's to see to
    if copy is False:
        shares = n is x or np.may_share_memory(n, x if isinstance(x, np.ndarray) else n)
        lasts = hasattr(x, "__array_interface__") or _has_buffer(x)
        if not shares or (not isinstance(x, np.ndarray) and (not lasts or isinstance(x, np.generic))):
            raise ValueError("Unable to avoid copy while creating an array as requested.")
        return _core.from_numpy(n, device, True)
    return _core.from_numpy(n, device)


def _from_host(x: Any, dtype: Any) -> ndarray:
    if (r := numbers_from(x, dtype)) is not None:
        return r
    n = as_host(x, None if dtype is None else np.dtype(dtype))
    return _convert(n, dtype, True, "K", None) if type(n) is ndarray else _core.from_numpy(n)


def _has_buffer(x: Any) -> bool:
    try:
        memoryview(x)
    except TypeError:
        return False
    return True


@_core.function
def array(
    object: Any,
    dtype: Any = None,
    *,
    copy: bool | None = True,
    order: str = "K",
    subok: bool = False,
    ndmin: int = 0,
    ndmax: int = 0,
    like: Any = None,
    device: str | None = None,
) -> ndarray:
    """Make an array on the device from anything NumPy can make one of.

    Parameters
    ----------
    object : array_like
        Data; a NumPy array is copied.
    dtype : dtype, optional
        Type of the elements; found as NumPy finds it when absent.
    copy : bool or None, optional
        True copies, None copies a bascule array only if needed, False shares the memory of a NumPy array or raises.
    order : {"K", "A", "C", "F"}, optional
        Layout in memory.
    subok : bool, optional
        Leave arrays of classes derived from NumPy's of their class.
    ndmin : int, optional
        Least number of axes; axes of length one are put in front.
    ndmax : int, optional
        Most axes that are looked for in nested sequences; 0 for any number.
    device : str, optional
        Where it lies; by default `config.device`.

    Returns
    -------
    ndarray

    Examples
    --------
    >>> import bascule as bc
    >>> bc.array([1, 2, 3], ndmin=2).shape
    (1, 3)
    """
    if copy is True and order == "K" and device is like is None and ndmin == ndmax == 0:
        if type(object) in _HOST:
            return _from_host(object, dtype)
        if type(object) is ndarray and dtype is None:
            return object.copy("K")
    if subok and is_derived(object):
        return np.array(object, dtype, copy=copy, order=order, subok=True, ndmin=ndmin)
    if ndmax:
        if 0 <= ndmax < ndmin:
            raise ValueError(f"ndmin must be <= ndmax ({ndmax})")
        object = object if is_array(object) else np.array(object, dtype, copy=None, ndmax=ndmax)
    a = _convert(object, dtype, copy, order, like.device if device is None and is_array(like) else device)
    return a if a.ndim >= ndmin else _core.reshape(a, (1,) * (ndmin - a.ndim) + a.shape)


@_core.function
def asarray(
    a: Any,
    dtype: Any = None,
    order: str | None = None,
    *,
    device: str | None = None,
    copy: bool | None = None,
    like: Any = None,
) -> ndarray:
    """a as an array: itself if it is one already, else a copy on the device; `copy=False` shares a NumPy array's memory."""
    if order is device is copy is like is None:
        if type(a) is ndarray and (dtype is None or a.dtype == np.dtype(dtype)):
            return a
        if type(a) in _HOST:
            return _from_host(a, dtype)
    plain = order in ("C", "F") and dtype is device is copy is like is None
    if plain and (r := _core.in_order(a, order == "F")) is not None:
        return r
    if device is None and is_array(like):
        device = like.device
    return _convert(a, dtype, copy, order or "K", device)


def ascontiguousarray(a: Any, dtype: Any = None, *, like: Any = None) -> ndarray:
    """a in C order, with at least one axis."""
    r = _core.in_order(a, False) if dtype is like is None else None
    r = asarray(a, dtype, order="C", like=like) if r is None else r
    return r if r.ndim else _core.reshape(r, (1,))


def asfortranarray(a: Any, dtype: Any = None, *, like: Any = None) -> ndarray:
    """a in Fortran order, with at least one axis."""
    r = _core.in_order(a, True) if dtype is like is None else None
    r = asarray(a, dtype, order="F", like=like) if r is None else r
    return r if r.ndim else _core.reshape(r, (1,))


def asarray_chkfinite(a: Any, dtype: Any = None, order: str | None = None) -> ndarray:
    """a as an array; a ValueError where it holds NaN or infinities."""
    r = asarray(a, dtype, order)
    if r.dtype.kind in "fc" and not bool(by_name["isfinite"](r).all()):
        raise ValueError("array must not contain infs or NaNs")
    return r


def isfortran(a: ndarray) -> bool:
    """Whether an array lies in Fortran order and not in C order."""
    return a.flags.fnc


_REQUIREMENTS = {
    "C": "C", "C_CONTIGUOUS": "C", "CONTIGUOUS": "C", "F": "F", "F_CONTIGUOUS": "F", "FORTRAN": "F", "A": "A",
    "ALIGNED": "A", "W": "W", "WRITEABLE": "W", "O": "O", "OWNDATA": "O", "E": "E", "ENSUREARRAY": "E",
}  # fmt: skip


def require(a: Any, dtype: Any = None, requirements: Any = None, *, like: Any = None) -> ndarray:
    """a as an array of a type that meets requirements: layout, writeable, own data; copied where it does not."""
    if not requirements:
        return asarray(a, dtype, like=like)
    wanted = {_REQUIREMENTS[x.upper()] for x in requirements}
    if wanted >= {"C", "F"}:
        raise ValueError('Cannot specify both "C" and "F" order')
    order = "C" if "C" in wanted else "F" if "F" in wanted else "A"
    r = asarray(a, dtype, order if order != "A" else "K", like=like)
    return r if all(r.flags[name] for name in wanted - {"C", "F", "E"}) else r.copy(order)


def copy(a: Any, order: str = "K", subok: bool = False) -> ndarray:
    """A copy of an array."""
    return array(a, order=order, copy=True)


def _device(device: str | None, like: Any) -> str | None:
    return like.device if device is None and is_array(like) else device


@_core.function
def empty(shape: Any, dtype: Any = None, order: str = "C", *, device: str | None = None, like: Any = None) -> ndarray:
    """A new array whose elements are not set."""
    return _core.empty(_shape(shape), np.dtype(dtype), _device(device, like), _fortran(order))


@_core.function
def full(
    shape: Any, fill_value: Any, dtype: Any = None, order: str = "C", *, device: str | None = None, like: Any = None
) -> ndarray:
    """A new array filled with one value, or with an array broadcast to the shape."""
    dims, far = _shape(shape), dtype is not None and conversion.overflows(fill_value, np.dtype(dtype))
    if type(fill_value) in (int, float, bool, complex):
        t = np.asarray(fill_value).dtype if dtype is None else np.dtype(dtype)
        if t.kind not in "mM" and not (t.kind in "biuf" and isinstance(fill_value, complex)):
            if not (far or (t.kind in "iu" and isinstance(fill_value, float) and not math.isfinite(fill_value))):
                return _core.full(dims, fill_value, t, _device(device, like), _fortran(order))
    value = fill_value if far or is_array(fill_value) else np.asarray(fill_value)
    t = value.dtype if dtype is None else np.dtype(dtype)
    a = _core.empty(dims, t, _device(device, like), _fortran(order))
    a[...] = (
        value if far or is_array(value) else as_array(value.astype(t), a)
    )  # the first tells what is too large for the type
    return a


@_core.function
def zeros(shape: Any, dtype: Any = None, order: str = "C", *, device: str | None = None, like: Any = None) -> ndarray:
    """A new array of zeros."""
    return _core.full(_shape(shape), 0, np.dtype(dtype), _device(device, like), _fortran(order))


@_core.function
def ones(shape: Any, dtype: Any = None, order: str = "C", *, device: str | None = None, like: Any = None) -> ndarray:
    """A new array of ones."""
    return _core.full(_shape(shape), 1, np.dtype(dtype), _device(device, like), _fortran(order))


def _as_prototype(a: Any, dtype: Any, order: str, shape: Any, device: str | None) -> tuple[ndarray, dict[str, Any]]:
    p = as_array(a)
    dims = p.shape if shape is None else _shape(shape)
    where = p.device if device is None else device
    return p, {"shape": dims, "dtype": p.dtype if dtype is None else np.dtype(dtype), "order": order, "device": where}


def _laid_like(p: ndarray, how: dict[str, Any]) -> ndarray | None:
    """An empty array whose axes lie in memory as the prototype's do, where that is neither C nor Fortran order."""
    shape, keeps = how["shape"], how["order"] in ("K", "k")
    if keeps and len(shape) != p.ndim:
        how["order"] = "C"
        return None
    if not keeps or p.ndim < 2 or p.flags.c_contiguous or p.flags.f_contiguous:
        how["order"] = "F" if _fortran(how["order"], p) else "C"
        return None
    axes = sorted(range(p.ndim), key=lambda k: -abs(p.strides[k]))
    dense = empty(tuple(shape[k] for k in axes), how["dtype"], device=how["device"])
    return _core.transpose(dense, [axes.index(k) for k in range(p.ndim)])


@_core.function
def empty_like(
    prototype: Any,
    /,
    dtype: Any = None,
    order: str = "K",
    subok: bool = True,
    shape: Any = None,
    *,
    device: str | None = None,
) -> ndarray:
    """A new array of the same shape, type and layout, whose elements are not set."""
    p, how = _as_prototype(prototype, dtype, order, shape, device)
    laid = _laid_like(p, how)
    return empty(**how) if laid is None else laid


@_core.function
def full_like(
    a: Any,
    fill_value: Any,
    dtype: Any = None,
    order: str = "K",
    subok: bool = True,
    shape: Any = None,
    *,
    device: str | None = None,
) -> ndarray:
    """A new array of the same shape, type and layout, filled with a value."""
    p, how = _as_prototype(a, dtype, order, shape, device)
    laid = _laid_like(p, how)
    if laid is None:
        return full(fill_value=fill_value, **how)
    laid[...] = fill_value
    return laid


@_core.function
def zeros_like(
    a: Any, dtype: Any = None, order: str = "K", subok: bool = True, shape: Any = None, *, device: str | None = None
) -> ndarray:
    """A new array of zeros with the same shape, type and layout."""
    return full_like(a, 0, dtype, order, subok, shape, device=device)


@_core.function
def ones_like(
    a: Any, dtype: Any = None, order: str = "K", subok: bool = True, shape: Any = None, *, device: str | None = None
) -> ndarray:
    """A new array of ones with the same shape, type and layout."""
    return full_like(a, 1, dtype, order, subok, shape, device=device)


def _range_length(start: Any, stop: Any, step: Any) -> int:
    if step == 0:
        raise ZeroDivisionError("division by zero")
    span = stop - start
    if math.isnan(count := span / step):
        raise ValueError("arange: cannot compute length")
    if abs(count) > 2**62:
        raise ValueError("Maximum allowed size exceeded")
    too_small = count == 0 != span  # a part of the step
    return int(math.copysign(1, count) > 0) if too_small else max(math.ceil(count), 0)


@_core.function
def arange(
    start_or_stop: Any = _MISSING, /, stop: Any = None, step: Any = 1, *more: Any, dtype: Any = None,
    device: str | None = None, like: Any = None, start: Any = _MISSING,
) -> ndarray:  # fmt: skip
    """Numbers at equal distances: below a stop from zero on, or from a start on.

    Parameters
    ----------
    start_or_stop : scalar
        The stop where `stop` is not given, else the start.
    stop : scalar, optional
        First number that is not reached.
    step : scalar, optional
        Distance.
    dtype : dtype, optional
        Found as NumPy finds it when absent.
    device : str, optional
        Where the result lies; by default `config.device`.
    like : ndarray, optional
        Another way to say where.

    Returns
    -------
    ndarray of one axis

    Raises
    ------
    TypeError
        There is no stop.
    ZeroDivisionError
        The step is zero.

    Examples
    --------
    >>> import bascule as bc
    >>> bc.arange(1, 7, 2).tolist()
    [1, 3, 5]
    """
    if more:
        (dtype,) = more
    first = start if start_or_stop is _MISSING else start_or_stop
    if stop is None:
        if start_or_stop is _MISSING:
            raise TypeError("arange() requires stop to be specified.")
        first, stop = 0, start_or_stop
    given = (0 if first is None or first is _MISSING else first, stop, 1 if step is None else step)
    if type(given[0]) is type(given[1]) is type(given[2]) is int and dtype is None and given[2]:
        start, stop, step = given
        n = max(-(-(stop - start) // step), 0)
        if n > 1 and max(abs(start), abs(stop), abs(step)) < 2**61:
            return _core.arange(start, step, n, int, _device(device, like))
    start, stop, step = (v.item() if is_array(v) else v for v in given)
    kinds = [np.asarray(v).dtype for v in (start, stop, step)]
    device = _device(device, like)
    numbers = all(k.kind in "biuf" for k in kinds)
    found = np.dtype(dtype) if dtype is not None or not numbers else np.result_type(*kinds)
    if not numbers or found.kind not in "iuf":
        return _core.from_numpy(np.arange(start, stop, step, dtype=dtype), device)
    n = _range_length(*(v.item() if isinstance(v, np.generic) else v for v in (start, stop, step)))
    if found.kind in "iu":
        first, second = int(start), int(start + step)
        np.asarray([first] if n else [], dtype=found)  # raises NumPy's OverflowError
        limit = np.iinfo(found)
        delta = second - first
        fits = limit.min <= first + (n - 1) * delta <= limit.max
        if n < 2 or not fits or found == np.uint64 or (delta < 0 and found.kind == "u"):
            return _core.from_numpy(np.arange(start, stop, step, dtype=dtype), device)
        return _core.arange(first, delta, n, found, device)
    first, step = found.type(start), step if n > 1 else 0
    if found == np.float16:  # NumPy steps in single precision
        delta = np.float32(found.type(start + step)) - np.float32(first)
        return _core.arange(float(first), float(delta), n, np.dtype(np.float32), device).astype(found)
    return _core.arange(float(first), float(found.type(found.type(start + step) - first)), n, found, device)


@_core.function
def linspace(
    start: Any,
    stop: Any,
    num: int = 50,
    endpoint: bool = True,
    retstep: bool = False,
    dtype: Any = None,
    axis: int = 0,
    *,
    device: str | None = None,
) -> Any:
    """Numbers at equal distances over an interval."""
    num = operator.index(num)
    if num < 0:
        raise ValueError(f"Number of samples, {num}, must be non-negative.")
    scalars = all(
        isinstance(v, (int, float, np.floating, np.integer)) and not isinstance(v, np.longdouble) for v in (start, stop)
    )
    if not scalars or num < 2:
        y, step = lines_between(arange, start, stop, num, endpoint, dtype, axis, device)
        return (y, step) if retstep else y
    div = num - 1 if endpoint else num
    first, last = np.asarray(start) * 1.0, np.asarray(stop) * 1.0
    dt = np.result_type(first, last, float(num))
    wanted = dt if dtype is None else np.dtype(dtype)
    delta = np.subtract(last, first, dtype=dt)
    step = delta / div
    y = arange(0.0, num, device=device) if dt == np.float64 else arange(0, num, dtype=dt, device=device)
    y = y / div * float(delta) if step == 0 else y * float(step)
    y = y + float(first)
    if endpoint:
        y[-1] = float(last)
    if wanted.kind in "iu":
        y = by_name["floor"](y)
    return (y.astype(wanted, copy=False), step) if retstep else y.astype(wanted, copy=False)


def _diagonal_view(a: ndarray, k: int) -> ndarray:
    """The k-th diagonal of a matrix as a view."""
    rows_, columns = a.shape
    n = min(rows_, columns - k) if k >= 0 else min(rows_ + k, columns)
    offset = k * a.strides[1] if k >= 0 else -k * a.strides[0]
    return _core.view(a, (max(n, 0),), (a.strides[0] + a.strides[1],), offset if n > 0 else 0)


def eye(
    N: int,
    M: int | None = None,
    k: int = 0,
    dtype: Any = float,
    order: str = "C",
    *,
    device: str | None = None,
    like: Any = None,
) -> ndarray:
    """Ones on a diagonal, zeros elsewhere."""
    shape, k = (operator.index(N), operator.index(N if M is None else M)), operator.index(k)
    plain = order == "C" and device is like is None
    a = zeros(shape, dtype) if plain else zeros(shape, dtype, order, device=device, like=like)
    _diagonal_view(a, k)[...] = 1
    return a


def identity(n: int, dtype: Any = None, *, device: str | None = None, like: Any = None) -> ndarray:
    """The identity matrix."""
    return eye(n, dtype=float if dtype is None else dtype, device=device, like=like)


def tri(
    N: int, M: int | None = None, k: int = 0, dtype: Any = float, *, device: str | None = None, like: Any = None
) -> ndarray:
    """Ones at and below a diagonal, zeros elsewhere."""
    device, columns = _device(device, like), N if M is None else M
    below = by_name["greater_equal"].outer(arange(N, device=device), arange(-k, columns - k, device=device))
    return below.astype(np.dtype(dtype), copy=False)


@_core.function
def tril(m: Any, k: int = 0) -> ndarray:
    """A copy with zeros above a diagonal."""
    a = as_array(m)
    return _where(tri(*a.shape[-2:], k=k, dtype=bool, device=a.device), a, zeros(1, a.dtype, device=a.device))


@_core.function
def triu(m: Any, k: int = 0) -> ndarray:
    """A copy with zeros below a diagonal."""
    a = as_array(m)
    return _where(tri(*a.shape[-2:], k=k - 1, dtype=bool, device=a.device), zeros(1, a.dtype, device=a.device), a)


@_core.function
def diag(v: Any, k: int = 0) -> ndarray:
    """A diagonal of a matrix, or the matrix with a given diagonal."""
    a = as_array(v)
    if a.ndim == 2:
        r = _diagonal_view(a, k)
        _core.set_writeable(r, False)
        return r
    if a.ndim != 1:
        raise ValueError("Input must be 1- or 2-d.")
    r = zeros((a.shape[0] + abs(k),) * 2, a.dtype, device=a.device)
    _diagonal_view(r, k)[...] = a
    return r


def diagflat(v: Any, k: int = 0) -> ndarray:
    """The matrix whose diagonal is the flattened input."""
    a = as_array(v)
    return diag(_core.reshape(a, (a.size,)), k)


def meshgrid(*xi: Any, copy: bool = True, sparse: bool = False, indexing: str = "xy") -> tuple[ndarray, ...]:
    """Coordinate matrices from coordinate vectors."""
    if indexing not in ("xy", "ij"):
        raise ValueError("Valid values for `indexing` are 'xy' and 'ij'.")
    arrays, n = [as_array(x) for x in xi], len(xi)
    out = [_core.reshape(a, (1,) * i + (a.size,) + (1,) * (n - 1 - i)) for i, a in enumerate(arrays)]
    if indexing == "xy" and n > 1:
        out[0] = _core.reshape(arrays[0], (1, arrays[0].size) + (1,) * (n - 2))
        out[1] = _core.reshape(arrays[1], (arrays[1].size, 1) + (1,) * (n - 2))
    if not sparse:
        shape = np.broadcast_shapes(*(a.shape for a in out))
        out = [_core.broadcast_to(a, shape) for a in out]
    return tuple(a.copy() for a in out) if copy else out if sparse else tuple(out)


def indices(dimensions: Any, dtype: Any = int, sparse: bool = False) -> Any:
    """The index of every element of a grid, one array an axis."""
    n = len(dims := _shape(tuple(dimensions)))
    lines = [arange(d) if dtype is int else arange(d, dtype=dtype) for d in dims]
    grids = [_core.reshape(a, (1,) * i + a.shape + (1,) * (n - 1 - i)) for i, a in enumerate(lines)]
    if sparse:
        return tuple(grids)
    for part, g in zip(r := empty((n, *dims), dtype), grids):
        part[...] = g
    return r


def fromfunction(function: Any, shape: Any, *, dtype: Any = float, like: Any = None, **kwargs: Any) -> Any:
    """Call a function on the index arrays of a grid."""
    grid = indices(shape, dtype=dtype)
    return function(*(grid.to_device(like.device) if is_array(like) else grid), **kwargs)


def frombuffer(buffer: Any, dtype: Any = None, count: int = -1, offset: int = 0, *, like: Any = None) -> ndarray:
    """The elements of a buffer, in the buffer's own memory; on a GPU, a copy of them.

    What is written through the array is in the buffer at once, and the reverse. Of memory that somebody else may write
    nothing is deferred; `bytes` nobody writes.
    """
    n = np.frombuffer(buffer, float if dtype is None else dtype, count, offset)
    device = _device(None, like) or _core.get_default_device()
    if device != "cpu":
        return _core.from_numpy(n if n.dtype.kind != "b" else n.view("u1") != 0, device)
    r = _core.from_numpy(n, device, True)
    if type(buffer) is bytes:
        _core.end_export(r)
    return r


def fromiter(iter: Any, dtype: Any, count: int = -1, *, like: Any = None) -> ndarray:
    """An array of the items of an iterable."""
    return _core.from_numpy(np.fromiter(iter, dtype, count), _device(None, like))
