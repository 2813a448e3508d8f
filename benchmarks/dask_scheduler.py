"""`scheduler="bascule"` against Dask's threads, alternately in one process: `python benchmarks/dask_scheduler.py
--scale 0.2`.

Each result is checked before its time is reported. Full scale takes minutes and, for NumPy in the last row, 400 MB.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import time
from collections.abc import Callable
from typing import Any

import dask
import dask.array as da
from dask._task_spec import Task, TaskRef

NUMPY, OURS = "numpy", "bascule"


def timed(f: Callable[[], Any]) -> tuple[float, Any]:
    began = time.perf_counter()
    result = f()
    return time.perf_counter() - began, result


def increment(i: int) -> int:
    return i + 1


def total(*values: int) -> int:
    return sum(values)


def tiny_tasks(n: int) -> tuple[dict, Any]:
    """A tree over n tasks that take almost no time."""
    level: list[Any] = [("leaf", i) for i in range(n)]
    graph = {k: Task(k, increment, k[1]) for k in level}
    depth = 0
    while len(level) > 1:
        depth += 1
        above = []
        for k in range(0, len(level), 16):
            above.append((f"sum-{depth}", k // 16))
            graph[above[-1]] = Task(above[-1], total, *map(TaskRef, level[k : k + 16]))
        level = above
    return graph, level[0]


def overhead(n: int, repetition: int) -> tuple[float, float]:
    """100,000 tiny tasks: seconds of Dask's threads and of ours."""
    graph, key = tiny_tasks(n)
    get = dask.base.get_scheduler(scheduler="bascule")
    ours, got = timed(lambda: get(dict(graph), key))
    theirs, wanted = timed(lambda: dask.threaded.get(dict(graph), key))
    assert got == wanted == n * (n + 1) // 2
    return theirs, ours


def pair(make: Callable[[], Any], same: Callable[[float, float], bool]) -> tuple[float, float]:
    """Seconds of NumPy's chunks on Dask's threads and of ours on our scheduler, without creating the collections."""
    with dask.config.set({"array.backend": NUMPY}):
        x = make()
    with dask.config.set({"array.backend": OURS}):
        y = make()
    ours, got = timed(lambda: float(y.compute(scheduler="bascule")))
    theirs, wanted = timed(lambda: float(x.compute(scheduler="threads")))
    assert same(got, wanted), (got, wanted)
    return theirs, ours


def many_chunks(n: int, repetition: int) -> tuple[float, float]:
    """((x + k) * 2).sum() over n chunks of 10 × 10."""
    side = max(round(n**0.5), 2) * 10
    return pair(lambda: ((da.ones((side, side), chunks=10) + repetition) * 2).sum(), float.__eq__)


def every_other(n: int, seed: int) -> Any:
    return (da.random.default_rng(seed).normal(10, 1, (n, n), chunks=n // 10) + 1)[::2, ::2].sum()


def strided_random(n: int, repetition: int) -> tuple[float, float]:
    """(x + 1)[::2, ::2].sum() over normal(10, 1) in a hundred chunks."""
    return pair(lambda: every_other(n, repetition), lambda a, b: abs(a - b) < 1e-3 * abs(b) + 20 * n)


def high_water() -> int:
    with open("/proc/self/status") as status:
        return next(int(line.split()[1]) for line in status if line.startswith("VmHWM")) * 1024


def peak_of(n: int) -> None:
    """Run in a separate process: our peak memory minus that of a small run."""
    with dask.config.set({"array.backend": OURS}):
        float(every_other(200, 0).compute(scheduler="bascule"))
        before = high_water()
        float(every_other(n, 1).compute(scheduler="bascule"))
    print(high_water() - before)


ROWS = [
    ("tiny tasks", overhead, 100_000, 3.0),
    ("element-wise reduction, chunks", many_chunks, 10_000, 5.0),
    ("(x + 1)[::2, ::2].sum() of normal, side", strided_random, 50_000, 15.0),
]


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--scale", type=float, default=1.0, help="of the sizes; the side of the last row by its root")
    parser.add_argument("--repetitions", type=int, default=3)
    parser.add_argument("--json", action="store_true")
    parser.add_argument("--peak", type=int, help=argparse.SUPPRESS)
    given = parser.parse_args()
    if given.peak:
        peak_of(given.peak)
        return 0
    rows = []
    for name, run, full, wanted in ROWS:
        n = max(int(full * given.scale ** (0.5 if run is strided_random else 1)), 200)
        run(200, 0)
        pairs = [run(n, k) for k in range(1, given.repetitions + 1)]
        theirs, ours = (min(p[i] for p in pairs) for i in (0, 1))
        gains = sorted(a / b for a, b in pairs)
        rows.append({"name": name, "n": n, "dask": theirs, "bascule": ours, "gain": gains[len(gains) // 2], "wanted": wanted})  # fmt: skip
        if run is strided_random:
            reported = subprocess.run([sys.executable, __file__, "--peak", str(n)], check=True, capture_output=True, text=True)  # fmt: skip
            rows[-1]["peak_mb"] = int(reported.stdout) / 1e6
    if given.json:
        print(json.dumps(rows, indent=1))
    else:
        print(f"{'':42}{'n':>8}{'Dask s':>9}{'ours s':>9}{'gain':>7}{'wanted':>8}")
        for r in rows:
            peak = f"  peak {r['peak_mb']:.0f} MB" if "peak_mb" in r else ""
            print(f"{r['name']:42}{r['n']:>8}{r['dask']:>9.3f}{r['bascule']:>9.3f}{r['gain']:>6.1f}×{r['wanted']:>7.0f}×{peak}")  # fmt: skip
    return 0


if __name__ == "__main__":
    sys.exit(main())
