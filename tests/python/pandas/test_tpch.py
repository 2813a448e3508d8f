"""TPC-H's 22 queries in pandas form: pandas' results, and nothing of them runs in pandas."""

import sys
from pathlib import Path
from types import SimpleNamespace

import bascule as bc
import bascule.pandas
import pandas
import pyarrow as pa
import pytest
from bascule.pandas._pending import objects
from pandas import testing

FOLDER = Path(__file__).resolve().parents[3] / "benchmarks/tpch"
ROWS = {
    "region": 5, "nation": 25, "supplier": 40, "customer": 600, "part": 800, "partsupp": 3200, "orders": 6000,
}  # fmt: skip


@pytest.fixture(scope="module")
def forms():
    """The modules of the folder, and what they import of each other."""
    before = set(sys.modules)
    sys.path.insert(0, str(FOLDER))
    try:
        import generate
        import naive_forms
        import pandas_forms

        yield SimpleNamespace(generate=generate, queries=pandas_forms.QUERIES, naive=naive_forms.QUERIES)
    finally:
        sys.path.remove(str(FOLDER))
        for name in {"generate", "naive_forms", "pandas_forms", "words"} & (set(sys.modules) - before):
            del sys.modules[name]


def as_pandas(table):
    frame = table.to_pandas()
    for field in table.schema:
        if field.type == pa.date32():
            frame[field.name] = frame[field.name].astype("datetime64[s]")
    return frame


@pytest.fixture(scope="module")
def tables(forms):
    return SimpleNamespace(**{name: as_pandas(table) for name, table in forms.generate.tables(0.004).items()})


@pytest.fixture(scope="module")
def ours(tables):
    return SimpleNamespace(**{name: bascule.pandas.from_pandas(frame) for name, frame in vars(tables).items()})


@pytest.mark.parametrize("name", [f"q{k}" for k in range(1, 23)])
def test_a_query_is_pandas_own(forms, tables, ours, name):
    wanted = forms.queries[name](pandas, tables)
    with bc.config.set(fallback="error"):
        found = forms.queries[name](bascule.pandas, ours)
    testing.assert_frame_equal(found.to_pandas(), wanted, rtol=1e-12, atol=1e-12)


@pytest.mark.parametrize("name", [f"q{k}" for k in range(1, 23)])
def test_a_query_that_merges_first_and_filters_last_is_pandas_own(forms, tables, ours, name):
    wanted = forms.naive[name](pandas, tables)
    with bc.config.set(fallback="error"):
        found = forms.naive[name](bascule.pandas, ours)
    testing.assert_frame_equal(found.to_pandas(), wanted, rtol=1e-12, atol=1e-12)
    testing.assert_frame_equal(wanted, forms.queries[name](pandas, tables), rtol=1e-9)


@pytest.mark.parametrize("name", [f"q{k}" for k in range(1, 23)])
def test_a_query_whose_joins_wait_is_pandas_own(forms, tables, ours, name, monkeypatch):
    monkeypatch.setattr(objects, "FEWEST_JOINED", 0)
    for queries in (forms.naive, forms.queries):
        with bc.config.set(fallback="error"):
            found = queries[name](bascule.pandas, ours)
        testing.assert_frame_equal(found.to_pandas(), queries[name](pandas, tables), rtol=1e-12, atol=1e-12)


def test_most_queries_find_something(forms, tables):
    """A query over nothing compares nothing: at so small a scale only the rarest of orders may be absent."""
    empty = [name for name, query in forms.queries.items() if not len(query(pandas, tables))]
    assert set(empty) <= {"q2", "q18"}


def test_the_tables_are_those_of_the_specification(tables):
    assert {name: len(getattr(tables, name)) for name in ROWS} == ROWS
    items, orders = tables.lineitem, tables.orders
    assert items.groupby("l_orderkey").size().between(1, 7).all() and items.l_orderkey.isin(orders.o_orderkey).all()
    pairs = set(zip(tables.partsupp.ps_partkey, tables.partsupp.ps_suppkey))
    assert set(zip(items.l_partkey, items.l_suppkey)) <= pairs  # of so few suppliers some come twice
    assert (orders.o_orderkey % 32).between(1, 8).all() and (orders.o_custkey % 3 != 0).all()
    assert orders.o_custkey.between(1, ROWS["customer"]).all()
    shipped = items.merge(orders, left_on="l_orderkey", right_on="o_orderkey")
    assert (shipped.l_shipdate - shipped.o_orderdate).dt.days.between(1, 121).all()
    of_order = shipped.groupby("o_orderkey").agg(said=("o_orderstatus", "first"), lines=("l_linestatus", "nunique"))
    assert ((of_order.said == "P") == (of_order.lines == 2)).all()
    assert tables.part.p_name.str.split().str.len().eq(5).all() and tables.part.p_type.nunique() == 150
    assert tables.supplier.s_comment.str.contains("Customer.*Complaints").sum() >= 1
    assert tables.customer.c_phone.str.fullmatch(r"\d{2}-\d{3}-\d{3}-\d{4}").all()


def test_the_same_scale_gives_the_same_tables(forms):
    one, other = (forms.generate.tables(0.001) for _ in range(2))
    assert all(one[name].equals(other[name]) for name in one)
