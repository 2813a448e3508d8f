"""Distinct values: unique, counted, numbered, and rows that repeat earlier ones."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas

import bascule as bc

from ... import _core
from .. import _fallback
from .._columns.column import AnyColumn, Column, Core, HostColumn, has_own_form, ndarray, plain, to_extension_array
from .._groupby.keys import Grouping, int64

INT64 = np.dtype(np.int64)


def _own(columns: list[AnyColumn]) -> bool:
    return not any(isinstance(c, HostColumn) for c in columns)


def _check_keep(keep: Any) -> None:
    if keep not in ("first", "last", False) or keep is None:
        raise ValueError('keep must be either "first", "last" or False')


def distinct(c: Column, dropna: bool = False) -> Column:
    """The distinct values in order of first appearance."""
    _, first, _ = _core.factorize_columns([c.core], False, not dropna)
    return Column(c.core.take(first, False), c.dtype)


def duplicated_rows(columns: list[Column], keep: Any, n: int) -> ndarray:
    """Bool array: rows that repeat another; of equal rows all are but the first, the last, or none."""
    if not columns or n == 0:
        return bc.zeros(n, dtype=bool)
    codes, first, count = _core.factorize_columns([c.core for c in columns], True, True)
    if keep is False:
        sizes = _core.aggregate_columns(codes, count, [(None, "size", 1, -1)])[0].values
        return _core.take(sizes, int64(codes), 0) > 1
    if keep == "last":
        first = _core.aggregate_columns(codes, count, [(Core.plain(bc.arange(n)), "last", 1, -1)])[0].values
    out = bc.ones(n, dtype=bool, device=codes.device)
    out[first] = False
    return out


def factorized(c: Column, sort: bool, use_na_sentinel: bool) -> tuple[ndarray, Column]:
    """Number of each row's value, -1 where missing unless they are numbered too, and the distinct values."""
    groups = Grouping([c], [None], sort, use_na_sentinel)
    return groups.groups_of_rows(), Column(c.core.take(groups.first, False), c.dtype)


def counted(
    columns: list[Column], normalize: bool, sort: bool, ascending: bool, dropna: bool, nullable: bool
) -> tuple[list[AnyColumn], Column]:
    """Distinct rows and how often each is there, most frequent first; ties in order of appearance."""
    groups = Grouping(list(columns), [None] * len(columns), False, dropna)
    rows, counts = groups.first, groups.sizes
    keys, up = [Core.plain(counts)] if sort else [], [ascending] if sort else []
    if not dropna and len(columns) == 1 and columns[0].is_masked:  # NA comes after the values it ties with
        keys, up = [*keys, Core.plain(_core.take(columns[0].missing(), rows, 0))], [*up, True]
    if keys:
        order = _core.order_columns(keys, up, False)
        rows, counts = _core.take(rows, order, 0), _core.take(counts, order, 0)
    labels = [k.take(rows) for k in columns]
    if not normalize:
        return labels, Column(Core.plain(counts), pandas.Int64Dtype() if nullable else INT64)
    shares = counts / counts.sum() if len(counts) else _core.astype(counts, np.dtype(np.float64), False, "K")
    return labels, Column(Core.plain(shares), pandas.Float64Dtype() if nullable else np.dtype(np.float64))


class _OneColumn:
    """What series and indexes of one level know about their values."""

    _column: Any

    def unique(self) -> Any:
        """The distinct values in order of first appearance.

        Returns
        -------
        ndarray or extension array
            Numbers as an array of bascule, others in pandas' class.
        """
        c = self._column
        if isinstance(c, HostColumn):
            return self._call_pandas("unique", reason=f"values of type {c.dtype}")  # type: ignore[attr-defined]
        found = distinct(c)
        if found.is_text or found.is_masked or found.dtype.kind in "mM":
            return to_extension_array(found)
        return found.values

    def value_counts(
        self,
        normalize: bool = False,
        sort: bool = True,
        ascending: bool = False,
        bins: Any = None,
        dropna: bool = True,
    ) -> Any:
        """How often each value is there, most frequent first; ties in order of first appearance.

        Parameters
        ----------
        normalize : bool
            Give shares rather than counts.
        sort, ascending : bool
            Order by the counts, or leave the order of first appearance.
        bins : int, optional
            Counts of intervals run in pandas.
        dropna : bool
            Leave missing values out.
        """
        from .. import _indexes
        from .series import Series

        c = self._column
        if bins is not None or isinstance(c, HostColumn) or (c.is_text and c.is_masked):
            args = {"normalize": normalize, "sort": sort, "ascending": ascending, "bins": bins, "dropna": dropna}
            return _fallback.call(self, "value_counts", (), args, "bins= or values of a type of pandas'")
        keys, counts = counted([c], normalize, sort, ascending, dropna, c.is_masked)
        index = _indexes.from_column(keys[0], self.name)  # type: ignore[attr-defined]
        return Series._new(counts, index, "proportion" if normalize else "count")

    def factorize(self, sort: bool = False, use_na_sentinel: bool = True) -> tuple[ndarray, Any]:
        """Numbers of the values, and the distinct values as an index.

        Parameters
        ----------
        sort : bool
            Number in order of the values rather than of first appearance.
        use_na_sentinel : bool
            Missing values get -1 rather than a number.

        Returns
        -------
        tuple of int64 array and Index
        """
        from .. import _indexes

        c = self._column
        if isinstance(c, HostColumn):
            args = {"sort": sort, "use_na_sentinel": use_na_sentinel}
            return _fallback.call(self, "factorize", (), args, f"values of type {c.dtype}")
        codes, values = factorized(c, sort, use_na_sentinel)
        return codes, _indexes.from_column(values)


