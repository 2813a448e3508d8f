"""Hourly temperatures of two cities from two sensors: joined, aligned, with missing values."""

import numpy as np
import pandas as pd
from vega_datasets import local_data

seattle = pd.read_csv(local_data.seattle_temps.filepath)
san_francisco = pd.read_csv(local_data.sf_temps.filepath)
print(seattle.head(3), san_francisco.shape)
seattle["date"] = pd.to_datetime(seattle["date"], format="%Y/%m/%d %H:%M")
san_francisco["date"] = pd.to_datetime(san_francisco["date"], format="%Y/%m/%d %H:%M:%S")
both = seattle.merge(san_francisco, on="date", suffixes=("_seattle", "_sf")).set_index("date")
print(both.describe().round(2))
print(both.corr().round(4))
celsius = (both - 32) * 5 / 9
print(celsius.resample("ME").agg(["mean", "min", "max"]).round(1))
print(celsius.groupby(celsius.index.hour).mean().round(2))
print(celsius.index.is_monotonic_increasing, celsius.index.min(), celsius.index.max())

difference = celsius["temp_sf"] - celsius["temp_seattle"]
print(difference.groupby(difference.index.month).agg(["mean", "std"]).round(2))
print((difference < 0).groupby(difference.index.quarter).mean().round(3))
daily = celsius.resample("D").mean()
print(daily.rolling(7, center=True).mean().dropna().iloc[::60].round(2))
print(daily.diff().abs().max().round(2), daily.diff().abs().idxmax())
print(daily.shift(1).corrwith(daily).round(3))

holes = celsius.copy()
holes.iloc[100:130, 0] = np.nan
holes.loc["2010-06-01":"2010-06-02", "temp_sf"] = np.nan
print(holes.isna().sum())
filled = holes.interpolate()
print((filled - celsius).abs().max().round(3))
print(holes.ffill(limit=3).isna().sum())
table = celsius.assign(month=celsius.index.month, hour=celsius.index.hour).pivot_table(
    index="hour", columns="month", values="temp_seattle"
)
print(table.iloc[::4].round(1))
print(celsius["temp_seattle"].between_time("06:00", "08:00").mean().round(3))
frost = (celsius <= 0).any(axis=1)
print(frost.sum(), celsius[frost].index[:3].tolist())
print(celsius["temp_sf"].expanding().max().drop_duplicates().tail(3).round(2))
