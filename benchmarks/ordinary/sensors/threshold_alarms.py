"""An alarm with a hysteresis over a pressure log, once as a loop over the rows and once by masks."""

import sys

import numpy as np
import pandas as pd

SIZE = sys.argv[1] if len(sys.argv) > 1 else "middle"
n = 1_500 if SIZE == "small" else 25_000
HIGH, LOW = 7.0, 6.2

rng = np.random.default_rng(77)
pressure = np.empty(n)
p = 5.5
for k in range(n):
    p += 0.02 * (5.8 - p) + rng.normal(0, 0.18)
    pressure[k] = p
log = pd.DataFrame(
    {
        "time": pd.Timestamp("2024-01-05 06:00") + pd.to_timedelta(np.arange(n) * 10, unit="s"),
        "pressure": pressure.round(3),
        "valve": rng.choice(["A", "B", "C"], n),
    }
)

events = []
on = False
for i, row in log.iterrows():
    if not on and row["pressure"] > HIGH:
        on, begun = True, row["time"]
        peak = row["pressure"]
    elif on:
        peak = max(peak, row["pressure"])
        if row["pressure"] < LOW:
            on = False
            events.append({"start": begun, "end": row["time"], "peak": peak, "valve": row["valve"]})
alarms = pd.DataFrame(events, columns=["start", "end", "peak", "valve"])
alarms["seconds"] = (alarms["end"] - alarms["start"]).dt.total_seconds()
print(alarms.head(8))
print("alarms:", len(alarms), "time in alarm:", alarms["seconds"].sum(), "highest:", alarms["peak"].max())

state = pd.Series(np.where(log["pressure"] > HIGH, 1.0, np.where(log["pressure"] < LOW, 0.0, np.nan)))
state = state.ffill().fillna(0).astype(int)
starts = int(((state == 1) & (state.shift(fill_value=0) == 0)).sum())
print("the same by masks:", starts - int(state.iloc[-1] == 1) == len(alarms))
print(log.groupby("valve")["pressure"].agg(["count", "mean", "max"]).round(3))
if len(alarms):
    print(alarms.groupby(alarms["start"].dt.hour)["seconds"].sum().head(10))
