"""A label is whatever hashes: columns, rows, groups and names are found by labels of every kind, as in pandas."""

from __future__ import annotations

import dataclasses
import datetime
import decimal
import enum
import fractions
import uuid

import bascule as bc
import bascule.pandas as pd
import numpy as np
import pandas
import pytest
from frame_differences import difference
from frames import ours

pytestmark = pytest.mark.filterwarnings("ignore")


class Colour(enum.Enum):
    RED, GREEN, BLUE = 1, 2, 3


class Size(enum.IntEnum):
    SMALL, LARGE, HUGE = 10, 20, 30


@dataclasses.dataclass(frozen=True)
class Point:
    x: int


class Own:
    """An object that is equal to itself alone."""


_OWN = [Own(), Own(), Own()]
UTC = datetime.timezone.utc  # noqa: UP017

KINDS = {
    "str": ["p", "q", "r"],
    "int": [5, 7, 6],
    "float": [1.5, 2.5, 0.5],
    "numpy": [np.int8(5), np.float32(0.5), np.str_("q")],
    "complex": [1j, 2 + 1j, 3j],
    "bytes": [b"p", b"q", b"r"],
    "tuple": [("p", 1), ("p", 2), ("q", 1)],
    "date": [datetime.date(2020, 1, k) for k in (1, 2, 3)],
    "datetime": [datetime.datetime(2020, 1, k) for k in (1, 2, 3)],
    "zoned datetime": [datetime.datetime(2020, 1, k, tzinfo=UTC) for k in (1, 2, 3)],
    "time": [datetime.time(k) for k in (1, 2, 3)],
    "timestamp": [pandas.Timestamp(2020, 1, k) for k in (1, 2, 3)],
    "datetime64": [np.datetime64(f"2020-01-0{k}") for k in (1, 2, 3)],
    "timedelta": [datetime.timedelta(k) for k in (1, 2, 3)],
    "pandas timedelta": [pandas.Timedelta(k, "h") for k in (1, 2, 3)],
    "period": [pandas.Period(f"2020-0{k}") for k in (1, 2, 3)],
    "interval": [pandas.Interval(k, k + 1) for k in (1, 2, 3)],
    "enum": list(Colour),
    "int enum": list(Size),
    "decimal": [decimal.Decimal(k) / 4 for k in (1, 2, 3)],
    "fraction": [fractions.Fraction(k, 7) for k in (1, 2, 3)],
    "uuid": [uuid.UUID(int=k) for k in (1, 2, 3)],
    "dataclass": [Point(k) for k in (1, 2, 3)],
    "object": _OWN,
    "None": [None, "q", "r"],
    "nan": [np.nan, 1.5, 2.5],
    "nan among objects": [np.nan, "q", 3],
    "NaT": [pandas.NaT, "q", 3],
    "offset": [pandas.offsets.Hour(k) for k in (1, 2, 3)],
}  # fmt: skip


def done(x, what):
    """The frame after something was done to it in place."""
    what(x)
    return x


def _setting(x, key, value):
    x[key] = value


def _deleting(x, key):
    del x[key]


def _setting_rows(x, rows, key, value):
    x.loc[rows, key] = value


def _setting_one(x, key):
    x.at[1, key] = 9


