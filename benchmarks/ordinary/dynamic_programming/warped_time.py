"""Dynamic time warping finds which of some known movements a recorded one resembles.

Idea: the question how to compare two series of different speed
"""

import sys

import numpy as np
import pandas as pd

SIZE = sys.argv[1] if len(sys.argv) > 1 else "middle"
length, records = (40, 4) if SIZE == "small" else (70, 22)


def dtw(a, b):
    cost = np.full((len(a) + 1, len(b) + 1), np.inf)
    cost[0, 0] = 0.0
    for i in range(1, len(a) + 1):
        for j in range(1, len(b) + 1):
            gap = abs(a[i - 1] - b[j - 1])
            cost[i, j] = gap + min(cost[i - 1, j], cost[i, j - 1], cost[i - 1, j - 1])
    return cost[-1, -1]


t = np.linspace(0, 1, length)
known = {
    "wave": np.sin(2 * np.pi * t),
    "step": np.where(t > 0.5, 1.0, 0.0),
    "ramp": t * 2 - 1,
    "bump": np.exp(-60 * (t - 0.5) ** 2),
}

rng = np.random.default_rng(13)
rows = []
for k in range(records):
    kind = str(rng.choice(list(known)))
    speed = rng.uniform(0.6, 1.8)
    sample = np.interp(t**speed, t, known[kind]) + rng.normal(0, 0.15, length)
    row = {name: dtw(sample, shape) for name, shape in known.items()}
    row["kind"] = kind
    row["speed"] = speed
    rows.append(row)
df = pd.DataFrame(rows)
df["guess"] = df[list(known)].idxmin(axis=1)
df["straight"] = df.apply(lambda r: r[r["kind"]] / length, axis=1)
print(df.head(6).round(3).to_string())
print(pd.crosstab(df["kind"], df["guess"]))
print(f"right: {(df['kind'] == df['guess']).mean():.4f}")
print(df.groupby("kind")["straight"].mean().round(4))
