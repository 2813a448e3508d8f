"""Bootstrapped regressions in joblib workers, and the same in threads and in one process."""

import sys

import numpy as np
import pandas as pd
from joblib import Parallel, delayed

SIZE = sys.argv[1] if len(sys.argv) > 1 else "middle"


def one_fit(seed, x, y):
    rng = np.random.default_rng(seed)
    rows = rng.integers(0, len(x), len(x))
    A = np.column_stack([np.ones(len(x)), x[rows], x[rows] ** 2])
    beta, *_ = np.linalg.lstsq(A, y[rows], rcond=None)
    return beta


def main(n, fits):
    rng = np.random.default_rng(7)
    x = rng.uniform(-2, 2, n)
    y = 1 + 0.5 * x - 0.3 * x**2 + rng.normal(0, 0.4, n)
    found = Parallel(n_jobs=2)(delayed(one_fit)(seed, x, y) for seed in range(fits))
    df = pd.DataFrame(found, columns=["const", "x", "x2"])
    print(df.describe().round(3))
    print(df.corr().round(2))
    threads = Parallel(n_jobs=2, prefer="threads")(delayed(one_fit)(seed, x, y) for seed in range(fits // 4))
    alone = [one_fit(seed, x, y) for seed in range(fits // 4)]
    print("threads agree:", np.allclose(threads, alone), "workers agree:", np.allclose(found[: fits // 4], alone))
    low, high = df["x2"].quantile([0.025, 0.975])
    print(
        f"bend: {df['x2'].mean():.3f} ({low:.3f} to {high:.3f}), outside: {int(((df['x2'] < low) | (df['x2'] > high)).sum())}"
    )
    top = df.eval("-x / (2 * x2)")
    print("highest at:", round(top.median(), 3))


if __name__ == "__main__":
    if SIZE == "small":
        main(300, 40)
    else:
        main(4_000, 600)
