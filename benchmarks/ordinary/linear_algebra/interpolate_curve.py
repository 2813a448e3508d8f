"""A road through measured points: linear, by Lagrange, by a natural cubic spline with its system of equations; length and area.
Idea: a question on cubic splines without SciPy."""

import sys

import numpy as np

SIZE = sys.argv[1] if len(sys.argv) > 1 else "middle"
knots, fine = (12, 400) if SIZE == "small" else (150, 12_000)

rng = np.random.default_rng(1946)
x = np.sort(rng.uniform(0, 10, knots))
x[0], x[-1] = 0.0, 10.0
y = np.sin(x) + 0.1 * x
grid = np.linspace(0, 10, fine)
truth = np.sin(grid) + 0.1 * grid


def spline_timestamps(x, y):
    n = len(x)
    h = np.diff(x)
    a, right = np.zeros((n, n)), np.zeros(n)
    a[0, 0] = a[-1, -1] = 1
    for i in range(1, n - 1):
        a[i, i - 1 : i + 2] = h[i - 1], 2 * (h[i - 1] + h[i]), h[i]
        right[i] = 6 * ((y[i + 1] - y[i]) / h[i] - (y[i] - y[i - 1]) / h[i - 1])
    return np.linalg.solve(a, right)


def spline(x, y, m, at):
    i = np.clip(np.searchsorted(x, at) - 1, 0, len(x) - 2)
    h = x[i + 1] - x[i]
    left, right = (x[i + 1] - at) / h, (at - x[i]) / h
    return left * y[i] + right * y[i + 1] + h**2 / 6 * ((left**3 - left) * m[i] + (right**3 - right) * m[i + 1])


def spline_one(x, y, m, t):
    for i in range(len(x) - 1):
        if t <= x[i + 1]:
            h = x[i + 1] - x[i]
            p, q = (x[i + 1] - t) / h, (t - x[i]) / h
            return p * y[i] + q * y[i + 1] + h * h / 6 * ((p**3 - p) * m[i] + (q**3 - q) * m[i + 1])


def lagrange(x, y, t):
    total = 0.0
    for i in range(len(x)):
        term = y[i]
        for j in range(len(x)):
            if i != j:
                term *= (t - x[j]) / (x[i] - x[j])
        total += term
    return total


m = spline_timestamps(x, y)
smooth = spline(x, y, m, grid)
linear = np.interp(grid, x, y)
few = np.linspace(0, knots - 1, 7).astype(int)
polynomial = np.array([lagrange(x[few], y[few], t) for t in grid])
for name, values in (("linear", linear), ("spline", smooth), ("lagrange", polynomial)):
    error = np.abs(values - truth)
    length = np.hypot(np.diff(grid), np.diff(values)).sum()
    area = np.trapezoid(values, grid)
    print(f"{name:9s} error {error.max():.4f} mean {error.mean():.5f} length {length:.4f} area {area:.4f}")
one = np.array([spline_one(x, y, m, t) for t in grid[:: max(fine // 400, 1)]])
print("loops agree:", np.allclose(one, smooth[:: max(fine // 400, 1)]))
print("through the points:", np.allclose(spline(x, y, m, x), y), "moments:", m[:4].round(3) + 0.0)
slope = np.gradient(smooth, grid)
tops = [round(float(grid[k]), 2) for k in range(1, fine - 1) if slope[k - 1] > 0 >= slope[k]]
print("tops at", tops)
curvature = np.abs(np.gradient(slope, grid)) / (1 + slope**2) ** 1.5
print("sharpest curve:", round(float(curvature[5:-5].max()), 2))
weights = np.polyfit(x, y, 5)
print(
    "polynomial of degree 5:",
    round(float(np.abs(np.polyval(weights, grid) - truth).max()), 4),
    "at 5:",
    round(float(np.polyval(weights, 5.0)), 4),
)
