"""Pivots, stacks, long and wide formats, transposition."""

from __future__ import annotations

from typing import Any

import numpy as np

from ... import _core
from .. import _classes, _indexes
from .._base import Rows
from .._columns.column import ndarray
from .._columns.concatenation import concat as concat_columns
from .._columns.dtypes import is_of_pandas
from .._fallback.native import NotNative, native
from .._indexes.multi import orders_of
from .._questions import is_list_like
from .._reshape.melt import label_list, values_of_lists
from .._reshape.pivot import check_categories, function_name, keys_of, pivoted
from .._reshape.shapes import repeated_rows, row_labels, taken, tiled_rows
from .._reshape.turned import turned
from .._reshape.unstack import by_rows, listed, one_type, unstacked
from .._stand_ins import labels_of
from .._theirs import UNSET, pandas, unset

_INT64 = np.dtype(np.int64)


class FrameReshaping(Rows):
    """Frames in another shape."""

    @native(sort=True)
    def pivot_table(
        self, values: Any = None, index: Any = None, columns: Any = None, aggfunc: Any = "mean", fill_value: Any = None, margins: bool = False,
        dropna: bool = True, margins_name: Any = "All", observed: bool = True, sort: bool = True, **kwargs: Any,
    ) -> Any:  # fmt: skip
        """Pivot table: aggregated values with some columns' values as rows and others' as columns.

        Parameters
        ----------
        values, index, columns : label or list of labels
        aggfunc : str or list of str
        fill_value : scalar, optional
            Replacement for missing values.
        margins : bool
            Whether to add the aggregates over all rows and columns.
        dropna, margins_name, observed, sort, **kwargs
            As pandas'.

        Returns
        -------
        DataFrame
        """
        if kwargs or not self._names.is_unique or isinstance(self._names, pandas.MultiIndex):
            raise NotNative("options of pivot_table")
        down, across = keys_of(index), keys_of(columns)
        if not observed:
            check_categories(self, down + across)
        given = (values, down, across)
        options = (fill_value, margins, dropna, margins_name)
        if not isinstance(aggfunc, list):
            return pivoted(self, *given, function_name(aggfunc), *options)
        if not aggfunc:
            raise NotNative("no aggregation")
        parts = [pivoted(self, *given, function_name(how), *options) for how in aggfunc]
        if not all(p._index.equals(parts[0]._index) for p in parts):
            raise NotNative("aggregations that return other rows")
        labels = [(how, *(n if isinstance(n, tuple) else (n,))) for how, p in zip(aggfunc, parts) for n in p._names]
        names = pandas.MultiIndex.from_tuples(labels, names=[None, *parts[0]._names.names])
        return _classes.DataFrame._new([c for p in parts for c in p._columns], names, parts[0]._index)

    @native(sort=True)
    def unstack(self, level: Any = -1, fill_value: Any = None, sort: bool = True) -> Any:
        """Pivot levels of the row labels to columns, below their own; a series where there is one level only."""
        return unstacked(self, level, fill_value)

    @native(dropna=unset, sort=unset, future_stack=True)
    def stack(self, level: Any = -1, dropna: Any = UNSET, sort: Any = UNSET, future_stack: bool = True) -> Any:
        """Pivot the column labels to a level of the row labels."""
        names = self._names
        if isinstance(names, pandas.MultiIndex):
            raise NotNative("several levels of columns")
        if level not in (-1, 0, [-1], [0]) and (level != names.name or level is None):
            raise NotNative("a level that is not there")
        if not names.is_unique:
            raise ValueError("Columns with duplicate values are not supported in stack")
        height, width = self.shape
        if not height or not width or names.hasnans:
            raise NotNative("an empty frame, or missing labels")
        values, index, labels = by_rows(self._columns, height), self._index, row_labels(names)
        columns = [c.take(repeated_rows(height, width)) for c in index._columns]
        columns += [c.take(tiled_rows(width, height)) for c in labels._columns]
        stacked = _indexes.MultiIndex._make(columns, [*index._names, names.name])
        stacked._ordered([*orders_of(index, of_one=True), *labels._columns])
        return _classes.Series._new(values, stacked, None)

    @native
    def pivot(self, *, columns: Any, index: Any = UNSET, values: Any = UNSET) -> Any:
        """Reshape by column values: some columns' values become the index, others' the columns.

        Parameters
        ----------
        columns, index, values : label or list of labels
            Labels of columns; the row labels without `index`, all other columns without `values`.

        Raises
        ------
        ValueError
            When two rows have the same labels.
        """
        across = listed(columns)
        down = [] if unset(index) else listed(index)
        asked = [] if unset(values) or isinstance(values, tuple) else listed(values)
        for name, labels in (("columns", across), ("index", down), ("values", asked)):
            missing = [k for k in labels if k not in self._names]
            if missing:
                raise KeyError(f"The following '{name}' labels are not columns of the DataFrame: {missing}")
        if not self._names.is_unique or isinstance(self._names, pandas.MultiIndex) or isinstance(values, tuple):
            raise NotNative("duplicate column labels, or several levels of columns")
        at = self._positions_of([*down, *across])
        keys = [self._columns[i] for i in at]
        called = list(self._names[at])
        if unset(index):
            keys, called = [*self._index._columns, *keys], [*self._index._names, *called]
        why = "labels of pandas extension dtypes, or of names that repeat"
        keys = [k.own(why) for k in keys]
        if len(set(called)) < len(called):
            raise NotNative(why)
        labels = _indexes.MultiIndex._make(keys, called)
        levels = list(range(len(keys) - len(across), len(keys)))
        if unset(values):
            rest = [i for i in range(len(self._columns)) if i not in at]
            return unstacked(
                _classes.DataFrame._new([self._columns[i] for i in rest], self._names[rest], labels), levels
            )
        if isinstance(values, (list, np.ndarray, pandas.Index, _indexes.Index)):
            parts = one_type([self._columns[i] for i in self._positions_of(asked)])
            return unstacked(_classes.DataFrame._new(parts, pandas.Index(asked), labels), levels)
        return unstacked(_classes.Series._new(self._columns[self._position(values)], labels), levels)

    @native(col_level=None)
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
        if isinstance(names, pandas.MultiIndex) or not names.is_unique:
            raise NotNative("duplicate column labels, or several levels of columns")
        if value_name in names:
            raise ValueError(f"value_name ({value_name}) cannot match an element in the DataFrame columns.")
        ids = label_list(id_vars, "id_vars")
        wanted = label_list(value_vars, "value_vars")
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
        return _classes.DataFrame._new(columns, labels_of(out), index)

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
        elif is_list_like(column) and not isinstance(column, tuple):
            raise ValueError("column must be a scalar, tuple, or list thereof")
        if column not in self._names:
            raise KeyError(column)
        at = self._position(column)
        rows, values = values_of_lists(self._columns[at])
        if rows is None:
            out = self.copy()
        else:
            p = _core.from_numpy(rows)
            columns = [values if i == at else c.take(p) for i, c in enumerate(self._columns)]
            out = self._with(columns, self._index._take(p))
        return out._with(out._all_columns(), _indexes.default(len(out))) if ignore_index else out

    def squeeze(self: Any, axis: Any = None) -> Any:
        """The series of a frame of one column, or the value of one with one row too; any other frame unchanged."""
        if axis not in (None, 0, 1, "index", "rows", "columns"):
            raise ValueError(f"No axis named {axis} for object type DataFrame")
        over_rows = axis in (None, 0, "index", "rows") and len(self) == 1
        over_columns = axis in (None, 1, "columns") and len(self._columns) == 1
        if over_rows and over_columns:
            return self._columns[0].item(0)
        if over_rows:
            return self._call_pandas("squeeze", (axis,), reason="one row of several columns")
        return self._series(0) if over_columns else self.copy()

    @native(copy=unset)
    def transpose(self, *args: Any, copy: Any = UNSET) -> Any:
        """Transpose the frame."""
        if args:
            raise NotNative("axes=")
        return turned(self)

    @property
    def T(self) -> Any:
        """The transposed frame."""
        return self.transpose()


