"""Holdings, splits and dividends of several shares over the years: shares held on each date, and what was paid."""

import sys
from datetime import date

import numpy as np
import pandas as pd

SIZE = sys.argv[1] if len(sys.argv) > 1 else "middle"
count = 6 if SIZE == "small" else 80

rng = np.random.default_rng(365)
tickers = [chr(65 + k % 26) * 2 + str(k) for k in range(count)]
buys, dividends, splits = [], [], []
for t in tickers:
    for _ in range(rng.integers(2, 8)):
        buys.append(
            (
                t,
                date(2018, 1, 1).toordinal() + int(rng.integers(0, 1500)),
                int(rng.integers(5, 60)),
                round(float(rng.uniform(10, 90)), 2),
            )
        )
    for year in range(2018, 2024):
        for month in (3, 6, 9, 12):
            dividends.append(
                (t, pd.Timestamp(year, month, int(rng.integers(1, 28))), round(float(rng.uniform(0.1, 0.9)), 2))
            )
    if rng.random() < 0.5:
        splits.append((t, pd.Timestamp(2021, int(rng.integers(1, 12)), 1), 2))
buys = pd.DataFrame(buys, columns=["ticker", "day", "shares", "price"])
buys["date"] = [pd.Timestamp(date.fromordinal(d)) for d in buys.pop("day")]
dividends = pd.DataFrame(dividends, columns=["ticker", "date", "per_share"])
splits = pd.DataFrame(splits, columns=["ticker", "date", "factor"])
print(len(buys), len(dividends), len(splits))
print(buys.sort_values(["ticker", "date"]).head(4))


def held(ticker, day):
    total = 0
    for _, b in buys[(buys["ticker"] == ticker) & (buys["date"] < day)].iterrows():
        shares = b["shares"]
        for _, s in splits[splits["ticker"] == ticker].iterrows():
            if b["date"] < s["date"] <= day:
                shares = shares * s["factor"]
        total += shares
    return total


sample = dividends.iloc[::4] if SIZE == "small" else dividends.iloc[::8]
sample = sample.assign(shares=[held(t, d) for t, d in zip(sample["ticker"], sample["date"])])
sample["paid"] = sample["shares"] * sample["per_share"]
print(sample.head(5))
print(sample.groupby(sample["date"].dt.year)["paid"].agg(["size", "sum"]).round(2))
print(sample.groupby(sample["date"].dt.quarter)["paid"].mean().round(2))

buys["cost"] = buys["shares"] * buys["price"]
cost = buys.groupby("ticker")["cost"].sum()
yields = (sample.groupby("ticker")["paid"].sum() / cost).sort_values(ascending=False)
print(yields.head(5).round(4))
print("without dividends:", int((sample["shares"] == 0).sum()), "total:", round(sample["paid"].sum(), 2))
