"""Hourly power consumption: resampling, weekdays, gaps and a rolling week.

Idea: the tutorial on time series of a country's electricity
"""

import sys

import numpy as np
import pandas as pd

SIZE = sys.argv[1] if len(sys.argv) > 1 else "middle"
days = 60 if SIZE == "small" else 9000

rng = np.random.default_rng(7)
index = pd.date_range("2015-01-01", periods=24 * days, freq="h")
df = pd.DataFrame(index=index)
hours = df.index.hour
df["load"] = 50 + 12 * np.sin((hours - 7) / 24 * 2 * np.pi) + rng.normal(0, 3, len(df))
df.loc[df.index.day_of_week >= 5, "load"] -= 9
df["wind"] = np.clip(rng.normal(10, 6, len(df)), 0, None)
df.loc[rng.random(len(df)) < 0.02, "wind"] = np.nan
df["Weekday"] = df.index.day_name()
df["Month"] = df.index.month

print(df.head(3).round(3))
print(df.loc["2015-01-20", "load"].head(4).round(3))
print(df.loc["2015-02"].shape, df["wind"].isna().sum())
daily = df[["load", "wind"]].resample("D").mean()
weekly = daily.resample("W").mean()
print(weekly.head(4).round(3))
rolling = daily.rolling(7, center=True).mean()
print(rolling.iloc[2:6].round(3))
print(df.groupby("Weekday")["load"].mean().sort_values().round(3))
monthly = df[["load", "wind"]].resample("ME").sum(min_count=20 * 24)
print(monthly.head(3).round(1))
df["wind"] = df["wind"].ffill()
df["share"] = df["wind"] / df["load"]
print(df["share"].resample("MS").mean().head(4).round(4).to_dict())
peak = df["load"].groupby(df.index.date).idxmax()
print("hour of the daily peak:", peak.dt.hour.value_counts().sort_index().to_dict())
print("best day:", daily["wind"].idxmax().strftime("%A %d %B %Y"), round(daily["wind"].max(), 3))
