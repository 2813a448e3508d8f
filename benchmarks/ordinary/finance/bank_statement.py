"""A year of a bank account: categories by key words, balance, standing orders, and the month when money was short."""

import io
import sys

import numpy as np
import pandas as pd

SIZE = sys.argv[1] if len(sys.argv) > 1 else "middle"
n = 600 if SIZE == "small" else 20_000

rng = np.random.default_rng(12)
texts = [
    ("SUPERMARKET CITY 0042", -60), ("Rent flat 12b", -900), ("SALARY ACME CORP", 2600), ("Petrol Station A7", -55),
    ("ONLINE SHOP order {}", -40), ("Insurance CAR", -48), ("cafe corner", -6), ("Refund order {}", 25), ("ATM withdrawal", -100),
]  # fmt: skip
lines = ["date;text;amount"]
for day in np.sort(rng.integers(0, 365, n)):
    text, amount = texts[rng.choice(len(texts), p=[0.25, 0.03, 0.04, 0.1, 0.2, 0.03, 0.2, 0.05, 0.1])]
    value = amount * rng.uniform(0.8, 1.2)
    date = pd.Timestamp("2023-01-01") + pd.Timedelta(days=int(day))
    number = f"{value:.2f}".replace(".", ",")
    lines.append(f"{date:%d.%m.%Y};{text.format(rng.integers(1000, 9999))};{number}")
df = pd.read_csv(io.StringIO("\n".join(lines)), sep=";", decimal=",")
df["date"] = pd.to_datetime(df["date"], format="%d.%m.%Y")
print(df.head(4))
print(df.dtypes)

WORDS = {
    "super": "food",
    "cafe": "food",
    "rent": "home",
    "salary": "income",
    "petrol": "car",
    "insurance": "car",
    "refund": "income",
}


def category(text):
    for word, name in WORDS.items():
        if word in text.lower():
            return name
    return "other"


df["category"] = df["text"].apply(category)
df["balance"] = 1000 + df["amount"].cumsum()
df["month"] = df["date"].dt.strftime("%b")
order = list(dict.fromkeys(df["month"]))
table = df.pivot_table(index="month", columns="category", values="amount", aggfunc="sum", fill_value=0).loc[order]
print(table.round(2))
low = df.loc[df["balance"].idxmin()]
print(f"lowest balance {low['balance']:.2f} on {low['date']:%d %B}")
df["clean"] = df["text"].str.replace(r"\d+", "", regex=True).str.strip().str.lower()
repeated = df.groupby("clean")["amount"].agg(["count", "mean", "sum"]).round(2).sort_values("sum")
print(repeated)
spent = -df[df["amount"] < 0].set_index("date")["amount"].resample("W").sum()
print("weeks:", len(spent), "mean:", round(spent.mean(), 2), "highest:", round(spent.max(), 2))
