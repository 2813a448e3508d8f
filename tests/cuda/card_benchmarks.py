"""bascule and CuPy on one card, in one process: every result is checked first, inputs change from call to call, times are
medians between events of a stream.

    python tests/cuda/card_benchmarks.py [SCALE]

Without CuPy its column is empty; frames are compared with pandas on the host. SCALE divides the sizes: a rehearsal takes 1000.
"""

import statistics
import sys
import tempfile
import time

import bascule as bc
import numpy as np

scale = int(sys.argv[1]) if len(sys.argv) > 1 else 1
ROUNDS, INPUTS = (9, 3) if scale == 1 else (2, 2)
try:
    import cupy
except ImportError:
    cupy = None
rng = np.random.default_rng(11)


def vector(n):
    return rng.random(max(n // scale, 16))


def square(n, dtype="f8"):
    m = max(int(n / scale**0.5), 8)
    return rng.random((m, m)).astype(dtype)


def stencil(xp, a):
    return (a[1:-1, 1:-1] + a[:-2, 1:-1] + a[2:, 1:-1] + a[1:-1, :-2] + a[1:-1, 2:]) / 5


# Name: the input, the program of a namespace and an array, and the relative tolerance against NumPy.
ROWS = {
    "sin² + cos², 10⁸": (lambda: vector(100_000_000), lambda xp, x: xp.sin(x) ** 2 + xp.cos(x) ** 2, 1e-14),
    "x + 1, 10⁸": (lambda: vector(100_000_000), lambda xp, x: x + 1, 0),
    "x.sum(), 10⁸": (lambda: vector(100_000_000), lambda xp, x: x.sum(), 1e-12),
    "A.sum(axis=0), 10⁴": (lambda: square(10_000), lambda xp, x: x.sum(axis=0), 1e-12),
    "A.std(axis=1), 10⁴": (lambda: square(10_000), lambda xp, x: x.std(axis=1), 1e-10),
    "(x + 1)[::2, ::2].sum(), 10⁴": (lambda: square(10_000), lambda xp, x: (x + 1)[::2, ::2].sum(), 1e-12),
    "cumsum, 10⁸": (lambda: vector(100_000_000), lambda xp, x: xp.cumsum(x), 1e-9),
    "x[x > 0.5], 10⁸": (lambda: vector(100_000_000), lambda xp, x: x[x > 0.5], 0),
    "matrix product f4, 8192": (lambda: square(8192, "f4"), lambda xp, x: x @ x, 1e-3),
    "matrix product f8, 4096": (lambda: square(4096), lambda xp, x: x @ x, 1e-10),
    "singular values, 1000": (lambda: square(1000), lambda xp, x: xp.linalg.svd(x, compute_uv=False), 1e-8),
    "stencil, 8192": (lambda: square(8192), stencil, 1e-14),
    "fft, 10⁷": (lambda: vector(10_000_000), lambda xp, x: xp.fft.fft(x), 1e-6),
    "x[::3] copied, 10⁸": (lambda: vector(100_000_000), lambda xp, x: xp.ascontiguousarray(x[::3]), 0),
    "sort, 10⁷": (lambda: vector(10_000_000), lambda xp, x: xp.sort(x), 0),
    "unique, 10⁷": (lambda: np.floor(vector(10_000_000) * 1000), lambda xp, x: xp.unique(x), 0),
}
# Name: the program of a library, two frames of it, and a file of the first.
FRAMES = {
    "mean, 10⁷": lambda pd, f, g, file: f.v.mean(),
    "groupby mean, 10⁷": lambda pd, f, g, file: f.groupby("k").v.mean(),
    "merge, 10⁷": lambda pd, f, g, file: f.merge(g, on="k"),
    "sort_values, 10⁷": lambda pd, f, g, file: f.sort_values("v"),
    "read_csv, 10⁷": lambda pd, f, g, file: pd.read_csv(file),
}


def host(r):
    return np.asarray(r.get() if hasattr(r, "get") else r)


def median(xp, program, inputs):
    """Milliseconds between events before and after a call, the median of the rounds."""
    cuda, times = xp.cuda, []
    run = (lambda x: bc.evaluate(program(bc, x))) if xp is bc else (lambda x: program(xp, x))
    run(inputs[0])
    for k in range(ROUNDS):
        begin, end = cuda.Event(), cuda.Event()
        begin.record()
        kept = run(inputs[k % len(inputs)])
        end.record()
        end.synchronize()
        times.append(cuda.get_elapsed_time(begin, end))
        del kept
    return statistics.median(times)


def arrays() -> int:
    wrong = 0
    for name, (make, program, tolerance) in ROWS.items():
        inputs = [make() for _ in range(INPUTS)]
        expected, cells = program(np, inputs[0]), []
        for xp in (bc, cupy):
            if xp is None:
                cells.append("–")
                continue
            given = [xp.asarray(a) for a in inputs]
            if not np.allclose(host(program(xp, given[0])), expected, rtol=tolerance, atol=0):
                wrong += xp is bc
                cells.append("WRONG")
                continue
            cells.append(f"{median(xp, program, given):.3f}")
        print(f"| {name} | {' | '.join(cells)} |", flush=True)
    return wrong


def frames(folder) -> int:
    try:
        import pandas
    except ImportError:
        print("frames: not run, there is no pandas")
        return 0
    import bascule.pandas as pd

    n, wrong = max(10_000_000 // scale, 100), 0
    left = pandas.DataFrame({"k": rng.integers(0, n // 10, n), "v": rng.random(n)})
    right = pandas.DataFrame({"k": np.arange(n // 10), "u": rng.random(n // 10)})
    ours, other, file = pd.from_pandas(left), pd.from_pandas(right), f"{folder}/left.csv"
    ours.to_csv(file, index=False)
    for name, call in FRAMES.items():
        began = time.perf_counter()
        expected = call(pandas, left, right, file)
        pandas_time = time.perf_counter() - began
        got = call(pd, ours, other, file)
        got = got.to_pandas() if hasattr(got, "to_pandas") else host(got)
        if not np.allclose(np.asarray(got, "f8"), np.asarray(expected, "f8"), rtol=1e-10):
            wrong += 1
            print(f"| {name} | WRONG | |", flush=True)
            continue
        times = []
        for _ in range(ROUNDS):
            began = time.perf_counter()
            kept = call(pd, ours, other, file)
            bc.synchronize("cuda")
            times.append(time.perf_counter() - began)
            del kept
        print(f"| {name} | {1e3 * statistics.median(times):.3f} | {1e3 * pandas_time:.1f} (pandas, host) |", flush=True)
    return wrong


def main() -> int:
    bc.config.device = "cuda"
    print(
        f"bascule {bc.__version__}, {'CuPy ' + cupy.__version__ if cupy else 'no CuPy'}, {bc._core.describe_card('cuda')}"
    )
    print("| milliseconds | bascule | CuPy |\n|---|---|---|")
    with tempfile.TemporaryDirectory() as folder:
        wrong = arrays() + frames(folder)
    print("results that are wrong:", wrong)
    return wrong > 0


if __name__ == "__main__":
    sys.exit(main())
