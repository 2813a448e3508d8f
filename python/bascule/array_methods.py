"""Methods and attributes of ndarray that need no speed of their own; the type itself lives in bascule._core."""

from __future__ import annotations

import operator
from typing import Any

import numpy as np

from . import _core, conversion, manipulation, ordered, ordering, reductions, selection
from .linalg import products
from .ufuncs import by_name

ndarray = _core.ndarray


class Flags:
    """Layout of an array, as numpy.ndarray.flags tells it."""

    _names = {
        "C": "c_contiguous",
        "C_CONTIGUOUS": "c_contiguous",
        "F": "f_contiguous",
        "F_CONTIGUOUS": "f_contiguous",
        "O": "owndata",
        "OWNDATA": "owndata",
        "W": "writeable",
        "WRITEABLE": "writeable",
        "A": "aligned",
        "ALIGNED": "aligned",
        "X": "writebackifcopy",
        "WRITEBACKIFCOPY": "writebackifcopy",
    }
    __slots__ = ("_array",)

    def __init__(self, array: Any):
        self._array = array

    def _dense(self, axes: Any) -> bool:
        a, step = self._array, self._array.itemsize
        if 0 in a.shape:
            return True
        for k in axes:
            if a.shape[k] != 1:
                if a.strides[k] != step:
                    return False
                step *= a.shape[k]
        return True

    @property
    def c_contiguous(self) -> bool:
        return self._dense(range(self._array.ndim - 1, -1, -1))

    @property
    def f_contiguous(self) -> bool:
        return self._dense(range(self._array.ndim))

    contiguous = c_contiguous

    @property
    def fnc(self) -> bool:
        return self.f_contiguous and not self.c_contiguous

    @property
    def forc(self) -> bool:
        return self.f_contiguous or self.c_contiguous

    @property
    def owndata(self) -> bool:
        return _core.owns_storage(self._array)

    @property
    def writeable(self) -> bool:
        return _core.is_writeable(self._array)

    @writeable.setter
    def writeable(self, yes: bool) -> None:
        _core.set_writeable(self._array, bool(yes))

    aligned = property(lambda self: True)
    writebackifcopy = property(lambda self: False)

    def __getitem__(self, name: str) -> bool:
        if name not in self._names:
            raise KeyError("Unknown flag")
        return getattr(self, self._names[name])

    def __setitem__(self, name: str, value: bool) -> None:
        if name not in ("W", "WRITEABLE"):
            raise KeyError("Unknown flag")
        self.writeable = value

    def __repr__(self) -> str:
        names = ("C_CONTIGUOUS", "F_CONTIGUOUS", "OWNDATA", "WRITEABLE", "ALIGNED", "WRITEBACKIFCOPY")
        return "\n".join(f"  {n} : {self[n]}" for n in names)


class FlatIterator:
    """The elements in C order, as numpy.ndarray.flat."""

    def __init__(self, array: Any):
        self.base = array

    def __len__(self) -> int:
        return self.base.size

    def __iter__(self) -> Any:
        return iter(manipulation.ravel(self.base))

    def __getitem__(self, key: Any) -> Any:
        r = manipulation.ravel(self.base)[key]
        return r.copy() if r.ndim else r

    def __setitem__(self, key: Any, value: Any) -> None:
        view = _core.reshape_view(self.base, (self.base.size,))
        if view is not None:
            view[key] = value
            return
        flat = manipulation.ravel(self.base).copy()
        flat[key] = value
        self.base[...] = _core.reshape(flat, self.base.shape)

    def copy(self) -> Any:
        return manipulation.ravel(self.base).copy()


# ---- shapes


def reshape(self: Any, *shape: Any, order: str = "C", copy: bool | None = None) -> Any:
    """The same elements in another shape."""
    dims = shape[0] if len(shape) == 1 and shape[0] is not None else shape
    return manipulation.reshape(self, dims, order, copy=copy)


def transpose(self: Any, *axes: Any) -> Any:
    """A view with the axes in another order."""
    if len(axes) == 1 and (axes[0] is None or isinstance(axes[0], (tuple, list))):
        axes = axes[0]
    return manipulation.transpose(self, axes or None)


def ravel(self: Any, order: str = "C") -> Any:
    """The elements along one axis, a view where possible."""
    return manipulation.ravel(self, order)


def flatten(self: Any, order: str = "C") -> Any:
    """The elements along one axis, always a copy."""
    r = manipulation.ravel(self, order)
    return r.copy() if _core.shares_storage(r, self) else r


def squeeze(self: Any, axis: Any = None) -> Any:
    """A view without axes of length one."""
    return manipulation.squeeze(self, axis)


