"""Groups by dicts, functions and groupers, skewness and kurtosis, and pandas' own arrays."""

from __future__ import annotations

import bascule as bc
import bascule.pandas as pd
import numpy as np
import pandas
import pytest
from frames import both

RANDOM = np.random.default_rng(0)
FRAME = pandas.DataFrame(
    {
        "k": list("aabbbabbac"),
        "x": RANDOM.normal(size=10),
        "i": range(10),
        "c": [0.1] * 10,
        "f": RANDOM.normal(size=10).astype("f4"),
        "n": [1, np.nan, 2, 3, 9, 4, 5, np.nan, 7, 8.0],
    },
    index=pandas.Index(range(10), name="ix"),
)
KEYS = {
    "dict": {i: i % 3 for i in range(10)}, "dict of texts": {i: "ab"[i % 2] for i in range(10)}, "function": lambda i: i % 3,
    "function of text": lambda i: str(i)[0], "type": str, "list": [lambda i: i % 3, "k"], "dict and column": [{i: i % 3 for i in range(10)}, "k"],
    "grouper": pandas.Grouper(key="k"), "level": pandas.Grouper(level="ix"),
    "number": pandas.Grouper(level=0), "with missing": pandas.Grouper(key="n", dropna=False),
}  # fmt: skip


@pytest.mark.parametrize("key", KEYS)
def test_keys(key):
    by = KEYS[key]
    for frame in (FRAME, FRAME[::-1]):
        both(lambda f: f.groupby(by).i.sum(), frame)
        both(lambda f: f.groupby(by)[["x", "i"]].transform("max"), frame)
        both(lambda f: f.groupby(by, as_index=False).i.agg("min"), frame)
        both(lambda f: f.groupby(by).size(), frame)


def test_keys_that_only_pandas_has():
    for by in (
        {1: 2},
        {i: i % 3 for i in range(9)},
        pandas.Grouper(key="z"),
        [pandas.Grouper(key="k"), "i"],
        lambda i: None if i == 3 else i,
    ):
        both(lambda f: f.groupby(by).i.sum(), FRAME, fallback="silent")


@pytest.mark.parametrize(
    "options", [{"freq": "D"}, {"freq": "7h", "closed": "right", "label": "right"}, {"freq": "MS"}]
)
def test_bins_of_time_with_other_keys(options):
    times = pandas.date_range("2024-01-30 05:00", periods=60, freq="3h")
    frame = pandas.DataFrame({"t": times, "k": np.arange(60) % 3, "s": list("ab") * 30, "x": np.arange(60.0)})
    by = pandas.Grouper(key="t", **options)
    for keys in ([by, "k"], ["s", by], [by, "s", "k"]):
        both(lambda f: f.groupby(keys).x.sum(), frame)
        both(lambda f: f.groupby(keys, as_index=False)[["x"]].mean(), frame)
        both(lambda f: f.groupby(keys, sort=False).x.max(), frame)
    both(lambda f: f.groupby([pandas.Grouper(**options), "k"]).x.sum(), frame.set_index("t"))
    zoned = frame.assign(t=times.tz_localize("Asia/Kathmandu"))
    both(lambda f: f.groupby([by, "k"]).x.sum(), zoned)
    both(lambda f: f.groupby([by, "k"]).x.sum(), frame[::-1], fallback="silent")
    both(lambda f: f.groupby([by, "k"]).x.sum(), frame.assign(t=frame.t.where(frame.k > 0)), fallback="silent")


