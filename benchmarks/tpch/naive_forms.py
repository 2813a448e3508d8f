"""TPC-H's 22 queries in pandas form, transcribed from the specification without a thought for speed.

Tables are merged whole and in the order of the specification's `from`; one that shares no condition with those before it
is merged as soon as it does. All conditions come after the merges, except those that the specification has in a subquery.
Each takes the module, pandas or one with its interface, and an object with the tables as attributes; the results are
those of `pandas_forms`.
"""

from __future__ import annotations

from typing import Any


def q1(pd: Any, t: Any) -> Any:
    """Pricing summary report."""
    items = t.lineitem.copy()
    items["disc_price"] = items["l_extendedprice"] * (1 - items["l_discount"])
    items["charge"] = items["l_extendedprice"] * (1 - items["l_discount"]) * (1 + items["l_tax"])
    items = items[items["l_shipdate"] <= pd.Timestamp("1998-09-02")]
    groups = items.groupby(["l_returnflag", "l_linestatus"])
    found = groups.agg(
        sum_qty=("l_quantity", "sum"),
        sum_base_price=("l_extendedprice", "sum"),
        sum_disc_price=("disc_price", "sum"),
        sum_charge=("charge", "sum"),
        avg_qty=("l_quantity", "mean"),
        avg_price=("l_extendedprice", "mean"),
        avg_disc=("l_discount", "mean"),
        count_order=("l_quantity", "count"),
    )
    return found.reset_index().sort_values(["l_returnflag", "l_linestatus"]).reset_index(drop=True)


def q2(pd: Any, t: Any) -> Any:
    """Minimum cost supplier."""

    def offers_in_europe(left: Any, on: str) -> Any:
        joined = left.merge(t.supplier, left_on=on, right_on="s_suppkey")
        joined = joined.merge(t.nation, left_on="s_nationkey", right_on="n_nationkey")
        joined = joined.merge(t.region, left_on="n_regionkey", right_on="r_regionkey")
        return joined[joined["r_name"] == "EUROPE"]

    least = offers_in_europe(t.partsupp, "ps_suppkey").groupby("ps_partkey")["ps_supplycost"].min()
    least = least.rename("least_cost").reset_index().rename(columns={"ps_partkey": "least_partkey"})
    joined = t.part.merge(t.partsupp, left_on="p_partkey", right_on="ps_partkey")
    joined = offers_in_europe(joined, "ps_suppkey")
    joined = joined.merge(least, left_on="p_partkey", right_on="least_partkey")
    joined = joined[
        (joined["p_size"] == 15)
        & joined["p_type"].str.endswith("BRASS")
        & (joined["ps_supplycost"] == joined["least_cost"])
    ]
    joined = joined.sort_values(["s_acctbal", "n_name", "s_name", "p_partkey"], ascending=[False, True, True, True])
    columns = ["s_acctbal", "s_name", "n_name", "p_partkey", "p_mfgr", "s_address", "s_phone", "s_comment"]
    return joined[columns].head(100).reset_index(drop=True)


def q3(pd: Any, t: Any) -> Any:
    """Shipping priority."""
    date = pd.Timestamp("1995-03-15")
    joined = t.customer.merge(t.orders, left_on="c_custkey", right_on="o_custkey")
    joined = joined.merge(t.lineitem, left_on="o_orderkey", right_on="l_orderkey")
    joined = joined[
        (joined["c_mktsegment"] == "BUILDING") & (joined["o_orderdate"] < date) & (joined["l_shipdate"] > date)
    ]
    joined = joined.assign(revenue=joined["l_extendedprice"] * (1 - joined["l_discount"]))
    found = joined.groupby(["l_orderkey", "o_orderdate", "o_shippriority"])["revenue"].sum().reset_index()
    found = found.sort_values(["revenue", "o_orderdate"], ascending=[False, True])
    return found[["l_orderkey", "revenue", "o_orderdate", "o_shippriority"]].head(10).reset_index(drop=True)


def q4(pd: Any, t: Any) -> Any:
    """Order priority checking."""
    joined = t.orders.merge(t.lineitem, left_on="o_orderkey", right_on="l_orderkey")
    joined = joined[
        (joined["o_orderdate"] >= pd.Timestamp("1993-07-01"))
        & (joined["o_orderdate"] < pd.Timestamp("1993-10-01"))
        & (joined["l_commitdate"] < joined["l_receiptdate"])
    ]
    orders = joined.drop_duplicates("o_orderkey")
    return orders.groupby("o_orderpriority")["o_orderkey"].count().rename("order_count").reset_index()


