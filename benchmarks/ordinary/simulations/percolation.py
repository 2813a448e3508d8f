"""Does water find a way down through a grid with closed fields? Union of fields, many grids, the share where it turns.
Idea: the percolation exercise with union-find."""

import sys

import numpy as np
import pandas as pd

SIZE = sys.argv[1] if len(sys.argv) > 1 else "middle"
side, repeats = (10, 6) if SIZE == "small" else (32, 60)


class Union:
    def __init__(self, n):
        self.parent = np.arange(n)
        self.size = np.ones(n, dtype=int)

    def find(self, k):
        while self.parent[k] != k:
            self.parent[k] = self.parent[self.parent[k]]
            k = self.parent[k]
        return k

    def join(self, a, b):
        a, b = self.find(a), self.find(b)
        if a == b:
            return
        if self.size[a] < self.size[b]:
            a, b = b, a
        self.parent[b] = a
        self.size[a] += self.size[b]


def threshold(side, rng):
    grid = np.zeros((side, side), dtype=bool)
    union = Union(side * side + 2)
    top, bottom = side * side, side * side + 1
    for count, field in enumerate(rng.permutation(side * side), 1):
        i, j = divmod(int(field), side)
        grid[i, j] = True
        if i == 0:
            union.join(field, top)
        if i == side - 1:
            union.join(field, bottom)
        for a, b in ((i - 1, j), (i + 1, j), (i, j - 1), (i, j + 1)):
            if 0 <= a < side and 0 <= b < side and grid[a, b]:
                union.join(field, a * side + b)
        if union.find(top) == union.find(bottom):
            return count / (side * side), grid, union.size.max()


rng = np.random.default_rng(1957)
rows = []
for k in range(repeats):
    share, grid, largest = threshold(side, rng)
    rows.append({"share": share, "largest": largest, "open": int(grid.sum())})
df = pd.DataFrame(rows)
print(df.head(6).round(4))
print(df.describe().round(4).loc[["mean", "std", "min", "max"]])
print("mean", round(df["share"].mean(), 3), "+-", round(1.96 * df["share"].std() / np.sqrt(repeats), 3))
for row in grid[:8]:
    print("".join(" " if cell else "#" for cell in row))
water = np.zeros_like(grid)
water[0] = grid[0]
while True:
    spread = water.copy()
    spread[1:] |= water[:-1]
    spread[:-1] |= water[1:]
    spread[:, 1:] |= water[:, :-1]
    spread[:, :-1] |= water[:, 1:]
    spread &= grid
    if (spread == water).all():
        break
    water = spread
print(
    "wet:",
    int(water.sum()),
    "reaches the bottom:",
    bool(water[-1].any()),
    "first row with one wet field:",
    int(np.argmin(water.sum(axis=1))),
)
