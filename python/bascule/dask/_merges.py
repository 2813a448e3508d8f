"""Merges on keys of two types, for which equal values have different hashes: both sides are hashed in a common type.

Dask hashes numbers by their value as float64, whatever their types. Dates of two units, and objects that equal numbers, go
to different partitions.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas
import pyarrow
from dask.dataframe.dask_expr._expr import Blockwise
from dask.dataframe.dask_expr._merge import BlockwiseMerge
from dask.dataframe.dask_expr._shuffle import RearrangeByColumn, _select_columns_or_index

from .. import _core
from .._array.ufuncs import rows as _ufuncs
from ..lib import creation
from ..pandas import DataFrame, Series, _fallback
from ..pandas._columns.column import Column, plain
from ..pandas._hashing import hash_rows

_PER_UNIT = {"s": 10**9, "ms": 10**6, "us": 10**3, "ns": 1}
_int64 = np.dtype(np.int64)
_where = _ufuncs["where"]["ufunc"]


def _form(dtype: Any) -> tuple:
    """The parts of a type that decide about the hash of a value: types of one form hash alike."""
    if isinstance(dtype, pandas.CategoricalDtype):
        kind, *more = _form(dtype.categories.dtype)
        return ("number of a category",) if kind == "number" else (kind, *more)
    if isinstance(dtype, pandas.ArrowDtype):
        kind = dtype.pyarrow_dtype
        if pyarrow.types.is_date(kind):
            return ("date",)
        if pyarrow.types.is_decimal(kind):
            return "decimal", kind.scale
        if dtype.kind in "mM":
            return "time", dtype.kind, kind.unit
    if pandas.api.types.is_numeric_dtype(dtype):
        return ("number",)
    if isinstance(dtype, pandas.DatetimeTZDtype):
        return "time", "zone", dtype.unit
    if isinstance(dtype, np.dtype) and dtype.kind in "mM":
        return "time", dtype.kind, np.datetime_data(dtype)[0]
    if pandas.api.types.is_string_dtype(dtype) or (isinstance(dtype, np.dtype) and dtype.kind == "O"):
        return ("object",)
    return "other", str(dtype)


def _keys(df: Any, on: Any, of_index: bool) -> Any:
    """The columns that rows are matched by."""
    if of_index:
        return df.index.to_frame(index=False)
    return _select_columns_or_index(df, on)


def _sides(merge: Any) -> tuple:
    left = merge.left, merge.left_on, merge.left_index
    return left, (merge.right, merge.right_on, merge.right_index)


def needed(merge: Any) -> list[str] | None:
    """The conversion of each key of a merge before it is hashed; None where Dask's own hashes agree."""
    forms = [[_form(t) for t in _keys(side._meta, on, of_index).dtypes] for side, on, of_index in _sides(merge)]
    if len(forms[0]) != len(forms[1]):
        return None
    made = [_common(a, b) for a, b in zip(*forms)]
    if not any(made):
        return None
    # Once a key is converted here, Dask's own cast of numbers, of any type, has to be done here as well.
    return [m or ("number" if a == ("number",) else "") for m, a in zip(made, forms[0])]


def _common(a: tuple, b: tuple) -> str:
    kinds = {a[0], b[0]}
    if "number of a category" in kinds:
        return "number"
    if a == b or kinds == {"date", "object"}:  # dates are sent as the objects that Python has for them
        return ""
    if "decimal" in kinds or kinds == {"number", "object"}:
        return "number"
    return "time" if kinds in ({"time"}, {"time", "date"}) else ""


def _number(s: Any) -> Any:
    """Values as float64; an object that is no number equals none."""
    if s.dtype != object and not isinstance(s.dtype, pandas.CategoricalDtype):
        return s.astype("float64")
    there = _fallback.to_pandas(s).astype(object)
    with _fallback.in_pandas("pandas.to_numeric", "objects as numbers"):
        found = pandas.to_numeric(there, errors="coerce").to_numpy("float64", na_value=np.nan)
    return Series._new(plain(_core.from_numpy(found)), s._index)


def _nanoseconds(s: Any) -> Any:
    """Times as nanoseconds modulo 2**64."""
    c = s._column
    if not isinstance(c, Column):
        unit = np.dtype("M8[s]") if _form(c.dtype) == ("date",) else None  # by itself it would be objects
        c = c.utc() if c.zone is not None else Series(np.asarray(c.to_pandas_array(), unit))._column
    there = c.values.view(_int64) * _PER_UNIT[np.datetime_data(c.values.dtype)[0]]
    return Series._new(plain(_where(c.missing(), np.iinfo(np.int64).min, there)), s._index)


_MADE = {"": lambda s: s, "number": _number, "time": _nanoseconds}


def hashes_of_keys(df: Any, on: Any, of_index: bool, needs: list[str]) -> Any:
    """A series by which rows are sent where rows of the other side are that have equal keys."""
    keys = _keys(df, on, of_index)
    columns = [_MADE[made](keys.iloc[:, i])._column for i, made in enumerate(needs)]
    made = DataFrame._new(columns, pandas.Index(range(len(columns))), keys._index)
    h = hash_rows(made, index=False) if len(df) else creation.zeros((0,), np.dtype(np.uint64), device=df._device())
    return Series._new(plain(h.view(_int64)), df._index)


class HashesOfKeys(Blockwise):
    """Expression of `hashes_of_keys`."""

    _parameters = ["frame", "on", "of_index", "needs"]
    operation = staticmethod(hashes_of_keys)


def lowered(merge: Any) -> Any:
    """A merge as shuffles and merges of partitions; None where Dask's own will do."""
    indexed = merge.merge_indexed_left and merge.merge_indexed_right
    needs = None if merge._is_single_partition_broadcast or indexed else needed(merge)
    if needs is None:
        return None
    count = merge.operand("_npartitions") or max(merge.left.npartitions, merge.right.npartitions)
    sides = []
    for side, on, of_index in _sides(merge):
        keys = HashesOfKeys(side, on, of_index, needs)
        sides.append(RearrangeByColumn(side, keys, npartitions_out=count, method=merge.shuffle_method))
    return BlockwiseMerge(*sides, **merge.kwargs)
