"""Indexes of each kind and form, and calls on them that look labels up in an index, a series and a frame."""

from __future__ import annotations

from typing import Any

import bascule.pandas as pd
import numpy as np
import pandas

DAYS = ["2020-01-01", "2020-01-03", "2020-02-01", "2020-03-05", "2021-01-01"]
HOURS = ["1h", "3h", "1D", "2D", "9D"]
LABELS: dict[str, list] = {
    "int64": [-1, 3, 4, 8, 9],
    "uint8": [1, 3, 4, 8, 200],
    "int16": [-1, 3, 4, 8, 9],
    "uint64": [1, 3, 4, 8, 2**63 + 1],
    "float64": [-0.5, 1.0, 2.5, 4.0, 8.0],
    "float32": [-0.5, 1.0, 2.5, 4.0, 8.0],
    "str": ["", "b", "bb", "d", "ü"],
    "string": ["", "b", "bb", "d", "ü"],
    "object": ["", "b", "bb", "d", "ü"],
    "mixed": [1, "b", (1, 2), 2.5, "ü"],
    "bool": [False, True, True, True, True],
    "boolean": [False, True, True, True, True],
    "Int64": [-1, 3, 4, 8, 9],
    "UInt8": [1, 3, 4, 8, 200],
    "Float64": [-0.5, 1.0, 2.5, 4.0, 8.0],
    "category": ["a", "c", "b", "d", "e"],
    "ordered": [3, 1, 2, 5, 4],
    "datetime": DAYS,
    "datetime s": DAYS,
    "zoned": DAYS,
    "timedelta": HOURS,
    "period": DAYS,
    "interval": [0, 1, 3, 5, 8],
    "int64[pyarrow]": [-1, 3, 4, 8, 9],
    "levels": [("a", 1), ("a", 2), ("b", 1), ("c", 5), ("c", 6)],
    "masked levels": [(1, 0.5), (1, 2.5), (2, 0.5), (4, 1.0), (4, 8.0)],
    "time levels": [(DAYS[0], "x"), (DAYS[0], "y"), (DAYS[1], "x"), (DAYS[2], "x"), (DAYS[4], "z")],
}
FORMS: dict[str, list] = {
    "sorted": [0, 1, 2, 3],
    "unsorted": [2, 0, 3, 1],
    "falling": [3, 2, 0],
    "sorted repeats": [0, 0, 2, 3],
    "repeats": [2, 0, 2, 3, 0],
    "missing": [2, None, 0, 3],
    "missing last": [0, 2, 3, None],
    "missing repeats": [2, None, 0, 2, None],
    "one missing": [None],
    "empty": [],
}
OTHERS: dict[str, list] = {
    "same": [2, 0, 3, 1],
    "other": [3, 4, 1],
    "sorted other": [1, 3, 4],
    "other missing": [3, None, 4],
    "other repeats": [3, 4, 3, 0],
}
WITHOUT_MISSING = {"int64", "uint8", "int16", "uint64", "bool"}


def index(kind: str, form: list, name: Any = "k") -> pandas.Index | None:
    """The labels of a kind at some of its five positions; None if it has no missing ones."""
    if None in form and kind in WITHOUT_MISSING:
        return None
    rows = [None if i is None else LABELS[kind][i] for i in form]
    if kind.endswith("levels"):
        parts = [[None if r is None else r[i] for r in rows] for i in (0, 1)]
        types = {"levels": ("str", "Int64" if None in form else "int64"), "masked levels": ("Int64", "Float64"), "time levels": ("M8[ns]", "str")}[kind]  # fmt: skip
        arrays = [pandas.Index(p, dtype=t) for p, t in zip(parts, types)]
        return pandas.MultiIndex.from_arrays(arrays, names=[name, None])
    if kind == "category":
        return pandas.CategoricalIndex(rows, categories=list("cabde"), name=name)
    if kind == "ordered":
        return pandas.CategoricalIndex(rows, categories=[3, 1, 2, 5, 4], ordered=True, name=name)
    if kind.startswith("datetime"):
        return pandas.DatetimeIndex(rows, name=name).as_unit("s" if kind.endswith("s") else "ns")
    if kind == "zoned":
        return pandas.DatetimeIndex(rows, tz="Europe/Berlin", name=name)
    if kind == "timedelta":
        return pandas.TimedeltaIndex(rows, name=name)
    if kind == "period":
        return pandas.PeriodIndex(rows, freq="D", name=name)
    if kind == "interval":
        edges = [None if r is None else pandas.Interval(r, r + 1) for r in rows]
        return pandas.IntervalIndex(edges, dtype="interval[int64, right]" if None not in form else None, name=name)
    if kind in ("object", "mixed"):
        array = np.empty(len(rows), object)
        array[:] = rows
        return pandas.Index(array, dtype=object, name=name, tupleize_cols=False)
    return pandas.Index(rows, dtype=kind, name=name)


