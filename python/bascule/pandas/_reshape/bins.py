"""Binning, and indicator columns: cut, qcut, get_dummies."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

import numpy as np

import bascule as bc

from ... import _core
from ..._array.ufuncs import by_name
from ...lib import sorting as ordered
from .. import _classes, _indexes
from .._columns.astype import converted
from .._columns.by_numbers import category_type
from .._columns.column import AnyColumn, HostColumn, by_table, categories, ndarray, plain
from .._columns.dtypes import is_numpys
from .._columns.grouping import int64
from .._columns.infer import column
from .._columns.reduce import quantiles
from .._fallback.carried import unnoted
from .._fallback.native import NotNative, native_function
from .._intervals import EdgeIntervals
from .._questions import is_integer, is_list_like
from .._stand_ins import CategoryType
from .._text_array import CategoryArray
from .._theirs import is_loaded, pandas
from .shapes import column_labels

_FLOAT64, _INT64 = np.dtype(np.float64), np.dtype(np.int64)


def _of_array(by: Callable[..., Any]) -> Callable[..., Any]:
    """A function that bins a series, also for arrays and lists: their bins are an array."""

    @functools.wraps(by)
    def binned(x: Any, *args: Any, **kwargs: Any) -> Any:
        if not isinstance(x, (list, tuple, np.ndarray)) and type(x) is not ndarray or np.ndim(x) != 1:
            return by(x, *args, **kwargs)
        c = column(x)
        if c is None:
            raise NotNative("data that are not numbers")
        found = by(_classes.Series._new(c, _indexes.default(len(c)), None), *args, **kwargs)
        made, *edges = found if isinstance(found, tuple) else (found,)
        kept = made._column
        there = CategoryArray(kept) if type(kept.dtype) is CategoryType and not is_loaded() else kept.to_pandas_array()
        return (there, *edges) if edges else there

    return binned


def _numbers(x: Any) -> tuple[ndarray, ndarray | None]:
    """The values of a series as numbers, and a mask of the missing ones."""
    c = x._column if isinstance(x, _classes.Series) else None
    if c is None or not c.is_numeric or not len(c) or c.own().values.dtype == np.float16:
        raise NotNative("data that is not a numeric series")
    missing = c.missing() if c.has_missing() else None
    if c.selects_rows:
        c = converted(c, _INT64)
    elif c.is_masked:
        c = converted(c, _FLOAT64)
    return c.values, missing


def _even_edges(values: ndarray, missing: ndarray | None, n: Any, right: bool) -> np.ndarray:
    """Edges of n bins of equal width."""
    if n < 1:
        raise ValueError("`bins` should be a positive integer.")
    there = values if missing is None else values[~missing]
    if not len(there):
        raise NotNative("only missing values")
    low, high = (_core.to_numpy(there.min())[()], _core.to_numpy(there.max())[()])
    if np.isinf(low) or np.isinf(high):
        raise ValueError("cannot specify integer `bins` when input data contains infinity")
    if low == high:
        low = low - (0.001 * abs(low) if low != 0 else 0.001)
        high = high + (0.001 * abs(high) if high != 0 else 0.001)
        return np.linspace(low, high, n + 1)
    edges = np.linspace(low, high, n + 1)
    if right:
        edges[0] -= (high - low) * 0.001
    else:
        edges[-1] += (high - low) * 0.001
    return edges


def _rounded(x: Any, precision: int) -> Any:
    """An edge rounded to a number of significant decimals."""
    if not np.isfinite(x) or x == 0:
        return x
    part, whole = np.modf(x)
    return np.around(x, precision if whole else -int(np.floor(np.log10(abs(part)))) - 1 + precision)


def _intervals(edges: np.ndarray, precision: int, right: bool, include_lowest: bool) -> pandas.IntervalIndex:
    edges = edges.astype(np.float64) if edges.dtype == np.float32 else edges
    for digits in range(precision, 20):
        breaks = [_rounded(b, digits) for b in edges]
        if len(np.unique(breaks)) == len(edges):
            precision = digits
            break
    breaks = [_rounded(b, precision) for b in edges]
    if right and include_lowest:
        breaks[0] = breaks[0] - 10 ** (-precision)
    closed, found = "right" if right else "left", np.asarray(breaks)
    if not is_loaded() and found.dtype in (_INT64, _FLOAT64) and not np.isnan(found).any():
        return EdgeIntervals(found, closed)
    return pandas.IntervalIndex.from_breaks(breaks, closed=closed)


def as_categories(labels: Any, is_ordered: bool, codes: ndarray) -> HostColumn:
    """Labels by code as categories."""
    if type(labels) is EdgeIntervals:
        return categories(codes, CategoryType(labels, is_ordered))
    if isinstance(labels, pandas.Index):
        kinds = pandas.Categorical(labels, ordered=is_ordered)
    elif isinstance(getattr(labels, "dtype", None), pandas.CategoricalDtype):
        raise NotNative("labels that are categories")
    else:
        labels = list(labels)
        there = column(labels) if labels and len(set(labels)) == len(labels) else None
        if there is not None and not is_loaded():
            return categories(codes, category_type(there, is_ordered))
        kinds = pandas.Categorical(
            labels, categories=labels if len(set(labels)) == len(labels) else None, ordered=is_ordered
        )
    return categories(by_table(codes, np.append(kinds.codes, -1).astype(_INT64)), kinds.dtype)


def _binned(
    x: Any, edges: np.ndarray, missing: ndarray | None, values: ndarray, right: bool, labels: Any, precision: int, lowest: bool, duplicates: str, is_ordered: bool
) -> tuple[Any, np.ndarray]:  # fmt: skip
    if not is_ordered and labels is None:
        raise ValueError("'labels' must be provided if 'ordered = False'")
    if duplicates not in ("raise", "drop"):
        raise ValueError("invalid value for 'duplicates' parameter, valid options are: raise, drop")
    distinct = edges[np.concatenate([[True], edges[1:] != edges[:-1]])] if len(edges) else edges
    if len(distinct) < len(edges) and len(edges) != 2:
        if duplicates == "raise":
            raise ValueError(
                f"Bin edges must be unique: {pandas.Index(edges)!r}.\n"
                "You can drop duplicate edges by setting the 'duplicates' kwarg"
            )
        edges = distinct
    if len(edges) < 2 or (labels is not None and labels is not False and not pandas.api.types.is_list_like(labels)):
        raise NotNative("no bins, or unsupported labels")
    among = _core.from_numpy(edges.astype(_FLOAT64), values.device)
    numbers = values.astype(_FLOAT64, copy=False)
    found = int64(ordered.searchsorted(among, numbers, "left" if right else "right"))
    if lowest:
        found = bc.where(numbers == edges[0], np.int64(1), found)
    outside = (found == len(edges)) | (found == 0)
    if missing is not None:
        outside = outside | missing
    if labels is False:
        found = found - 1
        return unnoted(x._like(plain(bc.where(outside, np.nan, found) if outside.any() else found))), edges
    if labels is not None:
        if is_ordered and len(set(labels)) != len(labels):
            raise ValueError("labels must be unique if ordered=True; pass ordered=False for duplicate labels")
        if len(labels) != len(edges) - 1:
            raise ValueError("Bin labels must be one fewer than the number of bin edges")
    kinds = _intervals(edges, precision, right, lowest) if labels is None else labels
    return unnoted(x._like(as_categories(kinds, is_ordered, bc.where(outside, np.int64(-1), found - 1)))), edges


@native_function("cut")
@_of_array
def cut(
    x: Any, bins: Any, right: bool = True, labels: Any = None, retbins: bool = False, precision: int = 3, include_lowest: bool = False, duplicates: str = "raise",
    ordered: bool = True,
) -> Any:  # fmt: skip
    """Bin values into intervals.

    Parameters
    ----------
    x : Series
    bins : int or array-like
        Number of bins of equal width, or their edges.
    right, labels, retbins, precision, include_lowest, duplicates, ordered
        As pandas'.

    Examples
    --------
    >>> import bascule.pandas as pd
    >>> pd.cut(pd.Series([1, 5, 9]), [0, 4, 10], labels=["low", "high"]).tolist()
    ['low', 'high', 'high']
    """
    values, missing = _numbers(x)
    if not np.iterable(bins):
        edges = _even_edges(values, missing, bins, right)
    else:
        edges = np.asarray([] if hasattr(bins, "_column") else list(bins), None)
        if hasattr(bins, "_column") or not np.can_cast(edges.dtype, np.float64, "same_kind"):
            raise NotNative("unsupported edges")
        if not (np.diff(edges) >= 0).all():
            raise ValueError("bins must increase monotonically.")
    made, edges = _binned(x, edges, missing, values, right, labels, precision, include_lowest, duplicates, ordered)
    return (made, edges) if retbins else made


@native_function("qcut")
@_of_array
def qcut(
    x: Any, q: Any, labels: Any = None, retbins: bool = False, precision: int = 3, duplicates: str = "raise"
) -> Any:
    """Bin values into intervals with about equal numbers of values.

    Parameters
    ----------
    x : Series
    q : int or list of float
        Number of bins, or their edges as quantiles.
    labels, retbins, precision, duplicates
        As pandas'.
    """
    values, missing = _numbers(x)
    if is_integer(q):
        if q < 1:
            raise ValueError("`q` should be a positive integer.")
        shares = np.linspace(0, 1, q + 1)
        shares = np.where(q * shares != np.arange(q + 1), np.nextafter(shares, 1), shares)
    elif is_list_like(q, False) and hasattr(q, "__len__"):
        shares = np.asarray(list(q), dtype=_FLOAT64)
    else:
        raise ValueError("`q` should be a positive integer or list-like of quantiles.")
    if missing is not None and bool(missing.all()):
        raise NotNative("only missing values")
    if (shares < 0).any() or (shares > 1).any():
        raise ValueError("percentiles should all be in the interval [0, 1]")
    if bool(by_name["isinf"](values).any()):
        raise NotNative("infinite values")
    found, _ = quantiles(plain(values), [float(s) for s in shares])
    edges = np.asarray(found, dtype=_FLOAT64)
    made, edges = _binned(x, edges, missing, values, True, labels, precision, True, duplicates, True)
    return (made, edges) if retbins else made


# ---- a column a value


def _coded(c: AnyColumn) -> tuple[ndarray, pandas.Index]:
    """The code of each row's value, -1 for missing ones, and the values."""
    if c.has_categories:
        return c.codes, c.categories
    if not c.has_ranks or not len(c):
        raise NotNative(f"values of type {c.dtype}")
    codes, first, _ = _core.factorize_columns([c.core], True, False)
    return codes.view(np.dtype(np.int32)).astype(_INT64), column_labels(
        _classes.Index._of_columns([c.take(first)], [None])
    )


