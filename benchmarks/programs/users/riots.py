"""Deaths in the Los Angeles riots of 1992: a table with missing values."""

import pandas as pd
from vega_datasets import local_data

people = pd.read_csv(local_data.la_riots.filepath)
print(people.isna().sum())
print(people.dtypes)
people["death_date"] = pd.to_datetime(people["death_date"], format="mixed")
people["name"] = (people["first_name"].fillna("") + " " + people["last_name"].fillna("")).str.strip()
print(people[["name", "age", "neighborhood"]].head())
print(people["age"].describe().round(2))
print(people["gender"].value_counts(dropna=False))
print(people["race"].value_counts())
print(pd.crosstab(people["race"], people["type"], margins=True))
print(people.groupby("type")["age"].agg(["count", "mean", "min", "max"]).round(1))
people["age"] = people["age"].fillna(people["age"].median()).astype(int)
people["decade"] = people["age"] // 10 * 10
print(people["decade"].value_counts().sort_index())
print(people.groupby(["decade", "gender"]).size().unstack(fill_value=0))
print(people["death_date"].dt.date.value_counts().sort_index().head(8))
print(people["death_date"].dt.day_name().value_counts())
print(people["neighborhood"].value_counts().head(5))
print(
    people["address"].str.contains("Ave|Avenue").sum(),
    people["address"].str.extract(r"(\d+)")[0].astype(float).median(),
)
print(people.loc[people["age"].nlargest(3).index, ["name", "age", "type"]])
print(people.groupby("neighborhood").filter(lambda g: len(g) > 3)["neighborhood"].value_counts())
days = (people["death_date"] - people["death_date"].min()).dt.days
print(days.quantile([0.25, 0.5, 0.75, 0.9]))
print(people.sort_values(["death_date", "name"])[["death_date", "name"]].head(6).to_string(index=False))
print(people[["latitude", "longitude"]].mean().round(4))