RANGES = {
    "range": pandas.RangeIndex(4, name="k"),
    "stepped range": pandas.RangeIndex(-1, 8, 3, name="k"),
    "falling range": pandas.RangeIndex(8, -1, -2, name="k"),
    "empty range": pandas.RangeIndex(0, name="k"),
}
RANGE_OTHERS = {
    "same": pandas.RangeIndex(4, name="k"),
    "other": pandas.Index([4, 2, 11], name="k"),
    "sorted other": pandas.RangeIndex(2, 12, 4, name="k"),
    "other repeats": pandas.Index([4, 2, 4], name="k"),
}
NAMES = [*RANGES, *(f"{kind}, {form}" for kind in LABELS for form in FORMS)]


class Given:
    """An index, another one of its kind, existing and missing labels, and a series and a frame with the index."""

    def __init__(self, name: str, other: str, lib: Any):
        make = pd.from_pandas if lib is pd else lambda x: x
        self.lib = lib
        if name in RANGES:
            there, alongside, labels = RANGES[name], RANGE_OTHERS.get(other), [0, 2, 4, 5, 99]
        else:
            kind, form = name.split(", ")
            there, alongside = index(kind, FORMS[form]), index(kind, OTHERS[other])
            whole = index(kind, [0, 1, 2, 3, 4])
            labels = list(whole)  # type: ignore[arg-type]
        self.there = there is not None and alongside is not None
        if not self.there:
            return
        self.labels = labels
        self.k, self.b, self.absent = labels[2], labels[0], labels[4]
        self.x, self.y = make(there), make(alongside)
        self.n = len(self.x)
        self.s = lib.Series(np.arange(self.n, dtype="i8"), index=self.x, name="v")
        self.t = lib.Series(np.arange(len(self.y)) / 2, index=self.y, name="v")
        self.f = lib.DataFrame({"v": self.s, "w": list("abcdefg")[: self.n]})
        self.g = self.t.to_frame("z")


def put(x: Any, key: Any, value: Any) -> Any:
    x = x.copy()
    x[key] = value
    return x


def put_loc(x: Any, key: Any, value: Any) -> Any:
    x = x.copy()
    x.loc[key] = value
    return x


