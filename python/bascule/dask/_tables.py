"""Dask's tables of functions by class travel by their names.

Dask writes some of them into tasks, and as they are one would arrive as a copy of its own: what a worker registers later, when
it meets the first partition, reaches the worker's table and not the copy.
"""

from __future__ import annotations

import copyreg
import pkgutil
import sys
from typing import Any

_MODULES = ("dask._dispatch", "dask.sizeof", "dask.array.dispatch", "dask.array.backends", "dask.dataframe.dispatch")


def _name(table: Any) -> str | None:
    """Where a table can be found in any process that has Dask; None for one that is no module's."""
    for module in filter(None, map(sys.modules.get, _MODULES)):
        for member, value in vars(module).items():
            if value is table:
                return f"{module.__name__}:{member}"
    return None


def _reduce(table: Any) -> tuple:
    name = _name(table)
    return object.__reduce_ex__(table, 2) if name is None else (pkgutil.resolve_name, (name,))


def by_name(module: Any) -> None:
    """For ``dask.utils``: how its class of tables is pickled."""
    copyreg.pickle(module.Dispatch, _reduce)
