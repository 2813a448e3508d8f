"""Sorting against NumPy: `python benchmarks/ops/ordered.py` prints one line per row; `--quick` only runs the rows.

Every result is checked before its time counts, libraries alternate, and the best repetitions are compared.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

import bascule as bc
import harness
import numpy as np
from harness import Arrays, Target, Timed, exact, expect, same_kind


def speedup(k: float) -> tuple[Target]:
    return (Target("speedup", at_least=k, text=f"≥ {k:g}× NumPy"),)


def floats(rng: np.random.Generator, n: int) -> Arrays:
    return [rng.normal(size=n)]


def lines(rng: np.random.Generator, n: int) -> Arrays:
    return [rng.normal(size=(n // 10, 10))]


def integers(top: int | None) -> Any:
    def prepare(rng: np.random.Generator, n: int) -> Arrays:
        return [rng.integers(0, top or n, n)]

    return prepare


def sorted_and_needles(rng: np.random.Generator, n: int) -> Arrays:
    return [np.sort(rng.normal(size=n)), rng.normal(size=n // 10)]


def module(x: Any) -> Any:
    return bc if type(x) is bc.ndarray else np


def both(call: Any) -> dict[str, Any]:
    """The same call in each library."""
    run = lambda *arrays: call(module(arrays[0]), *arrays)
    return {"bascule": run, "numpy": run}


def orders(ours: Any, theirs: Any, inputs: Arrays) -> None:
    """NumPy's argsort may leave equal elements in any order; ours must sort to the same values."""
    a, b = same_kind(ours, theirs)
    expect(np.array_equal(inputs[0][a], inputs[0][b]), "the positions do not sort")


def row(name: str, n: int, prepare: Any, call: Any, check: Any = exact, targets: tuple = ()) -> Timed:
    return Timed(name, n, min(n, 20_000), prepare, check=check, targets=targets, **both(call))


MILLIONS = 10_000_000
ROWS = [
    row("`sort(x)`", MILLIONS, floats, lambda m, x: m.sort(x), targets=speedup(1.6)),
    row("`argsort(x)`", MILLIONS, floats, lambda m, x: m.argsort(x), orders, speedup(4)),
    row("`sort(x, axis=1)`, lines of ten", MILLIONS, lines, lambda m, x: m.sort(x, axis=1)),
    row("`searchsorted(x, v)`, a tenth as many values", MILLIONS, sorted_and_needles, lambda m, x, v: m.searchsorted(x, v)),
    row("`unique(i)`, a thousand different", MILLIONS, integers(1000), lambda m, i: m.unique(i), targets=speedup(8)),
    row("`unique(i)`, as many as there are elements", 3_000_000, integers(None), lambda m, i: m.unique(i), targets=speedup(8)),
    row("`unique(i, return_inverse=True)[1]`", 3_000_000, integers(1000), lambda m, i: m.unique(i, return_inverse=True)[1],
        targets=speedup(8)),
    row("`median(x)`", MILLIONS, floats, lambda m, x: m.median(x)),
    row("`percentile(x, [5, 50, 95])`", MILLIONS, floats, lambda m, x: m.percentile(x, [5, 50, 95])),
    row("`bincount(i)`", MILLIONS, integers(1000), lambda m, i: m.bincount(i)),
    row("`histogram(x, 100)[0]`", MILLIONS, floats, lambda m, x: m.histogram(x, 100)[0], targets=speedup(8)),
    row("`isin(i, j)`", MILLIONS, lambda rng, n: [rng.integers(0, 10_000, n), rng.integers(0, 10_000, 1000)],
        lambda m, i, j: m.isin(i, j)),
]  # fmt: skip


def main(argv: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description="Time ordered functions against NumPy; every result is checked first.")
    parser.add_argument("--quick", action="store_true", help="small sizes, to see whether the benchmarks run")
    parser.add_argument("--only", default="", metavar="TEXT", help="rows whose name holds this text")
    parser.add_argument(
        "--seconds", type=float, default=10, help="after so many seconds a row ends (three repetitions)"
    )
    options = parser.parse_args(argv)
    wrong = 0
    for r in ROWS:
        if options.only not in r.name:
            continue
        result = harness.measure(r, options.quick, options.seconds)
        if "error" in result:
            wrong += 1
            print(f"{r.name}: WRONG, {result['error']}", flush=True)
            continue
        harness.judge(r, result, {})
        best, kept = (
            result["best"],
            ", ".join(f"{t}: {'yes' if m else 'no'}" for t, m in zip(result["targets"], result["met"])),
        )
        print(
            f"{r.name}: NumPy {best['NumPy']:.1f} ms, bascule {best['bascule']:.1f} ms, {result['speedup']:.1f}×  {kept}",
            flush=True,
        )
    return int(wrong > 0)


if __name__ == "__main__":
    sys.exit(main())
