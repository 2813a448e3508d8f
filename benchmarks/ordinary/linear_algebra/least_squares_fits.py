"""Straight lines, parabolas and planes through noisy points: normal equations, lstsq, polyfit, and steps down the gradient.
Idea: the linear regression tutorial from scratch."""

import sys

import numpy as np
import pandas as pd

SIZE = sys.argv[1] if len(sys.argv) > 1 else "middle"
n, epochs = (120, 300) if SIZE == "small" else (6_000, 8_000)

rng = np.random.default_rng(1805)
x = rng.uniform(0, 10, n)
y = 3.5 + 2.2 * x + rng.normal(0, 2, n)

x_mean, y_mean = x.mean(), y.mean()
slope = sum((a - x_mean) * (b - y_mean) for a, b in zip(x, y)) / sum((a - x_mean) ** 2 for a in x)
print(f"by sums      {y_mean - slope * x_mean:.4f} {slope:.4f}")
design = np.column_stack([np.ones(n), x])
beta = np.linalg.inv(design.T @ design) @ design.T @ y
print("by equations", beta.round(4))
print("by lstsq    ", np.linalg.lstsq(design, y, rcond=None)[0].round(4))
print("by polyfit  ", np.polyfit(x, y, 1)[::-1].round(4))

w = b = 0.0
losses = []
for epoch in range(epochs):
    error = w * x + b - y
    w -= 0.01 * 2 * (error * x).mean()
    b -= 0.01 * 2 * error.mean()
    if epoch % (epochs // 5) == 0:
        losses.append(round(float((error**2).mean()), 3))
print("by gradient ", round(float(b), 2), round(float(w), 2), losses)

residual = y - design @ beta
r2 = 1 - (residual**2).sum() / ((y - y_mean) ** 2).sum()
sigma = np.sqrt((residual**2).sum() / (n - 2))
errors = sigma * np.sqrt(np.diag(np.linalg.inv(design.T @ design)))
print(f"R2 {r2:.4f}, sigma {sigma:.4f}, errors {errors.round(4)}")

rows = []
for degree in range(1, 7):
    train = rng.random(n) < 0.7
    truth = np.sin(x) * 3 + 0.1 * x**2
    noisy = truth + rng.normal(0, 0.5, n)
    v = np.vander((x - 5) / 5, degree + 1, increasing=True)
    coefficients, *_ = np.linalg.lstsq(v[train], noisy[train], rcond=None)
    fit = v @ coefficients
    rows.append([degree, np.sqrt(((fit - noisy)[train] ** 2).mean()), np.sqrt(((fit - noisy)[~train] ** 2).mean())])
print(pd.DataFrame(rows, columns=["degree", "train", "test"]).round(3).to_string(index=False))

plane = np.c_[rng.normal(size=(n, 3)), np.ones(n)]
target = plane @ np.array([1.0, -2.0, 0.5, 4.0]) + rng.normal(0, 0.1, n)
for penalty in (0, 1, 100):
    ridge = np.linalg.solve(plane.T @ plane + penalty * np.eye(4), plane.T @ target)
    print("ridge", penalty, ridge.round(3))
