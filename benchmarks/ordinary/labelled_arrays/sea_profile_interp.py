"""Profiles of sea temperature: interpolation to given depths, the depth of the thermocline, and mixed layers."""

import sys

import numpy as np
import xarray as xr

SIZE = sys.argv[1] if len(sys.argv) > 1 else "middle"
profiles, levels = (15, 20) if SIZE == "small" else (400, 60)

rng = np.random.default_rng(88)
depth = np.unique(rng.uniform(0, 500, levels).round(1))
levels = len(depth)
depth[0] = 0
cast = np.arange(profiles)
middle = rng.uniform(40, 160, profiles)
temperature = 6 + 12 / (1 + np.exp((depth[None, :] - middle[:, None]) / 25)) + rng.normal(0, 0.05, (profiles, levels))
da = xr.DataArray(temperature, [("cast", cast), ("depth", depth)], name="temperature")
da.coords["ship"] = ("cast", np.where(cast % 3 == 0, "Meteor", "Sonne"))
salt = xr.DataArray(34 + 0.002 * depth, dims="depth", coords={"depth": depth})

even = da.interp(depth=np.arange(0, depth.max(), 10.0))
print("levels:", da.sizes["depth"], "->", even.sizes["depth"])
print(even.isel(cast=0, depth=slice(0, 12)).values.round(2))
slope = even.differentiate("depth")
steepest = slope.idxmin("depth")
print("thermocline:", steepest.values[:10], "mean", round(float(steepest.mean()), 3), "truth", round(middle.mean(), 3))

layers = []
for k in cast:
    profile = even.sel(cast=k)
    cold = profile["depth"].values[profile.values < profile.values[0] - 0.5]
    layers.append(float(cold[0]) if len(cold) else np.nan)
mixed = xr.DataArray(layers, dims="cast", coords={"cast": cast, "ship": da["ship"]})
print("mixed layer:", mixed.groupby("ship").mean().round(3).to_series().to_dict(), "deepest", float(mixed.max()))

heat = da.fillna(0).integrate("depth")
print("integral:", round(float(heat[0]), 2), round(float(heat.mean()), 2))
density = 1000 + 0.8 * salt - 0.2 * da
print(density.dims, density.sel(depth=200, method="nearest").values[:4].round(3))
print("bins:", da.groupby_bins("depth", [0, 50, 100, 200, 500], include_lowest=True).mean(...).values.round(3))
print("coarse:", even.isel(depth=slice(0, 40)).coarsen(depth=10, boundary="trim").mean().isel(cast=1).values.round(3))
stacked = da.stack(sample=("cast", "depth"))
print("coldest samples:", [(int(c), float(d)) for c, d in stacked.sortby(stacked)["sample"].values[:3]])
