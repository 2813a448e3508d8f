"""Windows against pandas: `python benchmarks/frames/windows.py` prints one line per row; `--quick` only runs the rows.

Every result is checked against pandas, to nine digits, before its time counts; fallbacks are forbidden.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

import numpy as np
import pandas
from groupby import run, speedup
from harness import Framed

ROWS_OF_ALL = 2_000_000


def by_second(rng: np.random.Generator, n: int, _: Path) -> list:
    """x random floats, k random integers below 1,000; one row per second."""
    seconds = pandas.date_range("2024-01-01", periods=n, freq="s", unit="s")
    return [pandas.DataFrame({"x": rng.normal(size=n), "k": rng.integers(0, 1000, n)}, seconds)]


def windows(name: str, k: float, call: Callable[[Any], Any]) -> Framed:
    return Framed(name, ROWS_OF_ALL, 20_000, by_second, lambda pd, df: call(df), speedup(k), rtol=1e-9)


ROWS = [
    windows("rolling(100).mean", 2, lambda df: df.x.rolling(100).mean()),
    windows("rolling(100).max", 1, lambda df: df.x.rolling(100).max()),
    windows("rolling(100).std", 1, lambda df: df.x.rolling(100).std()),
    windows("rolling(100).median", 2, lambda df: df.x.rolling(100).median()),
    windows("rolling('60s').mean", 1, lambda df: df.x.rolling("60s").mean()),
    windows("expanding().mean", 1, lambda df: df.x.expanding().mean()),
    windows("ewm(span=20).mean", 1, lambda df: df.x.ewm(span=20).mean()),
    windows("rolling(20).mean by k, 1000 groups", 4, lambda df: df.groupby("k").x.rolling(20).mean()),
    windows("resample('min').mean", 1, lambda df: df.x.resample("min").mean()),
    windows("resample('h').median", 1, lambda df: df.x.resample("h").median()),
]


if __name__ == "__main__":
    sys.exit(run("Time windows against pandas; every result is checked first.", ROWS, ROWS_OF_ALL))
