"""Ranks of pages that link to each other, by a dense matrix, by a table of links and by an eigenvector.

Idea: PageRank by power iteration
"""

import sys

import numpy as np
import pandas as pd

SIZE = sys.argv[1] if len(sys.argv) > 1 else "middle"
n, links = (120, 900) if SIZE == "small" else (700, 9000)

rng = np.random.default_rng(98)
edges = pd.DataFrame({"source": rng.integers(0, n, links), "target": (n * rng.random(links) ** 2).astype(int)})
edges = edges[edges["source"] != edges["target"]].drop_duplicates().reset_index(drop=True)
print(len(edges), "links; most linked:", edges["target"].value_counts().sort_index().idxmax())

A = np.zeros((n, n))
for row in edges.itertuples(index=False):
    A[row.target, row.source] = 1
out = A.sum(axis=0)
print("without links:", int((out == 0).sum()))
M = np.where(out > 0, A / np.where(out > 0, out, 1), 1 / n)
r = np.full(n, 1 / n)
for k in range(200):
    new = 0.85 * M @ r + 0.15 / n
    change = np.abs(new - r).sum()
    r = new
    if change < 1e-10:
        break
print(f"converged: {change < 1e-10}, sum {r.sum():.8f}")
print("first ten:", np.argsort(-r)[:10].tolist())
print("their ranks:", np.round(np.sort(r)[::-1][:10], 6).tolist())

rank = pd.Series(1.0 / n, index=range(n))
degree = edges.groupby("source").size().reindex(range(n), fill_value=0)
for _ in range(20):
    flow = edges["source"].map(rank) / edges["source"].map(degree)
    received = flow.groupby(edges["target"]).sum().reindex(range(n), fill_value=0)
    rank = 0.15 / n + 0.85 * (received + rank[degree == 0].sum() / n)
print("by the table:", rank.nlargest(5).round(5).to_dict())
print("same:", np.allclose(rank, r, atol=1e-4))
values, vectors = np.linalg.eig(0.85 * M[:120, :120] + 0.15 / n)
print("largest eigenvalue of a corner:", round(float(np.abs(values).max()), 5))
buckets = pd.cut(rank * n, [0, 0.5, 1, 2, 5, 1000])
print(buckets.value_counts(sort=False))
