"""The rows in pyarrow's compute functions, where it has them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.csv
import pyarrow.parquet
from forms_pandas import AGGREGATIONS, JOINS, REGEX

FUNCTIONS = {"std": "stddev"}


def aggregated(by: list[str], what: list[tuple[str, str]]) -> Callable[[Any], Any]:
    one = pc.VarianceOptions(ddof=1)
    pairs = [(c, FUNCTIONS.get(f, f), *([one] if f == "std" else [])) for c, f in what]
    return lambda t: t.t.group_by(by).aggregate(pairs)


def joined(other: str, on: str, how: str) -> Callable[[Any], Any]:
    kind = "left outer" if how == "left" else how
    return lambda t: t.t.join(getattr(t, other), on, join_type=kind, right_suffix="_y")


def sorted_by(*columns: str) -> Callable[[Any], Any]:
    return lambda t: t.t.sort_by([(c, "ascending") for c in columns])


def to_csv(t: Any) -> Any:
    pa.csv.write_csv(t.t.slice(0, 500_000), t.out / "out.csv")
    return t.out / "out.csv"


def to_parquet(t: Any) -> Any:
    pa.parquet.write_table(t.t, t.out / "out.parquet")
    return t.out / "out.parquet"


def one_column(t: Any) -> Any:
    options = pa.csv.ConvertOptions(include_columns=["passengers"])
    return pc.sum(pa.csv.read_csv(t.folder / "t.csv", convert_options=options)["passengers"]).as_py()


def filtered_file(t: Any) -> Any:
    some = pa.parquet.read_table(t.folder / "t.parquet", columns=["tip"], filters=pc.field("fare") > 50)
    return pc.sum(some["tip"]).as_py()


FORMS: dict[str, dict[str, Callable[[Any], Any]]] = {
    "xy": {
        "x.mean()": lambda t: pc.mean(t.t["x"]).as_py(),
        "df.std()": lambda t: pa.array([pc.stddev(t.t[c], ddof=1).as_py() for c in "xy"]),
        "groupby('y').mean()": lambda t: t.t.group_by("y").aggregate([("x", "mean")]),
        "df.merge(df, on='y')": lambda t: t.t.join(t.t, "y", join_type="inner", right_suffix="_y"),
        "merge on unique keys": lambda t: t.t.join(t.few, "y", join_type="inner"),
    },
    "groupby": {name: aggregated(*what) for name, what in AGGREGATIONS.items() if "median" not in name},
    "join": {name: joined(*what) for name, what in JOINS.items()},
    "sort": {
        "sort_values('x')": sorted_by("x"),
        "sort_values('y')": sorted_by("y"),
        "sort_values(['k', 'x'])": sorted_by("k", "x"),
        "sort_values(['s', 'y'])": sorted_by("s", "y"),
        "y.unique()": lambda t: pc.unique(t.t["y"]),
    },
    "csv": {
        "read_csv, times parsed": lambda t: pa.csv.read_csv(t.folder / "t.csv"),
        "read_csv, 1 column of 19, sum": one_column,
        "to_csv, 500,000 rows": to_csv,
        "to_parquet": to_parquet,
        "read_parquet": lambda t: pa.parquet.read_table(t.folder / "t.parquet"),
        "read_parquet, 2 columns of 19, filter, sum": filtered_file,
    },
    "text": {
        "contains('sigma t')": lambda t: pc.match_substring(t.t["s"], "sigma t"),
        "contains(regex)": lambda t: pc.match_substring_regex(t.t["s"], REGEX),
        "upper": lambda t: pc.utf8_upper(t.t["s"]),
        "len": lambda t: pc.utf8_length(t.t["s"]),
        "value_counts, 100 different": lambda t: pc.value_counts(t.t["c"]),
        "value_counts, 200,000 different": lambda t: pc.value_counts(t.t["s"]),
        "astype('category')": lambda t: pc.dictionary_encode(t.t["c"]),
    },
    "windows": {"cumsum()": lambda t: pc.cumulative_sum(t.t["x"])},
    "elements": {
        "df[df.x > 0.5]": lambda t: t.t.filter(pc.greater(t.t["x"], 0.5)),
        "df.take(rows)": lambda t: t.t.select(["x", "z", "y"]).take(t.order["row"]),
        "fillna(0.0)": lambda t: pc.fill_null(t.t["gaps"], 0.0),
        "quantile(0.5)": lambda t: pc.quantile(t.t["x"], 0.5)[0].as_py(),
    },
    "tpch": {},
}
