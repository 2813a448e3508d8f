"""Conversion from and to Arrow's tables."""

from __future__ import annotations

from collections.abc import Collection
from typing import Any

import numpy as np

from ... import _core
from ..._array.ufuncs import rows
from ...lib.manipulation import concatenate
from .. import _classes, _indexes
from .._columns.arrow_bits import are_valid
from .._columns.column import STR, AnyColumn, Column, Core, adopt, from_pandas_object, plain, text_from_arrow
from .._columns.kinds.of_arrow import OfArrow
from .._fallback.native import NotNative
from .._theirs import pandas, pyarrow, unset

ATTRS = b"PANDAS_ATTRS"  # the key of attrs in a file's metadata
_select = rows["where"]["ufunc"]


def as_json() -> Any:
    import json  # imported here because it takes milliseconds

    return json


def column_from_arrow(a: Any) -> AnyColumn:
    """The column of an Arrow array, with the type of `to_pandas`: with missing values, integers become floats and booleans objects.

    Parameters
    ----------
    a : pyarrow.Array or pyarrow.ChunkedArray
    """
    t = a.type
    if pyarrow.types.is_string(t) or pyarrow.types.is_large_string(t) or t == pyarrow.string_view():
        return text_from_arrow(a, STR)
    dtype = _dtype_of(t)
    if dtype is None or (a.null_count and dtype.kind == "u" and dtype.itemsize == 8):
        return _by_pandas(a)
    parts = [c for c in (a.chunks if isinstance(a, pyarrow.ChunkedArray) else [a]) if len(c)]
    if not parts:
        return plain(_core.empty((0,), dtype))
    found = [_shared(c, dtype) if not a.null_count else _with_nulls(_shared(c, dtype), c) for c in parts]
    return plain(concatenate(found) if len(found) > 1 else found[0])


def _dtype_of(t: Any) -> np.dtype | None:
    """NumPy's type of the values as an Arrow array stores them; None where the layout differs from NumPy's."""
    if (pyarrow.types.is_integer(t) or pyarrow.types.is_floating(t)) and t != pyarrow.float16():
        return np.dtype(t.to_pandas_dtype())
    return np.dtype(f"M8[{t.unit}]") if pyarrow.types.is_timestamp(t) and t.tz is None else None


def _with_nulls(values: Any, a: pyarrow.Array) -> Any:
    """Values of which an Arrow array says that some are missing: NaN, and integers floats, or NaT.

    A conversion of one chunk of a column happens while the chunks are concatenated.
    """
    if values.dtype.kind in "iu":
        values = values.astype(np.dtype(np.float64))
    if not a.null_count:
        return values
    missing = adopt(~are_valid(a))
    if values.dtype.kind == "M":
        bits = values.view(np.dtype(np.int64))
        return _select(missing, np.iinfo(np.int64).min, bits).view(values.dtype)
    return _select(missing, np.nan, values)


def _numbered(a: Any) -> AnyColumn | None:
    """The column of dictionary-encoded strings; None where there are too many distinct ones."""
    a = a.unify_dictionaries().combine_chunks()
    a = a.chunk(0) if isinstance(a, pyarrow.ChunkedArray) else a
    if not 0 < len(a.dictionary) <= len(a) // 4:
        return None
    codes = a.indices.fill_null(-1) if a.null_count else a.indices
    strings = text_from_arrow(a.dictionary)
    return Column(Core.recoded(_shared(codes.cast(pyarrow.int32()), np.dtype(np.int32)), strings.core), STR)


def _shared(a: pyarrow.Array, dtype: np.dtype) -> Any:
    return adopt(np.frombuffer(a.buffers()[1], dtype, len(a), a.offset * dtype.itemsize))


def _by_pandas(a: Any) -> AnyColumn:
    return from_pandas_object(a.to_pandas())


def _strings(a: Any) -> Any:
    return a.cast(pyarrow.large_string())


def _spelt(table: pyarrow.Table, numbered: Collection[str]) -> pyarrow.Table:
    """The table with dictionary-encoded strings decoded."""
    for i, name in enumerate(table.column_names):
        if name in numbered:
            table = table.set_column(i, name, _strings(table.column(i)))
    return table


# The note of labels of columns that are strings, and have no name.
_STRINGS = [
    {"name": None, "field_name": None, "pandas_type": "unicode", "numpy_type": "str", "metadata": {"encoding": "UTF-8"}}
]


