"""Launches, waits and copies of learning on the emulated CUDA device, as a table: see benchmarks/results/cuda-learn.md.

python tests/cuda/learn_report.py [--write FILE]
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
from pathlib import Path

SUPPORT = Path(__file__).resolve().parents[1] / "python/support"
sys.path.insert(0, str(SUPPORT))
import emulated_cuda
from learn_on_device import COLUMNS, MORE_ROWS, REFUSED, ROWS

HEADER = f"""# Learning on a CUDA device: launches, waits and copies

A fit of {ROWS:,} rows of {COLUMNS} columns, with rows and targets on the device already; methods that iterate are stopped after three
iterations. Counted by the emulated device (`tests/cuda/learn_report.py --write`); a test compares each fit with this table, and
with one of {MORE_ROWS:,} rows, which copies as many bytes, but for batches and other starts: less than one byte for each row more.
What is copied to the host are states (products, sums, gradients), to the device coefficients and numbers that blocks read.

| estimator | iterations | launches | waits | bytes to the device | bytes to the host | bytes of {MORE_ROWS:,} rows |
|---|---|---|---|---|---|---|
"""


def measured(names=()) -> list[dict]:
    """The counts of estimators, each of which is compared with the same on the host before."""
    done = subprocess.run(
        [sys.executable, str(SUPPORT / "learn_on_device.py"), *names],
        capture_output=True,
        text=True,
        env=emulated_cuda.environment(BASCULE_CACHE_DIR=""),
        check=False,
    )
    if done.returncode:
        raise AssertionError(done.stdout[-2000:] + done.stderr[-4000:])
    return [json.loads(line) for line in done.stdout.splitlines()]


def line(row: dict) -> str:
    more = sum(row["of_more_rows"][2:])
    steps = row["iterations"] if row["iterations"] is not None else 1
    return f"| `{row['name']}` | {steps} | {row['launches']} | {row['waits']} | {row['to_device']:,} | {row['to_host']:,} | {more:,} |\n"


def table(rows: list[dict]) -> str:
    refused = "".join(f"| `{name}` | {reason} |\n" for name, reason in REFUSED.items())
    return (
        HEADER
        + "".join(map(line, rows))
        + "\nRows on a device are refused by name, with `NotImplementedError`, by\n\n| estimator | reason |\n|---|---|\n"
        + refused
    )


def read(path: Path) -> dict[str, list[int]]:
    """Iterations, launches, waits, and bytes to the device, to the host and of more rows, by estimator."""
    lines = [x.split("|")[1:-1] for x in path.read_text().splitlines() if x.startswith("| `")]
    return {x[0].strip(" `"): [int(c.replace(",", "")) for c in x[1:]] for x in lines if len(x) == 7}


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--write", type=Path)
    given = parser.parse_args()
    text = table(measured())
    print(text)
    if given.write:
        given.write.write_text(text)
