"""TPC-H's 22 queries as a user of pandas writes them, with the specification's validation parameters.

Each takes the module, pandas or one with its interface, and an object with the tables as attributes.
"""

from __future__ import annotations

from typing import Any


def q1(pd: Any, t: Any) -> Any:
    """Pricing summary report."""
    items = t.lineitem[t.lineitem.l_shipdate <= pd.Timestamp("1998-09-02")]
    disc_price = items.l_extendedprice * (1 - items.l_discount)
    items = items.assign(disc_price=disc_price, charge=disc_price * (1 + items.l_tax))
    return items.groupby(["l_returnflag", "l_linestatus"], as_index=False).agg(
        sum_qty=("l_quantity", "sum"),
        sum_base_price=("l_extendedprice", "sum"),
        sum_disc_price=("disc_price", "sum"),
        sum_charge=("charge", "sum"),
        avg_qty=("l_quantity", "mean"),
        avg_price=("l_extendedprice", "mean"),
        avg_disc=("l_discount", "mean"),
        count_order=("l_orderkey", "count"),
    )


def q2(pd: Any, t: Any) -> Any:
    """Minimum cost supplier."""
    parts = t.part[(t.part.p_size == 15) & t.part.p_type.str.endswith("BRASS")]
    europe = t.nation.merge(t.region[t.region.r_name == "EUROPE"], left_on="n_regionkey", right_on="r_regionkey")
    suppliers = t.supplier.merge(europe, left_on="s_nationkey", right_on="n_nationkey")
    offers = t.partsupp.merge(suppliers, left_on="ps_suppkey", right_on="s_suppkey")
    offers = offers.merge(parts, left_on="ps_partkey", right_on="p_partkey")
    least = offers.groupby("p_partkey")["ps_supplycost"].transform("min")
    best = offers[offers["ps_supplycost"] == least]
    best = best.sort_values(["s_acctbal", "n_name", "s_name", "p_partkey"], ascending=[False, True, True, True])
    columns = ["s_acctbal", "s_name", "n_name", "p_partkey", "p_mfgr", "s_address", "s_phone", "s_comment"]
    return best[columns].head(100).reset_index(drop=True)


def q3(pd: Any, t: Any) -> Any:
    """Shipping priority."""
    date = pd.Timestamp("1995-03-15")
    customers = t.customer[t.customer.c_mktsegment == "BUILDING"]
    orders = t.orders[t.orders.o_orderdate < date]
    items = t.lineitem[t.lineitem.l_shipdate > date]
    joined = customers.merge(orders, left_on="c_custkey", right_on="o_custkey")
    joined = joined.merge(items, left_on="o_orderkey", right_on="l_orderkey")
    joined["revenue"] = joined.l_extendedprice * (1 - joined.l_discount)
    revenue = joined.groupby(["l_orderkey", "o_orderdate", "o_shippriority"], as_index=False)["revenue"].sum()
    revenue = revenue.sort_values(["revenue", "o_orderdate"], ascending=[False, True]).head(10)
    return revenue[["l_orderkey", "revenue", "o_orderdate", "o_shippriority"]].reset_index(drop=True)


def q4(pd: Any, t: Any) -> Any:
    """Order priority checking."""
    begin, end = pd.Timestamp("1993-07-01"), pd.Timestamp("1993-10-01")
    orders = t.orders[(t.orders.o_orderdate >= begin) & (t.orders.o_orderdate < end)]
    late = t.lineitem.loc[t.lineitem.l_commitdate < t.lineitem.l_receiptdate, "l_orderkey"]
    chosen = orders[orders.o_orderkey.isin(late)]
    return chosen.groupby("o_orderpriority").size().reset_index(name="order_count")


