"""Integers that stand for values of types only pandas has: codes of categories, UTC times of timezone-aware timestamps."""

from __future__ import annotations

from typing import Any

import pandas

from ..._array.ufuncs import rows as _ufuncs
from .column import (
    AnyColumn,
    Column,
    Core,
    HostColumn,
    Numbered,
    OnDevice,
    categories,
    codes_of,
    host_column,
    in_zone,
    moments,
    plain,
)

__all__ = [
    "Numbered", "OnDevice", "categories", "codes_of", "host_column", "in_zone", "is_categories", "is_zoned", "moments", "numbers_of", "values_of",
]  # fmt: skip
_select = _ufuncs["where"]["ufunc"]


def is_categories(c: Any) -> bool:
    return isinstance(c, HostColumn) and isinstance(c.dtype, pandas.CategoricalDtype)


def is_zoned(c: Any) -> bool:
    """Whether a column has timezone-aware timestamps."""
    return isinstance(c, HostColumn) and isinstance(c.dtype, pandas.DatetimeTZDtype)


def numbers_of(c: AnyColumn) -> Column | None:
    """The column that rows are compared, ordered and joined by: itself, or integers in the order of its values, or None."""
    if isinstance(c, Column):
        return c
    if is_zoned(c):
        return moments(c)
    if not is_categories(c):
        return None
    codes = codes_of(c)
    missing = codes < 0
    if not bool(missing.any()):
        return plain(codes)
    return Column(Core.plain(codes, ~missing), pandas.Int64Dtype())


def values_of(found: AnyColumn, like: AnyColumn) -> AnyColumn:
    """The values that the integers of a column stand for."""
    if isinstance(like, Column) or isinstance(found, HostColumn):
        return found
    if is_zoned(like):
        return in_zone(found.values, like.dtype.tz)
    codes = found.values
    return categories(_select(found.missing(), -1, codes) if found.has_missing() else codes, like.dtype)
