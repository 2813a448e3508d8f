"""Databases: ADBC's drivers give and take frames as Arrow's columns, and DuckDB's SQL reads frames where they are."""

import bascule as bc
import bascule.pandas as pd
import numpy as np
import pandas
import pytest
from call_outcomes import difference

pytestmark = pytest.mark.users


@pytest.fixture
def connection():
    dbapi = pytest.importorskip("adbc_driver_sqlite.dbapi", reason="adbc-driver-sqlite is not installed: make users")
    with dbapi.connect() as made:
        yield made


@pytest.fixture
def duckdb():
    return pytest.importorskip("duckdb", reason="duckdb is not installed: make users")


def flights():
    return pd.DataFrame(
        {"a": [1, 2, 3], "s": ["x", "y", None], "f": [1.5, np.nan, 2.0]}, index=pd.Index([5, 6, 7], name="i")
    )


QUERIES = {
    "a table": ("t", {}), "columns": ("t", {"columns": ["a", "s"]}), "labels": ("t", {"index_col": "a"}),
    "several labels": ("t", {"index_col": ["a", "s"], "columns": ["f"]}), "a query": ("select s, sum(f) as f from t group by s", {}),
    "Arrow's types": ("t", {"dtype_backend": "pyarrow"}),
}  # fmt: skip
REFUSED = {
    "no table": lambda m, c: m.read_sql("nothing", c), "no table of that name": lambda m, c: m.read_sql_table("nothing", c),
    "chunks": lambda m, c: m.read_sql("t", c, chunksize=2), "parameters": lambda m, c: m.read_sql("select ?", c, params=[1]),
    "dates": lambda m, c: m.read_sql("t", c, parse_dates=["a"]), "backend": lambda m, c: m.read_sql("t", c, dtype_backend="none"),
    "there": lambda m, c: m.DataFrame({"a": [1]}).to_sql("t", c), "unknown": lambda m, c: m.DataFrame({"a": [1]}).to_sql("t", c, if_exists="maybe"),
    "index_label": lambda m, c: m.DataFrame({"a": [1]}).to_sql("u", c, index_label="z"),
}  # fmt: skip


@pytest.mark.parametrize("name", QUERIES)
def test_read_by_adbc(name, connection):
    sql, options = QUERIES[name]
    with bc.config.set(fallback="error"):
        assert flights().to_sql("t", connection, index=False) == 3
        made = pd.read_sql(sql, connection, **options)
        assert isinstance(made, pd.DataFrame)
        pandas.testing.assert_frame_equal(made.to_pandas(), pandas.read_sql(sql, connection, **options))
        query = pd.read_sql_query("select a, f from t", connection)
        pandas.testing.assert_frame_equal(query.to_pandas(), flights()[["a", "f"]].reset_index(drop=True).to_pandas())
        pandas.testing.assert_frame_equal(
            pd.read_sql_table("t", connection).to_pandas(), pandas.read_sql_table("t", connection)
        )


@pytest.mark.parametrize("if_exists", ["append", "replace", "delete_rows"])
@pytest.mark.parametrize("index", [True, False])
def test_write_by_adbc(if_exists, index, connection):
    """The table that pandas would have written."""
    for name, frame in (("ours", flights()), ("theirs", flights().to_pandas())):
        for rows in (frame, frame.iloc[:2]):
            rows.to_sql(name, connection, if_exists=if_exists, index=index)
    ours, theirs = (pandas.read_sql(f"select * from {name}", connection) for name in ("ours", "theirs"))
    pandas.testing.assert_frame_equal(ours, theirs)


@pytest.mark.parametrize("name", REFUSED)
def test_refused_by_adbc(name, connection):
    flights().to_sql("t", connection)
    assert difference(lambda m: REFUSED[name](m, connection), pd, pandas) is None


def test_sql_over_frames(duckdb):
    """A query names a frame by its variable, and its result becomes a frame without rows as objects."""
    n = 100_000
    trips = pd.DataFrame({"k": np.arange(n) % 10, "v": np.arange(n) * 0.5, "s": pd.Series(["ab", "c"] * (n // 2))})
    with bc.config.set(fallback="error"):
        found = pd.DataFrame.from_arrow(
            duckdb.sql("select k, sum(v) as v, max(s) as s from trips group by k order by k")
        )
        expected = trips.groupby("k", as_index=False).agg({"v": "sum", "s": "max"})
    pandas.testing.assert_frame_equal(found.to_pandas(), expected.to_pandas())