class SeriesDistinct(_OneColumn):
    """Distinct values of series."""

    def duplicated(self, keep: Any = "first") -> Any:
        """Which rows repeat another."""
        _check_keep(keep)
        c = self._column
        if isinstance(c, HostColumn):
            return _fallback.call(self, "duplicated", (), {"keep": keep}, f"values of type {c.dtype}")
        return self._like(plain(duplicated_rows([c], keep, len(c))))  # type: ignore[attr-defined]

    def drop_duplicates(self, *, keep: Any = "first", inplace: bool = False, ignore_index: bool = False) -> Any:
        """The rows that do not repeat another."""
        return _without_duplicates(self, self.duplicated(keep)._column.values, inplace, ignore_index)

    def mode(self, dropna: bool = True) -> Any:
        """The most frequent values, ascending."""
        from .. import _indexes
        from .series import Series

        c = self._column
        if isinstance(c, HostColumn):
            return _fallback.call(self, "mode", (), {"dropna": dropna}, f"values of type {c.dtype}")
        groups = Grouping([c], [None], True, dropna)
        rows = groups.first
        if len(rows):
            rows = rows[groups.sizes == groups.sizes.max()]
        return Series._new(c.take(rows), _indexes.default(len(rows)), self.name)  # type: ignore[attr-defined]


def _without_duplicates(x: Any, repeats: ndarray, inplace: bool, ignore_index: bool) -> Any:
    from .. import _indexes

    out = x._filter_rows(~repeats)
    if ignore_index:
        out = out._with(out._all_columns(), _indexes.default(len(out)))
    if not inplace:
        return out
    x._become(out)
    return None


class FrameDistinct:
    """Distinct rows of frames."""

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
        missing = [k for k in given if k not in self._names]
        if missing:
            raise KeyError(pandas.Index(missing))
        return [self._columns[i] for i in self._positions_of(given)]  # type: ignore[attr-defined]

    def duplicated(self, subset: Any = None, keep: Any = "first") -> Any:
        """Which rows repeat another in all columns, or in those of `subset`."""
        from .series import Series

        _check_keep(keep)
        columns = self._subset(subset)
        if not _own(columns) or (subset is not None and not columns):
            return _fallback.call(self, "duplicated", (subset, keep), {}, "values of a type of pandas'")
        found = duplicated_rows(columns, keep, len(self))  # type: ignore[arg-type]
        return Series._new(plain(found), self._index, None)  # type: ignore[attr-defined]

    def drop_duplicates(
        self, subset: Any = None, *, keep: Any = "first", inplace: bool = False, ignore_index: bool = False
    ) -> Any:
        """The rows that do not repeat another in all columns, or in those of `subset`."""
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
        """How often each row is there, most frequent first; ties in order of first appearance."""
        from .. import _indexes
        from .series import Series

        single = subset is not None and (isinstance(subset, str) or not np.iterable(subset))
        if single and subset not in self._names:
            raise KeyError(subset)
        labels = list(self._names) if subset is None else [subset] if single else list(subset)
        columns = self._columns if subset is None else self._subset(labels)
        if not columns or not _own(columns) or (len(columns) > 1 and not self._names.is_unique):
            args = {"normalize": normalize, "sort": sort, "ascending": ascending, "dropna": dropna}
            return _fallback.call(self, "value_counts", (subset,), args, "values of a type of pandas', or none")
        keys, counts = counted(columns, normalize, sort, ascending, dropna, False)  # type: ignore[arg-type]
        index = _indexes.from_column(keys[0], subset) if single else _indexes.MultiIndex._make(keys, labels)
        return Series._new(counts, index, "proportion" if normalize else "count")


