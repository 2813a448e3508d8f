"""Arrow's kernels on all threads, since Arrow itself runs a call on one, and on strings of a device, which come in pieces."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ..._core import get_num_threads
from ...parallel_map import in_blocks
from .._theirs import pyarrow

_PIECE_BYTES = 1 << 26  # of strings that are copied from a device at a time
_LEAST_ROWS = 1 << 14  # rows of a slice; starting a thread costs as much as some thousand rows


def of_column(kernel: Callable[..., Any], column: Any, given: dict[str, Any], and_missing: bool = False) -> Any:
    """The results of a kernel for each string of a column, and for a missing one behind them."""
    rows = len(column)
    at_once = rows
    if column.device.startswith("cuda"):
        at_once = max(1, min(rows, rows * _PIECE_BYTES // max(column.core.values.nbytes, 1)))
    found = []
    for begin in range(0, max(rows, 1), max(at_once, 1)):
        count = min(at_once, rows - begin)
        strings = (column if count == rows else column.slice(begin, 1, count)).to_arrow()
        if and_missing and begin + count == rows:
            strings = pyarrow.concat_arrays([strings, pyarrow.nulls(1, strings.type)])
        found.append(in_pieces(kernel, strings, given))
    return found[0] if len(found) == 1 else _together(found)


def in_pieces(kernel: Callable[..., Any], strings: Any, given: dict[str, Any]) -> Any:
    """The results of a kernel for each string: in one call where there are few, else in slices on all threads."""
    rows = len(strings)
    pieces = min(2 * get_num_threads(), rows // _LEAST_ROWS)
    if pieces < 2:
        return kernel(strings, **given)
    step = -(-rows // pieces)
    found: list[Any] = [None] * -(-rows // step)

    def work(k: int, begin: int, end: int) -> None:
        found[k] = kernel(strings.slice(begin, end - begin), **given)

    in_blocks(rows, step, work)
    return _together(found)


def _together(parts: list[Any]) -> Any:
    """The results of all slices as one: arrays, and lists and tuples of arrays with the values that go with them."""
    first = parts[0]
    if isinstance(first, (list, tuple)):
        return type(first)(map(_together, zip(*parts, strict=True)))
    if isinstance(first, (pyarrow.Array, pyarrow.ChunkedArray)):
        chunks = [c for p in parts for c in (p.chunks if isinstance(p, pyarrow.ChunkedArray) else [p])]
        return pyarrow.chunked_array(chunks, first.type).combine_chunks()
    return first
