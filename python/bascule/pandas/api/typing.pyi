# Written by python/stubs/write_pandas.py from the signatures, with pandas 3.1, and the tables beside it.
# isort: off
from pandas.api.typing import (  # type: ignore[import-untyped, attr-defined, unused-ignore]
    DatetimeIndexResamplerGroupBy as DatetimeIndexResamplerGroupBy, Expanding as Expanding,
    ExpandingGroupBy as ExpandingGroupBy, ExponentialMovingWindow as ExponentialMovingWindow,
    ExponentialMovingWindowGroupBy as ExponentialMovingWindowGroupBy, Expression as Expression,
    FrozenList as FrozenList, JsonReader as JsonReader, NAType as NAType, NaTType as NaTType,
    NoDefault as NoDefault, PeriodIndexResamplerGroupBy as PeriodIndexResamplerGroupBy, Resampler as Resampler,
    Rolling as Rolling, RollingGroupBy as RollingGroupBy, SASReader as SASReader, StataReader as StataReader,
    TimeGrouper as TimeGrouper, TimedeltaIndexResamplerGroupBy as TimedeltaIndexResamplerGroupBy,
    Window as Window,
)  # fmt: skip

# isort: on
from .._types.groupby import DataFrameGroupBy as DataFrameGroupBy
from .._types.groupby import SeriesGroupBy as SeriesGroupBy
