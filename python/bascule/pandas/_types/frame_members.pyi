# Written by python/stubs/write_pandas.py from the signatures, with pandas 3.1, and the tables beside it.
from collections.abc import Callable, Iterable, Iterator, Sequence
from datetime import date, timedelta
from typing import Any, Literal, Self, overload

import numpy as np

from ..._core import ndarray
from .frame import DataFrame
from .groupby import DataFrameGroupBy
from .index import Index
from .indexers import ByLabel, Positions
from .series import Series
from .windows import Expanding, ExponentialMovingWindow, Resampler, Rolling
from .words import Axis, Dtypes, Frequency, Label, Row

class FrameMembers:
    @property
    def T(self) -> DataFrame: ...
    @overload
    def agg(self, func: str | Callable[..., Any], axis: Axis = 0, *args: Any, **kwargs: Any) -> Series: ...
    @overload
    def agg(self, func: list[Any], axis: Axis = 0, *args: Any, **kwargs: Any) -> DataFrame: ...
    @overload
    def agg(self, func: Any = ..., axis: Axis = 0, *args: Any, **kwargs: Any) -> Any: ...
    @overload
    def aggregate(self, func: str | Callable[..., Any], axis: Axis = 0, *args: Any, **kwargs: Any) -> Series: ...
    @overload
    def aggregate(self, func: list[Any], axis: Axis = 0, *args: Any, **kwargs: Any) -> DataFrame: ...
    @overload
    def aggregate(self, func: Any = ..., axis: Axis = 0, *args: Any, **kwargs: Any) -> Any: ...
    @overload
    def apply(
        self, func: Callable[..., str | float | complex | date | timedelta | np.generic | None], axis: Axis = 0,
        raw: bool = False, result_type: None = None, args: Any = ..., by_row: bool | Literal['compat'] = 'compat',
        engine: Literal['python', 'numexpr', 'numba', 'pyarrow', 'fastparquet', 'auto', 'openpyxl', 'calamine',
        'xlsxwriter', 'odf', 'xlrd', 'pyxlsb', 'ujson', 'c', 'python-fwf', 'cython'] | Any | None = None,
        engine_kwargs: dict[str, Any] | None = None, **kwargs: Any,
    ) -> Series: ...  # fmt: skip
    @overload
    def apply(
        self, func: Callable[..., Series], axis: Axis = 0, raw: bool = False, result_type: None = None,
        args: Any = ..., by_row: bool | Literal['compat'] = 'compat', engine: Literal['python', 'numexpr', 'numba',
        'pyarrow', 'fastparquet', 'auto', 'openpyxl', 'calamine', 'xlsxwriter', 'odf', 'xlrd', 'pyxlsb', 'ujson',
        'c', 'python-fwf', 'cython'] | Any | None = None, engine_kwargs: dict[str, Any] | None = None,
        **kwargs: Any,
    ) -> DataFrame: ...  # fmt: skip
    @overload
    def apply(
        self, func: Callable[..., Any], axis: Axis = 0, raw: bool = False, *, result_type: Literal['expand',
        'broadcast'], args: Any = ..., by_row: bool | Literal['compat'] = 'compat', engine: Literal['python',
        'numexpr', 'numba', 'pyarrow', 'fastparquet', 'auto', 'openpyxl', 'calamine', 'xlsxwriter', 'odf', 'xlrd',
        'pyxlsb', 'ujson', 'c', 'python-fwf', 'cython'] | Any | None = None, engine_kwargs: dict[str,
        Any] | None = None, **kwargs: Any,
    ) -> DataFrame: ...  # fmt: skip
    @overload
    def apply(
        self, func: str, axis: Axis = 0, raw: bool = False, result_type: None = None, args: Any = ...,
        by_row: bool | Literal['compat'] = 'compat', engine: Literal['python', 'numexpr', 'numba', 'pyarrow',
        'fastparquet', 'auto', 'openpyxl', 'calamine', 'xlsxwriter', 'odf', 'xlrd', 'pyxlsb', 'ujson', 'c',
        'python-fwf', 'cython'] | Any | None = None, engine_kwargs: dict[str, Any] | None = None, **kwargs: Any,
    ) -> Series: ...  # fmt: skip
    @overload
    def apply(
        self, func: list[Any] | dict[Any, Any], axis: Axis = 0, raw: bool = False, result_type: None = None,
        args: Any = ..., by_row: bool | Literal['compat'] = 'compat', engine: Literal['python', 'numexpr', 'numba',
        'pyarrow', 'fastparquet', 'auto', 'openpyxl', 'calamine', 'xlsxwriter', 'odf', 'xlrd', 'pyxlsb', 'ujson',
        'c', 'python-fwf', 'cython'] | Any | None = None, engine_kwargs: dict[str, Any] | None = None,
        **kwargs: Any,
    ) -> DataFrame: ...  # fmt: skip
    @overload
    def apply(
        self, func: Callable[..., list[Any] | tuple[Any, ...] | dict[Any, Any] | set[Any] | np.ndarray[Any,
        Any] | ndarray | Index | DataFrame], axis: Axis = 0, raw: bool = False,
        result_type: Literal['reduce'] | None = None, args: Any = ..., by_row: bool | Literal['compat'] = 'compat',
        engine: Literal['python', 'numexpr', 'numba', 'pyarrow', 'fastparquet', 'auto', 'openpyxl', 'calamine',
        'xlsxwriter', 'odf', 'xlrd', 'pyxlsb', 'ujson', 'c', 'python-fwf', 'cython'] | Any | None = None,
        engine_kwargs: dict[str, Any] | None = None, **kwargs: Any,
    ) -> Any: ...  # fmt: skip
    def asof(self, where: Any, subset: Label | Sequence[Label] | None = None) -> DataFrame | Series: ...
    def assign(self, **kwargs: Any) -> Self: ...
    def astype(
        self, dtype: Dtypes | dict[Any, Any], copy: bool = ..., errors: Literal['raise', 'ignore'] = 'raise',
    ) -> Self: ...  # fmt: skip
    def boxplot(
        self, column: Any = None, by: Label | Sequence[Label] | Any | None = None, ax: Any = None,
        fontsize: Any = None, rot: Any = 0, grid: bool = True, figsize: Any = None, layout: Any = None,
        return_type: Any = None, backend: Any = None, **kwargs: Any,
    ) -> Any: ...  # fmt: skip
    @property
    def columns(self) -> Index: ...
    @columns.setter
    def columns(self, value: Any) -> None: ...
    def combine(
        self, other: Any, func: Callable[..., Any] | str, fill_value: Any = None, overwrite: bool = True,
    ) -> DataFrame: ...  # fmt: skip
    def combine_first(self, other: Any) -> Self: ...
    def convert_dtypes(
        self, infer_objects: bool = ..., convert_string: bool = ..., convert_integer: bool = ...,
        convert_boolean: bool = ..., convert_floating: bool = ..., dtype_backend: Literal['numpy_nullable',
        'pyarrow'] = 'numpy_nullable',
    ) -> Self: ...  # fmt: skip
    def corr(
        self, method: Literal['pearson', 'kendall', 'spearman'] | Callable[[Any, Any], float] = 'pearson',
        min_periods: int = 1, numeric_only: bool = False,
    ) -> Self: ...  # fmt: skip
    def corrwith(
        self, other: Any, axis: Axis = 0, drop: bool = False, method: Literal['pearson', 'kendall',
        'spearman'] | Callable[[Any, Any], float] = 'pearson', numeric_only: bool = False,
        min_periods: int | None = None,
    ) -> Series: ...  # fmt: skip
    def cov(self, min_periods: int | None = None, ddof: int = 1, numeric_only: bool = False) -> Self: ...
    def cummax(
        self, axis: Axis = 0, skipna: bool = True, numeric_only: bool = False, *args: Any, **kwargs: Any,
    ) -> Self: ...  # fmt: skip
    def cummin(
        self, axis: Axis = 0, skipna: bool = True, numeric_only: bool = False, *args: Any, **kwargs: Any,
    ) -> Self: ...  # fmt: skip
    def cumprod(
        self, axis: Axis = 0, skipna: bool = True, numeric_only: bool = False, *args: Any, **kwargs: Any,
    ) -> Self: ...  # fmt: skip
    def cumsum(
        self, axis: Axis = 0, skipna: bool = True, numeric_only: bool = False, *args: Any, **kwargs: Any,
    ) -> Self: ...  # fmt: skip
    def describe(
        self, percentiles: float | Sequence[float] | Any | None = None, include: Any = None, exclude: Any = None,
    ) -> DataFrame: ...  # fmt: skip
    def diff(self, periods: int = 1, axis: Axis = 0) -> Self: ...
    @overload
    def drop_duplicates(
        self, subset: Label | Sequence[Label] | None = None, *, keep: Literal['first', 'last', False] = 'first',
        inplace: Literal[False] = False, ignore_index: bool = False,
    ) -> Self: ...  # fmt: skip
    @overload
    def drop_duplicates(
        self, subset: Label | Sequence[Label] | None = None, *, keep: Literal['first', 'last', False] = 'first',
        inplace: Literal[True], ignore_index: bool = False,
    ) -> None: ...  # fmt: skip
    @overload
    def dropna(
        self, *, axis: Axis = 0, how: Literal['any', 'all'] = ..., thresh: float = ...,
        subset: Label | Sequence[Label] | None = None, inplace: Literal[False] = False, ignore_index: bool = False,
    ) -> Self: ...  # fmt: skip
    @overload
    def dropna(
        self, *, axis: Axis = 0, how: Literal['any', 'all'] = ..., thresh: float = ...,
        subset: Label | Sequence[Label] | None = None, inplace: Literal[True], ignore_index: bool = False,
    ) -> None: ...  # fmt: skip
    @property
    def dtypes(self) -> Series: ...
    def duplicated(
        self, subset: Label | Sequence[Label] | None = None, keep: Literal['first', 'last', False] = 'first',
    ) -> Series: ...  # fmt: skip
    @overload
    def eval(self, expr: str, *, inplace: Literal[False] = False, **kwargs: Any) -> DataFrame | Series: ...
    @overload
    def eval(self, expr: str, *, inplace: Literal[True], **kwargs: Any) -> None: ...
    def ewm(
        self, com: float | None = None, span: float | None = None, halflife: float | str | timedelta | None = None,
        alpha: float | None = None, min_periods: int = 0, adjust: bool = True, ignore_na: bool = False,
        times: Any = None, method: Literal['single', 'table'] = 'single',
    ) -> ExponentialMovingWindow[DataFrame]: ...  # fmt: skip
    def expanding(
        self, min_periods: int = 1, method: Literal['single', 'table'] = 'single',
    ) -> Expanding[DataFrame]: ...  # fmt: skip
    def explode(self, column: Label | Sequence[Label], ignore_index: bool = False) -> Self: ...
    @overload
    def fillna(
        self, value: Any, *, axis: Axis | None = None, inplace: Literal[False] = False, limit: int | None = None,
    ) -> Self: ...  # fmt: skip
    @overload
    def fillna(
        self, value: Any, *, axis: Axis | None = None, inplace: Literal[True], limit: int | None = None,
    ) -> None: ...  # fmt: skip
    @overload
    def get(self, key: Any, default: None = None) -> Series | None: ...
    @overload
    def get(self, key: Any, default: Any) -> Any: ...
    @overload
    def groupby(
        self, by: Label | Sequence[Label] | Any | None = None, level: Label | Sequence[Label] | None = None, *,
        as_index: Literal[True] = True, sort: bool = True, group_keys: bool = True, observed: bool = True,
        dropna: bool = True,
    ) -> DataFrameGroupBy[Series]: ...  # fmt: skip
    @overload
    def groupby(
        self, by: Label | Sequence[Label] | Any | None = None, level: Label | Sequence[Label] | None = None, *,
        as_index: Literal[False], sort: bool = True, group_keys: bool = True, observed: bool = True,
        dropna: bool = True,
    ) -> DataFrameGroupBy[DataFrame]: ...  # fmt: skip
    def hist(
        self, column: Any = None, by: Label | Sequence[Label] | Any | None = None, grid: bool = True,
        xlabelsize: Any = None, xrot: Any = None, ylabelsize: Any = None, yrot: Any = None, ax: Any = None,
        sharex: bool = False, sharey: bool = False, figsize: Any = None, layout: Any = None,
        bins: int | Sequence[Any] | Any = 10, backend: Any = None, legend: bool = False, **kwargs: Any,
    ) -> Any: ...  # fmt: skip
    def idxmax(self, axis: Axis = 0, skipna: bool = True, numeric_only: bool = False) -> Series: ...
    def idxmin(self, axis: Axis = 0, skipna: bool = True, numeric_only: bool = False) -> Series: ...
    @property
    def iloc(self) -> Positions[DataFrame, Series]: ...
    def insert(self, loc: Any, column: Label, value: Any, allow_duplicates: bool = False) -> None: ...
    def isetitem(self, loc: Any, value: Any) -> None: ...
    def isin(self, values: Label | Sequence[Label] | Any) -> Self: ...
    def isna(self) -> Self: ...
    def isnull(self) -> Self: ...
    def items(self) -> Iterable[tuple[Label, Series]]: ...
    def iterrows(self) -> Iterator[tuple[Label, Series]]: ...
    @overload
    def itertuples(self, index: bool | Label = True, *, name: None) -> Iterator[tuple[Any, ...]]: ...
    @overload
    def itertuples(self, index: bool | Label = True, name: str = "Pandas") -> Iterator[Row]: ...
    def join(
        self, other: DataFrame | Series | Iterable[DataFrame | Series],
        on: Label | Sequence[Label] | Any | None = None, how: Literal['left', 'right', 'outer', 'inner', 'cross',
        'left_anti', 'right_anti'] = 'left', lsuffix: str = ..., rsuffix: str = ..., sort: bool = False,
        validate: Literal['one_to_one', '1:1', 'one_to_many', '1:m', 'many_to_one', 'm:1', 'many_to_many',
        'm:m'] | str | None = None, *, suffixes: tuple[str | None, str | None] = ...,
    ) -> DataFrame: ...  # fmt: skip
    @property
    def loc(self) -> ByLabel[DataFrame, Series]: ...
    def map(
        self, func: Callable[..., Any] | str, na_action: Literal['ignore'] | None = None, **kwargs: Any,
    ) -> Self: ...  # fmt: skip
    @overload
    def mask(
        self, cond: Any, other: Any = ..., *, inplace: Literal[False] = False, axis: Axis | None = None,
        level: Label | Sequence[Label] | None = None,
    ) -> Self: ...  # fmt: skip
    @overload
    def mask(
        self, cond: Any, other: Any = ..., *, inplace: Literal[True], axis: Axis | None = None,
        level: Label | Sequence[Label] | None = None,
    ) -> None: ...  # fmt: skip
    def melt(
        self, id_vars: Label | Sequence[Label] | None = None, value_vars: Label | Sequence[Label] | None = None,
        var_name: Label | None = None, value_name: Label = 'value', col_level: int | None = None,
        ignore_index: bool = True,
    ) -> DataFrame: ...  # fmt: skip
    def memory_usage(self, index: bool | Label = True, deep: bool = False) -> Series: ...
    def merge(
        self, right: DataFrame | Series, how: Literal['left', 'right', 'outer', 'inner', 'cross', 'left_anti',
        'right_anti'] = 'inner', on: Label | Sequence[Label] | Any | None = None,
        left_on: Label | Sequence[Label] | Any | None = None, right_on: Label | Sequence[Label] | Any | None = None,
        left_index: bool = False, right_index: bool = False, sort: bool = False, suffixes: tuple[str | None,
        str | None] = ..., copy: bool = ..., indicator: bool | str | Any = False, validate: Literal['one_to_one',
        '1:1', 'one_to_many', '1:m', 'many_to_one', 'm:1', 'many_to_many', 'm:m'] | str | None = None,
    ) -> DataFrame: ...  # fmt: skip
    def mode(self, axis: Axis = 0, numeric_only: bool = False, dropna: bool = True) -> Self: ...
    def nlargest(
        self, n: int, columns: Label | Sequence[Label], keep: Literal['first', 'last', 'all'] = 'first',
    ) -> Self: ...  # fmt: skip
    def notna(self) -> Self: ...
    def notnull(self) -> Self: ...
    def nsmallest(
        self, n: int, columns: Label | Sequence[Label], keep: Literal['first', 'last', 'all'] = 'first',
    ) -> Self: ...  # fmt: skip
    def pct_change(
        self, periods: int = 1, fill_method: Any = None, freq: Frequency | None = None, **kwargs: Any,
    ) -> Self: ...  # fmt: skip
    def pivot(
        self, *, columns: Label | Sequence[Label], index: Label | Sequence[Label] = ...,
        values: Label | Sequence[Label] = ...,
    ) -> DataFrame: ...  # fmt: skip
    def pivot_table(
        self, values: Label | Sequence[Label] | Any | None = None,
        index: Label | Sequence[Label] | Any | None = None, columns: Label | Sequence[Label] | Any | None = None,
        aggfunc: Callable[..., Any] | str | list[Any] | dict[Any, Any] = 'mean', fill_value: Any = None,
        margins: bool = False, dropna: bool = True, margins_name: Label = 'All', observed: bool = True,
        sort: bool = True, **kwargs: Any,
    ) -> DataFrame: ...  # fmt: skip
    def pop(self, item: Label) -> Series: ...
    @overload
    def query(
        self, expr: str, *, parser: str = 'pandas', engine: Literal['python', 'numexpr', 'numba', 'pyarrow',
        'fastparquet', 'auto', 'openpyxl', 'calamine', 'xlsxwriter', 'odf', 'xlrd', 'pyxlsb', 'ujson', 'c',
        'python-fwf', 'cython'] | Any | None = None, local_dict: dict[str, Any] | None = None,
        global_dict: dict[str, Any] | None = None, resolvers: Any = None, level: Label | Sequence[Label] = 0,
        inplace: Literal[False] = False,
    ) -> Self: ...  # fmt: skip
    @overload
    def query(
        self, expr: str, *, parser: str = 'pandas', engine: Literal['python', 'numexpr', 'numba', 'pyarrow',
        'fastparquet', 'auto', 'openpyxl', 'calamine', 'xlsxwriter', 'odf', 'xlrd', 'pyxlsb', 'ujson', 'c',
        'python-fwf', 'cython'] | Any | None = None, local_dict: dict[str, Any] | None = None,
        global_dict: dict[str, Any] | None = None, resolvers: Any = None, level: Label | Sequence[Label] = 0,
        inplace: Literal[True],
    ) -> None: ...  # fmt: skip
    def rank(
        self, axis: Axis = 0, method: Literal['average', 'min', 'max', 'first', 'dense'] = 'average',
        numeric_only: bool = False, na_option: Literal['keep', 'top', 'bottom'] = 'keep',
        ascending: bool | Sequence[bool] = True, pct: bool = False,
    ) -> Self: ...  # fmt: skip
    def reindex(
        self, labels: Label | Sequence[Label] | Any | None = None, *, index: Sequence[Any] | Index | None = None,
        columns: Sequence[Any] | Index | None = None, axis: Axis | None = None, method: Literal['pad', 'ffill',
        'backfill', 'bfill', 'nearest'] | None = None, copy: bool = ...,
        level: Label | Sequence[Label] | None = None, fill_value: Any = ..., limit: int | None = None,
        tolerance: Any = None,
    ) -> Self: ...  # fmt: skip
    @overload
    def rename(
        self, mapper: Callable[[Any], Any] | dict[Any, Any] | Any | None = None, *,
        index: Label | Sequence[Label] | Any | None = None, columns: Label | Sequence[Label] | Any | None = None,
        axis: Axis | None = None, copy: bool = ..., inplace: Literal[False] = False,
        level: Label | Sequence[Label] | None = None, errors: Literal['raise', 'ignore'] = 'ignore',
    ) -> Self: ...  # fmt: skip
    @overload
    def rename(
        self, mapper: Callable[[Any], Any] | dict[Any, Any] | Any | None = None, *,
        index: Label | Sequence[Label] | Any | None = None, columns: Label | Sequence[Label] | Any | None = None,
        axis: Axis | None = None, copy: bool = ..., inplace: Literal[True],
        level: Label | Sequence[Label] | None = None, errors: Literal['raise', 'ignore'] = 'ignore',
    ) -> None: ...  # fmt: skip
    def reorder_levels(self, order: Any, axis: Axis = 0) -> Self: ...
    @overload
    def replace(
        self, to_replace: Any = None, value: Any = ..., *, inplace: Literal[False] = False,
        regex: bool | str | Any = False,
    ) -> Self: ...  # fmt: skip
    @overload
    def replace(
        self, to_replace: Any = None, value: Any = ..., *, inplace: Literal[True], regex: bool | str | Any = False,
    ) -> None: ...  # fmt: skip
    def resample(
        self, rule: Frequency, closed: Literal['left', 'right', 'both', 'neither'] | None = None, label: Any = None,
        convention: str = 'start', on: Label | Sequence[Label] | Any | None = None,
        level: Label | Sequence[Label] | None = None, origin: Any = 'start_day', offset: Any = None,
        group_keys: bool = False,
    ) -> Resampler[DataFrame]: ...  # fmt: skip
    @overload
    def reset_index(
        self, level: Label | Sequence[Label] | None = None, *, drop: bool = False, inplace: Literal[False] = False,
        col_level: int = 0, col_fill: Any = '', allow_duplicates: bool = ...,
        names: Label | Sequence[Label] | Any | None = None,
    ) -> Self: ...  # fmt: skip
    @overload
    def reset_index(
        self, level: Label | Sequence[Label] | None = None, *, drop: bool = False, inplace: Literal[True],
        col_level: int = 0, col_fill: Any = '', allow_duplicates: bool = ...,
        names: Label | Sequence[Label] | Any | None = None,
    ) -> None: ...  # fmt: skip
    def rolling(
        self, window: int | Frequency | Any, min_periods: int | None = None, center: bool = False,
        win_type: str | None = None, on: Label | Sequence[Label] | Any | None = None, closed: Literal['left',
        'right', 'both', 'neither'] | None = None, step: int | None = None, method: Literal['single',
        'table'] = 'single',
    ) -> Rolling[DataFrame]: ...  # fmt: skip
    def select(self, *args: Any, **kwargs: Any) -> DataFrame: ...
    def select_dtypes(self, include: Any = None, exclude: Any = None) -> DataFrame: ...
    @overload
    def set_index(
        self, keys: Label | Sequence[Label] | Any, *, drop: bool = True, append: bool = False,
        inplace: Literal[False] = False, verify_integrity: bool = False,
    ) -> Self: ...  # fmt: skip
    @overload
    def set_index(
        self, keys: Label | Sequence[Label] | Any, *, drop: bool = True, append: bool = False,
        inplace: Literal[True], verify_integrity: bool = False,
    ) -> None: ...  # fmt: skip
    @property
    def shape(self) -> tuple[int, int]: ...
    @overload
    def sort_values(
        self, by: Label | Sequence[Label] | Any, *, axis: Axis = 0, ascending: bool | Sequence[bool] = True,
        inplace: Literal[False] = False, kind: Literal['quicksort', 'mergesort', 'heapsort',
        'stable'] = 'quicksort', na_position: Literal['first', 'last'] = 'last', ignore_index: bool = False,
        key: Callable[[Any], Any] | None = None,
    ) -> Self: ...  # fmt: skip
    @overload
    def sort_values(
        self, by: Label | Sequence[Label] | Any, *, axis: Axis = 0, ascending: bool | Sequence[bool] = True,
        inplace: Literal[True], kind: Literal['quicksort', 'mergesort', 'heapsort', 'stable'] = 'quicksort',
        na_position: Literal['first', 'last'] = 'last', ignore_index: bool = False, key: Callable[[Any],
        Any] | None = None,
    ) -> None: ...  # fmt: skip
    def stack(
        self, level: Label | Sequence[Label] = -1, dropna: bool = ..., sort: bool = ..., future_stack: bool = True,
    ) -> DataFrame | Series: ...  # fmt: skip
    @property
    def style(self) -> Any: ...
    def swaplevel(self, i: Any = -2, j: Any = -1, axis: Axis = 0) -> Self: ...
    def transform(
        self, func: Callable[..., Any] | str | list[Any] | dict[Any, Any], axis: Axis = 0, *args: Any,
        **kwargs: Any,
    ) -> DataFrame: ...  # fmt: skip
    def transpose(self, *args: Any, copy: bool = ...) -> DataFrame: ...
    def unstack(
        self, level: Label | Sequence[Label] = -1, fill_value: Any = None, sort: bool = True,
    ) -> DataFrame | Series: ...  # fmt: skip
    def update(
        self, other: Any, join: Literal['left', 'right', 'outer', 'inner'] = 'left', overwrite: bool = True,
        filter_func: Callable[[Any], Any] | None = None, errors: Literal['raise', 'ignore'] = 'ignore',
    ) -> None: ...  # fmt: skip
    @overload
    def value_counts(
        self, subset: Label | Sequence[Label] | None = None, normalize: Literal[False] = False, sort: bool = True,
        ascending: bool | Sequence[bool] = False, dropna: bool = True,
    ) -> Series[int]: ...  # fmt: skip
    @overload
    def value_counts(
        self, subset: Label | Sequence[Label] | None = None, *, normalize: Literal[True], sort: bool = True,
        ascending: bool | Sequence[bool] = False, dropna: bool = True,
    ) -> Series[float]: ...  # fmt: skip
    @property
    def values(self) -> ndarray[tuple[int, int], np.dtype[Any]]: ...
    @overload
    def where(
        self, cond: Any, other: Any = ..., *, inplace: Literal[False] = False, axis: Axis | None = None,
        level: Label | Sequence[Label] | None = None,
    ) -> Self: ...  # fmt: skip
    @overload
    def where(
        self, cond: Any, other: Any = ..., *, inplace: Literal[True], axis: Axis | None = None,
        level: Label | Sequence[Label] | None = None,
    ) -> None: ...  # fmt: skip
