"""Prices of shops over the year: last known price of each day, changes, cheapest shop, and a basket index."""

import sys

import numpy as np
import pandas as pd

SIZE = sys.argv[1] if len(sys.argv) > 1 else "middle"
products = 12 if SIZE == "small" else 500

rng = np.random.default_rng(33)
shops = ["north", "south", "web"]
records = []
for p in range(products):
    for shop in shops:
        price = float(rng.uniform(2, 60))
        for day in sorted(rng.choice(365, 12, replace=False)):
            price = round(price * rng.uniform(0.9, 1.12), 2)
            records.append({"product": f"p{p:03d}", "shop": shop, "day": int(day), "price": price})
changes = pd.DataFrame(records)
changes["date"] = pd.to_datetime("2022-01-01") + pd.to_timedelta(changes["day"], unit="D")
print(changes.head(4))

wide = changes.pivot_table(index="date", columns=["product", "shop"], values="price")
daily = wide.reindex(pd.date_range("2022-01-01", "2022-12-31")).ffill()
print(daily.shape, int(daily.isna().sum().sum()))
print(daily.iloc[[100, 364], :4])

last = daily.loc["2022-12-31"].unstack("shop")
last["cheapest"] = last[shops].idxmin(axis=1)
last["spread"] = (last[shops].max(axis=1) / last[shops].min(axis=1) - 1).round(4)
print(last.head(5))
print(last["cheapest"].value_counts().sort_index())

monthly = daily.resample("MS").mean()
index = monthly.div(monthly.bfill().iloc[0]).mean(axis=1) * 100
print(index.round(2).to_string())
steps = changes.sort_values(["product", "shop", "day"]).groupby(["product", "shop"])["price"].pct_change()
print("rises", int((steps > 0).sum()), "falls", int((steps < 0).sum()), "mean", round(steps.mean(), 5))
for shop in shops:
    mine = changes[changes["shop"] == shop]
    top = mine.loc[mine["price"].idxmax()]
    print(f"{shop:6s} {top['product']} {top['price']:8.2f} on {top['date']:%d %b}")
