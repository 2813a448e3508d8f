"""Amounts of money as users type them, with signs, brackets, thousands and other currencies, become numbers.
Idea: a question on converting currency strings to float."""

import sys

import numpy as np
import pandas as pd

SIZE = sys.argv[1] if len(sys.argv) > 1 else "middle"
n = 500 if SIZE == "small" else 40_000

rng = np.random.default_rng(5)
RATES = {"USD": 1.0, "EUR": 1.1, "GBP": 1.25}
values = rng.lognormal(6, 1.5, n).round(2)
raw = []
for k, v in enumerate(values):
    form = k % 6
    if form == 0:
        raw.append(f"${v:,.2f}")
    elif form == 1:
        raw.append(f"(${v:,.2f})")
    elif form == 2:
        raw.append(f"EUR {v:.2f}")
    elif form == 3:
        raw.append(f"£{v:,.2f}")
    elif form == 4:
        raw.append(f" -{v:.2f} USD")
    else:
        raw.append(rng.choice(["n/a", "", "-", f"{v:.0f}"]))
df = pd.DataFrame({"id": np.arange(n), "amount": raw})


def currency(text):
    if "EUR" in text:
        return "EUR"
    if "£" in text:
        return "GBP"
    return "USD"


df["currency"] = df["amount"].map(currency)
text = df["amount"].str.strip()
negative = text.str.startswith("(") | text.str.startswith("-")
text = text.str.replace(r"[^0-9.]", "", regex=True)
df["value"] = pd.to_numeric(text, errors="coerce")
df.loc[negative, "value"] = -df.loc[negative, "value"]
df["usd"] = df["value"] * df["currency"].map(RATES)

print(df.head(12).to_string())
print("not a number:", int(df["value"].isna().sum()))
print(df.groupby("currency")["usd"].agg(["count", "sum", "min", "max"]).round(4))
big = df[df["usd"].abs() > df["usd"].abs().quantile(0.95)]
print("large:", len(big), "sum", round(big["usd"].sum(), 4))
