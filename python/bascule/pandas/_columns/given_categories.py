"""`pandas.Categorical` of values, as long as pandas is not imported."""

from __future__ import annotations

from typing import Any

import numpy as np

from ... import _core
from .._fallback.native import NotNative
from .._stand_ins import STR, CategoryType
from .._text_array import CategoryArray
from .._theirs import is_loaded, pandas
from .by_numbers import category_type
from .column import AnyColumn, HostColumn, by_table, categories
from .infer import column

_INT64 = np.dtype(np.int64)


def codes_of(c: AnyColumn, kinds: AnyColumn) -> Any:
    """The code of each value of a column among categories; -1 for those that are none."""
    codes, first, _ = _core.factorize_columns([c.core], True, False)
    at = {x: i for i, x in enumerate(kinds.objects())}
    table = np.array([*(at.get(x, -1) for x in c.take(first).objects()), -1], _INT64)
    return by_table(codes.view(np.dtype(np.int32)).astype(_INT64), table)


def _given(c: AnyColumn, given: Any, ordered: bool) -> HostColumn | None:
    """A column as categories that are given, strings or whole numbers; None for others."""
    kinds = column(list(given)) if isinstance(given, (list, tuple, range, np.ndarray)) else None
    if kinds is None or kinds.dtype not in (_INT64, STR) or kinds.has_missing() or kinds.dtype != c.dtype:
        return None
    if len(set(kinds.objects())) != len(kinds):
        return None  # pandas refuses them
    return categories(codes_of(c, kinds), category_type(kinds, ordered))


def _ordered(c: HostColumn, ordered: bool) -> HostColumn:
    """The same categories, with or without an order."""
    kind = c.dtype
    return categories(c.codes, CategoryType(kind._names, ordered, kind.column)) if type(kind) is CategoryType else c


def _categorical(values: Any, *args: Any, **options: Any) -> Any:
    """A stand-in for pandas' array of categories; None where pandas makes it."""
    options = {**dict(zip(("categories", "ordered", "dtype", "copy"), args)), **options}
    dtype, ordered, kinds = (options.get(name) for name in ("dtype", "ordered", "categories"))
    if dtype is not None or ordered not in (None, True, False) or not hasattr(values, "__len__") or not len(values):
        return None
    made = None
    try:
        c = column(values)
        if c is not None and c.has_categories:
            ordered = bool(c.dtype.ordered if ordered is None else ordered)
            made = _ordered(c, ordered) if kinds is None else _given(c.uncategorized(), kinds, ordered)
        elif c is not None and c.dtype in (_INT64, STR):
            if kinds is None:
                made = _ordered(c.as_categories(CategoryType()), bool(ordered))
            else:
                made = _given(c, kinds, bool(ordered))
    except (NotNative, TypeError):
        return None
    return None if made is None or type(made.dtype) is not CategoryType else CategoryArray(made)


if not is_loaded():
    pandas.Categorical._instead = _categorical  # type: ignore[attr-defined]
