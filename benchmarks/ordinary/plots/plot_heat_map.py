"""A heat map of correlations with the numbers written into the cells, and its colour bar.

Idea: the annotated heat map of the Matplotlib gallery
"""

import sys

import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt
import numpy as np
import pandas as pd

SIZE = sys.argv[1] if len(sys.argv) > 1 else "middle"
n = 300 if SIZE == "small" else 250_000

rng = np.random.default_rng(31)
base = rng.normal(size=(n, 3))
df = pd.DataFrame(
    {
        "temperature": 12 + 6 * base[:, 0],
        "ice cream": 30 + 8 * base[:, 0] + 4 * rng.normal(size=n),
        "umbrellas": 20 - 3 * base[:, 0] + 5 * base[:, 1],
        "rain": np.exp(base[:, 1] - 0.2 * base[:, 0]),
        "books": 5 + base[:, 2] + 0.3 * base[:, 0],
    }
)
corr = df.corr()

fig, ax = plt.subplots(figsize=(6, 5))
image = ax.imshow(corr, cmap="coolwarm", vmin=-1, vmax=1)
ax.set_xticks(range(len(corr)), labels=corr.columns, rotation=45, ha="right")
ax.set_yticks(range(len(corr)), labels=corr.index)
for i in range(len(corr)):
    for j in range(len(corr)):
        ax.text(j, i, f"{corr.iloc[i, j]:.3f}", ha="center", va="center")
bar = fig.colorbar(image)
bar.set_label("correlation")
fig.canvas.draw()

print(corr.round(3))
print("image:", np.asarray(image.get_array()).shape, "limits", image.get_clim())
print("texts:", [t.get_text() for t in ax.texts][:10])
print("x labels:", [t.get_text() for t in ax.get_xticklabels()])
print("bar:", [t.get_text().replace("\N{MINUS SIGN}", "-") for t in bar.ax.get_yticklabels()])
rgba = image.cmap(image.norm(corr.to_numpy()))
print("colour of the first row:", np.round(rgba[0, :, 0], 2).tolist())
pairs = corr.where(np.triu(np.ones(corr.shape), k=1).astype(bool)).stack().sort_values()
for (a, b), value in pairs.items():
    print(f"{a:12s} {b:12s} {value:7.3f}")
plt.close(fig)
