"""Distinct values of series and rows of frames: unique, value_counts, factorize, duplicated."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas

import bascule as bc

from ... import _core
from .. import _classes, _fallback, _indexes
from .._columns.column import AnyColumn, has_own_form, ndarray, plain
from .._columns.grouping import Grouping
from .._columns.numbered import is_categories, is_zoned
from .._columns.reduce import lacks_categories
from .._columns.unique import all_own, check_keep, counted, distinct, duplicated_rows, factorized, keys_of
from .._indexes.unique import OneColumn
from .._labels import is_label


class SeriesDistinct(OneColumn):
    """Methods of distinct values of series."""

    def duplicated(self, keep: Any = "first") -> Any:
        """Which rows repeat another row."""
        check_keep(keep)
        c = self._column
        if not all_own([c]):
            return _fallback.call(self, "duplicated", (), {"keep": keep}, f"values of type {c.dtype}")
        return self._like(plain(duplicated_rows([c], keep, len(c))))  # type: ignore[attr-defined]

    def drop_duplicates(self, *, keep: Any = "first", inplace: bool = False, ignore_index: bool = False) -> Any:
        """Drop the rows that repeat another row."""
        return _without_duplicates(self, self.duplicated(keep)._column.values, inplace, ignore_index)

    def mode(self, dropna: bool = True) -> Any:
        """The most frequent values, ascending."""

        c = self._column
        if not all_own([c]):
            return _fallback.call(self, "mode", (), {"dropna": dropna}, f"values of type {c.dtype}")
        groups = Grouping(list(keys_of([c])), [None], True, dropna)
        rows = groups.first
        if len(rows):
            rows = rows[groups.sizes == groups.sizes.max()]
        kind = c.dtype.kind if isinstance(c.dtype, np.dtype) else ""
        if not dropna and (kind in ("m", "M") or is_zoned(c) or is_categories(c)) and c.take(rows[-1:]).has_missing():
            rows = bc.concatenate([rows[-1:], rows[:-1]])  # ordered by codes, missing values come first
        return _classes.Series._new(c.take(rows), _indexes.default(len(rows)), self.name)  # type: ignore[attr-defined]


def _without_duplicates(x: Any, repeats: ndarray, inplace: bool, ignore_index: bool) -> Any:

    out = x._filter_rows(~repeats, asked_for=x.ndim == 1)
    if ignore_index:
        out = out._with(out._all_columns(), _indexes.default(len(out)))
    if not inplace:
        return out
    x._become(out)
    return None


class FrameDistinct:
    """Methods of distinct rows of frames."""

    _columns: list[AnyColumn]
    _names: pandas.Index

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

    def duplicated(self, subset: Any = None, keep: Any = "first") -> Any:
        """Which rows repeat another row in all columns, or in those of `subset`."""

        check_keep(keep)
        columns = self._subset(subset)
        if not all_own(columns) or (subset is not None and not columns):
            return _fallback.call(self, "duplicated", (subset, keep), {}, "values of a type of pandas'")
        found = duplicated_rows(columns, keep, len(self))  # type: ignore[arg-type]
        return _classes.Series._new(plain(found), self._index, None)  # type: ignore[attr-defined]

    def drop_duplicates(
        self, subset: Any = None, *, keep: Any = "first", inplace: bool = False, ignore_index: bool = False
    ) -> Any:
        """Drop the rows that repeat another row in all columns, or in those of `subset`."""
        if 0 in self.shape:  # type: ignore[attr-defined]
            return None if inplace else self.copy()  # type: ignore[attr-defined]
        return _without_duplicates(self, self.duplicated(subset, keep)._column.values, inplace, ignore_index)

    def value_counts(
        self,
        subset: Any = None,
        normalize: bool = False,
        sort: bool = True,
        ascending: bool = False,
        dropna: bool = True,
    ) -> Any:
        """The number of occurrences of each row, most frequent first; ties in order of first appearance."""

        single = subset is not None and is_label(subset, self._names)
        if single and subset not in self._names:
            raise KeyError(subset)
        labels = list(self._names) if subset is None else [subset] if single else list(subset)
        columns = self._columns if subset is None else [self._columns[i] for i in self._positions_of(labels)]  # type: ignore[attr-defined]
        several = len(columns) > 1
        unused = any(is_categories(c) if several else lacks_categories(c) for c in columns)  # pandas counts them: 0
        if not columns or not all_own(columns) or unused or (several and not self._names.is_unique):
            args = {"normalize": normalize, "sort": sort, "ascending": ascending, "dropna": dropna}
            return _fallback.call(
                self, "value_counts", (subset,), args, "values of a type of pandas', unused categories, or no columns"
            )
        keys, counts = counted(columns, normalize, sort, ascending, dropna, False)  # type: ignore[arg-type]
        index = _indexes.from_column(keys[0], subset) if single else _indexes.MultiIndex._make(keys, labels)
        if not single:
            index._ordered(columns)  # as they first appear
        return _classes.Series._new(counts, index, "proportion" if normalize else "count")


def _of_numpy(x: Any) -> bool:
    """Whether it is an array of NumPy with a type that bascule has."""
    return isinstance(x, np.ndarray) and x.ndim == 1 and has_own_form(x.dtype)


def unique(values: Any) -> Any:
    """Unique values of a series, index or array in order of first appearance.

    Examples
    --------
    >>> import bascule.pandas as pd
    >>> pd.unique(pd.Series([2, 1, 2])).tolist()
    [2, 1]
    """
    if hasattr(values, "_all_columns") or hasattr(values, "get_level_values"):
        found = _fallback.from_pandas(values).unique()
        if isinstance(found, pandas.api.extensions.ExtensionArray) and isinstance(found.dtype, np.dtype):
            return (
                _core.from_numpy(np.asarray(found)) if hasattr(values, "_all_columns") else found
            )  # timestamps without a time zone
        return found
    if type(values) is ndarray and values.ndim == 1:
        return distinct(plain(values)).values
    if _of_numpy(values):
        return _core.to_numpy(unique(_core.from_numpy(values)))
    return _fallback.run("pandas.unique", "values of other kinds", pandas.unique, values)


def factorize(
    values: Any, sort: bool = False, use_na_sentinel: bool = True, size_hint: int | None = None
) -> tuple[Any, Any]:
    """Encode the values of a series, index or array as integers, with the unique values.

    Parameters
    ----------
    values : Series, Index or array, shape (n,)
    sort : bool
        Number in the order of the values rather than of first appearance.
    use_na_sentinel : bool
        Missing values get -1 rather than a code.
    size_hint : int, optional
        Without effect: tables grow as needed.

    Examples
    --------
    >>> import bascule.pandas as pd
    >>> codes, values = pd.factorize(pd.Series(["b", "a", "b"]))
    >>> codes.tolist(), values.tolist()
    ([0, 1, 0], ['b', 'a'])
    """
    if isinstance(values, (pandas.Series, pandas.Index)):
        values = _fallback.from_pandas(values)
    if hasattr(values, "_all_columns") or hasattr(values, "get_level_values"):
        return values.factorize(sort=sort, use_na_sentinel=use_na_sentinel)
    if type(values) is ndarray and values.ndim == 1:
        codes, found = factorized(plain(values), sort, use_na_sentinel)
        return codes, found.values
    if _of_numpy(values):
        codes, found = factorized(plain(_core.from_numpy(values)), sort, use_na_sentinel)
        return _core.to_numpy(codes), _core.to_numpy(found.values)
    options = dict(sort=sort, use_na_sentinel=use_na_sentinel, size_hint=size_hint)
    return _fallback.run("pandas.factorize", "values of other kinds", pandas.factorize, values, **options)
