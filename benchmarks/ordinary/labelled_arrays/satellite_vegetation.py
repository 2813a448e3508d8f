"""Bands of a satellite: vegetation index, clouds masked, and statistics of zones.

Idea: the vegetation index notebook that every course on earth observation has
"""

import sys

import numpy as np
import pandas as pd
import xarray as xr

SIZE = sys.argv[1] if len(sys.argv) > 1 else "middle"
scenes, n = (4, 40) if SIZE == "small" else (20, 200)

rng = np.random.default_rng(19)
dates = pd.date_range("2023-03-01", periods=scenes, freq="10D")
y, x = np.arange(n) * 10.0, np.arange(n) * 10.0
forest = ((x[None, :] // 100 + y[:, None] // 100) % 2).astype(bool)
grow = np.linspace(0, 1, scenes)
bands = rng.uniform(0.03, 0.08, (scenes, 3, n, n))
bands[:, 2] += np.where(forest, 0.35, 0.1) * (0.4 + 0.6 * grow[:, None, None])
bands[:, :2] += np.where(rng.random((scenes, 1, n // 10, n // 10)) < 0.2, 0.6, 0).repeat(10, axis=2).repeat(10, axis=3)
cube = xr.DataArray(bands, {"time": dates, "band": ["red", "green", "nir"], "y": y, "x": x}, ("time", "band", "y", "x"))
zones = xr.DataArray(np.where(forest, "forest", "field"), {"y": y, "x": x}, ("y", "x"), name="zone")

red, nir = cube.sel(band="red", drop=True), cube.sel(band="nir", drop=True)
clouds = red > 0.4
ndvi = ((nir - red) / (nir + red)).where(~clouds)
print("shape:", dict(ndvi.sizes), "cloudy:", clouds.mean(("y", "x")).values.round(3))
print("mean by date:", ndvi.mean(("y", "x")).values.round(3))
best = ndvi.max("time")
count = ndvi.notnull().sum("time")
print("never seen:", int((count == 0).sum()), "seen always:", int((count == scenes).sum()))
by_zone = ndvi.groupby(zones).mean()
print(by_zone.to_pandas().round(4).head())
first_green = (ndvi > 0.6).argmax("time").where(zones == "forest")
print(
    "first green scene:", np.unique(first_green.values[~np.isnan(first_green.values)], return_counts=True)[1].tolist()
)
trend = ndvi.polyfit("time", 1, skipna=True)["polyfit_coefficients"].sel(degree=1) * 1e9 * 86400
print("trend a day:", trend.groupby(zones).median().values.round(5))
small = best.coarsen(x=10, y=10).mean()
print(small.isel(y=slice(0, 3), x=slice(0, 8)).values.round(3))
table = xr.concat([best.groupby(zones).mean(), best.groupby(zones).std()], dim=pd.Index(["mean", "sd"], name="what"))
print(table.transpose().to_pandas().round(4))
filled = ndvi.interpolate_na("time")
print("gaps:", int(ndvi.isnull().sum()), "after interpolation:", int(filled.isnull().sum()))
