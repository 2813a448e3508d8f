"""Colours and sizes of a shop's articles, spelled in many ways, are mapped to the few that are meant."""

import sys
from collections import Counter

import numpy as np
import pandas as pd

SIZE = sys.argv[1] if len(sys.argv) > 1 else "middle"
n = 800 if SIZE == "small" else 60_000

rng = np.random.default_rng(12)
spelled = ["red", "Red ", "RED", "rd", "blue", "Blue", "bleu", "green", "GREEN", "gren", "black", "blk", "N/A", None]
sizes = ["S", "small", "M", "med", "medium", "L", "large", "XL", "x-large", "42"]
df = pd.DataFrame(
    {
        "sku": [f"SKU-{k:06d}" for k in rng.integers(0, n * 2, n)],
        "colour": rng.choice(np.array(spelled, dtype=object), n),
        "size": rng.choice(sizes, n),
        "stock": rng.integers(0, 50, n),
    }
)
print(sorted(Counter(df["colour"].fillna("missing")).items())[:4])

df["colour"] = df["colour"].str.strip().str.lower()
df["colour"] = df["colour"].replace({"rd": "red", "bleu": "blue", "gren": "green", "blk": "black", "n/a": np.nan})
size_map = {"small": "S", "med": "M", "medium": "M", "large": "L", "x-large": "XL"}
df["size"] = df["size"].map(lambda s: size_map.get(s, s))
df.loc[~df["size"].isin(["S", "M", "L", "XL"]), "size"] = "other"
df["size"] = pd.Categorical(df["size"], categories=["S", "M", "L", "XL", "other"], ordered=True)

print(df["colour"].value_counts(dropna=False).sort_index())
print(df.groupby("size", observed=False)["stock"].sum())
table = df.pivot_table(index="colour", columns="size", values="stock", aggfunc="mean", observed=False)
print(table.round(2))
print("larger than M:", int((df["size"] > "M").sum()))

duplicated = df[df.duplicated("sku", keep=False)].sort_values(["sku", "stock"], kind="stable")
print("skus listed twice:", duplicated["sku"].nunique())
merged = df.groupby("sku").agg(stock=("stock", "sum"), colours=("colour", "nunique"), lines=("stock", "size"))
print(merged[merged["lines"] > 1].head(6))
df["prefix"] = df["sku"].str.split("-").str[1].str[:2]
print(df.groupby("prefix")["stock"].sum().sort_values(ascending=False).head(3))
