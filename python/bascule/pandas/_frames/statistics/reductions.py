"""Parts of the reductions of frames and series."""

from __future__ import annotations

from typing import Any

import numpy as np

from .... import _core
from ... import _indexes
from ..._columns.column import AnyColumn, Column, from_pandas_array
from ..._columns.dtypes import common_masked, common_number
from ..._columns.reduce import median, reduction, shape
from ..._fallback.native import NotNative
from ..._theirs import pandas, seen

SUMMARIES = {
    "sum": "Sum", "prod": "Product", "mean": "Mean", "min": "Smallest", "max": "Largest", "median": "Median",
    "var": "Variance", "std": "Standard deviation", "sem": "Standard error of the mean",
    "any": "Whether any is true", "all": "Whether all are true", "skew": "Skewness", "kurt": "Kurtosis",
}  # fmt: skip
NARROW = (np.dtype(np.float16), np.dtype(np.float32))
_REDUCING = (*SUMMARIES, "count", "nunique", "idxmin", "idxmax", "product", "kurtosis")


def one_value(name: str, c: AnyColumn, skipna: bool, min_count: int, ddof: int, total: Any = None) -> Any:
    """A column's reduction by name; `total` is the sum of all its values, if it is known."""
    if c.is_arrows:
        return c.reduced(name, skipna, min_count, ddof)
    if name == "median":
        return median(c, skipna)
    if name in ("skew", "kurt"):
        return shape(c, name, skipna)
    if name in ("min", "max", "mean"):
        return c.ordered(name, skipna)
    return reduction(name, c, skipna, min_count, ddof, total)


_NUMPYS = frozenset(("out", "dtype", "keepdims"))


def not_numpys(options: dict[str, Any]) -> dict[str, Any]:
    """Options without those that NumPy's function of the same name passes with their default values."""
    return {k: v for k, v in options.items() if v is not (False if k == "keepdims" else None) or k not in _NUMPYS}


def rows_at_shares(frame: Any, shares: np.ndarray, interpolation: str) -> Any:
    """Whole rows at quantiles of the order of all columns; None where pandas has to find them."""
    round_to = {"nearest": np.around, "lower": np.floor, "higher": np.ceil}.get(interpolation)
    if round_to is None or ((shares < 0) | (shares > 1)).any() or np.isnan(shares).any():
        return None
    keys = [c.key() for c in frame._columns]
    if any(k is None for k in keys):
        return None
    rows = _core.order_columns([k.core for k in keys], [True] * len(keys), False)
    at = _core.from_numpy(round_to((len(frame) - 1) * shares).astype(np.int64), frame._device())
    made = frame._take_rows(rows[at])
    made.index = _indexes.Index(shares)
    return made


def by_name(x: Any, name: str, args: tuple, kwargs: dict) -> Any:
    """The result of a method, attribute or NumPy function of that name; AttributeError as pandas raises it."""
    if hasattr(x, name):
        found = getattr(x, name)
        return found(*args, **kwargs) if callable(found) else found
    if not hasattr(np, name):
        raise AttributeError(f"'{name}' is not a valid function for '{type(x).__name__}' object")
    return getattr(np, name)(x, *args, **kwargs)


def names_only(func: Any) -> bool:
    names = list(func.values()) if isinstance(func, dict) else func if isinstance(func, list) else []
    return bool(names) and all(isinstance(n, str) and n in _REDUCING for n in names) and len(set(names)) == len(names)


def masked_row_of(name: str, results: list, frame: Any) -> Any:
    """The results of all columns, some of them masked, in their common type."""
    common = common_masked([c.reduced_dtype(name, r) for r, c in zip(results, frame._columns)])
    there = np.array([r is not seen.NA and r == r for r in results])
    kind = common.numpy_dtype
    values = np.array([kind.type(r if t else 0) for r, t in zip(results, there)], dtype=kind)
    valid = None if there.all() else _core.from_numpy(there)
    made = Column(_core.Column.plain(_core.from_numpy(values), valid), common)
    return frame._constructor_sliced._new(made, _indexes.from_pandas(frame._names))


def row_of(results: list, frame: Any, dtype: Any = None, name: Any = None) -> Any:
    """The results of all columns as a series labelled by the columns."""
    if not results:
        raise NotNative("frames without columns")
    if dtype is None:
        kinds = set()
        for r, c in zip(results, frame._columns):
            c.plain_values(why="results of several types")
            if isinstance(r, pandas.Timestamp):
                kinds.add(np.dtype(f"M8[{r.unit}]"))
            elif isinstance(r, pandas.Timedelta):
                kinds.add(np.dtype(f"m8[{r.unit}]"))
            elif r is seen.NaT or (type(r) is float and len(c) and c.dtype == np.float32):
                kinds.add(c.dtype)
            else:
                kinds.add(np.asarray(r).dtype)
        dtype = common_number(kinds, "results of several types")
    values = np.array([getattr(r, "asm8", r) for r in results], dtype=dtype)
    index = _indexes.from_pandas(frame._names)
    return frame._constructor_sliced._new(from_pandas_array(values), index, name)


# ---- the methods
