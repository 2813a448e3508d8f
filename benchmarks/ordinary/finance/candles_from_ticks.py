"""Trades of a day become candles of five minutes, with volume-weighted prices and the days' ranges.
Idea: a question on resampling ticks to OHLC bars."""

import sys

import numpy as np
import pandas as pd

SIZE = sys.argv[1] if len(sys.argv) > 1 else "middle"
n = 3_000 if SIZE == "small" else 600_000

rng = np.random.default_rng(930)
seconds = np.sort(rng.uniform(0, 5 * 23_400, n))
day = (seconds // 23_400).astype(int)
base = pd.Timestamp("2024-03-04 09:30")
ticks = pd.DataFrame(
    {
        "time": base + pd.to_timedelta(day, unit="D") + pd.to_timedelta((seconds % 23_400).round(3), unit="s"),
        "price": (50 + np.cumsum(rng.choice([-0.01, 0, 0.01], n))).round(2),
        "size": rng.geometric(0.02, n),
        "side": rng.choice(["buy", "sell"], n),
    }
).set_index("time")
print(ticks.head(3))

bars = ticks["price"].resample("5min").ohlc()
bars["volume"] = ticks["size"].resample("5min").sum()
bars["trades"] = ticks["price"].resample("5min").count()
value = (ticks["price"] * ticks["size"]).resample("5min").sum()
bars["vwap"] = value / bars["volume"]
bars = bars.dropna(subset=["open"])
print(bars.head(4).round(4).to_string())
print("bars:", len(bars), "rising:", int((bars["close"] > bars["open"]).sum()))

bars["date"] = bars.index.date
for date, part in bars.groupby("date"):
    print(
        f"{date} {part['open'].iloc[0]:.2f} {part['high'].max():.2f} {part['low'].min():.2f} {part['close'].iloc[-1]:.2f} {part['volume'].sum()}"
    )
signed = np.where(ticks["side"] == "buy", ticks["size"], -ticks["size"])
imbalance = pd.Series(signed, index=ticks.index).resample("h").sum()
print(imbalance[imbalance != 0].head(6))
returns = np.log(bars["close"]).groupby(bars["date"]).diff().dropna()
print(f"volatility {returns.std() * 1e4:.3f} bp, kurtosis {returns.kurt():.2f}")
hour = ticks.groupby(ticks.index.hour)["size"].agg(["count", "mean", "max"]).round(2)
print(hour)
large = ticks[ticks["size"] > ticks["size"].quantile(0.995)]
print(len(large), large["size"].sum(), large.between_time("10:00", "11:00").shape)
