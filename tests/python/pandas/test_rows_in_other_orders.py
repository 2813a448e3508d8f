"""Columns whose rows lie in memory in another order or with gaps, as slices of taken rows do, against pandas."""

import bascule.pandas as pd
import numpy as np
import pandas
import pytest
from pandas.testing import assert_frame_equal, assert_series_equal

N = 240
MADE = {
    "strings": lambda r: np.array(["b", "c", "a", "c", "z", "b", "a long string of text"], object)[r.integers(0, 7, N)],
    "distinct strings": lambda r: np.array([f"k{i}" for i in r.permutation(N)], object),
    "missing strings": lambda r: np.array(["b", None, "a"], object)[r.integers(0, 3, N)],
    "integers": lambda r: r.integers(-3, 4, N),
    "floats": lambda r: np.array([1.5, np.nan, -2.0, 0.0])[r.integers(0, 4, N)],
    "booleans": lambda r: r.integers(0, 2, N) > 0,
    "dates": lambda r: np.array(["2020-01-01", "2021-02-03", "NaT"], "M8[ns]")[r.integers(0, 3, N)],
    "categories": lambda r: pandas.Categorical(np.array(["x", "y", "w"], object)[r.integers(0, 3, N)]),
}
TAKEN = {
    "reversed": lambda f: f.iloc[::-1],
    "every third": lambda f: f.iloc[1::3],
    "filtered, reversed": lambda f: f[f.v > 0].iloc[::-1],
    "filtered, every other": lambda f: f[f.v > 0].iloc[::2],
    "taken, reversed": lambda f: f.iloc[np.arange(0, N, 2)[::-1]].iloc[::-2],
    "sorted, reversed": lambda f: f.sort_values("v", kind="stable").iloc[::-1],
    "concatenated, reversed": lambda f: (pd if type(f).__module__.startswith("bascule") else pandas).concat([f, f.head(20)]).iloc[::-1],
}  # fmt: skip
USES = {
    "sum": lambda f: f.groupby("k", observed=True).v.sum(),
    "unsorted sum": lambda f: f.groupby("k", sort=False, observed=True).v.sum(),
    "several": lambda f: f.groupby("k", observed=True).agg({"v": ["min", "max", "count"], "w": "first"}),
    "size": lambda f: f.groupby("k", dropna=False, observed=True).size(),
    "two keys": lambda f: f.groupby(["k", "w"], observed=True).v.mean(),
    "transform": lambda f: f.groupby("k", observed=True).v.transform("sum"),
    "running": lambda f: f.groupby("k", observed=True).v.cumsum(),
    "median": lambda f: f.groupby("k", observed=True).v.median(),
    "counts": lambda f: f.k.value_counts(sort=False).sort_index(),
    "distinct": lambda f: f.drop_duplicates("k"),
    "repeated": lambda f: f.k.duplicated(keep="last"),
    "merged": lambda f: f.merge(f[["k", "w"]].drop_duplicates("k"), on="k"),
    "sorted": lambda f: f.sort_values(["k", "w"], kind="stable"),
    "ranks": lambda f: f.v.rank(),
    "pivoted": lambda f: f.pivot_table(index="k", columns="w", values="v", aggfunc="sum", observed=True),
    "among": lambda f: f.k.isin(f.k.head(2).tolist() if f.k.dtype == "category" else f.k.head(2)),
    "shifted": lambda f: f.k.shift(1),
    "filled": lambda f: f.k.ffill(),
    "labels": lambda f: f.set_index("k").v.sort_index(kind="stable"),
}  # fmt: skip


@pytest.mark.parametrize("use", USES)
@pytest.mark.parametrize("taken", TAKEN)
@pytest.mark.parametrize("kind", MADE)
def test_rows(kind, taken, use):
    r = np.random.default_rng(3)
    there = pandas.DataFrame({"k": MADE[kind](r), "v": r.normal(size=N), "w": r.integers(0, 3, N)})
    own = pd.from_pandas(there)
    got, want = (USES[use](TAKEN[taken](f)) for f in (own, there))
    compare = assert_frame_equal if isinstance(want, pandas.DataFrame) else assert_series_equal
    compare(pandas.DataFrame(got.to_pandas()) if compare is assert_frame_equal else got.to_pandas(), want)
