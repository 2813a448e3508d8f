# Written by python/stubs/write_pandas.py from the signatures, with pandas 3.1, and the tables beside it.
from collections.abc import Callable, Sequence
from typing import Any, Generic, Literal, Self, overload

import numpy as np

from .frame import DataFrame
from .series import Series
from .words import _T, Dtypes, File, Frequency, Label

class SeriesFiles(Generic[_T]):
    @classmethod
    def from_arrow(cls, data: Any) -> Series: ...
    def info(
        self, verbose: bool | None = None, buf: File | None = None, max_cols: int | None = None,
        memory_usage: bool | Literal['deep'] | None = None, show_counts: Any = True,
    ) -> None: ...  # fmt: skip
    def to_dict(self, *, into: Any = ...) -> dict[Label, _T]: ...
    def to_frame(self, name: Label = ...) -> DataFrame: ...
    @overload
    def to_latex(
        self, buf: None = None, *, columns: Label | Sequence[Label] | Any | None = None, header: Any = True,
        index: bool | Label = True, na_rep: str = 'NaN', formatters: Any = None, float_format: str | Callable[...,
        str] | None = None, sparsify: Any = None, index_names: bool = True, bold_rows: bool = False,
        column_format: Any = None, longtable: bool | None = None, escape: bool | None = None,
        encoding: str | None = None, decimal: str = '.', multicolumn: bool | None = None,
        multicolumn_format: Any = None, multirow: bool | None = None, caption: Any = None, label: Any = None,
        position: Any = None,
    ) -> str: ...  # fmt: skip
    @overload
    def to_latex(
        self, buf: File, *, columns: Label | Sequence[Label] | Any | None = None, header: Any = True,
        index: bool | Label = True, na_rep: str = 'NaN', formatters: Any = None, float_format: str | Callable[...,
        str] | None = None, sparsify: Any = None, index_names: bool = True, bold_rows: bool = False,
        column_format: Any = None, longtable: bool | None = None, escape: bool | None = None,
        encoding: str | None = None, decimal: str = '.', multicolumn: bool | None = None,
        multicolumn_format: Any = None, multirow: bool | None = None, caption: Any = None, label: Any = None,
        position: Any = None,
    ) -> None: ...  # fmt: skip
    def to_list(self) -> list[_T]: ...
    def to_numpy(
        self, dtype: Dtypes | None = None, copy: bool = False, na_value: Any = ...,
    ) -> np.ndarray[tuple[int], np.dtype[Any]]: ...  # fmt: skip
    def to_period(self, freq: Frequency | None = None, copy: bool = ...) -> Self: ...
    @overload
    def to_string(
        self, buf: None = None, *, na_rep: str = 'NaN', float_format: str | Callable[..., str] | None = None,
        header: bool | Sequence[str] = True, index: bool | Label = True, length: Any = False, dtype: bool = False,
        name: Label = False, max_rows: int | None = None, min_rows: int | None = None,
    ) -> str: ...  # fmt: skip
    @overload
    def to_string(
        self, buf: File, *, na_rep: str = 'NaN', float_format: str | Callable[..., str] | None = None,
        header: bool | Sequence[str] = True, index: bool | Label = True, length: Any = False, dtype: bool = False,
        name: Label = False, max_rows: int | None = None, min_rows: int | None = None,
    ) -> None: ...  # fmt: skip
    def to_timestamp(self, freq: Frequency | None = None, how: Any = "start", copy: bool = ...) -> Self: ...
