"""Arrays in files: NumPy's .npy and .npz formats, byte for byte."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np
from numpy.lib import format as npy_format

from .. import _core
from .._array import conversion

ndarray = _core.ndarray
_HEADERS = {(1, 0): npy_format.read_array_header_1_0, (2, 0): npy_format.read_array_header_2_0}


def _host(x: Any) -> np.ndarray:
    """What NumPy writes for x: an array's own memory where it can see it."""
    if type(x) is ndarray:
        return _core.to_numpy(x) if x.device.startswith("cuda") else conversion.host_view(x)
    n = np.asanyarray(x)
    if n.dtype.hasobject:
        raise ValueError("Object arrays cannot be saved when allow_pickle=False")
    return n


def _refuse_pickle(name: str, allowed: bool) -> None:
    if allowed:
        raise NotImplementedError(
            f"[{name}] allow_pickle=True is not supported: bascule arrays hold no objects; use numpy.{name}"
        )


def save(file: Any, arr: Any, allow_pickle: bool = False) -> None:
    """Save an array to a file in NumPy's .npy format.

    Parameters
    ----------
    file : file, str or path
        Where to write; names get the ending ``.npy``.
    arr : array_like
        What to write.
    allow_pickle : bool
        Only False: arrays of objects are refused.

    Returns
    -------
    None

    Raises
    ------
    NotImplementedError
        `allow_pickle` is true.
    ValueError
        The elements are objects.

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
    _refuse_pickle("save", allow_pickle)
    np.save(file, _host(arr), allow_pickle=False)


def savez(file: Any, *args: Any, allow_pickle: bool = False, **kwds: Any) -> None:
    """Save several arrays to a file in NumPy's .npz format, uncompressed.

    Parameters
    ----------
    file : file, str or path
        Where to write; names get the ending ``.npz``.
    *args : array_like
        Arrays that are called arr_0, arr_1 and so on.
    allow_pickle : bool
        Only False: arrays of objects are refused.
    **kwds : array_like
        Arrays with their names.

    Returns
    -------
    None

    Raises
    ------
    NotImplementedError
        `allow_pickle` is true.
    ValueError
        A name is given twice, or elements are objects.

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
    _refuse_pickle("savez", allow_pickle)
    np.savez(file, *map(_host, args), allow_pickle=False, **{k: _host(v) for k, v in kwds.items()})


def savez_compressed(file: Any, *args: Any, allow_pickle: bool = False, **kwds: Any) -> None:
    """Save several arrays to a file in NumPy's .npz format, compressed.

    Parameters
    ----------
    file : file, str or path
        Where to write; names get the ending ``.npz``.
    *args : array_like
        Arrays that are called arr_0, arr_1 and so on.
    allow_pickle : bool
        Only False: arrays of objects are refused.
    **kwds : array_like
        Arrays with their names.

    Returns
    -------
    None

    Raises
    ------
    NotImplementedError
        `allow_pickle` is true.
    ValueError
        A name is given twice, or elements are objects.

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
    _refuse_pickle("savez_compressed", allow_pickle)
    np.savez_compressed(file, *map(_host, args), allow_pickle=False, **{k: _host(v) for k, v in kwds.items()})


class NpzFile(Mapping):
    """The arrays of an .npz file by name, read when asked for. A context manager that closes the file."""

    def __init__(self, inner: Any):
        self._inner = inner

    @property
    def files(self) -> list[str]:
        """Names of the arrays."""
        return self._inner.files

    def __getitem__(self, name: str) -> Any:
        value = self._inner[name]
        return _native(value) if isinstance(value, np.ndarray) else value

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
        return f"NpzFile with keys: {', '.join(self.files)}"


def _native(n: np.ndarray) -> ndarray:
    return _core.from_numpy(n if n.dtype.isnative else n.astype(n.dtype.newbyteorder("=")))


def _read(file: Any, max_header_size: int) -> ndarray | None:
    """Reads into the array's own memory; None, with the file where it was, for what takes NumPy's reader."""
    start = file.tell()
    header = _HEADERS.get(npy_format.read_magic(file))
    if header and not _core.get_default_device().startswith("cuda"):
        shape, fortran, dtype = header(file, max_header_size=max_header_size)
        if dtype.kind in "biufcmM" and dtype.isnative:
            a = _core.empty(shape, dtype, None, fortran)
            bytes_ = conversion.host_view(a.T if fortran else a).reshape(-1).view(np.uint8)
            if file.readinto(bytes_) == bytes_.size:
                return a
    file.seek(start)
    return None


def load(
    file: Any, mmap_mode: str | None = None, allow_pickle: bool = False, fix_imports: bool = True, encoding: str = "ASCII",
    *, max_header_size: int = 10000,
) -> Any:  # fmt: skip
    """Load an array from a .npy file, or the arrays of an .npz file.

    Parameters
    ----------
    file : file, str or path
        What to read.
    mmap_mode : {None, 'r', 'r+', 'c'}
        How to map a .npy file instead of reading it: to be read, to be written as well, or to be written in memory
        alone. The array lies in the mapped file, on the CPU; nothing on it is deferred. Archives are not mapped.
    allow_pickle : bool
        Only False: arrays of objects are refused.
    fix_imports, encoding
        Only their defaults: they concern objects.
    max_header_size : int
        Longest header that is read.

    Returns
    -------
    ndarray or NpzFile
        The latter holds the arrays by name and reads each when it is asked for.

    Raises
    ------
    NotImplementedError
        An argument that concerns objects is given.
    ValueError
        The file holds objects, or is none of NumPy's.

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
    _refuse_pickle("load", allow_pickle)
    if fix_imports is not True or encoding != "ASCII":
        raise NotImplementedError("[load] fix_imports and encoding are not supported: they concern pickled objects")
    if mmap_mode is None and not hasattr(file, "read"):
        with open(os.fspath(file), "rb") as f:
            if f.read(6) == npy_format.MAGIC_PREFIX:
                f.seek(0)
                a = _read(f, max_header_size)
                if a is not None:
                    return a
    found = np.load(file, mmap_mode, allow_pickle=False, max_header_size=max_header_size)
    if isinstance(found, np.memmap):
        return _core.from_numpy(found, "cpu", True)
    return _native(found) if isinstance(found, np.ndarray) else NpzFile(found)
