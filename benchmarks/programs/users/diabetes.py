"""Diabetes patients: groups of patients, correlations, a linear model by hand."""

import numpy as np
import pandas as pd
from sklearn.datasets import load_diabetes

data = load_diabetes(scaled=False)
df = pd.DataFrame(data["data"], columns=data["feature_names"])
df["progress"] = data["target"]
df["sex"] = df["sex"].map({1.0: "one", 2.0: "two"})
print(df.describe().round(2))
print(df["sex"].value_counts())
print(df.groupby("sex")[["age", "bmi", "bp", "progress"]].agg(["mean", "median"]).round(2))

df["age_group"] = pd.cut(df["age"], bins=[0, 30, 45, 60, 100], labels=["-30", "31-45", "46-60", "61+"])
df["bmi_decile"] = pd.qcut(df["bmi"], 10, labels=False)
print(df.groupby("age_group", observed=True)["progress"].agg(["count", "mean", "std"]).round(2))
print(df.groupby("bmi_decile")["progress"].mean().round(1))
print(df.pivot_table(values="progress", index="age_group", columns="sex", aggfunc="mean", observed=True).round(1))

numeric = df.select_dtypes("number").drop(columns=["bmi_decile"])
print(numeric.corr()["progress"].drop("progress").sort_values(ascending=False).round(3))
print(numeric.corr(method="spearman").loc["progress"].round(3))

x = numeric.drop(columns="progress")
x = (x - x.mean()) / x.std()
x.insert(0, "one", 1.0)
weights, *_ = np.linalg.lstsq(x.to_numpy(), numeric["progress"].to_numpy(), rcond=None)
print(pd.Series(weights, index=x.columns).round(3))
df["fitted"] = x.to_numpy() @ weights
df["residual"] = df["progress"] - df["fitted"]
print(round(1 - df["residual"].var() / df["progress"].var(), 4))
print(df.nlargest(5, "residual")[["age", "bmi", "progress", "fitted"]].round(1))
print(df.groupby("age_group", observed=True)["residual"].mean().round(2))

outliers = (numeric - numeric.mean()).abs() > 3 * numeric.std()
print(outliers.sum())
print(df[outliers.any(axis=1)].shape)
clipped = numeric.clip(numeric.quantile(0.01), numeric.quantile(0.99), axis=1)
print(clipped.max().round(2))
