"""Nested records as an interface returns them become flat tables, lists in them become rows, and gaps are counted.
Idea: a question on flattening nested JSON into a DataFrame."""

import json
import random
import sys

import pandas as pd

SIZE = sys.argv[1] if len(sys.argv) > 1 else "middle"
n = 300 if SIZE == "small" else 10_000

r = random.Random(11)
records = []
for k in range(n):
    record = {
        "id": k,
        "user": {
            "name": f"user{r.randrange(n // 3)}",
            "address": {"city": r.choice(["Graz", "Linz", "Wien"]), "zip": str(r.randint(1000, 9999))},
        },
        "orders": [
            {"sku": f"s{r.randint(1, 20)}", "qty": r.randint(1, 5), "price": r.randint(100, 5000) / 100}
            for _ in range(r.randint(0, 4))
        ],
        "tags": r.sample(["new", "vip", "late", "web"], r.randint(0, 3)),
    }
    if r.random() < 0.1:
        del record["user"]["address"]["zip"]
    if r.random() < 0.05:
        record["orders"] = None
    records.append(record)
text = json.dumps(records)
data = json.loads(text)

users = pd.json_normalize(data)
users.columns = [c.replace("user.", "").replace("address.", "") for c in users.columns]
print(users.drop(columns=["orders"]).head(4).to_string())
print("without zip:", int(users["zip"].isna().sum()))

flat = []
for record in data:
    for order in record["orders"] or []:
        flat.append({"id": record["id"], **order})
orders = pd.DataFrame(flat)
orders["total"] = orders["qty"] * orders["price"]
print(orders.head(4))
again = pd.json_normalize([d for d in data if d["orders"]], record_path="orders", meta="id")
print("the same:", len(again) == len(orders), bool((again["qty"] == orders["qty"]).all()))

tags = users[["id", "tags"]].explode("tags").dropna()
print(tags["tags"].value_counts().sort_index())
merged = users.drop(columns=["orders", "tags"]).merge(
    orders.groupby("id")["total"].sum().reset_index(), on="id", how="left"
)
merged["total"] = merged["total"].fillna(0)
print(merged.groupby("city")["total"].agg(["count", "sum", "max"]).round(2))
print("nothing bought:", int((merged["total"] == 0).sum()))
best = (
    orders.groupby("sku").agg(qty=("qty", "sum"), total=("total", "sum")).sort_values(["qty", "total"], ascending=False)
)
print(best.head(4).round(2))
out = json.loads(merged.head(2).to_json(orient="records"))
print([sorted(o) for o in out][0], out[1]["city"])
