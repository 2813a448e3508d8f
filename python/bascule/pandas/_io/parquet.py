"""Reading Parquet: large files are opened at the call, and a column is read at its first use."""

from __future__ import annotations

import os
from functools import partial
from typing import Any

import numpy as np

from ... import _core
from ...config import config
from .. import _classes
from .._columns.column import AnyColumn, from_pandas_array
from .._columns.lazy_take import FEWEST, waiting_for
from .._fallback.native import NotNative, native_function
from .._theirs import UNSET, pyarrow, unset
from .arrow import ATTRS, Notes, as_json, column_of, from_table, from_table_in, is_of_arrow
from .parquet_file import ParquetFile

SMALL = 1 << 20  # bytes of a file that is read at the call; of many columns it is so with a sixteenth for each of them


@native_function(
    "read_parquet", engine=("auto", "pyarrow"), storage_options=None, dtype_backend=is_of_arrow, to_pandas_kwargs=lambda x: not x
)  # fmt: skip
def read_parquet(
    path: Any, engine: str = "auto", columns: list[str] | None = None, storage_options: Any = None, dtype_backend: Any = UNSET,
    filesystem: Any = None, filters: Any = None, to_pandas_kwargs: Any = None, **kwargs: Any,
) -> Any:  # fmt: skip
    """Read a Parquet file with pyarrow.

    Of a local file of a megabyte or more, labels and types are read, and the file is held open: a column is decoded when
    it is used. It must not be written to in place meanwhile; bascule's own writers read pending columns before.

    Parameters
    ----------
    path : path or object with ``read``
    columns : list of str, optional
    filters : list of tuples, optional
    engine, storage_options, dtype_backend, filesystem, to_pandas_kwargs, **kwargs
        As pandas'.

    Raises
    ------
    OSError
        The file can't be read. Of a damaged page, this comes when its column is used, with the name of the file.
    """
    import pyarrow.parquet

    if isinstance(path, str) and "://" in path:
        raise NotNative("an address")
    plain = filesystem is None and filters is None and not kwargs and unset(dtype_backend)
    made = _waiting(path, columns) if plain else None
    if made is not None:
        return made
    _check_room(path)
    numbered = worth_numbers(path) if plain else []
    if numbered:
        kwargs["read_dictionary"] = numbered
    table = pyarrow.parquet.read_table(
        path, columns=columns, filesystem=filesystem, filters=filters, use_pandas_metadata=True, **kwargs
    )
    made = from_table(table, numbered) if unset(dtype_backend) else from_table_in(table, dtype_backend)
    return _with_attrs(made, table.schema)


def _check_room(path: Any) -> None:
    """MemoryError for files that are read at the call, and take more than `config.memory_limit` as they are."""
    limit = config.memory_limit
    if limit is None or not isinstance(path, (str, os.PathLike)):
        return
    inside = [os.path.join(folder, name) for folder, _, names in os.walk(path) for name in names]
    size = sum(map(os.path.getsize, inside if os.path.isdir(path) else [path] if os.path.isfile(path) else []))
    if size > limit:
        raise MemoryError(
            f"[read_parquet] {os.fspath(path)} takes {size:,} bytes and is read at the call, while config.memory_limit is "
            f"{limit:,}: only single local files of plain columns are read in parts"
        )


def _with_attrs(made: Any, schema: Any) -> Any:
    noted = (schema.metadata or {}).get(ATTRS)
    if noted is not None:
        made.attrs = as_json().loads(noted)
    return made


_FEW_BYTES = 2.5  # for each row, of strings that a file stores dictionary-encoded


def _is_local_file(path: Any) -> bool:
    return isinstance(path, (str, os.PathLike)) and os.path.isfile(path)


def worth_numbers(path: Any) -> list[str]:
    """Columns of strings that a local file stores dictionary-encoded, which are then read without decoding."""
    import pyarrow.parquet

    return _worth_numbers(pyarrow.parquet.read_metadata(path)) if _is_local_file(path) else []


def _worth_numbers(about: Any) -> list[str]:
    strings = [
        f.name
        for f in about.schema.to_arrow_schema()
        if pyarrow.types.is_string(f.type) or pyarrow.types.is_large_string(f.type)
    ]
    sizes = dict.fromkeys(strings, 0)
    for g in range(about.num_row_groups if strings else 0):
        for i in range(about.num_columns):
            part = about.row_group(g).column(i)
            if part.path_in_schema in sizes:
                sizes[part.path_in_schema] += (
                    part.total_uncompressed_size if part.has_dictionary_page else about.num_rows * 8
                )
    return [name for name, size in sizes.items() if size <= _FEW_BYTES * about.num_rows]


