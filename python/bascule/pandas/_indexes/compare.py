"""Comparisons of indexes with scalars and with each other, label by label."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from ... import _core
from .. import _fallback
from .._columns.operators import compute, prepared
from .._fallback.native import NotNative
from .arguments import own_column


def _comparison(op: str) -> Callable:
    def compare(self: Any, other: Any) -> Any:
        if hasattr(other, "__dask_graph__") or hasattr(other, "_all_columns"):
            return NotImplemented
        try:
            mine = own_column(self)
            if isinstance(other, IndexComparison):
                theirs = own_column(other)
                if len(theirs) != len(mine):
                    raise NotNative("an unsupported index")
                return compute(op, mine, theirs).plain_values("b", "labels with NA")
            if not np.isscalar(other) and not hasattr(other, "to_datetime64") and not hasattr(other, "to_timedelta64"):
                raise NotNative(f"an operand of type {type(other).__name__}")
            return compute(op, mine, prepared(other, op)).plain_values("b", "labels with NA")
        except NotNative as why:
            found = _fallback.call(self, compare.__name__, (other,), reason=str(why))
            return _core.from_numpy(found) if isinstance(found, np.ndarray) and found.dtype == bool else found

    compare.__name__ = f"__{op}__"
    compare.__qualname__ = f"Index.__{op}__"
    return compare


class IndexComparison:
    """Comparison operators of an index, with a boolean for each label."""

    nlevels: int
    _columns: list

    __eq__ = _comparison("eq")  # type: ignore[assignment]
    __ne__ = _comparison("ne")  # type: ignore[assignment]
    __lt__ = _comparison("lt")
    __le__ = _comparison("le")
    __gt__ = _comparison("gt")
    __ge__ = _comparison("ge")
    __hash__ = None  # type: ignore[assignment]
