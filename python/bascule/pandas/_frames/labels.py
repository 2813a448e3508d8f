"""Changing the labels of rows and columns: set_index, reset_index, rename, drop, reindex."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas
from pandas.api.types import is_list_like

from ... import _core
from .. import _classes, _fallback, _indexes
from .._base import row_positions
from .._columns.column import AnyColumn, Column, ndarray
from .._columns.infer import from_values
from .._indexes.align import align, positions_in

_ROWS, _COLUMNS = (0, "index", "rows"), (1, "columns")
_UNSET = pandas.api.extensions.no_default


def _done(self: Any, out: Any, inplace: bool) -> Any:
    if not inplace:
        return out
    self._become(out)
    return None


def _renamed(labels: pandas.Index, mapper: Any, errors: str) -> pandas.Index:
    """Labels of columns through a function or mapping."""
    if not callable(mapper):
        mapping = _fallback.to_pandas(mapper)
        if errors == "raise":
            absent = [k for k in mapping if k not in labels]
            if absent:
                raise KeyError(f"{absent} not found in axis")
        return pandas.Index([mapping[n] if n in mapping else n for n in labels], name=labels.name, tupleize_cols=False)
    return pandas.Index([mapper(n) for n in labels], name=labels.name, tupleize_cols=False)


class RowLabels:
    """What frames and series share."""

    def _reindexed(self, index: Any, fill_value: Any) -> Any:
        """The rows of other labels; None where pandas has to see to it."""
        if index is self._index or self._index.equals(index):
            return self._with(list(self._all_columns()), index)
        positions = positions_in(self._index, index) if fill_value is np.nan else None
        if positions is None:
            return None
        return self._with([c.take(positions, True) for c in self._all_columns()], index)

    def reindex_like(self, other: Any, **kwargs: Any) -> Any:
        """The rows (and columns) of another's labels."""
        if kwargs:
            return self._call_pandas("reindex_like", (other,), kwargs, "method=")
        return self.reindex(other._index) if self.ndim == 1 else self.reindex(index=other._index, columns=other._names)

    def rename_axis(
        self, mapper: Any = _UNSET, *, index: Any = _UNSET, columns: Any = _UNSET, axis: Any = 0, copy: Any = _UNSET,
        inplace: bool = False,
    ) -> Any:  # fmt: skip
        """Set the name of the index or of the columns."""
        simple = (
            mapper is not _UNSET
            and index is _UNSET
            and columns is _UNSET
            and copy is _UNSET
            and axis in _ROWS
            and not callable(mapper)
            and not isinstance(mapper, dict)
        )
        if not simple:
            asked = {
                k: v for k, v in dict(mapper=mapper, index=index, columns=columns, copy=copy).items() if v is not _UNSET
            }
            if axis != 0:
                asked["axis"] = axis
            if inplace:
                asked["inplace"] = True
            return self._call_pandas("rename_axis", (), asked, "mappings or columns=")
        names = list(mapper) if is_list_like(mapper) else [mapper]
        if self._index.nlevels > 1 and not is_list_like(mapper):
            raise TypeError("Must pass list-like as `names`.")
        if len(names) != self._index.nlevels:
            raise ValueError(f"Length of new names must be {self._index.nlevels}, got {len(names)}")
        return _done(
            self,
            self._with(list(self._all_columns()), self._index.rename(names if self._index.nlevels > 1 else names[0])),
            inplace,
        )

    def take(self, indices: Any, axis: Any = 0, **kwargs: Any) -> Any:
        """Rows by position."""
        if axis not in _ROWS or kwargs:
            return self._call_pandas("take", (indices, axis), kwargs, "axis=")
        p = row_positions(indices, len(self))
        from ... import where

        return self._take_rows(where(p < 0, p + len(self), p))

    def align(
        self,
        other: Any,
        join: str = "outer",
        axis: Any = None,
        level: Any = None,
        copy: Any = _UNSET,
        fill_value: Any = None,
    ) -> Any:
        """Both objects over the labels that their indexes join to."""
        same_kind = type(self) is type(other)
        if (
            not same_kind
            or level is not None
            or fill_value is not None
            or copy is not _UNSET
            or (self.ndim == 2 and axis not in _ROWS)
        ):
            asked = dict(join=join, axis=axis, level=level, fill_value=fill_value)
            return self._call_pandas("align", (other,), asked, "these arguments")
        index, left, right = align(self._index, other._index, join)
        return tuple(
            x if p is None else x._with([c.take(p, True) for c in x._all_columns()], index)
            for x, p in ((self, left), (other, right))
        )

    def _without_rows(self, labels: Any, errors: str) -> Any:
        labels = (
            list(_fallback.to_pandas(labels)) if is_list_like(labels) and not isinstance(labels, tuple) else [labels]
        )
        if self._index.nlevels > 1 or self._index._own is None:
            return None
        found = (
            [self._index._find(k) if _can_be(self._index, k) else None for k in labels] if len(labels) <= 16 else None
        )
        if found is None:
            wanted = _indexes.Index(pandas.Index(labels))
            if wanted._own is None or self._index._column.has_missing() or wanted._column.has_missing():
                return None
            from ... import isin

            hit = isin(self._index._column.values, wanted._column.values) if not wanted._column.is_text else None
            if hit is None or errors == "raise":
                return None
            return self._filter_rows(~hit, asked_for=True)
        absent = [k for k, f in zip(labels, found) if f is None or len(f) == 0]
        if absent and errors != "ignore":
            raise KeyError(f"{absent} not found in axis")
        keep = np.ones(len(self), bool)
        for f in found:
            if f is not None:
                keep[_core.to_numpy(f)] = False
        return self._filter_rows(_core.from_numpy(keep), asked_for=True)


