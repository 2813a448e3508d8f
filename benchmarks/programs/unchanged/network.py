"""A network of links: importance of nodes, distances, connected components."""

import numpy as np
import pandas as pd

rng = np.random.default_rng(10)
n, m = 50_000, 400_000
links = pd.DataFrame({"source": np.minimum(rng.zipf(1.5, m) - 1, n - 1), "target": rng.integers(0, n, m)})
links = links[links["source"] != links["target"]].drop_duplicates().reset_index(drop=True)
print(len(links), "links")
out = links.groupby("source").size()
into = links.groupby("target").size()
print("most links out:", out.nlargest(3).to_dict())
print(into.describe().round(4))
source, target = links["source"].to_numpy(), links["target"].to_numpy()
degree = np.bincount(source, minlength=n)
rank = np.full(n, 1 / n)
for _ in range(20):
    share = np.where(degree > 0, rank / np.maximum(degree, 1), 0)
    lost = rank[degree == 0].sum() / n
    rank = 0.15 / n + 0.85 * (np.bincount(target, weights=share[source], minlength=n) + lost)
print("rank:", np.argsort(-rank, kind="stable")[:5].tolist(), round(float(rank.sum()), 9))
far = np.full(n, -1)
far[0] = 0
reached = np.zeros(n, bool)
reached[0] = True
for step in range(1, 10):
    new = np.unique(target[reached[source]])
    new = new[~reached[new]]
    if len(new) == 0:
        break
    far[new] = step
    reached[new] = True
print("steps:", np.bincount(far[far >= 0]).tolist(), "unreached:", int((far < 0).sum()))
