"""Random weights of a few funds: return, risk, the best ratio, and the smallest risk by the formula.
Idea: the efficient frontier tutorial."""

import sys

import numpy as np
import pandas as pd

SIZE = sys.argv[1] if len(sys.argv) > 1 else "middle"
tries = 500 if SIZE == "small" else 6_000

rng = np.random.default_rng(1952)
names = ["bonds", "stocks", "gold", "property", "cash"]
vol = np.array([0.004, 0.011, 0.009, 0.007, 0.0005])
corr = np.array(
    [
        [1.0, 0.1, 0.2, 0.2, 0.0],
        [0.1, 1.0, 0.0, 0.6, 0.0],
        [0.2, 0.0, 1.0, 0.1, 0.0],
        [0.2, 0.6, 0.1, 1.0, 0.0],
        [0.0, 0.0, 0.0, 0.0, 1.0],
    ]
)
root = np.linalg.cholesky(corr)
daily = rng.normal(size=(1000, 5)) @ root.T * vol + np.array([1e-4, 4e-4, 2e-4, 3e-4, 5e-5])
returns = pd.DataFrame(daily, columns=names, index=pd.bdate_range("2018-01-01", periods=1000))
mean = returns.mean() * 252
cov = returns.cov() * 252
print(mean.round(4))
print(returns.corr().round(3))

rows = []
for _ in range(tries):
    w = rng.random(5)
    w /= w.sum()
    gain = float(np.dot(w, mean))
    risk = float(np.sqrt(np.dot(w.T, np.dot(cov, w))))
    rows.append([gain, risk, (gain - 0.01) / risk, *w])
found = pd.DataFrame(rows, columns=["gain", "risk", "ratio"] + names)
print(found.iloc[found["ratio"].idxmax()].round(4))
print(found.iloc[found["risk"].idxmin()].round(4))

ones = np.ones(5)
inverse = np.linalg.inv(cov.values)
smallest = inverse @ ones / (ones @ inverse @ ones)
for name, w in zip(names, smallest):
    print(f"{name:10s} {w:8.4f}")
print("risk:", round(float(np.sqrt(smallest @ cov.values @ smallest)), 5))
bins = pd.cut(found["risk"], np.arange(0.02, 0.18, 0.03))
print(found.groupby(bins, observed=True)["gain"].agg(["count", "max"]).round(3))
