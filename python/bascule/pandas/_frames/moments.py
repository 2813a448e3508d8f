"""Summary statistics of columns: describe, covariance, correlation."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np
import pandas

from ... import _core
from ..._array.ufuncs import by_name, rows
from .. import _indexes
from .._base import Rows
from .._columns import told
from .._columns.column import AnyColumn, Column, HostColumn, from_pandas_array, is_numeric, ndarray
from .._columns.infer import from_values
from .._columns.reduce import quantiles, reduction
from .._fallback.native import NotNative
from .._indexes.index import from_pandas

_select = rows["where"]["ufunc"]
_float64 = np.dtype(np.float64)
_LEAST_SQUARES = 1e-280  # the sums of squares below have lost digits
_SHORT = 4096  # rows; shorter arrays are computed immediately
_LABELS = ["count", "mean", "std", "min", "25%", "50%", "75%", "max"]


def _described(c: AnyColumn) -> np.ndarray:
    """Count, mean, deviation, extremes and quartiles of a column of numbers."""
    if not isinstance(c, Column) or c.is_text or c.is_masked or c.dtype.kind not in "iuf":
        raise NotNative(f"descriptions of type {c.dtype}")
    quarters, _ = quantiles(c, [0.25, 0.5, 0.75])
    found = [reduction(n, c) for n in ("count", "mean", "std", "min")]
    return np.array([*found, *quarters, reduction("max", c)], dtype=_float64)


def _in_order(values: np.ndarray, labels: list[str]) -> np.ndarray:
    """The statistics as a series with their names as labels."""
    return values[[_LABELS.index(n) for n in labels]]


def _described_times(c: Column) -> AnyColumn:
    """The same for timestamps, where the standard deviation is missing and comes last."""
    found, _ = quantiles(c, [0.25, 0.5, 0.75])
    made = np.empty(len(_LABELS), dtype=object)
    made[0], made[-1] = reduction("count", c), np.nan
    made[1:3] = [reduction(n, c) for n in ("mean", "min")]
    made[3:6] = [pandas.Timestamp(v) for v in found]
    made[6] = reduction("max", c)
    return HostColumn(made)


def _numeral(c: AnyColumn) -> str:
    """The kind of a column's type as NumPy has it; no kind for others."""
    return c.dtype.kind if isinstance(c.dtype, np.dtype) and not c.is_text else ""


def _is_left_out(c: AnyColumn) -> bool:
    """Whether describe leaves out a column of a frame."""
    return c.is_text or _numeral(c) in set("bO") or isinstance(c.dtype, pandas.CategoricalDtype)


def _numbers(c: AnyColumn) -> ndarray:
    if not isinstance(c, Column) or c.is_text or c.is_masked or c.dtype.kind not in "biuf":
        raise NotNative(f"moments of type {c.dtype}")
    return c.values.astype(_float64, copy=False)


def joint(x: ndarray, y: ndarray, ddof: int, least: int, correlation: bool) -> float:
    """Covariance or correlation over the rows where both are valid; NaN below `least` of them."""
    n = len(x)
    there = ~(by_name["isnan"](x) | by_name["isnan"](y))
    count = int(there.sum()) if n else 0
    if count < max(least, 2 if correlation else 1):
        return np.nan
    with np.errstate(all="ignore"):
        if count < n:
            x, y = _select(there, x, 0.0), _select(there, y, 0.0)
        dx, dy = x - float(x.sum()) / count, y - float(y.sum()) / count
        if count < n:
            dx, dy = _select(there, dx, 0.0), _select(there, dy, 0.0)
        both = np.float64(float((dx * dy).sum()))
        if not correlation:
            found = _shared(both, count - ddof)
        else:
            sizes = [np.float64(float((d * d).sum())) for d in (dx, dy)]
            if not all(_LEAST_SQUARES < size < np.inf for size in sizes):
                found = _scaled(dx, dy)
            else:
                found = np.clip(both / _root(*sizes), -1.0, 1.0)
    if not correlation and count <= ddof:
        told.of_degrees_of_freedom()
    if not np.isfinite(both) and bool((by_name["isinf"](x) | by_name["isinf"](y)).any()):
        told.of_distance()
    return found


def _shared(both: np.float64, degrees: Any) -> np.float64:
    """A sum of products divided by its degrees of freedom; where there are none, as NumPy multiplies by infinity."""
    return both / np.float64(degrees) if degrees > 0 else both * np.float64(np.inf)


