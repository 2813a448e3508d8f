"""Reading CSV files that take more than `config.memory_limit`: rows go to disk a part at a time, where columns wait."""

from __future__ import annotations

import os
from collections.abc import Callable
from typing import Any

from ...config import config
from .. import _classes, _indexes
from .._columns.dtypes import is_numpys
from .._parts.ordered import OrderedRows
from .._parts.partition import Partitions
from .._parts.walk import SHARE, relieve

_BESIDES = 2  # times its own bytes that a file takes while it is read
_LOOKED_AT = 1 << 16  # bytes of which the length of a line is guessed


def rows_at_a_time(source: Any, others: dict[str, Any]) -> int | None:
    """How many rows of a file are read at a time; None where all may be in memory, or the program reads in parts itself."""
    limit = config.memory_limit
    if limit is None or not isinstance(source, (str, os.PathLike)) or not os.path.isfile(source):
        return None
    if any(others.get(name) for name in ("nrows", "chunksize", "iterator", "byte_range", "compression")):
        return None
    if os.path.getsize(source) * _BESIDES <= limit:
        return None
    with open(source, "rb") as f:
        some = f.read(_LOOKED_AT)
    return max(1000, limit // SHARE * (some.count(b"\n") + 1) // max(len(some), 1))


def read_in_parts(read: Callable[..., Any], source: Any, rows: int, options: dict[str, Any]) -> Any:
    """The frame of a CSV file, whose columns wait for rows on disk.

    Parameters
    ----------
    read : callable
        Reads a file, as `read_csv`.

    Raises
    ------
    NotImplementedError
        For labels that are columns, and for columns that have other types in some parts than in others.
    """
    if options.get("index_col") not in (None, False):
        raise NotImplementedError("[read_csv] index_col=, of a file that takes more than config.memory_limit")
    partitions, names, count = Partitions(0), None, 0
    for frame in read(source, **{**options, "chunksize": rows}):
        if not isinstance(frame._index, _indexes.RangeIndex):
            raise NotImplementedError("[read_csv] labels of rows, in a file that takes more than config.memory_limit")
        names = frame._names
        partitions.append(frame._columns)
        count += len(frame)
        relieve()
    if names is None:
        return read(source, **options)
    for i, name in enumerate(names):
        kinds = partitions.kinds(i)
        if len(kinds) > 1 and not all(is_numpys(k, "iuf") for k in kinds):
            raise NotImplementedError(
                f"[read_csv] {os.fspath(source)}, which takes more than config.memory_limit: column {name!r} has other types "
                f"in some parts than in others, {', '.join(map(str, kinds))}; give its type by dtype="
            )
    columns = OrderedRows(partitions, None).columns(range(len(names)))
    return _classes.DataFrame._new(columns, names, _indexes.default(count))
