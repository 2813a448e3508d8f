"""How many groups are there? Inertia and silhouettes for several numbers of clusters.

Idea: the elbow question, and the silhouette analysis of the gallery
"""

import sys

import numpy as np
import pandas as pd
from sklearn.cluster import DBSCAN, AgglomerativeClustering, KMeans
from sklearn.datasets import make_blobs, make_moons
from sklearn.metrics import silhouette_samples, silhouette_score

SIZE = sys.argv[1] if len(sys.argv) > 1 else "middle"
n = 120 if SIZE == "small" else 900

X, truth = make_blobs(n, centers=[[0, 0], [6, 1], [2, 6], [7, 7]], cluster_std=0.9, random_state=10)
rows = []
for k in range(2, 7):
    km = KMeans(k, n_init=3, random_state=0).fit(X)
    rows.append([k, km.inertia_, silhouette_score(X, km.labels_), np.bincount(km.labels_).min()])
table = pd.DataFrame(rows, columns=["k", "inertia", "silhouette", "smallest"]).set_index("k")
print(table.loc[:4].round(3))
best = table["silhouette"].idxmax()
print("best number of groups:", best)

km = KMeans(best, n_init=3, random_state=0).fit(X)
centres = km.cluster_centers_[np.lexsort(km.cluster_centers_.T)]
print("centres:\n", np.round(centres, 2))
df = pd.DataFrame(X, columns=["x", "y"]).assign(truth=truth, group=km.labels_, s=silhouette_samples(X, km.labels_))
print(df.groupby("truth").agg(n=("x", "size"), x=("x", "mean"), y=("y", "mean"), s=("s", "mean")).round(3))
print("doubtful:", int((df["s"] < 0.2).sum()), "groups per truth", df.groupby("truth")["group"].nunique().max())

moons, half = make_moons(n, noise=0.05, random_state=0)
for name, model in [("dbscan", DBSCAN(eps=0.3)), ("single", AgglomerativeClustering(2, linkage="single"))]:
    found = model.fit_predict(moons)
    print(name, "groups:", len(np.unique(found)), "sizes:", sorted(np.unique(found, return_counts=True)[1].tolist()))
    print(pd.crosstab(half, found).to_numpy().tolist())
