"""Group-by: aggregations, their spellings, keys and labels, against pandas."""

import numpy as np
import pandas
import pytest
from frames import both
from hypothesis import example, given, settings
from hypothesis import strategies as st

FRAME = pandas.DataFrame(
    {
        "k": ["b", "a", "b", None, "a", "c"],
        "j": [1, 2, 1, 2, 1, 2],
        "x": [1.0, 2.0, np.nan, 4.0, 5.0, 6.0],
        "i": [1, 2, 3, 4, 5, 6],
        "b": [True, False, True, True, False, False],
        "t": pandas.to_datetime(["2020-01-01", "2020-01-02", None, "2020-01-04", "2020-01-05", "2020-01-06"]),
        "d": pandas.to_timedelta([1, 2, 3, None, 5, 6], unit="s"),
        "s": ["x", None, "y", "z", "z", "q"],
        "f": np.array([1, 2, 3, 4, 5, 6], "f4"),
        "I": pandas.array([1, None, 3, 4, 5, 6], "Int64"),
        "i8": np.array([1, 2, 3, 4, 100, 6], "i1"),
        "u": np.array([1, 2, 3, 4, 5, 6], "u2"),
        "B": pandas.array([True, None, False, True, True, False], "boolean"),
        "F": pandas.array([1, None, 3, 4, 5, 6], "Float32"),
    }
)
SMALL = FRAME[["k", "x", "i", "s"]]
OPS = [
    "sum", "mean", "min", "max", "count", "size", "std", "var", "sem", "first", "last", "prod", "any", "all", "median",
    "nunique", "idxmin", "idxmax",
]  # fmt: skip
IN_PANDAS = {("s", "sum"), ("s", "any"), ("s", "all"), ("t", "std"), ("t", "sem"), ("d", "std"), ("d", "sem")}


@pytest.mark.parametrize("op", OPS)
@pytest.mark.parametrize("column", ["x", "i", "b", "t", "d", "s", "f", "I", "i8", "u", "B", "F"])
@pytest.mark.parametrize("by", ["k", ["k", "j"]], ids=str)
def test_every_aggregation_of_every_type(column, op, by):
    fallback = "silent" if (column, op) in IN_PANDAS else "error"
    for options in ({}, {"sort": False}, {"dropna": False}, {"as_index": False}):
        both(lambda d: getattr(d.groupby(by, **options)[column], op)(), FRAME, fallback=fallback)
        both(lambda d: getattr(d.groupby(by, **options)[[column]], op)(), FRAME, fallback=fallback)
        both(lambda d: d.groupby(by, **options)[column].agg([op, "count"]), FRAME, fallback=fallback)


SPELLINGS = [
    lambda d: d.groupby("k").agg("mean"),
    lambda d: d.groupby("k").mean(numeric_only=True),
    lambda d: d.groupby("k").agg({"x": ["max", "min"], "i": "sum"}),
    lambda d: d.groupby("k", as_index=False).agg({"x": ["max", "min"], "i": "sum"}),
    lambda d: d.groupby("k").agg({"x": "max", "i": "sum"}),
    lambda d: d.groupby("k").agg({"k": "count", "x": "sum"}),
    lambda d: d.groupby("k", as_index=False).agg({"k": "count", "x": "sum"}),
    lambda d: d.groupby("k", dropna=False)[["x", "i"]].agg(["max", "sum"]),
    lambda d: d.groupby(["k", "i"], as_index=False)[["x"]].agg(["sum", "mean"]),
    lambda d: d.groupby("k").agg(a=("x", "max"), b=("i", "sum")),
    lambda d: d.groupby("k").agg(a=pandas.NamedAgg("x", "max")),
    lambda d: d.groupby("k", as_index=False).agg(a=("x", "max")),
    lambda d: d.groupby("k").x.agg(a="max", b="sum"),
    lambda d: d.groupby("k").x.agg(["max", "sum"]),
    lambda d: d.groupby("k").x.agg(["sum", "sum"]),
    lambda d: d.groupby("k").x.agg([("A", "sum"), ("B", "mean")]),
    lambda d: d.groupby("k", as_index=False).x.agg(["max", "sum"]),
    lambda d: d.groupby("k", as_index=False).x.sum(),
    lambda d: d.groupby("k", as_index=False).size(),
    lambda d: d.groupby("k").x.sum(min_count=2),
    lambda d: d.groupby("k").i.sum(min_count=2),
    lambda d: d.groupby("k").i.min(min_count=2),
    lambda d: d.groupby("k").x.var(ddof=0),
    lambda d: d.groupby("k").x.std(ddof=2),
    lambda d: d.groupby("k").x.sem(ddof=0),
    lambda d: d.groupby("k").x.quantile(0.3),
    lambda d: d.groupby("k").nunique(),
    lambda d: d.groupby("k").x.nunique(dropna=False),
    lambda d: d.groupby("k")[["x", "k"]].first(),
    lambda d: d[["k"]].groupby("k").sum(),
]


