"""Weekly sales against the year before, a target for each branch, and the running total over the year."""

import sys

import numpy as np
import pandas as pd

SIZE = sys.argv[1] if len(sys.argv) > 1 else "middle"
n = 3_000 if SIZE == "small" else 250_000

rng = np.random.default_rng(53)
branches = ["Basel", "Bern", "Genf", "Lugano"]
sales = pd.DataFrame(
    {
        "date": pd.Timestamp("2021-01-04") + pd.to_timedelta(rng.integers(0, 728, n), unit="D"),
        "branch": rng.choice(branches, n, p=[0.3, 0.25, 0.3, 0.15]),
        "amount": rng.gamma(2, 25, n).round(2),
        "cashier": rng.integers(1, 15, n),
    }
)
sales["year"] = sales["date"].dt.isocalendar().year
sales["week"] = sales["date"].dt.isocalendar().week
print(sales.head(4))
print(sales.dtypes.astype(str).to_dict())

weekly = sales.groupby(["year", "week", "branch"])["amount"].sum().unstack("branch")
print(weekly.head(3).round(2))
total = weekly.sum(axis=1).unstack("year")
total.columns = ["before", "now"]
total["change"] = (total["now"] / total["before"] - 1) * 100
print(total.iloc[::13].round(2))
print("better weeks:", int((total["change"] > 0).sum()), "of", len(total))

targets = pd.DataFrame({"branch": branches, "target": [30, 25, 31, 16]}).set_index("branch")
targets["target"] = targets["target"] / 100 * sales["amount"].sum() / 2
done = sales[sales["year"] == 2022].groupby("branch")["amount"].sum()
targets["sold"] = done
targets["percent"] = (targets["sold"] / targets["target"] * 100).round(1)
for branch, row in targets.iterrows():
    print(f"{branch:8s} {row['percent']:6.1f} % {'reached' if row['sold'] >= row['target'] else 'missed'}")

day = sales.set_index("date")["amount"].resample("D").sum()
running = day.groupby(day.index.year).cumsum()
print(running.loc["2022-03-30":"2022-04-01"].round(2))
share = running / running.groupby(running.index.year).transform("max")
print("half of the year's sales on:", [str(g[g >= 0.5].index[0].date()) for _, g in share.groupby(share.index.year)])
names = sales["date"].dt.day_name().str[:3]
print(pd.crosstab(names, sales["branch"], values=sales["amount"], aggfunc="mean").round(2))
top = sales.groupby(["branch", "cashier"])["amount"].sum().groupby(level="branch").idxmax()
print([(b, int(c)) for b, c in top])
