"""A notebook on the passengers of a ship: who survived, in four small plots.

Idea: the notebook with which many begin on the Titanic data
"""

import sys

import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt
import numpy as np
import pandas as pd

SIZE = sys.argv[1] if len(sys.argv) > 1 else "middle"
n = 500 if SIZE == "small" else 40_000

rng = np.random.default_rng(1912)
df = pd.DataFrame(
    {
        "class": rng.choice([1, 2, 3], n, p=[0.24, 0.21, 0.55]),
        "sex": rng.choice(["male", "female"], n, p=[0.65, 0.35]),
        "age": np.where(rng.random(n) < 0.2, np.nan, rng.gamma(6, 5, n).round()),
    }
)
chance = 0.2 + 0.45 * (df["sex"] == "female") + 0.1 * (3 - df["class"])
df["survived"] = (rng.random(n) < chance).astype(int)
df["age"] = df.groupby(["class", "sex"])["age"].transform(lambda s: s.fillna(s.median()))
df["age group"] = pd.cut(df["age"], [0, 15, 30, 45, 100], labels=["child", "young", "middle", "old"])
print(df.head())
print(df.isnull().sum().to_dict())

fig, axes = plt.subplots(2, 2, figsize=(8, 6))
df["survived"].value_counts().sort_index().plot.bar(ax=axes[0, 0], title="survived")
pd.crosstab(df["class"], df["survived"], normalize="index").plot.bar(stacked=True, ax=axes[0, 1], legend=False)
df.groupby("sex")["survived"].mean().plot.barh(ax=axes[1, 0])
axes[1, 1].pie(df["age group"].value_counts(sort=False), labels=df["age group"].cat.categories, autopct="%.1f%%")

print("counts:", [int(p.get_height()) for p in axes[0, 0].patches])
print("by class:", [round(float(p.get_height()), 4) for p in axes[0, 1].patches])
print(
    "by sex:",
    [round(float(p.get_width()), 4) for p in axes[1, 0].patches],
    [t.get_text() for t in axes[1, 0].get_yticklabels()],
)
print("pie:", [t.get_text() for t in axes[1, 1].texts])
print(df.pivot_table("survived", index="sex", columns="class").round(3))
print(df.groupby(["sex", "age group"], observed=False)["survived"].agg(["size", "mean"]).round(3))
plt.close(fig)
