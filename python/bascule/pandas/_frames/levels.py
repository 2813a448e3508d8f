"""Labels with several levels (xs, droplevel, swaplevel), selection by labels (filter, truncate), and transposition."""

from __future__ import annotations

import re
from typing import Any

import numpy as np
import pandas

from ... import _core
from .. import _classes, _indexes
from .._base import Rows, as_mask
from .._columns.astype import converted
from .._columns.column import STR, Column, ndarray
from .._columns.operators import compute
from .._fallback.native import NotNative, native
from .._pipe import apply_if_callable
from .._reshape.shapes import column_labels, row_labels
from .._reshape.unstack import by_rows
from .setting import by_labels

_ROWS, _COLUMNS = (0, "index", "rows"), (1, "columns")
_UNSET = pandas.api.extensions.no_default
_MOST_COLUMNS = 10_000  # a transposed frame has a column for each row


def axis_number(x: Any, axis: Any) -> int:
    """0 for rows and 1 for columns; ValueError if the axis is unknown."""
    if axis in _ROWS:
        return 0
    if axis in _COLUMNS and x.ndim == 2:
        return 1
    raise ValueError(f"No axis named {axis} for object type {'Series' if x.ndim == 1 else 'DataFrame'}")


def _with_names(frame: Any, names: pandas.Index) -> Any:
    return _classes.DataFrame._new(list(frame._columns), names, frame._index)


def _level_numbers(index: Any, level: Any) -> list[int]:
    given = list(level) if isinstance(level, (list, tuple)) else [level]
    return [index._level_number(v) for v in given]


def without_levels(index: Any, gone: list[int]) -> Any:
    """The labels without some of their levels.

    Raises
    ------
    ValueError
        When no level would remain.
    """
    if len(gone) >= index.nlevels:
        raise ValueError(
            f"Cannot remove {len(gone)} levels from an index with {index.nlevels} levels: at least one level must be left."
        )
    rest = [i for i in range(index.nlevels) if i not in gone]
    if len(rest) > 1:
        return index._levels_at(rest)
    return index._one_level(rest[0])


def _affixed(index: Any, before: str, behind: str) -> Any:
    """Labels as strings with a prefix or a suffix."""
    c = index._columns[0]
    plain_numbers = isinstance(c, Column) and not c.is_text and not c.is_masked and c.dtype.kind in "iu"
    if index.nlevels > 1 or not isinstance(c, Column) or not len(c) or not (plain_numbers or c.is_text):
        raise NotNative("labels that are neither strings nor integers")
    if c.is_text and (c.dtype != STR or c.has_missing()):
        raise NotNative("missing labels")
    made = converted(c, STR) if plain_numbers else c
    made = compute("add", before, made) if before else compute("add", made, behind)
    return _indexes.from_column(made, index._names[0])


