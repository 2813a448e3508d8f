"""Contours of a function of two variables, its gradient as arrows, and where gradient descent goes."""

import sys

import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt
import numpy as np

SIZE = sys.argv[1] if len(sys.argv) > 1 else "middle"
n, steps = (60, 40) if SIZE == "small" else (900, 900)


def f(x, y):
    return (1 - x) ** 2 + 5 * (y - x**2) ** 2


def gradient(x, y):
    return np.array([-2 * (1 - x) - 20 * x * (y - x**2), 10 * (y - x**2)])


x = np.linspace(-2, 2, n)
y = np.linspace(-1, 3, n)
X, Y = np.meshgrid(x, y)
Z = f(X, Y)

path = [np.array([-1.5, 2.0])]
for _ in range(steps):
    path.append(path[-1] - 0.01 * gradient(*path[-1]))
path = np.array(path)

fig, ax = plt.subplots()
contours = ax.contour(X, Y, np.log1p(Z), levels=8)
ax.clabel(contours, fontsize=7)
step = n // 10
U, V = gradient(X[::step, ::step], Y[::step, ::step])
arrows = ax.quiver(X[::step, ::step], Y[::step, ::step], -U, -V)
ax.plot(path[:, 0], path[:, 1], "r.-")
ax.plot(1, 1, "k*", ms=10)
fig.canvas.draw()

print("levels:", np.round(contours.levels, 3).tolist())
print("arrows:", arrows.N, "longest", round(float(np.hypot(arrows.U, arrows.V).max()), 3))
print("segments:", [len(s) for s in contours.allsegs])
line = ax.lines[0].get_xydata()
for k in range(0, steps + 1, steps // 8):
    print(f"step {k:3d}: x {line[k, 0]:.4f}, y {line[k, 1]:.4f}, value {f(*line[k]):.5f}")
i, j = np.unravel_index(np.argmin(Z), Z.shape)
print(f"lowest on the grid: {Z[i, j]:.5f} at ({x[j]:.4f}, {y[i]:.4f}), mean {Z.mean():.4f}")
print("limits:", np.round(ax.axis(), 3).tolist())
plt.close(fig)
