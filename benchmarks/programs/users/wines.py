"""Wines of three growers, and tumours: tables of measurements compared."""

import numpy as np
import pandas as pd
from sklearn.datasets import load_breast_cancer, load_wine

bunch = load_wine()
wine = pd.DataFrame(bunch.data, columns=bunch.feature_names)
wine["grower"] = pd.Series(bunch.target).map({0: "A", 1: "B", 2: "C"})
print(wine.shape, wine.memory_usage(index=False).sum() > 0)
print(wine.groupby("grower").size())
means = wine.groupby("grower").mean()
print(means.T.round(2))
print(means.rank(axis=0).T.astype(int))
spread = wine.groupby("grower").var() / wine.drop(columns="grower").var()
print(spread.mean().sort_values().head(5).round(3))

limits = wine["alcohol"].quantile([0.33, 0.66])
wine["strength"] = np.select(
    [wine["alcohol"] < limits.iloc[0], wine["alcohol"] < limits.iloc[1]], ["light", "medium"], "strong"
)
print(pd.crosstab(wine["grower"], wine["strength"], normalize="index").round(3))
print(wine.groupby(["grower", "strength"])["color_intensity"].agg(["mean", "count"]).round(2))
print(wine.sort_values("proline", ascending=False).groupby("grower").head(2)[["grower", "proline", "alcohol"]])
print(wine.loc[wine.groupby("grower")["flavanoids"].idxmax(), ["grower", "flavanoids"]])
stacked = wine.set_index("grower", append=True).drop(columns="strength").stack()
print(stacked.groupby(level=1).mean().round(3), len(stacked))
print(wine["grower"].map(means["alcohol"]).sub(wine["alcohol"]).abs().mean().round(4))

bunch = load_breast_cancer()
cells = (
    pd.DataFrame(bunch.data, columns=bunch.feature_names)
    .add_prefix("x ")
    .rename(columns=lambda c: c[2:].replace(" ", "_"))
)
cells["kind"] = pd.Series(bunch.target).map(dict(enumerate(bunch.target_names)))
print(cells["kind"].value_counts(normalize=True).round(4))
size = cells.filter(like="mean_")
print(size.agg(["mean", "std", "skew"]).T.round(3))
separation = (cells.groupby("kind").mean().diff().iloc[-1] / cells.drop(columns="kind").std()).abs()
print(separation.nlargest(6).round(3))
best = separation.idxmax()
steps = np.linspace(cells[best].min(), cells[best].max(), 21)
score = pd.Series([((cells[best] > s) == (cells["kind"] == "malignant")).mean() for s in steps], index=steps)
print(score.idxmax().round(4), score.max().round(4))
pairs = size.corr().where(np.triu(np.ones((size.shape[1],) * 2, dtype=bool), k=1)).stack()
print(pairs.abs().sort_values(ascending=False).head(5).round(4))
print(cells.sample(5, random_state=1).sort_index()[["mean_radius", "kind"]])
