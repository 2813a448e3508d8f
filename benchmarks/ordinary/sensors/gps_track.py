"""A walk recorded by GPS: distances by the haversine formula, speed, stops, and kilometres for each hour.
Idea: a question on vectorising the haversine formula."""

import math
import sys

import numpy as np
import pandas as pd

SIZE = sys.argv[1] if len(sys.argv) > 1 else "middle"
n = 1_500 if SIZE == "small" else 60_000


def haversine(lon1, lat1, lon2, lat2):
    lon1, lat1, lon2, lat2 = map(np.radians, [lon1, lat1, lon2, lat2])
    a = np.sin((lat2 - lat1) / 2) ** 2 + np.cos(lat1) * np.cos(lat2) * np.sin((lon2 - lon1) / 2) ** 2
    return 6_371_000 * 2 * np.arcsin(np.sqrt(a))


def haversine_one(lon1, lat1, lon2, lat2):
    lon1, lat1, lon2, lat2 = (math.radians(v) for v in (lon1, lat1, lon2, lat2))
    a = math.sin((lat2 - lat1) / 2) ** 2 + math.cos(lat1) * math.cos(lat2) * math.sin((lon2 - lon1) / 2) ** 2
    return 6_371_000 * 2 * math.asin(math.sqrt(a))


rng = np.random.default_rng(64)
heading = np.cumsum(rng.normal(0, 0.2, n))
pace = np.where(rng.random(n) < 0.1, 0.0, rng.uniform(0.8, 2.0, n))
track = pd.DataFrame(
    {
        "time": pd.date_range("2023-08-12 07:00", periods=n, freq="5s"),
        "lat": 47.05 + np.cumsum(pace * np.cos(heading)) * 4.5e-5,
        "lon": 8.30 + np.cumsum(pace * np.sin(heading)) * 6.6e-5,
        "height": (600 + np.cumsum(rng.normal(0.01, 0.4, n))).round(1),
    }
)
track["dist"] = haversine(track["lon"].shift(), track["lat"].shift(), track["lon"], track["lat"]).fillna(0)
track["speed"] = track["dist"] / 5 * 3.6
track["climb"] = track["height"].diff().clip(lower=0).fillna(0)
print(track.head(5).round(4).to_string())
print(
    f"length {track['dist'].sum() / 1000:.3f} km, climb {track['climb'].sum():.1f} m, fastest {track['speed'].max():.2f} km/h"
)

loop = 0.0
points = list(zip(track["lon"], track["lat"]))
for (a, b), (c, d) in zip(points, points[1:]):
    loop += haversine_one(a, b, c, d)
print("loop agrees:", abs(loop - track["dist"].sum()) < 1e-3)

track["stopped"] = track["speed"] < 0.5
print("stopped:", int(track["stopped"].sum()) * 5, "s")
hours = track.groupby(track["time"].dt.floor("h")).agg(km=("dist", lambda d: d.sum() / 1000), climb=("climb", "sum"))
print(hours.head(5).round(3))
box = track[["lat", "lon"]].agg(["min", "max"])
print(box.round(4))
