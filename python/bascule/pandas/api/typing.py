"""Classes that users meet only as results."""

from pandas.api.typing import *  # noqa: F403

from .._groupby.groupby import DataFrameGroupBy, SeriesGroupBy

DataFrameGroupBy, SeriesGroupBy = DataFrameGroupBy, SeriesGroupBy
