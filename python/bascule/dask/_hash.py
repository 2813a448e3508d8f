"""64-bit hashes of rows by their content: equal values hash alike in every partition and in every type that holds them."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas

from .. import _core
from .._array.conversion import host_view
from .._array.ufuncs import rows as _ufuncs
from ..lib import creation, manipulation, reductions
from ..pandas import Series, _fallback, _indexes
from ..pandas._columns.column import AnyColumn, Column, from_pandas_array, plain
from ..pandas._pickle import text_parts

ndarray = _core.ndarray
_where = _ufuncs["where"]["ufunc"]
_u64 = np.dtype(np.uint64)
_MISSING = np.uint64(0x9E3779B97F4A7C15)
_PER_UNIT = {"s": 10**9, "ms": 10**6, "us": 10**3, "ns": 1}
_BASE = 0x5851F42D4C957F2D  # odd, so it has an inverse modulo 2**64
_BLOCK = 1 << 18  # bytes of text at a time


def _mixed(h: ndarray) -> ndarray:
    """Every bit of the result depends on every bit of h."""
    h = (h ^ (h >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    h = (h ^ (h >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return h ^ (h >> np.uint64(31))


def _powers(base: int, n: int, device: str) -> ndarray:
    factors = _core.full((n,), np.uint64(base), _u64, device)
    return reductions.cumprod(factors)


def _text(core: Any) -> ndarray:
    """Hashes of text by its bytes: a polynomial of them modulo 2**64, as the difference of two prefix sums."""
    bytes_, offsets, _ = text_parts(core)
    n = len(offsets) - 1
    ends = host_view(offsets)
    cuts = [0]
    while cuts[-1] < n:
        here = int(np.searchsorted(ends, ends[cuts[-1]] + _BLOCK, "right")) - 1
        cuts.append(max(here, cuts[-1] + 1))
    longest = max((int(ends[b] - ends[a]) for a, b in zip(cuts, cuts[1:])), default=0)
    up = _powers(_BASE, longest + 1, core.device)
    down = _powers(pow(_BASE, -1, 2**64), longest + 1, core.device)
    parts = [_core.empty((0,), _u64, core.device)]
    zero = creation.zeros((1,), _u64, device=core.device)
    for a, b in zip(cuts, cuts[1:]):
        first, last = int(ends[a]), int(ends[b])
        digits = _core.astype(bytes_[first:last], _u64, True, "K") + np.uint64(1)
        sums = manipulation.concatenate([zero, reductions.cumsum(digits * up[: last - first])])
        begin = offsets[a:b] - first
        parts.append((sums[offsets[a + 1 : b + 1] - first] - sums[begin]) * down[begin])
    return manipulation.concatenate(parts)


def _numbers(values: ndarray) -> ndarray:
    """Bits of numbers as float64: of integers beyond 2**53 some neighbours share theirs, equal numbers always do."""
    v = _core.astype(values, np.dtype(np.float64), True, "K") + 0.0  # no negative zero
    return v.view(_u64)


def _column(c: AnyColumn) -> ndarray:
    if not isinstance(c, Column):
        return _host(c)
    if c.is_text:
        coded = c.core.encoded()
        if coded is None:
            h = _text(c.core)
        elif not len(coded.dictionary):
            h = creation.zeros((len(c),), _u64, device=c.device)
        else:
            codes = _core.astype(coded.values, np.dtype(np.int64), True, "K")
            h = _text(coded.dictionary)[_where(codes < 0, 0, codes)]
    elif c.values.dtype.kind in "mM":
        h = c.values.view(np.dtype(np.int64)) * _PER_UNIT[np.datetime_data(c.values.dtype)[0]]
        h = h.view(_u64)
    else:
        h = _numbers(c.values)
    return _where(c.missing(), _MISSING, _mixed(h)) if c.has_missing() else _mixed(h)


def _host(c: Any) -> ndarray:
    """Hashes of values that only pandas has a type for, like those of the same values in bascule's types."""
    a = c.array
    if isinstance(a.dtype, pandas.CategoricalDtype):
        codes = plain(_core.from_numpy(a.codes.astype(np.int64))).values
        h = hash_columns([from_pandas_array(_array_of(a.categories))])
        if not len(h):
            return _core.full((len(a),), _MISSING, _u64)
        return _where(codes < 0, _MISSING, h[_where(codes < 0, 0, codes)])
    if isinstance(a.dtype, pandas.DatetimeTZDtype):
        return _column(from_pandas_array(np.asarray(a.tz_convert("UTC").tz_localize(None))))
    if a.dtype == object and pandas.api.types.infer_dtype(a, skipna=True) == "string":
        return _column(from_pandas_array(pandas.array(a, dtype="str")))
    _fallback.count("pandas.util.hash_array", f"values of type {a.dtype}")
    return _core.from_numpy(pandas.util.hash_array(a))


def _array_of(x: pandas.Index) -> Any:
    return x.to_numpy() if isinstance(x.dtype, np.dtype) else x.array


def hash_columns(columns: list[AnyColumn]) -> ndarray:
    """One uint64 a row; of one column the same whether it comes alone, in a frame or as an index."""
    h = _column(columns[0])
    for c in columns[1:]:
        h = _mixed(h * np.uint64(31) + _column(c))
    return h


def hash_object(
    obj: Any, index: bool = True, encoding: str = "utf8", hash_key: Any = None, categorize: bool = True
) -> Series:
    """Hashes of the rows of a frame, series or index, like ``pandas.util.hash_pandas_object``, but with other values.

    Parameters
    ----------
    obj : DataFrame, Series or Index
    index : bool
        Whether the labels of the rows count.
    encoding, hash_key, categorize
        As pandas': text is UTF-8 in memory and how its distinct values are found makes no difference; another key or encoding
        is refused.
    """
    if encoding != "utf8" or hash_key not in (None, "0123456789123456"):
        raise NotImplementedError("[hash_object] hashes UTF-8 without a key: encoding= and hash_key= are not supported")
    labels = obj if isinstance(obj, _indexes.Index) else obj._index
    columns = labels._columns if labels is obj else [*obj._all_columns(), *(labels._columns if index else [])]
    h = hash_columns(columns) if columns else creation.zeros((len(labels),), _u64)
    return Series._new(plain(h), labels)
