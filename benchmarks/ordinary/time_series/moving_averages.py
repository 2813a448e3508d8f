"""Crossing moving averages of a price, signals, returns and the largest loss.

Idea: the first trading strategy of every tutorial
"""

import sys

import numpy as np
import pandas as pd

SIZE = sys.argv[1] if len(sys.argv) > 1 else "middle"
days, names = (500, ["AAA"]) if SIZE == "small" else (5000, ["AAA", "BBB", "CCC", "DDD", "EEE", "FFF"])

dates = pd.bdate_range("2004-01-02", periods=days)
rows = []
for k, name in enumerate(names):
    rng = np.random.default_rng(100 + k)
    price = pd.Series(50 * np.exp(rng.normal(0.0003, 0.012, days).cumsum()), index=dates, name="close")
    df = price.to_frame()
    df["short"] = df["close"].rolling(window=20).mean()
    df["long"] = df["close"].rolling(window=100).mean()
    df["signal"] = np.where(df["short"] > df["long"], 1, 0)
    df["position"] = df["signal"].diff()
    df["return"] = df["close"].pct_change()
    df["strategy"] = df["signal"].shift(1) * df["return"]
    df["wealth"] = (1 + df["strategy"].fillna(0)).cumprod()
    df["loss"] = df["wealth"] / df["wealth"].cummax() - 1
    buys = df[df["position"] == 1]
    if k == 0:
        print(df.dropna().iloc[1:4].round(4).to_string())
        print("first buys:", [d.strftime("%Y-%m-%d") for d in buys.index[:5]])
        print(df["return"].groupby(df.index.year).agg(["mean", "std"]).head(4).round(5))
        print("annual:", df["close"].resample("YE").last().pct_change().round(4).dropna().head(5).tolist())

    trades, bought = [], None
    for date, row in df.iterrows():
        if row["position"] == 1:
            bought = row["close"]
        elif row["position"] == -1 and bought is not None:
            trades.append(row["close"] / bought - 1)
            bought = None
    rows.append(
        {
            "name": name,
            "buys": len(buys),
            "won": sum(t > 0 for t in trades),
            "mean trade": np.mean(trades) if trades else np.nan,
            "wealth": df["wealth"].iloc[-1],
            "hold": df["close"].iloc[-1] / df["close"].iloc[0],
            "largest loss": df["loss"].min(),
            "sharpe": df["strategy"].mean() / df["strategy"].std() * np.sqrt(252),
        }
    )
result = pd.DataFrame(rows).set_index("name")
print(result.round(4).to_string())
print("better than holding:", result.index[result["wealth"] > result["hold"]].tolist())