class Relabelled(Rows):
    """Methods that change labels and their levels, for frames and series."""

    @native
    def droplevel(self, level: Any, axis: Any = 0) -> Any:
        """Remove some levels from the labels of the rows or columns."""
        if axis_number(self, axis):
            return _with_names(self, self._names.droplevel(level))
        gone = _level_numbers(self._index, level)
        if len(set(gone)) < len(gone):
            raise NotNative("a level given twice")
        return self._with(self._all_columns(), without_levels(self._index, gone))

    def swaplevel(self, i: Any = -2, j: Any = -1, axis: Any = 0, **kwargs: Any) -> Any:
        """Swap two levels of the row labels; the rows stay as they are."""
        if kwargs:
            raise TypeError(
                f"{type(self).__name__}.swaplevel() got an unexpected keyword argument '{next(iter(kwargs))}'"
            )
        if self.ndim == 2 and axis_number(self, axis):
            if not isinstance(self._names, pandas.MultiIndex):
                raise TypeError("Can only swap levels on a hierarchical axis.")
            return _with_names(self, self._names.swaplevel(i, j))
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
            return _with_names(self, labels.reorder_levels(order))
        numbers = [labels._level_number(k) for k in order]
        if len(numbers) != labels.nlevels:
            raise AssertionError(
                f"Length of order must be same as number of levels ({labels.nlevels}), got {len(numbers)}"
            )
        return self._with(self._all_columns(), labels._levels_at(numbers))

    @native
    def truncate(self, before: Any = None, after: Any = None, axis: Any = None, copy: Any = _UNSET) -> Any:
        """The rows between two labels, both included."""
        index = self._index
        if axis is not None and axis_number(self, axis) or copy is not _UNSET:
            raise NotNative("columns, or copy=")
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

    @native
    def xs(self, key: Any, axis: Any = 0, level: Any = None, drop_level: bool = True) -> Any:
        """The rows of a label, or of a label in some of the levels."""
        across = axis_number(self, axis)
        if isinstance(key, list):
            raise TypeError("list keys are not supported in xs, pass a tuple instead")
        index = self._index
        if across:
            if level is None and drop_level:
                return self[key]
            raise NotNative("levels of columns")
        if level is None:
            if index.nlevels == 1:
                if not drop_level or isinstance(key, tuple):
                    raise NotNative("drop_level=, or a tuple as a label")
                return self.loc[key]
            keys = list(key) if isinstance(key, tuple) else [key]
            if len(keys) >= index.nlevels:
                raise NotNative("labels of all levels")
            levels = list(range(len(keys)))
        else:
            if index.nlevels == 1:
                raise TypeError("Index must be a MultiIndex")
            keys = list(key) if isinstance(level, (list, tuple)) and isinstance(key, tuple) else [key]
            levels = _level_numbers(index, level)
            if len(keys) != len(levels) or len(levels) >= index.nlevels:
                raise NotNative("as many labels as levels")
        mask = self._rows_of(keys, levels)
        if not bool(mask.any()):
            raise KeyError(key)
        found = self._filter_rows(mask)
        return found._with(found._all_columns(), without_levels(found._index, levels)) if drop_level else found

    def _rows_of(self, keys: list[Any], levels: list[int]) -> ndarray:
        mask = None
        for k, i in zip(keys, levels):
            c = self._index._columns[i]
            if (
                not isinstance(c, Column)
                or isinstance(k, (slice, list))
                or (c.dtype.kind in "mM" and isinstance(k, str))
            ):
                raise NotNative("labels of a pandas extension dtype, or slices of them")
            at = _indexes.from_column(c)
            one = _core.full((len(c),), False, np.dtype(bool), c.device)
            found = at._find(k)
            if len(found):
                one[found] = True
            mask = one if mask is None else mask & one
        return mask


class SeriesRelabelled(Relabelled):
    """Methods that change the labels of series."""

    def reorder_levels(self, order: Any) -> Any:
        """Put the levels of the row labels in another order."""
        return self._reordered(order, 0)

    @native
    def add_prefix(self, prefix: str, axis: Any = None) -> Any:
        """Add a prefix to each label."""
        if axis is not None:
            axis_number(self, axis)
        return self._with([self._column], _affixed(self._index, prefix, ""))

    @native
    def add_suffix(self, suffix: str, axis: Any = None) -> Any:
        """Add a suffix to each label."""
        if axis is not None:
            axis_number(self, axis)
        return self._with([self._column], _affixed(self._index, "", suffix))

    @native
    def set_axis(self, labels: Any, *, axis: Any = 0, copy: Any = _UNSET) -> Any:
        """The same values with other labels."""
        if copy is not _UNSET:
            raise NotNative("copy=")
        axis_number(self, axis)
        out = self.copy()
        out.index = labels
        return out

    def pop(self, item: Any) -> Any:
        """Return the value of a label and remove it from the series."""
        found = self[item]
        self._become(self.drop(item))
        return found

    def get(self, key: Any, default: Any = None) -> Any:
        """The value of that label, or the default."""
        try:
            return self[key]
        except (KeyError, ValueError, IndexError):
            return default

    def transpose(self, *args: Any, **kwargs: Any) -> Any:
        """The series itself: it has one axis."""
        np.empty(0).transpose(*args, **kwargs)  # NumPy's words for arguments that are none
        return self

    @property
    def T(self) -> Any:
        """The series itself: it has one axis."""
        return self

    @native
    def filter(
        self, arg: Any = None, /, like: str | None = None, regex: str | None = None, axis: Any = None, *, items: Any = None, cond: Any = None, na: Any = False
    ) -> Any:  # fmt: skip
        """Select rows by labels, by a substring or a regular expression, or by a boolean mask."""
        items, cond = _filter_by(self, arg, items, cond, like, regex, na)
        if axis is not None:
            axis_number(self, axis)
        if cond is not None:
            return _rows_that(self, cond)
        return _filtered_rows(self, items, like, regex)


