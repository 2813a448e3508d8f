"""Orders of a shop: baskets, customers who come back, what sells together."""

import numpy as np
import pandas as pd

rng = np.random.default_rng(8)
n = 400_000
products = pd.DataFrame({
    "product": np.arange(500), "kind": rng.choice(["food", "home", "toys", "books"], 500), "price": rng.uniform(1, 60, 500).round(2),
})  # fmt: skip
lines = pd.DataFrame({
    "order": np.sort(rng.integers(0, 120_000, n)), "product": np.minimum(rng.zipf(1.3, n) - 1, 499), "count": rng.integers(1, 5, n),
})  # fmt: skip
orders = pd.DataFrame({
    "order": np.arange(120_000), "customer": rng.integers(0, 25_000, 120_000),
    "day": pd.Timestamp("2022-01-01") + pd.to_timedelta(rng.integers(0, 730, 120_000), unit="D"),
})  # fmt: skip
sold = lines.merge(products, on="product").merge(orders, on="order")
sold["value"] = sold["count"] * sold["price"]
print(sold.groupby("kind")["value"].agg(["sum", "mean"]).round(2))
basket = sold.groupby("order")["value"].sum()
print("basket:", round(float(basket.mean()), 4), round(float(basket.quantile(0.9)), 4))
by = sold.groupby("customer").agg(last=("day", "max"), orders=("order", "nunique"), value=("value", "sum"))
by["days"] = (pd.Timestamp("2024-01-01") - by["last"]).dt.days
print(by[["orders", "value", "days"]].describe().round(3))
print("come back:", round(float((by["orders"] > 1).mean()), 6))
month = sold.assign(month=sold["day"].dt.to_period("M").astype(str)).groupby(["month", "kind"])["value"].sum().unstack()
print(month.head(3).round(2))
top = sold["product"].value_counts().index[:20]
pairs = lines[lines["product"].isin(top)].drop_duplicates(["order", "product"])
both = pairs.merge(pairs, on="order")
both = both[both["product_x"] < both["product_y"]].groupby(["product_x", "product_y"]).size()
print(both.sort_values(ascending=False, kind="stable").head(3))