ONE: dict[str, Any] = {
    "get_loc": lambda g: g.x.get_loc(g.k),
    "get_loc first": lambda g: g.x.get_loc(g.b),
    "get_loc absent": lambda g: g.x.get_loc(g.absent),
    "get_loc nan": lambda g: g.x.get_loc(np.nan),
    "get_loc None": lambda g: g.x.get_loc(None),
    "get_loc NaT": lambda g: g.x.get_loc(pandas.NaT),
    "get_loc NA": lambda g: g.x.get_loc(pandas.NA),
    "get_loc int": lambda g: g.x.get_loc(3),
    "get_loc text": lambda g: g.x.get_loc("b"),
    "get_loc True": lambda g: g.x.get_loc(True),
    "get_loc 1.0": lambda g: g.x.get_loc(1.0),
    "in": lambda g: [k in g.x for k in (*g.labels, 3, 3.0, 3.5, "b", True, False, 0, 1, None, np.nan, pandas.NaT, pandas.NA)],
    "in series": lambda g: [k in g.s for k in (*g.labels, 3, "b", None)],
    "get": lambda g: [g.s.get(g.k), g.s.get(g.absent), g.s.get(g.absent, 7)],
    "loc": lambda g: g.s.loc[g.k],
    "loc frame": lambda g: g.f.loc[g.k],
    "loc cell": lambda g: g.f.loc[g.k, "v"],
    "loc absent": lambda g: g.s.loc[g.absent],
    "loc list": lambda g: g.s.loc[[g.k]],
    "loc two": lambda g: g.f.loc[[g.k, g.b]],
    "loc list absent": lambda g: g.s.loc[[g.k, g.absent]],
    "loc slice": lambda g: g.s.loc[g.b : g.k],
    "loc slice open": lambda g: g.s.loc[g.k :],
    "loc slice back": lambda g: g.s.loc[g.k : g.b : -1],
    "loc slice absent": lambda g: g.s.loc[: g.absent],
    "loc mask": lambda g: g.s.loc[np.arange(g.n) % 2 == 0],
    "loc array": lambda g: g.s.loc[g.x[:2]],
    "getitem": lambda g: g.s[g.k],
    "getitem list": lambda g: g.s[[g.k]],
    "getitem slice": lambda g: g.s[g.b : g.k],
    "at": lambda g: g.s.at[g.k],
    "at frame": lambda g: g.f.at[g.k, "v"],
    "xs": lambda g: g.f.xs(g.k),
    "put": lambda g: put(g.s, g.k, -7),
    "put loc": lambda g: put_loc(g.s, g.k, -7),
    "put list": lambda g: put_loc(g.s, [g.k], -7),
    "put slice": lambda g: put_loc(g.s, slice(g.b, g.k), -7),
    "put frame": lambda g: put_loc(g.f[["v"]], g.k, -7),
    "put absent": lambda g: put_loc(g.s, g.absent, -7),
    "drop": lambda g: g.s.drop(g.k),
    "drop list": lambda g: g.f.drop([g.k, g.b]),
    "drop index": lambda g: g.x.drop([g.k]),
    "drop absent": lambda g: g.x.drop([g.absent]),
    "drop absent ignored": lambda g: g.s.drop([g.absent, g.k], errors="ignore"),
    "slice_locs": lambda g: g.x.slice_locs(g.b, g.k),
    "slice_indexer": lambda g: g.x.slice_indexer(g.b, g.k),
    "get_slice_bound": lambda g: [g.x.get_slice_bound(g.k, "left"), g.x.get_slice_bound(g.k, "right")],
    "searchsorted": lambda g: [g.x.searchsorted(g.k), g.x.searchsorted(g.k, side="right")],
    "truncate": lambda g: g.s.truncate(g.b, g.k),
    "isin": lambda g: g.x.isin([g.k, g.absent]),
    "isin missing": lambda g: [g.x.isin([np.nan]), g.x.isin([None]), g.x.isin([pandas.NaT])],
    "isin empty": lambda g: g.x.isin([]),
    "unique": lambda g: g.x.unique(),
    "nunique": lambda g: [g.x.nunique(), g.x.nunique(dropna=False)],
    "duplicated": lambda g: [g.x.duplicated(), g.x.duplicated("last"), g.x.duplicated(False)],
    "drop_duplicates": lambda g: [g.x.drop_duplicates(), g.x.drop_duplicates(keep="last")],
    "is_unique": lambda g: [g.x.is_unique, g.x.has_duplicates, g.x.hasnans],
    "monotonic": lambda g: [g.x.is_monotonic_increasing, g.x.is_monotonic_decreasing, g.x[:1].is_monotonic_increasing],
    "argsort": lambda g: g.x.argsort(),
    "sort_values": lambda g: g.x.sort_values(),
    "sort_values down": lambda g: g.x.sort_values(ascending=False),
    "sort_values first": lambda g: g.x.sort_values(na_position="first"),
    "sort_index": lambda g: g.s.sort_index(),
    "sort_index down": lambda g: g.f.sort_index(ascending=False),
    "sort_index first": lambda g: g.s.sort_index(na_position="first"),
    "min": lambda g: g.x.min(),
    "max": lambda g: g.x.max(),
    "min skipna": lambda g: g.x.min(skipna=False),
    "argmin": lambda g: g.x.argmin(),
    "argmax": lambda g: g.x.argmax(),
    "insert": lambda g: g.x.insert(1, g.absent),
    "insert nan": lambda g: g.x.insert(0, np.nan),
    "insert None": lambda g: g.x.insert(g.n, None),
    "insert int": lambda g: g.x.insert(0, 3),
    "insert text": lambda g: g.x.insert(0, "q"),
    "delete": lambda g: g.x.delete(0),
    "delete list": lambda g: g.x.delete([0, -1]),
    "where": lambda g: g.x.where(np.arange(g.n) % 2 == 0),
    "where label": lambda g: g.x.where(np.arange(g.n) % 2 == 0, g.k),
    "putmask": lambda g: g.x.putmask(np.arange(g.n) % 2 == 0, g.k),
    "putmask nan": lambda g: g.x.putmask(np.arange(g.n) % 2 == 0, np.nan),
    "fillna": lambda g: g.x.fillna(g.k),
    "dropna": lambda g: g.x.dropna(),
    "isna": lambda g: g.x.isna(),
    "map": lambda g: g.x.map(str),
    "map dict": lambda g: g.x.map({g.k: 1, g.b: 2}),
    "map same": lambda g: g.x.map(lambda x: x),
    "astype object": lambda g: g.x.astype(object),
    "astype str": lambda g: g.x.astype("str"),
    "astype category": lambda g: g.x.astype("category"),
    "astype float": lambda g: g.x.astype("float64"),
    "astype int": lambda g: g.x.astype("int64"),
    "astype Int64": lambda g: g.x.astype("Int64"),
    "astype string": lambda g: g.x.astype("string"),
    "groupby level": lambda g: g.s.groupby(level=0).sum(),
    "groupby level missing": lambda g: g.s.groupby(level=0, dropna=False).sum(),
    "groupby level unsorted": lambda g: g.s.groupby(level=0, sort=False).agg(["first", "count"]),
    "groupby transform": lambda g: g.s.groupby(level=0).transform("max"),
    "groupby": lambda g: dict(g.x.groupby(np.arange(g.n) % 2)),
    "value_counts": lambda g: [g.x.value_counts(), g.x.value_counts(dropna=False)],
    "value_counts unsorted": lambda g: g.x.value_counts(sort=False, normalize=True),
    "factorize": lambda g: [g.x.factorize(), g.x.factorize(sort=True), g.x.factorize(use_na_sentinel=False)],
    "to_series": lambda g: g.x.to_series(),
    "to_frame": lambda g: g.x.to_frame(),
    "to_frame plain": lambda g: g.x.to_frame(index=False, name="q" if g.x.nlevels == 1 else ["q", "r"]),
    "to_numpy": lambda g: g.x.to_numpy(),
    "values": lambda g: np.asarray(g.x.values) if g.x.dtype.kind in "iufbO" else g.x.to_numpy(),
    "tolist": lambda g: g.x.tolist(),
    "iter": lambda g: list(g.x),
    "getitem one": lambda g: g.x[0],
    "getitem of index": lambda g: [g.x[1:], g.x[::-1], g.x[[0, 0]], g.x[np.arange(g.n) > 0]],
    "shift": lambda g: g.s.shift(1),
    "shift index": lambda g: g.x.shift(1),
    "repeat": lambda g: g.x.repeat(2),
    "take": lambda g: [g.x.take([0, -1]), g.x.take(np.array([], dtype=int))],
    "take fill": lambda g: g.x.take([0, -1], allow_fill=True, fill_value=np.nan),
    "get_level_values": lambda g: [g.x.get_level_values(i) for i in range(g.x.nlevels)],
    "get_level_values named": lambda g: g.x.get_level_values("k"),
    "rename": lambda g: g.x.rename("z" if g.x.nlevels == 1 else ["z", "y"]),
    "copy": lambda g: g.x.copy(),
    "reset_index": lambda g: g.s.reset_index(),
    "set_index": lambda g: g.s.reset_index().set_index("k"),
    "eq": lambda g: g.x == g.k,
    "lt": lambda g: g.x < g.k,
    "eq self": lambda g: g.x == g.x,
    "equals self": lambda g: list(map(bool, [g.x.equals(g.x.copy()), g.x.equals(g.x[::-1]), g.x.equals(g.x.astype(object)), g.x.identical(g.x.rename(g.x.names)), g.x.equals(list(g.x))])),
    "reindex list": lambda g: g.s.rename_axis([None] * g.x.nlevels).reindex([g.k, g.absent]),
    "reindex fill": lambda g: g.s.rename_axis([None] * g.x.nlevels).reindex([g.k, g.absent], fill_value=0),
    "reindex pad": lambda g: g.s.rename_axis([None] * g.x.nlevels).reindex([g.k, g.absent], method="pad"),
    "get_indexer list": lambda g: g.x.get_indexer([g.k, g.absent, g.k]),
    "get_indexer_for list": lambda g: g.x.get_indexer_for([g.k, g.absent]),
    "get_indexer_non_unique list": lambda g: g.x.get_indexer_non_unique([g.k, g.absent]),
    "concat rows": lambda g: g.lib.concat([g.s, g.s]),
    "to_csv": lambda g: g.f.to_csv(),
    "str": lambda g: [str(g.x), str(g.s)],
    "transpose": lambda g: g.f[["v"]].T,
    "unstack": lambda g: g.s.unstack() if g.x.nlevels > 1 else None,
    "idxmax": lambda g: [g.s.idxmax(), g.s.idxmin()],
    "items": lambda g: list(g.s.items()),
    "to_dict": lambda g: list(g.s.to_dict().items()),
    "nlargest": lambda g: g.s.nlargest(2),
    "combine_first self": lambda g: g.s.combine_first(g.s),
    "mask": lambda g: g.s[g.s > 1],
    "iloc": lambda g: [g.s.iloc[::-1], g.s.iloc[[0]]],
}  # fmt: skip

