"""Chained assignment, as in `frame["a"][0] = 1`: the write to a temporary has no effect, and pandas' warning says so."""

from __future__ import annotations

import dis
import sys
from typing import Any

from ..._array.caller_warnings import warn
from .._theirs import pandas

# How often an object that only the statement holds is referred to, seen from `__setitem__` and from a method, by way of
# what these are called with. Before Python 3.14 the interpreter keeps one more while it calls.
_LEAST = 1 if sys.version_info >= (3, 14) else 2
IN_PLACE = frozenset("replace fillna ffill bfill interpolate where mask clip update".split())


def _stores(frame: Any) -> bool:
    """Whether a stack frame executes `x[key] = value`, rather than a call of `__setitem__` by its name."""
    return dis.opname[frame.f_code.co_code[frame.f_lasti]].startswith("STORE_")


def _has(frame: Any, x: Any) -> bool:
    """Whether a variable of the stack frame is x: from Python 3.14 on, calls may borrow the reference of a variable."""
    return sys.version_info >= (3, 14) and any(v is x for v in frame.f_locals.values())


def check_item(references: int, x: Any, by_indexer: bool = False) -> None:
    """Warn where `x[key] = value`, or that of an indexer of x, changes a temporary, which has few references."""
    if references > (2 if by_indexer else _LEAST + 1):  # an indexer's attribute is no variable, which 3.14 might borrow
        return
    frame = sys._getframe(2)
    if by_indexer or (_stores(frame) and not _has(frame, x)):
        warn(pandas.errors.cow._chained_assignment_msg, pandas.errors.ChainedAssignmentError)


def check_method(name: str, references: int, x: Any, options: dict[str, Any]) -> None:
    """Warn where a method changes a temporary in place, which has few references."""
    if references > _LEAST or _has(sys._getframe(2), x):
        return
    if name == "update":
        warn(pandas.errors.cow._chained_assignment_method_update_msg, pandas.errors.ChainedAssignmentError)
    elif options.get("inplace") is True:
        warn(pandas.errors.cow._chained_assignment_method_msg, pandas.errors.ChainedAssignmentError)
