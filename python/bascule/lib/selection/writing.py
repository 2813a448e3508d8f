"""Functions that write by index or condition, and conversions of type."""

from __future__ import annotations

import builtins
from typing import TYPE_CHECKING, Any

import numpy as np

from ... import _core, fallback
from ..._array.caller_warnings import discards_imaginary
from ..._array.conversion import (
    as_array,
    as_given,
    as_host,
    as_target,
    is_array,
    ndarray,
)
from ..._array.datetimes import convert
from ..manipulation import ravel
from .taking import _positions, _select, take

if TYPE_CHECKING:
    from numpy.typing import DTypeLike

    from ..._array.types import _ArrayLike, _Casting, _Mode

__all__ = ["astype", "copyto", "fill_diagonal", "place", "put", "putmask"]


def astype(x: ndarray, dtype: DTypeLike, /, *, copy: bool = True, device: str | None = None) -> ndarray:
    """Convert the elements to another dtype.

    Parameters
    ----------
    x : ndarray
    dtype : dtype
        Type of the result.
    copy : bool, optional
        Copy even if the type is the array's.
    device : str, optional
        Device of the result; by default that of the array.

    Returns
    -------
    ndarray, shape x.shape

    Raises
    ------
    TypeError
        `x` is not an array.

    Examples
    --------
    >>> import bascule as bc
    >>> bc.astype(bc.asarray([1.7, -1.7]), int).tolist()
    [1, -1]
    """
    if not (is_array(x) or isinstance(x, (np.ndarray, np.generic))):
        raise TypeError(f"Input should be a NumPy array or scalar. It is a {type(x)} instead.")
    r = as_array(x).astype(dtype, copy=copy)
    return as_given(r if device is None else r.to_device(device), x)


_RULES = frozenset(["no", "equiv", "safe", "same_kind", "unsafe"])


def cast(
    a: ndarray, dtype: Any, order: str = "K", casting: str = "unsafe", subok: bool = True, copy: bool = True
) -> ndarray:
    """ndarray.astype: the elements as another type; `copy=False` returns the array itself if nothing changes."""
    t, order = np.dtype(dtype), "K" if order is None else order
    if casting not in _RULES:  # by values, which newer NumPys know
        counted = ("a cast that has to keep values", "NumPy")
        return fallback.on_shared_memory(
            np.ndarray.astype,
            (a, t, order, casting, subok, copy),
            {},
            "astype",
            f"takes no casting={casting!r}",
            counted,
        )
    if casting != "unsafe" and not np.can_cast(a.dtype, t, casting):
        raise TypeError(f"Cannot cast array data from {a.dtype!r} to {t!r} according to the rule '{casting}'")
    discards_imaginary(a.dtype, t)
    if t.kind in "mM" and a.dtype.kind in "mM" and t != a.dtype:
        found = convert(a, t)
        return found if type(found) is _core.ndarray else _core.from_numpy(np.asarray(found))  # has no axes
    if not copy and t == a.dtype and (order in ("K", "k") or _core.astype(a, t, False, order).strides == a.strides):
        return a
    return _core.astype(a, t, copy, order)


def copyto(dst: ndarray, src: _ArrayLike, casting: _Casting = "same_kind", where: _ArrayLike = True) -> None:
    """Copy values from one array to another, where a condition is true.

    Parameters
    ----------
    dst : ndarray
        The array to modify.
    src : array_like
        Broadcasts to the shape of `dst`.
    casting : {"no", "equiv", "safe", "same_kind", "unsafe"}, optional
        Allowed conversions.
    where : array_like of bool, optional
        Elements to write.

    Returns
    -------
    None

    Raises
    ------
    TypeError
        `casting` does not allow the conversion.
    ValueError
        The shapes do not broadcast.

    Examples
    --------
    >>> import bascule as bc
    >>> x = bc.zeros(3)
    >>> bc.copyto(x, [1, 2, 3], where=[True, False, True])
    >>> x.tolist()
    [1.0, 0.0, 3.0]
    """
    dst = as_target(dst)
    if not is_array(dst):
        raise TypeError(f"copyto() argument 1 must be bascule.ndarray, not {type(dst).__name__}")
    if where is True and casting == "same_kind" and type(src) is ndarray and src.dtype is dst.dtype:
        dst[...] = src
        return
    if src is None or isinstance(src, (int, float, complex, str, bytes, np.generic)):
        one = np.empty((), dst.dtype)
        np.copyto(one, src, casting=casting)  # NumPy converts the element, or raises its error
        src = _core.from_numpy(one, dst.device)
    else:
        src = as_array(src, dst)
        if src.dtype is not dst.dtype and not np.can_cast(src.dtype, dst.dtype, casting):
            what = "array data" if src.ndim else "scalar"
            raise TypeError(f"Cannot cast {what} from {src.dtype!r} to {dst.dtype!r} according to the rule '{casting}'")
    if where is True:
        dst[...] = src
        return
    chosen = _mask_for(where, dst)
    if src.dtype is not dst.dtype:  # it is cast separately, as `_select` would promote both to a common type
        if src.dtype.kind in "biufc":  # elements that are not written are not cast
            src = _select(chosen, src, src.dtype.type(0), out=...)
        src = cast(src, dst.dtype)
    dst[...] = _select(chosen, src, dst)


