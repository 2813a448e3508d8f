"""Running values, ranks and bounds: the statistics that frames and series share."""

from __future__ import annotations

from typing import Any

import numpy as np

from ... import _indexes
from ..._base import Rows
from ..._columns.column import AnyColumn
from ..._columns.operators import compute, prepared
from ..._columns.where import choose, is_missing_scalar
from ..._fallback.native import NotNative
from ..._questions import is_integer, is_list_like
from .cumulative import FLOAT64, RUNNING, differences, ranked, running
from .reductions import SUMMARIES


class Statistics(Rows):
    """Statistics of frames and series."""

    def diff(self, periods: Any = 1, axis: Any = 0) -> Any:
        """The difference of each row from the one `periods` before."""
        kwargs = {"periods": periods} | ({"axis": axis} if self.ndim == 2 else {})
        if isinstance(periods, float) and periods.is_integer():
            periods = int(periods)
        if not is_integer(periods):
            raise ValueError("periods must be an integer")
        return self._down(lambda c: differences(c, int(periods)), "diff", axis, kwargs)

    def pct_change(self, periods: int = 1, fill_method: None = None, freq: Any = None, **kwargs: Any) -> Any:
        """The relative change of each row from the one `periods` before."""
        if fill_method is not None:
            raise ValueError(f"fill_method must be None; got fill_method={fill_method!r}.")
        if freq is not None or kwargs or not is_integer(periods):
            return self._call_pandas("pct_change", (periods,), {"freq": freq, **kwargs}, reason="freq= or options")
        if not all(c.subtracts for c in self._all_columns()):
            return self._call_pandas("pct_change", (periods,), reason="booleans and objects")
        return self / self.shift(int(periods)) - 1

    def rank(
        self,
        axis: Any = 0,
        method: str = "average",
        numeric_only: bool = False,
        na_option: str = "keep",
        ascending: bool = True,
        pct: bool = False,
    ) -> Any:
        """The rank of each value, from 1."""
        kwargs = {"axis": axis, "method": method, "numeric_only": numeric_only, "na_option": na_option,
                  "ascending": ascending, "pct": pct}  # fmt: skip
        if numeric_only or axis is None:
            return self._call_pandas("rank", (), kwargs, reason="numeric_only=, or no axis")
        return self._down(lambda c: ranked(c, method, ascending, pct, na_option), "rank", axis, kwargs)

    def _running(self, name: str, axis: Any, skipna: Any, args: tuple, kwargs: dict) -> Any:
        given = {"axis": axis, "skipna": skipna, **kwargs}
        if args or kwargs.get("numeric_only") or set(kwargs) - {"numeric_only"} or type(skipna) is not bool:
            return self._call_pandas(name, (axis, skipna, *args), kwargs, reason="options of cumulative operations")
        return self._down(lambda c: running(name, c, skipna), name, axis, given)

    def clip(self, lower: Any = None, upper: Any = None, *, axis: Any = None, inplace: bool = False, **kwargs: Any) -> Any:  # fmt: skip
        """Clip the values to two bounds."""
        by_column = None if kwargs or self.ndim == 1 or axis not in (1, "columns") else _bounds(self, lower, upper)
        if by_column is not None:
            made = self._with(list(map(clipped, self._all_columns(), *by_column)), self._index)
            if inplace:
                self._become(made)
            return self if inplace else made
        if kwargs or axis is not None or any(is_list_like(b) or isinstance(b, Rows) for b in (lower, upper)):
            options = {"axis": axis, "inplace": inplace, **kwargs}
            return self._call_pandas("clip", (lower, upper), options, reason="bounds that are not scalars")
        lower, upper = (None if b is not None and is_missing_scalar(b) else b for b in (lower, upper))
        if lower is not None and upper is not None and lower > upper:
            lower, upper = upper, lower

        try:
            made = self._with([clipped(c, lower, upper) for c in self._all_columns()], self._index)
        except NotNative as why:
            return self._call_pandas("clip", (lower, upper), {"inplace": inplace}, reason=why.reason)
        if not inplace:
            return made
        if any(a.dtype != b.dtype for a, b in zip(made._all_columns(), self._all_columns())):
            return self._call_pandas(
                "clip", (lower, upper), {"inplace": True}, reason="bounds of another type with inplace=True"
            )
        self._become(made)
        return self

    def _typed(self, function: Any, name: str, args: tuple, kwargs: dict) -> Any:
        try:
            return self._with([function(c) for c in self._all_columns()], self._index)
        except NotNative as why:
            return self._call_pandas(name, args, kwargs, reason=why.reason)

    def _down(self, function: Any, name: str, axis: Any, kwargs: dict) -> Any:
        """Apply a function to every column, or call pandas' method of that name."""
        try:
            if axis not in (0, "index", None):
                raise NotNative("axis=1")
            return self._with([function(c) for c in self._all_columns()], self._index)
        except NotNative as why:
            return self._call_pandas(name, (), kwargs, reason=why.reason)


