"""Daily sales of shops: lags, moving means and calendar columns per shop, and a linear forecast."""

import sys

import numpy as np
import pandas as pd

SIZE = sys.argv[1] if len(sys.argv) > 1 else "middle"
shops, days = (3, 150) if SIZE == "small" else (40, 900)

rng = np.random.default_rng(25)
frames = []
for shop in range(shops):
    dates = pd.date_range("2022-01-01", periods=days)
    level = 100 + 20 * shop + 15 * (dates.day_of_week == 5) + rng.normal(0, 8, days).cumsum() * 0.2
    frames.append(
        pd.DataFrame({"shop": f"shop {shop}", "date": dates, "sold": np.round(level + rng.normal(0, 6, days))})
    )
df = pd.concat(frames, ignore_index=True)
df = df.drop(df.sample(frac=0.03, random_state=1).index)
print(df.shape)

full = pd.MultiIndex.from_product(
    [sorted(df["shop"].unique()), pd.date_range("2022-01-01", periods=days)], names=["shop", "date"]
)
df = df.set_index(["shop", "date"]).reindex(full).reset_index()
print("gaps:", int(df["sold"].isna().sum()))
df["sold"] = df.groupby("shop")["sold"].transform(lambda s: s.interpolate(limit_direction="both"))

for lag in (1, 7, 14):
    df[f"lag_{lag}"] = df.groupby("shop")["sold"].shift(lag)
df["mean_7"] = df.groupby("shop")["sold"].transform(lambda s: s.shift(1).rolling(7).mean())
df["std_28"] = df.groupby("shop")["sold"].transform(lambda s: s.shift(1).rolling(28, min_periods=7).std())
df["since max"] = df["sold"] / df.groupby("shop")["sold"].cummax()
df["saturday"] = (df["date"].dt.day_of_week == 5).astype(int)
df["month"] = df["date"].dt.to_period("M")
print(df.dropna().head(4).to_string(float_format="%.2f"))
print(df.groupby("month")["sold"].sum().head(3))

data = df.dropna()
split = pd.Timestamp("2022-01-01") + pd.Timedelta(days=int(days * 0.8))
train, test = data[data["date"] < split], data[data["date"] >= split]
columns = ["lag_1", "lag_7", "lag_14", "mean_7", "saturday"]
A = np.column_stack([np.ones(len(train)), train[columns]])
w, *_ = np.linalg.lstsq(A, train["sold"].to_numpy(), rcond=None)
test = test.assign(guess=w[0] + test[columns].to_numpy() @ w[1:])
print(dict(zip(["const", *columns], w.round(3).tolist(), strict=True)))
test["error"] = (test["guess"] - test["sold"]).abs()
print("mean error:", round(test["error"].mean(), 4), "of lag 7:", round((test["lag_7"] - test["sold"]).abs().mean(), 4))
print(test.groupby("shop")["error"].agg(["mean", "max"]).head(5).round(3))
print(test.groupby(test["date"].dt.day_name())["error"].mean().round(3).sort_index())
