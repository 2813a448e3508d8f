"""Monthly prices of five companies: returns, risk, drawdowns, correlations."""

import numpy as np
import pandas as pd
from vega_datasets import local_data

stocks = pd.read_csv(local_data.stocks.filepath)
stocks["date"] = pd.to_datetime(stocks["date"], format="%b %d %Y")
print(stocks.shape)
print(stocks.dtypes)
print(stocks.groupby("symbol")["date"].agg(["min", "max", "count"]))

prices = stocks.pivot(index="date", columns="symbol", values="price").sort_index()
print(prices.head())
print(prices.isna().sum())

returns = prices.pct_change(fill_method=None)
print(returns.describe().round(4))
print(returns.corr().round(3))
summary = pd.DataFrame({"mean": returns.mean() * 12, "volatility": returns.std() * np.sqrt(12)})
summary["sharpe"] = summary["mean"] / summary["volatility"]
print(summary.sort_values("sharpe", ascending=False).round(3))

growth = (1 + returns.fillna(0)).cumprod()
drawdown = growth / growth.cummax() - 1
print(drawdown.min().sort_values().round(3))
print(drawdown.idxmin())

yearly = prices.resample("YE").last().pct_change(fill_method=None)
yearly.index = yearly.index.year
print((100 * yearly).round(1))

smooth = prices.rolling(6).mean()
above = (prices > smooth).mean()
print(above.round(3))

stocks = stocks.sort_values(["symbol", "date"])
stocks["change"] = stocks.groupby("symbol")["price"].diff()
stocks["rank"] = stocks.groupby("date")["price"].rank(ascending=False)
print(stocks.loc[stocks.groupby("symbol")["change"].idxmax(), ["symbol", "date", "price", "change"]])
print(stocks.groupby("symbol")["rank"].mean())
best = stocks.assign(year=stocks["date"].dt.year).groupby(["year", "symbol"])["price"].mean().unstack()
print(best.round(2))
print(best.idxmax(axis=1))
