"""Strings of which many are equal are numbered once by what costs more than that: results are pandas'."""

import bascule.pandas as pd
import numpy as np
import pandas
import pytest
from frames import assert_same

N = 1 << 18


def strings(distinct, missing=0.02, seed=4):
    rng = np.random.default_rng(seed)
    words = np.array([f"w{i % 97} and ü{i * 7919 % distinct}" for i in range(distinct)], object)
    made = words[rng.integers(0, distinct, N)]
    made[rng.random(N) < missing] = None
    return pandas.DataFrame(
        {"s": pandas.array(made, "str"), "g": rng.integers(0, 50, N), "h": rng.integers(0, 90_000, N)}
    )


def form(frame):
    return frame["s"]._column.core.form


CALLS = {
    "a pattern": lambda f: f["s"].str.contains(r"w1\d .*[13]$"),
    "a pattern, with missing values": lambda f: f["s"].str.match("w1", na=True),
    "a replacement": lambda f: f["s"].str.replace(r"\d+$", "n", regex=True),
    "upper": lambda f: f["s"].str.upper(),
    "least and greatest": lambda f: f.groupby("g")["s"].agg(["min", "max"]),
    "of many groups": lambda f: f.groupby("h").agg(a=("s", "min"), b=("s", "max"), c=("g", "max")),
    "extracted": lambda f: f["s"].str.extract(r"(w\d+) (and)"),
}


@pytest.mark.parametrize("name", CALLS)
@pytest.mark.parametrize("distinct", [9_000, 25_000, N])
def test_results_are_those_of_pandas(name, distinct):
    theirs = strings(distinct)
    ours, call = pd.from_pandas(theirs), CALLS[name]
    taken = ours[ours["g"] > 3]
    assert_same(call(ours), call(theirs))
    assert form(ours) == ("coded" if distinct < N // 8 and name != "upper" else "text")
    assert_same(call(ours), call(theirs))  # by the numbers
    assert_same(call(taken), call(theirs[theirs["g"] > 3]))


def test_the_order_is_that_of_the_strings():
    theirs = strings(9_000)
    ours = pd.from_pandas(theirs)
    assert len(ours.groupby("g")["s"].max()) == 50 and form(ours) == "coded"
    by = ["s", "g", "h"]
    assert_same(ours.sort_values(by, kind="stable"), theirs.sort_values(by, kind="stable"))


def test_one_string_that_comes_often_is_no_repetition():
    theirs = strings(N)
    theirs.loc[::2, "s"] = ""
    ours = pd.from_pandas(theirs)
    assert_same(ours.groupby("g")["s"].max(), theirs.groupby("g")["s"].max())
    assert form(ours) == "text"


def test_other_columns_of_the_same_strings_and_writes():
    theirs = strings(9_000)
    ours = pd.from_pandas(theirs)
    for f in (ours, theirs):
        f["t"] = f["s"]
        f["u"] = f["s"].str.upper()
        f.loc[f["g"] == 3, "s"] = "new"
        f.loc[5, "t"] = None
    assert_same(ours, theirs)
    assert_same(ours["t"].value_counts().sort_index(), theirs["t"].value_counts().sort_index())
