"""Columns put together, in the type that pandas gives the result."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from ... import _core
from .._fallback import in_pandas
from .._theirs import pandas
from .column import AnyColumn, Column, Core, categories, from_pandas_object
from .time_limits import cast


def _same_categories(one: Any, other: Any) -> bool:
    """Whether codes mean the same in both types."""
    return one == other and one.categories.equals(other.categories)


def joined(first: AnyColumn, parts: Sequence[AnyColumn]) -> AnyColumn:
    return Column(_core.concat_columns([p.core for p in parts]), first.dtype)


def joined_by_codes(first: AnyColumn, parts: Sequence[AnyColumn]) -> AnyColumn | None:
    """Columns of one set of categories, joined by their codes; None for several sets."""
    dtype = first.dtype
    if not all(_same_categories(p.dtype, dtype) for p in parts):
        return None
    return categories(_core.concat_columns([Core.plain(p.codes) for p in parts]).values, dtype)


def joined_by_key(first: AnyColumn, parts: Sequence[AnyColumn]) -> AnyColumn:
    return first.of_key(concat([p.key() for p in parts]))


def concat(parts: Sequence[AnyColumn]) -> AnyColumn:
    """Concatenate columns, with the type that pandas gives the result."""
    first = parts[0]
    if len(parts) == 1:
        return first
    if first.joined is not None and all(p.dtype == first.dtype for p in parts):
        made = first.joined(parts)
        if made is not None:
            return made
    kinds = {p.plain for p in parts}
    if "-" not in kinds and (kinds <= set("iuf") or len(kinds) == 1):
        dtype = np.result_type(*(p.dtype for p in parts))
        if kinds <= set("mM"):
            return Column(_core.concat_columns([Core.plain(cast(p.values, dtype)) for p in parts]), dtype)
        if kinds <= set("iuf"):
            return Column(_core.concat_columns([Core.plain(p.values.astype(dtype, copy=False)) for p in parts]), dtype)
    where = next((p.device for p in parts if p.device != "cpu"), "cpu")
    with in_pandas("pandas.concat", "columns of types that only pandas puts together", where):
        joined = pandas.concat([pandas.Series(p.to_pandas_array(), dtype=p.dtype) for p in parts], ignore_index=True)
        return from_pandas_object(joined)