def swapaxes(self: Any, axis1: int, axis2: int) -> Any:
    """A view with two axes exchanged."""
    return manipulation.swapaxes(self, axis1, axis2)


def view(self: Any, dtype: Any = None, type: Any = None) -> Any:
    """Another array over the same memory, perhaps read as another type."""
    if type is not None or dtype is np.ndarray or dtype is ndarray:
        if (type or dtype) is not ndarray:
            raise TypeError("[view] a bascule array cannot be seen as another class")
        dtype = None
    if dtype is None:
        return _core.view(self, self.shape, self.strides)
    t = np.dtype(dtype)
    shape, strides = list(self.shape), list(self.strides)
    if t.itemsize != self.itemsize:
        if self.ndim == 0:
            raise ValueError("Changing the dtype of a 0d array is only supported if the itemsize is unchanged")
        if strides[-1] != self.itemsize and shape[-1] != 1 and self.size:
            raise ValueError("To change to a dtype of a different size, the last axis must be contiguous")
        total = shape[-1] * self.itemsize
        if total % t.itemsize:
            raise ValueError(
                "When changing to a larger dtype, its size must be a divisor of the total size in bytes of the last axis of the array."
            )
        shape[-1], strides[-1] = total // t.itemsize, t.itemsize
    return _core.view(self, tuple(shape), tuple(strides), 0, t)


# ---- copies and values


def copy(self: Any, order: str = "C") -> Any:
    """A copy."""
    return _core.astype(self, self.dtype, True, order)


def astype(
    self: Any, dtype: Any, order: str = "K", casting: str = "unsafe", subok: bool = True, copy: bool = True
) -> Any:
    """The elements as another type."""
    return selection.cast(self, dtype, order, casting, subok, copy)


def item(self: Any, *args: Any) -> Any:
    """One element as a Python scalar."""
    if len(args) == 1 and isinstance(args[0], tuple):
        args = args[0]
    if not args:
        if self.size != 1:
            raise ValueError("can only convert an array of size 1 to a Python scalar")
        return _core.item(self, 0)
    if len(args) == 1:
        i = operator.index(args[0])
        if not -self.size <= i < self.size:
            raise IndexError(f"index {i} is out of bounds for size {self.size}")
        return _core.item(self, i % self.size)
    if len(args) != self.ndim:
        raise ValueError("incorrect number of indices for array")
    return _core.item(self[args], 0)


def tolist(self: Any) -> Any:
    """The elements as nested lists of Python scalars."""
    return conversion.to_numpy(self).tolist()


def tobytes(self: Any, order: str = "C") -> bytes:
    """The elements' bytes."""
    return conversion.to_numpy(self).tobytes(order)


def fill(self: Any, value: Any) -> None:
    """Write one value to every element."""
    self[...] = value


def take(self: Any, indices: Any, axis: int | None = None, out: Any = None, mode: str = "raise") -> Any:
    """Elements at given positions."""
    return selection.take(self, indices, axis, out, mode)


def nonzero(self: Any) -> Any:
    """Positions of the elements that are not zero."""
    return selection.nonzero(self)


def compress(self: Any, condition: Any, axis: int | None = None, out: Any = None) -> Any:
    """Slices for which a condition holds."""
    return selection.compress(condition, self, axis, out)


def repeat(self: Any, repeats: Any, axis: int | None = None) -> Any:
    """Each element several times."""
    return manipulation.repeat(self, repeats, axis)


def put(self: Any, indices: Any, values: Any, mode: str = "raise") -> None:
    """Write values at positions of the flattened array."""
    selection.put(self, indices, values, mode)


def diagonal(self: Any, offset: int = 0, axis1: int = 0, axis2: int = 1) -> Any:
    """A read-only view of a diagonal."""
    return selection.diagonal(self, offset, axis1, axis2)


def trace(self: Any, offset: int = 0, axis1: int = 0, axis2: int = 1, dtype: Any = None, out: Any = None) -> Any:
    """Sum along a diagonal."""
    return selection.trace(self, offset, axis1, axis2, dtype, out)


def clip(self: Any, min: Any = None, max: Any = None, out: Any = None, **kwargs: Any) -> Any:
    """Elements limited to an interval."""
    return selection.limited(self, min, max, out, **kwargs)


def round_(self: Any, decimals: int = 0, out: Any = None) -> Any:
    """Elements rounded to a number of decimals, halves to even."""
    from .arithmetic import round as rounded

    return rounded(self, decimals, out)


