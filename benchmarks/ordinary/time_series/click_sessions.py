"""Split the clicks of users into sessions where half an hour passes, and follow the pages.

Idea: the question how to number sessions with diff and cumsum
"""

import sys

import numpy as np
import pandas as pd

SIZE = sys.argv[1] if len(sys.argv) > 1 else "middle"
n, users = (1_500, 20) if SIZE == "small" else (60_000, 500)

rng = np.random.default_rng(404)
start = pd.Timestamp("2024-02-26 08:00")
df = pd.DataFrame(
    {
        "user": rng.choice([f"u{k:04d}" for k in range(users)], n),
        "time": start + pd.to_timedelta(rng.integers(0, 5 * 86400 * 60, n) // 60, unit="s"),
        "page": rng.choice(["home", "list", "item", "cart", "paid"], n, p=[0.3, 0.3, 0.25, 0.1, 0.05]),
    }
)
df = df.sort_values(["user", "time", "page"]).drop_duplicates(["user", "time"]).reset_index(drop=True)
gap = df.groupby("user")["time"].diff()
df["new"] = gap.isna() | (gap > pd.Timedelta(minutes=30))
df["session"] = df["new"].cumsum()
print(df.head(6))
print("gaps:", gap.describe().astype(str).to_dict()["50%"], "sessions:", df["session"].nunique())

sessions = df.groupby("session").agg(
    user=("user", "first"),
    begin=("time", "min"),
    end=("time", "max"),
    clicks=("page", "size"),
    pages=("page", "nunique"),
    last=("page", "last"),
)
sessions["minutes"] = (sessions["end"] - sessions["begin"]).dt.total_seconds() / 60
print(sessions.head(4).to_string(float_format="%.2f"))
print(sessions[["clicks", "minutes"]].describe().round(3))
print(sessions["last"].value_counts().sort_index().to_dict())
df["next"] = df.groupby("session")["page"].shift(-1)
moves = pd.crosstab(df["page"], df["next"].fillna("(end)"), normalize="index")
print(moves.round(3))
paid = sessions.index.isin(df.loc[df["page"] == "paid", "session"])
print(f"sessions with a purchase: {paid.mean():.4f}, their clicks {sessions.loc[paid, 'clicks'].mean():.3f}")
by_hour = df.set_index("time").resample("6h")["user"].nunique()
print("users in six hours:", by_hour.head(6).tolist())
per_user = sessions.groupby("user")["begin"].agg(["count", "min", "max"])
per_user["days"] = (per_user["max"].dt.normalize() - per_user["min"].dt.normalize()).dt.days
print(per_user.sort_values("count", ascending=False, kind="stable").head(3))
text = df.groupby("session")["page"].apply(" > ".join)
print(text.str.count(" > ").max(), "moves at most;", text[text.str.len() > 20].iloc[0][:60])