def _can_be(index: Any, key: Any) -> bool:
    try:
        index._label(key)
    except (KeyError, TypeError, ValueError):
        return False
    return True


def _from_keys(column: AnyColumn, name: Any) -> Any:
    """The index of a frame's column, which is a range where signed integers step evenly."""
    own = isinstance(column, Column) and not column.is_text and not column.is_masked and column.dtype.kind == "i"
    if not own or len(column) == 1:
        return _indexes.from_column(column, name)
    if not len(column):
        return _indexes.default(0, name)
    even = _core.range_of(_core.Column.plain(column.values.astype(np.int64, copy=False)))
    return _indexes.from_column(column, name) if even is None else _indexes.RangeIndex._of(*even, name)


def _without_levels(index: Any, gone: set[int]) -> Any:
    """The labels of the other levels; 0, 1, ... where none is left."""
    rest = [i for i in range(index.nlevels) if i not in gone]
    if not rest:
        return _indexes.default(len(index))
    if len(rest) == index.nlevels:
        return index._view()
    if len(rest) == 1:
        return _indexes.from_column(index._columns[rest[0]], index._names[rest[0]])
    return index._levels_at(rest)


class SeriesLabels(RowLabels):
    """Labels of a series."""

    def reindex(
        self,
        index: Any = None,
        *,
        axis: Any = None,
        method: Any = None,
        copy: Any = _UNSET,
        level: Any = None,
        fill_value: Any = np.nan,
        limit: Any = None,
        tolerance: Any = None,
    ) -> Any:
        """The values of other labels, missing where there are none."""
        if index is None:
            return self.copy()
        out = None
        if method is None and level is None and limit is None and tolerance is None and copy is _UNSET:
            out = self._reindexed(_indexes.ensure(index), fill_value)
        if out is None:
            asked = {
                k: v
                for k, v in dict(
                    method=method, level=level, fill_value=fill_value, limit=limit, tolerance=tolerance
                ).items()
                if v is not None
            }
            return self._call_pandas("reindex", (index,), asked, "these arguments")
        return out

    def reset_index(
        self,
        level: Any = None,
        *,
        drop: bool = False,
        name: Any = _UNSET,
        inplace: bool = False,
        allow_duplicates: bool = False,
    ) -> Any:
        """The labels as columns beside the values, or dropped."""
        if drop:
            gone = set(range(self._index.nlevels))
            if level is not None:
                gone = {self._index._level_number(v) for v in (level if isinstance(level, (list, tuple)) else [level])}
            return _done(self, self._with([self._column], _without_levels(self._index, gone)), inplace)
        if inplace:
            raise TypeError("Cannot reset_index inplace on a Series to create a DataFrame")
        label = (0 if self.name is None else self.name) if name is _UNSET else name
        return self.to_frame(label).reset_index(level, allow_duplicates=allow_duplicates)

    def rename(
        self,
        index: Any = None,
        *,
        axis: Any = None,
        copy: Any = _UNSET,
        inplace: bool = False,
        level: Any = None,
        errors: str = "ignore",
    ) -> Any:
        """Another name, or other labels by a function or mapping."""
        if (
            callable(index)
            or isinstance(index, dict)
            or hasattr(index, "_column")
            or copy is not _UNSET
            or level is not None
        ):
            asked: dict = {"level": level, "errors": errors}
            if inplace:
                asked["inplace"] = True
            return self._call_pandas("rename", (index,), asked, "labels by a function or mapping")
        hash(index)
        if inplace:
            self._name = index
            return self
        out = self.copy()
        out._name = index
        return out

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
        """The rows without some labels."""
        if labels is None and index is None:
            if columns is not None:
                return self.copy()
            raise ValueError("Need to specify at least one of 'labels', 'index' or 'columns'")
        wanted = labels if labels is not None else index
        out = self._without_rows(wanted, errors) if level is None and axis in _ROWS else None
        if out is None:
            return self._call_pandas(
                "drop",
                (wanted,),
                {"level": level, "errors": errors, **({"inplace": True} if inplace else {})},
                "these labels",
            )
        return _done(self, out, inplace)


