from collections.abc import Callable, Iterable, Sequence
from typing import Any, SupportsIndex

from numpy.typing import DTypeLike

from .._core import _ArrayLike, _File, ndarray

def fromfile(
    file: _File,
    dtype: DTypeLike | None = None,
    count: SupportsIndex = -1,
    sep: str = "",
    offset: int = 0,
    *,
    like: _ArrayLike | None = None,
) -> ndarray: ...
def fromstring(
    string: _ArrayLike,
    dtype: DTypeLike = ...,
    count: SupportsIndex = -1,
    *,
    sep: str = "",
    like: _ArrayLike | None = None,
) -> ndarray: ...
def genfromtxt(
    fname: _File,
    dtype: DTypeLike = ...,
    comments: str | Sequence[str] = "#",
    delimiter: str | int | Iterable[int] | None = None,
    skip_header: int = 0,
    skip_footer: int = 0,
    converters: Callable[[str], Any] | dict[Any, Callable[[str], Any]] | None = None,
    missing_values: Any = None,
    filling_values: Any = None,
    usecols: int | Sequence[int] | str | None = None,
    names: None = None,
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
) -> ndarray: ...
def loadtxt(
    fname: _File,
    dtype: DTypeLike = ...,
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
) -> ndarray: ...
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
) -> None: ...
