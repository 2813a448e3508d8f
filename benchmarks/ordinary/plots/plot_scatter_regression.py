"""A scatter plot with colours by class, a regression line and its band."""

import sys

import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt
import numpy as np
import pandas as pd

SIZE = sys.argv[1] if len(sys.argv) > 1 else "middle"
n = 200 if SIZE == "small" else 12_000

rng = np.random.default_rng(23)
df = pd.DataFrame({"area": rng.uniform(30, 150, n).round(1), "kind": rng.choice(["flat", "house"], n)})
df["rent"] = 250 + 9.5 * df["area"] + np.where(df["kind"] == "house", 180, 0) + rng.normal(0, 90, n)

fig, ax = plt.subplots()
colours = {"flat": "tab:blue", "house": "tab:orange"}
ax.scatter(df["area"], df["rent"], c=df["kind"].map(colours), s=df["area"] / 10, alpha=0.6)
results = []
for kind, part in df.groupby("kind"):
    slope, intercept = np.polyfit(part["area"], part["rent"], 1)
    xs = np.array([part["area"].min(), part["area"].max()])
    ax.plot(xs, intercept + slope * xs, color=colours[kind], label=f"{kind}: {slope:.2f} x + {intercept:.1f}")
    rest = part["rent"] - (intercept + slope * part["area"])
    sd = np.sqrt((rest**2).sum() / (len(part) - 2))
    ax.fill_between(xs, intercept + slope * xs - 2 * sd, intercept + slope * xs + 2 * sd, alpha=0.1)
    results.append(
        {"kind": kind, "slope": slope, "intercept": intercept, "sd": sd, "inside": (rest.abs() < 2 * sd).mean()}
    )
ax.annotate("dearest", xy=(df.loc[df["rent"].idxmax(), "area"], df["rent"].max()))
ax.set(xlabel="area [m²]", ylabel="rent [€]", title="Rents")
ax.legend()
fig.canvas.draw()

print(pd.DataFrame(results).round(4).to_string(index=False))
points = ax.collections[0]
print("points:", points.get_offsets().shape, np.round(points.get_offsets()[:3], 2).tolist())
print("sizes:", np.round(points.get_sizes()[:4], 3).tolist())
colour, counts = np.unique(np.round(points.get_facecolors(), 3), axis=0, return_counts=True)
print("colours:", colour.tolist(), counts.tolist())
print("labels:", [line.get_label() for line in ax.lines], ax.get_xlabel(), ax.get_ylabel())
print("note at", [round(float(v), 2) for v in ax.texts[0].xy])
print("y ticks:", [t.get_text() for t in ax.get_yticklabels()])
plt.close(fig)
