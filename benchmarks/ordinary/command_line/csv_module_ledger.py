"""A household ledger by the csv module alone, then the same by pandas; the two must agree."""

import csv
import io
import sys
from collections import defaultdict
from datetime import date, timedelta
from decimal import Decimal

import numpy as np
import pandas as pd

SIZE = sys.argv[1] if len(sys.argv) > 1 else "middle"
n = 800 if SIZE == "small" else 25_000

rng = np.random.default_rng(18)
buffer = io.StringIO(newline="")
writer = csv.DictWriter(buffer, fieldnames=["date", "account", "category", "amount", "note"])
writer.writeheader()
day = date(2023, 1, 1)
for k in range(n):
    cents = int(rng.integers(100, 20_000))
    writer.writerow(
        {
            "date": (day + timedelta(days=int(k * 365 / n))).isoformat(),
            "account": ["cash", "bank"][rng.integers(2)],
            "category": ["food", "rent", "books", "wages"][rng.integers(4)],
            "amount": f"{'' if k % 5 == 0 else '-'}{cents // 100}.{cents % 100:02d}",
            "note": 'said "fine", paid' if k % 50 == 0 else "",
        }
    )
text = buffer.getvalue()
print(text.splitlines()[0], "|", len(text), "characters")

sums = defaultdict(Decimal)
balance = Decimal(0)
lowest = Decimal(0)
for row in csv.DictReader(io.StringIO(text)):
    amount = Decimal(row["amount"])
    sums[row["date"][:7], row["category"]] += amount
    balance += amount
    lowest = min(lowest, balance)
print("balance:", balance, "lowest:", lowest)

df = pd.read_csv(io.StringIO(text), parse_dates=["date"])
print(df.head(3))
print(df.isna().sum().to_dict(), df["note"].nunique())
df["cents"] = (df["amount"] * 100).round().astype(int)
table = df.pivot_table(index=df["date"].dt.strftime("%Y-%m"), columns="category", values="cents", aggfunc="sum")
print((table / 100).head(4))
for (month, category), value in sums.items():
    assert table.loc[month, category] == int(value * 100), (month, category)
df["balance"] = df["cents"].cumsum() / 100
print(
    "balance by pandas:",
    df["balance"].iloc[-1],
    "lowest:",
    df["balance"].min(),
    "on",
    df.loc[df["balance"].idxmin(), "date"].date(),
)
largest = df.sort_values(["cents", "account"]).head(3)[["date", "account", "category", "amount"]]
print(largest.to_string(index=False))
out = io.StringIO()
df.groupby("account")["amount"].agg(["count", "sum"]).round(2).to_csv(out)
print(list(csv.reader(out.getvalue().splitlines())))
