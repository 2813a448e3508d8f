"""TPC-H's 22 queries as a user of Polars' lazy frames writes them, on an object with lazy frames as attributes."""

from __future__ import annotations

from datetime import date
from typing import Any

import polars as pl
from polars import col

REVENUE = col("l_extendedprice") * (1 - col("l_discount"))


def q1(t: Any) -> Any:
    return (
        t.lineitem.filter(col("l_shipdate") <= date(1998, 9, 2))
        .group_by("l_returnflag", "l_linestatus")
        .agg(
            col("l_quantity").sum().alias("sum_qty"),
            col("l_extendedprice").sum().alias("sum_base_price"),
            REVENUE.sum().alias("sum_disc_price"),
            (REVENUE * (1 + col("l_tax"))).sum().alias("sum_charge"),
            col("l_quantity").mean().alias("avg_qty"),
            col("l_extendedprice").mean().alias("avg_price"),
            col("l_discount").mean().alias("avg_disc"),
            pl.len().cast(pl.Int64).alias("count_order"),
        )
        .sort("l_returnflag", "l_linestatus")
    )


def q2(t: Any) -> Any:
    offers = (
        t.part.filter((col("p_size") == 15) & col("p_type").str.ends_with("BRASS"))
        .join(t.partsupp, left_on="p_partkey", right_on="ps_partkey")
        .join(t.supplier, left_on="ps_suppkey", right_on="s_suppkey")
        .join(t.nation, left_on="s_nationkey", right_on="n_nationkey")
        .join(t.region.filter(col("r_name") == "EUROPE"), left_on="n_regionkey", right_on="r_regionkey")
    )
    least = offers.group_by("p_partkey").agg(col("ps_supplycost").min())
    return (
        offers.join(least, on=["p_partkey", "ps_supplycost"])
        .select("s_acctbal", "s_name", "n_name", "p_partkey", "p_mfgr", "s_address", "s_phone", "s_comment")
        .sort("s_acctbal", "n_name", "s_name", "p_partkey", descending=[True, False, False, False])
        .head(100)
    )


def q3(t: Any) -> Any:
    return (
        t.customer.filter(col("c_mktsegment") == "BUILDING")
        .join(t.orders.filter(col("o_orderdate") < date(1995, 3, 15)), left_on="c_custkey", right_on="o_custkey")
        .join(t.lineitem.filter(col("l_shipdate") > date(1995, 3, 15)), left_on="o_orderkey", right_on="l_orderkey")
        .group_by("o_orderkey", "o_orderdate", "o_shippriority")
        .agg(REVENUE.sum().alias("revenue"))
        .select(col("o_orderkey").alias("l_orderkey"), "revenue", "o_orderdate", "o_shippriority")
        .sort("revenue", "o_orderdate", descending=[True, False])
        .head(10)
    )


def q4(t: Any) -> Any:
    late = t.lineitem.filter(col("l_commitdate") < col("l_receiptdate"))
    return (
        t.orders.filter(col("o_orderdate").is_between(date(1993, 7, 1), date(1993, 10, 1), closed="left"))
        .join(late, left_on="o_orderkey", right_on="l_orderkey", how="semi")
        .group_by("o_orderpriority")
        .agg(pl.len().cast(pl.Int64).alias("order_count"))
        .sort("o_orderpriority")
    )


def q5(t: Any) -> Any:
    return (
        t.region.filter(col("r_name") == "ASIA")
        .join(t.nation, left_on="r_regionkey", right_on="n_regionkey")
        .join(t.customer, left_on="n_nationkey", right_on="c_nationkey")
        .join(t.orders, left_on="c_custkey", right_on="o_custkey")
        .filter(col("o_orderdate").is_between(date(1994, 1, 1), date(1995, 1, 1), closed="left"))
        .join(t.lineitem, left_on="o_orderkey", right_on="l_orderkey")
        .join(t.supplier, left_on=["l_suppkey", "n_nationkey"], right_on=["s_suppkey", "s_nationkey"])
        .group_by("n_name")
        .agg(REVENUE.sum().alias("revenue"))
        .sort("revenue", descending=True)
    )


def q6(t: Any) -> Any:
    return t.lineitem.filter(
        col("l_shipdate").is_between(date(1994, 1, 1), date(1995, 1, 1), closed="left")
        & col("l_discount").is_between(0.05, 0.07)
        & (col("l_quantity") < 24)
    ).select((col("l_extendedprice") * col("l_discount")).sum().alias("revenue"))


