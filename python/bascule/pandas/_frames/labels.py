"""Changing the labels of rows and columns: set_index, reset_index, rename, drop, reindex."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import pandas
from pandas.api.types import is_dict_like, is_list_like, is_scalar

from ... import _core
from .. import _classes, _fallback, _indexes
from .._base import row_positions
from .._indexes.align import align, positions_in
from .._labels import without
from .._reshape.set_index import IndexSetting, rest_of_levels

_ROWS, _COLUMNS = (0, "index", "rows"), (1, "columns")
_UNSET = pandas.api.extensions.no_default


def _done(self: Any, out: Any, inplace: bool) -> Any:
    if not inplace:
        return out
    self._become(out)
    return None


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


class RowLabels:
    """Methods of row labels, for frames and series."""

    def _reindexed(self, index: Any, fill_value: Any) -> Any:
        """The rows of other labels; None where pandas has to select them."""
        if index is self._index or self._index.equals(index):
            return self._with(list(self._all_columns()), index)
        positions = positions_in(self._index, index) if fill_value is np.nan else None
        if positions is None:
            return None
        return self._with([c.take(positions, True) for c in self._all_columns()], index)

    def reindex_like(self, other: Any, **kwargs: Any) -> Any:
        """The rows (and columns) of another object's labels."""
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
            and (is_scalar(mapper) or (is_list_like(mapper) and not is_dict_like(mapper)))
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
        """Both objects, reindexed to the join of their indexes."""
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
        made = []
        for x, p in ((self, left), (other, right)):
            if p is not None:
                x = x._with([c.take(p, True) for c in x._all_columns()], index)
            elif list(x._index._names) != list(index._names):
                x = x._with(list(x._all_columns()), x._index.set_names(list(index._names)))
            made.append(x)
        return tuple(made)

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


class SeriesLabels(RowLabels):
    """Methods of the labels of a series."""

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
        """The values at other labels, missing for labels that do not exist."""
        if index is None:
            return self.copy()
        index = list(index) if isinstance(index, Iterator) else index
        out = None
        if method is None and level is None and limit is None and tolerance is None and copy is _UNSET:
            out = self._reindexed(_indexes.targets(self._index, index), fill_value)
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
        """Move the labels into columns in front of the values, or drop them."""
        if drop:
            gone = set(range(self._index.nlevels))
            if level is not None:
                gone = {self._index._level_number(v) for v in (level if isinstance(level, (list, tuple)) else [level])}
            return _done(self, self._with([self._column], rest_of_levels(self._index, gone)), inplace)
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
        """Set another name, or change labels by a function or mapping."""
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


class FrameLabels(IndexSetting, RowLabels):
    """Methods of the labels of a frame."""

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
            When a label does not exist, unless errors="ignore".
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
        return self._select(without(self._names, wanted, errors))

    def reindex(
        self, labels: Any = None, *, index: Any = None, columns: Any = None, axis: Any = None, method: Any = None, copy: Any = _UNSET, level: Any = None,
        fill_value: Any = np.nan, limit: Any = None, tolerance: Any = None,
    ) -> Any:  # fmt: skip
        """The rows and columns at other labels, missing for labels that do not exist."""
        if labels is not None:
            index, columns = (index, labels) if axis in _COLUMNS else (labels, columns)
        index, columns = (list(x) if isinstance(x, Iterator) else x for x in (index, columns))
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
            out = out._reindexed(_indexes.targets(self._index, index), fill_value)
        if out is None:
            asked = {k: v for k, v in dict(index=index, columns=columns, method=method, level=level, fill_value=fill_value, limit=limit, tolerance=tolerance).items() if v is not None}  # fmt: skip
            return self._call_pandas("reindex", (), asked, "these arguments")
        return out.copy()

    def _with_columns(self, columns: Any) -> Any:
        """Columns of these labels, with missing floats for labels that do not exist; None where labels repeat."""
        if (
            not self._names.is_unique
            or getattr(columns, "nlevels", 1) > 1
            or isinstance(self._names, pandas.MultiIndex)
        ):
            return None
        names, found = self._names.reindex(_fallback.to_pandas(columns))
        if found is None:
            found = range(len(names))
        elif (found < 0).any():
            return None
        return _classes.DataFrame._new([self._columns[i] for i in found], names, self._index)

    def set_axis(self, labels: Any, *, axis: Any = 0, copy: Any = _UNSET) -> Any:
        """The same values with other labels."""
        if copy is not _UNSET:
            return self._call_pandas("set_axis", (labels,), {"axis": axis, "copy": copy}, "copy=")
        out = self.copy()
        if axis in _COLUMNS:
            out.columns = labels
        else:
            out.index = labels
        return out

    def add_prefix(self, prefix: str, axis: Any = None) -> Any:
        """Add a prefix to each column's label."""
        return (
            self._call_pandas("add_prefix", (prefix, axis), reason="axis=")
            if axis not in (None, *_COLUMNS)
            else self.rename(columns=lambda n: f"{prefix}{n}")
        )

    def add_suffix(self, suffix: str, axis: Any = None) -> Any:
        """Add a suffix to each column's label."""
        return (
            self._call_pandas("add_suffix", (suffix, axis), reason="axis=")
            if axis not in (None, *_COLUMNS)
            else self.rename(columns=lambda n: f"{n}{suffix}")
        )

    def select_dtypes(self, include: Any = None, exclude: Any = None) -> Any:
        """Select the columns of some types."""
        empty = self.head(0).to_pandas()
        empty.columns = range(empty.shape[1])
        return self._select(list(empty.select_dtypes(include, exclude).columns))
