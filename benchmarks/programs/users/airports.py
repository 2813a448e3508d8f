"""Airports of the United States: by state, by name, by distance."""

import numpy as np
import pandas as pd
from vega_datasets import local_data

airports = pd.read_csv(local_data.airports.filepath)
print(airports.shape, airports.columns.tolist())
print(airports["country"].value_counts())
states = airports[airports["country"] == "USA"].dropna(subset=["state"])
print(states["state"].value_counts().head(10))
print(
    states.groupby("state")
    .agg(n=("iata", "count"), south=("latitude", "min"), north=("latitude", "max"))
    .sort_values("n")
    .tail(5)
    .round(2)
)

names = airports["name"].fillna("")
kinds = {
    "municipal": "Municipal|Muni",
    "county": "County|Co$",
    "regional": "Regional",
    "international": "Intl|International",
}
for kind, pattern in kinds.items():
    airports[kind] = names.str.contains(pattern)
print(airports[list(kinds)].sum())
print(airports[list(kinds)].any(axis=1).mean().round(4))
print(names.str.split().str.len().value_counts().sort_index())
print(names.str.extract(r"^(\w+)")[0].value_counts().head(8))
print(airports.loc[airports["iata"].str.fullmatch(r"[A-Z]{3}")].shape)
print(airports["iata"].str[0].value_counts().head(5))
print(airports["city"].str.upper().duplicated().sum(), airports["city"].nunique())


def distance(lat1, lon1, lat2, lon2):
    lat1, lon1, lat2, lon2 = map(np.radians, (lat1, lon1, lat2, lon2))
    a = np.sin((lat2 - lat1) / 2) ** 2 + np.cos(lat1) * np.cos(lat2) * np.sin((lon2 - lon1) / 2) ** 2
    return 2 * 6371 * np.arcsin(np.sqrt(a))


denver = airports.set_index("iata").loc["DEN"]
airports["km"] = distance(airports["latitude"], airports["longitude"], denver["latitude"], denver["longitude"])
print(airports.nsmallest(6, "km")[["iata", "name", "km"]].round(1))
print(airports["km"].describe().round(1))
rings = pd.cut(airports["km"], [0, 100, 500, 1000, 2000, 10_000, 20_000], include_lowest=True)
print(rings.value_counts().sort_index())
airports["zone"] = np.where(
    airports["longitude"] < -115, "west", np.where(airports["longitude"] < -90, "middle", "east")
)
print(pd.crosstab(airports["zone"], airports["international"]))
grid = airports.assign(lat=airports["latitude"].round(-1), lon=airports["longitude"].round(-1))
print(grid.pivot_table(index="lat", columns="lon", values="iata", aggfunc="count", fill_value=0).iloc[:6, :8])
print(states.sort_values(["state", "name"]).groupby("state").first().head(5)[["iata", "name"]])
