"""Questions of types, asked of our objects, of pandas' and of types themselves."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

import pandas.api.types as _theirs

from .. import _fallback
from .._base import Rows
from .._columns.column import Column
from .._indexes.index import Index


def _type_of(x: Any) -> Any:
    """The type of a series' or index' values, where it says all that can be asked."""
    if not isinstance(x, (Rows, Index)):
        return x
    own = getattr(x, "ndim", 1) == 1 and getattr(x, "nlevels", 1) == 1 and isinstance(x._column, Column)
    if own:
        return x.dtype
    return _fallback.to_pandas(x)


def _asked(function: Callable[..., Any], convert: Callable[[Any], Any]) -> Callable[..., Any]:
    @functools.wraps(function)
    def ask(*args: Any, **kwargs: Any) -> Any:
        return function(*map(convert, args), **{k: convert(v) for k, v in kwargs.items()})

    return ask


for _name in dir(_theirs):
    if not _name.startswith("_"):
        globals()[_name] = getattr(_theirs, _name)
    if _name.startswith("is_") and ("dtype" in _name or _name in ("is_sparse", "is_datetime64tz")):
        globals()[_name] = _asked(getattr(_theirs, _name), _type_of)
infer_dtype = _asked(_theirs.infer_dtype, _fallback.to_pandas)
union_categoricals = _asked(_theirs.union_categoricals, _fallback.to_pandas)
