"""Arrays from existing data."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, SupportsIndex

import numpy as np

from ... import _core
from ..._array.conversion import (
    as_host,
    host_view,
    is_array,
    is_derived,
    native,
    ndarray,
    numbers_from,
)
from ..._array.ufuncs import by_name
from ...interop import dlpack as interop
from .filled import _device

if TYPE_CHECKING:
    from collections.abc import Iterable

    from numpy.typing import DTypeLike

    from ..._array.types import _ArrayLike, _Order

__all__ = [
    "array",
    "asarray",
    "asarray_chkfinite",
    "ascontiguousarray",
    "asfortranarray",
    "copy",
    "frombuffer",
    "fromiter",
    "isfortran",
    "require",
]

_HOST = (list, tuple, np.ndarray)


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
        return _convert(n, dtype, copy and None, order, device)  # the object's class has handled `copy`
    if copy is False:
        shares = n is x or np.may_share_memory(n, x if isinstance(x, np.ndarray) else n)
        lasts = hasattr(x, "__array_interface__") or _has_buffer(x)
        if not shares or (not isinstance(x, np.ndarray) and (not lasts or isinstance(x, np.generic))):
            raise ValueError("Unable to avoid copy while creating an array as requested.")
        return _core.from_numpy(native(n, device), device, True)
    made = _core.from_numpy(native(n, device), device)
    return made.copy() if made is x and copy else made


def _from_host(x: Any, dtype: Any) -> ndarray:
    if (r := numbers_from(x, dtype)) is not None:
        return r
    n = as_host(x, None if dtype is None else np.dtype(dtype))
    return _convert(n, dtype, True, "K", None) if type(n) is ndarray else _core.from_numpy(native(n, None))


def _has_buffer(x: Any) -> bool:
    try:
        memoryview(x)
    except TypeError:
        return False
    return True


@_core.function
def array(
    object: _ArrayLike,
    dtype: DTypeLike | None = None,
    *,
    copy: bool | None = True,
    order: _Order = "K",
    subok: bool = False,
    ndmin: int = 0,
    ndmax: int = 0,
    like: _ArrayLike | None = None,
    device: str | None = None,
) -> ndarray:
    """Create an array on the device from any object that NumPy accepts.

    Parameters
    ----------
    object : array_like
        Data; a NumPy array is copied.
    dtype : dtype, optional
        dtype of the elements; determined as in NumPy by default.
    copy : bool or None, optional
        True copies, None copies a bascule array only if needed, False shares the memory of a NumPy array or raises.
    order : {"K", "A", "C", "F"}, optional
        Layout in memory.
    subok : bool, optional
        Return arrays of classes derived from NumPy's as they are.
    ndmin : int, optional
        Minimum number of axes; axes of length one are prepended.
    ndmax : int, optional
        Maximum depth of nested sequences that become axes; 0 for any depth.
    device : str, optional
        Device of the result; by default `config.device`.

    Returns
    -------
    ndarray
        NumPy's own array, counted by `fallbacks`, if our arrays cannot hold the elements: strings, objects, records.

    Raises
    ------
    TypeError
        Our arrays cannot hold the elements, and the device is a GPU.

    Examples
    --------
    >>> import bascule as bc
    >>> bc.array([1, 2, 3], ndmin=2).shape
    (1, 3)
    """
    if copy is True and order == "K" and device is like is None and ndmin == ndmax == 0:
        if type(object) in _HOST:
            made = _from_host(object, dtype)
            return made.copy() if made is object else made
        if type(object) is ndarray and dtype is None:
            return object.copy("K")
    if subok and is_derived(object):
        return np.array(object, dtype, copy=copy, order=order, subok=True, ndmin=ndmin)
    if ndmax:
        if 0 <= ndmax < ndmin:
            raise ValueError(f"ndmin must be <= ndmax ({ndmax})")
        object = object if is_array(object) else np.array(object, dtype, copy=None, ndmax=ndmax)
    a = _convert(object, dtype, copy, order, like.device if device is None and is_array(like) else device)
    if a.ndim >= ndmin:
        return a
    shape = (1,) * (ndmin - a.ndim) + a.shape
    return _core.reshape(a, shape) if type(a) is ndarray else a.reshape(shape)


@_core.function
def asarray(
    a: _ArrayLike,
    dtype: DTypeLike | None = None,
    order: _Order | None = None,
    *,
    device: str | None = None,
    copy: bool | None = None,
    like: _ArrayLike | None = None,
) -> ndarray:
    """Convert to an array: an array is returned as it is, other data is copied to the device; `copy=False` shares
    memory.

    Parameters
    ----------
    a : array_like
        An array, or an object that NumPy can convert to one.
    dtype : dtype, optional
        dtype of the elements; determined as in NumPy by default.
    order : {"K", "A", "C", "F"}, optional
        Memory layout of the result.
    device : str, optional
        Device of the result; by default that of the array, and `config.device` for other data.
    copy : bool, optional
        True always copies; False shares the memory of a NumPy array or of a buffer.
    like : ndarray, optional
        The result is on this array's device.

    Returns
    -------
    ndarray

    Raises
    ------
    ValueError
        `copy=False`, and the memory cannot be shared.
    TypeError
        Our arrays cannot hold the type of the elements, and the device is a GPU.

    Examples
    --------
    >>> import bascule as bc
    >>> import numpy as np
    >>> x = bc.asarray([1, 2])
    >>> bc.asarray(x) is x
    True
    >>> there = np.zeros(2)
    >>> bc.asarray(there, copy=False)[0] = 5.0
    >>> there.tolist()
    [5.0, 0.0]
    """
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


def ascontiguousarray(a: _ArrayLike, dtype: DTypeLike | None = None, *, like: _ArrayLike | None = None) -> ndarray:
    """Return the array in C order, with at least one axis.

    Parameters
    ----------
    a : array_like
        An array, or an object that NumPy can convert to one.
    dtype : dtype, optional
        Another type.
    like : ndarray, optional
        The result is on this array's device.

    Returns
    -------
    ndarray, of at least one axis
        The array itself if it is in C order already.

    Examples
    --------
    >>> import bascule as bc
    >>> bc.ascontiguousarray(bc.ones((2, 3)).T).flags.c_contiguous
    True
    """
    r = _core.in_order(a, False) if dtype is like is None else None
    r = asarray(a, dtype, order="C", like=like) if r is None else r
    return r if r.ndim else _core.reshape(r, (1,))


def asfortranarray(a: _ArrayLike, dtype: DTypeLike | None = None, *, like: _ArrayLike | None = None) -> ndarray:
    """Return the array in Fortran order, with at least one axis.

    Parameters
    ----------
    a : array_like
        An array, or an object that NumPy can convert to one.
    dtype : dtype, optional
        Another type.
    like : ndarray, optional
        The result is on this array's device.

    Returns
    -------
    ndarray, of at least one axis
        The array itself if it is in Fortran order already.

    Examples
    --------
    >>> import bascule as bc
    >>> bc.asfortranarray(bc.ones((2, 3))).strides
    (8, 16)
    """
    r = _core.in_order(a, True) if dtype is like is None else None
    r = asarray(a, dtype, order="F", like=like) if r is None else r
    return r if r.ndim else _core.reshape(r, (1,))


def asarray_chkfinite(a: _ArrayLike, dtype: DTypeLike | None = None, order: _Order | None = None) -> ndarray:
    """Convert to an array, and raise if it contains NaN or infinities.

    Parameters
    ----------
    a : array_like
        An array, or an object that NumPy can convert to one.
    dtype : dtype, optional
        Another type.
    order : {"K", "A", "C", "F"}, optional
        Memory layout of the result.

    Returns
    -------
    ndarray

    Raises
    ------
    ValueError
        An element is NaN or infinite.

    Examples
    --------
    >>> import bascule as bc
    >>> bc.asarray_chkfinite([1.0, 2.0]).tolist()
    [1.0, 2.0]
    """
    r = asarray(a, dtype, order)
    if r.dtype.kind in "fc" and not bool(by_name["isfinite"](r).all()):
        raise ValueError("array must not contain infs or NaNs")
    return r


def isfortran(a: _ArrayLike) -> bool:
    """Test whether an array is in Fortran order and not in C order.

    Parameters
    ----------
    a : ndarray

    Returns
    -------
    bool
        False for arrays in both orders, such as those with one axis.

    Examples
    --------
    >>> import bascule as bc
    >>> bc.isfortran(bc.ones((2, 3), order="F"))
    True
    """
    return a.flags.fnc


_REQUIREMENTS = {
    "C": "C", "C_CONTIGUOUS": "C", "CONTIGUOUS": "C", "F": "F", "F_CONTIGUOUS": "F", "FORTRAN": "F", "A": "A",
    "ALIGNED": "A", "W": "W", "WRITEABLE": "W", "O": "O", "OWNDATA": "O", "E": "E", "ENSUREARRAY": "E",
}  # fmt: skip


def require(
    a: _ArrayLike,
    dtype: DTypeLike | None = None,
    requirements: str | Iterable[str] | None = None,
    *,
    like: _ArrayLike | None = None,
) -> ndarray:
    """Convert to an array with a dtype and layout flags; it is copied if it does not meet them.

    Parameters
    ----------
    a : array_like
        An array, or an object that NumPy can convert to one.
    dtype : dtype, optional
        Another type.
    requirements : str or sequence of str, optional
        "C" and "F" require an order in memory, "A" aligned elements, "W" a writeable array, "O" memory of its own, "E"
        a plain array, which every one is. The names of the flags mean the same.
    like : ndarray, optional
        The result is on this array's device.

    Returns
    -------
    ndarray

    Raises
    ------
    ValueError
        Both orders are required.
    KeyError
        There is no such requirement.

    Examples
    --------
    >>> import bascule as bc
    >>> bc.require(bc.ones((2, 3)), "f4", ["F", "W"]).flags.f_contiguous
    True
    """
    if not requirements:
        return asarray(a, dtype, like=like)
    if like is not None and not hasattr(like, "__array_function__"):
        raise TypeError("The `like` argument must be an array-like that implements the `__array_function__` protocol.")
    wanted = {_REQUIREMENTS[x.upper()] for x in requirements}
    if wanted >= {"C", "F"}:
        raise ValueError('Cannot specify both "C" and "F" order')
    order = "C" if "C" in wanted else "F" if "F" in wanted else "A"
    r = asarray(a, dtype, order if order != "A" else "K", like=like)
    return r if all(r.flags[name] for name in wanted - {"C", "F", "E"}) else r.copy(order)


def copy(a: _ArrayLike, order: _Order = "K", subok: bool = False) -> ndarray:
    """Return a copy of an array.

    Parameters
    ----------
    a : array_like
        An array, or an object that NumPy can convert to one.
    order : {"K", "A", "C", "F"}, optional
        Layout of the copy; "K" keeps the order of the axes.
    subok : bool, optional
        No effect: ndarray has no subclasses.

    Returns
    -------
    ndarray

    Examples
    --------
    >>> import bascule as bc
    >>> x = bc.zeros(2)
    >>> y = bc.copy(x)
    >>> y[0] = 1
    >>> x.tolist()
    [0.0, 0.0]
    """
    return array(a, order=order, subok=subok, copy=True)


def frombuffer(
    buffer: Any,
    dtype: DTypeLike | None = None,
    count: SupportsIndex = -1,
    offset: int = 0,
    *,
    like: _ArrayLike | None = None,
) -> ndarray:
    r"""Create an array over the memory of a buffer; on a GPU, a copy of it.

    Writing to the array changes the buffer at once, and the reverse. Operations on memory that other objects may change
    are not deferred; those on `bytes` are.


    Parameters
    ----------
    buffer : object with the buffer protocol
        Object with the elements.
    dtype : dtype, optional
        dtype of the elements; float64 by default.
    count : int, optional
        Number of elements; -1 for as many as there are.
    offset : int, optional
        Bytes to skip at the front.
    like : ndarray, optional
        The result is on this array's device.

    Returns
    -------
    ndarray, shape (count,)

    Raises
    ------
    ValueError
        The buffer is too small, or its size is no multiple of the size of an element.

    Examples
    --------
    >>> import bascule as bc
    >>> bc.frombuffer(b"\x01\x02\x03", dtype="u1").tolist()
    [1, 2, 3]
    """
    if type(buffer) is ndarray and buffer.size == 0:
        buffer = host_view(buffer)
    n = np.frombuffer(buffer, float if dtype is None else dtype, count, offset)
    device = _device(None, like) or _core.get_default_device()
    if device != "cpu":
        return _core.from_numpy(n if n.dtype.kind != "b" else n.view("u1") != 0, device)
    r = _core.from_numpy(n, device, True)
    if type(buffer) is bytes:
        _core.end_export(r)
    return r


def fromiter(
    iter: Iterable[Any], dtype: DTypeLike, count: SupportsIndex = -1, *, like: _ArrayLike | None = None
) -> ndarray:
    """Create an array from an iterable.

    Parameters
    ----------
    iter : iterable of scalars
    dtype : dtype
        Type of the elements.
    count : int, optional
        Number of items; -1 for all.
    like : ndarray, optional
        The result is on this array's device.

    Returns
    -------
    ndarray, shape (number of items,)

    Raises
    ------
    ValueError
        There are fewer items than `count`.

    Examples
    --------
    >>> import bascule as bc
    >>> bc.fromiter((k * k for k in range(4)), int).tolist()
    [0, 1, 4, 9]
    """
    return _core.from_numpy(np.fromiter(iter, dtype, count), _device(None, like))
