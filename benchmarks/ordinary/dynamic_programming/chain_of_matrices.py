"""Where to put the brackets in a product of matrices, and a check that the value stays the same."""

import sys

import numpy as np

SIZE = sys.argv[1] if len(sys.argv) > 1 else "middle"
n = 26 if SIZE == "small" else 120


def order(dims):
    n = len(dims) - 1
    cost = np.zeros((n, n), dtype=np.int64)
    split = np.zeros((n, n), dtype=int)
    for length in range(2, n + 1):
        for i in range(n - length + 1):
            j = i + length - 1
            cost[i, j] = np.iinfo(np.int64).max
            for k in range(i, j):
                c = cost[i, k] + cost[k + 1, j] + dims[i] * dims[k + 1] * dims[j + 1]
                if c < cost[i, j]:
                    cost[i, j] = c
                    split[i, j] = k
    return cost, split


def brackets(split, i, j):
    if i == j:
        return f"A{i}"
    k = split[i, j]
    return "(" + brackets(split, i, k) + " " + brackets(split, k + 1, j) + ")"


def product(matrices, split, i, j):
    if i == j:
        return matrices[i]
    k = split[i, j]
    return product(matrices, split, i, k) @ product(matrices, split, k + 1, j)


cost, split = order(np.array([30, 35, 15, 5, 10, 20, 25]))
print(cost)
print(brackets(split, 0, 5))

rng = np.random.default_rng(7)
dims = rng.integers(2, 60, n + 1)
cost, split = order(dims)
print("sizes:", dims[:15])
text = brackets(split, 0, n - 1)
print("brackets:", text[:100])
matrices = [rng.normal(size=(a, b)) / np.sqrt(b) for a, b in zip(dims[:-1], dims[1:], strict=True)]
result = product(matrices, split, 0, n - 1)
plain = matrices[0]
work = 0
for m in matrices[1:]:
    work += plain.shape[0] * plain.shape[1] * m.shape[1]
    plain = plain @ m
print(f"work from left to right {work}, best {cost[0, n - 1]}, saved {100 * (1 - cost[0, n - 1] / work):.2f} %")
print("same:", np.allclose(result, plain), "shape", result.shape)
