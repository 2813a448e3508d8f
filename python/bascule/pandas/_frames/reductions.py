"""Reductions of frames and series."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas
import pyarrow.compute
from pandas.core.dtypes.cast import find_common_type
from pandas.core.dtypes.dtypes import BaseMaskedDtype

from ... import _core
from .. import _indexes
from .._base import Rows
from .._columns.column import AnyColumn, Column, HostColumn, from_pandas_array, is_numeric
from .._columns.infer import from_values
from .._columns.numbered import codes_of, is_categories, is_zoned, moments
from .._columns.operators import masked_dtype
from .._columns.reduce import distinct, extreme_position, median, quantiles, reduction, shape
from .._fallback import deprecations
from .._fallback.carried import bare
from .._fallback.native import NotNative
from .row_reductions import across, extreme_columns

_NONE = pandas.api.extensions.no_default
_DOC = {
    "sum": "Sum", "prod": "Product", "mean": "Mean", "min": "Smallest", "max": "Largest", "median": "Middle",
    "var": "Variance", "std": "Standard deviation", "sem": "Standard error of the mean",
    "any": "Whether any is true", "all": "Whether all are true", "skew": "Skewness", "kurt": "Kurtosis",
}  # fmt: skip
_NARROW = (np.dtype(np.float16), np.dtype(np.float32))
_REDUCING = (*_DOC, "count", "nunique", "idxmin", "idxmax", "product", "kurtosis")


def one_value(name: str, c: AnyColumn, skipna: bool, min_count: int, ddof: int) -> Any:
    """A column's reduction by name."""
    if name == "median":
        return median(c, skipna)
    if name in ("skew", "kurt"):
        return shape(c, name, skipna)
    if isinstance(c, HostColumn) and name in ("min", "max", "mean"):
        return _by_number(name, c, skipna)
    if name in ("min", "max") and isinstance(c, Column) and c.is_text and not c.is_masked:
        return _text_end(c, name, skipna)
    return reduction(name, c, skipna, min_count, ddof)


def _by_number(name: str, c: HostColumn, skipna: bool) -> Any:
    """The least or greatest of ordered categories; of timezone-aware timestamps the mean, too."""
    if is_zoned(c):
        found = reduction(name, moments(c), skipna)
        return found if found is pandas.NaT else found.tz_localize("UTC").tz_convert(c.dtype.tz)
    if not is_categories(c) or not c.dtype.ordered or name == "mean" or (c.has_missing() and not skipna):
        raise NotNative(f"values of type {c.dtype}")
    codes = codes_of(c)
    codes = codes[codes >= 0]
    if not len(codes):
        raise NotNative("no categories")
    return c.dtype.categories[int(codes.max() if name == "max" else codes.min())]


def _text_end(c: Column, name: str, skipna: bool) -> Any:
    if not len(c) or (c.has_missing() and not skipna):
        raise NotNative("missing strings")
    if c.device.startswith("cuda"):
        found = _text_end_by_number(c, name)
    else:
        found = pyarrow.compute.min_max(c.to_arrow())[name].as_py()
    if found is None:
        raise NotNative("missing strings")
    return found


_NUMPYS = frozenset(("out", "dtype", "keepdims"))


def _text_end_by_number(c: Column, name: str) -> str | None:
    """The least or the greatest string, by its code among the distinct strings, whose codes are in their order."""
    core = c.core.encoded()
    if core is None:
        order = _core.order_columns([c.core], [name == "min"], False)
        return c.take(order[:1]).item(0) if int((~c.missing()).sum()) else None
    codes = core.values if name == "max" else core.values[core.values >= 0]
    at = int(codes.max() if name == "max" else codes.min()) if len(codes) else -1
    return None if at < 0 else Column(core.dictionary, c.dtype).item(at)


def _not_numpys(options: dict[str, Any]) -> dict[str, Any]:
    """Options without those that NumPy's function of the same name passes with their default values."""
    return {k: v for k, v in options.items() if v is not (False if k == "keepdims" else None) or k not in _NUMPYS}