def q5(pd: Any, t: Any) -> Any:
    """Local supplier volume."""
    begin, end = pd.Timestamp("1994-01-01"), pd.Timestamp("1995-01-01")
    asia = t.nation.merge(t.region[t.region.r_name == "ASIA"], left_on="n_regionkey", right_on="r_regionkey")
    customers = t.customer.merge(asia, left_on="c_nationkey", right_on="n_nationkey")
    orders = t.orders[(t.orders.o_orderdate >= begin) & (t.orders.o_orderdate < end)]
    joined = customers.merge(orders, left_on="c_custkey", right_on="o_custkey")
    joined = joined.merge(t.lineitem, left_on="o_orderkey", right_on="l_orderkey")
    joined = joined.merge(t.supplier, left_on=["l_suppkey", "c_nationkey"], right_on=["s_suppkey", "s_nationkey"])
    joined["revenue"] = joined.l_extendedprice * (1 - joined.l_discount)
    revenue = joined.groupby("n_name", as_index=False)["revenue"].sum()
    return revenue.sort_values("revenue", ascending=False, ignore_index=True)


def q6(pd: Any, t: Any) -> Any:
    """Forecasting revenue change."""
    items = t.lineitem
    chosen = items[
        (items.l_shipdate >= pd.Timestamp("1994-01-01"))
        & (items.l_shipdate < pd.Timestamp("1995-01-01"))
        & items.l_discount.between(0.05, 0.07)
        & (items.l_quantity < 24)
    ]
    return pd.DataFrame({"revenue": [(chosen.l_extendedprice * chosen.l_discount).sum()]})


def q7(pd: Any, t: Any) -> Any:
    """Volume shipping."""
    two = t.nation[t.nation.n_name.isin(["FRANCE", "GERMANY"])][["n_nationkey", "n_name"]]
    suppliers = t.supplier.merge(two, left_on="s_nationkey", right_on="n_nationkey")
    suppliers = suppliers[["s_suppkey", "n_name"]].rename(columns={"n_name": "supp_nation"})
    customers = t.customer.merge(two, left_on="c_nationkey", right_on="n_nationkey")
    customers = customers[["c_custkey", "n_name"]].rename(columns={"n_name": "cust_nation"})
    items = t.lineitem[t.lineitem.l_shipdate.between(pd.Timestamp("1995-01-01"), pd.Timestamp("1996-12-31"))]
    joined = items.merge(suppliers, left_on="l_suppkey", right_on="s_suppkey")
    joined = joined.merge(t.orders, left_on="l_orderkey", right_on="o_orderkey")
    joined = joined.merge(customers, left_on="o_custkey", right_on="c_custkey")
    joined = joined[joined.supp_nation != joined.cust_nation]
    joined = joined.assign(l_year=joined.l_shipdate.dt.year, volume=joined.l_extendedprice * (1 - joined.l_discount))
    revenue = joined.groupby(["supp_nation", "cust_nation", "l_year"], as_index=False).agg(revenue=("volume", "sum"))
    return revenue


def q8(pd: Any, t: Any) -> Any:
    """National market share."""
    parts = t.part[t.part.p_type == "ECONOMY ANODIZED STEEL"][["p_partkey"]]
    america = t.nation.merge(t.region[t.region.r_name == "AMERICA"], left_on="n_regionkey", right_on="r_regionkey")
    customers = t.customer[t.customer.c_nationkey.isin(america.n_nationkey)][["c_custkey"]]
    orders = t.orders[t.orders.o_orderdate.between(pd.Timestamp("1995-01-01"), pd.Timestamp("1996-12-31"))]
    joined = t.lineitem.merge(parts, left_on="l_partkey", right_on="p_partkey")
    joined = joined.merge(orders, left_on="l_orderkey", right_on="o_orderkey")
    joined = joined.merge(customers, left_on="o_custkey", right_on="c_custkey")
    joined = joined.merge(t.supplier, left_on="l_suppkey", right_on="s_suppkey")
    joined = joined.merge(t.nation, left_on="s_nationkey", right_on="n_nationkey")
    joined["o_year"] = joined.o_orderdate.dt.year
    joined["volume"] = joined.l_extendedprice * (1 - joined.l_discount)
    joined["of_brazil"] = joined.volume.where(joined.n_name == "BRAZIL", 0.0)
    sums = joined.groupby("o_year")[["of_brazil", "volume"]].sum()
    return (sums.of_brazil / sums.volume).rename("mkt_share").reset_index()


