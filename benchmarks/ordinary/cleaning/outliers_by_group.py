"""Prices with typing errors: outliers by the interquartile range in each category are marked, clipped and compared."""

import sys

import numpy as np
import pandas as pd

SIZE = sys.argv[1] if len(sys.argv) > 1 else "middle"
n = 600 if SIZE == "small" else 60_000

rng = np.random.default_rng(17)
categories = ["bread", "milk", "cheese", "wine", "coffee", "olive oil"]
base = dict(zip(categories, [2.5, 1.2, 9.0, 12.0, 7.5, 11.0]))
df = pd.DataFrame({"category": rng.choice(categories, n)})
df["price"] = [round(base[c] * f, 2) for c, f in zip(df["category"], rng.lognormal(0, 0.2, n))]
wrong = rng.choice(n, n // 100, replace=False)
df.loc[wrong, "price"] = df.loc[wrong, "price"] * 10

bounds = {}
for name, group in df.groupby("category"):
    q1, q3 = group["price"].quantile(0.25), group["price"].quantile(0.75)
    bounds[name] = (q1 - 1.5 * (q3 - q1), q3 + 1.5 * (q3 - q1))
    print(f"{name:10s} {q1:7.3f} {q3:7.3f} {bounds[name][1]:7.3f}")

df["outlier"] = False
for name, (low, high) in bounds.items():
    mask = (df["category"] == name) & ((df["price"] < low) | (df["price"] > high))
    df.loc[mask, "outlier"] = True
print("marked:", df["outlier"].sum(), "true errors among them:", df.loc[wrong, "outlier"].sum())

df["clipped"] = df.groupby("category")["price"].transform(lambda s: s.clip(s.quantile(0.01), s.quantile(0.99)))
mean = df.groupby("category")["price"].transform("mean")
std = df.groupby("category")["price"].transform("std")
df["z"] = (df["price"] - mean) / std
print("beyond three sigma:", int((df["z"].abs() > 3).sum()))
summary = df.groupby("category").agg({"price": ["mean", "max"], "clipped": ["mean", "max"], "outlier": "sum"})
summary.columns = ["_".join(c) for c in summary.columns]
print(summary.round(2).to_string())
