"""Stacked bars of sales per month and product from a pivot table, with the totals written above."""

import sys

import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt
import numpy as np
import pandas as pd

SIZE = sys.argv[1] if len(sys.argv) > 1 else "middle"
n = 600 if SIZE == "small" else 60_000

rng = np.random.default_rng(17)
sales = pd.DataFrame(
    {
        "date": pd.Timestamp("2024-01-01") + pd.to_timedelta(rng.integers(0, 366, n), unit="D"),
        "product": rng.choice(["tea", "coffee", "cocoa"], n, p=[0.5, 0.3, 0.2]),
        "amount": rng.gamma(2, 15, n).round(2),
    }
)
sales["month"] = sales["date"].dt.strftime("%b")
sales["nr"] = sales["date"].dt.month
table = sales.pivot_table(index="nr", columns="product", values="amount", aggfunc="sum", fill_value=0)
labels = sales.drop_duplicates("nr").set_index("nr")["month"].sort_index()

fig, ax = plt.subplots()
bottom = np.zeros(len(table))
for product in table.columns:
    ax.bar(labels, table[product], bottom=bottom, label=product)
    bottom += table[product].to_numpy()
for k, total in enumerate(bottom):
    ax.text(k, total, f"{total:,.0f}", ha="center")
ax.set_ylabel("amount")
ax.legend(title="product")
fig.canvas.draw()

print("tick labels:", [t.get_text() for t in ax.get_xticklabels()])
for container in ax.containers:
    print(container.get_label(), [round(float(p.get_height()), 2) for p in container][:6])
print("bases:", [round(float(p.get_y()), 2) for p in ax.containers[2]][:6])
print("texts:", [t.get_text() for t in ax.texts])
print("legend:", ax.get_legend().get_title().get_text(), [t.get_text() for t in ax.get_legend().get_texts()])
share = table.div(table.sum(axis=1), axis=0)
print(share.round(3).head())
print("best month:", labels[table.sum(axis=1).idxmax()], "highest y limit:", round(float(ax.get_ylim()[1]), 1))
plt.close(fig)
