"""The 0/1 knapsack: fill the table row by row, then walk back to see which things were taken.

Idea: the knapsack problem of every course on dynamic programming
"""

import sys

import numpy as np
import pandas as pd

SIZE = sys.argv[1] if len(sys.argv) > 1 else "middle"
things, capacity = (20, 500) if SIZE == "small" else (60, 2500)

rng = np.random.default_rng(7)
df = pd.DataFrame({"weight": rng.integers(5, 90, things), "value": rng.integers(10, 500, things)})
df["name"] = [f"thing {k}" for k in range(things)]

table = np.zeros((things + 1, capacity + 1), dtype=int)
for i in range(1, things + 1):
    w, v = df["weight"][i - 1], df["value"][i - 1]
    for c in range(capacity + 1):
        table[i, c] = table[i - 1, c]
        if c >= w and table[i - 1, c - w] + v > table[i, c]:
            table[i, c] = table[i - 1, c - w] + v

taken, c = [], capacity
for i in range(things, 0, -1):
    if table[i, c] != table[i - 1, c]:
        taken.append(i - 1)
        c -= df.loc[i - 1, "weight"]

df["taken"] = False
df.loc[taken, "taken"] = True
print("best value:", table[-1, -1], "left over:", c)
print(df.head())
print(df.groupby("taken")[["weight", "value"]].sum())
print("names:", ", ".join(df.loc[df["taken"], "name"].head(10)))
for c in range(0, capacity + 1, capacity // 5):
    print(f"capacity {c:5d} -> {table[-1, c]}")
ratio = df["value"] / df["weight"]
print(f"ratio of those taken {ratio[df.taken].mean():.3f}, of those left {ratio[~df.taken].mean():.3f}")
