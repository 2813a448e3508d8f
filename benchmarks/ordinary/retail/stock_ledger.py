"""A warehouse book: deliveries and sales are played through row by row, orders are placed when stock runs low."""

import sys

import numpy as np
import pandas as pd

SIZE = sys.argv[1] if len(sys.argv) > 1 else "middle"
n = 1_000 if SIZE == "small" else 60_000

rng = np.random.default_rng(71)
articles = [f"A{k:03d}" for k in range(30)]
stock = {a: int(rng.integers(40, 120)) for a in articles}
reorder = {a: int(rng.integers(2, 12)) for a in articles}
sales = pd.DataFrame(
    {
        "day": np.sort(rng.integers(0, 365, n)),
        "article": rng.choice(articles, n),
        "wanted": rng.integers(1, 9, n),
    }
)
print(sales.head(3))

pending = {}
ledger = []
lost = 0
for row in sales.itertuples():
    for article in [a for a, (due, _) in pending.items() if due <= row.day]:
        due, amount = pending.pop(article)
        stock[article] += amount
        ledger.append((due, article, amount, stock[article], "delivery"))
    sold = min(row.wanted, stock[row.article])
    lost += row.wanted - sold
    if sold:
        stock[row.article] -= sold
        ledger.append((row.day, row.article, -sold, stock[row.article], "sale"))
    if stock[row.article] < reorder[row.article] and row.article not in pending:
        pending[row.article] = (row.day + 3, 80)
book = pd.DataFrame(ledger, columns=["day", "article", "change", "stock", "kind"])
print(book.tail(5))
print("lost sales:", lost, "entries:", len(book))

print(book.groupby("kind")["change"].agg(["count", "sum"]))
end = book.groupby("article")["stock"].last()
print("ends agree:", all(end[a] == stock[a] for a in end.index))
low = book[book["stock"] == 0].groupby("article").size().sort_values(ascending=False, kind="stable")
print("articles that ran out:", len(low), "most often:", int(low.max()) if len(low) else 0)
book["week"] = book["day"] // 7
weekly = book[book["kind"] == "sale"].pivot_table(
    index="week", columns="article", values="change", aggfunc="sum", fill_value=0
)
print((-weekly).iloc[:4, :5])
turnover = (-weekly.sum() / book.groupby("article")["stock"].mean()).round(3)
print(turnover.head(5))
