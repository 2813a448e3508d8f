"""The rows in DuckDB's SQL, on tables in its memory; results are fetched as Arrow tables."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

from forms_pandas import AGGREGATIONS, JOINS, REGEX

sys.path.append(str(Path(__file__).resolve().parents[2] / "tpch"))
import duckdb_forms as tpch

FUNCTIONS = {"mean": "avg", "std": "stddev"}


def arrow(sql: str) -> Callable[[Any], Any]:
    return lambda t: t.con.sql(sql).to_arrow_table()


def scalar(sql: str) -> Callable[[Any], Any]:
    return lambda t: t.con.execute(sql).fetchall()[0][0]


def aggregated(by: list[str], what: list[tuple[str, str]]) -> Callable[[Any], Any]:
    keys = ", ".join(by)
    values = ", ".join(f"{FUNCTIONS.get(f, f)}({c}) {c}_{f}" for c, f in what)
    return arrow(f"select {keys}, {values} from t group by {keys}")


def joined(other: str, on: str, how: str) -> Callable[[Any], Any]:
    return arrow(f"select * from t {how} join {other} using ({on})")


def read_csv(arguments: str) -> Callable[[Any], Any]:
    return lambda t: t.con.sql(f"select * from read_csv('{t.folder / 't.csv'}'{arguments})").to_arrow_table()


def copied(sql: str, file: str) -> Callable[[Any], Any]:
    def run(t: Any) -> Any:
        t.con.execute(sql.format(t.out / file))
        return t.out / file

    return run


TEXT = ", types={'pickup': 'VARCHAR', 'dropoff': 'VARCHAR'}"
FORMS: dict[str, dict[str, Callable[[Any], Any]]] = {
    "xy": {
        "x.mean()": scalar("select avg(x) from t"),
        "df.std()": arrow("select unnest([stddev(x), stddev(y)]) std from t"),
        "groupby('y').mean()": arrow("select y, avg(x) x from t group by y"),
        "df.merge(df, on='y')": arrow("select a.x x_x, a.y y, b.x x_y from t a join t b using (y)"),
        "merge on unique keys": arrow("select t.x, t.y, few.w from t join few using (y)"),
    },
    "groupby": {
        **{name: aggregated(*what) for name, what in AGGREGATIONS.items()},
        "q8: two largest v3 by id6": arrow("select id6, unnest(max(v3, 2)) v3 from t group by id6"),
        "q9: squared correlation of v1, v2 by id2, id4": arrow("select id2, id4, pow(corr(v1, v2), 2) v2 from t group by id2, id4"),
    },
    "join": {name: joined(*what) for name, what in JOINS.items()},
    "sort": {
        "sort_values('x')": arrow("select * from t order by x"),
        "sort_values('y')": arrow("select * from t order by y"),
        "sort_values(['k', 'x'])": arrow("select * from t order by k, x"),
        "sort_values(['s', 'y'])": arrow("select * from t order by s, y"),
        "nlargest(100)": arrow("select * from t order by x desc limit 100"),
        "y.unique()": arrow("select distinct y from t"),
    },
    "csv": {
        "read_csv, times parsed": read_csv(""),
        "read_csv, times as text": read_csv(TEXT),
        "read_csv, 1 column of 19, sum": lambda t: t.con.execute(f"select sum(passengers) from read_csv('{t.folder / 't.csv'}')").fetchall()[0][0],
        "groupby(pickup.dt.hour).mean()": arrow("select hour(pickup) pickup, avg(fare) fare, avg(tip) tip from t group by 1"),
        "to_csv, 500,000 rows": copied("copy (select * from t limit 500000) to '{}'", "out.csv"),
        "to_parquet": copied("copy t to '{}' (format parquet)", "out.parquet"),
        "read_parquet": lambda t: t.con.sql(f"select * from read_parquet('{t.folder / 't.parquet'}')").to_arrow_table(),
        "read_parquet, 2 columns of 19, filter, sum": lambda t: t.con.execute(f"select sum(tip) from read_parquet('{t.folder / 't.parquet'}') where fare > 50").fetchall()[0][0],
    },
    "text": {
        "contains('sigma t')": arrow("select contains(s, 'sigma t') s from t"),
        "contains(regex)": arrow(f"select regexp_matches(s, '{REGEX}') s from t"),
        "upper": arrow("select upper(s) s from t"),
        "len": arrow("select length(s) s from t"),
        "value_counts, 100 different": arrow("select c, count(*) n from t group by 1 order by n desc"),
        "value_counts, 200,000 different": arrow("select s, count(*) n from t group by 1 order by n desc"),
    },
    "windows": {
        "rolling(100).mean()": arrow("select case when i >= 99 then avg(x) over (order by i rows 99 preceding) end x from t"),
        "groupby('k').x.transform('mean')": arrow("select avg(x) over (partition by k) x from t"),
    },
    "elements": {
        "(x * 2 + z - 1 > 0.5).sum()": scalar("select count(*) filter (where x * 2 + z - 1 > 0.5) from t"),
        "(sin(x) ** 2 + cos(x) ** 2).sum()": scalar("select sum(sin(x) ** 2 + cos(x) ** 2) from t"),
        "df[df.x > 0.5]": arrow("select * from t where x > 0.5"),
        "quantile(0.5)": scalar("select quantile_cont(x, 0.5) from t"),
    },
    "tpch": {name: arrow(sql) for name, sql in tpch.QUERIES.items()},
}  # fmt: skip
FORMS["naive"] = FORMS["tpch"]  # nor has SQL an order of joins and conditions
