"""Statistics of series."""

from __future__ import annotations

from typing import Any

import numpy as np

import bascule as bc

from ...._array.conversion import host_view
from ... import _classes, _indexes
from ..._base import Rows
from ..._columns.column import from_pandas_array, ndarray
from ..._columns.dtypes import kept
from ..._columns.grouping import Grouping
from ..._columns.reduce import distinct, extreme_position, quantiles, reduction
from ..._columns.unique import all_own, keys_of
from ..._fallback import deprecations
from ..._fallback.native import DOWN, NotNative, native
from ..._indexes.unique import OneColumn
from ..._reshape.bins import cut
from .described import shares_of, summary
from .moments import joint, numbers_of
from .reductions import not_numpys, one_value
from .shared import Statistics, with_reductions


@with_reductions
class SeriesStatistics(OneColumn, Statistics):
    """Statistics of series."""

    def _counted_in_bins(self, bins: Any, normalize: bool, sort: bool, ascending: bool, dropna: bool) -> Any:
        """The number of values in each bin."""
        series = _classes.Series._new(self._column, _indexes.default(len(self._column)), None)
        try:
            binned = cut(series, bins, include_lowest=True)._column
        except TypeError as error:
            raise TypeError("bins argument only works with numeric data.") from error
        kinds = binned.dtype.categories
        codes = host_view(binned.codes)
        counts = np.bincount(codes[codes >= 0], minlength=len(kinds))
        if dropna and not counts.any():
            counts, kinds = counts[:0], kinds[:0]
        if sort:
            order = np.argsort(counts if ascending else -counts, kind="stable")
            counts, kinds = counts[order], kinds[order]
        found = counts / len(codes) if normalize else counts
        labels = _indexes.from_pandas(kinds)
        return _classes.Series._new(from_pandas_array(found), labels, "proportion" if normalize else "count")

    def _fold(self, name: str, axis: Any, skipna: Any, numeric_only: bool, kwargs: dict, given: dict) -> Any:
        kwargs = not_numpys(kwargs)
        options = {"axis": axis, "skipna": skipna, **given, **kwargs}
        if numeric_only:
            deprecations.of_numeric_only(numeric_only)
        if name not in ("any", "all"):
            options["numeric_only"] = bool(numeric_only)
        if kwargs or axis not in (0, "index", None) or type(skipna) is not bool:
            return self._call_pandas(name, (), options, reason="options of reductions")
        if not kept([self._column], numeric_only):
            return self._call_pandas(name, (), options, reason="numeric_only= with columns that are not numbers")
        try:
            return one_value(name, self._column, skipna, given.get("min_count", 0), given.get("ddof", 1))
        except NotNative as why:
            return self._call_pandas(name, (), options, reason=why.reason)

    def count(self) -> Any:
        """Number of values that are not missing."""
        return reduction("count", self._column)

    @native
    def nunique(self, dropna: bool = True) -> int:
        """Number of distinct values."""
        return distinct(self._column, dropna)

    @native(bool_only=False)
    def any(self, *, axis: Any = 0, bool_only: bool = False, skipna: bool = True, **kwargs: Any) -> Any:
        """Whether any value is true."""
        return self._fold("any", axis, skipna, False, kwargs, {})

    @native(bool_only=False)
    def all(self, axis: Any = 0, bool_only: bool = False, skipna: bool = True, **kwargs: Any) -> Any:
        """Whether all values are true."""
        return self._fold("all", axis, skipna, False, kwargs, {})

    @native(axis=DOWN)
    def argmin(self, axis: Any = None, skipna: bool = True, *args: Any, **kwargs: Any) -> Any:
        """Position of the smallest value, the first of equals."""
        return np.int64(self._position_of("min", skipna, args, kwargs))

    @native(axis=DOWN)
    def argmax(self, axis: Any = None, skipna: bool = True, *args: Any, **kwargs: Any) -> Any:
        """Position of the largest value, the first of equals."""
        return np.int64(self._position_of("max", skipna, args, kwargs))

    @native(axis=DOWN)
    def idxmin(self, axis: Any = 0, skipna: bool = True, *args: Any, **kwargs: Any) -> Any:
        """Label of the smallest value, the first of equals."""
        return self._index._item(self._position_of("min", skipna, args, kwargs))

    @native(axis=DOWN)
    def idxmax(self, axis: Any = 0, skipna: bool = True, *args: Any, **kwargs: Any) -> Any:
        """Label of the largest value, the first of equals."""
        return self._index._item(self._position_of("max", skipna, args, kwargs))

    def _position_of(self, which: str, skipna: bool, args: tuple, kwargs: dict) -> int:
        if args or not_numpys(kwargs):
            raise NotNative("options of reductions")
        return extreme_position(self._column, which, skipna)

    @native
    def quantile(self, q: Any = 0.5, interpolation: str = "linear") -> Any:
        """Quantiles of the values: a scalar for one q, a series for several."""
        if not np.can_cast(np.asarray(q).dtype, np.float64, "same_kind"):
            raise NotNative("quantiles that are no numbers")
        several = np.ndim(q) > 0
        shares = np.asarray(q, dtype=np.float64).reshape(-1)
        if ((shares < 0) | (shares > 1)).any() or np.isnan(shares).any():
            raise ValueError("percentiles should all be in the interval [0, 1]")
        found, _ = quantiles(self._column, list(shares), interpolation)
        if not several:
            return from_pandas_array(found).item(0)
        index = _indexes.Index(shares)
        return self._new(from_pandas_array(found), index, self._name)

    @native
    def describe(self, percentiles: Any = None, include: Any = None, exclude: Any = None) -> Any:
        """Count, mean, standard deviation, extremes and quartiles of numbers; the most frequent of other values."""
        names, made = summary(self._column, *shares_of(percentiles))
        return self._new(made, _indexes.Index(names), self._name)

    @native(method="pearson")
    def corr(self, other: Any, method: Any = "pearson", min_periods: Any = None) -> Any:
        """Correlation with another series of the same labels, over the rows where both are valid."""
        x, y = self._alongside(other)
        return joint(x, y, 1, 1 if min_periods is None else min_periods, True)

    @native
    def cov(self, other: Any, min_periods: Any = None, ddof: Any = 1) -> Any:
        """Covariance with another series of the same labels, over the rows where both are valid."""
        x, y = self._alongside(other)
        return joint(x, y, 1 if ddof is None else ddof, 1 if min_periods is None else min_periods, False)

    def _alongside(self, other: Any) -> tuple[ndarray, ndarray]:
        if not isinstance(other, Rows) or other.ndim != 1 or not len(self):
            raise NotNative("operands that are not series, or without rows")
        if not (self._index is other._index or self._index.equals(other._index)):
            raise NotNative("operands of other labels")
        return numbers_of(self._column), numbers_of(other._column)

    @native
    def mode(self, dropna: bool = True) -> Any:
        """The most frequent values, ascending."""

        c = self._column
        if not all_own([c]):
            raise NotNative(f"values of type {c.dtype}")
        groups = Grouping(list(keys_of([c])), [None], True, dropna)
        rows = groups.first
        if len(rows):
            rows = rows[groups.sizes == groups.sizes.max()]
        if not dropna and c.nan_first and c.take(rows[-1:]).has_missing():
            rows = bc.concatenate([rows[-1:], rows[:-1]])  # ordered by codes, missing values come first
        return _classes.Series._new(c.take(rows), _indexes.default(len(rows)), self.name)  # type: ignore[attr-defined]

    def between(self, left: Any, right: Any, inclusive: str = "both") -> Any:
        """Whether each value lies between two bounds."""
        if inclusive not in ("both", "neither", "left", "right"):
            raise ValueError("Inclusive has to be either string of 'both','left', 'right', or 'neither'.")
        low = self >= left if inclusive in ("both", "left") else self > left
        return low & (self <= right if inclusive in ("both", "right") else self < right)

    def autocorr(self, lag: int = 1) -> float:
        """Correlation of the series with itself, some rows earlier."""
        return self.corr(self.shift(lag))

    def _as_labels(self) -> Any:
        return _indexes.from_column(self._column.own())

    def _asked_of_labels(self, name: str) -> bool:
        try:
            return bool(getattr(self._as_labels(), name))
        except NotNative as why:
            return self._call_pandas("__getattribute__", (name,), reason=why.reason)

    is_unique = property(lambda self: self._asked_of_labels("is_unique"), doc="Whether no value repeats another.")

    is_monotonic_increasing = property(
        lambda self: self._asked_of_labels("is_monotonic_increasing"), doc="Whether no value is below the one before."
    )

    is_monotonic_decreasing = property(
        lambda self: self._asked_of_labels("is_monotonic_decreasing"), doc="Whether no value is above the one before."
    )
