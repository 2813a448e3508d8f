"""Arrow in and out: tables, streams, Parquet."""

from __future__ import annotations

import json
from typing import Any

import numpy as np
import pandas
import pyarrow

from .. import _core
from . import _fallback, _index
from ._column import STR, AnyColumn, adopt, from_pandas_array, plain, text_from_arrow


def column_from_arrow(a: Any) -> AnyColumn:
    """The column of an Arrow array, as `to_pandas` would type it: integers and booleans with holes become floats and objects.

    Parameters
    ----------
    a : pyarrow.Array or pyarrow.ChunkedArray
    """
    if isinstance(a, pyarrow.ChunkedArray):
        a = a.chunk(0) if a.num_chunks == 1 else a.combine_chunks()
    if isinstance(a, pyarrow.ChunkedArray):
        a = a.chunk(0)
    t = a.type
    if pyarrow.types.is_string(t) or pyarrow.types.is_large_string(t) or t == pyarrow.string_view():
        return text_from_arrow(a, STR)
    if pyarrow.types.is_dictionary(t) or pyarrow.types.is_nested(t):
        return _by_pandas(a)
    if (pyarrow.types.is_integer(t) or pyarrow.types.is_floating(t)) and a.null_count == 0 and t != pyarrow.float16():
        return plain(_shared(a, np.dtype(t.to_pandas_dtype())))
    if pyarrow.types.is_timestamp(t) and t.tz is None and a.null_count == 0:
        return plain(_shared(a, np.dtype(f"M8[{t.unit}]")))
    return _by_pandas(a)


def _shared(a: pyarrow.Array, dtype: np.dtype) -> Any:
    if len(a) == 0:
        return _core.empty((0,), dtype)
    return adopt(np.frombuffer(a.buffers()[1], dtype, len(a), a.offset * dtype.itemsize))


def _by_pandas(a: pyarrow.Array) -> AnyColumn:
    s = a.to_pandas()
    return from_pandas_array(s.array if not isinstance(s.dtype, np.dtype) else s.to_numpy())


def from_table(table: pyarrow.Table) -> Any:
    """The frame of an Arrow table; labels of rows are restored where pandas noted them.

    Parameters
    ----------
    table : pyarrow.Table
    """
    from ._frame import DataFrame

    meta = (
        json.loads(table.schema.metadata[b"pandas"])
        if table.schema.metadata and b"pandas" in table.schema.metadata
        else {}
    )
    noted = meta.get("index_columns", [])
    types = {c["field_name"] or c["name"]: c for c in meta.get("columns", [])}
    if any(
        c["pandas_type"] in ("categorical", "datetimetz", "mixed", "bytes")
        or c["numpy_type"] in ("string", "object", "Int64", "boolean", "Float64")
        for c in types.values()
    ):
        return DataFrame._from_pandas(table.to_pandas())
    columns = {name: column_from_arrow(table.column(i)) for i, name in enumerate(table.column_names)}
    if len(columns) < table.num_columns:
        return DataFrame._from_pandas(table.to_pandas())
    index: Any = _index.default(table.num_rows)
    labelled = [c for c in noted if isinstance(c, str)]
    if labelled:
        names = [types[c]["name"] if c in types else c for c in labelled]
        made = [columns.pop(c) for c in labelled]
        index = _index.from_column(made[0], names[0]) if len(made) == 1 else _index.MultiIndex._make(made, names)
    elif noted:
        r = noted[0]
        index = _index.RangeIndex._of(r["start"], r["step"], table.num_rows, r["name"])
    # How pandas labelled the columns (numbers, several levels) is in its note: it reads that itself.
    labels = table.slice(0, 0).to_pandas().columns if meta else pandas.Index(list(columns))
    return DataFrame._new(list(columns.values()), labels, index)