def _scaled(dx: ndarray, dy: ndarray) -> Any:
    """The correlation of deviations whose squares overflow or underflow."""
    largest = [float(by_name["absolute"](d).max()) for d in (dx, dy)]
    if 0 in largest:
        return np.nan
    dx, dy = dx / largest[0], dy / largest[1]
    both, *sizes = (np.float64(float((a * b).sum())) for a, b in ((dx, dy), (dx, dx), (dy, dy)))
    return np.clip(both / _root(*sizes), -1.0, 1.0)


def _root(x: np.float64, y: np.float64) -> Any:
    """The root of a product, exact for a square: the correlation of a column with itself is 1."""
    if x == y:
        return x
    product = x * y
    return np.sqrt(product) if _LEAST_SQUARES < product < np.inf else np.sqrt(x) * np.sqrt(y)


def _sums(values: Iterable[ndarray], rows: int) -> list[float]:
    """Sums of several arrays. With an axis each sum is lazy, and all are evaluated together; callers should not hold the arrays."""
    if rows <= _SHORT:
        return [float(v.sum()) for v in values]
    waiting = [v.sum(keepdims=True) for v in values]
    _core.evaluate(*waiting)
    return [x.item() for x in waiting]


def joint_table(values: list[ndarray], ddof: int, least: int, correlation: bool) -> np.ndarray:
    """`joint` for every pair of columns; common parts of pairs are computed once, in few passes.

    Correlations skip infinite values like missing ones, covariances only where some value is missing: such sums over pairs
    of rows follow pandas, whose ddof is then 1."""
    n, k = len(values[0]), len(values)
    gone = [~by_name["isfinite"](v) for v in values]
    if correlation:
        holes = _sums(gone, n)
    else:
        missing = [by_name["isnan"](v) for v in values]
        counts = _sums((*gone, *missing), n)
        holes, some_missing = counts[:k], any(counts[k:])
        if some_missing:
            ddof = 1
        else:
            gone, holes = missing, counts[k:]
    pairs = [(i, j) for i in range(k) for j in range(i + 1)]
    some = [(i, j) for i, j in pairs if i != j and holes[i] and holes[j]]
    either = dict(zip(some, _sums((gone[i] | gone[j] for i, j in some), n)))

    def lacking(i: int, j: int) -> tuple[int, ...]:
        """The columns whose missing values are those of the pair."""
        if (i, j) not in either:
            return tuple(c for c in {i, j} if holes[c])
        lost = either[i, j]
        return (i,) if lost == holes[i] else (j,) if lost == holes[j] else (i, j)

    rows_of = {pair: lacking(*pair) for pair in pairs}
    there = {key: ~(gone[key[0]] | gone[key[-1]]) for key in set(rows_of.values()) if key}
    count = {key: n - (either[key] if len(key) == 2 else holes[key[0]] if key else 0) for key in rows_of.values()}
    kept = lambda key, x: _select(there[key], x, 0.0) if key else x
    used = sorted({(key, c) for pair, key in rows_of.items() for c in pair})
    table = np.full((k, k), np.nan)
    unshared = not correlation and not some_missing and least <= n <= ddof
    with np.errstate(all="ignore"):
        totals = _sums((kept(key, values[c]) for key, c in used), n)
        means = {at: total / max(count[at[0]], 1) for at, total in zip(used, totals)}
        apart = {(key, c): kept(key, values[c] - means[key, c]) for key, c in used}
        squares = [(at, at) for at in used] if correlation else []
        crossed = [((key, i), (key, j)) for (i, j), key in rows_of.items()]
        found = _sums((apart[a] * apart[b] for a, b in squares + crossed), n)
        sizes = {at: np.float64(size) for at, size in zip(used, found)}
        for ((i, j), key), both in zip(rows_of.items(), found[len(squares) :]):
            if count[key] < max(least, 1):
                continue
            if correlation:
                size = _root(sizes[key, i], sizes[key, j])
                table[i, j] = np.clip(both / size, -1.0, 1.0) if size != 0 and count[key] > 1 else np.nan
            elif count[key] > ddof or unshared:
                table[i, j] = _shared(np.float64(both), count[key] - ddof)
            table[j, i] = table[i, j]
    if unshared:
        told.of_degrees_of_freedom()
    elif not correlation and not some_missing and least <= n and any(bool(by_name["isinf"](v).any()) for v in values):
        told.of_distance()
    return table


