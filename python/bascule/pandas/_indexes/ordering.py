"""The order of labels: sorting, and positions of the extremes."""

from __future__ import annotations

from typing import Any

import numpy as np

import bascule as bc

from ... import _core
from ...lib.sorting_common import unstable_positions
from .._columns.column import ndarray
from .._fallback.native import NotNative, native
from .arguments import arange, own_column


def _own_columns(index: Any) -> list:
    keys = [c.key() for c in index._columns]
    if any(k is None for k in keys):
        raise NotNative("labels of a pandas extension dtype")
    return [k.core for k in keys]


class IndexOrder:
    """Methods that sort labels."""

    _columns: list
    nlevels: int

    def _unstable(self: Any, rows: ndarray, ascending: bool, na_position: str = "last") -> ndarray:
        """The order of labels of one level, with equal ones as pandas' unstable sort has them, by their stable order."""
        return rows if self.nlevels > 1 else self._columns[0].unstable_rows(rows, ascending, na_position)

    @native
    def argsort(self: Any, *args: Any, **kwargs: Any) -> ndarray:
        """The positions of the labels in ascending order."""
        if args or kwargs:
            raise NotNative("options")
        columns = _own_columns(self)
        if self.nlevels == 1 and self._columns[0].nan_is_missing:  # pandas leaves NaN to NumPy here
            return unstable_positions(self._columns[0].values, 0, None)
        return self._unstable(_core.order_columns(columns, [True] * len(columns), False), True)

    @native
    def sort_values(
        self: Any, *, return_indexer: bool = False, ascending: bool = True, na_position: str = "last", key: Any = None
    ) -> Any:
        """Sort the labels.

        Parameters
        ----------
        return_indexer : bool
            Return the positions too.
        ascending : bool
        na_position : {"last", "first"}
        key : callable, optional
            Function whose results the labels are sorted by.
        """
        if not isinstance(ascending, bool) or (self.nlevels > 1 and not (ascending and key is None and na_position == "last")):  # fmt: skip
            raise NotNative("several levels with options")
        by = self
        if key is not None:
            by = type(self)._ensured(key(self))
            if len(by) != len(self):
                raise ValueError("User-provided `key` function must not change the shape of the array.")
        elif self.is_monotonic_increasing if ascending else self.is_monotonic_decreasing:
            return (self._view(), arange(len(self))) if return_indexer else self._view()
        if na_position not in ("first", "last"):
            raise ValueError(f"invalid na_position: {na_position}")
        columns = _own_columns(by)
        rows = _core.order_columns(columns, [ascending] * len(columns), na_position == "first")
        rows = by._unstable(rows, ascending, na_position)
        made = self._take(rows)
        return (made, rows) if return_indexer else made

    @native
    def sortlevel(
        self: Any, level: Any = None, ascending: Any = True, sort_remaining: Any = None, na_position: str = "first"
    ) -> Any:
        """The labels in order, and their positions."""
        if not isinstance(ascending, (list, bool)):
            raise TypeError("ascending must be a single bool value ora list of bool values of length 1")
        if isinstance(ascending, list):
            if len(ascending) != 1:
                raise TypeError("ascending must be a list of bool values of length 1")
            ascending = ascending[0]
        if not isinstance(ascending, bool):
            raise TypeError("ascending must be a bool value")
        return self.sort_values(return_indexer=True, ascending=ascending, na_position=na_position)

    def _extreme(self: Any, name: str, axis: Any, skipna: bool, args: tuple, kwargs: dict) -> np.int64:
        if args or kwargs or axis not in (None, 0):
            raise NotNative("options")
        c = own_column(self)
        c.plain_values(why="labels")
        values = c.as_numbers()
        if c.has_missing():
            if not skipna:
                raise ValueError("Encountered an NA value with skipna=False")
            gone = c.missing()
            if bool(gone.all()):
                raise ValueError("Encountered all NA values")
            if c.times() is not None:
                values = bc.where(gone, values.max() if name == "argmin" else values.min(), values)
            return np.int64(getattr(bc, "nan" + name)(values))
        return np.int64(getattr(values, name)())

    @native
    def argmin(self: Any, axis: Any = None, skipna: bool = True, *args: Any, **kwargs: Any) -> np.int64:
        """The position of the smallest label."""
        return self._extreme("argmin", axis, skipna, args, kwargs)

    @native
    def argmax(self: Any, axis: Any = None, skipna: bool = True, *args: Any, **kwargs: Any) -> np.int64:
        """The position of the largest label."""
        return self._extreme("argmax", axis, skipna, args, kwargs)