def q5(pd: Any, t: Any) -> Any:
    """Local supplier volume."""
    joined = t.customer.merge(t.orders, left_on="c_custkey", right_on="o_custkey")
    joined = joined.merge(t.lineitem, left_on="o_orderkey", right_on="l_orderkey")
    joined = joined.merge(t.supplier, left_on=["l_suppkey", "c_nationkey"], right_on=["s_suppkey", "s_nationkey"])
    joined = joined.merge(t.nation, left_on="s_nationkey", right_on="n_nationkey")
    joined = joined.merge(t.region, left_on="n_regionkey", right_on="r_regionkey")
    joined = joined[
        (joined["r_name"] == "ASIA")
        & (joined["o_orderdate"] >= pd.Timestamp("1994-01-01"))
        & (joined["o_orderdate"] < pd.Timestamp("1995-01-01"))
    ]
    joined = joined.assign(revenue=joined["l_extendedprice"] * (1 - joined["l_discount"]))
    found = joined.groupby("n_name")["revenue"].sum().reset_index()
    return found.sort_values("revenue", ascending=False).reset_index(drop=True)


def q6(pd: Any, t: Any) -> Any:
    """Forecasting revenue change."""
    items = t.lineitem.assign(revenue=t.lineitem["l_extendedprice"] * t.lineitem["l_discount"])
    items = items[items["l_shipdate"] >= pd.Timestamp("1994-01-01")]
    items = items[items["l_shipdate"] < pd.Timestamp("1995-01-01")]
    items = items[(items["l_discount"] >= 0.05) & (items["l_discount"] <= 0.07)]
    items = items[items["l_quantity"] < 24]
    return pd.DataFrame({"revenue": [items["revenue"].sum()]})


def q7(pd: Any, t: Any) -> Any:
    """Volume shipping."""
    joined = t.supplier.merge(t.lineitem, left_on="s_suppkey", right_on="l_suppkey")
    joined = joined.merge(t.orders, left_on="l_orderkey", right_on="o_orderkey")
    joined = joined.merge(t.customer, left_on="o_custkey", right_on="c_custkey")
    joined = joined.merge(t.nation.add_prefix("n1_"), left_on="s_nationkey", right_on="n1_n_nationkey")
    joined = joined.merge(t.nation.add_prefix("n2_"), left_on="c_nationkey", right_on="n2_n_nationkey")
    joined = joined.rename(columns={"n1_n_name": "supp_nation", "n2_n_name": "cust_nation"})
    joined["l_year"] = joined["l_shipdate"].dt.year
    joined["volume"] = joined["l_extendedprice"] * (1 - joined["l_discount"])
    joined = joined[
        (
            ((joined["supp_nation"] == "FRANCE") & (joined["cust_nation"] == "GERMANY"))
            | ((joined["supp_nation"] == "GERMANY") & (joined["cust_nation"] == "FRANCE"))
        )
        & (joined["l_shipdate"] >= pd.Timestamp("1995-01-01"))
        & (joined["l_shipdate"] <= pd.Timestamp("1996-12-31"))
    ]
    found = joined.groupby(["supp_nation", "cust_nation", "l_year"])["volume"].sum()
    return found.rename("revenue").reset_index()


def q8(pd: Any, t: Any) -> Any:
    """National market share."""
    joined = t.part.merge(t.lineitem, left_on="p_partkey", right_on="l_partkey")
    joined = joined.merge(t.supplier, left_on="l_suppkey", right_on="s_suppkey")
    joined = joined.merge(t.orders, left_on="l_orderkey", right_on="o_orderkey")
    joined = joined.merge(t.customer, left_on="o_custkey", right_on="c_custkey")
    joined = joined.merge(t.nation.add_prefix("n1_"), left_on="c_nationkey", right_on="n1_n_nationkey")
    joined = joined.merge(t.nation.add_prefix("n2_"), left_on="s_nationkey", right_on="n2_n_nationkey")
    joined = joined.merge(t.region, left_on="n1_n_regionkey", right_on="r_regionkey")
    joined["o_year"] = joined["o_orderdate"].dt.year
    joined["volume"] = joined["l_extendedprice"] * (1 - joined["l_discount"])
    joined["of_brazil"] = joined["volume"].where(joined["n2_n_name"] == "BRAZIL", 0.0)
    joined = joined[
        (joined["r_name"] == "AMERICA")
        & (joined["o_orderdate"] >= pd.Timestamp("1995-01-01"))
        & (joined["o_orderdate"] <= pd.Timestamp("1996-12-31"))
        & (joined["p_type"] == "ECONOMY ANODIZED STEEL")
    ]
    found = joined.groupby("o_year").agg({"of_brazil": "sum", "volume": "sum"}).reset_index()
    found["mkt_share"] = found["of_brazil"] / found["volume"]
    return found[["o_year", "mkt_share"]]


