"""Arrays in text files and raw binary files. NumPy reads and writes the text."""

from __future__ import annotations

import os
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, SupportsIndex

import numpy as np

from .. import _core, fallback
from .._array import conversion
from .._array.printing import _host
from ..lib.creation import empty

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from numpy.typing import DTypeLike

    from .._array.types import _ArrayLike, _File
    from .._core import ndarray

__all__ = ["fromfile", "fromstring", "genfromtxt", "loadtxt", "savetxt"]


_PARSED = "NumPy parses the text"


def _plain(n: Any, name: str) -> Any:
    """An array that NumPy read as a bascule array, if arrays can hold its elements."""
    if isinstance(n, list):
        return [_plain(x, name) for x in n]
    if isinstance(n, np.ndarray) and conversion.is_held(n.dtype) and not conversion.is_derived(n):
        return _core.from_numpy(n)
    if _core.get_default_device() != "cpu":
        raise TypeError(f"[{name}] made {_what(n)}, which arrays on a GPU do not hold: use numpy.{name}")
    return n


def _what(n: Any) -> str:
    if isinstance(n, np.ma.MaskedArray):
        return "a masked array"
    return f"elements of type {getattr(n, 'dtype', type(n).__name__)}"


def loadtxt(
    fname: _File,
    dtype: DTypeLike = float,
    comments: str | Sequence[str] = "#",
    delimiter: str | int | Iterable[int] | None = None,
    converters: Callable[[str], Any] | dict[Any, Callable[[str], Any]] | None = None,
    skiprows: int = 0,
    usecols: int | Sequence[int] | str | None = None,
    unpack: bool = False,
    ndmin: int = 0,
    encoding: str | None = None,
    max_rows: int | None = None,
    *,
    quotechar: str | None = None,
    like: _ArrayLike | None = None,
) -> ndarray:
    """Load numbers from a text file without missing values.

    Parameters
    ----------
    fname : file, str, path, or iterable of str
    dtype : dtype, optional
    comments, delimiter, converters, skiprows, usecols, unpack, ndmin, encoding, max_rows, quotechar
        As in NumPy.
    like : ndarray, optional
        The result is an ndarray in any case.

    Returns
    -------
    ndarray

    Raises
    ------
    ValueError
        A field is no number, or the rows differ in length.
    TypeError
        `dtype` has fields or is not numeric, and the default device is a GPU; on the CPU the array is NumPy's own then.

    Examples
    --------
    >>> import bascule as bc
    >>> with bc.config.set(fallback="silent"):
    ...     bc.loadtxt(["1 2", "3 4"]).tolist()
    [[1.0, 2.0], [3.0, 4.0]]
    """
    fallback.count("loadtxt", _PARSED)
    found = np.loadtxt(
        fname, dtype, comments, delimiter, converters, skiprows, usecols, unpack, ndmin, encoding, max_rows,
        quotechar=quotechar,
    )  # fmt: skip
    return _plain(found, "loadtxt")


def genfromtxt(
    fname: _File,
    dtype: DTypeLike = float,
    comments: str | Sequence[str] = "#",
    delimiter: str | int | Iterable[int] | None = None,
    skip_header: int = 0,
    skip_footer: int = 0,
    converters: Callable[[str], Any] | dict[Any, Callable[[str], Any]] | None = None,
    missing_values: Any = None,
    filling_values: Any = None,
    usecols: int | Sequence[int] | str | None = None,
    names: Any = None,
    excludelist: Sequence[str] | None = None,
    deletechars: str = " !#$%&'()*+,-./:;<=>?@[\\]^{|}~",
    replace_space: str = "_",
    autostrip: bool = False,
    case_sensitive: Any = True,
    defaultfmt: str = "f%i",
    unpack: bool | None = None,
    usemask: bool = False,
    loose: bool = True,
    invalid_raise: bool = True,
    max_rows: int | None = None,
    encoding: str | None = None,
    *,
    ndmin: int = 0,
    like: _ArrayLike | None = None,
) -> ndarray:
    """Load numbers from a text file that may have missing values.

    Parameters
    ----------
    fname : file, str, path, or iterable of str
    dtype : dtype, optional
    like : ndarray, optional
        The result is an ndarray in any case.
    comments, delimiter, skip_header, ...
        As in NumPy.

    Returns
    -------
    ndarray

    Raises
    ------
    ValueError
        The rows differ in length.
    TypeError
        The result has fields, strings or a mask, and the default device is a GPU; on the CPU it is NumPy's own then.

    Examples
    --------
    >>> import bascule as bc
    >>> with bc.config.set(fallback="silent"):
    ...     bc.genfromtxt(["1,2", "3,"], delimiter=",", filling_values=0).tolist()
    [[1.0, 2.0], [3.0, 0.0]]
    """
    fallback.count("genfromtxt", _PARSED)
    found = np.genfromtxt(
        fname, dtype, comments, delimiter, skip_header, skip_footer, converters, missing_values, filling_values, usecols,
        names, excludelist, deletechars, replace_space, autostrip, case_sensitive, defaultfmt, unpack, usemask, loose,
        invalid_raise, max_rows, encoding, ndmin=ndmin,
    )  # fmt: skip
    return _plain(found, "genfromtxt")


