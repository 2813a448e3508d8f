"""Errors about labels, in pandas' words, and classes of what comes of labels."""

from __future__ import annotations

import bascule as bc
import bascule.pandas as pd
import numpy as np
import pandas
import pytest
from frame_differences import difference

pytestmark = pytest.mark.filterwarnings("ignore")


def frame(p):
    return p.DataFrame({"a": [1, 2], "b": [3.0, 4.0]})


def levels(p):
    return frame(p).set_index(["a", "b"]).assign(c=1)


def repeated(p):
    return p.DataFrame([[1, 2], [3, 4]], columns=["B", "B"])


def changed(x, what):
    what(x)
    return x


def at(x, key, value):
    x.at[key] = value


def iat(x, key, value):
    x.iat[key] = value


def item(x, key, value):
    x[key] = value


def loc(x, key, value):
    x.loc[key] = value


SPANS = np.array([1, 2], "m8[D]")
CASES = {
    # one value
    "iat of a row": lambda p: frame(p).iat[0],
    "at of a row": lambda p: frame(p).at[0],
    "at of a list": lambda p: frame(p).at[[0], "a"],
    "at of a list of columns": lambda p: frame(p).at[0, ["a"]],
    "at of a list alone": lambda p: frame(p).a.at[[0]],
    "at of a slice": lambda p: frame(p).at[0:1, "a"],
    "iat by label": lambda p: frame(p).iat[0, "a"],
    "iat too far": lambda p: frame(p).iat[5, 5],
    "at set of a row": lambda p: changed(frame(p), lambda d: at(d, 0, 1)),
    "at set of a list": lambda p: changed(frame(p), lambda d: at(d, ([0], "a"), 1)),
    "iat set of a row": lambda p: changed(frame(p), lambda d: iat(d, 0, 1)),
    "iat set by label": lambda p: changed(frame(p).a, lambda s: iat(s, "a", 1)),
    "at of a repeated label": lambda p: repeated(p).at[0, ("B",)],
    # keys and sets of values
    "keys in a tuple": lambda p: frame(p).merge(frame(p), on=("a", "b")),
    "subset in a tuple": lambda p: frame(p).dropna(subset=("a", "b")),
    "loc of a tuple": lambda p: frame(p).loc[:, ("a", "b")],
    "set_index of an iterator": lambda p: frame(p).set_index(iter(["x", "y"])),
    "set_index of iterators": lambda p: frame(p).set_index(["b", iter(["x", "y"])]),
    "set_index of a matrix": lambda p: frame(p).set_index(np.ones((2, 2))),
    "pivot of an index": lambda p: frame(p).assign(c=1).pivot(index="a", columns="b", values=p.Index(["c"])),
    "pivot of one key twice": lambda p: frame(p).pivot(index="a", columns="a", values="b"),
    "isetitem of a matrix": lambda p: changed(frame(p), lambda d: d.isetitem([1, 0], np.array([[1, 2], [3, 4]]))),
    "too many values": lambda p: changed(frame(p), lambda d: item(d, d > 1, [3, 3, 3])),
    "a generator": lambda p: changed(frame(p), lambda d: item(d, "z", (x for x in [1, 2]))),
    "a set": lambda p: changed(frame(p), lambda d: item(d, "z", {1, 2})),
    "repeated columns": lambda p: changed(repeated(p), lambda d: loc(d, (slice(None), "B"), (1, 4))),
    "a column of a series": lambda p: p.Series(frame(p).a.set_axis(["x", "y"]), dtype="float64"),
    "a column of other labels": lambda p: p.Series(frame(p).a, index=[1, 0, 2], dtype="float64"),
    # names that are two things
    "sort by both": lambda p: frame(p).rename_axis("a").sort_values("a"),
    "merge by both": lambda p: frame(p).rename_axis("a").merge(frame(p), on="a"),
    "reset both": lambda p: frame(p).rename_axis("a").reset_index(),
    "reset a name twice": lambda p: frame(p).set_index(["a", "b"]).rename_axis(["c", "c"]).reset_index(),
    "reset too few names": lambda p: levels(p).reset_index(names=["x"]),
    "crosstab of both": lambda p: p.crosstab(frame(p).rename_axis("a").a, frame(p).rename_axis("a").b),
    "pivot_table of a level": lambda p: frame(p).rename_axis("e").pivot_table(index="e", values="a"),
    "pivot_table of level and column": lambda p: frame(p).rename_axis("e").pivot_table(index=["e", "b"], values="a"),
    "drop what is not there": lambda p: frame(p).drop(columns=["zz", "a"]),
    # labels that are not there
    "missing levels": lambda p: levels(p).loc[(1, "zz")],
    "missing number of levels": lambda p: levels(p).loc[(1, 7.0)],
    "missing list of levels": lambda p: levels(p).loc[[(1, 7.0)]],
    "missing first level": lambda p: levels(p).loc[7],
    "missing levels and a column": lambda p: levels(p).loc[(7, 3.0), "c"],
    "missing row": lambda p: frame(p).loc[7],
    "missing rows": lambda p: frame(p).loc[[0, 7]],
    "missing column": lambda p: frame(p)[["a", "zz"]],
    "missing columns": lambda p: frame(p)[["y", "z"]],
    # words
    "truth of a frame": lambda p: bool(frame(p)),
    "truth of an index": lambda p: bool(frame(p).index),
    "no such aggregation": lambda p: frame(p).agg("zz"),
    "no such aggregation of a series": lambda p: frame(p).a.agg("zz"),
    "no such aggregation of groups": lambda p: frame(p).groupby("a").agg("zz"),
    "NumPy's function": lambda p: frame(p).agg("sqrt"),
    "one-to-one": lambda p: frame(p).merge(p.DataFrame({"a": [1, 1]}), on="a", validate="1:1"),
    "one-to-one of both": lambda p: p.DataFrame({"a": [1, 1]}).merge(p.DataFrame({"a": [1, 1]}), validate="1:1"),
    "many-to-one": lambda p: frame(p).merge(p.DataFrame({"a": [1, 1]}), on="a", validate="m:1"),
    "append of a list": lambda p: p.Index([1]).append([2.5]),
    # classes and names
    "stop": lambda p: p.RangeIndex(0, 5, 2).stop,
    "stop of a slice": lambda p: p.RangeIndex(0, 5, 2)[1:].stop,
    "division of nothing": lambda p: p.RangeIndex(0) // 2,
    "division of one": lambda p: p.RangeIndex(5, 6) // 3,
    "division": lambda p: p.RangeIndex(0, 10, 2) // 2,
    "uneven division": lambda p: p.RangeIndex(3) // 2,
    "levels without names": lambda p: p.MultiIndex.from_arrays([p.Index([1], name="a"), p.Index([2], name="b")], names=None),
    "product without names": lambda p: p.MultiIndex.from_product([p.Index([1], name="a"), [2]], names=None),
    "levels with their names": lambda p: p.MultiIndex.from_arrays([p.Index([1], name="a"), p.Index([2], name="b")]),
    "a name of levels": lambda p: changed(levels(p).index, lambda i: setattr(i, "name", "foo")).names,
    "a series of levels": lambda p: levels(p).index.to_series(),
    "columns by number": lambda p: p.DataFrame({3: [1], 5: [2]}).columns,
    "to_frame": lambda p: p.Index(["a"]).to_frame(),
    "levels to_frame": lambda p: p.MultiIndex.from_product([[1], [2]]).to_frame(),
    "level of a range": lambda p: p.concat([frame(p), frame(p)], keys=["x", "y"]).index.levels[1],
    "level of stacked rows": lambda p: frame(p).stack().index.levels[0],
    "joined levels": lambda p: p.DataFrame({"a": [1]}, index=p.MultiIndex.from_arrays([p.to_timedelta([1])])).join(
        p.DataFrame({"b": [1]}, index=p.MultiIndex.from_arrays([p.to_timedelta([1])])), how="right"
    ),
    "aggregations of object labels": lambda p: p.DataFrame([[1, 2]], columns=p.Index(["x", "y"], dtype=object)).groupby("x").agg({"y": "sum"}),
    "aggregation by tuple": lambda p: p.DataFrame({("x", 1): [1]}).agg({("x", 1): "sum"}),
    "names of aggregations": lambda p: frame(p).rename_axis(columns="c").groupby("a").agg({"b": ["sum"]}),
    "concat of small integers": lambda p: p.concat(
        [p.DataFrame([[1]], columns=p.Index([1], dtype="Int8")), p.DataFrame([[1]], columns=p.Index([2], dtype="Int32"))]
    ),
    "concat of dates": lambda p: p.concat(
        [p.DataFrame([[1]], columns=p.DatetimeIndex([t])) for t in ("2021-01-01", "2020-01-01")]
    ),
    "name of columns": lambda p: p.concat([frame(p).rename_axis(columns="c")] * 2, axis=1),
    "series of groups with levels": lambda p: frame(p).groupby("a").apply(
        lambda g: p.Series([1.0], index=p.MultiIndex.from_tuples([("a", "b")]))
    ),
    "a row": lambda p: frame(p).assign(c="x").iloc[0],
    "dict of missing values": lambda p: p.DataFrame({"a": p.Series([1, p.NA], dtype=object)}).to_dict("list"),
    "keys of groups": lambda p: frame(p).groupby("a").indices,
    "spans and dates": lambda p: SPANS + p.DatetimeIndex(["2020", "2021"]),
    "our spans and dates": lambda p: (bc.asarray(SPANS) if p is pd else SPANS) + p.DatetimeIndex(["2020", "2021"]),
    "our dates and series": lambda p: (bc.asarray(SPANS) if p is pd else SPANS) + p.Series(p.to_datetime(["2020", "2021"])),
    "names in the module": lambda p: eval("[Timestamp, NaT, PeriodIndex.__name__, Interval(0, 1)]", vars(p)),
}  # fmt: skip


