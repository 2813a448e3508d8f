"""Lines with labels, a legend and a shared axis; prints what the axes hold.

Idea: the first plot of the Matplotlib tutorial
"""

import sys

import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt
import numpy as np

SIZE = sys.argv[1] if len(sys.argv) > 1 else "middle"
points, curves = (500, 3) if SIZE == "small" else (200_000, 9)

x = np.linspace(0, 2 * np.pi, points)
fig, axes = plt.subplots(2, 1, sharex=True, figsize=(6, 5))
for k in range(1, curves + 1):
    axes[0].plot(x, np.sin(k * x) / k, label=f"sin({k}x)/{k}")
axes[0].legend(loc="upper right")
axes[0].set_ylabel("amplitude")
total = sum(np.sin(k * x) / k for k in range(1, curves + 1))
axes[1].plot(x, total, "k--", lw=1)
axes[1].fill_between(x, 0, total, where=total > 0.5, alpha=0.3)
axes[1].axhline(0.5, color="red")
axes[1].set_xlabel("x")
axes[1].set_xlim(0, 6.5)
fig.suptitle("A family of sines")
fig.canvas.draw()

for ax in axes:
    print("lines:", len(ax.lines), "ticks:", [t.get_text() for t in ax.get_yticklabels()])
    for line in ax.lines[:4]:
        y = np.asarray(line.get_ydata())
        print(f"  {line.get_label()}: first {y[0]:.3f}, highest {y.max():.4f}, lowest {y.min():.4f}, n {len(y)}")
print("legend:", [t.get_text() for t in axes[0].get_legend().get_texts()])
print("x limits:", [round(float(v), 3) for v in axes[1].get_xlim()], axes[1].get_xlabel())
path = axes[1].collections[0].get_paths()[0]
print("filled:", len(path.vertices), "corners, highest", round(float(path.vertices[:, 1].max()), 4))
print(fig._suptitle.get_text())
plt.close(fig)
