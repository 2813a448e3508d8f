# Written by python/stubs/write_pandas.py from the signatures, with pandas 3.1, and the tables beside it.
from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import date, timedelta, tzinfo
from typing import Any, Literal, overload

import numpy as np

from ..._core import ndarray
from .frame import DataFrame
from .index import Index
from .index_kinds import DatetimeIndex, IntervalIndex, PeriodIndex, TimedeltaIndex
from .rows import Rows
from .series import Series
from .words import Axis, Coverage, Dtypes, File, Frame, Frequency, Label, Member, Timedelta, Timestamp

def array(data: Any, dtype: Dtypes | None = None, copy: bool = True) -> Any: ...
def bdate_range(
    start: Any = None, end: Any = None, periods: int | None = None, freq: Frequency = 'B',
    tz: tzinfo | str | None = None, normalize: bool = True, name: Label | None = None,
    weekmask: str | None = None, holidays: Any = None, inclusive: Literal['both', 'neither', 'left',
    'right'] = 'both', **kwargs: Any,
) -> DatetimeIndex: ...  # fmt: skip
def col(col_name: str) -> Any: ...
@overload
def concat(
    objs: Iterable[DataFrame] | Mapping[Any, DataFrame], *, axis: Axis = 0, join: Literal['inner',
    'outer'] = 'outer', ignore_index: bool = False, keys: Label | Sequence[Label] | Any | None = None,
    levels: Any = None, names: Label | Sequence[Label] | Any | None = None, verify_integrity: bool = False,
    sort: bool = ..., copy: bool = ..., union_categories: bool = False,
) -> DataFrame: ...  # fmt: skip
@overload
def concat(  # type: ignore[overload-overlap]
    objs: Iterable[Series | None] | Mapping[Any, Series | None], *, axis: Literal[0, 'index', 'rows'] = 0,
    join: Literal['inner', 'outer'] = 'outer', ignore_index: bool = False,
    keys: Label | Sequence[Label] | Any | None = None, levels: Any = None,
    names: Label | Sequence[Label] | Any | None = None, verify_integrity: bool = False, sort: bool = ...,
    copy: bool = ..., union_categories: bool = False,
) -> Series: ...  # fmt: skip
@overload
def concat(
    objs: Iterable[Series | None] | Mapping[Any, Series | None], *, axis: Literal[1, 'columns'],
    join: Literal['inner', 'outer'] = 'outer', ignore_index: bool = False,
    keys: Label | Sequence[Label] | Any | None = None, levels: Any = None,
    names: Label | Sequence[Label] | Any | None = None, verify_integrity: bool = False, sort: bool = ...,
    copy: bool = ..., union_categories: bool = False,
) -> DataFrame: ...  # fmt: skip
@overload
def concat(
    objs: list[Rows] | list[DataFrame | Series] | list[DataFrame | Series | None], *, axis: Axis = 0,
    join: Literal['inner', 'outer'] = 'outer', ignore_index: bool = False,
    keys: Label | Sequence[Label] | Any | None = None, levels: Any = None,
    names: Label | Sequence[Label] | Any | None = None, verify_integrity: bool = False, sort: bool = ...,
    copy: bool = ..., union_categories: bool = False,
) -> DataFrame: ...  # fmt: skip
@overload
def coverage(name: None = None) -> Coverage: ...
@overload
def coverage(name: str) -> Member: ...
def crosstab(
    index: Label | Sequence[Label] | Any, columns: Label | Sequence[Label] | Any,
    values: Label | Sequence[Label] | Any | None = None, rownames: Any = None, colnames: Any = None,
    aggfunc: Callable[..., Any] | str | list[Any] | dict[Any, Any] | None = None, margins: bool = False,
    margins_name: Label = 'All', dropna: bool = True, normalize: bool | Sequence[bool] | Literal['index',
    'columns', 'values', 0, 1, 'all'] = False,
) -> DataFrame: ...  # fmt: skip
@overload
def cut(
    x: Series, bins: int | Sequence[Any] | Any, right: bool = True,
    labels: Label | Sequence[Label] | Any | None = None, retbins: Literal[False] = False, precision: int = 3,
    include_lowest: bool = False, duplicates: Literal['raise', 'drop'] = 'raise', ordered: bool = True,
) -> Series: ...  # fmt: skip
@overload
def cut(
    x: Any, bins: int | Sequence[Any] | Any, right: bool = True,
    labels: Label | Sequence[Label] | Any | None = None, *, retbins: Literal[True], precision: int = 3,
    include_lowest: bool = False, duplicates: Literal['raise', 'drop'] = 'raise', ordered: bool = True,
) -> tuple[Any, Any]: ...  # fmt: skip
@overload
def cut(
    x: Sequence[Any] | Index | np.ndarray[Any, Any] | ndarray, bins: int | Sequence[Any] | Any,
    right: bool = True, labels: Label | Sequence[Label] | Any | None = None, retbins: Literal[False] = False,
    precision: int = 3, include_lowest: bool = False, duplicates: Literal['raise', 'drop'] = 'raise',
    ordered: bool = True,
) -> Any: ...  # fmt: skip
def date_range(
    start: Any = None, end: Any = None, periods: int | None = None, freq: Frequency | None = None,
    tz: tzinfo | str | None = None, normalize: bool = False, name: Label | None = None,
    inclusive: Literal['both', 'neither', 'left', 'right'] = 'both', *, unit: Literal['s', 'ms', 'us',
    'ns'] | None = None, ambiguous: Any = 'raise', nonexistent: Any = 'raise', **kwargs: Any,
) -> DatetimeIndex: ...  # fmt: skip
def describe_option(pat: str | Any = "", _print_desc: Any = True) -> None: ...
def eval(
    expr: str, parser: str = 'pandas', engine: Literal['python', 'numexpr', 'numba', 'pyarrow', 'fastparquet',
    'auto', 'openpyxl', 'calamine', 'xlsxwriter', 'odf', 'xlrd', 'pyxlsb', 'ujson', 'c', 'python-fwf',
    'cython'] | Any | None = None, local_dict: dict[str, Any] | None = None, global_dict: dict[str,
    Any] | None = None, resolvers: Any = ..., level: Label | Sequence[Label] = 0, target: Any = None,
    inplace: bool = ...,
) -> Any: ...  # fmt: skip
def factorize(
    values: Label | Sequence[Label] | Any, sort: bool = False, use_na_sentinel: bool = True,
    size_hint: Any = None,
) -> tuple[ndarray[tuple[int], np.dtype[np.intp]], Any]: ...  # fmt: skip
def from_dummies(data: DataFrame, sep: str | None = None, default_category: Any = None) -> DataFrame: ...
@overload
def from_pandas(x: Frame) -> Frame: ...
@overload
def from_pandas(x: Any) -> Any: ...
def get_dummies(
    data: Any, prefix: str | None = None, prefix_sep: str = '_', dummy_na: bool = False,
    columns: Label | Sequence[Label] | Any | None = None, sparse: bool = False, drop_first: bool = False,
    dtype: Dtypes | None = None,
) -> DataFrame: ...  # fmt: skip
def get_option(pat: str | Any) -> Any: ...
def infer_freq(index: Label | Sequence[Label] | Any) -> str | None: ...
def interval_range(
    start: Any = None, end: Any = None, periods: int | None = None, freq: Frequency | None = None,
    name: Label | None = None, closed: Literal['left', 'right', 'both', 'neither'] = 'right',
) -> IntervalIndex: ...  # fmt: skip
@overload
def isna(obj: DataFrame) -> DataFrame: ...
@overload
def isna(obj: Series) -> Series[bool]: ...
@overload
def isna(obj: Index | ndarray) -> ndarray[tuple[int], np.dtype[np.bool]]: ...  # type: ignore[overload-overlap]
@overload
def isna(obj: np.ndarray[Any, Any] | list[Any]) -> np.ndarray[Any, np.dtype[np.bool]]: ...
@overload
def isna(obj: Label) -> bool: ...
@overload
def isnull(obj: DataFrame) -> DataFrame: ...
@overload
def isnull(obj: Series) -> Series[bool]: ...
@overload
def isnull(obj: Index | ndarray) -> ndarray[tuple[int], np.dtype[np.bool]]: ...  # type: ignore[overload-overlap]
@overload
def isnull(obj: np.ndarray[Any, Any] | list[Any]) -> np.ndarray[Any, np.dtype[np.bool]]: ...
@overload
def isnull(obj: Label) -> bool: ...
def json_normalize(
    data: Any, record_path: Any = None, meta: Any = None, meta_prefix: str | None = None,
    record_prefix: str | None = None, errors: Literal['raise', 'ignore'] = 'raise', sep: str = '.',
    max_level: int | None = None,
) -> DataFrame: ...  # fmt: skip
def lreshape(data: DataFrame, groups: Any, dropna: bool = True) -> DataFrame: ...
def melt(
    frame: DataFrame, id_vars: Label | Sequence[Label] | None = None,
    value_vars: Label | Sequence[Label] | None = None, var_name: Label | None = None,
    value_name: Label = 'value', col_level: int | None = None, ignore_index: bool = True,
) -> DataFrame: ...  # fmt: skip
def merge(
    left: DataFrame | Series, right: DataFrame | Series, how: Literal['left', 'right', 'outer', 'inner',
    'cross', 'left_anti', 'right_anti'] = 'inner', on: Label | Sequence[Label] | Any | None = None,
    left_on: Label | Sequence[Label] | Any | None = None, right_on: Label | Sequence[Label] | Any | None = None,
    left_index: bool = False, right_index: bool = False, sort: bool = False, suffixes: tuple[str | None,
    str | None] = ..., copy: bool = ..., indicator: bool | str | Any = False, validate: Literal['one_to_one',
    '1:1', 'one_to_many', '1:m', 'many_to_one', 'm:1', 'many_to_many', 'm:m'] | str | None = None,
) -> DataFrame: ...  # fmt: skip
def merge_asof(
    left: DataFrame | Series, right: DataFrame | Series, on: Label | Sequence[Label] | Any | None = None,
    left_on: Label | Sequence[Label] | Any | None = None, right_on: Label | Sequence[Label] | Any | None = None,
    left_index: bool = False, right_index: bool = False, by: Label | Sequence[Label] | None = None,
    left_by: Label | Sequence[Label] | None = None, right_by: Label | Sequence[Label] | None = None,
    suffixes: tuple[str | None, str | None] = ..., tolerance: Any = None, allow_exact_matches: bool = True,
    direction: Literal['backward', 'forward', 'nearest'] = 'backward',
) -> DataFrame: ...  # fmt: skip
def merge_ordered(
    left: DataFrame | Series, right: DataFrame | Series, on: Label | Sequence[Label] | Any | None = None,
    left_on: Label | Sequence[Label] | Any | None = None, right_on: Label | Sequence[Label] | Any | None = None,
    left_by: Label | Sequence[Label] | None = None, right_by: Label | Sequence[Label] | None = None,
    fill_method: Any = None, suffixes: tuple[str | None, str | None] = ..., how: Literal['left', 'right',
    'outer', 'inner', 'cross', 'left_anti', 'right_anti'] = 'outer',
) -> DataFrame: ...  # fmt: skip
@overload
def notna(obj: DataFrame) -> DataFrame: ...
@overload
def notna(obj: Series) -> Series[bool]: ...
@overload
def notna(obj: Index | ndarray) -> ndarray[tuple[int], np.dtype[np.bool]]: ...  # type: ignore[overload-overlap]
@overload
def notna(obj: np.ndarray[Any, Any] | list[Any]) -> np.ndarray[Any, np.dtype[np.bool]]: ...
@overload
def notna(obj: Label) -> bool: ...
@overload
def notnull(obj: DataFrame) -> DataFrame: ...
@overload
def notnull(obj: Series) -> Series[bool]: ...
@overload
def notnull(obj: Index | ndarray) -> ndarray[tuple[int], np.dtype[np.bool]]: ...  # type: ignore[overload-overlap]
@overload
def notnull(obj: np.ndarray[Any, Any] | list[Any]) -> np.ndarray[Any, np.dtype[np.bool]]: ...
@overload
def notnull(obj: Label) -> bool: ...
def option_context(*args: Any) -> Any: ...
def period_range(
    start: Any = None, end: Any = None, periods: int | None = None, freq: Frequency | None = None,
    name: Label | None = None,
) -> PeriodIndex: ...  # fmt: skip
def pivot(
    data: DataFrame, *, columns: Label | Sequence[Label], index: Label | Sequence[Label] = ...,
    values: Label | Sequence[Label] = ...,
) -> DataFrame: ...  # fmt: skip
def pivot_table(
    data: DataFrame, values: Label | Sequence[Label] | Any | None = None,
    index: Label | Sequence[Label] | Any | None = None, columns: Label | Sequence[Label] | Any | None = None,
    aggfunc: Callable[..., Any] | str | list[Any] | dict[Any, Any] = 'mean', fill_value: Any = None,
    margins: bool = False, dropna: bool = True, margins_name: Label = 'All', observed: bool = True,
    sort: bool = True, **kwargs: Any,
) -> DataFrame: ...  # fmt: skip
@overload
def qcut(
    x: Series, q: float | Sequence[float] | Any, labels: Label | Sequence[Label] | Any | None = None,
    retbins: Literal[False] = False, precision: int = 3, duplicates: Literal['raise', 'drop'] = 'raise',
) -> Series: ...  # fmt: skip
@overload
def qcut(
    x: Any, q: float | Sequence[float] | Any, labels: Label | Sequence[Label] | Any | None = None, *,
    retbins: Literal[True], precision: int = 3, duplicates: Literal['raise', 'drop'] = 'raise',
) -> tuple[Any, Any]: ...  # fmt: skip
@overload
def qcut(
    x: Sequence[Any] | Index | np.ndarray[Any, Any] | ndarray, q: float | Sequence[float] | Any,
    labels: Label | Sequence[Label] | Any | None = None, retbins: Literal[False] = False, precision: int = 3,
    duplicates: Literal['raise', 'drop'] = 'raise',
) -> Any: ...  # fmt: skip
def reset_option(pat: str | Any) -> None: ...
def set_eng_float_format(accuracy: Any = 3, use_eng_prefix: bool = False) -> None: ...
def set_option(*args: Any) -> None: ...
def show_versions(as_json: bool = False) -> None: ...
def test(extra_args: Any = None, run_doctests: bool = False) -> None: ...
def timedelta_range(
    start: Any = None, end: Any = None, periods: int | None = None, freq: Frequency | None = None,
    name: Label | None = None, closed: Literal['left', 'right', 'both', 'neither'] | None = None, *,
    unit: Literal['s', 'ms', 'us', 'ns'] | None = None,
) -> TimedeltaIndex: ...  # fmt: skip
@overload
def to_datetime(
    arg: Series | DataFrame | Mapping[Any, Any], errors: Literal['raise', 'coerce'] = 'raise',
    dayfirst: bool = False, yearfirst: bool = False, utc: bool = False, format: Any = None, exact: bool = ...,
    unit: Any = None, origin: Any = 'unix', cache: bool = True,
) -> Series: ...  # fmt: skip
@overload
def to_datetime(
    arg: str | float | date, errors: Literal['raise', 'coerce'] = 'raise', dayfirst: bool = False,
    yearfirst: bool = False, utc: bool = False, format: Any = None, exact: bool = ..., unit: Any = None,
    origin: Any = 'unix', cache: bool = True,
) -> Timestamp: ...  # fmt: skip
@overload
def to_datetime(
    arg: Sequence[Any] | Index | np.ndarray[Any, Any] | ndarray, errors: Literal['raise', 'coerce'] = 'raise',
    dayfirst: bool = False, yearfirst: bool = False, utc: bool = False, format: Any = None, exact: bool = ...,
    unit: Any = None, origin: Any = 'unix', cache: bool = True,
) -> DatetimeIndex: ...  # fmt: skip
@overload
def to_numeric(
    arg: Series, errors: Literal['raise', 'coerce'] = 'raise', downcast: Literal['integer', 'signed',
    'unsigned', 'float'] | None = None, dtype_backend: Literal['numpy_nullable', 'pyarrow'] = ...,
) -> Series: ...  # fmt: skip
@overload
def to_numeric(
    arg: float | str | Sequence[Any] | Index | np.ndarray[Any, Any] | ndarray, errors: Literal['raise',
    'coerce'] = 'raise', downcast: Literal['integer', 'signed', 'unsigned', 'float'] | None = None,
    dtype_backend: Literal['numpy_nullable', 'pyarrow'] = ...,
) -> Any: ...  # fmt: skip
def to_pickle(
    obj: Any, filepath_or_buffer: File, compression: str | dict[str, Any] = 'infer', protocol: int = 5,
    storage_options: dict[str, Any] | None = None,
) -> None: ...  # fmt: skip
@overload
def to_timedelta(arg: Series, unit: Any = None, errors: Literal["raise", "coerce"] = "raise") -> Series: ...
@overload
def to_timedelta(
    arg: str | float | timedelta, unit: Any = None, errors: Literal['raise', 'coerce'] = 'raise',
) -> Timedelta: ...  # fmt: skip
@overload
def to_timedelta(
    arg: Sequence[Any] | Index | np.ndarray[Any, Any] | ndarray, unit: Any = None, errors: Literal['raise',
    'coerce'] = 'raise',
) -> TimedeltaIndex: ...  # fmt: skip
def unique(values: Label | Sequence[Label] | Any) -> ndarray[tuple[int], np.dtype[Any]]: ...
def wide_to_long(
    df: DataFrame, stubnames: Label | Sequence[Label], i: Any, j: Any, sep: str = '', suffix: str = '\\d+',
) -> DataFrame: ...  # fmt: skip
