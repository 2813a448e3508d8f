"""pandas' namespace on bascule's columns.

>>> import bascule.pandas as pd
>>> pd.DataFrame({"x": [1, 2, 3]}).x.sum().item()
6
"""

# ruff: noqa: F403, F405 - the names are looked up when they are first used
from __future__ import annotations

import importlib as _importlib
import sys as _sys
import typing as _typing

if _typing.TYPE_CHECKING:
    from . import api, errors, testing, util
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
    "util",
]
_MODULES = ("api", "errors", "plotting", "testing", "tseries", "util")


def _loaded() -> _typing.Any:
    """The names, whose modules are imported with the first of them."""
    if f"{__name__}._namespace" not in _sys.modules:
        with _importlib.import_module("bascule.interop.after_import").uncollected():
            _importlib.import_module("._namespace", __name__)
    _namespace = _importlib.import_module("._namespace", __name__)
    if "_is_filled" not in globals():  # strings of labels and values are evaluated with the module's names
        globals()["_is_filled"] = True
        _namespace.follow(
            lambda: globals().update({n: v for n, v in _namespace.classes_and_values() if n not in globals()})
        )
    return _namespace


def __getattr__(name: str) -> _typing.Any:
    """The first use of a name loads what is made for frames, and pandas where it is pandas': an import alone does not."""
    if name == "__version__":  # programs ask it for what pandas can do; bascule's own is `bascule.__version__`
        return _loaded().pandas.__version__
    if name == "__narwhals_namespace__":  # by which narwhals makes columns of this library
        return _importlib.import_module("bascule.pandas.narwhals_plugin").__narwhals_namespace__
    if name.startswith("_"):
        raise AttributeError(f"module 'bascule.pandas' has no attribute {name!r}")
    _namespace = _loaded()
    if name in _MODULES:
        return _importlib.import_module(f"{__name__}.{name}")
    found = _namespace.member(name)
    if name in __all__:
        globals()[name] = found
    return found


def __dir__() -> list[str]:
    _namespace = _loaded()
    return sorted({*__all__, *_namespace.names()})
