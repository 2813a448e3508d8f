"""Income tax by brackets for many taxpayers, as a loop, as arrays, and the effect of a change of the brackets.
Idea: a kata about progressive taxes."""

import sys

import numpy as np
import pandas as pd

SIZE = sys.argv[1] if len(sys.argv) > 1 else "middle"
n = 3_000 if SIZE == "small" else 120_000

BRACKETS = [(0, 0.0), (11_000, 0.12), (30_000, 0.22), (70_000, 0.35), (150_000, 0.45)]


def tax(income):
    total = 0.0
    for k, (low, rate) in enumerate(BRACKETS):
        high = BRACKETS[k + 1][0] if k + 1 < len(BRACKETS) else float("inf")
        if income > low:
            total += (min(income, high) - low) * rate
    return total


def tax_array(income, brackets):
    total = np.zeros(len(income))
    for k, (low, rate) in enumerate(brackets):
        high = brackets[k + 1][0] if k + 1 < len(brackets) else np.inf
        total += np.clip(income - low, 0, high - low) * rate
    return total


rng = np.random.default_rng(1040)
people = pd.DataFrame(
    {
        "income": rng.lognormal(10.4, 0.7, n).round(0),
        "children": rng.poisson(0.8, n),
        "region": rng.choice(["east", "west", "south"], n),
    }
)
people["taxable"] = (people["income"] - 4_000 * people["children"]).clip(lower=0)
people["tax"] = people["taxable"].apply(tax)
people["tax2"] = tax_array(people["taxable"].to_numpy(), BRACKETS)
print("ways agree:", np.allclose(people["tax"], people["tax2"]))
people["rate"] = np.where(people["income"] > 0, people["tax"] / people["income"], 0)
print(people.head(5).round(3))

edges = [low for low, _ in BRACKETS] + [np.inf]
people["bracket"] = np.digitize(people["taxable"], edges[1:-1])
print(people.groupby("bracket").agg(n=("tax", "size"), tax=("tax", "mean"), rate=("rate", "mean")).round(3))
print(people.groupby(["region", "bracket"])["tax"].sum().unstack().round(0).astype(int))

changed = [(low, rate + 0.02 if low >= 70_000 else rate) for low, rate in BRACKETS]
people["new"] = tax_array(people["taxable"].to_numpy(), changed)
more = people[people["new"] > people["tax"] + 0.005]
print("pay more:", len(more), "in all:", round((people["new"] - people["tax"]).sum()))
sorted_income = np.sort(people["income"].to_numpy())
after = np.sort((people["income"] - people["tax"]).to_numpy())


def gini(x):
    k = np.arange(1, len(x) + 1)
    return float((2 * k - len(x) - 1).dot(x) / (len(x) * x.sum()))


print(f"Gini before {gini(sorted_income):.4f} after {gini(after):.4f}")
for q in (0.1, 0.5, 0.9, 0.99):
    print(f"{q:.2f} {people['income'].quantile(q):12.3f} {people['tax'].quantile(q):12.3f}")