def q7(t: Any) -> Any:
    two = t.nation.filter(col("n_name").is_in(["FRANCE", "GERMANY"])).select("n_nationkey", "n_name")
    suppliers = t.supplier.join(two, left_on="s_nationkey", right_on="n_nationkey").rename({"n_name": "supp_nation"})
    customers = t.customer.join(two, left_on="c_nationkey", right_on="n_nationkey").rename({"n_name": "cust_nation"})
    return (
        t.lineitem.filter(col("l_shipdate").is_between(date(1995, 1, 1), date(1996, 12, 31)))
        .join(suppliers, left_on="l_suppkey", right_on="s_suppkey")
        .join(t.orders, left_on="l_orderkey", right_on="o_orderkey")
        .join(customers, left_on="o_custkey", right_on="c_custkey")
        .filter(col("supp_nation") != col("cust_nation"))
        .group_by("supp_nation", "cust_nation", col("l_shipdate").dt.year().alias("l_year"))
        .agg(REVENUE.sum().alias("revenue"))
        .sort("supp_nation", "cust_nation", "l_year")
    )


def q8(t: Any) -> Any:
    america = t.nation.join(t.region.filter(col("r_name") == "AMERICA"), left_on="n_regionkey", right_on="r_regionkey")
    return (
        t.part.filter(col("p_type") == "ECONOMY ANODIZED STEEL")
        .join(t.lineitem, left_on="p_partkey", right_on="l_partkey")
        .join(t.orders, left_on="l_orderkey", right_on="o_orderkey")
        .filter(col("o_orderdate").is_between(date(1995, 1, 1), date(1996, 12, 31)))
        .join(t.customer, left_on="o_custkey", right_on="c_custkey")
        .join(america, left_on="c_nationkey", right_on="n_nationkey", how="semi")
        .join(t.supplier, left_on="l_suppkey", right_on="s_suppkey")
        .join(t.nation, left_on="s_nationkey", right_on="n_nationkey")
        .with_columns(REVENUE.alias("volume"))
        .group_by(col("o_orderdate").dt.year().alias("o_year"))
        .agg((col("volume").filter(col("n_name") == "BRAZIL").sum() / col("volume").sum()).alias("mkt_share"))
        .sort("o_year")
    )


def q9(t: Any) -> Any:
    return (
        t.part.filter(col("p_name").str.contains("green", literal=True))
        .join(t.lineitem, left_on="p_partkey", right_on="l_partkey")
        .join(t.partsupp, left_on=["p_partkey", "l_suppkey"], right_on=["ps_partkey", "ps_suppkey"])
        .join(t.supplier, left_on="l_suppkey", right_on="s_suppkey")
        .join(t.orders, left_on="l_orderkey", right_on="o_orderkey")
        .join(t.nation, left_on="s_nationkey", right_on="n_nationkey")
        .group_by(col("n_name").alias("nation"), col("o_orderdate").dt.year().alias("o_year"))
        .agg((REVENUE - col("ps_supplycost") * col("l_quantity")).sum().alias("sum_profit"))
        .sort("nation", "o_year", descending=[False, True])
    )


def q10(t: Any) -> Any:
    keys = ["c_custkey", "c_name", "c_acctbal", "n_name", "c_address", "c_phone", "c_comment"]
    return (
        t.customer.join(t.orders, left_on="c_custkey", right_on="o_custkey")
        .filter(col("o_orderdate").is_between(date(1993, 10, 1), date(1994, 1, 1), closed="left"))
        .join(t.lineitem.filter(col("l_returnflag") == "R"), left_on="o_orderkey", right_on="l_orderkey")
        .join(t.nation, left_on="c_nationkey", right_on="n_nationkey")
        .group_by(keys)
        .agg(REVENUE.sum().alias("revenue"))
        .sort("revenue", "c_custkey", descending=[True, False])
        .head(20)
    )


def q11(t: Any) -> Any:
    stock = (
        t.partsupp.join(t.supplier, left_on="ps_suppkey", right_on="s_suppkey")
        .join(t.nation.filter(col("n_name") == "GERMANY"), left_on="s_nationkey", right_on="n_nationkey")
        .with_columns((col("ps_supplycost") * col("ps_availqty")).alias("value"))
    )
    limit = stock.select((col("value").sum() * 0.0001 * 10_000).alias("limit"))
    suppliers = t.supplier.select(pl.len().alias("suppliers"))
    return (
        stock.group_by("ps_partkey")
        .agg(col("value").sum())
        .join(limit, how="cross")
        .join(suppliers, how="cross")
        .filter(col("value") > col("limit") / col("suppliers"))
        .select("ps_partkey", "value")
        .sort("value", "ps_partkey", descending=[True, False])
    )