@pytest.mark.parametrize("spelling", SPELLINGS)
def test_spellings_of_aggregations(spelling):
    both(spelling, SMALL)


KEYS = [
    lambda d: d.groupby(d.i)[["x"]].sum(),
    lambda d: d[["x", "i"]].groupby(d.i).sum(),
    lambda d: d[["x"]].groupby(d.i).sum(),
    lambda d: d.groupby(np.array([1, 1, 2, 2, 1, 1]), as_index=False).x.sum(),
    lambda d: d.groupby([1, 1, 2, 2, 1, 1], as_index=False)[["x"]].agg(["sum"]),
    lambda d: d.groupby(["p", "q", "p", "q", "p", "p"]).x.sum(),
    lambda d: d.groupby(level=0).x.sum(),
    lambda d: d.x.groupby(d.k).sum(),
    lambda d: d.x.groupby(level=0).mean(),
    lambda d: d.groupby(d.index).x.sum(),
    lambda d: d.groupby(["k", np.array([1, 1, 2, 2, 1, 1])]).x.sum(),
]


@pytest.mark.parametrize("keys", KEYS)
def test_kinds_of_keys(keys):
    both(keys, SMALL)


@pytest.mark.parametrize(
    "index",
    [
        pandas.Index(list("abcabc"), name="k2"),
        pandas.to_datetime(["2020", "2021", "2020", "2019", "2019", "2020"]),
        pandas.Index([1, 1, 2, 2, 3, 3]),
    ],
)
def test_levels_of_labels_are_keys(index):
    frame = SMALL.set_axis(index, axis=0)
    both(lambda d: d.groupby(level=0).x.sum(), frame)
    both(lambda d: d.groupby(level=index.name if index.name else -1)[["x"]].mean(), frame)
    both(lambda d: d.groupby(level=1).x.mean(), frame)
    both(lambda d: d.groupby("k").x.idxmin(), frame)


def test_levels_of_a_multiindex_are_keys():
    frame = FRAME[["x", "i"]].set_axis(pandas.MultiIndex.from_arrays([FRAME.k, FRAME.j]), axis=0)
    for level in (0, "j", ["j", "k"], [1, 0], -1):
        both(lambda d: d.groupby(level=level).sum(), frame)
    both(lambda d: d.groupby("j").x.sum(), frame)
    both(lambda d: d.groupby(["j", "k"]).sum(), frame)


ERRORS = [
    lambda d: d.groupby("zz"),
    lambda d: d.groupby("k").zz,
    lambda d: d.groupby("k")["zz"],
    lambda d: d.groupby("k")[["zz"]],
    lambda d: d.groupby("k").agg({"zz": "sum"}),
    lambda d: d.groupby("k")[["x"]].agg({"i": "sum"}),
    lambda d: d.groupby("k").x.agg({"a": "sum"}),
    lambda d: d.groupby("k").x.agg("foo"),
    lambda d: d.groupby("k").agg(),
    lambda d: d.groupby([]),
    lambda d: d.groupby(),
    lambda d: d.groupby([1, 2]).sum(),
    lambda d: d.groupby(level=1),
    lambda d: d.groupby("k", foo=1),
    lambda d: d.groupby("k").x.sum(foo=1),
    lambda d: d.groupby("k").x["i"],
    lambda d: d.groupby("k")["x", "i"],
    lambda d: d.groupby("k")[["x"]][["x"]],
    lambda d: d.groupby("k").mean(),
    lambda d: d.groupby("k").s.mean(),
    lambda d: d.groupby("k").s.sum(numeric_only=True),
    lambda d: d.groupby(np.arange(3)).sum(),
    lambda d: d.x.groupby("k"),
]


@pytest.mark.parametrize("wrong", ERRORS)
def test_errors_are_those_of_pandas(wrong):
    both(wrong, SMALL)


