"""Handwritten digits in few dimensions by PCA, grouped by k-means, and compared with their labels.

Idea: the demo of k-means on the digits
"""

import sys

import numpy as np
import pandas as pd
from sklearn.cluster import KMeans
from sklearn.datasets import load_digits
from sklearn.decomposition import PCA
from sklearn.metrics import adjusted_rand_score

SIZE = sys.argv[1] if len(sys.argv) > 1 else "middle"
rows, repeats = (300, 1) if SIZE == "small" else (1797, 4)

X, y = load_digits(return_X_y=True)
X, y = X[:rows], y[:rows]
print("shape", X.shape, "counts", np.bincount(y))
for row in X[0].reshape(8, 8):
    print("".join(" .:-=+*#%@@"[int(v * 10 // 16)] for v in row).rstrip())

pca = PCA(n_components=12, svd_solver="full").fit(X)
share = pca.explained_variance_ratio_
print("explained:", np.round(share[:6], 4), "together", round(share.sum(), 4))
Z = pca.transform(X)
back = pca.inverse_transform(Z)
print("error of the reconstruction:", round(np.sqrt(((X - back) ** 2).mean()), 4))

results = []
for seed in range(repeats):
    km = KMeans(n_clusters=10, n_init=1, random_state=seed).fit(Z)
    results.append({"seed": seed, "inertia": km.inertia_, "rand": adjusted_rand_score(y, km.labels_)})
print(pd.DataFrame(results).round({"inertia": 0, "rand": 3}))
table = pd.crosstab(y, km.labels_)
table = table[table.idxmax().sort_values(kind="stable").index]
table.columns = range(table.shape[1])
print(table)
majority = table.max().sum() / rows
print("in the majority of their group:", round(majority, 4))