def q9(pd: Any, t: Any) -> Any:
    """Product type profit measure."""
    joined = t.part.merge(t.lineitem, left_on="p_partkey", right_on="l_partkey")
    joined = joined.merge(t.supplier, left_on="l_suppkey", right_on="s_suppkey")
    joined = joined.merge(t.partsupp, left_on=["l_suppkey", "l_partkey"], right_on=["ps_suppkey", "ps_partkey"])
    joined = joined.merge(t.orders, left_on="l_orderkey", right_on="o_orderkey")
    joined = joined.merge(t.nation, left_on="s_nationkey", right_on="n_nationkey")
    joined = joined[joined["p_name"].str.contains("green", regex=False)]
    joined = joined.rename(columns={"n_name": "nation"})
    joined["o_year"] = joined["o_orderdate"].dt.year
    income = joined["l_extendedprice"] * (1 - joined["l_discount"])
    joined["amount"] = income - joined["ps_supplycost"] * joined["l_quantity"]
    found = joined.groupby(["nation", "o_year"])["amount"].sum().rename("sum_profit").reset_index()
    return found.sort_values(["nation", "o_year"], ascending=[True, False]).reset_index(drop=True)


def q10(pd: Any, t: Any) -> Any:
    """Returned item reporting."""
    joined = t.customer.merge(t.orders, left_on="c_custkey", right_on="o_custkey")
    joined = joined.merge(t.lineitem, left_on="o_orderkey", right_on="l_orderkey")
    joined = joined.merge(t.nation, left_on="c_nationkey", right_on="n_nationkey")
    joined = joined[
        (joined["o_orderdate"] >= pd.Timestamp("1993-10-01"))
        & (joined["o_orderdate"] < pd.Timestamp("1994-01-01"))
        & (joined["l_returnflag"] == "R")
    ]
    joined = joined.assign(revenue=joined["l_extendedprice"] * (1 - joined["l_discount"]))
    keys = ["c_custkey", "c_name", "c_acctbal", "n_name", "c_address", "c_phone", "c_comment"]
    found = joined.groupby(keys)["revenue"].sum().reset_index()
    return found.sort_values(["revenue", "c_custkey"], ascending=[False, True]).head(20).reset_index(drop=True)


def q11(pd: Any, t: Any) -> Any:
    """Important stock identification."""
    joined = t.partsupp.merge(t.supplier, left_on="ps_suppkey", right_on="s_suppkey")
    joined = joined.merge(t.nation, left_on="s_nationkey", right_on="n_nationkey")
    joined["value"] = joined["ps_supplycost"] * joined["ps_availqty"]
    joined = joined[joined["n_name"] == "GERMANY"]
    limit = joined["value"].sum() * (0.0001 * 10_000 / len(t.supplier))  # divided by the scale
    found = joined.groupby("ps_partkey")["value"].sum().reset_index()
    found = found[found["value"] > limit]
    return found.sort_values(["value", "ps_partkey"], ascending=[False, True]).reset_index(drop=True)


def q12(pd: Any, t: Any) -> Any:
    """Shipping modes and order priority."""
    joined = t.orders.merge(t.lineitem, left_on="o_orderkey", right_on="l_orderkey")
    joined = joined[
        ((joined["l_shipmode"] == "MAIL") | (joined["l_shipmode"] == "SHIP"))
        & (joined["l_commitdate"] < joined["l_receiptdate"])
        & (joined["l_shipdate"] < joined["l_commitdate"])
        & (joined["l_receiptdate"] >= pd.Timestamp("1994-01-01"))
        & (joined["l_receiptdate"] < pd.Timestamp("1995-01-01"))
    ].copy()
    high = (joined["o_orderpriority"] == "1-URGENT") | (joined["o_orderpriority"] == "2-HIGH")
    joined["high_line_count"] = high.astype(int)
    joined["low_line_count"] = (~high).astype(int)
    return joined.groupby("l_shipmode").agg({"high_line_count": "sum", "low_line_count": "sum"}).reset_index()


