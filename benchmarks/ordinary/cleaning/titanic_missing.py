"""Fills gaps in a passenger list: age by the median of class and sex, port by the commonest, titles out of names.
Idea: the Titanic tutorial."""

import sys

import numpy as np
import pandas as pd

SIZE = sys.argv[1] if len(sys.argv) > 1 else "middle"
n = 891 if SIZE == "small" else 30_000

rng = np.random.default_rng(1912)
titles = ["Mr", "Mrs", "Miss", "Master", "Dr", "Rev", "Col"]
sex_of = {"Mr": "male", "Mrs": "female", "Miss": "female", "Master": "male", "Dr": "male", "Rev": "male", "Col": "male"}
title = rng.choice(titles, n, p=[0.55, 0.15, 0.2, 0.05, 0.02, 0.02, 0.01])
names = [f"Surname{rng.integers(0, 500)}, {t}. Given{i % 97}" for i, t in enumerate(title)]
df = pd.DataFrame(
    {
        "PassengerId": range(1, n + 1),
        "Pclass": rng.choice([1, 2, 3], n, p=[0.25, 0.2, 0.55]),
        "Name": names,
        "Sex": [sex_of[t] for t in title],
        "Age": np.where(rng.random(n) < 0.2, np.nan, rng.normal(30, 12, n).clip(0.4, 80).round(1)),
        "SibSp": rng.poisson(0.5, n),
        "Parch": rng.poisson(0.4, n),
        "Fare": rng.gamma(2, 15, n).round(2),
        "Embarked": rng.choice(["S", "C", "Q", None], n, p=[0.7, 0.2, 0.08, 0.02]),
    }
)
df["Survived"] = ((df["Sex"] == "female") * 0.5 + (4 - df["Pclass"]) * 0.1 + rng.random(n) * 0.6 > 0.7).astype(int)

print(df.isnull().sum())
df["Title"] = df["Name"].str.extract(r",\s*([A-Za-z]+)\.", expand=False)
df["Title"] = df["Title"].replace({"Dr": "Rare", "Rev": "Rare", "Col": "Rare"})
df["Age"] = df["Age"].fillna(df.groupby(["Pclass", "Sex"])["Age"].transform("median"))
df["Embarked"] = df["Embarked"].fillna(df["Embarked"].mode()[0])
df["FamilySize"] = df["SibSp"] + df["Parch"] + 1
df["IsAlone"] = 0
df.loc[df["FamilySize"] == 1, "IsAlone"] = 1
df["AgeBand"] = pd.cut(df["Age"], [0, 12, 18, 35, 60, 100], labels=["child", "teen", "young", "adult", "old"])

print(df[["Title", "Survived"]].groupby("Title").mean().round(3).sort_values("Survived"))
print(df.groupby("AgeBand", observed=True)["Survived"].agg(["count", "mean"]).round(3))
print(pd.crosstab(df["Pclass"], df["Sex"]))
for alone, part in df.groupby("IsAlone"):
    print(
        f"alone={alone}: {len(part)} passengers, {part['Survived'].mean():.3f} survived, fare {part['Fare'].median():.2f}"
    )
df = pd.get_dummies(df.drop(columns=["Name", "PassengerId"]), columns=["Sex", "Embarked"])
print(sorted(df.columns))
print(df[["Age", "Fare", "FamilySize"]].describe().round(2))
