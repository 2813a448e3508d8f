"""To whom a name belongs that is given to the labels of a frame: as in pandas, to that frame alone."""

from __future__ import annotations

import warnings

import bascule as bc
import bascule.pandas as pd
import numpy as np
import pandas
import pytest
from frames import ours

FRAME = pandas.DataFrame({"a": [1, 2], "b": [1.0, 2.0]}, index=pandas.Index([5, 6], name="i"))
LEVELS = FRAME.set_axis(pandas.MultiIndex.from_tuples([("x", 1), ("y", 2)], names=["i", "j"]))
RANGE = FRAME.reset_index(drop=True).rename_axis("i")
DATED = FRAME.set_axis(pandas.DatetimeIndex(["2020-01-01", "2020-01-02"], name="i"))

DERIVED = {
    "copy": lambda d: d.copy(), "shallow": lambda d: d.copy(deep=False), "column": lambda d: d["a"], "attribute": lambda d: d.a, "columns": lambda d: d[["a"]],
    "head": lambda d: d.head(), "slice": lambda d: d[:], "first": lambda d: d[:1], "renamed": lambda d: d.rename(columns=str.upper), "assign": lambda d: d.assign(c=1),
    "iloc": lambda d: d.iloc[:, :1], "loc": lambda d: d.loc[:, ["a"]], "isna": lambda d: d.isna(), "astype": lambda d: d.astype(float), "frame of it": lambda d: type(d)(d),
    "series of it": lambda d: type(d["a"])(d["a"]), "drop": lambda d: d.drop(columns="a"), "fillna": lambda d: d.fillna(0), "reindex": lambda d: d.reindex(d.index),
    "to_frame": lambda d: d["a"].to_frame(), "mask": lambda d: d[d.a > 0], "round": lambda d: d.round(), "labels copied": lambda d: type(d["a"])([1, 2], d.index.copy()),
    "text": lambda d: d["a"].astype(str).str.upper(), "sort": lambda d: d.sort_index(), "where": lambda d: d.where(d.a > 0), "shift": lambda d: d.shift(),
    "cumsum": lambda d: d.cumsum(), "sum of rows": lambda d: d.sum(axis=1), "values": lambda d: d["a"].isin([1]), "set_index": lambda d: d.reset_index(drop=True),
    "index to_series": lambda d: d.index.to_series(), "to_numpy": lambda d: type(d["a"])(d["a"].to_numpy(), index=d.index.rename("n")),
    "series + series": lambda d: d["a"] + d["b"], "-d": lambda d: -d, "rename_axis": lambda d: d.rename_axis(["k"] * d.index.nlevels), "duplicated": lambda d: d.duplicated(),
    "describe": lambda d: d["a"].rank(), "update": lambda d: (lambda e: (e.update(e), e)[1])(d.copy()), "insert": lambda d: (lambda e: (e.insert(0, "z", 1), e)[1])(d.copy()),
}  # fmt: skip
SHARED_BY_PANDAS = {"sum of rows", "duplicated"}
SHARED = {
    "constructor of a series": lambda d: type(d["a"])([1, 2], index=d.index),
    "constructor of a frame": lambda d: type(d)({"x": [1, 2]}, index=d.index),
    "set": lambda d: (lambda e: (setattr(e, "index", d.index), e)[1])(type(d)({"x": [1, 2]})),
    "series set": lambda d: (lambda e: (setattr(e, "index", d.index), e)[1])(type(d["a"])([1, 2])),
    "set_axis": lambda d: d.set_axis(d.index),
}


def names(x):
    return [list(a.names) for a in x.axes]


def story(derive, frame, first, names_of_levels):
    """Names of both after the labels of one of them, and then of the other, were given names."""
    d = frame.copy()
    d.columns.name = "c"
    e = derive(d)
    out = []
    for k, x in enumerate((d, e) if first else (e, d)):
        x.index.names = [f"{n}{k}" for n in names_of_levels]
        out.append((names(d), names(e)))
        if x.ndim == 2:
            x.columns.name = f"C{k}"
        out.append((names(d), names(e)))
    out.append((d.index is d.index, names(derive(d))))
    return out


@pytest.mark.parametrize("first", [True, False])
@pytest.mark.parametrize("frame", [FRAME, LEVELS, RANGE, DATED], ids=["labels", "levels", "range", "dates"])
@pytest.mark.parametrize("name", DERIVED)
def test_a_name_belongs_to_the_frame_it_was_given_to(name, frame, first):
    """The same for results of which pandas shares the labels' object with the operands: the sum of rows, and `duplicated`."""
    derive = (
        DERIVED[name]
        if name not in SHARED_BY_PANDAS
        else lambda d: type(d["a"])(DERIVED[name](d), index=d.index.copy(), name=DERIVED[name](d).name)
    )
    check(derive, DERIVED[name], frame, first)


