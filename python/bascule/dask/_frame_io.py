"""Frames out of and into files: CSV by ranges of bytes, Parquet through Arrow's tables."""

from __future__ import annotations

import json
import os
from io import BytesIO
from typing import Any

import pandas
import pyarrow
import pyarrow.parquet
from dask.dataframe.io.csv import AUTO_BLOCKSIZE, coerce_dtypes, make_reader
from dask.dataframe.io.parquet.arrow import ArrowDatasetEngine
from dask.dataframe.io.utils import _is_local_fs
from dask.utils import parse_bytes

from .. import pandas as pd
from ..pandas import _fallback
from ..pandas._fallback.open_files import before_write
from ..pandas._io.arrow import from_table, to_table
from ..pandas._io.csv_arguments import NATIVE_ONLY_AT
from ..pandas._io.parquet import worth_numbers
from ..pandas._reshape.concat import missing_like
from ._own_frames import to_pyarrow_string

_NAMED = {"sep", "header", "names", "usecols", "dtype", "na_values", "keep_default_na", "na_filter", "skip_blank_lines", "parse_dates", "quotechar"}  # fmt: skip
_PACKED = (".gz", ".bz2", ".xz", ".zip", ".zst", ".tar", ".lz4", ".snappy", ".br")
_NUMBERED = b"bascule.numbered"  # note in a table: which columns of strings were read dictionary-encoded
_unblocked = make_reader(pd.read_csv, "read_csv", "CSV")


def _local_files(urlpath: Any) -> list[str] | None:
    """Paths of local files in Dask's order; None where a path says otherwise."""
    from fsspec.core import get_fs_token_paths

    given = urlpath if isinstance(urlpath, (list, tuple)) else [urlpath]
    given = [os.fspath(p) if isinstance(p, os.PathLike) else p for p in given]
    if not given or not all(isinstance(p, str) and "://" not in p and "::" not in p for p in given):
        return None
    paths = get_fs_token_paths(given if len(given) > 1 else given[0], mode="rb")[2]
    if not paths:
        raise OSError(f"{urlpath} resolved to no files")
    return None if any(p.endswith(_PACKED) for p in paths) else sorted_as_dask(paths)


def sorted_as_dask(paths: list[str]) -> list[str]:
    """Paths in the order of the partitions: numbers in names count as numbers."""
    from dask.utils import natural_sort_key

    return sorted(paths, key=natural_sort_key)


def read_csv(
    urlpath: Any, blocksize: Any = "default", lineterminator: Any = None, compression: Any = "infer", sample: Any = 256000, sample_rows: int = 10,
    enforce: bool = False, assume_missing: bool = False, storage_options: Any = None, include_path_column: Any = False, **kwargs: Any,
) -> Any:  # fmt: skip
    """``dd.read_csv`` for bascule frames: uncompressed local files by byte ranges, others by Dask's blocks."""
    files = None
    plain = (
        lineterminator is None
        and compression in ("infer", None)
        and not storage_options
        and not include_path_column
        and sample
    )
    if plain and all(
        k in _NAMED or (k in NATIVE_ONLY_AT and (v is NATIVE_ONLY_AT[k] or v == NATIVE_ONLY_AT[k]))
        for k, v in kwargs.items()
    ):
        files = _local_files(urlpath)
    if files is not None and (kwargs.get("header", "infer") in ("infer", 0, None)):
        made = _by_ranges(files, blocksize, int(sample), sample_rows, enforce, assume_missing, kwargs)
        if made is not None:
            return made
    return _unblocked(
        urlpath, blocksize=blocksize, lineterminator=lineterminator, compression=compression, sample=sample, sample_rows=sample_rows, enforce=enforce,
        assume_missing=assume_missing, storage_options=storage_options, include_path_column=include_path_column, **kwargs,
    )  # fmt: skip


