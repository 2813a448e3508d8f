"""Plots of many points: the drawn counts are those of NumPy and pandas for all points."""

import bascule as bc
import bascule.pandas as pd
import matplotlib
import numpy as np
import pandas
import pytest
from bascule import plot

matplotlib.use("agg")
from matplotlib import pyplot

N = 1_000_000


@pytest.fixture(autouse=True)
def close_figures():
    yield
    pyplot.close("all")


@pytest.fixture(scope="module")
def points():
    g = np.random.default_rng(7)
    x, y = g.normal(size=N), g.normal(size=N)
    x[::1000], y[::777] = np.nan, np.inf
    return x, y, g.random(N)


def finite(x, y, *more):
    there = np.isfinite(x) & np.isfinite(y)
    return [a[there] for a in (x, y, *more)]


def test_a_scatter_of_a_million_points_is_their_histogram(points):
    x, y, _ = points
    ax = pd.DataFrame({"x": x, "y": y}).plot.scatter("x", "y")
    (image,) = ax.images
    height, width = image.get_array().shape
    limits = [[x[np.isfinite(x)].min(), x[np.isfinite(x)].max()], [y[np.isfinite(y)].min(), y[np.isfinite(y)].max()]]
    counts, xe, ye = np.histogram2d(*finite(x, y), bins=(width, height), range=limits)
    np.testing.assert_array_equal(image.get_array().filled(0), counts.T)
    assert image.get_extent() == [xe[0], xe[-1], ye[0], ye[-1]]
    assert (ax.get_xlabel(), ax.get_ylabel()) == ("x", "y")
    assert (width, height) == plot.pixels(ax) or ax.figure.axes[-1] is not ax  # the colour bar used some of the width


def test_colours_are_means(points):
    x, y, c = points
    ax = bc.plot.scatter(bc.array(x), bc.array(y), bc.array(c), shape=(50, 40))
    x, y, c = finite(x, y, c)
    counts, *edges = np.histogram2d(x, y, bins=(50, 40))
    sums = np.histogram2d(x, y, bins=(50, 40), weights=c)[0]
    shown = ax.images[0].get_array()
    np.testing.assert_array_equal(np.ma.getmaskarray(shown), counts.T == 0)
    np.testing.assert_allclose(shown.compressed(), (sums.T[counts.T > 0] / counts.T[counts.T > 0]), rtol=1e-9)


def test_few_points_are_points():
    ax = bc.plot.scatter([1, 2, 3], [4, 5, 6], c=[0, 1, 2])
    np.testing.assert_array_equal(ax.collections[0].get_offsets(), [[1, 4], [2, 5], [3, 6]])


@pytest.mark.parametrize("bins", [10, 37, [-2.0, -0.5, 0.0, 3.0]], ids=["ten", "many", "edges"])
def test_histograms_of_frames_are_pandas(points, bins):
    x, y, c = points
    data = {"x": np.nan_to_num(x), "c": c}
    theirs = pandas.DataFrame(data).plot.hist(bins=bins)
    pyplot.figure()
    ours = pd.DataFrame(data).plot.hist(bins=bins)
    bars = [[(b.get_x(), b.get_width(), b.get_height()) for b in ax.patches] for ax in (ours, theirs)]
    np.testing.assert_allclose(bars[0], bars[1], rtol=1e-12)
    assert [b[2] for b in bars[0]] == [b[2] for b in bars[1]]
    assert ours.get_ylabel() == theirs.get_ylabel() == "Frequency"
    strings = [[t.get_text() for t in ax.get_legend().get_texts()] for ax in (ours, theirs)]
    assert strings[0] == strings[1] == ["x", "c"]


@pytest.mark.parametrize("options", [{}, {"density": True}, {"range": (0, 1)}, {"cumulative": True}], ids=str)
def test_histograms_of_series_are_pandas(points, options):
    c = points[2]
    theirs = pandas.Series(c, name="c").plot.hist(**options)
    pyplot.figure()
    ours = pd.Series(c, name="c").plot.hist(**options)
    heights = [[b.get_height() for b in ax.patches] for ax in (ours, theirs)]
    np.testing.assert_allclose(heights[0], heights[1], rtol=1e-12)


def test_arrays_have_histograms(points):
    ax = bc.plot.hist(bc.array(points[2]), bins=20)
    assert [int(b.get_height()) for b in ax.patches] == np.histogram(points[2], 20)[0].tolist()
    assert int(sum(b.get_height() for b in bc.plot.hist(bc.array([1.0, np.nan, 2.0]), bins=2).patches[-2:])) == 2