@pytest.mark.parametrize("op", OPS)
def test_frames_without_rows(op):
    empty = FRAME[["k", "j", "x", "i"]].iloc[:0]
    both(lambda d: getattr(d.groupby("k").x, op)(), empty)
    both(lambda d: getattr(d.groupby("k").i, op)(), empty)
    both(lambda d: getattr(d.groupby(["k", "j"])[["x"]], op)(), empty)


def test_what_only_pandas_can_do_is_done_there():
    for f in (
        lambda d: d.groupby("k").x.agg(lambda s: s.max() - s.min()),
        lambda d: d.groupby(lambda i: i % 2).x.sum(),
        lambda d: d.groupby({0: "a", 1: "b"}).x.sum(),
        lambda d: d.groupby("k").apply(lambda g: g.x.sum()),
        lambda d: d.groupby(pandas.Grouper(key="k")).x.sum(),
        lambda d: d.groupby("k").x.agg(["sum", "skew"]),
        lambda d: d.groupby("k").x.sum(skipna=False),
    ):
        both(f, SMALL, fallback="silent", exact=False)


COLUMNS = {
    "float64": st.lists(st.sampled_from([0.0, -0.0, 0.1, 1e16, -1.5, np.nan, np.inf]), min_size=40, max_size=40),
    "int64": st.lists(st.integers(-(2**62), 2**62), min_size=40, max_size=40),
    "int8": st.lists(st.integers(-128, 127), min_size=40, max_size=40),
    "bool": st.lists(st.booleans(), min_size=40, max_size=40),
    "datetime64[ns]": st.lists(st.sampled_from([None, "2020", "2021-03-04", "1960"]), min_size=40, max_size=40),
    "str": st.lists(st.sampled_from([None, "", "a", "b", "ab", "é"]), min_size=40, max_size=40),
    "Int32": st.lists(st.sampled_from([None, 0, 1, -5, 7]), min_size=40, max_size=40),
}


@st.composite
def frames(draw):
    n = draw(st.integers(0, 40))
    kinds = [draw(st.sampled_from(sorted(COLUMNS))) for _ in range(3)]
    data = {}
    for name, kind in zip("abv", kinds):
        values = draw(COLUMNS[kind])[:n]
        if name != "v" and kind in ("int64", "float64"):
            values = [v % 3 for v in values]
        data[name] = pandas.Series(values, dtype=kind)
    return pandas.DataFrame(data)


def sums_error(frame, groups):
    """How far two ways of adding up the values of a group may differ; 0 where pandas adds them as bascule does.

    Both add in the order of the rows with compensation; but pandas from 3.1 on adds groups whose rows lie together
    by `np.add.reduceat` where no value is missing, which rounds otherwise.
    """
    if frame.v.dtype.kind not in "iuf" or not groups.ngroup().is_monotonic_increasing:
        return 0
    values = np.abs(frame.v.to_numpy(dtype=float, na_value=0))
    return len(values) * np.finfo(float).eps * float(np.sum(values[np.isfinite(values)]))


@settings(max_examples=60, deadline=None)
@example(
    pandas.DataFrame({"a": np.nan, "b": 0, "v": [1] + [0] * 25 + [255, 4482207529140486401]}), "a", "mean", False, False
)
@given(
    frames(),
    st.sampled_from(["a", ["a", "b"], ["b"]]),
    st.sampled_from(
        ["sum", "mean", "min", "max", "count", "var", "first", "last", "median", "nunique", "size", "prod"]
    ),
    st.booleans(),
    st.booleans(),
)
def test_random_frames(frame, by, op, sort, dropna):
    if frame.v.dtype == "str" and op == "sum":
        op = "first"
    with np.errstate(all="ignore"):
        error = sums_error(frame, frame.groupby(by, sort=sort, dropna=dropna)) if op in ("sum", "mean") else 0
        same = {"exact": error == 0, "atol": error}
        both(lambda d: getattr(d.groupby(by, sort=sort, dropna=dropna).v, op)(), frame, **same)
        both(lambda d: d.groupby(by, sort=sort, dropna=dropna).agg({"v": [op, "size"]}), frame, **same)


@pytest.mark.parametrize(
    "keys", [["p", "q", "p"], ["p", None, "p"], ["p", 1, "p"], ["p", 1.5, None], [1, 2, 1]], ids=str
)
def test_labels_listed_one_by_one(keys):
    frame = pandas.DataFrame({"x": [1, 2, 3]})
    both(lambda f: f.groupby(keys).sum(), frame, fallback="silent")
