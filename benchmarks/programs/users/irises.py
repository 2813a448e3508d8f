"""Irises: statistics by species, distances to the centres, a simple classifier."""

import numpy as np
import pandas as pd
from sklearn.datasets import load_iris

iris = load_iris()
df = pd.DataFrame(iris.data, columns=[c.replace(" (cm)", "").replace(" ", "_") for c in iris.feature_names])
df["species"] = pd.Categorical.from_codes(iris.target, iris.target_names)
print(df.head())
print(df["species"].value_counts())
print(df.groupby("species", observed=True).mean())
print(df.groupby("species", observed=True)["petal_length"].describe().round(3))
print(df.groupby("species", observed=True).agg(["min", "max"]))

features = df.columns[:-1]
print(df[features].corr().round(3))
scaled = (df[features] - df[features].mean()) / df[features].std()
print(scaled.describe().round(3))
within = df.groupby("species", observed=True)[list(features)].transform(lambda x: x - x.mean())
print(within.std().round(4))

centres = df.groupby("species", observed=True)[list(features)].mean()
distances = pd.DataFrame(
    {name: np.sqrt(((df[features] - centre) ** 2).sum(axis=1)) for name, centre in centres.iterrows()}
)
df["guess"] = distances.idxmin(axis=1)
print(pd.crosstab(df["species"], df["guess"]))
print((df["guess"] == df["species"].astype(str)).mean().round(4))

long = df.melt(id_vars="species", value_vars=list(features), var_name="part", value_name="cm")
print(long.groupby(["part", "species"], observed=True)["cm"].median().unstack())
print(df.sort_values(["petal_width", "sepal_length"], ascending=[False, True]).head(4))
print(df[features].quantile([0.1, 0.5, 0.9]))
df["ratio"] = df["petal_length"] / df["petal_width"]
print(df.groupby("species", observed=True)["ratio"].mean().sort_values().round(3))
