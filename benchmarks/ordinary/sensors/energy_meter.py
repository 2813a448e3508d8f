"""A meter that only counts up and is set back at times: consumption, tariffs by hour and weekday, a bill for each month."""

import sys

import numpy as np
import pandas as pd

SIZE = sys.argv[1] if len(sys.argv) > 1 else "middle"
days = 40 if SIZE == "small" else 900

rng = np.random.default_rng(230)
times = pd.date_range("2022-01-01", periods=days * 96, freq="15min")
hour = times.hour
load = (
    0.08 + 0.15 * ((hour >= 6) & (hour < 9)) + 0.25 * ((hour >= 17) & (hour < 22)) + rng.exponential(0.05, len(times))
)
meter = np.cumsum(load)
for reset in range(len(times) // 4, len(times), len(times) // 4):
    meter[reset:] -= meter[reset - 1]
df = pd.DataFrame({"meter": meter.round(3)}, index=times)

df["kwh"] = df["meter"].diff()
df.loc[df["kwh"] < 0, "kwh"] = df["meter"]
df["kwh"] = df["kwh"].fillna(0)
print("resets:", int((df["meter"].diff() < 0).sum()), "total:", round(df["kwh"].sum(), 1))


def tariff(t):
    if t.weekday() >= 5:
        return "weekend"
    if 7 <= t.hour < 21:
        return "day"
    return "night"


PRICE = {"day": 0.31, "night": 0.22, "weekend": 0.25}
df["tariff"] = [tariff(t) for t in df.index]
df["cost"] = df["kwh"] * df["tariff"].map(PRICE)
print(df.iloc[26:30].round(3))
print(df.groupby("tariff")[["kwh", "cost"]].sum().round(3))
df["month"] = df.index.strftime("%Y-%m")
bill = df.pivot_table(index="month", columns="tariff", values="cost", aggfunc="sum").head(6)
bill["total"] = bill.sum(axis=1)
print(bill.round(2))
profile = df.groupby(df.index.hour)["kwh"].mean()
print("peak hour:", profile.idxmax(), profile.round(4).tolist()[17:22])
daily = df["kwh"].resample("D").sum()
print(daily.nlargest(3).round(3))
