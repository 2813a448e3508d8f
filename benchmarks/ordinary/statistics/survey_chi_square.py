"""A survey: cross tables, chi-square by hand and by SciPy, Cramer's V, rank correlations."""

import sys

import numpy as np
import pandas as pd
from scipy.stats import chi2_contingency, kendalltau, spearmanr

SIZE = sys.argv[1] if len(sys.argv) > 1 else "middle"
n = 1_200 if SIZE == "small" else 60_000

rng = np.random.default_rng(55)
answers = ["never", "rarely", "often", "always"]
df = pd.DataFrame({"age": rng.integers(16, 90, n), "region": rng.choice(["north", "south", "east"], n)})
lean = (df["age"] - 16) / 74 + rng.normal(0, 0.5, n)
df["reads"] = pd.Categorical(pd.cut(lean, [-9, 0.1, 0.5, 0.9, 9], labels=answers), categories=answers, ordered=True)
df["vote"] = np.where(rng.random(n) < 0.3 + 0.1 * (df["region"] == "south"), "yes", "no")
df["decade"] = df["age"] // 10 * 10

print(df["reads"].value_counts(sort=False))
print(pd.crosstab(df["decade"], df["reads"], normalize="index").round(3))


def chi_square(table):
    observed = table.to_numpy()
    expected = observed.sum(1, keepdims=True) * observed.sum(0) / observed.sum()
    return ((observed - expected) ** 2 / expected).sum(), expected


for a, b in [("region", "vote"), ("region", "reads"), ("decade", "reads")]:
    table = pd.crosstab(df[a], df[b])
    value, expected = chi_square(table)
    test = chi2_contingency(table, correction=False)
    assert np.isclose(value, test.statistic)
    v = np.sqrt(value / n / (min(table.shape) - 1))
    print(
        f"{a} x {b}: chi2 {value:.3f}, dof {test.dof}, p {test.pvalue:.4f}, V {v:.4f}, least expected {expected.min():.2f}"
    )

print("spearman:", round(spearmanr(df["age"], df["reads"].cat.codes).statistic, 4))
part = df.sample(600, random_state=1)
print("kendall:", round(kendalltau(part["age"], part["reads"].cat.codes).statistic, 4))
print("often or more:", round((df["reads"] >= "often").mean(), 4))
print(df.groupby("region")["age"].quantile([0.25, 0.5, 0.75]).unstack())
print(pd.crosstab([df["region"], df["vote"]], df["reads"], margins=True))
