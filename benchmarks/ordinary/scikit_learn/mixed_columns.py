"""Numbers, categories and gaps in one table: a ColumnTransformer and a random forest.

Idea: the example of a column transformer with mixed types
"""

import sys

import numpy as np
import pandas as pd
from sklearn.compose import ColumnTransformer
from sklearn.ensemble import RandomForestClassifier
from sklearn.impute import SimpleImputer
from sklearn.inspection import permutation_importance
from sklearn.pipeline import Pipeline
from sklearn.preprocessing import OneHotEncoder, StandardScaler

SIZE = sys.argv[1] if len(sys.argv) > 1 else "middle"
n, trees = (300, 8) if SIZE == "small" else (4000, 30)

rng = np.random.default_rng(41)
df = pd.DataFrame(
    {
        "age": rng.integers(18, 80, n).astype(float),
        "fare": rng.lognormal(3, 0.6, n),
        "port": rng.choice(["Cork", "Brest", "Kiel", None], n, p=[0.5, 0.3, 0.15, 0.05]),
        "cabin": rng.choice(list("ABC"), n),
    }
)
df.loc[rng.random(n) < 0.1, "age"] = np.nan
bought = (df["fare"] > 20) ^ (df["cabin"] == "C")
df["again"] = np.where(bought & (rng.random(n) < 0.9), "yes", "no")
print(df.head())
print(df.dtypes)
print(df.isna().sum())

numbers, words = ["age", "fare"], ["port", "cabin"]
prepare = ColumnTransformer(
    [
        ("num", Pipeline([("fill", SimpleImputer(strategy="median")), ("scale", StandardScaler())]), numbers),
        ("cat", Pipeline([("fill", SimpleImputer(strategy="most_frequent")), ("one", OneHotEncoder())]), words),
    ]
)
model = Pipeline([("prepare", prepare), ("forest", RandomForestClassifier(trees, max_depth=6, random_state=0))])
train, test = df.iloc[: n // 2], df.iloc[n // 2 :]
model.fit(train.drop(columns="again"), train["again"])
print("columns:", list(model[:-1].get_feature_names_out()))
wide = model[:-1].transform(test.drop(columns="again"))
print("prepared:", wide.shape, "means", np.round(np.asarray(wide).mean(axis=0), 3))
guess = model.predict(test.drop(columns="again"))
print("right:", round((guess == test["again"]).mean(), 4))
print(pd.crosstab(test["cabin"], guess, normalize="index").round(3))
importance = permutation_importance(model, test.drop(columns="again"), test["again"], n_repeats=2, random_state=0)
print(pd.Series(importance.importances_mean, index=df.columns[:-1]).round(3))
