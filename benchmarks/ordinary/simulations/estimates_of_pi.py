"""Pi by darts, by a needle, by chains of random numbers and by series, with the error that remains.
Idea: the Monte Carlo tutorial."""

import math
import random
import sys

import numpy as np

SIZE = sys.argv[1] if len(sys.argv) > 1 else "middle"
n = 5_000 if SIZE == "small" else 400_000

r = random.Random(314)
inside = 0
for _ in range(n):
    x, y = r.random(), r.random()
    if x * x + y * y <= 1:
        inside += 1
print(f"loop   {4 * inside / n:.5f}")

rng = np.random.default_rng(314)
points = rng.random((n, 2))
hits = (points**2).sum(axis=1) <= 1
print(f"arrays {4 * hits.mean():.5f} +- {4 * hits.std() / math.sqrt(n):.5f}")
running = 4 * np.cumsum(hits) / np.arange(1, n + 1)
for k in (10, 100, 1000, n):
    print(f"  after {k:7d}: {running[k - 1]:.4f}")

length, distance = 0.8, 1.0
centre = rng.uniform(0, distance / 2, n)
angle = rng.uniform(0, np.pi / 2, n)
crossed = (length / 2 * np.sin(angle) >= centre).sum()
print(f"needle {2 * length * n / (distance * crossed):.4f}")

a, b = rng.integers(1, 10_000, n), rng.integers(1, 10_000, n)
coprime = (np.gcd(a, b) == 1).mean()
print(f"gcd    {math.sqrt(6 / coprime):.4f}")
k = np.arange(n, dtype=float)
print(f"series {4 * np.sum((-1) ** k / (2 * k + 1)):.6f}")
total, sign = 0.0, 1.0
for i in range(1, 2 * n, 2):
    total += sign / i
    sign = -sign
print(f"again  {4 * total:.6f}")

volumes = []
for dim in range(2, 7):
    p = rng.uniform(-1, 1, (n // 4, dim))
    share = np.mean(np.linalg.norm(p, axis=1) < 1)
    exact = math.pi ** (dim / 2) / math.gamma(dim / 2 + 1)
    volumes.append(share * 2**dim)
    print(f"ball in {dim} dimensions {volumes[-1]:.3f}, exactly {exact:.3f}")
groups = hits[: n // 50 * 50].reshape(50, -1).mean(axis=1) * 4
print("fifty groups: from", round(float(groups.min()), 4), "to", round(float(groups.max()), 4))