def savetxt(
    fname: _File,
    X: _ArrayLike,
    fmt: str | Sequence[str] = "%.18e",
    delimiter: str | int | Iterable[int] = " ",
    newline: str = "\n",
    header: str = "",
    footer: str = "",
    comments: str | Sequence[str] = "# ",
    encoding: str | None = None,
) -> None:
    """Save a 1-D or 2-D array to a text file.

    Parameters
    ----------
    fname : file, str or path
    X : array_like
    fmt, delimiter, newline, header, footer, comments, encoding
        As in NumPy.

    Raises
    ------
    ValueError
        The array has no axes or more than two.

    Examples
    --------
    >>> import bascule as bc, io
    >>> f = io.StringIO()
    >>> with bc.config.set(fallback="silent"):
    ...     bc.savetxt(f, bc.arange(3), fmt="%d")
    >>> f.getvalue().split()
    ['0', '1', '2']
    """
    fallback.count("savetxt", "NumPy formats the numbers")
    np.savetxt(fname, _host(X), fmt, delimiter, newline, header, footer, comments, encoding)


def fromstring(
    string: _ArrayLike,
    dtype: DTypeLike | None = None,
    count: SupportsIndex = -1,
    *,
    sep: str = "",
    like: _ArrayLike | None = None,
) -> ndarray:
    """Create an array from the numbers in a string.

    Parameters
    ----------
    string : str
    dtype : dtype, optional
    count : int, optional
        Number of elements to read; all by default.
    sep : str
        Separator between the numbers.
    like : ndarray, optional
        The result is an ndarray in any case.

    Returns
    -------
    ndarray of one axis

    Raises
    ------
    ValueError
        There are fewer than `count`, the text has something else than numbers, or there is no `sep`.

    Examples
    --------
    >>> import bascule as bc
    >>> with bc.config.set(fallback="silent"):
    ...     bc.fromstring("1 2 3", dtype=int, sep=" ").tolist()
    [1, 2, 3]
    """
    if sep:  # without a separator it is refused
        fallback.count("fromstring", _PARSED)
    return _plain(np.fromstring(string, dtype, count, sep=sep), "fromstring")


def _read_bytes(file: Any, dtype: np.dtype, count: int, offset: int) -> Any:
    """Read into the array's own memory, on a GPU through the host's; None if that is impossible."""
    if dtype.kind not in "biufcmM" or not dtype.isnative:
        return None
    start = file.tell() + offset
    there = (os.fstat(file.fileno()).st_size - start) // dtype.itemsize
    n = max(there, 0) if count < 0 else min(there, count)
    on_gpu = _core.get_default_device().startswith("cuda")
    a = np.empty(max(n, 0), dtype) if on_gpu else empty(max(n, 0), dtype)
    file.seek(start)
    if file.readinto((a if on_gpu else conversion.host_view(a)).view(np.uint8)) != a.nbytes:
        raise OSError("could not read bytes from file")
    return _core.from_numpy(a) if on_gpu else a


def fromfile(
    file: _File,
    dtype: DTypeLike | None = None,
    count: SupportsIndex = -1,
    sep: str = "",
    offset: int = 0,
    *,
    like: _ArrayLike | None = None,
) -> ndarray:
    """Read elements from a binary file, or from a text file if a separator is given.

    Parameters
    ----------
    file : file, str or path
    dtype : dtype, optional
        float64 by default.
    count : int, optional
        Number of elements to read; all by default.
    sep : str, optional
        Separator between the numbers of a text file.
    offset : int, optional
        Bytes to skip in a binary file.
    like : ndarray, optional
        The result is an ndarray in any case.

    Returns
    -------
    ndarray of one axis

    Raises
    ------
    OSError
        The file cannot be read.
    TypeError
        There is an offset for a text file.

    Examples
    --------
    >>> import bascule as bc, tempfile
    >>> with tempfile.TemporaryFile() as f:
    ...     _ = f.write(b"\\1\\2"), f.seek(0)
    ...     bc.fromfile(f, bc.uint8).tolist()
    [1, 2]
    """
    if type(dtype) is _core.ndarray:
        raise TypeError("Cannot construct a dtype from an array")
    t = np.dtype(float if dtype is None else dtype)
    if sep == "":
        reader: Callable[[Any], Any] = lambda f: _read_bytes(f, t, count, offset)
        if not hasattr(file, "read"):
            with open(os.fspath(file), "rb") as f:
                a = reader(f)
        else:
            a = reader(file) if hasattr(file, "readinto") else None
        if a is not None:
            return a
    fallback.count("fromfile", _PARSED if sep else "files that cannot be read into memory")
    return _plain(np.fromfile(file, t, count, sep, offset), "fromfile")