def q9(pd: Any, t: Any) -> Any:
    """Product type profit measure."""
    parts = t.part[t.part.p_name.str.contains("green", regex=False)][["p_partkey"]]
    joined = t.lineitem.merge(parts, left_on="l_partkey", right_on="p_partkey")
    joined = joined.merge(t.partsupp, left_on=["l_partkey", "l_suppkey"], right_on=["ps_partkey", "ps_suppkey"])
    joined = joined.merge(t.supplier, left_on="l_suppkey", right_on="s_suppkey")
    joined = joined.merge(t.orders, left_on="l_orderkey", right_on="o_orderkey")
    joined = joined.merge(t.nation, left_on="s_nationkey", right_on="n_nationkey")
    amount = joined.l_extendedprice * (1 - joined.l_discount) - joined.ps_supplycost * joined.l_quantity
    joined = joined.assign(o_year=joined.o_orderdate.dt.year, amount=amount)
    profit = joined.groupby(["n_name", "o_year"], as_index=False)["amount"].sum()
    profit = profit.sort_values(["n_name", "o_year"], ascending=[True, False], ignore_index=True)
    return profit.rename(columns={"n_name": "nation", "amount": "sum_profit"})


def q10(pd: Any, t: Any) -> Any:
    """Returned item reporting."""
    begin, end = pd.Timestamp("1993-10-01"), pd.Timestamp("1994-01-01")
    orders = t.orders[(t.orders.o_orderdate >= begin) & (t.orders.o_orderdate < end)]
    items = t.lineitem[t.lineitem.l_returnflag == "R"]
    joined = t.customer.merge(orders, left_on="c_custkey", right_on="o_custkey")
    joined = joined.merge(items, left_on="o_orderkey", right_on="l_orderkey")
    joined = joined.merge(t.nation, left_on="c_nationkey", right_on="n_nationkey")
    joined["revenue"] = joined.l_extendedprice * (1 - joined.l_discount)
    keys = ["c_custkey", "c_name", "c_acctbal", "n_name", "c_address", "c_phone", "c_comment"]
    revenue = joined.groupby(keys, as_index=False)["revenue"].sum()
    return revenue.sort_values(["revenue", "c_custkey"], ascending=[False, True]).head(20).reset_index(drop=True)


def q11(pd: Any, t: Any) -> Any:
    """Important stock identification."""
    german = t.supplier.merge(t.nation[t.nation.n_name == "GERMANY"], left_on="s_nationkey", right_on="n_nationkey")
    stock = t.partsupp.merge(german, left_on="ps_suppkey", right_on="s_suppkey")
    stock["value"] = stock.ps_supplycost * stock.ps_availqty
    total = stock["value"].sum()
    fraction = 0.0001 * 10_000 / len(t.supplier)  # divided by the scale
    values = stock.groupby("ps_partkey", as_index=False)["value"].sum()
    values = values[values["value"] > total * fraction]
    return values.sort_values(["value", "ps_partkey"], ascending=[False, True], ignore_index=True)


def q12(pd: Any, t: Any) -> Any:
    """Shipping modes and order priority."""
    items = t.lineitem
    items = items[
        items.l_shipmode.isin(["MAIL", "SHIP"])
        & (items.l_commitdate < items.l_receiptdate)
        & (items.l_shipdate < items.l_commitdate)
        & (items.l_receiptdate >= pd.Timestamp("1994-01-01"))
        & (items.l_receiptdate < pd.Timestamp("1995-01-01"))
    ]
    joined = t.orders.merge(items, left_on="o_orderkey", right_on="l_orderkey")
    high = joined.o_orderpriority.isin(["1-URGENT", "2-HIGH"])
    joined = joined.assign(high_line_count=high.astype(int), low_line_count=(~high).astype(int))
    return joined.groupby("l_shipmode")[["high_line_count", "low_line_count"]].sum().reset_index()


def q13(pd: Any, t: Any) -> Any:
    """Customer distribution."""
    orders = t.orders[~t.orders.o_comment.str.contains("special.*requests", regex=True)]
    joined = t.customer.merge(orders, how="left", left_on="c_custkey", right_on="o_custkey")
    counts = joined.groupby("c_custkey")["o_orderkey"].count()
    found = counts.value_counts().rename_axis("c_count").reset_index(name="custdist")
    return found.sort_values(["custdist", "c_count"], ascending=False, ignore_index=True)


