"""Plots of arrays of any size: their data are computed on the array's device and are no larger than the picture.

From `LARGE` points on, a histogram is drawn from its counts, a scatter plot is an image of the counts per pixel, and a
line is drawn by its extremes in each column of pixels. Fewer points are drawn as they are.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

import bascule as bc

if TYPE_CHECKING:
    from ._array.types import _ArrayLike
    from ._core import ndarray

__all__ = ["LARGE", "hist", "line", "scatter"]

LARGE = 100_000  # points
_PIXELS = 640, 480  # of a figure of unknown size
_AT_A_TIME = 1 << 23  # points: 64 MB of temporaries; in smaller blocks, clearing and adding the counts would dominate


class Image(NamedTuple):
    """Counts of points per pixel, or the mean of a quantity; the first axis is that of y."""

    pixels: np.ndarray
    x_edges: np.ndarray
    y_edges: np.ndarray

    @property
    def extent(self) -> tuple[float, float, float, float]:
        """Left, right, lower and upper end."""
        return float(self.x_edges[0]), float(self.x_edges[-1]), float(self.y_edges[0]), float(self.y_edges[-1])


def finite_range(x: ndarray) -> tuple[float, float]:
    """The least and the greatest finite number; (0, 1) if there is none."""
    low = float(bc.where(bc.isfinite(x), x, np.inf).min(initial=np.inf))
    high = float(bc.where(bc.isfinite(x), x, -np.inf).max(initial=-np.inf))
    return (low, high) if low <= high else (0.0, 1.0)


def _edges(limits: tuple[float, float], n: int) -> np.ndarray:
    return np.histogram_bin_edges(np.asarray(limits), bins=n)


def _bin(x: ndarray, edges: np.ndarray) -> ndarray:
    """The bins of numbers between the first and the last edge, equal to NumPy's, by arithmetic alone."""
    n = len(edges) - 1
    start, stop = float(edges[0]), float(edges[-1])
    step = (stop - start) / n  # edge k is k * step + start, as linspace computes it
    k = bc.floor((x - start) / step)
    k = k - (x < k * step + start)
    k = k + (x >= (k + 1) * step + start)
    return bc.minimum(k, n - 1)  # the last bin includes its right edge


def image(x: ndarray, y: ndarray, shape: tuple[int, int], c: ndarray | None = None) -> Image:
    """Points of the plane as an image of `shape` (width, height): their counts, equal to `histogram2d`, or the mean of
    `c`, NaN in pixels without points. Points that are not finite are ignored."""
    width, height = shape
    edges = _edges(finite_range(x), width), _edges(finite_range(y), height)
    counts, sums = np.zeros(width * height), np.zeros(width * height)
    for start in range(0, len(x), _AT_A_TIME):
        part = slice(start, start + _AT_A_TIME)
        px, py = x[part].astype(np.float64), y[part].astype(np.float64)
        at = _bin(px, edges[0]) * height + _bin(py, edges[1])
        outside = width * height
        flat = bc.where(bc.isfinite(px) & bc.isfinite(py), at, outside).astype(np.int64)
        counts += np.asarray(bc.bincount(flat, minlength=outside + 1))[:-1]
        if c is not None:
            sums += np.asarray(bc.bincount(flat, c[part], outside + 1))[:-1]
    if c is None:
        return Image(counts.reshape(shape).T, *edges)
    with np.errstate(invalid="ignore", divide="ignore"):
        return Image((sums / counts).reshape(shape).T, *edges)


