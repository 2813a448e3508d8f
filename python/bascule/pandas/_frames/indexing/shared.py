"""Selection by position, label and condition: the methods that frames and series share."""

from __future__ import annotations

from typing import Any

import numpy as np

from .... import _core
from ... import _fallback, _indexes
from ..._base import Rows
from ..._columns.column import ndarray
from ..._columns.where import choose
from ..._fallback.native import NotNative, native
from ..._pending import objects as pending
from ..._pipe import apply_if_callable
from ..._questions import is_integer, is_list_like
from ..._theirs import UNSET, pandas, unset
from ..labels.levels import axis_number, level_numbers
from .indexers import ByLabel, Positions
from .one_value import OneValue


def _condition(c: Any) -> ndarray:
    """The values of a condition: booleans of NumPy's, or of Arrow's of which none is missing."""
    if c.is_arrows and c.selects_rows and not c.has_missing():
        return c.booleans()
    return c.plain_values("b", "conditions that are not booleans")


class Indexing(Rows):
    """Selection of frames and series."""

    @property
    def loc(self) -> ByLabel:
        """Rows and columns by label, list of labels, slice of labels or boolean mask."""
        return ByLabel(self)

    @property
    def iloc(self) -> Positions:
        """Rows and columns by position."""
        return Positions(self)

    @property
    def at(self) -> OneValue:
        """One value by label."""
        return OneValue(self, ByLabel)

    @property
    def iat(self) -> OneValue:
        """One value by position."""
        return OneValue(self, Positions)

    def head(self, n: int = 5) -> Any:
        """The first n rows; with negative n all but the last -n."""
        return self._slice_rows(slice(None, n)) if is_integer(n) else self.iloc[:n]

    def tail(self, n: int = 5) -> Any:
        """The last n rows; with negative n all but the first -n."""
        return self._slice_rows(slice(len(self), None) if n == 0 else slice(-n, None))

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
            levels = level_numbers(index, level)
            if len(keys) != len(levels) or len(levels) >= index.nlevels:
                raise NotNative("as many labels as levels")
        mask = self._rows_of(keys, levels)
        if not bool(mask.any()):
            raise KeyError(key)
        found = self._filter_rows(mask)
        return found._with(found._all_columns(), found._index._without_levels(levels)) if drop_level else found

    def _rows_of(self, keys: list[Any], levels: list[int]) -> ndarray:
        mask = None
        for k, i in zip(keys, levels):
            c = self._index._columns[i]
            why = "labels of a pandas extension dtype, or slices of them"
            at = _indexes.from_column(c.own(why))
            if isinstance(k, (slice, list)) or (isinstance(k, str) and c.times() is not None):
                raise NotNative(why)
            one = _core.full((len(c),), False, np.dtype(bool), c.device)
            found = at._find(k)
            if len(found):
                one[found] = True
            mask = one if mask is None else mask & one
        return mask

    def where(
        self, cond: Any, other: Any = UNSET, *, inplace: bool = False, axis: Any = None, level: Any = None
    ) -> Any:
        """Keep values where a condition holds and replace the others, by default with missing values."""
        return self._choose("where", cond, other, inplace, axis, level)

    def mask(self, cond: Any, other: Any = UNSET, *, inplace: bool = False, axis: Any = None, level: Any = None) -> Any:
        """Replace values where a condition holds, by default with missing values, and keep the others."""
        return self._choose("mask", cond, other, inplace, axis, level)

    def _choose(self, name: str, cond: Any, other: Any, inplace: bool, axis: Any, level: Any) -> Any:
        kwargs = {"inplace": inplace, "axis": axis, "level": level}
        given = (cond,) if unset(other) else (cond, other)
        cond = apply_if_callable(cond, self)
        other = other if unset(other) else apply_if_callable(other, self)
        if self.ndim == 1 and name == "where" and "_plan" in self.__dict__ and not inplace and axis is level is None:
            later = pending.chosen(self, cond, other)
            if later is not None:
                return later
        try:
            if axis is not None or level is not None:
                raise NotNative("axis= or level=")
            masks = self._masks(cond)
            if name == "mask":
                masks = [~m for m in masks]
            others = self._others(np.nan if unset(other) else other)
            columns = [choose(m, c, o) for m, c, o in zip(masks, self._all_columns(), others)]
        except NotNative as why:
            return self._call_pandas(name, given, kwargs, reason=why.reason)
        return self._done(self._with(columns, self._index), inplace)

    def _masks(self, cond: Any) -> list[ndarray]:
        """A boolean array for each column."""
        if isinstance(cond, (pandas.Series, pandas.DataFrame)):
            cond = _fallback.from_pandas(cond)
        columns = self._all_columns()
        if isinstance(cond, Rows):
            if cond.ndim != self.ndim or not (cond._index is self._index or cond._index.equals(self._index)):
                raise NotNative("conditions with other labels")
            if self.ndim == 2 and not (cond._names is self._names or cond._names.equals(self._names)):
                raise NotNative("conditions with other labels")
            found = [_condition(c) for c in cond._all_columns()]
        elif (
            isinstance(cond, (ndarray, np.ndarray)) and cond.dtype == np.dtype(bool) and tuple(cond.shape) == self.shape
        ):
            array = cond if type(cond) is ndarray else _core.from_numpy(cond, self._device())
            found = [array] if self.ndim == 1 else [array[:, i] for i in range(len(columns))]
        else:
            raise NotNative("conditions that are not booleans")
        return found

    def _others(self, other: Any) -> list[Any]:
        """A scalar or a column for each column."""
        if isinstance(other, (pandas.Series, pandas.DataFrame)):
            other = _fallback.from_pandas(other)
        columns = self._all_columns()
        if isinstance(other, Rows):
            same = other.ndim == self.ndim and (other._index is self._index or other._index.equals(self._index))
            if not same or (self.ndim == 2 and not other._names.equals(self._names)):
                raise NotNative("values of other labels")
            return other._all_columns()
        if is_list_like(other) or (type(other) is ndarray and other.ndim):
            raise NotNative("unlabelled values")
        return [other] * len(columns)
