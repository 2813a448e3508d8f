"""Trend, season and rest of monthly passengers by hand, and a forecast with the seasonal factors.

Idea: the classic series of airline passengers
"""

import sys

import numpy as np
import pandas as pd

SIZE = sys.argv[1] if len(sys.argv) > 1 else "middle"
lines, years = (1, 12) if SIZE == "small" else (25, 20)

errors = []
for line in range(lines):
    rng = np.random.default_rng(1949 + line)
    n = 12 * years
    months = pd.date_range("1949-01", periods=n, freq="MS")
    factor = 1 + 0.2 * np.sin(2 * np.pi * (np.arange(n) % 12 - 3) / 12)
    passengers = pd.Series((110 + 2.4 * np.arange(n)) * factor * rng.normal(1, 0.03, n), index=months, name="n").round()

    trend = passengers.rolling(12).mean().rolling(2).mean().shift(-6)
    ratio = passengers / trend
    season = ratio.groupby(ratio.index.month).mean()
    season = season / season.mean()
    rest = ratio / ratio.index.month.map(season)

    known, late = passengers[:-24], passengers[-24:]
    t = np.arange(len(known))
    adjusted = known.to_numpy() / known.index.month.map(season).to_numpy()
    slope, start = np.polyfit(t, adjusted, 1)
    forecast = pd.Series(start + slope * np.arange(len(known), n), index=late.index) * late.index.month.map(season)
    level = known.iloc[0]
    for value in known / known.index.month.map(season):
        level = 0.3 * value + 0.7 * level
    flat = level * late.index.month.map(season).to_numpy()
    errors.append(
        {
            "line": line,
            "slope": slope,
            "mape": ((forecast - late).abs() / late).mean() * 100,
            "flat": (np.abs(flat - late) / late).mean() * 100,
            "rest": rest.std(),
        }
    )
    if line == 0:
        print(passengers.head(4))
        table = passengers.to_frame().assign(year=passengers.index.year, month=passengers.index.strftime("%b"))
        print(table.pivot(index="month", columns="year", values="n").iloc[:, :6].head(4))
        print(pd.DataFrame({"trend": trend, "ratio": ratio, "rest": rest}).iloc[5:9].round(4))
        print("season:", season.round(4).to_dict())
        print(pd.DataFrame({"forecast": forecast.round(1), "late": late}).head(4))
        print("lag 12:", round(passengers.diff().autocorr(12), 4), "lag 6:", round(passengers.diff().autocorr(6), 4))
print(pd.DataFrame(errors).head(8).round(4).to_string(index=False))
print("mean error:", round(float(np.mean([e["mape"] for e in errors])), 4))
