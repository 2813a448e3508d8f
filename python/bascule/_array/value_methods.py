"""Methods of ndarray that copy, convert, read and write whole arrays."""

from __future__ import annotations

import contextlib
import operator
import os
import pickle
from typing import IO, TYPE_CHECKING, Any, Literal, SupportsIndex, overload

import numpy as np

from .. import _core
from ..lib import selection
from . import conversion
from .shape_methods import _check_order

if TYPE_CHECKING:
    from numpy.typing import DTypeLike

    from .._core import ndarray
    from .types import _ArrayLike, _ArrayT, _Casting, _DTypeT, _Order, _ScalarT, _ShapeT


def copy(self: ndarray[_ShapeT, _DTypeT], /, order: _Order = "C") -> ndarray[_ShapeT, _DTypeT]:
    """Copy the array."""
    _check_order(order)
    return _core.astype(self, self.dtype, True, "K" if order is None else order)


@overload
def astype(
    self: ndarray[_ShapeT, Any],
    /,
    dtype: type[_ScalarT] | np.dtype[_ScalarT],
    order: _Order = "K",
    casting: _Casting = "unsafe",
    subok: bool = True,
    copy: bool = True,
) -> ndarray[_ShapeT, np.dtype[_ScalarT]]: ...
@overload
def astype(
    self: ndarray[_ShapeT, Any],
    /,
    dtype: DTypeLike,
    order: _Order = "K",
    casting: _Casting = "unsafe",
    subok: bool = True,
    copy: bool = True,
) -> ndarray[_ShapeT, np.dtype[Any]]: ...
def astype(
    self: Any, /, dtype: Any, order: str = "K", casting: str = "unsafe", subok: bool = True, copy: bool = True
) -> Any:
    """Convert the elements to another type."""
    return selection.cast(self, dtype, order, casting, subok, copy)


def _sizeof(self: Any, /) -> int:
    """Bytes of the object, including the elements' where the array owns them."""
    return object.__sizeof__(self) + (self.nbytes if self.flags.owndata else 0)


def item(self: Any, /, *args: SupportsIndex | tuple[SupportsIndex, ...]) -> Any:
    """Return one element as a Python scalar."""
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
    """Return the elements as nested lists of Python scalars.

    Returns
    -------
    list, or a scalar where there are no axes

    Examples
    --------
    >>> import bascule as bc
    >>> bc.asarray([[1, 2], [3, 4]]).tolist()
    [[1, 2], [3, 4]]
    """
    return conversion.to_numpy(self).tolist()


def tobytes(self: Any, /, order: _Order = "C") -> bytes:
    r"""Return the elements as bytes.

    Parameters
    ----------
    order : {"C", "F", "A", "K"}, optional
        Whether elements are counted with the last or the first axis running fastest; "A" is "F" for arrays in that layout, "K"
        the order in memory.

    Returns
    -------
    bytes, of length nbytes

    Examples
    --------
    >>> import bascule as bc
    >>> bc.asarray([1, 2], "i2").tobytes()
    b'\x01\x00\x02\x00'
    """
    if order == "C" and (r := _core.bytes_of(self)) is not None:
        return r
    return conversion.to_numpy(self).tobytes(order)


def fill(self: Any, /, value: _ArrayLike) -> None:
    """Set every element to one value.

    Parameters
    ----------
    value : scalar

    Returns
    -------
    None

    Raises
    ------
    ValueError
        The array is read-only.

    Examples
    --------
    >>> import bascule as bc
    >>> x = bc.zeros(2)
    >>> x.fill(7)
    >>> x.tolist()
    [7.0, 7.0]
    """
    if not isinstance(value, (int, float, complex, np.generic)) and np.ndim(value):
        if isinstance(value, (list, tuple)):
            np.zeros(1, self.dtype)[0] = value  # NumPy raises
        raise ValueError("setting an array element with a sequence.")
    self[...] = value


