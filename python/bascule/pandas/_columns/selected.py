"""Operators on columns that wait for the same rows: they are computed before the rows are chosen, where that is less work.

No operand is gathered then, and one pass over a whole expression serves every reader of the result. It is less work where a
mask chooses many rows, and where rows are repeated, as those of the shorter side of a join.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

import numpy as np

from .column import AnyColumn, Column, ndarray
from .lazy_take import FEWEST, Outside, Picked, Waits, pick_made

COMPARISONS = ("eq", "ne", "lt", "le", "gt", "ge")
LOGICAL = ("and", "or", "xor")
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
    given = [x for x in (a, b) if isinstance(x, Waits)]
    scalars = [x for x in (a, b) if not isinstance(x, Waits)]
    if any(hasattr(x, "has_core") or isinstance(x, (ndarray, np.ndarray)) for x in scalars):
        return None
    shared = common_sources(given)
    if shared is None:
        return None
    sources, rows = shared
    repeats = len(sources[0]) <= len(rows)
    if not repeats and rows.mask is None:
        return None
    # Comparisons of other types raise for no value; they are not computed for rows that no mask has chosen.
    if not repeats or op not in COMPARISONS:
        if not all(op in c.of_any_rows for c in sources) or not all(isinstance(x, _NUMBERS) for x in scalars):
            return None
    instead = iter(sources)
    made = compute(op, *(next(instead) if isinstance(x, Waits) else x for x in (a, b)))
    return pick_made(made, rows)  # type: ignore[return-value]