CALLS = {
    "item": lambda d, p, a, b, c: d[a],
    "two items": lambda d, p, a, b, c: d[[b, a]],
    "get": lambda d, p, a, b, c: d.get(a),
    "get with default": lambda d, p, a, b, c: d.get("zz", 5),
    "contains": lambda d, p, a, b, c: a in d,
    "pop": lambda d, p, a, b, c: (d.pop(a), d),
    "set": lambda d, p, a, b, c: done(d, lambda d: _setting(d, a, d[b])),
    "set scalar": lambda d, p, a, b, c: done(d, lambda d: _setting(d, a, 1)),
    "set new": lambda d, p, a, b, c: done(p.DataFrame({"z": [1, 2]}), lambda d: _setting(d, a, [3, 4])),
    "set first": lambda d, p, a, b, c: done(p.DataFrame(), lambda d: _setting(d, a, [3, 4])),
    "set several": lambda d, p, a, b, c: done(d, lambda d: _setting(d, [a, b], 7)),
    "delete": lambda d, p, a, b, c: done(d, lambda d: _deleting(d, a)),
    "insert": lambda d, p, a, b, c: done(p.DataFrame({"z": [1, 2]}), lambda d: d.insert(0, a, 5)),
    "insert again": lambda d, p, a, b, c: d.insert(0, a, 5),
    "loc": lambda d, p, a, b, c: d.loc[:, a],
    "loc list": lambda d, p, a, b, c: d.loc[:, [c, a]],
    "loc one": lambda d, p, a, b, c: d.loc[1, a],
    "loc slice": lambda d, p, a, b, c: d.loc[:, a:b],
    "loc set": lambda d, p, a, b, c: done(d, lambda d: _setting_rows(d, d.index > 0, a, 9)),
    "loc set whole": lambda d, p, a, b, c: done(d, lambda d: _setting_rows(d, slice(None), a, 9)),
    "at": lambda d, p, a, b, c: d.at[1, a],
    "at set": lambda d, p, a, b, c: done(d, lambda d: _setting_one(d, a)),
    "xs": lambda d, p, a, b, c: d.xs(a, axis=1),
    "drop": lambda d, p, a, b, c: d.drop(columns=a),
    "drop list": lambda d, p, a, b, c: d.drop([a, b], axis=1),
    "drop missing": lambda d, p, a, b, c: d.drop(columns=["zz"]),
    "rename": lambda d, p, a, b, c: d.rename(columns={a: "new"}),
    "rename to": lambda d, p, a, b, c: p.DataFrame({"z": [1]}).rename(columns={"z": a}),
    "reindex": lambda d, p, a, b, c: d.reindex(columns=[b, a]),
    "filter": lambda d, p, a, b, c: d.filter(items=[b, a]),
    "sort_values": lambda d, p, a, b, c: d.sort_values(a),
    "sort_values by two": lambda d, p, a, b, c: d.sort_values([b, a]),
    "nlargest": lambda d, p, a, b, c: d.nlargest(2, a),
    "set_index": lambda d, p, a, b, c: d.set_index(a),
    "set_index of two": lambda d, p, a, b, c: d.set_index([a, b]),
    "set_index and back": lambda d, p, a, b, c: d.set_index(a).reset_index(),
    "reset_index names": lambda d, p, a, b, c: p.DataFrame({"z": [1]}).reset_index(names=a),
    "index name": lambda d, p, a, b, c: d.rename_axis(a).reset_index(allow_duplicates=True),
    "level": lambda d, p, a, b, c: d.set_index([a, b]).index.get_level_values(b),
    "reset level": lambda d, p, a, b, c: d.set_index([a, b]).reset_index(b),
    "groupby": lambda d, p, a, b, c: d.groupby(a).sum(),
    "groupby of two": lambda d, p, a, b, c: d.groupby([a, b]).sum(),
    "groupby list": lambda d, p, a, b, c: d.groupby([a])[b].sum(),
    "groupby item": lambda d, p, a, b, c: d.groupby(a)[b].max(),
    "groupby items": lambda d, p, a, b, c: d.groupby(a)[[c, b]].mean(),
    "groupby level": lambda d, p, a, b, c: d.set_index(a).groupby(level=a).sum(),
    "groupby as_index": lambda d, p, a, b, c: d.groupby(a, as_index=False)[b].sum(),
    "groupby agg": lambda d, p, a, b, c: d.groupby(a).agg({b: "sum", c: ["min", "max"]}),
    "groupby agg dict": lambda d, p, a, b, c: d.groupby(a).agg({b: "sum"}),
    "groupby named": lambda d, p, a, b, c: d.groupby(a).agg(x=(b, "sum")),
    "groupby transform": lambda d, p, a, b, c: d.groupby(a)[b].transform("sum"),
    "groupby apply": lambda d, p, a, b, c: d.groupby(a).apply(lambda g: g[b].sum()),
    "agg": lambda d, p, a, b, c: d.agg({a: "sum"}),
    "agg lists": lambda d, p, a, b, c: d.agg({a: ["sum", "min"], b: ["max"]}),
    "rolling": lambda d, p, a, b, c: d.rolling(2)[a].sum(),
    "rolling items": lambda d, p, a, b, c: d.rolling(2)[[a, b]].sum(),
    "merge": lambda d, p, a, b, c: d.merge(d[[a, b]], on=a),
    "merge on two": lambda d, p, a, b, c: d.merge(d, on=[a, b]),
    "merge left and right": lambda d, p, a, b, c: d[[a, b]].merge(d[[c]], left_on=a, right_on=c),
    "merge outer": lambda d, p, a, b, c: d[[a, b]].merge(d[[a, c]], on=a, how="outer"),
    "merge suffixes": lambda d, p, a, b, c: d[[a, b]].merge(d, on=a),
    "join": lambda d, p, a, b, c: d[[a]].join(d[[b]]),
    "join on": lambda d, p, a, b, c: d[[a]].join(d.set_index(b)[[c]], on=a),
    "concat": lambda d, p, a, b, c: p.concat([d, d[[a]]]),
    "concat columns": lambda d, p, a, b, c: p.concat([d[[a]], d[b]], axis=1),
    "concat keys": lambda d, p, a, b, c: p.concat([d[[a]], d[[b]]], keys=[a, b]),
    "melt": lambda d, p, a, b, c: d.melt(id_vars=a),
    "melt values": lambda d, p, a, b, c: d.melt(id_vars=[a], value_vars=[b]),
    "melt names": lambda d, p, a, b, c: p.DataFrame({"z": [1]}).melt(var_name=a, value_name=b),
    "pivot": lambda d, p, a, b, c: d.pivot(index=a, columns=b, values=c),
    "pivot all": lambda d, p, a, b, c: d.pivot(index=a, columns=b),
    "pivot_table": lambda d, p, a, b, c: d.pivot_table(index=a, columns=b, values=c),
    "pivot_table rows": lambda d, p, a, b, c: d.pivot_table(index=a, values=c, aggfunc="sum"),
    "stack": lambda d, p, a, b, c: d.stack(),
    "unstack": lambda d, p, a, b, c: d.set_index([a, b])[c].unstack(),
    "crosstab": lambda d, p, a, b, c: p.crosstab(d[a], d[b]),
    "drop_duplicates": lambda d, p, a, b, c: d.drop_duplicates(a),
    "drop_duplicates of two": lambda d, p, a, b, c: d.drop_duplicates([a, b]),
    "duplicated": lambda d, p, a, b, c: d.duplicated(a),
    "value_counts": lambda d, p, a, b, c: d.value_counts(a),
    "value_counts of two": lambda d, p, a, b, c: d.value_counts([a, b]),
    "dropna": lambda d, p, a, b, c: d.dropna(subset=[a]),
    "dropna of one": lambda d, p, a, b, c: d.dropna(subset=a),
    "fillna": lambda d, p, a, b, c: d.fillna({a: 0}),
    "astype": lambda d, p, a, b, c: d.astype({a: "float64"}),
    "replace": lambda d, p, a, b, c: d.replace({a: 1}, 100),
    "isin": lambda d, p, a, b, c: d.isin({a: [1]}),
    "round": lambda d, p, a, b, c: d.round({a: 1}),
    "explode": lambda d, p, a, b, c: d.explode(a),
    "to_dict": lambda d, p, a, b, c: d.to_dict("list"),
    "items": lambda d, p, a, b, c: dict(d.items()),
    "iteration": lambda d, p, a, b, c: list(d),
    "itertuples": lambda d, p, a, b, c: list(d.itertuples()),
    "iterrows": lambda d, p, a, b, c: [r for _, r in d.iterrows()],
    "constructor": lambda d, p, a, b, c: p.DataFrame({a: [1], b: [2]}),
    "constructor columns": lambda d, p, a, b, c: p.DataFrame([[1, 2]], columns=[a, b]),
    "constructor choice": lambda d, p, a, b, c: p.DataFrame({a: [1], b: [2]}, columns=[b]),
    "series name": lambda d, p, a, b, c: p.Series([1], name=a).to_frame(),
    "series rename": lambda d, p, a, b, c: p.Series([1]).rename(a).reset_index(),
    "series to_frame": lambda d, p, a, b, c: p.Series([1]).to_frame(a),
    "sums": lambda d, p, a, b, c: d.sum(),
    "one sum": lambda d, p, a, b, c: d.sum()[a],
    "transpose": lambda d, p, a, b, c: d.T,
    "transposed row": lambda d, p, a, b, c: d.T.loc[a],
    "transposed rows": lambda d, p, a, b, c: d.T.loc[[b, a]],
    "row dropped": lambda d, p, a, b, c: d.T.drop(a),
    "row reindexed": lambda d, p, a, b, c: d.T.reindex([b, a]),
    "row": lambda d, p, a, b, c: d.iloc[0][a],
    "row set": lambda d, p, a, b, c: done(d.T, lambda t: _setting_rows(t, a, 1, 50)),
    "series item": lambda d, p, a, b, c: d.T[1][a],
    "series get": lambda d, p, a, b, c: d.T[1].get(a),
    "series contains": lambda d, p, a, b, c: a in d.T[1],
    "series of dict": lambda d, p, a, b, c: p.Series({a: 1, b: 2}),
    "series to dict": lambda d, p, a, b, c: d.T[1].to_dict(),
    "sort columns": lambda d, p, a, b, c: d.sort_index(axis=1),
    "position": lambda d, p, a, b, c: d.columns.get_loc(a),
    "corr": lambda d, p, a, b, c: d.corr()[a],
    "index of them": lambda d, p, a, b, c: p.Index([a, b, c]),
    "look up": lambda d, p, a, b, c: p.Index([a, b, c]).get_loc(b),
    "look up several": lambda d, p, a, b, c: p.Index([a, b, c]).get_indexer([c, a]),
    "in index": lambda d, p, a, b, c: (a in p.Index([b, a]), c in p.Index([b, a])),
    "isin of index": lambda d, p, a, b, c: p.Index([a, b, c]).isin([a]),
    "multi": lambda d, p, a, b, c: p.MultiIndex.from_product([[a, b], [1, 2]]),
    "to_csv": lambda d, p, a, b, c: d.to_csv(),
    "map": lambda d, p, a, b, c: p.Series([a, b]).map({a: 1, b: 2}),
}  # fmt: skip


