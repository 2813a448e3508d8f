"""Exponentially weighted moments of each row and all before it."""

from __future__ import annotations

import datetime
from typing import Any

import numpy as np

import bascule as bc

from ... import _core
from .. import _fallback
from .._columns.column import ndarray
from .._columns.infer import from_values
from .._fallback.native import NotNative, native
from .._theirs import pandas
from .common import FLOAT64, BaseWindow, check_engine
from .pairs import pairwise
from .rolling import ticks_of


def center_of_mass(com: Any, span: Any, halflife: Any, alpha: Any) -> float:
    """The center of mass from the one of the four parameters that is given."""
    if sum(v is not None for v in (com, span, halflife, alpha)) > 1:
        raise ValueError("comass, span, halflife, and alpha are mutually exclusive")
    if com is not None:
        if com < 0:
            raise ValueError("comass must satisfy: comass >= 0")
        return float(com)
    if span is not None:
        if span < 1:
            raise ValueError("span must satisfy: span >= 1")
        return float((span - 1) / 2)
    if halflife is not None:
        if halflife <= 0:
            raise ValueError("halflife must satisfy: halflife > 0")
        return float(1 / (1 - np.exp(np.log(0.5) / halflife)) - 1)
    if alpha is not None:
        if alpha <= 0 or alpha > 1:
            raise ValueError("alpha must satisfy: 0 < alpha <= 1")
        return float((1 - alpha) / alpha)
    raise ValueError("Must pass one of comass, span, halflife, or alpha")


