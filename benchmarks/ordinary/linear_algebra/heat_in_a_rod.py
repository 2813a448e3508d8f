"""Heat in a rod: explicit steps, implicit steps with a tridiagonal solver, and the modes of the matrix of differences."""

import sys

import numpy as np

SIZE = sys.argv[1] if len(sys.argv) > 1 else "middle"
n, steps = (30, 300) if SIZE == "small" else (120, 2_500)

x = np.linspace(0, 1, n + 2)[1:-1]
dx = x[1] - x[0]
start = np.sin(np.pi * x) + 0.5 * np.sin(3 * np.pi * x)
dt = 0.4 * dx**2
main = -2 * np.ones(n)
off = np.ones(n - 1)
laplace = (np.diag(main) + np.diag(off, 1) + np.diag(off, -1)) / dx**2

u = start.copy()
for _ in range(steps):
    new = u.copy()
    new[1:-1] = u[1:-1] + dt / dx**2 * (u[2:] - 2 * u[1:-1] + u[:-2])
    new[0] = u[0] + dt / dx**2 * (u[1] - 2 * u[0])
    new[-1] = u[-1] + dt / dx**2 * (u[-2] - 2 * u[-1])
    u = new
time = steps * dt
exact = np.exp(-(np.pi**2) * time) * np.sin(np.pi * x) + 0.5 * np.exp(-9 * np.pi**2 * time) * np.sin(3 * np.pi * x)
print(f"time {time:.5f} middle {u[n // 2]:.5f} exactly {exact[n // 2]:.5f} largest error {np.abs(u - exact).max():.5f}")


def thomas(lower, diagonal, upper, right):
    m = len(diagonal)
    c, d = np.zeros(m), np.zeros(m)
    c[0] = upper[0] / diagonal[0]
    d[0] = right[0] / diagonal[0]
    for i in range(1, m):
        scale = diagonal[i] - lower[i - 1] * c[i - 1]
        if i < m - 1:
            c[i] = upper[i] / scale
        d[i] = (right[i] - lower[i - 1] * d[i - 1]) / scale
    for i in range(m - 2, -1, -1):
        d[i] -= c[i] * d[i + 1]
    return d


few = steps // 25
big = time / few
v = start.copy()
ratio = big / dx**2
for _ in range(few):
    v = thomas(-ratio * off, (1 + 2 * ratio) * np.ones(n), -ratio * off, v)
print(f"implicit, {few} steps: middle {v[n // 2]:.5f} largest error {np.abs(v - exact).max():.5f}")
whole = np.linalg.solve(np.eye(n) - big * laplace, start)
print("solvers agree:", np.allclose(whole, thomas(-ratio * off, (1 + 2 * ratio) * np.ones(n), -ratio * off, start)))

values, modes = np.linalg.eigh(laplace)
parts = modes.T @ start
w = modes @ (np.exp(values * time) * parts)
print(f"by modes: middle {w[n // 2]:.5f} largest error {np.abs(w - exact).max():.5f}")
print("slowest modes:", values[::-1][:3].round(3), "exactly", (-((np.pi * np.array([1, 2, 3])) ** 2)).round(3))
print("strongest:", np.sort(np.argsort(np.abs(parts))[::-1][:2] - n).tolist())
step_matrix = np.eye(n) + dt * laplace
print("stable:", bool(np.abs(np.linalg.eigvalsh(step_matrix)).max() < 1))
print("condition:", round(float(np.linalg.cond(laplace)), 2), "mean heat:", round(float(u.mean()), 5))
heat = [float((np.linalg.matrix_power(step_matrix, k) @ start).sum() * dx) for k in (0, 10, 100)]
print("heat:", [round(h, 5) for h in heat])
