"""A spreadsheet with a column for each week becomes one row per song and week, and back again.
Idea: the tidy data tutorial, with its billboard chart."""

import sys

import numpy as np
import pandas as pd

SIZE = sys.argv[1] if len(sys.argv) > 1 else "middle"
songs, weeks = (60, 12) if SIZE == "small" else (3_000, 50)

rng = np.random.default_rng(2000)
wide = pd.DataFrame({"artist": [f"Artist {k % (songs // 3)}" for k in range(songs)]})
wide["track"] = [f"Track {k}" for k in range(songs)]
wide["entered"] = pd.Timestamp("2000-01-01") + pd.to_timedelta(rng.integers(0, 50, songs) * 7, unit="D")
rank = rng.integers(30, 100, songs).astype(float)
for w in range(1, weeks + 1):
    wide[f"wk{w}"] = rank
    rank = rank + rng.integers(-12, 14, songs)
    rank = np.where((rank > 100) | (rank < 1), np.nan, rank)
print(wide.iloc[:5, :7])

long = wide.melt(id_vars=["artist", "track", "entered"], var_name="week", value_name="rank").dropna(subset=["rank"])
long["week"] = long["week"].str.extract(r"(\d+)", expand=False).astype(int)
long["rank"] = long["rank"].astype(int)
long["date"] = long["entered"] + pd.to_timedelta((long["week"] - 1) * 7, unit="D")
long = long.sort_values(["track", "week"]).reset_index(drop=True)
print(long.head(6))
print("rows:", len(long))

best = long.groupby(["artist", "track"], as_index=False).agg(best=("rank", "min"), weeks=("week", "count"))
print(best.sort_values(["best", "weeks", "track"]).head(10))
per_date = long.groupby("date")["rank"].agg(["size", "mean"]).round(2)
print(per_date.tail(5))
back = long.pivot(index="track", columns="week", values="rank")
print(back.shape, int(back.isna().sum().sum()), back.iloc[0, :3].tolist())
