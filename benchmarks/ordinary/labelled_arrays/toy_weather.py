"""The made-up weather of three stations: monthly averages, frost by month, and filling of gaps.

Idea: the "toy weather data" page of the xarray documentation
"""

import sys

import numpy as np
import pandas as pd
import xarray as xr

SIZE = sys.argv[1] if len(sys.argv) > 1 else "middle"
end = "2001-12-31" if SIZE == "small" else "2030-12-31"

rng = np.random.default_rng(123)
times = pd.date_range("2000-01-01", end, name="time")
annual = np.sin(2 * np.pi * (times.day_of_year.values / 365.25 - 0.28))
base = 10 + 15 * annual.reshape(-1, 1)
tmin = base + 3 * rng.normal(size=(len(times), 3))
tmax = base + 10 + 3 * rng.normal(size=(len(times), 3))
ds = xr.Dataset(
    {"tmin": (("time", "location"), tmin), "tmax": (("time", "location"), tmax)},
    {"time": times, "location": ["IA", "IN", "IL"]},
)
print(ds.to_dataframe().head().round(3))
print(ds.to_dataframe().describe().round(3))
print(ds.mean(dim="location").to_dataframe().tail(3).round(3))

freeze = (ds["tmin"] <= 0).groupby("time.month").mean("time")
print(freeze.to_pandas().round(3))
monthly_avg = ds.resample(time="MS").mean()
print("months:", monthly_avg.sizes["time"], monthly_avg["tmax"].sel(location="IA").values[:6].round(3))

climatology = ds.groupby("time.month").mean("time")
anomalies = ds.groupby("time.month") - climatology
print("anomalies:", anomalies["tmin"].isel(location=0, time=slice(0, 4)).values.round(3))
standard = xr.apply_ufunc(
    lambda x, m, s: (x - m) / s, ds.groupby("time.month"), climatology, ds.groupby("time.month").std("time")
)
print("standardised sd:", round(float(standard["tmax"].std()), 4))

some_missing = ds["tmin"].sel(time=ds["time.day"] > 15).reindex_like(ds)
filled = some_missing.groupby("time.month").fillna(climatology["tmin"])
print("filled:", int(some_missing.isnull().sum()), "->", int(filled.isnull().sum()))
print(filled.isel(time=slice(13, 18)).to_pandas().round(3))
