"""Types of results, by the types of the values they are computed from."""

from __future__ import annotations

import functools
from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np

from .._fallback.native import NotNative
from .._stand_ins import INTEGERS
from .._theirs import is_loaded, pandas
from .any_kind import AnyKind

_INT64, _UINT64, _FLOAT64 = np.dtype(np.int64), np.dtype(np.uint64), np.dtype(np.float64)
_MASKED_NAMES = {"b": "boolean", "i": "Int", "u": "UInt", "f": "Float"}


def floating(dtype: np.dtype) -> np.dtype:
    """The type of a quotient or mean: that of floats, and float64."""
    return dtype if dtype.kind == "f" else _FLOAT64


def added(dtype: np.dtype) -> np.dtype:
    """The type of a sum or product: that of floats, and 64 bits."""
    return dtype if dtype.kind == "f" else _UINT64 if dtype.kind == "u" else _INT64


def common_number(dtypes: Iterable[Any], why: str) -> np.dtype:
    """The common type of numbers, or one type that all have; NotNative with the reason for others."""
    found = set(dtypes)
    if len(found) == 1 or all(is_numpys(d, "iuf") for d in found):
        return np.result_type(*found)
    raise NotNative(why)


def common_masked(dtypes: Iterable[Any], why: str = "results of several types") -> Any:
    """The common type of numbers of which some may be NA; NotNative where there is none."""
    common = pandas.core.dtypes.cast.find_common_type(list(dtypes))
    if not isinstance(common, pandas.core.dtypes.dtypes.BaseMaskedDtype):
        raise NotNative(why)
    return common


@functools.cache
def masked_dtype(dtype: np.dtype) -> Any:
    """The type of a kind that has NA for missing values."""
    if dtype.kind == "b":
        return pandas.BooleanDtype()
    if dtype.kind not in "iuf" or (dtype.kind == "f" and dtype.itemsize == 2):
        raise NotNative(f"the NA flavour of {dtype}")
    return pandas.api.types.pandas_dtype(f"{_MASKED_NAMES[dtype.kind]}{dtype.itemsize * 8}")


def key_type(dtype: np.dtype) -> Any:
    """The type of the numbers of a key of which some are missing, which pandas is not imported for."""
    return INTEGERS if dtype == _INT64 and not is_loaded() else masked_dtype(dtype)


def is_of_pandas(dtype: Any) -> bool:
    """Whether a dtype is none of NumPy's."""
    return not isinstance(dtype, np.dtype)


def is_of_booleans(dtype: Any) -> bool:
    """Whether pandas selects by values of a dtype."""
    return pandas.api.types.is_bool_dtype(dtype)


def is_numpys(dtype: Any, kinds: str) -> bool:
    """Whether a dtype is NumPy's, of one of these kinds."""
    return isinstance(dtype, np.dtype) and dtype.kind in kinds


def kept(columns: Sequence[AnyKind], numeric_only: Any = True) -> list[int]:
    """The positions of the columns that numeric_only keeps; of all columns without it."""
    return [i for i, c in enumerate(columns) if not numeric_only or c.is_numeric]
