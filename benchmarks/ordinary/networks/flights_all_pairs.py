"""Prices of journeys between all airports by Floyd and Warshall, and with how many changes."""

import sys

import numpy as np
import pandas as pd

SIZE = sys.argv[1] if len(sys.argv) > 1 else "middle"
n = 40 if SIZE == "small" else 280

rng = np.random.default_rng(2)
codes = []
while len(codes) < n:
    code = "".join(rng.choice(list("ABCDEFGHKLMNOPRST"), 3))
    if code not in codes:
        codes.append(code)
flights = pd.DataFrame(
    {"origin": rng.choice(codes, 5 * n), "dest": rng.choice(codes, 5 * n), "price": rng.integers(30, 400, 5 * n)}
)
flights = flights.loc[flights["origin"] != flights["dest"]]
cheapest = flights.groupby(["origin", "dest"], as_index=False)["price"].min()
print(cheapest.sort_values(["price", "origin"]).head())

price = cheapest.pivot(index="origin", columns="dest", values="price").reindex(index=codes, columns=codes)
D = price.fillna(np.inf).to_numpy().copy()
np.fill_diagonal(D, 0)
hop = np.where(np.isfinite(D), 1, 0)
via = np.full((n, n), -1)
for k in range(n):
    through = D[:, [k]] + D[[k], :]
    better = through < D
    D = np.where(better, through, D)
    via[better] = k
    hop = np.where(better, hop[:, [k]] + hop[[k], :], hop)


def stops(i, j):
    k = via[i, j]
    if k < 0:
        return []
    return stops(i, k) + [codes[k]] + stops(k, j)


total = pd.DataFrame(D, index=codes, columns=codes)
off = ~np.eye(n, dtype=bool)
print("unreachable pairs:", int(np.isinf(D[off]).sum()))
print("mean price:", round(D[off & np.isfinite(D)].mean(), 3), "dearest:", D[np.isfinite(D)].max())
print("legs:", np.bincount(hop[off & np.isfinite(D)]))
print(total.iloc[:5, :6])
a, b = codes[0], codes[7]
print(f"{a} to {b}: {total.at[a, b]}, changes at {stops(0, 7)}")
central = total.replace(np.inf, np.nan).mean(axis=1).sort_values(kind="stable")
print(central.head(5).round(3))
saved = cheapest.apply(lambda r: r["price"] - total.at[r["origin"], r["dest"]], axis=1)
print("tickets that a change makes cheaper:", int((saved > 0).sum()), "most saved", saved.max())