def _mask_for(where: Any, dst: ndarray) -> ndarray:
    """The mask of the elements of `dst` to write."""
    mask = as_array(where, dst)
    if mask.dtype.kind != "b":
        none = np.zeros((0,) * mask.ndim)
        np.copyto(none, 0, where=none.astype(mask.dtype))  # NumPy raises its error
        mask = mask.astype(bool)
    if mask.shape == dst.shape:
        return mask
    try:
        return _core.broadcast_to(mask, dst.shape)
    except ValueError:
        shapes = f"{mask.shape} into shape {dst.shape}".replace(", ", ",")
        raise ValueError(f"could not broadcast where mask from shape {shapes}") from None


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
    """Refuse a target that is not an array or is read-only, even if nothing would be written."""
    ours = type(a) is ndarray
    if not ours and not isinstance(a, np.ndarray):
        raise TypeError(_NO_ARRAY[name].format(type(a)))
    if not (_core.is_writeable(a) if ours else a.flags.writeable):
        raise ValueError(_READ_ONLY[name])


def _values_for(a: ndarray, values: Any) -> ndarray:
    """Values to write to selected elements: arrays must cast to a's type, other values are converted to it."""
    if not isinstance(values, (ndarray, np.ndarray)):
        return as_array(np.asarray(values, a.dtype), a)
    if not np.can_cast(values.dtype, a.dtype, "safe"):
        what = "array data" if values.ndim else "scalar"
        raise TypeError(f"Cannot cast {what} from {values.dtype!r} to {a.dtype!r} according to the rule 'safe'")
    return as_array(values, a)


def putmask(a: ndarray, /, mask: _ArrayLike, values: _ArrayLike) -> None:
    """Set elements where a mask is true; the values are repeated along the array.

    Parameters
    ----------
    a : ndarray
        The array to modify.
    mask : array_like of bool, as many elements as `a`
    values : array_like
        Repeated to the size of `a`: the element at index n is set to the n-th value.

    Returns
    -------
    None

    Raises
    ------
    ValueError
        The mask has another size.

    Examples
    --------
    >>> import bascule as bc
    >>> x = bc.arange(4)
    >>> bc.putmask(x, x > 1, [10, 20])
    >>> x.tolist()
    [0, 1, 10, 20]
    """
    if _core.small_putmask(a, mask, values):
        return
    _check_target("putmask", a)
    m, v = as_array(mask, a), _values_for(a, values)
    if m.size != a.size:
        raise ValueError("putmask: mask and data must be the same size")
    m = _core.astype(m if m.shape == a.shape else _core.reshape(m, a.shape), np.dtype(bool), False, "K")
    if v.size == 1:
        copyto(a, _core.reshape(v, ()), casting="unsafe", where=m)
    elif v.shape == a.shape:
        copyto(a, v, casting="unsafe", where=m)
    elif v.size:
        positions = _core.reshape(_counted(a.size, a.device) % v.size, a.shape)
        copyto(a, ravel(v)[positions], casting="unsafe", where=m)


def _counted(n: int, device: str) -> ndarray:
    """The indices 0, 1, ... n - 1."""
    return _core.arange(0, 1, n, np.dtype(np.intp), device)