def conj(self: Any) -> Any:
    """Complex conjugates."""
    return by_name["conjugate"](self) if self.dtype.kind == "c" else self


def cumsum(self: Any, axis: Any = None, dtype: Any = None, out: Any = None) -> Any:
    """Sums of ever longer parts."""
    return reductions.cumsum(self, axis, dtype, out)


def cumprod(self: Any, axis: Any = None, dtype: Any = None, out: Any = None) -> Any:
    """Products of ever longer parts."""
    return reductions.cumprod(self, axis, dtype, out)


def ptp(self: Any, axis: Any = None, out: Any = None, keepdims: bool = False) -> Any:
    """Distance between the largest and the smallest element."""
    return reductions.ptp(self, axis, out, keepdims)


def dot(self: Any, b: Any, out: Any = None) -> Any:
    """Dot product."""
    return products.dot(self, b, out)


def sort(self: Any, /, axis: int = -1, kind: Any = None, order: Any = None, *, stable: bool | None = None) -> None:
    """Sort in place."""
    ordering.sort_in_place(self, axis, kind, order, stable)


def argsort(self: Any, /, axis: Any = -1, kind: Any = None, order: Any = None, *, stable: bool | None = None) -> Any:
    """Positions that would sort."""
    return ordered.argsort(self, axis, kind, order, stable=stable)


def searchsorted(self: Any, v: Any, /, side: str = "left", sorter: Any = None) -> Any:
    """Positions at which values keep the array sorted."""
    return ordered.searchsorted(self, v, side, sorter)


def argpartition(self: Any, kth: Any, /, axis: Any = -1, kind: str = "introselect", order: Any = None) -> Any:
    """Positions that would partition."""
    return ordered.argpartition(self, kth, axis, kind, order)


def partition(self: Any, kth: Any, /, axis: int = -1, kind: str = "introselect", order: Any = None) -> None:
    """Partition in place."""
    ordering.partition_in_place(self, kth, axis, kind, order)


def get(self: Any) -> np.ndarray:
    """A NumPy copy, from any device."""
    return conversion.to_numpy(self)


def to_device(self: Any, device: str, /, *, stream: Any = None) -> Any:
    """The array on a device: itself if it lies there already."""
    if stream is not None:
        raise ValueError("[to_device] stream= is not supported")
    return _core.to_device(self, device)


# ---- attributes


def _real(self: Any) -> Any:
    if self.dtype.kind != "c":
        return self
    return _core.view(self, self.shape, self.strides, 0, np.dtype(f"f{self.itemsize // 2}"))


def _set_real(self: Any, value: Any) -> None:
    _real(self)[...] = value


def _imag(self: Any) -> Any:
    if self.dtype.kind == "c":
        return _core.view(self, self.shape, self.strides, self.itemsize // 2, np.dtype(f"f{self.itemsize // 2}"))
    r = _core.full(self.shape, 0, self.dtype, self.device)
    _core.set_writeable(r, False)
    return r


def _set_imag(self: Any, value: Any) -> None:
    if self.dtype.kind != "c":
        raise TypeError("array does not have imaginary part to set")
    _imag(self)[...] = value


def _set_flat(self: Any, value: Any) -> None:
    FlatIterator(self)[:] = value


_FUNCTIONS = [
    reshape, transpose, ravel, flatten, squeeze, swapaxes, view, copy, astype, item, tolist, tobytes, fill, take, nonzero,
    compress, repeat, put, diagonal, trace, clip, conj, cumsum, cumprod, ptp, dot, sort, argsort, searchsorted, argpartition,
    partition, get, to_device,
]  # fmt: skip


def install() -> None:
    """Put the methods and attributes on the type."""
    for f in _FUNCTIONS:
        setattr(ndarray, f.__name__, f)
    ndarray.round = round_
    ndarray.conjugate = conj
    ndarray.flags = property(Flags, doc="Layout of the array.")
    ndarray.flat = property(FlatIterator, _set_flat, doc="The elements in C order.")
    ndarray.real = property(_real, _set_real, doc="Real parts, a view.")
    ndarray.imag = property(_imag, _set_imag, doc="Imaginary parts, a view.")
    ndarray.mT = property(manipulation.matrix_transpose, doc="A view with the last two axes exchanged.")
    ndarray.base = property(lambda self: None, doc="Always None: views share memory without an owner among them.")
    ndarray.__array_priority__ = 1000.0
    ndarray.__matmul__ = lambda self, other: products.operator_matmul(self, other)
    ndarray.__rmatmul__ = lambda self, other: products.operator_matmul(other, self, True)
    ndarray.__imatmul__ = products.operator_imatmul
