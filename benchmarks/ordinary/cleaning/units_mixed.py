"""Heights and weights in metres, feet and inches, kilograms and pounds are brought to one unit each; impossible ones are dropped."""

import re
import sys

import numpy as np
import pandas as pd

SIZE = sys.argv[1] if len(sys.argv) > 1 else "middle"
n = 500 if SIZE == "small" else 30_000

rng = np.random.default_rng(178)
cm = rng.normal(172, 10, n)
kg = rng.normal(74, 13, n)
heights, weights = [], []
for k in range(n):
    form = rng.integers(0, 4)
    inches = round(cm[k] / 2.54)
    heights.append(
        [
            f"{cm[k]:.0f} cm",
            f"{cm[k] / 100:.2f}m",
            f"{inches // 12}'{inches % 12}\"",
            f"{inches // 12} ft {inches % 12} in",
        ][form]
    )
    weights.append(f"{kg[k]:.1f} kg" if rng.random() < 0.6 else f"{kg[k] / 0.4536:.0f}lbs")
for k in range(0, n, 97):
    heights[k] = "unknown"
df = pd.DataFrame({"height": heights, "weight": weights, "sex": rng.choice(["f", "m"], n)})
print(df.head(6))


def to_cm(text):
    if m := re.match(r"(\d)'(\d+)\"", text) or re.match(r"(\d) ft (\d+) in", text):
        return int(m.group(1)) * 30.48 + int(m.group(2)) * 2.54
    if m := re.match(r"([\d.]+) ?(cm|m)$", text):
        return float(m.group(1)) * (100 if m.group(2) == "m" else 1)
    return np.nan


df["cm"] = df["height"].apply(to_cm)
number = df["weight"].str.extract(r"([\d.]+)\s*(kg|lbs)")
number.columns = ["value", "unit"]
df["kg"] = number["value"].astype(float) * number["unit"].map({"kg": 1, "lbs": 0.4536})
print(number["unit"].value_counts().sort_index())
df.loc[(df["cm"] < 130) | (df["cm"] > 220), "cm"] = np.nan
df.loc[(df["kg"] < 35), "kg"] = np.nan
print("missing:", df[["cm", "kg"]].isna().sum().to_dict())
clean = df.dropna().copy()
clean["bmi"] = clean["kg"] / (clean["cm"] / 100) ** 2
clean["class"] = pd.cut(clean["bmi"], [0, 18.5, 25, 30, 100], labels=["under", "normal", "over", "obese"], right=False)
print(clean.groupby("sex")[["cm", "kg", "bmi"]].mean().round(3))
print(clean.groupby(["sex", "class"], observed=False).size().unstack())
print("largest error:", round(float((clean["cm"] - cm[clean.index]).abs().max()), 2), "cm")
kinds = df["height"].str.replace(r"\d+", "9", regex=True)
print(kinds.value_counts().sort_index())
tall = clean.sort_values(["cm", "kg"], ascending=False).head(3)
for index, row in tall.iterrows():
    print(f"{index:6d} {row['height']:>11s} = {row['cm']:.1f} cm, {row['weight']} = {row['kg']:.1f} kg")