def to_table(frame: Any, index: bool | None = None) -> pyarrow.Table:
    """An Arrow table of a frame, with pandas' note of its labels; text shares its memory.

    Parameters
    ----------
    frame : DataFrame
    index : bool, optional
        Whether labels are stored; by default a range only as a note.
    """
    if any(not isinstance(n, str) for n in frame._names) or not frame._names.is_unique:
        return pyarrow.Table.from_pandas(frame.to_pandas(), preserve_index=index)
    schema_frame = frame.head(1).to_pandas()
    stands_for = isinstance(frame._index, _index.RangeIndex) and index is None
    like = pyarrow.Table.from_pandas(schema_frame, preserve_index=index)
    metadata = dict(like.schema.metadata)
    if stands_for:
        note = json.loads(metadata[b"pandas"])
        note["index_columns"][0].update(start=frame._index.start, stop=frame._index.stop, step=frame._index.step)
        metadata[b"pandas"] = json.dumps(note).encode()
    arrays = [_arrow_of(c) for c in frame._columns]
    if len(like.column_names) > len(arrays):
        arrays += [_arrow_of(c) for c in frame._index._columns]
    return pyarrow.table(arrays, names=like.column_names).replace_schema_metadata(metadata)


def _arrow_of(c: AnyColumn) -> pyarrow.Array:
    return c.to_arrow()


class FrameArrow:
    """Arrow's protocols on frames."""

    def __arrow_c_stream__(self, requested_schema: Any = None) -> Any:
        """The rows as a stream of Arrow batches (the PyCapsule interface)."""
        return to_table(self).__arrow_c_stream__(requested_schema)

    @classmethod
    def from_arrow(cls, data: Any) -> Any:
        """A frame of anything that has Arrow's stream: tables, other libraries' frames."""
        return from_table(pyarrow.table(data))

    def to_arrow(self) -> pyarrow.Table:
        """The frame as an Arrow table."""
        return to_table(self)

    def to_parquet(self, path: Any = None, *, engine: str = "auto", compression: Any = "snappy", index: bool | None = None, partition_cols: Any = None, storage_options: Any = None, filesystem: Any = None, **kwargs: Any) -> Any:  # fmt: skip
        """Write a Parquet file by pyarrow.

        Parameters
        ----------
        path : path or object with ``write``, optional
            Without one the bytes are returned.
        engine, compression, index, partition_cols, storage_options, filesystem, **kwargs
            As pandas'.
        """
        import io

        import pyarrow.parquet

        if (
            engine not in ("auto", "pyarrow")
            or partition_cols is not None
            or storage_options is not None
            or filesystem is not None
        ):
            asked = dict(engine=engine, compression=compression, index=index, partition_cols=partition_cols, storage_options=storage_options, filesystem=filesystem)  # fmt: skip
            return self._call_pandas("to_parquet", (path,), {**asked, **kwargs}, "these arguments")
        if not all(isinstance(n, str) for n in self._names):
            raise ValueError("parquet must have string column names")
        out = io.BytesIO() if path is None else path
        pyarrow.parquet.write_table(to_table(self, index), out, compression=compression or "none", **kwargs)
        return out.getvalue() if path is None else None


def read_parquet(
    path: Any, engine: str = "auto", columns: list[str] | None = None, storage_options: Any = None, dtype_backend: Any = pandas.api.extensions.no_default,
    filesystem: Any = None, filters: Any = None, to_pandas_kwargs: Any = None, **kwargs: Any,
) -> Any:  # fmt: skip
    """Read Parquet by pyarrow, into bascule's columns.

    Parameters
    ----------
    path : path or object with ``read``
    columns : list of str, optional
    filters : list of tuples, optional
    engine, storage_options, dtype_backend, filesystem, to_pandas_kwargs, **kwargs
        As pandas'.
    """
    import pyarrow.parquet

    remote = isinstance(path, str) and "://" in path
    if (
        engine not in ("auto", "pyarrow")
        or remote
        or storage_options is not None
        or dtype_backend is not pandas.api.extensions.no_default
        or to_pandas_kwargs
    ):
        _fallback.count("pandas.read_parquet", "these arguments")
        asked = dict(
            engine=engine,
            columns=columns,
            storage_options=storage_options,
            dtype_backend=dtype_backend,
            filesystem=filesystem,
            filters=filters,
        )
        return _fallback.from_pandas(pandas.read_parquet(path, **asked, to_pandas_kwargs=to_pandas_kwargs, **kwargs))
    table = pyarrow.parquet.read_table(
        path, columns=columns, filesystem=filesystem, filters=filters, use_pandas_metadata=True, **kwargs
    )
    return from_table(table)
