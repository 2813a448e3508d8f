"""Readings of sensors at uneven times: resampled, smoothed, joined, searched for faults."""

import numpy as np
import pandas as pd

rng = np.random.default_rng(9)
n = 400_000
seconds = np.sort(rng.integers(0, 14 * 86_400, n))
readings = pd.DataFrame({
    "time": pd.Timestamp("2024-03-01") + pd.to_timedelta(seconds, unit="s"), "sensor": rng.integers(0, 20, n),
    "value": 20 + 5 * np.sin(seconds / 86_400 * 2 * np.pi) + rng.normal(0, 0.5, n),
})  # fmt: skip
faulty = rng.random(n) < 0.001
readings.loc[faulty, "value"] += rng.choice([-30.0, 30.0], int(faulty.sum()))
readings.loc[rng.random(n) < 0.01, "value"] = np.nan
print(readings["value"].isna().sum(), "gaps")
clean = readings.dropna()
by_minute = clean.set_index("time")["value"].resample("10min").mean()
print(by_minute.head(3).round(4))
print("empty:", int(by_minute.isna().sum()))
filled = by_minute.interpolate().ffill()
rolling = filled.rolling(36).agg(["mean", "std"])
print(rolling.dropna().describe().round(4))
usual = clean.groupby("sensor")["value"].transform("median")
off = (clean["value"] - usual).abs() > 15
print("faults:", int(off.sum()), clean[off].groupby("sensor").size().max())
hours = clean.assign(hour=clean["time"].dt.hour).groupby("hour")["value"].mean()
print("warmest hour:", int(hours.idxmax()), "coldest:", int(hours.idxmin()))
signal = filled.to_numpy() - filled.mean()
power = np.abs(np.fft.rfft(signal)) ** 2
print("period in hours:", round(float(len(signal) / 6 / (1 + power[1:].argmax())), 3))
