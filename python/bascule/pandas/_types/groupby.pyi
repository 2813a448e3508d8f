# Written by python/stubs/write_pandas.py from the signatures, with pandas 3.1, and the tables beside it.
from collections.abc import Callable, Iterator, Sequence
from datetime import timedelta
from typing import Any, Generic, Literal, overload

import numpy as np

from .frame import DataFrame
from .index import Index
from .indexers import Nth
from .series import Series
from .windows import Expanding, ExponentialMovingWindow, Resampler, Rolling
from .words import _R, Frequency, Label, Made

class DataFrameGroupBy(Generic[_R]):
    def agg(
        self, func: Callable[..., Any] | str | list[Any] | dict[Any, Any] | None = None, *args: Any,
        engine: Literal['cython', 'numba'] | None = None, engine_kwargs: dict[str, Any] | None = None,
        **kwargs: Any,
    ) -> DataFrame: ...  # fmt: skip
    def aggregate(
        self, func: Callable[..., Any] | str | list[Any] | dict[Any, Any] | None = None, *args: Any,
        engine: Literal['cython', 'numba'] | None = None, engine_kwargs: dict[str, Any] | None = None,
        **kwargs: Any,
    ) -> DataFrame: ...  # fmt: skip
    def all(self, skipna: bool = True) -> DataFrame: ...
    def any(self, skipna: bool = True) -> DataFrame: ...
    def apply(
        self, func: Callable[..., Any] | str, *args: Any, include_groups: bool = False, **kwargs: Any,
    ) -> DataFrame | Series: ...  # fmt: skip
    @property
    def as_index(self) -> bool: ...
    def bfill(self, limit: int | None = None) -> DataFrame: ...
    def boxplot(
        self, subplots: bool = True, column: Any = None, fontsize: Any = None, rot: Any = 0, grid: bool = True,
        ax: Any = None, figsize: Any = None, layout: Any = None, sharex: bool = False, sharey: bool = True,
        backend: Any = None, **kwargs: Any,
    ) -> Any: ...  # fmt: skip
    def corr(
        self, method: Literal['pearson', 'kendall', 'spearman'] | Callable[[Any, Any], float] = 'pearson',
        min_periods: int = 1, numeric_only: bool = False,
    ) -> DataFrame: ...  # fmt: skip
    def corrwith(
        self, other: Any, drop: bool = False, method: Literal['pearson', 'kendall', 'spearman'] | Callable[[Any,
        Any], float] = 'pearson', numeric_only: bool = False,
    ) -> DataFrame: ...  # fmt: skip
    def count(self) -> DataFrame: ...
    def cov(self, min_periods: int | None = None, ddof: int = 1, numeric_only: bool = False) -> DataFrame: ...
    def cumcount(self, ascending: bool | Sequence[bool] = True) -> Series[int]: ...
    def cummax(self, numeric_only: bool = False, *, skipna: bool = True, **kwargs: Any) -> DataFrame: ...
    def cummin(self, numeric_only: bool = False, *, skipna: bool = True, **kwargs: Any) -> DataFrame: ...
    def cumprod(
        self, numeric_only: bool = False, skipna: bool = True, *args: Any, **kwargs: Any,
    ) -> DataFrame: ...  # fmt: skip
    def cumsum(
        self, numeric_only: bool = False, skipna: bool = True, *args: Any, **kwargs: Any,
    ) -> DataFrame: ...  # fmt: skip
    def describe(
        self, percentiles: float | Sequence[float] | Any | None = None, include: Any = None, exclude: Any = None,
    ) -> DataFrame: ...  # fmt: skip
    def diff(self, periods: int = 1) -> DataFrame: ...
    def ewm(
        self, com: float | None = None, span: float | None = None, halflife: float | str | timedelta | None = None,
        alpha: float | None = None, min_periods: int = 0, adjust: bool = True, ignore_na: bool = False,
        times: Any = None, method: Any = 'single',
    ) -> ExponentialMovingWindow[DataFrame]: ...  # fmt: skip
    def expanding(
        self, min_periods: int = 1, method: Literal['single', 'table'] = 'single',
    ) -> Expanding[DataFrame]: ...  # fmt: skip
    def ffill(self, limit: int | None = None) -> DataFrame: ...
    def filter(
        self, func: Callable[..., Any] | str, dropna: bool = True, *args: Any, **kwargs: Any,
    ) -> DataFrame: ...  # fmt: skip
    def first(self, numeric_only: bool = False, min_count: int = -1, skipna: bool = True) -> DataFrame: ...
    def get_group(self, name: Label) -> DataFrame: ...
    @property
    def groups(self) -> dict[Any, Index]: ...
    def head(self, n: int = 5) -> DataFrame: ...
    def hist(
        self, column: Any = None, by: Label | Sequence[Label] | Any | None = None, grid: bool = True,
        xlabelsize: Any = None, xrot: Any = None, ylabelsize: Any = None, yrot: Any = None, ax: Any = None,
        sharex: bool = False, sharey: bool = False, figsize: Any = None, layout: Any = None,
        bins: int | Sequence[Any] | Any = 10, backend: Any = None, legend: bool = False, **kwargs: Any,
    ) -> Any: ...  # fmt: skip
    def idxmax(self, skipna: bool = True, numeric_only: bool = False) -> DataFrame: ...
    def idxmin(self, skipna: bool = True, numeric_only: bool = False) -> DataFrame: ...
    @property
    def indices(self) -> dict[Any, np.ndarray[Any, np.dtype[np.intp]]]: ...
    @property
    def keys(self) -> Any: ...
    def kurt(self, skipna: bool = True, numeric_only: bool = False, **kwargs: Any) -> DataFrame: ...
    def last(self, numeric_only: bool = False, min_count: int = -1, skipna: bool = True) -> DataFrame: ...
    @property
    def level(self) -> Any: ...
    def max(
        self, numeric_only: bool = False, min_count: int = -1, skipna: bool = True, engine: Literal['cython',
        'numba'] | None = None, engine_kwargs: dict[str, Any] | None = None,
    ) -> DataFrame: ...  # fmt: skip
    def mean(
        self, numeric_only: bool = False, skipna: bool = True, engine: Literal['cython', 'numba'] | None = None,
        engine_kwargs: dict[str, Any] | None = None,
    ) -> DataFrame: ...  # fmt: skip
    def median(self, numeric_only: bool = False, skipna: bool = True) -> DataFrame: ...
    def min(
        self, numeric_only: bool = False, min_count: int = -1, skipna: bool = True, engine: Literal['cython',
        'numba'] | None = None, engine_kwargs: dict[str, Any] | None = None,
    ) -> DataFrame: ...  # fmt: skip
    @property
    def ndim(self) -> int: ...
    def ngroup(self, ascending: bool | Sequence[bool] = True) -> Series[int]: ...
    @property
    def ngroups(self) -> int: ...
    @property
    def nth(self) -> Nth[DataFrame]: ...
    def nunique(self, dropna: bool = True) -> DataFrame: ...
    @property
    def obj(self) -> DataFrame: ...
    def ohlc(self) -> DataFrame: ...
    def pct_change(
        self, periods: int = 1, fill_method: Any = None, freq: Frequency | None = None,
    ) -> DataFrame: ...  # fmt: skip
    @overload
    def pipe(self, func: Callable[..., Made], *args: Any, **kwargs: Any) -> Made: ...
    @overload
    def pipe(self, func: tuple[Callable[..., Made], str], *args: Any, **kwargs: Any) -> Made: ...
    @property
    def plot(self) -> Any: ...
    def prod(self, numeric_only: bool = False, min_count: int = 0, skipna: bool = True) -> DataFrame: ...
    def quantile(
        self, q: float | Sequence[float] | Any = 0.5, interpolation: Literal['linear', 'lower', 'higher',
        'midpoint', 'nearest'] = 'linear', numeric_only: bool = False,
    ) -> DataFrame: ...  # fmt: skip
    def rank(
        self, method: Literal['average', 'min', 'max', 'first', 'dense'] = 'average',
        ascending: bool | Sequence[bool] = True, na_option: Literal['keep', 'top', 'bottom'] = 'keep',
        pct: bool = False,
    ) -> DataFrame: ...  # fmt: skip
    def resample(
        self, rule: Frequency, closed: Literal['left', 'right', 'both', 'neither'] | None = None, label: Any = None,
        convention: str | None = None, on: Label | Sequence[Label] | Any | None = None, origin: Any = 'start_day',
        offset: Any = None, group_keys: bool = False, *, include_groups: bool = False, **kwargs: Any,
    ) -> Resampler[DataFrame]: ...  # fmt: skip
    def rolling(
        self, window: int | Frequency | Any, min_periods: int | None = None, center: bool = False,
        win_type: str | None = None, on: Label | Sequence[Label] | Any | None = None, closed: Literal['left',
        'right', 'both', 'neither'] | None = None, method: Literal['single', 'table'] = 'single',
    ) -> Rolling[DataFrame]: ...  # fmt: skip
    def sample(
        self, n: int | None = None, frac: float | None = None, replace: Any = False, weights: Any = None,
        random_state: int | np.random.Generator | np.random.RandomState | Any | None = None,
    ) -> DataFrame: ...  # fmt: skip
    def sem(self, ddof: int = 1, numeric_only: bool = False, skipna: bool = True) -> DataFrame: ...
    def shift(
        self, periods: int = 1, freq: Frequency | None = None, fill_value: Any = ..., suffix: str | None = None,
    ) -> DataFrame: ...  # fmt: skip
    def size(self) -> _R: ...
    def skew(self, skipna: bool = True, numeric_only: bool = False, **kwargs: Any) -> DataFrame: ...
    def std(
        self, ddof: int = 1, engine: Literal['cython', 'numba'] | None = None, engine_kwargs: dict[str,
        Any] | None = None, numeric_only: bool = False, skipna: bool = True,
    ) -> DataFrame: ...  # fmt: skip
    def sum(
        self, numeric_only: bool = False, min_count: int = 0, skipna: bool = True, engine: Literal['cython',
        'numba'] | None = None, engine_kwargs: dict[str, Any] | None = None,
    ) -> DataFrame: ...  # fmt: skip
    def tail(self, n: int = 5) -> DataFrame: ...
    def take(self, indices: Any, **kwargs: Any) -> DataFrame: ...
    def transform(
        self, func: Callable[..., Any] | str | None = None, *args: Any, engine: Literal['cython',
        'numba'] | None = None, engine_kwargs: dict[str, Any] | None = None, **kwargs: Any,
    ) -> DataFrame: ...  # fmt: skip
    def value_counts(
        self, subset: Label | Sequence[Label] | None = None, normalize: bool = False, sort: bool = True,
        ascending: bool | Sequence[bool] = False, dropna: bool = True,
    ) -> _R: ...  # fmt: skip
    def var(
        self, ddof: int = 1, engine: Literal['cython', 'numba'] | None = None, engine_kwargs: dict[str,
        Any] | None = None, numeric_only: bool = False, skipna: bool = True,
    ) -> DataFrame: ...  # fmt: skip
    @overload
    def __getitem__(self, key: list[Any], /) -> DataFrameGroupBy[_R]: ...
    @overload
    def __getitem__(self, key: Label, /) -> SeriesGroupBy[_R]: ...
    def __getattr__(self, name: str) -> SeriesGroupBy[_R]: ...
    def __iter__(self) -> Iterator[tuple[Any, DataFrame]]: ...
    def __len__(self) -> int: ...

