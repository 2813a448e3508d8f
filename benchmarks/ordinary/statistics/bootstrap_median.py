"""Bootstrap intervals of a median and of a difference of means, in a loop and by the percentile method.

Idea: the bootstrap as introductions show it, with sleep as the example
"""

import sys

import numpy as np
import pandas as pd

SIZE = sys.argv[1] if len(sys.argv) > 1 else "middle"
draws = 300 if SIZE == "small" else 2500

rng = np.random.default_rng(7)
sleep = pd.DataFrame({"group": ["coffee"] * 35 + ["tea"] * 40, "hours": rng.normal(7, 1.1, 75).round(2)})
sleep.loc[sleep["group"] == "tea", "hours"] += 0.6
print(sleep.groupby("group")["hours"].describe().round(3))

medians = []
for _ in range(draws):
    sample = sleep["hours"].sample(frac=1, replace=True, random_state=rng)
    medians.append(sample.median())
medians = pd.Series(medians)
print("median:", sleep["hours"].median().round(3), "interval:", medians.quantile([0.025, 0.975]).round(3).tolist())
print("standard error:", round(medians.std(), 4))

coffee = sleep.query("group == 'coffee'")["hours"].values
tea = sleep.query("group == 'tea'")["hours"].values
differences = np.empty(draws)
for k in range(draws):
    differences[k] = rng.choice(tea, len(tea)).mean() - rng.choice(coffee, len(coffee)).mean()
low, high = np.percentile(differences, [2.5, 97.5])
print(
    f"difference {tea.mean() - coffee.mean():.4f}, interval {low:.4f} to {high:.4f}, below 0: {(differences < 0).mean():.4f}"
)
counts, edges = np.histogram(differences, bins=8)
for c, e in zip(counts, edges, strict=False):
    print(f"{e:7.3f} {'*' * int(40 * c / counts.max())}")

whole = rng.integers(0, len(tea), (draws, len(tea)))
print("all at once:", np.round(np.quantile(tea[whole].mean(axis=1), [0.025, 0.5, 0.975]), 4).tolist())
