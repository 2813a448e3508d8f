"""Does the new page sell more? A permutation test, and the z test of two shares.

Idea: the A/B test of many a tutorial
"""

import sys

import numpy as np
import pandas as pd
from scipy.stats import norm

SIZE = sys.argv[1] if len(sys.argv) > 1 else "middle"
visitors, rounds = (1_500, 200) if SIZE == "small" else (20_000, 1_200)

rng = np.random.default_rng(2024)
df = pd.DataFrame({"user": np.arange(visitors), "page": rng.choice(["old", "new"], visitors)})
df["hour"] = rng.integers(0, 24, visitors)
chance = np.where(df["page"] == "new", 0.125, 0.11)
df["bought"] = rng.random(visitors) < chance
df = df.drop_duplicates("user")

summary = df.groupby("page")["bought"].agg(["sum", "count", "mean"])
print(summary.round(5))
observed = summary.loc["new", "mean"] - summary.loc["old", "mean"]

is_new = (df["page"] == "new").to_numpy()
bought = df["bought"].to_numpy()
differences = []
for _ in range(rounds):
    shuffled = rng.permutation(bought)
    differences.append(shuffled[is_new].mean() - shuffled[~is_new].mean())
differences = np.array(differences)
p = (differences >= observed).mean()
print(f"observed difference {observed:.5f}, permutation p {p:.4f}")
print("shuffled: sd", round(differences.std(ddof=1), 5), "largest", round(differences.max(), 5))

pooled = df["bought"].mean()
se = np.sqrt(pooled * (1 - pooled) * (1 / summary["count"]).sum())
print(f"z {observed / se:.4f}, p {norm.sf(observed / se):.5f}")
for level in [0.8, 0.9, 0.95]:
    half = norm.ppf(0.5 + level / 2) * se
    print(f"{level:.0%} interval: {observed - half:.5f} to {observed + half:.5f}")

parts = df.groupby(
    [pd.cut(df["hour"], [-1, 5, 11, 17, 23], labels=["night", "morning", "noon", "evening"]), "page"], observed=True
)
print(parts["bought"].mean().unstack().round(4))