class IndexDistinct(_OneColumn):
    """Distinct labels of indexes."""

    _columns: list[AnyColumn]

    def unique(self, level: Any = None) -> Any:
        """The distinct labels in order of first appearance."""
        if level is not None:
            return self.get_level_values(level).unique()  # type: ignore[attr-defined]
        if not _own(self._columns):
            return _fallback.call(self, "unique", (), {}, "labels of a type of pandas'")
        _, first, count = _core.factorize_columns([c.core for c in self._columns], False, True)
        return self._view() if count == len(self) else self._take(first)  # type: ignore[arg-type, attr-defined]

    def duplicated(self, keep: Any = "first") -> ndarray:
        """Bool array: which labels repeat another."""
        _check_keep(keep)
        if not _own(self._columns):
            return _fallback.call(self, "duplicated", (), {"keep": keep}, "labels of a type of pandas'")
        return duplicated_rows(self._columns, keep, len(self))  # type: ignore[arg-type]

    def drop_duplicates(self, *, keep: Any = "first") -> Any:
        """The labels that do not repeat another."""
        repeats = self.duplicated(keep)
        repeats = _core.from_numpy(repeats) if isinstance(repeats, np.ndarray) else repeats
        return self._filter(~repeats) if bool(repeats.any()) else self._view()  # type: ignore[attr-defined]

    def nunique(self, dropna: bool = True) -> int:
        """Number of distinct labels."""
        if not _own(self._columns) or len(self._columns) > 1:
            return _fallback.call(self, "nunique", (), {"dropna": dropna}, "several levels, or labels of pandas'")
        return _core.factorize_columns([self._columns[0].core], True, not dropna)[2]

    def value_counts(
        self,
        normalize: bool = False,
        sort: bool = True,
        ascending: bool = False,
        bins: Any = None,
        dropna: bool = True,
    ) -> Any:
        """How often each label is there; see Series.value_counts."""
        if len(self._columns) > 1 or getattr(self._own, "as_range", None) is not None:
            args = {"normalize": normalize, "sort": sort, "ascending": ascending, "bins": bins, "dropna": dropna}
            return _fallback.call(self, "value_counts", (), args, "several levels, or labels that step evenly")
        return super().value_counts(normalize, sort, ascending, bins, dropna)

    def factorize(self, sort: bool = False, use_na_sentinel: bool = True) -> tuple[ndarray, Any]:
        """Numbers of the labels, and the distinct labels; see Series.factorize."""
        if len(self._columns) > 1 or getattr(self._own, "as_range", None) is not None:
            args = {"sort": sort, "use_na_sentinel": use_na_sentinel}
            return _fallback.call(self, "factorize", (), args, "several levels, or labels that step evenly")
        return super().factorize(sort, use_na_sentinel)


def _of_numpy(x: Any) -> bool:
    """Whether it is an array of NumPy's whose type bascule has."""
    return isinstance(x, np.ndarray) and x.ndim == 1 and has_own_form(x.dtype)


def unique(values: Any) -> Any:
    """The distinct values of a series, index or array in order of first appearance.

    Examples
    --------
    >>> import bascule.pandas as pd
    >>> pd.unique(pd.Series([2, 1, 2])).tolist()
    [2, 1]
    """
    if hasattr(values, "_all_columns") or hasattr(values, "get_level_values"):
        return _fallback.from_pandas(values).unique()
    if type(values) is ndarray and values.ndim == 1:
        return distinct(plain(values)).values
    if _of_numpy(values):
        return _core.to_numpy(unique(_core.from_numpy(values)))
    return _fallback.run("pandas.unique", "values of other kinds", "cpu", pandas.unique, values)


def factorize(
    values: Any, sort: bool = False, use_na_sentinel: bool = True, size_hint: int | None = None
) -> tuple[Any, Any]:
    """Numbers of the values of a series, index or array, and the distinct values.

    Parameters
    ----------
    values : Series, Index or array, shape (n,)
    sort : bool
        Number in order of the values rather than of first appearance.
    use_na_sentinel : bool
        Missing values get -1 rather than a number.
    size_hint : int, optional
        Of no effect on results: tables grow as they need.

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
    return _fallback.run("pandas.factorize", "values of other kinds", "cpu", pandas.factorize, values, **options)