def envelope(y: ndarray, columns: int) -> tuple[np.ndarray, np.ndarray]:
    """The range of a line through `y` in each of so many columns: indices in `y`, and the values there.

    Each column is two points, at its first and its last index: its least and its greatest value, in the order in which
    they occur. They are NaN if a column has no number.
    """
    n = len(y)
    size = -(-n // max(columns, 1))
    whole = n // size * size
    body = bc.reshape(y[:whole], (-1, size)).astype(np.float64)
    parts = [body] + ([bc.reshape(y[whole:], (1, -1)).astype(np.float64)] if whole < n else [])
    values = np.concatenate([_extremes(p) for p in parts])
    first = np.arange(0, n, size)
    positions = np.stack([first, np.minimum(first + size, n) - 1], axis=1)
    return positions.ravel(), values.ravel()


def _extremes(rows: ndarray) -> np.ndarray:
    """The least and the greatest number of each row, in the order in which they occur; NaN if there is none."""
    low, high, null = rows, rows, bc.isnan(rows)
    if bool(null.any()):
        low, high = bc.where(null, np.inf, rows), bc.where(null, -np.inf, rows)
    ends = [low.argmin(axis=1), high.argmax(axis=1)]
    least, most = (np.asarray(bc.take_along_axis(rows, at[:, None], axis=1))[:, 0] for at in ends)
    falls = np.asarray(ends[0] > ends[1])
    return np.stack([np.where(falls, most, least), np.where(falls, least, most)], axis=1)


def centres(edges: np.ndarray) -> np.ndarray:
    """The centre of each bin."""
    return edges[:-1] + np.diff(edges) / 2


def need(name: str) -> Any:
    """A plotting module; if it is missing, the error names the command to install it."""
    try:
        return importlib.import_module(name)
    except ModuleNotFoundError as error:
        package = name.partition(".")[0]
        if error.name not in (package, name):
            raise
        message = f"[plot] {package} draws plots and is not installed: pip install {package}"
        raise ModuleNotFoundError(message, name=package) from None


def _axes(ax: Any) -> Any:
    return ax if ax is not None else need("matplotlib.pyplot").gca()


def pixels(ax: Any) -> tuple[int, int]:
    """Width and height in pixels of matplotlib's axes."""
    box = ax.get_window_extent()
    return max(int(box.width), 1), max(int(box.height), 1)


def draw_image(found: Image, ax: Any, counts: bool, cmap: Any = None) -> Any:
    """Draw an image on matplotlib's axes: counts on a logarithmic scale, with empty pixels left blank."""
    norm = (
        importlib.import_module("matplotlib.colors").LogNorm() if counts and found.pixels.max(initial=0) > 1 else None
    )
    shown = np.ma.masked_less_equal(found.pixels, 0) if counts else np.ma.masked_invalid(found.pixels)
    return ax.imshow(shown, extent=found.extent, origin="lower", aspect="auto", interpolation="nearest", norm=norm, cmap=cmap)  # fmt: skip


def _plotly(backend: str, ax: Any) -> Any:
    if backend not in ("matplotlib", "plotly"):
        raise ValueError(f'[plot] backend must be "matplotlib" or "plotly", got {backend!r}')
    if backend == "matplotlib":
        return None
    if ax is not None:
        raise ValueError("[plot] plotly draws a figure of its own: ax= is matplotlib's")
    return need("plotly.graph_objects")


def _line_of(name: str, x: Any) -> ndarray:
    x = bc.asarray(x)
    if x.ndim != 1 or x.dtype.kind not in "biuf":
        raise TypeError(f"[plot] {name} must be real numbers along one axis, got {x.dtype.name} of shape {x.shape}")
    return x


def hist(
    x: _ArrayLike, bins: Any = 10, range: tuple[float, float] | None = None, *, ax: Any = None,
    backend: str = "matplotlib", **style: Any,
) -> Any:  # fmt: skip
    """Histogram, computed on the array's device.

    Parameters
    ----------
    x : array_like, shape (n,)
        Values; NaN is ignored.
    bins : int or array_like, optional
        Number of bins of equal width, or their edges.
    range : (float, float), optional
        First and last edge; the extremes by default.
    ax : matplotlib's Axes, optional
        The current ones by default.
    backend : {"matplotlib", "plotly"}, optional
    **style
        Options of `Axes.hist`, or of plotly's `Bar`.

    Returns
    -------
    Axes, or plotly's Figure

    Raises
    ------
    TypeError
        `x` has more than one axis, or no real numbers.
    ValueError
        The bins or the name of the backend are invalid.

    Examples
    --------
    >>> import bascule as bc
    >>> ax = bc.plot.hist(bc.arange(1000) % 7, bins=7)
    >>> [int(bar.get_height()) for bar in ax.patches][:3]
    [143, 143, 143]
    """
    plotly, x = _plotly(backend, ax), _line_of("x", x)
    if np.ndim(bins) == 0 and range is None:
        range = finite_range(x)
    found, edges = (np.asarray(a) for a in bc.histogram(x, bins, range))
    if plotly is not None:
        return plotly.Figure(plotly.Bar(x=centres(edges), y=found, width=np.diff(edges), **style))
    ax = _axes(ax)
    ax.hist(centres(edges), bins=edges, weights=found, **style)
    return ax


def scatter(
    x: _ArrayLike, y: _ArrayLike, c: _ArrayLike | None = None, *, shape: tuple[int, int] | None = None, ax: Any = None,
    backend: str = "matplotlib", cmap: Any = None,
) -> Any:  # fmt: skip
    """Scatter plot; many points are shown as an image of counts per pixel.

    Parameters
    ----------
    x, y : array_like, shape (n,)
        Coordinates; NaN and infinities are ignored.
    c : array_like, shape (n,), optional
        Values that determine the colours; with many points, the mean per pixel.
    shape : (int, int), optional
        Width and height of the image; those of the axes by default. If it is given, few points are drawn as an image,
        too.
    ax, backend
        As for `hist`.
    cmap : str, optional
        Name of a colour map.

    Returns
    -------
    Axes, or plotly's Figure

    Raises
    ------
    TypeError
        An argument has more than one axis, or no real numbers.
    ValueError
        Lengths differ, or there is no such backend.

    Examples
    --------
    >>> import bascule as bc
    >>> g = bc.random.default_rng(0)
    >>> ax = bc.plot.scatter(g.normal(size=200_000), g.normal(size=200_000), shape=(100, 100))
    >>> int(ax.images[-1].get_array().sum())
    200000
    """
    plotly = _plotly(backend, ax)
    x, y = _line_of("x", x), _line_of("y", y)
    c = None if c is None else _line_of("c", c)
    if len(x) != len(y) or (c is not None and len(c) != len(x)):
        raise ValueError("[plot] x, y and c must be of one length")
    few = len(x) < LARGE and shape is None
    if plotly is not None:
        if few:
            marker = {} if c is None else {"marker": {"color": np.asarray(c), "colorscale": cmap, "showscale": True}}
            return plotly.Figure(plotly.Scatter(x=np.asarray(x), y=np.asarray(y), mode="markers", **marker))
        found = image(x, y, shape or _PIXELS, c)
        blank = np.where(found.pixels > 0, found.pixels, np.nan) if c is None else found.pixels
        return plotly.Figure(plotly.Heatmap(z=blank, x=centres(found.x_edges), y=centres(found.y_edges), colorscale=cmap))  # fmt: skip
    ax = _axes(ax)
    if few:
        drawn = ax.scatter(np.asarray(x), np.asarray(y), c=None if c is None else np.asarray(c), cmap=None if c is None else cmap)  # fmt: skip
    else:
        drawn = draw_image(image(x, y, shape or pixels(ax), c), ax, c is None, cmap)
    if c is not None or not few:
        ax.figure.colorbar(drawn, ax=ax, label="points" if c is None else "")
    return ax


def line(
    y: _ArrayLike, x: _ArrayLike | None = None, *, columns: int | None = None, ax: Any = None,
    backend: str = "matplotlib", **style: Any,
) -> Any:  # fmt: skip
    """Line plot; for many points, the minimum and maximum of each column of pixels.

    Parameters
    ----------
    y : array_like, shape (n,)
        Values; NaN interrupts the line of few points; with many, a column without numbers does.
    x : array_like, shape (n,), optional
        Ascending coordinates; the indices by default.
    columns : int, optional
        Number of columns; twice as many as pixels by default.
    ax, backend
        As for `hist`.
    **style
        Options of `Axes.plot`, or of plotly's `Scatter`.

    Returns
    -------
    Axes, or plotly's Figure

    Raises
    ------
    TypeError
        An argument has more than one axis, or no real numbers.
    ValueError
        Lengths differ, `x` of many points is not ascending, or there is no such backend.

    Examples
    --------
    >>> import bascule as bc
    >>> ax = bc.plot.line(bc.sin(bc.linspace(0, 20, 1_000_000)), columns=500)
    >>> len(ax.lines[-1].get_xdata())
    1000
    """
    plotly, y = _plotly(backend, ax), _line_of("y", y)
    x = None if x is None else _line_of("x", x)
    if x is not None and len(x) != len(y):
        raise ValueError("[plot] x and y must be of one length")
    ax = _axes(ax) if plotly is None else None
    if len(y) < LARGE and columns is None:
        at, values = np.arange(len(y)) if x is None else np.asarray(x), np.asarray(y)
    else:
        if x is not None and bool((x[1:] < x[:-1]).any()):
            raise ValueError("[plot] x of a line of many points must ascend")
        at, values = envelope(y, columns or 2 * (_PIXELS[0] if ax is None else pixels(ax)[0]))
        at = at if x is None else np.asarray(x[bc.asarray(at)])
    if plotly is not None:
        return plotly.Figure(plotly.Scatter(x=at, y=values, mode="lines", **style))
    ax.plot(at, values, **style)
    return ax
