"""The namespace of `bascule.pandas`: its complete classes, its functions, and pandas' own for the rest."""

from __future__ import annotations

import functools
import types
from typing import Any

from ..interop import completion as _completion
from . import _fallback
from ._columns import given_categories  # noqa: F401 - `pandas.Categorical` before pandas is imported
from ._columns.column import ndarray
from ._columns.to_numeric import to_numeric
from ._datetimes.ranges import bdate_range, date_range
from ._datetimes.to_datetime import to_datetime
from ._fallback.as_pandas import follow_mode
from ._fallback.counted import refuse_on_gpu
from ._fallback.methods import finish_results
from ._fallback.options import get_option, option_context, options, reset_option, set_option
from ._frames.accessors import to_timedelta
from ._frames.frame import DataFrame
from ._frames.indexing.indexers import ByLabel, Positions
from ._frames.missing import isna, notna
from ._frames.series import Series
from ._frames.unique import factorize, unique
from ._groupby.groupby import DataFrameGroupBy, SeriesGroupBy
from ._groupby.resample import Resampler
from ._indexes.index import Index, MultiIndex, RangeIndex
from ._indexes.kinds import CategoricalIndex, DatetimeIndex, IntervalIndex, PeriodIndex, TimedeltaIndex
from ._io.csv import read_csv, read_table
from ._io.json_normalize import json_normalize
from ._io.orc import read_orc
from ._io.parquet import read_parquet
from ._io.read_json import read_json
from ._io.sql import read_sql, read_sql_query, read_sql_table
from ._reshape.bins import cut, get_dummies, qcut
from ._reshape.concat import concat
from ._reshape.from_dummies import from_dummies
from ._reshape.melt import melt
from ._reshape.merge import merge
from ._reshape.ordered import merge_asof, merge_ordered
from ._reshape.pivot import crosstab, pivot, pivot_table
from ._theirs import follow, is_loaded, load, pandas

isnull, notnull = isna, notna

_SPECIAL = {"DataFrame": "__matmul__ __rmatmul__ __round__", "Series": "__delitem__ __matmul__ __rmatmul__ __round__", "Index": "__divmod__ __rdivmod__"}  # fmt: skip
for own in (
    DataFrame, Series, Index, RangeIndex, DatetimeIndex, TimedeltaIndex, PeriodIndex, CategoricalIndex, IntervalIndex, MultiIndex
):  # fmt: skip
    _fallback.install(own, functools.partial(getattr, pandas, own.__name__), _SPECIAL.get(own.__name__, ""))

follow_mode(DataFrame, Series)
_completion.allow(DataFrame, Series)
# Methods whose results of groups have no attrs in pandas.
_UNNOTED = "size count nunique quantile cumsum cumprod cummin cummax cumcount ngroup pct_change rank ffill bfill ohlc"
_WINDOWS, _ALSO = ("rolling", "expanding", "ewm"), ("value_counts", "get_group", "_nth")


def _finish_classes() -> None:
    finish_results(DataFrame)
    finish_results(Series, but=("agg", "aggregate"))
    for part in (ByLabel, Positions):
        finish_results(part, "owner")
    finish_results(DataFrameGroupBy, "_obj", _WINDOWS, _UNNOTED, _ALSO)
    finish_results(SeriesGroupBy, "_obj", _WINDOWS, f"{_UNNOTED} describe transform", _ALSO)
    finish_results(Resampler, "_whole", (), "size count nunique quantile ohlc apply")


if not is_loaded():
    _finish_classes()
follow(_finish_classes)  # and those of the fallbacks, which are added then


@follow
def _know_their_classes() -> None:
    DataFrame._stands_for, Series._stands_for = pandas.DataFrame, pandas.Series


def from_pandas(x: Any) -> Any:
    """Convert a frame, series or index of pandas; memory is shared where copy-on-write protects it.

    Parameters
    ----------
    x : pandas.DataFrame, pandas.Series or pandas.Index
        An object of bascule is returned unchanged.
    """
    if not isinstance(x, (pandas.DataFrame, pandas.Series, pandas.Index, DataFrame, Series, Index)):
        raise TypeError(f"[from_pandas] expected a frame, series or index of pandas, got {type(x).__name__}")
    return _fallback.from_pandas(x)


