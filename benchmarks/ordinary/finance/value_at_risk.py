"""The loss that is exceeded on one day in a hundred: from history, from a normal distribution, by simulation; and a test of it.
Idea: the value at risk tutorial."""

import sys

import numpy as np
import pandas as pd

SIZE = sys.argv[1] if len(sys.argv) > 1 else "middle"
days, draws = (750, 5_000) if SIZE == "small" else (2_500, 500_000)

rng = np.random.default_rng(99)
vol = 0.01 * np.exp(0.3 * np.sin(np.arange(days) / 80))
market = rng.standard_t(5, days) * vol
prices = {}
for name, beta in [("bank", 1.2), ("food", 0.6), ("tech", 1.5)]:
    prices[name] = 100 * np.exp(np.cumsum(0.0002 + beta * market + rng.normal(0, 0.006, days)))
prices = pd.DataFrame(prices, index=pd.bdate_range("2015-01-01", periods=days))
weights = pd.Series({"bank": 0.4, "food": 0.4, "tech": 0.2})
returns = prices.pct_change().dropna()
portfolio = (returns * weights).sum(axis=1)
print(returns.describe().round(5).loc[["mean", "std", "min", "max"]])
print("skewness", round(portfolio.skew(), 4), "kurtosis", round(portfolio.kurt(), 4))

historical = -portfolio.quantile(0.01)
normal = 2.326348 * portfolio.std() - portfolio.mean()
mean, cov = returns.mean().to_numpy(), returns.cov().to_numpy()
root = np.linalg.cholesky(cov)
simulated = (rng.standard_normal((draws, 3)) @ root.T + mean) @ weights.to_numpy()
by_draws = -np.percentile(simulated, 1)
shortfall = -portfolio[portfolio <= -historical].mean()
for name, value in [("historical", historical), ("normal", normal), ("simulated", by_draws), ("shortfall", shortfall)]:
    print(f"{name:11s} {value:.5f}")

window = 250
rolling = -portfolio.rolling(window).quantile(0.05).shift(1)
breaches = portfolio < -rolling
tested = rolling.notna().sum()
print("breaches:", int(breaches.sum()), "of", int(tested), "expected", round(0.05 * tested, 1))
lam, state, ewma = 0.94, portfolio.iloc[:20].var(), []
for x in portfolio:
    ewma.append(np.sqrt(state))
    state = lam * state + (1 - lam) * x * x
ewma = pd.Series(ewma, index=portfolio.index)
print("by moving volatility:", int((portfolio < -1.645 * ewma).sum()))
yearly = (
    pd.DataFrame({"return": portfolio, "breach": breaches})
    .groupby(portfolio.index.year)
    .agg({"return": ["std", "min"], "breach": "sum"})
)
print(yearly.round(4))
contribution = weights * (returns.cov() @ weights) / portfolio.var()
print(contribution.round(4).to_dict())
worst = portfolio.nsmallest(4)
for date, value in worst.items():
    print(f"{date:%Y-%m-%d} {value:.4f}")
