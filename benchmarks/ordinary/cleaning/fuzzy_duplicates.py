"""Names of companies that differ by a typo or a legal form are put together by a key and by difflib."""

import difflib
import random
import sys

import pandas as pd

SIZE = sys.argv[1] if len(sys.argv) > 1 else "middle"
n = 60 if SIZE == "small" else 6_000

r = random.Random(3)
heads = ["Alpine", "Baltic", "Cobalt", "Delta", "Evergreen", "Falcon", "Granite", "Harbor"]
tails = ["Foods", "Logistics", "Software", "Steel", "Textiles", "Energy"]
forms = ["Inc", "Inc.", "LLC", "Ltd", "GmbH", ""]


def typo(name):
    k = r.randrange(1, len(name) - 1)
    return name[:k] + name[k + 1 :] if r.random() < 0.5 else name[:k] + name[k] + name[k:]


records = []
for i in range(n):
    name = f"{r.choice(heads)} {r.choice(tails)} {r.choice(forms)}".strip()
    if r.random() < 0.3:
        name = typo(name)
    if r.random() < 0.2:
        name = name.upper()
    records.append((i, name, r.randrange(100, 10_000)))
df = pd.DataFrame(records, columns=["id", "company", "revenue"])

df["key"] = df["company"].str.lower().str.replace(r"\b(inc|llc|ltd|gmbh)\b\.?", "", regex=True).str.strip()
print("names:", df["company"].nunique(), "keys:", df["key"].nunique())

counts = df["key"].value_counts()
ordered = sorted(counts.index, key=lambda k: (-counts[k], k))
canonical = {}
kept = []
for key in ordered:
    match = difflib.get_close_matches(key, kept, n=1, cutoff=0.88)
    if match:
        canonical[key] = match[0]
    else:
        kept.append(key)
        canonical[key] = key
df["canonical"] = df["key"].map(canonical)
print("after matching:", df["canonical"].nunique())

top = df.groupby("canonical").agg(rows=("id", "size"), revenue=("revenue", "sum"), first=("id", "min"))
print(top.sort_values(["revenue", "first"], ascending=False).head(15))
changed = df[df["key"] != df["canonical"]]
for _, row in changed.head(10).iterrows():
    print(f"{row['id']:4d} {row['company']!r} -> {row['canonical']!r}")
