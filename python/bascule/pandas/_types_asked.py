"""Functions of pandas that programs and this package ask about types and values, answered until pandas is imported."""

from __future__ import annotations

from typing import Any

import numpy as np

from . import _questions
from ._stand_ins import STR, CategoryType, InsteadOf
from ._theirs import pandas, stands_for

_DTYPES = {
    name: np.dtype(name)
    for name in "bool int8 int16 int32 int64 uint8 uint16 uint32 uint64 float32 float64 int float datetime64[ns] timedelta64[ns]".split()
} | {bool: np.dtype(bool), int: np.dtype(int), float: np.dtype(float), object: np.dtype(object), "object": np.dtype(object)}  # fmt: skip
_THEIRS = frozenset(
    "boolean category interval period sparse str string".split()
)  # names, in letters alone, of pandas' types

stands_for("pandas.api.types")(_questions.is_list_like)


@stands_for("pandas.api.types")
def pandas_dtype(x: Any) -> Any:
    """The type that a name, class or type means."""
    if isinstance(x, np.dtype):
        return x if x.kind != "U" else NotImplemented
    if isinstance(x, (str, type)) and x in _DTYPES:
        return _DTYPES[x]
    if type(x) is CategoryType or (isinstance(x, str) and x == "category"):
        return CategoryType() if isinstance(x, str) else x
    if isinstance(x, str) and x.isalpha() and x.lower() not in _THEIRS:
        np.dtype(x)  # as pandas does: TypeError for a name of no type
    return STR if x is STR or (isinstance(x, (str, type)) and x in (str, "str")) else NotImplemented


@stands_for("pandas")
def isna(x: Any) -> Any:
    """Whether a plain value is missing, or which of several objects are."""
    if type(x) in _questions.PLAIN:
        return x is None or x != x
    return pandas._libs.missing.isnaobj(x) if type(x) is np.ndarray and x.dtype == object else NotImplemented


def _says(x: Any, name: str) -> Any:
    """A fact that a type which stands for pandas', or one of pandas' types of times and intervals, has about itself."""
    knows = isinstance(x, InsteadOf) or type(x).__name__ in ("DatetimeTZDtype", "IntervalDtype", "PeriodDtype")
    return getattr(x, name) if knows else NotImplemented


@stands_for("pandas.api.types")
def is_numeric_dtype(x: Any) -> Any:
    """Whether a type is one of numbers."""
    return x.kind in "biufc" if isinstance(x, np.dtype) else _says(x, "_is_numeric")


@stands_for("pandas.api.types")
def is_bool_dtype(x: Any) -> Any:
    """Whether a type is that of booleans."""
    return x.kind == "b" if isinstance(x, np.dtype) else _says(x, "_is_boolean")
