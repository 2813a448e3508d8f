"""Chances of a shared birthday, of sweets of every kind in a draw, and of no guest getting the own hat.
Idea: katas about probabilities."""

import math
import random
import sys
from collections import Counter

import numpy as np
import pandas as pd

SIZE = sys.argv[1] if len(sys.argv) > 1 else "middle"
trials = 300 if SIZE == "small" else 10_000

r = random.Random(366)
rows = []
for people in (5, 15, 23, 40):
    shared = 0
    for _ in range(trials):
        days = [r.randrange(365) for _ in range(people)]
        if len(set(days)) < people:
            shared += 1
    exact = 1 - math.prod((365 - k) / 365 for k in range(people))
    rows.append((people, shared / trials, exact))
print(pd.DataFrame(rows, columns=["people", "loop", "exact"]).round(4))

rng = np.random.default_rng(366)
days = np.sort(rng.integers(0, 365, (trials, 23)), axis=1)
print("arrays:", round(float((np.diff(days, axis=1) == 0).any(axis=1).mean()), 4))
triple = ((days[:, 2:] == days[:, :-2]).any(axis=1)).mean()
print("three share:", round(float(triple), 4))

needed = []
for _ in range(trials // 2):
    have, draws = set(), 0
    while len(have) < 8:
        have.add(r.randint(1, 8))
        draws += 1
    needed.append(draws)
needed = pd.Series(needed)
print("draws for all kinds:", needed.mean().round(3), "expected", round(8 * sum(1 / k for k in range(1, 9)), 3))
print(needed.quantile([0.1, 0.5, 0.9]).tolist(), needed.value_counts().sort_index().head(3).to_dict())

hats = np.array([rng.permutation(10) for _ in range(trials)])
own = (hats == np.arange(10)).sum(axis=1)
print("nobody has the own hat:", round(float((own == 0).mean()), 4), "expected", round(math.exp(-1), 4))
print("mean of own hats:", round(float(own.mean()), 4))

hands = Counter()
deck = [(value, suit) for value in range(13) for suit in "CDHS"]
for _ in range(trials):
    hand = r.sample(deck, 5)
    counts = sorted(Counter(v for v, _ in hand).values(), reverse=True)
    flush = len({s for _, s in hand}) == 1
    hands["flush" if flush else {4: "four", 3: "three", 2: "pair", 1: "nothing"}[counts[0]]] += 1
print(sorted(hands.items()))
dice = rng.integers(1, 7, (trials, 3)).sum(axis=1)
table = pd.Series(dice).value_counts(normalize=True).sort_index()
print(table.round(4).to_dict())