def _is_number(c: AnyColumn) -> bool:
    """Whether a column has native numbers."""
    return isinstance(c, Column) and not c.is_text and c.values.dtype.kind in "biuf"


class SeriesReductions(Rows):
    """Reductions of series."""

    def _fold(self, name: str, axis: Any, skipna: Any, numeric_only: bool, kwargs: dict, given: dict) -> Any:
        kwargs = _not_numpys(kwargs)
        options = {"axis": axis, "skipna": skipna, **given, **kwargs}
        if numeric_only:
            deprecations.of_numeric_only(numeric_only)
        if name not in ("any", "all"):
            options["numeric_only"] = bool(numeric_only)
        if kwargs or axis not in (0, "index", None) or type(skipna) is not bool:
            return self._call_pandas(name, (), options, reason="options of reductions")
        if numeric_only and not is_numeric(self._column):
            return self._call_pandas(name, (), options, reason="numeric_only= with columns that are not numbers")
        try:
            return one_value(name, self._column, skipna, given.get("min_count", 0), given.get("ddof", 1))
        except NotNative as why:
            return self._call_pandas(name, (), options, reason=why.reason)

    def count(self) -> Any:
        """Number of values that are not missing."""
        return reduction("count", self._column)

    def nunique(self, dropna: bool = True) -> int:
        """Number of distinct values."""
        try:
            return distinct(self._column, dropna)
        except NotNative as why:
            return self._call_pandas("nunique", (dropna,), reason=why.reason)

    def any(self, *, axis: Any = 0, bool_only: bool = False, skipna: bool = True, **kwargs: Any) -> Any:
        """Whether any value is true."""
        if bool_only:
            return self._call_pandas("any", (), {"bool_only": bool_only, "skipna": skipna}, reason="bool_only=")
        return self._fold("any", axis, skipna, False, kwargs, {})

    def all(self, axis: Any = 0, bool_only: bool = False, skipna: bool = True, **kwargs: Any) -> Any:
        """Whether all values are true."""
        if bool_only:
            return self._call_pandas("all", (), {"bool_only": bool_only, "skipna": skipna}, reason="bool_only=")
        return self._fold("all", axis, skipna, False, kwargs, {})

    def argmin(self, axis: Any = None, skipna: bool = True, *args: Any, **kwargs: Any) -> Any:
        """Position of the smallest value, the first of equals."""
        return self._extreme_row("min", "argmin", axis, skipna, args, kwargs)

    def argmax(self, axis: Any = None, skipna: bool = True, *args: Any, **kwargs: Any) -> Any:
        """Position of the largest value, the first of equals."""
        return self._extreme_row("max", "argmax", axis, skipna, args, kwargs)

    def idxmin(self, axis: Any = 0, skipna: bool = True, *args: Any, **kwargs: Any) -> Any:
        """Label of the smallest value, the first of equals."""
        return self._extreme_row("min", "idxmin", axis, skipna, args, kwargs)

    def idxmax(self, axis: Any = 0, skipna: bool = True, *args: Any, **kwargs: Any) -> Any:
        """Label of the largest value, the first of equals."""
        return self._extreme_row("max", "idxmax", axis, skipna, args, kwargs)

    def _extreme_row(self, which: str, name: str, axis: Any, skipna: bool, args: tuple, kwargs: dict) -> Any:
        kwargs = _not_numpys(kwargs)
        if args or kwargs or axis not in (0, "index", None):
            return self._call_pandas(name, (axis, skipna, *args), kwargs, reason="options of reductions")
        try:
            at = extreme_position(self._column, which, skipna)
        except NotNative as why:
            return self._call_pandas(name, (axis, skipna), reason=why.reason)
        return self._index._item(at) if name.startswith("idx") else np.int64(at)

    def quantile(self, q: Any = 0.5, interpolation: str = "linear") -> Any:
        """Quantiles of the values: a scalar for one q, a series for several."""
        several = np.ndim(q) > 0
        shares = np.asarray(q, dtype=np.float64).reshape(-1)
        if ((shares < 0) | (shares > 1)).any() or np.isnan(shares).any():
            raise ValueError("percentiles should all be in the interval [0, 1]")
        try:
            found, p = quantiles(self._column, list(shares), interpolation)
        except NotNative as why:
            few = self.head(2) if self._column.is_text else self  # of text pandas refuses, however much there is
            return few._call_pandas("quantile", (q, interpolation), reason=why.reason)
        if not several:
            return from_pandas_array(found).item(0)
        index = _indexes.from_pandas(pandas.Index(shares))
        return self._new(from_pandas_array(found), index, self._name)

    def agg(self, func: Any = None, axis: Any = 0, *args: Any, **kwargs: Any) -> Any:
        """Reduce by a method's name; a list of names gives a series of results."""
        if axis not in (0, "index") or func is None:
            return self._call_pandas("agg", (func, axis, *args), kwargs, reason="options of agg")
        if isinstance(func, str):
            return by_name(self, func, args, kwargs)
        if args or kwargs or not _names_only(func) or not _is_number(self._column) or self._column.is_masked:
            return self._call_pandas(
                "agg", (func, axis, *args), kwargs, reason="Python functions, or values that are not numbers"
            )
        wanted = func if isinstance(func, dict) else {n: n for n in func}
        results = [getattr(self, n)() for n in wanted.values()]
        return self._new(from_values(results), _indexes.ensure(list(wanted)), self._name)

    aggregate = agg


