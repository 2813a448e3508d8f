"""Metropolis sampling of the rates before and after a change in yearly counts.

Idea: the change point of the coal mining disasters
"""

import sys

import numpy as np
import pandas as pd
from scipy.special import gammaln

SIZE = sys.argv[1] if len(sys.argv) > 1 else "middle"
steps = 1_500 if SIZE == "small" else 20_000

rng = np.random.default_rng(1851)
years = np.arange(1851, 1951)
counts = np.where(years < 1890, rng.poisson(3.1, 100), rng.poisson(0.95, 100))
print("counts:", counts[:30])


def log_posterior(early, late, change):
    if early <= 0 or late <= 0 or not 1855 < change < 1945:
        return -np.inf
    rate = np.where(years < change, early, late)
    return np.sum(counts * np.log(rate) - rate - gammaln(counts + 1)) - early - late


state = np.array([2.0, 2.0, 1900.0])
value = log_posterior(*state)
chain = np.empty((steps, 3))
accepted = 0
for k in range(steps):
    proposal = state + rng.normal(0, [0.2, 0.12, 3.0])
    new = log_posterior(*proposal)
    if np.log(rng.random()) < new - value:
        state, value = proposal, new
        accepted += 1
    chain[k] = state

df = pd.DataFrame(chain, columns=["early", "late", "change"]).iloc[steps // 5 :]
print(f"accepted {accepted / steps:.4f}")
print(df.describe(percentiles=[0.05, 0.5, 0.95]).round(3))
print(df.corr().round(3))
print("year:", df["change"].astype(int).value_counts().head(4).to_dict())
for lag in (1, 5, 20):
    print(f"autocorrelation at {lag}: {df['early'].autocorr(lag):.4f}")
print("thinned means:", df.iloc[::10].mean().round(3).tolist())
print("late above early:", int((df["late"] > df["early"]).sum()))