def _by_ranges(files: list[str], blocksize: Any, sample: int, sample_rows: int, enforce: bool, assume_missing: bool, kwargs: dict) -> Any:  # fmt: skip
    import dask.dataframe as dd

    with open(files[0], "rb") as f:
        start = f.read(sample)
        if len(start) == sample:
            start = start[: start.rfind(b"\n") + 1]
    if start.count(b"\n") < 2:  # too little for an inference: Dask's own checks and messages
        return None
    head = pd.read_csv(BytesIO(start), nrows=sample_rows, **kwargs)
    if not _core_reads(files[0], len(start), kwargs):
        return None
    specified = kwargs.get("dtype") or {}
    if assume_missing and isinstance(specified, dict):
        for c in head.columns:
            if pandas.api.types.is_integer_dtype(head.dtypes[c]) and c not in specified:
                head[c] = head[c].astype(float)
    size = (
        AUTO_BLOCKSIZE
        if blocksize == "default"
        else parse_bytes(blocksize)
        if isinstance(blocksize, str)
        else blocksize
    )
    ranges = []
    for path in files:
        length = os.path.getsize(path)
        ranges += [(path, a, b - a) for a, b in _cuts(length, size)] if length or not size else []
    reader = RangeReader(head[:0].copy(), enforce, kwargs, _stamps(files))
    return dd.from_map(reader, ranges, meta=head, label="read-csv", enforce_metadata=False)


