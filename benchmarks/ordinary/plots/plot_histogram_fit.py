"""A histogram of measured heights with the normal curve over it, and a box plot by group."""

import sys

import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt
import numpy as np
import pandas as pd

SIZE = sys.argv[1] if len(sys.argv) > 1 else "middle"
n = 800 if SIZE == "small" else 300_000

rng = np.random.default_rng(7)
df = pd.DataFrame({"group": rng.choice(["A", "B", "C"], n), "height": rng.normal(170, 8, n)})
df.loc[df["group"] == "B", "height"] += 4
df.loc[df["height"] > 195, "height"] = np.nan
df = df.dropna()

mu, sigma = df["height"].mean(), df["height"].std()
fig, (left, right) = plt.subplots(1, 2, figsize=(9, 4))
counts, edges, patches = left.hist(df["height"], bins=24, density=True, color="lightblue", edgecolor="grey")
grid = np.linspace(df["height"].min(), df["height"].max(), 100)
curve = np.exp(-((grid - mu) ** 2) / (2 * sigma**2)) / (sigma * np.sqrt(2 * np.pi))
left.plot(grid, curve, "r-")
left.set_title(f"mean {mu:.2f}, sd {sigma:.2f}")
names = sorted(df["group"].unique())
box = right.boxplot([df.loc[df["group"] == g, "height"] for g in names], tick_labels=names)
right.set_title("by group")
fig.tight_layout()

print(left.get_title())
print(
    "bars:",
    len(patches),
    "highest",
    round(float(counts.max()), 4),
    "area",
    round(float((counts * np.diff(edges)).sum()), 6),
)
print("edges:", np.round(edges[:5], 3).tolist())
print("heights of bars:", [round(p.get_height(), 4) for p in patches[8:14]])
print("curve:", np.round(left.lines[0].get_ydata()[::20], 4).tolist())
for name, median, fliers in zip(names, box["medians"], box["fliers"], strict=True):
    low, high = median.get_ydata()
    print(
        f"{name}: median {low:.3f}, {len(fliers.get_ydata())} outliers, label {right.get_xticklabels()[names.index(name)].get_text()}"
    )
print(df.groupby("group")["height"].describe().round(3))
plt.close("all")
