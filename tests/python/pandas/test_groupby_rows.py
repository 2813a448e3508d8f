"""Grouped operations that keep or choose rows, and groups one by one, against pandas."""

import bascule.pandas as pd
import numpy as np
import pandas
import pytest
from frames import assert_same, both, ours
from hypothesis import given, settings
from hypothesis import strategies as st

FRAME = pandas.DataFrame(
    {
        "k": ["b", "a", "b", None, "a", "b", "c"],
        "x": [1.0, 2.0, 3.0, 4.0, np.nan, 0.1, 7.0],
        "i": [1, 2, 3, 4, 5, 6, 7],
        "b": [True, False, True, False, True, False, True],
        "s": ["w", None, "y", "z", "u", None, "v"],
        "I": pandas.array([1, None, 3, 4, 5, 6, None], "Int64"),
        "i8": np.array([1, 2, 3, 4, 5, 126, 7], "i1"),
        "t": pandas.to_datetime(["2020", None, "2021", "2022", "2019", "2018", None]),
        "d": pandas.to_timedelta([1, None, 3, 4, 5, 6, 7], unit="s"),
        "f": np.arange(7, dtype="f4"),
    }
)
OPS = ["cumsum", "cumprod", "cummin", "cummax", "shift", "ffill", "bfill", "diff"]
REDUCTIONS = ["sum", "mean", "min", "max", "count", "first", "last", "std", "nunique", "median", "size"]
IN_PANDAS = {
    ("b", "diff"),
    ("s", "diff"),
    ("I", "diff"),
    ("d", "diff"),
    *((c, op) for c in "bId" for op in OPS[:4]),
    ("s", "sum"),
    ("d", "std"),
    ("t", "std"),
}


@pytest.mark.parametrize("column", list(FRAME.columns[1:]))
@pytest.mark.parametrize("op", OPS)
@pytest.mark.parametrize("options", [{}, {"dropna": False}, {"sort": False}, {"as_index": False}], ids=str)
def test_a_row_for_each_row(column, op, options):
    fallback = "silent" if (column, op) in IN_PANDAS or (column, op[:3]) == ("t", "cum") else "error"
    both(lambda d: getattr(d.groupby("k", **options)[column], op)(), FRAME, fallback=fallback)
    both(lambda d: getattr(d.groupby("k", **options)[[column]], op)(), FRAME, fallback=fallback)


@pytest.mark.parametrize("column", list(FRAME.columns[1:]))
@pytest.mark.parametrize("op", REDUCTIONS)
def test_transform(column, op):
    fallback = "silent" if (column, op) in IN_PANDAS else "error"
    for options in ({}, {"dropna": False}):
        both(lambda d: d.groupby("k", **options)[column].transform(op), FRAME, fallback=fallback)
        both(lambda d: d.groupby("k", **options)[[column]].transform(op), FRAME, fallback=fallback)


CALLS = [
    lambda g: g.cumcount(),
    lambda g: g.cumcount(ascending=False),
    lambda g: g.ngroup(),
    lambda g: g.ngroup(ascending=False),
    lambda g: g.head(1),
    lambda g: g.head(2),
    lambda g: g.head(0),
    lambda g: g.head(-1),
    lambda g: g.tail(1),
    lambda g: g.tail(-1),
    lambda g: g.tail(0),
    lambda g: g.nth(0),
    lambda g: g.nth(-1),
    lambda g: g.nth([0, 2]),
    lambda g: g.nth[1],
    lambda g: g.x.head(1),
    lambda g: g.x.nth(1),
    lambda g: g[["x", "i"]].tail(1),
    lambda g: g.x.shift(-1),
    lambda g: g.x.shift(2),
    lambda g: g[["x", "i"]].shift(0),
    lambda g: g.cumsum(numeric_only=True),
    lambda g: g.x.transform("cumsum"),
    lambda g: g[["x", "f"]].cumsum(),
    lambda g: [part for _, part in g],
    lambda g: [label for label, _ in g],
    lambda g: [part for _, part in g.x],
    lambda g: g.ngroups,
    lambda g: len(g),
]
IN_PANDAS_CALLS = [
    lambda g: g.i.shift(1, fill_value=0),
    lambda g: g.x.shift([1, 2]),
    lambda g: g.x.rank(),
    lambda g: g.x.rank(method="dense", ascending=False, pct=True),
    lambda g: g.x.ffill(limit=1),
    lambda g: g.x.value_counts(),
    lambda g: g.nth(slice(0, 2)),
    lambda g: g.x.transform(lambda s: s - s.mean()),
    lambda g: g.x.cumsum(skipna=False),
    lambda g: g[["x", "i"]].describe(),
]


@pytest.mark.parametrize("options", [{}, {"dropna": False}, {"sort": False}], ids=str)
@pytest.mark.parametrize("call", CALLS)
def test_rows_of_groups(call, options):
    frame = FRAME.drop(columns=["I"])
    both(lambda d: call(d.groupby("k", **options)), frame, fallback="silent" if call is CALLS[21] else "error")
    both(lambda d: call(d.groupby(["k", "b"], **options)), frame, fallback="silent" if call is CALLS[21] else "error")
    named = frame.set_axis(pandas.Index([1, 1, 2, 3, 3, 4, 5], name="n"))
    both(lambda d: call(d.groupby("k", **options)), named, fallback="silent" if call is CALLS[21] else "error")


