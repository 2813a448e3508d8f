"""`bascule tune`: finds the fastest number of threads on this machine."""

from __future__ import annotations

import argparse
import time
from typing import Any

from .. import get_num_threads, set_num_threads
from ..text_table import table
from .output import count, refuse, show

LEAST = 1_000_000  # elements: with fewer, a pass is too short to show what more threads do
ENOUGH = 0.97  # of the best speed: the fewest threads that reach it are chosen


def _programs(n: int) -> dict[str, Any]:
    import bascule as bc

    x = bc.random.default_rng(0).random(n)
    bc.evaluate(x)
    return {
        "memory": lambda: bc.evaluate(x + 1),
        "arithmetic": lambda: bc.evaluate(bc.sin(bc.exp(-x)).sum(keepdims=True)),
    }


def counts(most: int) -> list[int]:
    """1, 2, 4 … and `most`."""
    return sorted({*(2**k for k in range(most.bit_length()) if 2**k <= most), most})


def measure(n: int, most: int) -> list[dict[str, Any]]:
    """Seconds of a memory-bound pass and of a compute-bound one, by the number of threads."""
    before, programs, found = get_num_threads(), _programs(n), []
    try:
        for threads in counts(most):
            set_num_threads(threads)
            row: dict[str, Any] = {"threads": threads}
            for name, program in programs.items():
                best = float("inf")
                for _ in range(5):
                    start = time.perf_counter()
                    program()
                    best = min(best, time.perf_counter() - start)
                row[name] = best
            found.append(row)
    finally:
        set_num_threads(before)
    return found


def best_count(found: list[dict[str, Any]]) -> int | None:
    """The fewest threads that are nearly as fast as the best in both; None where no number is."""
    least = {name: min(row[name] for row in found) for name in ("memory", "arithmetic")}
    near = [row["threads"] for row in found if all(row[name] * ENOUGH <= least[name] for name in least)]
    return min(near, default=None)


def add(commands: Any) -> argparse.ArgumentParser:
    parser = commands.add_parser(
        "tune",
        help="which number of threads is fastest on this machine",
        description="Time a memory-bound and a compute-bound pass with 1, 2, 4 … threads, and say which "
        "BASCULE_NUM_THREADS to set. Nothing is changed. The exit code is 1 if the times name no number, as on a busy machine.",
    )
    parser.add_argument("--rows", type=count, default=10_000_000, metavar="N", help="elements (default: 10,000,000)")
    return parser


def run(chosen: argparse.Namespace) -> int:
    if chosen.rows < LEAST:
        return refuse(f"[tune] needs at least {LEAST:,} elements to measure threads, got {chosen.rows:,}")
    if get_num_threads() == 1:
        return refuse("[tune] there is one thread only, by the machine or by BASCULE_NUM_THREADS: nothing to compare")
    found = measure(chosen.rows, get_num_threads())
    best = best_count(found)
    rows = [[row["threads"], f"{row['memory'] * 1e3:.3f}", f"{row['arithmetic'] * 1e3:.3f}"] for row in found]
    said = f"export BASCULE_NUM_THREADS={best}"
    if best is None:
        said = "No number is fastest in both: other programs were running, or the times vary. Run it again on an idle machine."
    text = f"{table(['threads', 'memory (ms)', 'arithmetic (ms)'], rows)}\n\n{said}"
    show(chosen.json, {"measured": found, "threads": best}, text)
    return int(best is None)