class FrameLabels(RowLabels):
    """Labels of a frame."""

    def set_index(
        self,
        keys: Any,
        *,
        drop: bool = True,
        append: bool = False,
        inplace: bool = False,
        verify_integrity: bool = False,
    ) -> Any:
        """Use columns or arrays as the index.

        Parameters
        ----------
        keys : label, array, or list of them
        drop : bool
            Whether columns that become labels leave the frame.
        append : bool
            Whether to add levels to the labels there are.
        verify_integrity : bool
            Whether repeated labels are an error.
        inplace : bool

        Raises
        ------
        KeyError
            When a column is not there.
        ValueError
            When an array has another length, or labels repeat that must not.
        """
        many = keys if isinstance(keys, list) else [keys]
        columns: list[AnyColumn] = list(self._index._columns) if append else []
        names: list = list(self._index._names) if append else []
        gone: list[int] = []
        missing = [
            k
            for k in many
            if not hasattr(k, "_column") and not is_list_like(k) and not hasattr(k, "_own") and k not in self._names
        ]
        missing += [k for k in many if isinstance(k, tuple) and k not in self._names]
        if missing:
            raise KeyError(f"None of {missing} are in the columns")
        if not self._names.is_unique:
            asked = {"drop": drop, "append": append, "verify_integrity": verify_integrity}
            if inplace:
                asked["inplace"] = True
            return self._call_pandas("set_index", (keys,), asked, "repeated labels of columns")
        for k in many:
            if isinstance(k, (pandas.Index, pandas.Series)):
                k = _fallback.from_pandas(k)
            if isinstance(k, _indexes.Index):
                columns += k._columns
                names += k._names
            elif hasattr(k, "_column"):
                columns.append(k._column)
                names.append(k.name)
            elif isinstance(k, (list, np.ndarray)) or type(k) is ndarray:
                columns.append(from_values(k))
                names.append(None)
            else:
                at = self._position(k)
                columns.append(self._columns[at])
                names.append(k)
                gone.append(at)
            if len(columns[-1]) != len(self):
                raise ValueError(
                    f"Length mismatch: Expected {len(self)} rows, received array of length {len(columns[-1])}"
                )
        index = _from_keys(columns[0], names[0]) if len(columns) == 1 else _indexes.MultiIndex._make(columns, names)
        if verify_integrity and not index.is_unique:
            repeated = index.to_pandas()
            raise ValueError(f"Index has duplicate keys: {repeated[repeated.duplicated()].unique()}")
        keep = [i for i in range(len(self._columns)) if not (drop and i in gone)]
        out = self._select(keep)
        out.__dict__["_index"] = index
        return _done(self, out, inplace)

    def reset_index(
        self, level: Any = None, *, drop: bool = False, inplace: bool = False, col_level: Any = 0, col_fill: Any = "", allow_duplicates: Any = _UNSET,
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
            When a column of that name is there.
        """
        index = self._index
        if isinstance(self._names, pandas.MultiIndex) and not drop:
            asked = dict(
                level=level,
                drop=drop,
                col_level=col_level,
                col_fill=col_fill,
                names=names,
                **({"inplace": True} if inplace else {}),
            )
            return self._call_pandas("reset_index", (), asked, "several levels of columns")
        which = (
            list(range(index.nlevels))
            if level is None
            else [index._level_number(v) for v in (level if isinstance(level, (list, tuple)) else [level])]
        )
        new = _without_levels(index, set(which))
        columns, labels = list(self._columns), list(self._names)
        if not drop:
            given = self._label_names(names, which)
            front = sorted(which)
            for name in (given[i] for i in front):
                if name in self._names and allow_duplicates is not True:
                    raise ValueError(f"cannot insert {name}, already exists")
            columns = [index._columns[i] for i in front] + columns
            labels = [given[i] for i in front] + labels

        made = self._names if drop else pandas.Index(labels, name=self._names.name)
        return _done(self, _classes.DataFrame._new(columns, made, new), inplace)

    def _label_names(self, names: Any, which: list[int]) -> dict[int, Any]:
        index = self._index
        if names is not None:
            if isinstance(names, (str, int)):
                names = [names]
            if not isinstance(names, (list, tuple)):
                raise ValueError("Names must be a string or list or tuple of strings")
            if len(names) != len(which):
                raise ValueError(
                    f"The number of provided names ({len(names)}) does not match the number of MultiIndex levels ({len(which)})"
                )
            return dict(zip(which, names))
        if index.nlevels == 1:
            free = "index" if "index" not in self._names else "level_0"
            return {0: free if index._names[0] is None else index._names[0]}
        return {i: f"level_{i}" if index._names[i] is None else index._names[i] for i in which}

    def rename(
        self, mapper: Any = None, *, index: Any = None, columns: Any = None, axis: Any = None, copy: Any = _UNSET, inplace: bool = False, level: Any = None,
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
            index, columns = (None, mapper) if axis in _COLUMNS else (mapper, None)
        if index is not None or level is not None or copy is not _UNSET or isinstance(self._names, pandas.MultiIndex):
            asked: dict = dict(
                index=index, columns=columns, level=level, errors=errors, **({"inplace": True} if inplace else {})
            )
            return self._call_pandas("rename", (), asked, "labels of rows")
        out = self.copy()
        out.__dict__["_column_labels"] = _renamed(self._names, columns, errors)
        return _done(self, out, inplace)

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
            When a label is not there, unless errors="ignore".
        """
        if labels is not None:
            if index is not None or columns is not None:
                raise ValueError("Cannot specify both 'labels' and 'index'/'columns'")
            index, columns = (None, labels) if axis in _COLUMNS else (labels, None)
        elif index is None and columns is None:
            raise ValueError("Need to specify at least one of 'labels', 'index' or 'columns'")
        out = None
        if level is None and not isinstance(self._names, pandas.MultiIndex):
            out = self if columns is None else self._without_columns(columns, errors)
            if index is not None:
                out = out._without_rows(index, errors)
        if out is None:
            asked = dict(
                index=index, columns=columns, level=level, errors=errors, **({"inplace": True} if inplace else {})
            )
            return self._call_pandas("drop", (), asked, "these labels")
        return _done(self, out.copy(), inplace)

    def _without_columns(self, columns: Any, errors: str) -> Any:
        wanted = (
            list(_fallback.to_pandas(columns))
            if is_list_like(columns) and not isinstance(columns, tuple)
            else [columns]
        )
        absent = [k for k in wanted if k not in self._names]
        if absent and errors != "ignore":
            raise KeyError(f"{absent} not found in axis")
        gone = set(wanted)
        return self._select([i for i, n in enumerate(self._names) if n not in gone])

    def reindex(
        self, labels: Any = None, *, index: Any = None, columns: Any = None, axis: Any = None, method: Any = None, copy: Any = _UNSET, level: Any = None,
        fill_value: Any = np.nan, limit: Any = None, tolerance: Any = None,
    ) -> Any:  # fmt: skip
        """The rows and columns of other labels, missing where there are none."""
        if labels is not None:
            index, columns = (index, labels) if axis in _COLUMNS else (labels, columns)
        plain = (
            method is None
            and level is None
            and limit is None
            and tolerance is None
            and copy is _UNSET
            and fill_value is np.nan
        )
        out = self if plain else None
        if out is not None and columns is not None:
            out = out._with_columns(columns)
        if out is not None and index is not None:
            out = out._reindexed(_indexes.ensure(index), fill_value)
        if out is None:
            asked = {k: v for k, v in dict(index=index, columns=columns, method=method, level=level, fill_value=fill_value, limit=limit, tolerance=tolerance).items() if v is not None}  # fmt: skip
            return self._call_pandas("reindex", (), asked, "these arguments")
        return out.copy()

    def _with_columns(self, columns: Any) -> Any:
        """Columns of these labels, missing floats where there are none; None where labels repeat."""

        names = columns if isinstance(columns, pandas.Index) else pandas.Index(_fallback.to_pandas(columns))
        if not self._names.is_unique or isinstance(names, pandas.MultiIndex):
            return None
        found = self._names.get_indexer(names)
        if (found < 0).any():
            return None
        return _classes.DataFrame._new([self._columns[i] for i in found], names, self._index)

    def set_axis(self, labels: Any, *, axis: Any = 0, copy: Any = _UNSET) -> Any:
        """The same values under other labels."""
        if copy is not _UNSET:
            return self._call_pandas("set_axis", (labels,), {"axis": axis, "copy": copy}, "copy=")
        out = self.copy()
        if axis in _COLUMNS:
            out.columns = labels
        else:
            out.index = labels
        return out

    def add_prefix(self, prefix: str, axis: Any = None) -> Any:
        """The frame with a text in front of each column's label."""
        return (
            self._call_pandas("add_prefix", (prefix, axis), reason="axis=")
            if axis not in (None, *_COLUMNS)
            else self.rename(columns=lambda n: f"{prefix}{n}")
        )

    def add_suffix(self, suffix: str, axis: Any = None) -> Any:
        """The frame with a text behind each column's label."""
        return (
            self._call_pandas("add_suffix", (suffix, axis), reason="axis=")
            if axis not in (None, *_COLUMNS)
            else self.rename(columns=lambda n: f"{n}{suffix}")
        )

    def select_dtypes(self, include: Any = None, exclude: Any = None) -> Any:
        """The columns of some types."""
        empty = self.head(0).to_pandas()
        empty.columns = range(empty.shape[1])
        return self._select(list(empty.select_dtypes(include, exclude).columns))