class Notes:
    """The notes of pandas in the metadata of a schema.

    Attributes
    ----------
    found : bool
        Whether there is anything.
    index : list
        The names of the columns of labels, or the bounds of a range.
    types : dict
        By the name of a column, its type and label.
    """

    def __init__(self, schema: pyarrow.Schema):
        metadata = schema.metadata or {}
        meta = as_json().loads(metadata[b"pandas"]) if b"pandas" in metadata else {}
        self._all = meta
        self.found, self.index = bool(meta), meta.get("index_columns", [])
        self.types = {c["field_name"] or c["name"]: c for c in meta.get("columns", [])}
        self._levels = meta.get("column_indexes")

    def only(self, name: str) -> dict[bytes, bytes]:
        """Metadata with the notes of one column: pandas reads all that it is given."""
        return {b"pandas": as_json().dumps({**self._all, "columns": [self.types[name]], "index_columns": []}).encode()}

    def labelled(self) -> list[str]:
        """The columns of labels."""
        return [c for c in self.index if isinstance(c, str)]

    def are_plain(self, names: Collection[str]) -> bool:
        """Whether columns are restored to the types of their Arrow values."""
        return all(_is_plain(self.types[n]) for n in names if n in self.types)

    def range(self, count: int) -> Any:
        """The labels of rows where they are no column: the default ones where the noted range has another length."""
        if self.index and not self.labelled():
            r = self.index[0]
            if len(range(r["start"], r["stop"], r["step"])) == count:
                return _indexes.RangeIndex._of(r["start"], r["step"], count, r["name"])
        return _indexes.default(count)

    def labels(self, schema: pyarrow.Schema, names: Collection[str]) -> Any:
        """The labels of columns; where they are noted as other than strings, pandas itself reads them."""
        as_they_are = len(names) > 0 and all(self.types.get(n, {}).get("name") == n for n in names)
        if not self.found or (as_they_are and self._levels == _STRINGS):
            return pandas.Index(list(names))
        return schema.empty_table().to_pandas().columns


def from_table(table: pyarrow.Table, numbered: Collection[str] = ()) -> Any:
    """The frame of an Arrow table; labels of rows are restored where pandas noted them.

    Parameters
    ----------
    table : pyarrow.Table
    numbered : collection of str
        Columns of strings that are only dictionary-encoded because they were read so.
    """
    notes = Notes(table.schema)
    columns = {}
    if notes.are_plain(notes.types):
        columns = {name: column_of(a, name in numbered) for name, a in zip(table.column_names, table.columns)}
    if len(columns) < table.num_columns:
        return _classes.DataFrame._from_pandas(_spelt(table, numbered).to_pandas())
    return _labelled(columns, table)


def _labelled(columns: dict[str, AnyColumn], table: pyarrow.Table) -> Any:
    """A frame of the columns of a table, some of which its notes may say to be the labels."""
    notes = Notes(table.schema)
    labelled = notes.labelled()
    index = notes.range(table.num_rows)
    if labelled:
        names = [notes.types[c]["name"] if c in notes.types else c for c in labelled]
        made = [columns.pop(c) for c in labelled]
        index = _indexes.from_column(made[0], names[0]) if len(made) == 1 else _indexes.MultiIndex._make(made, names)
    return _classes.DataFrame._new(list(columns.values()), notes.labels(table.schema, columns), index)


def is_of_arrow(dtype_backend: Any) -> bool:
    """Whether `from_table_in` makes frames in the types of a backend."""
    return unset(dtype_backend) or dtype_backend == "pyarrow"


def from_table_in(table: pyarrow.Table, dtype_backend: Any) -> Any:
    """The frame of an Arrow table; with the backend "pyarrow" the columns are its arrays, so that nothing becomes an object."""
    if unset(dtype_backend):
        return from_table(table)
    if any(map(pyarrow.types.is_dictionary, table.schema.types)):
        raise NotNative("categories in types of Arrow's")
    return _labelled({n: OfArrow.of_arrow(a) for n, a in zip(table.column_names, table.columns)}, table)


def column_of(a: Any, is_numbered: bool) -> AnyColumn:
    """The column of an Arrow array; `is_numbered` for strings that are only dictionary-encoded because they were read so."""
    coded = is_numbered and pyarrow.types.is_dictionary(a.type)  # no row group at all is read as it is
    made = _numbered(a) if coded else None
    return made if made is not None else column_from_arrow(_strings(a) if coded else a)


def _is_plain(noted: dict[str, Any]) -> bool:
    """Whether a column restored by pandas' metadata has the type of its Arrow values: a type of NumPy, or strings."""
    if noted["pandas_type"] in ("categorical", "datetimetz", "mixed", "bytes"):
        return False
    try:
        return noted["numpy_type"] == "str" or np.dtype(noted["numpy_type"]) != object
    except TypeError:
        return False


def to_table(frame: Any, index: bool | None = None) -> pyarrow.Table:
    """An Arrow table of a frame, with pandas' metadata of its labels; strings share their memory.

    Parameters
    ----------
    frame : DataFrame
    index : bool, optional
        Whether labels are stored; by default a range is only stored as metadata.
    """
    schema_frame = frame.head(1).to_pandas()
    stands_for = isinstance(frame._index, _indexes.RangeIndex) and index is None
    like = pyarrow.Table.from_pandas(schema_frame, preserve_index=index)
    metadata = dict(like.schema.metadata)
    if stands_for:
        note = as_json().loads(metadata[b"pandas"])
        note["index_columns"][0].update(start=frame._index.start, stop=frame._index.stop, step=frame._index.step)
        metadata[b"pandas"] = as_json().dumps(note).encode()
    arrays = [_arrow_of(c) for c in frame._columns]
    if len(like.column_names) > len(arrays):
        arrays += [_arrow_of(c) for c in frame._index._columns]
    return pyarrow.table(arrays, names=like.column_names).replace_schema_metadata(metadata)


def _arrow_of(c: AnyColumn) -> pyarrow.Array:
    return c.to_arrow()