def _one_each(
    c: AnyColumn, prefix: Any, sep: Any, dummy_na: bool, drop_first: bool, dtype: Any
) -> tuple[list, pandas.Index]:
    codes, levels = _coded(c)
    wanted = np.dtype(bool) if dtype is None else pandas.api.types.pandas_dtype(dtype)
    if wanted == np.dtype(object):
        raise ValueError("dtype=object is not a valid dtype for get_dummies")
    if not is_numpys(wanted, "biuf"):
        raise NotNative("dtype=")
    numbers = list(range(len(levels)))
    if dummy_na:
        numbers = [*numbers, -1]
        # with NaN added, categories keep their type where a name is written for each
        levels = [*levels, np.nan] if c.has_categories and prefix is not None else levels.insert(len(levels), np.nan)
    if drop_first:
        numbers = numbers[1:]
    names = levels if prefix is None else pandas.Index([f"{prefix}{sep}{level}" for level in levels])
    return [plain((codes == np.int64(i)).astype(wanted)) for i in numbers], names[1:] if drop_first else names


@native_function("get_dummies", sparse=False)
def get_dummies(
    data: Any, prefix: Any = None, prefix_sep: Any = "_", dummy_na: bool = False, columns: Any = None, sparse: bool = False, drop_first: bool = False, dtype: Any = None
) -> Any:  # fmt: skip
    """Convert categories to indicator columns.

    Parameters
    ----------
    data : Series or DataFrame
        Of a frame, the columns of strings and categories, or `columns`.
    prefix, prefix_sep, dummy_na, columns, sparse, drop_first, dtype
        As pandas'.

    Examples
    --------
    >>> import bascule.pandas as pd
    >>> pd.get_dummies(pd.Series(["b", "a"])).to_numpy().tolist()
    [[False, True], [True, False]]
    """
    if isinstance(data, _classes.Series):
        made, names = _one_each(data._column, prefix, prefix_sep, dummy_na, drop_first, dtype)
        if not made or (prefix is None and not data._column.has_core):
            raise NotNative("nothing but missing values, or labels that are categories")
        return _classes.DataFrame._new(made, names, data._index)
    if (
        not isinstance(data, _classes.DataFrame)
        or not data._names.is_unique
        or isinstance(data._names, pandas.MultiIndex)
    ):
        raise NotNative("unsupported data")
    if columns is None:
        at = [i for i, c in enumerate(data._columns) if not c.is_numeric and c.times() is None]
    else:
        if not isinstance(columns, list):
            raise NotNative("columns= that is not a list")
        at = data._positions_of(columns)
    own = [data._names[i] for i in at]
    for given, name in ((prefix, "prefix"), (prefix_sep, "prefix_sep")):
        if isinstance(given, (list, dict)) and len(given) != len(at):
            raise ValueError(
                f"Length of '{name}' ({len(given)}) did not match the length of the columns being encoded ({len(at)})."
            )
    before = _for_each(own if prefix is None else prefix, own)
    between = _for_each(prefix_sep, own)
    rest = [i for i in range(len(data._columns)) if i not in at]
    out, names = [data._columns[i] for i in rest], data._names[rest]
    labels = list(names)
    for i, pre, sep in zip(at, before, between):
        made, found = _one_each(data._columns[i], pre, sep, dummy_na, drop_first, dtype)
        out, labels = out + made, labels + list(found)
    if not at or not labels:
        raise NotNative("no columns of strings")
    return _classes.DataFrame._new(out, pandas.Index(labels), data._index)


def _for_each(x: Any, labels: list) -> list[Any]:
    if isinstance(x, dict):
        return [x[k] for k in labels]
    return list(x) if isinstance(x, list) else [x] * len(labels)
