"""Selection, assignment and iteration of series."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from typing import Any

import numpy as np

from ...._core import from_numpy as _from_numpy
from ... import _classes
from ..._base import Rows, mask_of_series
from ..._columns.column import ndarray
from ..._columns.dtypes import is_numpys
from ..._fallback.chained import check_item
from ..._fallback.native import NotNative, native
from ..._labels import hashes
from ..._pending import objects as pending
from ..._pipe import apply_if_callable
from ..._questions import is_integer, is_list_like, is_scalar, listed
from ..._theirs import pandas
from .enlarge import add_value
from .indexers import ByLabel, Positions
from .setting import put_one
from .shared import Indexing


def _are_cases(given: Any) -> bool:
    pairs = isinstance(given, list) and all(isinstance(entry, tuple) and len(entry) == 2 for entry in given)
    return pairs and bool(given)


class SeriesIndexing(Indexing):
    """Selection, assignment and iteration of series."""

    def __iter__(self) -> Iterator[Any]:
        return self._column.iterated()

    def items(self) -> Iterator[tuple[Any, Any]]:
        """Pairs of label and value."""
        return zip(self._index, self._column.iterated())

    def keys(self) -> Any:
        """The index."""
        return self.index

    def __contains__(self, key: Any) -> bool:
        return key in self._index

    def item(self) -> Any:
        """The only value; ValueError when there is not exactly one."""
        if len(self) != 1:
            raise ValueError("can only convert an array of size 1 to a Python scalar")
        return self.to_pandas().item()

    def __getitem__(self, key: Any) -> Any:
        later = pending.filtered(self, key) if "_plan" in self.__dict__ else None
        if later is not None:
            return later
        found = self._index._where_is(key)
        if type(found) is int:
            return self._column.item(found)
        if isinstance(key, np.ndarray) and key.ndim == 0:
            key = key.item()
        if isinstance(key, Rows) or type(key) is ndarray or isinstance(key, (list, np.ndarray, pandas.Series)):
            mask = mask_of_series(key, self._index)
            if mask is not None:
                return self._filter_rows(mask, asked_for=True)
        if callable(key):
            return self[apply_if_callable(key, self)]
        one_level = self._index.nlevels == 1
        if (one_level and is_scalar(key)) or isinstance(key, (bool, np.bool_)):
            return self._value_of(key)
        if not one_level and isinstance(key, (str, tuple)):
            return self._of_levels(key)
        if isinstance(key, tuple):
            return self._call_pandas("__getitem__", (key,), reason="a tuple as a label")
        if isinstance(key, slice):
            if self._cut_by_position(key):
                return self._slice_rows(key)
            self._index._refuse_slice(key)
        if one_level and is_list_like(key) and not isinstance(key, (slice, Iterator)) and hashes(key):
            try:
                return self._value_of(key)  # a hashable collection may be a label
            except (KeyError, TypeError, pandas.errors.InvalidIndexError):
                return self.loc[list(key)]
        return self.loc[key]

    def _of_levels(self, key: Any) -> Any:
        """The rows of a label in the first of several levels, or in some."""
        if isinstance(key, str):
            if self._index._columns[0].times() is not None:
                return self._call_pandas("__getitem__", (key,), reason="a part of a date as a label of a level")
            return self.loc[key]
        if len(key) > self._index.nlevels:
            raise KeyError(f"Key length ({len(key)}) exceeds index depth ({self._index.nlevels})")
        if not any(k is None for k in key):
            return self.loc[key]
        try:
            return self.loc[key]
        except KeyError:
            return np.asarray(self.to_numpy()[key])

    def _value_of(self, label: Any) -> Any:
        """The value of a label, or the rows where it repeats."""
        found = self._index.get_loc(label)
        if isinstance(found, (int, np.integer)):
            return self._column.item(int(found))
        if isinstance(found, slice):
            return self._slice_rows(found)
        mask = found.dtype == bool
        found = _from_numpy(found) if isinstance(found, np.ndarray) else found
        return self._filter_rows(found) if mask else self._take_rows(found)

    def __setitem__(self, key: Any, value: Any) -> None:
        check_item(sys.getrefcount(self), self)
        if put_one(self, True, key, value):
            return
        by = Positions if isinstance(key, slice) and self._cut_by_position(key) else ByLabel
        if isinstance(key, slice) and by is ByLabel:
            self._index._refuse_slice(key)
        if add_value(self, key, value):
            return
        masked = mask_of_series(key, self._index) is not None
        why = by(self)._stored(key, value, masked, masked)
        if why is not None:
            self._call_pandas("__setitem__", (key, value), reason=why)
            self._pass_on()

    @staticmethod
    def _cut_by_position(key: slice) -> bool:
        """Whether a slice means positions: integers do, whatever the labels."""
        return all(v is None or is_integer(v) for v in (key.start, key.stop, key.step))

    def get(self, key: Any, default: Any = None) -> Any:
        """The value of that label, or the default."""
        try:
            return self[key]
        except (KeyError, ValueError, IndexError):
            return default

    def pop(self, item: Any) -> Any:
        """Return the value of a label and remove it from the series."""
        found = self[item]
        self._become(self.drop(item))
        return found

    def isin(self, values: Any) -> Any:
        """Whether each value is contained in a collection."""
        if not is_list_like(values):
            raise TypeError(
                f"only list-like objects are allowed to be passed to isin(), you passed a `{type(values).__name__}`"
            )
        later = pending.among(self, values) if "_plan" in self.__dict__ else None
        if later is not None:
            return later
        values = listed(values)
        try:
            return self._before_repeating(lambda s: s._map_columns(lambda c: c.among(values), s._index))
        except NotNative as why:  # with the values, which an iterator gives only once
            return self._call_pandas("isin", (values,), reason=why.reason)

    @native(caselist=_are_cases)
    def case_when(self, caselist: list[tuple[Any, Any]]) -> Any:
        """Replace values where conditions are true, by the first one that is.

        Parameters
        ----------
        caselist : list of (condition, replacement)
            Conditions are booleans of each row, replacements scalars or values of each row; either may be a function of
            the series.

        Returns
        -------
        Series

        Raises
        ------
        TypeError, ValueError

        Examples
        --------
        >>> import bascule.pandas as pd
        >>> s = pd.Series([1, 5, 9])
        >>> s.case_when([(s < 3, 0), (s > 6, 10)]).tolist()
        [0, 5, 10]
        """
        pairs = [tuple(apply_if_callable(x, self) for x in case) for case in caselist]
        return self._replaced(pairs)

    def _replaced(self, pairs: list[tuple]) -> Any:
        own = (bool, int, float, str, np.generic, _classes.Series)
        for condition, replacement in pairs:
            if (
                not isinstance(condition, _classes.Series)
                or condition.dtype != bool
                or not isinstance(replacement, own)
            ):
                raise NotNative("unsupported conditions or replacements")
            if not condition._index.equals(self._index):
                raise NotNative("conditions with other labels")
            if isinstance(replacement, _classes.Series) and not replacement._index.equals(self._index):
                raise NotNative("replacements of other labels")
        common = _common_type([*(r for _, r in pairs), self])
        found = self if common is None else self.astype(common)
        for condition, replacement in reversed(pairs):
            if common is not None:
                replacement = replacement.astype(common) if isinstance(replacement, Rows) else common.type(replacement)
            found = found.mask(condition, replacement)
        return found


def _common_type(values: list[Any]) -> Any:
    """The common type that pandas finds for all values; None where they have one type."""
    types = [
        v.dtype if isinstance(v, _classes.Series) else pandas.core.dtypes.cast.infer_dtype_from(v)[0] for v in values
    ]
    if len(set(types)) == 1:
        return None
    common = pandas.core.dtypes.cast.find_common_type(types)
    if is_numpys(common, "biuf"):
        return common
    raise NotNative("a combination of dtypes that only pandas supports")