@pytest.mark.parametrize("n", [100_000, 123_457])
def test_a_line_covers_what_all_of_it_covers(n):
    y = np.cumsum(np.random.default_rng(1).normal(size=n))
    y[5000:6000] = np.nan
    at, values = plot.envelope(bc.array(y), 500)
    size = -(-n // 500)
    assert at[0] == 0 and at[-1] == n - 1 and bool((np.diff(at) >= 0).all())
    for k in range(len(at) // 2):
        part = y[k * size : (k + 1) * size]
        part = part[~np.isnan(part)]
        pair = values[2 * k : 2 * k + 2]
        if len(part) == 0:
            assert np.isnan(pair).all()
            continue
        assert (min(pair), max(pair)) == (part.min(), part.max())
        assert (pair[0] <= pair[1]) == (part.argmin() <= part.argmax())


def test_lines_of_frames_have_labels_and_few_points():
    times = pandas.date_range("2020-01-01", periods=200_000, freq="min")
    y = np.sin(np.linspace(0, 60, 200_000))
    ax = pd.DataFrame({"a": y, "b": y * 2}, index=times).plot()
    assert [t.get_text() for t in ax.get_legend().get_texts()] == ["a", "b"]
    for line, most in zip(ax.lines, (1, 2)):
        drawn = np.asarray(line.get_ydata(), float)
        assert len(drawn) < 10_000
        np.testing.assert_allclose([drawn.min(), drawn.max()], [-most, most], atol=1e-6)
    over = pd.DataFrame({"t": np.arange(200_000.0), "y": y}).plot(x="t", y="y")
    assert over.get_xlabel() == "t" and len(over.lines[0].get_xdata()) < 10_000


@pytest.mark.parametrize("kind", ["line", "hist", "bar", "box"])
def test_small_frames_are_drawn_by_pandas(kind):
    data = {"x": [1.0, 2.0, 5.0], "y": [3.0, 1.0, 2.0]}
    theirs = pandas.DataFrame(data).plot(kind=kind)
    pyplot.figure()
    ours = pd.DataFrame(data).plot(kind=kind)
    for get in ("lines", "patches"):
        assert len(getattr(ours, get)) == len(getattr(theirs, get))
    for a, b in zip(ours.lines, theirs.lines):
        np.testing.assert_array_equal(a.get_xydata(), b.get_xydata())


def test_what_only_rows_can_answer_is_pandas(points):
    df = pd.DataFrame({"x": points[2][:120_000], "y": points[2][-120_000:], "s": ["a", "b"] * 60_000})
    assert len(df.plot.scatter("x", "y", s=1).collections) == 1  # a size of markers asks for single points
    assert df.plot.hist(y="x", weights=np.ones(120_000)).patches
    with pytest.raises(TypeError, match="no numeric data"):
        df[["s"]].plot()


def test_members_are_pandas_own():
    df = pd.DataFrame({"x": [1.0, 2.0], "y": [3.0, 4.0]})
    assert {"area", "bar", "hexbin", "line", "scatter"} <= set(dir(df.plot))
    assert df.plot.bar().patches and df.x.plot.area().collections
    with pytest.raises(AttributeError, match="nothing"):
        df.plot.nothing


@pytest.mark.parametrize(
    ("call", "error"),
    [
        (lambda: bc.plot.hist([[1, 2]]), TypeError),
        (lambda: bc.plot.hist(["a"]), TypeError),
        (lambda: bc.plot.scatter([1, 2], [1]), ValueError),
        (lambda: bc.plot.line([1, 2], [1]), ValueError),
        (lambda: bc.plot.line(bc.ones(10), bc.arange(10)[::-1], columns=2), ValueError),
        (lambda: bc.plot.hist([1], backend="bokeh"), ValueError),
    ],
    ids=["two axes", "text", "lengths", "lengths of a line", "x descends", "backend"],
)
def test_bad_arguments_are_refused(call, error):
    with pytest.raises(error, match="plot|arrays hold"):
        call()


@pytest.mark.parametrize("package", ["matplotlib", "plotly"])
def test_what_is_missing_is_named(monkeypatch, package):
    monkeypatch.setitem(__import__("sys").modules, package, None)
    for module in ("matplotlib.pyplot", "plotly.graph_objects"):
        monkeypatch.delitem(__import__("sys").modules, module, raising=False)
    with pytest.raises(ModuleNotFoundError, match=f"pip install {package}$"):
        bc.plot.hist([1, 2], backend=package)


def test_plotly_is_given_the_same(monkeypatch, points):
    """Uses a module that records its arguments, since plotly is not among the tests' requirements."""
    made = type(
        "module", (), {n: staticmethod(lambda *a, n=n, **k: (n, a, k)) for n in ("Bar", "Heatmap", "Scatter", "Figure")}
    )
    monkeypatch.setitem(__import__("sys").modules, "plotly", made)
    monkeypatch.setitem(__import__("sys").modules, "plotly.graph_objects", made)
    x, y, c = points
    _, ((_, _, bar),), _ = bc.plot.hist(bc.array(c), bins=20, backend="plotly")
    np.testing.assert_array_equal(bar["y"], np.histogram(c, 20)[0])
    _, ((_, _, heat),), _ = bc.plot.scatter(bc.array(x), bc.array(y), shape=(30, 20), backend="plotly")
    counts = np.histogram2d(*finite(x, y), bins=(30, 20), range=[plot.finite_range(bc.array(v)) for v in (x, y)])[0].T
    np.testing.assert_array_equal(heat["z"], np.where(counts > 0, counts, np.nan))
    _, ((_, _, line),), _ = bc.plot.line(bc.array(c), columns=100, backend="plotly")
    assert len(line["x"]) == 200
    with pytest.raises(ValueError, match="ax="):
        bc.plot.hist(c, backend="plotly", ax=pyplot.gca())


def test_rows_out_of_order_and_infinite_values_are_left_to_pandas():
    y = np.sin(np.linspace(0, 60, 120_000))
    at = np.random.default_rng(0).permutation(len(y))
    drawn = pd.Series(y, index=at).plot().lines[0]
    assert len(drawn.get_xdata()) == len(y)
    with pytest.raises(ValueError):
        pd.Series(np.append(y, np.inf)).plot.hist()
    two = pd.DataFrame({"a": y}).plot.line(y=["a", "a"])
    assert len(two.lines) == 2
