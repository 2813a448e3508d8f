"""Prices of options by the Black-Scholes formula, by a binomial tree and by simulated paths.
Idea: a tutorial on pricing options three ways."""

import math
import sys

import numpy as np
import pandas as pd

SIZE = sys.argv[1] if len(sys.argv) > 1 else "middle"
steps, paths = (60, 4_000) if SIZE == "small" else (500, 500_000)


def normal(x):
    return 0.5 * (1 + math.erf(x / math.sqrt(2)))


def formula(s, k, t, r, sigma, kind="call"):
    d1 = (math.log(s / k) + (r + sigma**2 / 2) * t) / (sigma * math.sqrt(t))
    d2 = d1 - sigma * math.sqrt(t)
    if kind == "call":
        return s * normal(d1) - k * math.exp(-r * t) * normal(d2)
    return k * math.exp(-r * t) * normal(-d2) - s * normal(-d1)


def tree(s, k, t, r, sigma, n, american=False):
    dt = t / n
    up = math.exp(sigma * math.sqrt(dt))
    down = 1 / up
    p = (math.exp(r * dt) - down) / (up - down)
    prices = s * up ** np.arange(n, -n - 1, -2.0)
    values = np.maximum(k - prices, 0)
    for i in range(n - 1, -1, -1):
        values = math.exp(-r * dt) * (p * values[:-1] + (1 - p) * values[1:])
        if american:
            prices = s * up ** np.arange(i, -i - 1, -2.0)
            values = np.maximum(values, k - prices)
    return values[0]


rng = np.random.default_rng(1973)
rows = []
for strike in range(80, 125, 5):
    put = formula(100, strike, 1, 0.03, 0.2, "put")
    z = rng.standard_normal(paths)
    end = 100 * np.exp((0.03 - 0.02) * 1 + 0.2 * z)
    payoff = np.exp(-0.03) * np.maximum(strike - end, 0)
    rows.append(
        {
            "strike": strike,
            "call": formula(100, strike, 1, 0.03, 0.2),
            "put": put,
            "tree": tree(100, strike, 1, 0.03, 0.2, steps),
            "american": tree(100, strike, 1, 0.03, 0.2, steps, american=True),
            "simulated": payoff.mean(),
            "error": payoff.std(ddof=1) / np.sqrt(paths),
        }
    )
df = pd.DataFrame(rows).set_index("strike")
df["parity"] = (df["call"] - df["put"] - (100 - df.index * math.exp(-0.03))).abs() < 1e-9
print(df.round(3).to_string())
print("within three errors:", ((df["simulated"] - df["put"]).abs() < 3 * df["error"]).sum(), "of", len(df))

days = 252
walks = 100 * np.exp(np.cumsum(rng.normal(0.01 / days, 0.2 / np.sqrt(days), (paths // 50, days)), axis=1))
asian = np.maximum(walks.mean(axis=1) - 100, 0)
knocked = np.where(walks.max(axis=1) > 125, 0, np.maximum(walks[:, -1] - 100, 0))
print("asian:", round(float(asian.mean()), 3), "knocked out:", round(float(knocked.mean()), 3))
