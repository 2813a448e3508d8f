"""Columns with values under their masks, and calls that must not depend on these."""

from __future__ import annotations

import io
import pickle
from typing import Any

import bascule.pandas as pd
import numpy as np
import pandas
import pyarrow

NA = None
ROWS = [3, NA, 1, 3, NA, 0, 7]
OTHER = [NA, 3, 1, 2, NA, 0, 5]
STRINGS = {0: "", 1: "b", 2: "bb", 3: "d", 5: "f", 7: "ü"}
NUMBERS = ["Int8", "Int16", "Int32", "Int64", "UInt8", "UInt16", "UInt32", "UInt64", "Float32", "Float64"]


def value(dtype, x):
    """A number as a value of a type."""
    if dtype in ("string", "str"):
        return STRINGS[x]
    return x % 2 == 1 if dtype == "boolean" else float(x) if dtype.startswith("F") else x


def hidden(dtype):
    """Values under a mask: one of another row, one of no row, and the limits of the type."""
    if dtype in ("string", "str"):
        return ["d", "zz", "b"]
    if dtype == "boolean":
        return [True, False]
    if dtype.startswith("F"):
        return [3.0, 1.0, np.nan, np.inf]
    info = np.iinfo(dtype.lower())
    return [3, 0, info.max, info.min, 1]


def made(dtype, rows, under=None):
    """A pandas series with `under` under its mask."""
    rows = [NA if x is NA else value(dtype, x) for x in rows]
    plain = pandas.Series(rows, dtype=dtype, name="x")
    if under is None:
        return plain
    mask = np.array([x is NA for x in rows])
    if dtype in ("string", "str"):
        full = pyarrow.array([under if x is NA else x for x in rows], pyarrow.large_string())
        bits = pyarrow.py_buffer(np.packbits(~mask, bitorder="little"))
        array = pyarrow.Array.from_buffers(full.type, len(full), [bits, *full.buffers()[1:]])
        return pandas.Series(
            plain.dtype.construct_array_type()(pyarrow.chunked_array([array]), dtype=plain.dtype), name="x"
        )
    data = np.array([under if x is NA else x for x in rows], plain.dtype.numpy_dtype)
    return pandas.Series(plain.dtype.construct_array_type()(data, mask), name="x")


class Given:
    """The objects of a call: a column, another one of its type, one of its values, and the library."""

    def __init__(self, dtype, under, lib):
        make = pd.from_pandas if lib is pd else lambda x: x
        self.lib, self.dtype = lib, dtype
        s, t = made(dtype, ROWS, under), made(dtype, OTHER, under)
        self.s, self.t = make(s), make(t.rename("y"))
        self.v, self.w = value(dtype, 3), value(dtype, 5)
        self.n = make(pandas.Series([1.0, 2.5, 4, 8, 16, 32, 64], name="n"))
        self.f = lib.DataFrame({"x": self.s, "y": self.t, "n": self.n})
        self.i = lib.Index(self.s)
        self.j = lib.Index(self.t.rename("x"))
        self.u = lib.Index(self.s[[0, 1, 2, 6]])  # without duplicates
        self.p = self.n.set_axis(self.i)
        self.q = self.n.set_axis(self.j)
        self.d = self.n.iloc[:4].set_axis(self.u)
        # indices and a mask with the same values under their masks, as far as possible
        missing = [False, True, False, False, True, False, False]
        beneath = 2 if under is None else int(under) if isinstance(under, (int, float)) and abs(under) < 2**31 else 99
        at = pandas.arrays.IntegerArray(np.where(missing, beneath, [1, 0, 2, 3, 0, 5, 6]), np.array(missing))
        bits = pandas.arrays.BooleanArray(
            np.where(missing, beneath != 2, [1, 0, 1, 0, 0, 1, 1]).astype(bool), np.array(missing)
        )
        self.at, self.mask = make(pandas.Series(at)), make(pandas.Series(bits))


def number(g):
    return g.dtype not in ("string", "str")


def csv(x, **options):
    out = io.StringIO()
    x.to_csv(out, **options)
    return out.getvalue()


def put(x, where, v):
    x = x.copy()
    x[where] = v
    return x


def put_updated(x, y):
    x = x.copy()
    x.update(y)
    return x


def put_at(x, k, v):
    x = x.copy()
    x.loc[k] = v
    return x


