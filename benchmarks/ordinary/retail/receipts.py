"""Receipts as text lines are read back into a table, added up and printed as a till would print them."""

import random
import sys

import pandas as pd

SIZE = sys.argv[1] if len(sys.argv) > 1 else "middle"
n = 203 if SIZE == "small" else 8_011

r = random.Random(99)
PRICES = {"Espresso": 2.2, "Cappuccino": 3.1, "Croissant": 1.9, "Sandwich": 5.4, "Juice": 3.6, "Cake": 4.2}
TAX = {"Espresso": 0.19, "Cappuccino": 0.07, "Croissant": 0.07, "Sandwich": 0.07, "Juice": 0.19, "Cake": 0.07}
text = []
for number in range(n):
    text.append(f"#{number:05d} table {r.randint(1, 12)} {r.randint(7, 18):02d}:{r.randint(0, 59):02d}")
    for _ in range(r.randint(1, 5)):
        item = r.choice(list(PRICES))
        text.append(f"  {r.randint(1, 3)} x {item:<12} {PRICES[item]:>6.2f}")
    text.append("")

rows, head = [], None
for line in text:
    if line.startswith("#"):
        number, _, table, clock = line.split()
        head = {"receipt": int(number[1:]), "table": int(table), "hour": int(clock[:2])}
    elif line.strip():
        count, rest = line.split(" x ")
        item, price = rest.split()
        rows.append({**head, "item": item, "count": int(count), "price": float(price)})
df = pd.DataFrame(rows)
df["total"] = df["count"] * df["price"]
df["tax"] = df.apply(lambda row: row["total"] - row["total"] / (1 + TAX[row["item"]]), axis=1)
print(df.head(5).round(2))

print(df.groupby("item")[["count", "total", "tax"]].sum().round(2).sort_values("total", ascending=False))
per = df.groupby("receipt").agg(lines=("item", "size"), total=("total", "sum"), hour=("hour", "first"))
print(per["total"].describe().round(3))
for hour, group in per.groupby("hour"):
    bar = "#" * round(40 * len(group) / len(per) * 3)
    print(f"{hour:02d} {len(group):5d} {group['total'].mean():7.2f} {bar}")
top = (
    df.groupby(["table", "item"])["count"]
    .sum()
    .reset_index()
    .sort_values(["count", "table", "item"], ascending=[False, True, True])
)
print(top.drop_duplicates("table").head(5).to_string(index=False))