class SeriesMoments(Rows):
    """Summary statistics of a series."""

    def describe(self, percentiles: Any = None, include: Any = None, exclude: Any = None) -> Any:
        """Count, mean, standard deviation, extremes and quartiles of numbers."""
        try:
            if percentiles is not None:
                raise NotNative("percentiles=")
            made = from_values(_described(self._column))
        except NotNative as why:
            return self._call_pandas("describe", (percentiles, include, exclude), reason=why.reason)
        return self._new(made, _indexes.Index(_LABELS), self._name)

    def corr(self, other: Any, method: Any = "pearson", min_periods: Any = None) -> Any:
        """Correlation with another series of the same labels, over the rows where both are valid."""
        try:
            if method != "pearson":
                raise NotNative("method=")
            x, y = self._beside(other)
            return joint(x, y, 1, 1 if min_periods is None else min_periods, True)
        except NotNative as why:
            kwargs = {"method": method, "min_periods": min_periods}
            return self._call_pandas("corr", (other,), kwargs, reason=why.reason)

    def cov(self, other: Any, min_periods: Any = None, ddof: Any = 1) -> Any:
        """Covariance with another series of the same labels, over the rows where both are valid."""
        try:
            x, y = self._beside(other)
            return joint(x, y, 1 if ddof is None else ddof, 1 if min_periods is None else min_periods, False)
        except NotNative as why:
            kwargs = {"min_periods": min_periods, "ddof": ddof}
            return self._call_pandas("cov", (other,), kwargs, reason=why.reason)

    def _beside(self, other: Any) -> tuple[ndarray, ndarray]:
        if not isinstance(other, Rows) or other.ndim != 1 or not len(self):
            raise NotNative("operands that are not series, or without rows")
        if not (self._index is other._index or self._index.equals(other._index)):
            raise NotNative("operands of other labels")
        return _numbers(self._column), _numbers(other._column)


class FrameMoments(Rows):
    """Summary statistics of the columns of a frame."""

    def describe(self, percentiles: Any = None, include: Any = None, exclude: Any = None) -> Any:
        """Count, mean, standard deviation, extremes and quartiles of the numeric columns."""
        try:
            if percentiles is not None or include is not None or exclude is not None:
                raise NotNative("options of describe")
            if any(not _is_left_out(c) and _numeral(c) not in set("iufM") for c in self._columns):
                raise NotNative("columns that are not numbers, booleans, strings or dates")
            chosen = [i for i, c in enumerate(self._columns) if not _is_left_out(c)]
            if not chosen or all(_numeral(self._columns[i]) == "M" for i in chosen):
                raise NotNative("frames without numbers")
            frame = self._select(chosen)
            times = any(_numeral(c) == "M" for c in frame._columns)
            labels = [n for n in _LABELS if n != "std"] + ["std"] if times else _LABELS
            made = [
                _described_times(c) if _numeral(c) == "M" else from_pandas_array(_in_order(_described(c), labels))
                for c in frame._columns
            ]
        except NotNative as why:
            return self._call_pandas("describe", (percentiles, include, exclude), reason=why.reason)
        return self._labelled(made, frame._names, pandas.Index(labels))

    def _labelled(self, columns: list, names: pandas.Index, labels: pandas.Index) -> Any:
        return self._new(columns, names, from_pandas(labels))

    def corr(self, method: Any = "pearson", min_periods: int = 1, numeric_only: bool = False) -> Any:
        """Correlation of every pair of columns, over the rows where both are valid."""
        kwargs = {"method": method, "min_periods": min_periods, "numeric_only": numeric_only}
        if method != "pearson":
            return self._call_pandas("corr", (), kwargs, reason="method=")
        return self._pairs("corr", 1, min_periods, numeric_only, kwargs)

    def cov(self, min_periods: Any = None, ddof: Any = 1, numeric_only: bool = False) -> Any:
        """Covariance of every pair of columns, over the rows where both are valid."""
        kwargs = {"min_periods": min_periods, "ddof": ddof, "numeric_only": numeric_only}
        if any(c.dtype.kind in "mM" for c in self._columns):
            raise TypeError(
                "DataFrame contains columns with dtype datetime64 or timedelta64, which are not supported for cov."
            )
        return self._pairs("cov", ddof, 1 if min_periods is None else min_periods, numeric_only, kwargs)

    def _pairs(self, name: str, ddof: int, least: int, numeric_only: bool, kwargs: dict) -> Any:
        columns = [i for i, c in enumerate(self._columns) if not numeric_only or is_numeric(c)]
        frame = self._select(columns)
        try:
            values = [_numbers(c) for c in frame._columns]
            k = len(values)
            if not k or not len(self):
                raise NotNative("frames without rows or columns")
            ddof = 1 if ddof is None else ddof
            table = joint_table(values, ddof, least, name == "corr")
        except NotNative as why:
            return self._call_pandas(name, (), kwargs, reason=why.reason)
        made = [from_pandas_array(np.ascontiguousarray(table[:, j])) for j in range(k)]
        return self._labelled(made, frame._names, frame._names)
