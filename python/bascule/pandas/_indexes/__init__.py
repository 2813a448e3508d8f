"""Row labels: their classes, look-up and alignment."""

from .from_labels import targets
from .index import Index, MultiIndex, RangeIndex, default, ensure, evenly, from_column, from_pandas
from .kinds import CategoricalIndex, DatetimeIndex, IntervalIndex, PeriodIndex, TimedeltaIndex
from .later import Later

__all__ = [
    "CategoricalIndex",
    "DatetimeIndex",
    "Index",
    "IntervalIndex",
    "Later",
    "MultiIndex",
    "PeriodIndex",
    "RangeIndex",
    "TimedeltaIndex",
    "default",
    "ensure",
    "evenly",
    "from_column",
    "from_pandas",
    "targets",
]
