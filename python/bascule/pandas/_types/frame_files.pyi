# Written by python/stubs/write_pandas.py from the signatures, with pandas 3.1, and the tables beside it.
from collections.abc import Callable, Sequence
from typing import Any, Literal, Self, overload

import numpy as np

from .frame import DataFrame
from .words import Axis, Dtypes, File, Frequency, Label

class FrameFiles:
    @classmethod
    def from_arrow(cls, data: Any) -> Self: ...
    @classmethod
    def from_dict(
        cls, data: Any, orient: Literal['columns', 'index', 'tight'] = 'columns', dtype: Dtypes | None = None,
        columns: Label | Sequence[Label] | Any | None = None,
    ) -> DataFrame: ...  # fmt: skip
    @classmethod
    def from_records(
        cls, data: Any, index: Label | Sequence[Label] | Any | None = None, exclude: Any = None,
        columns: Label | Sequence[Label] | Any | None = None, coerce_float: bool = False, nrows: int | None = None,
    ) -> DataFrame: ...  # fmt: skip
    def info(
        self, verbose: bool | None = None, buf: File | None = None, max_cols: int | None = None,
        memory_usage: bool | Literal['deep'] | None = None, show_counts: Any = None,
    ) -> None: ...  # fmt: skip
    def to_arrow(self) -> Any: ...
    @overload
    def to_dict(
        self, orient: Literal['records'], *, into: Any = ..., index: bool | Label = True,
    ) -> list[dict[Label, Any]]: ...  # fmt: skip
    @overload
    def to_dict(
        self, orient: Literal['dict', 'list', 'series', 'split', 'tight', 'index'] = 'dict', *, into: Any = ...,
        index: bool | Label = True,
    ) -> dict[Label, Any]: ...  # fmt: skip
    def to_feather(self, path: File, **kwargs: Any) -> None: ...
    @overload
    def to_html(
        self, buf: None = None, *, columns: Label | Sequence[Label] | Any | None = None, col_space: Any = None,
        header: bool | Sequence[str] = True, index: bool | Label = True, na_rep: str = 'NaN',
        formatters: Any = None, float_format: str | Callable[..., str] | None = None, sparsify: Any = None,
        index_names: bool = True, justify: Any = None, max_rows: int | None = None, max_cols: int | None = None,
        show_dimensions: bool = False, decimal: str = '.', bold_rows: bool = True, classes: Any = None,
        escape: bool = True, notebook: bool = False, border: int | None = None, table_id: str | None = None,
        render_links: bool = False, encoding: str | None = None,
    ) -> str: ...  # fmt: skip
    @overload
    def to_html(
        self, buf: File, *, columns: Label | Sequence[Label] | Any | None = None, col_space: Any = None,
        header: bool | Sequence[str] = True, index: bool | Label = True, na_rep: str = 'NaN',
        formatters: Any = None, float_format: str | Callable[..., str] | None = None, sparsify: Any = None,
        index_names: bool = True, justify: Any = None, max_rows: int | None = None, max_cols: int | None = None,
        show_dimensions: bool = False, decimal: str = '.', bold_rows: bool = True, classes: Any = None,
        escape: bool = True, notebook: bool = False, border: int | None = None, table_id: str | None = None,
        render_links: bool = False, encoding: str | None = None,
    ) -> None: ...  # fmt: skip
    def to_iceberg(
        self, table_identifier: Any, catalog_name: Any = None, *, catalog_properties: Any = None,
        location: Any = None, append: bool = False, snapshot_properties: Any = None,
    ) -> None: ...  # fmt: skip
    @overload
    def to_latex(
        self, buf: None = None, *, columns: Label | Sequence[Label] | Any | None = None,
        header: bool | Sequence[str] = True, index: bool | Label = True, na_rep: str = 'NaN',
        formatters: Any = None, float_format: str | Callable[..., str] | None = None, sparsify: Any = None,
        index_names: bool = True, bold_rows: bool = False, column_format: Any = None, longtable: bool | None = None,
        escape: bool | None = None, encoding: str | None = None, decimal: str = '.',
        multicolumn: bool | None = None, multicolumn_format: Any = None, multirow: bool | None = None,
        caption: Any = None, label: Any = None, position: Any = None,
    ) -> str: ...  # fmt: skip
    @overload
    def to_latex(
        self, buf: File, *, columns: Label | Sequence[Label] | Any | None = None,
        header: bool | Sequence[str] = True, index: bool | Label = True, na_rep: str = 'NaN',
        formatters: Any = None, float_format: str | Callable[..., str] | None = None, sparsify: Any = None,
        index_names: bool = True, bold_rows: bool = False, column_format: Any = None, longtable: bool | None = None,
        escape: bool | None = None, encoding: str | None = None, decimal: str = '.',
        multicolumn: bool | None = None, multicolumn_format: Any = None, multirow: bool | None = None,
        caption: Any = None, label: Any = None, position: Any = None,
    ) -> None: ...  # fmt: skip
    def to_numpy(
        self, dtype: Dtypes | None = None, copy: bool = False, na_value: Any = ...,
    ) -> np.ndarray[tuple[int, int], np.dtype[Any]]: ...  # fmt: skip
    @overload
    def to_orc(
        self, path: None = None, *, engine: Literal['python', 'numexpr', 'numba', 'pyarrow', 'fastparquet', 'auto',
        'openpyxl', 'calamine', 'xlsxwriter', 'odf', 'xlrd', 'pyxlsb', 'ujson', 'c', 'python-fwf',
        'cython'] | Any = 'pyarrow', index: bool | Label | None = None, engine_kwargs: dict[str, Any] | None = None,
    ) -> bytes: ...  # fmt: skip
    @overload
    def to_orc(
        self, path: File, *, engine: Literal['python', 'numexpr', 'numba', 'pyarrow', 'fastparquet', 'auto',
        'openpyxl', 'calamine', 'xlsxwriter', 'odf', 'xlrd', 'pyxlsb', 'ujson', 'c', 'python-fwf',
        'cython'] | Any = 'pyarrow', index: bool | Label | None = None, engine_kwargs: dict[str, Any] | None = None,
    ) -> None: ...  # fmt: skip
    @overload
    def to_parquet(
        self, path: None = None, *, engine: Literal['python', 'numexpr', 'numba', 'pyarrow', 'fastparquet', 'auto',
        'openpyxl', 'calamine', 'xlsxwriter', 'odf', 'xlrd', 'pyxlsb', 'ujson', 'c', 'python-fwf',
        'cython'] | Any = 'auto', compression: str | dict[str, Any] = 'snappy', index: bool | Label | None = None,
        partition_cols: Label | Sequence[Label] | None = None, storage_options: dict[str, Any] | None = None,
        filesystem: Any = None, **kwargs: Any,
    ) -> bytes: ...  # fmt: skip
    @overload
    def to_parquet(
        self, path: File, *, engine: Literal['python', 'numexpr', 'numba', 'pyarrow', 'fastparquet', 'auto',
        'openpyxl', 'calamine', 'xlsxwriter', 'odf', 'xlrd', 'pyxlsb', 'ujson', 'c', 'python-fwf',
        'cython'] | Any = 'auto', compression: str | dict[str, Any] = 'snappy', index: bool | Label | None = None,
        partition_cols: Label | Sequence[Label] | None = None, storage_options: dict[str, Any] | None = None,
        filesystem: Any = None, **kwargs: Any,
    ) -> None: ...  # fmt: skip
    def to_period(self, freq: Frequency | None = None, axis: Axis = 0, copy: bool = ...) -> Self: ...
    def to_records(
        self, index: bool | Label = True, column_dtypes: Any = None, index_dtypes: Any = None,
    ) -> np.recarray[Any, Any]: ...  # fmt: skip
    def to_stata(
        self, path: File, *, convert_dates: Any = None, write_index: bool = True, byteorder: str | None = None,
        time_stamp: Any = None, data_label: str | None = None, variable_labels: Any = None, version: int = 114,
        convert_strl: bool | None = None, compression: str | dict[str, Any] = 'infer', storage_options: dict[str,
        Any] | None = None, value_labels: Any = None,
    ) -> None: ...  # fmt: skip
    @overload
    def to_string(
        self, buf: None = None, *, columns: Label | Sequence[Label] | Any | None = None, col_space: Any = None,
        header: bool | Sequence[str] = True, index: bool | Label = True, na_rep: str = 'NaN',
        formatters: Any = None, float_format: str | Callable[..., str] | None = None, sparsify: Any = None,
        index_names: bool = True, justify: Any = None, max_rows: int | None = None, max_cols: int | None = None,
        show_dimensions: bool = False, decimal: str = '.', line_width: int | None = None,
        min_rows: int | None = None, max_colwidth: int | None = None, encoding: str | None = None,
    ) -> str: ...  # fmt: skip
    @overload
    def to_string(
        self, buf: File, *, columns: Label | Sequence[Label] | Any | None = None, col_space: Any = None,
        header: bool | Sequence[str] = True, index: bool | Label = True, na_rep: str = 'NaN',
        formatters: Any = None, float_format: str | Callable[..., str] | None = None, sparsify: Any = None,
        index_names: bool = True, justify: Any = None, max_rows: int | None = None, max_cols: int | None = None,
        show_dimensions: bool = False, decimal: str = '.', line_width: int | None = None,
        min_rows: int | None = None, max_colwidth: int | None = None, encoding: str | None = None,
    ) -> None: ...  # fmt: skip
    def to_timestamp(
        self, freq: Frequency | None = None, how: Any = 'start', axis: Axis = 0, copy: bool = ...,
    ) -> Self: ...  # fmt: skip
    @overload
    def to_xml(
        self, path_or_buffer: None = None, *, index: bool | Label = True, root_name: str = 'data',
        row_name: str = 'row', na_rep: str | None = None, attr_cols: Any = None, elem_cols: Any = None,
        namespaces: Any = None, prefix: str | None = None, encoding: str = 'utf-8', xml_declaration: bool = True,
        pretty_print: bool = True, parser: str = 'lxml', stylesheet: Any = None, compression: str | dict[str,
        Any] = 'infer', storage_options: dict[str, Any] | None = None,
    ) -> str: ...  # fmt: skip
    @overload
    def to_xml(
        self, path_or_buffer: File, *, index: bool | Label = True, root_name: str = 'data', row_name: str = 'row',
        na_rep: str | None = None, attr_cols: Any = None, elem_cols: Any = None, namespaces: Any = None,
        prefix: str | None = None, encoding: str = 'utf-8', xml_declaration: bool = True, pretty_print: bool = True,
        parser: str = 'lxml', stylesheet: Any = None, compression: str | dict[str, Any] = 'infer',
        storage_options: dict[str, Any] | None = None,
    ) -> None: ...  # fmt: skip
