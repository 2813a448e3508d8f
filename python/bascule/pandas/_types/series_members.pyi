# Written by python/stubs/write_pandas.py from the signatures, with pandas 3.1, and the tables beside it.
from collections.abc import Callable, Iterable, Sequence
from datetime import timedelta
from typing import Any, Generic, Literal, Self, overload

import numpy as np

from ..._core import ndarray
from .accessors import CategoricalAccessor, ListAccessor, StructAccessor, TimeProperties
from .frame import DataFrame
from .groupby import SeriesGroupBy
from .index import Index
from .indexers import ByLabel, Positions
from .series import Series
from .strings import StringMethods
from .windows import Expanding, ExponentialMovingWindow, Resampler, Rolling
from .words import _T, Axis, Dtype, Frequency, Label, _list, _str

class SeriesMembers(Generic[_T]):
    @property
    def T(self) -> Self: ...
    @overload
    def agg(self, func: _list[Any] | dict[Any, Any], axis: Axis = 0, *args: Any, **kwargs: Any) -> Series: ...
    @overload
    def agg(self, func: Any = ..., axis: Axis = 0, *args: Any, **kwargs: Any) -> Any: ...
    @overload
    def aggregate(
        self, func: _list[Any] | dict[Any, Any], axis: Axis = 0, *args: Any, **kwargs: Any,
    ) -> Series: ...  # fmt: skip
    @overload
    def aggregate(self, func: Any = ..., axis: Axis = 0, *args: Any, **kwargs: Any) -> Any: ...
    @overload
    def apply(
        self, func: type[_str], args: Any = ..., *, by_row: bool | Literal['compat'] = 'compat', **kwargs: Any,
    ) -> Series[_str]: ...  # fmt: skip
    @overload
    def apply(
        self, func: type[bool], args: Any = ..., *, by_row: bool | Literal['compat'] = 'compat', **kwargs: Any,
    ) -> Series[bool]: ...  # fmt: skip
    @overload
    def apply(
        self, func: type[int], args: Any = ..., *, by_row: bool | Literal['compat'] = 'compat', **kwargs: Any,
    ) -> Series[int]: ...  # fmt: skip
    @overload
    def apply(
        self, func: type[float], args: Any = ..., *, by_row: bool | Literal['compat'] = 'compat', **kwargs: Any,
    ) -> Series[float]: ...  # fmt: skip
    @overload
    def apply(
        self, func: Callable[..., Any] | _str | _list[Any] | dict[Any, Any], args: Any = ..., *,
        by_row: bool | Literal['compat'] = 'compat', **kwargs: Any,
    ) -> Any: ...  # fmt: skip
    def argmax(self, axis: Axis | None = None, skipna: bool = True, *args: Any, **kwargs: Any) -> int: ...
    def argmin(self, axis: Axis | None = None, skipna: bool = True, *args: Any, **kwargs: Any) -> int: ...
    def argsort(
        self, axis: Axis = 0, kind: Literal['quicksort', 'mergesort', 'heapsort', 'stable'] = 'quicksort',
        order: Any = None, stable: bool | None = None,
    ) -> Series[int]: ...  # fmt: skip
    @property
    def array(self) -> Any: ...
    def asof(self, where: Any, subset: Label | Sequence[Label] | None = None) -> Any: ...
    @overload
    def astype(
        self, dtype: type[bool], copy: bool = ..., errors: Literal['raise', 'ignore'] = 'raise',
    ) -> Series[bool]: ...  # fmt: skip
    @overload
    def astype(
        self, dtype: type[int], copy: bool = ..., errors: Literal['raise', 'ignore'] = 'raise',
    ) -> Series[int]: ...  # fmt: skip
    @overload
    def astype(
        self, dtype: type[float], copy: bool = ..., errors: Literal['raise', 'ignore'] = 'raise',
    ) -> Series[float]: ...  # fmt: skip
    @overload
    def astype(
        self, dtype: type[_str], copy: bool = ..., errors: Literal['raise', 'ignore'] = 'raise',
    ) -> Series[_str]: ...  # fmt: skip
    @overload
    def astype(self, dtype: Any, copy: bool = ..., errors: Literal["raise", "ignore"] = "raise") -> Series: ...
    def between(
        self, left: Any, right: Any, inclusive: Literal['both', 'neither', 'left', 'right'] = 'both',
    ) -> Series[bool]: ...  # fmt: skip
    def case_when(self, caselist: Any) -> Series: ...
    @property
    def cat(self) -> CategoricalAccessor: ...
    def combine(self, other: Any, func: Callable[..., Any] | _str, fill_value: Any = None) -> Series: ...
    def combine_first(self, other: Any) -> Series: ...
    def convert_dtypes(
        self, infer_objects: bool = ..., convert_string: bool = ..., convert_integer: bool = ...,
        convert_boolean: bool = ..., convert_floating: bool = ..., dtype_backend: Literal['numpy_nullable',
        'pyarrow'] = 'numpy_nullable',
    ) -> Series: ...  # fmt: skip
    def corr(
        self, other: Any, method: Literal['pearson', 'kendall', 'spearman'] | Callable[[Any, Any],
        float] = 'pearson', min_periods: int | None = None,
    ) -> float: ...  # fmt: skip
    def cov(self, other: Any, min_periods: int | None = None, ddof: int = 1) -> float: ...
    def cummax(self, axis: Axis = 0, skipna: bool = True, *args: Any, **kwargs: Any) -> Self: ...
    def cummin(self, axis: Axis = 0, skipna: bool = True, *args: Any, **kwargs: Any) -> Self: ...
    def cumprod(self, axis: Axis = 0, skipna: bool = True, *args: Any, **kwargs: Any) -> Self: ...
    def cumsum(self, axis: Axis = 0, skipna: bool = True, *args: Any, **kwargs: Any) -> Self: ...
    def describe(
        self, percentiles: float | Sequence[float] | Any | None = None, include: Any = None, exclude: Any = None,
    ) -> Series: ...  # fmt: skip
    def diff(self, periods: int = 1, axis: Axis = 0) -> Series: ...
    @overload
    def drop_duplicates(
        self, *, keep: Literal['first', 'last', False] = 'first', inplace: Literal[False] = False,
        ignore_index: bool = False,
    ) -> Self: ...  # fmt: skip
    @overload
    def drop_duplicates(
        self, *, keep: Literal['first', 'last', False] = 'first', inplace: Literal[True],
        ignore_index: bool = False,
    ) -> None: ...  # fmt: skip
    @overload
    def dropna(
        self, *, axis: Axis = 0, inplace: Literal[False] = False, how: Literal['any', 'all'] | None = None,
        ignore_index: bool = False,
    ) -> Self: ...  # fmt: skip
    @overload
    def dropna(
        self, *, axis: Axis = 0, inplace: Literal[True], how: Literal['any', 'all'] | None = None,
        ignore_index: bool = False,
    ) -> None: ...  # fmt: skip
    @property
    def dt(self) -> TimeProperties: ...
    @property
    def dtype(self) -> Dtype: ...
    @property
    def dtypes(self) -> Dtype: ...
    def duplicated(self, keep: Literal["first", "last", False] = "first") -> Series[bool]: ...
    def ewm(
        self, com: float | None = None, span: float | None = None, halflife: float | _str | timedelta | None = None,
        alpha: float | None = None, min_periods: int = 0, adjust: bool = True, ignore_na: bool = False,
        times: Any = None, method: Literal['single', 'table'] = 'single',
    ) -> ExponentialMovingWindow[Series]: ...  # fmt: skip
    def expanding(
        self, min_periods: int = 1, method: Literal['single', 'table'] = 'single',
    ) -> Expanding[Series]: ...  # fmt: skip
    def explode(self, ignore_index: bool = False) -> Series: ...
    def factorize(
        self, sort: bool = False, use_na_sentinel: bool = True,
    ) -> tuple[ndarray[tuple[int], np.dtype[np.intp]], Index]: ...  # fmt: skip
    @overload
    def fillna(
        self, value: Any, *, axis: Axis | None = None, inplace: Literal[False] = False, limit: int | None = None,
    ) -> Series: ...  # fmt: skip
    @overload
    def fillna(
        self, value: Any, *, axis: Axis | None = None, inplace: Literal[True], limit: int | None = None,
    ) -> None: ...  # fmt: skip
    @overload
    def get(self, key: Any, default: None = None) -> _T | None: ...
    @overload
    def get(self, key: Any, default: Any) -> Any: ...
    def groupby(
        self, by: Label | Sequence[Label] | Any | None = None, level: Label | Sequence[Label] | None = None, *,
        as_index: bool = True, sort: bool = True, group_keys: bool = True, observed: bool = True,
        dropna: bool = True,
    ) -> SeriesGroupBy[Series]: ...  # fmt: skip
    @property
    def hasnans(self) -> bool: ...
    def hist(
        self, by: Label | Sequence[Label] | Any | None = None, ax: Any = None, grid: bool = True,
        xlabelsize: Any = None, xrot: Any = None, ylabelsize: Any = None, yrot: Any = None, figsize: Any = None,
        bins: int | Sequence[Any] | Any = 10, backend: Any = None, legend: bool = False, **kwargs: Any,
    ) -> Any: ...  # fmt: skip
    def idxmax(self, axis: Axis = 0, skipna: bool = True, *args: Any, **kwargs: Any) -> Any: ...
    def idxmin(self, axis: Axis = 0, skipna: bool = True, *args: Any, **kwargs: Any) -> Any: ...
    @property
    def iloc(self) -> Positions[Self, _T]: ...
    @property
    def is_monotonic_decreasing(self) -> bool: ...
    @property
    def is_monotonic_increasing(self) -> bool: ...
    @property
    def is_unique(self) -> bool: ...
    def isin(self, values: Label | Sequence[Label] | Any) -> Series[bool]: ...
    def isna(self) -> Series[bool]: ...
    def isnull(self) -> Series[bool]: ...
    def item(self) -> _T: ...
    def items(self) -> Iterable[tuple[Label, _T]]: ...
    @property
    def list(self) -> ListAccessor: ...
    @property
    def loc(self) -> ByLabel[Self, _T]: ...
    def map(
        self, func: Callable[..., Any] | dict[Any, Any] | Series | None = None,
        na_action: Literal['ignore'] | None = None, engine: Literal['python', 'numexpr', 'numba', 'pyarrow',
        'fastparquet', 'auto', 'openpyxl', 'calamine', 'xlsxwriter', 'odf', 'xlrd', 'pyxlsb', 'ujson', 'c',
        'python-fwf', 'cython'] | Any | None = None, **kwargs: Any,
    ) -> Series: ...  # fmt: skip
    @overload
    def mask(
        self, cond: Any, other: Any = ..., *, inplace: Literal[False] = False, axis: Axis | None = None,
        level: Label | Sequence[Label] | None = None,
    ) -> Series: ...  # fmt: skip
    @overload
    def mask(
        self, cond: Any, other: Any = ..., *, inplace: Literal[True], axis: Axis | None = None,
        level: Label | Sequence[Label] | None = None,
    ) -> None: ...  # fmt: skip
    def memory_usage(self, index: bool | Label = True, deep: bool = False) -> int: ...
    def mode(self, dropna: bool = True) -> Series: ...
    @property
    def name(self) -> Label: ...
    @name.setter
    def name(self, value: Any) -> None: ...
    @property
    def nbytes(self) -> int: ...
    def nlargest(self, n: int = 5, keep: Literal["first", "last", "all"] = "first") -> Self: ...
    def notna(self) -> Series[bool]: ...
    def notnull(self) -> Series[bool]: ...
    def nsmallest(self, n: int = 5, keep: Literal["first", "last", "all"] = "first") -> Self: ...
    def pct_change(
        self, periods: int = 1, fill_method: Any = None, freq: Frequency | None = None, **kwargs: Any,
    ) -> Series[float]: ...  # fmt: skip
    def pop(self, item: Label) -> _T: ...
    def rank(
        self, axis: Axis = 0, method: Literal['average', 'min', 'max', 'first', 'dense'] = 'average',
        numeric_only: bool = False, na_option: Literal['keep', 'top', 'bottom'] = 'keep',
        ascending: bool | Sequence[bool] = True, pct: bool = False,
    ) -> Series[float]: ...  # fmt: skip
    def reindex(
        self, index: Sequence[Any] | Index | None = None, *, axis: Axis | None = None, method: Literal['pad',
        'ffill', 'backfill', 'bfill', 'nearest'] | None = None, copy: bool = ...,
        level: Label | Sequence[Label] | None = None, fill_value: Any = ..., limit: int | None = None,
        tolerance: Any = None,
    ) -> Self: ...  # fmt: skip
    @overload
    def rename(
        self, index: Label | Sequence[Label] | Any | None = None, *, axis: Axis | None = None, copy: bool = ...,
        inplace: Literal[False] = False, level: Label | Sequence[Label] | None = None, errors: Literal['raise',
        'ignore'] = 'ignore',
    ) -> Self: ...  # fmt: skip
    @overload
    def rename(
        self, index: Label | Sequence[Label] | Any | None = None, *, axis: Axis | None = None, copy: bool = ...,
        inplace: Literal[True], level: Label | Sequence[Label] | None = None, errors: Literal['raise',
        'ignore'] = 'ignore',
    ) -> None: ...  # fmt: skip
    def reorder_levels(self, order: Any) -> Self: ...
    def repeat(self, repeats: int | Sequence[int], axis: Axis | None = None) -> Self: ...
    @overload
    def replace(
        self, to_replace: Any = None, value: Any = ..., *, inplace: Literal[False] = False,
        regex: bool | _str | Any = False,
    ) -> Series: ...  # fmt: skip
    @overload
    def replace(
        self, to_replace: Any = None, value: Any = ..., *, inplace: Literal[True], regex: bool | _str | Any = False,
    ) -> None: ...  # fmt: skip
    def resample(
        self, rule: Frequency, closed: Literal['left', 'right', 'both', 'neither'] | None = None, label: Any = None,
        convention: _str = 'start', on: Label | Sequence[Label] | Any | None = None,
        level: Label | Sequence[Label] | None = None, origin: Any = 'start_day', offset: Any = None,
        group_keys: bool = False,
    ) -> Resampler[Series]: ...  # fmt: skip
    @overload
    def reset_index(
        self, level: Label | Sequence[Label] | None = None, *, drop: Literal[True], name: Label = ...,
        inplace: Literal[False] = False, allow_duplicates: bool = False,
    ) -> Series[_T]: ...  # fmt: skip
    @overload
    def reset_index(
        self, level: Label | Sequence[Label] | None = None, *, drop: Literal[False] = False, name: Label = ...,
        inplace: Literal[False] = False, allow_duplicates: bool = False,
    ) -> DataFrame: ...  # fmt: skip
    @overload
    def reset_index(
        self, level: Label | Sequence[Label] | None = None, *, drop: bool = False, name: Label = ...,
        inplace: Literal[True], allow_duplicates: bool = False,
    ) -> None: ...  # fmt: skip
    def rolling(
        self, window: int | Frequency | Any, min_periods: int | None = None, center: bool = False,
        win_type: _str | None = None, on: Label | Sequence[Label] | Any | None = None, closed: Literal['left',
        'right', 'both', 'neither'] | None = None, step: int | None = None, method: Literal['single',
        'table'] = 'single',
    ) -> Rolling[Series]: ...  # fmt: skip
    @overload
    def searchsorted(  # type: ignore[overload-overlap]
        self, value: Sequence[Any] | Index | np.ndarray[Any, Any] | ndarray | Series, side: Literal['left',
        'right'] = 'left', sorter: Any = None,
    ) -> ndarray[tuple[int], np.dtype[np.intp]]: ...  # fmt: skip
    @overload
    def searchsorted(
        self, value: Label, side: Literal['left', 'right'] = 'left', sorter: Any = None,
    ) -> np.intp: ...  # fmt: skip
    @property
    def shape(self) -> tuple[int]: ...
    @overload
    def sort_values(
        self, *, axis: Axis = 0, ascending: bool | Sequence[bool] = True, inplace: Literal[False] = False,
        kind: Literal['quicksort', 'mergesort', 'heapsort', 'stable'] = 'quicksort', na_position: Literal['first',
        'last'] = 'last', ignore_index: bool = False, key: Callable[[Any], Any] | None = None,
    ) -> Self: ...  # fmt: skip
    @overload
    def sort_values(
        self, *, axis: Axis = 0, ascending: bool | Sequence[bool] = True, inplace: Literal[True],
        kind: Literal['quicksort', 'mergesort', 'heapsort', 'stable'] = 'quicksort', na_position: Literal['first',
        'last'] = 'last', ignore_index: bool = False, key: Callable[[Any], Any] | None = None,
    ) -> None: ...  # fmt: skip
    @property
    def str(self) -> StringMethods: ...
    @property
    def struct(self) -> StructAccessor: ...
    def swaplevel(self, i: Any = -2, j: Any = -1, copy: bool = ...) -> Self: ...
    def tolist(self) -> _list[_T]: ...
    @overload
    def transform(
        self, func: _list[Any] | dict[Any, Any], axis: Axis = 0, *args: Any, **kwargs: Any,
    ) -> DataFrame: ...  # fmt: skip
    @overload
    def transform(self, func: Any, axis: Axis = 0, *args: Any, **kwargs: Any) -> Series: ...
    def transpose(self, *args: Any, **kwargs: Any) -> Self: ...
    def unique(self) -> ndarray[tuple[int], np.dtype[Any]]: ...
    def unstack(
        self, level: Label | Sequence[Label] = -1, fill_value: Any = None, sort: bool = True,
    ) -> DataFrame: ...  # fmt: skip
    def update(self, other: Any) -> None: ...
    @overload
    def value_counts(
        self, normalize: Literal[False] = False, sort: bool = True, ascending: bool | Sequence[bool] = False,
        bins: int | Sequence[Any] | Any | None = None, dropna: bool = True,
    ) -> Series[int]: ...  # fmt: skip
    @overload
    def value_counts(
        self, normalize: Literal[True], sort: bool = True, ascending: bool | Sequence[bool] = False,
        bins: int | Sequence[Any] | Any | None = None, dropna: bool = True,
    ) -> Series[float]: ...  # fmt: skip
    @property
    def values(self) -> ndarray[tuple[int], np.dtype[Any]]: ...
    @overload
    def where(
        self, cond: Any, other: Any = ..., *, inplace: Literal[False] = False, axis: Axis | None = None,
        level: Label | Sequence[Label] | None = None,
    ) -> Series: ...  # fmt: skip
    @overload
    def where(
        self, cond: Any, other: Any = ..., *, inplace: Literal[True], axis: Axis | None = None,
        level: Label | Sequence[Label] | None = None,
    ) -> None: ...  # fmt: skip
