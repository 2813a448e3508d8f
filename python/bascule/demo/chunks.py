"""The Dask steps of the program: the same code runs with the backends set to pandas and NumPy, or to bascule."""

from __future__ import annotations

from typing import Any

from .steps import Data, Step


def dask_csv(dd: Any, d: Data) -> Data:
    gaps = dict.fromkeys(["dep_time", "dep_delay", "arr_time", "arr_delay", "air_time"], "float64")
    f = dd.read_csv(d["folder"] + "/flights.csv", dtype=gaps, parse_dates=["time_hour"], blocksize="64MB")
    f = f.dropna(subset=["arr_delay"])
    f = f.assign(gained=f["dep_delay"] - f["arr_delay"], late=f["arr_delay"] > 15)
    by = f.groupby(["carrier", "hour"])
    delays = by.agg({"arr_delay": ["mean", "max"], "gained": "sum", "flight": "count"})
    return {"delays": delays.compute().sort_index(), "late": f.groupby("origin")["late"].mean().compute().sort_index()}


def dask_parquet(dd: Any, d: Data) -> Data:
    flights = dd.read_parquet(d["folder"] + "/flights.parquet", split_row_groups="adaptive", blocksize="64MB")
    weather = dd.read_parquet(d["folder"] + "/weather.parquet")[["origin", "time_hour", "visib"]]
    planes = dd.read_parquet(d["folder"] + "/planes.parquet")[["tailnum", "manufacturer", "seats"]]
    m = flights.merge(weather, on=["origin", "time_hour"], how="left").merge(planes, on="tailnum")
    makers = m.groupby("manufacturer").agg({"arr_delay": "mean", "seats": "mean", "flight": "count"})
    seen = m.groupby("visib")["dep_delay"].agg(["mean", "count"])
    return {"makers": makers.compute().sort_index(), "seen": seen.compute().sort_index()}


def dask_array(da: Any, d: Data) -> Data:
    x = da.from_array(d["z"].T, chunks=(500_000, -1))
    score = (x * (1 + da.arange(x.shape[1], chunks=-1))).sum(axis=1)
    product = x.T @ x / x.shape[0]
    moments = da.stack([score.mean(), score.std(), da.exp(-abs(score)).mean(), (score > 2).mean()])
    return {"product": product.compute(), "moments": moments.compute(), "largest": abs(x).max(axis=0).compute()}


TABLES = [
    Step(dask_csv, "Dask: CSV by carrier, hour", lambda r: f"{100 * r['late'].max():.0f} % of the flights from {r['late'].idxmax()} are late"),
    Step(dask_parquet, "Dask: Parquet, two joins", lambda r: f"{r['makers']['flight'].idxmax()} made most of the planes that flew"),
]  # fmt: skip
ARRAYS = [
    Step(dask_array, "Dask: arrays in chunks", lambda r: f"mean {r['moments'][0]:z.3f}, deviation {r['moments'][1]:z.3f} of a score of 8 features", drops=("z",)),
]  # fmt: skip