def array(data: Any, dtype: Any = None, copy: bool = True) -> Any:
    """Create an extension array. The result is an object of pandas.

    Parameters
    ----------
    data : array-like
        A series or index of bascule is converted without a copy where possible; with `dtype` pandas converts it, counted.
    dtype, copy
        As pandas'.
    """
    if hasattr(data, "_column") and getattr(data, "nlevels", 1) == 1 and dtype is None:
        refuse_on_gpu("pandas.array", "pandas' arrays are on the CPU", data._column.device)
        values = data._column.to_pandas_array()
        return pandas.array(values, values.dtype, copy=False)
    if hasattr(data, "__bascule_to_pandas__") or type(data) is ndarray:
        return _fallback.run("pandas.array", "other types than the values have", pandas.array, data, dtype, copy)
    return pandas.array(data, dtype, copy)


def coverage(name: str | None = None) -> Any:
    """Which of pandas' members and functions are native, native in part, fallbacks or absent.

    Parameters
    ----------
    name : str, optional
        One of them, such as "DataFrame.merge" or "concat".

    Returns
    -------
    Coverage or Member
        A mapping of names such as "DataFrame.sum" or "pandas.concat" to states; its text is a table. With a name its state,
        the arguments that are native with certain values only, and the reasons for which a call runs in pandas.

    Examples
    --------
    >>> import bascule.pandas as pd
    >>> pd.coverage()["DataFrame.to_xml"]
    'fallback'
    >>> pd.coverage("Rolling.mean")
    Rolling.mean: in part; in pandas with
      engine=
      method='table'
      windows over values of type …
      windows over values that only pandas has a type for
      on= with step= or several levels of labels
    """
    from . import _coverage

    table = _coverage.table(member)
    return table if name is None else table.entry(name)


__all__ = [
    "ByLabel",
    "CategoricalIndex",
    "DataFrame",
    "DataFrameGroupBy",
    "DatetimeIndex",
    "Index",
    "IntervalIndex",
    "MultiIndex",
    "PeriodIndex",
    "Positions",
    "RangeIndex",
    "Series",
    "SeriesGroupBy",
    "TimedeltaIndex",
    "array",
    "bdate_range",
    "concat",
    "coverage",
    "crosstab",
    "cut",
    "date_range",
    "factorize",
    "from_dummies",
    "from_pandas",
    "get_dummies",
    "get_option",
    "isna",
    "isnull",
    "json_normalize",
    "melt",
    "merge",
    "merge_asof",
    "merge_ordered",
    "notna",
    "notnull",
    "option_context",
    "options",
    "pivot",
    "pivot_table",
    "qcut",
    "read_csv",
    "read_json",
    "read_orc",
    "read_parquet",
    "read_sql",
    "read_sql_query",
    "read_sql_table",
    "read_table",
    "reset_option",
    "set_option",
    "to_datetime",
    "to_numeric",
    "to_timedelta",
    "unique",
]


def member(name: str) -> Any:
    """The member of that name of pandas' namespace: bascule's, or else pandas', whose functions get copies of its objects.

    Raises
    ------
    AttributeError
        When the name does not exist.
    """
    if name in __all__:
        return globals()[name]
    try:
        found = getattr(pandas, name)
    except AttributeError:
        raise AttributeError(f"module 'bascule.pandas' has no attribute {name!r}") from None
    if isinstance(found, type) or not callable(found):
        return found  # pandas' scalars, dtypes, errors
    return _fallback.module_function(name)


def names() -> list[str]:
    """The names of pandas' namespace."""
    load()
    return [n for n in dir(pandas) if not n.startswith("_")]


def classes_and_values() -> list[tuple[str, Any]]:
    """Members of pandas' namespace that are neither functions nor modules: classes, scalars, `NaT`, `NA` and the like."""
    found = [(n, member(n)) for n in pandas.__all__]
    return [(n, x) for n, x in found if isinstance(x, type) or not (callable(x) or isinstance(x, types.ModuleType))]
