# Types that the stubs of bascule.pandas share.
import datetime
import os
from collections.abc import Hashable
from typing import IO, Any, Literal, TypeAlias

import numpy as np
from pandas import DateOffset  # type: ignore[import-untyped, unused-ignore]
from pandas import Timedelta as Timedelta
from pandas import Timestamp as Timestamp
from pandas.api.extensions import ExtensionDtype  # type: ignore[import-untyped, unused-ignore]
from typing_extensions import TypeVar

from ..._core import ndarray
from .frame import DataFrame
from .index import Index
from .series import Series

_T = TypeVar("_T", default=Any)  # an element
_R = TypeVar("_R", default=Series)  # a result of grouped values: a frame with as_index=False
_W = TypeVar("_W", default=DataFrame)  # the rows of windows or bins
Frame = TypeVar("Frame", DataFrame, Series, Index)
Made = TypeVar("Made")  # the result of a function that is given

# Second names, for classes with members of these names.
_str: TypeAlias = str
_list: TypeAlias = list
_slice: TypeAlias = slice
_date: TypeAlias = datetime.date
_time: TypeAlias = datetime.time

Label: TypeAlias = Hashable
Axis: TypeAlias = int | Literal["index", "columns", "rows"]
Many: TypeAlias = slice | list[Any] | Series[Any] | Index | np.ndarray[Any, Any] | ndarray[Any, Any] | range
File: TypeAlias = str | os.PathLike[str] | IO[Any]
Frequency: TypeAlias = str | datetime.timedelta | DateOffset
Dtype: TypeAlias = np.dtype[Any] | ExtensionDtype
Dtypes: TypeAlias = str | type | np.dtype[Any] | ExtensionDtype

class Scalar(float):
    """A mean or the like: a number, or where the values are times, pandas' scalar of time, whose attributes it has."""

    def __getattr__(self, name: str) -> Any: ...

class Row(tuple[Any, ...]):
    """A row of `itertuples`, with the columns as attributes."""

    _fields: tuple[str, ...]
    def __getattr__(self, name: str) -> Any: ...
    def _asdict(self) -> dict[str, Any]: ...
    def _replace(self, **changes: Any) -> Row: ...

class TextFileReader:
    """A file that is read some rows at a time."""

    def __iter__(self) -> TextFileReader: ...
    def __next__(self) -> DataFrame: ...
    def __enter__(self) -> TextFileReader: ...
    def __exit__(self, *error: Any) -> None: ...
    def close(self) -> None: ...
    def get_chunk(self, size: int | None = None) -> DataFrame: ...
    def read(self, nrows: int | None = None) -> DataFrame: ...

class Coverage(dict[str, Any]):
    """The table that `coverage()` returns."""

    def names(self, state: str) -> list[str]: ...
    def arguments(self, name: str) -> dict[str, str]: ...
    def entry(self, name: str) -> Member: ...

class Member:
    """The row of one member in it."""

    name: str
    state: str
    arguments: dict[str, str]
    reasons: list[str]