# Where pandas stumbles over its own labels: over those that it takes for lists or for the name of nothing, over a repeated
# key, over dates of NumPy among repeated ones, and over objects that it has not thought of as labels of these calls.
REPEATED = "set_index of two,level,reset level,unstack,merge on two,crosstab".split(",")
OPEN = (
    {(name, kind, True) for name in REPEATED for kind in KINDS}
    | {(name, "datetime64", True) for name in "drop,drop list,groupby,merge,merge suffixes,row dropped".split(",")}
    | {(name, "datetime64", r) for name in ["rename"] for r in (True, False)}
    | {(name, "bytes", r) for name in ("drop", "pivot", "pivot all") for r in (True, False)}
    | {(name, "None", r) for name in ("agg", "astype", "explode", "drop_duplicates of two") for r in (True, False)}
    | {(name, "nan", r) for name in ("drop_duplicates", "drop_duplicates of two", "duplicated") for r in (True, False)}
    | {(name, "tuple", False) for name in ("groupby named", "join on", "explode")}
    | {
        (name, kind, r)
        for name in ("rolling", "explode", "pivot_table", "pivot_table rows")
        for kind in ("enum", "dataclass", "object")
        for r in (True, False)
    }
)


def frames_of(kind, repeated):
    a, b, c = KINDS[kind]
    columns = [a, b, b] if repeated else [a, b, c]
    made = pandas.DataFrame([[1, 4, 7], [2, 4, 8], [1, 5, 9]])
    made.columns = pandas.Index(columns, tupleize_cols=False)
    return made, (a, b, c)


