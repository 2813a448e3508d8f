"""Methods and attributes of ndarray that need no speed of their own; the type itself lives in bascule._core."""

from __future__ import annotations

import builtins
import inspect
import math
import operator
import os
import pickle
import weakref
from typing import Any

import numpy as np

from .. import _core
from ..lib import manipulation, reductions, selection
from ..lib import sorting as ordered
from ..lib import sorting_common as ordering
from ..linalg import products
from . import attributes as array_attributes
from . import conversion
from .ufuncs import by_name

ndarray = _core.ndarray


def _check_order(order: Any) -> None:
    if order is not None and not isinstance(order, str):
        raise TypeError(f"order must be str, not {type(order).__name__}")


# ---- shapes


def reshape(self: Any, /, *shape: Any, order: str = "C", copy: bool | None = None) -> Any:
    """The same elements in another shape."""
    if not shape:
        raise TypeError("reshape() takes exactly 1 argument (0 given)")
    dims = shape[0] if len(shape) == 1 and shape[0] is not None else shape
    return manipulation._reshaped(self, dims, order, copy)


def transpose(self: Any, /, *axes: Any) -> Any:
    """A view with the axes in another order."""
    if len(axes) == 1 and (axes[0] is None or not hasattr(axes[0], "__index__") or getattr(axes[0], "ndim", 0)):
        return manipulation.transpose(self, axes[0])
    return manipulation.transpose(self, axes or None)


def ravel(self: Any, /, order: str = "C") -> Any:
    """The elements along one axis, a view where possible."""
    _check_order(order)
    return manipulation._raveled(self, order)


def flatten(self: Any, /, order: str = "C") -> Any:
    """The elements along one axis, always a copy."""
    r = manipulation.ravel(self, order)
    return r.copy() if _core.shares_storage(r, self) else r


def squeeze(self: Any, /, axis: Any = None) -> Any:
    """A view without axes of length one."""
    return self.squeeze() if axis is None else manipulation.squeeze(self, axis)


def swapaxes(self: Any, /, axis1: int, axis2: int) -> Any:
    """A view with two axes exchanged."""
    if self.ndim == 2 and type(axis1) is type(axis2) is int and {axis1 % 2, axis2 % 2} == {0, 1}:
        if -2 <= axis1 < 2 and -2 <= axis2 < 2:
            return self.T
    return manipulation.swapaxes(self, axis1, axis2)


def view(self: Any, /, dtype: Any = None, type: Any = None) -> Any:
    """Another array over the same memory, perhaps read as another type, or as one of NumPy's classes of arrays."""
    if type is None and dtype is not None and (r := _core.small_view(self, dtype)) is not None:
        return r
    if isinstance(dtype, builtins.type) and issubclass(dtype, (np.ndarray, ndarray)):
        if type is not None:
            raise ValueError("Cannot specify output type twice.")
        dtype, type = None, dtype
    if type is not None and type is not ndarray:
        if not (isinstance(type, builtins.type) and issubclass(type, np.ndarray)):
            raise ValueError("Type must be a sub-type of ndarray type")
        shared = np.asarray(self)
        return shared.view(type) if dtype is None else shared.view(dtype, type)
    if dtype is None:
        return _core.view(self, self.shape, self.strides)
    return array_attributes.seen_as(self, dtype)


# ---- copies and values


def copy(self: Any, /, order: str = "C") -> Any:
    """A copy."""
    _check_order(order)
    return _core.astype(self, self.dtype, True, "K" if order is None else order)


def astype(
    self: Any, /, dtype: Any, order: str = "K", casting: str = "unsafe", subok: bool = True, copy: bool = True
) -> Any:
    """The elements as another type."""
    return selection.cast(self, dtype, order, casting, subok, copy)


def _sizeof(self: Any, /) -> int:
    """Bytes of the object, with the elements' where the array owns them."""
    return object.__sizeof__(self) + (self.nbytes if self.flags.owndata else 0)


