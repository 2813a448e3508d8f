"""Attributes of ndarray that are objects of their own or can be set: flags, flat, shape, strides, dtype, interfaces."""

from __future__ import annotations

import operator
import warnings
from typing import TYPE_CHECKING, Any

import numpy as np

from .. import _core
from .._core import ndarray
from ..lib import manipulation
from ..lib.manipulation import shapes
from . import caller_warnings as warned
from . import conversion, numpy_versions

if TYPE_CHECKING:
    from .types import _ArrayLike


class Flags:
    """Layout of an array in memory, like numpy.ndarray.flags."""

    _names = {
        "C": "c_contiguous",
        "C_CONTIGUOUS": "c_contiguous",
        "CONTIGUOUS": "c_contiguous",
        "F": "f_contiguous",
        "F_CONTIGUOUS": "f_contiguous",
        "FORTRAN": "f_contiguous",
        "O": "owndata",
        "OWNDATA": "owndata",
        "W": "writeable",
        "WRITEABLE": "writeable",
        "A": "aligned",
        "ALIGNED": "aligned",
        "X": "writebackifcopy",
        "WRITEBACKIFCOPY": "writebackifcopy",
        "B": "behaved",
        "BEHAVED": "behaved",
        "CA": "carray",
        "CARRAY": "carray",
        "FA": "farray",
        "FARRAY": "farray",
        "FNC": "fnc",
        "FORC": "forc",
    }
    __slots__ = ("_array",)
    __hash__ = None  # type: ignore[assignment]  (flags change with the array)

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
    fortran = f_contiguous

    @property
    def fnc(self) -> bool:
        return self.f_contiguous and not self.c_contiguous

    @property
    def forc(self) -> bool:
        return self.f_contiguous or self.c_contiguous

    @property
    def owndata(self) -> bool:
        return self._array.base is None and _core.owns_storage(self._array)

    @property
    def writeable(self) -> bool:
        return _core.is_writeable(self._array)

    @writeable.setter
    def writeable(self, yes: bool) -> None:
        base = self._array.base
        if yes and base is not None and not _core.is_writeable(base):
            raise ValueError("cannot set WRITEABLE flag to True of this array")
        _core.set_writeable(self._array, bool(yes))

    @property
    def aligned(self) -> bool:
        return _core.is_aligned(self._array)

    @aligned.setter
    def aligned(self, yes: bool) -> None:
        if bool(yes) != self.aligned:
            raise ValueError(f"cannot set aligned flag to {yes}: it describes the array's memory")

    @property
    def writebackifcopy(self) -> bool:
        return False

    @writebackifcopy.setter
    def writebackifcopy(self, yes: bool) -> None:
        if yes:
            raise ValueError("cannot set WRITEBACKIFCOPY flag to True")

    @property
    def behaved(self) -> bool:
        return self.aligned and self.writeable

    @property
    def carray(self) -> bool:
        return self.behaved and self.c_contiguous

    @property
    def farray(self) -> bool:
        return not self.c_contiguous  # as in NumPy, which looks at nothing else

    @property
    def num(self) -> int:
        bits = {"c_contiguous": 1, "f_contiguous": 2, "owndata": 4, "aligned": 0x100, "writeable": 0x400}
        return sum(bit for name, bit in bits.items() if getattr(self, name))

    def __getitem__(self, name: str) -> bool:
        if name not in self._names:
            raise KeyError("Unknown flag")
        return getattr(self, self._names[name])

    def __setitem__(self, name: str, value: bool) -> None:
        if name not in ("W", "WRITEABLE", "A", "ALIGNED", "X", "WRITEBACKIFCOPY"):
            raise KeyError("Unknown flag")
        setattr(self, self._names[name], value)

    def __eq__(self, other: Any) -> Any:
        return self.num == other.num if isinstance(other, (Flags, np._core.multiarray.flagsobj)) else NotImplemented

    def __repr__(self) -> str:
        names = ("C_CONTIGUOUS", "F_CONTIGUOUS", "OWNDATA", "WRITEABLE", "ALIGNED", "WRITEBACKIFCOPY")
        return "".join(f"  {n} : {self[n]}\n" for n in names)


