"""Dates in four ways of writing are read one after another, first format that fits; what none fits stays empty.
Idea: a question on a column with several date formats."""

import sys
from datetime import datetime, timedelta

import numpy as np
import pandas as pd

SIZE = sys.argv[1] if len(sys.argv) > 1 else "middle"
n = 400 if SIZE == "small" else 20_000
FORMATS = ["%Y-%m-%d", "%d/%m/%Y", "%b %d, %Y", "%Y%m%d"]

rng = np.random.default_rng(31)
start = datetime(2019, 1, 1)
texts = []
for days in rng.integers(0, 1500, n):
    day = start + timedelta(days=int(days))
    texts.append(day.strftime(FORMATS[rng.integers(0, len(FORMATS))]))
for k in rng.choice(n, n // 40, replace=False):
    texts[k] = "unknown"
df = pd.DataFrame({"order": range(n), "date": texts, "amount": rng.integers(1, 100, n)})

parsed = pd.Series(pd.NaT, index=df.index, dtype="datetime64[ns]")
for fmt in FORMATS:
    todo = parsed.isna()
    found = pd.to_datetime(df.loc[todo, "date"], format=fmt, errors="coerce")
    parsed[todo] = found
    print(f"{fmt:12s} {found.notna().sum():6d} of {todo.sum()}")
df["parsed"] = parsed
print(df.head(8))

good = df.dropna(subset=["parsed"]).copy()
good["year"] = good["parsed"].dt.year
good["month"] = good["parsed"].dt.month
good["weekday"] = good["parsed"].dt.day_name()
print(good.pivot_table(index="month", columns="year", values="amount", aggfunc="sum", fill_value=0))
print(good.groupby("weekday")["amount"].mean().round(2))
gaps = good["parsed"].sort_values().drop_duplicates().diff().dropna()
print("longest gap:", gaps.max(), "first:", good["parsed"].min().date(), "last:", good["parsed"].max().date())