def _bounds(frame: Any, lower: Any, upper: Any) -> list[list] | None:
    """Bounds of each column of floats by its label; None where pandas has to compute them."""
    made: list[list] = []
    for b in (lower, upper):
        if b is None:
            made.append([None] * len(frame._columns))
            continue
        if not isinstance(b, Rows) or b.ndim != 1 or b.dtype != FLOAT64 or b._column.has_missing():
            return None
        if not b._index.equals(_indexes.from_pandas(frame._names)):
            return None
        made.append(b.tolist())
    if any(c.dtype != FLOAT64 for c in frame._columns) or any(
        low is not None and high is not None and low > high for low, high in zip(*made)
    ):
        return None
    return made


def clipped(c: AnyColumn, lower: Any, upper: Any) -> AnyColumn:
    """A column clipped to two bounds; None is no bound."""
    c.plain_values("iuf")
    for bound, op in ((lower, "ge"), (upper, "le")):
        if bound is None:
            continue
        if isinstance(bound, (bool, np.bool_)):
            raise NotNative("booleans as bounds")
        inside = compute(op, c, prepared(bound, op)).values
        if c.nulls() is not None:
            inside = inside | c.nulls()
        c = choose(inside, c, bound)
    return c


def _plain(name: str) -> Any:
    def method(self: Any, *, axis: Any = 0, skipna: bool = True, numeric_only: bool = False, **kwargs: Any) -> Any:
        return self._fold(name, axis, skipna, numeric_only, kwargs, {})

    return method


def _with_ddof(name: str) -> Any:
    def method(self: Any, *, axis: Any = 0, skipna: bool = True, ddof: int = 1, numeric_only: bool = False,
               **kwargs: Any) -> Any:  # fmt: skip
        return self._fold(name, axis, skipna, numeric_only, kwargs, {"ddof": ddof})

    return method


def _with_min_count(name: str) -> Any:
    def method(self: Any, *, axis: Any = 0, skipna: bool = True, numeric_only: bool = False, min_count: int = 0,
               **kwargs: Any) -> Any:  # fmt: skip
        return self._fold(name, axis, skipna, numeric_only, kwargs, {"min_count": min_count})

    return method


def _running_method(name: str) -> Any:
    def method(self: Any, axis: Any = 0, skipna: bool = True, *args: Any, **kwargs: Any) -> Any:
        return self._running(name, axis, skipna, args, kwargs)

    method.__name__ = method.__qualname__ = name
    method.__doc__ = f"{RUNNING[name][0]} of all values up to each row. Missing values are skipped and stay missing."
    return method


for _name in RUNNING:
    setattr(Statistics, _name, _running_method(_name))


def with_reductions(own: type[Statistics]) -> type[Statistics]:
    """Decorator: the class gets functions of its own for the reductions, which pandas names after it in errors."""
    for name in ("sum", "prod", "mean", "min", "max", "median", "skew", "kurt", "var", "std", "sem"):
        if name in ("sum", "prod"):
            method = _with_min_count(name)
        else:
            method = (_with_ddof if name in ("var", "std", "sem") else _plain)(name)
        method.__name__ = method.__qualname__ = name
        method.__doc__ = f"{SUMMARIES[name]} of the values, missing ones left out unless `skipna` is False."
        setattr(own, name, method)
    own.product, own.kurtosis = own.prod, own.kurt  # type: ignore[attr-defined]
    return own
