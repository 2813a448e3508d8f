"""Derived classes, registered accessors, and what frames carry: as pandas' own."""

from __future__ import annotations

import copy
import pickle
import warnings

import bascule as bc
import bascule.pandas as pd
import mutations
import numpy as np
import pandas
import pytest
from frames import ours


@pytest.fixture(autouse=True)
def silent():
    with bc.config.set(fallback="silent"), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        yield


def classes(p):
    """A derived frame and a derived series of a namespace."""

    class Measured(p.Series):
        _metadata = ["unit"]
        unit = None

        @property
        def _constructor(self):
            return Measured

        @property
        def _constructor_expanddim(self):
            return Table

    class Table(p.DataFrame):
        _metadata = ["unit"]

        def __init__(self, *args, unit=None, **kwargs):
            super().__init__(*args, **kwargs)
            self.unit = unit

        @property
        def _constructor(self):
            return Table

        @property
        def _constructor_sliced(self):
            return Measured

        def twice(self):
            return self * 2

        def head(self, n=1):
            return super().head(n)

    return Table, Measured


def kinds(x):
    """Classes and what they carry, of a result."""
    if isinstance(x, (list, tuple)):
        return [kinds(v) for v in x]
    if isinstance(x, (pandas.DataFrame, pandas.Series, pd.DataFrame, pd.Series)):
        return type(x).__name__, getattr(x, "unit", "none"), dict(x.attrs), x.flags.allows_duplicate_labels
    return None


FRAMES = mutations.calls(pandas.DataFrame, [mutations.BOTH, mutations.OF_FRAMES])
ALL_SERIES = mutations.calls(
    pandas.Series, [mutations.OF_SERIES, {k: v for k, v in mutations.BOTH.items() if k not in mutations.OF_SERIES}]
)
MORE = {
    "twice": lambda x, p: x.twice(), "column": lambda x, p: x["a"], "columns": lambda x, p: x[["a"]], "attribute": lambda x, p: x.a, "loc": lambda x, p: x.loc[10:30], "row": lambda x, p: x.loc[10],
    "iloc": lambda x, p: x.iloc[:, 0], "mask": lambda x, p: x[x["a"] > 1], "+": lambda x, p: x + 1, "r+": lambda x, p: 1 + x, "x+x": lambda x, p: x + x, "==": lambda x, p: x == x, "neg": lambda x, p: -x, "abs": lambda x, p: abs(x),
    "ufunc": lambda x, p: np.sqrt(x), "T": lambda x, p: x.T, "head": lambda x, p: x.head(), "group": lambda x, p: x.groupby("a").sum(), "group column": lambda x, p: x.groupby("a")["b"].mean(), "apply": lambda x, p: x.apply(np.sum),
    "items": lambda x, p: [v for _, v in x.items()], "copy": lambda x, p: copy.copy(x), "deepcopy": lambda x, p: copy.deepcopy(x),
    "to_frame": lambda x, p: x["a"].to_frame(), "concat": lambda x, p: p.concat([x, x]), "sum": lambda x, p: x.sum(), "in place": lambda x, p: x.__iadd__(1), "merge": lambda x, p: x.merge(x, on="a"),
}  # fmt: skip


def derived(p, frame, series):
    table, measured = classes(p)
    x = table(frame if p is pandas else ours(frame), unit="kg")
    s = measured(series if p is pandas else ours(series))
    s.unit = "kg"
    return x, s


def carried_less(found, expected):
    """Whether a result is of another class than in pandas, or carries less than there."""
    if isinstance(expected, list):
        return not isinstance(found, list) or any(carried_less(f, e) for f, e in zip(found, expected, strict=True))
    if expected is None or found is None:
        return found is not expected
    return found[0] != expected[0] or (expected[1] == "kg" and found[1] != "kg") or found[2:] != expected[2:]


@pytest.mark.parametrize("name", MORE)
def test_operators_and_parts_of_derived_frames(name):
    theirs, _ = derived(pandas, mutations.FRAME, mutations.SERIES)
    mine, _ = derived(pd, mutations.FRAME, mutations.SERIES)
    assert not carried_less(kinds(MORE[name](mine, pd)), kinds(MORE[name](theirs, pandas)))


# pandas makes these of its plain classes, or of derived ones that carry nothing
OTHERWISE = {
    "agg",
    "aggregate",
    "describe",
    "align",
    "count",
    "nunique",
    "memory_usage",
    "value_counts",
    "rolling",
    "ewm",
    "expanding",
    "info",
    "idxmax",
    "idxmin",
    "items",
    "from_dict",
    "from_records",
    "pipe",
}


@pytest.mark.parametrize("of_frames", [True, False])
def test_every_method_of_derived_classes(of_frames):
    wrong = []
    for name, call in FRAMES if of_frames else ALL_SERIES:
        if name in OTHERWISE:
            continue
        theirs = derived(pandas, mutations.FRAME, mutations.SERIES)[0 if of_frames else 1]
        mine = derived(pd, mutations.FRAME, mutations.SERIES)[0 if of_frames else 1]
        try:
            expected = kinds(call(theirs, pandas))
        except Exception:
            continue
        found = kinds(call(mine, pd))
        if carried_less(found, expected):
            wrong.append((name, found, expected))
    assert not wrong


