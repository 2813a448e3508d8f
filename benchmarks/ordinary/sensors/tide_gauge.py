"""Water levels at a harbour: high and low tides, their spacing, the strongest periods by a fit of sines, and storm surges."""

import sys

import numpy as np
import pandas as pd

SIZE = sys.argv[1] if len(sys.argv) > 1 else "middle"
days = 20 if SIZE == "small" else 500

rng = np.random.default_rng(1242)
hours = np.arange(0, days * 24, 1 / 6)
periods = {"M2": 12.4206, "S2": 12.0, "K1": 23.9345, "O1": 25.8193}
truth = {"M2": (1.8, 0.4), "S2": (0.6, 1.1), "K1": (0.3, 2.0), "O1": (0.2, 0.2)}
level = 3 + sum(a * np.cos(2 * np.pi * hours / periods[k] - p) for k, (a, p) in truth.items())
surge = np.zeros(len(hours))
for centre in rng.uniform(0, days * 24, max(days // 10, 2)):
    surge += rng.uniform(0.4, 1.0) * np.exp(-((hours - centre) ** 2) / 200)
df = pd.DataFrame({"level": (level + surge + rng.normal(0, 0.02, len(hours))).round(3)})
df.index = pd.Timestamp("2023-01-01") + pd.to_timedelta((hours * 3600).round(), unit="s")
print(df.head(3))

smooth = df["level"].rolling(7, center=True, min_periods=1).mean().round(4)
tides = []
values = smooth.tolist()
times = smooth.index
for k in range(20, len(values) - 20):
    window = values[k - 20 : k + 21]
    if values[k] == max(window):
        tides.append((times[k], "high", values[k]))
    elif values[k] == min(window):
        tides.append((times[k], "low", values[k]))
tides = pd.DataFrame(tides, columns=["time", "kind", "level"])
print(tides.head(5).round(3))
print(tides.groupby("kind")["level"].agg(["count", "mean", "min", "max"]).round(3))
high = tides[tides["kind"] == "high"].copy()
high["gap"] = high["time"].diff().dt.total_seconds() / 3600
print("hours between high tides:", round(high["gap"].median(), 2))

columns = [np.ones(len(hours))]
for period in periods.values():
    columns += [np.cos(2 * np.pi * hours / period), np.sin(2 * np.pi * hours / period)]
design = np.column_stack(columns)
fit, *_ = np.linalg.lstsq(design, df["level"].to_numpy(), rcond=None)
for k, name in enumerate(periods):
    c, s = fit[1 + 2 * k], fit[2 + 2 * k]
    print(f"{name} amplitude {np.hypot(c, s):.3f} of {truth[name][0]}, phase {np.arctan2(s, c) % (2 * np.pi):.3f}")
df["surge"] = df["level"] - design @ fit
storm = df["surge"] > 0.35
groups = (storm != storm.shift()).cumsum()[storm]
storms = df[storm].groupby(groups)["surge"].agg(["size", "max"])
storms["hours"] = storms["size"] / 6
storms = storms[storms["hours"] > 2]
print("storms:", len(storms))
print(storms[["hours", "max"]].describe().loc[["mean", "max"]].round(2))
daily = df["level"].resample("D").agg(lambda s: s.max() - s.min())
print(
    "spring tide:",
    daily.idxmax().date(),
    round(daily.max(), 3),
    "neap tide:",
    daily.idxmin().date(),
    round(daily.min(), 3),
)
