"""Customers by the month of their first order, and how many come back in the months after.
Idea: the cohort analysis tutorial."""

import sys

import numpy as np
import pandas as pd

SIZE = sys.argv[1] if len(sys.argv) > 1 else "middle"
n = 2_500 if SIZE == "small" else 120_000

rng = np.random.default_rng(48)
users = n // 6
joined = rng.integers(0, 300, users)
who = rng.integers(0, users, n)
day = joined[who] + rng.exponential(60, n).astype(int)
orders = pd.DataFrame({"user": who, "day": day, "amount": rng.gamma(3, 12, n).round(2)})
orders = orders[orders["day"] < 365]
orders["date"] = pd.Timestamp("2022-01-01") + pd.to_timedelta(orders["day"], unit="D")
orders["month"] = orders["date"].dt.to_period("M")
orders["cohort"] = orders.groupby("user")["date"].transform("min").dt.to_period("M")
orders["age"] = (
    (orders["date"].dt.year - orders["cohort"].dt.year) * 12 + orders["date"].dt.month - orders["cohort"].dt.month
)
print(orders.drop(columns="day").head())

counts = orders.groupby(["cohort", "age"])["user"].nunique().reset_index()
table = counts.pivot(index="cohort", columns="age", values="user")
print(table.iloc[:6, :6])
retention = table.divide(table.iloc[:, 0], axis=0)
print(retention.iloc[:6, :6].round(3))
print("mean after one month:", round(retention[1].mean(), 4))

spend = orders.pivot_table(index="cohort", columns="age", values="amount", aggfunc="mean")
print(spend.iloc[:3, :5].round(2))
per_user = orders.groupby("user").agg(orders=("amount", "size"), first=("date", "min"), last=("date", "max"))
per_user["days"] = (per_user["last"] - per_user["first"]).dt.days
print(per_user[["orders", "days"]].describe().round(2))
print(per_user["orders"].value_counts().sort_index().head(5))
