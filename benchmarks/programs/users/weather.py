"""Four years of weather in Seattle: months, seasons, wet spells."""

import pandas as pd
from vega_datasets import local_data

weather = pd.read_csv(local_data.seattle_weather.filepath, parse_dates=["date"])
print(weather.head())
print(weather.describe().round(2))
print(weather["weather"].value_counts())
print(weather["weather"].value_counts(normalize=True).round(3))

weather["month"] = weather["date"].dt.month
weather["year"] = weather["date"].dt.year
weather["range"] = weather["temp_max"] - weather["temp_min"]
print(weather.groupby("month")[["precipitation", "temp_max", "temp_min", "wind"]].mean().round(2))
print(pd.crosstab(weather["month"], weather["weather"]))
print(weather.pivot_table(index="year", columns="weather", values="temp_max", aggfunc="mean").round(1))

seasons = {12: "winter", 1: "winter", 2: "winter", 3: "spring", 4: "spring", 5: "spring"}
seasons |= {6: "summer", 7: "summer", 8: "summer", 9: "autumn", 10: "autumn", 11: "autumn"}
weather["season"] = weather["month"].map(seasons)
print(
    weather.groupby("season")
    .agg({"precipitation": ["sum", "max"], "temp_max": ["mean", "std"], "wind": "median"})
    .round(2)
)

daily = weather.set_index("date")
print(daily["precipitation"].resample("ME").sum().tail(12))
print(daily["temp_max"].rolling(7).mean().dropna().nlargest(5).round(2))
print(daily.loc["2015-07", "temp_max"].describe().round(2))

wet = weather["precipitation"] > 0
spell = (wet != wet.shift()).cumsum()
lengths = wet[wet].groupby(spell[wet]).size()
print(lengths.max(), round(lengths.mean(), 3))
print(
    weather.loc[lengths[lengths == lengths.max()].index.map(lambda k: spell[spell == k].index[0]), ["date", "weather"]]
)

weather["warm"] = pd.cut(weather["temp_max"], [-10, 5, 15, 25, 40], labels=["cold", "cool", "mild", "hot"])
print(weather["warm"].value_counts().sort_index())
print(weather.sort_values(["wind", "date"], ascending=[False, True]).head(5)[["date", "wind", "weather"]])
print(weather.groupby("year").apply(lambda g: g.loc[g["temp_max"].idxmax(), "date"], include_groups=False))
