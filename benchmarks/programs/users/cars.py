"""Cars of the seventies: cleaning, consumption by origin and year."""

import pandas as pd
from vega_datasets import local_data

cars = pd.read_json(local_data.cars.filepath)
print(cars.head())
print(cars.dtypes)
print(cars.isna().sum())

cars.columns = cars.columns.str.lower().str.replace("_in_lbs", "")
cars["maker"] = cars["name"].str.split().str[0].str.title()
cars["maker"] = cars["maker"].replace({"Vw": "Volkswagen", "Chevy": "Chevrolet", "Vokswagen": "Volkswagen"})
cars["year"] = pd.to_datetime(cars["year"]).dt.year
cars = cars.dropna(subset=["miles_per_gallon"]).reset_index(drop=True)
cars["horsepower"] = cars["horsepower"].fillna(cars.groupby("cylinders")["horsepower"].transform("median"))

print(cars["maker"].value_counts().head(10))
print(cars.groupby("origin")[["miles_per_gallon", "horsepower", "weight"]].mean().round(2))
print(cars.groupby(["origin", "cylinders"]).size().unstack(fill_value=0))
print(cars.pivot_table(index="year", columns="origin", values="miles_per_gallon").round(1))
print(cars[["miles_per_gallon", "horsepower", "weight", "displacement", "acceleration"]].corr().round(3))

cars["heavy"] = pd.qcut(cars["weight"], 4, labels=["light", "middle", "heavy", "truck"])
print(cars.groupby("heavy", observed=True)["miles_per_gallon"].agg(["mean", "std", "count"]).round(2))
print(
    cars.query("cylinders == 4 and miles_per_gallon > 40")[["name", "miles_per_gallon"]].sort_values("miles_per_gallon")
)
print(cars.nlargest(5, "horsepower")[["name", "horsepower", "year"]])
print(cars.loc[cars["name"].str.contains("diesel|turbo", case=False), ["name", "miles_per_gallon"]].head())
cars["l_per_100km"] = (235.215 / cars["miles_per_gallon"]).round(1)
trend = cars.groupby("year")["l_per_100km"].mean()
print(trend.diff().round(2))
print(cars.drop_duplicates("name").shape, cars["name"].duplicated().sum())
print(cars.set_index("name").loc["ford pinto", ["year", "l_per_100km"]])
