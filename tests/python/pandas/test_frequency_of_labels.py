"""The frequency that dates, spans and periods come at stays, and goes, where it does in pandas."""

from __future__ import annotations

import pickle

import bascule as bc
import bascule.pandas as pd
import pandas
import pytest
from frame_differences import difference
from frames import ours

pytestmark = pytest.mark.filterwarnings("ignore")

INDEXES = {
    "days": lambda: pandas.date_range("2020-01-06", periods=6),
    "days, named": lambda: pandas.date_range("2020-01-06", periods=6, name="t"),
    "two days": lambda: pandas.date_range("2020-01-06", periods=6, freq="2D"),
    "hours": lambda: pandas.date_range("2020-01-06", periods=6, freq="h"),
    "days backwards": lambda: pandas.date_range("2020-01-06", periods=6, freq="-1D"),
    "weeks": lambda: pandas.date_range("2020-01-06", periods=6, freq="W"),
    "months": lambda: pandas.date_range("2020-01-06", periods=6, freq="MS"),
    "business days": lambda: pandas.date_range("2020-01-06", periods=6, freq="B"),
    "days of a zone": lambda: pandas.date_range("2020-03-27", periods=6, tz="Europe/Berlin"),
    "spans": lambda: pandas.timedelta_range("1h", periods=6, freq="30min"),
    "periods": lambda: pandas.period_range("2020-01", periods=6, freq="M"),
    "uneven": lambda: pandas.DatetimeIndex(["2020-01-06", "2020-01-07", "2020-01-09", "2020-01-10", "2020-01-12", "2020-01-13"]),
}  # fmt: skip

ONE = {
    "groupby level": lambda s, p: s.groupby(level=0).sum(),
    "groupby index": lambda s, p: s.groupby(s.index).sum(),
    "groupby level agg": lambda s, p: s.to_frame("a").groupby(level=0).a.agg(["sum", "min"]),
    "groupby unsorted": lambda s, p: s.groupby(level=0, sort=False).first(),
    "groupby head": lambda s, p: s.groupby(s % 2).head(1),
    "groupby transform": lambda s, p: s.groupby(s % 2).transform("sum"),
    "set_index": lambda s, p: p.DataFrame({"a": range(len(s))}).set_index(s.index),
    "and back": lambda s, p: s.rename_axis("t").reset_index().set_index("t"),
    "slice": lambda s, p: s[1:4],
    "steps": lambda s, p: s[::2],
    "backwards": lambda s, p: s[::-1],
    "all": lambda s, p: s.index[...],
    "positions": lambda s, p: s.iloc[[0, 2, 4]],
    "positions in a row": lambda s, p: s.iloc[[0, 1, 2]],
    "mask": lambda s, p: s[s > 1],
    "mask of some": lambda s, p: s[s % 2 == 0],
    "loc slice": lambda s, p: s.loc[s.index[1] : s.index[3]],
    "loc list": lambda s, p: s.loc[[s.index[1], s.index[2]]],
    "loc index": lambda s, p: s.loc[s.index[1:3]],
    "sort": lambda s, p: s.sort_index(),
    "sort down": lambda s, p: s.sort_index(ascending=False),
    "drop first": lambda s, p: s.drop(s.index[0]),
    "drop within": lambda s, p: s.drop(s.index[2]),
    "factorize": lambda s, p: s.index.factorize(),
    "factorize sorted": lambda s, p: s.index.factorize(sort=True),
    "unique": lambda s, p: s.index.unique(),
    "level": lambda s, p: s.index.get_level_values(0),
    "transpose": lambda s, p: s.to_frame("a").T.T,
    "copy": lambda s, p: s.index.copy(),
    "rename": lambda s, p: s.index.rename("z"),
    "series": lambda s, p: s.index.to_series(),
    "explode": lambda s, p: s.astype(str).explode(),
    "repeat": lambda s, p: s.repeat(1),
    "where": lambda s, p: s.where(s > 1),
    "truncate": lambda s, p: s.truncate(s.index[1], s.index[3]),
    "eval": lambda s, p: s.to_frame("a").eval("a + 1"),
    "apply": lambda s, p: s.to_frame("a").apply(lambda c: c + 1),
    "constructor": lambda s, p: p.Series(1, index=s.index),
    "index of it": lambda s, p: p.Index(s.index),
    "pickle": lambda s, p: pickle.loads(pickle.dumps(s)),
    "melt": lambda s, p: s.to_frame("a").melt(ignore_index=False),
    "rolling": lambda s, p: s.rolling(2).sum(),
}  # fmt: skip
TWO = {
    "add": lambda s, t, p: s + t,
    "fill": lambda s, t, p: s.mul(t, fill_value=0),
    "outer": lambda s, t, p: s.align(t),
    "left": lambda s, t, p: s.align(t, join="left"),
    "right": lambda s, t, p: s.align(t, join="right"),
    "frame": lambda s, t, p: p.DataFrame({"a": s, "b": t}),
    "concat": lambda s, t, p: p.concat([s, t]),
    "concat columns": lambda s, t, p: p.concat([s, t], axis=1),
    "combine_first": lambda s, t, p: s.combine_first(t),
    "reindex": lambda s, t, p: s.reindex(t.index),
    "join": lambda s, t, p: s.to_frame("a").join(t.to_frame("b")),
    "join outer": lambda s, t, p: s.to_frame("a").join(t.to_frame("b"), how="outer"),
    "union": lambda s, t, p: s.index.union(t.index),
    "intersection": lambda s, t, p: s.index.intersection(t.index),
    "difference": lambda s, t, p: s.index.difference(t.index),
    "symmetric": lambda s, t, p: s.index.symmetric_difference(t.index),
    "append": lambda s, t, p: s.index.append(t.index),
    "assign": lambda s, t, p: s.to_frame("a").assign(b=t),
}  # fmt: skip
PARTS = {
    "all": lambda s: s,
    "tail": lambda s: s[1:],
    "head": lambda s: s[:3],
    "steps": lambda s: s[::2],
    "one": lambda s: s[:1],
    "none": lambda s: s[:0],
}
PAIRS = [("all", "tail"), ("head", "tail"), ("tail", "head"), ("all", "steps"), ("all", "one"), ("all", "none")]