@pytest.mark.parametrize("first", [True, False])
@pytest.mark.parametrize("frame", [FRAME, LEVELS, RANGE, DATED], ids=["labels", "levels", "range", "dates"])
@pytest.mark.parametrize("name", SHARED)
def test_an_index_that_is_given_is_shared(name, frame, first):
    check(SHARED[name], SHARED[name], frame, first)


def check(oracle, derive, frame, first):
    levels = list(frame.index.names)
    with bc.config.set(fallback="silent"), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            expected = story(oracle, frame, first, levels)
        except Exception as e:
            with pytest.raises(type(e)):
                story(derive, ours(frame), first, levels)
            return
        assert story(derive, ours(frame), first, levels) == expected


def named(x, name):
    x.name = name
    return x


INDEXES = {
    "copy": lambda i: i.copy(), "view": lambda i: i.view(), "index of it": lambda i: type(i)(i), "take": lambda i: i.take([0, 1]), "slice": lambda i: i[:],
    "unique": lambda i: i.unique(), "dropna": lambda i: i.dropna(), "drop_duplicates": lambda i: i.drop_duplicates(), "sort_values": lambda i: i.sort_values(),
    "append": lambda i: i.append([]), "union": lambda i: i.union(i), "intersection": lambda i: i.intersection(i), "astype": lambda i: i.astype(i.dtype),
    "fillna": lambda i: i.fillna(0), "rename": lambda i: i.rename("z"), "set_names": lambda i: i.set_names(["z"]), "reindex": lambda i: i.reindex(i)[0],
    "get_level_values": lambda i: i.get_level_values(0), "where": lambda i: i.where(np.array([True, True])), "map": lambda i: i.map(lambda v: v),
    "insert": lambda i: i.insert(0, 3), "delete": lambda i: i.delete(0), "infer_objects": lambda i: i.infer_objects(), "repeat": lambda i: i.repeat(1),
    "join": lambda i: i.join(i), "difference": lambda i: i.difference([9]), "shift": lambda i: i[::-1],
}  # fmt: skip


@pytest.mark.parametrize("name", INDEXES)
@pytest.mark.parametrize("kind", ["Index", "RangeIndex"])
def test_what_is_made_of_an_index_has_a_name_of_its_own(name, kind):
    """Never less so than in pandas, where some of these give the index itself."""

    def both_ways(p, first):
        i = p.Index([5, 6], name="i") if kind == "Index" else p.RangeIndex(5, 7, name="i")
        e = INDEXES[name](i)
        (i if first else e).name = "q"
        return i.name, e.name

    with bc.config.set(fallback="silent"):
        for first in (True, False):
            expected = both_ways(pandas, first)
            found = both_ways(pd, first)
            assert found == expected or expected[0] == expected[1]


def test_the_labels_that_a_user_holds_stand_for_the_frame_for_good():
    with bc.config.set(fallback="silent"):
        frame = ours(FRAME)
        index, columns = frame.index, frame.columns
        frame["z"] = 1
        frame.loc[5, "a"] = 7
        frame += 1
        frame.fillna(0, inplace=True)
        index.name = columns.name = "q"
        assert (frame.index.name, frame.to_pandas().index.name) == ("q", "q")
        assert frame.index is index
        frame.index = [1, 2]
        index.name = "gone"
        assert frame.index.name is None


def test_pandas_objects_are_not_shared():
    """Objects that are given to pandas or come from it have names of their own."""
    theirs = FRAME.copy()
    mine = pd.from_pandas(theirs)
    theirs.index.name = theirs.columns.name = "x"
    assert (mine.index.name, mine.columns.name) == ("i", None)
    there = mine.to_pandas()
    there.index.name = there.columns.name = "y"
    mine.index.to_pandas().name = "z"
    assert (mine.index.name, mine.columns.name, mine.to_pandas().index.name) == ("i", None, "i")
    series = mine["a"].to_pandas()
    series.index.name = "w"
    assert mine["a"].index.name == mine.index.name == "i"


def test_an_index_forgets_the_rows_that_are_gone():
    index = pd.Index([1, 2])
    kept = [pd.Series([1, 2], index=index) for _ in range(3)]
    for _ in range(100):
        pd.Series([1, 2], index=index)
        kept[0].index = index
    assert len(index._owners) == 3
    index.name = "n"
    assert [s.index.name for s in kept] == ["n"] * 3