# ---- columns that wait


def _waiting(path: Any, asked: Any) -> Any:
    """The frame of a local file, whose columns are read at their first use; None where all has to be read now."""
    if (
        not config.lazy_frames
        or not _is_local_file(path)
        or os.path.getsize(path) < SMALL
        or _core.get_default_device() != "cpu"
    ):
        return None
    try:
        file = ParquetFile(os.fspath(path), _worth_numbers)
        names = _names(file, asked)
        small = len(file) < FEWEST or os.path.getsize(path) < file.about.num_columns * SMALL // 16
        if names is None or small or not file.hold():
            return None
        return _frame(file, names)
    except (OSError, pyarrow.ArrowException, KeyError, TypeError):
        return None  # reading all of it gives the error


def _names(file: ParquetFile, asked: Any) -> list[str] | None:
    """The columns to read, without those of labels; None for files and requests that are not plain."""
    there = file.schema.names
    flat = len(there) == file.about.num_columns and len(set(there)) == len(there)
    if not flat or any("." in name for name in there):  # readers take the dot for that of a nested column
        return None
    labelled = Notes(file.schema).labelled()
    if asked is None:
        return [n for n in there if n not in labelled]
    if not isinstance(asked, list) or not all(isinstance(n, str) for n in asked):
        return None
    if len(set(asked)) < len(asked) or not set(asked) <= set(there):
        return None
    return [n for n in asked if n not in labelled]


def _frame(file: ParquetFile, names: list[str]) -> Any:
    labelled = Notes(file.schema).labelled()
    schema = pyarrow.schema([file.schema.field(n) for n in [*names, *labelled]], file.schema.metadata)
    notes = Notes(schema)
    columns = [_column(file, schema, notes, n) for n in names]
    if labelled:
        labels = pyarrow.table({n: file.arrow(n) for n in labelled}).replace_schema_metadata(schema.metadata)
        index = from_table(labels, [n for n in labelled if n in file.numbered])._index
    else:
        index = notes.range(len(file))
    return _with_attrs(_classes.DataFrame._new(columns, notes.labels(schema, names), index), schema)


def _column(file: ParquetFile, schema: Any, notes: Notes, name: str) -> AnyColumn:
    """A column that waits, where its type is known without its values; else one that is read."""
    if notes.are_plain([name]):
        made = partial(column_of, is_numbered=name in file.numbered)
    else:
        made = partial(_by_pandas, name, schema.field(name).type, notes.only(name))
    here = schema.field(name).type
    like = made(pyarrow.chunked_array([], here))
    dtype, in_pandas = like.dtype, not like.has_core
    if not like.can_lack:
        nulls = _nulls(file.about, file.schema.get_field_index(name))
        if nulls is None:
            return made(file.arrow(name))
        if nulls:
            in_pandas = like.selects_rows
            dtype, made = np.dtype(object if in_pandas else np.float64), partial(_with_nulls, made, in_pandas)
    if in_pandas and not _has_known_type(here):
        return made(file.arrow(name))
    return waiting_for(file.column(name, dtype, in_pandas, made))


def _has_known_type(t: Any) -> bool:
    """Whether the values of an Arrow type have one type in pandas that only it has, whatever they are."""
    types = pyarrow.types
    kinds = (types.is_date, types.is_time, types.is_decimal, types.is_binary, types.is_large_binary, types.is_boolean)
    return any(of(t) for of in kinds) or (types.is_timestamp(t) and t.tz is not None)


def _nulls(about: Any, i: int) -> int | None:
    """How many values of a column are missing, by the statistics of the row groups; None where these do not say so."""
    if about.schema.column(i).max_definition_level == 0:
        return 0
    count = 0
    for g in range(about.num_row_groups):
        reported = about.row_group(g).column(i).statistics
        if reported is None or not reported.has_null_count:
            return None
        count += reported.null_count
    return count


def _with_nulls(make: Any, are_bools: bool, a: Any) -> AnyColumn:
    """Some values of a column in which others are missing: numbers become floats, and booleans objects."""
    if not a.null_count:
        if are_bools:
            return from_pandas_array(a.to_numpy().astype(object))
        a = a.cast(pyarrow.float64(), safe=False)
    return make(a)


def _by_pandas(name: str, here: Any, metadata: dict[bytes, bytes], a: Any) -> AnyColumn:
    """The column of Arrow's array, with the type that pandas' metadata give it."""
    table = pyarrow.table({name: a if a.type == here else a.cast(here)}).replace_schema_metadata(metadata)
    return _classes.DataFrame._from_pandas(table.to_pandas())._columns[0]