class SeriesReshaping(Rows):
    """Series in another shape."""

    @native(sort=True)
    def unstack(self, level: Any = -1, fill_value: Any = None, sort: bool = True) -> Any:
        """Pivot levels of the index to columns.

        Parameters
        ----------
        level : int, label, or list of them
        fill_value : scalar, optional
            Replacement for missing values.
        sort : bool
            As pandas'.

        Raises
        ------
        ValueError
            When two rows have the same labels.
        """
        return unstacked(self, level, fill_value)

    @native
    def explode(self, ignore_index: bool = False) -> Any:
        """Expand lists to one row for each value."""
        rows, values = values_of_lists(self._column)
        if rows is not None or is_of_pandas(values.dtype):
            index = self._index.repeat(1 if rows is None else np.bincount(rows, minlength=len(self)))
            out = self._with([values], index)
        else:
            out = self.copy()
        return out._with(out._all_columns(), _indexes.default(len(out))) if ignore_index else out

    def squeeze(self: Any, axis: Any = None) -> Any:
        """The only value of a series of one row; any other series unchanged."""
        if axis not in (None, 0, "index", "rows"):
            raise ValueError(f"No axis named {axis} for object type Series")
        return self._column.item(0) if len(self) == 1 else self.copy()

    def transpose(self, *args: Any, **kwargs: Any) -> Any:
        """The series itself: it has one axis."""
        np.empty(0).transpose(*args, **kwargs)  # NumPy's words for arguments that are none
        return self

    @property
    def T(self) -> Any:
        """The series itself: it has one axis."""
        return self

    def repeat(self, repeats: Any, axis: None = None) -> Any:
        """Repeat each row a number of times."""
        if axis is not None:
            raise ValueError("the 'axis' parameter is not supported in the pandas implementation of repeat()")
        if hasattr(repeats, "_column"):
            repeats = repeats._column.whole("int64")
        if type(repeats) is ndarray:
            repeats = _core.to_numpy(repeats)
        rows = _core.from_numpy(np.repeat(np.arange(len(self), dtype=_INT64), repeats))
        return self._with([self._column.take(rows).constructed()], self._index.repeat(repeats))
