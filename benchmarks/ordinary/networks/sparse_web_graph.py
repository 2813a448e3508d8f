"""A larger graph in scipy.sparse: components, hops from a page, hubs and authorities."""

import sys

import numpy as np
import pandas as pd
from scipy import sparse
from scipy.sparse.csgraph import connected_components, shortest_path

SIZE = sys.argv[1] if len(sys.argv) > 1 else "middle"
n = 1_000 if SIZE == "small" else 30_000

rng = np.random.default_rng(12)
m = int(1.6 * n)
frame = pd.DataFrame(
    {"from": rng.integers(0, n, m), "to": (n * rng.beta(1, 3, m)).astype(int), "clicks": rng.poisson(4, m) + 1}
)
frame = frame.groupby(["from", "to"], as_index=False)["clicks"].sum()
print(frame.head())
A = sparse.coo_matrix((frame["clicks"], (frame["from"], frame["to"])), shape=(n, n)).tocsr()
print("links:", A.nnz, "clicks:", int(A.sum()), "on itself:", int((A.diagonal() > 0).sum()))

for kind in ("weak", "strong"):
    count, label = connected_components(A, directed=True, connection=kind)
    sizes = pd.Series(label).value_counts()
    print(f"{kind}: {count} parts, largest {sizes.iloc[0]}, alone {(sizes == 1).sum()}")

start = int(frame["from"].mode()[0])
hops = shortest_path(A, unweighted=True, indices=start)
reached = hops[np.isfinite(hops)].astype(int)
print(f"from {start}: reaches {len(reached)}, hops", pd.Series(reached).value_counts().sort_index().head(8).to_dict())

hub = np.ones(n)
for _ in range(30):
    authority = A.T @ hub
    authority /= np.linalg.norm(authority)
    hub = A @ authority
    hub /= np.linalg.norm(hub)
best = np.argsort(-authority)[:5]
print("authority:", np.round(authority[best], 4).tolist())
print("hub:", np.round(np.sort(hub)[::-1][:5], 4).tolist())
in_degree = np.asarray((A > 0).sum(axis=0)).ravel()
out_degree = np.diff(A.indptr)
table = pd.DataFrame({"in": in_degree, "out": out_degree, "part": np.arange(n) * 4 // n})
print(table.groupby("part").agg(["mean", "max"]).round(3))
both = A.multiply(A.T > 0)
print("mutual links:", both.nnz // 2, "correlation:", round(table["in"].corr(table["out"]), 3))
