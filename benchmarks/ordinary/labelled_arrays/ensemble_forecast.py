"""Members of a forecast against what was measured: alignment, bias, spread and a rank histogram."""

import sys

import numpy as np
import pandas as pd
import xarray as xr

SIZE = sys.argv[1] if len(sys.argv) > 1 else "middle"
members, days, places = (5, 60, 4) if SIZE == "small" else (20, 700, 25)

rng = np.random.default_rng(77)
valid = pd.date_range("2020-06-01", periods=days)
names = [f"P{k:02d}" for k in range(places)]
truth = 18 + rng.normal(0, 3, (days, places)).cumsum(axis=0) * 0.1
observed = xr.DataArray(truth, coords=[("time", valid), ("place", names)])
observed = observed.where(xr.DataArray(rng.random((days, places)) > 0.05, coords=observed.coords))

forecasts = []
for m in range(members):
    noise = 0.6 + rng.normal(0, 1.2, (days - 2, places))
    forecasts.append(xr.DataArray(truth[2:] + noise, coords=[("time", valid[2:]), ("place", names)]))
ensemble = xr.concat(forecasts, dim=pd.Index(range(members), name="member"))
print(dict(ensemble.sizes), "missing observations:", int(observed.isnull().sum()))

error = ensemble - observed
print("aligned:", dict(error.sizes))
bias = error.mean(("member", "time"))
print("bias:", bias.values[:6].round(3), "all", round(float(error.mean()), 4))
mean = ensemble.mean("member")
rmse = np.sqrt(((mean - observed) ** 2).mean("time"))
print("rmse of the mean:", rmse.values[:6].round(3))
print("rmse of a member:", round(float(np.sqrt((error.isel(member=0) ** 2).mean())), 4))
print("spread:", round(float(ensemble.std("member", ddof=1).mean()), 4))

corrected = ensemble - bias
both = xr.align(corrected, observed, join="inner")
rank = (both[0] < both[1]).sum("member").where(both[1].notnull())
print("ranks:", np.bincount(rank.values[~np.isnan(rank.values)].astype(int), minlength=members + 1)[:12])
inside = (observed > corrected.min("member")) & (observed < corrected.max("member"))
print("inside:", round(float(inside.where(observed.notnull()).mean()), 4))
months = xr.Dataset({"f": mean, "o": observed}).resample(time="MS").mean()
print(months.mean("place").to_dataframe().head(4).round(3))
worst = np.abs(mean - observed).stack(z=("time", "place"))
k = int(worst.argmax("z"))
when, where = worst["z"].values[k]
print("worst:", str(when)[:10], where, round(float(worst[k]), 3))
