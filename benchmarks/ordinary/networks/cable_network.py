"""The cheapest cables that join all houses: Kruskal on sorted rows, Prim on a matrix, SciPy as the judge."""

import sys

import numpy as np
import pandas as pd
from scipy.sparse.csgraph import minimum_spanning_tree

SIZE = sys.argv[1] if len(sys.argv) > 1 else "middle"
n = 50 if SIZE == "small" else 480

rng = np.random.default_rng(15)
houses = rng.uniform(0, 10, (n, 2))
pairs = []
for i in range(n):
    for j in range(i + 1, n):
        d = np.hypot(houses[i, 0] - houses[j, 0], houses[i, 1] - houses[j, 1])
        if d < 4:
            pairs.append((i, j, d))
cables = pd.DataFrame(pairs, columns=["a", "b", "metres"]).sort_values("metres").reset_index(drop=True)
print(cables.head().round(4))
print(cables["metres"].describe().round(4))

group = np.arange(n)
chosen = []
for row in cables.itertuples():
    if group[row.a] != group[row.b]:
        chosen.append(row.Index)
        group[group == group[row.b]] = group[row.a]
        if len(chosen) == n - 1:
            break
tree = cables.loc[chosen]
print(f"Kruskal: {len(tree)} cables, {tree['metres'].sum():.5f} m, longest {tree['metres'].max():.4f} m")

W = np.full((n, n), np.inf)
W[cables["a"], cables["b"]] = cables["metres"]
W = np.minimum(W, W.T)
cost = W[0].copy()
joined = np.zeros(n, dtype=bool)
joined[0] = True
total = 0.0
for _ in range(n - 1):
    k = int(np.argmin(np.where(joined, np.inf, cost)))
    total += cost[k]
    joined[k] = True
    cost = np.minimum(cost, W[k])
print(f"Prim: {total:.5f} m")
sparse = minimum_spanning_tree(np.where(np.isinf(W), 0, W))
print(f"SciPy: {sparse.sum():.5f} m, {sparse.nnz} cables")
ends = pd.concat([tree["a"], tree["b"]]).value_counts()
print("cables per house:", ends.value_counts().sort_index().to_dict())
print("houses with most:", sorted(ends[ends == ends.max()].index.tolist()))
print("share of the pairs used:", round(len(tree) / len(cables), 5))
