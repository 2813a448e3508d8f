"""Schedules of loans, month by month with extra payments, against the formula of the annuity."""

import sys

import numpy as np
import pandas as pd

SIZE = sys.argv[1] if len(sys.argv) > 1 else "middle"
loans = 6 if SIZE == "small" else 400


def schedule(principal, rate, years, extra=0.0):
    monthly = rate / 12
    months = years * 12
    payment = principal * monthly / (1 - (1 + monthly) ** -months)
    rows, balance, month = [], principal, 0
    while balance > 0.005:
        month += 1
        interest = balance * monthly
        paid = min(payment + extra, balance + interest)
        balance = balance + interest - paid
        rows.append([month, paid, interest, paid - interest, balance])
    return pd.DataFrame(rows, columns=["month", "paid", "interest", "principal", "balance"])


rng = np.random.default_rng(360)
example = schedule(200_000, 0.04, 15)
print(example.head(4).round(2))
print(example.tail(2).round(1).abs())
print("months:", len(example), "interest:", round(example["interest"].sum(), 2))

summary = []
for k in range(loans):
    principal = float(rng.integers(50, 500)) * 1000
    rate = round(float(rng.uniform(0.01, 0.07)), 4)
    years = int(rng.choice([10, 15, 20]))
    plain = schedule(principal, rate, years)
    faster = schedule(principal, rate, years, extra=principal * 0.001)
    year = (plain["month"] - 1) // 12
    first = plain.groupby(year)["interest"].sum().iloc[0]
    summary.append(
        [principal, rate, years, plain["interest"].sum(), faster["interest"].sum(), len(plain) - len(faster), first]
    )
table = pd.DataFrame(
    summary, columns=["principal", "rate", "years", "interest", "with_extra", "months_saved", "first_year"]
)
table["saved"] = table["interest"] - table["with_extra"]
print(table.head(6).round({"interest": 1, "with_extra": 1, "first_year": 1, "saved": 1}).to_string())
print(table.groupby("years")[["interest", "saved", "months_saved"]].mean().round(1))
print(table[["rate", "saved", "months_saved"]].corr().round(3))
