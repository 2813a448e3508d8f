# Written by python/stubs/write_pandas.py from the signatures, with pandas 3.1, and the tables beside it.
from collections.abc import Callable, Sequence
from datetime import tzinfo
from typing import Any, ClassVar, Literal, Self, overload

import numpy as np
from numpy.typing import DTypeLike

from .accessors import PlotAccessor
from .frame import DataFrame
from .index import Index
from .indexers import OneByLabel, OneByPosition
from .rows_files import RowsFiles
from .series import Series
from .words import Axis, Frequency, Label, Made

class Rows(RowsFiles):
    def abs(self) -> Self: ...
    def add_prefix(self, prefix: str, axis: Axis | None = None) -> Self: ...
    def add_suffix(self, suffix: str, axis: Axis | None = None) -> Self: ...
    @overload
    def align(
        self, other: DataFrame, join: Literal['left', 'right', 'outer', 'inner'] = 'outer',
        axis: Axis | None = None, level: Label | Sequence[Label] | None = None, copy: bool = ...,
        fill_value: Any = None,
    ) -> tuple[Self, DataFrame]: ...  # fmt: skip
    @overload
    def align(
        self, other: Series, join: Literal['left', 'right', 'outer', 'inner'] = 'outer', axis: Axis | None = None,
        level: Label | Sequence[Label] | None = None, copy: bool = ..., fill_value: Any = None,
    ) -> tuple[Self, Series]: ...  # fmt: skip
    def asfreq(
        self, freq: Frequency, method: Literal['pad', 'ffill', 'backfill', 'bfill', 'nearest'] | None = None,
        how: Any = None, normalize: bool = False, fill_value: Any = None,
    ) -> Self: ...  # fmt: skip
    @property
    def at(self) -> OneByLabel: ...
    def at_time(self, time: Any, asof: Any = False, axis: Axis | None = None) -> Self: ...
    @property
    def attrs(self) -> dict[Label, Any]: ...
    @attrs.setter
    def attrs(self, value: Any) -> None: ...
    @property
    def axes(self) -> list[Index]: ...
    def between_time(
        self, start_time: Any, end_time: Any, inclusive: Literal['both', 'neither', 'left', 'right'] = 'both',
        axis: Axis | None = None,
    ) -> Self: ...  # fmt: skip
    @overload
    def bfill(
        self, *, axis: Axis | None = None, inplace: Literal[False] = False, limit: int | None = None,
        limit_area: Literal['inside', 'outside'] | None = None,
    ) -> Self: ...  # fmt: skip
    @overload
    def bfill(
        self, *, axis: Axis | None = None, inplace: Literal[True], limit: int | None = None,
        limit_area: Literal['inside', 'outside'] | None = None,
    ) -> None: ...  # fmt: skip
    @overload
    def clip(
        self, lower: Any = None, upper: Any = None, *, axis: Axis | None = None, inplace: Literal[False] = False,
        **kwargs: Any,
    ) -> Self: ...  # fmt: skip
    @overload
    def clip(
        self, lower: Any = None, upper: Any = None, *, axis: Axis | None = None, inplace: Literal[True],
        **kwargs: Any,
    ) -> None: ...  # fmt: skip
    def compare(
        self, other: Any, align_axis: Axis = 1, keep_shape: bool = False, keep_equal: bool = False,
        result_names: Any = ...,
    ) -> DataFrame: ...  # fmt: skip
    def copy(self, deep: bool = True) -> Self: ...
    @overload
    def drop(
        self, labels: Label | Sequence[Label] | Any | None = None, *, axis: Axis = 0,
        index: Label | Sequence[Label] | Any | None = None, columns: Label | Sequence[Label] | Any | None = None,
        level: Label | Sequence[Label] | None = None, inplace: Literal[False] = False, errors: Literal['raise',
        'ignore'] = 'raise',
    ) -> Self: ...  # fmt: skip
    @overload
    def drop(
        self, labels: Label | Sequence[Label] | Any | None = None, *, axis: Axis = 0,
        index: Label | Sequence[Label] | Any | None = None, columns: Label | Sequence[Label] | Any | None = None,
        level: Label | Sequence[Label] | None = None, inplace: Literal[True], errors: Literal['raise',
        'ignore'] = 'raise',
    ) -> None: ...  # fmt: skip
    def droplevel(self, level: Label | Sequence[Label], axis: Axis = 0) -> Self: ...
    @property
    def empty(self) -> bool: ...
    def equals(self, other: Any) -> bool: ...
    @overload
    def ffill(
        self, *, axis: Axis | None = None, inplace: Literal[False] = False, limit: int | None = None,
        limit_area: Literal['inside', 'outside'] | None = None,
    ) -> Self: ...  # fmt: skip
    @overload
    def ffill(
        self, *, axis: Axis | None = None, inplace: Literal[True], limit: int | None = None,
        limit_area: Literal['inside', 'outside'] | None = None,
    ) -> None: ...  # fmt: skip
    def filter(
        self, arg: Any = None, /, like: str | None = None, regex: bool | str | Any | None = None,
        axis: Axis | None = None, *, items: Any = None, cond: Any = None, na: Any = False,
    ) -> Self: ...  # fmt: skip
    def first_valid_index(self) -> Any: ...
    @property
    def flags(self) -> Any: ...
    def head(self, n: int = 5) -> Self: ...
    @property
    def iat(self) -> OneByPosition: ...
    @property
    def index(self) -> Index: ...
    @index.setter
    def index(self, value: Any) -> None: ...
    def infer_objects(self, copy: bool = ...) -> Self: ...
    @overload
    def interpolate(
        self, method: str = 'linear', *, axis: Axis = 0, limit: int | None = None, inplace: Literal[False] = False,
        limit_direction: Literal['forward', 'backward', 'both'] | None = None, limit_area: Literal['inside',
        'outside'] | None = None, **kwargs: Any,
    ) -> Self: ...  # fmt: skip
    @overload
    def interpolate(
        self, method: str = 'linear', *, axis: Axis = 0, limit: int | None = None, inplace: Literal[True],
        limit_direction: Literal['forward', 'backward', 'both'] | None = None, limit_area: Literal['inside',
        'outside'] | None = None, **kwargs: Any,
    ) -> None: ...  # fmt: skip
    def keys(self) -> Index: ...
    def last_valid_index(self) -> Any: ...
    @property
    def ndim(self) -> int: ...
    @overload
    def pipe(self, func: Callable[..., Made], *args: Any, **kwargs: Any) -> Made: ...
    @overload
    def pipe(self, func: tuple[Callable[..., Made], str], *args: Any, **kwargs: Any) -> Made: ...
    @property
    def plot(self) -> PlotAccessor: ...
    def reindex_like(
        self, other: Any, method: Literal['pad', 'ffill', 'backfill', 'bfill', 'nearest'] | None = None,
        copy: bool = ..., limit: int | None = None, tolerance: Any = None,
    ) -> Self: ...  # fmt: skip
    @overload
    def rename_axis(
        self, mapper: Callable[[Any], Any] | dict[Any, Any] | Any = ..., *,
        index: Label | Sequence[Label] | Any = ..., columns: Label | Sequence[Label] | Any = ..., axis: Axis = 0,
        copy: bool = ..., inplace: Literal[False] = False,
    ) -> Self: ...  # fmt: skip
    @overload
    def rename_axis(
        self, mapper: Callable[[Any], Any] | dict[Any, Any] | Any = ..., *,
        index: Label | Sequence[Label] | Any = ..., columns: Label | Sequence[Label] | Any = ..., axis: Axis = 0,
        copy: bool = ..., inplace: Literal[True],
    ) -> None: ...  # fmt: skip
    def round(self, decimals: Any = 0, *args: Any, **kwargs: Any) -> Self: ...
    def sample(
        self, n: int | None = None, frac: float | None = None, replace: Any = False, weights: Any = None,
        random_state: int | np.random.Generator | np.random.RandomState | Any | None = None,
        axis: Axis | None = None, ignore_index: bool = False,
    ) -> Self: ...  # fmt: skip
    def set_axis(self, labels: Label | Sequence[Label] | Any, *, axis: Axis = 0, copy: bool = ...) -> Self: ...
    def set_flags(self, *, copy: bool = ..., allows_duplicate_labels: bool | None = None) -> Self: ...
    def shift(
        self, periods: int = 1, freq: Frequency | None = None, axis: Axis = 0, fill_value: Any = ...,
        suffix: str | None = None,
    ) -> Self: ...  # fmt: skip
    @property
    def size(self) -> int: ...
    @overload
    def sort_index(
        self, *, axis: Axis = 0, level: Label | Sequence[Label] | None = None,
        ascending: bool | Sequence[bool] = True, inplace: Literal[False] = False, kind: Literal['quicksort',
        'mergesort', 'heapsort', 'stable'] = 'quicksort', na_position: Literal['first', 'last'] = 'last',
        sort_remaining: bool = True, ignore_index: bool = False, key: Callable[[Any], Any] | None = None,
    ) -> Self: ...  # fmt: skip
    @overload
    def sort_index(
        self, *, axis: Axis = 0, level: Label | Sequence[Label] | None = None,
        ascending: bool | Sequence[bool] = True, inplace: Literal[True], kind: Literal['quicksort', 'mergesort',
        'heapsort', 'stable'] = 'quicksort', na_position: Literal['first', 'last'] = 'last',
        sort_remaining: bool = True, ignore_index: bool = False, key: Callable[[Any], Any] | None = None,
    ) -> None: ...  # fmt: skip
    @property
    def sparse(self) -> Any: ...
    def squeeze(self, axis: Axis | None = None) -> Any: ...
    def tail(self, n: int = 5) -> Self: ...
    def take(self, indices: Any, axis: Axis = 0, **kwargs: Any) -> Self: ...
    def truncate(
        self, before: Any = None, after: Any = None, axis: Axis | None = None, copy: bool = ...,
    ) -> Self: ...  # fmt: skip
    def tz_convert(
        self, tz: tzinfo | str | None, axis: Axis = 0, level: Label | Sequence[Label] | None = None,
        copy: bool = ...,
    ) -> Self: ...  # fmt: skip
    def tz_localize(
        self, tz: tzinfo | str | None, axis: Axis = 0, level: Label | Sequence[Label] | None = None,
        copy: bool = ..., ambiguous: Any = 'raise', nonexistent: Any = 'raise',
    ) -> Self: ...  # fmt: skip
    def xs(
        self, key: Any, axis: Axis = 0, level: Label | Sequence[Label] | None = None, drop_level: bool = True,
    ) -> Any: ...  # fmt: skip
    __hash__: ClassVar[None]  # type: ignore[assignment]
    def __len__(self) -> int: ...
    def __contains__(self, key: object, /) -> bool: ...
    def __array__(self, dtype: DTypeLike | None = None, copy: bool | None = None) -> np.ndarray[Any, Any]: ...
    def __array_ufunc__(self, ufunc: np.ufunc, method: str, *inputs: Any, **kwargs: Any) -> Any: ...
    def __neg__(self) -> Self: ...
    def __pos__(self) -> Self: ...
    def __abs__(self) -> Self: ...
    def __invert__(self) -> Self: ...
    def __setitem__(self, key: Any, value: Any, /) -> None: ...
    def __delitem__(self, key: Label, /) -> None: ...
    def __copy__(self, deep: bool = True) -> Self: ...
    def __deepcopy__(self, memo: Any = None) -> Self: ...
    def __round__(self, decimals: int = 0) -> Self: ...
    def __setattr__(self, name: str, value: Any) -> None: ...  # a column or element by its name