def q14(pd: Any, t: Any) -> Any:
    """Promotion effect."""
    begin, end = pd.Timestamp("1995-09-01"), pd.Timestamp("1995-10-01")
    items = t.lineitem[(t.lineitem.l_shipdate >= begin) & (t.lineitem.l_shipdate < end)]
    joined = items.merge(t.part, left_on="l_partkey", right_on="p_partkey")
    revenue = joined.l_extendedprice * (1 - joined.l_discount)
    promoted = revenue[joined.p_type.str.startswith("PROMO")].sum()
    return pd.DataFrame({"promo_revenue": [100 * promoted / revenue.sum()]})


def q15(pd: Any, t: Any) -> Any:
    """Top supplier."""
    begin, end = pd.Timestamp("1996-01-01"), pd.Timestamp("1996-04-01")
    items = t.lineitem[(t.lineitem.l_shipdate >= begin) & (t.lineitem.l_shipdate < end)]
    items = items.assign(total_revenue=items.l_extendedprice * (1 - items.l_discount))
    revenue = items.groupby("l_suppkey", as_index=False)["total_revenue"].sum()
    top = revenue[revenue.total_revenue == revenue.total_revenue.max()]
    joined = t.supplier.merge(top, left_on="s_suppkey", right_on="l_suppkey").sort_values("s_suppkey")
    return joined[["s_suppkey", "s_name", "s_address", "s_phone", "total_revenue"]].reset_index(drop=True)


def q16(pd: Any, t: Any) -> Any:
    """Parts and suppliers."""
    parts = t.part[
        (t.part.p_brand != "Brand#45")
        & ~t.part.p_type.str.startswith("MEDIUM POLISHED")
        & t.part.p_size.isin([49, 14, 23, 45, 19, 3, 36, 9])
    ]
    complained = t.supplier[t.supplier.s_comment.str.contains("Customer.*Complaints")]
    offers = t.partsupp[~t.partsupp.ps_suppkey.isin(complained.s_suppkey)]
    joined = parts.merge(offers, left_on="p_partkey", right_on="ps_partkey")
    counts = joined.groupby(["p_brand", "p_type", "p_size"], as_index=False)["ps_suppkey"].nunique()
    counts = counts.rename(columns={"ps_suppkey": "supplier_cnt"})
    order = ["supplier_cnt", "p_brand", "p_type", "p_size"]
    return counts.sort_values(order, ascending=[False, True, True, True], ignore_index=True)


def q17(pd: Any, t: Any) -> Any:
    """Small-quantity-order revenue."""
    parts = t.part[(t.part.p_brand == "Brand#23") & (t.part.p_container == "MED BOX")]
    joined = t.lineitem.merge(parts, left_on="l_partkey", right_on="p_partkey")
    mean = joined.groupby("l_partkey")["l_quantity"].transform("mean")
    chosen = joined[joined.l_quantity < 0.2 * mean]
    return pd.DataFrame({"avg_yearly": [chosen.l_extendedprice.sum() / 7.0]})


def q18(pd: Any, t: Any) -> Any:
    """Large volume customer."""
    quantities = t.lineitem.groupby("l_orderkey")["l_quantity"].sum()
    large = quantities[quantities > 300].index
    orders = t.orders[t.orders.o_orderkey.isin(large)]
    joined = orders.merge(t.lineitem, left_on="o_orderkey", right_on="l_orderkey")
    joined = joined.merge(t.customer, left_on="o_custkey", right_on="c_custkey")
    keys = ["c_name", "c_custkey", "o_orderkey", "o_orderdate", "o_totalprice"]
    sums = joined.groupby(keys, as_index=False)["l_quantity"].sum()
    return sums.sort_values(["o_totalprice", "o_orderdate"], ascending=[False, True]).head(100).reset_index(drop=True)


