"""Two circles of friends in one club, found by the Laplacian's second eigenvector and by modularity.

Idea: the split of the karate club in introductions to networks
"""

import sys

import numpy as np
import pandas as pd

SIZE = sys.argv[1] if len(sys.argv) > 1 else "middle"
n = 40 if SIZE == "small" else 320

rng = np.random.default_rng(34)
side = np.repeat([0, 1], n // 2)
chance = np.where(side[:, None] == side[None, :], 10 / n, 1.5 / n)
A = np.triu(rng.random((n, n)) < chance, k=1).astype(int)
A = A + A.T
for i in range(n):
    if A[i].sum() == 0:
        j = (i + 1) % n
        A[i, j] = A[j, i] = 1
degree = A.sum(axis=0)
print("edges:", A.sum() // 2, "degrees:", np.bincount(degree))

L = np.diag(degree) - A
values, vectors = np.linalg.eigh(L)
print("parts:", int((np.abs(values) < 1e-9).sum()))
k = np.searchsorted(values, 1e-9)
fiedler = vectors[:, k]
fiedler = fiedler * np.sign(fiedler[np.argmax(np.abs(fiedler))])
print(f"second eigenvalue {values[k]:.5f}, largest {values[-1]:.5f}")


def modularity(groups):
    m = A.sum() / 2
    q = 0.0
    for i in range(n):
        for j in range(n):
            if groups[i] == groups[j]:
                q += A[i, j] - degree[i] * degree[j] / (2 * m)
    return q / (2 * m)


groups = (fiedler > 0).astype(int)
agree = max((groups == side).mean(), (groups != side).mean())
print(f"agrees with the truth: {agree:.4f}")
print(
    f"modularity: found {modularity(groups):.5f}, truth {modularity(side):.5f}, halves {modularity(np.arange(n) % 2):.5f}"
)

members = pd.DataFrame(
    {"side": side, "degree": degree, "between": [(A[i] * (side != side[i])).sum() for i in range(n)]}
)
triangles = np.diagonal(A @ A @ A) / 2
members["clustering"] = np.where(degree > 1, 2 * triangles / np.maximum(degree * (degree - 1), 1), 0)
print(members.groupby("side").mean().round(4))
print(members.sort_values("degree", ascending=False, kind="stable").head(5).round(3))
print("paths of length 4 from 0 to 1:", int(np.linalg.matrix_power(A, 4)[0, 1]), "triangles", int(triangles.sum() // 3))