def wrong(make, call, parts):
    """The differences from pandas, which is given labels of its own each time: its joins take frequencies off them."""
    results = []
    for library, own in ((pandas, lambda x: x), (pd, ours)):
        series = [own(PARTS[part](pandas.Series(range(6), index=make()))) for part in parts]
        try:
            results.append((call(*series, library), None))
        except Exception as e:  # the oracle may raise anything
            results.append((None, e))
    (expected, error), (found, own_error) = results
    if error is not None or own_error is not None:
        return "" if type(error) is type(own_error) else f"raises {own_error!r}, expected {error!r}"
    return difference(found, expected)


def check(call, several, kinds):
    with bc.config.set(fallback="silent"):
        found = {(k, *parts): wrong(INDEXES[k], call, parts) for k in kinds for parts in several}
    assert not {k: v for k, v in found.items() if v}


def some(number):
    """Days, and other kinds for each call."""
    others = [k for k in INDEXES if k != "days"]
    return ["days", others[number % len(others)], others[(number + 4) % len(others)]]


@pytest.mark.parametrize("name", ONE)
def test_of_one(name):
    check(ONE[name], [("all",)], some(list(ONE).index(name)))


@pytest.mark.parametrize("name", TWO)
def test_of_two(name):
    number = list(TWO).index(name)
    pairs = [p for p in PAIRS if p != ("all", "steps") or name != "outer"]  # a join takes the frequency off its operand
    check(TWO[name], pairs, some(number)[: 2 + number % 2])


@pytest.mark.slow
@pytest.mark.parametrize("name", [*ONE, *TWO])
def test_all_kinds(name):
    if name in ONE:
        check(ONE[name], [("all",)], INDEXES)
    else:
        check(TWO[name], [p for p in PAIRS if p != ("all", "steps") or name != "outer"], INDEXES)


LABELS = {
    "none": lambda i: i[:0], "none, uneven": lambda i: i[:0]._with_freq(None), "no list": lambda i: [], "some": lambda i: i[:2], "a list": lambda i: list(i[:2]),
    "some, uneven": lambda i: i[:2]._with_freq(None), "no objects": lambda i: pandas.Index([], dtype=object), "no series": lambda i: pandas.Series(i[:0]),
    "a series": lambda i: pandas.Series(i[:2]), "an array": lambda i: i[:2].to_numpy(), "no array": lambda i: i[:0].to_numpy(), "apart": lambda i: pandas.Series(i[[0, 3]]),
}  # fmt: skip


@pytest.mark.parametrize("labels", LABELS)
@pytest.mark.parametrize("index", ["days", "two days", "hours", "spans", "uneven"])
def test_rows_of_labels_keep_it(index, labels):
    there = pandas.Series(range(6), index=INDEXES[index]())
    key = LABELS[labels](there.index)
    own = ours(key) if isinstance(key, (pandas.Index, pandas.Series)) else key
    with bc.config.set(fallback="silent"):
        for x, y in ((ours(there), there), (ours(there.to_frame()), there.to_frame())):
            found, expected = x.loc[own], y.loc[key]
            assert found.to_pandas().index.freq == expected.index.freq
            pandas.testing.assert_index_equal(found.index.to_pandas(), expected.index)