def q13(pd: Any, t: Any) -> Any:
    """Customer distribution."""
    orders = t.orders[~t.orders["o_comment"].str.contains("special.*requests")]
    joined = t.customer.merge(orders, how="left", left_on="c_custkey", right_on="o_custkey")
    counts = joined.groupby("c_custkey").agg(c_count=("o_orderkey", "count")).reset_index()
    found = counts.groupby("c_count").size().rename("custdist").reset_index()
    return found.sort_values(["custdist", "c_count"], ascending=[False, False]).reset_index(drop=True)


def q14(pd: Any, t: Any) -> Any:
    """Promotion effect."""
    joined = t.lineitem.merge(t.part, left_on="l_partkey", right_on="p_partkey")
    joined["revenue"] = joined["l_extendedprice"] * (1 - joined["l_discount"])
    joined["promoted"] = joined["revenue"].where(joined["p_type"].str.startswith("PROMO"), 0.0)
    joined = joined[
        (joined["l_shipdate"] >= pd.Timestamp("1995-09-01")) & (joined["l_shipdate"] < pd.Timestamp("1995-10-01"))
    ]
    return pd.DataFrame({"promo_revenue": [100 * joined["promoted"].sum() / joined["revenue"].sum()]})


def q15(pd: Any, t: Any) -> Any:
    """Top supplier."""
    items = t.lineitem.assign(total_revenue=t.lineitem["l_extendedprice"] * (1 - t.lineitem["l_discount"]))
    items = items[
        (items["l_shipdate"] >= pd.Timestamp("1996-01-01")) & (items["l_shipdate"] < pd.Timestamp("1996-04-01"))
    ]
    revenue = items.groupby("l_suppkey")["total_revenue"].sum().reset_index()
    joined = t.supplier.merge(revenue, left_on="s_suppkey", right_on="l_suppkey")
    joined = joined[joined["total_revenue"] == revenue["total_revenue"].max()].sort_values("s_suppkey")
    return joined[["s_suppkey", "s_name", "s_address", "s_phone", "total_revenue"]].reset_index(drop=True)


def q16(pd: Any, t: Any) -> Any:
    """Parts and suppliers."""
    complained = t.supplier[t.supplier["s_comment"].str.contains("Customer.*Complaints")]
    joined = t.partsupp.merge(t.part, left_on="ps_partkey", right_on="p_partkey")
    joined = joined[
        (joined["p_brand"] != "Brand#45")
        & ~joined["p_type"].str.startswith("MEDIUM POLISHED")
        & joined["p_size"].isin([49, 14, 23, 45, 19, 3, 36, 9])
        & ~joined["ps_suppkey"].isin(complained["s_suppkey"])
    ]
    found = joined.groupby(["p_brand", "p_type", "p_size"])["ps_suppkey"].nunique()
    found = found.rename("supplier_cnt").reset_index()
    order = ["supplier_cnt", "p_brand", "p_type", "p_size"]
    return found.sort_values(order, ascending=[False, True, True, True]).reset_index(drop=True)


def q17(pd: Any, t: Any) -> Any:
    """Small-quantity-order revenue."""
    mean = t.lineitem.groupby("l_partkey")["l_quantity"].mean().rename("mean_quantity").reset_index()
    joined = t.lineitem.merge(t.part, left_on="l_partkey", right_on="p_partkey").merge(mean, on="l_partkey")
    joined = joined[
        (joined["p_brand"] == "Brand#23")
        & (joined["p_container"] == "MED BOX")
        & (joined["l_quantity"] < 0.2 * joined["mean_quantity"])
    ]
    return pd.DataFrame({"avg_yearly": [joined["l_extendedprice"].sum() / 7.0]})


def q18(pd: Any, t: Any) -> Any:
    """Large volume customer."""
    quantities = t.lineitem.groupby("l_orderkey")["l_quantity"].sum().reset_index()
    large = quantities[quantities["l_quantity"] > 300]["l_orderkey"]
    joined = t.customer.merge(t.orders, left_on="c_custkey", right_on="o_custkey")
    joined = joined.merge(t.lineitem, left_on="o_orderkey", right_on="l_orderkey")
    joined = joined[joined["o_orderkey"].isin(large)]
    keys = ["c_name", "c_custkey", "o_orderkey", "o_orderdate", "o_totalprice"]
    found = joined.groupby(keys)["l_quantity"].sum().reset_index()
    return found.sort_values(["o_totalprice", "o_orderdate"], ascending=[False, True]).head(100).reset_index(drop=True)


