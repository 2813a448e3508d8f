"""The frame backend: how Dask makes collections of bascule frames."""

from __future__ import annotations

from typing import Any

import pandas
from dask import config
from dask.dataframe.backends import DataFrameBackendEntrypoint
from dask.dataframe.dask_expr._expr import ToBackend
from dask.utils import Dispatch

from .. import pandas as pd
from . import _frame_io, _partitions

_dispatch = Dispatch("to_bascule")
_dispatch.register((pandas.DataFrame, pandas.Series, pandas.Index, *_partitions.ALL), _partitions.to_bascule)


def _by_pandas() -> Any:
    """Inside, Dask's own functions make collections of pandas frames (and do not come back here)."""
    return config.set({"dataframe.backend": "pandas"})


class ToBasculeBackend(ToBackend):
    """Expression of a collection whose partitions are converted to bascule."""

    @staticmethod
    def operation(df: Any, options: dict) -> Any:
        """Convert one partition."""
        return _dispatch(df, **options)

    def _simplify_down(self) -> Any:
        return self.frame if isinstance(self.frame._meta, _partitions.ALL) else None


def _through_pandas(name: str) -> Any:
    def read(*args: Any, **kwargs: Any) -> Any:
        import dask.dataframe as dd

        with _by_pandas():
            made = getattr(dd, name)(*args, **kwargs)
        return FrameEntry.to_backend(made)

    read.__name__ = read.__qualname__ = name
    read.__doc__ = f"``dd.{name}``, read by pandas and brought to bascule partition by partition."
    return staticmethod(read)


class FrameEntry(DataFrameBackendEntrypoint):
    """Entry point of frames: what ``dask.config.set({"dataframe.backend": "bascule"})`` chooses."""

    @classmethod
    def to_backend_dispatch(cls) -> Dispatch:
        """The function by which ``to_backend("bascule")`` converts a partition."""
        return _dispatch

    @classmethod
    def to_backend(cls, data: Any, **kwargs: Any) -> Any:
        """A collection whose partitions are bascule frames, series or indexes."""
        from dask.dataframe.dask_expr._collection import new_collection

        return new_collection(ToBasculeBackend(data, kwargs))

    @staticmethod
    def from_dict(
        data: dict,
        npartitions: int,
        orient: str = "columns",
        dtype: Any = None,
        columns: Any = None,
        constructor: Any = pd.DataFrame,
    ) -> Any:
        """``dd.from_dict`` with bascule frames as partitions."""
        import dask.dataframe as dd

        with _by_pandas():
            return dd.from_dict(data, npartitions=npartitions, orient=orient, dtype=dtype, columns=columns, constructor=constructor)  # fmt: skip

    @staticmethod
    def read_csv(urlpath: Any, *args: Any, **kwargs: Any) -> Any:
        """``dd.read_csv``: of local files each partition reads its own bytes, in the core."""
        with _by_pandas():
            return _frame_io.read_csv(urlpath, *args, **kwargs)

    @staticmethod
    def read_parquet(path: Any = None, *args: Any, **kwargs: Any) -> Any:
        """``dd.read_parquet`` with columns and filters applied when files are read."""
        import dask.dataframe as dd

        if args or kwargs.get("engine") not in (None, "pyarrow") or kwargs.get("filesystem", "fsspec") != "fsspec":
            with _by_pandas():
                return FrameEntry.to_backend(dd.read_parquet(path, *args, **kwargs))
        with _by_pandas():
            return dd.read_parquet(path, **{**kwargs, "engine": _frame_io.ParquetEngine, "filesystem": "fsspec"})

    read_json = _through_pandas("read_json")
    read_orc = _through_pandas("read_orc")
    read_hdf = _through_pandas("read_hdf")
