"""Put accounts that share an address or a phone into one group, with union-find over the rows of a frame.

Idea: the question how to group rows that are connected by any of two columns
"""

import sys

import numpy as np
import pandas as pd

SIZE = sys.argv[1] if len(sys.argv) > 1 else "middle"
n = 300 if SIZE == "small" else 9000

rng = np.random.default_rng(606)
df = pd.DataFrame(
    {
        "account": np.arange(1000, 1000 + n),
        "mail": [f"user{k}@example.org" for k in rng.integers(0, 2 * n, n)],
        "phone": [f"0{k:06d}" if k % 9 else None for k in rng.integers(0, 2 * n, n)],
        "spent": rng.gamma(2, 30, n).round(2),
    }
)
print(df.head())
parent = {}


def find(x):
    while parent[x] != x:
        parent[x] = parent[parent[x]]
        x = parent[x]
    return x


for account in df["account"]:
    parent[account] = account
for column in ["mail", "phone"]:
    first = {}
    for _, row in df.iterrows():
        key = row[column]
        if pd.isna(key):
            continue
        if key in first:
            a, b = find(row["account"]), find(first[key])
            if a != b:
                parent[max(a, b)] = min(a, b)
        else:
            first[key] = row["account"]

df["person"] = [find(a) for a in df["account"]]
sizes = df["person"].value_counts()
print("persons:", df["person"].nunique(), "of", n, "accounts")
print("sizes:", sizes.value_counts().sort_index().to_dict())
people = df.groupby("person").agg(accounts=("account", "count"), spent=("spent", "sum"), phones=("phone", "nunique"))
print(people.sort_values(["accounts", "spent"], ascending=False).head(5).round(2))
top = people["accounts"].idxmax()
print(df[df["person"] == top].sort_values("account").head(8).to_string(index=False))
twice = df[df.duplicated("mail", keep=False)].sort_values(["mail", "account"])
print("mails used twice:", twice["mail"].nunique(), "first:", twice["mail"].iloc[0])
assert (twice.groupby("mail")["person"].nunique() == 1).all()
df["share"] = df["spent"] / df.groupby("person")["spent"].transform("sum")
print(df["share"].round(3).describe().round(3))
