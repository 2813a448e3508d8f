"""Errors of grouped frames and series in pandas' words; groups by the text of a date; keys of several levels of columns."""

from __future__ import annotations

import datetime
from typing import Any

import bascule as bc
import numpy as np
import pandas
import pytest
from frame_samples import native_or_same
from frames import ours
from pandas import DataFrame, MultiIndex, Timestamp

ROWS = DataFrame({"k": [1, 1, 2], "x": [1.5, 2, 3], "s": ["a", "b", "a"]})
ROWS["t"] = pandas.to_datetime(["2000-01-01", "2000-01-02", "2000-01-02"])
NAMES = (
    "sum", "mean", "median", "min", "var", "skew", "kurt", "any", "count", "nunique", "first", "idxmin", "size", "cumsum",
    "cumcount", "shift", "diff", "rank", "ffill", "head", "ngroup", "describe", "value_counts", "pct_change", "nth",
)  # fmt: skip
pytestmark = pytest.mark.filterwarnings("ignore")


def assert_fails_alike(f: Any, *objects: Any) -> None:
    """The same class of error in the same words; or the same result."""
    try:
        f(*objects)
    except Exception as e:
        expected = e
    else:
        native_or_same(f, *objects)
        return
    with bc.config.set(fallback="silent"), pytest.raises(type(expected)) as found:
        f(*ours(list(objects)))
    assert str(found.value) == str(expected)


@pytest.mark.parametrize("name", NAMES)
def test_unknown_arguments(name):
    for chosen in (lambda f: f.groupby("k"), lambda f: f.groupby("k").x):
        assert_fails_alike(lambda f: getattr(chosen(f), name)(nope=1), ROWS)
        if name not in ("cumsum", "idxmin"):
            assert_fails_alike(lambda f: getattr(chosen(f), name)(*range(12)), ROWS)


@pytest.mark.parametrize("name", ["kurt", "cummin", "cummax"])
def test_arguments_that_change_nothing(name):
    f = ROWS[["k", "x"]]
    native_or_same(lambda f: getattr(f.groupby("k"), name)(min_count=1), f)
    native_or_same(lambda f: getattr(f.groupby("k").x, name)(min_count=1), f)


@pytest.mark.parametrize("name", ["max", "sum", "nunique", "nope", "_x", "skew"])
def test_names_of_aggregations(name):
    for chosen in (lambda f: f[["k", "x"]].groupby("k"), lambda f: f.groupby("k").x):
        assert_fails_alike(lambda f: chosen(f).agg(name), ROWS)
    assert_fails_alike(lambda f: f.groupby("k").agg(name, axis=1), ROWS)


def test_numbers_only_of_series():
    for name in ("sum", "mean", "max"):
        for given in (True, 1):
            assert_fails_alike(lambda f: getattr(f.groupby("k").s, name)(numeric_only=given), ROWS)
    assert_fails_alike(lambda f: f.groupby("k").s.cumsum(numeric_only=True), ROWS)


@pytest.mark.parametrize(
    "name",
    [
        "2000-01-02", "2000-01", "nope", Timestamp("2000-01-02"), datetime.datetime(2000, 1, 2), datetime.date(2000, 1, 2),
        np.datetime64("2000-01-02"), 5, ("2000-01-02",),
    ],
    ids=repr,
)  # fmt: skip
def test_groups_of_dates(name):
    assert_fails_alike(lambda f: f.groupby("t").get_group(name), ROWS)
    assert_fails_alike(lambda f: f.groupby("t").x.get_group(name), ROWS)
    assert_fails_alike(lambda f: f.groupby(["t"]).get_group((name,)), ROWS)
    assert_fails_alike(lambda f: f.groupby(["t", "k"]).get_group((name, 1)), ROWS)


@pytest.mark.parametrize("by", ["a", ("a", ""), ["a"], "b", ("b", "c"), "zz"], ids=str)
def test_keys_of_several_levels_of_columns(by):
    columns = MultiIndex.from_tuples([("a", ""), ("b", "c"), ("b", "d")])
    f = DataFrame([[1, 2, 3], [1, 5, 6], [2, 0, 1]], columns=columns)
    for name in ("sum", "mean", "size", "first"):
        assert_fails_alike(lambda f: getattr(f.groupby(by), name)(), f)
    assert_fails_alike(lambda f: f.groupby(by).transform("sum"), f)
    assert_fails_alike(lambda f: f.groupby(by, as_index=False).sum(), f)