def _rows_at_shares(frame: Any, shares: np.ndarray, interpolation: str) -> Any:
    """Whole rows at quantiles of the order of all columns; None where pandas has to find them."""
    round_to = {"nearest": np.around, "lower": np.floor, "higher": np.ceil}.get(interpolation)
    if round_to is None or ((shares < 0) | (shares > 1)).any() or np.isnan(shares).any():
        return None
    if any(isinstance(c, HostColumn) for c in frame._columns):
        return None
    rows = _core.order_columns([c.core for c in frame._columns], [True] * len(frame._columns), False)
    at = _core.from_numpy(round_to((len(frame) - 1) * shares).astype(np.int64), frame._device())
    made = frame._take_rows(rows[at])
    made.index = pandas.Index(shares)
    return made


def by_name(x: Any, name: str, args: tuple, kwargs: dict) -> Any:
    """The result of a method, attribute or NumPy function of that name; AttributeError as pandas raises it."""
    if hasattr(x, name):
        found = getattr(x, name)
        return found(*args, **kwargs) if callable(found) else found
    if not hasattr(np, name):
        raise AttributeError(f"'{name}' is not a valid function for '{type(x).__name__}' object")
    return getattr(np, name)(x, *args, **kwargs)


def _names_only(func: Any) -> bool:
    names = list(func.values()) if isinstance(func, dict) else func if isinstance(func, list) else []
    return bool(names) and all(isinstance(n, str) and n in _REDUCING for n in names) and len(set(names)) == len(names)


