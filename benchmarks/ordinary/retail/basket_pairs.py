"""Which articles are bought together: counts of pairs over all baskets, support, confidence and lift.
Idea: the market basket tutorial."""

import sys
from collections import Counter
from itertools import combinations

import numpy as np
import pandas as pd

SIZE = sys.argv[1] if len(sys.argv) > 1 else "middle"
n = 400 if SIZE == "small" else 20_000

rng = np.random.default_rng(19)
items = ["bread", "butter", "jam", "milk", "eggs", "beer", "crisps", "apples", "coffee", "soap"]
weight = np.array([0.5, 0.3, 0.2, 0.5, 0.3, 0.25, 0.15, 0.3, 0.3, 0.1])
rows = []
for basket in range(n):
    bought = {item for item, u, w in zip(items, rng.random(len(items)), weight) if u < w}
    if "beer" in bought and rng.random() < 0.6:
        bought.add("crisps")
    if "bread" in bought and rng.random() < 0.4:
        bought.add("butter")
    for item in sorted(bought):
        rows.append((basket, item))
lines = pd.DataFrame(rows, columns=["basket", "item"])
print(lines.head())

baskets = lines.groupby("basket")["item"].apply(list)
print("baskets:", len(baskets), "mean size:", round(baskets.apply(len).mean(), 3))
single, pairs = Counter(), Counter()
for basket in baskets:
    single.update(basket)
    pairs.update(combinations(sorted(basket), 2))

total = len(baskets)
rules = []
for (a, b), count in pairs.items():
    for left, right in ((a, b), (b, a)):
        confidence = count / single[left]
        rules.append([left, right, count / total, confidence, confidence / (single[right] / total)])
rules = pd.DataFrame(rules, columns=["if", "then", "support", "confidence", "lift"])
best = rules[(rules["support"] > 0.03) & (rules["confidence"] > 0.3)]
print(best.sort_values(["lift", "if"], ascending=[False, True]).head(8).round(3).to_string(index=False))

onehot = pd.crosstab(lines["basket"], lines["item"]).clip(upper=1)
both = onehot.T.dot(onehot)
print(both.iloc[:4, :4])
print("counts agree:", all(both.loc[a, b] == c for (a, b), c in pairs.items()))
