"""Operators on columns of which a mask has chosen the same rows: all rows are computed, and the result waits for the chosen ones.

Neither operand is gathered then, and one pass over a whole expression serves every reader of the result.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

import numpy as np

from .any_kind import AnyKind
from .column import AnyColumn, Column, ndarray
from .lazy_take import Outside, Picked, Waiting, Waits

# Operators that raise for no value and choose no type by the values; of integers only those whose result has one type.
_OF_FLOATS = {"add", "sub", "mul", "truediv", "lt", "le", "gt", "ge", "eq", "ne"}
_OF_INTEGERS = {"add", "sub", "mul", "lt", "le", "gt", "ge", "eq", "ne"}
_NUMBERS = (int, float, np.integer, np.floating)


def source_of(column: AnyColumn) -> tuple[Column, Picked] | None:
    """The column in memory that a column waits for rows of, and these rows, if a mask of all rows is known; else None."""
    waiting = column.waits_for() if isinstance(column, Waits) else None
    if waiting is None or isinstance(waiting[0], Outside) or waiting[1] is None:
        return None
    return waiting if waiting[1].mask is not None else None


def common_sources(columns: Iterable[AnyColumn]) -> tuple[list[Column], Picked] | None:
    """As `source_of`, of several columns that wait for the same rows."""
    found: list[Column] = []
    rows: Picked | None = None
    for c in columns:
        source = source_of(c)
        if source is None or rows not in (None, source[1]):
            return None
        rows = source[1]
        found.append(source[0])
    return None if rows is None else (found, rows)


def below_selection(op: str, a: Any, b: Any, compute: Callable[[str, Any, Any], Column]) -> Column | None:
    """The pending column of an operator on numbers; None where the operands do not wait for the same rows.

    Parameters
    ----------
    op : str
    a, b : Column or scalar
    compute : function
        It computes the operator of columns in memory.
    """
    given = [x for x in (a, b) if isinstance(x, AnyKind)]
    if not all(isinstance(x, Waits) for x in given) or any(isinstance(x, ndarray) for x in (a, b)):
        return None
    shared = common_sources(given)
    if shared is None or not all(isinstance(x, (AnyKind, *_NUMBERS)) for x in (a, b)):
        return None
    sources, rows = shared
    of = _OF_FLOATS if all(c.is_plain("f") for c in sources) else _OF_INTEGERS
    if op not in of or not all(c.is_plain("fiu") for c in sources):
        return None
    instead = iter(sources)
    made = compute(op, *(next(instead) if isinstance(x, AnyKind) else x for x in (a, b)))
    return Waiting(made, rows)