def _filter_by(x: Any, arg: Any, items: Any, cond: Any, like: Any, regex: Any, na: Any) -> tuple[Any, Any]:
    """The labels, or else the mask, that are passed to a filter."""
    given = sum(v is not None for v in (arg, items, cond, like, regex))
    if given > 1:
        raise TypeError(
            "The positional argument and the keyword arguments `items`, `cond`, `like`, and `regex` are mutually exclusive"
        )
    if given == 0:
        raise TypeError("Must pass a positional argument or one of `items`, `cond`, `like`, or `regex`")
    if na is not False:
        raise NotNative("na=")
    if callable(arg) or callable(cond):
        return None, apply_if_callable(cond if arg is None else arg, x)
    return (items if arg is None else arg), cond


def _rows_that(x: Any, cond: Any) -> Any:
    """The rows for which a series of the same labels, or an array, is true."""
    labelled = isinstance(cond, Rows) and cond.ndim == 1
    if not (type(cond) is ndarray or labelled and (cond._index is x._index or cond._index.equals(x._index))):
        raise NotNative("unsupported booleans")
    mask = as_mask(cond, x._index)
    if mask is None:
        raise NotNative("unsupported booleans")
    return x._filter_rows(mask)


def _filtered_rows(x: Any, items: Any, like: Any, regex: Any) -> Any:
    index = x._index
    c = index._columns[0]
    if items is not None:
        raise NotNative("labels that are to be found among those of the rows")
    if index.nlevels > 1 or not c.is_text or c.has_missing():
        raise NotNative("labels that are not strings")
    found = index.str.contains(like if like is not None else regex, regex=like is None)
    return x._filter_rows(found if type(found) is ndarray else _core.from_numpy(np.asarray(found, bool)))


class FrameRelabelled(Relabelled):
    """Methods that change the labels of frames."""

    def reorder_levels(self, order: Any, axis: Any = 0) -> Any:
        """Put the levels of the labels of rows or columns in another order."""
        return self._reordered(order, axis_number(self, axis))

    @native
    def filter(
        self, arg: Any = None, /, like: str | None = None, regex: str | None = None, axis: Any = None, *, items: Any = None, cond: Any = None, na: Any = False
    ) -> Any:  # fmt: skip
        """Select columns or rows by labels; rows by a boolean mask."""
        items, cond = _filter_by(self, arg, items, cond, like, regex, na)
        if cond is not None:
            if axis is not None and axis_number(self, axis):
                raise NotNative("booleans for columns")
            return _rows_that(self, cond)
        if axis is not None and axis_number(self, axis) == 0:
            return _filtered_rows(self, items, like, regex)
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
        texts = [n.decode("utf-8") if isinstance(n, bytes) else str(n) for n in names]
        if like is not None:
            keep = [i for i, t in enumerate(texts) if like in t]
        else:
            keep = [i for i, t in enumerate(texts) if re.search(regex, t) is not None]  # type: ignore[arg-type]
        return self._select(keep)

    def isetitem(self, loc: Any, value: Any) -> None:
        """Replace the columns at positions by another column, or by several."""
        value = by_labels(value)
        if isinstance(value, _classes.DataFrame):
            at = [loc] if isinstance(loc, (int, np.integer)) else list(loc)
            if len(at) != value.shape[1]:
                raise ValueError(f"Got {len(at)} positions but value has {value.shape[1]} columns.")
            for k, i in enumerate(at):
                self.isetitem(i, value.iloc[:, k])
            return
        if getattr(value, "ndim", 1) == 2 and not isinstance(loc, (int, np.integer)) and len(loc) == value.shape[1]:
            for k, i in enumerate(loc):
                self.isetitem(i, value[:, k])
            return
        if self._gives_rows(value):
            self._call_pandas("isetitem", (loc, value), reason="new rows from the assigned value")
            return
        column = self._fit(value)
        columns = list(self._columns)
        for i in [loc] if isinstance(loc, (int, np.integer)) else list(loc):
            columns[i] = column
        self.__dict__["_columns"] = columns

    @native
    def transpose(self, *args: Any, copy: Any = _UNSET) -> Any:
        """Transpose the frame."""
        if args or copy is not _UNSET:
            raise NotNative("arguments of transpose")
        return turned(self)

    @property
    def T(self) -> Any:
        """The transposed frame."""
        return self._turned()

    def _turned(self) -> Any:
        try:
            return turned(self)
        except NotNative as why:
            return self._call_pandas("transpose", reason=why.reason)


def turned(frame: Any) -> Any:
    """Transpose a frame of a single type."""
    height, width = frame.shape
    if height > _MOST_COLUMNS:
        raise NotNative("more rows than a frame should have columns")
    values = by_rows(frame._columns, height)
    columns = [values.slice(i * width, 1, width) for i in range(height)]
    return _classes.DataFrame._new(columns, column_labels(frame._index), row_labels(frame._names))