COLUMN = {
    "isna": lambda g: g.s.isna(),
    "count": lambda g: g.s.count(),
    "sum": lambda g: g.s.sum(),
    "sum min_count": lambda g: g.s.sum(min_count=6),
    "sum skipna": lambda g: g.s.sum(skipna=False),
    "prod": lambda g: g.s.prod(),
    "mean": lambda g: g.s.mean(),
    "median": lambda g: g.s.median(),
    "var": lambda g: g.s.var(),
    "std": lambda g: g.s.std(),
    "sem": lambda g: g.s.sem(),
    "skew": lambda g: g.s.skew(),
    "kurt": lambda g: g.s.kurt(),
    "min": lambda g: g.s.min(),
    "max": lambda g: g.s.max(),
    "min skipna": lambda g: g.s.min(skipna=False),
    "idxmin": lambda g: g.s.idxmin(),
    "idxmax": lambda g: g.s.idxmax(),
    "argmin": lambda g: g.s.argmin(),
    "argmax": lambda g: g.s.argmax(),
    "any": lambda g: g.s.any(),
    "all": lambda g: g.s.all(),
    "any skipna": lambda g: g.s.any(skipna=False),
    "all skipna": lambda g: g.s.all(skipna=False),
    "quantile": lambda g: g.s.quantile([0.25, 0.5]),
    "quantile lower": lambda g: g.s.quantile(0.3, interpolation="lower"),
    "describe": lambda g: g.s.describe(),
    "mode": lambda g: g.s.mode(),
    "mode dropna": lambda g: g.s.mode(dropna=False),
    "nunique": lambda g: g.s.nunique(),
    "nunique dropna": lambda g: g.s.nunique(dropna=False),
    "unique": lambda g: g.s.unique(),
    "is_unique": lambda g: [g.s.is_unique, g.s[[0, 1]].is_unique, g.s[[1, 4]].is_unique, g.s[[0, 3]].is_unique],
    "monotonic": lambda g: [x.is_monotonic_increasing for x in (g.s, g.s[[2, 0, 1]], g.s[[2, 0]], g.s[[1]])],
    "value_counts": lambda g: g.s.value_counts(),
    "value_counts dropna": lambda g: g.s.value_counts(dropna=False, normalize=True),
    "factorize": lambda g: g.s.factorize(),
    "factorize na": lambda g: g.s.factorize(use_na_sentinel=False),
    "factorize sort": lambda g: g.s.factorize(sort=True),
    "duplicated": lambda g: g.s.duplicated(),
    "duplicated last": lambda g: g.s.duplicated("last"),
    "duplicated none": lambda g: g.s.duplicated(False),
    "drop_duplicates": lambda g: g.s.drop_duplicates(),
    "sort_values": lambda g: g.s.sort_values(kind="stable"),
    "sort_values down": lambda g: g.s.sort_values(ascending=False, kind="stable"),
    "sort_values first": lambda g: g.s.sort_values(na_position="first", kind="stable"),
    "argsort": lambda g: g.s.argsort(kind="stable"),
    "rank": lambda g: g.s.rank(),
    "rank dense": lambda g: g.s.rank(method="dense", na_option="bottom", ascending=False),
    "nlargest": lambda g: g.s.nlargest(6),
    "nsmallest": lambda g: g.s.nsmallest(6),
    "isin": lambda g: g.s.isin([g.v, g.w]),
    "isin column": lambda g: g.s.isin(g.t),
    "isin missing": lambda g: g.s.isin([pandas.NA]),
    "between": lambda g: g.s.between(value(g.dtype, 1), g.v),
    "clip": lambda g: g.s.clip(value(g.dtype, 1), g.v),
    "clip column": lambda g: g.s.clip(upper=g.t),
    "eq": lambda g: g.s == g.t,
    "ne": lambda g: g.s != g.t,
    "lt": lambda g: g.s < g.t,
    "ge scalar": lambda g: g.s >= g.v,
    "eq scalar": lambda g: g.s == g.v,
    "eq missing": lambda g: g.s == pandas.NA,
    "equals": lambda g: [g.s.equals(g.t), g.s.equals(g.s.copy()), g.s[[1]].equals(g.s[[1]]), g.s[[0, 3]].equals(g.s[[3, 4]].set_axis([0, 3]))],
    "compare": lambda g: g.s.compare(g.t.rename("x")),
    "combine_first": lambda g: g.s.combine_first(g.t),
    "add": lambda g: g.s + g.t,
    "sub": lambda g: g.s - g.t,
    "mul scalar": lambda g: g.s * 2,
    "truediv": lambda g: g.s / g.t,
    "truediv scalar": lambda g: 1 / g.s,
    "floordiv": lambda g: g.s // g.t,
    "mod": lambda g: g.s % g.t,
    "divmod": lambda g: divmod(g.s, g.t),
    "pow": lambda g: g.s**g.t,
    "pow scalar": lambda g: g.s**2,
    "pow 0": lambda g: g.s**0,
    "rpow 1": lambda g: 1**g.s,
    "rpow": lambda g: 2**g.s,
    "add fill": lambda g: g.s.add(g.t, fill_value=1),
    "eq fill": lambda g: g.s.eq(g.t, fill_value=g.v),
    "add missing": lambda g: g.s + pandas.NA,
    "add float": lambda g: g.s + g.n,
    "radd int": lambda g: g.lib.Series(range(7)) + g.s,
    "lt int": lambda g: g.lib.Series(range(7)) < g.s,
    "and": lambda g: g.s & g.t,
    "or": lambda g: g.s | g.t,
    "xor": lambda g: g.s ^ g.t,
    "and True": lambda g: g.s & True,
    "or True": lambda g: g.s | True,
    "invert": lambda g: ~g.s,
    "neg": lambda g: -g.s,
    "abs": lambda g: abs(g.s),
    "round": lambda g: g.s.round(1),
    "sqrt": lambda g: np.sqrt(g.s),
    "ufunc": lambda g: np.add(g.s, g.t),
    "isnan": lambda g: np.isnan(g.s),
    "cumsum": lambda g: g.s.cumsum(),
    "cumprod": lambda g: g.s.cumprod(),
    "cummax": lambda g: g.s.cummax(),
    "cummin": lambda g: g.s.cummin(),
    "cumsum skipna": lambda g: g.s.cumsum(skipna=False),
    "diff": lambda g: g.s.diff(),
    "shift": lambda g: g.s.shift(),
    "shift fill": lambda g: g.s.shift(-1, fill_value=g.v),
    "pct_change": lambda g: g.s.pct_change(),
    "ffill": lambda g: g.s.ffill(),
    "bfill": lambda g: g.s.bfill(limit=1),
    "fillna": lambda g: g.s.fillna(g.v),
    "fillna column": lambda g: g.s.fillna(g.t),
    "interpolate": lambda g: g.s.interpolate(),
    "dropna": lambda g: g.s.dropna(),
    "where": lambda g: g.s.where(np.arange(7) % 2 == 0),
    "where other": lambda g: g.s.where(np.arange(7) % 2 == 0, g.t),
    "where scalar": lambda g: g.s.where(np.arange(7) % 2 == 0, g.v),
    "where masked": lambda g: g.s.where(g.s == g.v, g.t),
    "mask": lambda g: g.s.mask(g.s == g.v),
    "mask other": lambda g: g.s.mask(g.s.isna(), g.t),
    "replace": lambda g: g.s.replace(g.v, g.w),
    "replace missing": lambda g: g.s.replace(pandas.NA, g.w),
    "replace dict": lambda g: g.s.replace({g.v: value(g.dtype, 0)}),
    "map dict": lambda g: g.s.map({g.v: 10}),
    "map series": lambda g: g.s.map(g.d),
    "map function": lambda g: g.s.map(str),
    "case_when": lambda g: g.s.case_when([(g.s == g.v, g.w)]),
    "filter": lambda g: g.s[g.s == g.v],
    "filter not": lambda g: g.s[~(g.s == g.v)],
    "put": lambda g: put(g.s, 0, pandas.NA),
    "put under": lambda g: put(g.s, 1, g.v),
    "put mask": lambda g: put(g.s, g.s == g.v, g.w),
    "put rows": lambda g: put(g.s, [0, 1], g.t[[1, 4]].to_numpy() if g.lib is pandas else g.t[[1, 4]].to_pandas().to_numpy()),
    "astype float": lambda g: g.s.astype("Float64"),
    "astype int": lambda g: g.s.astype("Int64"),
    "astype Int8": lambda g: g.s.astype("Int8"),
    "astype UInt8": lambda g: g.s.astype("UInt8"),
    "astype boolean": lambda g: g.s.astype("boolean"),
    "astype numpy": lambda g: g.s.astype("float64"),
    "astype numpy int": lambda g: g.s.astype("int64"),
    "astype object": lambda g: g.s.astype(object),
    "astype str": lambda g: g.s.astype("str"),
    "astype string": lambda g: g.s.astype("string"),
    "astype category": lambda g: g.s.astype("category"),
    "convert_dtypes": lambda g: g.s.convert_dtypes(),
    "to_numeric": lambda g: g.lib.to_numeric(g.s, downcast="integer"),
    "to_numpy": lambda g: g.s.to_numpy(),
    "to_numpy float": lambda g: g.s.to_numpy("float64", na_value=np.nan),
    "tolist": lambda g: g.s.tolist(),
    "to_dict": lambda g: list(g.s.to_dict().values()),
    "items": lambda g: list(g.s.items()),
    "iter": lambda g: list(g.s),
    "iloc": lambda g: [g.s.iloc[1], g.s.iloc[0]],
    "str": lambda g: str(g.s),
    "to_csv": lambda g: csv(g.s),
    "to_json": lambda g: g.s.to_json(),
    "arrow": lambda g: pyarrow.array(g.s).to_pylist(),
    "arrow bytes": lambda g: pyarrow.table(g.f).column("x").to_pylist(),
    "pickle": lambda g: pickle.loads(pickle.dumps(g.s)),
    "repeat": lambda g: g.s.repeat(2),
    "reindex": lambda g: g.s.reindex([1, 0, 9]),
    "take": lambda g: g.s.take([1, 4, 0]),
    "concat": lambda g: g.lib.concat([g.s, g.t]),
    "concat float": lambda g: g.lib.concat([g.s, g.n]),
    "searchsorted": lambda g: g.s[[2, 0, 6]].searchsorted(g.v),
    "rolling": lambda g: g.s.rolling(2, min_periods=1).sum(),
    "rolling count": lambda g: g.s.rolling(3).count(),
    "rolling median": lambda g: g.s.rolling(3, min_periods=1).median(),
    "expanding": lambda g: g.s.expanding().max(),
    "ewm": lambda g: g.s.ewm(span=3).mean(),
    "corr": lambda g: g.s.corr(g.t),
    "cov": lambda g: g.s.cov(g.t),
    "autocorr": lambda g: g.s.autocorr(),
    "dot": lambda g: g.s.dot(g.t),
    "agg": lambda g: g.s.agg(["min", "count"]),
    "transform": lambda g: g.s.transform(lambda x: x + x),
    "apply": lambda g: g.s.apply(lambda x: x is pandas.NA),
    "cut": lambda g: g.lib.cut(g.s, [0, 2, 5]),
    "cut bins": lambda g: g.lib.cut(g.s, 3, labels=False),
    "qcut": lambda g: g.lib.qcut(g.s, 2, labels=False),
    "get_dummies": lambda g: g.lib.get_dummies(g.s),
    "str upper": lambda g: g.s.str.upper(),
    "str len": lambda g: g.s.str.len(),
    "str contains": lambda g: g.s.str.contains("b"),
    "str cat": lambda g: g.s.str.cat(g.t),
    "str sum": lambda g: g.s.str.cat(sep="-"),
    "str split": lambda g: g.s.str.split("b", expand=True),
    "str get": lambda g: g.s.str[0],
    "str find": lambda g: g.s.str.find("d"),
    "str extract": lambda g: g.s.str.extract("(b)"),
    "str pad": lambda g: g.s.str.pad(3),
    "str isalpha": lambda g: g.s.str.isalpha(),
}  # fmt: skip

