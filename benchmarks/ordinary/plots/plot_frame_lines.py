"""Three random walks drawn with DataFrame.plot, their rolling means, and the dates on the axis.

Idea: the plotting part of "10 minutes to pandas"
"""

import sys

import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt
import numpy as np
import pandas as pd

SIZE = sys.argv[1] if len(sys.argv) > 1 else "middle"
days = 250 if SIZE == "small" else 7000

rng = np.random.default_rng(5)
index = pd.date_range("2010-01-01", periods=days)
df = pd.DataFrame(rng.normal(size=(days, 3)), index=index, columns=list("ABC")).cumsum()
smooth = df.rolling(30).mean()

ax = df.plot(figsize=(8, 4), title="walks")
smooth["A"].plot(ax=ax, style="k:", label="mean of A")
ax.legend()
print("title:", ax.get_title(), "| lines:", [line.get_label() for line in ax.lines])
for line in ax.lines:
    y = np.asarray(line.get_ydata(), dtype=float)
    print(
        f"{line.get_label():10s} n {len(y)}, missing {np.isnan(y).sum()}, last {y[-1]:.4f}, range {np.nanmin(y):.3f} to {np.nanmax(y):.3f}"
    )

fig, ax2 = plt.subplots()
ax2.plot(df.index, df["B"])
ax2.scatter(df.index[::50], df["B"].iloc[::50])
fig.autofmt_xdate()
fig.canvas.draw()
print("ticks:", [t.get_text() for t in ax2.get_xticklabels()])
print("points:", len(ax2.collections[0].get_offsets()), np.round(ax2.collections[0].get_offsets()[:3, 1], 3).tolist())

yearly = df.groupby(df.index.year).last()
ax3 = yearly.head(6).plot.bar(rot=0)
print("bars:", [round(float(p.get_height()), 3) for p in ax3.patches][:9])
print("labels:", [t.get_text() for t in ax3.get_xticklabels()])
ax4 = df["C"].plot.hist(bins=10, ax=plt.figure().add_subplot())
print("histogram:", [int(p.get_height()) for p in ax4.patches])
plt.close("all")
