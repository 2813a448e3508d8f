# Written by python/stubs/write_pandas.py from the signatures, with pandas 3.1, and the tables beside it.
from collections.abc import Callable, Iterator, Sequence
from typing import Any, Literal, overload

from .frame import DataFrame
from .series import Series
from .words import Dtypes, File, Label, TextFileReader

def read_clipboard(
    sep: str = '\\s+', dtype_backend: Literal['numpy_nullable', 'pyarrow'] = ..., **kwargs: Any,
) -> DataFrame: ...  # fmt: skip
@overload
def read_csv(
    filepath_or_buffer: File, *, sep: str = ..., delimiter: str = ...,
    header: int | Literal['infer'] | Sequence[int] = 'infer', names: Sequence[Label] = ...,
    index_col: Label | Sequence[Label] | Literal[False] | None = None,
    usecols: Sequence[Label] | Callable[[Any], bool] | str | None = None, dtype: Dtypes | dict[Any,
    Any] | None = None, engine: Literal['c', 'python', 'pyarrow', 'python-fwf'] | None = None,
    converters: dict[Any, Callable[[Any], Any]] | None = None, true_values: Sequence[Any] | None = None,
    false_values: Sequence[Any] | None = None, skipinitialspace: bool = False,
    skiprows: int | Sequence[int] | Callable[[int], bool] | None = None, skipfooter: int = 0,
    nrows: int | None = None, na_values: Any = None, keep_default_na: bool = True, na_filter: bool = True,
    skip_blank_lines: bool = True, parse_dates: bool | Label | Sequence[Label] | dict[Any, Any] | None = None,
    date_format: str | dict[Any, str] | None = None, dayfirst: bool = False, cache_dates: bool = True,
    iterator: Literal[True], chunksize: int | None = None, compression: str | dict[str, Any] = 'infer',
    thousands: str | None = None, decimal: str = '.', lineterminator: str | None = None, quotechar: str = '"',
    quoting: int = 0, doublequote: bool = True, escapechar: str | None = None, comment: str | None = None,
    encoding: str | None = None, encoding_errors: str = 'strict', dialect: Any = None,
    on_bad_lines: Literal['error', 'warn', 'skip'] | Callable[[list[str]], list[str] | None] = 'error',
    low_memory: bool = True, memory_map: bool = False, float_precision: Literal['high', 'legacy',
    'round_trip'] | None = None, storage_options: dict[str, Any] | None = None,
    dtype_backend: Literal['numpy_nullable', 'pyarrow'] = ...,
) -> TextFileReader: ...  # fmt: skip
@overload
def read_csv(
    filepath_or_buffer: File, *, sep: str = ..., delimiter: str = ...,
    header: int | Literal['infer'] | Sequence[int] = 'infer', names: Sequence[Label] = ...,
    index_col: Label | Sequence[Label] | Literal[False] | None = None,
    usecols: Sequence[Label] | Callable[[Any], bool] | str | None = None, dtype: Dtypes | dict[Any,
    Any] | None = None, engine: Literal['c', 'python', 'pyarrow', 'python-fwf'] | None = None,
    converters: dict[Any, Callable[[Any], Any]] | None = None, true_values: Sequence[Any] | None = None,
    false_values: Sequence[Any] | None = None, skipinitialspace: bool = False,
    skiprows: int | Sequence[int] | Callable[[int], bool] | None = None, skipfooter: int = 0,
    nrows: int | None = None, na_values: Any = None, keep_default_na: bool = True, na_filter: bool = True,
    skip_blank_lines: bool = True, parse_dates: bool | Label | Sequence[Label] | dict[Any, Any] | None = None,
    date_format: str | dict[Any, str] | None = None, dayfirst: bool = False, cache_dates: bool = True,
    iterator: bool = False, chunksize: int, compression: str | dict[str, Any] = 'infer',
    thousands: str | None = None, decimal: str = '.', lineterminator: str | None = None, quotechar: str = '"',
    quoting: int = 0, doublequote: bool = True, escapechar: str | None = None, comment: str | None = None,
    encoding: str | None = None, encoding_errors: str = 'strict', dialect: Any = None,
    on_bad_lines: Literal['error', 'warn', 'skip'] | Callable[[list[str]], list[str] | None] = 'error',
    low_memory: bool = True, memory_map: bool = False, float_precision: Literal['high', 'legacy',
    'round_trip'] | None = None, storage_options: dict[str, Any] | None = None,
    dtype_backend: Literal['numpy_nullable', 'pyarrow'] = ...,
) -> TextFileReader: ...  # fmt: skip
@overload
def read_csv(
    filepath_or_buffer: File, *, sep: str = ..., delimiter: str = ...,
    header: int | Literal['infer'] | Sequence[int] = 'infer', names: Sequence[Label] = ...,
    index_col: Label | Sequence[Label] | Literal[False] | None = None,
    usecols: Sequence[Label] | Callable[[Any], bool] | str | None = None, dtype: Dtypes | dict[Any,
    Any] | None = None, engine: Literal['c', 'python', 'pyarrow', 'python-fwf'] | None = None,
    converters: dict[Any, Callable[[Any], Any]] | None = None, true_values: Sequence[Any] | None = None,
    false_values: Sequence[Any] | None = None, skipinitialspace: bool = False,
    skiprows: int | Sequence[int] | Callable[[int], bool] | None = None, skipfooter: int = 0,
    nrows: int | None = None, na_values: Any = None, keep_default_na: bool = True, na_filter: bool = True,
    skip_blank_lines: bool = True, parse_dates: bool | Label | Sequence[Label] | dict[Any, Any] | None = None,
    date_format: str | dict[Any, str] | None = None, dayfirst: bool = False, cache_dates: bool = True,
    iterator: Literal[False] = False, chunksize: None = None, compression: str | dict[str, Any] = 'infer',
    thousands: str | None = None, decimal: str = '.', lineterminator: str | None = None, quotechar: str = '"',
    quoting: int = 0, doublequote: bool = True, escapechar: str | None = None, comment: str | None = None,
    encoding: str | None = None, encoding_errors: str = 'strict', dialect: Any = None,
    on_bad_lines: Literal['error', 'warn', 'skip'] | Callable[[list[str]], list[str] | None] = 'error',
    low_memory: bool = True, memory_map: bool = False, float_precision: Literal['high', 'legacy',
    'round_trip'] | None = None, storage_options: dict[str, Any] | None = None,
    dtype_backend: Literal['numpy_nullable', 'pyarrow'] = ...,
) -> DataFrame: ...  # fmt: skip
@overload
def read_excel(
    io: File, sheet_name: list[Any] | None, *, header: int | Sequence[int] = 0,
    names: Sequence[Label] | None = None, index_col: Any = None, usecols: Sequence[Label] | Callable[[Any],
    bool] | str | None = None, dtype: Dtypes | dict[Any, Any] | None = None, engine: Literal['python',
    'numexpr', 'numba', 'pyarrow', 'fastparquet', 'auto', 'openpyxl', 'calamine', 'xlsxwriter', 'odf', 'xlrd',
    'pyxlsb', 'ujson', 'c', 'python-fwf', 'cython'] | Any | None = None, converters: dict[Any, Callable[[Any],
    Any]] | None = None, true_values: Sequence[Any] | None = None, false_values: Sequence[Any] | None = None,
    skiprows: int | Sequence[int] | Callable[[int], bool] | None = None, nrows: int | None = None,
    na_values: Any = None, keep_default_na: bool = True, na_filter: bool = True, verbose: bool = False,
    parse_dates: bool | Label | Sequence[Label] | dict[Any, Any] = False, date_format: str | dict[Any,
    str] | None = None, thousands: str | None = None, decimal: str = '.', comment: str | None = None,
    skipfooter: int = 0, storage_options: dict[str, Any] | None = None, dtype_backend: Literal['numpy_nullable',
    'pyarrow'] = ..., engine_kwargs: dict[str, Any] | None = None,
) -> dict[Any, DataFrame]: ...  # fmt: skip
@overload
def read_excel(
    io: File, sheet_name: str | int = 0, *, header: int | Sequence[int] = 0,
    names: Sequence[Label] | None = None, index_col: Any = None, usecols: Sequence[Label] | Callable[[Any],
    bool] | str | None = None, dtype: Dtypes | dict[Any, Any] | None = None, engine: Literal['python',
    'numexpr', 'numba', 'pyarrow', 'fastparquet', 'auto', 'openpyxl', 'calamine', 'xlsxwriter', 'odf', 'xlrd',
    'pyxlsb', 'ujson', 'c', 'python-fwf', 'cython'] | Any | None = None, converters: dict[Any, Callable[[Any],
    Any]] | None = None, true_values: Sequence[Any] | None = None, false_values: Sequence[Any] | None = None,
    skiprows: int | Sequence[int] | Callable[[int], bool] | None = None, nrows: int | None = None,
    na_values: Any = None, keep_default_na: bool = True, na_filter: bool = True, verbose: bool = False,
    parse_dates: bool | Label | Sequence[Label] | dict[Any, Any] = False, date_format: str | dict[Any,
    str] | None = None, thousands: str | None = None, decimal: str = '.', comment: str | None = None,
    skipfooter: int = 0, storage_options: dict[str, Any] | None = None, dtype_backend: Literal['numpy_nullable',
    'pyarrow'] = ..., engine_kwargs: dict[str, Any] | None = None,
) -> DataFrame: ...  # fmt: skip
def read_feather(
    path: File, columns: Label | Sequence[Label] | None = None, use_threads: bool = True,
    storage_options: dict[str, Any] | None = None, dtype_backend: Literal['numpy_nullable', 'pyarrow'] = ...,
) -> DataFrame: ...  # fmt: skip
@overload
def read_fwf(
    filepath_or_buffer: File, *, colspecs: Any = 'infer', widths: Any = None, infer_nrows: int = 100,
    iterator: Literal[True], chunksize: int | None = None, **kwds: Any,
) -> TextFileReader: ...  # fmt: skip
@overload
def read_fwf(
    filepath_or_buffer: File, *, colspecs: Any = 'infer', widths: Any = None, infer_nrows: int = 100,
    iterator: bool = False, chunksize: int, **kwds: Any,
) -> TextFileReader: ...  # fmt: skip
@overload
def read_fwf(
    filepath_or_buffer: File, *, colspecs: Any = 'infer', widths: Any = None, infer_nrows: int = 100,
    iterator: Literal[False] = False, chunksize: None = None, **kwds: Any,
) -> DataFrame: ...  # fmt: skip
def read_hdf(
    path_or_buf: File, key: Any = None, mode: str = 'r', errors: Literal['strict', 'raise', 'ignore',
    'replace'] | str = 'strict', where: Any = None, start: Any = None, stop: Any = None,
    columns: Label | Sequence[Label] | Any | None = None, iterator: bool = False, chunksize: int | None = None,
    **kwargs: Any,
) -> Any: ...  # fmt: skip
def read_html(
    io: File, *, match: Any = '.+', flavor: Any = None, header: int | Sequence[int] | None = None,
    index_col: Any = None, skiprows: int | Sequence[int] | Callable[[int], bool] | None = None,
    attrs: Any = None, parse_dates: bool | Label | Sequence[Label] | dict[Any, Any] = False,
    thousands: str = ',', encoding: str | None = None, decimal: str = '.', converters: dict[Any, Callable[[Any],
    Any]] | None = None, na_values: Any = None, keep_default_na: bool = True, displayed_only: bool = True,
    extract_links: Any = None, dtype_backend: Literal['numpy_nullable', 'pyarrow'] = ...,
    storage_options: dict[str, Any] | None = None,
) -> list[DataFrame]: ...  # fmt: skip
def read_iceberg(
    table_identifier: Any, catalog_name: Any = None, *, catalog_properties: Any = None,
    columns: Label | Sequence[Label] | Any | None = None, row_filter: Any = None, case_sensitive: bool = True,
    snapshot_id: Any = None, limit: int | None = None, scan_properties: Any = None,
) -> DataFrame: ...  # fmt: skip
@overload
def read_json(
    path_or_buf: File, *, orient: Literal['split', 'records', 'index', 'columns', 'values',
    'table'] | None = None, typ: Literal['series'], dtype: Dtypes | dict[Any, Any] | None = None,
    convert_axes: bool | None = None, convert_dates: Any = ..., keep_default_dates: bool = ...,
    precise_float: bool = False, date_unit: Literal['s', 'ms', 'us', 'ns'] | None = None,
    encoding: str | None = None, encoding_errors: str = 'strict', lines: bool = False,
    chunksize: int | None = None, compression: str | dict[str, Any] = 'infer', nrows: int | None = None,
    storage_options: dict[str, Any] | None = None, dtype_backend: Literal['numpy_nullable', 'pyarrow'] = ...,
    engine: Literal['python', 'numexpr', 'numba', 'pyarrow', 'fastparquet', 'auto', 'openpyxl', 'calamine',
    'xlsxwriter', 'odf', 'xlrd', 'pyxlsb', 'ujson', 'c', 'python-fwf', 'cython'] | Any = 'ujson',
) -> Series: ...  # fmt: skip
@overload
def read_json(
    path_or_buf: File, *, orient: Literal['split', 'records', 'index', 'columns', 'values',
    'table'] | None = None, typ: Any = 'frame', dtype: Dtypes | dict[Any, Any] | None = None,
    convert_axes: bool | None = None, convert_dates: Any = ..., keep_default_dates: bool = ...,
    precise_float: bool = False, date_unit: Literal['s', 'ms', 'us', 'ns'] | None = None,
    encoding: str | None = None, encoding_errors: str = 'strict', lines: bool = False, chunksize: int,
    compression: str | dict[str, Any] = 'infer', nrows: int | None = None, storage_options: dict[str,
    Any] | None = None, dtype_backend: Literal['numpy_nullable', 'pyarrow'] = ..., engine: Literal['python',
    'numexpr', 'numba', 'pyarrow', 'fastparquet', 'auto', 'openpyxl', 'calamine', 'xlsxwriter', 'odf', 'xlrd',
    'pyxlsb', 'ujson', 'c', 'python-fwf', 'cython'] | Any = 'ujson',
) -> Iterator[DataFrame]: ...  # fmt: skip
@overload
def read_json(
    path_or_buf: File, *, orient: Literal['split', 'records', 'index', 'columns', 'values',
    'table'] | None = None, typ: Literal['frame'] = 'frame', dtype: Dtypes | dict[Any, Any] | None = None,
    convert_axes: bool | None = None, convert_dates: Any = ..., keep_default_dates: bool = ...,
    precise_float: bool = False, date_unit: Literal['s', 'ms', 'us', 'ns'] | None = None,
    encoding: str | None = None, encoding_errors: str = 'strict', lines: bool = False, chunksize: None = None,
    compression: str | dict[str, Any] = 'infer', nrows: int | None = None, storage_options: dict[str,
    Any] | None = None, dtype_backend: Literal['numpy_nullable', 'pyarrow'] = ..., engine: Literal['python',
    'numexpr', 'numba', 'pyarrow', 'fastparquet', 'auto', 'openpyxl', 'calamine', 'xlsxwriter', 'odf', 'xlrd',
    'pyxlsb', 'ujson', 'c', 'python-fwf', 'cython'] | Any = 'ujson',
) -> DataFrame: ...  # fmt: skip
def read_orc(
    path: File, columns: Label | Sequence[Label] | Any | None = None, dtype_backend: Literal['numpy_nullable',
    'pyarrow'] = ..., filesystem: Any = None, **kwargs: Any,
) -> DataFrame: ...  # fmt: skip
def read_parquet(
    path: File, engine: Literal['python', 'numexpr', 'numba', 'pyarrow', 'fastparquet', 'auto', 'openpyxl',
    'calamine', 'xlsxwriter', 'odf', 'xlrd', 'pyxlsb', 'ujson', 'c', 'python-fwf', 'cython'] | Any = 'auto',
    columns: Label | Sequence[Label] | None = None, storage_options: dict[str, Any] | None = None,
    dtype_backend: Literal['numpy_nullable', 'pyarrow'] = ..., filesystem: Any = None, filters: Any = None,
    to_pandas_kwargs: dict[str, Any] | None = None, **kwargs: Any,
) -> DataFrame: ...  # fmt: skip
def read_pickle(
    filepath_or_buffer: File, compression: str | dict[str, Any] = 'infer', storage_options: dict[str,
    Any] | None = None,
) -> Any: ...  # fmt: skip
@overload
def read_sas(
    filepath_or_buffer: File, *, format: Any = None, index: Label | Sequence[Label] | Any | None = None,
    encoding: str = ..., chunksize: int | None = None, iterator: Literal[True], compression: str | dict[str,
    Any] = 'infer',
) -> TextFileReader: ...  # fmt: skip
@overload
def read_sas(
    filepath_or_buffer: File, *, format: Any = None, index: Label | Sequence[Label] | Any | None = None,
    encoding: str = ..., chunksize: int, iterator: bool = False, compression: str | dict[str, Any] = 'infer',
) -> TextFileReader: ...  # fmt: skip
@overload
def read_sas(
    filepath_or_buffer: File, *, format: Any = None, index: Label | Sequence[Label] | Any | None = None,
    encoding: str = ..., chunksize: None = None, iterator: Literal[False] = False, compression: str | dict[str,
    Any] = 'infer',
) -> DataFrame: ...  # fmt: skip
def read_spss(
    path: File, usecols: Any = None, convert_categoricals: bool = True, dtype_backend: Literal['numpy_nullable',
    'pyarrow'] = ..., **kwargs: Any,
) -> DataFrame: ...  # fmt: skip
@overload
def read_sql(
    sql: Any, con: Any, index_col: Any = None, coerce_float: bool = True, params: Any = None,
    parse_dates: bool | Label | Sequence[Label] | dict[Any, Any] | None = None,
    columns: Label | Sequence[Label] | Any | None = None, *, chunksize: int,
    dtype_backend: Literal['numpy_nullable', 'pyarrow'] = ..., dtype: Dtypes | dict[Any, Any] | None = None,
) -> Iterator[DataFrame]: ...  # fmt: skip
@overload
def read_sql(
    sql: Any, con: Any, index_col: Any = None, coerce_float: bool = True, params: Any = None,
    parse_dates: bool | Label | Sequence[Label] | dict[Any, Any] | None = None,
    columns: Label | Sequence[Label] | Any | None = None, chunksize: None = None,
    dtype_backend: Literal['numpy_nullable', 'pyarrow'] = ..., dtype: Dtypes | dict[Any, Any] | None = None,
) -> DataFrame: ...  # fmt: skip
@overload
def read_sql_query(
    sql: Any, con: Any, index_col: Any = None, coerce_float: bool = True, params: Any = None,
    parse_dates: bool | Label | Sequence[Label] | dict[Any, Any] | None = None, *, chunksize: int,
    dtype: Dtypes | dict[Any, Any] | None = None, dtype_backend: Literal['numpy_nullable', 'pyarrow'] = ...,
) -> Iterator[DataFrame]: ...  # fmt: skip
@overload
def read_sql_query(
    sql: Any, con: Any, index_col: Any = None, coerce_float: bool = True, params: Any = None,
    parse_dates: bool | Label | Sequence[Label] | dict[Any, Any] | None = None, chunksize: None = None,
    dtype: Dtypes | dict[Any, Any] | None = None, dtype_backend: Literal['numpy_nullable', 'pyarrow'] = ...,
) -> DataFrame: ...  # fmt: skip
@overload
def read_sql_table(
    table_name: str, con: Any, schema: Any = None, index_col: Any = None, coerce_float: bool = True,
    parse_dates: bool | Label | Sequence[Label] | dict[Any, Any] | None = None,
    columns: Label | Sequence[Label] | Any | None = None, *, chunksize: int,
    dtype_backend: Literal['numpy_nullable', 'pyarrow'] = ...,
) -> Iterator[DataFrame]: ...  # fmt: skip
@overload
def read_sql_table(
    table_name: str, con: Any, schema: Any = None, index_col: Any = None, coerce_float: bool = True,
    parse_dates: bool | Label | Sequence[Label] | dict[Any, Any] | None = None,
    columns: Label | Sequence[Label] | Any | None = None, chunksize: None = None,
    dtype_backend: Literal['numpy_nullable', 'pyarrow'] = ...,
) -> DataFrame: ...  # fmt: skip
@overload
def read_stata(
    filepath_or_buffer: File, *, convert_dates: Any = True, convert_categoricals: bool = True,
    index_col: Any = None, convert_missing: bool = False, preserve_dtypes: bool = True,
    columns: Label | Sequence[Label] | Any | None = None, order_categoricals: bool = True,
    chunksize: int | None = None, iterator: Literal[True], compression: str | dict[str, Any] = 'infer',
    storage_options: dict[str, Any] | None = None,
) -> TextFileReader: ...  # fmt: skip
@overload
def read_stata(
    filepath_or_buffer: File, *, convert_dates: Any = True, convert_categoricals: bool = True,
    index_col: Any = None, convert_missing: bool = False, preserve_dtypes: bool = True,
    columns: Label | Sequence[Label] | Any | None = None, order_categoricals: bool = True, chunksize: int,
    iterator: bool = False, compression: str | dict[str, Any] = 'infer', storage_options: dict[str,
    Any] | None = None,
) -> TextFileReader: ...  # fmt: skip
@overload
def read_stata(
    filepath_or_buffer: File, *, convert_dates: Any = True, convert_categoricals: bool = True,
    index_col: Any = None, convert_missing: bool = False, preserve_dtypes: bool = True,
    columns: Label | Sequence[Label] | Any | None = None, order_categoricals: bool = True,
    chunksize: None = None, iterator: Literal[False] = False, compression: str | dict[str, Any] = 'infer',
    storage_options: dict[str, Any] | None = None,
) -> DataFrame: ...  # fmt: skip
@overload
def read_table(
    filepath_or_buffer: File, *, sep: str = ..., delimiter: str = ...,
    header: int | Literal['infer'] | Sequence[int] = 'infer', names: Sequence[Label] = ...,
    index_col: Label | Sequence[Label] | Literal[False] | None = None,
    usecols: Sequence[Label] | Callable[[Any], bool] | str | None = None, dtype: Dtypes | dict[Any,
    Any] | None = None, engine: Literal['c', 'python', 'pyarrow', 'python-fwf'] | None = None,
    converters: dict[Any, Callable[[Any], Any]] | None = None, true_values: Sequence[Any] | None = None,
    false_values: Sequence[Any] | None = None, skipinitialspace: bool = False,
    skiprows: int | Sequence[int] | Callable[[int], bool] | None = None, skipfooter: int = 0,
    nrows: int | None = None, na_values: Any = None, keep_default_na: bool = True, na_filter: bool = True,
    skip_blank_lines: bool = True, parse_dates: bool | Label | Sequence[Label] | dict[Any, Any] | None = None,
    date_format: str | dict[Any, str] | None = None, dayfirst: bool = False, cache_dates: bool = True,
    iterator: Literal[True], chunksize: int | None = None, compression: str | dict[str, Any] = 'infer',
    thousands: str | None = None, decimal: str = '.', lineterminator: str | None = None, quotechar: str = '"',
    quoting: int = 0, doublequote: bool = True, escapechar: str | None = None, comment: str | None = None,
    encoding: str | None = None, encoding_errors: str = 'strict', dialect: Any = None,
    on_bad_lines: Literal['error', 'warn', 'skip'] | Callable[[list[str]], list[str] | None] = 'error',
    low_memory: bool = True, memory_map: bool = False, float_precision: Literal['high', 'legacy',
    'round_trip'] | None = None, storage_options: dict[str, Any] | None = None,
    dtype_backend: Literal['numpy_nullable', 'pyarrow'] = ...,
) -> TextFileReader: ...  # fmt: skip
@overload
def read_table(
    filepath_or_buffer: File, *, sep: str = ..., delimiter: str = ...,
    header: int | Literal['infer'] | Sequence[int] = 'infer', names: Sequence[Label] = ...,
    index_col: Label | Sequence[Label] | Literal[False] | None = None,
    usecols: Sequence[Label] | Callable[[Any], bool] | str | None = None, dtype: Dtypes | dict[Any,
    Any] | None = None, engine: Literal['c', 'python', 'pyarrow', 'python-fwf'] | None = None,
    converters: dict[Any, Callable[[Any], Any]] | None = None, true_values: Sequence[Any] | None = None,
    false_values: Sequence[Any] | None = None, skipinitialspace: bool = False,
    skiprows: int | Sequence[int] | Callable[[int], bool] | None = None, skipfooter: int = 0,
    nrows: int | None = None, na_values: Any = None, keep_default_na: bool = True, na_filter: bool = True,
    skip_blank_lines: bool = True, parse_dates: bool | Label | Sequence[Label] | dict[Any, Any] | None = None,
    date_format: str | dict[Any, str] | None = None, dayfirst: bool = False, cache_dates: bool = True,
    iterator: bool = False, chunksize: int, compression: str | dict[str, Any] = 'infer',
    thousands: str | None = None, decimal: str = '.', lineterminator: str | None = None, quotechar: str = '"',
    quoting: int = 0, doublequote: bool = True, escapechar: str | None = None, comment: str | None = None,
    encoding: str | None = None, encoding_errors: str = 'strict', dialect: Any = None,
    on_bad_lines: Literal['error', 'warn', 'skip'] | Callable[[list[str]], list[str] | None] = 'error',
    low_memory: bool = True, memory_map: bool = False, float_precision: Literal['high', 'legacy',
    'round_trip'] | None = None, storage_options: dict[str, Any] | None = None,
    dtype_backend: Literal['numpy_nullable', 'pyarrow'] = ...,
) -> TextFileReader: ...  # fmt: skip
@overload
def read_table(
    filepath_or_buffer: File, *, sep: str = ..., delimiter: str = ...,
    header: int | Literal['infer'] | Sequence[int] = 'infer', names: Sequence[Label] = ...,
    index_col: Label | Sequence[Label] | Literal[False] | None = None,
    usecols: Sequence[Label] | Callable[[Any], bool] | str | None = None, dtype: Dtypes | dict[Any,
    Any] | None = None, engine: Literal['c', 'python', 'pyarrow', 'python-fwf'] | None = None,
    converters: dict[Any, Callable[[Any], Any]] | None = None, true_values: Sequence[Any] | None = None,
    false_values: Sequence[Any] | None = None, skipinitialspace: bool = False,
    skiprows: int | Sequence[int] | Callable[[int], bool] | None = None, skipfooter: int = 0,
    nrows: int | None = None, na_values: Any = None, keep_default_na: bool = True, na_filter: bool = True,
    skip_blank_lines: bool = True, parse_dates: bool | Label | Sequence[Label] | dict[Any, Any] | None = None,
    date_format: str | dict[Any, str] | None = None, dayfirst: bool = False, cache_dates: bool = True,
    iterator: Literal[False] = False, chunksize: None = None, compression: str | dict[str, Any] = 'infer',
    thousands: str | None = None, decimal: str = '.', lineterminator: str | None = None, quotechar: str = '"',
    quoting: int = 0, doublequote: bool = True, escapechar: str | None = None, comment: str | None = None,
    encoding: str | None = None, encoding_errors: str = 'strict', dialect: Any = None,
    on_bad_lines: Literal['error', 'warn', 'skip'] | Callable[[list[str]], list[str] | None] = 'error',
    low_memory: bool = True, memory_map: bool = False, float_precision: Literal['high', 'legacy',
    'round_trip'] | None = None, storage_options: dict[str, Any] | None = None,
    dtype_backend: Literal['numpy_nullable', 'pyarrow'] = ...,
) -> DataFrame: ...  # fmt: skip
def read_xml(
    path_or_buffer: File, *, xpath: str = './*', namespaces: Any = None, elems_only: bool = False,
    attrs_only: bool = False, names: Label | Sequence[Label] | Any | None = None, dtype: Dtypes | None = None,
    converters: dict[Any, Callable[[Any], Any]] | None = None,
    parse_dates: bool | Label | Sequence[Label] | dict[Any, Any] | None = None, encoding: str = 'utf-8',
    parser: str = 'lxml', stylesheet: Any = None, iterparse: Any = None, compression: str | dict[str,
    Any] = 'infer', storage_options: dict[str, Any] | None = None, dtype_backend: Literal['numpy_nullable',
    'pyarrow'] = ...,
) -> DataFrame: ...  # fmt: skip
