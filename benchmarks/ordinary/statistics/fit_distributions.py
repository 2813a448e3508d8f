"""Which distribution fits the waiting times best? Fits by SciPy, likelihoods and quantiles in one table.

Idea: the question how to fit an empirical distribution to a theoretical one
"""

import sys

import numpy as np
import pandas as pd
from scipy import stats

SIZE = sys.argv[1] if len(sys.argv) > 1 else "middle"
n = 300 if SIZE == "small" else 8000

rng = np.random.default_rng(64)
waits = pd.Series(rng.gamma(2.2, 3.5, n), name="minutes")
print(waits.describe().round(3))
print("skewness", round(waits.skew(), 4), "kurtosis", round(waits.kurt(), 4))

rows = []
for name in ["expon", "norm", "lognorm", "rayleigh"]:
    distribution = getattr(stats, name)
    parameters = distribution.fit(waits, floc=0) if name != "norm" else distribution.fit(waits)
    ll = distribution.logpdf(waits, *parameters).sum()
    ks = stats.kstest(waits, name, args=parameters)
    free = len(parameters) - (name != "norm")
    rows.append([name, free, ll, 2 * free - 2 * ll, ks.statistic])
shape = waits.mean() ** 2 / waits.var()
scale = waits.var() / waits.mean()
ll = stats.gamma.logpdf(waits, shape, scale=scale).sum()
rows.append(["gamma", 2, ll, 4 - 2 * ll, stats.kstest(waits, "gamma", args=(shape, 0, scale)).statistic])
table = pd.DataFrame(rows, columns=["name", "free", "likelihood", "aic", "ks"]).sort_values("aic").set_index("name")
print(table.round(3))
print("best:", table.index[0])

probabilities = np.array([0.1, 0.25, 0.5, 0.75, 0.9, 0.99])
compare = pd.DataFrame(
    {"data": waits.quantile(probabilities), "gamma": stats.gamma.ppf(probabilities, shape, scale=scale)}
)
compare["ratio"] = compare["data"] / compare["gamma"]
print(compare.round(3))
observed, edges = np.histogram(waits, bins=[0, 2, 4, 8, 12, 20, 1000])
expected = np.diff(stats.gamma.cdf(edges, shape, scale=scale)) * n
for k in range(len(observed)):
    print(f"{edges[k]:6.0f} to {edges[k + 1]:6.0f}: {observed[k]:5d} {expected[k]:8.2f}")
