"""Transposed frames, which answer by the frame that they were made of as long as their many columns are not made."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from .. import _classes
from .._columns.column import AnyColumn, HostColumn
from .._stand_ins import STR
from .rows import matrix_of_objects
from .shapes import column_labels, row_labels
from .unstack import by_rows, one_type

_MORE = 2  # times as many columns as the frame had, from where it is worth to keep that
_REDUCED = frozenset(("sum", "prod", "mean", "min", "max", "std", "var"))  # alike along rows and along columns
_REDUCED_BOOLS = frozenset(("sum", "any", "all"))


def turned(frame: Any, names: Any = None, index: Any = None) -> Any:
    """Transpose a frame of a single type, perhaps with other labels of the columns and rows.

    Raises
    ------
    NotNative
        When the columns are of several types.
    """
    own = origin(frame)
    if own is not None:
        return _classes.DataFrame._new(own._columns, column_labels(frame._index), row_labels(frame._names))
    height, width = frame.shape
    names = column_labels(frame._index) if names is None else names
    below = row_labels(frame._names) if index is None else index
    if _are_objects(frame._columns):
        objects = matrix_of_objects(frame._columns, height)
        return _classes.DataFrame._pending(lambda: [HostColumn(objects[i]) for i in range(height)], names, below)
    values = by_rows(frame._columns, height)

    def rows() -> list[AnyColumn]:
        return [values.slice(i * width, 1, width) for i in range(height)]

    made = _classes.DataFrame._pending(rows, names, below)
    if height >= _MORE * width and (values.plain == "b" or (values.plain in "iuf" and values.dtype.itemsize == 8)):
        kept = frame._columns if all(c.dtype == values.dtype for c in frame._columns) else one_type(frame._columns)
        made.__dict__["_origin"] = _classes.DataFrame._new(kept, frame._names, frame._index), values
    return made


def _are_objects(columns: list[AnyColumn]) -> bool:
    """Whether rows hold objects: of columns that are no numbers, of several of NumPy's types or strings."""
    kinds = {"t" if c.dtype == STR else c.plain for c in columns}
    return "-" not in kinds and len(kinds) > 1 and not kinds <= set("iuf")


def origin(frame: Any) -> Any:
    """The frame that one was made of by transposition, whose labels may be others; None once its columns are made."""
    held = frame.__dict__
    return held["_origin"][0] if "_origin" in held and "_make" in held and "_columns" not in held else None


def reduced_origin(frame: Any, name: str) -> Any:
    """The frame whose reduction along the other axis is that of a transposed one; None where there is none."""
    own = origin(frame)
    if own is None:
        return None
    return own if name in (_REDUCED_BOOLS if own._columns[0].plain == "b" else _REDUCED) else None


def row_of_origin(frame: Any, i: int) -> AnyColumn | None:
    """One column of a transposed frame; None of others."""
    own = origin(frame)
    return None if own is None else frame.__dict__["_origin"][1].slice(i * own.shape[1], 1, own.shape[1])


def by_origin(frame: Any, change: Callable[[Any], Any]) -> Any:
    """The frame after a change of each value on its own, made of the origin; None where the columns have to be made."""
    own = origin(frame)
    made = None if own is None else change(own)
    if made is None or not all(c.plain in "biuf" and c.dtype == made._columns[0].dtype for c in made._columns):
        return None
    return turned(made, frame._names, frame._index)


def each(x: Any, change: Callable[[AnyColumn], AnyColumn]) -> Any:
    """A frame or series with each column changed by a function of its values, one by one."""
    made = by_origin(x, lambda own: each(own, change)) if x.ndim == 2 else None
    return x._with([change(c) for c in x._all_columns()], x._index) if made is None else made


def of_two(left: Any, right: Any, compute: Callable[[Any, Any], Any]) -> Any:
    """The frame of an operation on equally labelled frames, made of their origins; None where the columns have to be made."""
    other = origin(right)
    if other is None:
        return None
    return by_origin(left, lambda own: compute(own, _classes.DataFrame._new(other._columns, own._names, own._index)))