@pytest.mark.parametrize("op", ["skew", "kurt"])
def test_moments_of_higher_order(op):
    both(lambda f: getattr(f.groupby("k"), op)(), FRAME, exact=False, atol=1e-12)
    both(lambda f: f.groupby("k").agg({"x": op, "n": ["mean", op]}), FRAME, exact=False, atol=1e-12)
    both(lambda f: f.groupby("k").x.transform(op), FRAME, exact=False, atol=1e-12)
    numbers = FRAME.drop(columns="k")
    for skipna in (True, False):
        both(lambda f: getattr(f[["x", "i", "c", "n"]], op)(skipna=skipna), numbers, exact=False, atol=1e-12)
        both(lambda s: getattr(s, op)(skipna=skipna), numbers["n"], exact=False, atol=1e-12)
    assert np.isclose(getattr(pd.from_pandas(FRAME["f"]), op)(), getattr(FRAME["f"], op)(), rtol=1e-6)
    both(lambda s: getattr(s, op)(), numbers["x"][:2])
    both(lambda f: getattr(f.groupby("i"), op)(), FRAME)
    both(lambda s: getattr(s, op)(), FRAME["k"], fallback="silent")
    both(lambda s: getattr(s, op)(), FRAME["i"] > 3, exact=False, atol=1e-12)


@pytest.mark.parametrize("size", [5, 5000])
def test_moments_of_many_rows(size):
    rows = np.random.default_rng(size)
    frame = pandas.DataFrame(
        {"k": rows.integers(0, 7, size), "x": rows.normal(1e3, 2, size), "y": rows.exponential(size=size)}
    )
    for op in ("skew", "kurt"):
        both(lambda f: getattr(f, op)(), frame, exact=False, atol=1e-9)
        both(lambda f: getattr(f.groupby("k"), op)(), frame, exact=False, atol=1e-9)


@pytest.mark.parametrize(
    "values",
    [
        [1, 2],
        [1.5, None],
        ["a", None],
        [True, None],
        pandas.Series([1, 2]),
        pandas.Series(["a"]),
        pandas.Index([1.5]),
        pandas.date_range("2020", periods=2),
    ],
    ids=range(8),
)
def test_arrays_are_those_of_pandas(values):
    given = pd.from_pandas(values) if isinstance(values, (pandas.Series, pandas.Index)) else values
    with bc.config.set(fallback="error"):
        found = pd.array(given)
    pandas.testing.assert_extension_array_equal(found, pandas.array(values))
    if isinstance(values, list) and values == [1, 2]:
        pandas.testing.assert_extension_array_equal(pd.array(given, dtype="Int8"), pandas.array(values, dtype="Int8"))


def test_keys_of_several_types_and_labels_of_other_types():
    frame = pandas.DataFrame({"x": [1.0, 2, 3, 4]})
    for by in ({0: "a", 1: 2}, {"x": 1}, {}, {0: 1, 1: (1, 2)}):
        both(lambda f: f.groupby(by).x.sum(), frame, fallback="silent")
    for labels in (
        [],
        np.array([1, 2], "i4"),
        pandas.array([1, 2], "Int64"),
        pandas.date_range("2020", periods=2, tz="UTC"),
    ):
        both(lambda f: f.groupby(lambda i: 1).x.sum(), frame[: len(labels)].set_axis(labels), fallback="silent")


def test_moments_far_from_zero():
    x = RANDOM.normal(size=40) + 1e9
    for op in ("skew", "kurt"):
        both(lambda s: getattr(s, op)(), pandas.Series(x), exact=False, atol=1e-9)
        grouped = getattr(pd.Series(x).groupby(np.repeat([0, 1], 20)), op)()
        exact = [getattr(pandas.Series(part - 1e9), op)() for part in (x[:20], x[20:])]
        assert np.allclose(grouped.to_numpy(), exact, rtol=1e-9)


@pytest.mark.parametrize("made", [np.array, bc.array])
def test_booleans_that_are_stored_as_other_bytes(made):
    flags = made(np.array([2, 1, 0, 3, 0], "u1")).view(bool)
    ours = pd.DataFrame({"k": pd.Series(flags), "v": range(5)})
    theirs = pandas.DataFrame({"k": [True, True, False, True, False], "v": range(5)})
    for use in (
        lambda d: d.groupby("k").v.sum(),
        lambda d: d.k.value_counts(),
        lambda d: d.drop_duplicates("k"),
        lambda d: d.merge(d, on="k"),
        lambda d: d.sort_values("k", kind="stable"),
        lambda d: d.set_index("k").loc[True],
        lambda d: d.k.sum(),
    ):
        found, expected = use(ours), use(theirs)
        assert found == expected if isinstance(expected, np.generic) else found.to_pandas().equals(expected)