TWO: dict[str, Any] = {
    "get_indexer": lambda g: g.x.get_indexer(g.y),
    "get_indexer pad": lambda g: g.x.get_indexer(g.y, method="pad"),
    "get_indexer bfill": lambda g: g.x.get_indexer(g.y, method="bfill"),
    "get_indexer_for": lambda g: g.x.get_indexer_for(g.y),
    "get_indexer_non_unique": lambda g: g.x.get_indexer_non_unique(g.y),
    "isin": lambda g: g.x.isin(g.y),
    "reindex": lambda g: g.s.reindex(g.y),
    "reindex frame": lambda g: g.f.reindex(g.y),
    "reindex index": lambda g: g.x.reindex(g.y),
    "align": lambda g: g.s.align(g.t),
    "align inner": lambda g: g.s.align(g.t, join="inner"),
    "align left": lambda g: g.s.align(g.t, join="left"),
    "align right": lambda g: g.f.align(g.g, join="right", axis=0),
    "add": lambda g: g.s + g.t,
    "add frames": lambda g: g.f[["v"]] + g.g.rename(columns={"z": "v"}),
    "join": lambda g: g.x.join(g.y, return_indexers=True),
    "join right": lambda g: g.x.join(g.y, how="right", return_indexers=True),
    "join inner": lambda g: g.x.join(g.y, how="inner", return_indexers=True),
    "join outer": lambda g: g.x.join(g.y, how="outer", return_indexers=True),
    "join sort": lambda g: g.x.join(g.y, how="left", sort=True),
    "join frames": lambda g: g.f.join(g.g),
    "join frames outer": lambda g: g.f.join(g.g, how="outer"),
    "join frames inner": lambda g: g.f.join(g.g, how="inner"),
    "join frames right": lambda g: g.f.join(g.g, how="right"),
    "merge": lambda g: g.f.merge(g.g, left_index=True, right_index=True, how="outer"),
    "merge right": lambda g: g.f.merge(g.g.reset_index(), left_index=True, right_on="k", how="left"),
    "concat": lambda g: g.lib.concat([g.s, g.t], axis=1),
    "concat inner": lambda g: g.lib.concat([g.f, g.g], axis=1, join="inner"),
    "concat sort": lambda g: g.lib.concat([g.s, g.t], axis=1, sort=True),
    "concat rows": lambda g: g.lib.concat([g.s, g.t]),
    "combine_first": lambda g: g.s.combine_first(g.t),
    "combine_first frames": lambda g: g.f[["v"]].combine_first(g.g),
    "assign": lambda g: g.f.assign(z=g.t),
    "loc index": lambda g: g.s.loc[g.y],
    "put series": lambda g: put(g.f, "z", g.t),
    "map series": lambda g: g.x.map(g.t),
    "union": lambda g: g.x.union(g.y),
    "union unsorted": lambda g: g.x.union(g.y, sort=False),
    "intersection": lambda g: g.x.intersection(g.y),
    "intersection sorted": lambda g: g.x.intersection(g.y, sort=None),
    "difference": lambda g: g.x.difference(g.y),
    "difference unsorted": lambda g: g.x.difference(g.y, sort=False),
    "symmetric_difference": lambda g: g.x.symmetric_difference(g.y),
    "append": lambda g: g.x.append(g.y),
    "append other name": lambda g: g.x.append(g.y.rename("z" if g.x.nlevels == 1 else ["z", None])),
    "equals": lambda g: [bool(g.x.equals(g.y)), bool(g.x.identical(g.y))],
    "eq": lambda g: g.x[:3] == g.y[:3],
    "where": lambda g: g.x[:3].where(np.arange(len(g.x[:3])) % 2 == 0, g.y[:3]),
    "putmask": lambda g: g.x[:3].putmask(np.arange(len(g.x[:3])) % 2 == 0, g.y[:3]),
    "searchsorted": lambda g: g.x.searchsorted(g.y),
    "drop": lambda g: g.x.drop(g.y, errors="ignore"),
    "drop rows": lambda g: g.s.drop(g.y),
    "series equals": lambda g: g.s.equals(g.t),
    "update": lambda g: _updated(g),
    "isin level": lambda g: g.x.isin(g.y.get_level_values(0), level=0),
    "concat three": lambda g: g.lib.concat({"p": g.s, "q": g.t}),
    "sub": lambda g: g.t.sub(g.s, fill_value=0),
    "eq series": lambda g: g.s.eq(g.t),
    "groupby by index": lambda g: g.s.groupby(g.x).sum(),
}  # fmt: skip


