"""Levels of a river every quarter of an hour: outliers out, floods found, and return periods."""

import sys

import numpy as np
import pandas as pd

SIZE = sys.argv[1] if len(sys.argv) > 1 else "middle"
years = 1 if SIZE == "small" else 9

rng = np.random.default_rng(54)
index = pd.date_range("2010-01-01", f"{2010 + years}-01-01", freq="15min", inclusive="left")
level = 120 + 40 * np.cos(2 * np.pi * (index.day_of_year - 40) / 365) + rng.normal(0, 0.5, len(index))
for begin in rng.integers(0, len(index) - 900, 12 * years):
    hours = np.arange(800) / 4
    level = np.array(level)
    level[begin : begin + 800] += rng.gamma(2, 30) * np.exp(-hours / 40) * (1 - np.exp(-hours / 6))
gauge = pd.Series(level, index=index, name="cm").round(1)
gauge[rng.random(len(gauge)) < 0.001] = 999.9
gauge["2010-03-03 04:00":"2010-03-03 09:45"] = np.nan

gauge[gauge > 900] = np.nan
median = gauge.rolling("3h").median()
odd = (gauge - median).abs() > 5
print("missing:", int(gauge.isna().sum()), "odd:", int(odd.sum()))
gauge = gauge.mask(odd).interpolate(method="time", limit=16)
print("still missing:", int(gauge.isna().sum()))
print(gauge.resample("D").agg(["min", "mean", "max", "count"]).iloc[60:64].round(2))

threshold = gauge.quantile(0.97).round(1)
high = gauge > threshold
number = (high & ~high.shift(fill_value=False)).cumsum()
floods = gauge[high].groupby(number[high]).agg(["idxmax", "max", "count"])
floods["hours"] = floods["count"] / 4
floods = floods[floods["hours"] >= 6]
print(f"threshold {threshold}, floods {len(floods)}")
print(floods.sort_values(["max", "hours"], ascending=False).head(4).to_string())
print(floods.groupby(floods["idxmax"].dt.month)["max"].agg(["count", "mean"]).round(2).head(6))

annual = gauge.resample("YS").max().sort_values(ascending=False)
for rank, (date, value) in enumerate(annual.items(), start=1):
    print(f"{date.year}: {value:.1f} cm, once in {(len(annual) + 1) / rank:.2f} years")
rise = gauge.diff(4)
print("fastest rise in an hour:", round(rise.max(), 2), "at", rise.idxmax())
month = gauge.groupby([gauge.index.year, gauge.index.month]).mean().unstack(0)
print(month.iloc[:4, :4].round(2))
print("ewm:", gauge.ewm(span=96).mean().iloc[[500, 1000, 5000]].round(3).tolist())
