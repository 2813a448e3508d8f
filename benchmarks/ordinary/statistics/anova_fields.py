"""Yields of fields with four fertilisers: t tests between all pairs, and an analysis of variance by hand."""

import sys
from itertools import combinations

import numpy as np
import pandas as pd
from scipy import stats

SIZE = sys.argv[1] if len(sys.argv) > 1 else "middle"
seasons = 4 if SIZE == "small" else 70

names = ["none", "dung", "lime", "both"]
all_p = []
for season in range(seasons):
    rng = np.random.default_rng(season)
    parts = []
    for k, name in enumerate(names):
        parts.append(pd.DataFrame({"kind": name, "yield": rng.normal(50 + 2.5 * k, 5, 20 + 3 * k)}))
    df = pd.concat(parts, ignore_index=True)
    groups = df.groupby("kind", sort=False)["yield"]
    grand = df["yield"].mean()
    between = sum(len(g) * (g.mean() - grand) ** 2 for _, g in groups)
    within = sum(((g - g.mean()) ** 2).sum() for _, g in groups)
    f = (between / (len(names) - 1)) / (within / (len(df) - len(names)))
    p = stats.f.sf(f, len(names) - 1, len(df) - len(names))
    check = stats.f_oneway(*[g.values for _, g in groups])
    assert np.isclose(f, check.statistic) and np.isclose(p, check.pvalue)
    all_p.append({"season": season, "F": f, "p": p, "eta2": between / (between + within)})

print(groups.agg(["size", "mean", "std", "median"]).round(3))
result = pd.DataFrame(all_p).set_index("season")
print(result.head(4).map(lambda v: float(f"{v:.4g}")))
print("significant at 0.001:", int((result["p"] < 0.001).sum()), "of", seasons)
pairs = []
for a, b in combinations(names, 2):
    x, y = df.loc[df["kind"] == a, "yield"], df.loc[df["kind"] == b, "yield"]
    t, p = stats.ttest_ind(x, y, equal_var=False)
    pairs.append([a, b, y.mean() - x.mean(), t, min(p * 6, 1.0)])
print(pd.DataFrame(pairs, columns=["a", "b", "difference", "t", "p (Bonferroni)"]).round(4).to_string(index=False))
print("Levene:", round(float(stats.levene(*[g.values for _, g in groups]).statistic), 4))
print("Kruskal:", round(float(stats.kruskal(*[g.values for _, g in groups]).statistic), 4))
