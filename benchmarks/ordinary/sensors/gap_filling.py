"""A thermometer that loses samples: gaps are found, short ones interpolated, long ones left open."""

import sys

import numpy as np
import pandas as pd

SIZE = sys.argv[1] if len(sys.argv) > 1 else "middle"
n = 2_000 if SIZE == "small" else 450_000

rng = np.random.default_rng(8)
index = pd.date_range("2023-03-01", periods=n, freq="min")
temp = 18 + 6 * np.sin(np.arange(n) * 2 * np.pi / 1440) + rng.normal(0, 0.3, n)
df = pd.DataFrame({"temp": temp.round(2)}, index=index)
df.index.name = "time"

keep = rng.random(n) > 0.05
for start in rng.integers(0, n - 60, max(n // 2000, 2)):
    keep[start : start + rng.integers(10, 50)] = False
df = df[keep]
print(df.head(4))

steps = df.index.to_series().diff().dt.total_seconds().fillna(60)
gaps = steps[steps > 60]
print("gaps:", len(gaps), "longest:", int(gaps.max()), "s")
print(gaps.value_counts().sort_index().head(4))

full = df.asfreq("min")
missing = full["temp"].isna()
run = (missing != missing.shift()).cumsum()
length = missing.groupby(run).transform("sum")
full["filled"] = full["temp"].interpolate(limit=5)
full.loc[missing & (length > 5), "filled"] = np.nan
print("missing:", int(missing.sum()), "still open:", int(full["filled"].isna().sum()))

hourly = full["filled"].resample("h").agg(["count", "mean", "min", "max"]).round(2)
print(hourly.head(6))
print(hourly.describe().round(2).to_string())