def q19(pd: Any, t: Any) -> Any:
    """Discounted revenue."""
    joined = t.lineitem.merge(t.part, left_on="l_partkey", right_on="p_partkey")

    def kind(brand: str, containers: list[str], least: int, largest: int) -> Any:
        return (
            (joined["p_brand"] == brand)
            & joined["p_container"].isin(containers)
            & (joined["l_quantity"] >= least)
            & (joined["l_quantity"] <= least + 10)
            & (joined["p_size"] >= 1)
            & (joined["p_size"] <= largest)
            & joined["l_shipmode"].isin(["AIR", "REG AIR"])
            & (joined["l_shipinstruct"] == "DELIVER IN PERSON")
        )

    chosen = joined[
        kind("Brand#12", ["SM CASE", "SM BOX", "SM PACK", "SM PKG"], 1, 5)
        | kind("Brand#23", ["MED BAG", "MED BOX", "MED PKG", "MED PACK"], 10, 10)
        | kind("Brand#34", ["LG CASE", "LG BOX", "LG PACK", "LG PKG"], 20, 15)
    ]
    return pd.DataFrame({"revenue": [(chosen["l_extendedprice"] * (1 - chosen["l_discount"])).sum()]})


def q20(pd: Any, t: Any) -> Any:
    """Potential part promotion."""
    items = t.lineitem[
        (t.lineitem["l_shipdate"] >= pd.Timestamp("1994-01-01"))
        & (t.lineitem["l_shipdate"] < pd.Timestamp("1995-01-01"))
    ]
    quantities = items.groupby(["l_partkey", "l_suppkey"])["l_quantity"].sum().reset_index()
    offers = t.partsupp.merge(quantities, left_on=["ps_partkey", "ps_suppkey"], right_on=["l_partkey", "l_suppkey"])
    forest = t.part[t.part["p_name"].str.startswith("forest")]["p_partkey"]
    offers = offers[offers["ps_partkey"].isin(forest) & (offers["ps_availqty"] > 0.5 * offers["l_quantity"])]
    joined = t.supplier.merge(t.nation, left_on="s_nationkey", right_on="n_nationkey")
    joined = joined[joined["s_suppkey"].isin(offers["ps_suppkey"]) & (joined["n_name"] == "CANADA")]
    return joined[["s_name", "s_address"]].sort_values("s_name").reset_index(drop=True)


def q21(pd: Any, t: Any) -> Any:
    """Suppliers who kept orders waiting."""
    joined = t.supplier.merge(t.lineitem, left_on="s_suppkey", right_on="l_suppkey")
    joined = joined.merge(t.orders, left_on="l_orderkey", right_on="o_orderkey")
    joined = joined.merge(t.nation, left_on="s_nationkey", right_on="n_nationkey")
    joined = joined[
        (joined["o_orderstatus"] == "F")
        & (joined["l_receiptdate"] > joined["l_commitdate"])
        & (joined["n_name"] == "SAUDI ARABIA")
    ]
    mine = joined[["l_orderkey", "l_suppkey"]].drop_duplicates()
    others = mine.merge(t.lineitem, on="l_orderkey", suffixes=("", "_other"))
    others = others[others["l_suppkey_other"] != others["l_suppkey"]]
    late = others[others["l_receiptdate"] > others["l_commitdate"]][["l_orderkey", "l_suppkey"]].drop_duplicates()
    others = others[["l_orderkey", "l_suppkey"]].drop_duplicates()
    joined = joined.merge(others, on=["l_orderkey", "l_suppkey"])
    joined = joined.merge(late, on=["l_orderkey", "l_suppkey"], how="left", indicator=True)
    joined = joined[joined["_merge"] == "left_only"]
    found = joined.groupby("s_name").size().rename("numwait").reset_index()
    return found.sort_values(["numwait", "s_name"], ascending=[False, True]).head(100).reset_index(drop=True)


def q22(pd: Any, t: Any) -> Any:
    """Global sales opportunity."""
    customers = t.customer.copy()
    customers["cntrycode"] = customers["c_phone"].str[:2]
    customers = customers[customers["cntrycode"].isin(["13", "31", "23", "29", "30", "18", "17"])]
    mean = customers[customers["c_acctbal"] > 0.0]["c_acctbal"].mean()
    ordered = t.orders[["o_custkey"]].drop_duplicates()
    joined = customers.merge(ordered, how="left", left_on="c_custkey", right_on="o_custkey")
    joined = joined[(joined["c_acctbal"] > mean) & joined["o_custkey"].isna()]
    return joined.groupby("cntrycode").agg(numcust=("c_acctbal", "size"), totacctbal=("c_acctbal", "sum")).reset_index()


QUERIES = {f"q{k}": globals()[f"q{k}"] for k in range(1, 23)}