@pytest.mark.parametrize("name", CASES)
def test_case(name):
    with bc.config.set(fallback="silent"):
        try:
            expected = CASES[name](pandas)
        except Exception as e:  # the oracle may raise anything
            with pytest.raises(type(e)) as found:
                CASES[name](pd)
            assert type(found.value) is type(e) and str(found.value) == str(e)
            return
        assert not difference(CASES[name](pd), expected)


TARGETS = {
    "list": lambda labels, p: labels,
    "tuple": lambda labels, p: tuple(labels),
    "array": lambda labels, p: np.array(labels),
    "iterator": lambda labels, p: iter(labels),
    "index": lambda labels, p: p.Index(labels),
    "named index": lambda labels, p: p.Index(labels, name="z"),
    "series": lambda labels, p: p.Series(labels),
    "nothing": lambda labels, p: [],
    "range": lambda labels, p: range(2),
}  # fmt: skip


@pytest.mark.parametrize("labels", [["b", "a"], ["a"], ["b", "zz"]], ids=str)
@pytest.mark.parametrize("target", TARGETS)
def test_reindex_keeps_names(target, labels):
    def rows(p):
        return p.DataFrame([[1, 2], [3, 4]], p.Index(["a", "b"], name="i"), p.Index(["a", "b"], name="c"))

    for call in (
        lambda p: rows(p).reindex(TARGETS[target](labels, p)),
        lambda p: rows(p).reindex(columns=TARGETS[target](labels, p)),
        lambda p: rows(p).a.reindex(TARGETS[target](labels, p)),
        lambda p: rows(p).index.reindex(TARGETS[target](labels, p))[0],
        lambda p: rows(p).reset_index(drop=True).rename_axis("n").reindex(TARGETS["range"](labels, p)),
    ):
        with bc.config.set(fallback="silent"):
            assert not difference(call(pd), call(pandas))
