"""Expanding windows: of each row and all before it."""

from __future__ import annotations

from typing import Any

from ... import _core
from .. import _fallback
from .._fallback.native import NotNative
from .._theirs import pandas
from .aggregations import RollingAndExpanding


class Expanding(RollingAndExpanding):
    """Expanding windows over a frame or series, as made by `expanding`.

    Examples
    --------
    >>> import bascule.pandas as pd
    >>> pd.Series([1.0, 3.0, 2.0]).expanding().max().tolist()
    [1.0, 3.0, 3.0]
    """

    __module__ = "bascule.pandas"
    _attributes = ("min_periods", "method")

    def __init__(self, obj: Any, options: dict[str, Any], selection: Any = None, groups: Any = None):
        if options["method"] == "table":
            raise NotNative("method='table'")
        super().__init__(obj, options, selection)
        self._groups = groups

    def _of_pandas(self, there: Any) -> Any:
        return (there if self._groups is None else self._groups.of_pandas()).expanding(**self._options)

    def _by_time(self) -> bool:
        return False

    def _least(self) -> int:
        return 0 if self.min_periods is None else int(self.min_periods)

    def _rows(self, n: int) -> tuple:
        return (-n, 1, 1) if self._groups is None else _core.window_rows(self._groups.segments, n, -n, 1)


class ExpandingGroupBy(Expanding):
    """Expanding windows over the rows of each group."""

    __module__ = "bascule.pandas"


_fallback.install(Expanding, lambda: pandas.api.typing.Expanding)