@pytest.mark.parametrize("call", IN_PANDAS_CALLS)
def test_what_runs_in_pandas(call):
    both(lambda d: call(d.groupby("k")), FRAME, fallback="silent", exact=False)


def test_get_group():
    both(lambda d: d.groupby("k").get_group("a"), FRAME)
    both(lambda d: d.groupby(["k"]).get_group(("a",)), FRAME)
    both(lambda d: d.groupby(["k", "b"]).get_group(("b", True)), FRAME)
    both(lambda d: d.groupby("k").x.get_group("b"), FRAME)
    both(lambda d: d.groupby("k").get_group("zz"), FRAME)
    both(lambda d: d.groupby("i").get_group(3), FRAME)


@pytest.mark.parametrize("by", ["k", ["k", "b"], "t"], ids=str)
@pytest.mark.parametrize("dropna", [True, False])
def test_rows_by_label(by, dropna):
    for frame in (FRAME, FRAME.set_axis(list("pqrstuv"))):
        expected, found = frame.groupby(by, dropna=dropna), ours(frame).groupby(by, dropna=dropna)
        assert [repr(k) for k in found.groups] == [repr(k) for k in expected.groups]
        for a, b in zip(found.groups.values(), expected.groups.values()):
            pandas.testing.assert_index_equal(a.to_pandas(), b)
        if by == "t" and not dropna:
            continue  # pandas names the group of NaT NaN there, and NaT in groups
        assert [repr(k) for k in found.indices] == [repr(k) for k in expected.indices]
        for a, b in zip(found.indices.values(), expected.indices.values()):
            np.testing.assert_array_equal(a, b)


def test_a_list_of_one_key_iterates_over_tuples():
    assert [k for k, _ in ours(FRAME).groupby(["k"])] == [("a",), ("b",), ("c",)]


def test_empty():
    empty = FRAME[["k", "x", "i", "s"]].iloc[:0]
    for call in (
        lambda g: g.head(1),
        lambda g: g.x.cumsum(),
        lambda g: g.x.shift(),
        lambda g: g.x.ffill(),
        lambda g: g.cumcount(),
        lambda g: g.ngroup(),
        lambda g: g.x.transform("sum"),
        lambda g: g.nth(0),
    ):
        both(lambda d: call(d.groupby("k")), empty)


def test_many_groups_by_a_key_of_a_dense_range():
    random = np.random.default_rng(0)
    n = 100_000
    frame = pandas.DataFrame(
        {
            "y": random.integers(-250_000, 250_000, n),
            "t": pandas.to_datetime(random.integers(0, 400_000, n), unit="s"),
            "x": random.random(n),
            "i": random.integers(0, 100, n),
            "f": random.random(n).astype("f4"),
            "s": random.choice(["a", "b", "c"], n),
            "I": pandas.array(np.where(random.random(n) < 0.1, None, 5), "Int64"),
        }
    )
    both(lambda d: d.groupby("y").x.mean(), frame)
    both(lambda d: d.groupby("y", as_index=False).sum(numeric_only=True), frame)
    both(lambda d: d.groupby("t").agg({"x": ["sum", "var"], "i": ["max", "size"], "s": "first", "I": "min"}), frame)
    both(lambda d: d.groupby("y", sort=False).x.sum(), frame)
    both(lambda d: d.groupby("y").x.cumsum(), frame)
    both(lambda d: d.groupby("y").f.transform("mean"), frame)
    both(lambda d: d.groupby("y")[["x", "i"]].median(), frame)
    both(lambda d: d.groupby("y").i.nunique(), frame)
    grouped = pd.from_pandas(frame).groupby("y")
    assert_same(grouped.x.sum(), frame.groupby("y").x.sum())  # the groups are found once for both
    assert_same(grouped.i.max(), frame.groupby("y").i.max())
    assert_same(grouped.i.cumcount(), frame.groupby("y").i.cumcount())


@settings(max_examples=60, deadline=None)
@given(
    st.lists(
        st.tuples(
            st.sampled_from([None, "a", "b", "c"]),
            st.sampled_from([np.nan, 0.1, 1e16, -2.5, np.inf, -0.0]),
            st.integers(-(2**63), 2**63 - 1),
        ),
        max_size=30,
    ),
    st.sampled_from(["cumsum", "cumprod", "cummin", "cummax", "shift", "ffill", "bfill"]),
    st.booleans(),
    st.booleans(),
)
def test_random_rows(rows, op, dropna, sort):
    frame = pandas.DataFrame(rows, columns=["k", "x", "i"]).astype({"k": "str", "x": "float64", "i": "int64"})
    with np.errstate(all="ignore"):
        both(lambda d: getattr(d.groupby("k", dropna=dropna, sort=sort), op)(), frame)
        both(lambda d: d.groupby("k", dropna=dropna, sort=sort).head(2), frame)
        both(lambda d: d.groupby("k", dropna=dropna, sort=sort).cumcount(), frame)
