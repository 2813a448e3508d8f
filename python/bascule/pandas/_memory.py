"""How much memory values and labels take, as pandas counts it."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas

from .._core import from_numpy
from . import _classes, _indexes
from ._base import Rows
from ._columns.column import AnyColumn, HostColumn, plain
from ._fallback import presented


def _bytes(c: AnyColumn, deep: bool) -> int:
    """Bytes that pandas keeps for a column; with `deep` those of Python's objects too."""
    if isinstance(c, HostColumn):
        return c.memory(deep)
    return c.to_arrow().nbytes if c.is_text else len(c) * (c.values.dtype.itemsize + c.is_masked)


def bytes_of_labels(index: Any, deep: bool) -> int:
    """Bytes that pandas keeps for labels in which nothing has been looked up."""
    if index._own is not None and index.nlevels == 1:
        return (
            index.nbytes if index._own.as_range is not None and hasattr(index, "start") else _bytes(index._column, deep)
        )
    with presented():
        return index.to_pandas().memory_usage(deep=deep)


class FrameMemory(Rows):
    """The memory of frames."""

    def memory_usage(self, index: bool = True, deep: bool = False) -> Any:
        """Bytes of each column, and of the labels.

        Parameters
        ----------
        index : bool
            Whether the labels come first.
        deep : bool
            Whether Python's objects are counted, too.
        """
        sizes = [_bytes(c, deep) for c in self._columns]
        names = self._names
        if index:
            sizes, names = [bytes_of_labels(self._index, deep), *sizes], pandas.Index(["Index"]).append(names)
        return _classes.Series._new(plain(from_numpy(np.array(sizes, np.int64))), _indexes.from_pandas(names))


class SeriesMemory(Rows):
    """The memory of series."""

    def memory_usage(self, index: bool = True, deep: bool = False) -> int:
        """Bytes of the values, and with `index` of the labels; with `deep` those of Python's objects too."""
        return _bytes(self._column, deep) + (bytes_of_labels(self._index, deep) if index else 0)
