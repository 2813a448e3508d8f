"""Prices of shares and options: returns, risk, Black and Scholes against a simulation."""

import numpy as np
import pandas as pd

rng = np.random.default_rng(3)
days, shares = 2500, 200
market = rng.normal(0.0003, 0.01, days)
beta = rng.uniform(0.5, 1.5, shares)
returns = market[:, None] * beta + rng.normal(0, 0.012, (days, shares))
prices = pd.DataFrame(
    100 * np.exp(np.cumsum(returns, axis=0)), index=pd.date_range("2015-01-01", periods=days, freq="B")
)
daily = prices.pct_change().dropna()
print("volatility a year:", round(float(daily.std().mean() * np.sqrt(252)), 6))
print("worst fall:", round(float((prices / prices.cummax() - 1).min().min()), 6))
print(prices[0].rolling(50).mean().dropna().describe().round(4))
cov = np.cov(daily.to_numpy().T)
weights = np.linalg.solve(cov, np.ones(shares))
weights /= weights.sum()
print("least risk:", round(float(np.sqrt(weights @ cov @ weights) * np.sqrt(252)), 8))

spot, strike, rate, vol, t = 100.0, 105.0, 0.02, 0.2, 1.0
z = rng.standard_normal(2_000_000)
ends = spot * np.exp((rate - vol**2 / 2) * t + vol * np.sqrt(t) * z)
paid = np.exp(-rate * t) * np.maximum(ends - strike, 0)
print("call:", round(float(paid.mean()), 6), "+-", round(float(paid.std() / np.sqrt(len(paid))), 6))
print("value at risk:", round(float(np.quantile(ends - spot, 0.05)), 6))
