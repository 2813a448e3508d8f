"""Vibration of a pump: rolling mean and deviation, exponential smoothing, and the hours that leave the usual band."""

import sys

import numpy as np
import pandas as pd

SIZE = sys.argv[1] if len(sys.argv) > 1 else "middle"
n = 3_000 if SIZE == "small" else 300_000

rng = np.random.default_rng(101)
t = pd.date_range("2022-06-01", periods=n, freq="30s")
level = 1.5 + 0.3 * np.sin(np.arange(n) / 400)
vib = pd.Series(level + rng.gamma(2, 0.1, n), index=t, name="vibration")
bursts = rng.choice(n, n // 500, replace=False)
vib.iloc[bursts] += rng.uniform(1, 3, len(bursts))

mean = vib.rolling(60, min_periods=10).mean()
std = vib.rolling(60, min_periods=10).std()
smooth = vib.ewm(span=30).mean()
median = vib.rolling(15, center=True).median()
outside = (vib - mean).abs() > 3 * std

table = pd.DataFrame({"vib": vib, "mean": mean, "std": std, "ewm": smooth, "median": median, "out": outside})
print(table.iloc[[0, 9, 10, 100, 1000]].round(3).to_string())
print("outside:", int(outside.sum()), "of the bursts:", int(outside.iloc[bursts].sum()), "of", len(bursts))
print(table.drop(columns="out").describe().round(3).to_string())

hours = table.resample("6h").agg({"vib": ["mean", "max"], "out": "sum"})
hours.columns = ["mean", "max", "outside"]
print(hours.head(5).round(3))
worst = hours["outside"].idxmax()
print("worst:", worst, int(hours.loc[worst, "outside"]))
print("autocorrelation:", [round(vib.autocorr(k), 3) for k in (1, 10, 100)])
