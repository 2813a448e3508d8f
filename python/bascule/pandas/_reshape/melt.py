"""Wide to long format: melt, and the values of lists."""

from __future__ import annotations

from typing import Any

import numpy as np

from .._columns.column import AnyColumn, HostColumn
from .._columns.infer import inferred
from .._fallback.native import NotNative, native_function
from .._labels import is_label
from .._questions import lists_labels
from .._theirs import pandas
from .shapes import is_frame


def label_list(x: Any, name: str) -> list[Any]:
    if x is None:
        return []
    if lists_labels(x):
        return list(x)
    if is_label(x) and not isinstance(x, tuple):
        return [x]
    raise NotNative(f"this use of {name}")


def _exploded(rows: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """The elements of the lists among objects, with NaN for an empty one, and how many each row has."""
    if not {list, tuple, str}.issuperset(map(type, rows)):
        return pandas._libs.reshape.explode(rows)
    lists = [row if type(row) is not str else (row,) for row in rows]
    counts = np.fromiter(map(len, lists), np.int64, len(lists))
    flat = [x for row in lists for x in (row or (np.nan,))]
    return np.fromiter(flat, object, len(flat)), np.maximum(counts, 1)


def values_of_lists(c: AnyColumn) -> tuple[np.ndarray | None, AnyColumn]:
    """The row of each value of a column of lists, and the values; None where there are no lists."""
    lists = c.values_of_lists() if c.is_arrows else None
    if lists is not None:
        counts, of_arrow = lists
        return np.repeat(np.arange(len(c)), counts), of_arrow
    if c.dtype != object or not len(c):
        return None, c
    values, counts = _exploded(c.array)
    found = inferred(values)
    return np.repeat(np.arange(len(c)), counts), HostColumn(values) if found is None else found


@native_function("melt", frame=is_frame)
def melt(
    frame: Any, id_vars: Any = None, value_vars: Any = None, var_name: Any = None, value_name: Any = "value", col_level: Any = None, ignore_index: bool = True
) -> Any:  # fmt: skip
    """Unpivot a frame from wide to long format; see DataFrame.melt."""
    return frame.melt(id_vars, value_vars, var_name, value_name, col_level, ignore_index)
