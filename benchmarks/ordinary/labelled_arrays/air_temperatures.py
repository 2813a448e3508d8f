"""Air temperatures on a grid over two years: monthly means, anomalies, and the warmest grid points.

Idea: the first lesson of the xarray tutorial
"""

import sys

import numpy as np
import pandas as pd
import xarray as xr

SIZE = sys.argv[1] if len(sys.argv) > 1 else "middle"
ny, nx = (5, 8) if SIZE == "small" else (30, 60)

rng = np.random.default_rng(7)
time = pd.date_range("2021-01-01", "2022-12-31", freq="D")
lat = np.linspace(75, 15, ny)
lon = np.linspace(200, 330, nx)
season = 12 * np.cos(2 * np.pi * (time.day_of_year.to_numpy() - 200) / 365.25)
data = 25 - 0.45 * lat[None, :, None] + season[:, None, None] + rng.normal(0, 2, (len(time), ny, nx))
air = xr.DataArray(data, coords={"time": time, "lat": lat, "lon": lon}, dims=("time", "lat", "lon"), name="air")
air.attrs["units"] = "degC"

print(dict(air.sizes), air.attrs["units"], air.dims)
print("mean:", round(float(air.mean()), 4))
print("at a place:", air.sel(lat=40, lon=250, method="nearest").isel(time=slice(0, 5)).values.round(3))
monthly = air.groupby("time.month").mean()
print("months:", monthly.mean(dim=["lat", "lon"]).round(3).values)
anomaly = air.groupby("time.month") - monthly
print("anomaly: mean", abs(round(float(anomaly.mean()), 6)), "sd", round(float(anomaly.std()), 4))
seasons = air.groupby("time.season").mean(...)
for name, value in zip(seasons["season"].values, seasons.values, strict=True):
    print(f"  {name}: {value:.3f}")
weights = np.cos(np.deg2rad(air["lat"]))
print("weighted:", round(float(air.weighted(weights).mean()), 4))
warm = air.mean("time")
place = warm.where(warm == warm.max(), drop=True)
print("warmest:", round(float(place["lat"][0]), 2), round(float(place["lon"][0]), 2), round(float(warm.max()), 3))
print("days above 30:", int((air > 30).any(dim=("lat", "lon")).sum()))
df = air.isel(lat=0).mean("lon").resample(time="QS").mean().to_dataframe()
print(df[["air"]].round(3))