def byteswap(self: _ArrayT, /, inplace: bool = False) -> _ArrayT:
    """Reverse the byte order of the elements.

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


def getfield(self: Any, /, dtype: DTypeLike, offset: int = 0) -> ndarray:
    """View a part of each element, starting at `offset` bytes, as another dtype.

    Parameters
    ----------
    dtype : dtype
        Type to read the part as.
    offset : int, optional
        Where the part begins in each element, in bytes.

    Returns
    -------
    ndarray
        A view: it shares the array's memory.

    Raises
    ------
    ValueError
        The part reaches beyond the element.

    Examples
    --------
    >>> import bascule as bc
    >>> bc.asarray([1 + 2j]).getfield(float, 8).tolist()
    [2.0]
    """
    t, offset = np.dtype(dtype), operator.index(offset)
    if t.itemsize > self.itemsize:
        raise ValueError("new type is larger than original type")
    if offset < 0:
        raise ValueError("offset is negative")
    if offset > self.itemsize - t.itemsize:
        raise ValueError("new type plus offset is larger than original type")
    return _core.view(self, self.shape, self.strides, offset, t)


def setfield(self: Any, /, val: _ArrayLike, dtype: DTypeLike, offset: int = 0) -> None:
    """Set a part of each element, starting at `offset` bytes, to a value.

    Parameters
    ----------
    val : array_like
        Broadcasts to the shape.
    dtype : dtype
        Type to read the part as.
    offset : int, optional
        Where the part begins in each element, in bytes.

    Returns
    -------
    None

    Raises
    ------
    ValueError
        The part reaches beyond the element, or the array is read-only.

    Examples
    --------
    >>> import bascule as bc
    >>> x = bc.zeros(2, complex)
    >>> x.setfield([1, 2], float, 8)
    >>> x.tolist()
    [1j, 2j]
    """
    getfield(self, dtype, offset)[...] = val


def setflags(self: Any, /, *, write: bool | None = None, align: bool | None = None, uic: bool | None = None) -> None:
    """Set the flags writeable, aligned and writebackifcopy.

    Parameters
    ----------
    write, align, uic : bool, optional
        New values of the flags writeable, aligned and writebackifcopy.

    Returns
    -------
    None

    Raises
    ------
    ValueError
        The flag cannot have that value, such as writeable for a view of read-only memory.

    Examples
    --------
    >>> import bascule as bc
    >>> x = bc.zeros(2)
    >>> x.setflags(write=False)
    >>> x.flags.writeable
    False
    """
    for name, value in (("aligned", align), ("writebackifcopy", uic), ("writeable", write)):
        if value is not None:
            setattr(self.flags, name, bool(value))


def tofile(self: Any, /, fid: str | os.PathLike[str] | IO[Any], sep: str = "", format: str = "%s") -> None:
    """Write the elements to a file, as bytes or as text with a separator.

    Parameters
    ----------
    fid : file, str or path
    sep : str, optional
        Separator between the elements; without it their bytes are written.
    format : str, optional
        Format of an element in text.

    Returns
    -------
    None

    Examples
    --------
    >>> import bascule as bc
    >>> import pathlib, tempfile
    >>> path = pathlib.Path(tempfile.mkdtemp(), "numbers")
    >>> bc.arange(3).tofile(path, sep=" ")
    >>> path.read_text()
    '0 1 2'
    """
    conversion.to_numpy(self).tofile(fid, sep, format)


def dump(self: Any, /, file: str | os.PathLike[str] | IO[bytes]) -> None:
    """Pickle the array to a file, given by its path or open for writing.

    Parameters
    ----------
    file : file, str or path

    Returns
    -------
    None

    Examples
    --------
    >>> import bascule as bc
    >>> import io, pickle
    >>> file = io.BytesIO()
    >>> bc.arange(3).dump(file)
    >>> pickle.loads(file.getvalue()).tolist()
    [0, 1, 2]
    """
    if hasattr(file, "write"):
        return pickle.dump(self, file, protocol=2)
    with open(os.fspath(file), "wb") as opened:
        pickle.dump(self, opened, protocol=2)


def dumps(self: Any, /) -> bytes:
    """Return the array as a pickled bytes object.

    Returns
    -------
    bytes

    Examples
    --------
    >>> import bascule as bc
    >>> import pickle
    >>> pickle.loads(bc.arange(3).dumps()).tolist()
    [0, 1, 2]
    """
    return pickle.dumps(self, protocol=2)


def get(
    self: ndarray[_ShapeT, _DTypeT], /, stream: Any = None, order: Literal["C", "F", "A"] = "C", out: Any = None,
    blocking: bool = True,
) -> np.ndarray[_ShapeT, _DTypeT]:  # fmt: skip
    """Copy the array to a NumPy array, from any device.

    Parameters
    ----------
    stream : bascule.cuda.Stream, optional
        Stream to copy on; by default the current one. Pending operations of the array run first.
    order : {'C', 'F', 'A'}, optional
        Of the copy; 'A' is 'F' if the array is in Fortran order only.
    out : numpy.ndarray, optional
        Array to write the elements to; of the array's shape and type.
    blocking : bool, optional
        False returns at once if `out` is in pinned memory (`bascule.cuda.alloc_pinned_memory`): its elements are valid
        once the stream has been synchronized. Otherwise the call returns when they are valid, in either case.

    Returns
    -------
    numpy.ndarray

    Examples
    --------
    >>> import bascule as bc
    >>> type(bc.zeros(3).get())
    <class 'numpy.ndarray'>
    """
    if out is not None and (not isinstance(out, np.ndarray) or out.shape != self.shape or out.dtype != self.dtype):
        raise ValueError(f"[get] out is to be a NumPy array of shape {self.shape} and type {self.dtype}")
    with contextlib.nullcontext() if stream is None else stream:
        if out is None:
            found = conversion.to_numpy(self)
            fortran = order == "F" or (order == "A" and self.flags.fnc)
            return np.asfortranarray(found) if fortran else found
        if out.flags.c_contiguous and out.flags.writeable:
            _core.copy_to_host(self, out.ctypes.data, blocking or not _is_pinned(out))
        else:
            out[...] = conversion.to_numpy(self)
    return out


def _is_pinned(a: Any) -> bool:
    while isinstance(a, (np.ndarray, memoryview)):
        a = a.obj if isinstance(a, memoryview) else a.base
    return isinstance(a, _core.HostMemory) and a.is_pinned


def set_(self: Any, /, arr: np.ndarray[Any, Any], stream: Any = None) -> None:
    """Copy a NumPy array of the same shape and dtype into this one, on any device.

    Parameters
    ----------
    arr : numpy.ndarray
        The elements.
    stream : bascule.cuda.Stream, optional
        Stream to copy on; by default the current one.

    Raises
    ------
    TypeError
        `arr` is no NumPy array, or of another type.
    ValueError
        `arr` has another shape.

    Examples
    --------
    >>> import bascule as bc
    >>> import numpy as np
    >>> x = bc.zeros(3)
    >>> x.set(np.arange(3.0))
    >>> x.tolist()
    [0.0, 1.0, 2.0]
    """
    if not isinstance(arr, np.ndarray):
        raise TypeError(f"[set] expected a NumPy array, got {type(arr).__name__}")
    if arr.dtype != self.dtype:
        raise TypeError(f"[set] expected elements of {self.dtype}, got {arr.dtype}")
    if arr.shape != self.shape:
        raise ValueError(f"[set] expected the shape {self.shape}, got {arr.shape}")
    with contextlib.nullcontext() if stream is None else stream:
        self[...] = _core.from_numpy(arr, self.device)


def to_device(self: _ArrayT, device: str, /, *, stream: None = None) -> _ArrayT:
    """Copy the array to a device, or return the array itself if it is there already.

    Parameters
    ----------
    device : str
        "cpu", "cuda", "cuda:1", "reference".
    stream : None
        Only None.

    Returns
    -------
    ndarray

    Raises
    ------
    ValueError
        There is no such device, or a stream is given.

    Examples
    --------
    >>> import bascule as bc
    >>> x = bc.zeros(3)
    >>> x.to_device("cpu") is x
    True
    """
    if stream is not None:
        raise ValueError("[to_device] stream= is not supported")
    return self if device == self.device else _core.to_device(self, device)