class FrameReductions(Rows):
    """Reductions of frames."""

    def _fold(self, name: str, axis: Any, skipna: Any, numeric_only: bool, kwargs: dict, given: dict) -> Any:
        kwargs = _not_numpys(kwargs)
        options = {"axis": axis, "skipna": skipna, **given, **kwargs}
        if numeric_only:
            deprecations.of_numeric_only(numeric_only)
        if name not in ("any", "all"):
            options["numeric_only"] = bool(numeric_only)
        whole = axis is None and name in ("any", "all")
        if kwargs or not (whole or axis in (0, "index", 1, "columns")) or type(skipna) is not bool:
            return self._call_pandas(name, (), options, reason="options of reductions")
        frame = self
        if numeric_only:
            frame = self._select([i for i, c in enumerate(self._columns) if is_numeric(c)])
        try:
            if axis in (1, "columns") and not len(self):
                made = frame._fold(name, 0, skipna, False, kwargs, given)  # of the type that columns give
                return self._constructor_sliced._new(made._column.slice(0, 1, 0), self._index)
            if axis in (1, "columns"):
                made = across(name, frame._columns, skipna, given.get("min_count", 0), given.get("ddof", 1))
                return self._constructor_sliced._new(made, self._index)
            results = [
                one_value(name, c, skipna, given.get("min_count", 0), given.get("ddof", 1)) for c in frame._columns
            ]
            if whole:
                if any(not _is_number(c) or c.is_masked for c in frame._columns):
                    raise NotNative("values of several types")
                return np.bool_(any(results) if name == "any" else all(results))
            if any(c.is_masked for c in frame._columns):
                return _masked_row_of(name, results, frame)
            return _row_of(results, frame)
        except NotNative as why:
            return self._call_pandas(name, (), options, reason=why.reason)

    def count(self, axis: Any = 0, numeric_only: bool = False) -> Any:
        """Number of values that are not missing, of each column or row."""
        frame = self
        if numeric_only:
            frame = self._select([i for i, c in enumerate(self._columns) if is_numeric(c)])
        if axis in (1, "columns"):
            if not frame._columns:
                return self._call_pandas("count", (axis, numeric_only), reason="frames without columns")
            there = [~c.missing() for c in frame._columns]
            total = there[0].astype(np.int64)
            for t in there[1:]:
                total = total + t
            return self._constructor_sliced._new(Column(_core.Column.plain(total), total.dtype), self._index)
        if axis not in (0, "index"):
            raise ValueError(f"No axis named {axis} for object type DataFrame")
        if not frame._columns:
            return self._call_pandas("count", (axis, numeric_only), reason="frames without columns")
        return _row_of([reduction("count", c) for c in frame._columns], frame, np.dtype(np.int64))

    def nunique(self, axis: Any = 0, dropna: bool = True) -> Any:
        """Number of distinct values of each column."""
        try:
            if axis not in (0, "index"):
                raise NotNative("axis=1")
            return _row_of([np.int64(distinct(c, dropna)) for c in self._columns], self, np.dtype(np.int64))
        except NotNative as why:
            return self._call_pandas("nunique", (axis, dropna), reason=why.reason)

    def any(self, *, axis: Any = 0, bool_only: bool = False, skipna: bool = True, **kwargs: Any) -> Any:
        """Whether any value is true, of each column or row."""
        if bool_only:
            return self._call_pandas("any", (), {"axis": axis, "bool_only": True, "skipna": skipna}, "bool_only=")
        return self._fold("any", axis, skipna, False, kwargs, {})

    def all(self, axis: Any = 0, bool_only: bool = False, skipna: bool = True, **kwargs: Any) -> Any:
        """Whether all values are true, of each column or row."""
        if bool_only:
            return self._call_pandas("all", (), {"axis": axis, "bool_only": True, "skipna": skipna}, "bool_only=")
        return self._fold("all", axis, skipna, False, kwargs, {})

    def idxmin(self, axis: Any = 0, skipna: bool = True, numeric_only: bool = False) -> Any:
        """Label of the row with the smallest value of each column."""
        return self._extreme_row("min", axis, skipna, numeric_only)

    def idxmax(self, axis: Any = 0, skipna: bool = True, numeric_only: bool = False) -> Any:
        """Label of the row with the largest value of each column."""
        return self._extreme_row("max", axis, skipna, numeric_only)

    def _extreme_row(self, which: str, axis: Any, skipna: bool, numeric_only: bool) -> Any:
        given = (axis, skipna, numeric_only)
        frame = self._select([i for i, c in enumerate(self._columns) if is_numeric(c)]) if numeric_only else self
        rows = axis in (1, "columns") and frame._names.nlevels == 1
        if (rows or axis in (0, "index")) and not (len(self) and self._columns):
            labels = _indexes.from_pandas(self._names) if rows else self._index
            if len(labels) and labels.nlevels == 1:  # of nothing the result has no labels either
                return bare(self._constructor_sliced._new(labels[:0]._column, _indexes.RangeIndex._of(0, 1, 0, None)))
        if not (rows or axis in (0, "index")) or not frame._columns or not len(self) or self._index.nlevels > 1:
            return self._call_pandas("idx" + which, given, reason="axis= or empty frames")
        try:
            if rows:
                labels = _indexes.from_pandas(frame._names)._take(extreme_columns(frame._columns, which, skipna))
                return self._constructor_sliced._new(labels._column, self._index)
            at = [extreme_position(c, which, skipna) for c in frame._columns]
        except NotNative as why:
            return self._call_pandas("idx" + which, given, reason=why.reason)
        labels = self._index._take(_core.from_numpy(np.array(at, dtype=np.int64)))
        values = labels._column if labels.nlevels == 1 else from_values(labels.tolist())
        return self._constructor_sliced._new(values, _indexes.from_pandas(frame._names))

    def quantile(self, q: Any = 0.5, axis: Any = 0, numeric_only: bool = False, interpolation: str = "linear",
                 method: str = "single") -> Any:  # fmt: skip
        """Quantiles of each column: a series for one q, a frame for several."""
        given = {"q": q, "axis": axis, "numeric_only": numeric_only, "interpolation": interpolation, "method": method}
        frame = self._select([i for i, c in enumerate(self._columns) if is_numeric(c)]) if numeric_only else self
        shares = np.asarray(q, dtype=np.float64).reshape(-1)
        if method == "table" and axis in (0, "index") and np.ndim(q) and len(frame) and frame._columns:
            made = _rows_at_shares(frame, shares, interpolation)
            if made is not None:
                return made
        if ((shares < 0) | (shares > 1)).any() or axis not in (0, "index") or method != "single" or not frame._columns:
            return self._call_pandas("quantile", (), given, reason="options of quantile")
        try:
            if any(not _is_number(c) for c in frame._columns):
                raise NotNative("quantiles of values that are not numbers")
            # pandas keeps the type of narrow floats where some of the columns of that type lack a value
            lacking = {c.dtype for c in frame._columns if c.dtype in _NARROW and c.has_missing()}
            found = [quantiles(c, list(shares), interpolation, c.dtype in lacking)[0] for c in frame._columns]
        except NotNative as why:
            return self._call_pandas("quantile", (), given, reason=why.reason)
        if np.ndim(q) == 0:
            return _row_of([f[0] for f in found], frame, name=np.float64(q))
        columns = [from_pandas_array(f) for f in found]
        return self._new(columns, frame._names, _indexes.from_pandas(pandas.Index(shares)))

    def agg(self, func: Any = None, axis: Any = 0, *args: Any, **kwargs: Any) -> Any:
        """Reduce every column by the name of a method, by several, or by a dict of column to name or names."""
        if func is not None and axis in (0, "index"):
            if isinstance(func, str):
                return by_name(self, func, args, kwargs)
            if not args and not kwargs and self._names.is_unique:
                made = self._agg(func)
                if made is not None:
                    return made
        return self._call_pandas("agg", (func, axis, *args), kwargs, reason="Python functions, or options")

    aggregate = agg

    def _agg(self, func: Any) -> Any:
        if any(not _is_number(c) or c.is_masked for c in self._columns):
            return None  # pandas decides about the common type of several reductions
        if _names_only(func) and isinstance(func, list):
            tables = [self._series(i).agg(func) for i in range(len(self._columns))]
            return self._new([t._column for t in tables], self._names, tables[0]._index) if tables else None
        if not isinstance(func, dict) or not func or any(k not in self._names for k in func):
            return None
        if any(self._is_part_of_a_label(k) for k in func):
            return None
        if _names_only({k: v for k, v in func.items()}) or all(
            isinstance(v, str) and v in _REDUCING for v in func.values()
        ):
            results = [getattr(self[k], v)() for k, v in func.items()]
            return self._constructor_sliced._new(from_values(results), _indexes.ensure(list(func)))
        return None


