"""Buys when the short average crosses the long one, sells when it falls back; compares with holding the share.
Idea: the moving average crossover tutorial."""

import sys

import numpy as np
import pandas as pd

SIZE = sys.argv[1] if len(sys.argv) > 1 else "middle"
years, shares = (3, 1) if SIZE == "small" else (20, 12)

rng = np.random.default_rng(252)
dates = pd.bdate_range("2003-01-01", periods=252 * years)
results = []
for k in range(shares):
    drift = rng.normal(0.0003, 0.0002)
    close = pd.Series(100 * np.exp(np.cumsum(rng.normal(drift, 0.015, len(dates)))), index=dates)
    df = pd.DataFrame({"close": close})
    df["short"] = df["close"].rolling(20).mean()
    df["long"] = df["close"].rolling(50).mean()
    df["signal"] = np.where(df["short"] > df["long"], 1, 0)
    df["position"] = df["signal"].diff()
    df["return"] = df["close"].pct_change()
    df["strategy"] = df["return"] * df["signal"].shift(1)
    trades, bought = [], None
    for date, row in df.iterrows():
        if row["position"] == 1:
            bought = (date, row["close"])
        elif row["position"] == -1 and bought is not None:
            trades.append((bought[0], date, row["close"] / bought[1] - 1))
            bought = None
    wealth = (1 + df[["return", "strategy"]].fillna(0)).cumprod()
    drop = wealth / wealth.cummax() - 1
    results.append(
        {
            "share": f"S{k}",
            "trades": len(trades),
            "won": sum(t[2] > 0 for t in trades),
            "hold": wealth["return"].iloc[-1],
            "cross": wealth["strategy"].iloc[-1],
            "drawdown": drop["strategy"].min(),
            "sharpe": df["strategy"].mean() / df["strategy"].std() * np.sqrt(252),
        }
    )
    if k == 0:
        print(df.iloc[[0, 60, 200]].round(3).to_string())
        for start, end, gain in trades[:5]:
            print(f"{start:%Y-%m-%d} to {end:%Y-%m-%d} {gain:+.4f}")
print(pd.DataFrame(results).round(3).to_string(index=False))