def item(self: Any, /, *args: Any) -> Any:
    """One element as a Python scalar."""
    if len(args) == 1 and isinstance(args[0], tuple):
        args = args[0]
    if not args:
        if self.size != 1:
            raise ValueError("can only convert an array of size 1 to a Python scalar")
        return _core.item(self, 0)
    if len(args) == 1:
        i = operator.index(args[0])
        if not -(2**63) <= i < 2**63:
            raise OverflowError("Python int too large to convert to C long")
        if not -self.size <= i < self.size:
            where = f"axis 0 with size {self.size}" if self.ndim == 1 else f"size {self.size}"
            raise IndexError(f"index {i} is out of bounds for {where}")
        return _core.item(self, i % self.size)
    if len(args) != self.ndim:
        raise ValueError("incorrect number of indices for array")
    return self[args].item()


def tolist(self: Any, /) -> Any:
    """The elements as nested lists of Python scalars."""
    return conversion.to_numpy(self).tolist()


def tobytes(self: Any, /, order: str = "C") -> bytes:
    """The elements' bytes."""
    if order == "C" and (r := _core.bytes_of(self)) is not None:
        return r
    return conversion.to_numpy(self).tobytes(order)


def fill(self: Any, /, value: Any) -> None:
    """Write one value to every element."""
    if not isinstance(value, (int, float, complex, np.generic)) and np.ndim(value):
        if isinstance(value, (list, tuple)):
            np.zeros(1, self.dtype)[0] = value  # which NumPy refuses
        raise ValueError("setting an array element with a sequence.")
    self[...] = value


def choose(self: Any, /, *choices: Any, out: Any = None, mode: str = "raise") -> Any:
    """Elements of several arrays, given one by one or as a sequence, by the number of the array."""
    import bascule

    return bascule.choose(self, choices[0] if len(choices) == 1 else choices, out=out, mode=mode)


def byteswap(self: Any, /, inplace: bool = False) -> Any:
    """The elements with the order of their bytes reversed.

    Parameters
    ----------
    inplace : bool
        Write to the array itself.

    Returns
    -------
    ndarray
        A copy, or the array.

    Examples
    --------
    >>> import bascule as bc
    >>> bc.asarray([1, 256], dtype="i2").byteswap().tolist()
    [256, 1]
    """
    numbers = 2 if self.dtype.kind == "c" else 1
    size = self.itemsize // numbers
    if inplace and not _core.is_writeable(self):
        raise ValueError("assignment destination is read-only")
    to, source = (self, self.copy("K")) if inplace else (self.copy("K"), self)
    if self.size and size > 1:
        byte, shape = np.dtype(np.uint8), (*self.shape, numbers, size)
        forward = _core.view(to, shape, (*to.strides, size, 1), 0, byte)
        forward[...] = _core.view(source, shape, (*source.strides, size, -1), size - 1, byte)
    return to


def getfield(self: Any, /, dtype: Any, offset: int = 0) -> Any:
    """A view of a part of each element, `offset` bytes from its start, read as a type."""
    t, offset = np.dtype(dtype), operator.index(offset)
    if t.itemsize > self.itemsize:
        raise ValueError("new type is larger than original type")
    if offset < 0:
        raise ValueError("offset is negative")
    if offset > self.itemsize - t.itemsize:
        raise ValueError("new type plus offset is larger than original type")
    return _core.view(self, self.shape, self.strides, offset, t)


def setfield(self: Any, /, val: Any, dtype: Any, offset: int = 0) -> None:
    """Write a value to a part of each element, `offset` bytes from its start."""
    getfield(self, dtype, offset)[...] = val


