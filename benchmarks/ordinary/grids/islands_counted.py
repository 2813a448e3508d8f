"""Number and size of islands on a map, and a table of them with pandas.

Idea: the interview question that counts islands
"""

import sys

import numpy as np
import pandas as pd

SIZE = sys.argv[1] if len(sys.argv) > 1 else "middle"

n = 40 if SIZE == "small" else 250
rng = np.random.default_rng(8)
noise = rng.normal(size=(n, n))
for _ in range(3):
    noise = (noise + np.roll(noise, 1, 0) + np.roll(noise, -1, 0) + np.roll(noise, 1, 1) + np.roll(noise, -1, 1)) / 5
land = noise > 0.15
labels = np.zeros(land.shape, dtype=int)
count = 0
for i in range(n):
    for j in range(n):
        if land[i, j] and labels[i, j] == 0:
            count += 1
            todo = [(i, j)]
            while todo:
                y, x = todo.pop()
                if y < 0 or x < 0 or y >= n or x >= n or not land[y, x] or labels[y, x]:
                    continue
                labels[y, x] = count
                todo += [(y + 1, x), (y - 1, x), (y, x + 1), (y, x - 1)]

records = []
for k in range(1, count + 1):
    ys, xs = np.where(labels == k)
    records.append([k, len(ys), ys.min(), ys.max(), xs.min(), xs.max(), ys.mean()])
islands = pd.DataFrame(records, columns=["island", "area", "top", "bottom", "left", "right", "centre"]).set_index(
    "island"
)
islands["fill"] = islands.area / ((islands.bottom - islands.top + 1) * (islands.right - islands.left + 1))
islands["kind"] = pd.cut(islands["area"], [0, 1, 5, 20, 10**6], labels=["rock", "islet", "isle", "island"])
print(f"{count} islands, {land.mean():.4f} of the map is land")
print(islands.sort_values(["area", "centre"], ascending=[False, True]).head(8).round(3))
print(islands["kind"].value_counts())
print(islands.groupby("kind", observed=True).agg(area=("area", "sum"), fill=("fill", "mean")).round(4))
biggest = islands["area"].idxmax()
print("biggest:", biggest, islands.loc[biggest, ["top", "bottom", "left", "right"]].astype(int).tolist())