class ExponentialMovingWindow(BaseWindow):
    """Exponentially weighted windows over a frame or series, as made by `ewm`.

    Examples
    --------
    >>> import bascule.pandas as pd
    >>> pd.Series([1.0, 3.0]).ewm(alpha=0.5).mean().tolist()
    [1.0, 2.3333333333333335]
    """

    __module__ = "bascule.pandas"
    _attributes = ("com", "span", "halflife", "alpha", "min_periods", "adjust", "ignore_na", "times", "method")
    com: Any
    span: Any
    halflife: Any
    alpha: Any
    adjust: bool
    ignore_na: bool
    times: Any

    def __init__(self, obj: Any, options: dict[str, Any], selection: Any = None, groups: Any = None):
        if options["method"] == "table":
            raise NotNative("method='table'")
        super().__init__(obj, options, selection)
        self._groups = groups
        self._ticks: ndarray | None = None
        halflife = self.halflife
        if self.times is None:
            if isinstance(halflife, (str, datetime.timedelta, np.timedelta64)):
                raise ValueError("halflife can only be a timedelta convertible argument if times is not None.")
            self._com = center_of_mass(self.com, self.span, halflife, self.alpha)
            return
        self._measure()
        if any(v is not None for v in (self.com, self.span, self.alpha)):
            if not self.adjust:
                text = "None of com, span, or alpha can be specified if times is provided and adjust=False"
                raise NotImplementedError(text)
            self._com = center_of_mass(self.com, self.span, None, self.alpha)
        else:
            self._com = 1.0

    def _validate(self) -> None:
        least = self._options["min_periods"]
        self.min_periods = 1 if least is None else max(int(least), 1)
        super()._validate()

    def _measure(self) -> None:
        """The times of the rows, and half-lives in their unit."""
        times = self.times
        kind = getattr(times, "dtype", None)
        if not (getattr(kind, "kind", "") == "M" and isinstance(kind, (np.dtype, pandas.DatetimeTZDtype))):
            raise ValueError("times must be datetime64 dtype.")
        if len(times) != len(self.obj):
            raise ValueError("times must be the same length as the object.")
        if not isinstance(self.halflife, (str, datetime.timedelta, np.timedelta64)):
            raise ValueError("halflife must be a timedelta convertible object")
        times = _fallback.from_pandas(times) if isinstance(times, (pandas.Index, pandas.Series)) else times
        column = times._column if hasattr(times, "_column") else from_values(times)
        if column.has_missing():
            raise ValueError("Cannot convert NaT values to integer")
        found = ticks_of(column)
        if found is None:
            raise NotNative(f"times of type {column.dtype}")
        self._ticks, unit = found
        self._half = float(pandas.Timedelta(self.halflife).as_unit(unit)._value)

    def _of_pandas(self, there: Any) -> Any:
        options = {**self._options, "times": _fallback.to_pandas(self._options["times"])}
        return (there if self._groups is None else self._groups.of_pandas()).ewm(**options)

    def _by_time(self) -> bool:
        return False

    def _deltas(self) -> ndarray | None:
        if self._ticks is None or len(self._ticks) == 0:
            return None
        ticks = self._ticks if self._groups is None else _core.take(self._ticks, self._groups.order, 0)
        wide = _core.astype(ticks, FLOAT64, False, "K")
        return (wide[1:] - wide[:-1]) / self._half

    def _weighted(self, op: str, x: list[ndarray], y: list[ndarray], bias: bool = False, timed: bool = True) -> list:
        segments = _core.from_numpy(np.array([0, len(x[0])])) if self._groups is None else self._groups.segments
        deltas = self._deltas() if timed else None
        return _core.window_exponential(
            x, y, op, segments, deltas, self._com, bool(self.adjust), bool(self.ignore_na), bias, self.min_periods
        )

    @native
    def mean(self, numeric_only: bool = False, engine: Any = None, engine_kwargs: Any = None) -> Any:
        """Exponentially weighted mean."""
        check_engine(engine, engine_kwargs)
        return self._each("mean", numeric_only, lambda x: self._weighted("mean", x, []))

    @native
    def sum(self, numeric_only: bool = False, engine: Any = None, engine_kwargs: Any = None) -> Any:
        """Exponentially weighted sum."""
        if not self.adjust:
            raise NotImplementedError("sum is not implemented with adjust=False")
        if self.times is not None:
            raise NotImplementedError("sum is not implemented with times")
        check_engine(engine, engine_kwargs)
        return self._each("sum", numeric_only, lambda x: self._weighted("sum", x, []))

    def _without_times(self, name: str) -> None:
        if self.times is not None:
            raise NotImplementedError(f"{name} is not implemented with times")

    @native
    def var(self, bias: bool = False, numeric_only: bool = False) -> Any:
        """Exponentially weighted variance; with `bias`, without the correction for the number of values."""
        self._without_times("var")
        return self._each("var", numeric_only, lambda x: self._weighted("cov", x, x, bool(bias)))

    @native
    def std(self, bias: bool = False, numeric_only: bool = False) -> Any:
        """Exponentially weighted standard deviation; with `bias`, without the correction for the number of values."""
        self._check_numeric_only("std", numeric_only)
        self._without_times("std")
        return self._each("std", numeric_only, lambda x: [_root(v) for v in self._weighted("cov", x, x, bool(bias))])

    @native
    def cov(
        self, other: Any = None, pairwise: bool | None = None, bias: bool = False, numeric_only: bool = False
    ) -> Any:
        """Exponentially weighted covariance of pairs of columns."""
        self._without_times("cov")
        self._check_numeric_only("cov", numeric_only)
        return pairs(self, other, pairwise, numeric_only, lambda x, y: self._weighted("cov", x, y, bool(bias)))

    @native
    def corr(self, other: Any = None, pairwise: bool | None = None, numeric_only: bool = False) -> Any:
        """Exponentially weighted correlation of pairs of columns."""
        self._without_times("corr")
        self._check_numeric_only("corr", numeric_only)
        return pairs(self, other, pairwise, numeric_only, self._correlated)

    def _correlated(self, x: list[ndarray], y: list[ndarray]) -> list[ndarray]:
        both = [(bc.where(bc.isfinite(b), a, np.nan), bc.where(bc.isfinite(a), b, np.nan)) for a, b in zip(x, y)]
        x, y = [a for a, _ in both], [b for _, b in both]
        shared = self._weighted("cov", x, y, True)
        of_x, of_y = self._weighted("cov", x, x, True), self._weighted("cov", y, y, True)
        with bc.errstate(all="ignore"):
            return [c / _root(a * b) for c, a, b in zip(shared, of_x, of_y)]


pairs = pairwise  # a parameter of pandas has the function's name


def _root(x: ndarray) -> ndarray:
    """Square root; values that are negative from rounding give 0."""
    return bc.sqrt(bc.where(x < 0, 0.0, x))


class ExponentialMovingWindowGroupBy(ExponentialMovingWindow):
    """Exponentially weighted windows over the rows of each group."""

    __module__ = "bascule.pandas"


_fallback.install(ExponentialMovingWindow, lambda: pandas.api.typing.ExponentialMovingWindow)