def _cuts(length: int, size: Any) -> list[tuple[int, int]]:
    """First byte and end of each block of a file, where Dask would split it: a row that begins at a split is the previous block's."""
    if not size or length <= size:
        return [(0, length + 1)]
    step = length / (length // size) if length % size else size
    ends = [int(step * i) for i in range(1, int(length / step + 0.5))]
    return list(zip([0, *(e + 1 for e in ends)], [*(e + 1 for e in ends), length + 1]))


def _stamps(files: list[str]) -> list[tuple]:
    return [(p, s.st_size, s.st_mtime_ns) for p, s in ((p, os.stat(p)) for p in files)]


def _core_reads(path: str, size: int, kwargs: dict) -> bool:
    """Whether the core reads this format by itself; where only pandas can, there are no ranges."""
    try:
        pd.read_csv(path, byte_range=(0, size), **kwargs)
    except NotImplementedError:
        return False
    return True


class RangeReader:
    """Reads one byte range of a file, with the requested columns, in the types of the sample."""

    def __init__(self, empty: Any, enforce: bool, kwargs: dict, files: list[tuple]):
        self.empty, self.enforce, self.kwargs, self.files = empty, enforce, kwargs, files
        self.dtypes = dict(zip(empty.columns, empty.dtypes))

    def __call__(self, part: tuple[str, int, int], columns: list | None = None) -> Any:
        path, start, size = part
        kwargs = dict(self.kwargs)
        if columns is not None and not self.enforce:
            kwargs["usecols"] = list(columns)
            kwargs["dtype"] = _only(kwargs.get("dtype"), columns)
            kwargs["parse_dates"] = _only(kwargs.get("parse_dates"), columns)
        try:
            df = pd.read_csv(path, byte_range=(start, size), **kwargs)
        except NotImplementedError:  # what one range holds may be beyond the core: then the range is read by pandas
            text = _text_of(path, start, size, kwargs)
            if text is None:
                return self.empty if columns is None else self.empty[list(columns)]
            df = pd.read_csv(BytesIO(text), **kwargs)
        self._know_missing_text(df)
        coerce_dtypes(df, self.dtypes)
        if self.enforce and list(df.columns) != list(self.empty.columns):
            raise ValueError("Columns do not match", df.columns, list(self.empty.columns))
        return df if columns is None else df[list(columns)]

    def _know_missing_text(self, df: Any) -> None:
        """Make a column of strings where a byte range has only missing values, which are parsed as NaN of a float column."""
        for i, name in enumerate(df.columns):
            text = isinstance(self.dtypes.get(name), pandas.StringDtype)
            if text and df._columns[i].dtype == float and not df._series(i).count():
                df[name] = df._series(i)._like(missing_like(self.empty[name]._column, len(df)))

    def __dask_tokenize__(self) -> tuple:
        from dask.base import normalize_token

        return type(self).__name__, normalize_token([*self.__dict__.values()])


def _only(given: Any, columns: list) -> Any:
    if isinstance(given, dict):
        return {k: v for k, v in given.items() if k in columns}
    return [k for k in given if k in columns] if isinstance(given, list) else given


def _text_of(path: str, start: int, size: int, kwargs: dict) -> bytes | None:
    """The header and the rows whose first byte is in a range, one line for each row; None where there are none."""
    with open(path, "rb") as f:
        header = f.readline() if kwargs.get("header", "infer") is not None and kwargs.get("names") is None else b""
        f.seek(max(start - 1, 0))
        if start:
            f.readline()
        first = max(f.tell(), len(header))
        f.seek(max(start + size - 1, 0))
        f.readline()
        last = f.tell()
        f.seek(first)
        rows = f.read(max(last - first, 0))
    return header + rows if rows.strip() else None


class ParquetEngine(ArrowDatasetEngine):
    """Dask's engine for Parquet, between Arrow's tables and bascule frames."""

    @classmethod
    def _create_dd_meta(cls, dataset_info: Any) -> Any:
        return _fallback.from_pandas(super()._create_dd_meta(dataset_info))

    @classmethod
    def read_partition(cls, fs: Any, pieces: Any, columns: Any, index: Any, **kwargs: Any) -> Any:
        """Read one partition; strings of a local file with few distinct values are read dictionary-encoded."""
        one = not isinstance(pieces, list) or len(pieces) == 1  # those of several files may differ in what is numbered
        plain = not any(kwargs.get(name) for name in ("filters", "partitions", "categories", "arrow_to_pandas"))
        of_names = isinstance(kwargs.get("dataset", {}).get("partitioning"), (str, list, type(None)))
        if one and plain and of_names and not any(kwargs.get("read", {}).values()) and _is_local_fs(fs):
            kwargs["numbered"] = True
        return super().read_partition(fs, pieces, columns, index, **kwargs)

    @classmethod
    def _read_table(cls, path_or_frag: Any, fs: Any, row_groups: Any, columns: Any, schema: Any, filters: Any, partitions: Any, partition_keys: Any, **kwargs: Any) -> Any:  # fmt: skip
        if not kwargs.pop("numbered", False) or not isinstance(path_or_frag, str):
            return super()._read_table(path_or_frag, fs, row_groups, columns, schema, filters, partitions, partition_keys, **kwargs)  # fmt: skip
        numbered = worth_numbers(path_or_frag)
        with pyarrow.parquet.ParquetFile(path_or_frag, read_dictionary=numbered, pre_buffer=True) as file:
            # Arrow's threads are those of the process, however many tasks read.
            wanted = {"columns": columns, "use_threads": True, "use_pandas_metadata": True}
            table = file.read(**wanted) if row_groups == [None] else file.read_row_groups(row_groups, **wanted)
        notes = {**(table.schema.metadata or {}), _NUMBERED: json.dumps(numbered).encode()}
        return table.replace_schema_metadata(notes)

    @classmethod
    def _arrow_table_to_pandas(cls, arrow_table: Any, categories: Any, dtype_backend: Any = None, convert_string: bool = False, **kwargs: Any) -> Any:  # fmt: skip
        if categories or dtype_backend is not None or kwargs.get("arrow_to_pandas"):
            _fallback.count("dask.dataframe.read_parquet", "these arguments")
            there = super()._arrow_table_to_pandas(arrow_table, categories, dtype_backend, convert_string, **kwargs)
            return _fallback.from_pandas(there)
        numbered = json.loads((arrow_table.schema.metadata or {}).get(_NUMBERED, b"[]"))
        made = from_table(arrow_table, [name for name in arrow_table.column_names if name in numbered])
        return to_pyarrow_string(made) if convert_string else made

    @classmethod
    def write_partition(cls, df: Any, path: Any, fs: Any, filename: str, *args: Any, **kwargs: Any) -> Any:
        """Write one partition; a pending column of that file is read before."""
        before_write(f"{path}/{filename}")
        return super().write_partition(df, path, fs, filename, *args, **kwargs)

    @classmethod
    def _pandas_to_arrow_table(cls, df: Any, preserve_index: Any = False, schema: Any = None) -> Any:
        if not isinstance(df, pd.DataFrame):
            return super()._pandas_to_arrow_table(df, preserve_index=preserve_index, schema=schema)
        table = to_table(df, preserve_index)
        if schema is None or table.schema.equals(schema, check_metadata=False):
            return table
        try:
            return (
                table.select(schema.names).cast(schema.remove_metadata()).replace_schema_metadata(table.schema.metadata)
            )
        except (pyarrow.ArrowException, KeyError):
            return super()._pandas_to_arrow_table(df.to_pandas(), preserve_index=preserve_index, schema=schema)
