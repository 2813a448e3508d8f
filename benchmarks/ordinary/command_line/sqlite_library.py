"""A small library in SQLite: tables written by pandas, joined by SQL and by merge, loans overdue."""

import argparse
import sqlite3

import numpy as np
import pandas as pd

parser = argparse.ArgumentParser()
parser.add_argument("size", nargs="?", default="middle")
parser.add_argument("--today", default="2024-06-01", type=pd.Timestamp)
args = parser.parse_args()
n = 400 if args.size == "small" else 40_000

rng = np.random.default_rng(3)
books = pd.DataFrame(
    {
        "book": range(1, 61),
        "title": [f"Volume {k}" for k in range(1, 61)],
        "shelf": list("ABCDEF") * 10,
        "price": rng.uniform(5, 60, 60).round(2),
    }
)
readers = pd.DataFrame({"reader": range(1, 31), "name": [f"Reader {chr(65 + k % 26)}{k // 26}" for k in range(30)]})
lent = pd.Timestamp("2024-01-01") + pd.to_timedelta(rng.integers(0, 150, n), unit="D")
loans = pd.DataFrame({"book": rng.integers(1, 66, n), "reader": rng.integers(1, 31, n), "lent": lent})
loans["back"] = loans["lent"] + pd.to_timedelta(rng.integers(1, 60, n), unit="D")
loans.loc[loans["back"] > args.today, "back"] = pd.NaT

connection = sqlite3.connect(":memory:")
books.to_sql("books", connection, index=False)
readers.to_sql("readers", connection, index=False)
loans.assign(lent=loans["lent"].dt.strftime("%Y-%m-%d"), back=loans["back"].dt.strftime("%Y-%m-%d")).to_sql(
    "loans", connection, index=False
)
print([row[0] for row in connection.execute("select name from sqlite_master order by name")])

query = """select shelf, count(*) as n, round(avg(price), 3) as price from loans join books using (book)
group by shelf order by shelf"""
by_sql = pd.read_sql(query, connection)
print(by_sql)
joined = loans.merge(books, on="book", how="left", indicator=True).merge(readers, on="reader")
by_pandas = joined.groupby("shelf").agg(n=("book", "size"), price=("price", "mean")).reset_index()
print("same:", (by_sql["n"] == by_pandas["n"]).all() and np.allclose(by_sql["price"], by_pandas["price"], atol=1e-3))
print(joined["_merge"].value_counts().to_dict())

back = pd.read_sql("select * from loans where back is null limit ?", connection, params=(5,), parse_dates=["lent"])
print(back)
joined["days"] = (joined["back"].fillna(args.today) - joined["lent"]).dt.days
late = joined[joined["days"] > 28]
print(f"late: {len(late)}, fees {((late['days'] - 28) * 0.1).sum():.2f}")
print(late.groupby("name")["days"].agg(["count", "max"]).sort_values(["count", "max"], ascending=False).head(4))
month = joined.groupby([joined["lent"].dt.month_name(), "shelf"]).size().unstack(fill_value=0)
print(month)
connection.close()
