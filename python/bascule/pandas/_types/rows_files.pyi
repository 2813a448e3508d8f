# Written by python/stubs/write_pandas.py from the signatures, with pandas 3.1, and the tables beside it.
from collections.abc import Callable, Sequence
from typing import Any, Literal, overload

from .words import Dtypes, File, Label

class RowsFiles:
    def to_clipboard(self, *, excel: bool = True, sep: str | None = None, **kwargs: Any) -> None: ...
    @overload
    def to_csv(
        self, path_or_buf: None = None, *, sep: str = ',', na_rep: str = '', float_format: str | Callable[...,
        str] | None = None, columns: Label | Sequence[Label] | Any | None = None,
        header: bool | Sequence[str] = True, index: bool | Label = True,
        index_label: Label | Sequence[Label] | None = None, mode: str = 'w', encoding: str | None = None,
        compression: str | dict[str, Any] = 'infer', quoting: int | None = None, quotechar: str = '"',
        lineterminator: str | None = None, chunksize: int | None = None, date_format: str | dict[Any,
        str] | None = None, doublequote: bool = True, escapechar: str | None = None, decimal: str = '.',
        errors: Literal['strict', 'raise', 'ignore', 'replace'] | str = 'strict', storage_options: dict[str,
        Any] | None = None,
    ) -> str: ...  # fmt: skip
    @overload
    def to_csv(
        self, path_or_buf: File, *, sep: str = ',', na_rep: str = '', float_format: str | Callable[...,
        str] | None = None, columns: Label | Sequence[Label] | Any | None = None,
        header: bool | Sequence[str] = True, index: bool | Label = True,
        index_label: Label | Sequence[Label] | None = None, mode: str = 'w', encoding: str | None = None,
        compression: str | dict[str, Any] = 'infer', quoting: int | None = None, quotechar: str = '"',
        lineterminator: str | None = None, chunksize: int | None = None, date_format: str | dict[Any,
        str] | None = None, doublequote: bool = True, escapechar: str | None = None, decimal: str = '.',
        errors: Literal['strict', 'raise', 'ignore', 'replace'] | str = 'strict', storage_options: dict[str,
        Any] | None = None,
    ) -> None: ...  # fmt: skip
    def to_excel(
        self, excel_writer: File, *, sheet_name: str = 'Sheet1', na_rep: str = '', float_format: str | Callable[...,
        str] | None = None, columns: Label | Sequence[Label] | Any | None = None,
        header: bool | Sequence[str] = True, index: bool | Label = True,
        index_label: Label | Sequence[Label] | None = None, startrow: int = 0, startcol: int = 0,
        engine: Literal['python', 'numexpr', 'numba', 'pyarrow', 'fastparquet', 'auto', 'openpyxl', 'calamine',
        'xlsxwriter', 'odf', 'xlrd', 'pyxlsb', 'ujson', 'c', 'python-fwf', 'cython'] | Any | None = None,
        merge_cells: bool = True, inf_rep: str = 'inf', freeze_panes: Any = None, storage_options: dict[str,
        Any] | None = None, engine_kwargs: dict[str, Any] | None = None, autofilter: bool = False,
    ) -> None: ...  # fmt: skip
    def to_hdf(
        self, path_or_buf: File, *, key: str, mode: str = 'a', complevel: int | None = None, complib: Any = None,
        append: bool = False, format: Any = None, index: Label | Sequence[Label] | Any = True,
        min_itemsize: Any = None, nan_rep: str | None = None, dropna: bool = ..., data_columns: Any = None,
        errors: Literal['strict', 'raise', 'ignore', 'replace'] | str = 'strict', encoding: str = 'UTF-8',
    ) -> None: ...  # fmt: skip
    @overload
    def to_json(
        self, path_or_buf: None = None, *, orient: Literal['split', 'records', 'index', 'columns', 'values',
        'table'] | None = None, date_format: Literal['epoch', 'iso'] | None = None, double_precision: int = 10,
        force_ascii: bool = True, date_unit: Literal['s', 'ms', 'us', 'ns'] = 'ms', default_handler: Callable[[Any],
        Any] | None = None, lines: bool = False, compression: str | dict[str, Any] = 'infer',
        index: bool | Label | None = None, indent: int | None = None, storage_options: dict[str, Any] | None = None,
        mode: str = 'w',
    ) -> str: ...  # fmt: skip
    @overload
    def to_json(
        self, path_or_buf: File, *, orient: Literal['split', 'records', 'index', 'columns', 'values',
        'table'] | None = None, date_format: Literal['epoch', 'iso'] | None = None, double_precision: int = 10,
        force_ascii: bool = True, date_unit: Literal['s', 'ms', 'us', 'ns'] = 'ms', default_handler: Callable[[Any],
        Any] | None = None, lines: bool = False, compression: str | dict[str, Any] = 'infer',
        index: bool | Label | None = None, indent: int | None = None, storage_options: dict[str, Any] | None = None,
        mode: str = 'w',
    ) -> None: ...  # fmt: skip
    @overload
    def to_markdown(
        self, buf: None = None, *, mode: str = 'wt', index: bool | Label = True, storage_options: dict[str,
        Any] | None = None, **kwargs: Any,
    ) -> str: ...  # fmt: skip
    @overload
    def to_markdown(
        self, buf: File, *, mode: str = 'wt', index: bool | Label = True, storage_options: dict[str,
        Any] | None = None, **kwargs: Any,
    ) -> None: ...  # fmt: skip
    def to_pandas(self) -> Any: ...
    def to_pickle(
        self, path: File, *, compression: str | dict[str, Any] = 'infer', protocol: int = 5,
        storage_options: dict[str, Any] | None = None,
    ) -> None: ...  # fmt: skip
    def to_sql(
        self, name: str, con: Any, *, schema: Any = None, if_exists: Literal['fail', 'replace', 'append',
        'delete_rows'] = 'fail', index: bool | Label = True, index_label: Label | Sequence[Label] | None = None,
        chunksize: int | None = None, dtype: Dtypes | dict[Any, Any] | None = None, method: Any = None,
    ) -> int | None: ...  # fmt: skip
    def to_xarray(self) -> Any: ...
