"""Labels of series."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from ... import _indexes
from ..._columns.column import plain
from ..._columns.unique import all_own, check_keep, duplicated_rows
from ..._fallback.native import NotNative, native
from ..._labels import check_name
from ..._questions import listed
from ..._reshape.set_index import rest_of_levels
from ..._theirs import UNSET, unset
from .drop import without_rows
from .frame import Labels
from .levels import (
    ROWS,
    affixed,
    axis_number,
    filter_by,
    filtered_rows,
    in_place,
    rows_that,
    without_duplicates,
)


class SeriesLabels(Labels):
    """Methods of the labels of series, where they differ from those of frames."""

    def reindex(
        self,
        index: Any = None,
        *,
        axis: Any = None,
        method: Any = None,
        copy: Any = UNSET,
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
        if method is None and level is None and limit is None and tolerance is None and unset(copy):
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
        name: Any = UNSET,
        inplace: bool = False,
        allow_duplicates: bool = False,
    ) -> Any:
        """Move the labels into columns in front of the values, or drop them."""
        if drop:
            gone = set(range(self._index.nlevels))
            if level is not None:
                gone = {self._index._level_number(v) for v in (level if isinstance(level, (list, tuple)) else [level])}
            return in_place(self, self._with([self._column], rest_of_levels(self._index, gone)), inplace)
        if inplace:
            raise TypeError("Cannot reset_index inplace on a Series to create a DataFrame")
        label = (0 if self.name is None else self.name) if unset(name) else name
        return self.to_frame(label).reset_index(level, allow_duplicates=allow_duplicates)

    @native(copy=unset, level=None)
    def rename(
        self,
        index: Any = None,
        *,
        axis: Any = None,
        copy: Any = UNSET,
        inplace: bool = False,
        level: Any = None,
        errors: str = "ignore",
    ) -> Any:
        """Set another name, or change labels by a function or mapping."""
        axis_number(self, axis or 0)
        if callable(index) or isinstance(index, dict) or hasattr(index, "_column"):
            raise NotNative("labels by a function or mapping")
        check_name(index, "Series")
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
        wanted = listed(labels if labels is not None else index)
        out = without_rows(self, wanted, errors) if level is None and axis in ROWS else None
        if out is None:
            return self._call_pandas(
                "drop",
                (wanted,),
                {"level": level, "errors": errors, **({"inplace": True} if inplace else {})},
                "these labels",
            )
        return in_place(self, out, inplace)

    def reorder_levels(self, order: Any) -> Any:
        """Put the levels of the row labels in another order."""
        return self._reordered(order, 0)

    @native
    def add_prefix(self, prefix: str, axis: Any = None) -> Any:
        """Add a prefix to each label."""
        if axis is not None:
            axis_number(self, axis)
        return self._with([self._column], affixed(self._index, prefix, ""))

    @native
    def add_suffix(self, suffix: str, axis: Any = None) -> Any:
        """Add a suffix to each label."""
        if axis is not None:
            axis_number(self, axis)
        return self._with([self._column], affixed(self._index, "", suffix))

    @native
    def filter(
        self, arg: Any = None, /, like: str | None = None, regex: str | None = None, axis: Any = None, *, items: Any = None, cond: Any = None, na: Any = False
    ) -> Any:  # fmt: skip
        """Select rows by labels, by a substring or a regular expression, or by a boolean mask."""
        items, cond = filter_by(self, arg, items, cond, like, regex, na)
        if axis is not None:
            axis_number(self, axis)
        if cond is not None:
            return rows_that(self, cond)
        return filtered_rows(self, items, like, regex)

    @native
    def duplicated(self, keep: Any = "first") -> Any:
        """Which rows repeat another row."""
        check_keep(keep)
        c = self._column
        if not all_own([c]):
            raise NotNative(f"values of type {c.dtype}")
        return self._like(plain(duplicated_rows([c], keep, len(c))))  # type: ignore[attr-defined]

    def drop_duplicates(self, *, keep: Any = "first", inplace: bool = False, ignore_index: bool = False) -> Any:
        """Drop the rows that repeat another row."""
        return without_duplicates(self, self.duplicated(keep)._column.values, inplace, ignore_index)
