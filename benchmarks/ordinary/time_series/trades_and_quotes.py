"""Trades matched to the last quotes before them, minute bars, and volume by time of the day.

Idea: the example of merge_asof with trades and quotes
"""

import sys

import numpy as np
import pandas as pd

SIZE = sys.argv[1] if len(sys.argv) > 1 else "middle"
n = 1_000 if SIZE == "small" else 50_000

rng = np.random.default_rng(90)
day = pd.Timestamp("2024-05-06 09:30")
tickers = ["MSX", "GOG", "AAP"]
quotes = pd.DataFrame(
    {
        "time": day + pd.to_timedelta(np.sort(rng.integers(0, 6 * 3600 * 1000, 3 * n)), unit="ms"),
        "ticker": rng.choice(tickers, 3 * n),
    }
)
start = quotes["ticker"].map({"MSX": 51.9, "GOG": 720.5, "AAP": 98.0})
quotes["bid"] = (start * (1 + rng.normal(0, 1e-4, 3 * n).cumsum() / 10)).round(2)
quotes["ask"] = quotes["bid"] + rng.choice([0.01, 0.02, 0.05], 3 * n)
trades = pd.DataFrame(
    {
        "time": day + pd.to_timedelta(np.sort(rng.integers(0, 6 * 3600 * 1000, n)), unit="ms"),
        "ticker": rng.choice(tickers, n),
    }
)
trades["size"] = rng.integers(1, 20, n) * 100

both = pd.merge_asof(trades, quotes, on="time", by="ticker", tolerance=pd.Timedelta("10min"))
print(both.head(6))
print("without a quote:", int(both["bid"].isna().sum()))
both["price"] = np.where(rng.random(n) < 0.5, both["ask"], both["bid"])
both["spread"] = both["ask"] - both["bid"]
both["value"] = both["price"] * both["size"]
summary = both.groupby("ticker").agg(
    trades=("size", "count"), volume=("size", "sum"), value=("value", "sum"), spread=("spread", "mean")
)
summary["vwap"] = summary["value"] / summary["volume"]
print(summary.round(4).to_string())

indexed = both.dropna().set_index("time")
bars = indexed[indexed["ticker"] == "GOG"]["price"].resample("30min").ohlc()
bars["volume"] = indexed[indexed["ticker"] == "GOG"]["size"].resample("30min").sum()
print(bars.head(4).round(2))
rises = bars["close"] > bars["open"]
print("rising bars:", int(rises.sum()), "longest run:", int(rises.groupby((~rises).cumsum()).sum().max()))
print(
    indexed.between_time("11:00", "11:30").shape[0],
    "trades from 11:00 to 11:30;",
    indexed.at_time("09:30").shape[0],
    "at 9:30 sharp",
)
wide = indexed.pivot_table(index=indexed.index.floor("h"), columns="ticker", values="size", aggfunc="sum")
print(wide)
print("correlation:", wide.pct_change().corr().round(3).loc["AAP"].to_dict())
waits = both.groupby("ticker")["time"].diff().dt.total_seconds()
print("seconds between trades:", waits.groupby(both["ticker"]).median().round(3).to_dict())