# ---- flat


def _flat_index(key: Any, size: int) -> Any:
    """An index of a flat iterator as an index of an array with one axis. NumPy's iterator decides rare indices and
    errors, because its versions differ.
    """
    if isinstance(key, FlatIterator):
        key = key.copy()
    if key is Ellipsis or isinstance(key, slice):
        return slice(None) if key is Ellipsis else key
    indices = key if isinstance(key, (ndarray, np.ndarray, np.generic)) else None
    if type(key) is list and key:
        try:
            indices = np.asarray(key)
        except ValueError:  # of unequal lengths
            indices = None
    if type(key) is int or (indices is not None and indices.ndim == 0 and indices.dtype.kind in "iu"):
        if -size <= (i := operator.index(key)) < size:
            return i
    elif indices is not None and indices.dtype.kind in "iu":
        return indices
    with warnings.catch_warnings(record=True, action="always") as said:
        found = np.arange(size).flat[conversion.seen_by_numpy(key)]
    for w in said:
        warned.warn(str(w.message), w.category)
    return int(found) if found.ndim == 0 else found


class FlatIterator(_core.flat_elements):
    """The elements in C order, as numpy.ndarray.flat."""

    __slots__ = ()
    __hash__ = None  # type: ignore[assignment]  (comparisons are element by element)

    def _coordinates(self, position: int) -> tuple[int, ...]:
        a = self.base
        if position >= a.size and (a.size == 0 or (a.ndim > 2 and not a.flags.c_contiguous)):
            return (0,) * a.ndim  # NumPy's counters also wrap to zero at the end
        left, out = position, []
        for n in reversed(a.shape):
            left, k = divmod(left, n)
            out.append(k)
        if out:
            out[-1] += left * a.shape[0]
        return tuple(reversed(out))

    @property
    def coords(self) -> tuple[int, ...]:
        """Indices of the next element."""
        return self._coordinates(self.index)

    def __array__(self, /, dtype: Any = None, copy: bool | None = None) -> Any:
        """The elements along one axis: a view of the array's memory where the layout allows it."""
        flat = manipulation.ravel(self.base)
        if not _core.shares_storage(flat, self.base):
            flat.flags.writeable = False
        host = conversion.host_view(flat)
        return host.astype(dtype) if dtype is not None and host.dtype != dtype else host.copy() if copy else host

    def __getitem__(self, key: Any) -> Any:
        a = self.base
        key = _flat_index(key, a.size)
        if isinstance(key, int):
            return a[self._coordinates(key % a.size)]
        r = manipulation.ravel(a)[key]
        return r.copy() if r.ndim else r

    def __setitem__(self, key: Any, value: Any) -> None:
        a = self.base
        if isinstance(key, tuple) and not key:
            raise IndexError("Assigning to a flat iterator with a 0-D index is not supported")
        if not _core.is_writeable(a):
            raise ValueError("underlying array is read-only")
        key = _flat_index(key, a.size)
        if isinstance(key, int):
            try:
                a[self._coordinates(key % a.size)] = value
            except _core.RefusedDtype:
                raise
            except (TypeError, ValueError, OverflowError):
                raise ValueError("Error setting single item of array.") from None
            return
        if not isinstance(value, (_core.ndarray, np.ndarray, np.generic)):  # as elements of the array's own type
            value = np.asarray(value, a.dtype)
        value = conversion.as_array(value, a)
        if value.size == 0:
            return
        flat = _core.reshape_view(a, (a.size,))
        target = manipulation.ravel(a).copy() if flat is None else flat
        if value.size > 1:  # the values are repeated in turn
            positions = target[key]
            if value.size != positions.size and positions.size:
                value = manipulation.ravel(value)[np.arange(positions.size) % value.size]
            value = manipulation.ravel(value)[: positions.size]
            value = _core.reshape(value, positions.shape) if positions.size else positions
        target[key] = _core.reshape(value, ()) if value.size == 1 else value
        if flat is None:
            a[...] = _core.reshape(target, a.shape)

    def __delitem__(self, key: Any) -> None:
        raise TypeError("Cannot delete iterator elements")

    def copy(self, /) -> Any:
        """A copy of the elements along one axis."""
        return manipulation.ravel(self.base).copy()

    def __eq__(self, other: Any) -> Any:
        return self.copy() == other

    def __ne__(self, other: Any) -> Any:
        return self.copy() != other

    def __lt__(self, other: Any) -> Any:
        return self.copy() < other

    def __le__(self, other: Any) -> Any:
        return self.copy() <= other

    def __gt__(self, other: Any) -> Any:
        return self.copy() > other

    def __ge__(self, other: Any) -> Any:
        return self.copy() >= other


