"""Calls across time zones and the change to summer time: localise, convert, and count by local hour.

Idea: bug reports on nonexistent and ambiguous times
"""

import sys

import numpy as np
import pandas as pd

SIZE = sys.argv[1] if len(sys.argv) > 1 else "middle"
n = 500 if SIZE == "small" else 80_000

rng = np.random.default_rng(33)
utc = pd.Series(
    pd.to_datetime("2023-03-20", utc=True) + pd.to_timedelta(rng.integers(0, 14 * 24 * 60, n), unit="min")
).sort_values(ignore_index=True)
calls = pd.DataFrame(
    {"utc": utc, "office": rng.choice(["Berlin", "New York", "Kolkata"], n), "minutes": rng.gamma(2, 4, n).round(1)}
)
zones = {"Berlin": "Europe/Berlin", "New York": "America/New_York", "Kolkata": "Asia/Kolkata"}

parts = []
for office, part in calls.groupby("office"):
    local = part["utc"].dt.tz_convert(zones[office])
    part = part.assign(hour=local.dt.hour, day=local.dt.strftime("%Y-%m-%d"), local=local.dt.tz_localize(None))
    part["offset"] = (part["local"] - part["utc"].dt.tz_localize(None)).dt.total_seconds() / 3600
    parts.append(part)
calls = pd.concat(parts).sort_index()
print(calls.head(5).to_string())
print(calls.groupby(["office", "offset"]).size())
print(
    calls.pivot_table(
        index="office", columns=pd.cut(calls["hour"], [-1, 7, 15, 23]), values="minutes", aggfunc="sum", observed=True
    ).round(1)
)

index = pd.date_range("2023-03-25 22:00", periods=8, freq="h", tz="Europe/Berlin")
print([t.strftime("%H:%M %z") for t in index])
naive = pd.date_range("2023-03-26 01:30", periods=3, freq="30min")
print(naive.tz_localize("Europe/Berlin", nonexistent="shift_forward").strftime("%H:%M").tolist())
autumn = pd.to_datetime(["2023-10-29 02:30", "2023-10-29 02:30"]).tz_localize("Europe/Berlin", ambiguous=[True, False])
print([str(t) for t in autumn], autumn[1] - autumn[0])
days = pd.date_range("2023-03-24", "2023-03-28", tz="Europe/Berlin")
print("length of the days:", [str(b - a) for a, b in zip(days[:-1], days[1:], strict=True)])
daily = calls.set_index(calls["utc"].dt.tz_convert("Europe/Berlin"))["minutes"].resample("D").agg(["count", "sum"])
print(daily.loc["2023-03-25":"2023-03-27"].round(1))
first = calls.loc[calls["office"] == "Kolkata", "utc"].iloc[0]
print(first.isoformat(), first.tz_convert("Asia/Kolkata").isoformat())
print("same day everywhere:", int((calls["day"] == calls["utc"].dt.strftime("%Y-%m-%d")).sum()), "of", n)
