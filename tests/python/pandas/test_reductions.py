"""Reductions of frames and series, against pandas."""

from __future__ import annotations

import bascule as bc
import bascule.pandas as pd
import numpy as np
import pandas
import pytest
from bascule import _core
from frame_samples import SERIES, native_or_same
from frames import both
from pandas import DataFrame, Series

REDUCTIONS = (
    "sum",
    "prod",
    "mean",
    "var",
    "std",
    "sem",
    "min",
    "max",
    "any",
    "all",
    "count",
    "median",
    "nunique",
    "idxmin",
    "idxmax",
)
NUMBERS = ("float64", "float32", "int64", "int8", "uint32")
pytestmark = pytest.mark.filterwarnings("ignore")


def parts(s: Series) -> list[Series]:
    """The whole, no row, one row, some rows."""
    return [s, s.iloc[:0], s.iloc[1:2], s.iloc[2:]]


def is_exact(kind: str, name: str) -> bool:
    """Times and text are compared exactly, numbers within 1e-12."""
    return kind not in (*NUMBERS, "Float64", "Int64", "boolean", "bool")


@pytest.mark.parametrize("kind", SERIES)
@pytest.mark.parametrize("name", REDUCTIONS)
def test_series(kind, name):
    for s in parts(SERIES[kind]):
        native = native_or_same(lambda s: getattr(s, name)(), s, exact=is_exact(kind, name))
        assert native or kind not in NUMBERS
        if name not in ("count", "nunique", "any", "all"):
            native_or_same(lambda s: getattr(s, name)(skipna=False), s, exact=is_exact(kind, name))


@pytest.mark.parametrize("kind", NUMBERS)
def test_options(kind):
    for s in parts(SERIES[kind]):
        both(lambda s: s.sum(min_count=3), s, exact=False)
        both(lambda s: s.prod(min_count=2), s, exact=False)
        both(lambda s: s.var(ddof=0), s, exact=False)
        both(lambda s: s.mean(numeric_only=True), s, exact=False)
        both(lambda s: s.nunique(dropna=False), s)


@pytest.mark.parametrize("q", [0.5, 0.0, 1.0, 0.3, [0.1, 0.5, 0.99], np.array([0.25])], ids=repr)
def test_quantiles(q):
    for s in (SERIES["float64"], SERIES["int64"], Series([3.0, 1, 2], name="x"), Series([], dtype="f8")):
        both(lambda s: s.quantile(q), s, exact=False)
        both(lambda s: s.quantile(q, "lower"), s)


def test_agg():
    s = SERIES["float64"].rename("x")
    both(lambda s: s.agg("mean"), s)
    both(lambda s: s.agg(["sum", "min", "max"]), s)
    both(lambda s: s.agg({"a": "mean", "b": "max"}), s)
    f = DataFrame({"a": [1, 2, 3], "b": [1.5, np.nan, 2]})
    both(lambda f: f.agg("mean"), f)
    both(lambda f: f.agg(["sum", "min"]), f)
    both(lambda f: f.agg({"a": "sum", "b": "max"}), f)


FRAMES = {
    "numbers": DataFrame({"a": [1, 2, 3], "b": [1.5, np.nan, 2], "c": [3.0, 4, 5]}),
    "integers": DataFrame({"a": [1, 2, 3], "b": [4, 5, 6]}),
    "bools": DataFrame({"a": [True, False, True], "b": [True, True, False]}),
    "mixed": DataFrame({"a": [1, 2, 3], "b": ["x", None, "y"], "c": [1.0, 2, 3]}),
    "times": DataFrame({"a": pandas.to_datetime(["2020-01-01", None, "2021-01-01"])}),
    "NA": DataFrame({"a": Series([1, None, 3], dtype="Int64"), "b": [1, 2, 3]}),
    "empty": DataFrame({"a": [], "b": []}),
    "repeated labels": DataFrame([[1, 2.0], [3, 4]], columns=["a", "a"]),
    "labels": DataFrame({"a": [1.0, 2, 3], "b": [3, 2, 1]}, index=["z", "x", "y"]),
}


@pytest.mark.parametrize("kind", FRAMES)
@pytest.mark.parametrize("name", REDUCTIONS)
def test_frames(kind, name):
    f = FRAMES[kind]
    native = native_or_same(lambda f: getattr(f, name)(), f)
    assert native or kind not in ("numbers", "integers", "labels", "repeated labels")
    native_or_same(lambda f: getattr(f, name)(axis=1), f)
    if name not in ("any", "all", "nunique") and f.select_dtypes("number").shape[1]:
        native_or_same(lambda f: getattr(f, name)(numeric_only=True), f)


@pytest.mark.parametrize("name", ["sum", "mean", "min", "max", "count"])
def test_rows_need_no_pandas(name):
    both(lambda f: getattr(f, name)(axis=1), FRAMES["numbers"], exact=False)
    both(lambda f: getattr(f, name)(axis="columns"), FRAMES["integers"], exact=False)


def test_many_values():
    rng = np.random.default_rng(1)
    x = rng.normal(10, 3, size=300_000)
    for s in (Series(x), Series(np.where(rng.random(x.size) < 0.1, np.nan, x)), Series((x * 100).astype("i8"))):
        for name in ("sum", "min", "max", "count", "idxmax"):
            both(lambda s: getattr(s, name)(), s)
        for name in ("mean", "var", "std", "sem", "median"):
            both(lambda s: getattr(s, name)(), s, exact=False)


def test_a_mean_with_missing_values_is_one_pass():
    x = np.random.default_rng(0).normal(size=200_000)
    x[::7] = np.nan
    s = pd.Series(bc.asarray(x))
    before = _core.statistics()["plans"]
    assert s.mean() == pandas.Series(x).mean()
    assert _core.statistics()["plans"] - before <= 2  # a look at a few values, then all of them