def _set_flat(self: Any, value: _ArrayLike) -> None:
    FlatIterator(self)[:] = value


# ---- layouts that can be set


def seen_as(a: Any, dtype: Any) -> Any:
    """A view of the same bytes as elements of another type."""
    t = np.dtype(dtype)
    shape, strides = list(a.shape), list(a.strides)
    if t.itemsize != a.itemsize:
        if a.ndim == 0:
            raise ValueError("Changing the dtype of a 0d array is only supported if the itemsize is unchanged")
        if strides[-1] != a.itemsize and shape[-1] != 1 and a.size:
            raise ValueError("To change to a dtype of a different size, the last axis must be contiguous")
        total = shape[-1] * a.itemsize
        if t.itemsize < a.itemsize and a.itemsize % t.itemsize:
            raise ValueError(
                "When changing to a smaller dtype, its size must be a divisor of the size of original dtype"
            )
        if total % t.itemsize:
            raise ValueError(
                "When changing to a larger dtype, its size must be a divisor of the total size in bytes of the last axis of the array."
            )
        shape[-1], strides[-1] = total // t.itemsize, t.itemsize
    return _core.view(a, tuple(shape), tuple(strides), 0, t)


def _restrided(a: Any, value: Any) -> Any:
    if numpy_versions.since("setting strides is deprecated"):
        warned.warn(
            "Setting the strides on a NumPy array has been deprecated in NumPy 2.4.\nAs an alternative, you can create a new "
            "view using np.lib.stride_tricks.as_strided.",
            DeprecationWarning,
        )
    strides = (operator.index(value),) if not isinstance(value, (tuple, list)) else tuple(map(operator.index, value))
    if len(strides) != a.ndim:
        raise ValueError(f"strides must be  same length as shape ({a.ndim})")
    owner = a if a.base is None else a.base
    low, high = np.lib.array_utils.byte_bounds(conversion.host_view(owner))
    first = last = conversion.host_view(a).__array_interface__["data"][0]
    for n, step in zip(a.shape, strides):
        first, last = first + min(0, (n - 1) * step), last + max(0, (n - 1) * step)
    if a.size and (first < low or last + a.itemsize > high):
        raise ValueError("strides is not compatible with available memory")
    return _core.view(a, a.shape, strides)


_DEPRECATED = {
    "shape": "Setting the shape on a NumPy array has been deprecated in NumPy 2.5.\nAs an alternative, you can create a new "
    "view using np.reshape (with copy=False if needed).",
    "dtype": "Setting the dtype on a NumPy array has been deprecated in NumPy 2.5.\nInstead of changing the dtype on an "
    "array x, create a new array with x.view(new_dtype)",
}


