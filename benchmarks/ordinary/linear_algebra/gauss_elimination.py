"""Systems of equations by elimination with pivots, in plain loops and by rows, against NumPy's solver; determinants and inverses.
Idea: a question on writing Gaussian elimination."""

import sys

import numpy as np

SIZE = sys.argv[1] if len(sys.argv) > 1 else "middle"
count, most = (10, 12) if SIZE == "small" else (150, 55)


def solve(a, b):
    a, b = a.astype(float).copy(), b.astype(float).copy()
    n = len(b)
    for k in range(n):
        p = k + int(np.argmax(np.abs(a[k:, k])))
        if p != k:
            a[[k, p]] = a[[p, k]]
            b[[k, p]] = b[[p, k]]
        for i in range(k + 1, n):
            factor = a[i, k] / a[k, k]
            a[i, k:] -= factor * a[k, k:]
            b[i] -= factor * b[k]
    x = np.zeros(n)
    for i in range(n - 1, -1, -1):
        x[i] = (b[i] - np.dot(a[i, i + 1 :], x[i + 1 :])) / a[i, i]
    return x


def determinant(rows):
    rows = [list(r) for r in rows]
    n, value = len(rows), 1.0
    for k in range(n):
        p = max(range(k, n), key=lambda i: abs(rows[i][k]))
        if rows[p][k] == 0:
            return 0.0
        if p != k:
            rows[k], rows[p] = rows[p], rows[k]
            value = -value
        value *= rows[k][k]
        for i in range(k + 1, n):
            f = rows[i][k] / rows[k][k]
            for j in range(k, n):
                rows[i][j] -= f * rows[k][j]
    return value


rng = np.random.default_rng(1810)
for number in range(count):
    n = int(rng.integers(3, most))
    a = rng.integers(-9, 10, (n, n)) + 12 * np.eye(n)
    b = rng.integers(-20, 20, n)
    x = solve(a, b)
    good = np.allclose(x, np.linalg.solve(a, b)) and np.allclose(a @ x, b)
    if number < 8:
        print(n, x[:3].round(4) + 0.0, good)
    elif not good:
        print(n, "differs")

a = np.array([[2.0, 1.0, -1.0], [-3.0, -1.0, 2.0], [-2.0, 1.0, 2.0]])
print("known answer:", solve(a, np.array([8, -11, -3])).round(6))
for n in (2, 4, 6):
    m = rng.integers(-5, 6, (n, n)).astype(float)
    print(f"determinant {n}: {determinant(m.tolist()):.2f} {np.linalg.det(m):.2f}")
m = rng.normal(size=(6, 6))
inverse = np.column_stack([solve(m, e) for e in np.eye(6)])
print("inverse:", np.allclose(inverse, np.linalg.inv(m)), np.allclose(m @ inverse, np.eye(6)))
singular = np.arange(9).reshape(3, 3)
print("rank:", np.linalg.matrix_rank(singular), np.linalg.matrix_rank(m))
try:
    np.linalg.inv(np.ones((3, 3)))
except np.linalg.LinAlgError as error:
    print("error:", error)
