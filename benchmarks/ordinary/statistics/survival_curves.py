"""Kaplan-Meier curves of two treatments and the log-rank test, with loops over the times.

Idea: the estimate as courses on survival explain it
"""

import sys

import numpy as np
import pandas as pd
from scipy.stats import chi2

SIZE = sys.argv[1] if len(sys.argv) > 1 else "middle"
n = 120 if SIZE == "small" else 2500

rng = np.random.default_rng(70)
df = pd.DataFrame({"patient": np.arange(n), "arm": np.where(rng.random(n) < 0.5, "old", "new")})
life = rng.exponential(np.where(df["arm"] == "new", 30, 20))
leaves = rng.uniform(5, 60, n)
df["months"] = np.ceil(np.minimum(life, leaves) * 4) / 4
df["died"] = life <= leaves
print(df.head())
print(df.groupby("arm").agg(n=("patient", "count"), deaths=("died", "sum"), months=("months", "sum")))


def kaplan_meier(part):
    rows, alive = [], 1.0
    for month in sorted(part["months"].unique()):
        at_risk = (part["months"] >= month).sum()
        deaths = part.loc[part["months"] == month, "died"].sum()
        if deaths:
            alive *= 1 - deaths / at_risk
        rows.append({"month": month, "risk": at_risk, "deaths": deaths, "alive": alive})
    return pd.DataFrame(rows).set_index("month")


curves = {arm: kaplan_meier(part) for arm, part in df.groupby("arm")}
for arm, curve in curves.items():
    at = [curve["alive"].asof(m) for m in (6, 12, 24, 36)]
    below = curve.index[curve["alive"] < 0.5]
    print(
        f"{arm}: {len(curve)} times, alive {[round(float(v), 4) for v in at]}, median {below[0] if len(below) else None}"
    )
print(curves["new"].head(5).round(4))
both = pd.concat({a: c["alive"] for a, c in curves.items()}, axis=1).ffill().fillna(1)
print("largest gap:", round((both["new"] - both["old"]).abs().max(), 4), "rows", len(both))

excess, variance = 0.0, 0.0
for month in np.unique(df.loc[df["died"], "months"]):
    risk = df["months"] >= month
    dies = (df["months"] == month) & df["died"]
    n_all, n_new, d = risk.sum(), (risk & (df["arm"] == "new")).sum(), dies.sum()
    excess += (dies & (df["arm"] == "new")).sum() - d * n_new / n_all
    if n_all > 1:
        variance += d * (n_new / n_all) * (1 - n_new / n_all) * (n_all - d) / (n_all - 1)
z2 = excess**2 / variance
print(f"log-rank: excess {excess:.4f}, chi2 {z2:.4f}, p {chi2.sf(z2, 1):.5f}")
