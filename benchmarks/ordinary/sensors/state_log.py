"""Messages of machines in a text log are taken apart by a regular expression; times in each state are added up."""

import re
import sys
from collections import defaultdict
from datetime import datetime, timedelta

import numpy as np
import pandas as pd

SIZE = sys.argv[1] if len(sys.argv) > 1 else "middle"
n = 1_000 if SIZE == "small" else 40_000

rng = np.random.default_rng(4)
now = datetime(2024, 5, 6, 0, 0, 0)
states = ["IDLE", "RUN", "SETUP", "FAULT"]
lines = []
for k in range(n):
    now += timedelta(seconds=int(rng.integers(1, 90)))
    machine = rng.integers(1, 6)
    level = rng.choice(["INFO", "WARN"], p=[0.9, 0.1])
    lines.append(
        f"{now:%Y-%m-%d %H:%M:%S} [{level}] machine={machine} state={states[rng.integers(0, 4)]} temp={rng.normal(60, 8):.1f}"
    )
lines.insert(10, "--- rotated ---")

pattern = re.compile(
    r"(?P<time>\S+ \S+) \[(?P<level>\w+)\] machine=(?P<machine>\d+) state=(?P<state>\w+) temp=(?P<temp>[\d.]+)"
)
records, rest = [], []
for line in lines:
    m = pattern.match(line)
    if m is None:
        rest.append(line)
        continue
    records.append(m.groupdict())
print("lines:", len(lines), "not understood:", rest)

df = pd.DataFrame(records)
df["time"] = pd.to_datetime(df["time"])
df["machine"] = df["machine"].astype(int)
df["temp"] = df["temp"].astype(float)
df["until"] = df.groupby("machine")["time"].shift(-1)
df["seconds"] = (df["until"] - df["time"]).dt.total_seconds()
print(df.head(4).to_string())

table = df.pivot_table(index="machine", columns="state", values="seconds", aggfunc="sum")
print(table.astype(int))
print((table.div(table.sum(axis=1), axis=0) * 100).round(1))

total = defaultdict(float)
for machine, state, seconds in zip(df["machine"], df["state"], df["seconds"]):
    if seconds == seconds:
        total[machine, state] += seconds
print(all(total[m, s] == table.loc[m, s] for m in table.index for s in table.columns))
print(df[df["level"] == "WARN"].groupby("state")["temp"].agg(["count", "max"]))
