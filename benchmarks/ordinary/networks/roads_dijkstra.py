"""Shortest ways between towns by Dijkstra's algorithm with a heap, and by the simple search on a matrix."""

import heapq
import sys

import numpy as np
import pandas as pd

SIZE = sys.argv[1] if len(sys.argv) > 1 else "middle"
n = 60 if SIZE == "small" else 500

rng = np.random.default_rng(4)
towns = pd.DataFrame({"x": rng.uniform(0, 100, n), "y": rng.uniform(0, 100, n)}, index=[f"T{k:03d}" for k in range(n)])
P = towns[["x", "y"]].to_numpy()
D = np.sqrt(((P[:, None, :] - P[None, :, :]) ** 2).sum(axis=2))
roads = {}
for i, name in enumerate(towns.index):
    nearest = np.argsort(D[i])[1:5]
    for j in nearest:
        roads.setdefault(name, {})[towns.index[j]] = D[i, j]
        roads.setdefault(towns.index[j], {})[name] = D[i, j]


def dijkstra(start):
    far = {start: 0.0}
    before = {}
    heap = [(0.0, start)]
    while heap:
        d, town = heapq.heappop(heap)
        if d > far[town]:
            continue
        for other, length in roads[town].items():
            if d + length < far.get(other, np.inf):
                far[other] = d + length
                before[other] = town
                heapq.heappush(heap, (d + length, other))
    return far, before


def dijkstra_matrix(W, start):
    far = np.full(len(W), np.inf)
    far[start] = 0
    done = np.zeros(len(W), dtype=bool)
    for _ in range(len(W)):
        u = np.argmin(np.where(done, np.inf, far))
        if np.isinf(far[u]):
            break
        done[u] = True
        far = np.minimum(far, far[u] + W[u])
    return far


W = np.full((n, n), np.inf)
for a, others in roads.items():
    for b, length in others.items():
        W[towns.index.get_loc(a), towns.index.get_loc(b)] = length

far, before = dijkstra("T000")
distance = pd.Series(far).reindex(towns.index)
print("reached:", distance.notna().sum(), "of", n)
print(distance.describe().round(3))
print("nearest:", distance.nsmallest(6).round(3).to_dict())
goal = distance.idxmax()
way = [goal]
while way[0] != "T000":
    way.insert(0, before[way[0]])
print("farthest:", " > ".join(way[:8]), f"... {len(way)} towns, {distance[goal]:.3f} km")
for start in range(0, n, n // 10):
    other = dijkstra_matrix(W, start)
    mine = pd.Series(dijkstra(towns.index[start])[0]).reindex(towns.index, fill_value=np.inf)
    assert np.allclose(mine, other)
    print(
        f"{towns.index[start]}: farthest {other[np.isfinite(other)].max():.3f}, mean {other[np.isfinite(other)].mean():.3f}"
    )
