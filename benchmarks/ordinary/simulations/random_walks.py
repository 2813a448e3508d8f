"""Many random walks on a line and on a grid: how far they get, how often they return, first visits of a border."""

import sys

import numpy as np
import pandas as pd

SIZE = sys.argv[1] if len(sys.argv) > 1 else "middle"
walks, steps = (300, 200) if SIZE == "small" else (4_000, 1_000)

rng = np.random.default_rng(1905)
moves = rng.choice([-1, 1], size=(walks, steps))
paths = np.cumsum(moves, axis=1)
print("end: mean", round(float(paths[:, -1].mean()), 4), "std", round(float(paths[:, -1].std()), 4))

rows = []
for k in (10, 50, 100, 200):
    rows.append({"step": k, "rms": np.sqrt((paths[:, k - 1] ** 2).mean()), "expected": np.sqrt(k)})
print(pd.DataFrame(rows).round(3))

border = 15
hit = (np.abs(paths) >= border).any(axis=1)
first = (np.abs(paths) >= border).argmax(axis=1)
print("reach the border:", int(hit.sum()), "mean step", round(float(first[hit].mean()), 3))
returns = (paths == 0).sum(axis=1)
print("returns:", np.bincount(returns)[:6], "never:", int((returns == 0).sum()))

longest = []
for path in paths[:200]:
    best = run = 0
    for x in path:
        run = run + 1 if x > 0 else 0
        if run > best:
            best = run
    longest.append(best)
print("longest stay above zero:", max(longest), "median", np.median(longest))

directions = np.array([[0, 1], [1, 0], [0, -1], [-1, 0]])
walk = directions[rng.integers(0, 4, steps)].cumsum(axis=0)
visited = {(0, 0)}
for x, y in walk:
    visited.add((int(x), int(y)))
print("fields visited on the grid:", len(visited), "box:", walk.min(axis=0), walk.max(axis=0))
distance = np.hypot(walk[:, 0], walk[:, 1])
print("farthest:", round(float(distance.max()), 4), "at step", int(distance.argmax()) + 1)
leads = (paths > 0).mean(axis=1)
print(np.histogram(leads, bins=5, range=(0, 1))[0])