def q12(t: Any) -> Any:
    high = col("o_orderpriority").is_in(["1-URGENT", "2-HIGH"])
    return (
        t.lineitem.filter(
            col("l_shipmode").is_in(["MAIL", "SHIP"])
            & (col("l_commitdate") < col("l_receiptdate"))
            & (col("l_shipdate") < col("l_commitdate"))
            & col("l_receiptdate").is_between(date(1994, 1, 1), date(1995, 1, 1), closed="left")
        )
        .join(t.orders, left_on="l_orderkey", right_on="o_orderkey")
        .group_by("l_shipmode")
        .agg(high.sum().cast(pl.Int64).alias("high_line_count"), (~high).sum().cast(pl.Int64).alias("low_line_count"))
        .sort("l_shipmode")
    )


def q13(t: Any) -> Any:
    orders = t.orders.filter(~col("o_comment").str.contains("special.*requests"))
    return (
        t.customer.join(orders, left_on="c_custkey", right_on="o_custkey", how="left")
        .group_by("c_custkey")
        .agg(col("o_orderkey").count().cast(pl.Int64).alias("c_count"))
        .group_by("c_count")
        .agg(pl.len().cast(pl.Int64).alias("custdist"))
        .sort("custdist", "c_count", descending=True)
    )


def q14(t: Any) -> Any:
    promoted = REVENUE.filter(col("p_type").str.starts_with("PROMO")).sum()
    return (
        t.lineitem.filter(col("l_shipdate").is_between(date(1995, 9, 1), date(1995, 10, 1), closed="left"))
        .join(t.part, left_on="l_partkey", right_on="p_partkey")
        .select((100 * promoted / REVENUE.sum()).alias("promo_revenue"))
    )


def q15(t: Any) -> Any:
    revenue = (
        t.lineitem.filter(col("l_shipdate").is_between(date(1996, 1, 1), date(1996, 4, 1), closed="left"))
        .group_by("l_suppkey")
        .agg(REVENUE.sum().alias("total_revenue"))
    )
    return (
        t.supplier.join(revenue, left_on="s_suppkey", right_on="l_suppkey")
        .filter(col("total_revenue") == col("total_revenue").max())
        .select("s_suppkey", "s_name", "s_address", "s_phone", "total_revenue")
        .sort("s_suppkey")
    )


def q16(t: Any) -> Any:
    complained = t.supplier.filter(col("s_comment").str.contains("Customer.*Complaints"))
    return (
        t.part.filter(
            (col("p_brand") != "Brand#45")
            & ~col("p_type").str.starts_with("MEDIUM POLISHED")
            & col("p_size").is_in([49, 14, 23, 45, 19, 3, 36, 9])
        )
        .join(t.partsupp, left_on="p_partkey", right_on="ps_partkey")
        .join(complained, left_on="ps_suppkey", right_on="s_suppkey", how="anti")
        .group_by("p_brand", "p_type", "p_size")
        .agg(col("ps_suppkey").n_unique().cast(pl.Int64).alias("supplier_cnt"))
        .sort("supplier_cnt", "p_brand", "p_type", "p_size", descending=[True, False, False, False])
    )


def q17(t: Any) -> Any:
    joined = t.part.filter((col("p_brand") == "Brand#23") & (col("p_container") == "MED BOX")).join(
        t.lineitem, left_on="p_partkey", right_on="l_partkey"
    )
    means = joined.group_by("p_partkey").agg((0.2 * col("l_quantity").mean()).alias("limit"))
    return (
        joined.join(means, on="p_partkey")
        .filter(col("l_quantity") < col("limit"))
        .select((col("l_extendedprice").sum() / 7.0).alias("avg_yearly"))
    )


