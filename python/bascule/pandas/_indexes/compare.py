"""Comparisons of indexes with scalars and with each other, label by label."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from ... import _core
from .. import _fallback
from .._columns.column import Column
from .._columns.operators import compute, prepared
from .._fallback.native import NotNative


def _comparison(op: str) -> Callable:
    def compare(self: Any, other: Any) -> Any:
        if hasattr(other, "__dask_graph__") or hasattr(other, "_all_columns"):
            return NotImplemented
        try:
            if self.nlevels > 1 or not isinstance(self._columns[0], Column):
                raise NotNative("labels of several levels, or of pandas extension dtypes")
            if any(i._columns[0].is_masked for i in (self, other) if isinstance(i, IndexComparison)):
                raise NotNative("labels with NA")
            if isinstance(other, IndexComparison):
                if other.nlevels > 1 or len(other) != len(self) or not isinstance(other._columns[0], Column):
                    raise NotNative("an unsupported index")
                return compute(op, self._columns[0], other._columns[0]).values
            if not np.isscalar(other) and not hasattr(other, "to_datetime64") and not hasattr(other, "to_timedelta64"):
                raise NotNative(f"an operand of type {type(other).__name__}")
            return compute(op, self._columns[0], prepared(other, op)).values
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
