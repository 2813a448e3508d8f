"""Payments in several currencies, rates only for working days: conversion by the last rate, gains by currency."""

import sys

import numpy as np
import pandas as pd

SIZE = sys.argv[1] if len(sys.argv) > 1 else "middle"
n = 800 if SIZE == "small" else 250_000

rng = np.random.default_rng(1999)
days = pd.bdate_range("2022-01-03", "2023-12-29")
rates = pd.DataFrame(index=days)
for name, start in [("USD", 1.1), ("GBP", 0.85), ("JPY", 130.0), ("CHF", 1.02)]:
    rates[name] = (start * np.exp(np.cumsum(rng.normal(0, 0.004, len(days))))).round(4)
rates["EUR"] = 1.0
rates.index.name = "date"
print(rates.head(3))

payments = pd.DataFrame(
    {
        "date": pd.Timestamp("2022-01-03") + pd.to_timedelta(rng.integers(0, 720, n), unit="D"),
        "currency": rng.choice(rates.columns, n),
        "amount": rng.gamma(2, 500, n).round(2),
    }
)
filled = rates.asfreq("D").ffill()
long = filled.stack().rename("rate").reset_index()
long.columns = ["date", "currency", "rate"]
done = payments.merge(long, on=["date", "currency"], how="left")
print("without rate:", int(done["rate"].isna().sum()))
done["euro"] = done["amount"] / done["rate"]

check = 0.0
lookup = {c: filled[c].to_dict() for c in filled.columns}
for row in payments.head(2000).itertuples(index=False):
    check += row.amount / lookup[row.currency][row.date]
print("by dictionary:", abs(check - done["euro"].head(2000).sum()) < 1e-6)

print(done.head(5).round(3))
print(done.groupby("currency")["euro"].agg(["count", "sum", "mean"]).round(1))
today = rates.iloc[-1]
done["now"] = done["amount"] / done["currency"].map(today)
gain = done.groupby("currency")[["euro", "now"]].sum()
gain["percent"] = (gain["now"] / gain["euro"] - 1) * 100
print(gain["percent"].round(3))
month_end = rates.resample("ME").last()
print(month_end.pct_change().agg(["mean", "std", "min", "max"]).round(4))
weekend = done[done["date"].dt.dayofweek >= 5]
print("on weekends:", len(weekend), "of", len(done), f"({len(weekend) / len(done):.1%})")
