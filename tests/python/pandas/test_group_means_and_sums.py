"""Aggregations of grouped floats: the types that pandas gives means, and sums that overflow."""

from __future__ import annotations

import numpy as np
import pandas
import pytest
from frame_samples import native_or_same
from frames import both
from pandas import DataFrame, Series

SORTED = np.array([1, 1, 1, 2, 2, 3])
MIXED = np.array([2, 1, 2, 1, 3, 2])
X = np.array([0.125, 0.25, 0.75, 0.375, 0.875, 2.5])
pytestmark = pytest.mark.filterwarnings("ignore")


def frame(keys: np.ndarray, dtype: str, missing: bool) -> DataFrame:
    x = np.where(np.arange(6) == 2, np.nan, X) if missing else X
    return DataFrame({"k": keys, "x": Series(x).astype(dtype), "y": Series(X).astype(dtype)})


@pytest.mark.parametrize("missing", [False, True])
@pytest.mark.parametrize("keys", [SORTED, MIXED, -SORTED], ids=["sorted", "mixed", "descending"])
@pytest.mark.parametrize("dtype", ["f2", "f4", "f8", "Float32"])
def test_means_and_sums(dtype, keys, missing):
    f = frame(keys, dtype, missing and dtype != "Float32")
    for name in ("mean", "sum", "std" if dtype == "f8" else "max", "min"):
        for options in ({}, {"sort": False}, {"as_index": False}):
            native_or_same(lambda f: getattr(f.groupby("k", **options), name)(), f)
        native_or_same(lambda f: getattr(f.groupby("k").y, name)(), f)
        native_or_same(lambda f: f.groupby("k").agg({"x": name, "y": [name]}), f)
        native_or_same(lambda f: f.groupby("k").transform(name), f)
        native_or_same(lambda f: getattr(f.groupby(["k", "k"]), name)(), f)


@pytest.mark.parametrize("dtype", ["f2", "f4", "f8"])
@pytest.mark.parametrize("name", ["mean", "sum", "cumsum", "max"])
def test_bins_of_time(name, dtype):
    f = frame(SORTED, dtype, False).set_axis(pandas.date_range("2020", periods=6, freq="h"))
    if name != "cumsum":
        native_or_same(lambda f: getattr(f.resample("2h"), name)(), f)
    native_or_same(lambda f: getattr(f.groupby(pandas.Grouper(freq="4h")), name)(), f)


def test_missing_keys_come_first_or_not():
    for keys in ([np.nan, 1, 1, 2, 2, 3], [1, 1, np.nan, 2, 2, 3]):
        for dropna in (True, False):
            f = DataFrame({"k": keys, "x": X.astype("f4")})
            both(lambda f: f.groupby("k", dropna=dropna).mean(), f, exact=False)


@pytest.mark.parametrize("dtype", ["f4", "f8"])
def test_a_sum_that_overflows_is_infinite(dtype):
    most = np.finfo(dtype).max
    s = Series(np.array([most, most, 1, most, -most], dtype))
    for keys in ([1, 1, 1, 2, 2], [2, 2, 1, 2, 1]):
        both(lambda s: s.groupby(np.array(keys)).sum().isin([np.inf]), s)
