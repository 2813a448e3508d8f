"""pandas' namespace on bascule's columns.

>>> import bascule.pandas as pd
>>> pd.DataFrame({"x": [1, 2, 3]}).x.sum().item()
6
"""

# ruff: noqa: F403, F405 - the names are looked up when they are first used
from __future__ import annotations

import importlib as _importlib
import typing as _typing

if _typing.TYPE_CHECKING:
    from . import api, errors, testing
    from ._namespace import *

__all__ = [
    "CategoricalIndex",
    "DataFrame",
    "DatetimeIndex",
    "Index",
    "IntervalIndex",
    "MultiIndex",
    "PeriodIndex",
    "RangeIndex",
    "Series",
    "TimedeltaIndex",
    "api",
    "concat",
    "coverage",
    "date_range",
    "errors",
    "factorize",
    "from_pandas",
    "isna",
    "isnull",
    "merge",
    "notna",
    "notnull",
    "read_csv",
    "read_parquet",
    "testing",
    "to_datetime",
    "unique",
]
_MODULES = ("api", "errors", "plotting", "testing", "tseries")


def __getattr__(name: str) -> _typing.Any:
    """The first use of a name loads pandas and what is made for it: an import alone does not."""
    if name.startswith("_"):
        raise AttributeError(f"module 'bascule.pandas' has no attribute {name!r}")
    from . import _namespace

    if name in _MODULES:
        return _importlib.import_module(f"{__name__}.{name}")
    found = _namespace.member(name)
    if name in __all__:
        globals()[name] = found
    return found


def __dir__() -> list[str]:
    from . import _namespace

    return sorted({*__all__, *_namespace.names()})
