"""Wide to long format: melt, and explode."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas
import pyarrow
import pyarrow.compute as pc
from pandas.core.indexes.api import ensure_index

from ... import _core
from .. import _classes, _indexes
from .._base import Rows
from .._columns.column import STR, AnyColumn, Column, text_from_arrow
from .._columns.column import concat as concat_columns
from .._fallback.native import NotNative, native, native_function
from .._labels import is_label
from .shapes import repeated_rows, row_labels, taken, tiled_rows
from .unstack import one_type


def _labels(x: Any, name: str) -> list[Any]:
    if x is None:
        return []
    if isinstance(x, (list, np.ndarray, pandas.Index)):
        return list(x)
    if is_label(x) and not isinstance(x, tuple):
        return [x]
    raise NotNative(f"this use of {name}")


class FrameMelting(Rows):
    """Methods of frames whose results have fewer columns and more rows."""

    @native
    def melt(
        self, id_vars: Any = None, value_vars: Any = None, var_name: Any = None, value_name: Any = "value", col_level: Any = None, ignore_index: bool = True
    ) -> Any:  # fmt: skip
        """Unpivot a frame from wide to long format.

        Parameters
        ----------
        id_vars : label or list of labels, optional
            Columns that are repeated.
        value_vars : label or list of labels, optional
            Columns whose values are taken; all others by default.
        var_name, value_name : label
        col_level, ignore_index
            As pandas'.
        """
        names = self._names
        if col_level is not None or isinstance(names, pandas.MultiIndex) or not names.is_unique:
            raise NotNative("duplicate column labels, or several levels of columns")
        if value_name in names:
            raise ValueError(f"value_name ({value_name}) cannot match an element in the DataFrame columns.")
        ids = _labels(id_vars, "id_vars")
        wanted = _labels(value_vars, "value_vars")
        missing = [k for k in [*ids, *wanted] if k not in names]
        if missing:
            raise KeyError(f"The following id_vars or value_vars are not present in the DataFrame: {missing}")
        if var_name is None:
            var_name = names.name if names.name is not None else "variable"
        elif isinstance(var_name, (list, tuple, np.ndarray)):
            raise ValueError(f"{var_name=} must be a scalar.")
        out = [*ids, var_name, value_name]
        repeated = list({x for x in out if out.count(x) > 1})
        if repeated:
            raise ValueError(f"melt output columns cannot contain duplicate names: {repeated}")
        where_ids = [names.get_loc(k) for k in ids]
        kept = range(len(names)) if value_vars is None else [names.get_loc(k) for k in wanted]
        at = [i for i in dict.fromkeys(kept) if i not in where_ids]
        height, width = len(self), len(at)
        if not height or not width:
            raise NotNative("no rows, or no columns of values")
        rows = tiled_rows(height, width)
        labels = row_labels(names[at])
        variable = labels._columns[0].take(repeated_rows(width, height))
        values = concat_columns(one_type([self._columns[i] for i in at]))
        columns = [*taken([self._columns[i] for i in where_ids], rows), variable, values]
        index = _indexes.default(height * width) if ignore_index else self._index._take(rows)
        return _classes.DataFrame._new(columns, ensure_index(out), index)

    @native
    def explode(self, column: Any, ignore_index: bool = False) -> Any:
        """Expand the lists in a column to one row for each value."""
        if not self._names.is_unique:
            duplicates = list(self._names[self._names.duplicated()])
            raise ValueError(f"DataFrame columns must be unique. Duplicate columns: {duplicates}")
        if isinstance(column, list):
            if len(column) != 1:
                raise NotNative("several columns")
            column = column[0]
        if column not in self._names:
            raise KeyError(column)
        at = self._position(column)
        rows, values = _values_of_lists(self._columns[at])
        if rows is None:
            out = self.copy()
        else:
            p = _core.from_numpy(rows)
            columns = [values if i == at else c.take(p) for i, c in enumerate(self._columns)]
            out = self._with(columns, self._index._take(p))
        return out._with(out._all_columns(), _indexes.default(len(out))) if ignore_index else out


def _values_of_lists(c: AnyColumn) -> tuple[np.ndarray | None, AnyColumn]:
    """The row of each value of a column of lists, and the values; None where there are no lists."""
    if isinstance(c, Column):
        return None, c
    lists = getattr(c, "lists", None)
    if lists is None or not len(lists):
        raise NotNative(f"values of type {c.dtype}")
    lengths = np.maximum(pc.fill_null(pc.list_value_length(lists), 1).to_numpy(zero_copy_only=False), 1)
    one = pyarrow.scalar([None], type=lists.type)  # an empty list keeps its row
    whole = pc.if_else(pc.equal(pc.fill_null(pc.list_value_length(lists), 0), 0), one, lists)
    values = pc.list_flatten(whole)
    if values.null_count == len(values):
        raise NotNative("only missing values")
    return np.repeat(np.arange(len(lists)), lengths), text_from_arrow(values, STR)


class SeriesMelting(Rows):
    """Methods of series whose results have more rows."""

    @native
    def explode(self, ignore_index: bool = False) -> Any:
        """Expand lists to one row for each value."""
        rows, values = _values_of_lists(self._column)
        if rows is not None or not isinstance(values.dtype, np.dtype):
            index = self._index.repeat(1 if rows is None else np.bincount(rows, minlength=len(self)))
            out = self._with([values], index)
        else:
            out = self.copy()
        return out._with(out._all_columns(), _indexes.default(len(out))) if ignore_index else out


@native_function(pandas.melt)
def melt(
    frame: Any, id_vars: Any = None, value_vars: Any = None, var_name: Any = None, value_name: Any = "value", col_level: Any = None, ignore_index: bool = True
) -> Any:  # fmt: skip
    """Unpivot a frame from wide to long format; see DataFrame.melt."""
    if not isinstance(frame, _classes.DataFrame):
        raise NotNative("unsupported data")
    return frame.melt(id_vars, value_vars, var_name, value_name, col_level, ignore_index)
