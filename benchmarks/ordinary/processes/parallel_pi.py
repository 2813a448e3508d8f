"""Pi from random points in a ProcessPoolExecutor, with one seed for each task.

Idea: the Monte Carlo estimate of pi in every introduction to parallel computing
"""

import multiprocessing
import sys
from concurrent.futures import ProcessPoolExecutor, as_completed

import numpy as np
import pandas as pd

SIZE = sys.argv[1] if len(sys.argv) > 1 else "middle"


def inside(seed, n):
    rng = np.random.default_rng(seed)
    x, y = rng.random(n), rng.random(n)
    return seed, int(np.count_nonzero(x * x + y * y <= 1.0))


def main(n, tasks):
    counts = {}
    with ProcessPoolExecutor(2, mp_context=multiprocessing.get_context("fork")) as executor:
        futures = [executor.submit(inside, seed, n) for seed in range(tasks)]
        for future in as_completed(futures):
            seed, hits = future.result()
            counts[seed] = hits
    df = pd.DataFrame({"hits": pd.Series(counts).sort_index()})
    df["pi"] = 4 * df["hits"] / n
    df["running"] = df["pi"].expanding().mean()
    df["error"] = (df["running"] - np.pi).abs()
    print(df.head(6).round(5))
    print("estimate:", round(df["pi"].mean(), 5), "standard error:", round(df["pi"].sem(), 6))
    print("last error:", round(df["error"].iloc[-1], 5), "best:", df["error"].idxmin())
    print("all points:", n * tasks)


if __name__ == "__main__":
    if SIZE == "small":
        main(20_000, 6)
    else:
        main(400_000, 40)
