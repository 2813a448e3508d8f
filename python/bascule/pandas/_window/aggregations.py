"""Aggregations of rolling and expanding windows."""

from __future__ import annotations

from typing import Any

import bascule as bc

from ... import _core
from .._columns.column import ndarray
from .._fallback.native import NotNative, native
from .common import BaseWindow, check_engine
from .pairs import pairwise


class RollingAndExpanding(BaseWindow):
    """Windows whose values have equal weights."""

    def _aggregated(self, op: str, arrays: list[ndarray], others: list[ndarray] | None = None, **how: Any) -> list:
        rows = self._rows(len(arrays[0]))
        return _core.window_aggregate(arrays, others or [], op, rows, self._least(), **how)

    def _plainly(self, op: str, numeric_only: bool, **how: Any) -> Any:
        return self._each(op, numeric_only, lambda arrays: self._aggregated(op, arrays, **how))

    @native
    def count(self, numeric_only: bool = False) -> Any:
        """Number of values that are not missing."""
        return self._plainly("count", numeric_only)

    @native
    def sum(self, numeric_only: bool = False, engine: Any = None, engine_kwargs: Any = None) -> Any:
        """Sum of the values."""
        check_engine(engine, engine_kwargs)
        return self._plainly("sum", numeric_only)

    @native
    def mean(self, numeric_only: bool = False, engine: Any = None, engine_kwargs: Any = None) -> Any:
        """Mean of the values.

        Examples
        --------
        >>> import bascule.pandas as pd
        >>> pd.Series([1.0, 2.0, 6.0]).rolling(2).mean().tolist()
        [nan, 1.5, 4.0]
        """
        check_engine(engine, engine_kwargs)
        return self._plainly("mean", numeric_only)

    @native
    def min(self, numeric_only: bool = False, *args: Any, engine: Any = None, engine_kwargs: Any = None) -> Any:
        """Minimum."""
        check_engine(engine if not args else args[0], engine_kwargs)
        return self._plainly("min", numeric_only)

    @native
    def max(self, numeric_only: bool = False, *args: Any, engine: Any = None, engine_kwargs: Any = None) -> Any:
        """Maximum."""
        check_engine(engine if not args else args[0], engine_kwargs)
        return self._plainly("max", numeric_only)

    @native
    def median(self, numeric_only: bool = False, engine: Any = None, engine_kwargs: Any = None) -> Any:
        """Median."""
        check_engine(engine, engine_kwargs)
        return self._plainly("median", numeric_only)

    @native
    def var(self, ddof: int = 1, numeric_only: bool = False, engine: Any = None, engine_kwargs: Any = None) -> Any:
        """Variance of each window; the divisor is the number of its values minus `ddof`."""
        check_engine(engine, engine_kwargs)
        return self._plainly("var", numeric_only, ddof=ddof)

    @native
    def std(self, ddof: int = 1, numeric_only: bool = False, engine: Any = None, engine_kwargs: Any = None) -> Any:
        """Standard deviation of each window; the divisor is the number of its values minus `ddof`."""
        check_engine(engine, engine_kwargs)
        return self._each("std", numeric_only, lambda x: [bc.sqrt(v) for v in self._aggregated("var", x, ddof=ddof)])

    @native
    def sem(self, ddof: int = 1, numeric_only: bool = False) -> Any:
        """Standard error of the mean."""

        def compute(arrays: list[ndarray]) -> list[ndarray]:
            squares, counts = self._aggregated("var", arrays, ddof=ddof), self._aggregated("count", arrays)
            return [bc.sqrt(v) / bc.sqrt(n) for v, n in zip(squares, counts)]

        if self.on is not None or (self._groups is not None and not self._groups.as_index):
            raise NotNative("sem with on= or as_index=False")
        return self._each("sem", numeric_only, compute)

    @native
    def skew(self, numeric_only: bool = False) -> Any:
        """Skewness of the values, unbiased."""
        return self._plainly("skew", numeric_only)

    @native
    def kurt(self, numeric_only: bool = False) -> Any:
        """Excess kurtosis of the values, unbiased."""
        return self._plainly("kurt", numeric_only)

    @native
    def first(self, numeric_only: bool = False) -> Any:
        """First value that is not missing."""
        return self._plainly("first", numeric_only)

    @native
    def last(self, numeric_only: bool = False) -> Any:
        """Last value that is not missing."""
        return self._plainly("last", numeric_only)

    @native
    def quantile(self, q: float, interpolation: str = "linear", numeric_only: bool = False) -> Any:
        """Quantile q of the values."""
        if q == 1.0 or q == 0.0:
            return self._each("quantile", numeric_only, lambda x: self._aggregated("max" if q == 1.0 else "min", x))
        if isinstance(q, bool) or not isinstance(q, (int, float)):
            raise NotNative(f"a quantile that is a {type(q).__name__}")
        if interpolation not in ("linear", "lower", "higher", "nearest", "midpoint"):
            raise ValueError(f"Interpolation '{interpolation}' is not supported")
        if not 0 <= q <= 1:
            raise ValueError(f"quantile value {float(q)} not in [0, 1]")
        return self._plainly("quantile", numeric_only, share=float(q), interpolation=interpolation)

    @native
    def rank(
        self, method: str = "average", ascending: bool = True, pct: bool = False, numeric_only: bool = False
    ) -> Any:
        """Rank of each window's last value among its values; `method` decides about ties."""
        if method not in ("average", "min", "max"):
            raise ValueError(f"Method '{method}' is not supported")
        return self._plainly("rank", numeric_only, ties=method, ascending=bool(ascending), percent=bool(pct))

    @native
    def nunique(self, numeric_only: bool = False) -> Any:
        """Number of distinct values."""
        return self._plainly("nunique", numeric_only)

    @native
    def cov(self, other: Any = None, pairwise: bool | None = None, ddof: int = 1, numeric_only: bool = False) -> Any:
        """Covariance of pairs of columns, divided by the number of pairs less `ddof`."""
        if self.step is not None:
            raise NotImplementedError("step not implemented for cov")  # pandas lacks it too
        self._check_numeric_only("cov", numeric_only)
        return pairwise_of(self, "cov", other, pairwise, numeric_only, ddof=ddof)

    @native
    def corr(self, other: Any = None, pairwise: bool | None = None, ddof: int = 1, numeric_only: bool = False) -> Any:
        """Correlation of pairs of columns."""
        if self.step is not None:
            raise NotImplementedError("step not implemented for corr")  # pandas lacks it too
        self._check_numeric_only("corr", numeric_only)
        return pairwise_of(self, "corr", other, pairwise, numeric_only)


def pairwise_of(
    windows: RollingAndExpanding, op: str, other: Any, every: bool | None, numeric_only: bool, **how: Any
) -> Any:
    """Covariance or correlation in windows."""

    def compute(x: list[ndarray], y: list[ndarray]) -> list[ndarray]:
        return windows._aggregated(op, x, y, **how)

    return pairwise(windows, other, every, numeric_only, compute)
