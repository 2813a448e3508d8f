"""Recency, frequency and money of each customer, scored by quintiles and named by segments.
Idea: the RFM segmentation tutorial."""

import sys

import numpy as np
import pandas as pd

SIZE = sys.argv[1] if len(sys.argv) > 1 else "middle"
n = 2_000 if SIZE == "small" else 150_000

rng = np.random.default_rng(90)
customers = n // 8
orders = pd.DataFrame(
    {
        "invoice": np.arange(536_000, 536_000 + n),
        "customer": rng.zipf(1.6, n) % customers + 12_000,
        "date": pd.Timestamp("2011-01-01") + pd.to_timedelta(rng.integers(0, 340, n), unit="D"),
        "quantity": rng.integers(-2, 30, n),
        "price": rng.gamma(2, 2, n).round(2),
    }
)
orders = orders[orders["quantity"] > 0].copy()
orders["total"] = orders["quantity"] * orders["price"]
snapshot = orders["date"].max() + pd.Timedelta(days=1)

rfm = orders.groupby("customer").agg(
    recency=("date", lambda d: (snapshot - d.max()).days),
    frequency=("invoice", "nunique"),
    money=("total", "sum"),
)
print(rfm.head().round(2))
rfm["r"] = pd.qcut(rfm["recency"].rank(method="first"), 5, labels=[5, 4, 3, 2, 1]).astype(int)
rfm["f"] = pd.qcut(rfm["frequency"].rank(method="first"), 5, labels=[1, 2, 3, 4, 5]).astype(int)
rfm["m"] = pd.qcut(rfm["money"], 5, labels=[1, 2, 3, 4, 5]).astype(int)
rfm["score"] = rfm["r"].astype(str) + rfm["f"].astype(str) + rfm["m"].astype(str)


def segment(row):
    if row["r"] >= 4 and row["f"] >= 4:
        return "champions"
    if row["f"] >= 4:
        return "loyal"
    if row["r"] >= 4:
        return "new"
    if row["r"] <= 2 and row["f"] <= 2:
        return "lost"
    return "others"


rfm["segment"] = rfm.apply(segment, axis=1)
print(rfm["segment"].value_counts().sort_index())
print(rfm.groupby("segment")[["recency", "frequency", "money"]].mean().round(2))
print(rfm["score"].value_counts().head(5).sum(), rfm["score"].nunique())
print(rfm.sort_values(["money"], ascending=False).head(4).round(2).to_string())