def place(arr: ndarray, mask: _ArrayLike, vals: _ArrayLike) -> None:
    """Set the n-th element where a mask is true to the n-th value.

    Parameters
    ----------
    arr : ndarray
        The array to modify.
    mask : array_like of bool, shape arr.shape
    vals : array_like
        Repeated to the number of true elements of the mask.

    Returns
    -------
    None

    Raises
    ------
    ValueError
        The mask has a true element, and there are no values.

    Examples
    --------
    >>> import bascule as bc
    >>> x = bc.arange(4)
    >>> bc.place(x, x > 1, [10, 20])
    >>> x.tolist()
    [0, 1, 10, 20]
    """
    if getattr(arr, "size", 0) and _core.small_place(arr, mask, vals):
        return
    _check_target("place", arr)
    values = _values_for(arr, vals)  # refused even if no value is written
    m = as_array(mask, arr)
    if m.shape != arr.shape:
        if m.size != arr.size:
            raise ValueError("place: mask and data must be the same size")
        m = _core.reshape(m, arr.shape)
    count = int(_core.count_nonzero(m))
    if count:
        v = ravel(values)
        if v.size == 0:
            raise ValueError("Cannot insert from an empty array!")
        if v.size >= count and v.dtype is arr.dtype and m.dtype.kind == "b":
            arr[m] = v[:count]
            return
        arr[m.astype(bool, copy=False)] = take(v, _counted(count, arr.device) % v.size).astype(arr.dtype, copy=False)


def _alongside(a: Any, ind: Any, v: Any) -> bool:
    """Whether there is one value of the array's type for every index into an array with one axis."""
    return (
        type(a) is type(ind) is type(v) is ndarray
        and a.ndim == 1
        and ind.shape == v.shape
        and v.dtype is a.dtype
        and ind.dtype.kind == "i"
    )


@_core.function
def put(a: ndarray, ind: _ArrayLike, v: _ArrayLike, mode: _Mode = "raise") -> None:
    """Set elements at indices of the flattened array.

    Parameters
    ----------
    a : ndarray
        The array to modify.
    ind : array_like of int
        Indices; negative ones count from the end.
    v : array_like
        Repeated to the number of indices. For repeated indices the last value is kept.
    mode : {"raise", "wrap", "clip"}, optional
        How an index out of bounds is treated: raise, wrap around, or clip to the last element.

    Returns
    -------
    None

    Raises
    ------
    IndexError
        An index is out of bounds.

    Examples
    --------
    >>> import bascule as bc
    >>> x = bc.zeros(3, int)
    >>> bc.put(x, [0, -1], [4, 5])
    >>> x.tolist()
    [4, 0, 5]
    """
    _check_target("put", a)
    if mode == "raise" and _alongside(a, ind, v):
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
    """Coordinates of the elements at flat indices that are within the array of this shape."""
    found = []
    for n in reversed(shape):
        found.append(p % n)
        p = p // n
    return tuple(reversed(found))


def fill_diagonal(a: ndarray, val: _ArrayLike, wrap: bool = False) -> None:
    """Fill the main diagonal; with `wrap` it continues below a square.

    Parameters
    ----------
    a : ndarray, two axes or more
        The array to modify.
    val : array_like
        Repeated along the diagonal.
    wrap : bool, optional
        In matrices with more rows than columns start again below, after one row.

    Returns
    -------
    None

    Raises
    ------
    ValueError
        There are fewer than two axes, or more than two that differ in length.

    Examples
    --------
    >>> import bascule as bc
    >>> x = bc.zeros((2, 2), int)
    >>> bc.fill_diagonal(x, [1, 2])
    >>> x.tolist()
    [[1, 0], [0, 2]]
    """
    a = as_target(a)
    if a.ndim < 2:
        raise ValueError("array must be at least 2-d")
    if a.ndim > 2 and len(set(a.shape)) > 1:
        raise ValueError("All dimensions of input must be of equal length")
    values = ravel(as_array(val if isinstance(val, (ndarray, np.ndarray)) else np.asarray(val, a.dtype), a))
    if a.ndim == 2 and wrap and a.shape[0] > a.shape[1]:
        at = np.arange(0, a.size, a.shape[1] + 1)
        if at.size and values.size:
            a[at // a.shape[1], at % a.shape[1]] = take(values, np.arange(at.size) % values.size)
        return
    n = builtins.min(a.shape)
    if n and values.size:
        values = values if values.size == 1 else take(values, np.arange(n) % values.size)
        _core.view(a, (n,), (builtins.sum(a.strides),))[...] = values
