"""`merge_asof` and `merge_ordered` against pandas: values, types, labels, order and errors."""

import warnings

import bascule as bc
import bascule.pandas as pd
import numpy as np
import pandas
import pytest
from frames import assert_same

KINDS = ["i8", "f8", "M8[ns]", "M8[s]", "i4", "u8", "f4"]


def check(name, *frames, fallback="silent", **options):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            expected = getattr(pandas, name)(*frames, **options)
        except Exception as e:
            with pytest.raises(type(e)) as raised, bc.config.set(fallback="silent"):
                getattr(pd, name)(*map(pd.from_pandas, frames), **options)
            assert str(raised.value) == str(e)
            return
    with bc.config.set(fallback=fallback):
        assert_same(getattr(pd, name)(*map(pd.from_pandas, frames), **options), expected)


def sorted_keys(rng, n, kind):
    a = np.sort(rng.integers(0, 15, n))
    a = a.astype("i8").astype(kind) if kind[0] == "M" else a.astype(kind)
    if n and kind[0] == "f" and rng.random() < 0.2:
        a[-1] = rng.choice([np.inf, np.nan])
    if n and rng.random() < 0.05:
        a[0] = np.array(20, "i8").astype(kind)
    return a


def sides(rng, kind):
    n, m = rng.integers(0, 12), rng.integers(0, 12)
    left = {"t": sorted_keys(rng, n, kind), "g": rng.choice(["a", "b", None], n), "h": rng.integers(0, 2, n), "v": rng.normal(size=n)}  # fmt: skip
    right = {"t": sorted_keys(rng, m, kind), "g": rng.choice(["a", "b", None], m), "h": rng.integers(0, 2, m), "v": rng.normal(size=m),
             "w": rng.integers(0, 9, m), "s": rng.choice(["x", "y"], m)}  # fmt: skip
    return pandas.DataFrame(left).astype({"g": "str"}), pandas.DataFrame(right).astype({"g": "str"})


@pytest.mark.parametrize("seed", range(150))
def test_random_merges_to_the_nearest_key(seed):
    rng = np.random.default_rng(seed)
    kind = str(rng.choice(KINDS))
    left, right = sides(rng, kind)
    way = rng.integers(0, 6)
    if way < 3:
        options = {"on": "t"}
    elif way == 3:
        right, options = right.rename(columns={"t": "u"}), {"left_on": "t", "right_on": "u"}
    elif way == 4:
        left, right, options = left.set_index("t"), right.set_index("t"), {"left_index": True, "right_index": True}
    else:
        right, options = right.set_index("t"), {"left_on": "t", "right_index": True}
    options |= [{}, {}, {"by": "g"}, {"by": ["g", "h"]}, {"by": "h"}, {"left_by": "h", "right_by": "w"}][
        rng.integers(0, 6)
    ]
    if rng.random() < 0.5:
        unit = "ns" if kind == "M8[ns]" else "s"
        options["tolerance"] = {"M": pandas.Timedelta(2, unit), "f": 1.5}.get(kind[0], 2)
    options["allow_exact_matches"] = bool(rng.random() < 0.6)
    for direction in ("backward", "forward", "nearest"):
        check("merge_asof", left, right, direction=direction, **options)


LEFT = pandas.DataFrame({"t": [1, 5, 10], "g": ["a", "b", "a"], "x": [1.0, 2.0, 3.0]})
RIGHT = pandas.DataFrame({"t": [1, 2, 3, 6, 7], "g": ["a", "b", "a", "b", "b"], "x": [1, 2, 3, 6, 7]})
WRONG = [
    {"on": "absent"}, {"on": ["t", "x"]}, {"on": "g"}, {"on": "t", "by": "absent"}, {"on": "t", "left_by": "g"}, {"on": "t", "direction": "up"},
    {"on": "t", "tolerance": -1}, {"on": "t", "tolerance": 1.5}, {"on": "t", "tolerance": pandas.Timedelta("1s")}, {"on": "t", "allow_exact_matches": "no"},
    {"on": "t", "left_on": "t"}, {"left_on": "t"}, {"left_on": "t", "right_on": "x"}, {}, {"on": "t", "suffixes": (None, None)}, {"left_index": True, "right_on": "t"},
    {"on": "t", "by": "g", "left_by": "g"}, {"left_on": "x", "right_on": "t"}, {"on": "t", "left_index": True},
]  # fmt: skip


