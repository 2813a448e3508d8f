"""A Dataset with two variables and stations: selection, new variables, and its way to pandas and back."""

import sys

import numpy as np
import pandas as pd
import xarray as xr

SIZE = sys.argv[1] if len(sys.argv) > 1 else "middle"
stations, days = (6, 200) if SIZE == "small" else (60, 3000)

rng = np.random.default_rng(13)
time = pd.date_range("2015-01-01", periods=days)
ds = xr.Dataset(
    {
        "tmin": (("station", "time"), rng.normal(5, 6, (stations, days))),
        "rain": (
            ("station", "time"),
            np.where(rng.random((stations, days)) < 0.6, 0.0, rng.gamma(1.5, 4, (stations, days))),
        ),
    },
    coords={
        "station": [f"ST{k:02d}" for k in range(stations)],
        "time": time,
        "height": ("station", rng.integers(5, 2500, stations)),
    },
)
ds["tmax"] = ds["tmin"] + 8 + 0.1 * ds["rain"]
ds["tmin"] = ds["tmin"].where(ds["tmin"] > -12)
print(list(ds.data_vars), dict(ds.sizes))
print("missing:", int(ds["tmin"].isnull().sum()))
print(ds["rain"].sel(station="ST03").max().round(3).item(), ds["rain"].sel(station="ST03").argmax().item())

high = ds.sel(station=ds["height"] > 1000)
print("high stations:", high["station"].values.tolist()[:6], "mean tmax", round(float(high["tmax"].mean()), 4))
wet = (ds["rain"] > 1).groupby("time.month").mean().mean("station")
print("wet days by month:", wet.values.round(3))
df = ds[["tmin", "tmax", "rain"]].to_dataframe().reset_index()
print(df.head())
print(df.shape, df.groupby("station")["rain"].sum().nlargest(3).round(2).to_dict())
back = df.set_index(["station", "time"])[["rain"]].to_xarray()
print("same:", bool((back["rain"] == ds["rain"]).all()))
spans = ds["rain"].rolling(time=7).sum()
print("wettest week:", round(float(spans.max()), 3), "ends", str(spans.max("station").idxmax("time").values)[:10])
print("yearly:", ds["rain"].resample(time="YS").sum().mean("station").values.round(2)[:5])
print(ds["tmax"].quantile([0.1, 0.5, 0.9]).values.round(3))
print("correlation:", round(float(xr.corr(ds["rain"], ds["tmax"])), 5))
