"""The rows as a user of pandas writes them; pandas and bascule.pandas run the same code.

A form takes the module and an object with the section's tables as attributes (`folder`: the folder of its files, `out`:
a folder to write to), and returns the result.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

sys.path.append(str(Path(__file__).resolve().parents[2] / "tpch"))
import naive_forms
import pandas_forms as tpch

TIMES = ["pickup", "dropoff"]
REGEX = r"(?:mu|nu) .*9\d$"
AGGREGATIONS = {
    "q1: sum v1 by id1": (["id1"], [("v1", "sum")]),
    "q2: sum v1 by id1, id2": (["id1", "id2"], [("v1", "sum")]),
    "q3: sum v1, mean v3 by id3": (["id3"], [("v1", "sum"), ("v3", "mean")]),
    "q4: mean v1, v2, v3 by id4": (["id4"], [("v1", "mean"), ("v2", "mean"), ("v3", "mean")]),
    "q5: sum v1, v2, v3 by id6": (["id6"], [("v1", "sum"), ("v2", "sum"), ("v3", "sum")]),
    "q6: median, std v3 by id4, id5": (["id4", "id5"], [("v3", "median"), ("v3", "std")]),
    "q7: max v1, min v2 by id3": (["id3"], [("v1", "max"), ("v2", "min")]),
    "q10: sum v3, count by id1 to id6": ([f"id{k}" for k in range(1, 7)], [("v3", "sum"), ("v1", "count")]),
}
JOINS = {
    "j1: inner with small on id1": ("small", "id1", "inner"),
    "j2: inner with medium on id2": ("medium", "id2", "inner"),
    "j3: left with medium on id2": ("medium", "id2", "left"),
    "j4: inner with medium on text id5": ("medium", "id5", "inner"),
    "j5: inner with big on id3": ("big", "id3", "inner"),
}


def aggregated(by: list[str], what: list[tuple[str, str]]) -> Callable[[Any, Any], Any]:
    named = {f"{c}_{f}": (c, f) for c, f in what}
    return lambda pd, t: t.t.groupby(by, as_index=False, sort=False).agg(**named)


def squared_correlation(pd: Any, t: Any) -> Any:
    found = t.t.groupby(["id2", "id4"])[["v1", "v2"]].corr()
    return found["v2"].xs("v1", level=2) ** 2


def joined(other: str, on: str, how: str) -> Callable[[Any, Any], Any]:
    return lambda pd, t: t.t.merge(getattr(t, other), on=on, how=how)


def to_csv(pd: Any, t: Any) -> Any:
    t.t.head(500_000).to_csv(t.out / "out.csv", index=False)
    return t.out / "out.csv"


def to_parquet(pd: Any, t: Any) -> Any:
    t.t.to_parquet(t.out / "out.parquet")
    return t.out / "out.parquet"


def filtered_file(pd: Any, t: Any) -> Any:
    rides = pd.read_parquet(t.folder / "t.parquet")
    return rides[rides.fare > 50].tip.sum()


FORMS: dict[str, dict[str, Callable[[Any, Any], Any]]] = {
    "xy": {
        "x.mean()": lambda pd, t: t.t.x.mean(),
        "df.std()": lambda pd, t: t.t.std(),
        "groupby('y').mean()": lambda pd, t: t.t.groupby("y").mean(),
        "df.merge(df, on='y')": lambda pd, t: t.t.merge(t.t, on="y"),
        "merge on unique keys": lambda pd, t: t.t.merge(t.few, on="y"),
    },
    "groupby": {
        **{name: aggregated(*what) for name, what in AGGREGATIONS.items()},
        "q8: two largest v3 by id6": lambda pd, t: t.t[["id6", "v3"]].sort_values("v3", ascending=False, kind="stable").groupby("id6").head(2),
        "q9: squared correlation of v1, v2 by id2, id4": squared_correlation,
    },
    "join": {name: joined(*what) for name, what in JOINS.items()},
    "sort": {
        "sort_values('x')": lambda pd, t: t.t.sort_values("x"),
        "sort_values('y')": lambda pd, t: t.t.sort_values("y", kind="stable"),
        "sort_values(['k', 'x'])": lambda pd, t: t.t.sort_values(["k", "x"]),
        "sort_values(['s', 'y'])": lambda pd, t: t.t.sort_values(["s", "y"]),
        "nlargest(100)": lambda pd, t: t.t.nlargest(100, "x"),
        "y.unique()": lambda pd, t: pd.Series(t.t.y.unique()),
        "y.rank()": lambda pd, t: t.t.y.rank(),
    },
    "csv": {
        "read_csv, times parsed": lambda pd, t: pd.read_csv(t.folder / "t.csv", parse_dates=TIMES),
        "read_csv, times as text": lambda pd, t: pd.read_csv(t.folder / "t.csv"),
        "read_csv, 1 column of 19, sum": lambda pd, t: pd.read_csv(t.folder / "t.csv", usecols=["passengers"]).passengers.sum(),
        "groupby(pickup.dt.hour).mean()": lambda pd, t: t.t.groupby(t.t.pickup.dt.hour)[["fare", "tip"]].mean(),
        "to_csv, 500,000 rows": to_csv,
        "to_parquet": to_parquet,
        "read_parquet": lambda pd, t: pd.read_parquet(t.folder / "t.parquet"),
        "read_parquet, 2 columns of 19, filter, sum": filtered_file,
    },
    "text": {
        "contains('sigma t')": lambda pd, t: t.t.s.str.contains("sigma t", regex=False),
        "contains(regex)": lambda pd, t: t.t.s.str.contains(REGEX),
        "upper": lambda pd, t: t.t.s.str.upper(),
        "len": lambda pd, t: t.t.s.str.len(),
        "value_counts, 100 different": lambda pd, t: t.t.c.value_counts(),
        "value_counts, 200,000 different": lambda pd, t: t.t.s.value_counts(),
        "astype('category')": lambda pd, t: t.t.c.astype("category"),
        "get_dummies, 1/5 of the rows": lambda pd, t: pd.get_dummies(t.t.c.head(len(t.t) // 5)),
    },
    "windows": {
        "rolling(100).mean()": lambda pd, t: t.t.x.rolling(100).mean(),
        "rolling(100).max()": lambda pd, t: t.t.x.rolling(100).max(),
        "rolling(100).median(), 1/10 of the rows": lambda pd, t: t.t.x.head(len(t.t) // 10).rolling(100).median(),
        "ewm(span=20).mean()": lambda pd, t: t.t.x.ewm(span=20).mean(),
        "cumsum()": lambda pd, t: t.t.x.cumsum(),
        "groupby('k').x.transform('mean')": lambda pd, t: t.t.groupby("k").x.transform("mean"),
        "groupby('k').x.cumsum()": lambda pd, t: t.t.groupby("k").x.cumsum(),
    },
    "elements": {
        "(x * 2 + z - 1 > 0.5).sum()": lambda pd, t: (t.t.x * 2 + t.t.z - 1 > 0.5).sum(),
        "(sin(x) ** 2 + cos(x) ** 2).sum()": lambda pd, t: (np.sin(t.t.x) ** 2 + np.cos(t.t.x) ** 2).sum(),
        "df[df.x > 0.5]": lambda pd, t: t.t[t.t.x > 0.5],
        "df.take(rows)": lambda pd, t: t.t[["x", "z", "y"]].take(t.order.row.to_numpy()),
        "fillna(0.0)": lambda pd, t: t.t.gaps.fillna(0.0),
        "quantile(0.5)": lambda pd, t: t.t.x.quantile(0.5),
        "df.corr()": lambda pd, t: t.t[["x", "z", "y"]].corr(),
    },
    "tpch": dict(tpch.QUERIES),
    "naive": dict(naive_forms.QUERIES),
}  # fmt: skip
