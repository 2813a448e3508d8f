"""Changing the labels of rows and columns, and rows by their labels: rename, reindex, drop, reset_index, filter."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import numpy as np

import bascule as bc

from .... import _core
from ... import _classes, _fallback, _indexes
from ..._base import Rows, row_positions
from ..._columns.column import AnyColumn, ndarray, plain
from ..._columns.sampling import random_positions, random_source, sample_size
from ..._columns.unique import all_own, check_keep, duplicated_rows
from ..._columns.where import choose
from ..._fallback.carried import bare
from ..._fallback.native import NotNative, native
from ..._indexes.align import align, positions_in
from ..._labels import without
from ..._parts.duplicates import duplicated_in_parts
from ..._parts.walk import are_beyond_memory
from ..._questions import is_dict_like, is_list_like, is_scalar, listed
from ..._reshape.set_index import as_values, rest_of_levels
from ..._stand_ins import of_rows
from ..._theirs import UNSET, pandas, unset
from .drop import without_rows
from .levels import (
    COLUMNS,
    ROWS,
    axis_number,
    checked_weights,
    filter_by,
    filtered_rows,
    in_place,
    level_numbers,
    listed_labels,
    rows_that,
    with_column_labels,
    without_duplicates,
)


def _renamed(labels: pandas.Index, mapper: Any, errors: str) -> pandas.Index:
    """Labels of columns, changed by a function or mapping."""
    if not callable(mapper):
        mapping = _fallback.to_pandas(mapper)
        if errors == "raise":
            absent = [k for k in mapping if k not in labels]
            if absent:
                raise KeyError(f"{absent} not found in axis")
        return labels._transform_index(lambda n: mapping[n] if n in mapping else n)
    return labels._transform_index(mapper)


class Labels(Rows):
    """Methods of the labels of frames; those of series that differ are in SeriesLabels."""

    @native(copy=unset, level=None)
    def rename(
        self, mapper: Any = None, *, index: Any = None, columns: Any = None, axis: Any = None, copy: Any = UNSET, inplace: bool = False, level: Any = None,
        errors: str = "ignore",
    ) -> Any:  # fmt: skip
        """Rename labels by a function or mapping.

        Parameters
        ----------
        mapper : callable or mapping
            For the axis that `axis` names.
        index, columns : callable or mapping
        axis, copy, inplace, level, errors
            As pandas'.
        """
        if mapper is None and index is None and columns is None:
            raise TypeError("must pass an index to rename")
        if mapper is not None and (index is not None or columns is not None):
            raise TypeError("Cannot specify both 'mapper' and any of 'index' or 'columns'")
        if mapper is not None:
            index, columns = (None, mapper) if axis_number(self, axis or 0) else (mapper, None)
        elif axis is not None:
            raise TypeError("Cannot specify both 'axis' and any of 'index' or 'columns'")
        if index is not None or isinstance(self._names, pandas.MultiIndex):
            raise NotNative("labels of rows, or several levels of columns")
        out = self.copy()
        out.__dict__["_column_labels"] = _renamed(self._names, columns, errors)
        return in_place(self, out, inplace)

    def drop(
        self,
        labels: Any = None,
        *,
        axis: Any = 0,
        index: Any = None,
        columns: Any = None,
        level: Any = None,
        inplace: bool = False,
        errors: str = "raise",
    ) -> Any:
        """Remove rows or columns by label.

        Parameters
        ----------
        labels : label or list of labels
            On the axis that `axis` names.
        index, columns : label or list of labels
        axis, level, inplace, errors
            As pandas'.

        Raises
        ------
        KeyError
            When a label does not exist, unless errors="ignore".
        """
        labels, index, columns = map(listed, (labels, index, columns))
        if labels is not None:
            if index is not None or columns is not None:
                raise ValueError("Cannot specify both 'labels' and 'index'/'columns'")
            index, columns = (None, labels) if axis in COLUMNS else (labels, None)
        elif (index is not None or columns is not None) and axis == 1:
            raise ValueError("Cannot specify both 'axis' and 'index'/'columns'")
        elif index is None and columns is None:
            raise ValueError("Need to specify at least one of 'labels', 'index' or 'columns'")
        out = None
        if level is None and not isinstance(self._names, pandas.MultiIndex):
            kept = None if columns is None else without(self._names, listed_labels(columns), errors)
            out = self if kept is None else self._select(kept)
            if index is not None:
                out = without_rows(out, index, errors)
        if out is None:
            asked = dict(index=index, columns=columns, level=level, errors=errors)
            return self._call_pandas("drop", (), asked | ({"inplace": True} if inplace else {}), "these labels")
        return in_place(self, out.copy(), inplace)

    def reindex(
        self, labels: Any = None, *, index: Any = None, columns: Any = None, axis: Any = None, method: Any = None, copy: Any = UNSET, level: Any = None,
        fill_value: Any = np.nan, limit: Any = None, tolerance: Any = None,
    ) -> Any:  # fmt: skip
        """The rows and columns at other labels, missing for labels that do not exist."""
        if index is not None and columns is not None and labels is not None:
            raise TypeError("Cannot specify all of 'labels', 'index', 'columns'.")
        if index is not None or columns is not None:
            if axis is not None:
                raise TypeError("Cannot specify both 'axis' and any of 'index' or 'columns'")
            if labels is not None:
                index, columns = (index, labels) if index is not None else (labels, columns)
        elif labels is not None:
            index, columns = (None, labels) if axis_number(self, axis or 0) else (labels, None)
        index, columns = (list(x) if isinstance(x, Iterator) else x for x in (index, columns))
        plain = (
            method is None
            and level is None
            and limit is None
            and tolerance is None
            and unset(copy)
            and (fill_value is np.nan or columns is None)
        )
        out = self if plain else None
        if out is not None and columns is not None:
            out = out._with_columns(columns)
        if out is not None and index is not None:
            out = out._reindexed(_indexes.targets(self._index, index), fill_value)
        if out is None:
            asked = {k: v for k, v in dict(index=index, columns=columns, method=method, level=level, fill_value=fill_value, limit=limit, tolerance=tolerance).items() if v is not None}  # fmt: skip
            return self._call_pandas("reindex", (), asked, "these arguments")
        return out.copy()

    def _with_columns(self, columns: Any) -> Any:
        """Columns of these labels, with missing floats for labels that do not exist; None where labels repeat.

        The floats are float64, or of the type that all columns have.
        """
        if (
            not self._names.is_unique
            or getattr(columns, "nlevels", 1) > 1
            or isinstance(self._names, pandas.MultiIndex)
        ):
            return None
        wanted = of_rows(columns) if isinstance(columns, _indexes.Index) else _fallback.to_pandas(columns)
        names, found = self._names.reindex(wanted)
        if found is None:
            found = range(len(names))
        dtypes = {c.dtype for c in self._columns}
        alike = len(dtypes) == 1 and self._columns[0].nan_is_missing  # as where pandas has one block
        dtype = dtypes.pop() if alike else np.dtype(np.float64)
        lacking = plain(_core.full((len(self),), np.nan, dtype, self._device()))
        return _classes.DataFrame._new([self._columns[i] if i >= 0 else lacking for i in found], names, self._index)

    @native(copy=unset)
    def set_axis(self, labels: Any, *, axis: Any = 0, copy: Any = UNSET) -> Any:
        """The same values with other labels."""
        out = self.copy()
        if axis_number(self, axis):
            out.columns = labels
        else:
            out.index = labels
        return out

    @native(axis=(None, *COLUMNS))
    def add_prefix(self, prefix: str, axis: Any = None) -> Any:
        """Add a prefix to each column's label."""
        return self.rename(columns=lambda n: f"{prefix}{n}")

    @native(axis=(None, *COLUMNS))
    def add_suffix(self, suffix: str, axis: Any = None) -> Any:
        """Add a suffix to each column's label."""
        return self.rename(columns=lambda n: f"{n}{suffix}")

    @native
    def droplevel(self, level: Any, axis: Any = 0) -> Any:
        """Remove some levels from the labels of the rows or columns."""
        if axis_number(self, axis):
            return with_column_labels(self, self._names.droplevel(level))
        gone = level_numbers(self._index, level)
        if len(set(gone)) < len(gone):
            raise NotNative("a level given twice")
        return self._with(self._all_columns(), self._index._without_levels(gone))

    @native
    def swaplevel(self, i: Any = -2, j: Any = -1, axis: Any = 0, **kwargs: Any) -> Any:
        """Swap two levels of the row labels; the rows stay as they are."""
        if self.ndim == 1 and set(kwargs) == {"copy"}:
            raise NotNative("copy=")
        if kwargs:
            raise TypeError(
                f"{type(self).__name__}.swaplevel() got an unexpected keyword argument '{next(iter(kwargs))}'"
            )
        if self.ndim == 2 and axis_number(self, axis):
            if not isinstance(self._names, pandas.MultiIndex):
                raise TypeError("Can only swap levels on a hierarchical axis.")
            return with_column_labels(self, self._names.swaplevel(i, j))
        if self._index.nlevels == 1:
            if self.ndim == 1:
                raise AssertionError
            raise TypeError("Can only swap levels on a hierarchical axis.")
        order = list(range(self._index.nlevels))
        a, b = self._index._level_number(i), self._index._level_number(j)
        order[a], order[b] = order[b], order[a]
        return self._with(self._all_columns(), self._index._levels_at(order))

    def _reordered(self, order: Any, axis: int) -> Any:
        labels = self._names if axis else self._index
        if labels.nlevels == 1:
            if self.ndim == 1:
                raise Exception("Can only reorder levels on a hierarchical axis.")  # pandas raises no other
            raise TypeError("Can only reorder levels on a hierarchical axis.")
        if axis:
            return with_column_labels(self, labels.reorder_levels(order))
        numbers = [labels._level_number(k) for k in order]
        if len(numbers) != labels.nlevels:
            raise AssertionError(
                f"Length of order must be same as number of levels ({labels.nlevels}), got {len(numbers)}"
            )
        return self._with(self._all_columns(), labels._levels_at(numbers))

    @native(copy=unset)
    def truncate(self, before: Any = None, after: Any = None, axis: Any = None, copy: Any = UNSET) -> Any:
        """The rows between two labels, both included."""
        index = self._index
        if axis is not None and axis_number(self, axis):
            raise NotNative("columns")
        if (
            index._own is None
            or index.nlevels > 1
            or isinstance(index, (_indexes.DatetimeIndex, _indexes.TimedeltaIndex))
        ):
            raise NotNative("unsupported labels")
        if not index.is_monotonic_increasing:
            if index.is_monotonic_decreasing:
                raise NotNative("labels in descending order")
            raise ValueError("truncate requires a sorted index")
        if before is not None and after is not None and before > after:
            raise ValueError(f"Truncate: {after} must be after {before}")
        return self.loc[before:after].copy()

    def reorder_levels(self, order: Any, axis: Any = 0) -> Any:
        """Put the levels of the labels of rows or columns in another order."""
        return self._reordered(order, axis_number(self, axis))

    @native
    def filter(
        self, arg: Any = None, /, like: str | None = None, regex: str | None = None, axis: Any = None, *, items: Any = None, cond: Any = None, na: Any = False
    ) -> Any:  # fmt: skip
        """Select columns or rows by labels; rows by a boolean mask."""
        items, cond = filter_by(self, arg, items, cond, like, regex, na)
        if cond is not None:
            if axis is not None and axis_number(self, axis):
                raise NotNative("booleans for columns")
            return rows_that(self, cond)
        if axis is not None and axis_number(self, axis) == 0:
            return filtered_rows(self, items, like, regex)
        names = self._names
        if items is not None:
            wanted = pandas.Index(items).intersection(names)
            if not names.is_unique or isinstance(names, pandas.MultiIndex):
                raise NotNative("duplicate labels, or several levels")
            return _classes.DataFrame._new(
                [self._columns[i] for i in names.get_indexer(wanted)],
                wanted.astype(names.dtype) if not len(wanted) else wanted,
                self._index,
            )
        if isinstance(names, pandas.MultiIndex):
            raise NotNative("several levels of columns")
        strings = [n.decode("utf-8") if isinstance(n, bytes) else str(n) for n in names]
        if like is not None:
            keep = [i for i, t in enumerate(strings) if like in t]
        else:
            keep = [i for i, t in enumerate(strings) if re.search(regex, t) is not None]  # type: ignore[arg-type]
        return self._select(keep)

    def _reindexed(self, index: Any, fill_value: Any) -> Any:
        """The rows of other labels; None where pandas has to select them."""
        if index is self._index or self._index.equals(index):
            kept = index.nlevels == self._index.nlevels  # not of tuples, which levels equal
            return self._with(list(self._all_columns()), index if kept else self._index)
        positions = positions_in(self._index, index)
        if positions is None:
            return None
        if fill_value is np.nan:
            return self._with([c.take(positions, True) for c in self._all_columns()], index)
        if not len(self) or not len(index):
            return None
        there = positions >= 0
        try:
            rows = bc.where(there, positions, 0)
            found = [c.take(rows) for c in self._all_columns()]
            return self._with([choose(there, c, fill_value) for c in found], index)
        except NotNative:
            return None

    @native
    def reindex_like(self, other: Any, **kwargs: Any) -> Any:
        """The rows (and columns) of another object's labels."""
        if kwargs:
            raise NotNative("method=")
        return self.reindex(other._index) if self.ndim == 1 else self.reindex(index=other._index, columns=other._names)

    @native(index=unset, columns=unset, axis=ROWS, copy=unset)
    def rename_axis(
        self, mapper: Any = UNSET, *, index: Any = UNSET, columns: Any = UNSET, axis: Any = 0, copy: Any = UNSET,
        inplace: bool = False,
    ) -> Any:  # fmt: skip
        """Set the name of the index or of the columns."""
        if unset(mapper) or not (is_scalar(mapper) or (is_list_like(mapper) and not is_dict_like(mapper))):
            raise NotNative("mappings, or no mapper=")
        names = list(mapper) if is_list_like(mapper) else [mapper]
        if self._index.nlevels > 1 and not is_list_like(mapper):
            raise TypeError("Must pass list-like as `names`.")
        if len(names) != self._index.nlevels:
            raise ValueError(f"Length of new names must be {self._index.nlevels}, got {len(names)}")
        return in_place(
            self,
            self._with(list(self._all_columns()), self._index.rename(names if self._index.nlevels > 1 else names[0])),
            inplace,
        )

    @native
    def take(self, indices: Any, axis: Any = 0, **kwargs: Any) -> Any:
        """Rows, or columns of a frame, by position."""
        if self.ndim == 2 and axis in COLUMNS and not kwargs:
            p = np.asarray(row_positions(indices, self.shape[1], "indices"))
            return self._select(np.where(p < 0, p + self.shape[1], p).tolist())
        if axis not in ROWS or kwargs:
            raise NotNative("axis=")
        p = row_positions(indices, len(self), "indices")
        from .... import where

        return self._take_rows(where(p < 0, p + len(self), p))

    @native(level=None, copy=unset, fill_value=None)
    def align(
        self,
        other: Any,
        join: str = "outer",
        axis: Any = None,
        level: Any = None,
        copy: Any = UNSET,
        fill_value: Any = None,
    ) -> Any:
        """Both objects, reindexed to the join of their indexes."""
        if type(self) is not type(other) or (self.ndim == 2 and axis not in ROWS):
            raise NotNative("axis=, or a frame and a series")
        index, left, right = align(self._index, other._index, join)
        made = []
        for x, p in ((self, left), (other, right)):
            if p is not None:
                columns = [c.take(p, True) for c in x._all_columns()]
                x = x._with([c.constructed() for c in columns] if x.ndim == 1 else columns, index)
            elif list(x._index._names) != list(index._names):
                x = x._with(list(x._all_columns()), x._index.set_names(list(index._names)))
            made.append(x)
        return tuple(made)

    @native
    def reset_index(
        self: Any, level: Any = None, *, drop: bool = False, inplace: bool = False, col_level: Any = 0, col_fill: Any = "", allow_duplicates: Any = UNSET,
        names: Any = None,
    ) -> Any:  # fmt: skip
        """Move the index to columns, or drop it, and number the rows.

        Parameters
        ----------
        level : label, int or list, optional
            Only these levels.
        drop, inplace, col_level, col_fill, allow_duplicates, names
            As pandas'.

        Raises
        ------
        ValueError
            When a column of that name exists already.
        """
        index = self._index
        several = isinstance(self._names, pandas.MultiIndex)
        if several and not drop and (col_level != 0 or col_fill != "" or names is not None):
            raise NotNative("options for several levels of columns")
        which = (
            list(range(index.nlevels))
            if level is None
            else [index._level_number(v) for v in (level if isinstance(level, (list, tuple)) else [level])]
        )
        new = rest_of_levels(index, set(which))
        columns, made = list(self._columns), self._names
        if not drop:
            given = self._label_names(names)
            for i in sorted(which, reverse=True):
                name = given[i]
                if several:
                    parts = name if isinstance(name, tuple) else (name,)
                    name = (*parts, *[""] * (made.nlevels - len(parts)))
                if name in made and allow_duplicates is not True:
                    raise ValueError(f"cannot insert {name}, already exists")
                made = made.insert(0, name)
                columns.insert(0, as_values(index._columns[i]))
        out = _classes.DataFrame._new(columns, made, new)
        if not inplace:
            return out
        self._become(out)
        return None

    def _label_names(self: Any, names: Any) -> list[Any]:
        """Column labels for the levels."""
        index = self._index
        if isinstance(names, (int, str)):
            names = [names]
        if names is not None and not isinstance(names, list):
            raise ValueError("Index names must be str or 1-dimensional list")
        if names:
            return names
        if isinstance(index, _indexes.MultiIndex):
            return [f"level_{i}" if n is None else n for i, n in enumerate(index._names)]
        free = "index" if "index" not in self._names else "level_0"
        return [free if index._names[0] is None else index._names[0]]

    def _subset(self, subset: Any) -> list[AnyColumn]:
        if subset is None:
            return self._columns
        given = (
            [subset]
            if isinstance(subset, str) or not np.iterable(subset) or isinstance(subset, tuple) and subset in self._names
            else list(subset)
        )
        missing = [k for k in given if k not in self._names or self._is_part_of_a_label(k)]  # type: ignore[attr-defined]
        if missing:
            raise KeyError(pandas.Index(missing))
        return [self._columns[i] for i in self._positions_of(given)]  # type: ignore[attr-defined]

    @native
    def duplicated(self, subset: Any = None, keep: Any = "first") -> Any:
        """Which rows repeat another row in all columns, or in those of `subset`."""
        if 0 in self.shape:  # type: ignore[attr-defined]
            return bare(_classes.Series._new(plain(bc.zeros(len(self), bool)), self._index, None))  # type: ignore[arg-type,attr-defined]
        check_keep(keep)
        columns = self._subset(subset)
        if not all_own(columns) or (subset is not None and not columns):
            raise NotNative("values of a type of pandas'")
        of = duplicated_in_parts if are_beyond_memory(columns) else duplicated_rows
        found = of(columns, keep, len(self))  # type: ignore[arg-type]
        return _classes.Series._new(plain(found), self._index, None)  # type: ignore[attr-defined]

    def drop_duplicates(
        self, subset: Any = None, *, keep: Any = "first", inplace: bool = False, ignore_index: bool = False
    ) -> Any:
        """Drop the rows that repeat another row in all columns, or in those of `subset`."""
        if 0 in self.shape:  # type: ignore[attr-defined]
            return None if inplace else self.copy()  # type: ignore[attr-defined]
        return without_duplicates(self, self.duplicated(subset, keep)._column.values, inplace, ignore_index)

    @native
    def sample(
        self, n: Any = None, frac: Any = None, replace: bool = False, weights: Any = None, random_state: Any = None, axis: Any = None, ignore_index: bool = False
    ) -> Any:  # fmt: skip
        """A random sample of rows, the same that pandas selects for the same `random_state`.

        Parameters
        ----------
        n : int, optional
        frac : float, optional
            A fraction of the rows in place of `n`.
        replace : bool
            Whether a row may be chosen again.
        weights : label, series or array, optional
        random_state : int, numpy.random.RandomState or numpy.random.Generator, optional
        axis, ignore_index
            As pandas'.
        """
        across = axis is not None and axis_number(self, axis) == 1
        source = random_source(random_state)
        size = sample_size(n, frac, replace)
        count = len(self._names) if across else len(self)
        if size is None:
            size = round(frac * count)
        if weights is not None:
            if across:
                raise NotNative("weights of columns")
            weights = checked_weights(self, weights)
        at = random_positions(count, size, replace, weights, source)
        found = self._select(at.tolist()) if across else self._take_rows(at)
        if not ignore_index:
            return found
        if across:
            found.columns = pandas.RangeIndex(size)
            return found
        return found._with(found._all_columns(), _indexes.default(size))

    def _lacking(self) -> ndarray:
        """Boolean array: rows of which all values are missing."""
        found = None
        for c in self._all_columns():
            found = c.missing() if found is None else found & c.missing()
        return bc.ones(len(self), dtype=bool) if found is None else found

    def equals(self, other: Any) -> bool:
        """Whether labels, types and values are the same; missing values are equal to each other."""
        other = _fallback.from_pandas(other)
        if type(other) is not type(self) or other.shape != self.shape or not self._index.equals(other._index):
            return False
        if self.ndim == 2 and not self._names.equals(other._names):
            return False
        pairs = list(zip(self._all_columns(), other._all_columns()))
        return all(a.dtype == b.dtype and a.equals(b) for a, b in pairs)