def _masked_row_of(name: str, results: list, frame: Any) -> Any:
    """The results of all columns, some of them masked, in their common type."""
    if any(isinstance(c, HostColumn) or c.is_text or c.dtype.kind not in "biuf" for c in frame._columns):
        raise NotNative("results of several types")
    common = find_common_type([_reduced_type(name, r, c) for r, c in zip(results, frame._columns)])
    if not isinstance(common, BaseMaskedDtype):
        raise NotNative("results of several types")
    there = np.array([r is not pandas.NA and r == r for r in results])
    kind = common.numpy_dtype
    values = np.array([kind.type(r if t else 0) for r, t in zip(results, there)], dtype=kind)
    valid = None if there.all() else _core.from_numpy(there)
    made = Column(_core.Column.plain(_core.from_numpy(values), valid), common)
    return frame._constructor_sliced._new(made, _indexes.from_pandas(frame._names))


def _reduced_type(name: str, found: Any, c: Column) -> Any:
    """The type of a column's reduction, which a masked one has even without a valid value."""
    if not c.is_masked:
        return np.asarray(found).dtype
    if found is not pandas.NA and found == found:
        return masked_dtype(np.asarray(found).dtype)
    kind = c.values.dtype
    if name in ("any", "all"):
        return masked_dtype(np.dtype(bool))
    if name in ("mean", "median", "var", "std", "sem", "skew", "kurt"):
        return masked_dtype(kind if kind == np.float32 else np.dtype(np.float64))
    if name in ("sum", "prod") and kind.kind != "f":
        return masked_dtype(np.dtype(np.uint64 if kind.kind == "u" else np.int64))
    return c.dtype


