"""The representation of frames and series: the rows that are shown are formatted by pandas itself."""

from __future__ import annotations

import collections
import re
from typing import Any

from .. import _indexes, _plain_text
from .._stand_ins import STR
from .._theirs import is_loaded, pandas


def _shown(x: Any) -> tuple[Any, int | None]:
    """A pandas object with the representation of x, and the number of rows it stands for where it is shortened.

    pandas shows the first and last rows of a long object: those are the rows of x, with copies of the first one between them.
    """
    n, most = len(x), pandas.get_option("display.max_rows")
    if not most or n <= max(most, 1):
        return x.to_pandas(), None
    least = pandas.get_option("display.min_rows")
    edge = (min(least, most) if least else most) // 2 + 1
    filler = max(most + 1 - 2 * edge, 1)
    if n <= 2 * edge + filler:
        return x.to_pandas(), None
    positions = [*range(edge), *[0] * filler, *range(n - edge, n)]
    return x._take_rows(positions).to_pandas(), n


def frame_text(frame: Any) -> str:
    own = None if is_loaded() else _plain_text.frame_text(frame)  # before, pandas' options have their defaults
    if own is not None:
        return own
    shown, n = _shown(frame)
    text = repr(shown)
    return text if n is None else re.sub(r"\[\d+ rows x", f"[{n} rows x", text)


def frame_html(frame: Any) -> str | None:
    shown, n = _shown(frame)
    text = shown._repr_html_()
    return text if n is None or text is None else re.sub(r"<p>\d+ rows ×", f"<p>{n} rows ×", text)


def series_text(series: Any) -> str:
    own = None if is_loaded() else _plain_text.series_text(series)
    if own is not None:
        return own
    shown, n = _shown(series)
    text = repr(shown)
    if n is None:
        return text
    freq = getattr(series._index, "_freq", None)
    freq = "" if freq is None else f"Freq: {freq.freqstr}, "
    return re.sub(r"\n((?:Name: .*, )?)Length: \d+, dtype", rf"\n{freq}\1Length: {n}, dtype", text)


_MOST_DESCRIBED = 100, 1_690_785  # columns and rows of the table; pandas writes less of larger frames


def frame_info(frame: Any, memory: bool) -> str | None:
    """The summary that `info` prints, with or without the line of the memory; None where only pandas knows it."""
    index, names = frame._index, list(frame._names)
    ranged = type(index) is _indexes.RangeIndex
    known = ranged or (type(index) is _indexes.Index and index.dtype == STR and not index._columns[0].has_missing())
    few = 0 < len(names) <= _MOST_DESCRIBED[0] and len(frame) <= _MOST_DESCRIBED[1]
    if type(frame).__name__ != "DataFrame" or not known or not few or not all(type(n) is str for n in names):
        return None
    ends = f", {index[0]} to {index[-1]}" if len(index) else ""
    types = [str(c.dtype) for c in frame._columns]
    table = [
        [" # ", *(f" {i}" for i in range(len(names)))],
        ["Column", *names],
        ["Non-Null Count", *(f"{int(n)} non-null" for n in frame.count().tolist())],
        ["Dtype", *types],
    ]
    widths = [max(map(len, column)) for column in table]
    lines = [[t.ljust(width) for t in column] for column, width in zip(table, widths)]
    for column, head in zip(lines, table):
        column.insert(1, ("-" * len(head[0])).ljust(len(column[0])))
    counts = collections.Counter(c.dtype.name for c in frame._columns)
    text = [
        "<class 'pandas.DataFrame'>",
        f"{type(index).__name__}: {len(index)} entries{ends}",
        f"Data columns (total {len(names)} columns):",
        *("  ".join(line) for line in zip(*lines)),
        "dtypes: " + ", ".join(f"{name}({n})" for name, n in sorted(counts.items())),
    ]
    if memory:
        size, unit = float(frame.memory_usage().sum()), "bytes"
        for larger in ("KB", "MB", "GB", "TB"):
            if size < 1024:
                break
            size, unit = size / 1024, larger
        text.append(f"memory usage: {size:3.1f}{'+' if 'object' in counts else ''} {unit}\n")
    return "\n".join(text)
