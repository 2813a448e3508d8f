"""Cells in a picture from a microscope are counted: threshold, labels by flood fill, areas, centres, touching the border."""

import sys
from collections import deque

import numpy as np
import pandas as pd

SIZE = sys.argv[1] if len(sys.argv) > 1 else "middle"
side, cells = (80, 14) if SIZE == "small" else (300, 120)

rng = np.random.default_rng(1665)
y, x = np.mgrid[0:side, 0:side]
image = rng.normal(20, 3, (side, side))
for _ in range(cells):
    cy, cx = rng.uniform(0, side, 2)
    a, b = rng.uniform(2, 6, 2)
    image += 100 * np.exp(-(((x - cx) / a) ** 2) - ((y - cy) / b) ** 2)
mask = image > 60
print("bright:", int(mask.sum()), "of", mask.size)


def label(mask):
    labels = np.zeros(mask.shape, dtype=int)
    count = 0
    for i in range(mask.shape[0]):
        for j in range(mask.shape[1]):
            if not mask[i, j] or labels[i, j]:
                continue
            count += 1
            labels[i, j] = count
            queue = deque([(i, j)])
            while queue:
                a, b = queue.popleft()
                for c, d in ((a - 1, b), (a + 1, b), (a, b - 1), (a, b + 1)):
                    if 0 <= c < mask.shape[0] and 0 <= d < mask.shape[1] and mask[c, d] and not labels[c, d]:
                        labels[c, d] = count
                        queue.append((c, d))
    return labels, count


labels, count = label(mask)
print("found:", count, "of", cells)
rows = []
for k in range(1, count + 1):
    ys, xs = np.where(labels == k)
    rows.append(
        {
            "label": k,
            "area": len(ys),
            "y": ys.mean(),
            "x": xs.mean(),
            "height": ys.max() - ys.min() + 1,
            "width": xs.max() - xs.min() + 1,
            "light": image[labels == k].mean(),
            "border": ys.min() == 0 or xs.min() == 0 or ys.max() == side - 1 or xs.max() == side - 1,
        }
    )
df = pd.DataFrame(rows).set_index("label")
print(df.head(6).round(2).to_string())
df["fill"] = df["area"] / (df["height"] * df["width"])
print(df[["area", "light", "fill"]].describe().round(3))
print("at the border:", int(df["border"].sum()), "likely merged:", int((df["fill"] < 0.65).sum()))
areas = np.bincount(labels.ravel())[1:]
print("areas agree:", bool((areas == df["area"].to_numpy()).all()))
centres = df[["y", "x"]].to_numpy()
distances = np.sqrt(((centres[:, None] - centres[None]) ** 2).sum(axis=2))
np.fill_diagonal(distances, np.inf)
nearest = distances.min(axis=1)
print("nearest pair:", round(float(nearest.min()), 3), "mean:", round(float(nearest.mean()), 3))
print(df.groupby(pd.cut(df["area"], [0, 20, 50, 100, 1000]), observed=True)["light"].agg(["count", "mean"]).round(2))