def _row_of(results: list, frame: Any, dtype: Any = None, name: Any = None) -> Any:
    """The results of all columns as a series labelled by the columns."""
    if not results:
        raise NotNative("frames without columns")
    if dtype is None:
        kinds = set()
        for r, c in zip(results, frame._columns):
            if isinstance(c, HostColumn) or c.is_text or c.is_masked:
                raise NotNative("results of several types")
            if isinstance(r, pandas.Timestamp):
                kinds.add(np.dtype(f"M8[{r.unit}]"))
            elif isinstance(r, pandas.Timedelta):
                kinds.add(np.dtype(f"m8[{r.unit}]"))
            elif r is pandas.NaT or (type(r) is float and len(c) and c.dtype == np.float32):
                kinds.add(c.dtype)
            else:
                kinds.add(np.asarray(r).dtype)
        families = {k.kind for k in kinds}
        if not (families <= set("iuf") or len(kinds) == 1):
            raise NotNative("results of several types")
        dtype = np.result_type(*kinds)
    if dtype.kind in "mM":
        values = np.array([r.asm8 for r in results], dtype=dtype)
    else:
        values = np.array(results, dtype=dtype)
    index = _indexes.from_pandas(frame._names)
    return frame._constructor_sliced._new(from_pandas_array(values), index, name)


# ---- the methods


def _with_min_count(name: str) -> Any:
    def method(self: Any, *, axis: Any = 0, skipna: bool = True, numeric_only: bool = False, min_count: int = 0,
               **kwargs: Any) -> Any:  # fmt: skip
        return self._fold(name, axis, skipna, numeric_only, kwargs, {"min_count": min_count})

    return method


def _plain(name: str) -> Any:
    def method(self: Any, *, axis: Any = 0, skipna: bool = True, numeric_only: bool = False, **kwargs: Any) -> Any:
        return self._fold(name, axis, skipna, numeric_only, kwargs, {})

    return method


def _with_ddof(name: str) -> Any:
    def method(self: Any, *, axis: Any = 0, skipna: bool = True, ddof: int = 1, numeric_only: bool = False,
               **kwargs: Any) -> Any:  # fmt: skip
        return self._fold(name, axis, skipna, numeric_only, kwargs, {"ddof": ddof})

    return method


def _add_methods() -> None:
    for own in (SeriesReductions, FrameReductions):
        for name in ("sum", "prod", "mean", "min", "max", "median", "skew", "kurt", "var", "std", "sem"):
            if name in ("sum", "prod"):
                method = _with_min_count(name)
            else:
                method = (_with_ddof if name in ("var", "std", "sem") else _plain)(name)
            method.__name__ = method.__qualname__ = name
            method.__doc__ = f"{_DOC[name]} of the values, missing ones left out unless `skipna` is False."
            setattr(own, name, method)
        own.product, own.kurtosis = own.prod, own.kurt


_add_methods()
