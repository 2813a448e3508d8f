"""Rides of a city's taxis: when, how far, how much."""

import numpy as np
import pandas as pd

rng = np.random.default_rng(7)
n = 500_000
start = pd.Timestamp("2023-01-01") + pd.to_timedelta(rng.integers(0, 90 * 86_400, n), unit="s")
km = rng.gamma(2.0, 2.2, n)
minutes = km * rng.uniform(1.8, 4.0, n) + 2
rides = pd.DataFrame({
    "start": start, "zone": rng.integers(1, 60, n), "people": rng.choice([1, 2, 3, 4], n, p=[0.7, 0.2, 0.06, 0.04]),
    "km": km, "minutes": minutes, "paid": rng.choice(["card", "cash"], n, p=[0.8, 0.2]),
})  # fmt: skip
rides["fare"] = (3.0 + 1.6 * rides["km"] + 0.4 * rides["minutes"]).round(2)
rides["tip"] = np.where(rides["paid"] == "card", (rides["fare"] * 0.15).round(2), 0.0)
rides = rides[(rides["km"] > 0.2) & (rides["minutes"] < 120)]
rides["hour"] = rides["start"].dt.hour
rides["speed"] = rides["km"] / rides["minutes"] * 60
print(len(rides), "rides")
print(rides.groupby("hour")["speed"].agg(["mean", "count"]).head(4).round(4))
print(rides.groupby(["paid", "people"])["tip"].mean().round(5))
print(rides.groupby("zone")["fare"].sum().nlargest(5).round(2))
daily = rides.set_index("start")["fare"].resample("W").sum()
print(daily.round(2).head(4))
print(rides.pivot_table(values="fare", index="people", columns="paid", aggfunc="median").round(3))
print(rides[["km", "minutes", "fare", "tip"]].corr().round(5))
