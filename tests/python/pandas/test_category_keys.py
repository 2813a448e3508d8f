"""Groups by categories: labels are categories, in their order, and nothing runs in pandas."""

import bascule as bc
import bascule.pandas
import numpy as np
import pandas
import pytest
from pandas import testing


def frame(n=40, ordered=False, missing=True):
    rng = np.random.default_rng(n)
    codes = rng.integers(-1 if missing else 0, 4, n)
    codes[codes == 0] = 1  # no row has the first category
    return pandas.DataFrame({
        "c": pandas.Categorical.from_codes(codes, categories=["z", "c", "b", "a"], ordered=ordered),
        "e": pandas.Categorical.from_codes(rng.integers(0, 3, n), categories=[10, 20, 5]),
        "k": rng.integers(0, 3, n), "x": rng.random(n), "i": rng.integers(0, 9, n),
    })  # fmt: skip


CALLS = {
    "sum": lambda g: g[["x", "i"]].sum(),
    "mean": lambda g: g.x.mean(),
    "size": lambda g: g.size(),
    "first": lambda g: g[["x", "i"]].first(),
    "two aggregations": lambda g: g.agg({"x": ["min", "max"], "i": "sum"}),
    "named": lambda g: g.agg(a=("x", "median"), b=("i", "nunique")),
    "transform": lambda g: g[["x", "i"]].transform("sum"),
    "cumsum": lambda g: g.x.cumsum(),
    "ngroup": lambda g: g.ngroup(),
    "head": lambda g: g.head(1),
    "rank": lambda g: g.x.rank(),
    "ngroups": lambda g: g.ngroups,
}


def compare(call, df, **options):
    wanted = call(df.groupby(**options))
    with bc.config.set(fallback="error"):
        found = call(bascule.pandas.from_pandas(df).groupby(**options))
    if not hasattr(wanted, "index"):
        assert found == wanted
        return
    check = testing.assert_frame_equal if wanted.ndim == 2 else testing.assert_series_equal
    check(found.to_pandas(), wanted)


@pytest.mark.parametrize("call", CALLS.values(), ids=CALLS)
@pytest.mark.parametrize("by", ["c", ["c", "k"], ["k", "c"], ["c", "e"]], ids=str)
def test_groups_are_pandas_own(by, call):
    for options in ({}, {"sort": False}, {"dropna": False}, {"as_index": False}, {"sort": False, "dropna": False}):
        compare(call, frame(), by=by, **options)
    compare(call, frame(ordered=True, missing=False), by=by)


@pytest.mark.parametrize("call", CALLS.values(), ids=CALLS)
def test_groups_of_no_rows(call):
    compare(call, frame(0), by="c")


def test_every_category_is_a_group_where_all_are_asked_for():
    df = frame()
    compare(CALLS["sum"], df, by="e", observed=False)  # each has rows
    theirs = df.groupby("c", observed=False).x.sum()
    with bc.config.set(fallback="silent"):
        found = bascule.pandas.from_pandas(df).groupby("c", observed=False).x.sum()
    testing.assert_series_equal(found.to_pandas(), theirs)


def test_a_level_of_the_index_is_a_key():
    df = frame(missing=False).set_index("c")
    compare(lambda g: g.x.sum(), df, level=0)
    compare(lambda g: g.x.sum(), df.set_index("k", append=True), level="c")


@pytest.mark.parametrize("sort", [True, False])
def test_what_gives_way_is_pandas_own(sort):
    df = frame()
    ours = bascule.pandas.from_pandas(df)
    with bc.config.set(fallback="silent"):
        counts = ours.groupby("c", sort=sort).i.value_counts()
        described = ours.groupby(["k", "c"], sort=sort).x.describe()
    testing.assert_series_equal(counts.to_pandas(), df.groupby("c", sort=sort).i.value_counts())
    testing.assert_frame_equal(described.to_pandas(), df.groupby(["k", "c"], sort=sort).x.describe())


@pytest.mark.parametrize("observed", [True, False])
def test_positions_of_groups_leave_missing_categories_out(observed):
    key, v = pandas.Series(pandas.Categorical(["a", None, "b", "a"])), pandas.Series([1, 2, 3, 4])
    want = v.groupby(key, dropna=False, observed=observed).indices
    got = bascule.pandas.Series(v).groupby(bascule.pandas.Series(key), dropna=False, observed=observed).indices
    assert {k: p.tolist() for k, p in got.items()} == {k: p.tolist() for k, p in want.items()}
