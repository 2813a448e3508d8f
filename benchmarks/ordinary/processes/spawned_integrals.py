"""Integrals of several functions by the midpoint rule, each in a spawned worker."""

import multiprocessing
import sys

import numpy as np

SIZE = sys.argv[1] if len(sys.argv) > 1 else "middle"

FUNCTIONS = {
    "sine": (np.sin, 0, np.pi, 2.0),
    "bell": (lambda x: np.exp(-(x**2)), -5, 5, np.sqrt(np.pi)),
    "circle": (lambda x: np.sqrt(1 - x**2), -1, 1, np.pi / 2),
    "hyperbola": (lambda x: 1 / x, 1, np.e, 1.0),
}


def integrate(task):
    name, n = task
    f, a, b, _ = FUNCTIONS[name]
    h = (b - a) / n
    x = a + h * (np.arange(n) + 0.5)
    return name, n, float(f(x).sum() * h)


if __name__ == "__main__":
    most = 2_000 if SIZE == "small" else 2_000_000
    tasks = [(name, n) for name in FUNCTIONS for n in (10, 100, most)]
    with multiprocessing.get_context("spawn").Pool(2) as pool:
        results = pool.map(integrate, tasks, chunksize=4)
    for name, n, value in results:
        truth = FUNCTIONS[name][3]
        print(
            f"{name:10s} {n:8d} points: {value:.5f}, error {abs(value - truth):.5f}"
            if n < 1000
            else f"{name:10s} best: {value:.4f}"
        )
    table = np.array([value for _, _, value in results]).reshape(-1, 3)
    print(table.round(4))
    print("sum of the best:", round(table[:, 2].sum(), 4))
