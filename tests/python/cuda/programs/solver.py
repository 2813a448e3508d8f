"""A heat equation and a linear system, in the style of CuPy programs: conjugate gradients with user-defined kernels."""

import bascule as cp
import numpy as np

laplacian = cp.ElementwiseKernel(
    "raw float64 u, int64 rows, int64 columns",
    "float64 r",
    """
    long long row = i / columns, column = i % columns;
    double up = row > 0 ? u[i - columns] : 0.0, down = row < rows - 1 ? u[i + columns] : 0.0;
    double left = column > 0 ? u[i - 1] : 0.0, right = column < columns - 1 ? u[i + 1] : 0.0;
    r = 4.0 * u[i] - up - down - left - right;
    """,
    "laplacian",
)
dot = cp.ReductionKernel("T x, T y", "T r", "x * y", "a + b", "r = a", "0", "dot")
axpy = cp.ElementwiseKernel("T a, T x", "T y", "y += a * x", "axpy", no_return=True)


@cp.fuse(kernel_name="next_direction")
def next_direction(r, p, beta):
    return r + p * beta


def apply(u):
    rows, columns = u.shape
    return laplacian(u, rows, columns, cp.empty_like(u))


def conjugate_gradients(b, tolerance=1e-10, most=500):
    """The solution of ``apply(x) = b``, and the number of steps."""
    x = cp.zeros_like(b)
    r = b.copy()
    p = r.copy()
    rho = dot(r, r)
    limit = tolerance**2 * float(rho)
    for step in range(most):
        q = apply(p)
        alpha = float(rho) / float(dot(p, q))
        axpy(alpha, p, x)
        axpy(-alpha, q, r)
        following = dot(r, r)
        if float(following) < limit:
            return x, step + 1
        p = next_direction(r, p, float(following) / float(rho))
        rho = following
    raise RuntimeError("no convergence")


def heat(u, steps, rate=0.2):
    """Explicit steps of the heat equation, with slices."""
    for _ in range(steps):
        inner = u[1:-1, 1:-1]
        change = u[:-2, 1:-1] + u[2:, 1:-1] + u[1:-1, :-2] + u[1:-1, 2:] - 4 * inner
        u = u.copy()
        u[1:-1, 1:-1] = inner + rate * change
    return u


def main():
    xp = cp.get_array_module(cp.zeros(1))
    assert xp is cp
    rows, columns = 12, 9
    rng = np.random.default_rng(7)
    b = rng.random((rows, columns))
    start, end = cp.cuda.Event(), cp.cuda.Event()
    with cp.cuda.Stream(non_blocking=True) as stream:
        start.record()
        solution, steps = conjugate_gradients(cp.asarray(b))
        end.record()
    stream.synchronize()
    assert cp.cuda.get_elapsed_time(start, end) > 0 and 0 < steps < 200

    second = lambda n: 2 * np.eye(n) - np.eye(n, k=1) - np.eye(n, k=-1)
    matrix = np.kron(second(rows), np.eye(columns)) + np.kron(np.eye(rows), second(columns))
    expected = np.linalg.solve(matrix, b.ravel()).reshape(b.shape)
    np.testing.assert_allclose(cp.asnumpy(solution), expected, rtol=1e-8)

    plate = np.zeros((20, 20))
    plate[5:9, 3:12] = 100
    there = plate.copy()
    for _ in range(10):
        inner = there[1:-1, 1:-1]
        change = there[:-2, 1:-1] + there[2:, 1:-1] + there[1:-1, :-2] + there[1:-1, 2:] - 4 * inner
        there = there.copy()
        there[1:-1, 1:-1] = inner + 0.2 * change
    np.testing.assert_allclose(heat(cp.asarray(plate), 10).get(), there, rtol=1e-12)
    pool = cp.get_default_memory_pool()
    assert pool.used_bytes() > 0
    pool.free_all_blocks()
    print("done")


main()
