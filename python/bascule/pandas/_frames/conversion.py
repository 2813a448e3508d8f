"""Conversion to other types: astype, convert_dtypes, infer_objects."""

from __future__ import annotations

from typing import Any

import numpy as np

import bascule as bc

from ... import _core
from .._columns.astype import converted
from .._columns.column import AnyColumn, Column
from .._columns.dtypes import masked_dtype
from .._fallback.native import NotNative, native
from .._theirs import UNSET, pandas

_INT64 = np.dtype(np.int64)


def check_errors(errors: Any) -> None:
    if errors not in ("raise", "ignore"):
        raise ValueError(
            f"Expected value of kwarg 'errors' to be one of ['raise', 'ignore']. Supplied value is '{errors}'"
        )


def converted_as(c: AnyColumn, dtype: Any, errors: str) -> AnyColumn:
    """A column in another type, or unchanged where errors are ignored and it cannot be converted."""
    try:
        return converted(c, dtype)
    except (ValueError, TypeError):
        if errors == "raise":
            raise
        return c


def converted_to_na(c: AnyColumn) -> AnyColumn:
    """A column in the type that has NA for missing values."""
    if not c.is_plain("f"):
        return c.nullable()
    if c.device.startswith("cuda"):
        raise NotNative("floats that may be whole numbers")
    missing = c.missing()
    known = _core.to_numpy(c.values)[~_core.to_numpy(missing)]
    valid = ~missing if c.has_missing() else None
    whole = np.isfinite(known).all() and (known == np.floor(known)).all() and (np.abs(known) < 2**53).all()
    values = bc.where(missing, c.dtype.type(1), c.values) if valid is not None else c.values
    if whole:
        return Column(_core.Column.plain(values.astype(_INT64), valid), pandas.Int64Dtype())
    return Column(_core.Column.plain(values, valid), masked_dtype(c.dtype))


@native
def convert_dtypes(self, *args: Any, **kwargs: Any) -> Any:
    """Convert to the types that have NA for missing values."""
    if args or kwargs:
        raise NotNative("options of convert_dtypes")
    return self._map_columns(converted_to_na, self._index)


def infer_objects(self, copy: Any = UNSET) -> Any:
    """The same, with columns of objects in the type that all of them have."""
    if any(c.dtype == object for c in self._all_columns()):
        return self._call_pandas("infer_objects", reason="columns of objects")
    return self.copy()
