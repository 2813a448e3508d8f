"""Conversion to other types: astype, convert_dtypes, infer_objects."""

from __future__ import annotations

import operator
from typing import Any

import numpy as np

from .._columns.astype import converted
from .._columns.column import AnyColumn
from .._fallback.native import NotNative, native
from .._theirs import UNSET

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


@native
def convert_dtypes(self, *args: Any, **kwargs: Any) -> Any:
    """Convert to the types that have NA for missing values."""
    if args or kwargs:
        raise NotNative("options of convert_dtypes")
    return self._map_columns(operator.methodcaller("nullable"), self._index)


@native
def infer_objects(self, copy: Any = UNSET) -> Any:
    """The same, with columns of objects in the type that all of them have."""
    if any(c.dtype == object for c in self._all_columns()):
        raise NotNative("columns of objects")
    return self.copy()