def _updated(g: Given) -> Any:
    made = g.f[["v"]].astype("float64")
    made.update(g.g.rename(columns={"z": "v"}))
    return made


# Calls without a unique result (the order of equal labels, positions among unsorted labels), and those that still
# differ: by words that must all occur in the kind and form.
_TEXT_OBJECTS = (
    "to_series, reset_index, set_index, concat rows, append, append other name, concat three, merge right, map same"
)
_OUTER = (
    "align, add, add frames, join outer, join frames outer, merge, sub, eq series, combine_first, combine_first frames"
)
OPEN: list[tuple[str, str]] = [
    ("argsort, sort_index, sort_index first, sort_index down, sort_values, sort_values down, sort_values first", "repeats"),
    (_TEXT_OBJECTS, "object"),  # pandas treats them as strings
    (_OUTER, "time levels"),  # a missing timestamp in a level of several
    ("take fill, map same, factorize, where, insert int, to_series, is_unique, at frame, get_level_values", "levels"),
    ("at, loc cell, at frame, astype category", "mixed"),
    ("getitem slice, loc slice, loc slice open, loc slice absent, loc slice back, truncate", "bool"),
    ("get_loc nan", "Float64 missing"),
    ("concat", "datetime"),
    ("concat", "zoned"),
    ("get_level_values, get_level_values named", "range"),
]  # fmt: skip


def is_open(call: str, name: str) -> bool:
    """Whether a call has no unique result for an index, or still differs from pandas'."""
    if call == "searchsorted":
        return "sorted" not in name.split() or "repeats" in name
    return any(call in calls.split(", ") and all(w in name for w in words.split()) for calls, words in OPEN)
