"""From a ring to a random network: clustering and mean distance while links are moved.

Idea: the small world experiment
"""

import sys
from collections import deque

import numpy as np
import pandas as pd

SIZE = sys.argv[1] if len(sys.argv) > 1 else "middle"
n, k = (60, 4) if SIZE == "small" else (440, 6)


def ring(n, k, p, rng):
    A = np.zeros((n, n), dtype=bool)
    for i in range(n):
        for d in range(1, k // 2 + 1):
            j = (i + d) % n
            if rng.random() < p:
                free = np.flatnonzero(~A[i])
                free = free[free != i]
                j = rng.choice(free)
            A[i, j] = A[j, i] = True
    return A


def mean_distance(A):
    neighbours = [np.flatnonzero(row).tolist() for row in A]
    total, pairs = 0, 0
    for start in range(0, len(A), 2):
        far = [-1] * len(A)
        far[start] = 0
        queue = deque([start])
        while queue:
            here = queue.popleft()
            for there in neighbours[here]:
                if far[there] < 0:
                    far[there] = far[here] + 1
                    queue.append(there)
        far = np.array(far)
        total += far[far > 0].sum()
        pairs += (far > 0).sum()
    return total / pairs


def clustering(A):
    found = []
    for i in range(len(A)):
        near = np.where(A[i])[0]
        if len(near) > 1:
            between = A[np.ix_(near, near)].sum() / 2
            found.append(between / (len(near) * (len(near) - 1) / 2))
    return np.mean(found)


rows = []
for p in (0, 0.01, 0.03, 0.1, 0.3, 1):
    rng = np.random.default_rng(int(100 * p))
    A = ring(n, k, p, rng)
    rows.append(
        {
            "p": p,
            "edges": A.sum() // 2,
            "distance": mean_distance(A),
            "clustering": clustering(A),
            "most": A.sum(1).max(),
        }
    )
df = pd.DataFrame(rows).set_index("p")
df["distance / ring"] = df["distance"] / df["distance"].iloc[0]
df["clustering / ring"] = df["clustering"] / df["clustering"].iloc[0]
print(df.round(4).to_string())
print("degrees of the last:", pd.Series(A.sum(axis=1)).value_counts().sort_index().to_dict())
print("p with short ways and high clustering:", df.index[(df.iloc[:, 4] < 0.6) & (df.iloc[:, 5] > 0.6)].tolist())