def q18(t: Any) -> Any:
    large = t.lineitem.group_by("l_orderkey").agg(col("l_quantity").sum()).filter(col("l_quantity") > 300)
    return (
        t.orders.join(large.select("l_orderkey"), left_on="o_orderkey", right_on="l_orderkey", how="semi")
        .join(t.lineitem, left_on="o_orderkey", right_on="l_orderkey")
        .join(t.customer, left_on="o_custkey", right_on="c_custkey")
        .group_by("c_name", col("o_custkey").alias("c_custkey"), "o_orderkey", "o_orderdate", "o_totalprice")
        .agg(col("l_quantity").sum())
        .sort("o_totalprice", "o_orderdate", descending=[True, False])
        .head(100)
    )


def q19(t: Any) -> Any:
    def sort_of(brand: str, containers: list[str], least: int, most: int, size: int) -> Any:
        return (
            (col("p_brand") == brand)
            & col("p_container").is_in(containers)
            & col("l_quantity").is_between(least, most)
            & col("p_size").is_between(1, size)
        )

    return (
        t.part.join(t.lineitem, left_on="p_partkey", right_on="l_partkey")
        .filter(col("l_shipmode").is_in(["AIR", "REG AIR"]) & (col("l_shipinstruct") == "DELIVER IN PERSON"))
        .filter(
            sort_of("Brand#12", ["SM CASE", "SM BOX", "SM PACK", "SM PKG"], 1, 11, 5)
            | sort_of("Brand#23", ["MED BAG", "MED BOX", "MED PKG", "MED PACK"], 10, 20, 10)
            | sort_of("Brand#34", ["LG CASE", "LG BOX", "LG PACK", "LG PKG"], 20, 30, 15)
        )
        .select(REVENUE.sum().alias("revenue"))
    )


def q20(t: Any) -> Any:
    shipped = (
        t.lineitem.filter(col("l_shipdate").is_between(date(1994, 1, 1), date(1995, 1, 1), closed="left"))
        .group_by("l_partkey", "l_suppkey")
        .agg((0.5 * col("l_quantity").sum()).alias("limit"))
    )
    offers = (
        t.partsupp.join(
            t.part.filter(col("p_name").str.starts_with("forest")),
            left_on="ps_partkey",
            right_on="p_partkey",
            how="semi",
        )
        .join(shipped, left_on=["ps_partkey", "ps_suppkey"], right_on=["l_partkey", "l_suppkey"])
        .filter(col("ps_availqty") > col("limit"))
    )
    return (
        t.supplier.join(t.nation.filter(col("n_name") == "CANADA"), left_on="s_nationkey", right_on="n_nationkey")
        .join(offers, left_on="s_suppkey", right_on="ps_suppkey", how="semi")
        .select("s_name", "s_address")
        .sort("s_name")
    )


def q21(t: Any) -> Any:
    several = (
        t.lineitem.group_by("l_orderkey")
        .agg(col("l_suppkey").n_unique().alias("n_suppliers"))
        .filter(col("n_suppliers") > 1)
    )
    late = t.lineitem.filter(col("l_receiptdate") > col("l_commitdate"))
    alone = late.group_by("l_orderkey").agg(col("l_suppkey").n_unique().alias("n_late")).filter(col("n_late") == 1)
    return (
        late.join(several, on="l_orderkey", how="semi")
        .join(alone, on="l_orderkey", how="semi")
        .join(t.supplier, left_on="l_suppkey", right_on="s_suppkey")
        .join(t.nation.filter(col("n_name") == "SAUDI ARABIA"), left_on="s_nationkey", right_on="n_nationkey")
        .join(t.orders.filter(col("o_orderstatus") == "F"), left_on="l_orderkey", right_on="o_orderkey")
        .group_by("s_name")
        .agg(pl.len().cast(pl.Int64).alias("numwait"))
        .sort("numwait", "s_name", descending=[True, False])
        .head(100)
    )


def q22(t: Any) -> Any:
    customers = t.customer.with_columns(col("c_phone").str.slice(0, 2).alias("cntrycode")).filter(
        col("cntrycode").is_in(["13", "31", "23", "29", "30", "18", "17"])
    )
    mean = customers.filter(col("c_acctbal") > 0).select(col("c_acctbal").mean().alias("mean"))
    return (
        customers.join(mean, how="cross")
        .filter(col("c_acctbal") > col("mean"))
        .join(t.orders, left_on="c_custkey", right_on="o_custkey", how="anti")
        .group_by("cntrycode")
        .agg(pl.len().cast(pl.Int64).alias("numcust"), col("c_acctbal").sum().alias("totacctbal"))
        .sort("cntrycode")
    )


QUERIES = {f"q{k}": globals()[f"q{k}"] for k in range(1, 23)}
