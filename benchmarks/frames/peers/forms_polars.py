"""The rows in Polars: eager frames, lazy ones where a user would write so."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import polars as pl
from forms_pandas import AGGREGATIONS, JOINS, REGEX
from polars import col

sys.path.append(str(Path(__file__).resolve().parents[2] / "tpch"))
import polars_forms as tpch


def aggregated(by: list[str], what: list[tuple[str, str]]) -> Callable[[Any], Any]:
    return lambda t: t.t.group_by(by).agg([getattr(col(c), f)().alias(f"{c}_{f}") for c, f in what])


def joined(other: str, on: str, how: str) -> Callable[[Any], Any]:
    return lambda t: t.t.join(getattr(t, other), on=on, how=how)


def collected(query: Callable[[Any], Any]) -> Callable[[Any], Any]:
    def run(t: Any) -> Any:
        lazy = SimpleNamespace(**{k: v.lazy() for k, v in vars(t).items() if isinstance(v, pl.DataFrame)})
        return query(lazy).collect()

    return run


def read_csv(times: bool) -> Callable[[Any], Any]:
    return lambda t: pl.read_csv(t.folder / "t.csv", try_parse_dates=times)


def to_csv(t: Any) -> Any:
    t.t.head(500_000).write_csv(t.out / "out.csv")
    return t.out / "out.csv"


def to_parquet(t: Any) -> Any:
    t.t.write_parquet(t.out / "out.parquet", compression="snappy")
    return t.out / "out.parquet"


def filtered_file(t: Any) -> Any:
    rides = pl.scan_parquet(t.folder / "t.parquet")
    return rides.filter(col("fare") > 50).select(col("tip").sum()).collect().item()


FORMS: dict[str, dict[str, Callable[[Any], Any]]] = {
    "xy": {
        "x.mean()": lambda t: t.t["x"].mean(),
        "df.std()": lambda t: t.t.select(pl.all().std()).transpose(),
        "groupby('y').mean()": lambda t: t.t.group_by("y").agg(col("x").mean()),
        "df.merge(df, on='y')": lambda t: t.t.join(t.t, on="y"),
        "merge on unique keys": lambda t: t.t.join(t.few, on="y"),
    },
    "groupby": {
        **{name: aggregated(*what) for name, what in AGGREGATIONS.items()},
        "q8: two largest v3 by id6": lambda t: t.t.group_by("id6").agg(col("v3").top_k(2)).explode("v3"),
        "q9: squared correlation of v1, v2 by id2, id4": lambda t: t.t.group_by("id2", "id4").agg(
            (pl.corr("v1", "v2") ** 2).alias("v2")
        ),
    },
    "join": {name: joined(*what) for name, what in JOINS.items()},
    "sort": {
        "sort_values('x')": lambda t: t.t.sort("x"),
        "sort_values('y')": lambda t: t.t.sort("y", maintain_order=True),
        "sort_values(['k', 'x'])": lambda t: t.t.sort("k", "x"),
        "sort_values(['s', 'y'])": lambda t: t.t.sort("s", "y"),
        "nlargest(100)": lambda t: t.t.top_k(100, by="x"),
        "y.unique()": lambda t: t.t["y"].unique(),
        "y.rank()": lambda t: t.t["y"].rank(),
    },
    "csv": {
        "read_csv, times parsed": read_csv(True),
        "read_csv, times as text": read_csv(False),
        "read_csv, 1 column of 19, sum": lambda t: pl.scan_csv(t.folder / "t.csv").select(col("passengers").sum()).collect().item(),
        "groupby(pickup.dt.hour).mean()": lambda t: t.t.group_by(col("pickup").dt.hour()).agg(col("fare", "tip").mean()),
        "to_csv, 500,000 rows": to_csv,
        "to_parquet": to_parquet,
        "read_parquet": lambda t: pl.read_parquet(t.folder / "t.parquet"),
        "read_parquet, 2 columns of 19, filter, sum": filtered_file,
    },
    "text": {
        "contains('sigma t')": lambda t: t.t["s"].str.contains("sigma t", literal=True),
        "contains(regex)": lambda t: t.t["s"].str.contains(REGEX),
        "upper": lambda t: t.t["s"].str.to_uppercase(),
        "len": lambda t: t.t["s"].str.len_chars(),
        "value_counts, 100 different": lambda t: t.t["c"].value_counts(sort=True),
        "value_counts, 200,000 different": lambda t: t.t["s"].value_counts(sort=True),
        "astype('category')": lambda t: t.t["c"].cast(pl.Categorical),
        "get_dummies, 1/5 of the rows": lambda t: t.t["c"].head(len(t.t) // 5).to_dummies(),
    },
    "windows": {
        "rolling(100).mean()": lambda t: t.t["x"].rolling_mean(100),
        "rolling(100).max()": lambda t: t.t["x"].rolling_max(100),
        "rolling(100).median(), 1/10 of the rows": lambda t: t.t["x"].head(len(t.t) // 10).rolling_median(100),
        "ewm(span=20).mean()": lambda t: t.t["x"].ewm_mean(span=20),
        "cumsum()": lambda t: t.t["x"].cum_sum(),
        "groupby('k').x.transform('mean')": lambda t: t.t.select(col("x").mean().over("k")),
        "groupby('k').x.cumsum()": lambda t: t.t.select(col("x").cum_sum().over("k")),
    },
    "elements": {
        "(x * 2 + z - 1 > 0.5).sum()": lambda t: t.t.lazy().select((col("x") * 2 + col("z") - 1 > 0.5).sum()).collect().item(),
        "(sin(x) ** 2 + cos(x) ** 2).sum()": lambda t: t.t.lazy().select((col("x").sin() ** 2 + col("x").cos() ** 2).sum()).collect().item(),
        "df[df.x > 0.5]": lambda t: t.t.filter(col("x") > 0.5),
        "df.take(rows)": lambda t: t.t.select("x", "z", "y")[t.order["row"]],
        "fillna(0.0)": lambda t: t.t["gaps"].fill_null(0.0),
        "quantile(0.5)": lambda t: t.t["x"].quantile(0.5, interpolation="linear"),
    },
    "tpch": {name: collected(query) for name, query in tpch.QUERIES.items()},
}  # fmt: skip
FORMS["naive"] = FORMS["tpch"]  # a lazy query has no order of merges and filters
