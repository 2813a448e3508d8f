"""Tables turned: labels of rows to labels of columns."""

from __future__ import annotations

from typing import Any

import numpy as np

from ... import _core
from .. import _classes, _indexes
from .._base import Rows
from .._columns.column import AnyColumn, Column

_int64, _int32 = np.dtype(np.int64), np.dtype(np.int32)


class _Elsewhere(Exception):
    """What pandas has to do, and why."""


def _level(index: Any, level: Any) -> int:
    """The position of one of two levels."""
    if index.nlevels != 2 or isinstance(level, (list, tuple)):
        raise _Elsewhere("labels of other than two levels, or several levels at once")
    if isinstance(level, (int, np.integer)) and not isinstance(level, bool) and level not in index._names:
        if not -2 <= level <= 1:
            raise _Elsewhere("a level that is not there")
        return int(level) % 2
    if index._names.count(level) != 1:
        raise _Elsewhere("a level that is not there")
    return index._names.index(level)


def _distinct(c: AnyColumn) -> tuple[Any, Column]:
    """The number of each row's value among the distinct ones, in their order, and those."""
    if not isinstance(c, Column) or c.has_missing():
        raise _Elsewhere("labels of this type, or missing ones")
    codes, first, _ = _core.factorize_columns([c.core], True, False)
    return codes.view(_int32).astype(_int64), c.take(first)


def _spread(c: AnyColumn, at: Any, holes: bool) -> AnyColumn:
    """Values at positions; where a column of a table has holes, all have the type that holds them."""
    found = c.take(at, holes)
    if holes and found.dtype == c.dtype and isinstance(c.dtype, np.dtype) and c.dtype.kind in "iu":
        return Column(_core.Column.plain(found.values.astype(np.dtype(np.float64))), np.dtype(np.float64))
    return found


def unstacked(series: Any, level: Any) -> Any:
    """A series of labels in two levels as a frame, one of them its columns."""

    index, c = series._index, series._column
    across = _level(index, level)
    if not isinstance(c, Column) or c.is_masked or (not c.is_text and c.dtype.kind not in "iufmM"):
        raise _Elsewhere(f"values of type {c.dtype}")
    down = 1 - across
    rows, row_labels = _distinct(index._columns[down])
    columns, column_labels = _distinct(index._columns[across])
    height, width = len(row_labels), len(column_labels)
    if height * width > max(10 * len(c), 1000) or not len(c):
        raise _Elsewhere("a table that is mostly empty")
    at = _core.to_numpy(rows + columns * height)
    positions = np.full(height * width, -1, np.int64)
    positions[at] = np.arange(len(at))
    filled = int(np.count_nonzero(positions >= 0))
    if filled != len(at):
        raise ValueError("Index contains duplicate entries, cannot reshape")
    holes = filled < len(positions)
    table = [_spread(c, _core.from_numpy(p, c.device), holes) for p in positions.reshape(width, height)]
    labels = _indexes.from_column(column_labels, index._names[across]).to_pandas()
    return _classes.DataFrame._new(table, labels, _indexes.from_column(row_labels, index._names[down]))


class SeriesReshaping(Rows):
    """Series turned."""

    def unstack(self, level: Any = -1, fill_value: Any = None, sort: bool = True) -> Any:
        """A level of the labels as columns of a frame.

        Parameters
        ----------
        level : int or label
        fill_value, sort
            As pandas'.

        Raises
        ------
        ValueError
            When two rows have the same labels.
        """
        try:
            if fill_value is not None or not sort:
                raise _Elsewhere("fill_value= or sort=")
            return unstacked(self, level)
        except _Elsewhere as why:
            return self._call_pandas("unstack", (level, fill_value, sort), reason=str(why))


def _one_label(x: Any) -> Any:
    """The only label of a list of one, or the label itself."""
    x = x[0] if isinstance(x, list) and len(x) == 1 else x
    if not isinstance(x, str):
        raise _Elsewhere("other than one label each of values=, index= and columns=")
    return x


class FrameReshaping(Rows):
    """Frames turned."""

    def pivot_table(
        self, values: Any = None, index: Any = None, columns: Any = None, aggfunc: Any = "mean", fill_value: Any = None, margins: bool = False,
        dropna: bool = True, margins_name: Any = "All", observed: bool = True, sort: bool = True, **kwargs: Any,
    ) -> Any:  # fmt: skip
        """Aggregated values by one column's values down and another's across.

        Parameters
        ----------
        values, index, columns : label
        aggfunc : str
        fill_value, margins, dropna, margins_name, observed, sort, **kwargs
            As pandas'.

        Returns
        -------
        DataFrame
        """
        try:
            plain = fill_value is None and margins is False and dropna is True and sort is True and not kwargs
            if not plain or not isinstance(values, str) or not isinstance(aggfunc, str):
                raise _Elsewhere("options of pivot_table")
            keys = [_one_label(index), _one_label(columns)]
            if len({values, *keys}) < 3 or not all(list(self._names).count(k) == 1 for k in (values, *keys)):
                raise _Elsewhere("labels that are not there, or repeat")
            grouped = self.groupby(keys, observed=observed, sort=True)[values].agg(aggfunc)
            return unstacked(grouped.dropna(), keys[1])
        except _Elsewhere as why:
            options = dict(values=values, index=index, columns=columns, aggfunc=aggfunc, fill_value=fill_value, margins=margins,
                           dropna=dropna, margins_name=margins_name, observed=observed, sort=sort, **kwargs)  # fmt: skip
            return self._call_pandas("pivot_table", (), options, str(why))