def resize(self: Any, /, *new_shape: Any, refcheck: bool = True) -> None:
    """Change shape and size in place; new elements are zero.

    Parameters
    ----------
    *new_shape : int or tuple of int
    refcheck : bool
        Refuse while views share the memory or weak references look at the array.

    Raises
    ------
    ValueError
        The array is a view, not contiguous, or has views (unless refcheck=False).

    Examples
    --------
    >>> import bascule as bc
    >>> x = bc.arange(3)
    >>> x.resize(2, 2)
    >>> x.tolist()
    [[0, 1], [2, 0]]
    """
    refcheck = bool(operator.index(refcheck))
    if not new_shape or (len(new_shape) == 1 and new_shape[0] is None):
        return
    shape = new_shape[0] if len(new_shape) == 1 else new_shape
    dims = tuple(conversion.extents(shape))
    if min(dims, default=0) < 0:
        raise ValueError("negative dimensions not allowed")
    if not self.flags.forc:
        raise ValueError("resize only works on single-segment arrays")
    size = math.prod(dims)
    if size == self.size:
        return _core.become(self, manipulation.reshape(self, dims, "A"))
    if not self.flags.owndata:
        raise ValueError("cannot resize this array: it does not own its data")
    # Other names of the array see its new shape, which harms nobody; views would show memory that is no longer its.
    if refcheck and (weakref.getweakrefcount(self) > 0 or _core.holders(self) > 1):
        raise ValueError(
            "cannot resize an array that references or is referenced\nby another object in this way.\n"
            "Use the np.resize function to get a new resized copy or\n set refcheck=False to disable this check"
        )
    grown = _core.full((size,), 0, self.dtype, self.device)
    count = min(size, self.size)
    grown[:count] = manipulation.ravel(self, "A")[:count]
    _core.become(self, _core.reshape(grown, dims))


def setflags(self: Any, /, *, write: Any = None, align: Any = None, uic: Any = None) -> None:
    """Set the flags writeable, aligned and writebackifcopy."""
    for name, value in (("aligned", align), ("writebackifcopy", uic), ("writeable", write)):
        if value is not None:
            setattr(self.flags, name, bool(value))


def tofile(self: Any, /, fid: Any, sep: str = "", format: str = "%s") -> None:
    """Write the elements to a file, as bytes or as text with a separator."""
    conversion.to_numpy(self).tofile(fid, sep, format)


def dump(self: Any, /, file: Any) -> None:
    """Pickle the array to a file, given by its path or open for writing."""
    if hasattr(file, "write"):
        return pickle.dump(self, file, protocol=2)
    with open(os.fspath(file), "wb") as opened:
        pickle.dump(self, opened, protocol=2)


def dumps(self: Any, /) -> bytes:
    """The array pickled."""
    return pickle.dumps(self, protocol=2)


def take(self: Any, /, indices: Any, axis: int | None = None, out: Any = None, mode: str = "raise") -> Any:
    """Elements at given positions."""
    return selection.take(self, indices, axis, out, mode)


def nonzero(self: Any, /) -> Any:
    """Positions of the elements that are not zero."""
    return selection.nonzero(self)


def compress(self: Any, /, condition: Any, axis: int | None = None, out: Any = None) -> Any:
    """Slices for which a condition holds."""
    return selection.compress(condition, self, axis, out)


def repeat(self: Any, /, repeats: Any, axis: int | None = None) -> Any:
    """Each element several times."""
    return manipulation.repeat(self, repeats, axis)


def put(self: Any, /, indices: Any, values: Any, mode: str = "raise") -> None:
    """Write values at positions of the flattened array."""
    selection.put(self, indices, values, mode)


def diagonal(self: Any, /, offset: int = 0, axis1: int = 0, axis2: int = 1) -> Any:
    """A read-only view of a diagonal."""
    return selection.diagonal(self, offset, axis1, axis2)


def trace(self: Any, /, offset: int = 0, axis1: int = 0, axis2: int = 1, dtype: Any = None, out: Any = None) -> Any:
    """Sum along a diagonal."""
    return selection.trace(self, offset, axis1, axis2, dtype, out)


def clip(self: Any, /, min: Any = None, max: Any = None, out: Any = None, **kwargs: Any) -> Any:
    """Elements limited to an interval."""
    return selection.limited(self, min, max, out, **kwargs)


def round_(self: Any, /, decimals: int = 0, out: Any = None) -> Any:
    """Elements rounded to a number of decimals, halves to even."""
    from ..lib.arithmetic import round as rounded

    return rounded(self, decimals, out)


