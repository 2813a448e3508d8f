"""Arrays in files: NumPy's .npy and .npz formats, byte for byte."""

from __future__ import annotations

import os
import zipfile
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any, Literal

import numpy as np
from numpy.lib import format as npy_format

from .. import _core, fallback
from .._array import conversion
from .._core import ndarray
from ..interop import numpys_calls

if TYPE_CHECKING:
    from .._array.types import _ArrayLike, _File

__all__ = ["load", "save", "savez", "savez_compressed"]


_REASON = "files of another version, or that cannot be read into memory"
_HEADERS = {(1, 0): npy_format.read_array_header_1_0, (2, 0): npy_format.read_array_header_2_0}


def _host(x: Any, allow_pickle: bool) -> np.ndarray:
    """The array that NumPy writes for x: over an array's own memory if the host can read it."""
    if type(x) is ndarray:
        return _core.to_numpy(x) if x.device.startswith("cuda") else conversion.host_view(x)
    n = np.asanyarray(x)
    if n.dtype.hasobject and not allow_pickle:
        raise ValueError("Object arrays cannot be saved when allow_pickle=False")
    return n


def save(file: _File, arr: _ArrayLike, allow_pickle: bool = True) -> None:
    """Save an array to a file in NumPy's .npy format.

    Parameters
    ----------
    file : file, str or path
        File to write to; the ending ``.npy`` is added to names.
    arr : array_like
        Array to save.
    allow_pickle : bool
        Allow arrays of objects, which are pickled.

    Returns
    -------
    None

    Raises
    ------
    ValueError
        The elements are objects, and `allow_pickle` is false.

    Examples
    --------
    >>> import io
    >>> import bascule as bc
    >>> file = io.BytesIO()
    >>> bc.save(file, bc.arange(3))
    >>> _ = file.seek(0)
    >>> bc.load(file).tolist()
    [0, 1, 2]
    """
    if hasattr(file, "write"):
        return _write(file, arr, allow_pickle)
    name = os.fspath(file)
    with open(name if name.endswith(".npy") else name + ".npy", "wb") as f:
        _write(f, arr, allow_pickle)


def _write(file: Any, x: Any, allow_pickle: bool) -> None:
    """Write the header and the elements as they are in memory; NumPy writes types that our arrays lack."""
    try:
        a = conversion.as_array(x)
    except _core.RefusedDtype as error:
        n = _host(x, allow_pickle)
        fallback.count("save", numpys_calls.reason_of(error))
        np.save(file, n, allow_pickle=allow_pickle)
        return
    a = _core.to_device(a, "cpu", False) if a.device != "cpu" else a
    flags = a.flags
    fortran = bool(flags.f_contiguous and not flags.c_contiguous)
    header = {"descr": npy_format.dtype_to_descr(a.dtype), "fortran_order": fortran, "shape": a.shape}
    npy_format.write_array_header_1_0(file, header)
    rows_ = a.T if fortran else a if flags.c_contiguous else a.copy("C")
    if a.size:
        file.write(_bytes_of(rows_))


def _bytes_of(a: ndarray) -> memoryview:
    """The bytes of a contiguous array, which is not empty."""
    return memoryview(_core.reshape(a, (a.size,)).view(np.uint8))


def _archive(file: Any, args: tuple, named: dict[str, Any], compression: int, allow_pickle: bool) -> None:
    """Write arrays as the members of an archive."""
    for k, x in enumerate(args):
        if (name := f"arr_{k}") in named:
            raise ValueError(f"Cannot use un-named variables and keyword {name}")
        named[name] = x
    if not hasattr(file, "write"):
        file = os.fspath(file)
        file = file if file.endswith(".npz") else file + ".npz"
    with zipfile.ZipFile(file, "w", compression, allowZip64=True) as members:
        for name, x in named.items():
            with members.open(name + ".npy", "w", force_zip64=True) as f:
                _write(f, x, allow_pickle)


