"""rolling, expanding and ewm of frames, series and groups."""

from __future__ import annotations

from typing import Any

from .. import _fallback
from .._fallback.native import NotNative
from .ewm import ExponentialMovingWindow, ExponentialMovingWindowGroupBy
from .expanding import Expanding, ExpandingGroupBy
from .groups import GroupedWindows
from .rolling import Rolling, RollingGroupBy


def _made(self: Any, name: str, kind: type, options: dict[str, Any]) -> Any:
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


class Windows:
    """Windows over the rows of a frame or series."""

    def rolling(
        self, window: Any, min_periods: int | None = None, center: bool = False, win_type: str | None = None,
        on: Any = None, closed: str | None = None, step: int | None = None, method: str = "single",
    ) -> Any:  # fmt: skip
        """Rolling windows.

        Parameters
        ----------
        window : int, str, timedelta or offset
            Number of rows, or the duration before each row that its window spans; indexers run in pandas.
        min_periods : int, optional
            Values that a result needs: by default as many as the window has rows, or one where it spans a duration.
        center : bool
            Whether windows are centered at their row, else they end there.
        win_type : str, optional
            Weights by SciPy's windows run in pandas.
        on : label, optional
            Column of times to measure by instead of the index.
        closed : {"right", "left", "both", "neither"}, optional
            The ends that belong to the windows; the right one by default.
        step : int, optional
            Only every `step`-th window is computed.
        method : {"single", "table"}
            Windows over whole tables run in pandas.

        Returns
        -------
        Rolling

        Examples
        --------
        >>> import bascule.pandas as pd
        >>> pd.Series([1.0, 2.0, 4.0]).rolling(2).sum().tolist()
        [nan, 3.0, 6.0]
        """
        options = dict(window=window, min_periods=min_periods, center=center, win_type=win_type, on=on, closed=closed, step=step, method=method)  # fmt: skip
        return _made(self, "rolling", Rolling, options)

    def expanding(self, min_periods: int = 1, method: str = "single") -> Any:
        """Expanding windows: each row and all rows before it.

        Parameters
        ----------
        min_periods : int
            Values that a result needs.
        method : {"single", "table"}
            Windows over whole tables run in pandas.

        Returns
        -------
        Expanding

        Examples
        --------
        >>> import bascule.pandas as pd
        >>> pd.Series([1.0, 2.0, 6.0]).expanding().mean().tolist()
        [1.0, 1.5, 3.0]
        """
        return _made(self, "expanding", Expanding, dict(min_periods=min_periods, method=method))

    def ewm(
        self, com: float | None = None, span: float | None = None, halflife: Any = None, alpha: float | None = None,
        min_periods: int | None = 0, adjust: bool = True, ignore_na: bool = False, times: Any = None, method: str = "single",
    ) -> Any:  # fmt: skip
        """Exponentially weighted windows of each row and all rows before it.

        Parameters
        ----------
        com, span, halflife, alpha : float, optional
            One of them determines the decay of weights; with `times`, a half-life is a duration.
        min_periods : int
            Values that a result needs.
        adjust : bool
            Whether weights are divided by their sum, else the newest value has a fixed weight.
        ignore_na : bool
            Whether missing values have no effect on the weights of others.
        times : array-like of datetime64, optional
            Time of each row.
        method : {"single", "table"}
            Windows over whole tables run in pandas.

        Returns
        -------
        ExponentialMovingWindow

        Examples
        --------
        >>> import bascule.pandas as pd
        >>> pd.Series([1.0, 2.0]).ewm(com=1).mean().tolist()
        [1.0, 1.6666666666666667]
        """
        options = dict(com=com, span=span, halflife=halflife, alpha=alpha, min_periods=min_periods, adjust=adjust, ignore_na=ignore_na, times=times, method=method)  # fmt: skip
        return _made(self, "ewm", ExponentialMovingWindow, options)


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
