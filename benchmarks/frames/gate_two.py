"""Benchmarks of frames: grouping, joining, sorting, a mean, a CSV file. Fallbacks are forbidden."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pandas
from harness import Framed, Target


def speedup(k: float) -> tuple[Target]:
    return (Target("speedup", at_least=k, text=f"≥ {k:g}× pandas"),)


def two_columns(rng: np.random.Generator, n: int, _: Path) -> list:
    """x random floats, y random integers, 63 % of n of them distinct."""
    return [pandas.DataFrame({"x": rng.random(n), "y": rng.integers(0, n, n)})]


def four_columns(rng: np.random.Generator, n: int, _: Path) -> list:
    """Floats, integers with many and with few distinct values, and strings with few."""
    words = np.array([f"id{i:03d}" for i in range(100)])
    text = pandas.array(words, dtype="str").take(rng.integers(0, 100, n))
    return [pandas.DataFrame({"x": rng.random(n), "y": rng.integers(0, n, n), "k": rng.integers(0, 100, n), "s": text})]


def taxi(rng: np.random.Generator, n: int, folder: Path) -> list:
    """A CSV file like those of taxi rides: 19 columns, 2 of them timestamps, 4 of them coordinates with 14 digits."""
    block = min(n, 200_000)
    begin = np.datetime64("2016-01-01", "s") + rng.integers(0, 31 * 86400, block)

    def amount(low: float, high: float, digits: int = 2) -> np.ndarray:
        return np.round(rng.uniform(low, high, block), digits)

    frame = pandas.DataFrame({
        "VendorID": rng.integers(1, 3, block), "pickup": begin, "dropoff": begin + rng.integers(60, 3600, block),
        "passengers": rng.integers(1, 7, block), "distance": amount(0, 30), "pickup_longitude": amount(-74.05, -73.75, 14),
        "pickup_latitude": amount(40.6, 40.9, 14), "rate": rng.integers(1, 6, block), "flag": rng.choice(["N", "Y"], block),
        "dropoff_longitude": amount(-74.05, -73.75, 14), "dropoff_latitude": amount(40.6, 40.9, 14), "payment": rng.integers(1, 5, block),
        "fare": amount(3, 80), "extra": amount(0, 3), "tax": np.full(block, 0.5), "tip": amount(0, 20), "tolls": amount(0, 7),
        "surcharge": np.full(block, 0.3), "total": amount(3, 120),
    })  # fmt: skip
    path = folder / "taxi.csv"
    header, _, body = frame.to_csv(index=False).encode().partition(b"\n")
    with path.open("wb") as file:
        file.write(header + b"\n")
        for _ in range(n // block):
            file.write(body)
    return [path]


def group_mean(pd: Any, df: Any) -> Any:
    return df.groupby("y").x.mean()


def self_merge(pd: Any, df: Any) -> Any:
    return df.merge(df, on="y")


def sort_values(pd: Any, df: Any) -> Any:
    return df.sort_values("x")


def mean(pd: Any, df: Any) -> Any:
    return df.x.mean()


def read_csv(pd: Any, path: Path) -> Any:
    return pd.read_csv(path, parse_dates=["pickup", "dropoff"], engine="c")


ROWS = [
    Framed("`df.groupby('y').x.mean()`, 6.3 million groups", 10_000_000, 20_000, two_columns, group_mean, speedup(12)),
    Framed("`df.merge(df, on='y')`, 20 million rows out", 10_000_000, 20_000, two_columns, self_merge, speedup(6)),
    Framed("`df.sort_values('x')`, 4 columns, one of text", 10_000_000, 20_000, four_columns, sort_values, speedup(6)),
    Framed("`df.x.mean()`", 10_000_000, 20_000, two_columns, mean, speedup(4), peer_repetitions=5),
    Framed("`pd.read_csv`, 19 columns, 2 of dates, 500 MB", 3_400_000, 20_000, taxi, read_csv, speedup(3)),
]  # fmt: skip
