"""Comparisons of a column in a file with a scalar: row groups whose least and greatest values exclude it are not read."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from ... import _core
from .any_kind import AnyKind
from .column import Column, ndarray, plain
from .lazy_take import Even, Outside, Waits

# For each comparison, those that the least and the greatest value of some rows satisfy if one of the rows may.
_OF_LEAST = {"lt": "lt", "le": "le", "eq": "le"}
_OF_GREATEST = {"gt": "gt", "ge": "ge", "eq": "ge"}


def by_row_groups(op: str, a: Any, b: Any, compute: Callable[[str, Any, Any], Column]) -> Column | None:
    """Which rows of a column satisfy a comparison with a scalar; None where most of the column has to be read.

    Parameters
    ----------
    op : str
    a, b : Column or scalar
    compute : function
        It compares a column in memory, and raises the errors of operands that do not fit.
    """
    if not isinstance(a, Waits) or isinstance(b, (AnyKind, ndarray)) or a.plain not in "iufM":  # type: ignore[attr-defined]
        return None
    waiting = a.waits_for()
    if waiting is None or waiting[1] is not None or not isinstance(waiting[0], Outside):
        return None
    bounds = waiting[0].bounds() if op in _OF_LEAST or op in _OF_GREATEST else None
    if bounds is None:
        return None
    begins, least, greatest = bounds
    may = np.ones(len(least), bool)
    for of, values in ((_OF_LEAST, least), (_OF_GREATEST, greatest)):
        if op in of:
            may &= _core.to_numpy(compute(of[op], values, b).values)
    if 2 * int(np.diff(begins)[may].sum()) > len(a):
        return None
    found = np.zeros(len(a), bool)
    for first, end in _runs(may):
        rows = Even(int(begins[first]), 1, int(begins[end] - begins[first]))
        found[begins[first] : begins[end]] = _core.to_numpy(compute(op, waiting[0].rows(rows), b).values)
    return plain(_core.from_numpy(found, "cpu"))


def _runs(which: np.ndarray) -> np.ndarray:
    """The first and the end of each run of true values."""
    steps = np.diff(np.concatenate([[False], which, [False]]).astype(np.int8))
    return np.stack([np.flatnonzero(steps == 1), np.flatnonzero(steps == -1)], axis=1)
