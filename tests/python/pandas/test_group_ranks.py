"""Medians, quantiles and numbers of distinct values of groups, against pandas: what the rows' ranks decide."""

import bascule as bc
import bascule.pandas as pd
import numpy as np
import pandas
import pytest
from frames import both
from hypothesis import given, settings
from hypothesis import strategies as st

DTYPES = ["f8", "f4", "i8", "u8", "i4", "i2", "u1", "b", "M", "m", "Int64", "Float64", "text", "few texts"]


def values(kind: str, n: int, rng: np.random.Generator, different: int) -> pandas.Series:
    whole = rng.integers(0, different, n)
    gone = rng.random(n) < rng.choice([0.0, 0.2, 0.9])
    if kind in ("f8", "f4"):
        x = np.where(gone, np.nan, rng.normal(size=different)[whole]).astype(kind)
        return pandas.Series(np.where(rng.random(n) < 0.05, rng.choice([0.0, -0.0, np.inf, -np.inf]), x).astype(kind))
    if kind in ("M", "m"):
        x = (whole * 86_400_000_000_007).astype(f"{kind}8[us]")
        x[gone] = "NaT"
        return pandas.Series(x)
    if kind in ("Int64", "Float64"):
        return pandas.Series(whole).astype(kind).mask(gone)
    if "text" in kind:
        return pandas.Series([f"t{v % 5 if kind == 'few texts' else v}" for v in whole], dtype="str").mask(gone)
    if kind == "b":
        return pandas.Series(whole % 2 == 0)
    info = np.iinfo(kind)
    return pandas.Series(rng.integers(info.min, info.max, different, dtype=kind, endpoint=True)[whole])


def table(kind: str, n: int, groups: int, rng: np.random.Generator, different: int) -> pandas.DataFrame:
    k = np.sort(rng.integers(0, groups, n)) if rng.random() < 0.3 else rng.integers(0, groups, n)
    key = np.where(rng.random(n) < rng.choice([0.0, 0.1]), np.nan, k)  # rows of no group
    return pandas.DataFrame({"k": key, "x": values(kind, n, rng, different)})


@settings(deadline=None, max_examples=60)
@given(
    st.sampled_from(DTYPES),
    st.integers(0, 300),
    st.integers(1, 60),
    st.integers(0, 2**32),
    st.sampled_from([2, 7, 10**6]),
)
def test_random_groups(kind, n, groups, seed, different):
    frame = table(kind, n, groups, np.random.default_rng(seed), different)
    both(lambda d: d.groupby("k").x.nunique(), frame)
    both(lambda d: d.groupby("k").x.nunique(dropna=False), frame)
    if "text" in kind:
        return
    both(lambda d: d.groupby("k").x.median(), frame)
    if kind in ("f8", "i8", "i4", "i2", "u1"):
        both(lambda d: d.groupby("k").x.quantile(seed % 101 / 100), frame, exact=False)


@pytest.mark.parametrize("kind", ["f8", "f4", "i8", "u1", "M", "Int64"])
@pytest.mark.parametrize("groups", [1, 3, 40, 511, 20_000])
def test_many_rows(kind, groups):
    frame = table(kind, 150_000, groups, np.random.default_rng(groups), 3_000)
    both(lambda d: d.groupby("k").x.median(), frame)
    both(lambda d: d.groupby("k").x.nunique(), frame)
    if kind == "f8":
        for q in (0.0, 0.003, 0.25, 0.999, 1.0):
            both(lambda d, q=q: d.groupby("k").x.quantile(q), frame, exact=False)


@pytest.mark.parametrize(
    "shape",
    [
        lambda i: i,
        lambda i: -i,
        lambda i: i * 0,
        lambda i: i % 2,
        lambda i: (i % 1000 == 7) * 1.0,
        lambda i: np.where(i % 117 == 0, -1.0, i),  # what a sample at even distances would see is rare
        lambda i: np.where(i < 60_000, -np.inf, np.inf),
        lambda i: np.where(i % 3 == 0, 5.0, i),
    ],
)
@pytest.mark.parametrize("n", [1024, 1025, 120_001])
def test_values_that_lead_a_sample_astray(shape, n):
    i = np.arange(n, dtype=float)
    frame = pandas.DataFrame({"k": np.zeros(n, int), "x": shape(i)})
    both(lambda d: d.groupby("k").x.median(), frame)
    for q in (0.01, 0.5, 0.99):
        both(lambda d, q=q: d.groupby("k").x.quantile(q), frame, exact=False)
    both(lambda d: d.groupby("k").x.nunique(), frame)


@pytest.mark.parametrize("kind", ["f8", "i4", "b", "M"])
def test_a_group_that_all_threads_look_into(kind):
    n = (1 << 20) + 70_000
    frame = table(kind, n, 1, np.random.default_rng(3), n)
    frame.loc[:50_000, "k"] = 1.0
    both(lambda d: d.groupby("k").x.median(), frame)
    both(lambda d: d.groupby("k").x.nunique(), frame)


def test_nan_among_masked_values_is_in_no_order():
    x = pandas.array([1.0, np.nan, 3.0, 2.0, np.nan], dtype="Float64")
    x._mask[:] = [False, False, False, True, True]
    frame = pd.DataFrame({"k": [0, 0, 0, 0, 1]})
    frame["x"] = pd.from_pandas(pandas.Series(x))
    assert frame.groupby("k").x.median().to_pandas().tolist() == [2.0, pandas.NA]


@pytest.mark.parametrize("kind", ["f8", "u8", "b", "m", "Int64", "few texts"])
def test_on_the_reference_device(kind):
    frame = table(kind, 200, 9, np.random.default_rng(5), 20)
    with bc.device("reference"):
        both(lambda d: d.groupby("k").x.nunique(), frame)
        if kind != "few texts":
            both(lambda d: d.groupby("k").x.median(), frame)


def test_what_cannot_be_ranked_says_so():
    codes, text = bc.zeros(2, dtype=np.uint32), pd.Series(["a", "b"])._column.core
    numbers = pd.Series([1.0, 2.0])._column.core
    ranks = bc._core.group_ranks
    with pytest.raises(TypeError, match="expected numbers or times"):
        ranks(codes, 1, text, [0.5])
    with pytest.raises(ValueError, match="expected shares from 0 to 1"):
        ranks(codes, 1, numbers, [1.5])
    with pytest.raises(ValueError, match="keys have 3 rows, values have 2"):
        ranks(bc.zeros(3, dtype=np.uint32), 1, numbers, [0.5])
    assert [x.tolist() for x in ranks(codes, 3, numbers, [])[:3]] == [[2, 0, 0], [], []]


def test_text_is_joined_by_numbers_where_one_side_has_them():
    rng = np.random.default_rng(0)
    left = pandas.DataFrame({"t": [f"n{v}" for v in rng.integers(0, 4000, 30_000)], "a": np.arange(30_000)})
    right = pandas.DataFrame({"t": [f"n{v}" for v in rng.permutation(5000)], "b": np.arange(5000)})  # all different
    left.loc[::50, "t"] = None
    right.loc[7, "t"] = None
    for how in ("inner", "left", "outer"):
        both(lambda x, y, how=how: x.merge(y, on="t", how=how), left, right)
        both(lambda x, y, how=how: y.merge(x, on="t", how=how), left, right)