def attempt(call, frame, library, labels):
    try:
        return call(frame, library, *labels), None
    except Exception as e:  # the oracle may raise anything
        return None, e


def wrong(name, kind, repeated):
    """The differences from pandas, in words."""
    theirs, labels = frames_of(kind, repeated)
    mine = ours(theirs)
    expected, error = attempt(CALLS[name], theirs, pandas, labels)
    found, own_error = attempt(CALLS[name], mine, pd, labels)
    if error is not None or own_error is not None:
        same = isinstance(own_error, type(error)) if error is not None else False
        return "" if same else f"raises {own_error!r}, expected {error!r}"
    return difference(found, expected)


def all_wrong(name, kinds):
    with bc.config.set(fallback="silent"):
        cases = [(k, r) for k in kinds for r in (False, True) if (name, k, r) not in OPEN]
        found = {(k, r): wrong(name, k, r) for k, r in cases}
    return {k: v for k, v in found.items() if v}


@pytest.mark.parametrize("name", CALLS)
def test_labels_of_some_kinds(name):
    """Other kinds for each call, so that every kind meets many of them."""
    kinds, first = list(KINDS), 7 * list(CALLS).index(name)
    assert not all_wrong(name, [kinds[(first + 11 * k) % len(kinds)] for k in range(2)])


@pytest.mark.slow
@pytest.mark.parametrize("name", CALLS)
def test_labels_of_every_kind(name):
    assert not all_wrong(name, KINDS)