@pytest.mark.parametrize("options", WRONG, ids=str)
def test_calls_that_pandas_refuses_or_takes(options):
    check("merge_asof", LEFT, RIGHT, **options)
    check("merge_asof", LEFT.iloc[::-1], RIGHT, **options)


def test_the_common_ways_are_native():
    for options in ({"on": "t"}, {"on": "t", "by": "g"}, {"on": "t", "direction": "nearest", "tolerance": 1}, {"on": "t", "suffixes": ("_l", "_r")}):  # fmt: skip
        check("merge_asof", LEFT, RIGHT, fallback="error", **options)
    for options in ({"on": "t"}, {"on": "t", "fill_method": "ffill"}, {"on": "t", "left_by": "g"}, {"on": ["t", "g"], "how": "left"}):  # fmt: skip
        check("merge_ordered", LEFT, RIGHT.drop(columns="x"), fallback="error", **options)


def test_many_rows():
    rng = np.random.default_rng(3)
    n = 20_000
    left = pandas.DataFrame({"t": np.sort(rng.integers(0, 10**6, n)), "g": rng.integers(0, 50, n)})
    right = pandas.DataFrame(
        {"t": np.sort(rng.integers(0, 10**6, n)), "g": rng.integers(0, 60, n), "y": rng.normal(size=n)}
    )
    for direction in ("backward", "forward", "nearest"):
        for options in ({}, {"by": "g"}, {"by": "g", "tolerance": 500, "allow_exact_matches": False}):
            frames = (left, right) if "by" in options else (left, right.drop(columns="g"))
            check("merge_asof", *frames, fallback="error", on="t", direction=direction, **options)


@pytest.mark.parametrize("seed", range(80))
def test_random_merges_in_order(seed):
    rng = np.random.default_rng(seed)
    n, m = rng.integers(0, 8), rng.integers(0, 8)
    left = pandas.DataFrame({"k": rng.integers(0, 8, n), "g": rng.choice(["a", "b"], n), "x": rng.normal(size=n)})
    right = pandas.DataFrame({"k": rng.integers(0, 8, m), "y": rng.integers(0, 9, m)})
    options = [{}, {"fill_method": "ffill"}, {"fill_method": "bfill"}][rng.choice(3, p=[0.45, 0.45, 0.1])]
    options |= [{"on": "k"}, {}, {"left_on": "k", "right_on": "q"}, {"on": "absent"}][
        rng.choice(4, p=[0.4, 0.25, 0.3, 0.05])
    ]
    if "right_on" in options:
        right = right.rename(columns={"k": "q"})
    if rng.random() < 0.3:
        right["g"] = rng.choice(["a", "c"], m)
    options |= [{}, {"left_by": "g"}, {"right_by": "g"}, {"left_by": ["g"]}][rng.choice(4, p=[0.4, 0.3, 0.15, 0.15])]
    for how in ("outer", "left", "right", "inner"):
        check("merge_ordered", left, right, how=how, **options)


@pytest.mark.parametrize("kind", ("categories", "moments of a zone"))
def test_by_values_of_pandas_types(kind):
    def keys(values):
        if kind == "categories":
            return pandas.Categorical(list(values), categories=["b", "a", "c"])
        return pandas.to_datetime([f"2024-01-0{'abc'.index(v) + 1}" for v in values]).tz_localize("Europe/Berlin")

    left = pandas.DataFrame({"t": [1, 5, 9, 9], "k": keys("abac")})
    right = pandas.DataFrame({"t": [0, 4, 6], "k": keys("aba"), "v": [1.0, 2.0, 3.0]})
    for direction in ("backward", "forward", "nearest"):
        check("merge_asof", left, right, fallback="error", on="t", by="k", direction=direction)