FRAME = {
    "sum": lambda g: g.f[["x", "y"]].sum(),
    "min": lambda g: g.f[["x", "y"]].min(),
    "mean": lambda g: g.f.mean(),
    "sum of rows": lambda g: g.f.sum(axis=1),
    "min of rows": lambda g: g.f[["x", "y"]].min(axis=1),
    "mean of rows": lambda g: g.f.mean(axis=1),
    "any of rows": lambda g: g.f[["x", "y"]].any(axis=1),
    "count of rows": lambda g: g.f.count(axis=1),
    "idxmax": lambda g: g.f[["x", "y"]].idxmax(),
    "nunique": lambda g: g.f.nunique(),
    "corr": lambda g: g.f.corr(),
    "cov": lambda g: g.f.cov(),
    "describe": lambda g: g.f.describe(),
    "quantile": lambda g: g.f.quantile(0.5),
    "mode": lambda g: g.f.mode(),
    "add": lambda g: g.f[["x"]] + g.f[["x"]],
    "add columns": lambda g: g.f[["x", "y"]].add(g.t, axis=0),
    "eq": lambda g: g.f[["x"]].eq(g.t, axis=0),
    "cumsum": lambda g: g.f.cumsum(),
    "diff": lambda g: g.f.diff(),
    "rank": lambda g: g.f.rank(),
    "equals": lambda g: [g.f.equals(g.f.copy()), g.f[["x"]].equals(g.f[["y"]].rename(columns={"y": "x"}))],
    "compare": lambda g: g.f[["x"]].compare(g.f[["y"]].rename(columns={"y": "x"})),
    "isin": lambda g: g.f.isin([g.v]),
    "where": lambda g: g.f.where(g.f.notna(), g.f.shift()),
    "mask": lambda g: g.f.mask(g.f == g.v),
    "fillna": lambda g: g.f[["x", "y"]].fillna(g.v),
    "fillna dict": lambda g: g.f.fillna({"x": g.v}),
    "replace": lambda g: g.f.replace(g.v, g.w),
    "dropna": lambda g: g.f.dropna(),
    "sort_values": lambda g: g.f.sort_values(["x", "y"]),
    "sort_values down": lambda g: g.f.sort_values(["x", "y"], ascending=[False, True], na_position="first"),
    "nlargest": lambda g: g.f.nlargest(3, "x"),
    "drop_duplicates": lambda g: g.f.drop_duplicates("x"),
    "duplicated": lambda g: g.f.duplicated(["x", "y"], keep=False),
    "value_counts": lambda g: g.f[["x", "y"]].value_counts(dropna=False, sort=False),
    "query": lambda g: g.f.query("x == @v", local_dict={"v": g.v}),
    "eval": lambda g: g.f.eval("n + 1"),
    "filter": lambda g: g.f[g.f.x == g.f.y],
    "filter two": lambda g: g.f[(g.f.x == g.v) | (g.f.y == g.v)],
    "transpose": lambda g: g.f[["x", "y"]].T,
    "stack": lambda g: g.f[["x", "y"]].stack(),
    "melt": lambda g: g.f.melt("x"),
    "to_numpy": lambda g: g.f[["x", "y"]].to_numpy(),
    "values": lambda g: g.f.values,
    "to_dict": lambda g: g.f.to_dict("records"),
    "itertuples": lambda g: [tuple(r) for r in g.f.itertuples()],
    "iterrows": lambda g: [r for _, r in g.f.iterrows()],
    "to_csv": lambda g: csv(g.f),
    "to_json": lambda g: g.f.to_json(),
    "to_string": lambda g: g.f.to_string(),
    "groupby sum": lambda g: g.f.groupby("x").sum(),
    "groupby dropna": lambda g: g.f.groupby("x", dropna=False).n.sum(),
    "groupby two": lambda g: g.f.groupby(["x", "y"], dropna=False).n.mean(),
    "groupby sort": lambda g: g.f.groupby("x", sort=False).n.agg(["first", "count"]),
    "groupby transform": lambda g: g.f.groupby("x").n.transform("sum"),
    "groupby cumsum": lambda g: g.f.groupby("x").n.cumsum(),
    "groupby size": lambda g: g.f.groupby("x").size(),
    "groupby ngroup": lambda g: g.f.groupby("x", dropna=False).ngroup(),
    "groupby get_group": lambda g: g.f.groupby("x").get_group(g.v),
    "groupby indices": lambda g: [list(v) for v in g.f.groupby("x").indices.values()],
    "groupby apply": lambda g: g.f.groupby("x").apply(len),
    "groupby rolling": lambda g: g.f.groupby("x").n.rolling(2, min_periods=1).sum(),
    "merge": lambda g: g.f.merge(g.f[["y", "n"]].rename(columns={"y": "x"}), on="x"),
    "merge left": lambda g: g.f[["x", "n"]].merge(g.f[["y", "n"]], left_on="x", right_on="y", how="left"),
    "merge outer": lambda g: g.f[["x", "n"]].merge(g.f[["y", "n"]], left_on="x", right_on="y", how="outer"),
    "merge two": lambda g: g.f.merge(g.f, on=["x", "y"], how="outer"),
    "merge index": lambda g: g.f.merge(g.d.to_frame("z"), left_on="x", right_index=True),
    "merge other type": lambda g: g.f.merge(g.lib.DataFrame({"x": g.s.dropna().unique(), "z": np.arange(g.s.nunique())}), on="x"),
    "pivot_table": lambda g: g.f.pivot_table("n", "x", "y", aggfunc="sum"),
    "crosstab": lambda g: g.lib.crosstab(g.f.x, g.f.y),
    "unstack": lambda g: g.f.drop_duplicates(["x", "y"]).set_index(["x", "y"]).n.unstack(),
    "groupby resample": lambda g: g.f.assign(t=pandas.date_range("2020", periods=7)).set_index("t")[["n"]].resample("2D").sum(),
    "assign": lambda g: g.f.assign(z=g.p.set_axis(range(7))),
}  # fmt: skip
VALUES = ["sum", "prod", "mean", "median", "var", "std", "sem", "min", "max", "first", "last", "count", "nunique", "any", "all", "size", "skew", "kurt", "idxmin", "idxmax", "cumsum", "cumprod", "cummax", "cummin", "cumcount", "rank", "shift", "diff", "pct_change", "ffill", "bfill", "nth", "head", "quantile", "describe", "value_counts", "unique", "nlargest"]  # fmt: skip
FRAME |= {f"grouped {name}": (lambda g, name=name: getattr(g.s.groupby([0, 1, 0, 0, 1, 1, 2]), name)(*([0] if name == "nth" else []))) for name in VALUES}  # fmt: skip
FRAME |= {f"grouped frame {name}": (lambda g, name=name: getattr(g.f[["x", "y"]].groupby([0, 1, 0, 0, 1, 1, 2]), name)(*([0] if name == "nth" else []))) for name in VALUES if name not in ("unique", "nlargest", "describe", "value_counts")}  # fmt: skip

