"""Running values, ranks and bounds: the statistics that frames and series share."""

from __future__ import annotations

from typing import Any

import numpy as np

from ... import _indexes
from ..._base import Rows
from ..._columns.column import AnyColumn
from ..._columns.operators import compute, prepared
from ..._columns.where import choose, is_missing_scalar
from ..._fallback.native import DOWN, NotNative, native
from ..._questions import is_integer, is_list_like
from .cumulative import FLOAT64, RUNNING, differences, ranked, running
from .reductions import SUMMARIES


class Statistics(Rows):
    """Statistics of frames and series."""

    @native(axis=DOWN)
    def diff(self, periods: Any = 1, axis: Any = 0) -> Any:
        """The difference of each row from the one `periods` before."""
        if isinstance(periods, float) and periods.is_integer():
            periods = int(periods)
        if not is_integer(periods):
            raise ValueError("periods must be an integer")
        return self._map_columns(lambda c: differences(c, int(periods)), self._index)

    @native(freq=None)
    def pct_change(self, periods: int = 1, fill_method: None = None, freq: Any = None, **kwargs: Any) -> Any:
        """The relative change of each row from the one `periods` before."""
        if fill_method is not None:
            raise ValueError(f"fill_method must be None; got fill_method={fill_method!r}.")
        if kwargs or not is_integer(periods):
            raise NotNative("options, or periods= that is no integer")
        if not all(c.subtracts for c in self._all_columns()):
            raise NotNative("booleans and objects")
        return self / self.shift(int(periods)) - 1

    @native(axis=(0, "index"), numeric_only=False)
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
        return self._map_columns(lambda c: ranked(c, method, ascending, pct, na_option), self._index)

    @native
    def clip(self, lower: Any = None, upper: Any = None, *, axis: Any = None, inplace: bool = False, **kwargs: Any) -> Any:  # fmt: skip
        """Clip the values to two bounds."""
        by_column = None if kwargs or self.ndim == 1 or axis not in (1, "columns") else _bounds(self, lower, upper)
        if by_column is not None:
            made = self._with(list(map(clipped, self._all_columns(), *by_column)), self._index)
            if inplace:
                self._become(made)
            return self if inplace else made
        if kwargs or axis is not None or any(is_list_like(b) or isinstance(b, Rows) for b in (lower, upper)):
            raise NotNative("bounds that are not scalars")
        lower, upper = (None if b is not None and is_missing_scalar(b) else b for b in (lower, upper))
        if lower is not None and upper is not None and lower > upper:
            lower, upper = upper, lower
        made = self._map_columns(lambda c: clipped(c, lower, upper), self._index)
        if not inplace:
            return made
        if any(a.dtype != b.dtype for a, b in zip(made._all_columns(), self._all_columns())):
            raise NotNative("bounds of another type with inplace=True")
        self._become(made)
        return self


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
        if args or kwargs.get("numeric_only") or set(kwargs) - {"numeric_only"}:
            raise NotNative("options of cumulative operations")
        return self._map_columns(lambda c: running(name, c, skipna), self._index)

    method.__name__ = method.__qualname__ = name
    method.__doc__ = f"{RUNNING[name][0]} of all values up to each row. Missing values are skipped and stay missing."
    return native(axis=DOWN, skipna=lambda skipna: type(skipna) is bool)(method)


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
