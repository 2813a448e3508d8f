"""Invoices and when they are due: business days, month ends, holidays, quarters and late payers."""

import sys

import numpy as np
import pandas as pd

SIZE = sys.argv[1] if len(sys.argv) > 1 else "middle"
n = 150 if SIZE == "small" else 8000

rng = np.random.default_rng(30)
holidays = pd.to_datetime(["2024-01-01", "2024-03-29", "2024-04-01", "2024-05-01", "2024-12-25", "2024-12-26"])
df = pd.DataFrame(
    {
        "number": [f"R-{2024}-{k:05d}" for k in range(n)],
        "issued": pd.to_datetime("2024-01-01") + pd.to_timedelta(np.sort(rng.integers(0, 366, n)), unit="D"),
        "terms": rng.choice(["14 days", "30 days", "end of month"], n),
        "amount": (rng.pareto(2, n) * 100 + 20).round(2),
    }
)


def due_date(row):
    if row["terms"] == "end of month":
        day = row["issued"] + pd.offsets.MonthEnd(1)
    else:
        day = row["issued"] + pd.Timedelta(days=int(row["terms"].split()[0]))
    while day.weekday() >= 5 or day in holidays:
        day = day + pd.Timedelta(days=1)
    return day


df["due"] = df.apply(due_date, axis=1)
df["paid"] = df["issued"] + pd.to_timedelta(rng.gamma(4, 6, n).astype(int), unit="D")
df["late"] = (df["paid"] - df["due"]).dt.days.clip(lower=0)
print(df.head())
print(df.dtypes.astype(str).to_dict())
print(df["due"].dt.day_name().value_counts().sort_index())
df["quarter"] = df["issued"].dt.to_period("Q").astype(str)
print(df.groupby("quarter").agg(n=("number", "count"), amount=("amount", "sum"), late=("late", "mean")).round(3))
print(df.pivot_table(index="terms", columns=df["late"] > 0, values="amount", aggfunc=["count", "sum"]).round(2))

business = np.busday_count(
    df["issued"].values.astype("M8[D]"), df["due"].values.astype("M8[D]"), holidays=holidays.values.astype("M8[D]")
)
print("business days until due:", np.bincount(business)[:25])
days = pd.bdate_range("2024-01-01", "2024-12-31", freq="C", holidays=list(holidays))
print("business days:", len(days), days[:3].strftime("%a %d.%m.").tolist())
open_amount = pd.Series(0.0, index=pd.date_range("2024-01-01", "2025-03-31"))
for row in df.head(400).itertuples():
    open_amount[row.issued : row.paid - pd.Timedelta(days=1)] += row.amount
print("open at month ends:", open_amount.resample("ME").last().head(4).round(2).to_dict())
print("most open:", open_amount.idxmax().date(), round(open_amount.max(), 2))