def set_layout(a: Any, name: str, value: Any) -> None:
    """Set ``a.shape``, ``a.strides`` or ``a.dtype``."""
    if name != "strides" and numpy_versions.since("setting shapes and dtypes is deprecated"):
        warned.warn(_DEPRECATED[name], DeprecationWarning)
    if name == "dtype":
        view = seen_as(a, value)
    elif name == "strides":
        view = _restrided(a, value)
    else:
        view = _core.reshape_view(a, shapes._resolved(value, a.size))
        if view is None:
            raise AttributeError(
                "Incompatible shape for in-place modification. Use `.reshape()` to make a copy with the desired shape."
            )
    _core.become(a, view)


# ---- parts of complex numbers


def _view_of_part(self: Any, imaginary: bool) -> Any:
    """The real or imaginary parts of complex elements, as a view."""
    half = self.itemsize // 2
    return _core.view(self, self.shape, self.strides, half if imaginary else 0, np.dtype(f"f{half}"))


def _matrix_transpose(self: Any) -> ndarray:
    if self.ndim < 2:
        raise ValueError("matrix transpose with ndim < 2 is undefined")
    return self.T if self.ndim == 2 else manipulation.swapaxes(self, -1, -2)


def _real(self: Any) -> ndarray:
    if (r := _core.small_real(self)) is not None:
        return r
    return _view_of_part(self, False) if self.dtype.kind == "c" else self


def _set_real(self: Any, value: _ArrayLike) -> None:
    part = _view_of_part(self, False) if self.dtype.kind == "c" else self
    part[...] = value


def _imag(self: Any) -> ndarray:
    if (r := _core.small_imag(self)) is not None:
        return r
    if self.dtype.kind == "c":
        return _view_of_part(self, True)
    r = _core.full(self.shape, 0, self.dtype, self.device)
    _core.set_writeable(r, False)
    return r


def _set_imag(self: Any, value: _ArrayLike) -> None:
    if self.dtype.kind != "c":
        np.zeros(1, self.dtype).imag = 0  # NumPy raises: there is no imaginary part to set
    _view_of_part(self, True)[...] = value


# ---- memory shared with other libraries


def _shared(self: Any) -> np.ndarray:
    """A NumPy array over the memory, which other objects may use from now on as long as it lives (design rule 15)."""
    if self.device.startswith("cuda"):
        raise AttributeError(conversion.on_device(self))
    _core.begin_export(self)
    return conversion.host_view(self)


def _timeless(self: Any, name: str) -> np.ndarray:
    if self.dtype.kind in "mM":  # NumPy asks for these first and would lose the unit; without them it calls __array__
        raise AttributeError(f"{self.dtype} has no {name}: use numpy.asarray")
    return _shared(self)


def _interface(self: Any) -> dict[str, Any]:
    return _timeless(self, "__array_interface__").__array_interface__


def _struct(self: Any) -> Any:
    return _timeless(self, "__array_struct__").__array_struct__


def _ctypes(self: Any) -> Any:
    return _shared(self).ctypes


def install() -> None:
    """Put the attributes on the type."""
    ndarray.flags = property(Flags, doc="Layout of the array.")
    ndarray.flat = property(FlatIterator, _core.method(_set_flat), doc="The elements in C order.")
    ndarray.real = property(_real, _core.method(_set_real), doc="Real parts, a view.")
    ndarray.imag = property(_imag, _core.method(_set_imag), doc="Imaginary parts, a view.")
    FlatIterator.__setitem__ = _core.method(FlatIterator.__setitem__)  # type: ignore[method-assign]
    ndarray.mT = property(_matrix_transpose, doc="A view with the last two axes exchanged.")
    ndarray.data = property(memoryview, doc="The memory as a memoryview.")
    ndarray.ctypes = property(_ctypes, doc="The memory for ctypes, as numpy.ndarray.ctypes.")
    ndarray.__array_interface__ = property(_interface, doc="The memory for other libraries, version 3 of the protocol.")
    ndarray.__array_struct__ = property(_struct, doc="The memory for C code.")
    ndarray.__array_priority__ = 1000.0
