"""Group-by against pandas: `python benchmarks/frames/groupby.py` prints one line per row; `--quick` only runs the rows.

The questions q1 to q10 are those of db-benchmark on its data: string and integer keys with 100 to 1e7 groups. Every
result is checked against pandas, bit for bit, before its time counts; fallbacks are forbidden.
"""

from __future__ import annotations

import argparse
import dataclasses
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

import harness
import numpy as np
import pandas
from harness import Framed, Target

ROWS_OF_ALL = 10_000_000


def speedup(k: float) -> tuple[Target]:
    return (Target("speedup", at_least=k, text=f"≥ {k:g}× pandas"),)


def questions(rng: np.random.Generator, n: int, _: Path) -> list:
    """id1, id2: 100 strings, id3: n / 100 strings, id4 to id6: as id1 to id3, integers; v1, v2: integers, v3: floats."""
    k, many = 100, max(n // 100, 1)

    def texts(count: int, pattern: str) -> Any:
        return pandas.array([pattern % i for i in range(1, count + 1)], dtype="str").take(rng.integers(0, count, n))

    return [
        pandas.DataFrame(
            {
                "id1": texts(k, "id%03d"),
                "id2": texts(k, "id%03d"),
                "id3": texts(many, "id%010d"),
                "id4": rng.integers(1, k + 1, n),
                "id5": rng.integers(1, k + 1, n),
                "id6": rng.integers(1, many + 1, n),
                "v1": rng.integers(1, 6, n),
                "v2": rng.integers(1, 16, n),
                "v3": np.round(rng.random(n) * 100, 6),
            }
        )
    ]


def two_columns(rng: np.random.Generator, n: int, _: Path) -> list:
    """x random floats, y random integers, 63 % of n of them distinct."""
    return [pandas.DataFrame({"x": rng.random(n), "y": rng.integers(0, n, n)})]


def aggregated(by: list[str], **named: tuple[str, str]) -> Callable[[Any, Any], Any]:
    return lambda pd, df: df.groupby(by, as_index=False, sort=False).agg(**named)


def question(name: str, k: float, by: list[str], **named: tuple[str, str]) -> Framed:
    return Framed(name, ROWS_OF_ALL, 20_000, questions, aggregated(by, **named), speedup(k))


def pairs(name: str, k: float, call: Callable[[Any], Any]) -> Framed:
    return Framed(name, ROWS_OF_ALL, 20_000, two_columns, lambda pd, df: call(df), speedup(k))


ROWS = [
    pairs("mean by y, 6.3 million groups", 12, lambda df: df.groupby("y").x.mean()),
    pairs("median by y, 6.3 million groups", 2, lambda df: df.groupby("y").x.median()),
    pairs("running sum by y, 6.3 million groups", 1, lambda df: df.groupby("y").x.cumsum()),
    pairs("transform by the mean of y", 2, lambda df: df.groupby("y").x.transform("mean")),
    question("q1: sum v1 by id1", 3, ["id1"], v1=("v1", "sum")),
    question("q2: sum v1 by id1, id2", 3, ["id1", "id2"], v1=("v1", "sum")),
    question("q3: sum v1, mean v3 by id3", 3, ["id3"], v1=("v1", "sum"), v3=("v3", "mean")),
    question("q4: mean v1, v2, v3 by id4", 3, ["id4"], v1=("v1", "mean"), v2=("v2", "mean"), v3=("v3", "mean")),
    question("q5: sum v1, v2, v3 by id6", 3, ["id6"], v1=("v1", "sum"), v2=("v2", "sum"), v3=("v3", "sum")),
    question("q6: median, std v3 by id4, id5", 1, ["id4", "id5"], median=("v3", "median"), std=("v3", "std")),
    question("q7: max v1, min v2 by id3", 3, ["id3"], v1=("v1", "max"), v2=("v2", "min")),
    question("q10: sum v3, count by id1 to id6", 3, [f"id{i}" for i in range(1, 7)], v3=("v3", "sum"), n=("v1", "count")),
    Framed("value_counts of 1e5 texts", ROWS_OF_ALL, 20_000, questions, lambda pd, df: df.id3.value_counts(), speedup(2)),
    Framed("drop_duplicates of id4, id5", ROWS_OF_ALL, 20_000, questions, lambda pd, df: df[["id4", "id5"]].drop_duplicates(), speedup(2)),
]  # fmt: skip


def run(what: str, rows: list[Framed], most: int, argv: list[str] | None = None) -> int:
    """Measure the rows selected on the command line."""
    parser = argparse.ArgumentParser(description=what)
    parser.add_argument("--quick", action="store_true", help="small sizes, to see whether the benchmarks run")
    parser.add_argument("--only", default="", metavar="TEXT", help="rows whose name holds this text")
    parser.add_argument("--rows", type=int, default=most, metavar="N", help="rows of the frames")
    parser.add_argument("--seconds", type=float, default=10, help="after so many seconds a row ends")
    options = parser.parse_args(argv)
    wrong = 0
    for row in rows:
        if options.only not in row.name:
            continue
        result = harness.measure(dataclasses.replace(row, n=options.rows), options.quick, options.seconds)
        if "error" in result:
            wrong += 1
            print(f"{row.name}: WRONG, {result['error']}", flush=True)
            continue
        best = result["best"]
        print(
            f"{row.name}: pandas {best['pandas']:.0f} ms, bascule {best['bascule']:.0f} ms, {result['speedup']:.1f}×",
            flush=True,
        )
    return int(wrong > 0)


if __name__ == "__main__":
    sys.exit(run("Time group-by against pandas; every result is checked first.", ROWS, ROWS_OF_ALL))
