"""Roulette with a doubled stake after each loss: how long the money lasts, and what is left.
Idea: a question on simulating the martingale."""

import random
import sys

import numpy as np
import pandas as pd

SIZE = sys.argv[1] if len(sys.argv) > 1 else "middle"
players = 60 if SIZE == "small" else 2_500


def play(r, money, spins, limit):
    stake, history = 1, [money]
    for _ in range(spins):
        if stake > money:
            break
        if r.randint(0, 36) in range(1, 19):
            money += stake
            stake = 1
        else:
            money -= stake
            stake = min(stake * 2, limit)
        history.append(money)
    return history


r = random.Random(36)
results = []
for p in range(players):
    start = r.choice([50, 100, 200])
    limit = r.choice([32, 1000])
    history = play(r, start, 300, limit)
    h = np.array(history)
    results.append(
        {
            "start": start,
            "limit": limit,
            "spins": len(h) - 1,
            "end": h[-1],
            "peak": h.max(),
            "worst_drop": int((np.maximum.accumulate(h) - h).max()),
        }
    )
df = pd.DataFrame(results)
df["gain"] = df["end"] - df["start"]
df["outcome"] = np.where(df["spins"] < 300, "broke", np.where(df["gain"] > 0, "won", "lost"))
print(df.head(5).to_string())
print(df.groupby(["start", "limit"])["gain"].agg(["size", "mean", "min", "max"]).round(2))
print(pd.crosstab(df["limit"], df["outcome"]))
print(df[["spins", "peak", "worst_drop"]].describe().round(2))
q = df["gain"].quantile([0.05, 0.25, 0.5, 0.75, 0.95])
for p, value in q.items():
    print(f"{p:.2f} {value:9.2f}")
print("won on average:", round(df["gain"].mean(), 3))