@pytest.mark.parametrize("of_frames", [True, False])
def test_attrs_and_flags_of_every_method(of_frames):
    wrong = []
    for name, call in FRAMES if of_frames else ALL_SERIES:
        theirs = (mutations.FRAME if of_frames else mutations.SERIES).copy()
        theirs.attrs = {"k": [1]}
        theirs.flags.allows_duplicate_labels = False
        mine = ours(theirs)
        results = []
        for x, p in ((theirs, pandas), (mine, pd)):
            try:
                results.append(kinds(call(x, p)))
            except Exception as e:
                results.append(type(e))
        if results[0] != results[1]:
            wrong.append((name, *results))
    assert not wrong


def test_attrs_of_two():
    a, b = mutations.FRAME.copy(), mutations.FRAME.copy()
    a.attrs = {"k": 1}
    for other in ({"k": 1}, {"k": 2}, {}):
        b.attrs = other
        x, y = ours(a), ours(b)
        assert pd.concat([x, y]).attrs == pandas.concat([a, b]).attrs
        assert pd.concat([x, y], axis=1).attrs == pandas.concat([a, b], axis=1).attrs
        assert x.merge(y, on="a").attrs == a.merge(b, on="a").attrs
        assert (x + y).attrs == (a + b).attrs
        assert (x["a"] + y["a"]).attrs == (a["a"] + b["a"]).attrs
        assert (y + x).attrs == (b + a).attrs
        assert (y == x).attrs == (b == a).attrs


def test_attrs_are_their_owners():
    x = ours(mutations.FRAME)
    x.attrs["k"] = [1]
    y = x.copy()
    y.attrs["k"].append(2)
    assert x.attrs == {"k": [1]} and y.attrs == {"k": [1, 2]}
    assert pickle.loads(pickle.dumps(y)).attrs == y.attrs
    flagged = x.set_flags(allows_duplicate_labels=False)
    assert x.flags.allows_duplicate_labels and not pickle.loads(pickle.dumps(flagged)).flags.allows_duplicate_labels
    with pytest.raises(pandas.errors.DuplicateLabelError):
        flagged.index = [1, 1, 2]
    with pytest.raises(pandas.errors.DuplicateLabelError):
        flagged.iloc[[0, 0]]
    with pytest.raises(pandas.errors.DuplicateLabelError):
        ours(mutations.FRAME.iloc[[0, 0]]).set_flags(allows_duplicate_labels=False)


def test_plain_classes_carry_nothing():
    x = ours(mutations.FRAME)
    assert x._plain and x.head()._plain and (x + 1)._plain and "attrs" not in x.__dict__


class Shop(pd.DataFrame):
    """A derived class that a pickle finds."""

    _metadata = ["owner"]
    owner = None

    @property
    def _constructor(self):
        return Shop


def test_derived_frames_travel():
    shop = Shop({"a": [1, 2]})
    shop.owner = "me"
    there = pickle.loads(pickle.dumps(shop))
    assert type(there) is Shop and there.owner == "me" and there.a.tolist() == [1, 2]
    assert type(copy.deepcopy(shop)) is Shop
    assert type(shop.__class__({"a": [1]})) is Shop and type(pd.Series([1]).__class__([1])) is pd.Series
    assert shop.__class__ is Shop and not isinstance(shop, pandas.DataFrame)
    assert pandas.DataFrame(shop).equals(pandas.DataFrame({"a": [1, 2]}))


# ---- accessors


def test_registered_accessors():
    class Geo:
        def __init__(self, obj):
            self.obj = obj

        def count(self):
            return len(self.obj)

        def double(self):
            return self.obj * 2

    pd.api.extensions.register_dataframe_accessor("geo_of_ours")(Geo)
    pd.api.extensions.register_series_accessor("geo_of_ours")(Geo)
    pd.api.extensions.register_index_accessor("geo_of_ours")(Geo)
    pandas.api.extensions.register_dataframe_accessor("geo_of_pandas")(Geo)
    pandas.api.extensions.register_series_accessor("geo_of_pandas")(Geo)
    pandas.api.extensions.register_index_accessor("geo_of_pandas")(Geo)
    try:
        x = ours(mutations.FRAME)
        for name in ("geo_of_ours", "geo_of_pandas"):
            for y in (x, x["a"], x.index):
                assert getattr(y, name).count() == 3
                assert name in dir(y)
            assert type(getattr(x, name).double()) is pd.DataFrame and getattr(x, name).obj is x
        assert not hasattr(pandas.DataFrame, "geo_of_ours")
        assert pd.DataFrame.geo_of_ours is Geo
        x["b"].geo_of_ours.mark = 1
        with pytest.raises(AttributeError, match="geo_of_nobody"):
            x.geo_of_nobody
    finally:
        for theirs in (pandas.DataFrame, pandas.Series, pandas.Index):
            del theirs.geo_of_pandas
            theirs._accessors.discard("geo_of_pandas")
        for mine in (pd.DataFrame, pd.Series, pd.Index):
            del mine.geo_of_ours


def test_an_accessor_that_refuses():
    class Only:
        def __init__(self, obj):
            raise AttributeError("only for others")

    pd.api.extensions.register_series_accessor("only_others")(Only)
    try:
        with pytest.raises(AttributeError, match="only for others"):
            pd.Series([1]).only_others
    finally:
        del pd.Series.only_others
