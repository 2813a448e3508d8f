"""Events as JSON lines in a temporary file: read line by line, flattened, and counted."""

import json
import sys
import tempfile
from pathlib import Path

import numpy as np
import pandas as pd

SIZE = sys.argv[1] if len(sys.argv) > 1 else "middle"
n = 800 if SIZE == "small" else 20_000

rng = np.random.default_rng(21)
with tempfile.TemporaryDirectory() as folder:
    path = Path(folder) / "events.jsonl"
    with open(path, "w") as f:
        for k in range(n):
            event = {
                "id": k,
                "type": str(rng.choice(["view", "buy", "error"], p=[0.8, 0.15, 0.05])),
                "user": {"name": f"user{rng.integers(50)}", "plan": "free" if rng.random() < 0.7 else "paid"},
                "at": f"2024-03-{rng.integers(1, 29):02d}T{rng.integers(24):02d}:15:00",
            }
            if event["type"] == "buy":
                event["items"] = [
                    {"sku": f"A{rng.integers(20):02d}", "price": round(float(rng.gamma(2, 9)), 2)}
                    for _ in range(rng.integers(1, 4))
                ]
            f.write(json.dumps(event) + "\n")
    print(path.name, len(path.read_text().splitlines()), "lines")
    events = [json.loads(line) for line in path.open()]
    frame = pd.read_json(path, lines=True)

print(frame.shape, sorted(frame.columns))
df = pd.json_normalize(events)
print(df[["id", "type", "user.name", "user.plan", "at"]].head(4))
df["at"] = pd.to_datetime(df["at"])
print(df["type"].value_counts())
print(df.groupby("user.plan")["type"].value_counts(normalize=True).round(3).unstack())

items = pd.json_normalize([e for e in events if "items" in e], record_path="items", meta=["id", ["user", "name"]])
print(items.head(3))
per_sku = items.groupby("sku")["price"].agg(["size", "sum"]).sort_values("sum", ascending=False)
print(per_sku.head(3).round(2))
baskets = items.groupby("id")["price"].sum()
print(f"baskets {len(baskets)}, mean {baskets.mean():.4f}, largest {baskets.max():.2f}")
daily = df.set_index("at").resample("7D")["id"].count()
print(json.dumps({str(day.date()): int(c) for day, c in daily.items()}, indent=1))
print(per_sku.head(2).round(2).to_json(orient="index"))
print(json.loads(df[["id", "type"]].tail(2).to_json(orient="records")))
