"""describe, corr and cov against pandas."""

from __future__ import annotations

import bascule.pandas as pd
import numpy as np
import pandas
import pytest
from frame_samples import SERIES, native_or_same
from frames import both
from lazy_arrays import plans
from pandas import DataFrame, Series

rng = np.random.default_rng(3)
X = rng.normal(5, 2, size=(500, 3))
WHOLE = DataFrame(X, columns=["a", "b", "c"]).assign(n=rng.integers(0, 9, 500))
NULLS = WHOLE.mask(pandas.DataFrame(rng.random((500, 4)) < 0.2, columns=WHOLE.columns))
pytestmark = pytest.mark.filterwarnings("ignore")


@pytest.mark.parametrize("frame", [WHOLE, NULLS], ids=["whole", "holes"])
@pytest.mark.parametrize(
    "f",
    [
        lambda f: f.describe(),
        lambda f: f.a.describe(),
        lambda f: f.assign(t="x", b=True).describe(),
        lambda f: f.corr(),
        lambda f: f.cov(),
        lambda f: f.cov(ddof=0),
        lambda f: f.corr(min_periods=400),
        lambda f: f.assign(t="x").corr(numeric_only=True),
        lambda f: f.a.corr(f.b),
        lambda f: f.a.cov(f.n),
    ],
)
def test_moments(f, frame):
    both(f, frame, exact=False)


@pytest.mark.parametrize("kind", SERIES)
def test_of_every_type(kind):
    for s in (SERIES[kind], SERIES[kind].iloc[:0], SERIES[kind].iloc[:1]):
        native_or_same(lambda s: s.describe(), s)
        native_or_same(lambda s: s.to_frame("x").describe(), s)


def test_constant_columns_have_no_correlation():
    both(lambda f: f.corr(), DataFrame({"a": [1.0, 1, 1], "b": [1.0, 2, 3]}), exact=False)
    both(lambda s: s.corr(s * 2), Series([1.0, np.nan, 3, 5]), exact=False)


@pytest.mark.parametrize("rows", [1, 2, 3, 50, 6000])
@pytest.mark.parametrize("least", [1, 2, 40])
def test_pairs_with_nulls_in_common(rows, least):
    rng = np.random.default_rng(rows)
    whole = rng.normal(5, 2, (rows, 6))
    nulls = rng.random(rows)
    frame = pandas.DataFrame(whole, columns=list("abcdef"))
    frame["b"] = frame["b"].where(nulls > 0.2)  # c lacks what b lacks, d more, e others, f all
    frame["c"] = frame["c"].where(nulls > 0.2)
    frame["d"] = frame["d"].where(nulls > 0.4)
    frame["e"] = frame["e"].where(nulls < 0.9)
    frame["f"] = np.nan
    both(lambda x: x.corr(min_periods=least), frame, exact=False)
    both(lambda x: x.cov(min_periods=least), frame, exact=False)
    both(lambda x: x[["a"]].corr(), frame, exact=False)
    both(lambda x: x[["a", "b"]].round().cov(ddof=0), frame, exact=False)


@pytest.mark.parametrize(
    ("name", "most"),
    [("mean", 1), ("std", 2), ("corr", 14), ("cov", 14)],  # three columns need 30 and 21 sums
)
def test_sums_that_wait_together_share_their_passes(name, most):
    rng = np.random.default_rng(4)
    a = np.where(rng.random((100_000, 3)) < 0.2, np.nan, rng.normal(size=(100_000, 3)))
    a[0] = np.nan
    f = pd.DataFrame({c: np.ascontiguousarray(a[:, k]) for k, c in enumerate("abc")})
    before = plans()
    made = getattr(f if most > 2 else f.a, name)()
    assert plans() - before <= most
    assert np.isfinite(np.asarray(made)).all()


PAIRS = {
    "two": ([0.0, 1.0], [1.0, 0.0]),
    "one": ([1.0], [2.0]),
    "equal": ([2.0, 2.0], [1.0, 2.0]),
    "large": ([2.5, 1e300, 2.5], [2.5, 2.5, 1e300]),
    "very large": ([1.7e308, -1.7e308, 1.0], [1.0, -1.7e308, 1.7e308]),
    "small": ([1e-200, 2e-200, 5e-200], [5e-200, 2e-200, 1e-200]),
    "subnormal": ([5e-324, 1e-323, 0.0], [0.0, 1e-323, 5e-324]),
    "missing": ([np.nan, 1e300, 2.5, 2.5], [2.5, 2.5, 1e300, np.nan]),
}


@pytest.mark.filterwarnings("ignore::RuntimeWarning")
@pytest.mark.parametrize("kind", PAIRS)
def test_covariances_without_degrees_of_freedom_and_correlations_of_extremes(kind):
    x, y = map(Series, PAIRS[kind])
    f = DataFrame({"a": x, "b": y})
    for ddof in (0, 1, 2, 3):
        if "large" not in kind and kind != "missing":
            both(lambda x, y: x.cov(y, ddof=ddof), x, y, exact=False)
            both(lambda f: f.cov(ddof=ddof), f, exact=False)
    for a, b in ((x, x), (x, y)):
        both(lambda a, b: a.corr(b), a, b, exact=False)
    both(lambda f: f.corrwith(f["a"]), f, exact=False)


@pytest.mark.parametrize("shape", [[1, 0.5, 0.25, 1], [1, 1, 1, 1], [1, 1 + 1e-4, 1, 1], [1, 0, np.nan, 1]])
@pytest.mark.parametrize("scale", [1e160, 1e170, 1e300])
def test_correlations_of_frames_whose_squares_overflow(scale, shape):
    both(lambda f: f.corr(), DataFrame({"a": np.multiply(shape, scale), "b": [1.0, 2, 4, 3]}), exact=False)


def test_covariances_without_degrees_of_freedom_warn():
    for lib in (pandas, pd):
        with pytest.warns(RuntimeWarning, match="Degrees of freedom <= 0"):
            lib.DataFrame({"a": [0.0, 1.0]}).cov(ddof=2)
        with pytest.warns(RuntimeWarning, match="Degrees of freedom <= 0"):
            lib.Series([0.0, 1.0]).cov(lib.Series([0.0, 1.0]), ddof=2)


def test_what_is_set_alongside_itself_correlates_by_one():
    rng = np.random.default_rng(0)
    for scale in (1e-150, 1e-3, 1.0, 7e5, 1e150):
        frame = pd.from_pandas(DataFrame(rng.normal(size=(24, 8)) * scale))
        assert (np.diag(frame.corr().to_numpy()) == 1).all() and frame[0].corr(frame[0]) == 1, scale
        holed = frame.where(frame != frame.iloc[3, 2])
        assert (np.diag(holed.corr().to_numpy()) == 1).all()
