"""The rows of history.py: a process that times the row whose name it reads, once, and prints the seconds as JSON."""

from __future__ import annotations

import json
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

# The first package on the path is timed, not the one for which this environment was built.
sys.meta_path[:] = [f for f in sys.meta_path if type(f).__name__ != "ScikitBuildRedirectingFinder"]

import bascule as bc
import bascule.pandas as pd
import numpy as np

N, ROWS = 4_000_000, 2_000_000


def inputs() -> dict[str, Any]:
    g = np.random.default_rng(0)
    x, y = g.random(N), g.random(N)
    frame = {"k": g.integers(0, 1000, ROWS), "x": g.random(ROWS), "s": g.choice(["one", "two", "three", "four"], ROWS)}
    right = {"k": np.arange(1000), "z": g.random(1000)}
    path = Path(tempfile.mkdtemp()) / "rows.csv"
    df = pd.DataFrame(frame)
    df.head(300_000).to_csv(path, index=False)
    return {
        "x": bc.array(x), "y": bc.array(y), "f": bc.array(x.astype(np.float32)), "i": bc.array(g.integers(0, 1 << 40, N)),
        "m": bc.array(x[:1_000_000].reshape(1000, 1000)), "few": bc.array(x[:10]), "mask": bc.array(x > 0.5),
        "df": df, "right": pd.DataFrame(right), "path": path,
    }  # fmt: skip


def _small(v: dict[str, Any]) -> Any:
    few = v["few"]
    for _ in range(1000):
        last = few + 1
    return last


ROWS_BY_NAME: dict[str, Callable[[dict[str, Any]], Any]] = {
    "`x*y + x - y/2`, 4 million": lambda v: v["x"] * v["y"] + v["x"] - v["y"] / 2,
    "`sin(x)**2 + cos(x)**2`": lambda v: bc.sin(v["x"]) ** 2 + bc.cos(v["x"]) ** 2,
    "`x.sum()`": lambda v: v["x"].sum(),
    "`x.std()`": lambda v: v["x"].std(),
    "`exp(f)`, float32": lambda v: bc.exp(v["f"]),
    "`x[mask]`": lambda v: v["x"][v["mask"]],
    "`cumsum(x)`": lambda v: bc.cumsum(v["x"]),
    "`sort(x)`": lambda v: bc.sort(v["x"]),
    "`argsort(i)`": lambda v: bc.argsort(v["i"]),
    "`unique(i // 2**30)`": lambda v: bc.unique(v["i"] // (1 << 30)),
    "`m @ m`, 1000 × 1000": lambda v: v["m"] @ v["m"],
    "`fft.fft(x)`": lambda v: bc.fft.fft(v["x"]),
    "`histogram(x, 100)`": lambda v: bc.histogram(v["x"], 100)[0],
    "`median(x)`": lambda v: bc.median(v["x"]),
    "1,000 times `few + 1`, 10 elements": _small,
    "`df.groupby('k').x.mean()`, 2 million rows": lambda v: v["df"].groupby("k").x.mean(),
    "`df.groupby('s').x.sum()`": lambda v: v["df"].groupby("s").x.sum(),
    "`df.merge(right, on='k')`": lambda v: v["df"].merge(v["right"], on="k"),
    "`df.sort_values('x')`": lambda v: v["df"].sort_values("x"),
    "`df[df.x > 0.5]`": lambda v: v["df"][v["df"].x > 0.5],
    "`df.s.str.upper()`": lambda v: v["df"].s.str.upper(),
    "`df.x.rolling(100).mean()`": lambda v: v["df"].x.rolling(100).mean(),
    "`read_csv`, 300,000 rows": lambda v: pd.read_csv(v["path"]),
}


def timed(name: str, values: dict[str, Any]) -> float | None:
    run = ROWS_BY_NAME[name]
    start = time.perf_counter()
    try:
        bc.evaluate(run(values))
    except (AttributeError, NotImplementedError, TypeError) as why:
        print(f"{name}: {why}", file=sys.stderr)
        return None
    return time.perf_counter() - start


def main() -> None:
    bc.config.fallback = "silent"
    values = inputs()
    print(json.dumps({"file": bc.__file__, "threads": bc.get_num_threads(), "rows": list(ROWS_BY_NAME)}), flush=True)
    for line in sys.stdin:
        print(json.dumps(timed(line.rstrip("\n"), values)), flush=True)


if __name__ == "__main__":
    main()
