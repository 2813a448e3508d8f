"""Prices after discounts by nested conditions: np.select, np.where and a function for each row give the same.
Idea: a question on a new column with several conditions."""

import sys

import numpy as np
import pandas as pd

SIZE = sys.argv[1] if len(sys.argv) > 1 else "middle"
n = 1_500 if SIZE == "small" else 40_000

rng = np.random.default_rng(15)
df = pd.DataFrame(
    {
        "order": np.arange(n),
        "kind": rng.choice(["retail", "trade", "staff"], n, p=[0.7, 0.25, 0.05]),
        "amount": rng.gamma(2, 80, n).round(2),
        "items": rng.integers(1, 20, n),
        "member": rng.random(n) < 0.3,
        "coupon": rng.choice(["", "TEN", "SHIP", "OLD"], n, p=[0.8, 0.1, 0.06, 0.04]),
    }
)
conditions = [
    df["kind"] == "staff",
    (df["kind"] == "trade") & (df["amount"] > 300),
    df["kind"] == "trade",
    df["member"] & (df["items"] >= 10),
    df["amount"] > 250,
]
df["rate"] = np.select(conditions, [0.3, 0.15, 0.1, 0.08, 0.05], default=0.0)


def rate(row):
    if row["kind"] == "staff":
        return 0.3
    if row["kind"] == "trade":
        return 0.15 if row["amount"] > 300 else 0.1
    if row["member"] and row["items"] >= 10:
        return 0.08
    return 0.05 if row["amount"] > 250 else 0.0


df["rate2"] = df.apply(rate, axis=1)
print("both ways agree:", (df["rate"] == df["rate2"]).all())
df["rate"] += np.where(df["coupon"].eq("TEN"), 0.1, 0)
df.loc[df["coupon"] == "OLD", "rate"] = df["rate"].clip(upper=0.2)
df["shipping"] = np.where((df["amount"] > 100) | (df["coupon"] == "SHIP"), 0.0, 5.9)
df["pay"] = df["amount"] * (1 - df["rate"]) + df["shipping"]
print(df.head(6).round(2).to_string())

summary = df.groupby(["kind", "member"]).agg(n=("order", "size"), gross=("amount", "sum"), net=("pay", "sum"))
summary["saved"] = 1 - summary["net"] / summary["gross"]
print(summary.round(4))
print(df["rate"].round(2).value_counts().sort_index())
print(df.query("coupon != '' and rate > 0.2")[["order", "kind", "rate"]].head(5).round(2))
bands = pd.cut(df["pay"], bins=[0, 50, 100, 200, 500, np.inf], labels=["<50", "<100", "<200", "<500", "more"])
print(bands.value_counts(sort=False))
