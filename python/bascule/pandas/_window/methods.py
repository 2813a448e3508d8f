"""How windows are made of rows and groups, and windows of groups."""

from __future__ import annotations

from typing import Any

from .. import _fallback
from .._fallback.native import NotNative
from .ewm import ExponentialMovingWindowGroupBy
from .expanding import ExpandingGroupBy
from .groups import GroupedWindows
from .rolling import RollingGroupBy


def made_window(self: Any, name: str, kind: type, options: dict[str, Any]) -> Any:
    try:
        return kind(self, options)
    except NotNative as why:
        return _fallback.call(self, name, (), options, str(why))


def _made_by_group(self: Any, name: str, kind: type, options: dict[str, Any], as_index: bool = True) -> Any:
    given = {k: v for k, v in options.items() if k != "step"}
    try:
        groups = GroupedWindows(self, as_index)
        return kind(groups.rows(), options, groups=groups)
    except NotNative as why:
        return _fallback.call(self, name, (), given, str(why))


class GroupWindows:
    """Windows over the rows of each group."""

    _options: dict[str, Any]

    def rolling(
        self, window: Any, min_periods: int | None = None, center: bool = False, win_type: str | None = None,
        on: Any = None, closed: str | None = None, method: str = "single",
    ) -> Any:  # fmt: skip
        """Rolling windows within each group; see DataFrame.rolling."""
        options = dict(window=window, min_periods=min_periods, center=center, win_type=win_type, on=on, closed=closed, step=None, method=method)  # fmt: skip
        return _made_by_group(self, "rolling", RollingGroupBy, options, self._options["as_index"])

    def expanding(self, min_periods: int = 1, method: str = "single") -> Any:
        """Expanding windows within each group; see DataFrame.expanding."""
        return _made_by_group(self, "expanding", ExpandingGroupBy, dict(min_periods=min_periods, method=method))

    def ewm(
        self, com: float | None = None, span: float | None = None, halflife: Any = None, alpha: float | None = None,
        min_periods: int | None = 0, adjust: bool = True, ignore_na: bool = False, times: Any = None, method: str = "single",
    ) -> Any:  # fmt: skip
        """Exponentially weighted windows within each group; see DataFrame.ewm."""
        options = dict(com=com, span=span, halflife=halflife, alpha=alpha, min_periods=min_periods, adjust=adjust, ignore_na=ignore_na, times=times, method=method)  # fmt: skip
        return _made_by_group(self, "ewm", ExponentialMovingWindowGroupBy, options)
