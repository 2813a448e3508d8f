"""Joins whose rows are all of one side, and functions of values before a join repeats them: pandas' results."""

import bascule as bc
import bascule.pandas as pd
import numpy as np
import pandas
import pytest
from bascule.pandas._columns.lazy_take import Waiting
from frames import assert_same

N, M = 20_000, 5_000


@pytest.fixture
def sides():
    rng = np.random.default_rng(6)
    items = pandas.DataFrame({"k": rng.integers(0, M, N), "v": rng.normal(size=N), "at": np.arange(N)})
    parts = pandas.DataFrame({
        "k": rng.permutation(M), "name": pandas.array([f"part {i % 4000}" for i in range(M)], "str"), "w": rng.random(M),
        "day": pandas.Timestamp("2020-02-28") + pandas.to_timedelta(rng.integers(0, 900, M), unit="D"),
        "gaps": pandas.array(np.where(rng.random(M) < 0.1, None, "a b"), "str"), "few": rng.choice(["x", "y"], M).astype(object),
        "n": pandas.array(np.where(rng.random(M) < 0.1, None, 3), "Int64"), "u": rng.integers(0, 200, M).astype("uint8"),
    })  # fmt: skip
    return items, parts.astype({"few": "str"})


ASKED = {
    "a comparison of text": lambda f: f["name"] == "part 7",
    "a comparison of text with gaps": lambda f: f["gaps"] != "a b",
    "a comparison of times": lambda f: f["day"] >= pandas.Timestamp("2021-01-01"),
    "a comparison of two columns": lambda f: f["w"] < f["u"],
    "a comparison of NA": lambda f: f["n"] > 2,
    "arithmetic": lambda f: f["w"] * (1 - f["w"]) / f["u"],
    "integers that overflow": lambda f: f["u"] * f["u"],
    "of both sides": lambda f: f["w"] * f["v"] + f["u"],
    "contains": lambda f: f["name"].str.contains("7"),
    "starts with": lambda f: f["few"].str.startswith("x"),
    "length": lambda f: f["name"].str.len(),
    "length with gaps": lambda f: f["gaps"].str.len(),
    "a regular expression": lambda f: f["name"].str.replace(r"\d+$", "n", regex=True),
    "contains, with gaps": lambda f: f["gaps"].str.contains("a", na=True),
    "split": lambda f: f["name"].str.split(" ", expand=True),
    "year": lambda f: f["day"].dt.year,
    "month's end": lambda f: f["day"].dt.is_month_end,
    "dates": lambda f: f["day"].dt.date,
    "among numbers": lambda f: f["u"].isin([3, 5, 199]),
    "among strings": lambda f: f["name"].isin(["part 3", "no part"]),
    "chosen by several": lambda f: f[(f["name"].str.endswith("3")) & (f["w"] > 0.2) & (f["v"] < 0)],
}  # fmt: skip


@pytest.mark.parametrize("name", ASKED)
@pytest.mark.parametrize("order", ["items", "parts", "some"])
def test_functions_of_repeated_values_are_those_of_pandas(sides, order, name):
    def joined(items, parts):
        if order == "some":
            parts = parts[parts["w"] > 0.3]
        return parts.merge(items, on="k") if order == "parts" else items.merge(parts, on="k")

    ours, theirs = joined(*map(pd.from_pandas, sides)), joined(*sides)
    assert_same(ASKED[name](ours), ASKED[name](theirs))


def test_a_join_of_all_rows_shares_the_columns_until_a_write(sides):
    (items, parts), ours = sides, [pd.from_pandas(x) for x in sides]
    found, expected = ours[0].merge(ours[1], on="k"), items.merge(parts, on="k")
    assert not isinstance(found._columns[1], Waiting) and found._columns[1] is ours[0]._columns[1]
    for f in (found, expected):
        f.loc[f["v"] > 0, "v"] = 0.0
        f["at"] += 1
    assert_same(found, expected)
    assert_same(ours[0], items)
    ours[0].loc[:5, "v"] = items.loc[:5, "v"] = 9.0
    assert_same(found, expected)


@pytest.mark.parametrize("how", ["inner", "left", "right", "outer"])
def test_the_rows_of_one_side_in_another_order_are_not_all_rows(how):
    left = pandas.DataFrame({"k": np.r_[0, np.arange(1, 5_000)[::-1], 5_000], "a": np.arange(5_001)})
    right = pandas.DataFrame({"k": np.arange(5_001), "b": np.arange(5_001) * 0.5})
    for a, b in ((left, right), (right, left), (left, right.iloc[1:]), (left, pandas.concat([right, right.iloc[:1]]))):
        assert_same(pd.from_pandas(a).merge(pd.from_pandas(b), on="k", how=how), a.merge(b, on="k", how=how))


def test_what_was_asked_of_repeated_values_waits_too(sides):
    items, parts = map(pd.from_pandas, sides)
    joined = items.merge(parts, on="k")
    asked = [joined["name"] == "part 7", joined["w"] * 2, joined["day"].dt.year, joined["name"].str.len()]
    explained = bc.explain([joined, *asked])
    assert "pending: column 'name'" in explained and "pending: column 'day'" in explained
    assert all(f"{N:,} of {M:,} rows" in bc.explain(s) for s in asked)
