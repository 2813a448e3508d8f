"""`.plot` of frames and series: pandas' own, with data reduced to the resolution of the plot where there are many rows.

A histogram gets its counts, a line the range of each column in each column of pixels, a scatter plot becomes an image: these
are computed on the device of the columns, and pandas draws them.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from .. import plot
from . import _fallback
from ._fallback.calls import OfClass
from ._fallback.counted import presented
from ._fallback.native import NotNative
from ._questions import is_integer
from ._theirs import pandas

_STYLE = frozenset(
    "ax figsize title xlabel ylabel xlim ylim xticks yticks rot fontsize grid legend logx logy loglog color colormap sharex "
    "sharey subplots layout backend alpha lw linewidth".split()
)
_PICTURES = "area bar barh box density hexbin hist kde line pie scatter".split()
_OF_HISTOGRAMS = _STYLE | frozenset("density cumulative histtype orientation rwidth stacked range edgecolor".split())
_OF_IMAGES = frozenset("ax figsize title xlabel ylabel xlim ylim xticks yticks rot fontsize grid colormap cmap colorbar".split())  # fmt: skip


def _numbers(column: Any) -> Any:
    """The values of a column of plain numbers; None for others."""
    try:
        return column.plain_values("iuf")
    except NotNative:
        return None


def _backend(given: Any) -> str:
    return str(given or pandas.options.plotting.backend)


class Plot:
    """Plots with pandas' signature and pandas' plotting.

    Called, or by the kind of picture: ``.line``, ``.hist``, ``.scatter``, ``.bar`` and so on. From `bascule.plot.LARGE` rows on
    the columns of numbers of a histogram, a line and a cloud of points are aggregated first where they are; all else, and
    what is asked for with options that only the rows themselves can answer, is drawn from a copy as pandas draws it.

    Examples
    --------
    >>> import bascule.pandas as pd
    >>> ax = pd.Series([1, 2, 2]).plot.hist(bins=2)
    >>> [int(bar.get_height()) for bar in ax.patches]
    [1, 2]
    """

    def __init__(self, rows: Any):
        self._rows = rows

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        kind = kwargs.get("kind", "line")
        if not args and kind in ("line", "hist", "scatter"):
            drawn = self._reduced(kind, {k: v for k, v in kwargs.items() if k != "kind"})
            if drawn is not None:
                return drawn
        return self._there()(*_fallback.to_pandas(args), **_fallback.to_pandas(kwargs))

    def hist(self, by: Any = None, bins: Any = 10, **kwargs: Any) -> Any:
        """A histogram of each column."""
        return self(kind="hist", bins=bins, **({} if by is None else {"by": by}), **kwargs)

    def line(self, x: Any = None, y: Any = None, **kwargs: Any) -> Any:
        """Each column as a line over the labels, or over a column."""
        given = {k: v for k, v in (("x", x), ("y", y)) if v is not None}
        return self(kind="line", **given, **kwargs)

    def scatter(self, x: Any, y: Any, **kwargs: Any) -> Any:
        """Two columns as points of the plane."""
        return self(kind="scatter", x=x, y=y, **kwargs)

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        return getattr(self._there(), name)

    def __dir__(self) -> list[str]:
        return sorted({*super().__dir__(), *_PICTURES})

    def _there(self) -> Any:
        with presented():
            return _fallback.to_pandas(self._rows).plot

    def _reduced(self, kind: str, kwargs: dict) -> Any:
        if len(self._rows) < plot.LARGE or _backend(kwargs.get("backend")) not in ("matplotlib", "plotly"):
            return None
        if _backend(kwargs.get("backend")) == "matplotlib":
            plot.need("matplotlib.pyplot")
        given = {k: v for k, v in kwargs.items() if v is not None}
        return getattr(self, f"_{kind}_of_many")(given)

    def _columns(self, y: Any) -> dict[Any, Any] | None:
        """Columns of numbers by their labels, those of `y` if given; None where some are not numeric."""
        rows = self._rows
        if rows.ndim == 1:
            found = {rows.name: rows._column} if y is None else None
        else:
            labels = list(rows.columns) if y is None else list(y) if isinstance(y, list) else [y]
            known = (
                rows.columns.is_unique and all(k in rows.columns for k in labels) and len(set(labels)) == len(labels)
            )
            found = {k: rows[k]._column for k in labels} if known else None
        if not found:
            return None
        values = {k: _numbers(c) for k, c in found.items()}
        return None if any(v is None for v in values.values()) else values

    def _hist_of_many(self, given: dict) -> Any:
        bins, y, limits = given.pop("bins", 10), given.pop("y", None), given.get("range")
        values = self._columns(y)
        count = is_integer(bins)
        plain_bins = count or (isinstance(bins, (list, np.ndarray)) and np.ndim(bins) == 1)
        if (
            values is None
            or not plain_bins
            or not given.keys() <= _OF_HISTOGRAMS
            or _backend(given.get("backend")) != "matplotlib"
        ):
            return None
        import bascule as bc

        if any(bool(bc.isinf(v).any()) for v in values.values()):
            return None  # refused by pandas
        if count:
            common = np.result_type(*(v.dtype for v in values.values()))
            ends = [plot.finite_range(v) for v in values.values()]
            whole = np.array([min(e[0] for e in ends), max(e[1] for e in ends)], common)
            edges = np.histogram_bin_edges(whole, bins=bins, range=limits)
            counts = [bc.histogram(v, int(bins), (edges[0], edges[-1]))[0] for v in values.values()]
        else:
            edges = np.asarray(bins)
            counts = [bc.histogram(v, edges)[0] for v in values.values()]
        given.pop("range", None)
        weights = np.stack([np.asarray(c, np.float64) for c in counts], axis=1)
        return self._drawn("hist", self._like(plot.centres(edges), len(values), list(values)), given, bins=edges, weights=weights if len(values) > 1 else weights[:, 0])  # fmt: skip

    def _like(self, values: np.ndarray, n: int, labels: list, index: Any = None) -> Any:
        """The same values in each of some columns, as rows of pandas'."""
        if self._rows.ndim == 1:
            return pandas.Series(values, index=index, name=labels[0])
        return pandas.DataFrame(np.repeat(values[:, None], n, axis=1), index=index, columns=pandas.Index(labels))

    @staticmethod
    def _drawn(kind: str, rows: Any, given: dict, **more: Any) -> Any:
        with presented():
            return rows.plot(kind=kind, **_fallback.to_pandas(given), **more)

    def _line_of_many(self, given: dict) -> Any:
        x, y = given.pop("x", None), given.pop("y", None)
        values = self._columns(y) if x is None or self._rows.ndim == 2 else None
        if values is None or not given.keys() <= _STYLE:
            return None
        rows = self._rows
        if x is not None:
            over = _numbers(rows[x]._column) if rows.columns.is_unique and x in rows.columns else None
            if over is None or bool((over[1:] < over[:-1]).any()) or (y is None and x not in values):
                return None
            values = {k: v for k, v in values.items() if k != x or y is not None}
            index: Any = None
        else:
            index = rows.index
            if index.nlevels != 1 or index.dtype.kind not in "iufM" or not index.is_monotonic_increasing:
                return None
        if not values:
            return None
        import bascule as bc

        columns = 2 * self._width(given)
        found = {k: plot.envelope(v, columns) for k, v in values.items()}
        at = next(iter(found.values()))[0]
        if x is not None:
            index = pandas.Index(np.asarray(over[bc.asarray(at)]), name=x)
        else:
            index = _fallback.to_pandas(rows.index[at])
        if rows.ndim == 1:
            reduced: Any = pandas.Series(found[rows.name][1], index=index, name=rows.name)
        else:
            reduced = pandas.DataFrame({k: v for k, (_, v) in found.items()}, index=index)
        return self._drawn("line", reduced, given)

    @staticmethod
    def _width(given: dict) -> int:
        """Horizontal pixels of the plot."""
        if given.get("ax") is not None and hasattr(given["ax"], "get_window_extent"):
            return plot.pixels(given["ax"])[0]
        import matplotlib

        inches = given.get("figsize") or matplotlib.rcParams["figure.figsize"]
        return int(inches[0] * matplotlib.rcParams["figure.dpi"])

    def _scatter_of_many(self, given: dict) -> Any:
        x, y, c = given.pop("x", None), given.pop("y", None), given.pop("c", None)
        labels = [x, y] if c is None else [x, y, c]
        if self._rows.ndim == 1 or any(not isinstance(k, (str, int, tuple)) for k in labels):
            return None
        values = self._columns(labels)
        if values is None or not given.keys() <= (_OF_IMAGES | {"backend"}):
            return None
        where, what = (values[x], values[y]), None if c is None else values[c]
        if _backend(given.pop("backend", None)) == "plotly":
            if given:
                return None
            drawn = plot.scatter(*where, what, backend="plotly")
            return drawn.update_layout(xaxis_title=str(x), yaxis_title=str(y))
        cmap, colorbar = given.pop("cmap", None), given.pop("colorbar", True)
        cmap = given.pop("colormap", None) or cmap
        ends = {k: plot.finite_range(v) for k, v in ((x, where[0]), (y, where[1]))}
        corners = pandas.DataFrame({k: list(e) for k, e in ends.items()})
        ax = self._drawn("scatter", corners, given, x=x, y=y, alpha=0)  # axes, labels and limits as pandas makes them
        shown = plot.draw_image(plot.image(*where, plot.pixels(ax), what), ax, c is None, cmap)
        ax.autoscale_view()
        if colorbar:
            ax.figure.colorbar(shown, ax=ax, label="points" if c is None else str(c))
        return ax


def _of(rows: Any) -> Plot:
    return Plot(rows)


_of.__name__ = "plot"
del _of.__annotations__["return"]  # completers take it as the type, and read an accessor without
accessor = OfClass(_of, doc=Plot.__doc__)
