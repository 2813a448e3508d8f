# Written by python/stubs/write_pandas.py from the signatures, with pandas 3.1, and the tables beside it.
# isort: off
from pandas import (  # type: ignore[import-untyped, attr-defined, unused-ignore]
    ArrowDtype as ArrowDtype, BooleanDtype as BooleanDtype, Categorical as Categorical,
    CategoricalDtype as CategoricalDtype, DateOffset as DateOffset, DatetimeTZDtype as DatetimeTZDtype,
    ExcelFile as ExcelFile, ExcelWriter as ExcelWriter, Flags as Flags, Float32Dtype as Float32Dtype,
    Float64Dtype as Float64Dtype, Grouper as Grouper, HDFStore as HDFStore, IndexSlice as IndexSlice,
    Int16Dtype as Int16Dtype, Int32Dtype as Int32Dtype, Int64Dtype as Int64Dtype, Int8Dtype as Int8Dtype,
    Interval as Interval, IntervalDtype as IntervalDtype, NA as NA, NaT as NaT, NamedAgg as NamedAgg,
    NamedFunc as NamedFunc, Period as Period, PeriodDtype as PeriodDtype, SparseDtype as SparseDtype,
    StringDtype as StringDtype, Timedelta as Timedelta, Timestamp as Timestamp, UInt16Dtype as UInt16Dtype,
    UInt32Dtype as UInt32Dtype, UInt64Dtype as UInt64Dtype, UInt8Dtype as UInt8Dtype, arrays as arrays,
    io as io, offsets as offsets, options as options,
)  # fmt: skip
# isort: on

from . import api as api
from . import errors as errors
from . import plotting as plotting
from . import testing as testing
from . import tseries as tseries
from . import util as util
from ._types.frame import DataFrame as DataFrame
from ._types.functions import array as array
from ._types.functions import bdate_range as bdate_range
from ._types.functions import col as col
from ._types.functions import concat as concat
from ._types.functions import coverage as coverage
from ._types.functions import crosstab as crosstab
from ._types.functions import cut as cut
from ._types.functions import date_range as date_range
from ._types.functions import describe_option as describe_option
from ._types.functions import eval as eval
from ._types.functions import factorize as factorize
from ._types.functions import from_dummies as from_dummies
from ._types.functions import from_pandas as from_pandas
from ._types.functions import get_dummies as get_dummies
from ._types.functions import get_option as get_option
from ._types.functions import infer_freq as infer_freq
from ._types.functions import interval_range as interval_range
from ._types.functions import isna as isna
from ._types.functions import isnull as isnull
from ._types.functions import json_normalize as json_normalize
from ._types.functions import lreshape as lreshape
from ._types.functions import melt as melt
from ._types.functions import merge as merge
from ._types.functions import merge_asof as merge_asof
from ._types.functions import merge_ordered as merge_ordered
from ._types.functions import notna as notna
from ._types.functions import notnull as notnull
from ._types.functions import option_context as option_context
from ._types.functions import period_range as period_range
from ._types.functions import pivot as pivot
from ._types.functions import pivot_table as pivot_table
from ._types.functions import qcut as qcut
from ._types.functions import reset_option as reset_option
from ._types.functions import set_eng_float_format as set_eng_float_format
from ._types.functions import set_option as set_option
from ._types.functions import show_versions as show_versions
from ._types.functions import test as test
from ._types.functions import timedelta_range as timedelta_range
from ._types.functions import to_datetime as to_datetime
from ._types.functions import to_numeric as to_numeric
from ._types.functions import to_pickle as to_pickle
from ._types.functions import to_timedelta as to_timedelta
from ._types.functions import unique as unique
from ._types.functions import wide_to_long as wide_to_long
from ._types.functions_files import read_clipboard as read_clipboard
from ._types.functions_files import read_csv as read_csv
from ._types.functions_files import read_excel as read_excel
from ._types.functions_files import read_feather as read_feather
from ._types.functions_files import read_fwf as read_fwf
from ._types.functions_files import read_hdf as read_hdf
from ._types.functions_files import read_html as read_html
from ._types.functions_files import read_iceberg as read_iceberg
from ._types.functions_files import read_json as read_json
from ._types.functions_files import read_orc as read_orc
from ._types.functions_files import read_parquet as read_parquet
from ._types.functions_files import read_pickle as read_pickle
from ._types.functions_files import read_sas as read_sas
from ._types.functions_files import read_spss as read_spss
from ._types.functions_files import read_sql as read_sql
from ._types.functions_files import read_sql_query as read_sql_query
from ._types.functions_files import read_sql_table as read_sql_table
from ._types.functions_files import read_stata as read_stata
from ._types.functions_files import read_table as read_table
from ._types.functions_files import read_xml as read_xml
from ._types.groupby import DataFrameGroupBy as DataFrameGroupBy
from ._types.groupby import SeriesGroupBy as SeriesGroupBy
from ._types.index import Index as Index
from ._types.index_kinds import CategoricalIndex as CategoricalIndex
from ._types.index_kinds import DatetimeIndex as DatetimeIndex
from ._types.index_kinds import IntervalIndex as IntervalIndex
from ._types.index_kinds import MultiIndex as MultiIndex
from ._types.index_kinds import PeriodIndex as PeriodIndex
from ._types.index_kinds import RangeIndex as RangeIndex
from ._types.index_kinds import TimedeltaIndex as TimedeltaIndex
from ._types.indexers import ByLabel as ByLabel
from ._types.indexers import Positions as Positions
from ._types.series import Series as Series

__version__: str
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
