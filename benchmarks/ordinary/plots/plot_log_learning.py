"""Notebook on errors of numerical derivatives: logarithmic axes, error bars and a table below."""

import sys

import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt
import numpy as np
import pandas as pd

SIZE = sys.argv[1] if len(sys.argv) > 1 else "middle"
points, repeats = (50, 20) if SIZE == "small" else (4000, 80)

# In [1]: the error of forward and central differences
rng = np.random.default_rng(29)
widths = np.logspace(-3, -0.5, 6)
rows = []
for h in widths:
    for k in range(repeats):
        x = rng.uniform(0, 3, points)
        forward = (np.sin(x + h) - np.sin(x)) / h
        central = (np.sin(x + h) - np.sin(x - h)) / (2 * h)
        rows.append((h, k, np.abs(forward - np.cos(x)).max(), np.abs(central - np.cos(x)).max()))
df = pd.DataFrame(rows, columns=["h", "run", "forward", "central"])

# In [2]: mean and deviation
summary = df.groupby("h")[["forward", "central"]].agg(["mean", "std"])
print(summary.round(5))

# In [3]: the picture
fig, ax = plt.subplots()
for name in ["forward", "central"]:
    ax.errorbar(summary.index, summary[name, "mean"], yerr=summary[name, "std"], marker="o", label=name)
ax.set_xscale("log")
ax.set_yscale("log")
ax.grid(True, which="both")
ax.legend()
fig.canvas.draw()
for container in ax.containers:
    data = container.lines[0].get_xydata()
    slope = np.polyfit(np.log(data[:, 0]), np.log(data[:, 1]), 1)[0]
    print(f"{container.get_label()}: order {slope:.3f}, points {np.round(data[-2:], 4).tolist()}")
print(
    "scales:",
    ax.get_xscale(),
    ax.get_yscale(),
    "| ticks:",
    [t.get_text() for t in ax.get_xticklabels() if t.get_text()][:3],
)
low, high = ax.get_xlim()
print(f"x from {low:.5f} to {high:.4f}")

# In [4]: which is better, and by how much
ratio = (df["forward"] / df["central"]).groupby(df["h"]).median()
for h, r in ratio.items():
    print(f"h = {h:.4f}: {r:.2f} times")
plt.close("all")
