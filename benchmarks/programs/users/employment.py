"""Jobs in the United States by month and industry: the crisis of 2008 and what followed."""

import pandas as pd
from vega_datasets import local_data

jobs = pd.read_csv(local_data.us_employment.filepath, parse_dates=["month"])
print(jobs.shape)
print(jobs.iloc[:3, :6])
long = jobs.melt(id_vars=["month", "nonfarm", "private", "nonfarm_change"], var_name="industry", value_name="jobs")
print(long.groupby("industry")["jobs"].agg(["min", "max", "mean"]).round(1).sort_values("mean", ascending=False))

long = long.sort_values(["industry", "month"])
long["change"] = long.groupby("industry")["jobs"].diff()
long["yearly"] = long.groupby("industry")["jobs"].pct_change(12) * 100
worst = long.dropna(subset=["yearly"]).sort_values("yearly").drop_duplicates("industry")
print(worst[["industry", "month", "yearly"]].round(2).reset_index(drop=True))

table = jobs.set_index("month")
print(table["nonfarm"].resample("YE").mean().round(1))
print(table["nonfarm_change"].rolling(12).sum().agg(["idxmin", "idxmax"]))
print(table["nonfarm_change"].resample("QE").sum().head(8))
share = table.drop(columns=["nonfarm", "private", "nonfarm_change"]).div(table["private"], axis=0)
print(share.iloc[[0, -1]].T.round(4))
print((share.iloc[-1] - share.iloc[0]).sort_values().round(4))

before, after = table.loc["2008-01"].iloc[0], table.loc["2010-02"].iloc[0]
print(((after - before) / before * 100).drop("nonfarm_change").round(2))
low = table["private"].idxmin()
print(low, (table.loc[low:, "private"] > table.loc["2008-01-01", "private"]).idxmax())
print(long.assign(up=long["change"] > 0).groupby("industry")["up"].mean().round(3))
print(jobs["month"].dt.quarter.value_counts().sort_index())
print(table["construction"].ewm(span=6).mean().iloc[::24].round(1))
