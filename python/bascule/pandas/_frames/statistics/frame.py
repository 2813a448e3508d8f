"""Statistics of frames."""

from __future__ import annotations

from typing import Any

import numpy as np

from .... import _core
from ... import _classes, _indexes
from ..._columns.column import Column, from_pandas_array
from ..._columns.dtypes import kept
from ..._columns.infer import from_values
from ..._columns.reduce import distinct, extreme_position, lacks_categories, quantiles, reduction, totals
from ..._columns.unique import all_own, counted
from ..._fallback import deprecations
from ..._fallback.carried import bare
from ..._fallback.native import NotNative, native
from ..._indexes.index import from_pandas
from ..._labels import is_label
from ..._reshape.shapes import row_labels
from ..._reshape.turned import origin, reduced_origin
from ..._stand_ins import labels_of
from ..._theirs import pandas, seen
from .described import of_types, shares_of, summary
from .moments import joint_table, numbers_of
from .reductions import NARROW, masked_row_of, not_numpys, one_value, row_of, rows_at_shares
from .row_reductions import across, extreme_columns
from .shared import Statistics, with_reductions


@with_reductions
class FrameStatistics(Statistics):
    """Statistics of frames."""

    def _fold(self, name: str, axis: Any, skipna: Any, numeric_only: bool, kwargs: dict, given: dict) -> Any:
        kwargs = not_numpys(kwargs)
        options = {"axis": axis, "skipna": skipna, **given, **kwargs}
        if numeric_only:
            deprecations.of_numeric_only(numeric_only)
        if name not in ("any", "all"):
            options["numeric_only"] = bool(numeric_only)
        whole = axis is None and name in ("any", "all")
        if kwargs or not (whole or axis in (0, "index", 1, "columns")) or type(skipna) is not bool:
            return self._call_pandas(name, (), options, reason="options of reductions")
        own = None if whole else reduced_origin(self, name)
        if own is not None:
            made = own._fold(name, 1 if axis in (0, "index") else 0, skipna, False, {}, given)
            labels = row_labels(self._names) if axis in (0, "index") else self._index
            return self._constructor_sliced._new(made._column, labels)
        frame = self
        if numeric_only:
            frame = self._select(kept(self._columns))
        try:
            if axis in (1, "columns") and not len(self):
                made = frame._fold(name, 0, skipna, False, kwargs, given)  # of the type that columns give
                return self._constructor_sliced._new(made._column.slice(0, 1, 0), self._index)
            if axis in (1, "columns"):
                made = across(name, frame._columns, skipna, given.get("min_count", 0), given.get("ddof", 1))
                return self._constructor_sliced._new(made, self._index)
            known = totals(frame._columns) if name == "sum" else [None] * len(frame._columns)
            results = [
                one_value(name, c, skipna, given.get("min_count", 0), given.get("ddof", 1), total)
                for c, total in zip(frame._columns, known, strict=True)
            ]
            if whole:
                for c in frame._columns:
                    c.plain_values("biuf", "values of several types")
                return np.bool_(any(results) if name == "any" else all(results))
            if any(c.nothing is seen.NA for c in frame._columns):
                return masked_row_of(name, results, frame)
            return row_of(results, frame)
        except NotNative as why:
            return self._call_pandas(name, (), options, reason=why.reason)

    @native
    def count(self, axis: Any = 0, numeric_only: bool = False) -> Any:
        """Number of values that are not missing, of each column or row."""
        own = origin(self) if axis in (0, "index") else None
        if own is not None:
            return self._constructor_sliced._new(own.count(axis=1)._column, row_labels(self._names))
        frame = self
        if numeric_only:
            frame = self._select(kept(self._columns))
        if axis not in (0, 1, "index", "columns"):
            raise ValueError(f"No axis named {axis} for object type DataFrame")
        if not frame._columns:
            raise NotNative("no columns")
        if axis in (1, "columns"):
            there = [~c.missing() for c in frame._columns]
            total = there[0].astype(np.int64)
            for t in there[1:]:
                total = total + t
            return self._constructor_sliced._new(Column(_core.Column.plain(total), total.dtype), self._index)
        return row_of([reduction("count", c) for c in frame._columns], frame, np.dtype(np.int64))

    @native(axis=(0, "index"))
    def nunique(self, axis: Any = 0, dropna: bool = True) -> Any:
        """Number of distinct values of each column."""
        return row_of([np.int64(distinct(c, dropna)) for c in self._columns], self, np.dtype(np.int64))

    @native(bool_only=False)
    def any(self, *, axis: Any = 0, bool_only: bool = False, skipna: bool = True, **kwargs: Any) -> Any:
        """Whether any value is true, of each column or row."""
        return self._fold("any", axis, skipna, False, kwargs, {})

    @native(bool_only=False)
    def all(self, axis: Any = 0, bool_only: bool = False, skipna: bool = True, **kwargs: Any) -> Any:
        """Whether all values are true, of each column or row."""
        return self._fold("all", axis, skipna, False, kwargs, {})

    @native
    def idxmin(self, axis: Any = 0, skipna: bool = True, numeric_only: bool = False) -> Any:
        """Label of the row with the smallest value of each column."""
        return self._extreme_row("min", axis, skipna, numeric_only)

    @native
    def idxmax(self, axis: Any = 0, skipna: bool = True, numeric_only: bool = False) -> Any:
        """Label of the row with the largest value of each column."""
        return self._extreme_row("max", axis, skipna, numeric_only)

    def _extreme_row(self, which: str, axis: Any, skipna: bool, numeric_only: bool) -> Any:
        frame = self._select(kept(self._columns)) if numeric_only else self
        rows = axis in (1, "columns") and frame._names.nlevels == 1
        if (rows or axis in (0, "index")) and not (len(self) and self._columns):
            labels = _indexes.from_pandas(self._names) if rows else self._index
            if len(labels) and labels.nlevels == 1:  # of nothing the result has no labels either
                return bare(self._constructor_sliced._new(labels[:0]._column, _indexes.RangeIndex._of(0, 1, 0, None)))
        if not (rows or axis in (0, "index")) or not frame._columns or not len(self) or self._index.nlevels > 1:
            raise NotNative("axis= or empty frames")
        if rows:
            labels = _indexes.from_pandas(frame._names)._take(extreme_columns(frame._columns, which, skipna))
            return self._constructor_sliced._new(labels._column, self._index)
        at = [extreme_position(c, which, skipna) for c in frame._columns]
        labels = self._index._take(_core.from_numpy(np.array(at, dtype=np.int64)))
        values = labels._column if labels.nlevels == 1 else from_values(labels.tolist())
        return self._constructor_sliced._new(values, _indexes.from_pandas(frame._names))

    @native(axis=(0, "index"), method=("single", "table"))
    def quantile(self, q: Any = 0.5, axis: Any = 0, numeric_only: bool = False, interpolation: str = "linear",
                 method: str = "single") -> Any:  # fmt: skip
        """Quantiles of each column: a series for one q, a frame for several."""
        frame = self._select(kept(self._columns)) if numeric_only else self
        shares = np.asarray(q, dtype=np.float64).reshape(-1)
        if method == "table" and np.ndim(q) and len(frame) and frame._columns:
            made = rows_at_shares(frame, shares, interpolation)
            if made is not None:
                return made
        if ((shares < 0) | (shares > 1)).any() or method != "single" or not frame._columns:
            raise NotNative("q=, a table of other values than numbers, or no columns")
        for c in frame._columns:
            c.plain_values("iuf", "quantiles of values that are not numbers")
        # pandas keeps the type of narrow floats where some of the columns of that type lack a value
        lacking = {c.dtype for c in frame._columns if c.dtype in NARROW and c.has_missing()}
        found = [quantiles(c, list(shares), interpolation, c.dtype in lacking)[0] for c in frame._columns]
        if np.ndim(q) == 0:
            return row_of([f[0] for f in found], frame, name=np.float64(q))
        columns = [from_pandas_array(f) for f in found]
        return self._new(columns, frame._names, _indexes.Index(shares))

    @native
    def describe(self, percentiles: Any = None, include: Any = None, exclude: Any = None) -> Any:
        """Count, mean, standard deviation, extremes and quartiles of numbers; the most frequent of other values.

        Parameters
        ----------
        percentiles : list of float, optional
            Shares of the values that are smaller, in place of quartiles.
        include, exclude : type, list of types or "all", optional
            Columns by their type; by default numbers and dates, or all where there are none.
        """
        shares, marks = shares_of(percentiles)
        everything = isinstance(include, str) and include == "all" and exclude is None
        if include is None and exclude is None:
            at = of_types(self._columns, ["number", "datetime"], None)
            everything = not at
        elif not everything:
            at = of_types(self._columns, include, exclude)
        frame = self if everything else self._select(at)
        if not frame._columns:
            raise NotNative("no columns")
        found = [summary(c, shares, marks) for c in frame._columns]
        labels = list(dict.fromkeys(name for names, _ in sorted(found, key=lambda f: len(f[0])) for name in names))
        made = [c if names == labels else c.take(_positions_of(names, labels), True) for names, c in found]
        return self._labelled(made, frame._names, labels_of(labels))

    def _labelled(self, columns: list, names: pandas.Index, labels: pandas.Index) -> Any:
        return self._new(columns, names, from_pandas(labels))

    @native
    def corr(self, method: Any = "pearson", min_periods: int = 1, numeric_only: bool = False) -> Any:
        """Correlation of every pair of columns, over the rows where both are valid."""
        if method == "spearman":
            frame = self._select(kept(self._columns, numeric_only))
            if 0 not in frame.shape and all(
                c.has_ends and c.times() is None and not c.has_missing() for c in frame._columns
            ):
                return frame.rank().corr(min_periods=min_periods)
        if method != "pearson":
            raise NotNative("method=")
        return self._pairs(1, min_periods, numeric_only, True)

    @native
    def cov(self, min_periods: Any = None, ddof: Any = 1, numeric_only: bool = False) -> Any:
        """Covariance of every pair of columns, over the rows where both are valid."""
        if any(c.times() is not None for c in self._columns):
            raise TypeError(
                "DataFrame contains columns with dtype datetime64 or timedelta64, which are not supported for cov."
            )
        return self._pairs(1 if ddof is None else ddof, 1 if min_periods is None else min_periods, numeric_only, False)

    def _pairs(self, ddof: int, least: int, numeric_only: bool, correlation: bool) -> Any:
        frame = self._select(kept(self._columns, numeric_only))
        values = [numbers_of(c) for c in frame._columns]
        if not values or not len(self):
            raise NotNative("no rows or columns")
        table = joint_table(values, ddof, least, correlation)
        made = [from_pandas_array(np.ascontiguousarray(table[:, j])) for j in range(len(values))]
        return self._labelled(made, frame._names, frame._names)

    @native(axis=(0, "index"))
    def mode(self, axis: Any = 0, numeric_only: bool = False, dropna: bool = True) -> Any:
        """The most frequent values of each column, ascending; shorter columns are filled up with missing values."""
        if 0 in self.shape:
            raise NotNative("no rows or columns")
        at = kept(self._columns, numeric_only)
        found = [self._series(i).mode(dropna)._column for i in at]
        height = max(map(len, found), default=0)
        if not height:
            raise NotNative("only missing values")
        rows = [np.where(np.arange(height) < len(c), np.arange(height), -1) for c in found]
        columns = [c if len(c) == height else c.take(_positions(p), True) for c, p in zip(found, rows)]
        return self._new(columns, self._names[at], _indexes.default(height))

    @native(axis=(0, "index"), method="pearson", numeric_only=False, min_periods=None)
    def corrwith(
        self, other: Any, axis: Any = 0, drop: bool = False, method: Any = "pearson", numeric_only: bool = False, min_periods: Any = None
    ) -> Any:  # fmt: skip
        """Correlation of each column with a series, or with the column of that label of another frame."""
        if isinstance(other, _classes.DataFrame) and not (drop or self._names.equals(other._names)):
            asked = dict(axis=axis, method=method, numeric_only=numeric_only, min_periods=min_periods)
            return bare(self._call_pandas("corrwith", (other,), asked, "frames of several labels"))
        if 0 in self.shape:
            raise NotNative("no rows or columns")
        if isinstance(other, _classes.Series):
            found = [other.corr(self._series(i)) for i in range(len(self._columns))]
        elif isinstance(other, _classes.DataFrame) and self._names.equals(other._names) and self._names.is_unique:
            if not self._index.equals(other._index):
                raise NotNative("frames of several labels")
            found = [self._series(i).corr(other._series(i)) for i in range(len(self._columns))]
        else:
            raise NotNative("frames of several labels")
        return _classes.Series._new(from_values(np.array(found, dtype=np.float64)), row_labels(self._names))

    @native
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
        unused = any(c.has_categories if several else lacks_categories(c) for c in columns)  # pandas counts them: 0
        if not columns or not all_own(columns) or unused or (several and not self._names.is_unique):
            raise NotNative("values of a type of pandas', unused categories, or no columns")
        keys, counts = counted(columns, normalize, sort, ascending, dropna, False)  # type: ignore[arg-type]
        index = _indexes.from_column(keys[0], subset) if single else _indexes.MultiIndex._make(keys, labels)
        if not single:
            index._ordered(columns)  # as they first appear
        return _classes.Series._new(counts, index, "proportion" if normalize else "count")


def _positions_of(names: list[str], labels: list[str]) -> Any:
    """The place of each label among the names, -1 where it is none of them."""
    return _positions(np.array([names.index(n) if n in names else -1 for n in labels]))


def _positions(p: np.ndarray) -> Any:
    return _core.from_numpy(p.astype(np.int64))