def savez(file: _File, *args: _ArrayLike, allow_pickle: bool = True, **kwds: _ArrayLike) -> None:
    """Save several arrays to a file in NumPy's .npz format, uncompressed.

    Parameters
    ----------
    file : file, str or path
        File to write to; the ending ``.npz`` is added to names.
    *args : array_like
        Arrays to save under the names arr_0, arr_1 and so on.
    allow_pickle : bool
        Allow arrays of objects, which are pickled.
    **kwds : array_like
        Arrays to save under these names.

    Returns
    -------
    None

    Raises
    ------
    ValueError
        A name is given twice, or elements are objects and `allow_pickle` is false.

    Examples
    --------
    >>> import io
    >>> import bascule as bc
    >>> file = io.BytesIO()
    >>> bc.savez(file, bc.arange(3), ones=bc.ones(2))
    >>> _ = file.seek(0)
    >>> sorted(bc.load(file).files)
    ['arr_0', 'ones']
    """
    _archive(file, args, kwds, zipfile.ZIP_STORED, allow_pickle)


def savez_compressed(file: _File, *args: _ArrayLike, allow_pickle: bool = True, **kwds: _ArrayLike) -> None:
    """Save several arrays to a file in NumPy's .npz format, compressed.

    Parameters
    ----------
    file : file, str or path
        File to write to; the ending ``.npz`` is added to names.
    *args : array_like
        Arrays to save under the names arr_0, arr_1 and so on.
    allow_pickle : bool
        Allow arrays of objects, which are pickled.
    **kwds : array_like
        Arrays to save under these names.

    Returns
    -------
    None

    Raises
    ------
    ValueError
        A name is given twice, or elements are objects and `allow_pickle` is false.

    Examples
    --------
    >>> import io
    >>> import bascule as bc
    >>> file = io.BytesIO()
    >>> bc.savez_compressed(file, zeros=bc.zeros(1000))
    >>> _ = file.seek(0)
    >>> bc.load(file)["zeros"].shape
    (1000,)
    """
    _archive(file, args, kwds, zipfile.ZIP_DEFLATED, allow_pickle)


class NpzFile(Mapping):
    """The arrays of an .npz file by name, each read when it is accessed. A context manager that closes the file."""

    def __init__(self, inner: Any):
        self._inner = inner

    @property
    def files(self) -> list[str]:
        """Names of the arrays."""
        return self._inner.files

    @property
    def f(self) -> Any:
        """The arrays as attributes."""
        return type(self._inner.f)(self)

    @property
    def zip(self) -> zipfile.ZipFile | None:
        """The open archive."""
        return self._inner.zip

    @property
    def fid(self) -> Any:
        """The open file, where a name was given."""
        return self._inner.fid

    def __getitem__(self, name: str) -> Any:
        member = name if name in self._inner.zip.namelist() else f"{name}.npy"
        if member in self._inner.zip.namelist():
            with self._inner.zip.open(member) as f:
                a = _read(f, self._inner.max_header_size) if f.read(6) == npy_format.MAGIC_PREFIX else None
            if a is not None:
                return a
        value = self._inner[name]
        if not isinstance(value, np.ndarray):
            return value
        fallback.count("load", _REASON)
        return _native(value)

    def __iter__(self) -> Iterator[str]:
        return iter(self._inner.files)

    def __len__(self) -> int:
        return len(self._inner.files)

    def __contains__(self, name: object) -> bool:
        return name in self._inner

    def __enter__(self) -> NpzFile:
        return self

    def __exit__(self, *exc: object) -> None:
        self.close()

    def close(self) -> None:
        """Close the file."""
        self._inner.close()

    def __repr__(self) -> str:
        return repr(self._inner)


def _native(n: np.ndarray) -> Any:
    """A bascule array in this machine's byte order; types that our arrays lack stay NumPy's on the CPU device."""
    if not conversion.is_held(n.dtype.newbyteorder("=")) and _core.get_default_device() == "cpu":
        return n
    return _core.from_numpy(n if n.dtype.isnative else n.astype(n.dtype.newbyteorder("=")))


