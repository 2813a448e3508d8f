"""Covariance and correlation of every pair of columns in each group."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

import bascule as bc

from ... import _core
from ..._array.ufuncs import by_name
from .. import _classes, _indexes
from .._columns.column import AnyColumn, Core, ndarray, plain
from .._columns.dtypes import kept
from .._columns.grouping import Codes, Grouping
from .._fallback.native import NotNative, native
from .._indexes.index import from_pandas
from .._theirs import pandas

_FLOAT64 = np.dtype(np.float64)


def _numbers(c: AnyColumn) -> ndarray:
    c.plain_values("biuf", "moments")
    return c.values.astype(_FLOAT64, copy=False)


class _Pairs:
    """Sums of the groups over the rows where both columns of a pair are valid.

    Infinite values are left out, as pandas does. Deviations are from the mean of the group, found first.
    """

    def __init__(self, groups: Grouping, values: list[ndarray]):
        self.groups = groups
        self.gone = [~by_name["isfinite"](v) for v in values]
        self.holed = [bool(gone.any()) for gone in self.gone]
        self.values = [bc.where(g, np.nan, v) if h else v for v, g, h in zip(values, self.gone, self.holed)]
        self.rows = bc.maximum(groups.groups_of_rows(), np.int64(0))  # in no group, nothing is summed
        self.kept: dict[tuple, tuple] = {}

    def _sums(self, *calls: tuple[ndarray, str]) -> list[ndarray]:
        found = self.groups.aggregate([(Core.plain(x), op, 1, 0 if op == "sum" else -1) for x, op in calls])
        return [c.values for c in found]

    def _column(self, i: int, lacking: tuple[int, ...]) -> tuple[ndarray, ndarray, ndarray, ndarray]:
        """Over the rows where the columns of `lacking` are valid: deviations, counts, squares, whether any deviation is not 0."""
        if (i, lacking) not in self.kept:
            x = self.values[i]
            for j in lacking:
                if j != i:
                    x = bc.where(self.gone[j], np.nan, x)
            mean, low, high, count = self._sums((x, "mean"), (x, "min"), (x, "max"), (x, "count"))
            apart = bc.evaluate(x - _core.take(mean, self.rows, 0))
            (squares,) = self._sums((apart * apart, "sum"))
            self.kept[i, lacking] = apart, count, squares, low != high
        return self.kept[i, lacking]

    def of(self, i: int, j: int, least: int, correlation: bool) -> ndarray:
        """Covariance or correlation of two columns, with one value for each group."""
        lacking = tuple(sorted(k for k in {i, j} if self.holed[k]))
        (x, count, xx, some_x), (y, _, yy, some_y) = self._column(i, lacking), self._column(j, lacking)
        both = xx if i == j else self._sums((x * y, "sum"))[0]
        fits = count >= max(least, 1)
        with np.errstate(all="ignore"):
            if not correlation:
                return bc.where(fits & (count > 1), both / (count - 1), np.nan)
            # A column without deviations has no correlation, whatever the rounding error of its mean.
            found = bc.clip(both / (bc.sqrt(xx) * bc.sqrt(yy)), -1.0, 1.0)
            return bc.where(fits & some_x & some_y, found, np.nan)


class FrameGroupMoments:
    """Statistics of the columns of grouped frames, in pairs."""

    _groups: Grouping
    _options: dict[str, Any]
    _columns: Callable

    @native(method="pearson")
    def corr(self, method: Any = "pearson", min_periods: int = 1, numeric_only: bool = False) -> Any:
        """Pairwise correlation of columns in each group, over the rows where both are valid.

        Parameters
        ----------
        method : {'pearson'}
            Others run in pandas.
        min_periods : int
            Number of rows that a result needs.
        numeric_only : bool
            Leave out columns that are neither numbers nor booleans.

        Returns
        -------
        DataFrame
            One row for each column of each group.

        Raises
        ------
        ValueError
            A column is not numeric, and `numeric_only` is False.

        Examples
        --------
        >>> import bascule.pandas as pd
        >>> df = pd.DataFrame({"k": [1, 1, 1], "x": [1.0, 2.0, 3.0], "y": [3.0, 2.0, 1.0]})
        >>> df.groupby("k").corr().loc[(1, "x"), "y"].round(6)
        np.float64(-1.0)
        """
        return self._joint(min_periods, numeric_only, True)

    @native(ddof=1)
    def cov(self, min_periods: Any = None, ddof: Any = 1, numeric_only: bool = False) -> Any:
        """Covariance of every pair of columns in each group, over the rows where both are valid; see `corr`."""
        return self._joint(1 if min_periods is None else min_periods, numeric_only, False)

    def _joint(self, least: int, numeric_only: bool, correlation: bool) -> Any:
        groups = self._groups
        if not self._options["as_index"] or not groups.dropna or any(isinstance(k, Codes) for k in groups.keys):
            raise NotNative("keys as columns, missing keys, or categories")
        columns, names = self._columns()
        if numeric_only:
            keep = kept(columns)
            columns, names = [columns[i] for i in keep], names[keep]
        k = len(columns)
        values = [_numbers(c) for c in columns]
        if not k or not groups.count or isinstance(names, pandas.MultiIndex):
            raise NotNative("no rows or columns, or several levels of columns")
        if not correlation and any(bool(by_name["isinf"](v).any()) for v in values):
            raise NotNative("covariances of infinite values")  # left out in groups that lack some value, else not
        pairs = _Pairs(groups, values)
        made = [bc.empty((groups.count, k), dtype=_FLOAT64) for _ in range(k)]
        for i in range(k):
            for j in range(i + 1):
                made[i][:, j] = made[j][:, i] = pairs.of(i, j, least, correlation)
        outer = bc.repeat(bc.arange(groups.count), k)
        inner = bc.tile(bc.arange(k), groups.count)
        levels = [c.take(outer) for c in groups.key_columns()] + [c.take(inner) for c in from_pandas(names)._columns]
        index = _indexes.MultiIndex._make(levels, [*groups.names, names.name])._ordered(levels)
        return _classes.DataFrame._new([plain(m.reshape(-1)) for m in made], names, index)
