"""Several stations, hourly: a multi-level table, daily extremes, warm spells, and how stations follow each other."""

import sys

import numpy as np
import pandas as pd

SIZE = sys.argv[1] if len(sys.argv) > 1 else "middle"
days = 23 if SIZE == "small" else 1_800

rng = np.random.default_rng(1864)
stations = {"coast": (15, 3), "valley": (12, 8), "pass": (3, 6), "city": (14, 6)}
hours = pd.date_range("2021-01-01", periods=days * 24, freq="h")
front = np.repeat(np.cumsum(rng.normal(0, 1, days)), 24) * 0.3
parts = []
for name, (mean, swing) in stations.items():
    season = -8 * np.cos(2 * np.pi * np.arange(len(hours)) / (365 * 24))
    daily = swing * np.sin(2 * np.pi * (np.arange(len(hours)) % 24 - 9) / 24)
    values = mean + season + daily + front + rng.normal(0, 1, len(hours))
    part = pd.DataFrame({"time": hours, "station": name, "temp": values.round(1) + 0.0})
    part["rain"] = np.where(rng.random(len(hours)) < 0.08, rng.exponential(1.5, len(hours)).round(1), 0.0)
    parts.append(part)
df = pd.concat(parts, ignore_index=True)
print(df.sample(4, random_state=1).sort_index())

df["date"] = df["time"].dt.date
daily = df.groupby(["station", "date"]).agg(tmin=("temp", "min"), tmax=("temp", "max"), rain=("rain", "sum"))
print(daily.head(3))
print(daily.loc["pass"].tail(2))
daily["range"] = daily["tmax"] - daily["tmin"]
print(daily.groupby(level="station")["range"].agg(["mean", "max"]).round(2))

wide = df.pivot(index="time", columns="station", values="temp")
print(wide.corr().round(3))
monthly = wide.resample("MS").mean().round(3)
print(monthly.head(3))
for name in wide.columns:
    warm = daily.loc[name, "tmax"] > daily.loc[name, "tmax"].quantile(0.8)
    best = run = 0
    for hot in warm:
        run = run + 1 if hot else 0
        best = max(best, run)
    wet = (daily.loc[name, "rain"] >= 1).sum()
    print(f"{name:7s} longest warm spell {best} days, {wet} wet days, {daily.loc[name, 'rain'].sum():.1f} mm")