def _read(file: Any, max_header_size: int) -> ndarray | None:
    """Read the rest after six bytes into the array's own memory, on a GPU through the host's; None if only NumPy can."""
    file.seek(-6, os.SEEK_CUR)
    start = file.tell()
    header = _HEADERS.get(npy_format.read_magic(file))
    if header:
        shape, fortran, dtype = header(file, max_header_size=max_header_size)
        if dtype.kind in "biufcmM" and _core.get_default_device().startswith("cuda"):
            n = np.empty(shape, dtype, "F" if fortran else "C")
            if n.nbytes == 0 or file.readinto((n.T if fortran else n).reshape(-1).view(np.uint8)) == n.nbytes:
                return _native(n)
        elif conversion.is_held(dtype.newbyteorder("=")):
            a = _core.empty(shape, dtype.newbyteorder("="), None, fortran)
            size = a.size * a.itemsize
            if size == 0 or file.readinto(_bytes_of(a.T if fortran else a)) == size:
                return a if dtype.isnative else a.byteswap(True)
    file.seek(start)
    return None


def load(
    file: _File,
    mmap_mode: Literal["r", "r+", "c"] | None = None,
    allow_pickle: bool = False,
    fix_imports: bool = True,
    encoding: str = "ASCII",
    *,
    max_header_size: int = 10000,
) -> Any:
    """Load an array from a .npy file, or the arrays of an .npz file.

    Parameters
    ----------
    file : file, str or path
        File to read.
    mmap_mode : {None, 'r', 'r+', 'c'}
        How to map a .npy file instead of reading it: read-only, for writing as well, or for writing in memory only. The
        array is in the mapped file, on the CPU, and operations on it are not deferred. Archives are not mapped.
    allow_pickle : bool
        Allow arrays of objects, which are unpickled. Pickles can run any code: read only trusted files so.
    fix_imports, encoding
        Options for reading pickles of Python 2.
    max_header_size : int
        Longest header that is read; any where `allow_pickle` is true.

    Returns
    -------
    ndarray or NpzFile
        An NpzFile has the arrays by name and reads each when it is accessed.

    Raises
    ------
    ValueError
        The file has objects and `allow_pickle` is false, or is not in NumPy's format.

    Examples
    --------
    >>> import io
    >>> import bascule as bc
    >>> file = io.BytesIO()
    >>> bc.save(file, bc.asarray([1.5, 2.5]))
    >>> _ = file.seek(0)
    >>> bc.load(file).tolist()
    [1.5, 2.5]
    """
    objects: dict[str, Any] = {"allow_pickle": allow_pickle, "fix_imports": fix_imports, "encoding": encoding}
    if allow_pickle:  # of a file that is trusted
        max_header_size = 2**64
    if mmap_mode is None and not hasattr(file, "read"):
        with open(os.fspath(file), "rb") as f:
            a = _read(f, max_header_size) if f.read(6) == npy_format.MAGIC_PREFIX else None
            if a is not None:
                return a
    elif mmap_mode is None and hasattr(file, "seek") and hasattr(file, "readinto"):
        start = file.read(6)
        a = _read(file, max_header_size) if start == npy_format.MAGIC_PREFIX else None
        if a is not None:
            return a
        if start != npy_format.MAGIC_PREFIX:
            file.seek(-len(start), os.SEEK_CUR)
    found = np.load(file, mmap_mode, max_header_size=max_header_size, **objects)
    if isinstance(found, np.memmap) and conversion.is_held(found.dtype):
        return _core.from_numpy(found, "cpu", True)
    if isinstance(found, np.lib.npyio.NpzFile):
        return NpzFile(found)
    if not isinstance(found, np.ndarray):  # a pickle
        return found
    fallback.count("load", _REASON)
    return _native(found)