def conj(self: Any, /, out: Any = None) -> Any:
    """Complex conjugates."""
    if self.dtype.kind in "mM":
        raise TypeError("cannot conjugate non-numeric dtype")
    if out is not None and type(out) is not ndarray:
        raise TypeError("output must be an array")
    return by_name["conjugate"](self, out=out) if self.dtype.kind == "c" or out is not None else self


def cumsum(self: Any, /, axis: Any = None, dtype: Any = None, out: Any = None) -> Any:
    """Sums of ever longer parts."""
    return reductions.cumsum(self, axis, dtype, out)


def cumprod(self: Any, /, axis: Any = None, dtype: Any = None, out: Any = None) -> Any:
    """Products of ever longer parts."""
    return reductions.cumprod(self, axis, dtype, out)


def ptp(self: Any, /, axis: Any = None, out: Any = None, keepdims: bool = False) -> Any:
    """Distance between the largest and the smallest element."""
    return reductions.ptp(self, axis, out, keepdims)


def dot(self: Any, /, b: Any, out: Any = None) -> Any:
    """Dot product."""
    return products.dot(self, b, out)


def sort(self: Any, /, axis: int = -1, kind: Any = None, order: Any = None, *, stable: bool | None = None) -> None:
    """Sort in place."""
    ordering.sort_in_place(self, axis, kind, order, stable)


def argsort(self: Any, /, axis: Any = -1, kind: Any = None, order: Any = None, *, stable: bool | None = None) -> Any:
    """Positions that would sort."""
    if kind is order is stable is None and type(axis) is int and axis == -1 and self.ndim and self.dtype.kind != "c":
        return _core.argsort(self, self.ndim - 1)
    return ordered.argsort(self, axis, kind, order, stable=stable)


def searchsorted(self: Any, /, v: Any, side: str = "left", sorter: Any = None) -> Any:
    """Positions at which values keep the array sorted."""
    return ordered.searchsorted(self, v, side, sorter)


def argpartition(self: Any, /, kth: Any, axis: Any = -1, kind: str = "introselect", order: Any = None) -> Any:
    """Positions that would partition."""
    return ordered.argpartition(self, kth, axis, kind, order)


def partition(self: Any, /, kth: Any, axis: int = -1, kind: str = "introselect", order: Any = None) -> None:
    """Partition in place."""
    ordering.partition_in_place(self, kth, axis, kind, order)


def _first_positional(method: Any) -> inspect.Signature:
    """The signature that NumPy reports a method whose C code takes the first argument by its name, too."""
    (self, first, *others), kind = inspect.signature(method).parameters.values(), inspect.Parameter.POSITIONAL_ONLY
    return inspect.Signature([self, first.replace(kind=kind), *others])


for _method in (searchsorted, argpartition, partition):
    _method.__signature__ = _first_positional(_method)
del _method


def get(self: Any, /) -> np.ndarray:
    """A NumPy copy, from any device."""
    return conversion.to_numpy(self)


def to_device(self: Any, device: str, /, *, stream: Any = None) -> Any:
    """The array on a device: itself if it lies there already."""
    if stream is not None:
        raise ValueError("[to_device] stream= is not supported")
    return self if device == self.device else _core.to_device(self, device)


_FUNCTIONS = [
    reshape, transpose, ravel, flatten, squeeze, swapaxes, view, copy, astype, item, tolist, tobytes, fill, take, nonzero,
    compress, repeat, put, diagonal, trace, clip, conj, cumsum, cumprod, ptp, dot, sort, argsort, searchsorted, argpartition,
    partition, get, to_device, choose, byteswap, getfield, setfield, resize, setflags, tofile, dump, dumps,
]  # fmt: skip


def install() -> None:
    """Put the methods and attributes on the type."""
    for f in _FUNCTIONS:
        if not _core.set_general_form(f.__name__, f):
            setattr(ndarray, f.__name__, f)
    ndarray.round = round_
    ndarray.conjugate = conj
    ndarray.__sizeof__ = _sizeof
    array_attributes.install()
    _core.set_general_form("operator_matmul", products.operator_matmul)
    ndarray.__imatmul__ = products.operator_imatmul
