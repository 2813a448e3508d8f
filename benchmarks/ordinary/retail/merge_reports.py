"""Orders, customers and refunds come in three files; they are joined, rows without a partner are reported."""

import io
import sys

import numpy as np
import pandas as pd

SIZE = sys.argv[1] if len(sys.argv) > 1 else "middle"
n = 1_000 if SIZE == "small" else 100_000

rng = np.random.default_rng(27)


def as_file(frame):
    return io.StringIO(frame.to_csv(index=False))


customers = pd.DataFrame({"customer_id": np.arange(n // 5), "country": rng.choice(["DE", "FR", "IT", "ES"], n // 5)})
customers["name"] = ["Customer " + str(k) for k in customers["customer_id"]]
orders = pd.DataFrame({"order_id": np.arange(n), "customer_id": rng.integers(0, n // 5 + 20, n)})
orders["ordered"] = pd.Timestamp("2023-01-01") + pd.to_timedelta(rng.integers(0, 365, n), unit="D")
orders["value"] = rng.gamma(2, 30, n).round(2)
refunds = pd.DataFrame(
    {"order_id": rng.choice(n + 50, n // 12, replace=False), "refund": rng.uniform(1, 40, n // 12).round(2)}
)

customers = pd.read_csv(as_file(customers))
orders = pd.read_csv(as_file(orders), parse_dates=["ordered"])
refunds = pd.read_csv(as_file(refunds))
print(orders.dtypes)

merged = orders.merge(customers, on="customer_id", how="left", indicator=True)
print(merged["_merge"].value_counts().sort_index())
merged["country"] = merged["country"].fillna("unknown")
full = merged.drop(columns="_merge").merge(refunds, on="order_id", how="outer")
print("refunds without order:", int(full["customer_id"].isna().sum()))
full = full.dropna(subset=["customer_id"])
full["customer_id"] = full["customer_id"].astype(int)
full["net"] = full["value"] - full["refund"].fillna(0)
full["month"] = full["ordered"].dt.month
print(full.head(5).to_string())

report = full.pivot_table(index="month", columns="country", values="net", aggfunc="sum", margins=True).round(2)
print(report)
quarter = full.groupby([full["ordered"].dt.quarter, "country"])["net"].sum().unstack().round(2)
print(quarter)
print(full.groupby("country")["refund"].agg(["count", "mean"]).round(3))
best = full.groupby("customer_id")["net"].sum().nlargest(5)
print(best.round(2))
