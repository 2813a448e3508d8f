"""Admissions that look unfair in all and fair in each department; standardised rates and odds ratios.

Idea: Simpson's paradox with the admissions to a university
"""

import sys

import numpy as np
import pandas as pd

SIZE = sys.argv[1] if len(sys.argv) > 1 else "middle"
n = 900 if SIZE == "small" else 30_000

rng = np.random.default_rng(1973)
departments = {"A": 0.65, "B": 0.55, "C": 0.34, "D": 0.2}
records = []
for k in range(n):
    sex = "woman" if rng.random() < 0.48 else "man"
    weights = [0.1, 0.1, 0.35, 0.45] if sex == "woman" else [0.4, 0.3, 0.2, 0.1]
    dept = str(rng.choice(list(departments), p=weights))
    chance = departments[dept] + (0.04 if sex == "woman" else 0)
    records.append({"id": f"S{k:05d}", "sex": sex, "dept": dept, "admitted": "yes" if rng.random() < chance else "no"})
df = pd.DataFrame.from_records(records, index="id")
print(df.head())
df["ok"] = df["admitted"].eq("yes")

print(df.groupby("sex")["ok"].mean().map("{:.2%}".format))
table = df.pivot_table(index="dept", columns="sex", values="ok", aggfunc=["mean", "size"])
print(table.round(4))
rates = table["mean"]
print("women ahead in:", rates.index[rates["woman"] > rates["man"]].tolist())

share = df["dept"].value_counts(normalize=True).sort_index()
print("standardised:", rates.mul(share, axis=0).sum().round(4).to_dict())


def odds_ratio(part):
    t = pd.crosstab(part["sex"], part["ok"])
    return (t.loc["woman", True] * t.loc["man", False]) / (t.loc["woman", False] * t.loc["man", True])


print("odds ratio of all:", round(odds_ratio(df), 4))
up = down = 0.0
for dept, part in df.groupby("dept"):
    t = pd.crosstab(part["sex"], part["ok"])
    up += t.at["woman", True] * t.at["man", False] / len(part)
    down += t.at["woman", False] * t.at["man", True] / len(part)
    print(f"  {dept}: {odds_ratio(part):.4f}")
print(f"Mantel-Haenszel: {up / down:.4f}")
