"""Frames and series written, and converted to other libraries' and Python's objects."""

from __future__ import annotations

import os
from typing import Any

import numpy as np

from ..._array.caller_warnings import warn
from ...interop.dlpack import arrow_c_stream
from .. import _indexes
from .._base import Rows
from .._fallback.native import NotNative, native
from .._fallback.open_files import before_write
from .._io import sql
from .._io.arrow import ATTRS, as_json, column_from_arrow, from_table, to_table
from .._io.files import check_folder
from .._io.to_csv import to_csv
from .._io.to_json import to_json
from .._theirs import pandas, pyarrow


class FrameIO(Rows):
    """Frames written and converted: CSV, Arrow, Parquet, dicts, records."""

    to_csv, to_json = to_csv, to_json

    @native(orient=lambda orient: isinstance(orient, str), into=(dict,))
    def to_dict(self, orient: str = "dict", *, into: Any = dict, index: bool = True) -> Any:
        """Convert to dicts and lists of Python objects.

        Parameters
        ----------
        orient : {"dict", "list", "series", "split", "tight", "records", "index"}
        into, index
            As pandas'.
        """
        if orient != "tight" and not self._names.is_unique:
            text = "DataFrame columns are not unique, some columns will be omitted."
            warn(text, UserWarning)
        names = list(self._names)
        orient = orient.lower()
        if not index and orient not in ("split", "tight"):
            raise ValueError("'index=False' is only valid when 'orient' is 'split' or 'tight'")
        if orient == "series":
            return {k: self._series(i) for i, k in enumerate(names)}
        if orient not in ("dict", "list", "split", "tight", "records", "index"):
            raise ValueError(f"orient '{orient}' not understood")
        if orient == "index" and not self._index.is_unique:
            raise ValueError("DataFrame index must be unique for orient='index'.")
        values = [c.boxed_values() for c in self._columns]
        if orient == "list":
            return dict(zip(names, values))
        if orient == "dict":
            labels = list(self._index)
            return {k: dict(zip(labels, v)) for k, v in zip(names, values)}
        rows = list(zip(*values)) if values else [()] * len(self)
        if orient == "records":
            return [dict(zip(names, r)) for r in rows] if values else [{} for _ in rows]
        if orient == "index":
            return {k: dict(zip(names, r)) for k, r in zip(self._index, rows)}
        made = {"index": self._index.tolist()} if index else {}
        made |= {"columns": list(self._names), "data": [list(r) for r in rows]}
        if orient == "tight":
            made |= {"index_names": list(self._index._names)} if index else {}
            made |= {"column_names": list(self._names.names)}
        return made

    @native(column_dtypes=None, index_dtypes=None)
    def to_records(self, index: bool = True, column_dtypes: Any = None, index_dtypes: Any = None) -> np.recarray:
        """Convert the rows to a NumPy record array, labels first."""
        if isinstance(self._names, pandas.MultiIndex):
            raise NotNative("several levels of columns")
        arrays = [c.to_numpy() for c in self._columns]
        names = [str(n) for n in self._names]
        if index:
            levels = self._index._names
            called = [f"level_{i}" if n is None else n for i, n in enumerate(levels)]
            if len(levels) == 1 and levels[0] is None:
                called = ["index"]
            arrays = [c.to_numpy() for c in self._index._columns] + arrays
            names = [str(n) for n in called] + names
        if not arrays:
            raise NotNative("no columns")
        return np.rec.fromarrays(arrays, dtype={"names": names, "formats": [a.dtype for a in arrays]})

    def __arrow_c_stream__(self, requested_schema: Any = None) -> Any:
        """The rows as a stream of Arrow batches (the PyCapsule interface), with the requested types as in pandas."""
        table = to_table(self)
        if requested_schema is None:
            return table.__arrow_c_stream__()
        wanted = pyarrow.Schema._import_from_c_capsule(requested_schema)
        if wanted.names == table.column_names:
            return table.__arrow_c_stream__(wanted.__arrow_c_schema__())
        asked = (wanted.__arrow_c_schema__(),)
        return self._call_pandas("__arrow_c_stream__", asked, {}, "a schema of other columns than the frame's")

    @classmethod
    def from_arrow(cls, data: Any) -> Any:
        """A frame from any object with Arrow's stream interface: tables, other libraries' frames."""
        if not (hasattr(data, "__arrow_c_array__") or hasattr(data, "__arrow_c_stream__")):
            raise TypeError(
                "Expected an Arrow-compatible tabular object (i.e. having an '_arrow_c_array__' or '__arrow_c_stream__' "
                f"method), got '{type(data).__name__}' instead."
            )
        return from_table(pyarrow.table(data))

    def to_arrow(self) -> pyarrow.Table:
        """The frame as an Arrow table."""
        return to_table(self)

    @native
    def to_sql(
        self, name: str, con: Any, *, schema: str | None = None, if_exists: str = "fail", index: bool = True, index_label: Any = None,
        chunksize: int | None = None, dtype: Any = None, method: Any = None,
    ) -> int | None:  # fmt: skip
        """Write the rows into a table of a database: by ADBC as Arrow's columns, by other connections in pandas.

        Parameters
        ----------
        name : str
            The table.
        con : connection
        schema, if_exists, index, index_label, chunksize, dtype, method
            As pandas'.
        """
        options = {"index_label": index_label, "chunksize": chunksize, "dtype": dtype, "method": method}
        return sql.write(self, name, con, schema, if_exists, index, options)

    def to_parquet(self, path: Any = None, *, engine: str = "auto", compression: Any = "snappy", index: bool | None = None, partition_cols: Any = None, storage_options: Any = None, filesystem: Any = None, **kwargs: Any) -> Any:  # fmt: skip
        """Write a Parquet file with pyarrow.

        Parameters
        ----------
        path : path or object with ``write``, optional
            Without a path, the bytes are returned.
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
            or "schema" in kwargs
        ):
            asked = dict(engine=engine, compression=compression, index=index, partition_cols=partition_cols, storage_options=storage_options, filesystem=filesystem)  # fmt: skip
            return self._call_pandas("to_parquet", (path,), {**asked, **kwargs}, "these arguments")
        before_write(path)
        if isinstance(path, (str, os.PathLike)) and "://" not in os.fspath(path):
            check_folder(os.fspath(path))
        out = io.BytesIO() if path is None else path
        table = to_table(self, index)
        if self.__dict__.get("_attrs"):
            table = table.replace_schema_metadata({**table.schema.metadata, ATTRS: as_json().dumps(self.attrs)})
        pyarrow.parquet.write_table(table, out, compression=compression or "none", **kwargs)
        return out.getvalue() if path is None else None


class SeriesIO(Rows):
    """Series written and converted."""

    to_csv, to_json = to_csv, to_json
    __arrow_c_stream__ = arrow_c_stream

    @classmethod
    def from_arrow(cls, data: Any) -> Any:
        """A series from any object with Arrow's interface of arrays or streams.

        Parameters
        ----------
        data : pyarrow.Array, or object with ``__arrow_c_array__`` or ``__arrow_c_stream__``

        Examples
        --------
        >>> import bascule.pandas as pd
        >>> import pyarrow as pa
        >>> pd.Series.from_arrow(pa.array([1, 2])).sum().item()
        3
        """
        if not (hasattr(data, "__arrow_c_array__") or hasattr(data, "__arrow_c_stream__")):
            raise TypeError(
                "Expected an Arrow-compatible array-like object (i.e. having an '_arrow_c_array__' or "
                f"'__arrow_c_stream__' method), got '{type(data).__name__}' instead."
            )
        is_arrows = isinstance(data, (pyarrow.Array, pyarrow.ChunkedArray))
        c = column_from_arrow(data if is_arrows else pyarrow.chunked_array(data))
        return cls._new(c, _indexes.default(len(c)), getattr(data, "_name", None) if is_arrows else None)

    @native(into=(dict,))
    def to_dict(self, *, into: Any = dict) -> Any:
        """Convert to a dict from labels to values, as Python objects."""
        return dict(zip(self._index, self._column.boxed_values()))
