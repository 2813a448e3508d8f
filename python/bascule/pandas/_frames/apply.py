"""Functions given by the user: apply, map and transform by ufuncs, by names, and column by column."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pandas

from ... import _core
from .. import _classes, _indexes
from .._base import Rows
from .._columns.column import Column, is_numeric
from .._columns.infer import from_values
from .._fallback.calls import call as call_pandas
from .._fallback.calls import to_pandas
from .._fallback.carried import finish
from .._fallback.native import NotNative, native
from .._reshape.shapes import row_labels

_KEEPING = frozenset("abs cumsum cumprod cummin cummax diff shift rank ffill bfill isna notna pct_change round".split())
_REDUCING = frozenset("sum mean min max prod std var sem median count any all nunique skew kurt".split())


def _by_ufunc(x: Any, func: np.ufunc, args: tuple, kwargs: dict) -> Any:
    if args or kwargs or func.nin != 1 or func.nout != 1:
        raise NotNative("a ufunc of several operands")
    with np.errstate(all="ignore"):
        return func(x)


def _is_sequence(x: Any) -> bool:
    if isinstance(x, (str, bytes)):
        return False
    return hasattr(x, "__iter__") and hasattr(x, "__len__")


class Applying(Rows):
    """`transform`, for frames and series."""

    @native
    def transform(self, func: Any, axis: Any = 0, *args: Any, **kwargs: Any) -> Any:
        """Apply a ufunc or a method by its name, with one result for each value; other functions run in pandas."""
        if axis not in (0, "index"):
            raise NotNative("axis=")
        if isinstance(func, np.ufunc):
            return _by_ufunc(self, func, args, kwargs)
        if not isinstance(func, str):
            raise NotNative("a Python function")
        if func in _REDUCING:
            raise ValueError("Function did not transform")
        if func not in _KEEPING:
            raise NotNative(f"transform by {func}")
        return getattr(self, func)(*args, **kwargs)


class SeriesApplying(Applying):
    """Functions over series."""

    @native
    def apply(self, func: Any, args: tuple = (), *, by_row: Any = "compat", **kwargs: Any) -> Any:
        """Apply a ufunc or a method by its name to the whole series; a function of single values runs in pandas."""
        if isinstance(func, str):
            if not hasattr(self, func) or func.startswith("_"):
                raise AttributeError(f"'{func}' is not a valid function for '{type(self).__name__}' object")
            found = getattr(self, func)
            return found(*args, **kwargs) if callable(found) else found
        if isinstance(func, np.ufunc):
            return _by_ufunc(self, func, args, kwargs)
        raise NotNative("a Python function called for each value")


class FrameApplying(Applying):
    """Functions over frames."""

    @native
    def apply(
        self, func: Any, axis: Any = 0, raw: bool = False, result_type: Any = None, args: tuple = (), by_row: Any = "compat", engine: Any = None, engine_kwargs: Any = None,
        **kwargs: Any,
    ) -> Any:  # fmt: skip
        """Apply a function to each column: a ufunc, the name of a method, or a Python function.

        Functions of rows run in pandas.

        Parameters
        ----------
        func : function, str
        axis, raw, result_type, args, by_row, engine, engine_kwargs, **kwargs
            As pandas'.
        """
        if raw or result_type is not None or engine is not None or engine_kwargs is not None or 0 in self.shape:
            raise NotNative("options of apply, or no rows or columns")
        across = axis in (1, "columns")
        if isinstance(func, str):
            if not hasattr(self, func) or func.startswith("_"):
                raise AttributeError(f"'{func}' is not a valid function for '{type(self).__name__}' object")
            if (
                (across and func not in _REDUCING)
                or func in ("size", "agg", "apply")
                or not callable(getattr(self, func))
            ):
                raise NotNative(f"apply by {func}")
            return getattr(self, func)(*args, **({"axis": 1} if across else {}), **kwargs)
        if isinstance(func, np.ufunc):
            return _by_ufunc(self, func, args, kwargs)
        if across or not callable(func) or isinstance(func, type):
            raise NotNative("a function of Python for each row, or several functions")
        return self._by_columns(func, args, kwargs)

    def _by_columns(self, func: Callable, args: tuple, kwargs: dict) -> Any:
        parts = [self._series(i) for i in range(len(self._columns))]
        parts = parts if self._plain else [finish(self, p) for p in parts]
        results = [func(p, *args, **kwargs) for p in parts]
        if not _is_sequence(results[0]) and not any(isinstance(r, (Rows, pandas.Series)) for r in results):
            return _classes.Series._new(from_values(results), row_labels(self._names))
        if all(isinstance(r, _classes.Series) for r in results):
            first = results[0]._index
            if all(r._index is first or r._index.equals(first) for r in results):
                return self._new([r._column for r in results], self._names, first)
        ready = iter(results)
        reason = "results that are no columns of one index"
        return call_pandas(self, "apply", (lambda _: to_pandas(next(ready)),), {}, reason)

    @native
    def map(self, func: Any, na_action: Any = None, **kwargs: Any) -> Any:
        """Apply a function to each value: natively for a ufunc of floats, else in pandas."""
        floats = all(isinstance(c, Column) and c.dtype == np.float64 for c in self._columns)
        if not isinstance(func, np.ufunc) or na_action is not None or not floats or 0 in self.shape:
            raise NotNative("a Python function called for each value")
        return _by_ufunc(self, func, (), kwargs)

    @native
    def mode(self, axis: Any = 0, numeric_only: bool = False, dropna: bool = True) -> Any:
        """The most frequent values of each column, ascending; shorter columns are filled up with missing values."""
        if axis not in (0, "index") or 0 in self.shape:
            raise NotNative("axis=, or no rows or columns")
        at = [i for i, c in enumerate(self._columns) if not numeric_only or is_numeric(c)]
        found = [self._series(i).mode(dropna)._column for i in at]
        height = max(map(len, found), default=0)
        if not height:
            raise NotNative("only missing values")
        rows = [np.where(np.arange(height) < len(c), np.arange(height), -1) for c in found]
        columns = [c if len(c) == height else c.take(_positions(p), True) for c, p in zip(found, rows)]
        return self._new(columns, self._names[at], _indexes.default(height))


def _positions(p: np.ndarray) -> Any:
    return _core.from_numpy(p.astype(np.int64))
