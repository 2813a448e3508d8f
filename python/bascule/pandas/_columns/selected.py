"""Operators on columns that wait for the same rows: they are computed before the rows are chosen, where that is less work.

No operand is gathered then, and one pass over a whole expression serves every reader of the result. It is less work where a
mask chooses many rows, and where rows are repeated, as those of the shorter side of a join.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

import numpy as np

from .any_kind import AnyKind
from .column import AnyColumn, Column, ndarray
from .lazy_take import FEWEST, Outside, Picked, Waits, pick_made

LOGICAL = ("and", "or", "xor")
# Operators that raise for no value and choose no type by the values; of integers only those whose result has one type.
COMPARISONS = ("eq", "ne", "lt", "le", "gt", "ge")
_OF_INTEGERS = {"add", "sub", "mul", *COMPARISONS}
_OF_FLOATS = {"truediv", *_OF_INTEGERS}
_NUMBERS = (int, float, np.integer, np.floating)


def source_of(column: AnyColumn) -> tuple[Column, Picked] | None:
    """The column in memory that a column waits for rows of, and these rows; else None."""
    waiting = column.waits_for() if isinstance(column, Waits) else None
    if waiting is None or isinstance(waiting[0], Outside) or waiting[1] is None or waiting[1].lacking:
        return None
    return waiting


def common_sources(columns: Iterable[AnyColumn]) -> tuple[list[Column], Picked] | None:
    """As `source_of`, of several columns that wait for the same rows."""
    found: list[Column] = []
    rows: Picked | None = None
    for c in columns:
        source = source_of(c)
        if source is None or (rows is not None and rows is not source[1]):
            return None
        rows = source[1]
        found.append(source[0])
    return None if rows is None else (found, rows)


def repeated(column: AnyColumn) -> tuple[Column, Picked] | None:
    """As `source_of`, if the rows are at least as many as those of the source, and this lacks no value."""
    found = source_of(column)
    if found is None or len(found[1]) < max(FEWEST, len(found[0])) or found[0].has_missing():
        return None
    return found


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
    if shared is None:
        return None
    sources, rows = shared
    repeats = len(sources[0]) <= len(rows)
    if not repeats and rows.mask is None:
        return None
    if op in LOGICAL:
        if not all(c.is_plain("b") for c in sources):
            return None
    elif not repeats or op not in COMPARISONS:
        of = _OF_FLOATS if all(c.is_plain("f") for c in sources) else _OF_INTEGERS
        numbers = all(isinstance(x, (AnyKind, *_NUMBERS)) for x in (a, b)) and all(c.is_plain("fiu") for c in sources)
        if op not in of or not numbers:
            return None
    instead = iter(sources)
    made = compute(op, *(next(instead) if isinstance(x, AnyKind) else x for x in (a, b)))
    return pick_made(made, rows)  # type: ignore[return-value]