class SeriesGroupBy(Generic[_R]):
    @overload
    def agg(
        self, func: list[Any], *args: Any, engine: Literal['cython', 'numba'] | None = None,
        engine_kwargs: dict[str, Any] | None = None, **kwargs: Any,
    ) -> DataFrame: ...  # fmt: skip
    @overload
    def agg(
        self, func: str | Callable[..., Any], *args: Any, engine: Literal['cython', 'numba'] | None = None,
        engine_kwargs: dict[str, Any] | None = None, **kwargs: Any,
    ) -> _R: ...  # fmt: skip
    @overload
    def agg(
        self, func: Any = ..., *args: Any, engine: Literal['cython', 'numba'] | None = None,
        engine_kwargs: dict[str, Any] | None = None, **kwargs: Any,
    ) -> DataFrame: ...  # fmt: skip
    @overload
    def aggregate(
        self, func: list[Any], *args: Any, engine: Literal['cython', 'numba'] | None = None,
        engine_kwargs: dict[str, Any] | None = None, **kwargs: Any,
    ) -> DataFrame: ...  # fmt: skip
    @overload
    def aggregate(
        self, func: str | Callable[..., Any], *args: Any, engine: Literal['cython', 'numba'] | None = None,
        engine_kwargs: dict[str, Any] | None = None, **kwargs: Any,
    ) -> _R: ...  # fmt: skip
    @overload
    def aggregate(
        self, func: Any = ..., *args: Any, engine: Literal['cython', 'numba'] | None = None,
        engine_kwargs: dict[str, Any] | None = None, **kwargs: Any,
    ) -> DataFrame: ...  # fmt: skip
    def all(self, skipna: bool = True) -> _R: ...
    def any(self, skipna: bool = True) -> _R: ...
    def apply(
        self, func: Callable[..., Any] | str, *args: Any, include_groups: bool = False, **kwargs: Any,
    ) -> Series | DataFrame: ...  # fmt: skip
    @property
    def as_index(self) -> bool: ...
    def bfill(self, limit: int | None = None) -> Series: ...
    def corr(
        self, other: Any, method: Literal['pearson', 'kendall', 'spearman'] | Callable[[Any, Any],
        float] = 'pearson', min_periods: int | None = None,
    ) -> _R: ...  # fmt: skip
    def count(self) -> _R: ...
    def cov(self, other: Any, min_periods: int | None = None, ddof: int = 1) -> _R: ...
    def cumcount(self, ascending: bool | Sequence[bool] = True) -> Series[int]: ...
    def cummax(self, numeric_only: bool = False, *, skipna: bool = True, **kwargs: Any) -> Series: ...
    def cummin(self, numeric_only: bool = False, *, skipna: bool = True, **kwargs: Any) -> Series: ...
    def cumprod(self, numeric_only: bool = False, skipna: bool = True, *args: Any, **kwargs: Any) -> Series: ...
    def cumsum(self, numeric_only: bool = False, skipna: bool = True, *args: Any, **kwargs: Any) -> Series: ...
    def describe(
        self, percentiles: float | Sequence[float] | Any | None = None, include: Any = None, exclude: Any = None,
    ) -> DataFrame: ...  # fmt: skip
    def diff(self, periods: int = 1) -> Series: ...
    @property
    def dtype(self) -> Any: ...
    def ewm(
        self, com: float | None = None, span: float | None = None, halflife: float | str | timedelta | None = None,
        alpha: float | None = None, min_periods: int = 0, adjust: bool = True, ignore_na: bool = False,
        times: Any = None, method: Any = 'single',
    ) -> ExponentialMovingWindow[Series]: ...  # fmt: skip
    def expanding(
        self, min_periods: int = 1, method: Literal['single', 'table'] = 'single',
    ) -> Expanding[Series]: ...  # fmt: skip
    def ffill(self, limit: int | None = None) -> Series: ...
    def filter(
        self, func: Callable[..., Any] | str, dropna: bool = True, *args: Any, **kwargs: Any,
    ) -> Series: ...  # fmt: skip
    def first(self, numeric_only: bool = False, min_count: int = -1, skipna: bool = True) -> _R: ...
    def get_group(self, name: Label) -> Series: ...
    @property
    def groups(self) -> dict[Any, Index]: ...
    def head(self, n: int = 5) -> Series: ...
    def hist(
        self, by: Label | Sequence[Label] | Any | None = None, ax: Any = None, grid: bool = True,
        xlabelsize: Any = None, xrot: Any = None, ylabelsize: Any = None, yrot: Any = None, figsize: Any = None,
        bins: int | Sequence[Any] | Any = 10, backend: Any = None, legend: bool = False, **kwargs: Any,
    ) -> Any: ...  # fmt: skip
    def idxmax(self, skipna: bool = True, numeric_only: bool = False) -> _R: ...
    def idxmin(self, skipna: bool = True, numeric_only: bool = False) -> _R: ...
    @property
    def indices(self) -> dict[Any, np.ndarray[Any, np.dtype[np.intp]]]: ...
    @property
    def is_monotonic_decreasing(self) -> _R: ...
    @property
    def is_monotonic_increasing(self) -> _R: ...
    @property
    def keys(self) -> Any: ...
    def kurt(self, skipna: bool = True, numeric_only: bool = False, **kwargs: Any) -> _R: ...
    def last(self, numeric_only: bool = False, min_count: int = -1, skipna: bool = True) -> _R: ...
    @property
    def level(self) -> Any: ...
    def max(
        self, numeric_only: bool = False, min_count: int = -1, skipna: bool = True, engine: Literal['cython',
        'numba'] | None = None, engine_kwargs: dict[str, Any] | None = None,
    ) -> _R: ...  # fmt: skip
    def mean(
        self, numeric_only: bool = False, skipna: bool = True, engine: Literal['cython', 'numba'] | None = None,
        engine_kwargs: dict[str, Any] | None = None,
    ) -> _R: ...  # fmt: skip
    def median(self, numeric_only: bool = False, skipna: bool = True) -> _R: ...
    def min(
        self, numeric_only: bool = False, min_count: int = -1, skipna: bool = True, engine: Literal['cython',
        'numba'] | None = None, engine_kwargs: dict[str, Any] | None = None,
    ) -> _R: ...  # fmt: skip
    @property
    def ndim(self) -> int: ...
    def ngroup(self, ascending: bool | Sequence[bool] = True) -> Series[int]: ...
    @property
    def ngroups(self) -> int: ...
    def nlargest(self, n: int = 5, keep: Literal["first", "last", "all"] = "first") -> Series: ...
    def nsmallest(self, n: int = 5, keep: Literal["first", "last", "all"] = "first") -> Series: ...
    @property
    def nth(self) -> Nth[Series]: ...
    def nunique(self, dropna: bool = True) -> _R: ...
    @property
    def obj(self) -> Any: ...
    def ohlc(self) -> DataFrame: ...
    def pct_change(self, periods: int = 1, fill_method: Any = None, freq: Frequency | None = None) -> Series: ...
    @overload
    def pipe(self, func: Callable[..., Made], *args: Any, **kwargs: Any) -> Made: ...
    @overload
    def pipe(self, func: tuple[Callable[..., Made], str], *args: Any, **kwargs: Any) -> Made: ...
    @property
    def plot(self) -> Any: ...
    def prod(self, numeric_only: bool = False, min_count: int = 0, skipna: bool = True) -> _R: ...
    def quantile(
        self, q: float | Sequence[float] | Any = 0.5, interpolation: Literal['linear', 'lower', 'higher',
        'midpoint', 'nearest'] = 'linear', numeric_only: bool = False,
    ) -> _R: ...  # fmt: skip
    def rank(
        self, method: Literal['average', 'min', 'max', 'first', 'dense'] = 'average',
        ascending: bool | Sequence[bool] = True, na_option: Literal['keep', 'top', 'bottom'] = 'keep',
        pct: bool = False,
    ) -> Series: ...  # fmt: skip
    def resample(
        self, rule: Frequency, closed: Literal['left', 'right', 'both', 'neither'] | None = None, label: Any = None,
        convention: str | None = None, on: Label | Sequence[Label] | Any | None = None, origin: Any = 'start_day',
        offset: Any = None, group_keys: bool = False, *, include_groups: bool = False, **kwargs: Any,
    ) -> Resampler[Series]: ...  # fmt: skip
    def rolling(
        self, window: int | Frequency | Any, min_periods: int | None = None, center: bool = False,
        win_type: str | None = None, on: Label | Sequence[Label] | Any | None = None, closed: Literal['left',
        'right', 'both', 'neither'] | None = None, method: Literal['single', 'table'] = 'single',
    ) -> Rolling[Series]: ...  # fmt: skip
    def sample(
        self, n: int | None = None, frac: float | None = None, replace: Any = False, weights: Any = None,
        random_state: int | np.random.Generator | np.random.RandomState | Any | None = None,
    ) -> Series: ...  # fmt: skip
    def sem(self, ddof: int = 1, numeric_only: bool = False, skipna: bool = True) -> _R: ...
    def shift(
        self, periods: int = 1, freq: Frequency | None = None, fill_value: Any = ..., suffix: str | None = None,
    ) -> Series: ...  # fmt: skip
    def size(self) -> _R: ...
    def skew(self, skipna: bool = True, numeric_only: bool = False, **kwargs: Any) -> _R: ...
    def std(
        self, ddof: int = 1, engine: Literal['cython', 'numba'] | None = None, engine_kwargs: dict[str,
        Any] | None = None, numeric_only: bool = False, skipna: bool = True,
    ) -> _R: ...  # fmt: skip
    def sum(
        self, numeric_only: bool = False, min_count: int = 0, skipna: bool = True, engine: Literal['cython',
        'numba'] | None = None, engine_kwargs: dict[str, Any] | None = None,
    ) -> _R: ...  # fmt: skip
    def tail(self, n: int = 5) -> Series: ...
    def take(self, indices: Any, **kwargs: Any) -> Series: ...
    def transform(
        self, func: Callable[..., Any] | str | None = None, *args: Any, engine: Literal['cython',
        'numba'] | None = None, engine_kwargs: dict[str, Any] | None = None, **kwargs: Any,
    ) -> Series: ...  # fmt: skip
    def unique(self) -> _R: ...
    def value_counts(
        self, normalize: bool = False, sort: bool = True, ascending: bool | Sequence[bool] = False,
        bins: int | Sequence[Any] | Any | None = None, dropna: bool = True,
    ) -> _R: ...  # fmt: skip
    def var(
        self, ddof: int = 1, engine: Literal['cython', 'numba'] | None = None, engine_kwargs: dict[str,
        Any] | None = None, numeric_only: bool = False, skipna: bool = True,
    ) -> _R: ...  # fmt: skip
    def __iter__(self) -> Iterator[tuple[Any, Series]]: ...
    def __len__(self) -> int: ...
