"""Labels of several levels whose levels are not sorted: what `unstack` makes of them comes in the order of the levels."""

from __future__ import annotations

import pickle

import pandas
import pytest
from frame_samples import native_or_same
from pandas import Categorical, DataFrame, MultiIndex, Series, date_range

A = Series([1, 2, 3], index=["q", "p", "r"])
F = DataFrame({"z": [1, 2, 3], "y": [4, 5, 6]}, index=["q", "p", "r"])
G = DataFrame({"A": ["v", "u", "v", "u"], "B": ["k", "k", "j", "j"], "x": [1, 2, 3, 4]})
JOINED = {
    "as it is": lambda s: s,
    "reversed": lambda s: s.iloc[::-1],
    "some rows": lambda s: s[s > 1],
    "without missing ones": lambda s: s.where(s > 1).dropna(),
    "without a label": lambda s: s.drop("x"),
    "multiplied": lambda s: s * 2,
    "added": lambda s: s + s,
    "levels exchanged": lambda s: s.swaplevel(),
    "in a frame": lambda s: s.to_frame("v").assign(w=1),
    "labels set again": lambda s: s.rename_axis(["k", "l"]).reset_index(name="v").set_index(["k", "l"]),
    "grouped": lambda s: s.groupby(level=[0, 1], sort=False).sum(),
    "sorted": lambda s: s.sort_index(),
}


def concat(s):
    return (pandas if type(s) is Series else _ours()).concat([s, s, s], keys=["z", "y", "x"])


def _ours():
    import bascule.pandas as bpd

    return bpd


@pytest.mark.parametrize("level", [0, 1])
@pytest.mark.parametrize("way", JOINED)
def test_joined_under_keys(way, level):
    native_or_same(lambda s: JOINED[way](concat(s)).unstack(level), A)


@pytest.mark.parametrize("level", [0, 1])
def test_stacked(level):
    native_or_same(lambda f: f.stack().unstack(level), F)
    native_or_same(lambda f: f.T.stack().unstack(level), F)


GROUPED = {
    "sum": lambda g: g.groupby(["A", "B"], sort=False).sum(),
    "sum of a column": lambda g: g.groupby(["A", "B"], sort=False)["x"].sum(),
    "sorted": lambda g: g.groupby(["A", "B"])["x"].sum(),
    "largest": lambda g: g.groupby("A", sort=False)["x"].nlargest(1),
    "windows": lambda g: g.groupby("A", sort=False)["x"].rolling(1).sum(),
    "apply": lambda g: g.groupby("A", sort=False)["x"].apply(lambda s: s.set_axis(["n", "m"])),
    "described": lambda g: g.groupby("A", sort=False)["x"].describe().stack(),
    "value_counts": lambda g: g[["A", "B"]].value_counts(),
    "value_counts of groups": lambda g: g.groupby("A")["B"].value_counts(),
    "set_index": lambda g: g.set_index(["A", "B"]),
    "categories": lambda g: g.assign(A=Categorical(g["A"], categories=["v", "u"])).set_index(["A", "B"])["x"],
    "columns stacked": lambda g: g.set_index(["A", "B"])["x"].unstack().stack(),
}


@pytest.mark.parametrize("level", [0, 1])
@pytest.mark.parametrize("way", GROUPED)
def test_grouped(way, level):
    native_or_same(lambda g: GROUPED[way](g).unstack(level), G)


def test_levels_and_codes():
    native_or_same(lambda s: str([list(level) for level in concat(s).index.levels]), A)
    native_or_same(lambda s: str([codes.tolist() for codes in concat(s).index.codes]), A)
    native_or_same(lambda s: concat(s).index.set_levels(["1", "2", "3"], level=0), A)


def test_of_pandas_and_back():
    s = Series(range(4), MultiIndex(levels=[["z", "y"], [2, 1]], codes=[[0, 0, 1, 1], [0, 1, 0, 1]], names=["a", "b"]))
    for level in (0, 1):
        native_or_same(lambda s: s.unstack(level), s)
        native_or_same(lambda s: s.iloc[1:].unstack(level), s)
    found = _ours().Series(s).to_pandas().index
    assert [list(level) for level in found.levels] == [["z", "y"], [2, 1]]


OWN_ORDER = MultiIndex(levels=[["b", "a", "c"], [2, 1]], codes=[[0, 2, 2], [1, 0, 1]])


@pytest.mark.parametrize("rows", (slice(None), [0], [1], [2, 0], [1, 2]), ids=str)
def test_unused_levels_removed(rows):
    native_or_same(lambda i: _levels_and_codes(i[rows].remove_unused_levels()), OWN_ORDER)
    native_or_same(lambda i: i[rows].remove_unused_levels(), OWN_ORDER)


OTHER_ORDERS = {
    "the same": OWN_ORDER, "equal levels": MultiIndex(levels=[["b", "a", "c"], [2, 1]], codes=[[1, 2], [1, 0]]),
    "another order": MultiIndex(levels=[["c", "b", "a"], [1, 2]], codes=[[0, 1], [0, 1]]),
    "fewer labels": MultiIndex(levels=[["b", "a"], [2]], codes=[[1, 0], [0, 0]]),
    "other labels": MultiIndex(levels=[["z", "y"], [2, 1]], codes=[[1, 0], [1, 0]]),
    "sorted": MultiIndex.from_tuples([("a", 1), ("b", 2)]), "missing": MultiIndex(levels=[["b", "a", "c"], [2, 1]], codes=[[1, -1], [1, 0]]),
    "other types": MultiIndex(levels=[["b", "a"], [2.5, 1.5]], codes=[[1, 0], [0, 1]]), "no rows": OWN_ORDER[:0],
}  # fmt: skip


def _levels_and_codes(i):
    return str([[list(level) for level in i.levels], [codes.tolist() for codes in i.codes]])


@pytest.mark.parametrize("other", OTHER_ORDERS)
def test_appended(other):
    third = OTHER_ORDERS["equal levels"]
    for a, b in ((OWN_ORDER, OTHER_ORDERS[other]), (OTHER_ORDERS[other], OWN_ORDER)):
        for call in (lambda a, b, c: a.append(b), lambda a, b, c: a.append([b, c])):
            native_or_same(lambda *i: call(*i), a, b, third)
            native_or_same(lambda *i: _levels_and_codes(call(*i)), a, b, third)


@pytest.mark.parametrize("other", OTHER_ORDERS)
def test_put_one_behind_another(other):
    s, t = (Series(range(len(i)), i) for i in (OWN_ORDER, OTHER_ORDERS[other]))
    for keys in (None, ["n", "m"]):

        def joined(s, t):
            made = (pandas if type(s) is Series else _ours()).concat([s, t], keys=keys).index
            return _levels_and_codes(made)

        native_or_same(joined, s, t)
    rows = Series([1, 2, 3, 4], MultiIndex(levels=[["b", "a"], [2, 1]], codes=[[0, 0, 1, 1], [0, 1, 0, 1]]))
    native_or_same(lambda s: _levels_and_codes(s.groupby([1, 1, 2, 2]).apply(lambda g: g.iloc[:1] * 2).index), rows)


def test_pickled():
    s = Series([1, 2, 3], OWN_ORDER)
    for level in (0, 1):
        native_or_same(lambda s: pickle.loads(pickle.dumps(s)).unstack(level), s)
    dates = Series([1, 2, 3], date_range("2024", periods=3))
    native_or_same(lambda s: str(pickle.loads(pickle.dumps(s)).index.freq), dates)
