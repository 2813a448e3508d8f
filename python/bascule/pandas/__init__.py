"""pandas' namespace on bascule's columns.

>>> import bascule.pandas as pd
>>> pd.DataFrame({"x": [1, 2, 3]}).x.sum().item()
6
"""

from __future__ import annotations

import importlib as _importlib
import sys as _sys
from typing import Any as _Any

import pandas as _pandas

from . import _coverage, _fallback
from ._datetimes.ranges import date_range
from ._fallback import carried as _carried
from ._frames.accessors import to_datetime
from ._frames.frame import DataFrame
from ._frames.indexing import ByLabel, Positions
from ._frames.missing import isna, notna
from ._frames.series import Series
from ._frames.unique import factorize, unique
from ._groupby.groupby import DataFrameGroupBy, SeriesGroupBy
from ._indexes.index import Index, MultiIndex, RangeIndex
from ._indexes.kinds import CategoricalIndex, DatetimeIndex, IntervalIndex, PeriodIndex, TimedeltaIndex
from ._io.arrow import read_parquet
from ._io.csv import read_csv
from ._reshape.concat import concat
from ._reshape.merge import merge

isnull, notnull = isna, notna

for _own in (
    DataFrame, Series, Index, RangeIndex, DatetimeIndex, TimedeltaIndex, PeriodIndex, CategoricalIndex, IntervalIndex, MultiIndex
):  # fmt: skip
    _fallback.install(_own, getattr(_pandas, _own.__name__))
from . import api, errors, testing  # noqa: E402 - made of the classes above

_carried.finish_results(DataFrame)
_carried.finish_results(Series, but=("agg", "aggregate"))
for _part, _owner in ((DataFrameGroupBy, "_obj"), (SeriesGroupBy, "_obj"), (ByLabel, "owner"), (Positions, "owner")):
    _carried.finish_results(_part, _owner)


# What pandas keeps in modules of its own, and is not about frames, is pandas'.
for _name in (
    "api.executors",
    "api.indexers",
    "api.internals",
    "api.interchange",
    "plotting",
    "tseries",
    "tseries.api",
    "tseries.frequencies",
    "tseries.offsets",
):
    _sys.modules[f"{__name__}.{_name}"] = _importlib.import_module(f"pandas.{_name}")
    _place, _, _last = _name.rpartition(".")
    if _place == "api":
        setattr(api, _last, _sys.modules[f"{__name__}.{_name}"])


def from_pandas(x: _Any) -> _Any:
    """A frame, series or index of pandas as bascule's; memory is shared where copy-on-write protects it.

    Parameters
    ----------
    x : pandas.DataFrame, pandas.Series or pandas.Index
    """
    if not isinstance(x, (_pandas.DataFrame, _pandas.Series, _pandas.Index)):
        raise TypeError(f"[from_pandas] expected a frame, series or index of pandas, got {type(x).__name__}")
    return _fallback.from_pandas(x)


def coverage() -> _coverage.Coverage:
    """What of pandas' members and functions is native, runs in pandas in part or wholly, or is absent.

    Returns
    -------
    Coverage
        A mapping of names such as "DataFrame.sum" or "pandas.concat" to states; its text is a table.

    Examples
    --------
    >>> import bascule.pandas as pd
    >>> pd.coverage()["DataFrame.interpolate"]
    'fallback'
    """
    return _coverage.table(lambda name: globals().get(name) or __getattr__(name))


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


def __getattr__(name: str) -> _Any:
    if name.startswith("_"):
        raise AttributeError(f"module 'bascule.pandas' has no attribute {name!r}")
    try:
        found = getattr(_pandas, name)
    except AttributeError:
        raise AttributeError(f"module 'bascule.pandas' has no attribute {name!r}") from None
    if isinstance(found, type) or not callable(found):
        return found  # pandas' scalars, dtypes, errors
    return _fallback.module_function(name)


def __dir__() -> list[str]:
    return sorted({*__all__, *(n for n in dir(_pandas) if not n.startswith("_"))})
