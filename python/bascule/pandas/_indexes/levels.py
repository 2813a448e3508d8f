"""Construction of indexes with several levels from arrays, tuples and products."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas

from ... import _core
from .. import _fallback
from .._columns.column import AnyColumn, Column, ndarray
from .._columns.infer import column
from .multi import range_order

_UNSET = pandas.api.extensions.no_default


def _column(x: Any) -> AnyColumn | None:
    """The labels of a level in a native type; None for others, and for those whose level has another type in pandas."""
    made = column(x) if not isinstance(x, (str, dict)) and hasattr(x, "__len__") else None
    if not isinstance(made, Column) or (made.dtype.kind == "f" and made.has_missing() and isinstance(x, list)):
        return None
    return made


def _given(names: Any) -> dict:
    return {} if names is _UNSET else {"names": names}


def _in_pandas(name: str, /, *args: Any, **options: Any) -> Any:
    function = pandas.MultiIndex if name == "MultiIndex" else getattr(pandas.MultiIndex, name)
    called = name if name == "MultiIndex" else f"MultiIndex.{name}"
    return _fallback.run(called, "labels of other kinds, or options", function, *args, **options)


def _names_of(arrays: list, names: Any) -> list | None:
    """A name for each level; None where pandas has to raise the error."""
    if names is None:
        return [None] * len(arrays)
    found = [getattr(a, "name", None) for a in arrays] if names is _UNSET else names
    if not isinstance(found, (list, tuple)) or len(found) != len(arrays):
        return None
    return None if any(isinstance(n, (list, dict, set)) for n in found) else list(found)


class LevelsMade:
    """The constructors of MultiIndex."""

    def __new__(
        cls, levels: Any = None, codes: Any = None, sortorder: Any = None, names: Any = None, copy: bool = False, name: Any = None, verify_integrity: bool = True
    ) -> Any:  # fmt: skip
        options = dict(sortorder=sortorder, copy=copy, name=name, verify_integrity=verify_integrity)
        return _in_pandas("MultiIndex", levels, codes, names=names, **options)

    @classmethod
    def from_arrays(cls, arrays: Any, sortorder: Any = None, names: Any = _UNSET) -> Any:
        """Labels from one array for each level."""
        arrays = list(arrays) if isinstance(arrays, (list, tuple)) else arrays
        if sortorder is None and isinstance(arrays, list) and len(arrays) > 1:
            columns, called = [_column(a) for a in arrays], _names_of(arrays, names)
            if called is not None and all(c is not None for c in columns) and len(set(map(len, columns))) == 1:  # type: ignore[arg-type]
                return cls._make(columns, called)._ordered([range_order(a) for a in arrays])
        return _in_pandas("from_arrays", arrays, sortorder, **_given(names))

    @classmethod
    def from_tuples(cls, tuples: Any, sortorder: Any = None, names: Any = None) -> Any:
        """Labels from one tuple for each row."""
        if sortorder is None and isinstance(tuples, list) and tuples and all(type(t) is tuple for t in tuples):
            if len(set(map(len, tuples))) == 1 and len(tuples[0]) > 1:
                columns = [_column(list(c)) for c in zip(*tuples)]
                called = _names_of(columns, names)
                if called is not None and all(c is not None for c in columns):
                    return cls._make(columns, called)
        return _in_pandas("from_tuples", tuples, sortorder, names)

    @classmethod
    def from_product(cls, iterables: Any, sortorder: Any = None, names: Any = _UNSET) -> Any:
        """Labels from the Cartesian product of levels."""
        listed = isinstance(iterables, (list, tuple))
        parts = [list(i) if isinstance(i, range) else i for i in iterables] if listed else None
        if sortorder is None and parts is not None and len(parts) > 1:
            columns, called = [_column(p) for p in parts], _names_of(list(iterables), names)
            if called is not None and all(c is not None and len(c) for c in columns):
                made = cls._make(_combined(columns), called)  # type: ignore[arg-type]
                return made._ordered([range_order(i) for i in iterables])
        return _in_pandas("from_product", iterables, sortorder, **_given(names))


def _combined(columns: list[Column]) -> list[AnyColumn]:
    """Every row of each with every row of the others, where the last varies fastest."""
    total = int(np.prod([len(c) for c in columns]))
    rows, out, each = _positions(total), [], total
    for c in columns:
        each //= len(c)
        out.append(c.take(rows // each % len(c)))
    return out


def _positions(n: int) -> ndarray:
    return _core.from_numpy(np.arange(n, dtype=np.int64))