def q19(pd: Any, t: Any) -> Any:
    """Discounted revenue."""
    items = t.lineitem[
        t.lineitem.l_shipmode.isin(["AIR", "REG AIR"]) & (t.lineitem.l_shipinstruct == "DELIVER IN PERSON")
    ]
    joined = items.merge(t.part, left_on="l_partkey", right_on="p_partkey")
    small = (
        (joined.p_brand == "Brand#12")
        & joined.p_container.isin(["SM CASE", "SM BOX", "SM PACK", "SM PKG"])
        & joined.l_quantity.between(1, 11)
        & joined.p_size.between(1, 5)
    )
    medium = (
        (joined.p_brand == "Brand#23")
        & joined.p_container.isin(["MED BAG", "MED BOX", "MED PKG", "MED PACK"])
        & joined.l_quantity.between(10, 20)
        & joined.p_size.between(1, 10)
    )
    large = (
        (joined.p_brand == "Brand#34")
        & joined.p_container.isin(["LG CASE", "LG BOX", "LG PACK", "LG PKG"])
        & joined.l_quantity.between(20, 30)
        & joined.p_size.between(1, 15)
    )
    chosen = joined[small | medium | large]
    return pd.DataFrame({"revenue": [(chosen.l_extendedprice * (1 - chosen.l_discount)).sum()]})


def q20(pd: Any, t: Any) -> Any:
    """Potential part promotion."""
    begin, end = pd.Timestamp("1994-01-01"), pd.Timestamp("1995-01-01")
    items = t.lineitem[(t.lineitem.l_shipdate >= begin) & (t.lineitem.l_shipdate < end)]
    shipped = items.groupby(["l_partkey", "l_suppkey"], as_index=False)["l_quantity"].sum()
    forest = t.part[t.part.p_name.str.startswith("forest")]
    offers = t.partsupp[t.partsupp.ps_partkey.isin(forest.p_partkey)]
    offers = offers.merge(shipped, left_on=["ps_partkey", "ps_suppkey"], right_on=["l_partkey", "l_suppkey"])
    offers = offers[offers.ps_availqty > 0.5 * offers.l_quantity]
    canadian = t.supplier.merge(t.nation[t.nation.n_name == "CANADA"], left_on="s_nationkey", right_on="n_nationkey")
    chosen = canadian[canadian.s_suppkey.isin(offers.ps_suppkey.unique())]
    return chosen[["s_name", "s_address"]].sort_values("s_name", ignore_index=True)


def q21(pd: Any, t: Any) -> Any:
    """Suppliers who kept orders waiting."""
    items = t.lineitem[["l_orderkey", "l_suppkey", "l_receiptdate", "l_commitdate"]]
    suppliers_of = items.groupby("l_orderkey")["l_suppkey"].nunique().rename("n_suppliers").reset_index()
    late = items[items.l_receiptdate > items.l_commitdate]
    late_of = late.groupby("l_orderkey")["l_suppkey"].nunique().rename("n_late").reset_index()
    saudi = t.supplier.merge(t.nation[t.nation.n_name == "SAUDI ARABIA"], left_on="s_nationkey", right_on="n_nationkey")
    joined = late.merge(saudi, left_on="l_suppkey", right_on="s_suppkey")
    joined = joined.merge(t.orders[t.orders.o_orderstatus == "F"], left_on="l_orderkey", right_on="o_orderkey")
    joined = joined.merge(suppliers_of, on="l_orderkey").merge(late_of, on="l_orderkey")
    joined = joined[(joined.n_suppliers > 1) & (joined.n_late == 1)]
    waiting = joined.groupby("s_name", as_index=False).size().rename(columns={"size": "numwait"})
    return waiting.sort_values(["numwait", "s_name"], ascending=[False, True]).head(100).reset_index(drop=True)


def q22(pd: Any, t: Any) -> Any:
    """Global sales opportunity."""
    customers = t.customer.assign(cntrycode=t.customer.c_phone.str[:2])
    customers = customers[customers.cntrycode.isin(["13", "31", "23", "29", "30", "18", "17"])]
    mean = customers.loc[customers.c_acctbal > 0, "c_acctbal"].mean()
    rich = customers[customers.c_acctbal > mean]
    without = rich[~rich.c_custkey.isin(t.orders.o_custkey)]
    return without.groupby("cntrycode", as_index=False).agg(
        numcust=("c_acctbal", "size"), totacctbal=("c_acctbal", "sum")
    )


QUERIES = {f"q{k}": globals()[f"q{k}"] for k in range(1, 23)}