INDEX = {
    "loc": lambda g: [g.p.loc[g.v], g.d.loc[g.v], g.p[g.v], g.d[g.v]],
    "loc list": lambda g: [g.p.loc[[g.v]], g.d.loc[[g.v]]],
    "loc missing": lambda g: g.d.loc[[pandas.NA]],
    "loc absent": lambda g: g.p.loc[g.w],
    "loc absents": lambda g: g.p.loc[[g.w]],
    "loc frame": lambda g: g.f.set_index("x").loc[g.v],
    "loc cell": lambda g: g.f.iloc[[0, 1, 2, 6]].set_index("x").loc[g.v, "n"],
    "loc put": lambda g: put_at(g.p, g.v, 0.5),
    "loc put frame": lambda g: put_at(g.f.set_index("x")[["n"]], g.v, 0.5),
    "loc put absent": lambda g: put_at(g.d, g.w, 0.5),
    "loc mask": lambda g: g.p.loc[g.i == g.v],
    "at": lambda g: g.d.at[g.v],
    "xs": lambda g: g.f.set_index("x").xs(g.v),
    "get": lambda g: [g.d.get(g.v), g.d.get(g.w)],
    "in": lambda g: [g.v in g.i, g.w in g.i, pandas.NA in g.i, g.v in g.j, g.w in g.j, g.v in g.p, np.nan in g.i, None in g.i],
    "drop": lambda g: g.p.drop(g.v),
    "drop frame": lambda g: g.f.set_index("x").drop([g.v]),
    "drop index": lambda g: g.i.drop([g.v]),
    "drop absent": lambda g: g.i.drop([g.w]),
    "get_loc": lambda g: [g.i.get_loc(g.v), g.u.get_loc(g.v), g.j.get_loc(g.v)],
    "get_loc missing": lambda g: [g.u.get_loc(pandas.NA), g.i.get_loc(pandas.NA)],
    "get_loc absent": lambda g: g.i.get_loc(g.w),
    "get_indexer": lambda g: g.u.get_indexer(g.j),
    "get_indexer list": lambda g: g.u.get_indexer([g.v, g.w]),
    "get_indexer_non_unique": lambda g: g.i.get_indexer_non_unique(g.j),
    "get_indexer_for": lambda g: g.i.get_indexer_for([g.v, g.w]),
    "reindex": lambda g: g.d.reindex(g.j),
    "reindex list": lambda g: g.d.rename_axis(None).reindex([g.v, g.w]),
    "align": lambda g: g.d.align(g.q.iloc[:3]),
    "align left": lambda g: g.d.align(g.q.iloc[1:3], join="left"),
    "align inner": lambda g: g.d.align(g.q.iloc[1:3], join="inner"),
    "add": lambda g: g.d + g.q.iloc[:3],
    "add repeated": lambda g: g.p + g.d,
    "add frames": lambda g: g.d.to_frame() + g.q.iloc[:3].to_frame(),
    "assign": lambda g: g.d.to_frame("v").assign(w=g.q.iloc[:3]),
    "concat": lambda g: g.lib.concat([g.d, g.q.iloc[:3]], axis=1),
    "concat rows": lambda g: g.lib.concat([g.d, g.q]),
    "combine_first": lambda g: g.d.combine_first(g.q.iloc[:3]),
    "update": lambda g: g.d.to_frame("v").join(g.q.iloc[:3].to_frame("w"), how="outer"),
    "join": lambda g: g.d.to_frame("v").join(g.q.iloc[:3].to_frame("w"), how="inner"),
    "join index": lambda g: [g.u.join(g.j[:3], how=h) for h in ("left", "right", "inner", "outer")],
    "union": lambda g: g.u.union(g.j),
    "union unsorted": lambda g: g.u.union(g.j, sort=False),
    "intersection": lambda g: g.u.intersection(g.j),
    "difference": lambda g: g.u.difference(g.j),
    "symmetric_difference": lambda g: g.u.symmetric_difference(g.j),
    "append": lambda g: g.u.append(g.j),
    "isin": lambda g: [g.i.isin([g.v]), g.i.isin(g.j), g.i.isin([pandas.NA])],
    "equals": lambda g: [g.i.equals(g.j), g.i.equals(g.i[:]), g.i[[0, 3]].equals(g.i[[0, 4]]), g.i[[1]].equals(g.j[[0]]), g.i[[0]].equals(g.j[[0]]), g.i[[1]].equals(g.j[[1]])],
    "identical": lambda g: [g.i.identical(g.j), g.i.identical(g.i[:])],
    "eq": lambda g: g.i == g.j,
    "unique": lambda g: g.i.unique(),
    "is_unique": lambda g: [g.i.is_unique, g.u.is_unique, g.i[[1, 4]].is_unique, g.i.has_duplicates],
    "monotonic": lambda g: [x.is_monotonic_increasing for x in (g.i, g.i[[2, 0, 1]], g.i[[2, 0]], g.i[[1]])],
    "duplicated": lambda g: [g.i.duplicated(), g.i.duplicated("last")],
    "drop_duplicates": lambda g: g.i.drop_duplicates(),
    "argsort": lambda g: g.u.argsort(),
    "sort_values": lambda g: [g.u.sort_values(), g.u.sort_values(ascending=False), g.u.sort_values(na_position="first")],
    "sort_index": lambda g: g.d.sort_index(),
    "sort_index loc": lambda g: [g.d.sort_index().loc[g.v], g.p.sort_index().loc[g.v]],
    "slice": lambda g: g.d.sort_index().loc[value(g.dtype, 1) :],
    "slice dropna": lambda g: g.d[g.d.index.notna()].sort_index().loc[value(g.dtype, 1) : g.v],
    "slice_locs": lambda g: g.u.sort_values().slice_locs(value(g.dtype, 1), g.v),
    "searchsorted": lambda g: g.u[[2, 0, 3]].searchsorted(g.v),
    "min": lambda g: [g.i.min(), g.i.max()],
    "argmin": lambda g: [g.i.argmin(), g.i.argmax()],
    "value_counts": lambda g: g.i.value_counts(dropna=False),
    "nunique": lambda g: [g.i.nunique(), g.i.nunique(dropna=False)],
    "factorize": lambda g: g.i.factorize(),
    "insert": lambda g: [g.u.insert(1, g.w), g.u.insert(1, pandas.NA)],
    "delete": lambda g: g.u.delete(1),
    "where": lambda g: g.i.where(np.arange(7) % 2 == 0),
    "putmask": lambda g: g.i.putmask(np.arange(7) % 2 == 0, g.v),
    "fillna": lambda g: g.i.fillna(g.v),
    "dropna": lambda g: g.i.dropna(),
    "astype": lambda g: [g.i.astype(object), g.i.astype("Float64" if number(g) else "category")],
    "map": lambda g: g.i.map({g.v: 1}),
    "repeat": lambda g: g.i.repeat(2),
    "take": lambda g: g.i.take([1, 0, 4]),
    "tolist": lambda g: g.i.tolist(),
    "to_series": lambda g: g.i.to_series(),
    "to_frame": lambda g: g.i.to_frame(),
    "reset_index": lambda g: g.p.reset_index(),
    "groupby level": lambda g: [g.p.groupby(level=0).sum(), g.p.groupby(level=0, dropna=False).sum()],
    "str": lambda g: [str(g.i), str(g.p)],
    "hasnans": lambda g: g.i.hasnans,
    "levels loc": lambda g: g.n.set_axis(g.lib.MultiIndex.from_arrays([g.i, range(7)])).loc[g.v],
    "levels in": lambda g: [k in g.lib.MultiIndex.from_arrays([g.i, range(7)]) for k in ((g.v, 0), (g.v, 1), (g.v, 4), (pandas.NA, 1))],
    "levels get_loc": lambda g: g.lib.MultiIndex.from_arrays([g.i, range(7)]).get_loc((g.v, 0)),
    "levels get_loc absent": lambda g: g.lib.MultiIndex.from_arrays([g.i, range(7)]).get_loc((g.v, 1)),
    "levels equals": lambda g: g.lib.MultiIndex.from_arrays([g.i, range(7)]).equals(g.lib.MultiIndex.from_arrays([g.j, range(7)])),
    "levels get_indexer": lambda g: g.lib.MultiIndex.from_arrays([g.i, range(7)]).get_indexer(g.lib.MultiIndex.from_arrays([g.j, range(7)])),
    "levels add": lambda g: g.n.set_axis(g.lib.MultiIndex.from_arrays([g.i, range(7)])) + g.n.set_axis(g.lib.MultiIndex.from_arrays([g.j, range(7)])),
    "levels values": lambda g: g.lib.MultiIndex.from_arrays([g.i, range(7)]).get_level_values(0),
    "levels groupby": lambda g: g.n.set_axis(g.lib.MultiIndex.from_arrays([g.i, range(7)])).groupby(level=0).sum(),
    "levels sort": lambda g: g.n.set_axis(g.lib.MultiIndex.from_arrays([g.i, range(7)])).sort_index(),
    "levels unstack": lambda g: g.n.set_axis(g.lib.MultiIndex.from_arrays([g.i, range(7)])).unstack(),
    "levels xs": lambda g: g.n.set_axis(g.lib.MultiIndex.from_arrays([g.i, range(7)])).xs(g.v),
}  # fmt: skip
GIVEN: dict[str, Any] = {
    "positions iloc": lambda g: g.n.iloc[g.at],
    "positions iloc frame": lambda g: g.f.iloc[g.at],
    "positions take": lambda g: g.n.take(g.at),
    "positions index": lambda g: g.i[g.at],
    "positions index take": lambda g: g.i.take(g.at),
    "positions delete": lambda g: g.i.delete(g.at),
    "positions repeat": lambda g: g.n.repeat(g.at),
    "positions index repeat": lambda g: g.i.repeat(g.at),
    "positions loc": lambda g: g.n.loc[g.at],
    "positions put": lambda g: put(g.n, g.at, 5.0),
    "positions bins": lambda g: g.lib.cut(g.n, g.at),
    "mask": lambda g: g.n[g.mask],
    "mask loc": lambda g: g.n.loc[g.mask],
    "mask iloc": lambda g: g.n.iloc[g.mask],
    "mask frame": lambda g: g.f[g.mask],
    "mask column": lambda g: g.f.loc[g.mask, "n"],
    "mask index": lambda g: g.i[g.mask],
    "mask where": lambda g: g.n.where(g.mask),
    "mask mask": lambda g: g.n.mask(g.mask, 0.0),
    "mask where frame": lambda g: g.f[["n"]].where(g.mask.to_frame("n")),
    "mask index where": lambda g: g.lib.RangeIndex(7).where(g.mask, 0),
    "mask index putmask": lambda g: g.lib.Index([7, 1, 2, 3, 4, 5, 6]).putmask(g.mask, 0),
    "mask put": lambda g: put(g.n, g.mask, 5.0),
    "mask put loc": lambda g: put_at(g.n, g.mask, 5.0),
    "mask put frame": lambda g: put_at(g.f[["n"]], g.mask, 5.0),
    "mask case_when": lambda g: g.n.case_when([(g.mask, 0.0)]),
    "mask replace": lambda g: g.n[~g.mask],
    "keys": lambda g: g.n.groupby(g.s).sum(),
    "keys two": lambda g: g.f.groupby([g.s, "y"]).n.sum(),
    "isin": lambda g: g.n.isin(g.s),
    "index isin": lambda g: g.lib.Index([1, 3, 9]).isin(g.s) if number(g) else None,
    "map values": lambda g: g.n.map(g.s.set_axis(g.n)),
    "fillna": lambda g: g.n.where(g.n > 2).fillna(g.s) if number(g) else None,
    "combine_first": lambda g: g.n.where(g.n > 2).combine_first(g.s) if number(g) else None,
    "update": lambda g: put_updated(g.t, g.s),
    "update frame": lambda g: put_updated(g.f[["y"]], g.s.to_frame("y")),
    "clip": lambda g: g.n.clip(upper=g.s),
    "add": lambda g: g.n + g.s,
    "radd range": lambda g: g.lib.RangeIndex(7) + g.i,
    "to_datetime": lambda g: g.lib.to_datetime(g.s, unit="D"),
    "to_timedelta": lambda g: g.lib.to_timedelta(g.s, unit="h"),
    "asarray": lambda g: np.asarray(g.s),
    "asarray object": lambda g: np.asarray(g.s, dtype=object),
    "array": lambda g: g.s.array.isna(),
    "series": lambda g: g.lib.Series(g.s, dtype="float64"),
    "frame": lambda g: g.lib.DataFrame({"a": g.s}).astype("Float32"),
    "index": lambda g: g.lib.Index(g.s, dtype="object"),
    "setitem": lambda g: put(g.f, "z", g.s),
    "setitem rows": lambda g: put_at(g.t, slice(0, 2), g.s[[1, 0, 4]]),
    "setitem float": lambda g: put_at(g.n, slice(0, 2), g.s[[1, 0, 4]].set_axis([0, 1, 2])),
    "setitem cell": lambda g: put_at(g.f, (0, "y"), g.s.iloc[1]),
    "merge_asof": lambda g: g.lib.merge_asof(g.f[["n"]].astype("float64"), g.f[["n", "x"]], on="n"),
    "merge_asof by": lambda g: g.lib.merge_asof(g.f[["n", "x"]], g.f[["n", "y"]], on="n", left_by="x", right_by="y"),
    "merge_ordered": lambda g: g.lib.merge_ordered(g.f[["x", "n"]], g.f[["y"]].rename(columns={"y": "x"}), on="x"),
    "from_dummies": lambda g: g.lib.from_dummies(g.lib.DataFrame({"a": g.mask, "b": ~g.mask})),
    "pivot": lambda g: g.f.assign(r=range(7)).pivot(index="r", columns="y", values="x") if g.dtype != "boolean" else None,
    "pivot values": lambda g: g.f.assign(k=[0, 1, 0, 1, 0, 1, 0]).pivot_table("x", "k", aggfunc="max"),
    "stack": lambda g: g.f[["x", "y"]].stack(),
    "explode": lambda g: g.f.explode("x"),
    "rolling frame": lambda g: g.f[["x", "n"]].rolling(2, min_periods=1).max(),
    "rolling corr": lambda g: g.s.rolling(3).corr(g.n),
    "ewm frame": lambda g: g.f[["x", "n"]].ewm(com=1).mean(),
    "corrwith": lambda g: g.f[["x", "n"]].corrwith(g.n),
    "unique": lambda g: g.lib.unique(g.s),
    "factorize": lambda g: g.lib.factorize(g.s),
    "value_counts": lambda g: g.f.x.value_counts(dropna=False, sort=False),
    "resample": lambda g: g.s.set_axis(pandas.date_range("2020", periods=7)).resample("2D").min(),
    "resample last": lambda g: g.s.set_axis(pandas.date_range("2020", periods=7)).resample("2D").last(),
    "asof": lambda g: g.s.asof(1),
    "first_valid_index": lambda g: [g.s.first_valid_index(), g.s[[1, 0]].last_valid_index()],
    "truncate": lambda g: None if g.dtype == "boolean" else g.d[g.d.index.notna()].sort_index().truncate(before=g.v),
    "between columns": lambda g: g.s.between(g.t, g.s),
    "nlargest frame": lambda g: g.f.nsmallest(4, ["x", "n"]),
    "agg frame": lambda g: g.f[["x", "y"]].agg(["min", "max", "count"]),
    "apply rows": lambda g: g.f[["x", "y"]].apply(lambda r: r.isna().sum(), axis=1),
    "map frame": lambda g: g.f[["x", "y"]].map(lambda v: v is pandas.NA),
    "astype frame": lambda g: g.f.astype({"x": "object"}),
    "idxmin grouped": lambda g: g.f.groupby([0, 1, 0, 0, 1, 1, 2])[["x", "y"]].idxmin() if number(g) and g.dtype != "boolean" else None,
    "drop many": lambda g: g.p.drop([g.v, *(value(g.dtype, k) for k in (0, 1, 2, 5)), *([g.w] * 20)], errors="ignore"),
    "loc many": lambda g: g.p.loc[g.p.index.isin([g.v, g.w])],
    "searchsorted": lambda g: g.n.searchsorted(g.s),
}  # fmt: skip
CALLS: dict[str, Any] = {
    f"{part} {name}": call
    for part, calls in (("column", COLUMN), ("frame", FRAME), ("index", INDEX), ("given", GIVEN))
    for name, call in calls.items()
}
